// Keep: what the ruling desk needs without a network, in a store of the browser's: the page, its files and the rulings.
const STORE = "letitride-desk"; // worker.js looks there
const HELD = /^\/(assets\/|api\/rulebooks)/;

/** Keep the desk as it is now; return whether it opens on this device without a network from now on. */
export async function keepDesk(): Promise<boolean> {
  if (!window.caches || !navigator.serviceWorker) return false; // only where the connection is secure
  await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const held = loaded.filter(({ origin, pathname }) => origin === location.origin && HELD.test(pathname));
  const addresses = [...new Set([location.pathname, ...held.map(({ pathname, search }) => pathname + search)])];
  const answers = await Promise.all(addresses.map((address) => fetch(address)));
  if (!answers.every((one) => one.ok)) return false;
  await caches.delete(STORE);
  const store = await caches.open(STORE);
  await Promise.all(answers.map((one, at) => store.put(addresses[at]!, one)));
  return true;
}
