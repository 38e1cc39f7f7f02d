"""Positions of the exams as puzzles: find a move that keeps the value. People and puzzles have ratings, as players do.

The first try at a puzzle counts, like a game against it. Whoever is given one has it until they answer or give up; what
is right leaves this module only with the answer to a try.
"""

import asyncio
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from alphadiamond.arena.exam import Exam
from alphadiamond.base.game import Game
from alphadiamond.online import messages as m
from alphadiamond.server import glicko
from alphadiamond.server.board_snapshots import first_scene, scene_of
from alphadiamond.server.errors import RefusedError
from alphadiamond.server.glicko import Rating
from alphadiamond.server.queries import MOST_POINTS, Reader
from alphadiamond.server.storage import Statement, Store

SCHEMA: Final = (
    """CREATE TABLE IF NOT EXISTS puzzle_solvers (
        person INTEGER NOT NULL, game TEXT NOT NULL, value REAL NOT NULL, deviation REAL NOT NULL,
        volatility REAL NOT NULL, at INTEGER NOT NULL, right INTEGER NOT NULL, wrong INTEGER NOT NULL,
        PRIMARY KEY (person, game)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS puzzle_ratings (
        game TEXT NOT NULL, puzzle TEXT NOT NULL, value REAL NOT NULL, deviation REAL NOT NULL,
        volatility REAL NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (game, puzzle)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS puzzle_tries (
        person INTEGER NOT NULL, game TEXT NOT NULL, puzzle TEXT NOT NULL, right INTEGER NOT NULL, at INTEGER NOT NULL,
        value REAL NOT NULL, deviation REAL NOT NULL,
        PRIMARY KEY (person, game, puzzle)) STRICT, WITHOUT ROWID""",
)
"""A puzzle is named by its position, so that an exam may be chosen anew."""
_SOLVER: Final = (
    "SELECT value, deviation, volatility, at, right, wrong FROM puzzle_solvers WHERE person = ? AND game = ?"
)
_RATING: Final = "SELECT value, deviation, volatility, at FROM puzzle_ratings WHERE game = ? AND puzzle = ?"
_CURVE: Final = "SELECT at, value, deviation FROM puzzle_tries WHERE person = ? AND game = ? ORDER BY at DESC LIMIT ?"
_TRIED: Final = "SELECT puzzle FROM puzzle_tries WHERE person = ? AND game = ?"
_SET_SOLVER: Final = "INSERT OR REPLACE INTO puzzle_solvers VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_SET_RATING: Final = "INSERT OR REPLACE INTO puzzle_ratings VALUES (?, ?, ?, ?, ?, ?)"
_ADD_TRY: Final = "INSERT OR IGNORE INTO puzzle_tries VALUES (?, ?, ?, ?, ?, ?, ?)"
_NO_SOLVER: Final = "DELETE FROM puzzle_solvers WHERE person = ?"
_NO_TRIES: Final = "DELETE FROM puzzle_tries WHERE person = ?"
KEPT: Final = {
    "puzzle rating": (
        "SELECT game, value, deviation, volatility, at, right, wrong FROM puzzle_solvers WHERE person = ?"
    ),
    "puzzle": "SELECT game, puzzle, right, at, value, deviation FROM puzzle_tries WHERE person = ? ORDER BY at",
}
"""What is kept about a person, by kind."""

_MIDDLE: Final = 1200.0
"""Of a puzzle in which half of the moves are right, before anybody has tried it."""
_LOWEST, _HIGHEST = 900.0, 2000.0
_DEVIATION: Final = 200.0
_LOOKED_AT: Final = 16
"""Puzzles drawn by lot, of which the one that fits best is taken."""
_HELD: Final = 20_000
"""Puzzles that people have before them; beyond that whoever got theirs first has to ask anew."""


@dataclass(frozen=True)
class Solver:
    """How somebody stands with the puzzles of a game."""

    rating: Rating = Rating()
    right: int = 0
    wrong: int = 0


@dataclass(frozen=True)
class _Given:
    number: int
    text: str
    position: Any


