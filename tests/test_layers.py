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
    "game": {"numpy", "numba", "llvmlite"},
    "solver": {"numpy", "numba"},
    "search": {"numpy", "numba"},
    "network": {"numpy", "torch", "safetensors", "onnxscript"},
    "agents": {"numpy", "numba"},
    "arena": {"numpy", "matplotlib", "scipy"},
    "analysis": {"numpy", "matplotlib"},
    "engine": set(),
    "adapters": {"numpy", "gymnasium", "pettingzoo", "pyspiel", "open_spiel"},
    "training": {"numpy", "torch", "tensorboard", "matplotlib", "safetensors"},
    "client": {"numpy", "pygame"},
    "terminal": set(),
}
LOCAL = {  # where "all before it" is not the rule
    "solver": {"game"},
    "search": {"game"},
    "network": {"game"},
    "analysis": {"game", "agents"},
    "engine": {"game", "agents"},
    "adapters": {"game", "agents"},
    "client": {"game", "agents", "solver"},
    "terminal": {"game", "agents", "analysis", "client"},
}
SHARED = {"errors", "files", "console", "cli"}  # single modules beside the packages, which import no package
LIBRARIES = {"platformdirs", "rich", "hydra", "omegaconf"}


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def allowed(layer: str) -> set[str]:
    names = list(LAYERS)
    below = LOCAL.get(layer, set(names[: names.index(layer)]))
    return below | {layer}


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    layer = parts[0] if len(parts) > 1 else None
    assert layer is None or layer in LAYERS, f"{layer} is not in the list of layers"
    for name in imports_of(path):
        top, *rest = name.split(".")
        if top == "alphadiamond":
            if not rest or rest[0] in SHARED:
                continue
            assert layer is not None, f"{path.name} is shared and imports {name}"
            assert rest[0] in allowed(layer), f"{layer} imports {name}"
        elif top not in sys.stdlib_module_names:
            libraries = LIBRARIES | (LAYERS[layer] if layer else set())
            assert top in libraries, f"{path.name} imports {name}"


@pytest.mark.parametrize("module", ["alphadiamond", "alphadiamond.game"])
def test_importing_the_game_loads_neither_torch_nor_pygame(module: str) -> None:
    code = f"import sys, {module}; print([m for m in ('torch', 'pygame', 'hydra', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_importing_the_package_alone_loads_no_library() -> None:
    code = "import sys, alphadiamond; print([m for m in ('numpy', 'numba') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
