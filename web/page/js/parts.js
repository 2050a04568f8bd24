// Parts that the panels of thoughts, hints and costs have in common.
import { element, formatted, pictureElement, showTable } from "./dom.js";

// The sentence that says how far the thoughts are.
export function progressText({ done, of, unit }) {
  if (!of) return "";
  return `${formatted(done)} of ${formatted(of)} ${unit} (${Math.floor((100 * done) / of)} %)`;
}

const openKinds = new Set();

// All numbers, closed until somebody opens them; then the next ones of this kind are open too.
function folded(kind, ...numbers) {
  const summary = element("summary", {}, "All numbers");
  const made = element("details", { class: "numbers", open: openKinds.has(kind) }, summary, ...numbers);
  made.addEventListener("toggle", () => made.isConnected && openKinds[made.open ? "add" : "delete"](kind));
  return made;
}

function tabled(table) {
  const place = element("div");
  showTable(place, table);
  return place;
}

// What the last step of hints or of thoughts believes of the moves: the rule of the move, and all
// numbers. If they are seen elsewhere, on a `board` for example, the
// picture of the moves is among all numbers; else it stands before them.
export function beliefs(step, kind, isSeen, ...board) {
  const rule = element("p", { class: "note" }, step.rule ?? "");
  const bars = pictureElement(step.moves);
  const table = step.table ? [tabled(step.table)] : [];
  const numbers = isSeen ? [bars, ...table] : table;
  const more = numbers.length ? [folded(kind, ...numbers)] : [];
  return [...board, ...(isSeen ? [] : [bars]), rule, ...more];
}

const MARGIN = 32; // the pixels of the margins of a picture, and of a panel

// The width of a picture inside its margins, so that it fits into `place`: at most `most`. A place in
// a panel that is not shown yet will be as wide as the column, without the margins of the panel.
export function widthIn(place, most = Infinity) {
  const column = place.closest(".right, main") ?? place;
  const width = place.clientWidth || column.clientWidth - MARGIN;
  return Math.max(200, Math.min(most, width - MARGIN));
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
  const isWide = () => box.scrollWidth > box.clientWidth;
  const hide = (i, isHidden) => {
    for (const cell of cells(i)) cell.hidden = isHidden;
  };
  for (const { i } of left) hide(i, false);
  const most = Math.max(...place.importance);
  left.sort((a, b) => a.importance - b.importance || b.i - a.i);
  const gone = [];
  while (isWide() && left[0].importance < most) {
    gone.unshift(left.shift().i);
    hide(gone[0], true);
  }
  for (const i of gone) { // a narrow one may have room after all
    hide(i, false);
    if (isWide()) hide(i, true);
  }
  const heads = [...box.querySelectorAll("th")].filter((head) => head.hidden);
  for (const note of box.querySelectorAll(".note")) {
    note.hidden = heads.some((head) => note.textContent.startsWith(head.textContent));
  }
}

// Let the table in `place` have the columns that there is room for, now and after a new width.
export function keepFitting(place, table) {
  place.importance = table.importance;
  fitColumns(place);
  sizes.observe(place);
}

const LEGEND = 9; // the least pixels of the words below a heat map
const smallest = () => (innerWidth > 600 ? 11 : 10); // the least pixels of its numbers
const heatMaps = new ResizeObserver((entries) => {
  for (const { target } of entries) leaveOut(target);
});

// Leave the numbers of a heat map out that are too small to be read. Its colours stay.
function leaveOut(svg) {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  if (!scale) return;
  const show = (selector, least, by = scale) => {
    const texts = [...svg.querySelectorAll(selector)];
    const fits = (text) => by * text.getAttribute("font-size") >= least - 0.05;
    for (const text of texts) text.style.display = fits(text) ? "" : "none";
    return texts.some(fits);
  };
  show("[data-move] text:first-of-type", smallest());
  show("[data-legend] text", LEGEND, svg.querySelector("[data-legend]")?.getScreenCTM().a);
  const hasVisits = show("[data-move] text:nth-of-type(2)", smallest());
  const words = svg.querySelector("[data-legend=visits]");
  if (words) words.style.display = hasVisits ? "" : "none";
}

// Let the heat map in `place` show the numbers that can be read, now and after a new width.
export function keepReadable(place) {
  const svg = place?.querySelector("svg");
  if (svg?.querySelector("[data-square] [data-move]")) heatMaps.observe(svg);
}
