"""What was found, for people and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from alphadiamond.base.game import Game
from alphadiamond.proof.enumeration import Found
from alphadiamond.proof.ply_files import Ply


@dataclass(frozen=True, eq=False)
class SideReport:
    """One side of a player."""

    side: Any
    found: Found
    games: dict[str, int]
    """How many games were written of each kind."""

    @property
    def as_json(self) -> dict[str, Any]:
        return {
            "closed": self.found.closed,
            "proven": self.proven,
            **asdict(self.found.counts),
            "by_own_move": [{"own_move": ply.number + 1, **asdict(ply.counts)} for ply in self.found.plies],
        }

    @property
    def proven(self) -> bool:
        """Whether nobody can beat the player."""
        counts = self.found.counts
        return self.found.closed and counts.lost_ends == counts.lost == 0


def report(game: Game, player: str, sides: Sequence[SideReport], *, exact: bool) -> str:
    """Markdown: a line a side in all, and a sentence of what it means."""
    head = ["the player is", "positions", "held games lost", "wins let go", "lost ends", "first after own move"]
    rows = [head, ["---", *["--:"] * (len(head) - 1)]]
    for one in sides:
        counts = one.found.counts
        rows.append(
            [
                str(one.side),
                f"{counts.positions:,}",
                f"{counts.lost:,}" if exact else "not asked",
                f"{counts.let_go:,}" if exact else "not asked",
                f"{counts.lost_ends:,} of {counts.won_ends + counts.drawn_ends + counts.lost_ends:,}",
                _first(one.found.plies, exact=exact),
            ]
        )
    lines = [f"{game.title}, {player}", "", *("| " + " | ".join(row) + " |" for row in rows), ""]
    for one in sides:
        lines.append(_verdict(player, one))
        if one.found.counts.simulations:
            mean = one.found.counts.simulations / one.found.counts.positions
            lines.append(
                f"Simulations a position as {one.side}: {mean:.1f} on average, but for what a stopped run had asked."
            )
    return "\n".join(lines)


def _first(plies: Sequence[Ply], *, exact: bool) -> str:
    """The own moves by which the first of each kind is made."""
    kinds = ["lost", "let_go"] * exact + ["lost_ends"]
    first = [next((str(ply.number + 1) for ply in plies if getattr(ply.counts, kind)), "-") for kind in kinds]
    return ", ".join(first)


def _verdict(player: str, one: SideReport) -> str:
    moves = len(one.found.plies)
    if one.proven:
        return f"As {one.side} nobody can beat {player}: the set is closed, and no end in it is lost."
    if one.found.closed:
        return f"As {one.side} {player} can be beaten: the set is closed after {moves} own moves."
    return f"As {one.side} the set is not closed: only {moves} own moves were looked at."
