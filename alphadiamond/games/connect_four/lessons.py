"""The lessons of the tutorial, and what a coach says."""

from typing import Final

from alphadiamond.base.drawing import Lesson, Ply
from alphadiamond.games.connect_four import kernels
from alphadiamond.games.connect_four.board import COLUMNS, ROWS, bit_of
from alphadiamond.games.connect_four.position import Position, Side


def threats(position: Position, side: Side) -> list[int]:
    """The columns, from 0, in which a disc of a side would make four."""
    discs = position.own if side is position.side else position.opp
    found = []
    for column in range(COLUMNS):
        bits = (bit_of(row * COLUMNS + column) for row in reversed(range(ROWS)))
        landing = next((bit for bit in bits if not position.occupied >> bit & 1), None)
        if landing is not None and kernels.has_four(discs | 1 << landing):
            found.append(column)
    return found


def _wins(ply: Ply) -> bool:
    return ply.after.outcome is not None and ply.after.outcome.winner is ply.side


LESSONS: Final = (
    Lesson(
        title="Dropping a disc",
        text="You are yellow, and yellow moves first. A disc falls to the lowest empty place of its column.",
        task="Click a column, press its number, or use the arrows and Enter.",
        position=Position.START,
        done=lambda ply: True,
        praise="That is a move. The middle is a good place to begin: most lines run through it.",
    ),
    Lesson(
        title="Four in a row",
        text="Four discs of one colour side by side win at once. You have three.",
        task="Add the fourth, on either side.",
        position="......./......./......./......./..ooo../..xxx.. x",
        done=_wins,
        praise="Four in a row. Red had three as well, but it was your turn.",
        again="Red wins next if you do not. Look at the lowest row.",
    ),
    Lesson(
        title="Upright",
        text="A column counts as well as a row.",
        task="Finish the column.",
        position="......./......./......./...x.../...x.../..oxoo. x",
        done=_wins,
        praise="Four on top of each other.",
        again="That was another column. Yours is the fourth.",
    ),
    Lesson(
        title="Across",
        text="So do both diagonals, and they are the ones that are overlooked. Yours climbs from the lower left.",
        task="Find the disc that finishes it.",
        position="......./......./......./..xo.../.xxo.../xoox..o x",
        done=_wins,
        praise="Four on a diagonal. The discs below, even red ones, were the stairs.",
        again="Look at columns 1, 2 and 3: each of your discs lies one higher than the last.",
        marks=("column 1 row 1", "column 2 row 2", "column 3 row 3"),
    ),
    Lesson(
        title="Blocking",
        text="Red has three in a row, and one end is still open.",
        task="Put a disc there before red does.",
        position="......./......./......./......./..xx.../.xooo.. x",
        done=lambda ply: not threats(ply.after, ply.side.other),
        praise="Blocked. Look for red's threats before every move.",
        again="Red would win now. The open end is column 6.",
        marks=("column 3 row 1", "column 4 row 1", "column 5 row 1"),
    ),
    Lesson(
        title="Two at once",
        text="One threat can be blocked, two cannot. Three in a row with both ends open are two threats.",
        task="Make a row of three with room on both sides.",
        position="......./......./......./......./...oo../...xx.. x",
        done=lambda ply: len(threats(ply.after, ply.side)) > 1,
        praise="Red can block only one end: you win whatever it does. A full board without four is a draw.",
        again="Red can still answer that. Go on in the lowest row, beside your two discs.",
    ),
)


def advice(position: Position) -> str:
    """What a coach would say to the side to move."""
    if wins := threats(position, position.side):
        return f"You can win: look at column {wins[0] + 1}"
    if dangers := threats(position, position.side.other):
        return f"Careful: block column {dangers[0] + 1}"
    for move in position.moves():
        if threats(position.play(move), position.side.other):
            return f"Leave column {move} alone: the place on top of it would win for the other side"
    return "Your move: the middle is worth most"
