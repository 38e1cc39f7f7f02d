// The page without a server: rules, search and networks are the browser's own.

import { begin } from "../frame.js";
import { addPage } from "../router.js";
import { LocalConnection } from "./connection.js";

addPage("shared", () => import("./shared.js"));
addPage("puzzle", () => import("./puzzle.js"), { linked: true });
const connection = new LocalConnection();
begin(connection);
// Without a service worker it works as long as there is a net.
const worker = navigator.serviceWorker;
worker?.register("service-worker.js").catch(() => {});
// A new version of the site is begun as a whole: what the page loads later would not fit what it has loaded before.
if (worker?.controller) worker.addEventListener("controllerchange", () => location.reload());
// Whoever has made a move stays: all other games are kept for when there is no net.
const end = connection.on("moved", ({ ply }) => {
  if (ply === 0) return; // it may be the opponent's
  end();
  worker?.ready.then(({ active }) => active.postMessage("all"));
});
