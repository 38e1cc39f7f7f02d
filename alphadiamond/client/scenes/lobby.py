"""Online: a server's address and a name, then its lobby: whom to play, what to watch, and what to offer."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pygame

from alphadiamond.client import online
from alphadiamond.client.layout import Space, centred, columns
from alphadiamond.client.online import Online
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.widgets import Button, Item, ItemList, Label, Panel, Paragraph, Segments, TextField, Toggle
from alphadiamond.errors import AlphaDiamondError
from alphadiamond.games import all_games

if TYPE_CHECKING:
    from alphadiamond.client.app import App

_CLOCKS = ((None, "None"), ((60, 1), "1 + 1"), ((180, 2), "3 + 2"), ((300, 3), "5 + 3"), ((900, 10), "15 + 10"))
"""Seconds and increment, and how it is shown."""


@dataclass(frozen=True)
class Entry:
    """A row of a list, and what can be done with it."""

    key: str
    """Finds it again when the list has changed."""
    item: Item
    text: str = ""
    """Of the button."""
    action: Callable[[], None] | None = None
    other: tuple[str, Callable[[], None]] | None = None
    """A second button."""


class LobbyScene(PageScene):
    heading = "Online"

    def __init__(self, app: "App") -> None:
        super().__init__(app)
        self.online: Online | None = None
        self.missing = online.missing()
        self.server, self.name = app.settings.server, app.settings.online_name
        self.said = ""
        """Why it did not work."""
        self.tab = 0
        self.chosen = ""
        self.of = -1
        """Which of the games; -1 until the server has said which there are."""
        self.clock = 0
        self.seat = 0
        self.rated = False
        self._seen = -1
        self.focus_key = "server"

    @property
    def subtitle(self) -> str:  # type: ignore[override]
        if self.online is not None:
            return self.online.line
        return "Play people and players on a server"

    # Where to

    def build(self) -> None:
        body = self.build_page()
        if self.online is None or self.online.welcome is None:
            self._build_connect(body)
        else:
            self._build_lobby(body)

    def _build_connect(self, body: pygame.Rect) -> None:
        painter = self.painter
        pad, control, line = self.px(28), painter.look.control(), painter.text.line_step("label")
        width = min(self.px(560), body.width)
        text = self.missing or self.said
        if not text and self.online is not None:
            text = self.online.line
        note = text or "Leave the name empty to watch only. On this machine “make serve” starts a server."
        words = painter.text.paragraph_height(note, "body", width - 2 * pad)
        height = 2 * pad + 2 * (line + self.px(4) + control + self.gap) + words + self.gap + round(control * 1.2)
        box = centred((width, height), body)
        box.centery = max(body.top + height // 2, body.centery - self.px(30))
        self.add(Panel("panel", box))
        space = Space(box.inflate(-2 * pad, -2 * pad))
        for key, label, value, hint in (
            ("server", "Server", self.server, "127.0.0.1:8765, play.example.org or a link"),
            ("name", "Your name", self.name, "2 to 24 letters and digits, or a recovery code"),
        ):
            self.add(Label(f"{key}-label", space.top(line, self.px(4)), label, style="label", colour="muted"))
            place = space.top(control, self.gap)
            field = TextField(key, place, value, self._typed(key), on_enter=self.connect, hint=hint)
            field.enabled = not self.missing and self.online is None
            self.add(field)
        tone = "danger" if self.missing or self.said else "muted"
        self.add(Paragraph("note", space.top(words), note, colour=tone))
        place = space.bottom(round(control * 1.2))
        if self.online is None:
            able = not self.missing
            self.add(Button("connect", place, "Connect", self.connect, icon="globe", kind="primary", enabled=able))
        else:
            self.add(Button("stop", place, "Stop trying", self.disconnect, icon="close"))

    def _typed(self, key: str) -> Callable[[str], None]:
        def change(text: str) -> None:
            setattr(self, key, text)

        return change

    def connect(self) -> None:
        if self.missing or self.online is not None:
            return
        self.said = ""
        try:
            self.online = Online(self.server, self.name, keys=online.Keys(self.app.keys_path))
        except AlphaDiamondError as error:
            self.said = str(error)
            self.app.sounds.play("refuse")
        else:
            self.app.sounds.play("click")
            self.app.settings.server = self.online.server
            self._keep_name()
        self.refresh()

    def _keep_name(self) -> None:
        """For the next time: whose key it is, and never the key."""
        assert self.online is not None
        self.app.settings.online_name = self.online.name
        self.app.save_settings()

    def disconnect(self) -> None:
        if self.online is not None:
            self.online.close()
            self.online = None
        self.focus_key = "server"
        self.refresh()

    # The lobby

    def _build_lobby(self, body: pygame.Rect) -> None:
        painter, gap = self.painter, self.gap
        halves = Space(body)
        left = halves.left(round(body.width * 0.56), self.px(20))
        self.add(Panel("list-panel", left))
        pad, control = self.px(14), painter.look.control()
        space = Space(left.inflate(-2 * pad, -2 * pad))
        lists = self._lists()
        titles = [f"{title} {len(entries)}" if entries else title for title, entries, _ in lists]
        self.add(Segments("lists", space.top(control, self.px(8)), titles, self.tab, self._choose_tab))
        place = space.bottom(control, gap)
        _, entries, empty = lists[self.tab]
        keys = [entry.key for entry in entries]
        number = keys.index(self.chosen) if self.chosen in keys else 0
        self.chosen = keys[number] if keys else ""
        row = max(self.px(58), painter.text.height("strong") + painter.text.height("caption") + self.px(16))
        self.add(
            ItemList(
                "entries",
                space.rest,
                [entry.item for entry in entries],
                number,
                lambda number: self._choose(keys[number]),
                on_take=lambda _: self.act(),
                row_height=row,
                empty=empty,
            )
        )
        entry = entries[number] if entries else Entry("", Item(""))
        able = self.online is not None and self.online.connected and entry.item.enabled
        if entry.other is not None:
            text, action = entry.other
            other, place = columns(place, 2, gap)
            self.add(Button("other", other, text, action, enabled=able))
        if entry.text:
            kind = "primary" if able else "glass"
            self.add(Button("act", place, entry.text, self.act, icon="play", kind=kind, enabled=able))
        if self.focus_key in ("", "back", "server"):
            self.focus_key = "entries" if entries else "offer"
        self._build_terms(halves.rest)

    def _build_terms(self, box: pygame.Rect) -> None:
        painter, gap = self.painter, self.gap
        assert self.online is not None
        self.add(Panel("terms", box))
        pad, control, small = self.px(20), painter.look.control(), painter.text.line_step("label")
        space = Space(box.inflate(-2 * pad, -2 * pad))
        width = space.rest.width
        games, game = self.games, self.game
        sides = [name.capitalize() for name in game.drawing.side_names] if game is not None else ["First", "Second"]
        rows: list[tuple[str, str, list[str], int]] = [
            ("of", "Game", [one.title for one in games] or ["None"], games.index(game) if game in games else 0),
            ("clock", "Minutes, and seconds for each move", [text for _, text in _CLOCKS], self.clock),
            ("seat", "You play", ["Any", *sides], self.seat),
        ]
        step = small + self.px(4) + control + gap
        tall = 3 * step + control + gap + round(control * 1.2) <= space.rest.height
        for key, label, names, chosen in rows:
            if tall:
                place = space.top(small, self.px(4))
                self.add(Label(f"{key}-label", place, label, style="label", colour="muted", fit=True))
            style, sizes = Segments.fitting(painter, names, width, pad=self.px(14))
            place = space.top(control, gap)
            self.add(Segments(key, place, names, chosen, self._chosen(key), style=style, widths=sizes))
        self.add(Toggle("rated", space.top(control), "Rated", self.rated, self._set_rated))
        place = space.bottom(round(control * 1.2))
        able = self.online.connected and not self.online.spectating and bool(games)
        text = "Offer this game to anybody"
        if painter.text.width(text, "strong") + self.px(60) > width:
            text = "Offer this game"
        self.add(Button("offer", place, text, self.offer, icon="globe", kind="primary", enabled=able))

    @property
    def games(self) -> list[Any]:
        """The games of the server that this window can show."""
        if self.online is None or self.online.welcome is None:
            return []
        there = {one.name for one in self.online.welcome.games}
        return [game for game in all_games() if game.name in there]

    @property
    def game(self) -> Any | None:
        """The one to be played next: at first that of the window."""
        games = self.games
        if self.of < 0 and self.app.game in games:
            return self.app.game
        return games[max(0, min(self.of, len(games) - 1))] if games else None

    def terms(self) -> Any:
        from alphadiamond.online import messages as m

        found = _CLOCKS[self.clock][0]
        clock = m.Clock(*found) if found is not None else None
        assert self.game is not None
        return m.Terms(self.game.name, clock=clock, rated=self.rated, seat=self.seat - 1 if self.seat else None)

    def _title(self, name: str) -> str | None:
        """What a game is called; None where this window cannot show it."""
        return next((game.title for game in all_games() if game.name == name), None)

    def _terms_text(self, terms: Any) -> str:
        parts = [self._title(terms.game) or terms.game, online.clock_text(terms.clock)]
        parts.append("rated" if terms.rated else "unrated")
        game = next((game for game in all_games() if game.name == terms.game), None)
        if terms.seat is not None and game is not None:
            parts.append(f"you play {game.drawing.side_names[1 - terms.seat]}")
        return "  ·  ".join(parts)

    # Lists

    def _lists(self) -> list[tuple[str, list[Entry], str]]:
        return [
            ("Open", self._open_games(), "Nobody offers a game at the moment. Offer one yourself, or play a bot."),
            ("Games", self._running(), "No game is being played."),
            ("People", self._people(), "Nobody is here."),
            ("Bots", self._bots(), "This server has no bots for this game."),
        ]

    def _open_games(self) -> list[Entry]:
        from alphadiamond.online import messages as m

        assert self.online is not None
        me, send, found = self.online.name, self.online.send, []
        for one in self.online.challenges.values():
            mine = one.owner == me
            other = m.Decline(challenge=one.challenge)
            title = f"You challenge {one.to or 'whoever has the link'}" if mine else f"{one.owner} challenges you"
            able = self._title(one.terms.game) is not None and (mine or bool(me))
            item = Item(title, self._terms_text(one.terms), "flag", enabled=able)
            if mine:
                found.append(Entry(one.challenge, item, "Withdraw", partial(send, other)))
            else:
                accept = m.Accept(challenge=one.challenge)
                decline = ("Decline", partial(send, other)) if one.to is not None else None  # a link is for others too
                found.append(Entry(one.challenge, item, "Accept", partial(send, accept), decline))
        for seek in self.online.lobby.seeks if self.online.lobby else ():
            mine = seek.owner.name == me
            title = "You" if mine else f"{seek.owner.name}  {seek.owner.rating}"
            known = self._title(seek.terms.game) is not None
            request: Any = m.Unseek(seek=seek.seek) if mine else m.Take(seek=seek.seek)
            item = Item(title, self._terms_text(seek.terms), "person", enabled=known and (mine or bool(me)))
            text = "Withdraw" if mine else "Play"
            found.append(Entry(seek.seek, item, text, partial(send, request)))
        return found

    def _running(self) -> list[Entry]:
        assert self.online is not None
        found, seen = [], set()
        for state in self.online.own:
            names = " – ".join(player.name for player in state.players)
            turn = "your move" if state.mine else "their move"
            item = Item(names, f"{self._title(state.of)}  ·  move {len(state.moves) // 2 + 1}", "diamond", right=turn)
            found.append(Entry(state.code, item, "Go on", partial(self._watch, state.code)))
            seen.add(state.code)
        for line in self.online.lobby.games if self.online.lobby else ():
            if line.game in seen:
                continue
            names = " – ".join(f"{player.name} {player.rating}" for player in line.players)
            title = self._title(line.of)
            note = f"{title or line.of}  ·  {online.clock_text(line.clock)}  ·  move {line.plies // 2 + 1}"
            item = Item(names, note, "eye", enabled=title is not None)
            found.append(Entry(line.game, item, "Watch", partial(self._watch, line.game)))
        return found

    def _people(self) -> list[Entry]:
        from alphadiamond.online import messages as m

        assert self.online is not None
        found = []
        for name in self.online.lobby.people if self.online.lobby else ():
            if name == self.online.name:
                found.append(Entry(name, Item(name, "That is you", "person", enabled=False)))
                continue

            def challenge(name: str = name) -> None:
                assert self.online is not None
                self.online.send(m.Challenge(terms=self.terms(), to=name))
                self.app.toast(f"{name} is asked for a game.")

            able = not self.online.spectating and bool(self.games)
            found.append(Entry(name, Item(name, "Here now", "person", enabled=able), f"Challenge {name}", challenge))
        return found

    def _bots(self) -> list[Entry]:
        from alphadiamond.online import messages as m

        assert self.online is not None
        assert self.online.welcome is not None
        game, found = self.game, []
        if game is None:
            return []
        for bot in self.online.welcome.bots:
            if bot.game == game.name:

                def play(name: str = bot.name) -> None:
                    assert self.online is not None
                    self.online.send(m.Bot(bot=name, terms=self.terms()))

                note = f"{game.title}  ·  {'fixed rating' if bot.anchor else 'rated by its games'}"
                able = not self.online.spectating
                item = Item(bot.title, note, "chip", enabled=able, right=str(bot.rating))
                found.append(Entry(bot.name, item, f"Play {bot.title}", play))
        return found

    # What one does

    def _choose_tab(self, number: int) -> None:
        self.tab, self.chosen = number, ""
        self.refresh()

    def _choose(self, key: str) -> None:
        self.chosen = key
        self.refresh()

    def _chosen(self, key: str) -> Callable[[int], None]:
        def change(number: int) -> None:
            setattr(self, key, number)
            self.refresh()

        return change

    def _set_rated(self, on: bool) -> None:
        self.rated = on

    def act(self) -> None:
        """Whatever the chosen row is there for."""
        if self.online is None or not self.online.connected:
            return
        entry = next((one for one in self._lists()[self.tab][1] if one.key == self.chosen), None)
        if entry is not None and entry.action is not None and entry.item.enabled:
            self.app.sounds.play("click")
            entry.action()

    def offer(self) -> None:
        from alphadiamond.online import messages as m

        if self.online is not None and self.online.connected and self.games:
            self.app.sounds.play("click")
            self.online.send(m.Seek(terms=self.terms()))
            self.tab = 0
            self.refresh()

    def _watch(self, code: str) -> None:
        assert self.online is not None
        self.online.watch(code)

    # Every frame

    def tick(self, dt: float) -> None:
        """Hear what happens, also for the game that is shown over this scene."""
        if self.online is None:
            return
        self.online.update()
        for text in self.online.notices:
            self.app.toast(text)
        self.online.notices.clear()
        if self.online.version != self._seen:
            self._seen = self.online.version
            self.refresh()
        if self.online.welcome is not None and self.name.strip() != self.online.name:
            self.name = self.online.name
            self._keep_name()
        if self.app.scene is not self:
            return
        if self.online.fault:
            self.said = self.online.fault[:1].upper() + self.online.fault[1:] + "."
            self.disconnect()
            self.focus_key = "name"
            return
        self.open_next()

    def open_next(self) -> None:
        """Show the game that has begun, or was asked for."""
        from alphadiamond.client.scenes.online_game import OnlineGameScene

        assert self.online is not None
        if not self.online.to_open:
            return
        code = self.online.to_open[-1]
        self.online.to_open.clear()
        state = self.online.games.get(code)
        if state is not None and self._title(state.of) is not None:
            self.app.push(OnlineGameScene(self.app, self.online, code))

    def back(self) -> None:
        if self.online is not None and self.online.welcome is None:
            self.disconnect()
            return
        super().back()

    def left(self) -> None:
        if self.online is not None:
            self.online.close()
