// Single keys: a person can turn them off, as programs that hear speech send such keys too.
import { keep, textOf } from "./kept.js";

const KEPT = "purembts.keys";
const PLACES = "#board, #moves, #history";

// True if a pressed key may move, undo or go back: nothing else has the focus that could mean it.
function isMeant({ target, defaultPrevented, ctrlKey, altKey, metaKey }) {
  if (defaultPrevented || ctrlKey || altKey || metaKey) return false;
  if (target.closest("input, select, dialog, .editor")) return false;
  return !target.closest("button, a, summary") || target.closest(PLACES) !== null;
}

// Let 1 to 9 make a move, u undo one, b and f go back and forward, while `box` is checked.
export function mountKeys(box, play) {
  box.checked = textOf(KEPT) !== "off";
  box.addEventListener("change", () => keep(KEPT, box.checked ? "on" : "off"));
  document.addEventListener("keydown", (event) => {
    if (!box.checked || !isMeant(event) || play.isShut || !play.scene) return;
    const acts = { u: () => play.undo(), b: () => play.show(play.at - 1), f: () => play.show(play.at + 1) };
    const move = play.scene.moves[event.key - 1];
    const act = move ? () => play.play(move.label) : acts[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
