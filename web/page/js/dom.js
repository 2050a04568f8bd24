// Elements of a page, and the pictures and tables that Python makes.

export const SVG = "http://www.w3.org/2000/svg";

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

// A number with commas, and one with its noun.
const numbers = new Intl.NumberFormat("en");
export const formatted = (n) => numbers.format(n);
export const counted = (n, noun) => `${formatted(n)} ${noun}${n === 1 ? "" : "s"}`;

// True if the system of the person asks for less motion.
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Let the keys scroll the place of a picture that is wider than it.
function reach(place) {
  if (!place || (place.hasAttribute("tabindex") && !("wide" in place.dataset))) return;
  const title = place.querySelector("title")?.textContent ?? "";
  const wide = { tabindex: "0", role: "group", "aria-label": title, "data-wide": "" };
  const isWide = place.scrollWidth > place.clientWidth + 1;
  for (const [name, value] of Object.entries(wide)) {
    if (isWide) place.setAttribute(name, value);
    else place.removeAttribute(name);
  }
}

const sized = new ResizeObserver((entries) => {
  for (const { target } of entries) reach(target.closest(".picture"));
});

// A control with its label.
export const field = (label, control) => element("label", { class: "field" }, label, control);

// The options of a choice, by their values and texts.
export const options = (pairs, chosen) =>
  pairs.map(([value, text]) => element("option", { value, selected: value === chosen }, text));

// Put a picture {title, text, svg} into `place`.
export function showPicture(place, picture) {
  place.replaceChildren();
  sized.observe(place);
  if (!picture) return;
  const { documentElement } = new DOMParser().parseFromString(picture.svg, "image/svg+xml");
  const svg = document.importNode(documentElement, true);
  place.append(svg);
  sized.observe(svg);
}

// A new place with a picture.
export function pictureElement(picture) {
  const place = element("div", { class: "picture" });
  showPicture(place, picture);
  return place;
}

// The table {title, columns, notes, groups} as an element.
function tableElement(table) {
  const cell = (tag, column, text) => element(tag, { class: column.is_text ? "words" : "number" }, text);
  const rows = (table.columns[0]?.cells ?? []).map((_, i) =>
    element(
      "tr",
      { class: i && table.groups.includes(i) ? "group" : null },
      ...table.columns.map((column) => cell("td", column, column.cells[i])),
    ),
  );
  const heads = table.columns.map((column) => {
    const head = cell(column.heading ? "th" : "td", column, column.heading);
    if (column.heading) head.scope = "col";
    return head;
  });
  return element(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": table.title },
    element(
      "table",
      {},
      element("caption", {}, table.title),
      element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows),
    ),
    ...table.notes.map((note) => element("p", { class: "note" }, note)),
  );
}

// Put a table into `place`.
export function showTable(place, table) {
  place.replaceChildren(...(table ? [tableElement(table)] : []));
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

// While a person presses a button or a square, redraws wait: there is no click on what is replaced, or
// moves away, before the press ends. Those of a slider that is dragged do not wait.
let isPressed = false;
const waiting = [];

function release() {
  isPressed = false;
  for (const redraw of waiting.splice(0)) redraw();
}

addEventListener("pointerdown", ({ button, target }) => (isPressed = button === 0 && !target.closest("input")));
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release)); // after the click

// The function that is called at most once for each redraw, with its last argument.
export function atRedraw(draw) {
  let value;
  let asked = false;
  const redraw = () => {
    if (isPressed) return void waiting.push(redraw);
    asked = false;
    draw(value);
  };
  return (next) => {
    value = next;
    if (asked) return;
    asked = true;
    requestAnimationFrame(redraw);
  };
}
