// The moves so far: back and forward through the game, and undo.
import { html, nothing, render } from "./lit.js";

// A move with its event, in words.
const spoken = ({ event, line }) => [event, line].filter(Boolean).join(" ");

// The button of the position after a move.
const stepOf = (move, number, play) => html`<li>
  <button type="button" class="step" aria-label="Move ${number}: ${spoken(move) || move.label}"
    aria-current=${number === play.at ? "step" : nothing} @click=${() => play.show(number)}>
    <span class="number">${number}</span>
    <span class="who-of">${play.link.players.length > 2 && move.who ? `${move.who}:` : ""}</span>
    <span class="label">${move.label}</span>
    <span class="event-of">${move.event?.replace(/\.$/, "")}</span>
  </button></li>`;

// Show the history of `play` in `place`. Buttons that do nothing keep the focus.
export function mountHistory(place, play) {
  let facts = []; // of all moves, also of those after the position that is shown
  const button = (text, title, isOff, act) =>
    html`<button type="button" title=${title} aria-disabled=${isOff} @click=${() => isOff || act()}>${text}</button>`;
  const draw = () => {
    const { scene } = play;
    const moves = play.link?.moves ?? [];
    render(html`<div class="row">
        ${button("Back", "Back (key b)", !play.at, () => play.show(play.at - 1))}
        ${button("Forward", "Forward (key f)", !scene || play.isLast, () => play.show(play.at + 1))}
        ${button("Undo", "Take the last choice back, with the moves after it (key u)", scene?.undo_to == null, () => play.undo())}
      </div>
      <ol class="steps" aria-label="Moves so far">${moves.map((label, i) => stepOf({ ...facts[i], label }, i + 1, play))}</ol>`, place);
  };
  draw();
  play.addEventListener("scene", () => {
    if (play.isLast) facts = play.scene.history;
    draw();
    const list = place.querySelector("ol");
    const now = list.querySelector("[aria-current=step]");
    list.scrollTop = (now?.offsetTop ?? 0) - list.clientHeight / 2;
  });
}
