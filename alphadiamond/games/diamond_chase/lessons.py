"""The lessons of the tutorial, and what a coach says."""

from typing import Final

from alphadiamond.base.drawing import Lesson, Ply
from alphadiamond.games.diamond_chase.board import NEIGHBOURS, NODE_IDS, NODE_NAMES, Node
from alphadiamond.games.diamond_chase.position import Position, Side


def _freed(ply: Ply) -> bool:
    """Whether the south tip can move after this ply."""
    tip = NODE_IDS["s"]
    return any(ply.after.at(near) is None for near in NEIGHBOURS[tip])


LESSONS: Final = (
    Lesson(
        title="Moving",
        text="You are green, at the south, and green moves first. A bead goes along a line to the next node, "
        "if that is empty.",
        task="Pick one of your beads that glow, then a ringed node.",
        position=Position.START,
        done=lambda ply: True,
        praise="That is a move. Click, drag, or use the arrows and Enter: whatever you like.",
        again="",
    ),
    Lesson(
        title="Trapping",
        text="A bead with no empty node beside it and an enemy next to it is trapped, and comes off the board. "
        "Red's bead on w has only one way out left: wi.",
        task="Close it: move a bead to wi. Gold with a number means that a move takes something.",
        position="r/rr/./g.r/r.g..../g.g/./g./g g 0",
        done=lambda ply: bool(ply.captured),
        praise="Trapped. One bead less for red.",
        again="That leaves red's bead its way out. Try again: the bead on cw can close it.",
        marks=("w", "wi"),
    ),
    Lesson(
        title="Shut in, but safe",
        text="Look at s, your southernmost bead. It cannot move, yet it stands: only its own side is beside it. "
        "A bead is trapped only when an enemy touches it too.",
        task="Let it out: move the bead on si, the only one of the three round it that can.",
        position=Position.START,
        done=_freed,
        praise="Now s has room. Beads that are shut in cannot help you.",
        again="The bead on s is still shut in. Move the one on si.",
        marks=("s",),
    ),
    Lesson(
        title="Trapping yourself",
        text="Your own move can take the last empty node from one of your own beads. If an enemy touches it, "
        "it is lost. The red ! warns you.",
        task="See what happens: move from cw to wi.",
        position="r/../r/r.r/g.g..../r.g/./.g/g g 0",
        done=lambda ply: bool(ply.lost),
        praise="Your bead on w had no way out left, and red stood beside it. Remember the red !",
        again="That was safe. For once, walk into it: cw to wi.",
        marks=("w", "wi"),
    ),
    Lesson(
        title="Taking comes first",
        text="The same corner, but now sw is yours. What you trap comes off before anything of yours does, "
        "and that makes room.",
        task="Move to wi again, and look what is left.",
        position="r/../r/r.r/g.g..../r.g/./gg/. g 0",
        done=lambda ply: bool(ply.captured) and not ply.lost,
        praise="Red's bead on ws came off first, so yours on w has room again. A capture can save your own.",
        again="Not this one: the bead on cw, to wi.",
        marks=("ws", "wi"),
    ),
    Lesson(
        title="Winning",
        text="Whoever has fewer than four beads has lost. Red has four left, and one of them is nearly shut in.",
        task="Find the move that wins.",
        position="r/rr/./g../r.g..../g.g/./g./g g 0",
        done=lambda ply: ply.after.outcome is not None and ply.after.outcome.winner is Side.GREEN,
        praise="Three beads left: you win. A game also ends in a draw when a position comes up for the third time, "
        "or after a hundred plies without a capture.",
        again="Red is still in it. Look at the west corner.",
        marks=("w",),
    ),
)


def advice(position: Position) -> str:
    """What a coach would say to the side to move."""
    side = position.side
    gains = [
        move for move in position.moves() if any(position.at(node) is side.other for node in position.removed_by(move))
    ]
    if gains:
        return f"You can take a bead: look at {NODE_NAMES[gains[0].source]}"
    for node in position.beads(side):
        if _in_danger(position, node):
            return f"Careful: {NODE_NAMES[node]} has only one way out"
    return "Your move: come closer, and keep room behind you"


def _in_danger(position: Position, node: Node) -> bool:
    """One empty neighbour, which the opponent can fill with a bead that stands on none of the others."""
    empty = [near for near in NEIGHBOURS[node] if position.at(near) is None]
    if len(empty) != 1:
        return False
    enemy = position.side.other
    around = set(NEIGHBOURS[node])
    closers = [
        near for near in NEIGHBOURS[empty[0]] if position.at(near) is enemy and near not in around and near != node
    ]
    return bool(closers)
