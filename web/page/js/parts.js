// Parts that the panels of thoughts, hints and costs have in common.
import { element } from "./dom.js";

const counted = (n) => n.toLocaleString("en");

// The sentence that says how far the thoughts are.
export function progressText({ done, of, unit, told }) {
  if (told) return told;
  if (!of) return "";
  return `${counted(done)} of ${counted(of)} ${unit} (${Math.floor((100 * done) / of)} %)`;
}

// A part that is closed until somebody opens it.
export function folded(part, title = "All numbers") {
  return element("details", { class: "numbers" }, element("summary", {}, title), part);
}

// The width of a picture of moves inside its margins, so that it fits into `place`.
export function widthIn(place) {
  return Math.max(200, place.clientWidth - 32);
}
