"""The operator's way in: a socket in the data directory that only its owner can use, one line of JSON each way.

`alphadiamond serve moderate=ACTION` is the other end. What an operator does is in the log.
"""

import asyncio
import contextlib
import json
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from alphadiamond.server.errors import RefusedError, ServerError
from alphadiamond.server.moderation import Moderation
from alphadiamond.server.people import People

SOCKET: Final = "control.socket"
ACTIONS: Final = (
    "list",
    "list/PART",  # people whose name holds a text, the newest first
    "rename/NAME/NEW",
    "silence/NAME",  # no offers and challenges to others, in no list of the lobby
    "unsilence/NAME",
    "remove/NAME",  # resign the games, forget name and token for good
    "end/GAME",  # without a result, by its code
)
_BY: Final = "operator"
_SECONDS: Final = 30.0
_log = logging.getLogger("alphadiamond.server")


class Control:
    """The server's end."""

    def __init__(self, moderation: Moderation, people: People) -> None:
        self._moderation = moderation
        self._people = people

    @contextlib.asynccontextmanager
    async def listening(self, directory: Path) -> Any:
        path = directory / SOCKET
        if not hasattr(asyncio, "start_unix_server"):  # Windows
            yield
            return
        path.unlink(missing_ok=True)  # the directory's lock says that no other server uses it
        before = os.umask(0o177)
        try:
            server = await asyncio.start_unix_server(self._serve, path)
        except OSError as error:  # a path that is too long for the system, say
            _log.warning("no moderation", extra={"fault": str(error)})
            yield
            return
        finally:
            os.umask(before)
        try:
            yield
        finally:
            server.close()
            path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_SECONDS):
                action, *words = json.loads(await reader.readline())
                answer = await self._do(action, words)
        except RefusedError as error:
            answer = {"error": error.message}
        except (TimeoutError, ValueError, TypeError) as error:
            answer = {"error": str(error) or "no answer"}
        with contextlib.suppress(OSError):
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
            writer.close()

    async def _do(self, action: str, words: list[str]) -> dict[str, Any]:
        moderation = self._moderation
        if action == "list":
            return {"people": await moderation.list(words[0] if words else "")}
        if action == "end":
            return await _done(lambda done: moderation.end_game(words[0], _BY, done))
        person = await self._people.find(words[0])
        if person.bot:
            raise RefusedError("not_allowed", "that is a bot")
        if action == "rename":
            return await _done(lambda done: moderation.rename(person, words[1], _BY, done))
        if action in ("silence", "unsilence"):
            return await _done(lambda done: moderation.silence(person, action == "silence", _BY, done))
        return await _done(lambda done: moderation.remove(person, _BY, done))


async def _done(act: Callable[[Callable[[], None]], Awaitable[None] | None]) -> dict[str, Any]:
    """Do it, and wait until it is on disk."""
    written = asyncio.Event()
    begun = act(written.set)
    if begun is not None:
        await begun
    await written.wait()
    return {"done": True}


def words_of(text: str) -> list[str]:
    """An action with its words; `ServerError` says what is wrong."""
    action, *words = text.split("/")
    forms = [form for form in ACTIONS if form.split("/")[0] == action and form.count("/") == len(words)]
    if not forms or not all(words):
        raise ServerError(f"moderate: expected one of {', '.join(ACTIONS)}")
    return [action, *words]


def ask(directory: Path, text: str) -> str:
    """The operator's end: what was done, or the list, for a person to read."""
    request = words_of(text)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.settimeout(_SECONDS)
            made.connect(str(directory / SOCKET))
            made.sendall(json.dumps(request).encode() + b"\n")
            with made.makefile("rb") as answers:
                answer = json.loads(answers.readline() or b"{}")
    except (OSError, ValueError) as error:
        raise ServerError(f"{directory}: no server answers there ({error})") from None
    if "error" in answer:
        raise ServerError(str(answer["error"]))
    if "people" not in answer:
        return "done"
    lines = [
        f"{one['name']:24}  {one['games']:6,} games  {'here' if one['here'] else '':4}  "
        f"{'silenced' if one['silenced'] else '':8}  {' '.join(one['playing'])}".rstrip()
        for one in answer["people"]
    ]
    return "\n".join(lines) or "nobody"