class Puzzles:
    """The puzzles of all games that have an exam."""

    def __init__(
        self, games: Mapping[str, Game], *, store: Store, reader: Reader, rng: random.Random | None = None
    ) -> None:
        self._games = {name: game for name, game in games.items() if game.exam is not None}
        self._store = store
        self._reader = reader
        self._rng = rng or random.Random()
        self._given: dict[tuple[int, str], _Given] = {}
        store.write_now(*(Statement(sql, ()) for sql in SCHEMA))

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(self._games)

    async def give(self, person: int, request: m.Puzzle) -> m.PuzzleGiven:
        """The puzzle that this person has before them, or a new one."""
        exam = await self._exam(request.of)
        given = self._given.get((person, request.of))
        solver = await _solver_of(self._reader, person, request.of)
        if given is None:
            given = await self._choose(exam, person, solver.rating)
            self._given[person, request.of] = given
            while len(self._given) > _HELD:
                del self._given[next(iter(self._given))]
        rating = await self._rating(exam, given)
        position, game = given.position, exam.game
        drawing = game.drawing_for(position)
        return m.PuzzleGiven(
            of=game.name,
            puzzle=given.text,
            scene=first_scene(drawing, position),
            turn=game.sides.index(position.side),
            legal=tuple((str(move), tuple(map(int, drawing.spots(move)))) for move in position.moves()),
            goal="win" if exam.values[given.number] > 0 else "draw",
            rating=round(rating.value),
            mine=_standing(solver),
            id=request.id,
        )

    async def solve(self, person: int, request: m.Solve, *, at: int) -> tuple[m.PuzzleSolved, list[Statement]]:
        """What a try was worth, and what is to be written before it is told. No move: it is given up."""
        exam = await self._exam(request.of)
        given = self._given.get((person, request.of))
        if given is None or given.text != request.puzzle:
            raise RefusedError("late", "this is not the puzzle that you have; ask for it again")
        position, game = given.position, exam.game
        moves = {str(move): move for move in position.moves()}
        if request.move is not None and request.move not in moves:
            raise RefusedError("illegal", "that is none of the legal moves")
        keeping = [text for text, move in moves.items() if exam.keeping[given.number, move.action]]
        right = request.move in keeping
        solver = await _solver_of(self._reader, person, request.of)
        rating = await self._rating(exam, given)
        if self._given.get((person, request.of)) is not given:
            raise RefusedError("late", "it is answered already")
        del self._given[person, request.of]
        mine, its = glicko.both_after(solver.rating, rating, float(right), at=at)
        now = Solver(mine, solver.right + right, solver.wrong + (not right))
        shown = request.move if request.move is not None else keeping[0]
        scene, _ = scene_of(game.drawing_for(position), position, moves[shown])
        wanted = [
            Statement(_SET_SOLVER, (person, game.name, *_row(mine), now.right, now.wrong)),
            Statement(_SET_RATING, (game.name, given.text, *_row(its))),
            Statement(_ADD_TRY, (person, game.name, given.text, right, at, mine.value, mine.deviation)),
        ]
        answer = m.PuzzleSolved(
            of=game.name,
            puzzle=given.text,
            right=right,
            keeping=tuple(keeping),
            scene=scene,
            change=m.Change(round(solver.rating.value), round(mine.value), round(mine.deviation)),
            mine=_standing(now),
            rating=round(its.value),
            id=request.id,
        )
        return answer, wanted

    def forget(self, person: int) -> list[Statement]:
        """Whoever has left: what is to be written. The puzzles keep what they were worth."""
        for game in self._games:
            self._given.pop((person, game), None)
        return [Statement(_NO_SOLVER, (person,)), Statement(_NO_TRIES, (person,))]

    async def standings(self, person: int, reader: Reader) -> dict[str, Any]:
        """Of all games: how somebody stands, and the curve of the last tries."""
        found: dict[str, Any] = {}
        for name in self._games:
            solver = await _solver_of(reader, person, name)
            if solver.right + solver.wrong:
                rows = await reader.rows(_CURVE, person, name, MOST_POINTS)
                curve = [[at, round(value), round(deviation)] for at, value, deviation in reversed(rows)]
                found[name] = {**_plain(_standing(solver)), "curve": curve}
        return found

    async def _exam(self, name: str) -> Exam:
        game = self._games.get(name)
        if game is None:
            raise RefusedError("unknown", "there are no puzzles of that game here")
        return await asyncio.to_thread(lambda: Exam.load(game=game))

    async def _rating(self, exam: Exam, given: _Given) -> Rating:
        rows = await self._reader.rows(_RATING, exam.game.name, given.text)
        return Rating(*rows[0]) if rows else first_rating(float(exam.good_shares[given.number]))

    async def _choose(self, exam: Exam, person: int, rating: Rating) -> _Given:
        """One that this person has not tried, near their rating; when all are tried, any of them."""
        tried = {text for (text,) in await self._reader.rows(_TRIED, person, exam.game.name)}
        found: list[tuple[float, _Given]] = []
        for number in self._rng.sample(range(len(exam)), min(_LOOKED_AT, len(exam))):
            position = exam.position(number)
            given = _Given(number, str(position), position)
            away = abs((await self._rating(exam, given)).value - rating.value)
            found.append((away + (1e6 if given.text in tried else 0.0), given))
        return min(found, key=lambda pair: pair[0])[1]


async def _solver_of(reader: Reader, person: int, game: str) -> Solver:
    rows = await reader.rows(_SOLVER, person, game)
    if not rows:
        return Solver()
    value, deviation, volatility, at, right, wrong = rows[0]
    return Solver(Rating(value, deviation, volatility, at), right, wrong)


def first_rating(good_share: float) -> Rating:
    """Of a puzzle that nobody has tried, by how often a move by lot would be right."""
    share = min(max(good_share, 0.01), 0.99)
    value = _MIDDLE + 400 * math.log10((1 - share) / share)
    return Rating(min(max(value, _LOWEST), _HIGHEST), _DEVIATION)


def _row(rating: Rating) -> tuple[float, float, float, int]:
    return rating.value, rating.deviation, rating.volatility, rating.at


def _standing(solver: Solver) -> m.SolverInfo:
    return m.SolverInfo(round(solver.rating.value), round(solver.rating.deviation), solver.right, solver.wrong)


def _plain(info: m.SolverInfo) -> dict[str, int]:
    return {"rating": info.rating, "deviation": info.deviation, "right": info.right, "wrong": info.wrong}
