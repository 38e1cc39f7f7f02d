"""The arguments of a command line: quoted as Hydra wants them, and checked ahead of it, since its errors are long."""

import difflib
import itertools
from typing import Any, TypeVar, get_origin

from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.settings.composition import GAME, compose, groups_of, options_of, with_games
from alphadiamond.settings.players import Player, split_players
from alphadiamond.settings.ranges import Allowed, Each, Maybe, Number, near
from alphadiamond.settings.renames import new_name
from alphadiamond.settings.validation import Setting, SettingError, check, fault_of, settings_of

Settings = TypeVar("Settings")

_MOST_TRIED = 200  # combinations of a sweep that are checked ahead


class ArgumentError(AlphaDiamondError):
    """A command line that cannot be meant."""


def checked_arguments(settings: type[Any], name: str, arguments: list[str]) -> list[str]:
    """The arguments as Hydra is to see them; refused where a key, a choice or a value is wrong."""
    from hydra._internal.utils import get_args_parser

    arguments = with_games(name, arguments)
    parsed = get_args_parser().parse_args(arguments)
    known = {one.key: one for one in settings_of(settings)}
    groups = groups_of(name)
    quoted = {}
    for override in parsed.overrides:
        called = _renamed(override, settings)
        _check_key(called, known, groups)
        quoted[override] = _quoted(called, known, groups, sweep=parsed.multirun)
    if parsed.config_name is None and parsed.config_path is None and parsed.config_dir is None:
        for overrides in _combinations(list(quoted.values()), sweep=parsed.multirun):
            _check_choices(overrides, groups)
            _check_values(settings, name, overrides, known)
    return [quoted.get(argument, argument) for argument in arguments]


def typed(composed: DictConfig, settings: type[Settings]) -> Settings:
    """The settings of a composed configuration."""
    try:
        made = OmegaConf.to_object(composed)
    except OmegaConfBaseException as error:
        raise ArgumentError(_one_line(error)) from None
    assert isinstance(made, settings)
    return made


def _renamed(override: str, settings: type[Any]) -> str:
    """An override with its key as it is called now."""
    key, equals, value = override.partition("=")
    bare = key.lstrip("+~")
    return key[: len(key) - len(bare)] + new_name(settings, bare) + equals + value


def _check_key(override: str, known: dict[str, Setting], groups: list[str]) -> None:
    key, equals, _ = override.partition("=")
    bare = key.lstrip("+~")
    if not equals and not key.startswith("~"):
        raise ArgumentError(f"{override!r}: settings are given as key=value, and --help lists them")
    if bare.startswith(("hydra.", "hydra/")):
        return
    bare = bare.partition("@")[0]
    if bare in known or bare in groups or any(other.startswith(f"{bare}.") for other in known):
        return
    found = difflib.get_close_matches(bare, [*known, *groups], n=1, cutoff=0.4)
    hint = f"did you mean {found[0]!r}?" if found else "--help lists them all"
    raise ArgumentError(f"no setting is called {bare!r}; {hint}")


def _quoted(argument: str, known: dict[str, Setting], groups: list[str], *, sweep: bool) -> str:
    """Put the quotes that Hydra needs around text, and brackets around lists; what is quoted stays.

    In a sweep a comma parts the values to be tried, so there only what stands in brackets is known to be one list.
    """
    key, equals, value = argument.partition("=")
    one = known.get(key.lstrip("+"))
    if not equals or one is None or key in groups or value in ("", "null") or _is_quoted(value, one):
        return argument
    if value == "auto" and one.whole:  # said in words: workers=auto
        if isinstance(one.allowed, Maybe):
            return f"{key}=null"
        if isinstance(one.allowed, Number) and one.allowed.note.startswith("0 for"):
            return f"{key}=0"
    bracketed = value.startswith("[") and value.endswith("]")
    if get_origin(one.kind) is list:
        if sweep and not bracketed:
            return argument
        inner = value[1:-1] if bracketed else value
        parts = split_players(inner) if _holds_players(one.allowed) else [part.strip() for part in inner.split(",")]
        shown = [part if one.kind == list[float] else _quote(part) for part in parts if part]
        return f"{key}=[{','.join(shown)}]"
    if one.kind in (str, str | None) and not sweep and "${" not in value:
        return f"{key}={_quote(value)}"
    return argument


def _is_quoted(value: str, one: Setting) -> bool:
    """Whether the quotes in a value are Hydra's; a player has quotes of its own after an equals sign."""
    if _holds_players(one.allowed) and '="' in value:
        return value.lstrip("[ ")[:1] in ("'", '"')
    return any(mark in value for mark in "'\"")


def _quote(value: str) -> str:
    return "'" + value.replace("\\'", "\\\\'").replace("'", "\\'") + "'"


def _holds_players(allowed: Allowed | None) -> bool:
    while isinstance(allowed, Each | Maybe):
        allowed = allowed.inner
    return isinstance(allowed, Player)


def _combinations(overrides: list[str], *, sweep: bool) -> list[list[str]]:
    """The plain overrides of every job of a sweep; of a very large one, the first."""
    if not sweep:
        return [overrides]
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    parser = OverridesParser.create()
    try:
        parsed = [parser.parse_override(one) for one in overrides]
        values = [
            [f"{one.get_key_element()}={value}" for value in one.sweep_string_iterator()]
            if one.is_sweep_override()
            else [text]
            for one, text in zip(parsed, overrides, strict=True)
        ]
    except HydraException as error:
        raise ArgumentError(_one_line(error)) from None
    return [list(one) for one in itertools.islice(itertools.product(*values), _MOST_TRIED)]


def _check_choices(overrides: list[str], groups: list[str]) -> None:
    for override in overrides:
        key, _, value = override.partition("=")
        group = key.lstrip("+").partition("@")[0]
        if group == GAME and group in groups:  # any that there is, whether it has a file or not
            continue
        if group in groups and value not in (options := options_of(group)):
            raise ArgumentError(f"{group}={value}: expected one of {', '.join(options)}{near(value, options)}")


def _check_values(settings: type[Any], name: str, overrides: list[str], known: dict[str, Setting]) -> None:
    """Compose once ahead of Hydra, and check what comes of it."""
    from hydra.errors import HydraException

    try:
        check(typed(compose(name, overrides), settings))
    except (HydraException, OmegaConfBaseException) as error:
        cause = error.__cause__ if isinstance(error.__cause__, OmegaConfBaseException) else error
        one = known.get(getattr(cause, "full_key", None) or "")
        if one is None:
            raise ArgumentError(_one_line(cause)) from None
        given = [override.partition("=")[2] for override in overrides if override.partition("=")[0] == one.key]
        raise SettingError(one.key, given[-1] if given else "", fault_of(one, object())) from None


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split("\n")[0].split())
