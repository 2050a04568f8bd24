// A file of Python in an editor: the browser keeps its text, and it is saved and opened as a file.
import { element, partsOf, say } from "./dom.js";
import { editor } from "./editor.js";
import { keep, textOf } from "./kept.js";

// Give a text to the person as a file.
function saveAs(name, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The editor of a file in `place`, which has its buttons too. The browser keeps the text by the name
// `key`; `start` gives the first one. The rest is as in `editor`.
export function fileEditor(place, { name, key, start, onchange = () => {}, ...more }) {
  const { code: room, note, download, open, file, reset, undo } = partsOf(place);
  const changed = (text) => {
    if (!keep(key, text)) note.textContent = "This browser keeps nothing. Save your file before you leave.";
    onchange(text);
  };
  const code = editor(room, { ...more, onchange: changed });
  let before = textOf(`${key}.before`);
  // Put another text in the place of the one that is there, which Undo brings back.
  const replace = (text, message) => {
    before = code.value;
    keep(`${key}.before`, before);
    code.value = text;
    undo.hidden = false;
    note.textContent = message;
    changed(text);
    say(message);
  };
  const opened = async ([chosen]) => {
    if (chosen) replace(await chosen.text(), `${chosen.name} has taken the place of your text.`);
    file.value = "";
  };
  download.addEventListener("click", () => saveAs(name, code.value));
  open.addEventListener("click", () => file.click());
  file.addEventListener("change", () => opened(file.files));
  reset.addEventListener("click", () => replace(start(), "Your text starts again."));
  undo.addEventListener("click", () => {
    replace(before, "Your text is back.");
    code.focus();
  });
  addEventListener("storage", (event) => {
    if (event.key === key && event.newValue !== null) code.value = event.newValue; // of another tab
  });
  undo.hidden = before === null;
  code.value = textOf(key) ?? start();
  return code;
}
