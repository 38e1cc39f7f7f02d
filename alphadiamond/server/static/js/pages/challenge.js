// A challenge, opened by its link.

import { app } from "../app.js";
import { picture } from "../board/board.js";
import { button, h, put } from "../dom.js";
import { needName } from "../parts/naming.js";
import { toast, trouble } from "../say.js";
import { capital, termsText } from "../words.js";

export function show(node, code = "") {
  let here = true;
  document.title = "A challenge";
  put(node, h("p", { class: "loading" }, "Looking for the challenge…"));
  look();
  const ends = [
    app.on("welcome", () => look()),
    app.connection.on("unchallenged", (event) => event.challenge === code && here && gone("It was taken or withdrawn.")),
  ];
  return () => {
    here = false;
    for (const end of ends) end();
  };

  function gone(words) {
    put(node, h("div", { class: "panel stack narrow" }, h("h1", {}, "No such challenge"), h("p", {}, words), h("a", { href: "#play" }, "To the lobby")));
  }

  async function look() {
    try {
      const { challenge } = await app.ask({ type: "look", challenge: code });
      const drawing = await app.drawing(challenge.terms.game);
      if (here) render(challenge, drawing);
    } catch (error) {
      if (here && error.code !== "connection") gone(`${capital(error.message)}.`);
    }
  }

  function render(challenge, drawing) {
    const mine = challenge.owner === app.me;
    const seat = challenge.terms.seat === undefined ? null : mine ? challenge.terms.seat : 1 - challenge.terms.seat;
    const link = `${location.origin}/#challenge/${code}`;
    document.title = `${challenge.owner}: ${drawing.title}`;
    put(node, h("div", { class: "panel stack narrow centred" },
      h("div", { class: "card-picture big" }, picture(drawing, drawing.sample)),
      h("h1", {}, mine ? `Your challenge: ${drawing.title}` : `${challenge.owner} challenges you to ${drawing.title}`),
      h("p", { class: "muted" }, `${capital(termsText(challenge.terms))}; ${seat === null ? "sides are drawn by lot" : `you play ${drawing.side_names[seat]}`}.`),
      mine
        ? [h("p", {}, challenge.to ? `${challenge.to} has been told.` : "Send this link to whom you want to play. The game begins when it is accepted."),
          h("p", { class: "mono link-text" }, link),
          h("div", { class: "row" }, !challenge.to && button("Copy the link", () => navigator.clipboard.writeText(link).then(() => toast("The link is in the clipboard."), () => {}), { look: "main", sign: "link" }), button("Withdraw", () => app.ask({ type: "decline", challenge: code }).then(() => (location.hash = "#play"), trouble)))]
        : h("div", { class: "row" }, button("Accept", accept, { look: "main" }), challenge.to && button("Decline", () => app.ask({ type: "decline", challenge: code }).then(() => (location.hash = "#play"), trouble)))));
  }

  async function accept() {
    if (await needName()) app.ask({ type: "accept", challenge: code }).catch(trouble);
  }
}
