"""A bot to begin from: it offers games to anybody and plays whatever `choose` says.

    python -m alphadiamond.online.bot ws://127.0.0.1:8765/ws "My bot" diamond_chase

plays at random. It keeps its token in the file `NAME.token`, so that it is the same next time.
"""

import asyncio
import random
import sys
from collections.abc import Callable
from pathlib import Path

from alphadiamond.errors import AlphaDiamondError
from alphadiamond.online import messages as m
from alphadiamond.online.client import Client, OnlineError, View
from alphadiamond.online.game_state import GameState


def at_random(state: GameState) -> str:
    """Any legal move: the server says which there are."""
    return random.choice(state.legal)[0]


async def play(
    client: Client, game: str, choose: Callable[[GameState], str], *, games: int | None = None
) -> list[View]:
    """Offer games and play them, one after the other or several at once, until so many are over."""
    over: list[View] = []
    terms = m.Terms(game)
    await client.ask(m.Seek(terms=terms))
    while games is None or len(over) < games:
        event = await client.next_event()
        if isinstance(event, m.Welcome):  # a new connection: seeks went with the old one
            await client.ask(m.Seek(terms=terms))
        view = client.games.get(getattr(event, "game", None) or "")
        if view is None:
            continue
        if isinstance(event, m.Ended):
            over.append(view)
            await client.ask(m.Seek(terms=terms))
        elif isinstance(event, m.Offered) and event.seat not in (None, view.seat):
            await client.send(m.Refuse(game=view.code, what=event.what))
        elif view.mine and isinstance(event, m.Game | m.Moved):
            try:
                await client.move(view, choose(view.state))
            except OnlineError as error:
                if error.code not in ("late", "over"):  # it has ended, or moved on, in the meantime
                    raise
    return over


async def main(address: str, name: str, game: str) -> None:
    kept = Path(f"{name}.token")
    token = kept.read_text(encoding="utf-8").strip() if kept.is_file() else None
    async with Client(address, name=name, token=token) as client:
        if client.token is not None and client.token != token:
            kept.touch(mode=0o600)
            kept.write_text(client.token + "\n", encoding="utf-8")
        await play(client, game, at_random)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python -m alphadiamond.online.bot ADDRESS NAME GAME")
    try:
        asyncio.run(main(*sys.argv[1:]))
    except AlphaDiamondError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
