"""The names of all players, and how `name:parameter=value,...` becomes one for a game.

A player is one file with one class and one line here; those that only one game has, or has in its own way, are named by
the game (`Game.players`). Parameters are the keyword-only arguments of its constructor, with their types and defaults;
`seed` and `game` are passed on where the constructor takes them. A player that lives elsewhere goes by its import path:
`mypackage.players.Cautious:depth=3`.
"""

import difflib
import importlib
import inspect
import types
import typing
from typing import Any, Final

from alphadiamond.agents.base import Agent, AgentError
from alphadiamond.base.game import Game
from alphadiamond.games import all_games
from alphadiamond.settings.players import PROGRAM, PlayerSpec

GENERAL: Final = {
    "neural": "alphadiamond.agents.neural:NeuralAgent",
    "random": "alphadiamond.agents.random:RandomAgent",
    "greedy": "alphadiamond.agents.greedy:GreedyAgent",
    "minimax": "alphadiamond.agents.minimax:MinimaxAgent",
    "mcts": "alphadiamond.agents.mcts:MctsAgent",
    "perfect": "alphadiamond.agents.perfect:PerfectAgent",
}
"""Players of every game. Name: module and class, imported only when the player is asked for."""

LEVELS: Final = {
    "beginner": "alphadiamond.agents.levels:BeginnerAgent",
    "easy": "alphadiamond.agents.levels:EasyAgent",
    "medium": "alphadiamond.agents.levels:MediumAgent",
    "hard": "alphadiamond.agents.levels:HardAgent",
    "expert": "alphadiamond.agents.levels:ExpertAgent",
    "adaptive": "alphadiamond.agents.levels:AdaptiveAgent",
}
"""The same, by how strong they are."""

PROGRAMS: Final = {PROGRAM: "alphadiamond.agents.program:ProgramAgent"}
"""Players of every game that are nobody without a command."""

_KINDS: Final = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def players_of(game: Game) -> dict[str, str]:
    """Everybody who plays a game, by name."""
    own = game.players
    names = [*GENERAL, *(name for name in own if name not in LEVELS), *LEVELS]
    return {name: own.get(name) or GENERAL.get(name) or LEVELS[name] for name in dict.fromkeys(names)}


def make_agent(text: str | PlayerSpec, *, game: Game, seed: int | None = None) -> Agent:
    """Build a player from text such as `minimax:depth=4`."""
    spec = PlayerSpec.parse(text)
    try:
        cls = agent_class(spec.name, game)
        arguments = arguments_of(spec, game)
        if seed is not None and "seed" in parameters_of(spec.name, game):
            arguments.setdefault("seed", seed)
        if _takes_game(cls):
            arguments["game"] = game
        agent = cls(**arguments)
    except AgentError as error:
        raise type(error)(error.reason, player=str(spec)) from None
    agent.spec = str(spec)
    agent.game = game
    return agent


def check_player(text: str | PlayerSpec, *, game: Game | None = None) -> None:
    """Refuse a player that does not exist, or parameters that it cannot take, without building it.

    Without a game it has to be right for one of them; the fault is told by one that knows the player.
    """
    spec = PlayerSpec.parse(text)
    faults = []
    for one in all_games() if game is None else [game]:
        try:
            _check(spec, one)
        except AgentError as error:
            faults.append((spec.name not in players_of(one), error))
        else:
            return
    raise min(faults, key=lambda fault: fault[0])[1]


def _check(spec: PlayerSpec, game: Game) -> None:
    cls = agent_class(spec.name, game)
    arguments = arguments_of(spec, game)
    cls.check(**arguments, **({"game": game} if _takes_game(cls) else {}))


def arguments_of(spec: PlayerSpec, game: Game) -> dict[str, Any]:
    """The parameters of a player, by the types that its constructor states."""
    known = parameters_of(spec.name, game)
    arguments = {}
    for key, text in spec.parameters:
        if key not in known:
            raise AgentError(_no_parameter(spec.name, key, known))
        arguments[key] = _convert(key, text, known[key].annotation)
    return arguments


def agent_class(name: str, game: Game) -> type[Agent]:
    if "." in name:
        return _imported(name)
    players = players_of(game) | PROGRAMS
    if name not in players:
        raise AgentError(_no_player(name, game, players))
    module, _, attribute = players[name].partition(":")
    cls: type[Agent] = getattr(importlib.import_module(module), attribute)
    return cls


def _no_player(name: str, game: Game, players: dict[str, str]) -> str:
    elsewhere = [other.title for other in all_games() if name in other.players]
    if elsewhere:
        return f"{name!r} plays {' and '.join(elsewhere)}, not {game.title}: there are {', '.join(players)}"
    near = difflib.get_close_matches(name, players, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"no player is called {name!r}: {hint}there are {', '.join(players)}"


def _imported(path: str) -> type[Agent]:
    module, _, attribute = path.rpartition(".")
    try:
        cls = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # somebody else's module may fail in any way
        raise AgentError(f"player {path!r} cannot be imported: {' '.join(str(error).split())}") from None
    if not (isinstance(cls, type) and issubclass(cls, Agent)):
        raise AgentError(f"player {path!r} is no subclass of alphadiamond.agents.Agent")
    return cls


def _takes_game(cls: type[Agent]) -> bool:
    return "game" in inspect.signature(cls.__init__).parameters


def parameters_of(name: str, game: Game) -> dict[str, inspect.Parameter]:
    """The keyword-only arguments of a player's constructor that a text can give, annotations resolved."""
    constructor = agent_class(name, game).__init__
    hints = typing.get_type_hints(constructor)
    return {
        parameter.name: parameter.replace(annotation=hints[parameter.name])
        for parameter in inspect.signature(constructor).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and parameter.name != "game"
    }


def _no_parameter(name: str, key: str, known: dict[str, inspect.Parameter]) -> str:
    if not known:
        return f"{name} takes no parameters"
    listed = ", ".join(f"{other}={parameter.default}" for other, parameter in known.items())
    return f"{name} has no parameter {key!r}; it takes {listed}"


def _convert(key: str, text: str, annotation: Any) -> Any:
    options = typing.get_args(annotation) if isinstance(annotation, types.UnionType) else (annotation,)
    for option in options:
        if option is bool and text in ("true", "false"):
            return text == "true"
        if option in (int, float):
            try:
                return option(text)
            except ValueError:
                continue
        if option is str:
            return text
    wanted = " or ".join(_KINDS.get(option, option.__name__) for option in options if option is not types.NoneType)
    raise AgentError(f"{key}={text}: expected {wanted}")
