"""The lessons of the tutorial."""

from typing import Final

from alphadiamond.base.drawing import Lesson, Ply
from alphadiamond.games.labyrinth.board import BUMP_COST, DIAGONAL_COST, LATE_COST, POWER_UP_GAIN, STEP_COST, TRAP_COST

_MAZE: Final = ".....#T../####.#.#./.....T.#T/.#.##..#P/.#.....#P/.#PP##.#./.#......./.#T#.####/...#....."


def _wins(ply: Ply) -> bool:
    return ply.after.outcome is not None and ply.after.outcome.winner is ply.side


LESSONS: Final = (
    Lesson(
        title="The way home",
        text="You are green, at the top left, and your home is the green corner at the bottom right. Red runs the "
        f"other way. In turn you each go one cell; a step costs {STEP_COST}, and whoever pays less in the end wins.",
        task="Click the cell beside you. The digits step too, as they lie on a keypad.",
        position=f"{_MAZE} a1 i9 0 0 48 a",
        done=lambda ply: True,
        praise="What a step costs rises from it. Point at a cell far off, and the cheapest way there is shown.",
        marks=("b1",),
    ),
    Lesson(
        title="Cutting corners",
        text=f"You may go in all eight directions, between two walls as well. A diagonal step costs {DIAGONAL_COST}, "
        "less than two straight ones.",
        task="Go from e2 to d3 in one step.",
        position=f"{_MAZE} e2 e8 44 44 40 a",
        done=lambda ply: str(ply.move) == "sw",
        praise="Round the corner in one go.",
        again="Look for d3, down to the left.",
        marks=("d3",),
    ),
    Lesson(
        title="Traps",
        text=f"Entering a trap costs {TRAP_COST} more, every time and whoever it is. Often there is a way past it.",
        task="Get on to the south-east without entering the trap on f3.",
        position=f"{_MAZE} e3 e7 54 54 38 a",
        done=lambda ply: str(ply.move) == "se",
        praise="Past it, between the walls.",
        again="That is not the way past the trap: f4 is open.",
        marks=("f4",),
    ),
    Lesson(
        title="Power-ups",
        text=f"Whoever first enters a power-up pays {POWER_UP_GAIN} less for that step, and it is gone for both. A "
        "small detour can be worth it, if the other does not come first.",
        task="Take a power-up.",
        position=f"{_MAZE} d5 g6 92 84 32 a",
        done=lambda ply: ply.after.totals[ply.side] < ply.before.totals[ply.side],
        praise="The step has brought something in.",
        again="A power-up lies right below you, and another beside it.",
        marks=("c6", "d6"),
    ),
    Lesson(
        title="The other runner",
        text=f"Both may stand in one cell, but whoever enters the cell of the other pays {BUMP_COST} more. The "
        "two corners alone are safe. So a narrow passage can be held.",
        task="Red is in the way to the east. Go round.",
        position=f"{_MAZE} f7 g7 106 94 30 a",
        done=lambda ply: str(ply.move) == "ne",
        praise="From there the way east is free again.",
        again=f"That is no way round: entering red's cell costs {BUMP_COST} more, and west leads back.",
        marks=("g6",),
    ),
    Lesson(
        title="Home in time",
        text="Who is at home stays there and passes. The game is over when both are at home, or after 48 plies: "
        f"whoever is still on the way then pays {LATE_COST} more. The lower total wins.",
        task="Red is at home and has paid 200. Win.",
        position=f"{_MAZE} h9 a1 186 200 16 a",
        done=_wins,
        praise="Home, with 196 to 200.",
        again="Your home is the corner right beside you.",
        marks=("i9",),
    ),
)
