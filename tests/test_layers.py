"""Imports point down the list of layers only."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "alphadiamond"

# Lowest first: a package may import those before it and the libraries named with it.
LAYERS = {
    "base": {"numpy", "numba", "llvmlite"},
    "games": {"numpy", "numba"},
    "search": {"numpy", "numba"},
    "network": {"numpy", "numba", "llvmlite", "torch", "safetensors", "onnxscript"},
    "runner": set(),
    "agents": {"numpy", "numba"},
    "arena": {"numpy", "matplotlib", "scipy"},
    "proof": {"numpy", "numba"},
    "analysis": {"numpy", "matplotlib"},
    "engine": set(),
    "online": {"msgspec", "websockets"},
    "server": {"msgspec", "confusable_homoglyphs", "h11", "starlette", "uvicorn"},
    "site": {"numpy", "torch", "msgspec"},
    "adapters": {"numpy", "gymnasium", "pettingzoo", "pyspiel", "open_spiel"},
    "training": {"numpy", "torch", "tensorboard", "matplotlib", "safetensors"},
    "cluster": {"numpy", "ray"},
    "inspect": set(),
    "studies": {"numpy", "torch", "matplotlib", "onnxruntime", "onnxscript"},
    "play": set(),
    "client": {"numpy", "pygame", "PIL"},
    "terminal": set(),
}
LOCAL = {  # where "all before it" is not the rule
    "games": {"base"},
    "search": {"base", "games"},
    "network": {"base", "games"},
    "analysis": {"base", "games", "agents"},
    "engine": {"base", "games", "runner", "agents"},
    "runner": {"base"},
    "online": set(),
    "server": {"base", "games", "runner", "agents", "arena", "engine", "online"},
    "site": {"base", "games", "network", "agents", "arena", "online", "server"},
    "adapters": {"base", "games", "agents"},
    "play": {"base", "games", "agents", "analysis"},
    "client": {"base", "games", "runner", "agents", "analysis", "engine", "online", "play"},
    "terminal": {"base", "games", "runner", "agents", "analysis", "engine", "play"},
}
FORBIDDEN = {  # learning never sees the solution
    "training": {
        "alphadiamond.games.diamond_chase.solver",
        "alphadiamond.games.connect_four.solver",
        "alphadiamond.games.connect_four.exam_builder",
        "alphadiamond.games.connect_four.exam_sets",
        "alphadiamond.games.dame.solver",
        "alphadiamond.games.labyrinth.solver",
        "alphadiamond.agents.perfect",
        "alphadiamond.arena.exam_builder",
        "alphadiamond.arena.whole_exam",
        "alphadiamond.proof",
    },
}
LEARNT_FROM = (
    *("selfplay", "samples", "replay_buffer", "learner", "starts", "worker", "workers", "gate", "rng", "reshard"),
)
"""Modules of training that make weights, samples and decisions; not even the exam's questions reach them."""
# Beside the packages, and importing none of them.
SHARED = {"errors", "files", "console", "resources", "settings", "sources"}
ENTRIES = {"cli.py", "command.py", "installation.py", "precompile.py"}  # commands beside the packages, above all layers
LIBRARIES = {"filelock", "platformdirs", "psutil", "rich", "hydra", "omegaconf", "yaml"}


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def allowed(layer: str) -> set[str]:
    names = list(LAYERS)
    below = LOCAL.get(layer, set(names[: names.index(layer)]))
    return below | {layer}


