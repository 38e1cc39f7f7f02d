"""The command `alphadiamond`: the scripts by name, for an installed copy and a clone alike.

A script is a subcommand by one line in `COMMANDS`; `setup.py` reads the same table and puts these scripts into the
wheel. Each is run as it would be by `python scripts/NAME.py`, so nothing is imported that it does not need.
"""

import difflib
import runpy
import sys
from typing import Final

from alphadiamond import cli
from alphadiamond.cli import INTERRUPTED, fail
from alphadiamond.resources import SCRIPTS

COMMANDS: Final = {
    "train": "learn from self-play; run it again and it goes on where it stopped",
    "play": "open the window: play, watch, analyse",
    "serve": "play each other: a page, a lobby, games and ratings",
    "evaluate": "players against each other, or in the exam",
    "solve": "solve the game exactly",
    "analyse": "every player's opinion of a position or of a whole game",
    "show": "what a checkpoint, a run, a record or a tablebase holds",
    "rate": "the snapshots of runs against each other, with their Elo curves",
    "engine": "answer other programs, one JSON object a line",
}


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_usage(), end="")
        return
    name = arguments[0]
    if name not in COMMANDS:
        near = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        fail(f"no command {name!r}: {hint}there are {', '.join(COMMANDS)}")
    script = SCRIPTS / f"{name}.py"
    if not script.is_file():
        fail(f"{name} is not part of this copy of AlphaDiamond")
    cli.program = f"alphadiamond {name}"
    sys.argv[1:] = arguments[1:]
    try:
        runpy.run_path(str(script), run_name="__main__")
    except KeyboardInterrupt:
        fail("interrupted", code=INTERRUPTED)


def _usage() -> str:
    lines = ["AlphaDiamond: self-play learning for Diamond Chase, measured against perfect play.", ""]
    lines += ["usage: alphadiamond COMMAND [key=value ...]", ""]
    lines += [f"  {name:<10} {words}" for name, words in COMMANDS.items()]
    return "\n".join([*lines, "", "alphadiamond COMMAND --help documents all that it can be told.", ""])


if __name__ == "__main__":
    main()
