"""The application: owns the display, the stack of scenes, the clock's ticks and everything scenes share."""

import contextlib
import os
import threading
from pathlib import Path

import numpy as np
import pygame

from alphadiamond.base.game import Game
from alphadiamond.client.background import Background
from alphadiamond.client.motion import Tween, ease_out
from alphadiamond.client.paint import Look, Painter
from alphadiamond.client.paint.look import MINIMUM
from alphadiamond.client.player_process import Answer, PlayerProcess
from alphadiamond.client.scene import Scene
from alphadiamond.client.settings import Settings, load_settings, save_settings
from alphadiamond.client.solution_lookup import SolutionLookup
from alphadiamond.client.sound import Sounds, quiet_stderr
from alphadiamond.client.statistics import Statistics
from alphadiamond.client.texts import system_language, words_for
from alphadiamond.client.theme import FULL_MOTION, REDUCED_MOTION, TEXT_SIZES, theme_for
from alphadiamond.client.toasts import Toasts
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import load
from alphadiamond.play.library import SUFFIX, Library
from alphadiamond.play.opponents import Roster, is_neural
from alphadiamond.settings.players import CHECKPOINT_SUFFIX

FRAMES_PER_SECOND = 60
_LONGEST_STEP = 0.1


class WindowError(AlphaDiamondError):
    """The window cannot be opened; it says what to do."""


