"""What `--help` prints: every setting with what a plain run would use, its range, and what it is for."""

import ast
import inspect
import textwrap
from typing import Any, NamedTuple

from omegaconf import OmegaConf

from alphadiamond.settings.composition import GAME, compose, groups_of, options_of, place_of, remark, with_games
from alphadiamond.settings.validation import Setting, settings_of, shown, value_of

_WIDTH = 110
_INDENT = " " * 6


def help_text(about: str, settings: type[Any], name: str, arguments: list[str], *, program: str = "") -> str:
    """`about` is the script's own text; groups that are chosen among the arguments are shown as chosen."""
    arguments, groups = with_games(name, arguments), groups_of(name)
    pairs = [argument.partition("=") for argument in arguments]
    chosen = {
        group: value for group, _, value in pairs if group in groups and (value in options_of(group) or group == GAME)
    }
    lines = [inspect.cleandoc(about), "", f"usage: {program} [key=value ...]", ""]
    for group in groups:
        lines += [f"{group}=NAME takes a set of settings from configs/{place_of(group)}:"]
        width = max(map(len, options_of(group)))
        lines += [f"  {group}={option:<{width}}  {remark(group, option)}" for option in options_of(group)] + [""]
    taken = OmegaConf.to_container(compose(name, [f"{group}={option}" for group, option in chosen.items()]))
    with_choices = f" with {', '.join(f'{key}={value}' for key, value in chosen.items())}" if chosen else ""
    lines.append(f"settings{with_choices}, with what they are if they are not given:")
    lines += _settings_lines(settings, taken)
    lines += ["", "also: --cfg job (print the configuration), --multirun (sweeps), --hydra-help (all of Hydra)", ""]
    return "\n".join(lines)


class Part(NamedTuple):
    """Settings that share all but the last word of their keys, such as those of selfplay.search."""

    name: str
    like: str
    """The part of the same kind that has been explained before; empty for the first of its kind."""
    settings: list[tuple[Setting, Any, str]]
    """Each with what it is if it is not given, and what it is for; of a part like another, those that differ."""


def parts_of(settings: type[Any], taken: Any) -> list[Part]:
    """Every setting of a script under the name of its part, in the order of the fields."""
    members: dict[str, list[Setting]] = {"": []}
    for one in settings_of(settings):
        members.setdefault(one.key.rpartition(".")[0], []).append(one)
    parts = []
    explained: dict[type[Any], str] = {}
    for name, found in members.items():
        if not found:
            continue
        owner = found[0].owner
        texts = texts_of(owner)
        rows = [(one, value_of(taken, one.key), texts.get(one.name, "")) for one in found]
        if (like := explained.setdefault(owner, name)) != name:
            rows = [row for row in rows if row[1] != value_of(taken, f"{like}.{row[0].name}")]
        parts.append(Part(name, like if like != name else "", rows))
    return parts


def _settings_lines(settings: type[Any], taken: Any) -> list[str]:
    lines: list[str] = []
    for part in parts_of(settings, taken):
        if part.like:
            lines += ["", f"{part.name}: as {part.like}{', but' if part.settings else ''}"]
            lines += [f"  {one.key}={shown(value)}" for one, value, _ in part.settings]
            continue
        lines += ["", f"{part.name}:"] if part.name else []
        for one, value, text in part.settings:
            lines.append(f"  {one.key}={shown(value)}")
            lines += textwrap.wrap(f"{text} [{one.allowed}]", _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return lines


def texts_of(settings: type[Any]) -> dict[str, str]:
    """The string that stands under each field in the source of a dataclass."""
    body = ast.parse(textwrap.dedent(inspect.getsource(settings))).body[0]
    assert isinstance(body, ast.ClassDef)
    texts = {}
    for field, after in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            texts[field.target.id] = " ".join(str(after.value.value).split())
    return texts
