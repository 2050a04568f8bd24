// The board: the picture of the scene. A click on its squares, or a key, makes a move.
import { element, say, showPicture, SVG } from "./dom.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const keyOf = (square) => square.join(",");
const labels = (moves) => moves.map((move) => move.label).join(", ");

// A mark on a square, which a mouse does not see.
function markOf(tag, name, attributes) {
  const mark = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries({ class: `mark ${name}`, ...attributes })) mark.setAttribute(key, value);
  return mark;
}

// A frame within a square whose side is `side`.
function frame(name, side, inset) {
  const width = side - 2 * inset;
  return markOf("rect", name, { x: inset, y: inset, width, height: width });
}

// A dot in the middle of a square.
const dot = (side) => markOf("circle", "open", { cx: side / 2, cy: side / 2, r: side / 9 });

// The moves that change all squares of `chosen`, a set of texts such as "0,2".
function fitting(moves, chosen) {
  return moves.filter((move) => {
    const own = new Set(move.squares.map(keyOf));
    return [...chosen].every((square) => own.has(square));
  });
}

// The move to be made once `chosen` is chosen: the only one that fits, with exactly its squares.
function meantBy(moves, chosen) {
  const fits = fitting(moves, chosen);
  return fits.length === 1 && fits[0].squares.length === chosen.size ? fits[0] : null;
}

// The squares that are chosen after a click on `square`: one more, one less, or a new beginning.
function chosenAfter(moves, chosen, square) {
  const next = new Set(chosen);
  if (!next.delete(square)) next.add(square);
  return fitting(moves, next).length ? next : new Set([square]);
}

const BOARD = "g:has(> [data-square])";
const FINGER = 24; // the least width of a square, in pixels
const READ = 10.5; // the least size of the words below a heat map

// Small boards are drawn larger. The whole board is in the window, below what stands above `place`.
function scaleOf({ width, height }, room, place) {
  const high = innerHeight - scrollY - place.getBoundingClientRect().top - 40;
  return Math.min(2, room / width, Math.max(320, high) / height);
}

// Leave the margins and the names of the rows out, for squares that are wide enough for a finger.
function crop(svg) {
  const { left: from, width: shown } = svg.getBoundingClientRect();
  const box = svg.viewBox.baseVal;
  const unit = box.width / shown;
  const rects = [...svg.querySelectorAll("[data-square] > rect")].map((each) => each.getBoundingClientRect());
  const left = Math.min(...rects.map((each) => each.left));
  const right = Math.max(...rects.map((each) => each.right));
  const x = (left - from) * unit;
  svg.setAttribute("viewBox", [x, 0, (right - left) * unit, box.height].join(" "));
  for (let each = svg.querySelector("[data-square]").parentNode; each !== svg; each = each.parentNode) {
    for (const next of after(each)) next.style.translate = `${x}px`;
  }
}

// The elements beside one that come after it, such as the words below a board.
function* after(each) {
  while ((each = each.nextElementSibling)) yield each;
}

// Draw the words below a heat map larger, if they could not be read at `scale`.
function enlarge(svg, scale) {
  const words = svg.querySelector("[data-legend]")?.parentNode;
  const by = READ / (13 * scale);
  if (!words || by <= 1) return;
  const high = (each) => each.transform.baseVal[0].matrix.f;
  const top = high(words);
  const from = (y) => top + by * (y - top);
  for (const each of [...after(words), words]) {
    each.setAttribute("transform", `translate(0 ${from(high(each))}) scale(${by})`);
  }
  const box = svg.viewBox.baseVal;
  box.height = from(box.height);
}

// Draw the board at `scale`, with names of columns and rows, and a line below it, that can be read.
function resize(svg, scale) {
  enlarge(svg, scale);
  svg.style.width = `${Math.round(svg.viewBox.baseVal.width * scale)}px`;
  svg.style.maxWidth = "none";
  for (const name of svg.querySelectorAll(`${BOARD} > text, ${BOARD} ~ g > text`)) {
    const size = Number(name.getAttribute("font-size"));
    const larger = Math.max(size, Math.min(2 * size, 13 / scale));
    name.setAttribute("font-size", larger);
    if (name.getAttribute("text-anchor") === "end") name.setAttribute("dy", (larger - size) / 3);
  }
}

