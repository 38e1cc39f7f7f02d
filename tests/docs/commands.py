"""The commands of README and docs, as a reader would copy them, and what makes the long ones short."""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted(
    str(path.relative_to(ROOT))
    for path in (
        *(path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"),
        *(path for path in (ROOT / "docs").rglob("*.md") if path.name not in ("settings.md", "python-api.md")),
        *(ROOT / "examples").glob("*.md"),
        *ROOT.glob("checkpoints/*/README.md"),
    )
)

_PROGRAMS: Final = ("alphadiamond", "make", "python", "pip", "uvx", "pipx", "docker", "ray", ".")
_REMARK: Final = re.compile(r"\s+# .*$")


class Command(NamedTuple):
    page: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"


def commands_of(page: str) -> list[Command]:
    """Every command that a page shows, and every one with arguments that it names within its text."""
    text = (ROOT / page).read_text(encoding="utf-8")
    named = (one for one in mentions_of(page) if "=" in one.text)
    return sorted({*_shown(page, text), *named}, key=lambda one: one.line)


def mentions_of(page: str) -> list[Command]:
    """Every command that a page names within its text."""
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    found = re.finditer(r"`((?:alphadiamond|make) [^`]+)`", text)
    return [Command(page, text[: one.start()].count("\n") + 1, " ".join(one[1].split())) for one in found]


def _shown(page: str, text: str) -> Iterator[Command]:
    """Every line of an indented block that begins with one of our programs, without its remark."""
    fenced = False
    lines = iter(enumerate(text.splitlines(), start=1))
    for number, line in lines:
        fenced ^= line.startswith("```")
        if fenced or not line.startswith("    ") or not line.strip():
            continue
        if line.split()[0].removeprefix(".venv/bin/") not in _PROGRAMS:
            continue
        whole = _REMARK.sub("", line.strip())
        while whole.endswith("\\") or whole.count("'") % 2:
            whole = _REMARK.sub("", whole.removesuffix("\\") + next(lines)[1].strip())
        yield Command(page, number, whole)


class Mark(NamedTuple):
    """What is done to the commands that `which` is found in, "PAGE: COMMAND"; all that apply do, in turn."""

    which: str
    add: str = ""
    """More settings, of which the last word counts."""
    put: tuple[tuple[str, str], ...] = ()
    """(what stands there, what is taken instead), such as a name in capitals."""
    typed: str | None = None
    """What is typed in."""
    until: str = ""
    """What it says when it is there; then it is stopped by Ctrl-C."""
    code: int = 0
    """How it ends; 2 where the page's command asks for what this machine has not."""
    left_out: str = ""
    """Why it is not run at all."""
    quick: str = ""
    """What is added besides in the default suite, for which it would still take long."""


ACCEPTED: Final = "--cfg job"
"""All settings are read and checked, and nothing is begun."""

SMALL_RUN: Final = (
    "iterations=1 workers=1 plot=false selfplay.games=8 selfplay.rounds=40 selfplay.simulations=2 replay.smallest=100 "
    "learner.batch=32 learner.threads=1 gate.max_pairs=2 gate.batch=2 gate.pit.simulations=2 "
    "evaluation.baselines=[random] evaluation.pairs=1 evaluation.earlier=0 evaluation.pit.simulations=2"
)
_MODELS: Final = "models=[orbit_small,mlp_small]"
MARKS: Final = (
    Mark(r"\btrain\b(?!.*(resume=|-m |--help))", add=SMALL_RUN, quick=ACCEPTED),
    Mark(r"^(docs/lab|checkpoints)/.*\btrain\b", add=ACCEPTED),
    Mark(r"\btrain .*--multirun", put=(("1,2,3", "1,2"),)),
    Mark(r"\btrain .*resume=.* iterations=", add="iterations=2"),
    Mark(r"\btrain .*engine=ray ray.address", put=(("ray.address=auto", "run=runs/other"),)),
    Mark(r"\btrain .*device=cuda", code=2),
    Mark(r"\bmake tensorboard", add="--port=0", until="http://"),
    Mark(r"\bplay\b(?!.*(terminal=true|headless=true|--help))", add="headless=true frames=2"),
    Mark(r"\bplay\b.*game=", quick=ACCEPTED),
    Mark(r"\banalyse\b", quick="players=random"),
    Mark(r"\bmake site$", quick=ACCEPTED),
    Mark(r"\bplay .*terminal=true", typed="quit\n"),
    Mark(r"\bevaluate\b(?!.*(exam=true|--help))", add="games=2 workers=1", quick="players=random,greedy"),
    Mark(r"\bevaluate .*exam=true", add="exam_positions=8 workers=1"),
    Mark(r"\bevaluate .*whole=true", add=ACCEPTED),
    Mark(r"^(?!.*game=).*(drawn=true|\bmake-exam|sample-quality)", add=ACCEPTED),  # by the table of Diamond Chase
    Mark(r"runs/.*iteration-000004", put=(("000004", "000001"),)),
    Mark(r"exam_file=results/other", put=(("results/other.npz", "alphadiamond/games/diamond_chase/data/exam.npz"),)),
    Mark(r"[,[]perfect(?!.*game=)", put=((",perfect", ""), ("[perfect,", "["))),
    Mark(r"\bevaluate .*ray.address=auto", put=(("ray.address=auto", "ray.address=local"),)),
    Mark(r"\brate ", add="pairs=1 simulations=1 snapshots=2"),
    Mark(r"\bcompare-runs ", add="pairs=1 simulations=1"),
    Mark(r"\bcompare-models ", add=f"seconds=0.1 pairs=1 simulations=1 {_MODELS}"),
    Mark(r"compare-(models|runs) game=|panels=boards", add=ACCEPTED),  # of games that no run here has samples of
    Mark(r"\bcompare-searches ", add="pairs=1 simulations=4", quick=ACCEPTED),
    Mark(r"\bcompare-engines\b", add="repeats=1 batches=1,8 positions=64", quick=ACCEPTED),
    Mark(r"\bsearch-gain\b", add="positions=20 simulations=8"),
    Mark(
        r"\bscaling ",
        add="positions=20 snapshots=1 simulations=0,4 time_simulations=0 "
        "games=1,4 batches=1,4 repeats=1 rounds=1 cores=1",
    ),
    Mark(r"\bpicture-(learning|holes) ", add=ACCEPTED),
    Mark(r"\bmake-exam ", add="positions=20 games=20 overwrite=true"),
    Mark(r"make-exam .*sets=true", add="positions=2"),
    Mark(r"\bmake-book", add=ACCEPTED),
    Mark(r"\bmake pictures", add="scenes=[title] sizes=[960x600]"),
    Mark(r"\bbenchmark\b", add=ACCEPTED),
    Mark(r"\bprove ", add="plies=4", quick=ACCEPTED),
    Mark(r"\bprove$", add="plies=4"),
    Mark(r"\bprove .*certificate", add=ACCEPTED),
    Mark(r"check_proof", left_out="its certificate takes minutes; tests/proof checks one"),
    Mark(r"\bsolve\b(?!.*game=)", add="game=dame", quick=ACCEPTED),
    Mark(r"\bserve\b(?!.*(--help|moderate|audit|backup))", add="port=0", until="http://"),
    Mark(r"moderate=.*/", code=2),  # nobody has been here
    Mark(r"http.server", add="0", until="Serving"),
    Mark(r"\bengine$", typed=""),
    Mark(r"subject=-", typed="r/rr/r/r.r/......./g.g/g/gg/g g 0\n"),
    Mark(r"\bmake test(-all)?$", left_out="this is one of its tests"),
    Mark(r"\bmake test-browser$", add="--collect-only", quick="--version"),
    Mark(r"-m pytest", add="--collect-only"),
    Mark(r"make page-pictures|-m tests\.(browser|site)\.", left_out="the browser's tests are a suite of their own"),
    Mark(r"tic_tac_toe_learning", left_out="tests/games runs it"),
    Mark(r"\bpip install|installation ray|: (uvx|pipx|make dist)", left_out="it asks the network"),
    Mark(r"make docs$", left_out="" if find_spec("zensical") else "it asks the network for Zensical"),
    Mark(r"python -m venv", left_out="the clone has its environment already"),
    Mark(r": docker", left_out="it asks for Docker"),
    Mark(r"\bray (up|exec)", left_out="it asks for machines"),
    Mark(r"\b(RUN,RUN|RUN)\b", put=(("RUN,RUN", "runs/mine"), ("run=RUN", "run=runs/mine"))),
    Mark(r"\bGAME\b", put=(("game=GAME", "game=dame"), ("mypackage.game:GAME", "examples.tic_tac_toe:TicTacToe"))),
    Mark(r"model=NAME", put=(("model=NAME", "model=conv_small"), ("runs/NAME", "runs/conv_small"))),
    Mark(r"SETTINGS", put=((" SETTINGS", ""), ("runs/NAME", "runs/new"))),
    Mark(r"output=(DIR|FILE)", put=(("=DIR", "=results/elsewhere"), ("=FILE", "=results/other.npz"))),
    Mark(r"domineering", put=(("domineering", "tests.outside.domineering"),)),
)


def marks_of(command: Command) -> list[Mark]:
    return [mark for mark in MARKS if re.search(mark.which, f"{command.page}: {command.text}")]


def shortened(command: Command, *, quick: bool = False) -> str:
    """The line that is run."""
    text, marks = command.text, marks_of(command)
    for mark in marks:
        for old, new in mark.put:
            text = text.replace(old, new)
    wanted = [mark.add for mark in marks] + [mark.quick for mark in marks if quick]
    added = " ".join(sorted({one: None for one in wanted if one}, key=ACCEPTED.__eq__))
    if not added:
        return text
    if not text.startswith("make "):
        return f"{text} {added}"
    return f'{text[:-1]} {added}"' if 'ARGS="' in text else f'{text} ARGS="{added}"'
