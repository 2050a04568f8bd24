// The moves so far: forth and back through the game, undo, and the link.
import { element, partsOf } from "./dom.js";
import { copiesAddress, linkText } from "./address.js";

// The address of the position that is shown.
const addressOf = (play) => new URL(linkText(play.shown), location.href).href;

// A move with its event, in words.
const spoken = ({ event, line }) => [event, line].filter(Boolean).join(" ");

// The moves with their events, kept from the scenes that were shown.
function items(play, known) {
  return [
    { label: "Start", event: "" },
    ...play.link.moves.map((label, i) => ({ event: "", ...known[i], label })),
  ].map((move, at) =>
    element(
      "li",
      {},
      element(
        "button",
        {
          class: "step",
          "aria-label": at && move.line ? `Move ${at}: ${spoken(move)}` : null,
          "aria-current": at === play.at ? "step" : null,
          onclick: () => play.show(at),
        },
        at ? element("span", { class: "number" }, `${at}`) : "",
        play.link.players.length > 2 && move.who
          ? element("span", { class: "who-of" }, `${move.who}:`)
          : "",
        element("span", { class: "label" }, move.label),
        move.event ? element("span", { class: "event-of" }, move.event.replace(/\.$/, "")) : "",
      ),
    ),
  );
}

// The facts of the moves that are known: those of the scene, and later ones seen before.
function knownAfter(known, play) {
  const own = play.scene.history;
  const later = known.slice(own.length, play.link.moves.length);
  const isSame = later.every((move, i) => move.label === play.link.moves[own.length + i]);
  return isSame ? [...own, ...later] : own;
}

// Show the history of `play` in `place`.
export function mountHistory(place, play) {
  const { list, first, back, forth, last, undo, link } = partsOf(place);
  first.addEventListener("click", () => play.show(0));
  back.addEventListener("click", () => play.show(play.at - 1));
  forth.addEventListener("click", () => play.show(play.at + 1));
  last.addEventListener("click", () => play.show(play.link.moves.length));
  undo.addEventListener("click", () => play.undo());
  copiesAddress(link, () => addressOf(play));
  let known = [];
  play.addEventListener("scene", () => {
    place.hidden = false;
    known = knownAfter(known, play);
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(...items(play, known));
    const now = list.querySelector("[aria-current]");
    list.scrollTop = (now?.offsetTop ?? 0) - list.clientHeight / 2;
    const focused = place.contains(document.activeElement) && document.activeElement;
    link.textContent = play.isLast ? "Copy the link" : `Copy the link to position ${play.at}`;
    first.disabled = back.disabled = play.at === 0;
    forth.disabled = last.disabled = play.isLast;
    undo.disabled = play.scene.undo_to == null;
    if (hadFocus || focused?.disabled) now?.focus({ preventScroll: true });
  });
}
