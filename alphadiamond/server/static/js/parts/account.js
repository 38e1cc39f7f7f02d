// What I can do with my name and with what is kept about me, for my own profile.

import { app } from "../app.js";
import { button, h } from "../dom.js";
import { go } from "../router.js";
import { copySecret, toast, trouble } from "../notices.js";
import { t } from "../texts.js";
import { confirm, open, question } from "./dialogs.js";

export function accountTools() {
  return h(
    "section",
    { class: "panel stack" },
    h("h2", {}, t("account.title")),
    h("p", { class: "muted small" }, t("account.words")),
    h(
      "div",
      { class: "row" },
      button(t("account.rename"), rename, { sign: "edit" }),
      button(t("account.recovery"), recovery),
      button(t("account.export"), takeOut, { sign: "save" }),
      button(t("account.delete"), remove, { look: "danger", sign: "bin" }),
    ),
  );
}

function rename() {
  return question(
    t("account.renameTitle"),
    {
      label: t("account.newName"),
      help: t("account.renameWords"),
      yes: t("account.rename"),
      value: app.me,
      maxlength: 24,
      autocomplete: "nickname",
    },
    (name) => app.ask({ type: "rename", name }),
  );
}

/** A code that is shown once: nobody keeps it, and the one before is void. */
async function recovery() {
  if (!(await confirm(t("account.recoveryTitle"), t("account.recoveryWords"), t("account.recovery")))) return;
  const answer = await app.ask({ type: "recovery" }).catch(trouble);
  if (!answer?.code) return;
  const { code } = answer;
  const copy = () => copySecret(code, t("account.copied"));
  const made = open(
    t("account.yourCode"),
    h(
      "div",
      { class: "stack" },
      h("p", {}, h("output", { class: "mono", "aria-label": t("account.yourCode") }, code)),
      h("p", { class: "muted small" }, t("account.once")),
      h(
        "div",
        { class: "row" },
        button(t("account.copy"), copy, { sign: "link" }),
        button(t("account.noted"), () => made.close(), { look: "main" }),
      ),
    ),
  );
}

async function takeOut() {
  await app.connection.download("/api/export", "data.jsonl", { token: app.token }).catch(trouble);
}

async function remove() {
  const name = app.me;
  const sure = (text) => {
    if (text !== name) throw new Error(t("account.otherName"));
    return app.ask({ type: "delete", name });
  };
  if (
    !(await question(
      t("account.deleteTitle"),
      {
        label: t("account.confirm", { name }),
        help: t("account.deleteWords"),
        yes: t("account.deleteYes"),
        look: "danger",
      },
      sure,
    ))
  )
    return;
  app.leave();
  go("play");
  toast(t("account.deleted"));
}
