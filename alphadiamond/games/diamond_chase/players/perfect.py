"""The perfect player, with a tablebase of one's choice."""

from pathlib import Path
from typing import Annotated, Any, ClassVar

from alphadiamond.agents import perfect
from alphadiamond.agents.base import AgentError, Game, UnavailableError
from alphadiamond.games.diamond_chase.game import GAME
from alphadiamond.games.diamond_chase.solver import TablebaseError, default_directory
from alphadiamond.games.diamond_chase.solver import tablebase as tablebases
from alphadiamond.settings.ranges import SEED, text


class PerfectAgent(perfect.PerfectAgent):
    __doc__ = perfect.PerfectAgent.__doc__

    weighs_every_draw: ClassVar[bool] = True

    def __init__(
        self,
        *,
        game: Game = GAME,
        tablebase: Annotated[str, text("the directory of a tablebase; empty for the user's own")] = "",
        seed: Annotated[int | None, SEED] = None,
    ) -> None:
        super().check(tablebase=tablebase, seed=seed)  # the layers themselves are looked at right away
        self.game = game
        try:
            found = tablebases.shared(Path(tablebase) if tablebase else default_directory())
        except TablebaseError as error:
            raise UnavailableError(str(error)) from None
        self.prepare(found, seed)

    @classmethod
    def check(cls, **parameters: Any) -> None:
        """Also whether the layers are there; what they hold is checked when they are used."""
        parameters.pop("game", None)
        super().check(**parameters)
        named = parameters.get("tablebase", "")
        directory = Path(named) if named else default_directory()
        if not tablebases.is_whole(directory):
            lacking = f"{directory}: no whole tablebase there; `make solve` makes one in a minute or so"
            raise AgentError(lacking) if named else UnavailableError(lacking)