class App:
    """One window. `headless` draws into memory; `process` lets players think in processes of their own."""

    def __init__(
        self,
        *,
        headless: bool = False,
        size: tuple[int, int] | None = None,
        process: bool = True,
        settings: Settings | None = None,
        directory: Path | None = None,
        seed: int | None = None,
    ) -> None:
        """`directory` keeps settings, statistics and games of tests apart from a person's."""
        self._settings_path = directory / "window.json" if directory else None
        self.keys_path = directory / "online.json" if directory else None
        """Where tokens of servers are kept; none: the usual place."""
        notice = ""
        if settings is None:
            settings, notice = load_settings(self._settings_path)
        self.settings = settings
        self.headless = headless
        self.rng = np.random.default_rng(seed)
        self.game: Game = load(settings.game)
        """The game at hand: what is opened next is of this one."""
        self._open(size or settings.size)
        self.sounds = Sounds(volume=settings.volume, on=settings.sound and not headless)
        self.statistics = Statistics(directory / "statistics.sqlite" if directory else None)
        self.library = Library(directory / "games" if directory else None)
        self._solution_lookups = {self.game.name: SolutionLookup(self.game)}
        self._rosters: dict[str, Roster] = {}
        self.device_used = ""
        """The device that the network last reported."""
        self.players = PlayerProcess(process=process)
        self.analysts = PlayerProcess(process=process, nice=10, threads=8)  # at first the players get ready, then these
        self.background = Background(self.rng)
        self.keyboard = False
        """Whether the last input was a key, so that the focus should show."""
        self.stack: list[Scene] = []
        self.running = True
        self._toasts = Toasts()
        self._snapshot: pygame.Surface | None = None
        self._fade = Tween(0.0)
        self._check_job = 0
        self.painter = Painter(self._look())
        for text in (notice, self.statistics.notice):
            if text:
                self.toast(text)
        if process:
            self.players.prepare(self.roster.to_prepare(settings.opponent), game=self.game)
        self.check_players()
        self._updates = 0

    # The display

    def _open(self, size: tuple[int, int]) -> None:
        os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")  # or Windows scales a blurred picture
        if self.headless:
            os.environ["SDL_VIDEODRIVER"] = "dummy"
            os.environ["SDL_AUDIODRIVER"] = "dummy"
        wanted = os.environ.get("SDL_VIDEODRIVER")
        flags = pygame.RESIZABLE | (pygame.FULLSCREEN if self.settings.full_screen and not self.headless else 0)
        try:
            with quiet_stderr():
                pygame.display.init()
            if wanted is None and pygame.display.get_driver() in ("offscreen", "dummy"):
                raise pygame.error("there is no display")
            self.display = pygame.display.set_mode(size if not flags & pygame.FULLSCREEN else (0, 0), flags)
        except pygame.error as error:
            reason = str(error).rstrip(".")
            raise WindowError(
                f"no window can be opened ({reason}): run it where there is a display, or with headless=true"
            ) from None
        pygame.font.init()
        pygame.display.set_caption("AlphaDiamond")
        pygame.key.set_repeat(350, 45)
        with contextlib.suppress(pygame.error):
            pygame.display.set_icon(_window_icon())
        self._resize(self.display.get_size())

    def _resize(self, size: tuple[int, int]) -> None:
        """Below the smallest size, draw at that size and scale down."""
        self.size = (max(MINIMUM[0], size[0]), max(MINIMUM[1], size[1]))
        self.surface = self.display if self.size == size else pygame.Surface(self.size).convert()

    def resized(self, size: tuple[int, int]) -> None:
        self.display = pygame.display.get_surface() or self.display
        if self.display.get_size() != size:
            self.display = pygame.display.set_mode(size, pygame.RESIZABLE)
        self._resize(self.display.get_size())
        if not self.settings.full_screen:
            self.settings.size = self.size
        self.renew_look()

    def toggle_full_screen(self) -> None:
        self.settings.full_screen = not self.settings.full_screen
        full = self.settings.full_screen
        if not self.headless:
            self.display = pygame.display.set_mode(
                (0, 0) if full else self.settings.size, pygame.FULLSCREEN if full else pygame.RESIZABLE
            )
        self._resize(self.display.get_size())
        self.renew_look()

    def _look(self) -> Look:
        settings = self.settings
        drawing = self.game.drawing
        theme = theme_for(settings.theme, settings.palette, drawing.colours)
        return Look(
            theme=theme,
            size=self.size,
            text=TEXT_SIZES[settings.text_size],
            motion=REDUCED_MOTION if settings.reduced_motion else FULL_MOTION,
            marks=settings.marks or theme.name == "high contrast",
            shape=drawing.shape,
            words=words_for(settings.language or system_language(), self.game),
        )

    def renew_look(self) -> None:
        """After a change of size, theme or any other setting that shows."""
        look = self._look()
        if look != self.painter.look:
            log = self.painter.text.log
            self.painter = Painter(look)
            self.painter.text.log = log
        self._snapshot = None
        for scene in self.stack:
            scene.refresh()

    # Scenes

    @property
    def scene(self) -> Scene:
        return self.stack[-1]

    def push(self, scene: Scene) -> None:
        self._keep_snapshot()
        if self.stack:
            self.scene.covered()
        self.stack.append(scene)
        scene.entered()

    def pop(self) -> None:
        """One step back; the first scene stays."""
        if len(self.stack) > 1:
            self._keep_snapshot()
            self.stack.pop().left()
            self.scene.refresh()
            self.scene.entered()

    def replace(self, scene: Scene) -> None:
        """Put a scene in place of the top one."""
        self._keep_snapshot()
        self.stack.pop().left()
        self.stack.append(scene)
        scene.entered()

    def home(self) -> None:
        """Back to the first scene."""
        self._keep_snapshot()
        while len(self.stack) > 1:
            self.stack.pop().left()
        self.scene.refresh()
        self.scene.entered()

    def start(self, scene: Scene) -> None:
        """From the first scene straight to another."""
        self._keep_snapshot()
        while len(self.stack) > 1:
            self.stack.pop().left()
        self.stack.append(scene)
        scene.entered()

    def _keep_snapshot(self) -> None:
        """The last picture fades while the next scene appears."""
        if self.stack and not self.painter.look.motion.reduced:
            self._snapshot = self.surface.copy()
            self._fade = Tween(self.painter.look.motion.normal)

    def quit(self) -> None:
        self.running = False

    # The game at hand

    @property
    def solution_lookup(self) -> SolutionLookup:
        return self._solution_lookups[self.game.name]

    @solution_lookup.setter
    def solution_lookup(self, solution_lookup: SolutionLookup) -> None:
        self._solution_lookups[self.game.name] = solution_lookup

    def solution_lookup_of(self, game: Game) -> SolutionLookup:
        """Of a game that need not be the one at hand."""
        return self._solution_lookups[game.name]

    @property
    def roster(self) -> Roster:
        """The players of the game at hand."""
        name = self.game.name
        if name not in self._rosters:
            self._rosters[name] = Roster(self.settings.checkpoint, self.settings.device, game=self.game)
        return self._rosters[name]

    def use_game(self, game: Game) -> None:
        """Go over to another game: its players, its colours and what was chosen for it the last time."""
        if game == self.game:
            return
        self.settings.choose_game(game.name)
        self.game = game
        if game.name not in self._solution_lookups:
            self._solution_lookups[game.name] = SolutionLookup(game)
        self.solution_lookup.load()
        self.save_settings()
        self.renew_look()
        self.check_players()

    # What scenes share

    def toast(self, text: str) -> None:
        """Say something in passing."""
        self._toasts.add(text)

    def save_settings(self) -> None:
        try:
            save_settings(self.settings, self._settings_path)
        except OSError as error:
            self.toast(f"The settings cannot be saved ({error.strerror}).")

    def check_players(self) -> None:
        """Find out, beside the window, which players can be had."""
        name = self.game.name
        self._rosters[name] = Roster(self.settings.checkpoint, self.settings.device, self.roster.faults, game=self.game)
        self._check_job = self.analysts.check(self.roster.specs(), game=self.game)

    def analysts_busy_checking(self) -> bool:
        return self._check_job == self.analysts.current

    def take_analyst_answers(self) -> list[Answer]:
        """Answers of the analysts, with what they say about who can be had already noted."""
        answers = self.analysts.answers()
        for answer in answers:
            if answer.kind == "checked":
                assert answer.game is not None
                self._rosters[answer.game.name].faults[answer.spec] = answer.text
                self.scene.refresh()
            elif answer.kind == "done" and answer.job == self._check_job:
                self._check_job = 0
        return answers

    def use_checkpoint(self, path: str) -> None:
        """Play with another network from now on; a file that does not work is explained when it is loaded."""
        self.settings.checkpoint = path
        self.roster.faults = {spec: fault for spec, fault in self.roster.faults.items() if not is_neural(spec)}
        self.save_settings()
        self.check_players()

    # The loop

    def run(self, *, frames: int = 0, screenshot: Path | None = None) -> None:
        """Until the window is closed, or for so many frames; then perhaps a picture of the last one."""
        clock = pygame.time.Clock()
        count = 0
        try:
            while self.running and (not frames or count < frames):
                dt = clock.tick(FRAMES_PER_SECOND) / 1000
                for event in pygame.event.get():
                    self.handle(event)
                self.frame(dt)
                count += 1
            if screenshot is not None:
                self.screenshot(screenshot)
        finally:
            self.close()

    def frame(self, dt: float) -> None:
        """One turn of the loop after the events: things move, then they are drawn."""
        self.update(min(dt, _LONGEST_STEP))
        self.draw()

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.quit()
        elif event.type in (pygame.VIDEORESIZE, pygame.WINDOWRESIZED):
            size = (event.w, event.h) if event.type == pygame.VIDEORESIZE else (event.x, event.y)
            self.resized((max(1, size[0]), max(1, size[1])))
        elif event.type == pygame.DROPFILE:
            self._dropped(event.file)
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_F11:
            self.toggle_full_screen()
        elif event.type == pygame.TEXTINPUT:
            if self.stack:
                self.scene.handle(event)
        elif event.type in _MOUSE or event.type == pygame.KEYDOWN:
            if event.type == pygame.KEYDOWN:
                self.keyboard = True
            elif event.type == pygame.MOUSEBUTTONDOWN:
                self.keyboard = False
            if self.stack:
                self.scene.handle(self._scaled(event))

    def _scaled(self, event: pygame.event.Event) -> pygame.event.Event:
        """The event with its place in the canvas instead of the window."""
        if self.surface is self.display or not hasattr(event, "pos"):
            return event
        factor = (self.size[0] / self.display.get_width(), self.size[1] / self.display.get_height())
        values = {**event.dict, "pos": (int(event.pos[0] * factor[0]), int(event.pos[1] * factor[1]))}
        return pygame.event.Event(event.type, values)

    def _dropped(self, path: str) -> None:
        from alphadiamond.client.scenes.replay import ReplayScene

        if self.stack and self.scene.dropped(path):
            return
        if path.endswith(CHECKPOINT_SUFFIX):
            self.use_checkpoint(path)
            self.toast(f"The network is now {Path(path).name}.")
        else:
            saved = self.library.read(Path(path))
            if saved.record is None:
                self.toast(f"{Path(path).name}: neither a network ({CHECKPOINT_SUFFIX}) nor a game ({SUFFIX}).")
            else:
                self.push(ReplayScene(self, saved.record))

    def update(self, dt: float) -> None:
        self._updates += 1
        if self._updates == 2:  # what the first frame does not need begins after it
            self.solution_lookup.load()
            threading.Thread(target=_load_rules, args=(self.game,), daemon=True).start()
        self.background.update(dt, self.painter, self.size)
        self._fade.update(dt)
        if self._fade.done:
            self._snapshot = None
        self._toasts.update(dt)
        if self.analysts_busy_checking():
            self.take_analyst_answers()
        for scene in list(self.stack):  # all of them: under a dialog or a page a game goes on
            if scene in self.stack:  # an update may have taken it off
                scene.update(dt, visible=scene in self._visible())
        for scene in self._visible():  # or brought on another one
            scene.layout()

    def _visible(self) -> list[Scene]:
        """The scenes that can be seen, the lowest first."""
        first = len(self.stack) - 1
        while first > 0 and self.stack[first].overlay:
            first -= 1
        return self.stack[first:]

    def draw(self) -> None:
        surface, painter = self.surface, self.painter
        self.background.draw(surface, painter)
        visible = self._visible()
        for scene in visible:
            if scene.overlay:
                painter.shade(surface, 0.62)
            log = painter.text.log
            if scene is not visible[-1]:
                painter.text.log = None  # what lies below is not read
            scene.draw(surface)
            painter.text.log = log
        if self._snapshot is not None and self._snapshot.get_size() == surface.get_size():
            self._snapshot.set_alpha(round(255 * (1 - ease_out(self._fade.progress))))
            surface.blit(self._snapshot, (0, 0))
        self._toasts.draw(surface, painter, above=visible[-1].status_rect)
        if surface is not self.display:
            pygame.transform.smoothscale(surface, self.display.get_size(), self.display)
        pygame.display.flip()

    def screenshot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        pygame.image.save(self.surface, str(path))

    def close(self) -> None:
        """At once, whatever the players are doing."""
        for scene in reversed(self.stack):
            scene.left()
        self.players.close()
        self.analysts.close()
        self.save_settings()
        self.library.close()
        self.statistics.close()
        self.sounds.close()
        pygame.display.quit()


_MOUSE = (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL)


def _load_rules(game: Game) -> None:
    """Have the compiled rules at hand before the first move is made."""
    position = game.sample_start()
    position.play(position.moves()[0])


def _window_icon() -> pygame.Surface:
    icon = pygame.Surface((64, 64), pygame.SRCALPHA)
    pygame.draw.polygon(icon, (84, 214, 255), [(32, 2), (62, 32), (32, 62), (2, 32)])
    pygame.draw.polygon(icon, (30, 40, 110), [(32, 12), (52, 32), (32, 52), (12, 32)])
    pygame.draw.circle(icon, (255, 80, 80), (32, 24), 8)
    pygame.draw.circle(icon, (80, 255, 150), (32, 41), 8)
    return icon
