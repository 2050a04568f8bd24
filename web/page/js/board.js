// The board: a position as data, drawn in elements that are kept and changed in place. A click on its
// squares, or a key, makes a move.
import { say } from "./dom.js";
import { html, nothing, render, svg } from "./lit.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const MOST = 40; // of more squares that can be clicked, none has a dot
const DISCS = { x: "#1b1f24", o: "#f8f8f4" };
const CROSSES = { x: "M13 13L35 35M35 13L13 35", o: "M24 11a13 13 0 0 1 0 26a13 13 0 0 1 0 -26" };
const COLOURS = { x: "light-dark(#c2600a, #f5a742)", o: "light-dark(#2a6fc4, #7db4f5)" };
const [PALE, WOOD, DARK] = ["#ecc98f", "#8a5a2b", "#4a2e15"];
const PIPS = ["", "4", "26", "246", "0268", "02468", "023568"]; // their places, 0 to 8 from the top left
const CARD = /((?:10|[2-9JQKA])[♣♦♥♠]) ?/;
// The ground and the grid of each look; others have the colours of the page.
const GROUNDS = { felt: ["#2b7a4b", "#185231"], goban: ["#e2b76f", "none"], tray: [WOOD, "none"] };

const keyOf = (square) => square.join();
const labels = (moves) => moves.map((move) => move.label).join(", ");

// The moves that change all squares of `chosen`, a set of texts such as "0,2".
const fitting = (moves, chosen) =>
  moves.filter(({ squares }) => chosen.isSubsetOf(new Set(squares.map(keyOf))));

// The rows after a move that Python has not answered yet: it fills its first square, or empties all.
function rowsAfter(rows, put) {
  const filled = new Map((put?.sign ? put.squares.slice(0, 1) : put?.squares ?? []).map((at) => [keyOf(at), put.sign]));
  return rows.map((row, i) => row.map((text, j) => filled.get(`${i},${j}`) ?? text));
}

// The worth of the best move of each square, if each move has a square of its own.
function heats(rows) {
  const ranked = (rows ?? []).filter((row) => row.heat !== null).toSorted((a, b) => a.heat - b.heat);
  const isOnSquares = ranked.every(({ squares }) => squares.length < 2);
  return new Map(isOnSquares ? ranked.map((row) => [keyOf(row.squares), row]) : []);
}

// Blue for the lowest worth, orange for the highest.
const tint = (heat) =>
  `color-mix(in srgb, ${heat < 0.5 ? "#a9c4e6" : "#f5a742"} ${Math.round(100 * Math.abs(2 * heat - 1))}%, #f3f1ea)`;

const heatOf = ({ heat, best, score, exact, visits }) => svg`
  <rect class=${(exact ? heat === 1 : best) ? "heat best" : "heat"} x="2" y="2" width="44" height="44" rx="8" fill=${tint(heat)} />
  <text class="score" x="24" y=${exact ? 24 : 22}>${exact || score}</text>
  <text class="visits" x="24" y="37">${visits && !exact ? visits.toLocaleString("en") : ""}</text>`;

// A lever, which falls behind the felt when it is shut.
const leverOf = (name, isShut) => svg`<g class=${isShut ? "lever shut" : "lever"} fill=${isShut ? PALE : DARK}>
  <rect x="2" y="-16" width="44" height="70" rx="5" fill=${isShut ? WOOD : PALE} />
  <text x="24" y="14" font-size=${isShut ? 15 : 24}>${name}</text></g>`;

// A lever, a cross, a disc, or a text in a square.
function thingOf(text, look, name) {
  if (look === "tray") return leverOf(name ?? text, !text);
  if (!text) return nothing;
  if (look === "crosses" && text in CROSSES) {
    return svg`<path class="line put" pathLength="1" stroke=${COLOURS[text]} d=${CROSSES[text]} />`;
  }
  if (!(text in DISCS)) return svg`<text x="24" y="24" font-size=${Math.min(20, 66 / text.length)}>${text}</text>`;
  return svg`<g class="put"><circle class="disc ${text}" cx="24" cy="24" r="20" fill=${DISCS[text]} stroke="#8b949e" /></g>`;
}

// The lines of a goban, and its points on a large one.
function linesOf(high, wide) {
  const across = Array.from({ length: high }, (_, i) => `M24 ${48 * i + 24}H${48 * wide - 24}`);
  const down = Array.from({ length: wide }, (_, j) => `M${48 * j + 24} 24V${48 * high - 24}`);
  const points = (n) => (n > 12 ? [3, n >> 1, n - 4] : []);
  const dots = points(high).flatMap((i) => points(wide).map((j) => svg`<circle cx=${48 * j + 24} cy=${48 * i + 24} r="4" />`));
  return svg`<g fill=${DARK}><path stroke=${DARK} d=${[...across, ...down].join("")} />${dots}</g>`;
}

