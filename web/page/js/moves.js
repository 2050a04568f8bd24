// The moves of a person: buttons with the keys 1 to 9, and a field to type a move.
import { at } from "./dom.js";
import { html, nothing, render } from "./lit.js";

const TO = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Home: -Infinity, End: Infinity };

// Move the focus within the list with the arrow keys.
function rove(event, list) {
  const buttons = [...list.querySelectorAll("button")];
  const now = buttons.indexOf(document.activeElement);
  const by = TO[event.key];
  if (now < 0 || !by || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const to = buttons[Math.max(0, Math.min(buttons.length - 1, now + by))];
  for (const each of buttons) each.tabIndex = each === to ? 0 : -1;
  to.focus();
}

// Let a person type a move into the form. Only a person's move is typed. The field keeps the focus.
function letType(form, text, play) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!play.scene.moves.length) return;
    if (!text.value.trim()) return play.trouble({ message: "" }); // what was said before is over
    if (await play.type(text.value)) text.value = "";
  });
  play.addEventListener("scene", () => (text.readOnly = !play.scene.moves.length));
}

// The button of a move, with what is believed of it. It fits to the squares that are chosen, or not.
const buttonOf = (move, index, row, fits, play) => html`<li>
  <button type="button" class=${fits ? "fits" : ""} data-label=${move.label} tabindex=${index ? -1 : 0}
    @click=${() => play.play(move.label)}>
    ${index < 9 ? html`<kbd aria-hidden="true">${index + 1}</kbd>` : nothing}
    <span class="label">${move.label}</span>
    ${move.left && !play.scene.position.rows ? html`<span class="left-over">→ ${move.left}</span>` : nothing}
    <span class=${row?.best ? "beside best" : "beside"}>${row?.exact || row?.score}</span>
  </button></li>`;

// True if each move is made by a click on a square of its own.
const areOnBoard = ({ position, look, moves }) =>
  position.rows !== null && look !== "tray" && moves.every(({ squares }) => squares.length === 1);

// Show the moves of `play` in `list`; among the moves to be typed if they are made on the board.
export function mountMoves(list, play) {
  const form = at("typing");
  const seen = list.parentNode;
  let fits = [];
  letType(form, at("typed"), play);
  const draw = () => {
    const { moves, is_over: isOver } = play.scene;
    const rows = new Map((play.rows ?? []).map((row) => [row.label, row]));
    const hadFocus = list.contains(document.activeElement);
    // While a strategy thinks, the room of the list stays.
    if (moves.length || isOver) list.style.minHeight = "";
    else list.style.minHeight ||= `${list.offsetHeight}px`;
    render(moves.map((move, i) => buttonOf(move, i, rows.get(move.label), fits.includes(move), play)), list);
    if (hadFocus && !isOver && !list.querySelector(":focus")) (list.querySelector("button") ?? list).focus();
  };
  list.addEventListener("keydown", (event) => rove(event, list));
  play.addEventListener("scene", () => {
    if (areOnBoard(play.scene)) form.before(list);
    else if (play.scene.moves.length && list.parentNode !== seen) seen.append(list);
    fits = [];
    draw();
  });
  play.addEventListener("rows", draw);
  play.addEventListener("chosen", (event) => {
    fits = event.fits;
    draw();
  });
}
