// The list of moves: buttons with the keys 1 to 9, and a field to type a move.
import { element } from "./dom.js";

const MOST_SHOWN = 40;

// A button that makes a move. Others put what they know of the move into its `.beside`.
function moveButton(move, index, play) {
  const key = index < 9 ? element("kbd", { "aria-hidden": "true" }, String(index + 1)) : "";
  const left = move.left ? element("span", { class: "left-over" }, `→ ${move.left}`) : "";
  return element(
    "button",
    {
      type: "button",
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
  const isTyping = event.target.closest("input, select, textarea, dialog");
  if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
  const move = /^[1-9]$/.test(event.key) && play.scene?.moves[event.key - 1];
  if (!move) return;
  event.preventDefault();
  play.play(move.label);
}

function typingForm(play) {
  const field = element("input", { type: "text", autocomplete: "off", spellcheck: "false", size: "12" });
  const submit = async (event) => {
    event.preventDefault();
    if (field.value.trim() && (await play.type(field.value))) field.value = "";
  };
  return element(
    "form",
    { class: "row typing", onsubmit: submit },
    element("label", { class: "field" }, "Type a move", field),
    element("button", {}, "Make it"),
  );
}

// Fill the list, and keep the focus in it; it keeps its height while a strategy thinks.
function fill(list, play) {
  const { moves, is_over: isOver } = play.scene;
  const hadFocus = list.contains(document.activeElement);
  list.style.minHeight = moves.length || isOver ? "" : `${list.offsetHeight}px`;
  list.classList.toggle("wide", moves.some((move) => move.left));
  const items = moves.map((move, i) => element("li", {}, moveButton(move, i, play)));
  list.replaceChildren(...items);
  if (hadFocus) (list.querySelector("button") ?? list).focus();
}

// Show the moves of `play` in `place`.
export function mountMoves(place, play) {
  const list = element("ol", { class: "moves", tabindex: "-1", "aria-label": "Moves" });
  const summary = element("summary", {});
  const all = element("details", { class: "all-moves" }, summary, list);
  const form = typingForm(play);
  const note = element("p", { class: "note keys" }, "Keys: 1 to 9 make a move; u undoes it; b and f go back and forward.");
  place.append(element("h2", { id: "moves-title" }, "Moves"), all, form, note);
  list.addEventListener("keydown", (event) => rove(event, list));
  document.addEventListener("keydown", (event) => onNumber(event, play));
  let title;
  play.addEventListener("scene", () => {
    const { moves, title: next, is_over: isOver } = play.scene;
    place.hidden = isOver;
    if (moves.length) all.classList.toggle("many", moves.length > MOST_SHOWN);
    if (moves.length > MOST_SHOWN && title !== next) all.open = false;
    if (moves.length && moves.length <= MOST_SHOWN) all.open = true;
    summary.textContent = `All ${moves.length} moves`;
    title = next;
    fill(list, play);
  });
  play.addEventListener("chosen", ({ fits }) => {
    const fit = new Set(fits.map((move) => move.label));
    for (const button of list.querySelectorAll("button")) {
      button.classList.toggle("fits", fit.has(button.dataset.label));
    }
  });
}
