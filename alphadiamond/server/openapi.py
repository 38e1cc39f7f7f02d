"""The HTTP interface as an OpenAPI description: for programs, and for whoever tries it out at random."""

import functools
from typing import Any, Final

import alphadiamond

_TEXT: Final = {"type": "string"}
_NAME: Final = {"type": "string", "minLength": 1, "maxLength": 128}
_QUERY: Final = {"start": _TEXT, "before": {"type": "string", "pattern": "^[0-9]{1,17}$"}}
_ERRORS: Final = {
    "400": "not a request of this interface",
    "404": "there is no such thing",
    "429": "too many requests; `retry-after` says when",
    "503": "not now: the server stops, or its machine is in trouble",
}

_PATHS: Final[dict[str, tuple[str, str, tuple[str, ...]]]] = {
    "/health": ("Whether the server serves.", "application/json", ()),
    "/api/games": ("The games and bots, as in `welcome`.", "application/json", ()),
    "/api/drawings/{game}": ("How a game is drawn.", "application/json", ("start",)),
    "/api/leaderboard/{game}": (
        "People whose ratings are known well, by rating, and the bots.",
        "application/json",
        (),
    ),
    "/api/people/{name}": ("A person's ratings and results.", "application/json", ()),
    "/api/people/{name}/games": ("Finished games, the newest first, 50 at a time.", "application/json", ("before",)),
    "/api/people/{name}/curve/{game}": ("The rating after each rated game.", "application/json", ()),
    "/api/people/{name}/results/{game}": ("Results by opponent and opening.", "application/json", ()),
    "/api/people/{name}/puzzles": ("Standings in puzzles.", "application/json", ()),
    "/api/people/{name}/records": ("All finished games as records.", "text/plain", ()),
    "/api/versus/{one}/{two}": ("Head to head.", "application/json", ()),
    "/api/records/{code}": ("A game as a record.", "text/plain", ()),
    "/api/export": ("All that is kept about whoever has the token.", "application/jsonl", ()),
    "/api/openapi.json": ("This description.", "application/json", ()),
}


@functools.cache
def description() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "AlphaDiamond", "version": alphadiamond.__version__, "description": "For reading only."},
        "paths": {path: {"get": _operation(path, *what)} for path, what in _PATHS.items()},
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _operation(path: str, says: str, kind: str, query: tuple[str, ...]) -> dict[str, Any]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": _NAME if name != "code" else _TEXT} for name in names
    ]
    parameters += [{"name": name, "in": "query", "schema": _QUERY[name]} for name in query]
    answers: dict[str, Any] = {"200": {"description": says, "content": {kind: {}}}}
    for status, words in _ERRORS.items():
        answers[status] = {"description": words, "content": {"text/plain": {}}}
    made: dict[str, Any] = {"summary": says, "parameters": parameters, "responses": answers}
    if path == "/health":
        answers["503"]["content"] = {"application/json": {}}
    if path == "/api/export":
        answers["401"] = {"description": "no token, or none that is valid", "content": {"text/plain": {}}}
        made["security"] = [{"token": []}]
    return made
