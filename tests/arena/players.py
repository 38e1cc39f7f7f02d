"""Players for tests, good and bad; worker processes find them by their import path."""

import os
import signal
import time

from alphadiamond.agents import Agent, Analysis, MoveAnalysis
from alphadiamond.agents.base import Stop, never, require_moves
from alphadiamond.games.diamond_chase import Move, Position, Side

HERE = "tests.arena.players"


class First(Agent):
    """Always the first legal move, so that the same opening gives the same game."""

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        moves = require_moves(position)
        return Analysis(position, moves[0], tuple(MoveAnalysis(move, score=0.0) for move in moves))


class Bad(First):
    """Plays like First until a position has this many quiet plies, or any number if it is 0."""

    def __init__(self, *, after: int = 0) -> None:
        self._after = after

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        return self.fail(position, stop) if position.quiet >= self._after else super().choose(position)

    def fail(self, position: Position, stop: Stop) -> Move:
        raise NotImplementedError


class Raising(Bad):
    def fail(self, position: Position, stop: Stop) -> Move:
        raise RuntimeError("no idea\nwhat to do")


class Threads(Bad):
    """Loses, telling how many threads its process lets libraries have."""

    def fail(self, position: Position, stop: Stop) -> Move:
        names = ("OMP", "MKL", "OPENBLAS", "NUMEXPR", "NUMBA")
        raise RuntimeError(" ".join(os.environ[f"{name}_NUM_THREADS"] for name in names))


class Illegal(Bad):
    def fail(self, position: Position, stop: Stop) -> Move:
        return next(Move.of_action(a) for a in range(72) if Move.of_action(a) not in position.moves())


class Speechless(Bad):
    def fail(self, position: Position, stop: Stop) -> Move:
        return None  # type: ignore[return-value]


class Slow(Bad):
    """Answers, but late."""

    def fail(self, position: Position, stop: Stop) -> Move:
        time.sleep(0.3)
        return position.moves()[0]


class Hanging(Bad):
    """Never answers once the game has begun; what is asked before, to warm up, is not meant to be thought about."""

    def fail(self, position: Position, stop: Stop) -> Move:
        if stop():
            return position.moves()[0]
        while True:
            time.sleep(1)


class Listening(Bad):
    """Thinks for as long as it may."""

    def fail(self, position: Position, stop: Stop) -> Move:
        while not stop():
            time.sleep(0.001)
        return position.moves()[0]


class Dying(Bad):
    """Takes its process with it."""

    def fail(self, position: Position, stop: Stop) -> Move:
        if not stop():
            os.kill(os.getpid(), signal.SIGKILL)
        return position.moves()[0]


class Unbuildable(First):
    def __init__(self) -> None:
        raise OSError("the disk is on fire")


class Announcing(First):
    """Writes a file when it has been built for the third game in one process, so that two are over."""

    built = 0

    def __init__(self, *, file: str = "") -> None:
        Announcing.built += 1
        if Announcing.built == 4:  # once more than there are games: the first is kept to see whether it can be reseeded
            open(file, "w").close()


class Remembering(First):
    """Can be reseeded, and is at a loss when a game begins that it takes for the one before."""

    def __init__(self) -> None:
        self._seen: set[Position] = set()

    def reset(self) -> None:
        self._seen.clear()

    def reseed(self, seed: int) -> bool:
        return True

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        if position in self._seen:
            raise RuntimeError("this was played before")
        self._seen.add(position)
        return super().choose(position)


class OneSided(First):
    """Plays one colour in a game, and is at a loss when it is asked for the other."""

    def __init__(self) -> None:
        self._side: Side | None = None

    def reset(self) -> None:
        self._side = None

    def reseed(self, seed: int) -> bool:
        return True

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        if self._side not in (None, position.side):
            raise RuntimeError(f"not {position.side}")
        self._side = position.side
        return super().choose(position)


class DiesOnce(First):
    """Dies in its first game of all, and plays well once a file says that this has happened."""

    def __init__(self, *, file: str = "") -> None:
        self._file = file

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        if not stop() and not os.path.exists(self._file):
            open(self._file, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(position)


class Blocking(First):
    """Puts a file where somebody else wants a directory."""

    def __init__(self, *, path: str = "") -> None:
        self._path = path

    def choose(self, position: Position, *, stop: Stop = never) -> Move:
        with open(self._path, "w"):
            return super().choose(position, stop=stop)


class DiesInExam(First):
    """Takes its process with it: always, or until a file says that this has happened."""

    def __init__(self, *, file: str = "") -> None:
        self._file = file

    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        if not self._file or not os.path.exists(self._file):
            if self._file:
                open(self._file, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().analyse(position, stop=stop)


class RaisesInExam(First):
    def analyse(self, position: Position, *, stop: Stop = never) -> Analysis:
        raise OSError("the disk is on fire")
