"""Drawing: cached, supersampled shapes, text, icons and beads, all in the colours of one look."""

from alphadiamond.client.paint.look import Look
from alphadiamond.client.paint.painter import Painter

__all__ = ["Look", "Painter"]
