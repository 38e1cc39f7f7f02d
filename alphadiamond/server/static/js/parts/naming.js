// Who I am: choosing a name, and the key that holds it.

import { app } from "../app.js";
import { button, h, newId } from "../dom.js";
import { address } from "../router.js";
import { toast, trouble } from "../say.js";
import { t, troubleText } from "../texts.js";
import { confirm, open } from "./dialogs.js";

/** Make sure that I have a name; the answer is whether I do. */
export function needName() {
  return app.me ? Promise.resolve(true) : askName();
}

function askName() {
  return new Promise((resolve) => {
    const [id, help, fault] = [newId("name"), newId("help"), newId("fault")];
    const input = h("input", { type: "text", id, required: true, maxlength: 24, autocomplete: "nickname", "aria-describedby": `${help} ${fault}` });
    const wrong = h("p", { id: fault, class: "bad", role: "alert" });
    const form = h("form", { onsubmit: submit },
      h("div", {}, h("label", { for: id }, t("name.label")), input),
      h("p", { id: help, class: "small muted" }, t("name.rules")), wrong,
      h("div", { class: "row" }, h("button", { type: "submit", class: "button main" }, t("name.take")), button(t("word.cancel"), () => made.close()),
        button(t("name.haveKey"), key)));
    const made = open(t("name.choose"), form);
    let instead = null;
    made.addEventListener("close", () => (instead ? instead().then(resolve) : resolve(app.me !== null)));
    function key() {
      instead = askKey;
      made.close();
    }
    async function submit(event) {
      event.preventDefault();
      wrong.textContent = "";
      try {
        await app.become({ name: input.value });
        made.close();
      } catch (error) {
        wrong.textContent = troubleText(error);
        input.focus();
      }
    }
  });
}

function askKey() {
  return new Promise((resolve) => {
    const [id, fault] = [newId("key"), newId("fault")];
    const input = h("input", { type: "password", id, required: true, autocomplete: "off", "aria-describedby": fault });
    const wrong = h("p", { id: fault, class: "bad", role: "alert" });
    const form = h("form", { onsubmit: submit }, h("div", {}, h("label", { for: id }, t("name.keyLabel")), input), wrong,
      h("div", { class: "row" }, h("button", { type: "submit", class: "button main" }, t("name.goOn")), button(t("word.cancel"), () => made.close())));
    const made = open(t("name.enterKey"), form);
    made.addEventListener("close", () => resolve(app.me !== null));
    async function submit(event) {
      event.preventDefault();
      try {
        await app.become({ token: input.value.trim() });
        made.close();
      } catch (error) {
        wrong.textContent = troubleText(error);
      }
    }
  });
}

/** In the page's head: my name, or a way to get one. */
export function whoami() {
  return app.me ? h("a", { class: "button me", href: address("person", app.me), title: t("name.profile") }, h("span", { class: "heard" }, t("name.profileOf")), h("span", { class: "me-name" }, app.me)) : button(t("name.choose"), askName, { look: "me" });
}

/** What can be done with my key, for my own profile. */
export function keyTools() {
  return h("section", { class: "panel stack" }, h("h2", {}, t("key.title")),
    h("p", { class: "muted small" }, t("key.words")),
    h("div", { class: "row" },
      button(t("key.copy"), copy, { sign: "link" }),
      button(t("key.renew"), renew),
      button(t("key.leave"), leave, { look: "danger" })));
  async function copy() {
    await navigator.clipboard.writeText(app.token).then(() => toast(t("key.copied")), () => toast(t("key.refused"), { trouble: true }));
  }
  async function renew() {
    if (!(await confirm(t("key.renewTitle"), t("key.renewWords"), t("key.renew")))) return;
    app.ask({ type: "renew" }).then(() => toast(t("key.renewed")), trouble);
  }
  async function leave() {
    if (await confirm(t("key.leaveTitle"), t("key.leaveWords"), t("key.leaveYes"), { look: "danger" })) app.leave();
  }
}
