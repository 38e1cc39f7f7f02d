"""How large the board is; everything else follows."""

from typing import Final

SIZE: Final = 5
