// The list of moves: buttons with the keys 1 to 9, and a field to type a move.
import { at, element, partsOf } from "./dom.js";
import { isMeant, keysSwitch } from "./keys.js";

const SUMMARIES = ["Type a move, or use keys", "Moves as a list, or typed"]; // beside a list, or a board

const LINE = 32; // the height of the sentence that stands there while a strategy thinks

// A button that makes a move. Others put what they know of the move into its `.beside`.
function moveButton(move, index, play) {
  const key = index < 9 ? element("kbd", { "aria-hidden": "true" }, String(index + 1)) : "";
  const left = move.left ? element("span", { class: "left-over" }, `→ ${move.left}`) : "";
  return element(
    "button",
    {
      "data-label": move.label,
      tabindex: index ? "-1" : "0",
      onclick: () => play.play(move.label),
    },
    key,
    element("span", { class: "label" }, move.label),
    left,
    element("span", { class: "beside" }),
  );
}

// Move the focus within the list with the arrow keys.
function rove(event, list) {
  const buttons = [...list.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement);
  const to = {
    ArrowDown: at + 1,
    ArrowRight: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  focusOn(buttons, buttons[Math.max(0, Math.min(buttons.length - 1, to))]);
}

function focusOn(buttons, button) {
  for (const each of buttons) each.tabIndex = each === button ? 0 : -1;
  button.focus();
}

// Make the move of a number key, unless a text is being typed.
function onNumber(event, play) {
  if (!isMeant(event) || play.isShut) return;
  const move = /^[1-9]$/.test(event.key) && play.scene?.moves[event.key - 1];
  if (!move) return;
  event.preventDefault();
  play.play(move.label);
}

// Let a person type a move into the field `text`, and `make` it.
function letType({ form, text, make }, play) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (make.disabled) return;
    if (!text.value.trim()) return play.trouble({ message: "" }); // what was said before is over
    if (await play.type(text.value)) text.value = "";
  });
  // Only a person's move is typed. The field keeps the focus for the next one.
  play.addEventListener("scene", () => {
    if (document.activeElement === make) text.focus();
    make.disabled = text.readOnly = !play.scene.moves.length;
  });
}

// Fill the list, and keep the focus in it; it keeps its height while a strategy thinks.
function fill(list, play) {
  const { moves, is_over: isOver } = play.scene;
  const hadFocus = list.contains(document.activeElement);
  if (moves.length || isOver) list.style.minHeight = "";
  else if (list.childElementCount) list.style.minHeight = `${list.offsetHeight - LINE}px`;
  list.classList.toggle("wide", moves.some((move) => move.left));
  const items = moves.map((move, i) => element("li", {}, moveButton(move, i, play)));
  list.replaceChildren(...items);
  if (hadFocus) (list.querySelector("button") ?? list).focus();
}

// True if the player to move thinks without being asked: a strategy against a person.
const isThinking = ({ persons, isLast }) => isLast && persons.length > 0;

// True if each move is made by clicks on the board: it has squares of its own.
function isOnBoard({ squares, moves }) {
  const own = new Set(moves.map((move) => move.squares.join(" ")).filter(Boolean));
  return Boolean(squares) && own.size === moves.length;
}

// Show the moves of `play` in `place`: behind a summary if they are made on the board. There is one
// way that is seen first; typing is the other, for keys and screen readers.
export function mountMoves(place, play) {
  const parts = partsOf(place);
  const { list, summary, form, all, waits } = parts;
  letType(parts, play);
  keysSwitch(at("keys"));
  list.addEventListener("keydown", (event) => rove(event, list));
  document.addEventListener("keydown", (event) => onNumber(event, play));
  let title;
  play.addEventListener("scene", () => {
    const { moves, title: next, is_over: isOver } = play.scene;
    const isFolded = isOnBoard(play.scene);
    place.hidden = isOver;
    place.classList.toggle("panel", !isFolded);
    if (isFolded !== all.contains(list)) (isFolded ? form : all).before(list);
    if (title !== next) all.open = false;
    form.hidden = moves.length === 1; // there is nothing to type
    summary.textContent = SUMMARIES[Number(isFolded)];
    title = next;
    waits.hidden = moves.length > 0 || isFolded;
    waits.textContent = `${play.scene.who} ${isThinking(play) ? "thinks" : "is to move"}.`;
    fill(list, play);
  });
  play.addEventListener("held", () => (waits.textContent = `${play.scene.who} is to move.`));
  play.addEventListener("chosen", ({ fits }) => {
    const fit = new Set(fits.map((move) => move.label));
    for (const button of list.querySelectorAll("button")) {
      button.classList.toggle("fits", fit.has(button.dataset.label));
    }
  });
}
