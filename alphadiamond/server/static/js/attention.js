// Whoever looks elsewhere is called when it is their turn: the title blinks, and a notification comes if they allow it.

import { switchButton } from "./dom.js";
import { toast } from "./notices.js";
import { t } from "./texts.js";

const KEY = "alphadiamond.notify";
const BLINK = 1000;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let title = "AlphaDiamond";
let call = null; // what the title says every other second
let timer = null;
let odd = false;

/** What the page is called, and what it says as long as somebody is waited for; null: nobody is. */
export function setTitle(words, wanted = null) {
  title = words;
  call = wanted;
  show();
}

function show() {
  const away = call !== null && document.hidden && !calm.matches;
  if (away && timer === null)
    timer = setInterval(() => {
      odd = !odd;
      document.title = odd ? `● ${call}` : title;
    }, BLINK);
  if (!away) {
    clearInterval(timer);
    timer = null;
    document.title = call ?? title;
  }
}

document.addEventListener("visibilitychange", show);

function allowed() {
  return "Notification" in window && Notification.permission === "granted" && localStorage.getItem(KEY) === "on";
}

/** Tell somebody who looks elsewhere; `tag` keeps one note a game. */
export function notify(words, body, tag) {
  if (!allowed() || !document.hidden) return;
  const note = new Notification(words, { body, tag, icon: "icon.svg" });
  note.onclick = () => {
    window.focus();
    note.close();
  };
}

/** Asks the browser when it is switched on for the first time. */
export function notifySwitch() {
  if (!("Notification" in window)) return null;
  return switchButton(
    () => (allowed() ? ["bell", t("notify.on")] : ["bellOff", t("notify.off")]),
    async () => {
      if (allowed()) localStorage.setItem(KEY, "off");
      else if ((await Notification.requestPermission()) === "granted") localStorage.setItem(KEY, "on");
      else toast(t("notify.refused"), { trouble: true });
    },
  ).made;
}
