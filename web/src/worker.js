// Worker: shows that the server cannot be reached where a page cannot be loaded. It keeps two pages and their style, never
// an answer of the server, a card or a round: it looks at the loading of pages alone, and asks the server for each.
const KEPT = "letitride-{{version}}";
const OFFLINE = { en: "{{offline.en}}", es: "{{offline.es}}" };
const FILES = [...Object.values(OFFLINE), "{{style}}"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.mode === "navigate" && event.request.method === "GET") {
    if (!/^\/(api|docs|openapi)/.test(pathname)) event.respondWith(fetch(event.request).catch(offline));
  } else if (FILES.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(event.request)));
  }
});

async function offline() {
  const language = self.navigator.languages.map((one) => one.split("-")[0]).find((one) => one in OFFLINE) ?? "en";
  const page = await caches.match(OFFLINE[language]);
  return page ?? Response.error();
}
