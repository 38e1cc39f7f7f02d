"""The names of all players, and how `name:parameter=value,...` becomes one.

A player is one file with one class and one line here. Parameters are the keyword-only arguments of its constructor,
with their types and defaults; `seed` is passed on where the constructor takes one. A player that lives elsewhere goes
by its import path: `mypackage.players.Cautious:depth=3`.
"""

import difflib
import importlib
import inspect
import types
import typing
from typing import Any, Final

from alphadiamond.agents.base import Agent, AgentError
from alphadiamond.settings.players import PlayerSpec

PLAYERS: Final = {
    "neural": "alphadiamond.agents.neural:NeuralAgent",
    "random": "alphadiamond.agents.random:RandomAgent",
    "greedy": "alphadiamond.agents.greedy:GreedyAgent",
    "minimax": "alphadiamond.agents.minimax:MinimaxAgent",
    "mcts": "alphadiamond.agents.mcts:MctsAgent",
    "perfect": "alphadiamond.agents.perfect:PerfectAgent",
    "fuzzy": "alphadiamond.agents.fuzzy:FuzzyAgent",
    "hybrid": "alphadiamond.agents.hybrid:HybridAgent",
    "beginner": "alphadiamond.agents.levels:BeginnerAgent",
    "easy": "alphadiamond.agents.levels:EasyAgent",
    "medium": "alphadiamond.agents.levels:MediumAgent",
    "hard": "alphadiamond.agents.levels:HardAgent",
    "expert": "alphadiamond.agents.levels:ExpertAgent",
    "adaptive": "alphadiamond.agents.levels:AdaptiveAgent",
}
"""Name: module and class, imported only when the player is asked for."""


_KINDS: Final = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def make_agent(text: str | PlayerSpec, *, seed: int | None = None) -> Agent:
    """Build a player from text such as `minimax:depth=4`."""
    spec = PlayerSpec.parse(text)
    try:
        arguments = arguments_of(spec)
        if seed is not None and "seed" in parameters_of(spec.name):
            arguments.setdefault("seed", seed)
        agent = agent_class(spec.name)(**arguments)
    except AgentError as error:
        raise type(error)(error.reason, player=str(spec)) from None
    agent.spec = str(spec)
    return agent


def check_player(text: str | PlayerSpec) -> None:
    """Refuse a player that does not exist, or parameters that it cannot take, without building it."""
    spec = PlayerSpec.parse(text)
    agent_class(spec.name).check(**arguments_of(spec))


def arguments_of(spec: PlayerSpec) -> dict[str, Any]:
    """The parameters of a player, by the types that its constructor states."""
    known = parameters_of(spec.name)
    arguments = {}
    for key, text in spec.parameters:
        if key not in known:
            raise AgentError(_no_parameter(spec.name, key, known))
        arguments[key] = _convert(key, text, known[key].annotation)
    return arguments


def agent_class(name: str) -> type[Agent]:
    if "." in name:
        return _imported(name)
    if name not in PLAYERS:
        near = difflib.get_close_matches(name, PLAYERS, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise AgentError(f"no player is called {name!r}: {hint}there are {', '.join(PLAYERS)}")
    module, _, attribute = PLAYERS[name].partition(":")
    cls: type[Agent] = getattr(importlib.import_module(module), attribute)
    return cls


def _imported(path: str) -> type[Agent]:
    module, _, attribute = path.rpartition(".")
    try:
        cls = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # somebody else's module may fail in any way
        raise AgentError(f"player {path!r} cannot be imported: {' '.join(str(error).split())}") from None
    if not (isinstance(cls, type) and issubclass(cls, Agent)):
        raise AgentError(f"player {path!r} is no subclass of alphadiamond.agents.Agent")
    return cls


def parameters_of(name: str) -> dict[str, inspect.Parameter]:
    """The keyword-only arguments of a player's constructor, annotations resolved."""
    constructor = agent_class(name).__init__
    hints = typing.get_type_hints(constructor)
    return {
        parameter.name: parameter.replace(annotation=hints[parameter.name])
        for parameter in inspect.signature(constructor).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
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
