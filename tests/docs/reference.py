"""The pages of the reference that are made from the code: `python -m tests.docs.reference` writes them anew."""

import ast
import dataclasses
import enum
import importlib
import inspect
import re
import textwrap
from pathlib import Path
from typing import Any, Final

from omegaconf import OmegaConf

from alphadiamond.command import COMMANDS, TOOLS
from alphadiamond.settings.composition import compose, groups_of, options_of, place_of, register, remark
from alphadiamond.settings.help import parts_of, texts_of
from alphadiamond.settings.validation import shown
from tests.commands import Script, scripts

REFERENCE: Final = Path(__file__).parents[2] / "docs" / "reference"
MADE: Final = "<!-- Made by `python -m tests.docs.reference`; edit the code, not this page. -->"
PACKAGES: Final = {
    "alphadiamond.games": (),
    "alphadiamond.base.game": ("Game", "Position", "Move", "Side", "Solution", "Drawing", "Ended"),
    "alphadiamond.games.diamond_chase": (),
    "alphadiamond.games.connect_four": (),
    "alphadiamond.games.dame": (),
    "alphadiamond.games.labyrinth": (),
    "alphadiamond.agents": (),
    "alphadiamond.arena": (),
    "alphadiamond.search": (),
    "alphadiamond.network": (),
    "alphadiamond.runner": (),
    "alphadiamond.inspect": (),
    "alphadiamond.settings": (),
    "alphadiamond.errors": ("AlphaDiamondError",),
}
"""Where public names are, those of a package by its `__all__`."""


def settings_page() -> str:
    found = scripts()
    lines = ["# Settings", "", MADE, ""]
    lines += [
        "Every setting of every command: what it is if it is not given, its range, and what it is for. `alphadiamond"
    ]
    lines += [
        "COMMAND --help` prints the same. Settings are given as `key=value`; any other key or value is refused in one"
    ]
    lines += ["line before anything is written.", ""]
    for name in (*COMMANDS, *TOOLS):
        lines += _command(name, found[name])
    return "\n".join(lines).rstrip() + "\n"


def _command(name: str, script: Script) -> list[str]:
    register(name, script.settings)
    about = script.about.partition("\n\n")[0]
    lines = [f"## alphadiamond {name.replace('_', '-')}", "", " ".join(about.split()), ""]
    for group in groups_of(name):
        if options := options_of(group):
            lines += [f"`{group}=NAME` takes a set of settings from `configs/{place_of(group)}`:", ""]
            lines += ["| name | for |", "| --- | --- |"]
            lines += [f"| `{option}` | {_cell(remark(group, option))} |" for option in options] + [""]
    for part in parts_of(script.settings, OmegaConf.to_container(compose(name, []))):
        if part.name:
            lines += [f"### {part.name} of {name.replace('_', '-')}", ""]
        if part.like:
            lines += [f"As [{part.like}](#{_anchor(f'{part.like} of {name}')}){', but' if part.settings else '.'}", ""]
        if part.settings:
            lines += ["| setting | default | range | what it is for |", "| --- | --- | --- | --- |"]
            lines += [
                f"| `{one.key}` | {_code(shown(value))} | {_cell(str(one.allowed))} | {_cell(text)} |"
                for one, value, text in part.settings
            ] + [""]
    return lines


def api_page() -> str:
    lines = ["# Python names", "", MADE, ""]
    lines += ["Every public name with its docstring. [From Python](api.md) shows how they are used.", ""]
    for place, names in PACKAGES.items():
        module = importlib.import_module(place)
        lines += [f"## {place}", "", *_doc(module), ""]
        for name in names or module.__all__:
            lines += _name(place, name, getattr(module, name))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def _name(place: str, name: str, found: Any) -> list[str]:
    lines = [f"### {place.rpartition('.')[2]}.{name}", ""]
    if not (inspect.isclass(found) or inspect.isfunction(found)):
        return [*lines, *_constant(place, name), ""]
    home = found.__module__
    if home != place and name in PACKAGES.get(home, ()):
        return [*lines, f"The same as in [{home}](#{home.rpartition('.')[2]}{name.lower()}).", ""]
    lines += [*_signature(found), *_doc(found), ""]
    if inspect.isclass(found):
        lines += [line for one in _source(found).body for line in _member(found, one)] + [""]
    return lines


def _source(found: Any) -> Any:
    """The definition of a class or a function: types and defaults as they are written are the same everywhere."""
    return ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]


def _call(name: str, function: ast.FunctionDef) -> str:
    arguments = function.args
    for group in (arguments.posonlyargs, arguments.args):
        group[:] = [one for one in group if one.arg not in ("self", "cls")]
    returned = ast.unparse(function.returns).strip("'") if function.returns else "None"
    return f"{name}({ast.unparse(arguments)})" + (f" -> {returned}" if returned != "None" else "")


def _signature(found: Any) -> list[str]:
    source = _source(found)
    if isinstance(source, ast.ClassDef):
        source = next((one for one in source.body if getattr(one, "name", "") == "__init__"), None)
        if source is None or issubclass(found, BaseException):
            return []
        source.returns = None
    return ["```py", _call(found.__name__, source), "```", ""]


def _member(owner: type[Any], one: ast.stmt) -> list[str]:
    """A line about a field, a member of an enumeration, or a property or method that says something of itself."""
    if isinstance(one, ast.AnnAssign) and dataclasses.is_dataclass(owner):
        name, text = ast.unparse(one.target), texts_of(owner).get(ast.unparse(one.target), "")
        return (
            []
            if name.startswith("_")
            else [f"- `{name}: {ast.unparse(one.annotation)}`" + (f": {text}" if text else "")]
        )
    if isinstance(one, ast.Assign) and issubclass(owner, enum.Enum):
        return [f"- `{ast.unparse(one)}`"]
    if not isinstance(one, ast.FunctionDef) or one.name.startswith("_") or not ast.get_docstring(one):
        return []
    text = " ".join((ast.get_docstring(one) or "").partition("\n\n")[0].split())
    shown = one.name if any("property" in ast.unparse(mark) for mark in one.decorator_list) else _call(one.name, one)
    return [f"- `{shown}`: {text}"]


def _doc(found: Any) -> list[str]:
    text = found.__doc__ or ""
    if inspect.isclass(found) and dataclasses.is_dataclass(found) and text.startswith(f"{found.__name__}("):
        return []  # made by the decorator, and says what the fields do
    return [inspect.cleandoc(text)] if text else []


def _constant(place: str, name: str) -> list[str]:
    """The string that stands under a constant in the module that defines it."""
    source = inspect.getsource(importlib.import_module(place))
    for one in ast.walk(ast.parse(source)):
        if isinstance(one, ast.ImportFrom) and any(alias.name == name for alias in one.names):
            return _constant(one.module or "", name)
    found = re.search(rf'^{name}\b[^\n]*=.*?\n"""(.*?)"""$', source, re.MULTILINE | re.DOTALL)
    return [" ".join(found[1].split())] if found else []


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _code(text: str) -> str:
    return f"`{_cell(text)}`" if text else "empty"


def _anchor(text: str) -> str:
    return re.sub(r"[^\w\- ]", "", text.lower().replace("_", "-") if "_" in text else text.lower()).replace(" ", "-")


PAGES: Final = {"settings.md": settings_page, "python-api.md": api_page}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page(), encoding="utf-8")
        print(f"written to docs/reference/{name}")
