// The lobby: choose a game and somebody to play, or watch others.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { picture } from "../board/board.js";
import { button, h, icon, keepFocus, newId, put } from "../dom.js";
import { childhood } from "../parts/childhood.js";
import { choices } from "../parts/choices.js";
import { finished, goingOn } from "../parts/lists.js";
import { needName } from "../parts/identity.js";
import { termsForm } from "../parts/terms.js";
import { address, go } from "../router.js";
import { say, trouble } from "../notices.js";
import { t } from "../texts.js";
import { ratingText, termsText } from "../words.js";

const KEY = "alphadiamond.game";
const WAYS = ["bot", "anybody", "friend"];

class PlayPage {
  constructor(node, to) {
    setTitle("AlphaDiamond");
    this.game = app.info(localStorage.getItem(KEY))?.name ?? app.games[0]?.name;
    this.way = to ? "friend" : "bot";
    this.to = to;
    this.bot = {};
    this.form = h("div", { class: "stack" });
    this.cards = h("div", {});
    this.lists = h("div", { class: "stack" });
    put(
      node,
      h(
        "div",
        { class: "play" },
        h(
          "div",
          { class: "stack" },
          h("h1", {}, t("play.title")),
          this.cards,
          h("section", { class: "panel stack", "aria-label": t("play.new") }, this.form),
        ),
        this.lists,
      ),
    );
    this.ends = [
      app.enterLobby(),
      app.on("lobby", () => this.#lists()),
      app.on("challenges", () => this.#lists()),
      app.on("playing", () => this.#lists()),
      app.on("welcome", () => this.#lists()),
    ];
    this.#choose();
    this.#lists();
  }

  close() {
    for (const end of this.ends) end();
  }

  async #choose() {
    const drawings = await Promise.all(app.games.map((game) => app.drawing(game.name)));
    const name = newId("game");
    put(
      this.cards,
      h(
        "fieldset",
        {},
        h("legend", { class: "heard" }, t("word.game")),
        h(
          "div",
          { class: "cards" },
          drawings.map((drawing) =>
            h(
              "label",
              { class: "card" },
              h("input", {
                type: "radio",
                name,
                value: drawing.name,
                checked: drawing.name === this.game,
                onchange: () => this.#pick(drawing),
              }),
              h(
                "span",
                { class: "card-face" },
                h("span", { class: "card-picture" }, picture(drawing, drawing.sample)),
                h("strong", {}, drawing.title),
                h("span", { class: "muted small card-words" }, drawing.tagline),
              ),
            ),
          ),
        ),
      ),
    );
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
    put(
      this.form,
      app.connection.people &&
        choices(
          t("play.whom"),
          WAYS.map((way) => [way, t(`play.${way}`)]),
          this.way,
          (way) => {
            this.way = way;
            this.#way();
          },
        ),
      this.more,
      this.terms.element,
      this.start,
    );
    this.#way();
  }

  #way() {
    put(
      this.more,
      this.way === "bot"
        ? this.#bots()
        : [this.way === "friend" && this.#friend(), h("p", { class: "muted small" }, t(`play.${this.way}Help`))],
    );
    this.#start();
  }

  #bots() {
    const id = newId("bot");
    const all = [...app.botsOf(this.game)].sort((a, b) => a.rating - b.rating);
    const bots = all.filter((bot) => !bot.iteration);
    this.bot[this.game] ??= (
      bots.find((bot) => bot.name === "@network") ??
      bots.find((bot) => bot.usual) ??
      bots[0]
    )?.name;
    const rating = (bot) => (ratingText(bot) ? ` (${ratingText(bot)})` : "");
    const select = h(
      "select",
      { id, onchange: () => (this.bot[this.game] = select.value) },
      bots.map((bot) =>
        h("option", { value: bot.name, selected: bot.name === this.bot[this.game] }, bot.title + rating(bot)),
      ),
    );
    const grown = all.filter((bot) => bot.iteration);
    return h(
      "div",
      { class: "stack" },
      h("div", {}, h("label", { for: id }, t("play.botLabel")), select),
      grown.length > 0 && childhood(grown, (bot) => (this.bot[this.game] = bot?.name ?? select.value)),
    );
  }

  /** Whom a challenge is for; nobody: whoever opens its link. */
  #friend() {
    const id = newId("to");
    const list = newId("people");
    const others = (app.lobby?.people ?? []).filter((name) => name !== app.me);
    const input = h("input", {
      type: "text",
      id,
      list,
      maxlength: 24,
      autocomplete: "off",
      value: this.to,
      oninput: () => {
        this.to = input.value;
        this.#start();
      },
    });
    return h(
      "div",
      {},
      h("label", { for: id }, t("play.friendName")),
      input,
      h(
        "datalist",
        { id: list },
        others.map((name) => h("option", { value: name })),
      ),
    );
  }

  #start() {
    const named = this.way === "friend" && this.to.trim();
    put(
      this.start,
      button(named ? t("play.challengeStart") : t(`play.${this.way}Start`), () => this.#begin(), { look: "main wide" }),
    );
  }

  async #begin() {
    if (!(await needName())) return;
    const terms = this.terms.read();
    try {
      if (this.way === "bot") await app.ask({ type: "bot", bot: this.bot[this.game], terms });
      else if (this.way === "anybody") {
        await app.ask({ type: "seek", terms });
        say(t("play.offered"));
      } else {
        const to = this.to.trim();
        const { challenge } = await app.ask({ type: "challenge", terms, ...(to ? { to } : {}) });
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
    const section = (title, body, none) =>
      h("section", { class: "panel" }, h("h2", {}, title), body ?? h("p", { class: "muted small" }, none));
    keepFocus(this.lists, () =>
      put(
        this.lists,
        mine.length > 0 && section(t("play.mine"), goingOn(mine, { mine: true })),
        app.challenges.size > 0 && section(t("play.challenges"), this.#challenges()),
        !app.connection.people && app.connection.lists(section, finished),
        app.connection.people &&
          section(t("play.offers"), lobby.seeks.length ? this.#seeks(lobby.seeks) : null, t("play.noOffers")),
        app.connection.people && section(t("play.watch"), watched.length ? goingOn(watched) : null, t("play.noGames")),
        app.connection.people &&
          section(
            t("play.here", { n: lobby.here }),
            lobby.people.length
              ? h(
                  "ul",
                  { class: "people" },
                  lobby.people.map((name) =>
                    h(
                      "li",
                      { class: "row" },
                      h("a", { href: address("person", name) }, name),
                      name !== app.me && challengeLink(name),
                    ),
                  ),
                )
              : null,
            t("play.nobody"),
          ),
      ),
    );
  }

  #seeks(seeks) {
    return h(
      "ul",
      { class: "lines" },
      seeks.map(({ seek, owner, terms }) => {
        const mine = owner.name === app.me;
        const act = mine
          ? button(t("word.withdraw"), () => app.ask({ type: "unseek", seek }).catch(trouble), { "data-act": seek })
          : button(
              t("play.botStart"),
              async () => (await needName()) && app.ask({ type: "take", seek }).catch(trouble),
              { look: "main", "aria-label": t("play.playThem", { name: owner.name }), "data-act": seek },
            );
        return h(
          "li",
          { class: "line" },
          h(
            "span",
            { class: "grow" },
            h("strong", {}, mine ? t("word.you") : owner.name),
            ` ${ratingText(owner)}`,
            h("span", { class: "muted small block" }, `${app.titleOf(terms.game)}, ${termsText(terms)}`),
          ),
          act,
        );
      }),
    );
  }

  #challenges() {
    return h(
      "ul",
      { class: "lines" },
      [...app.challenges.values()].map((one) =>
        h(
          "li",
          {},
          h(
            "a",
            { class: "line", href: address("challenge", one.challenge) },
            h(
              "span",
              { class: "grow" },
              h(
                "strong",
                {},
                one.owner === app.me ? (one.to ? t("play.toThem", { name: one.to }) : t("play.yourLink")) : one.owner,
              ),
              h("span", { class: "muted small block" }, `${app.titleOf(one.terms.game)}, ${termsText(one.terms)}`),
            ),
          ),
        ),
      ),
    );
  }
}

/** To the form for a challenge to somebody. */
function challengeLink(name) {
  const words = t("play.challengeThem", { name });
  return h(
    "a",
    { class: "button quiet", href: address("play", name), "aria-label": words, title: words },
    icon("swords"),
  );
}

export function show(node, to = "") {
  const page = new PlayPage(node, to);
  return () => page.close();
}
