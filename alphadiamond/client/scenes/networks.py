"""Choosing the network: the files that lie where networks lie; any other can be dropped on the window."""

from pathlib import Path

from alphadiamond.client.layout import Space
from alphadiamond.client.scenes.page import PageScene
from alphadiamond.client.widgets import Item, ItemList, Panel, Paragraph
from alphadiamond.play.opponents import checkpoints, is_neural
from alphadiamond.settings.players import CHECKPOINT_SUFFIX


class NetworksScene(PageScene):
    heading = "Networks"
    subtitle = "The shipped one, your own, or any file dropped on this window"

    def build(self) -> None:
        body = self.build_page()
        self._paths: list[Path | None] = [None, *checkpoints(self.app.game)]
        chosen = self.app.settings.checkpoint
        if chosen and Path(chosen) not in self._paths:
            self._paths.append(Path(chosen))
        space = Space(body)
        place = space.bottom(self.painter.text.line_step("body") * 2, self.gap)
        box = space.rest
        self.add(Panel("panel", box))
        row = max(self.px(62), self.painter.text.height("strong") + self.painter.text.height("caption") + self.px(18))
        items = [Item("The shipped network", "Used unless another is chosen", "diamond")]
        items += [Item(path.name, str(path.parent), "chip") for path in self._paths if path is not None]
        number = self._paths.index(Path(chosen)) if chosen else 0
        self.add(
            ItemList(
                "networks",
                box.inflate(-self.px(24), -self.px(24)),
                items,
                number,
                self._choose,
                on_take=lambda _: self.back(),
                row_height=row,
            )
        )
        if self.focus_key in ("", "back"):
            self.focus_key = "networks"
        fault = next((fault for spec, fault in self.app.roster.faults.items() if is_neural(spec) and fault), "")
        text = (
            f"It cannot be used: {fault}"
            if fault
            else f"A network is a {CHECKPOINT_SUFFIX} file; training writes one after every stage."
        )
        if fault:
            text = "\n".join(self.painter.text.wrap(text, "body", place.width)[:2])
        self.add(Paragraph("note", place, text, colour="danger" if fault else "muted"))

    def _choose(self, number: int) -> None:
        path = self._paths[number]
        self.app.use_checkpoint(str(path) if path else "")
        self.refresh()

    def dropped(self, path: str) -> bool:
        if not path.endswith(CHECKPOINT_SUFFIX):
            return False
        self.app.use_checkpoint(path)
        self.refresh()
        return True
