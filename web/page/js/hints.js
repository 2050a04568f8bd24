// Hints for a person: the odds beside each choice, a heat map on the board, a table and a picture.
import { gameKey } from "./address.js";
import { atRedraw, formatted, options, partsOf, say } from "./dom.js";
import { call, runner } from "./python.js";
import { beliefs, progressText, widthIn } from "./parts.js";

// The hints for the person to move, in `place`.
export class Hints {
  isOn = false;
  job = runner();
  game = "";

  constructor(place, play, heat) {
    Object.assign(this, { place, play, heat, ...partsOf(place) });
    for (const select of [this.kind, this.dives]) select.addEventListener("change", () => this.ask(true));
    this.switch.addEventListener("click", () => this.toggle());
    this.redraw = atRedraw((draw) => draw());
    play.addEventListener("scene", () => this.onScene());
    play.addEventListener("heat", () => this.draw());
  }

  // A new position: the kind of hints stays, the hints are new. With few empty squares left, exact values
  // may have become possible.
  async onScene() {
    this.clear();
    const { link, persons, scene } = this.play;
    this.place.hidden = !persons.length || scene.is_over;
    if (this.place.hidden) return;
    const isLate = scene.squares?.rows.flat().filter((text) => !text).length <= this.late;
    const about = [gameKey(link), isLate && this.play.at].join();
    try {
      if (about !== this.about) await this.begin(about);
    } catch (error) {
      return void (scene === this.play.scene && this.fail(error));
    }
    if (scene === this.play.scene) this.ask();
  }

  // The kinds of hints of a new game. With exact odds for a single player, they are shown at once.
  // A heat map is of little use where a move changes several squares, or none.
  async begin(about) {
    const { link, scene: { moves } } = this.play;
    const facts = await call("kinds", { link: this.play.shown });
    const isNew = gameKey(link) !== this.game;
    const { value: before } = this.kind;
    Object.assign(this, { about, game: gameKey(link), late: facts.late });
    const kinds = facts.kinds.filter(({ kind }) => kind !== "none");
    const texts = kinds.map(({ kind, meaning }) => [kind, `${meaning[0].toUpperCase()}${meaning.slice(1)}`]);
    this.kind.replaceChildren(...options(texts, facts.usual));
    if (!isNew && kinds.some(({ kind }) => kind === before)) this.kind.value = before;
    for (const option of this.dives.options) option.textContent = formatted(facts.dives[option.value]);
    if (!isNew) return;
    this.note.textContent = facts.note;
    this.isOn = facts.usual === "exact" && link.players.length === 1;
    this.heat.checked = moves.every((move) => move.squares.length === 1);
  }

  toggle() {
    this.isOn = !this.isOn;
    this.ask(true);
  }

  // Ask for the hints of the position that is shown. If a person asks, or if they take time, a
  // screen reader says the result.
  ask(isAsked = false) {
    this.clear();
    this.show();
    if (!this.isOn || !this.play.scene?.moves.length) return;
    const hints = this.kind.value;
    if (this.play.scene.moves.length === 1 && hints !== "exact") return this.tell("There is only one move.");
    const dives = Number(this.dives.value);
    const args = { link: this.play.shown, hints, dives, width: widthIn(this.place) };
    const isSaid = isAsked || hints !== "exact";
    const end = (error) => (error ? this.fail(error.message) : this.end(isSaid));
    this.job.run("turn", args, (step) => this.onStep(step), end);
    this.current = args;
    const wait = () => args === this.current && !this.rows && this.tell("Working out exact values.");
    if (hints === "exact") setTimeout(wait, 500); // most games take less
  }

  // The hints are complete; their result is said once.
  end(isSaid) {
    const best = this.rows?.find((row) => row.best);
    if (isSaid && best) say(`The hints are complete. Best: ${best.label}, ${best.text}.`);
  }

  // Say why there are no hints, and give none until somebody asks again.
  fail(message) {
    this.isOn = false;
    this.clear();
    this.show();
    this.trouble.textContent = `No hints: ${message}`;
  }

  // Show a step at the next redraw, unless other hints are wanted by then.
  onStep(step) {
    const { current } = this;
    if (step.kind === "shown") return;
    if (step.kind === "said") return this.fail(step.lines[0]);
    this.picture = step.picture ?? this.picture;
    this.rows = step.rows ?? this.rows;
    this.last = step.moves ? step : this.last;
    if (step.kind === "progress") this.progress = progressText(step);
    this.redraw(() => {
      if (current !== this.current) return;
      this.tell(this.progress);
      this.fill();
      this.draw();
      if (this.last) this.showAll(this.last);
      this.last = null;
    });
  }

  tell(text) {
    this.count.hidden = !text;
    this.count.textContent = text;
  }

  draw() {
    const isShown = this.isOn && this.picture && this.heat.checked;
    if (isShown) this.play.draw(this.picture);
  }

  // Put the worth of each move beside it.
  fill() {
    const rows = new Map((this.rows ?? []).map((row) => [row.label, row]));
    for (const button of document.querySelectorAll("button[data-label]")) {
      const row = rows.get(button.dataset.label);
      const beside = button.querySelector(".beside");
      if (!beside) continue;
      const text = row?.text ?? "";
      if (beside.textContent !== text) beside.textContent = text;
      beside.classList.toggle("best", Boolean(row?.best));
    }
  }

  // The picture and the table of the moves. Their numbers are seen on the board, or beside the moves.
  showAll(step) {
    const beside = document.querySelector("button[data-label] .beside");
    const isSeen = (step.picture && this.heat.checked) || beside?.checkVisibility();
    this.shown.replaceChildren(...beliefs(step, "hints", Boolean(isSeen)));
  }

  // Take the hints off the page, and end those in work.
  clear() {
    this.job.stop();
    const wasDrawn = Boolean(this.picture);
    this.picture = this.rows = this.last = this.current = null;
    this.progress = "";
    this.trouble.textContent = "";
    this.tell("");
    this.shown.replaceChildren();
    this.fill();
    if (wasDrawn) this.play.draw(null);
  }

  show() {
    this.switch.textContent = this.isOn ? "Hide hints" : "Show hints";
    this.switch.disabled = !this.kind.value;
    this.divesField.hidden = this.kind.value !== "tree";
  }
}
