"""Make the opening book of Connect Four, or go on with it: exact scores of early positions, found by search."""

from pathlib import Path

from alphadiamond import cli
from alphadiamond.settings.programs import MakeBookSettings


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
