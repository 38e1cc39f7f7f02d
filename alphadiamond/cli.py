"""The frame of every script: a typed Hydra configuration, `--help` that documents it, and errors of one line."""

import ast
import dataclasses
import difflib
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from alphadiamond.errors import AlphaDiamondError

Settings = TypeVar("Settings")

CONFIGS = Path(__file__).parents[1] / "configs"


def run(task: Callable[[Settings], None], settings: type[Settings], name: str) -> None:
    """Read configs/NAME.yaml, typed by a dataclass, with the overrides of the command line, and run the task on it.

    The YAML file names `NAME_settings` in its defaults list; keys that the dataclass does not have are refused.
    """
    import hydra
    from hydra.core.config_store import ConfigStore
    from omegaconf import DictConfig, OmegaConf

    arguments = sys.argv[1:]
    if "--help" in arguments or "-h" in arguments:
        print(_help(task, settings), end="")
        return
    ConfigStore.instance().store(name=f"{name}_settings", node=settings)
    if not any(argument.startswith("-") for argument in arguments):
        _check(name, settings, arguments)

    @hydra.main(config_path=str(CONFIGS), config_name=name, version_base="1.3")
    def main(composed: DictConfig) -> None:
        try:
            task(OmegaConf.to_object(composed))  # type: ignore[arg-type]
        except AlphaDiamondError as error:
            fail(str(error))
        except KeyboardInterrupt:
            fail("interrupted", code=130)
        except BrokenPipeError:
            sys.exit(1)

    main()


def name_first(key: str) -> None:
    """Let the first argument of the command line be the value of `key`, without its name."""
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and "=" not in sys.argv[1].split("/")[0]:
        value = sys.argv[1].replace("\\", "\\\\").replace("'", "\\'")
        sys.argv[1] = f"{key}='{value}'"


def fail(message: str, *, code: int = 2) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


def _check(name: str, settings: type[Any], overrides: list[str]) -> None:
    """Compose once ahead of Hydra, whose own errors are long, and say in one line what is wrong."""
    import hydra
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    known = [key for key, _, _ in _fields(settings)]
    for override in overrides:
        key, equals, _ = override.partition("=")
        if not equals:
            fail(f"{override!r}: settings are given as key=value, and --help lists them")
        key = key.lstrip("+~")
        if key.startswith(("hydra.", "hydra/")):
            continue
        groups = {path.name for path in CONFIGS.iterdir() if path.is_dir()}
        if key not in known and key not in groups and not any(other.startswith(f"{key}.") for other in known):
            near = difflib.get_close_matches(key, [*known, *groups], n=1, cutoff=0.4)
            hint = f"did you mean {near[0]!r}?" if near else "--help lists them all"
            fail(f"no setting is called {key!r}; {hint}")
    try:
        with hydra.initialize_config_dir(str(CONFIGS), version_base="1.3"):
            hydra.compose(name, overrides=overrides, return_hydra_config=True)
    except (HydraException, OmegaConfBaseException) as error:
        cause = error.__cause__ if isinstance(error.__cause__, OmegaConfBaseException) else error
        where = getattr(cause, "full_key", None)
        fail((f"{where}: " if where else "") + " ".join(str(cause).split("\n")[0].split()))


def _help(task: Callable[[Any], None], settings: type[Any]) -> str:
    script = Path(sys.argv[0]).name
    lines = [inspect.getdoc(sys.modules["__main__"]) or inspect.getdoc(task) or "", ""]
    lines += [f"usage: python scripts/{script} [key=value ...]", "", "settings, with their defaults:"]
    for key, default, text in _fields(settings):
        lines.append(f"  {key}={default}")
        lines += textwrap.wrap(text, 100, initial_indent="      ", subsequent_indent="      ")
    lines += ["", "also: --cfg job (print the configuration), --multirun (sweeps), --hydra-help (all of Hydra)", ""]
    return "\n".join(lines)


def _fields(settings: type[Any], prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """(key, default, documentation) of every setting, nested ones by their dotted key."""
    texts = _field_texts(settings)
    for field in dataclasses.fields(settings):
        key = prefix + field.name
        if dataclasses.is_dataclass(field.type) and isinstance(field.type, type):
            yield from _fields(field.type, f"{key}.")
            continue
        if field.default is not dataclasses.MISSING:
            default = field.default
        elif field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        else:
            default = "???"
        shown = "null" if default is None else str(default).lower() if isinstance(default, bool) else str(default)
        yield key, shown, texts.get(field.name, "")


def _field_texts(settings: type[Any]) -> dict[str, str]:
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
