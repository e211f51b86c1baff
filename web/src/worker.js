// Worker: shows that the server cannot be reached where a page cannot be loaded, and opens the ruling desk where it was
// kept (pages/desk/keep.ts). It asks the server first, each time, and holds no card and no round.
const KEPT = "letitride-{{version}}";
const DESK = "letitride-desk";
const OFFLINE = { en: "{{offline.en}}", es: "{{offline.es}}" };
const FILES = [...Object.values(OFFLINE), "{{style}}"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const others = caches.keys().then((names) => Promise.all(names.filter((name) => ![KEPT, DESK].includes(name)).map((name) => caches.delete(name))));
  event.waitUntil(others.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.mode === "navigate" && event.request.method === "GET") {
    if (!/^\/(api|docs|openapi)/.test(pathname)) event.respondWith(fetch(event.request).catch(async () => (await desk(event.request)) ?? offline()));
  } else if (FILES.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(event.request)));
  } else if (/^\/(assets\/|api\/rulebooks)/.test(pathname) && event.request.method === "GET") {
    event.respondWith(fetch(event.request).catch(async (error) => (await desk(event.request)) ?? Promise.reject(error)));
  }
});

const desk = (request) => caches.match(request, { cacheName: DESK, ignoreVary: true });

async function offline() {
  const language = self.navigator.languages.map((one) => one.split("-")[0]).find((one) => one in OFFLINE) ?? "en";
  const page = await caches.match(OFFLINE[language]);
  return page ?? Response.error();
}
