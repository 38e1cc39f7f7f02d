"""AlphaDiamond: self-play learning for games that are solved exactly."""

__version__ = "0.2.0"
