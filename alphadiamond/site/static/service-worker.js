// Keeps the site for when there is no net: the page on the first visit, networks and puzzles once somebody plays.
// The constants are filled in when the site is made.

const VERSION = null;
const PAGE = [];
const REST = [];
const OURS = `${self.registration.scope} `; // others may have caches on the same host
const KEPT = OURS + VERSION;

/** What the browser has just loaded is asked about, and not sent again. */
const asked = (path) => new Request(path, { cache: "no-cache" });

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((cache) => cache.addAll(PAGE.map(asked)))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith(OURS) && name !== KEPT);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

/** One after the other, so that they leave room for what the page loads meanwhile. */
async function keepRest() {
  const cache = await caches.open(KEPT);
  for (const path of REST) if (!(await cache.match(path))) await cache.add(asked(path));
}

self.addEventListener("message", (event) => {
  if (event.data === "all") event.waitUntil(keepRest().catch(() => {})); // the next move of a visit asks again
});

async function answer(request) {
  const cache = await caches.open(KEPT);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === self.location.origin)
    event.respondWith(answer(request));
});
