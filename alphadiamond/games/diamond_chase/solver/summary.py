"""What the solution says of the game: counts, longest wins, and why the draw rules do not spoil a forced win."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from alphadiamond.base.threads import ThreadPool
from alphadiamond.console import progress
from alphadiamond.games.diamond_chase import Position, Side
from alphadiamond.games.diamond_chase.kernels import QUIET_LIMIT, RULES_VERSION
from alphadiamond.games.diamond_chase.solver import kernels
from alphadiamond.games.diamond_chase.solver.index_kernels import index_of, position_at
from alphadiamond.games.diamond_chase.solver.layer_file import FORMAT, LAYERS, Layer
from alphadiamond.games.diamond_chase.solver.retrograde import chunks_of, pairs


@dataclass(frozen=True)
class LayerSummary:
    """One layer, counted over all stable placements, not over classes under symmetry."""

    own: int
    opp: int
    positions: int
    win: int
    draw: int
    loss: int
    longest: int
    """The longest distance of a win or a loss."""
    longest_win: int
    longest_win_position: str | None
    """One of those with the longest win, green to move."""
    longest_quiet: int
    """The most quiet plies before the next capture on the way to a win; see `kernels.quiet_runs`."""


@dataclass(frozen=True)
class Summary:
    format: int
    rules: int
    layers: list[LayerSummary]
    start_value: int
    start_distance: int
    longest_quiet: int
    quiet_limit: int
    """Quiet plies that make a draw; a forced win always captures sooner."""

    @property
    def as_json(self) -> dict[str, Any]:
        fields = asdict(self)
        start = {"value": fields.pop("start_value"), "distance": fields.pop("start_distance")}
        return {**fields, "start": start}


def summarise(table: npt.NDArray[np.uint8], *, threads: int = 0) -> Summary:
    """Count a finished table."""
    quiet: dict[Layer, int] = {}
    with ThreadPool(threads) as pool:
        for pair in pairs():
            quiet |= longest_quiet(table, pair, pool)
        layers = [layer_summary(table, layer, quiet=quiet[layer]) for layer in LAYERS]
    start = Position.start()
    code = int(table[index_of(start.own, start.opp)])
    lost = code > kernels.LOST
    return Summary(
        format=FORMAT,
        rules=RULES_VERSION,
        layers=layers,
        start_value=0 if code == kernels.DRAWN else -1 if lost else 1,
        start_distance=code - kernels.LOST if lost else code,
        longest_quiet=max(quiet.values()),
        quiet_limit=QUIET_LIMIT,
    )


def layer_summary(table: npt.NDArray[np.uint8], layer: Layer, *, quiet: int) -> LayerSummary:
    """Count one layer; `quiet` is its longest quiet run."""
    counts = kernels.count_codes(table, layer.own, layer.opp, 0, layer.classes)
    wins = counts[1 : kernels.LONGEST + 1]
    losses = counts[kernels.LOST + 1 : kernels.UNSTABLE]
    longest_win = int(np.flatnonzero(wins).max(initial=-1)) + 1
    position = None
    if longest_win:
        first = int(np.argmax(table[layer.slice] == longest_win))
        own, opp = position_at(layer.own, layer.opp, first)
        position = str(Position(int(own), int(opp), Side.GREEN))
    return LayerSummary(
        own=layer.own,
        opp=layer.opp,
        positions=int(counts[: kernels.UNSTABLE].sum()),
        win=int(wins.sum()),
        draw=int(counts[kernels.DRAWN]),
        loss=int(losses.sum()),
        longest=max(longest_win, int(np.flatnonzero(losses).max(initial=-1)) + 1),
        longest_win=longest_win,
        longest_win_position=position,
        longest_quiet=quiet,
    )


def longest_quiet(table: npt.NDArray[np.uint8], pair: tuple[Layer, ...], pool: ThreadPool) -> dict[Layer, int]:
    """The longest quiet run in a layer and its mirror; both are needed, since quiet moves lead to and fro."""
    words = table.view(np.uint64)
    runs = np.zeros_like(table)
    longest = dict.fromkeys(pair, 0)
    last = max(
        int(np.max(table[layer.slice] % kernels.LOST, where=table[layer.slice] < 255, initial=0)) for layer in pair
    )
    title = f"quiet plies in {' and '.join(layer.name for layer in pair)}"
    with progress(title, last) as update:
        for distance in range(1, last + 1):

            def step(a: int, b: int, start: int, stop: int, distance: int = distance) -> int:
                return kernels.quiet_runs(table, words, runs, a, b, start, stop, distance)

            for chunk, run in pool.run(step, chunks_of(pair)):
                layer = Layer(chunk[0], chunk[1])
                longest[layer] = max(longest[layer], run)
            update(distance, "")
    return longest
