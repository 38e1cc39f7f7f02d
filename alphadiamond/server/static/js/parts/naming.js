// Who I am: choosing a name, and the key that holds it.

import { app } from "../app.js";
import { button, h, newId } from "../dom.js";
import { address } from "../router.js";
import { toast, trouble } from "../say.js";
import { confirm, open } from "./dialogs.js";

const RULES = "2 to 24 letters and digits, with single spaces, _, - or . between them. No e-mail, no password: this browser keeps a key.";

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
      h("div", {}, h("label", { for: id }, "Name"), input),
      h("p", { id: help, class: "small muted" }, RULES), wrong,
      h("div", { class: "row" }, h("button", { type: "submit", class: "button main" }, "Take this name"), button("Cancel", () => made.close()),
        button("I have a key", key)));
    const made = open("Choose a name", form);
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
        wrong.textContent = `${error.message}.`;
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
    const form = h("form", { onsubmit: submit }, h("div", {}, h("label", { for: id }, "Your key, from another browser"), input), wrong,
      h("div", { class: "row" }, h("button", { type: "submit", class: "button main" }, "Go on as that person"), button("Cancel", () => made.close())));
    const made = open("Enter your key", form);
    made.addEventListener("close", () => resolve(app.me !== null));
    async function submit(event) {
      event.preventDefault();
      try {
        await app.become({ token: input.value.trim() });
        made.close();
      } catch (error) {
        wrong.textContent = `${error.message}.`;
      }
    }
  });
}

/** In the page's head: my name, or a way to get one. */
export function whoami() {
  return app.me ? h("a", { class: "button me", href: address("person", app.me), title: "Your profile" }, h("span", { class: "heard" }, "Your profile: "), h("span", { class: "me-name" }, app.me)) : button("Choose a name", askName, { look: "me" });
}

/** What can be done with my key, for my own profile. */
export function keyTools() {
  return h("section", { class: "panel stack" }, h("h2", {}, "Your key"),
    h("p", { class: "muted small" }, "The key is you. Copy it to play as the same person in another browser; show it to nobody."),
    h("div", { class: "row" },
      button("Copy the key", copy, { sign: "link" }),
      button("Make a new key", renew),
      button("Leave this browser", leave, { look: "danger" })));
  async function copy() {
    await navigator.clipboard.writeText(app.token).then(() => toast("The key is in the clipboard."), () => toast("This browser does not allow it.", { trouble: true }));
  }
  async function renew() {
    if (!(await confirm("Make a new key?", "The old one is void from then on, and your other browsers and programs are cut off.", "Make a new key"))) return;
    app.ask({ type: "renew" }).then(() => toast("You have a new key."), trouble);
  }
  async function leave() {
    if (await confirm("Leave this browser?", "Without a copy of the key nobody can be you again.", "Leave", { look: "danger" })) app.leave();
  }
}
