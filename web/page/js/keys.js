// Single keys: a person can turn them off, as programs that hear speech send such keys too.
import { keep, textOf } from "./kept.js";

const KEPT = "purembts.keys";
const PLACES = "#board, #moves ol, #history";
let isOn = textOf(KEPT) !== "off";

// True if a pressed key may move, undo or go back: nothing else has the focus that could mean it.
export function isMeant({ target, defaultPrevented, ctrlKey, altKey, metaKey }) {
  if (!isOn || defaultPrevented || ctrlKey || altKey || metaKey) return false;
  if (target.closest("input, select, dialog, .editor")) return false;
  return !target.closest("button, a, summary") || target.closest(PLACES) !== null;
}

// Let `box` turn the keys on and off.
export function keysSwitch(box) {
  box.checked = isOn;
  box.addEventListener("change", () => {
    isOn = box.checked;
    keep(KEPT, isOn ? "on" : "off");
  });
}
