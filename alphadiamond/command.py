"""The command `alphadiamond`: the scripts by name, for an installed copy and a clone alike.

A script is a subcommand by one line in `COMMANDS` or `TOOLS`; `setup.py` reads the same tables and puts these scripts
into the wheel. Each is run as Python runs a script, so nothing is imported that it does not need.
"""

import difflib
import runpy
import sys
from collections.abc import Sequence
from typing import Final

from alphadiamond import cli
from alphadiamond.cli import INTERRUPTED, fail
from alphadiamond.resources import SCRIPTS

COMMANDS: Final = {
    "train": "learn from self-play; run it again and it goes on where it stopped",
    "play": "open the window: play, watch, analyse; terminal=true for a terminal",
    "serve": "play each other: a page, a lobby, games and ratings",
    "site": "make the page that needs no server: static files for any browser",
    "evaluate": "players against each other, or in the exam",
    "prove": "every position that a player can be led into, and where it loses",
    "solve": "solve a game exactly",
    "analyse": "every player's opinion of a position or of a whole game",
    "simulate": "path finders side by side in a maze: in the terminal, or as a GIF",
    "show": "what a checkpoint, a run, a record or a tablebase holds",
    "rate": "the snapshots of runs against each other, with their curves",
    "engine": "answer other programs, one JSON object a line",
}
"""For everybody."""
TOOLS: Final = {
    "compare_runs": "the champions of two runs against each other",
    "compare_models": "kinds and sizes of networks, taught the same samples",
    "compare_searches": "Gumbel search against PUCT, with the same network",
    "compare_engines": "one network run by torch, compiled code and ONNX Runtime",
    "search_gain": "how far a network is behind its own search",
    "sample_quality": "a run's samples against the exact solution",
    "scaling": "the exam's error against time, simulations and size, as pictures",
    "picture_holes": "holes that `prove` finds against training time, as a picture",
    "picture_learning": "one position as a run's network saw it over time",
    "make_exam": "choose the positions of an exam",
    "make_book": "the opening book of Connect Four",
    "hub_folder": "a network as model hubs expect it: card, weights, configuration",
    "screenshots": "pictures of every scene of the window",
    "benchmark": "speed, each part beside a plain version of itself",
}
"""To measure, and to make what the project ships."""
_SHELLS: Final = ("bash", "zsh", "fish")


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(_usage(), end="")
    elif arguments[0] == "--version":
        from alphadiamond import __version__

        print(f"alphadiamond {__version__}")
    elif arguments[0] == "completion":
        print(_completion(arguments[1:]), end="")
    elif arguments[0] == "--complete":
        _complete(arguments[1:])
    else:
        _run(arguments[0], arguments[1:])


def _run(name: str, arguments: Sequence[str]) -> None:
    script = SCRIPTS / f"{_known(name)}.py"
    if not script.is_file():
        fail(f"{name} is not part of this copy of AlphaDiamond")
    sys.path.insert(0, str(SCRIPTS))  # as Python does for a script; the benchmarks lie beside theirs
    sys.argv[1:] = arguments
    try:
        runpy.run_path(str(script), run_name="__main__")
    except KeyboardInterrupt:
        fail("interrupted", code=INTERRUPTED)


def _known(name: str) -> str:
    """The script that a word means; `make-exam` and `make_exam` are the same."""
    found = name.replace("-", "_")
    if found not in (*COMMANDS, *TOOLS):
        near = difflib.get_close_matches(found, (*COMMANDS, *TOOLS), n=1)
        hint = f"did you mean {_shown(near[0])}?" if near else "alphadiamond --help lists them all"
        fail(f"no command {name!r}: {hint}")
    return found


def _shown(name: str) -> str:
    return name.replace("_", "-")


def _usage() -> str:
    lines = ["AlphaDiamond: self-play learning for games that are solved exactly.", ""]
    lines += ["usage: alphadiamond COMMAND [key=value ...]", ""]
    lines += [f"  {_shown(name):<17} {words}" for name, words in COMMANDS.items()]
    lines += ["", "to measure, and to make what is shipped:", ""]
    lines += [f"  {_shown(name):<17} {words}" for name, words in TOOLS.items()]
    lines += ["", "alphadiamond COMMAND --help documents all that it can be told."]
    lines += ["alphadiamond completion bash, zsh or fish prints what lets your shell complete commands and settings."]
    return "\n".join([*lines, "alphadiamond --version says which version this is.", ""])


def _completion(arguments: Sequence[str]) -> str:
    """What a shell evaluates to complete our command lines: it asks `alphadiamond --complete` for words."""
    shell = arguments[0] if arguments else ""
    if shell not in _SHELLS:
        fail(f"completion {shell or 'of no shell'}: expected one of {', '.join(_SHELLS)}")
    if shell == "fish":
        return 'complete -c alphadiamond -f -a "(alphadiamond --complete (commandline -opc)[2..])"\n'
    prelude = "autoload -U +X bashcompinit && bashcompinit\n" if shell == "zsh" else ""
    return prelude + (
        "_alphadiamond() {\n"
        '  local IFS=$\'\\n\' words="$(alphadiamond --complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)"\n'
        '  local typed="${COMP_LINE:0:COMP_POINT}"; typed="${typed##* }"\n'
        '  local cut=""; [[ "$COMP_WORDBREAKS" == *=* && "$typed" == *=* ]] && cut="${typed%=*}="\n'
        '  COMPREPLY=($(compgen -W "$words" -- "$typed")); COMPREPLY=("${COMPREPLY[@]#"$cut"}")\n'
        '  [[ "${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2>/dev/null\n'
        "}\n"
        "complete -o default -F _alphadiamond alphadiamond\n"
    )


def _complete(before: Sequence[str]) -> None:
    """The words that may come next, a line each."""
    if not before:
        print("\n".join([*map(_shown, (*COMMANDS, *TOOLS)), "completion", "--help", "--version"]))
    elif before[0] == "completion":
        print("\n".join(_SHELLS))
    elif before[0].replace("-", "_") in (*COMMANDS, *TOOLS):
        cli.completing = True
        _run(before[0], ())


if __name__ == "__main__":
    main()
