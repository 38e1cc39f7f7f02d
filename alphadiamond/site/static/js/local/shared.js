// A link that holds a game: it is looked at, and gone on with against the network.

import { app } from "../app.js";
import { setTitle } from "../attention.js";
import { picture } from "../board/board.js";
import { button, h, newId, put } from "../dom.js";
import { go } from "../router.js";
import { trouble } from "../notices.js";
import { t, troubleText } from "../texts.js";
import { Position } from "../engine/position.js";
import { load } from "../engine/games/index.js";
import { readLink } from "./links.js";

export function show(node, ...parts) {
  let here = true;
  setTitle(t("shared.title"));
  put(node, h("p", { class: "loading" }, t("frame.loading")));
  look().catch(
    (error) =>
      here &&
      put(
        node,
        h(
          "div",
          { class: "panel stack narrow" },
          h("h1", {}, t("shared.wrong")),
          h("p", { class: "bad" }, troubleText({ code: error.code ?? "link", message: error.message })),
          h("a", { href: "#play" }, t("local.toPlay")),
        ),
      ),
  );
  return () => (here = false);

  async function look() {
    const found = await readLink(app.games, ...parts);
    const drawing = await app.drawing(found.of);
    let position = Position.parse(await load(found.of), found.start);
    let scene = position.firstScene();
    for (const text of found.moves) {
      const action = position.action(text);
      const after = position.play(action);
      scene = position.sceneOf(action, after);
      position = after;
    }
    if (!here) return;
    const id = newId("bot");
    const bots = app.botsOf(found.of);
    const select = h(
      "select",
      { id },
      bots.map((bot) => h("option", { value: bot.name, selected: bot.name === "@champion" }, bot.title)),
    );
    const open = async () => {
      try {
        go("game", (await app.connection.adopt(found, select.value)).game);
      } catch (error) {
        trouble(error);
      }
    };
    put(
      node,
      h(
        "div",
        { class: "panel stack narrow centred" },
        h("div", { class: "card-picture big" }, picture(drawing, scene)),
        h("h1", {}, drawing.title),
        h(
          "p",
          {},
          found.over
            ? t("shared.over", { n: found.moves.length })
            : t("shared.going", { n: found.moves.length, side: drawing.side_names[found.turn] }),
        ),
        h("p", { class: "mono link-text" }, String(position)),
        !found.over && h("div", {}, h("label", { for: id }, t("shared.against")), select),
        h("div", { class: "row" }, button(t(found.over ? "shared.replay" : "shared.play"), open, { look: "main" })),
      ),
    );
  }
}
