// Single keys: a person can turn them off, as programs that hear speech send such keys too.
import { element } from "./dom.js";
import { keep, kept } from "./kept.js";

const KEPT = "purembts.keys";
const PLACES = "#board, #moves ol, #history";
const NOTE = "1 to 9 make a move; u undoes it; b and f go back and forward.";
let isOn = kept(KEPT) !== "off";

// True if a pressed key may move, undo or go back: nothing else has the focus that could mean it.
export function isMeant({ target, defaultPrevented, ctrlKey, altKey, metaKey }) {
  if (!isOn || defaultPrevented || ctrlKey || altKey || metaKey) return false;
  if (target.closest("input, select, dialog, .editor")) return false;
  return !target.closest("button, a, summary") || target.closest(PLACES) !== null;
}

// The switch of the keys, with a note that says what they do.
export function keysSwitch() {
  const box = element("input", { type: "checkbox", checked: isOn });
  box.addEventListener("change", () => {
    isOn = box.checked;
    keep(KEPT, isOn ? "on" : "off");
  });
  return element(
    "div",
    { class: "keys" },
    element("label", { class: "field beside" }, box, "Single keys"),
    element("p", { class: "note" }, NOTE),
  );
}
