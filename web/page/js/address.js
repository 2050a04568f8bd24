// The part of an address after #, as named texts: #seed=7&pulls=1121. And the width of a chart.
import { say } from "./dom.js";

// The text of the parts with these names; empty parts are left out.
export function formattedParts(parts, names) {
  const full = names.filter((name) => parts[name] != null && parts[name] !== "");
  const escaped = (text) => encodeURIComponent(text).replace(/%2C/g, ",").replace(/%20/g, "");
  return `#${full.map((name) => `${name}=${escaped(parts[name])}`).join("&")}`;
}

// The parts with these names in a text; others are left out.
export function parsedParts(text, names) {
  const parts = new URLSearchParams(text.replace(/^#/, ""));
  const given = names.filter((name) => parts.has(name));
  return Object.fromEntries(given.map((name) => [name, parts.get(name)]));
}

let written = 0;

// Let the address carry the parts with these names. Nothing is written if that was done less than
// `pause` milliseconds ago, because browsers allow it only so often.
export function keepAddress(parts, names, pause = 0) {
  if (performance.now() - written < pause) return;
  written = performance.now();
  history.replaceState(null, "", formattedParts(parts, names));
}

// Let a button copy the address, after `write` has brought it up to date.
export function copiesAddress(button, write) {
  const words = button.textContent;
  button.addEventListener("click", async () => {
    write();
    const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject();
    const done = await copied.then(() => "Copied", () => "Copy the address of this page");
    button.textContent = done;
    say(`${done}.`);
    setTimeout(() => (button.textContent = words), 3000);
  });
}

// The width of a chart that fits into `place` without getting smaller: from 240 to 600.
export const chartWidth = (place) => Math.max(240, Math.min(600, place.clientWidth - 34));