// Draw the board at `scale`, but neither wider than `room` nor with squares too small for a finger.
function fit(svg, scale, room) {
  const side = svg.querySelector("[data-square] > rect").width.baseVal.value;
  if ((room / svg.viewBox.baseVal.width) * side < FINGER) crop(svg);
  const whole = room / svg.viewBox.baseVal.width;
  resize(svg, Math.max(Math.min(scale(svg), whole), FINGER / side));
}

// The board of `play` in `place`, with what is chosen on it in `hint`.
export class Board {
  chosen = new Set();
  cursor = null;

  constructor(place, hint, play) {
    Object.assign(this, { place, hint, play });
    this.frame = element("div", { class: "picture", tabindex: "0" });
    this.text = element("pre", { tabindex: "0", role: "region", "aria-label": "The board as text" });
    this.words = element("details", {}, element("summary", {}, "The board as text"), this.text);
    this.frame.addEventListener("click", (event) => this.clicked(event));
    this.frame.addEventListener("keydown", (event) => this.pressed(event));
    this.frame.addEventListener("blur", () => this.point(null));
    addEventListener("resize", () => this.picture && this.show(this.picture));
    play.addEventListener("scene", () => this.show(play.scene.picture, true));
    play.addEventListener("picture", ({ picture }) => this.show(picture ?? play.scene.picture));
  }

  get moves() {
    return this.play.scene?.moves ?? [];
  }

  // Put the board into the page, and its text below the status.
  begin() {
    this.place.replaceChildren(this.frame);
    this.hint.after(this.words);
  }

  // Show the first position of a game, which cannot be played yet.
  preview(svg) {
    const hasSquares = svg.querySelector("[data-square]");
    const frame = element("div", { class: `picture${hasSquares ? " squares" : ""}` }, svg);
    const { place } = this;
    place.replaceChildren(frame);
    const room = frame.clientWidth;
    if (hasSquares) fit(svg, () => scaleOf(svg.viewBox.baseVal, room, place), room);
    else svg.style.width = `${Math.min(room, 1.4 * svg.viewBox.baseVal.width)}px`;
  }

  // Show a picture; a new scene begins with no square chosen.
  show(picture, isNew = false) {
    if (!this.frame.isConnected) this.begin();
    if (isNew) this.chosen.clear();
    const squares = this.play.scene.squares;
    this.frame.classList.toggle("squares", Boolean(squares));
    this.frame.setAttribute("role", squares ? "application" : "region");
    const name = `The board of ${this.play.scene.title}`;
    this.frame.setAttribute("aria-label", squares ? `${name}: move with the arrow keys` : name);
    this.picture = picture;
    this.text.textContent = this.play.scene.picture.text;
    this.words.hidden = !squares;
    this.draw(squares);
    this.mark();
  }

  // Draw the picture; a wide text is written instead, so that its lines can break.
  draw(squares) {
    const { picture, play } = this;
    const { clientWidth: room } = this.place;
    const { scrollLeft } = this.frame;
    showPicture(this.frame, picture);
    const svg = this.frame.querySelector("svg");
    if (!squares || play.scene.is_over) this.forgetRoom();
    if (!svg) return;
    const isWide = svg.viewBox.baseVal.width > room && !svg.querySelector("[data-thing]");
    if (squares) this.resize(svg, this.frame.clientWidth);
    else if (isWide && picture === play.scene.picture) {
      this.frame.replaceChildren(element("pre", { class: "text" }, picture.text));
    } else if (isWide) svg.style.maxWidth = "none";
    else svg.style.width = `${Math.min(room, 1.4 * svg.viewBox.baseVal.width)}px`;
    this.frame.scrollLeft = scrollLeft;
  }

  // The room of another board, or of a heat map that will not come again, is free.
  forgetRoom() {
    this.place.style.minHeight = "";
    this.key = null;
  }

  // A heat map has the scale of the board before it, unless it would be cut, and its room stays, so
  // that nothing jumps.
  resize(svg, room) {
    const { play, picture, place } = this;
    const key = [play.scene.title, room, play.link.rules].join();
    if (key !== this.key) place.style.minHeight = "";
    this.key = key;
    const isPlain = picture === play.scene.picture;
    fit(svg, (cut) => (isPlain ? (this.scale = scaleOf(cut.viewBox.baseVal, room, place)) : this.scale), room);
    const before = Number.parseFloat(place.style.minHeight) || 0;
    place.style.minHeight = `${Math.max(before, place.offsetHeight)}px`;
  }

