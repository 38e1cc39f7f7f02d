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


def make_agent(spec: str, *, seed: int | None = None) -> Agent:
    """Build a player from text such as `minimax:depth=4`."""
    name, _, rest = spec.strip().partition(":")
    cls = agent_class(name)
    known = parameters_of(name)
    arguments: dict[str, Any] = {}
    for part in rest.split(",") if rest else []:
        key, equals, text = part.partition("=")
        key = key.strip()
        if not equals:
            raise AgentError(f"player {spec!r}: {part!r} is not of the form parameter=value")
        if key not in known:
            raise AgentError(f"player {spec!r}: {_no_parameter(name, key, known)}")
        if key in arguments:
            raise AgentError(f"player {spec!r}: parameter {key} stands twice")
        arguments[key] = _convert(spec, key, text.strip(), known[key].annotation)
    if "seed" in known and "seed" not in arguments and seed is not None:
        arguments["seed"] = seed
    try:
        agent = cls(**arguments)
    except AgentError as error:
        raise AgentError(f"player {spec!r}: {error}") from None
    agent.spec = spec.strip()
    return agent


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
    except (ImportError, AttributeError, ValueError) as error:
        raise AgentError(f"player {path!r} cannot be imported: {error}") from None
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


def _convert(spec: str, key: str, text: str, annotation: Any) -> Any:
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
    wanted = " or ".join(option.__name__ for option in options if option is not types.NoneType)
    raise AgentError(f"player {spec!r}: {key}={text} is no {wanted}")
