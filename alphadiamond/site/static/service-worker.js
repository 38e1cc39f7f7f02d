// Keeps the site for when there is no net: all its files on the first visit, networks once they have been used.
// The two constants are filled in when the site is made.

const VERSION = null;
const FILES = [];
const [SITE, NETWORKS] = [`site-${VERSION}`, `networks-${VERSION}`];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SITE)
      .then((cache) => cache.addAll(FILES.map((path) => new Request(path, { cache: "reload" }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => /^(site|networks)-/.test(name) && ![SITE, NETWORKS].includes(name));
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

async function answer(request) {
  const known = await caches.match(request, { ignoreSearch: true });
  if (known) return known;
  const found = await fetch(request);
  if (found.ok && new URL(request.url).pathname.includes("/networks/"))
    (await caches.open(NETWORKS)).put(request, found.clone());
  return found;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === self.location.origin)
    event.respondWith(answer(request));
});
