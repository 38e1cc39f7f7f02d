"""Which source files a module is made of: its own and those of every module of the project that it imports.

Read from the text, since this is asked before anything is imported. The project's own modules import by whole names; a
game of somebody else may import in any way that Python has, and all that lies in its package counts.
"""

import ast
import functools
import hashlib
import re
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent

_IMPORTS: Final = re.compile(r"^[ \t]*from ([\w.]+) import (\([^)]*\)|[^\n#]*)|^[ \t]*import ([\w., ]+)", re.MULTILINE)


def sources_of(file: Path) -> frozenset[Path]:
    """The file, and all that it imports from its own package and from this one, however far away.

    What a function imports counts as well. A package's `__init__` counts only where a name is imported from it that is
    no module, as with `from alphadiamond.games.diamond_chase import Position`.
    """
    found: set[Path] = set()
    waiting = [file.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path)
    return frozenset(found | set(_beside(file.resolve())))


@functools.cache
def digest_of(file: Path) -> str:
    """A digest of everything that `sources_of` finds; the same wherever the project lies."""
    return _digest(sources_of(file))


def _digest(files: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(path.name.encode() + b"\0" + _content(path))
    return whole.hexdigest()[:16]


@functools.cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    if not path.is_relative_to(PACKAGE):
        return tuple(_imported_outside(path))
    roots = {PACKAGE.name: PACKAGE.parent}
    found = []
    for source, names, plain in _IMPORTS.findall(_content(path).decode("utf-8", "replace")):
        if plain:
            found += [_module(roots, name.split(" as ")[0].strip()) for name in plain.split(",")]
            continue
        parts = [part.split(" as ")[0].strip() for part in names.strip("()").split(",")]
        modules = [_module(roots, f"{source}.{part.split('#')[0].strip()}") for part in parts if part]
        found += modules
        if None in modules:
            found.append(_module(roots, source))
    return tuple(path for path in found if path is not None)


def _module(roots: dict[str, Path], name: str) -> Path | None:
    """The file of a module of the project, if it is one."""
    root = roots.get(name.partition(".")[0])
    return None if root is None else _file(root, name)


def _file(root: Path, name: str) -> Path | None:
    base = root.joinpath(*name.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path.resolve()
    return None


# Games that live elsewhere


def _imported_outside(path: Path) -> list[Path]:
    """What a file of somebody else's game imports of its own and of this project."""
    top = _top(path)
    installed = top in _installed()  # beside it lie all the libraries, which have versions of their own
    own = path.relative_to(top).parts[0]
    found = []
    for source, names in _named(path, top):
        first = source.partition(".")[0]
        if installed and first not in (own, PACKAGE.name):
            continue
        root = PACKAGE.parent if first == PACKAGE.name else top
        modules = [_file(root, f"{source}.{name}") for name in names]
        found += modules if modules and None not in modules else [*modules, _file(root, source)]
    return [file for file in found if file is not None]


def _beside(path: Path) -> list[Path]:
    """What lies in the same folder, since a game may import it in ways that no reader of its text can follow; of a
    whole package everything."""
    if path.is_relative_to(PACKAGE):
        return []
    top = _top(path)
    whole = path.parent.parent == top and path.parent != top
    return [one.resolve() for one in (path.parent.rglob("*.py") if whole else path.parent.glob("*.py"))]


def _top(path: Path) -> Path:
    """The directory that is on the path for a file to be imported."""
    top = path.parent
    while (top / "__init__.py").exists():
        top = top.parent
    return top


@functools.cache
def _installed() -> frozenset[Path]:
    return frozenset(Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib", "stdlib"))


def _named(path: Path, top: Path) -> Iterator[tuple[str, list[str]]]:
    """All that a file imports, anywhere in it, as the whole name of a module and the names taken from it."""
    package = path.relative_to(top).parent.parts
    try:
        tree = ast.parse(_content(path))
    except (SyntaxError, ValueError):
        return

    def whole(name: str, level: int) -> str:
        return ".".join((*(package[: len(package) - level + 1] if level else ()), *filter(None, [name])))

    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield whole(node.module or "", node.level), [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and node.args and isinstance(text := node.args[0], ast.Constant):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("import_module", "__import__") and isinstance(text.value, str):
                name = text.value.lstrip(".")
                yield whole(name, len(text.value) - len(name)), []
