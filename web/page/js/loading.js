// Python on its way: how much of it has come, why it does not come, and how it is kept for later.
import { element } from "./dom.js";
import { FILES, PARTS, VERSION } from "./made.js";
import { pulse, ready } from "./python.js";

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

// Show in `place` how much of Python has come, until it is there. If a part does not come, the place
// says which one, and has a button to try again.
export function showLoading(place) {
  const show = ({ come, whole }) => {
    place.textContent = `Python is on its way: ${megabytes(come)} of ${megabytes(whole)} MB.`;
  };
  const end = (...words) => {
    pulse.removeEventListener("loading", show);
    place.replaceChildren(...words);
  };
  place.textContent = "Python is starting …";
  pulse.addEventListener("loading", show);
  const again = { onclick: () => location.reload() };
  ready.then(
    () => end(),
    ({ message }) => {
      const words = element("span", { class: "error", role: "alert" }, `Python did not start: ${message}`);
      end(words, " ", element("button", again, "Try again"));
    },
  );
}

// Let the browser keep the site for the next visit, and for one without a network.
async function keepSite() {
  const { serviceWorker } = navigator; // only over HTTPS, and at home
  if (!serviceWorker) return;
  const root = new URL("../", import.meta.url);
  await serviceWorker.register(new URL("sw.js", root));
  const { active } = await serviceWorker.ready;
  const used = performance.getEntriesByType("resource").map(({ name }) => name);
  const isFixed = (name) => name in PARTS || name === "more.zip";
  const files = FILES.map((name) => new URL(isFixed(name) ? `${name}?v=${VERSION}` : name, root).href);
  const page = location.href.replace(/#.*/, "");
  active.postMessage([...new Set([page, ...used, ...files])]);
}

ready.then(keepSite).catch((error) => console.info(error.message));
