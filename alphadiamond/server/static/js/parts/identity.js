// Who I am: choosing a name, and the key that holds it.

import { app } from "../app.js";
import { button, h } from "../dom.js";
import { address } from "../router.js";
import { copySecret, toast, trouble } from "../notices.js";
import { t } from "../texts.js";
import { confirm, question } from "./dialogs.js";

/** Make sure that I have a name; the answer is whether I do. */
export function needName() {
  return app.me ? Promise.resolve(true) : askName();
}

async function askName() {
  let known = false;
  const someoneKnown = (close) =>
    button(t("name.haveKey"), () => {
      known = true;
      close();
    });
  await question(
    t("name.choose"),
    {
      label: t("name.label"),
      help: t("name.rules"),
      yes: t("name.take"),
      maxlength: 24,
      autocomplete: "nickname",
      more: someoneKnown,
    },
    (name) => app.become({ name }),
  );
  if (known) await askKey();
  return app.me !== null;
}

/** A key from another browser, or a recovery code, which is told from it by how it begins. */
function askKey() {
  const hello = (text) => (text.startsWith("ad_") ? { token: text } : { recovery: text });
  return question(
    t("name.enterKey"),
    { label: t("name.keyLabel"), help: t("name.codeWords"), yes: t("name.goOn"), type: "password", maxlength: 128 },
    (text) => app.become(hello(text)),
  );
}

/** In the page's head: my name, or a way to get one. */
export function whoami() {
  return app.me
    ? h(
        "a",
        { class: "button me", href: address("person", app.me), title: t("name.profile") },
        h("span", { class: "heard" }, t("name.profileOf")),
        h("span", { class: "me-name" }, app.me),
      )
    : button(t("name.choose"), askName, { look: "me" });
}

/** What can be done with my key, for my own profile. */
export function keyTools() {
  return h(
    "section",
    { class: "panel stack" },
    h("h2", {}, t("key.title")),
    h("p", { class: "muted small" }, t("key.words")),
    h(
      "div",
      { class: "row" },
      button(t("key.copy"), () => copySecret(app.token, t("key.copied")), { sign: "link" }),
      button(t("key.renew"), renew),
      button(t("key.leave"), leave, { look: "danger" }),
    ),
  );
  async function renew() {
    if (!(await confirm(t("key.renewTitle"), t("key.renewWords"), t("key.renew")))) return;
    app.ask({ type: "renew" }).then(() => toast(t("key.renewed")), trouble);
  }
  async function leave() {
    if (await confirm(t("key.leaveTitle"), t("key.leaveWords"), t("key.leaveYes"), { look: "danger" })) app.leave();
  }
}
