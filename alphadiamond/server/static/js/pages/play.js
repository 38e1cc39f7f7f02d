// The lobby: choose a game and somebody to play, or watch others.

import { app } from "../app.js";
import { picture } from "../board/board.js";
import { button, h, keepFocus, newId, put } from "../dom.js";
import { choices } from "../parts/choices.js";
import { goingOn } from "../parts/lists.js";
import { needName } from "../parts/naming.js";
import { termsForm } from "../parts/terms.js";
import { address, go } from "../router.js";
import { say, trouble } from "../say.js";
import { ratingText, termsText } from "../words.js";

const KEY = "alphadiamond.game";
const WAYS = [["bot", "A bot"], ["anybody", "Anybody"], ["friend", "A friend"]];

class PlayPage {
  constructor(node) {
    document.title = "AlphaDiamond";
    this.game = app.info(localStorage.getItem(KEY))?.name ?? app.games[0]?.name;
    this.way = "bot";
    this.bot = {};
    this.form = h("div", { class: "stack" });
    this.cards = h("div", {});
    this.lists = h("div", { class: "stack" });
    put(node, h("div", { class: "play" },
      h("div", { class: "stack" }, h("h1", {}, "Play"), this.cards, h("section", { class: "panel stack", "aria-label": "New game" }, this.form)), this.lists));
    this.ends = [app.enterLobby(), app.on("lobby", () => this.#lists()), app.on("challenges", () => this.#lists()), app.on("playing", () => this.#lists()), app.on("welcome", () => this.#lists())];
    this.#choose();
    this.#lists();
  }

  close() {
    for (const end of this.ends) end();
  }

  async #choose() {
    const drawings = await Promise.all(app.games.map((game) => app.drawing(game.name)));
    const name = newId("game");
    put(this.cards, h("fieldset", {}, h("legend", { class: "heard" }, "Game"), h("div", { class: "cards" }, drawings.map((drawing) =>
      h("label", { class: "card" },
        h("input", { type: "radio", name, value: drawing.name, checked: drawing.name === this.game, onchange: () => this.#pick(drawing) }),
        h("span", { class: "card-face" }, h("span", { class: "card-picture" }, picture(drawing, drawing.sample)), h("strong", {}, drawing.title), h("span", { class: "muted small card-words" }, drawing.tagline)))))));
    this.#pick(drawings.find((drawing) => drawing.name === this.game) ?? drawings[0]);
  }

  #pick(drawing) {
    this.game = drawing.name;
    this.drawing = drawing;
    localStorage.setItem(KEY, drawing.name);
    this.terms = termsForm(drawing);
    this.#form();
  }

  #form() {
    this.more = h("div", {});
    this.start = h("div", {});
    put(this.form, choices("Whom to play", WAYS, this.way, (way) => { this.way = way; this.#way(); }), this.more, this.terms.element, this.start);
    this.#way();
  }

  #way() {
    put(this.more, this.way === "bot" ? this.#bots() : h("p", { class: "muted small" }, this.way === "anybody" ? "Your offer stands in the lobby until somebody takes it or you leave." : "You get a link to send; the game begins when it is opened and accepted."));
    const words = { bot: "Play", anybody: "Offer a game", friend: "Make a link" }[this.way];
    put(this.start, button(words, () => this.#begin(), { look: "main wide" }));
  }

  #bots() {
    const id = newId("bot");
    const bots = [...app.botsOf(this.game)].sort((a, b) => a.rating - b.rating);
    this.bot[this.game] ??= (bots.find((bot) => bot.name === "@network") ?? bots[0])?.name;
    const select = h("select", { id, onchange: () => (this.bot[this.game] = select.value) },
      bots.map((bot) => h("option", { value: bot.name, selected: bot.name === this.bot[this.game] }, `${bot.title} (${ratingText(bot)})`)));
    return h("div", {}, h("label", { for: id }, "Bot"), select);
  }

  async #begin() {
    if (!(await needName())) return;
    const terms = this.terms.read();
    try {
      if (this.way === "bot") await app.ask({ type: "bot", bot: this.bot[this.game], terms });
      else if (this.way === "anybody") {
        await app.ask({ type: "seek", terms });
        say("Your offer stands in the lobby.");
      } else {
        const { challenge } = await app.ask({ type: "challenge", terms });
        go("challenge", challenge.challenge);
      }
    } catch (error) {
      trouble(error);
    }
  }

  #lists() {
    const lobby = app.lobby ?? { seeks: [], games: [], people: [], here: 0, playing: 0 };
    const mine = [...app.playing.values()];
    const watched = lobby.games.filter((line) => !app.playing.has(line.game));
    const section = (title, body, none) => h("section", { class: "panel" }, h("h2", {}, title), body ?? h("p", { class: "muted small" }, none));
    keepFocus(this.lists, () => put(this.lists,
      mine.length > 0 && section("Your games", goingOn(mine, { mine: true })),
      app.challenges.size > 0 && section("Challenges", this.#challenges()),
      section("Offers", lobby.seeks.length ? this.#seeks(lobby.seeks) : null, "Nobody offers a game just now. Be the first, or play a bot."),
      section("Watch", watched.length ? goingOn(watched) : null, "No other game is being played."),
      section(`Here now: ${lobby.here}`, lobby.people.length ? h("ul", { class: "people" }, lobby.people.map((name) => h("li", {}, h("a", { href: address("person", name) }, name)))) : null, "Only spectators.")));
  }

  #seeks(seeks) {
    return h("ul", { class: "lines" }, seeks.map(({ seek, owner, terms }) => {
      const mine = owner.name === app.me;
      const act = mine ? button("Withdraw", () => app.ask({ type: "unseek", seek }).catch(trouble), { "data-act": seek }) : button("Play", async () => (await needName()) && app.ask({ type: "take", seek }).catch(trouble), { look: "main", "aria-label": `Play ${owner.name}`, "data-act": seek });
      return h("li", { class: "line" }, h("span", { class: "grow" }, h("strong", {}, mine ? "You" : owner.name), ` ${ratingText(owner)}`, h("span", { class: "muted small block" }, `${app.info(terms.game)?.title}, ${termsText(terms)}`)), act);
    }));
  }

  #challenges() {
    return h("ul", { class: "lines" }, [...app.challenges.values()].map((one) => h("li", {}, h("a", { class: "line", href: address("challenge", one.challenge) },
      h("span", { class: "grow" }, h("strong", {}, one.owner === app.me ? (one.to ? `You → ${one.to}` : "Your link") : one.owner), h("span", { class: "muted small block" }, `${app.info(one.terms.game)?.title}, ${termsText(one.terms)}`))))));
  }
}

export function show(node) {
  const page = new PlayPage(node);
  return () => page.close();
}
