"""The command that makes the site."""

from pathlib import Path

from alphadiamond.console import print_written
from alphadiamond.games import outside_games
from alphadiamond.site.builder import build


def run(output: Path) -> None:
    made = build(output)
    networks = sum(size for path, size in made.files.items() if path.startswith("networks/"))
    for name in made.missing:
        print(f"{name}: no network is shipped, so that it is played by the rules' own estimate")
    for name in outside_games():
        print(f"{name} is left out: the page has no rules for it in JavaScript; alphadiamond serve plays it")
    print_written(
        output,
        note=f"{len(made.files)} files, {made.size / 1e6:.2f} MB, networks {networks / 1e6:.2f} MB of it",
    )
    print(f"try it: python -m http.server --directory {output}")
