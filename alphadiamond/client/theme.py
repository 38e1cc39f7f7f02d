"""The design system: colours, type scale, spacing and motion, in one object that every drawing reads."""

from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

Colour: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True)
class Theme:
    """One look. Colours are named by what they are for, never by what they are."""

    name: str
    dark: bool
    sky: tuple[Colour, Colour, Colour, Colour]
    """The background's four corners: top left, top right, bottom left, bottom right."""
    aurora: tuple[Colour, Colour]
    """What drifts across the background."""
    aurora_strength: float
    glass: Colour
    glass_alpha: tuple[int, int]
    """The opacity of a panel at its top and bottom."""
    edge: Colour
    edge_alpha: int
    shadow_alpha: int
    text: Colour
    muted: Colour
    faint: Colour
    on_accent: Colour
    """Text on a filled button."""
    accent: Colour
    accent_2: Colour
    gold: Colour
    danger: Colour
    good: Colour
    line: Colour
    """The board's edges."""
    line_2: Colour
    node: Colour
    red: Colour
    green: Colour
    yellow: Colour
    ivory: Colour
    ebony: Colour
    plate: Colour
    """The face of a board of holes."""
    pale: Colour
    deep: Colour
    """The light and the dark squares of a checkered board."""
    glow: float
    """How strong glows are, 0 to 1."""
    sides: tuple[str, str] = ("green", "red")
    """Which of the colours above the two sides have in the game at hand."""

    @property
    def high_contrast(self) -> bool:
        """Whether solid colours and edges say what light and shade say elsewhere."""
        return self.glow < 0.3

    def bead(self, side: Any) -> Colour:
        """The colour of a side's pieces."""
        colour: Colour = getattr(self, self.sides[int(side)])
        return colour


MIDNIGHT: Final = Theme(
    name="midnight",
    dark=True,
    sky=((9, 14, 38), (16, 12, 48), (5, 18, 44), (10, 8, 30)),
    aurora=((30, 90, 190), (110, 50, 190)),
    aurora_strength=0.42,
    glass=(120, 150, 230),
    glass_alpha=(34, 18),
    edge=(170, 200, 255),
    edge_alpha=64,
    shadow_alpha=90,
    text=(236, 242, 255),
    muted=(164, 178, 216),
    faint=(108, 122, 166),
    on_accent=(6, 12, 34),
    accent=(84, 214, 255),
    accent_2=(168, 124, 255),
    gold=(255, 206, 92),
    danger=(255, 104, 112),
    good=(92, 236, 164),
    line=(96, 190, 255),
    line_2=(156, 116, 255),
    node=(38, 54, 112),
    red=(255, 80, 80),
    green=(80, 255, 150),
    yellow=(255, 208, 64),
    ivory=(236, 226, 206),
    ebony=(46, 36, 58),
    plate=(42, 84, 206),
    pale=(164, 172, 212),
    deep=(72, 84, 152),
    glow=1.0,
)

DAYLIGHT: Final = Theme(
    name="daylight",
    dark=False,
    sky=((232, 240, 252), (240, 235, 252), (222, 234, 248), (236, 230, 248)),
    aurora=((170, 205, 255), (214, 190, 255)),
    aurora_strength=0.5,
    glass=(255, 255, 255),
    glass_alpha=(205, 165),
    edge=(120, 140, 190),
    edge_alpha=80,
    shadow_alpha=34,
    text=(22, 30, 58),
    muted=(78, 90, 128),
    faint=(112, 124, 160),
    on_accent=(255, 255, 255),
    accent=(0, 116, 190),
    accent_2=(112, 66, 208),
    gold=(176, 112, 0),
    danger=(200, 36, 52),
    good=(0, 128, 84),
    line=(70, 130, 205),
    line_2=(124, 92, 205),
    node=(214, 224, 242),
    red=(232, 58, 62),
    green=(14, 166, 98),
    yellow=(246, 186, 26),
    ivory=(250, 240, 220),
    ebony=(66, 50, 48),
    plate=(40, 96, 214),
    pale=(240, 222, 190),
    deep=(182, 130, 88),
    glow=0.45,
)

