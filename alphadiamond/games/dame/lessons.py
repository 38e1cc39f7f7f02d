"""The lessons of the tutorial, and what a coach says."""

from typing import Final

from alphadiamond.base.drawing import Lesson, Ply
from alphadiamond.games.dame.board import SQUARE_NAMES, rank_of
from alphadiamond.games.dame.position import Position
from alphadiamond.games.dame.side import Side

_START: Final = ".b.b.b/b.b.b./....../....../.w.w.w/w.w.w. w"


def _wins(ply: Ply) -> bool:
    return ply.after.outcome is not None and ply.after.outcome.winner is ply.side


LESSONS: Final = (
    Lesson(
        title="Moving",
        text="You are white, below, and white moves first. A man goes one dark square forward, to the left or to the "
        "right, and never back.",
        task="Pick one of your men that are ringed, then a dark square before it.",
        position=_START,
        done=lambda ply: True,
        praise="That is a move. Click, drag, or use the arrows and Enter: whatever you like.",
    ),
    Lesson(
        title="Taking",
        text="A man jumps over an enemy right before it onto the empty square behind, and the enemy comes off. Whoever "
        "can take must take: the gold square shows it, and no other man may move.",
        task="Jump with the man on c3, over d4 to e5.",
        position=".b..../....../...b../..w.../....../w..... w",
        done=lambda ply: bool(ply.captured),
        praise="Taken. Your other man could not have moved: a capture comes first.",
        marks=("d4",),
    ),
    Lesson(
        title="Going on",
        text="A man that has taken and can take again goes on, and all of it is one move.",
        task="Click every square where your man lands, or only the last one: c3, then e5.",
        position=".b..../....../...b../....../.b..../w..... w",
        done=lambda ply: len(ply.captured) > 1,
        praise="Two at once. A man can never take more than two in one move here.",
        marks=("b2", "d4"),
    ),
    Lesson(
        title="Which one?",
        text="Here are two ways to take, and you may choose. Look what black can take back.",
        task="Take so that your man is safe.",
        position=".....b/....../.b.b../..w.../....../...... w",
        done=lambda ply: not any(move.is_capture for move in ply.after.moves()),
        praise="At the edge nobody can jump over you.",
        again="Black jumps back: f6 over e5. Try the other way.",
        marks=("f6",),
    ),
    Lesson(
        title="Giving one",
        text="Since black must take as well, you can make it go where you want. If your man goes to d4, black has to "
        "jump over it, and you jump back.",
        task="Offer a man on d4.",
        position="....../b...b./....../w.w.../.w..../...... w",
        done=lambda ply: str(ply.move) == "c3-d4",
        praise="Black must take it, and lands where you can take: one for one, when you wish it.",
        again="That gives nothing. Move from c3 to d4, right before black's man.",
        marks=("d4",),
    ),
    Lesson(
        title="Winning",
        text="Whoever first brings a man to the far rank wins. So does whoever takes all men, or leaves the other side "
        "without a move.",
        task="Win.",
        position="....../....w./....../b...../....../w..... w",
        done=_wins,
        praise="You are through. There are no draws in this game: every move goes forward.",
        again="Your man on e5 is one step from the far rank.",
        marks=("e5",),
    ),
)


def advice(position: Position) -> str:
    """What a coach would say to the side to move."""
    for move in position.moves():
        after = position.play(move).outcome
        if after is not None and after.winner is position.side:
            return f"You can win: look at {SQUARE_NAMES[move.source]}"
    if position.must_capture:
        return "You must take: the gold squares show with whom"
    safe = [move for move in position.moves() if not any(reply.is_capture for reply in position.play(move).moves())]
    if not safe:
        return "Whatever you do, something can be taken: look what you get for it"
    runners = [square for square in position.men(position.side) if _steps_left(square, position.side) <= 2]
    if runners:
        return f"Your man on {SQUARE_NAMES[runners[0]]} is nearly through"
    return "Your move: keep together, and leave no empty square behind a man"


def _steps_left(square: int, side: Side) -> int:
    return 5 - rank_of(square) if side is Side.WHITE else rank_of(square)
