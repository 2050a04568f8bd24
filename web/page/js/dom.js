// Elements of a page, and the tables that Python makes.
import { html, render } from "./lit.js";

// The element of the page with this id.
export const at = (id) => document.getElementById(id);

// The parts of a place by their names, which stand in the page as `data-part`.
export function partsOf(place) {
  const found = [...place.querySelectorAll("[data-part]")];
  return Object.fromEntries(found.map((part) => [part.dataset.part, part]));
}

// An element with these attributes and children. A function is a listener: `onclick`. A button does
// not send its form, but for one of the type "submit".
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  if (tag === "button") made.type = "button";
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") made.toggleAttribute(name, value);
    else if (value != null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A number with commas.
const numbers = new Intl.NumberFormat("en");
export const formatted = (n) => numbers.format(n);

// True if the system of the person asks for less motion.
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Put a table {title, columns, notes} into `place`.
export function showTable(place, { title, columns, notes }) {
  const kind = (column) => (column.is_text ? "words" : "number");
  const head = (column) =>
    column.heading ? html`<th scope="col" class=${kind(column)}>${column.heading}</th>` : html`<td></td>`;
  const row = (_, i) =>
    html`<tr>${columns.map((column) => html`<td class=${kind(column)}>${column.cells[i]}</td>`)}</tr>`;
  const table = html`
    <div class="table" tabindex="0" role="region" aria-label=${title}>
      <table>
        <caption>${title}</caption>
        <thead><tr>${columns.map(head)}</tr></thead>
        <tbody>${columns[0].cells.map(row)}</tbody>
      </table>
      ${notes.map((note) => html`<p class="note">${note}</p>`)}
    </div>`;
  render(table, place);
}

const PLACE = /\b(line \d+)\b/i;

// The number of the line of code that a text names first; NaN if it names none.
export const lineIn = (text) => Number(text.match(PLACE)?.[1].slice(5));

// A text as nodes, in which each line of the code is a button that goes there. `shown` makes nodes
// of the rest. Code below the text has the form that it has in an editor.
export function withLines(text, goTo, shown = (part) => [part]) {
  const [said, ...code] = text.split(/\n(?= {4})/);
  const nodes = said.split(PLACE).flatMap((part, i) => {
    if (i % 2 === 0) return shown(part);
    const onclick = () => goTo(lineIn(part));
    return [element("button", { class: "place", onclick }, part)];
  });
  return code.length ? [...nodes, element("code", { class: "source" }, code.join("\n"))] : nodes;
}

// Let a screen reader say a text, in the live region of the page.
export function say(text) {
  at("said").textContent = text;
}

// The function that is called at most once for each redraw.
export function atRedraw(draw) {
  let asked = false;
  const redraw = () => {
    asked = false;
    draw();
  };
  return () => {
    if (!asked) requestAnimationFrame(redraw);
    asked = true;
  };
}
