"""Which players can be asked for analysis, and what they say in words and numbers."""

from dataclasses import dataclass, field
from typing import Any, Final

from alphadiamond.agents import Analysis, MoveAnalysis, PlayerSpec, players_of
from alphadiamond.analysis.report import percent
from alphadiamond.play.opponents import NEURAL, Roster, short_title_of

# How long each is let think about one position; all can be cancelled at any time.
_ENDLESS: Final = {
    "neural": "seconds=20",
    "minimax": "depth=16",
    "mcts": "seconds=30",
    "hybrid": "seconds=20",
    "perfect": "",
    "fuzzy": "",
    "greedy": "",
}
SHORT_SECONDS: Final = 0.15
"""For each position when a whole game is gone through."""


def analyst_specs(roster: Roster, position: Any | None = None) -> list[str]:
    """The players worth asking, best first, without those that cannot be had, or have no answer to a position soon."""
    found = []
    by_name = {opponent.name: opponent for opponent in roster.opponents}
    for name, parameters in _ENDLESS.items():
        if name not in by_name or roster.faults.get(by_name[name].spec) or _too_long(name, roster, position):
            continue
        kept = PlayerSpec.parse(by_name[name].spec).only(("checkpoint", "device"))
        long = PlayerSpec.parse(f"{name}:{parameters}" if parameters else name)
        found.append(str(long.having(**dict(kept.parameters))))
    return found


def _too_long(name: str, roster: Roster, position: Any | None) -> bool:
    """Whether a player would search for minutes, which nothing can interrupt."""
    return name == "perfect" and position is not None and not roster.game.moves_exact_soon(position)


def hint_spec(roster: Roster, position: Any | None = None) -> str:
    """Whom to ask for a hint: someone strong and quick."""
    there = players_of(roster.game)
    for name, spec in (("perfect", "perfect"), ("neural", ""), ("minimax", "minimax:depth=8"), ("greedy", "greedy")):
        if name not in there or _too_long(name, roster, position):
            continue
        if name == NEURAL:
            opponent = next(one for one in roster.opponents if one.name == NEURAL)
            spec = opponent.spec
        if roster.faults.get(spec) or (name == "perfect" and roster.faults.get("perfect") is None):
            continue
        return spec
    return roster.best()


def for_first(value: float, side: Any) -> float:
    """A value of the side to move as the side that moves first sees it."""
    return value if int(side) == 0 else -value


def score_text(one: MoveAnalysis) -> str:
    if one.visits is not None:
        return f"{one.visits:,}"
    if one.value is not None:
        return percent(one.value)
    return f"{one.score:.2f}".rstrip("0").rstrip(".") if abs(one.score) < 1000 else f"{one.score:,.0f}"


def shares(analysis: Analysis) -> list[float]:
    """For each move how much of the analysis stands behind it, the best being 1."""
    if any(one.visits for one in analysis.moves):
        most = max(one.visits or 0 for one in analysis.moves)
        return [(one.visits or 0) / most for one in analysis.moves]
    if all(one.value is not None for one in analysis.moves):
        best = max(one.value or 0.0 for one in analysis.moves)
        return [max(0.0, 1 - (best - (one.value or 0.0)) * 1.5) for one in analysis.moves]
    scores = [one.score for one in analysis.moves]
    low, high = min(scores), max(scores)
    return [(score - low) / (high - low) if high > low else 1.0 for score in scores]


def depth_text(analysis: Analysis) -> str:
    """How far a player has got: `depth 9`, `12,400 simulations`, `exact`."""
    parts = []
    if analysis.depth:
        parts.append(f"depth {analysis.depth}")
    if analysis.simulations:
        parts.append(f"{analysis.simulations:,} simulations")
    if analysis.exact:
        parts.append("proven")
    return ", ".join(parts)


def chances_of(analysis: Analysis) -> tuple[float, float, float] | None:
    """Win, draw and loss for the first side; a bare value is read as win or draw, or draw or loss."""
    if analysis.win_draw_loss is not None:
        win, draw, loss = analysis.win_draw_loss
    elif analysis.value is not None:
        win, loss = max(0.0, analysis.value), max(0.0, -analysis.value)
        draw = 1 - win - loss
    else:
        return None
    return (win, draw, loss) if int(analysis.position.side) == 0 else (loss, draw, win)


@dataclass
class Evaluations:
    """The first side's prospects after each ply, as the last player to speak of it sees them."""

    values: dict[int, tuple[float, str]] = field(default_factory=dict)
    version: int = 0
    """Goes up with every change."""

    def note(self, ply: int, analysis: Analysis, spec: str) -> None:
        if analysis.value is not None:
            self.values[ply] = (for_first(analysis.value, analysis.position.side), short_title_of(spec))
            self.version += 1

    def forget_after(self, ply: int) -> None:
        self.values = {key: value for key, value in self.values.items() if key <= ply}
        self.version += 1

    def source(self) -> str:
        names = list(dict.fromkeys(name for _, name in self.values.values()))
        return ", ".join(names)
