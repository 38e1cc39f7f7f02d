"""No function below the command line plays Diamond Chase because nobody said what to play."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "alphadiamond"
HOME = PACKAGE / "games" / "diamond_chase"
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if HOME not in path.parents]
NAME = "diamond_chase"
NAMED = {
    "games/__init__.py": "the list of games, and the one of files that name none",
    "settings/games.py": "the default of commands",
    "server/players.py": "the measured ratings of its players",
    "proof/certificate.py": "the games whose rules the independent checker has",
}
UNNAMED = {  # files and messages that may be of before there was a second game
    "games/__init__.py",
    "games/records.py",
    "arena/exam.py",
    "network/headers.py",
    "inspect/description.py",
    "training/migrations.py",
    "studies/runs.py",
    "client/statistics.py",
}
COMMANDS = {  # where DEFAULT_GAME may be used: what a person can set, and what a command says of it
    "settings/games.py",
    "settings/evaluation.py",
    "engine/settings.py",
    "proof/settings.py",
    "base/solver/settings.py",
    "studies/settings.py",
    "analysis/settings.py",
    "training/settings.py",
    "client/settings.py",
    "training/run.py",
    "cli.py",  # for what to compile ahead of a command that was given none
}
ANY_GAME = {  # where None means any game, and never one of them
    "agents/base.py:require_moves",
    "agents/registry.py:check_player",
    "network/headers.py:read_metadata",
    "network/checkpoints.py:load_checkpoint",
    "network/evaluator.py:__init__",  # the model's own
    "studies/rating.py:chosen",
    "engine/queries.py:Action",
    "client/player_process.py:Answer",
    "precompile.py:PrecompileJob",  # what is not of one game
    "online/messages.py:Error",  # the code of an online game, not what is played
    "server/errors.py:__init__",
}


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def games_by_default(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """(function or class, default) of every parameter and field that is called `game`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            plain, named = [*node.args.posonlyargs, *node.args.args], node.args.kwonlyargs
            given = [*zip(plain[len(plain) - len(node.args.defaults) :], node.args.defaults, strict=True)]
            given += [(one, value) for one, value in zip(named, node.args.kw_defaults, strict=True) if value]
            yield from ((node.name, value) for one, value in given if one.arg == "game")
        elif isinstance(node, ast.ClassDef):
            fields = [one for one in node.body if isinstance(one, ast.AnnAssign) and one.value is not None]
            named_game = [one for one in fields if isinstance(one.target, ast.Name) and one.target.id == "game"]
            yield from ((node.name, one.value) for one in named_game if one.value is not None)


def is_setting(value: ast.expr) -> bool:
    """A setting of a command, or a field that has no default."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return False
    without = not {"default", "default_factory"} & {one.arg for one in value.keywords}
    return value.func.id == "setting" or (value.func.id == "field" and without)


def faults_of(path: Path) -> Iterator[str]:
    tree, here = ast.parse(path.read_text()), place(path)
    for owner, value in games_by_default(tree):
        empty = isinstance(value, ast.Constant) and value.value in (None, "")
        allowed = is_setting(value) or here == "client/settings.py" or (empty and f"{here}:{owner}" in ANY_GAME)
        if not allowed:
            yield f"{here}: {owner} has game={ast.unparse(value)} by default"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "load":
            if not node.args and not node.keywords:
                yield f"{here}, line {node.lineno}: load() of no game"
        elif isinstance(node, ast.Constant) and node.value == NAME and here not in NAMED:
            yield f"{here}, line {node.lineno}: names {NAME}"
        elif isinstance(node, ast.Name) and node.id == "UNNAMED" and here not in UNNAMED:
            yield f"{here}, line {node.lineno}: only readers of old files and messages may take UNNAMED"
        elif isinstance(node, ast.Name) and node.id == "DEFAULT_GAME" and here not in COMMANDS:
            yield f"{here}, line {node.lineno}: only what a person can set may take DEFAULT_GAME"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"alphadiamond.games.{NAME}"):
            yield f"{here}, line {node.lineno}: imports {node.module}"


def test_the_game_is_an_argument_everywhere() -> None:
    assert [fault for path in FILES for fault in faults_of(path)] == []


def test_the_lists_name_files_that_are_there() -> None:
    known = {place(path) for path in FILES}
    assert {*NAMED, *UNNAMED, *COMMANDS, *(one.partition(":")[0] for one in ANY_GAME)} <= known
