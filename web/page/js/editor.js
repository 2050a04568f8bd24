// An editor for Python: a text area with line numbers, in which Tab indents; and links to its lines.
import { element } from "./dom.js";

const INDENT = "    ";

// An editor in `place`. `label` is its name, and `help` the id of a text about its keys. `onchange`
// is called with each new text, and `onmark` by Ctrl-Enter.
export function editor(place, { label, help, onchange, onmark }) {
  const numbers = element("pre", { class: "numbers", "aria-hidden": "true" });
  const area = element("textarea", {
    "aria-label": label,
    "aria-describedby": help,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    autocorrect: "off",
    wrap: "off",
  });
  place.replaceChildren(element("div", { class: "editor" }, numbers, area));
  const count = () => {
    const lines = area.value.split("\n").length;
    numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
    numbers.scrollTop = area.scrollTop;
  };
  area.addEventListener("scroll", () => (numbers.scrollTop = area.scrollTop));
  area.addEventListener("input", () => {
    count();
    onchange(area.value);
  });
  area.addEventListener("keydown", keys(area, onmark));
  return {
    area,
    get value() {
      return area.value;
    },
    // Show another text, without a call of `onchange`.
    set value(text) {
      area.value = text;
      count();
    },
    // Show line number `line` at the top.
    show(line) {
      const height = area.scrollHeight / area.value.split("\n").length;
      area.scrollTop = Math.max(0, (line - 2) * height);
    },
    // Put the cursor into line number `line`.
    goTo(line) {
      const before = area.value.split("\n").slice(0, line - 1).join("\n");
      const at = before.length + (line > 1);
      area.focus();
      area.setSelectionRange(at, at);
      this.show(line - 4);
    },
  };
}

// A text as nodes, in which each line of the code is a button that goes there. `shown` makes nodes
// of the rest.
export function withLines(text, goTo, shown = (part) => [part]) {
  return text.split(/\b(line \d+)\b/i).flatMap((part, i) => {
    if (i % 2 === 0) return shown(part);
    const onclick = () => goTo(Number(part.slice(5)));
    return [element("button", { type: "button", class: "place", onclick }, part)];
  });
}

// The listener for keys: Tab indents, after Escape it leaves, Enter keeps the indentation.
function keys(area, onmark) {
  let isLeaving = false;
  return (event) => {
    const wasLeaving = isLeaving;
    isLeaving = event.key === "Escape" || (isLeaving && event.key === "Shift");
    if (event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onmark();
    } else if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (event.key === "Tab" && !wasLeaving) {
      event.preventDefault();
      if (event.shiftKey) outdent(area);
      else indent(area);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      newLine(area);
    } else if (event.key === "Backspace" && isAfterIndent(area)) {
      event.preventDefault();
      area.setSelectionRange(area.selectionStart - INDENT.length, area.selectionStart);
      typed(area, "");
    }
  };
}

// Put `text` in the place of the selection, so that the browser's own undo knows it.
function typed(area, text) {
  const command = text ? ["insertText", false, text] : ["delete"];
  if (document.execCommand(...command)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input"));
}

// The start of the line of a place in the text.
const lineStart = (area, at) => area.value.lastIndexOf("\n", at - 1) + 1;

// Begin a line with the blanks of the line before, and more after a colon.
export function newLine(area) {
  const line = area.value.slice(lineStart(area, area.selectionStart), area.selectionStart);
  const blanks = line.match(/^ */)[0];
  typed(area, `\n${blanks}${/:\s*(#.*)?$/.test(line) ? INDENT : ""}`);
}

// True if there are only blanks before the cursor, of whole indentations.
function isAfterIndent(area) {
  const { selectionStart: at, selectionEnd } = area;
  const before = area.value.slice(lineStart(area, at), at);
  return at === selectionEnd && /^( {4})+$/.test(before);
}

function indent(area) {
  const { selectionStart: from, selectionEnd: to } = area;
  const column = from - lineStart(area, from);
  if (from === to) typed(area, INDENT.slice(column % INDENT.length));
  else changeLines(area, (line) => (line ? INDENT + line : line));
}

function outdent(area) {
  changeLines(area, (line) => line.replace(/^ {1,4}/, ""));
}

// Change each line of the selection, which stays selected.
function changeLines(area, change) {
  const { selectionStart: from, selectionEnd: to } = area;
  const start = lineStart(area, from);
  const after = area.value.indexOf("\n", to > from ? to - 1 : to);
  const end = after < 0 ? area.value.length : after;
  const lines = area.value.slice(start, end).split("\n");
  const changed = lines.map(change);
  const text = changed.join("\n");
  if (text === area.value.slice(start, end)) return;
  area.setSelectionRange(start, end);
  typed(area, text);
  const moved = changed[0].length - lines[0].length;
  const shift = text.length - (end - start);
  area.setSelectionRange(Math.max(start, from + moved), Math.max(start, to + shift));
}
