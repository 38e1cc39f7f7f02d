"""AlphaDiamond: self-play learning for Diamond Chase, measured against perfect play."""

__version__ = "0.1.0"
