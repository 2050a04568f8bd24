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

// The width of a picture inside its margins, so that it fits into `place`: at most `most`.
export function widthIn(place, most = Infinity) {
  return Math.max(200, Math.min(most, place.clientWidth - 32));
}

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) fitColumns(target);
});

// Hide the least important columns of a table until it fits into its place. A column of the highest
// importance always stays.
function fitColumns(place) {
  const box = place.querySelector(".table");
  if (!box || !place.clientWidth) return;
  const left = place.importance.map((importance, i) => ({ importance, i }));
  const cells = (i) => box.querySelectorAll(`tr > :nth-child(${i + 1})`);
  for (const { i } of left) for (const cell of cells(i)) cell.hidden = false;
  const most = Math.max(...place.importance);
  left.sort((a, b) => a.importance - b.importance || b.i - a.i);
  while (box.scrollWidth > box.clientWidth && left[0].importance < most) {
    for (const cell of cells(left.shift().i)) cell.hidden = true;
  }
}

// Let the table in `place` have the columns that there is room for, now and after a new width.
export function keepFitting(place, table) {
  place.importance = table.importance;
  fitColumns(place);
  sizes.observe(place);
}
