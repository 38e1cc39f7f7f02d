"""Matches in pairs: each opening is played twice, with colours swapped."""

import datetime
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from alphadiamond.arena.pairs import count_pairs
from alphadiamond.arena.play import ArenaError, PlayedGame
from alphadiamond.arena.sequential import SequentialTest, Verdict
from alphadiamond.arena.workers import Task, Team
from alphadiamond.base.game import Game
from alphadiamond.base.record import side_tags


@dataclass(frozen=True, slots=True)
class MatchGame:
    """One game of a match between a first and a second player."""

    number: int
    """Games 2k and 2k + 1 share an opening; in the even one the first player has the side that begins the game."""
    played: PlayedGame
    duplicate_of: int | None = None
    """The earlier game with the same players on the same sides, the same opening and the same moves."""

    @property
    def pair(self) -> int:
        return self.number // 2

    @property
    def record(self) -> Any:
        return self.played.record

    @property
    def first_side(self) -> Any:
        """Which side the first player had."""
        sides = type(self.record.start.side)
        return sides(self.number % 2)

    @property
    def score(self) -> float:
        """What the first player made of it: 1, 0.5 or 0."""
        if self.record.result == "draw":
            return 0.5
        return 1.0 if self.record.result == str(self.first_side) else 0.0


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What was played of a match, in order of number."""

    first: str
    second: str
    games: tuple[MatchGame, ...]
    planned: int
    """How many games the match would have had."""
    verdict: Verdict | None = None
    """What the sequential test says, where there is one."""
    interrupted: bool = False
    """Whether Ctrl-C ended it."""

    @property
    def counted(self) -> tuple[MatchGame, ...]:
        """The games that statistics and decisions rest on: all but duplicates."""
        return tuple(game for game in self.games if game.duplicate_of is None)

    @property
    def duplicates(self) -> int:
        return len(self.games) - len(self.counted)


OnGame: TypeAlias = Callable[[MatchGame, MatchResult], None]
"""Called after each game, as they finish, with the game and the match so far."""


def play_match(
    first: str,
    second: str,
    openings: Sequence[Any],
    *,
    workers: Team,
    seed: int,
    game: Game,
    test: SequentialTest | None = None,
    on_game: OnGame | None = None,
) -> MatchResult:
    """Play every opening twice, or until the sequential test knows.

    The result does not depend on the number of workers. Each game has seeds of its own, and the test looks at pairs in
    their order and drops games beyond the pair that decided. Ctrl-C ends the match with what was played.
    """
    if not openings:
        raise ArenaError("a match needs at least one opening")
    planned = 2 * len(openings)
    games: dict[int, MatchGame] = {}
    verdict, decided = None, planned
    keys: dict[int, object] = {}
    interrupted = False

    def so_far() -> MatchResult:
        return MatchResult(first, second, tuple(games[number] for number in sorted(games)), planned, verdict)

    results = workers.play(_tasks(first, second, openings, seed, game))
    watch = _Watch(test) if test is not None else None
    try:
        for task, played in results:
            number = task.number
            keys[number] = _game_key(number, played.record, game)
            games[number] = MatchGame(number, played)
            _mark_duplicates(games, keys, keys[number])
            if watch is not None:
                verdict, end = watch.look(games)
                if verdict is not None and verdict.final:
                    decided = end
                    games = {number: game for number, game in games.items() if number < decided}
            if on_game is not None and number in games:
                on_game(games[number], so_far())
            if decided < planned:
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        results.close()  # type: ignore[attr-defined]
    result = so_far()
    if test is not None and not interrupted:
        result = replace(result, verdict=test.judge(pair_counts(result.counted), last=True))
    return replace(result, interrupted=interrupted)


def pair_counts(games: Sequence[MatchGame]) -> list[int]:
    """How many pairs gave the first player 0, 0.5, 1, 1.5 and 2 points; pairs without both games are left out."""
    points: dict[int, list[float]] = {}
    for game in games:
        points.setdefault(game.pair, []).append(game.score)
    return count_pairs(sum(scores) for scores in points.values() if len(scores) == 2)


class _Watch:
    """Shows a sequential test the pairs one by one, in their order, as soon as they are complete."""

    def __init__(self, test: SequentialTest) -> None:
        self._test = test
        self._next = 0  # the first pair not yet shown
        self._counts = [0, 0, 0, 0, 0]

    def look(self, games: dict[int, MatchGame]) -> tuple[Verdict | None, int]:
        """(the verdict so far, the number of games it rests on)."""
        verdict = None
        while 2 * self._next in games and 2 * self._next + 1 in games:
            # All games before these are there, so whether these are duplicates will not change any more.
            pair = [games[2 * self._next], games[2 * self._next + 1]]
            self._next += 1
            if all(game.duplicate_of is None for game in pair):
                self._counts[round(2 * sum(game.score for game in pair))] += 1
            verdict = self._test.judge(self._counts)
            if verdict.final:
                break
        return verdict, 2 * self._next


def _tasks(first: str, second: str, openings: Sequence[Any], seed: int, game: Game) -> Iterator[Task]:
    date = datetime.date.today().isoformat()
    names = zlib.crc32(f"{first}\n{second}".encode())  # a match is the same whatever else is played beside it
    tags = [f"{side}Seed" for side in side_tags(game)]
    for number in range(2 * len(openings)):
        seats = (first, second) if number % 2 == 0 else (second, first)
        seeds = np.random.SeedSequence((seed, names, number)).generate_state(2)
        yield Task(
            number=number,
            first=seats[0],
            second=seats[1],
            start=openings[number // 2],
            seeds=(int(seeds[0]), int(seeds[1])),
            date=date,
            tags={"Pair": str(number // 2 + 1)} | {tag: str(one) for tag, one in zip(tags, seeds, strict=True)},
            game=game,
        )


def _game_key(number: int, record: Any, game: Game) -> object:
    """The same for games that are the same, also when turned or mirrored."""
    images = game.shape.action_symmetries
    count = len(images)
    starts = game.images(np.repeat(game.states_of([record.start]), count, axis=0), np.arange(count))
    actions = images[:, np.array([move.action for move in record.moves], dtype=np.int64)]
    played = min(zip(starts.tolist(), actions.tolist(), strict=True))
    return number % 2, record.result, str(record.start.side), str(played)


def _mark_duplicates(games: dict[int, MatchGame], keys: dict[int, object], key: object) -> None:
    """Of the games with this key the lowest number counts, whichever finished first."""
    original, *copies = sorted(number for number in games if keys[number] == key)
    games[original] = replace(games[original], duplicate_of=None)
    for number in copies:
        games[number] = replace(games[number], duplicate_of=original)
