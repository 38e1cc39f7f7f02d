"""The frame of every script: a typed Hydra configuration, `--help` that documents it, and errors of one line."""

import os
import sys
from collections.abc import Callable
from typing import NoReturn, TypeVar

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.resources import CONFIGS
from alphadiamond.settings import check
from alphadiamond.settings.games import DEFAULT_GAME

Settings = TypeVar("Settings")

INTERRUPTED = 130

completing = False
"""Whether a shell asks for what may be typed, and nothing is to be run."""


def run(
    task: Callable[[Settings], None],
    settings: type[Settings],
    name: str,
    *,
    games: Callable[[Settings], list[str]] | None = None,
) -> None:
    """Read configs/NAME.yaml, typed by a dataclass, with the overrides of the command line, and run the task on it.

    The YAML file names `NAME_settings` in its defaults list; keys that the dataclass does not have are refused, and so
    is every value that is out of its setting's range, before the task is begun. What the task needs it imports itself,
    so that nobody waits for it who only asks for help or has mistyped something. What it needs of compiled code for
    `games`, by default that of the setting `game`, is compiled before it.
    """
    try:
        _run(task, settings, name, games or _game)
    except AlphaDiamondError as error:
        fail(str(error))
    except KeyboardInterrupt:
        fail("interrupted", code=INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains once more at its end
        sys.exit(1)


def _run(
    task: Callable[[Settings], None], settings: type[Settings], name: str, games: Callable[[Settings], list[str]]
) -> None:
    from alphadiamond.settings.composition import register
    from alphadiamond.settings.games import with_game_names

    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # players and games of one's own may lie here; last, so that they hide nothing
    register(name, settings)
    if completing:
        print("\n".join(_words(settings, name)))
        return
    arguments = with_game_names(sys.argv[1:], settings)
    if "--help" in arguments or "-h" in arguments:
        from alphadiamond.settings.help import help_text

        about = sys.modules["__main__"].__doc__ or task.__doc__ or ""
        called = f"alphadiamond {name.replace('_', '-')}"
        print(help_text(about, settings, name, arguments, program=called), end="")
        return
    import hydra
    from omegaconf import DictConfig

    from alphadiamond.precompile import prepare
    from alphadiamond.settings.overrides import checked_arguments, typed

    sys.argv[1:] = checked_arguments(settings, name, arguments)

    @hydra.main(config_path=str(CONFIGS), config_name=name, version_base="1.3")
    def main(composed: DictConfig) -> None:
        try:
            made = typed(composed, settings)
            check(made)
            prepare(name, games(made))
            task(made)
        # Caught in here, since Hydra prints what passes through it.
        except AlphaDiamondError as error:
            fail(str(error))
        except KeyboardInterrupt:
            fail("interrupted", code=INTERRUPTED)
        except BrokenPipeError:
            sys.exit(1)

    main()


def _words(settings: type[Settings], name: str) -> list[str]:
    """All that can begin an argument: settings, and the options of what is chosen by name."""
    from alphadiamond.settings.composition import groups_of, options_of
    from alphadiamond.settings.validation import settings_of

    groups = groups_of(name)
    chosen = [f"{group}={option}" for group in groups for option in options_of(group)]
    return [*chosen, *(f"{one.key}=" for one in settings_of(settings) if one.key not in groups), "--help"]


def _game(settings: object) -> list[str]:
    return [getattr(settings, "game", None) or DEFAULT_GAME]


def name_bare(key: str) -> None:
    """Let the first argument of the command line that has no name be the value of `key`."""
    for number, argument in enumerate(sys.argv[1:], start=1):
        if argument.startswith(f"{key}="):
            return
        option = argument.startswith("-") and argument != "-"
        of_option = number > 1 and sys.argv[number - 1].startswith("--")  # such as `--cfg job`
        if not (option or of_option) and "=" not in argument.split("/")[0]:
            value = argument.replace("\\", "\\\\").replace("'", "\\'")
            sys.argv[number] = f"{key}='{value}'"
            return


def fail(message: str, *, code: int = 2) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


__all__ = ["fail", "name_bare", "run"]
