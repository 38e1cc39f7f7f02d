"""What a match says: results by colour, the score and how sure it is, how games ended, how long players thought."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from alphadiamond.arena.match import MatchGame, MatchResult, pair_counts
from alphadiamond.arena.sequential import Verdict, elo_of, score_interval
from alphadiamond.base.record import DRAWN

_FORMER_KEYS: Final = {"as_first": "as_green", "as_second": "as_red"}
"""Files have these too, for whoever reads them by the names of before there was a second game."""
_FORFEITS: Final = ("error", "illegal move", "time")
"""How the ending of a game begins that a player has lost without being beaten."""


@dataclass(frozen=True, slots=True)
class Tally:
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Points per game; 0.5 where there is no game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass(frozen=True, slots=True)
class Thinking:
    """How long a player took for its moves."""

    moves: int
    mean: float
    longest: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A match in figures, all from the view of the first player; duplicates count in `duplicates` alone."""

    first: str
    second: str
    total: Tally
    as_first: Tally
    """Of the games in which it moved first."""
    as_second: Tally
    score: float
    interval: tuple[float, float]
    """The 95 % confidence interval of the score."""
    pairs: list[int]
    """How many pairs gave 0, 0.5, 1, 1.5 and 2 points."""
    by_seat: int
    """Pairs of which one side won both games, whoever had it: the opening decided them, not the players."""
    mean_plies: float
    endings: dict[str, int]
    """How games ended, the most frequent first; forfeits carry the name of the player at fault."""
    forfeits: dict[str, dict[str, int]]
    """By the player at fault: why it lost games without being beaten, and how many."""
    thinking: tuple[Thinking, Thinking]
    """Of the first and the second player."""
    duplicates: int
    planned: int
    verdict: Verdict | None
    interrupted: bool

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo, and its interval; infinite where the score is 0 or 1."""
        return elo_of(self.score), elo_of(self.interval[0]), elo_of(self.interval[1])


def summarise(result: MatchResult) -> Summary:
    games = result.counted
    total = tally(games)
    return Summary(
        first=result.first,
        second=result.second,
        total=total,
        as_first=tally(game for game in games if game.first_side == 0),
        as_second=tally(game for game in games if game.first_side == 1),
        score=total.score,
        interval=score_interval(pair_weights(games)),
        pairs=pair_counts(games),
        by_seat=pairs_by_seat(games),
        mean_plies=sum(len(game.record.moves) for game in games) / len(games) if games else 0.0,
        endings=dict(Counter(_ending(result, game) for game in games).most_common()),
        forfeits=_forfeits(result),
        thinking=(_thinking(games, first=True), _thinking(games, first=False)),
        duplicates=result.duplicates,
        planned=result.planned,
        verdict=result.verdict,
        interrupted=result.interrupted,
    )


def tally(games: Iterable[MatchGame]) -> Tally:
    scores = Counter(game.score for game in games)
    return Tally(scores[1.0], scores[0.5], scores[0.0])


def pairs_by_seat(games: Sequence[MatchGame]) -> int:
    """How many pairs one side won twice, once for either player."""
    results: dict[int, list[str]] = {}
    for game in games:
        results.setdefault(game.pair, []).append(game.record.result)
    return sum(len(both) == 2 and both[0] == both[1] != DRAWN for both in results.values())


def pair_weights(games: Sequence[MatchGame]) -> tuple[float, float, float, float, float]:
    """`pair_counts` in which a game without its partner is half a pair, so that the mean is that of all games."""
    weights = [float(count) for count in pair_counts(games)]
    sizes = Counter(game.pair for game in games)
    for game in games:
        if sizes[game.pair] == 1:
            weights[round(4 * game.score)] += 0.5
    return weights[0], weights[1], weights[2], weights[3], weights[4]


def as_json(summary: Summary) -> dict[str, Any]:
    """For a file; infinite Elo becomes null."""

    def sides(one: Tally) -> dict[str, int]:
        return {"wins": one.wins, "draws": one.draws, "losses": one.losses}

    def finite(value: float) -> float | None:
        return None if abs(value) == float("inf") else round(value, 1)

    verdict = summary.verdict
    by_side = {"as_first": sides(summary.as_first), "as_second": sides(summary.as_second)}
    return {
        "first": summary.first,
        "second": summary.second,
        "games": summary.total.games,
        "planned": summary.planned,
        **sides(summary.total),
        **by_side,
        **{_FORMER_KEYS[key]: value for key, value in by_side.items()},
        "score": summary.score,
        "score_interval": list(summary.interval),
        "elo": finite(summary.elo[0]),
        "elo_interval": [finite(end) for end in summary.elo[1:]],
        "pairs": summary.pairs,
        "pairs_by_seat": summary.by_seat,
        "mean_plies": summary.mean_plies,
        "endings": summary.endings,
        "forfeits": summary.forfeits,
        "seconds_per_move": [one.mean for one in summary.thinking],
        "longest_move_seconds": [one.longest for one in summary.thinking],
        "duplicates": summary.duplicates,
        "interrupted": summary.interrupted,
        "sequential_test": None
        if verdict is None
        else {
            "accepted": verdict.accepted,
            "log_likelihood_ratio": verdict.ratio,
            "bounds": [verdict.lower, verdict.upper],
            "pairs": verdict.pairs,
            "at_limit": verdict.at_limit,
        },
    }


def _ending(result: MatchResult, game: MatchGame) -> str:
    kind: str = game.record.ending.partition(":")[0]
    return f"{kind} ({_loser(result, game)})" if kind in _FORFEITS else kind


def _loser(result: MatchResult, game: MatchGame) -> str:
    return result.second if game.score == 1 else result.first


def _forfeits(result: MatchResult) -> dict[str, dict[str, int]]:
    """Of duplicates too: a player that fails at once plays the same game again and again."""
    found: dict[str, Counter[str]] = {}
    for game in result.games:
        if game.record.ending.partition(":")[0] in _FORFEITS:
            found.setdefault(_loser(result, game), Counter())[game.record.ending] += 1
    return {player: dict(counts.most_common()) for player, counts in found.items()}


def _thinking(games: Sequence[MatchGame], *, first: bool) -> Thinking:
    times = [
        seconds
        for game in games
        for seconds in game.played.seconds_of(game.first_side if first else game.first_side.other)
    ]
    return Thinking(len(times), sum(times) / len(times) if times else 0.0, max(times, default=0.0))