HIGH_CONTRAST: Final = Theme(
    name="high contrast",
    dark=True,
    sky=((0, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)),
    aurora=((0, 0, 0), (0, 0, 0)),
    aurora_strength=0.0,
    glass=(16, 16, 16),
    glass_alpha=(255, 255),
    edge=(255, 255, 255),
    edge_alpha=235,
    shadow_alpha=0,
    text=(255, 255, 255),
    muted=(232, 232, 232),
    faint=(196, 196, 196),
    on_accent=(0, 0, 0),
    accent=(0, 240, 255),
    accent_2=(214, 170, 255),
    gold=(255, 226, 0),
    danger=(255, 120, 120),
    good=(120, 255, 170),
    line=(255, 255, 255),
    line_2=(255, 255, 255),
    node=(48, 48, 48),
    red=(255, 84, 84),
    green=(90, 255, 160),
    yellow=(255, 232, 60),
    ivory=(255, 255, 255),
    ebony=(96, 96, 96),
    plate=(0, 40, 150),
    pale=(150, 150, 150),
    deep=(24, 24, 24),
    glow=0.25,
)

THEMES: Final = {theme.name: theme for theme in (MIDNIGHT, DAYLIGHT, HIGH_CONTRAST)}

PALETTES: Final = {
    "classic": {},
    # Far apart in brightness and in blue, so that they differ to protan, deutan and tritan eyes and in grey.
    "colour-blind": {"dark": ((236, 92, 20), (132, 236, 255)), "light": ((226, 92, 0), (0, 78, 160))},
}

TEXT_SIZES: Final = {"normal": 1.0, "large": 1.12, "largest": 1.24}

TYPE: Final = {
    "caption": (13, "regular"),
    "label": (14, "semibold"),
    "body": (16, "regular"),
    "strong": (16, "semibold"),
    "mono": (15, "mono"),
    "lead": (20, "semibold"),
    "heading": (30, "display"),
    "title": (46, "display"),
    "display": (76, "display"),
}
"""Style: size at 1280x800, and weight."""


@dataclass(frozen=True)
class Space:
    """Distances at 1280x800; everything stands on multiples of four."""

    xs: int = 4
    s: int = 8
    m: int = 12
    l: int = 16  # noqa: E741  (small, medium, large)
    xl: int = 24
    xxl: int = 36


SPACE: Final = Space()
RADIUS: Final = 14
SMALL_RADIUS: Final = 9


@dataclass(frozen=True)
class Motion:
    """Seconds that things take."""

    fast: float = 0.12
    normal: float = 0.22
    slow: float = 0.45
    move: float = 0.34
    reduced: bool = False


FULL_MOTION: Final = Motion()
REDUCED_MOTION: Final = Motion(fast=0.0, normal=0.0, slow=0.0, move=0.1, reduced=True)


def theme_for(name: str, palette: str, sides: tuple[str, str] = ("green", "red")) -> Theme:
    """A theme by name with the pieces' colours of a palette, for a game whose sides have these colours; unknown names
    give the first of each."""
    theme = THEMES.get(name, MIDNIGHT)
    colours = PALETTES.get(palette, {})
    if colours:
        red, green = colours["dark" if theme.dark else "light"]
        theme = replace(theme, red=red, green=green, yellow=green)
    return replace(theme, sides=sides)


def mix(a: Colour, b: Colour, amount: float) -> Colour:
    """The colour that lies `amount` of the way from a to b."""
    amount = min(1.0, max(0.0, amount))
    return (
        round(a[0] + (b[0] - a[0]) * amount),
        round(a[1] + (b[1] - a[1]) * amount),
        round(a[2] + (b[2] - a[2]) * amount),
    )


def ink_on(colour: Colour) -> Colour:
    """Dark or light text, whichever is read better on a colour."""
    brightness = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]
    return (8, 12, 30) if brightness > 118 else (255, 255, 255)
