"""Ask a server's bot without a server."""

import asyncio

from alphadiamond.server.bot_pool import BotPool, Thought


async def thought_of(game: str, spec: str, start: str, moves: list[str], *, opinion: bool = False) -> Thought:
    pool = BotPool(1, seconds=5.0)
    pool.start()
    heard: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
    pool.ask(game, spec, start, moves, heard.set_result, opinion=opinion)
    try:
        return await asyncio.wait_for(heard, 120)
    finally:
        await pool.stop()