// The line that won.
function wonOf(line, rows, look) {
  const [i, j] = line[0];
  const colour = look === "crosses" ? COLOURS[rows[i][j]] : "var(--mark)";
  return svg`<path class="line won" stroke=${colour} d="M${line.map(([i, j]) => [48 * j + 24, 48 * i + 24]).join("L")}" />`;
}

const pipOf = (at) => svg`<circle fill=${DISCS.x} cx=${9 + 11 * (at % 3)} cy=${9 + 11 * Math.floor(at / 3)} r="4" />`;
const dieOf = (face, x, y) => svg`<g transform="translate(${x} ${y})"><rect width="40" height="40" rx="8" fill=${DISCS.o} />
  ${[...PIPS[face]].map(pipOf)}</g>`;

// The felt below the levers, with the dice.
const feltOf = (wide, y, dice) => svg`<rect fill=${GROUNDS.felt[0]} y=${y} width=${wide} height="64" />
  ${dice.map((face, n) => dieOf(face, wide / 2 + 56 * (n - dice.length / 2) + 8, y + 12))}`;

const cardOf = (card) => html`<b class=${/[♦♥]/.test(card) ? "card red" : "card"}>${card.slice(0, -1)}<br>${card.at(-1)}</b>`;

// A game without squares: its cards or coins drawn as such in a text that wraps.
function lineOf(line, look) {
  if (look === "coins" && /^o+$/.test(line)) return html`<p>${[...line].map(() => html`<i class="coin"></i>`)}</p>`;
  if (look !== "cards") return html`<p>${line}</p>`;
  const parts = line.split(CARD).map((part, i) => (i % 2 ? cardOf(part) : part.trim() && html`<span>${part.replace(/^[ ,]+/, "")}</span>`));
  return html`<p>${parts}</p>`;
}

const drawnText = (text, look) =>
  html`<div class="drawn ${look || "text"}" aria-hidden="true">${text.split("\n").map((line) => lineOf(line, look))}</div>`;

// The board of `play` in `place`, with what is chosen on it in `hint`.
export class Board {
  chosen = new Set();
  cursor = null;
  late = null; // a click that came while another position was asked for

  constructor(place, hint, play) {
    Object.assign(this, { place, hint, play });
    play.addEventListener("scene", () => this.begin());
    for (const name of ["rows", "film", "put"]) play.addEventListener(name, () => this.draw());
  }

  get moves() {
    return this.play.scene?.moves ?? [];
  }

  // Show a new scene, with no square chosen; a click that came too early is made now.
  begin() {
    const { late } = this;
    this.late = null;
    this.choice(new Set());
    if (!this.place.querySelector(`[data-square="${this.cursor}"]`)) this.cursor = null;
    if (late && this.moves.length) this.choose(late);
  }

  draw() {
    const { scene, filmed } = this.play;
    this.place.style.minHeight = filmed ? `${this.place.offsetHeight}px` : ""; // what is below stays
    if (scene) this.show({ ...scene, position: filmed ?? scene.position });
  }

  // Draw a position of a game; the first one of a game cannot be played yet. Levers have no heat.
  show({ position, look, title }) {
    const { rows, text, note } = position;
    const heat = heats(rows && look !== "tray" && !this.play.filmed ? this.play.rows : null);
    render(html`${rows ? this.squares(position, look, title, heat) : drawnText(text, look)}
      <p class="below"><span>${note}</span><span class=${heat.size ? "legend" : "legend off"} aria-hidden="true">worse<i></i>better</span></p>
      <pre class="hidden">${text}</pre>`, this.place);
  }

  squares(position, look, title, heat) {
    const { columns, names, line, dice, marked } = position;
    const { put, filmed, scene } = this.play;
    const rows = rowsAfter(position.rows, filmed ? null : put);
    const [high, wide] = [rows.length, Math.max(0, ...rows.map((row) => row.length))];
    const isTray = look === "tray";
    const box = isTray ? [-10, -26, 48 * wide + 20, 48 * high + 100] : [0, 0, 48 * wide, 48 * high];
    const open = new Set(put || filmed ? [] : fitting(this.moves, this.chosen).flatMap(({ squares }) => squares.map(keyOf)));
    const about = { look, columns, open, heat, last: new Set(isTray || line.length ? [] : marked.map(keyOf)) };
    const size = wide > 12 ? "many" : wide > 6 ? "some" : "few";
    const [ground, grid] = GROUNDS[look] ?? ["var(--raised)", "var(--edge)"];
    const spans = (texts) => texts.map((each) => html`<span>${each}</span>`);
    return html`<div class="frame ${look} ${size} ${open.size > MOST ? "" : "dots"}"
      style="--wide: ${box[2] / 48}; --ratio: ${box[2] / box[3]}; --ground: ${ground}; --grid: ${grid}"
      role=${scene ? "application" : "img"} aria-label="The board of ${title}${scene ? ": move with the arrow keys" : ""}"
      tabindex=${scene ? 0 : nothing} @keydown=${(event) => this.pressed(event)}
      @click=${({ target }) => this.choose(target.closest("[data-square]")?.dataset.square)}>
      ${isTray ? nothing : html`<div class="columns" aria-hidden="true">${spans(columns)}</div>
        <div class="names" aria-hidden="true">${spans(names)}</div>`}
      <svg viewBox=${box.join(" ")} aria-hidden="true">
        ${isTray ? svg`<rect fill=${DARK} y="-16" width=${48 * wide} height=${48 * high + 16} />` : nothing}
        ${look === "goban" ? linesOf(high, wide) : nothing}
        ${rows.map((row, i) => row.map((text, j) => this.square(i, j, text, about)))}
        ${line.length ? wonOf(line, rows, look) : nothing}
        ${isTray ? feltOf(48 * wide, 48 * high, dice) : nothing}
      </svg></div>`;
  }

