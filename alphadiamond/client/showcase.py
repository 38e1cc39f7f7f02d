"""Every scene brought to a state worth looking at, for pictures and for the checks of the layout."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pygame

from alphadiamond.agents import players_of
from alphadiamond.base.game import Game
from alphadiamond.base.record import GameRecord
from alphadiamond.client.board import BoardWidget
from alphadiamond.client.scenes.analysis import AnalysisScene
from alphadiamond.client.scenes.board_scene import BoardScene
from alphadiamond.client.scenes.confirm import ConfirmScene
from alphadiamond.client.scenes.editor import EditorScene
from alphadiamond.client.scenes.game import GameScene
from alphadiamond.client.scenes.game_over import GameOverScene
from alphadiamond.client.scenes.games import GamesScene
from alphadiamond.client.scenes.lobby import LobbyScene
from alphadiamond.client.scenes.log import LogScene
from alphadiamond.client.scenes.mode import ModeScene
from alphadiamond.client.scenes.networks import NetworksScene
from alphadiamond.client.scenes.opponent import OpponentScene
from alphadiamond.client.scenes.paste import PasteScene
from alphadiamond.client.scenes.replay import ReplayScene
from alphadiamond.client.scenes.settings import SettingsScene
from alphadiamond.client.scenes.simulation import SimulationScene
from alphadiamond.client.scenes.solve import SolveScene
from alphadiamond.client.scenes.statistics import StatisticsScene
from alphadiamond.client.scenes.title import TitleScene
from alphadiamond.client.scenes.tutorial import TutorialScene
from alphadiamond.client.statistics import GameResult
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.play.analysts import analyst_specs
from alphadiamond.play.opponents import short_title_of
from alphadiamond.play.session import Session
from alphadiamond.play.variations import Variations

if TYPE_CHECKING:
    from alphadiamond.client.app import App
    from alphadiamond.client.scene import Scene

_FRAME = 1 / 60
_PATIENCE = 120.0


class StagingError(AlphaDiamondError):
    """A scene that did not come to the state it was to be shown in."""


def sample_record(*, moves: int = 200, first: str = "human", second: str = "minimax:depth=4", game: Game) -> GameRecord:
    """A game, the same each time."""
    start = _start(game)
    played = game.drawing_for(start).sample(moves, start=start)
    return game.record(start, played, players=(first, second), date="2026-11-16")


def _start(game: Game) -> Any:
    return game.parse(game.drawing.pictured_from) if game.drawing.pictured_from else game.sample_start()


def _rival(app: "App") -> str:
    """A player that the game has."""
    return "hybrid" if "hybrid" in players_of(app.game) else "greedy"


def prepare(app: "App") -> None:
    """A title below everything, results to count and games to list, and the answers about players awaited."""
    app.stack.append(TitleScene(app))
    app.scene.entered()
    pattern = "won won lost drawn won lost won won won drawn lost won"
    rivals = ("Minimax · Depth 4", "Tree search", "Hard", short_title_of(_rival(app)))
    if not app.game.drawing.draws:
        pattern = pattern.replace("drawn", "lost")
    short = app.game.longest < 100
    for number, result in enumerate(pattern.split()):
        colour = str(app.game.sides[0 if number % 3 else 1])
        plies = app.game.longest * (number + 24) // 50 if short else 40 + 7 * number
        numbers = (plies, 60, 9, 6 + number % 4) if short else (plies, 120, 30, 20 + number % 9)
        ending = app.game.endings[0]
        app.statistics.add(GameResult(rivals[number % 4], colour, result, ending, *numbers, game=app.game))
    app.library.save(sample_record(game=app.game))
    app.library.save(sample_record(moves=18, second=_rival(app), game=app.game))
    for _ in range(2):  # the second begins to look for the solution
        app.frame(_FRAME)
    _until(app, lambda: not app.analysts_busy_checking() and not app.solution_lookup.loading, "known who can be had")


def _game(app: "App", moves: int = 9) -> GameScene:
    return GameScene(app, Session.of_record(sample_record(moves=moves, game=app.game)))


def _playing(app: "App") -> "Scene":
    scene = _game(app, app.game.drawing.pictured_plies)
    scene.board.selected = next((node for node in scene.board.movable if len(scene.board.targets(node)) > 1), None)
    return scene


def _analysis(app: "App") -> "Scene":
    scene = _game(app, app.game.drawing.pictured_plies)
    scene.toggle_analysis()
    return scene


def _together(app: "App") -> "Scene":
    scene = _game(app, app.game.drawing.pictured_plies)
    scene.toggle_analysis()
    scene.toggle_together()
    return scene


def _watch(app: "App") -> "Scene":
    session = Session.of_record(sample_record(moves=14, first=_rival(app), second="mcts", game=app.game))
    scene = GameScene(app, session)
    scene.paused = True
    return scene


def _over(app: "App") -> "Scene":
    """The end of a game that the person has won."""
    session = Session.of_record(sample_record(second="human", game=app.game))
    if session.winner is not None:
        session.give_seat(session.winner.other, "minimax:depth=4")
    game = GameScene(app, session)
    app.push(game)
    for _ in range(30):
        app.frame(_FRAME)
    game.celebrate()
    return GameOverScene(app, game)


def _replay(app: "App") -> "Scene":
    scene = ReplayScene(app, sample_record(game=app.game))
    scene.look(len(scene.session.plies) * 2 // 3)
    return scene


def _variations(app: "App") -> "Scene":
    """A few moves, and some others that could have been played."""
    record = sample_record(moves=app.game.drawing.pictured_plies, game=app.game)
    tree = Variations.of_moves(app.game, record.start, record.moves)
    line = tree.line()
    for number, (depth, plies) in enumerate(((len(line) - 2, 1), (len(line) - 4, 3), (len(line) - 4, 2))):
        tree.at = line[max(0, depth)]
        for _ in range(plies):
            others = [move for move in tree.position.moves() if tree.at.child(move) is None]
            if others:
                tree.play(others[(number + 2) % len(others)])
    tree.at = line[-1]
    return AnalysisScene(app, tree)


def _editor(app: "App") -> "Scene":
    record = sample_record(moves=app.game.drawing.pictured_plies, game=app.game)
    return EditorScene(app, record.final, lambda position: None)


def _paste(app: "App") -> "Scene":
    app.push(AnalysisScene.at_start(app))
    return PasteScene(app, str(app.game.sample_start()), lambda tree: None)


def _simulation(app: "App") -> "Scene":
    """In the middle of the walk."""
    scene = SimulationScene(app, _start(app.game))
    scene.playing = False
    scene.map = True
    scene.go(round(scene.last * 0.22))
    return scene


def _log(app: "App") -> "Scene":
    return LogScene(app, Session.of_record(sample_record(game=app.game)))


def _fog(app: "App") -> "Scene":
    app.settings.fog = True
    return _game(app, app.game.drawing.pictured_plies)


def _confirm(app: "App") -> "Scene":
    app.push(_game(app))
    text = "It is kept: “Continue” on the title brings it back."
    return ConfirmScene(app, "Leave the game?", text, "Leave", lambda: None)


def _lesson(app: "App") -> "Scene":
    scene = TutorialScene(app)
    scene.number = min(1, len(scene.lessons) - 1)
    scene._begin()
    return scene


SCENES: Final[dict[str, Callable[["App"], "Scene | None"]]] = {
    "title": lambda app: None,
    "mode": ModeScene,
    "opponent": OpponentScene,
    "watch-setup": lambda app: OpponentScene(app, watch=True),
    "game": _playing,
    "analysis": _analysis,
    "side-by-side": _together,
    "watch": _watch,
    "game-over": _over,
    "replay": _replay,
    "variations": _variations,
    "editor": _editor,
    "paste": _paste,
    "tutorial": _lesson,
    "games": GamesScene,
    "statistics": StatisticsScene,
    "settings": SettingsScene,
    "networks": NetworksScene,
    "solving": SolveScene,
    "confirm": _confirm,
    "online": LobbyScene,
}
WAY_SCENES: Final[dict[str, Callable[["App"], "Scene | None"]]] = {"simulation": _simulation, "log": _log, "fog": _fog}
"""Of games in which pieces look for their way."""


def stage(app: "App", name: str, *, frames: int = 40, patient: bool = True, patience: float = _PATIENCE) -> None:
    """Bring a scene on, and let it settle; `patient` waits for players to have said more than their first word.

    Whoever says nothing for `patience` seconds is an error: a panel that stays empty is no picture of it.
    """
    app.home()
    app.settings.fog = False
    scene = (SCENES | WAY_SCENES)[name](app)
    if scene is not None:
        app.push(scene)
    if name == "game" and (app.game.drawing.columns or app.game.drawing.ways):
        _point(app)
    if name in ("analysis", "side-by-side", "variations"):
        assert isinstance(scene, BoardScene)
        wanted = min(5, len(analyst_specs(app.roster))) if name == "side-by-side" else 1
        _until(app, lambda: len(scene.analyses) >= wanted, f"{name}: an answer of {wanted} of the players", patience)
        if patient and app.solution_lookup.ready:
            _until(app, lambda: bool(app.solution_lookup.moves(scene.position)), f"{name}: the exact values", patience)
        end = time.monotonic() + (0.8 if patient else 0.0)
        _until(app, lambda: time.monotonic() > end, "a moment later", patience)
        app.analysts.cancel()
    if name == "replay" and patient:
        assert isinstance(scene, ReplayScene)
        plies = len(scene.session.plies)
        _until(app, lambda: len(scene.evaluations.values) >= plies, "replay: a value after every ply", patience)
    for _ in range(frames):
        app.frame(_FRAME)


def _point(app: "App") -> None:
    """The pointer over the cursor's column or the way home, for what is seen there."""
    app.frame(_FRAME)
    board = next(widget for widget in app.scene.widgets if isinstance(widget, BoardWidget))
    ways = board.drawing.ways
    far = ways.cheapest(board.position, board.position.side).path[-1] if ways is not None else board.cursor
    point = board.geometry.spot_point(far)
    place = (round(point[0]), round(point[1]))
    app.scene.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=place, rel=(0, 0), buttons=(0, 0, 0)))


def _until(app: "App", done: Callable[[], bool], what: str, patience: float = _PATIENCE) -> None:
    end = time.monotonic() + patience
    while not done():
        if time.monotonic() > end:
            raise StagingError(f"waited {patience:.0f} s in vain for this: {what}")
        app.frame(_FRAME)
        time.sleep(0.002)
