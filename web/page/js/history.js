// The moves so far: forth and back through the game, undo, and the link.
import { element, partsOf } from "./dom.js";
import { copiesAddress, linkText } from "./address.js";

// The address of the position that is shown.
const addressOf = (play) => new URL(linkText(play.shown), location.href).href;

// A move with its event, in words.
const spoken = ({ event, line }) => [event, line].filter(Boolean).join(" ");

// The button of the position after a move.
function stepButton(move, at, play) {
  const about = {
    class: "step",
    "aria-label": at && move.line ? `Move ${at}: ${spoken(move)}` : null,
    "aria-current": at === play.at ? "step" : null,
    onclick: () => play.show(at),
  };
  const who = play.link.players.length > 2 && move.who;
  const parts = [
    at && ["number", at],
    who && ["who-of", `${who}:`],
    ["label", move.label],
    move.event && ["event-of", move.event.replace(/\.$/, "")],
  ];
  const spans = parts.filter(Boolean).map(([name, text]) => element("span", { class: name }, text));
  return element("button", about, ...spans);
}

// The facts of the moves: those of the scene, and later ones of `facts`, from scenes that were shown.
function factsAfter(facts, play) {
  const { history } = play.scene;
  const later = facts.slice(history.length, play.link.moves.length);
  const isSame = later.every((move, i) => move.label === play.link.moves[history.length + i]);
  return isSame ? [...history, ...later] : history;
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
  let facts = [];
  play.addEventListener("scene", () => {
    place.hidden = false;
    facts = factsAfter(facts, play);
    const moves = play.link.moves.map((label, i) => ({ ...facts[i], label }));
    const hadFocus = list.contains(document.activeElement);
    const steps = [{ label: "Start" }, ...moves].map((move, at) => stepButton(move, at, play));
    list.replaceChildren(...steps.map((step) => element("li", {}, step)));
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
