"""What `--help` prints: every setting with what a plain run would use, its range, and what it is for."""

import ast
import inspect
import textwrap
from typing import Any

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


def _settings_lines(settings: type[Any], taken: Any) -> list[str]:
    """Every setting under the name of its part, such as selfplay.search. A part of a kind that has been explained
    before says where, and in what it differs from that."""
    parts: dict[str, list[Setting]] = {"": []}
    for one in settings_of(settings):
        parts.setdefault(one.key.rpartition(".")[0], []).append(one)
    lines: list[str] = []
    explained: dict[type[Any], str] = {}
    for part, members in parts.items():
        before = explained.get(members[0].owner, part)
        values = [(one, value_of(taken, one.key)) for one in members]
        if before != part:
            other = [(one, value) for one, value in values if value != value_of(taken, f"{before}.{one.name}")]
            lines += ["", f"{part}: as {before}{', but' if other else ''}"]
            lines += [f"  {one.key}={shown(value)}" for one, value in other]
            continue
        lines += ["", f"{part}:"] if part else []
        explained[members[0].owner] = part
        texts = _texts(members[0].owner)
        for one, value in values:
            lines.append(f"  {one.key}={shown(value)}")
            text = f"{texts.get(one.name, '')} [{one.allowed}]"
            lines += textwrap.wrap(text, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return lines


def _texts(settings: type[Any]) -> dict[str, str]:
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
