// The page without a server: rules, search and networks are the browser's own.

import { begin } from "../frame.js";
import { addPage } from "../router.js";
import { LocalConnection } from "./connection.js";

addPage("shared", () => import("./shared.js"));
addPage("puzzle", () => import("./puzzle.js"), { linked: true });
begin(new LocalConnection());
// Without one it works as long as there is a net.
navigator.serviceWorker?.register("service-worker.js").catch(() => {});
