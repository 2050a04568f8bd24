// The service worker: pages open without a network too. The build writes FILES above this text: the pages
// with all that they need but Python, which is kept once a page has used it.
// An address with a version (?v=...) never has other bytes, so it is asked for only once. All others
// are asked for each time, and what was kept is the answer if the network has none.
const KEPT = "purembts";
const isFixed = (address) => new URL(address).searchParams.has("v");
const named = (address) => (isFixed(address) ? address : address.replace(/[?#].*/, ""));

// An answer of the network; the browser's own memory may have one from before a new version.
const asked = (request) => fetch(request, isFixed(request.url) ? {} : { cache: "no-cache" });

// Keep an answer; another version of it goes. A page must not be opened by one that was redirected.
async function keep(address, { body, status, headers }) {
  const kept = await caches.open(KEPT);
  await kept.delete(address, { ignoreSearch: true });
  await kept.put(named(address), new Response(body, { status, headers }));
}

// Keep files of the site. A fixed one that is kept stays.
function keepAll(names) {
  const files = names.map(async (name) => {
    const { href } = new URL(name, location);
    if (isFixed(href) && (await caches.match(href))) return;
    const response = await asked(new Request(href));
    if (response.ok) await keep(href, response);
  });
  return Promise.allSettled(files);
}

// What is kept for an address. That of a folder leads to its slash, and then to its first page.
async function before(address) {
  const name = named(address);
  const kept = await caches.match(name);
  if (kept) return kept;
  const folder = name.replace(/\/?$/, "/");
  const first = await caches.match(`${folder}index.html`);
  return first && name !== folder ? Response.redirect(folder) : first;
}

async function answer(request) {
  const kept = isFixed(request.url) && (await caches.match(request.url));
  if (kept) return kept;
  try {
    const response = await asked(request);
    if (response.status === 200) keep(request.url, response.clone()).catch(() => {});
    return response;
  } catch (error) {
    const kept = await before(request.url);
    if (kept || request.mode !== "navigate") return kept ?? Promise.reject(error);
    const headers = { "Content-Type": "text/plain" };
    return new Response("This browser has not kept this page, and there is no network.", { headers });
  }
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(keepAll(FILES));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("message", (event) => event.waitUntil(keepAll(event.data)));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answer(event.request));
});