  // Mark the squares of moves, the chosen squares, and the cursor.
  mark() {
    const fits = fitting(this.moves, this.chosen);
    const open = new Set(fits.flatMap((move) => move.squares.map(keyOf)));
    const isShown = this.chosen.size > 0 || open.size <= 40;
    for (const old of this.frame.querySelectorAll(".mark")) old.remove();
    for (const square of this.frame.querySelectorAll("[data-square]")) {
      const key = square.dataset.square;
      square.classList.toggle("playable", open.has(key));
      square.append(...this.marksOf(square, key, open.has(key) && isShown));
    }
    this.hint.textContent = this.chosen.size ? `These moves fit: ${labels(fits)}.` : "";
    this.play.dispatchEvent(Object.assign(new Event("chosen"), { fits: this.chosen.size ? fits : [] }));
  }

  // The marks of a square: it belongs to a move, it is chosen, it has the cursor.
  marksOf(square, key, isOpen) {
    const side = square.querySelector("rect").width.baseVal.value;
    const [i, j] = key.split(",");
    const isEmpty = !this.play.scene.squares.rows[i][j];
    const isHot = square.querySelector("[data-move]");
    const marks = [];
    if (this.chosen.has(key)) marks.push(frame("chosen", side, 2));
    else if (isOpen && !isHot) marks.push(isEmpty ? dot(side) : frame("open", side, 2.5));
    if (this.cursor === key) marks.push(frame("cursor", side, 3));
    return marks;
  }

  clicked({ target }) {
    const square = target.closest("[data-square]");
    if (square && this.play.scene.squares) this.choose(square.dataset.square);
  }

  // Choose a square; make the move as soon as it is clear which one is meant. A square that does not fit
  // to those before it begins a new choice, and only a second click makes its move.
  choose(key) {
    if (!fitting(this.moves, new Set([key])).length) {
      this.chosen.clear();
      this.mark();
      this.hint.textContent = this.moves.length ? "No move changes this square." : "";
      return say(`${this.described(key)} ${this.hint.textContent}`);
    }
    const before = this.chosen;
    if (before.size === 1 && before.has(key) && this.enter()) return;
    this.chosen = chosenAfter(this.moves, before, key);
    const isMore = [...before].every((square) => this.chosen.has(square));
    const move = isMore && meantBy(this.moves, this.chosen);
    if (move) return this.play.play(move.label);
    this.mark();
    say(this.chosen.size ? `Chosen. ${this.hint.textContent}` : "Nothing is chosen.");
  }

  // Make the move of exactly the chosen squares; false if there is no such move, or several.
  enter() {
    const exact = fitting(this.moves, this.chosen).filter(
      (move) => move.squares.length === this.chosen.size,
    );
    if (exact.length === 1) this.play.play(exact[0].label);
    return exact.length === 1;
  }

  pressed(event) {
    if (!this.play.scene?.squares || event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step) this.step(step);
    else if (event.key === " " && this.cursor) this.choose(this.cursor);
    else if (event.key === "Enter") this.entered();
    else if (event.key === "Escape") this.forget();
    else return;
    event.preventDefault();
  }

  entered() {
    if (this.cursor && !this.chosen.has(this.cursor)) this.choose(this.cursor);
    else if (this.chosen.size) this.enter();
  }

  forget() {
    this.chosen.clear();
    this.mark();
  }

  // Move the cursor, and say what is there.
  step([down, right]) {
    const { rows } = this.play.scene.squares;
    const [i, j] = this.cursor?.split(",").map(Number) ?? [down > 0 ? -1 : 0, right > 0 ? -1 : 0];
    const row = Math.max(0, Math.min(rows.length - 1, i + down));
    const column = Math.max(0, Math.min(rows[row].length - 1, j + right));
    this.point(`${row},${column}`);
    say(this.described(this.cursor));
  }

  point(key) {
    this.cursor = key;
    this.mark();
  }

  // A square in words: its name, its text, and the moves that change it.
  described(key) {
    const { rows, columns, names } = this.play.scene.squares;
    const [i, j] = key.split(",").map(Number);
    const name = `${columns[j] ?? ""}${names[i] ?? ""}` || `row ${i + 1}, column ${j + 1}`;
    const text = rows[i][j] === name ? "" : `: ${rows[i][j] || "empty"}`;
    const fits = fitting(this.moves, new Set([key]));
    return `${name}${text}.${fits.length ? ` Moves: ${labels(fits.slice(0, 6))}.` : ""}`;
  }
}