def layer_of(path: Path) -> str | None:
    """The first folder; but a game's own players stand among the players, and the rest of a game knows them by name
    alone."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    if parts[0] == "games" and len(parts) > 2 and parts[2] == "players":
        return "agents"
    return parts[0] if len(parts) > 1 and parts[0] not in SHARED else None


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    layer = layer_of(path)
    assert layer is None or layer in LAYERS, f"{layer} is not in the list of layers"
    for name in imports_of(path):
        top, *rest = name.split(".")
        if top == "alphadiamond":
            if not rest or rest[0] in SHARED or (layer is None and path.name in ENTRIES):
                continue
            assert layer is not None, f"{path.name} is shared and imports {name}"
            assert rest[0] in allowed(layer), f"{layer} imports {name}"
            own = rest[0] == "games" and len(rest) > 2 and rest[2] == "players"
            assert not own or path.parent.name == "players", f"{path.name} imports {name}, a game's own players"
            assert not any(within(name, other) for other in FORBIDDEN.get(layer, ())), f"{layer} imports {name}"
        elif top not in sys.stdlib_module_names:
            libraries = LIBRARIES | (LAYERS[layer] if layer else set())
            assert top in libraries, f"{path.name} imports {name}"


def test_every_solver_is_forbidden_to_learning() -> None:
    solvers = {f"alphadiamond.games.{path.parent.name}.solver" for path in (PACKAGE / "games").glob("*/solver")}
    assert len(solvers) > 2
    assert solvers <= FORBIDDEN["training"]


@pytest.mark.parametrize("module", LEARNT_FROM)
def test_what_is_learnt_from_knows_no_exam(module: str) -> None:
    for name in imports_of(PACKAGE / "training" / f"{module}.py"):
        assert not within(name, "alphadiamond.arena.exam")
        assert not (within(name, "alphadiamond.arena") and "exam" in name.lower())


def test_all_of_training_is_imported_without_the_solver() -> None:
    """Not by way of other packages either."""
    code = """if True:
        import importlib, pkgutil, sys
        import alphadiamond.training as training
        names = [module.name for module in pkgutil.iter_modules(training.__path__)]
        for name in names:
            importlib.import_module(f"alphadiamond.training.{name}")
        print(len(names), [name for name in sys.modules if "solver" in name and name.startswith("alphadiamond")])
    """
    count, found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.split(maxsplit=1)
    assert int(count) > 10
    assert found.strip() == "[]"


@pytest.mark.parametrize(
    "module",
    ["alphadiamond", "alphadiamond.games.diamond_chase", "alphadiamond.games.dame", "alphadiamond.games.labyrinth"],
)
def test_importing_the_game_loads_neither_torch_nor_pygame(module: str) -> None:
    code = f"import sys, {module}; print([m for m in ('torch', 'pygame', 'hydra', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_importing_the_package_alone_loads_no_library() -> None:
    code = "import sys, alphadiamond; print([m for m in ('numpy', 'numba') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_nobody_imports_ray_who_has_not_asked_for_it() -> None:
    code = """if True:
        import sys
        import alphadiamond.training.run, alphadiamond.arena.evaluation, alphadiamond.training.engines
        print([name for name in sys.modules if name == "ray" or name.startswith("alphadiamond.cluster")])
    """
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stdout.strip() == "[]", found.stderr


NAMELESS = (
    *("search", "network", "runner", "agents", "arena", "proof", "analysis", "engine", "online", "server", "site"),
    *("adapters", "training", "cluster", "inspect", "studies", "play", "client", "terminal"),
)
"""Packages that work with any game, and name none."""
HOMES = sorted(path.parent.name for path in (PACKAGE / "games").glob("*/game.py"))


@pytest.mark.parametrize("package", NAMELESS)
def test_what_works_with_any_game_names_none(package: str) -> None:
    assert len(HOMES) > 2
    for path in sorted((PACKAGE / package).rglob("*.py")):
        named = [name for name in imports_of(path) if any(within(name, f"alphadiamond.games.{home}") for home in HOMES)]
        assert not named, f"{path.name} imports {named[0]}"


def test_the_window_has_no_name_of_a_game_in_it() -> None:
    """Not as a text either."""
    for path in sorted((PACKAGE / "client").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not (isinstance(node, ast.Constant) and node.value in HOMES), f"{path.name}: {node.value}"  # type: ignore[attr-defined]
