"""What the solution says of the game."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.base.solver.report import Stakes
from alphadiamond.base.threads import ThreadPool
from alphadiamond.games.dame.kernels import RULES_VERSION
from alphadiamond.games.dame.position import Position
from alphadiamond.games.dame.solver import kernels
from alphadiamond.games.dame.solver.index_kernels import ENTRIES, ROWS, index_of
from alphadiamond.games.dame.solver.kernels import DECIDED, Table
from alphadiamond.games.dame.solver.solution import DameSolution
from alphadiamond.games.dame.solver.table_builder import chunks, longest_games
from alphadiamond.games.dame.solver.table_file import FORMAT


@dataclass(frozen=True)
class Summary:
    format: int
    rules: int
    start_value: int
    """1 or -1 for white."""
    start_plies: int
    entries: int
    """Positions in the table; white's and black's turns share one."""
    won: int
    lost: int
    longest_win: int
    """The most plies to the end in a won position."""
    going_on: int
    """Positions that games from the start come to and that go on, by side to move."""
    finished: int
    """And those in which they end."""

    @property
    def occurring(self) -> int:
        return self.going_on + self.finished

    @property
    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"occurring": self.occurring}


def reachable() -> npt.NDArray[np.uint8]:
    """[ENTRIES] which entries games from the start come to, with WHITE, BLACK or both to move."""
    start = Position.start()
    seen = np.zeros(ENTRIES, dtype=np.uint8)
    kernels.mark_reachable(start.own, start.opp, seen)
    return seen


def summarise(table: Table) -> Summary:
    """Count a finished table."""
    start = Position.start()
    value, plies = DameSolution(table).result(start)
    seen = reachable()
    sides = np.bitwise_count(seen)
    stuck = int(sides[table == -DECIDED].sum())
    keys = np.empty(kernels.ends_after(seen, 0, ROWS, np.empty(0, dtype=np.int64)), dtype=np.int64)
    kernels.ends_after(seen, 0, ROWS, keys)
    won = int((table > 0).sum())
    return Summary(
        format=FORMAT,
        rules=RULES_VERSION,
        start_value=value,
        start_plies=plies,
        entries=ENTRIES,
        won=won,
        lost=ENTRIES - won,
        longest_win=DECIDED - int(table[table > 0].min()),
        going_on=int(sides.sum()) - stuck,
        finished=len(np.unique(keys)) + stuck,
    )


def stakes(table: Table, *, threads: int = 0) -> Stakes:
    """Counted over the won entries that games come to, whoever is to move."""
    seen = reachable()
    with ThreadPool(threads) as pool:
        parts = [part for _, part in pool.run(lambda *rows: kernels.count_stakes(table, seen, *rows), chunks())]
    return Stakes.of(*np.sum(parts, axis=0))


def longest_game(*, threads: int = 0) -> int:
    """The plies of the longest game from the start, however it is played."""
    start = Position.start()
    return int(longest_games(threads=threads)[index_of(start.own, start.opp)])
