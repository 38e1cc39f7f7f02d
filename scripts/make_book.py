"""Make the opening book of Connect Four, or go on with it: exact scores of early positions, found by search."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from alphadiamond import cli
from alphadiamond.settings import between, maybe, setting
from alphadiamond.settings.places import OUTPUT_FILE
from alphadiamond.settings.ranges import SECONDS


@dataclass
class MakeBookSettings:
    output: str = setting("alphadiamond/games/connect_four/data/book.npz", OUTPUT_FILE)
    """The book, which is gone on with where it is there."""
    discs: int = setting(5, between(0, 12))
    """Solve all positions with up to so many discs."""
    first: int = setting(1, between(0, 12))
    """The number of discs to begin with; those with fewer follow from the first that is complete."""
    seconds: float | None = setting(None, maybe(SECONDS, "until it is done"))
    """Stop after so long with what is done by then; null: until it is done."""
    workers: int = setting(1, between(1, 1024))
    """Processes that solve at the same time."""

    def faults(self) -> Iterator[tuple[str, str]]:
        if self.first > self.discs:
            yield "first", f"expected no more than `discs`, which is {self.discs}"


def main(settings: MakeBookSettings) -> None:
    from alphadiamond.base.compilation import announce_compilation
    from alphadiamond.console import count_of, print_written
    from alphadiamond.games.connect_four.solver.book_builder import make_book

    announce_compilation()
    book = make_book(
        Path(settings.output),
        discs=settings.discs,
        first=settings.first,
        seconds=settings.seconds,
        workers=settings.workers,
    )
    done = f"all with up to {book.complete} discs" if book.complete >= 0 else "no number of discs complete"
    size = Path(settings.output).stat().st_size / 1000
    print(f"{count_of(len(book), 'position')}, {done}")
    print_written(settings.output, note=f"{size:.1f} kB")


if __name__ == "__main__":
    cli.run(main, MakeBookSettings, "make_book")
