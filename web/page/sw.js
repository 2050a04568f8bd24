// The service worker: what a page has loaded is kept, so that pages open without a network too.
// An address with a version (?v=...) never has other bytes, so it is asked for only once. All others
// are asked for each time, and what was kept is the answer if the network has none.
const KEPT = "purembts";
const isOurs = (address) => new URL(address).origin === location.origin;
const isFixed = (address) => new URL(address).searchParams.has("v");

// Keep an answer; another version of it goes.
async function keep(address, response) {
  const kept = await caches.open(KEPT);
  await kept.delete(address, { ignoreSearch: true });
  await kept.put(address, response);
}

// An answer of the network; the browser's own memory may have one from before a new version.
const asked = (address) => fetch(address, isFixed(address) ? {} : { cache: "no-cache" });

// Keep a file that a page had before this worker was there. A fixed one that is kept stays.
async function fetchOnce(address) {
  if (isFixed(address) && (await caches.match(address))) return;
  const response = await asked(address);
  if (response.ok) await keep(address, response);
}

async function answer({ request }) {
  const kept = isFixed(request.url) && (await caches.match(request.url));
  if (kept) return kept;
  try {
    const response = await asked(request.url);
    if (response.status === 200) keep(request.url, response.clone()).catch(() => {});
    return response;
  } catch (error) {
    const before = await caches.match(request.url);
    if (before) return before;
    throw error;
  }
}

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => {
  const files = event.data.filter(isOurs).map(fetchOnce);
  event.waitUntil(Promise.allSettled(files));
});
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && isOurs(url)) event.respondWith(answer(event));
});
