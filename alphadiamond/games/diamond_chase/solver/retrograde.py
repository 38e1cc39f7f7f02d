"""Solving the game: layers in order of beads, each together with its mirror, by several threads on one array."""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from alphadiamond.base.solver.table_file import TablebaseError
from alphadiamond.base.threads import Chunk, ThreadPool
from alphadiamond.console import Update, duration, progress
from alphadiamond.games.diamond_chase.solver import kernels
from alphadiamond.games.diamond_chase.solver.index_kernels import TOTAL
from alphadiamond.games.diamond_chase.solver.layer_file import LAYERS, Layer, map_layer, write_layer

R = TypeVar("R")

_CHUNK_ENTRIES: Final = 1 << 18
_CAPTURES_SHARE: Final = 0.3  # of a layer's time that goes into looking at captures, for the bar


def pairs() -> list[tuple[Layer, ...]]:
    """Layers with their mirrors, fewest beads first: a capture leads from each pair to earlier ones only."""
    found = {tuple(sorted({layer, layer.mirror}, reverse=True)) for layer in LAYERS}
    return sorted(found, key=lambda pair: (pair[0].own + pair[0].opp, pair[0].own))


def chunks_of(pair: Iterable[Layer]) -> list[Chunk]:
    """Each of own beads, opposing beads, the first entry and the one after the last."""
    return [
        (layer.own, layer.opp, start, min(start + _CHUNK_ENTRIES, layer.entries))
        for layer in pair
        for start in range(0, layer.entries, _CHUNK_ENTRIES)
    ]


def empty_table() -> npt.NDArray[np.uint8]:
    """[TOTAL] room for all layers."""
    table = np.zeros(TOTAL, dtype=np.uint8)
    for layer, after in zip(LAYERS, [*(layer.base for layer in LAYERS[1:]), TOTAL], strict=True):
        table[layer.slice.stop : after] = kernels.UNSTABLE  # filling, never looked at
    return table


def solve_pair(table: npt.NDArray[np.uint8], pair: tuple[Layer, ...], pool: ThreadPool, update: Update) -> int:
    """Settle a layer and its mirror, all smaller ones being settled, and return the longest distance."""
    words = table.view(np.uint64)
    chunks = chunks_of(pair)
    entries = sum(layer.entries for layer in pair)
    done = longest = 0

    def captures(*chunk: int) -> int:
        return kernels.settle_captures(table, *chunk)

    for chunk, reached in pool.run(captures, chunks):
        longest = max(longest, reached)
        done += chunk[3] - chunk[2]
        update(int(done * _CAPTURES_SHARE), "captures")
    done = int(entries * _CAPTURES_SHARE)

    def step(function: Callable[..., R], distance: int) -> list[R]:
        return [found for _, found in pool.run(lambda *chunk: function(table, words, *chunk, distance), chunks)]

    distance = 0
    while distance <= longest:
        distance += 1
        step(kernels.spread_losses, distance)
        if sum(step(kernels.mark_candidates, distance)):
            longest = max(longest, distance)
            longest = max(longest, *(reached for _, reached in step(kernels.settle_candidates, distance)))
        if longest > kernels.LONGEST:
            raise OverflowError(f"a distance of {longest} does not fit the table")
        # Distances reached through captures are long from the beginning, so this is a fair estimate.
        share = _CAPTURES_SHARE + (1 - _CAPTURES_SHARE) * distance / (longest + 1)
        done = max(done, min(int(entries * share), entries))
        update(done, f"distance {distance}")
    for _ in pool.run(lambda *chunk: kernels.settle_rest(table, *chunk), chunks):
        pass
    update(entries, f"longest {longest}")
    return longest


@dataclass(frozen=True)
class SolvingProgress:
    """How far the solver is, for whoever watches."""

    pair: tuple[Layer, ...]
    """The layers at work."""
    done: int
    """Entries of these that are done."""
    entries: int
    """Entries of these."""
    made: int
    """Entries of earlier layers that this run has solved."""
    kept: int
    """Entries that were there from the beginning."""
    note: str

    @property
    def title(self) -> str:
        return " + ".join(layer.name for layer in self.pair)

    @property
    def share(self) -> float:
        """Of the whole game, what was kept included."""
        return (self.kept + self.made + self.done) / sum(layer.entries for layer in LAYERS)


Watch: TypeAlias = Callable[[SolvingProgress], None]


def solve(
    directory: Path, *, threads: int = 0, resume: bool = True, watch: Watch | None = None
) -> npt.NDArray[np.uint8]:
    """Solve what is not there yet, layer by layer, and return the array of all layers.

    `watch` is told of the progress; without it, the person at the terminal is.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TablebaseError(f"{directory}: cannot be made ({error.strerror}); choose another output=") from None
    table = empty_table()
    todo: list[tuple[Layer, ...]] = []
    for pair in pairs():
        # A layer is kept only while everything below it is: they were made by one and the same solver.
        if not (resume and not todo and _restore(directory, pair, table)):
            todo.append(pair)
    left = sum(layer.entries for pair in todo for layer in pair)
    kept = sum(layer.entries for layer in LAYERS) - left
    made = 0
    with ThreadPool(threads) as pool, contextlib.ExitStack() as shown:
        tell = watch or shown.enter_context(_terminal_bars(left))
        for pair in todo:
            entries = sum(layer.entries for layer in pair)

            def note(done: int, text: str, pair: tuple[Layer, ...] = pair, made: int = made, of: int = entries) -> None:
                tell(SolvingProgress(pair, done, of, made, kept, text))

            solve_pair(table, pair, pool, note)
            made += entries
            for layer in pair:
                write_layer(directory, layer, table[layer.slice])
    return table


@contextmanager
def _terminal_bars(left: int) -> Iterator[Watch]:
    """A bar for each pair of layers, with the time that all of them will take."""
    started = time.monotonic()
    bars: dict[tuple[Layer, ...], Update] = {}
    with contextlib.ExitStack() as stack:

        def tell(now: SolvingProgress) -> None:
            if now.pair not in bars:
                stack.close()  # the bar before it
                # In thousands, which leaves room for the bar.
                bars[now.pair] = stack.enter_context(progress(f"layer {now.title}", now.entries // 1000))
            so_far = now.made + now.done
            rest = (time.monotonic() - started) / so_far * (left - so_far) if so_far else 0
            text = f"{now.note}, {duration(rest)} in all" if so_far < left else now.note
            bars[now.pair](now.done // 1000, text)

        yield tell


def load_table(directory: Path) -> npt.NDArray[np.uint8]:
    """[TOTAL] all layers of a finished tablebase, read into one array."""
    table = empty_table()
    for layer in LAYERS:
        table[layer.slice] = map_layer(directory, layer)
    return table


def _restore(directory: Path, pair: tuple[Layer, ...], table: npt.NDArray[np.uint8]) -> bool:
    try:
        for layer in pair:
            table[layer.slice] = map_layer(directory, layer)
    except TablebaseError:
        return False
    return True
