"""A place to choose the game, where there are several."""

from typing import TYPE_CHECKING

import pygame

from alphadiamond.client.layout import Space
from alphadiamond.client.widgets import Segments
from alphadiamond.games import all_games

if TYPE_CHECKING:
    from alphadiamond.client.scene import Scene


def game_segments(scene: "Scene", rect: pygame.Rect) -> Segments:
    """The games side by side, the one at hand chosen."""
    games = all_games()

    def choose(number: int) -> None:
        scene.app.sounds.play("click")
        scene.app.use_game(games[number])
        scene.refresh()

    titles = [game.title for game in games]
    style, widths = Segments.fitting(scene.painter, titles, rect.width, pad=scene.px(16))
    return Segments("game", rect, titles, games.index(scene.app.game), choose, style=style, widths=widths)


def add_games(scene: "Scene", body: pygame.Rect) -> pygame.Rect:
    """A row for choosing the game along the top of a page; returns what is left of it."""
    if len(all_games()) < 2:
        return body
    space = Space(body)
    row = space.top(scene.painter.look.control(), scene.px(8))
    width = min(body.width, scene.px(640))
    scene.add(game_segments(scene, pygame.Rect(body.centerx - width // 2, row.top, width, row.height)))
    return space.rest