  // A square with its heat and its thing; its classes say how it is marked.
  square(i, j, text, { look, columns, open, heat, last }) {
    const key = `${i},${j}`;
    const marks = { playable: open.has(key), chosen: this.chosen.has(key), last: last.has(key), cursor: this.cursor === key };
    return svg`<g data-square=${key} class=${Object.keys(marks).filter((name) => marks[name]).join(" ")}
      transform="translate(${48 * j} ${48 * i})">
      <rect class="ground" width="48" height="48" />
      ${heat.has(key) ? heatOf(heat.get(key)) : nothing}
      ${thingOf(text, look, columns[j])}
      ${text || heat.has(key) ? nothing : svg`<circle class="dot" cx="24" cy="24" r="5" />`}
      <rect class="mark" x="3" y="3" width="42" height="42" rx="5" /></g>`;
  }

  // Choose these squares; the moves that fit to them are told.
  choice(chosen) {
    this.chosen = chosen;
    const fits = chosen.size ? fitting(this.moves, chosen) : [];
    this.hint.textContent = fits.length ? `These moves fit: ${labels(fits)}.` : "";
    this.play.tell("chosen", { fits });
    this.draw();
  }

  // Choose a square; make the move as soon as it is clear which one is meant. A square that does not fit
  // to those before it begins a new choice, and only a second click makes its move.
  choose(key) {
    if (!key || this.play.isShut) return;
    if (this.play.isOpening || !this.play.scene) return void (this.late = key);
    const { chosen: before, moves } = this;
    const only = new Set([key]);
    if (!fitting(moves, only).length) {
      this.choice(new Set());
      this.hint.textContent = moves.length ? "No move is possible here." : "";
      return say(`${this.described(key)} ${this.hint.textContent}`);
    }
    if (before.size === 1 && before.has(key) && this.enter()) return;
    const more = before.symmetricDifference(only);
    const fits = fitting(moves, more);
    if (fits.length === 1 && more.size > before.size && this.enter(more)) return;
    this.choice(fits.length ? more : only);
    say(this.chosen.size ? `Chosen. ${this.hint.textContent}` : "Nothing is chosen.");
  }

  // Make the move of exactly these squares; false if there is no such move, or several.
  enter(chosen = this.chosen) {
    const exact = fitting(this.moves, chosen).filter(({ squares }) => squares.length === chosen.size);
    if (exact.length === 1) this.play.play(exact[0].label);
    return exact.length === 1;
  }

  pressed(event) {
    if (!this.play.scene || event.ctrlKey || event.altKey || event.metaKey) return;
    const { cursor } = this;
    if (STEPS[event.key]) this.step(STEPS[event.key]);
    else if (cursor && (event.key === " " || (event.key === "Enter" && !this.chosen.has(cursor)))) this.choose(cursor);
    else if (event.key === "Enter") this.chosen.size && this.enter();
    else if (event.key === "Escape") this.choice(new Set());
    else return;
    event.preventDefault();
  }

  // Move the cursor, and say what is there.
  step([down, right]) {
    const { rows } = this.play.scene.position;
    const [i, j] = this.cursor?.split(",").map(Number) ?? [down > 0 ? -1 : 0, right > 0 ? -1 : 0];
    const row = Math.max(0, Math.min(rows.length - 1, i + down));
    const column = Math.max(0, Math.min(rows[row].length - 1, j + right));
    this.cursor = `${row},${column}`;
    this.draw();
    say(this.described(this.cursor));
  }

  // A square in words: its name, its text, and the moves that change it.
  described(key) {
    const { rows, columns, names } = this.play.scene.position;
    const [i, j] = key.split(",").map(Number);
    const name = `${columns[j] ?? ""}${names[i] ?? ""}` || `row ${i + 1}, column ${j + 1}`;
    const text = rows[i][j] === name ? "" : `: ${rows[i][j] || "empty"}`;
    const fits = fitting(this.moves, new Set([key]));
    return `${name}${text}.${fits.length ? ` Moves: ${labels(fits.slice(0, 6))}.` : ""}`;
  }
}
