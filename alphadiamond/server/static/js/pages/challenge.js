// A challenge, opened by its link.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { picture } from "../board/board.js";
import { button, h, put } from "../dom.js";
import { needName } from "../parts/identity.js";
import { copyLink, trouble } from "../notices.js";
import { t, troubleText } from "../texts.js";
import { capital, termsText } from "../words.js";

export function show(node, code = "") {
  let here = true;
  setTitle(t("challenge.title"));
  put(node, h("p", { class: "loading" }, t("challenge.looking")));
  look();
  const ends = [
    app.on("welcome", () => look()),
    app.connection.on("unchallenged", (event) => event.challenge === code && here && gone(t("challenge.gone"))),
  ];
  return () => {
    here = false;
    for (const end of ends) end();
  };

  function gone(words) {
    put(
      node,
      h(
        "div",
        { class: "panel stack narrow" },
        h("h1", {}, t("challenge.none")),
        h("p", {}, words),
        h("a", { href: "#play" }, t("frame.toLobby")),
      ),
    );
  }

  async function look() {
    try {
      const { challenge } = await app.ask({ type: "look", challenge: code });
      const drawing = await app.drawing(challenge.terms.game);
      if (here) render(challenge, drawing);
    } catch (error) {
      if (here && error.code !== "connection") gone(troubleText(error));
    }
  }

  function render(challenge, drawing) {
    const mine = challenge.owner === app.me;
    const seat = challenge.terms.seat === undefined ? null : mine ? challenge.terms.seat : 1 - challenge.terms.seat;
    const side = seat === null ? t("challenge.lot") : t("challenge.side", { side: drawing.side_names[seat] });
    const link = `${location.href.split("#")[0]}#challenge/${code}`;
    setTitle(`${challenge.owner}: ${drawing.title}`);
    put(
      node,
      h(
        "div",
        { class: "panel stack narrow centred" },
        h("div", { class: "card-picture big" }, picture(drawing, drawing.sample)),
        h("h1", {}, t(mine ? "challenge.mine" : "challenge.theirs", { owner: challenge.owner, game: drawing.title })),
        h("p", { class: "muted" }, `${capital(termsText(challenge.terms))}; ${side}.`),
        mine
          ? [
              h("p", {}, challenge.to ? t("challenge.told", { name: challenge.to }) : t("challenge.send")),
              h("p", { class: "mono link-text" }, link),
              h(
                "div",
                { class: "row" },
                !challenge.to && button(t("link.copy"), () => copyLink(link), { look: "main", sign: "link" }),
                button(t("word.withdraw"), () =>
                  app.ask({ type: "decline", challenge: code }).then(() => (location.hash = "#play"), trouble),
                ),
              ),
            ]
          : h(
              "div",
              { class: "row" },
              button(t("word.accept"), accept, { look: "main" }),
              challenge.to &&
                button(t("word.decline"), () =>
                  app.ask({ type: "decline", challenge: code }).then(() => (location.hash = "#play"), trouble),
                ),
            ),
      ),
    );
  }

  async function accept() {
    if (await needName()) app.ask({ type: "accept", challenge: code }).catch(trouble);
  }
}
