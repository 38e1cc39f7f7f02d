// Who plays at a seat: piece, name, rating, what is left on the board, and the clock.

import { app } from "../app.js";
import { token } from "../board/pieces.js";
import { countOf } from "../board/words.js";
import { h, newId, put } from "../dom.js";
import { address } from "../router.js";
import { t } from "../texts.js";
import { clockText, clockWords, ratingText } from "../words.js";

/** So many places, filled as far as there are pieces, with a bar where the game would be lost. */
function tally(drawing, count, seat) {
  if (!drawing.of) return null;
  const places = Array.from({ length: drawing.of }, (_, number) => [
    drawing.bar === number && number > 0 && h("i", { class: "tally-bar" }),
    h("i", { class: `tally-place ink-${drawing.colours[seat]} ${number < count ? "full" : ""}` }),
  ]);
  return h(
    "span",
    { class: "tally", role: "img", "aria-label": t("game.of", { count, of: drawing.of, pieces: drawing.pieces }) },
    places,
  );
}

export class PlayerBar {
  constructor(drawing, seat) {
    this.drawing = drawing;
    this.seat = seat;
    this.clock = h("span", { class: "clock mono", role: "timer" });
    this.tally = h("span", {});
    this.who = h("span", { class: "player-who" });
    this.element = h(
      "div",
      { class: "player", role: "group", "aria-label": drawing.side_names[seat] },
      token(drawing, newId("token"), seat),
      h("div", { class: "grow" }, this.who, this.tally),
      this.clock,
    );
  }

  show(view, scene) {
    const player = view.players[this.seat];
    const change = view.changes?.[this.seat];
    const gained = change && change.after - change.before;
    const name =
      player.bot || !app.connection.people
        ? h("strong", {}, app.called(player.name))
        : h("a", { href: address("person", player.name) }, player.name);
    put(
      this.who,
      name,
      " ",
      h("span", { class: "muted small" }, ratingText(player)),
      change &&
        h("span", { class: `small ${gained < 0 ? "bad" : "good"}` }, ` ${gained < 0 ? "−" : "+"}${Math.abs(gained)}`),
      view.seat === this.seat && h("span", { class: "badge" }, t("game.you")),
      !player.here && !view.over && h("span", { class: "badge away" }, t("game.away")),
    );
    put(
      this.tally,
      tally(this.drawing, countOf(scene, this.seat), this.seat) ??
        (scene.tallies?.[this.seat] && h("strong", { class: "figure mono" }, scene.tallies[this.seat])),
    );
    this.element.classList.toggle("turn", view.turn === this.seat);
    this.tick(view);
  }

  /** The clock alone. */
  tick(view) {
    const left = view.timeLeft(this.seat);
    this.clock.hidden = left === null;
    if (left === null) return;
    const text = clockText(left);
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.classList.toggle("short", left < 20000 && view.turn === this.seat && view.ticking);
    if (Math.ceil(left / 1000) % 10 === 0) this.clock.setAttribute("aria-label", clockWords(left));
  }
}
