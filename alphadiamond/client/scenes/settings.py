"""Settings: how it looks, sounds and behaves, kept as soon as they are changed."""

from collections.abc import Callable
from typing import Any

import pygame

from alphadiamond.client.layout import Space, columns
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.settings import DEVICES
from alphadiamond.client.texts import LANGUAGES, system_language
from alphadiamond.client.theme import PALETTES, TEXT_SIZES, THEMES
from alphadiamond.client.widgets import Button, Label, Panel, Segments, Slider, Toggle

_DEVICE_NAMES = {"auto": "Auto", "cpu": "CPU", "cuda": "GPU"}


class SettingsScene(PageScene):
    heading = "Settings"

    def build(self) -> None:
        body = self.build_page()
        left, right = columns(body, 2, self.px(20))
        self._build_look(left)
        self._build_rest(right)

    def _column(self, key: str, title: str, box: pygame.Rect, rows: int) -> list[pygame.Rect]:
        """A panel with a title, no taller than it has to be, and the rows in it."""
        pad = self.px(24)
        inner = box.inflate(-2 * pad, -2 * self.px(18))
        head = self.painter.text.line_step("lead")
        top = inner.top + head + self.px(8)
        control = self.painter.look.control()
        step = min(control + self.px(20), (inner.bottom - top + self.px(8)) // rows)
        height = min(control, step - self.px(6))
        bottom = min(box.bottom, top + rows * step - (step - height) + self.px(22))
        self.add(Panel(f"{key}-panel", pygame.Rect(box.left, box.top, box.width, bottom - box.top)))
        place = pygame.Rect(inner.left, inner.top, inner.width, head)
        self.add(Label(f"{key}-title", place, title, style="lead", colour="accent"))
        return [pygame.Rect(inner.left, top + k * step, inner.width, height) for k in range(rows)]

    def _named(self, key: str, text: str, rect: pygame.Rect) -> pygame.Rect:
        """A row that begins with its name; what is left of it."""
        row = Space(rect)
        self.add(Label(f"{key}-label", row.left(round(rect.width * 0.30)), text))
        return row.rest

    def _choice(
        self,
        key: str,
        text: str,
        rect: pygame.Rect,
        names: list[str],
        values: list[Any],
        current: Any,
        action: Callable[[Any], None],
    ) -> None:
        place = self._named(key, text, rect)
        chosen = values.index(current) if current in values else 0
        self.add(Segments(key, place, names, chosen, lambda number: action(values[number]), style="caption"))

    def _build_look(self, box: pygame.Rect) -> None:
        settings = self.app.settings
        language, *rows = self._column("look", "Appearance", box, 8)
        codes, names = list(LANGUAGES), list(LANGUAGES.values())
        chosen = settings.language or system_language()
        self._choice("language", "Language", language, names, codes, chosen, self._set("language"))
        themes = list(THEMES)
        self._choice(
            "theme",
            "Theme",
            rows[0],
            [name.capitalize() for name in themes],
            themes,
            settings.theme,
            self._set("theme"),
        )
        palettes = list(PALETTES)
        self._choice(
            "palette",
            self.app.game.drawing.plural.capitalize(),
            rows[1],
            [name.capitalize() for name in palettes],
            palettes,
            settings.palette,
            self._set("palette"),
        )
        sizes = list(TEXT_SIZES)
        self._choice(
            "text",
            "Text",
            rows[2],
            [name.capitalize() for name in sizes],
            sizes,
            settings.text_size,
            self._set("text_size"),
        )
        self._switch("marks", f"Shapes on the {self.app.game.drawing.plural}", rows[3], settings.marks)
        self._switch("names", f"Names of the {self.app.game.drawing.place}s", rows[4], settings.names)
        self._switch("reduced_motion", "Reduced motion", rows[5], settings.reduced_motion)
        self.add(
            Toggle("full", rows[6], "Full screen (F11)", settings.full_screen, lambda on: self.app.toggle_full_screen())
        )

    def _build_rest(self, box: pygame.Rect) -> None:
        settings = self.app.settings
        rows = self._column("rest", "Sound and play", box, 7)
        self._switch("sound", "Sound", rows[0], settings.sound)
        slider = Slider(
            "volume", rows[1], "Volume", settings.volume, self._volume, shown=lambda value: f"{100 * value:.0f} %"
        )
        slider.place(self.painter, self.painter.text.width("100 %", "label") + self.px(20))
        self.add(slider)
        self._switch("confirm", "Ask before leaving a game", rows[2], settings.confirm)
        names = [_DEVICE_NAMES[device] for device in DEVICES]
        self._choice("device", "Device", rows[3], names, list(DEVICES), settings.device, self._device)
        self._button("network", "Network", rows[4], self.network_name(), "folder", self._networks)
        ready = self.app.solution_lookup.ready
        self._button(
            "tablebase",
            "Solution",
            rows[5],
            "Solved: exact values" if ready else "Solve the game",
            "check" if ready else "diamond",
            self._solve,
        )
        self._button("learn", "Rules", rows[6], "How to play", "book", self._learn)

    def _button(
        self, key: str, text: str, rect: pygame.Rect, value: str, icon: str, action: Callable[[], None]
    ) -> None:
        place = self._named(key, text, rect)
        shown = self.painter.text.fitted(value, "label", place.width - self.px(60))
        self.add(Button(key, place, shown, action, icon=icon, style="label"))

    def network_name(self) -> str:
        checkpoint = self.app.settings.checkpoint
        return checkpoint.replace("\\", "/").rpartition("/")[2] if checkpoint else "The shipped one"

    def _switch(self, name: str, text: str, rect: pygame.Rect, on: bool) -> None:
        self.add(Toggle(name, rect, text, on, self._set(name)))

    def _set(self, name: str) -> Callable[[Any], None]:
        def change(value: Any) -> None:
            setattr(self.app.settings, name, value)
            self.app.sounds.on = self.app.settings.sound and not self.app.headless
            self.app.sounds.play("click")
            self.app.save_settings()
            self.app.renew_look()

        return change

    def _volume(self, value: float) -> None:
        self.app.settings.volume = self.app.sounds.volume = value
        self.app.sounds.play("select")
        self.app.save_settings()

    def _device(self, value: str) -> None:
        self.app.settings.device = value
        self.app.device_used = ""
        self.app.save_settings()
        self.app.check_players()

    def _networks(self) -> None:
        from alphadiamond.client.scenes.networks import NetworksScene

        self.app.push(NetworksScene(self.app))

    def _solve(self) -> None:
        from alphadiamond.client.scenes.solve import SolveScene

        self.app.push(SolveScene(self.app))

    def _learn(self) -> None:
        from alphadiamond.client.scenes.tutorial import TutorialScene

        if any(isinstance(scene, TutorialScene) for scene in self.app.stack):
            self.app.pop()
        else:
            self.app.push(TutorialScene(self.app))
