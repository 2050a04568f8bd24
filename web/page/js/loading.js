// Python on its way: how much of it has come, why it does not come, and how it is kept for later.
import { element } from "./dom.js";
import { PARTS, VERSION } from "./made.js";
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

// Let the browser keep the site, and Python with it.
async function keep() {
  await import("./offline.js");
  const fixed = [...Object.keys(PARTS), "more.zip"].map((name) => `${name}?v=${VERSION}`);
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage(["pyodide/pyodide.mjs", "pyodide/pyodide.asm.mjs", ...fixed]);
}

ready.then(keep).catch(({ message }) => console.info(message));
