// Somebody else to play after a game, by one click: the next stronger bot, whoever offers the same, or an offer of
// one's own.

import { app } from "../app.js";
import { button } from "../dom.js";
import { go } from "../router.js";
import { toast, trouble } from "../notices.js";
import { t } from "../texts.js";

/** The bot that is a little stronger than this one; after the strongest, the weakest that is not this one. */
function nextBot(view, name) {
  const bots = app.botsOf(view.of).toSorted((a, b) => a.rating - b.rating || a.name.localeCompare(b.name));
  const at = bots.findIndex((bot) => bot.name === name);
  return bots[at + 1] ?? bots.find((bot) => bot.name !== name);
}

const same = (one, two) => one?.seconds === two?.seconds && (one?.increment ?? 0) === (two?.increment ?? 0);

/** A seek of somebody else on the terms of a game. */
function fitting(view) {
  return (app.lobby?.seeks ?? []).find(
    ({ owner, terms }) =>
      owner.name !== app.me &&
      terms.game === view.of &&
      Boolean(terms.rated) === view.rated &&
      same(terms.clock, view.clock),
  );
}

export function nextButton(view) {
  const other = view.players[1 - view.seat];
  const terms = { game: view.of, rated: view.rated, ...(view.clock ? { clock: view.clock } : {}) };
  if (other.bot) {
    const bot = nextBot(view, other.name);
    if (!bot) return null;
    return button(
      t("action.nextBot", { bot: bot.title }),
      () => begin({ type: "bot", bot: bot.name, terms: { ...terms, seat: 1 - view.seat } }),
      { sign: "next", "data-act": "next" },
    );
  }
  return button(
    t("action.nextPerson"),
    async () => {
      const found = fitting(view);
      if (found) return begin({ type: "take", seek: found.seek });
      if (await begin({ type: "seek", terms })) toast(t("play.offered"));
      return go("play");
    },
    { sign: "next", "data-act": "next" },
  );
}

/** The page goes to the game that begins by it. */
async function begin(message) {
  app.following = true;
  try {
    await app.ask(message);
    return true;
  } catch (error) {
    trouble(error);
    return false;
  } finally {
    app.following = false;
  }
}
