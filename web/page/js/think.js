// The panel of thoughts: a strategy thinks when it is its turn, shows what it believes, and moves.
import { at, atRedraw, element, isStill, partsOf, pictureElement, showPicture } from "./dom.js";
import { runner } from "./python.js";
import { Hints } from "./hints.js";
import { beliefs, keepReadable, progressText, widthIn } from "./parts.js";

const SECRET = ". Its thoughts would show what it holds, so they stay hidden.";
const BETWEEN = 400; // milliseconds between two moves of strategies that play on

class Panel {
  job = runner();
  goes = false; // two strategies play on
  isHeld = false; // a person pressed Stop
  wait = 0;

  constructor(place, play, heat) {
    Object.assign(this, { place, play, heat, ...partsOf(place) });
    this.believed = document.querySelector(".believed");
    this.next.addEventListener("click", () => this.step());
    this.go.addEventListener("click", () => this.toggle());
    this.redraw = atRedraw((draw) => draw());
    play.addEventListener("scene", () => this.onScene());
  }

  get isWatched() {
    return !this.play.persons.length;
  }

  get canThink() {
    const { scene, isLast } = this.play;
    return Boolean(scene?.strategy) && !scene.is_over && isLast;
  }

  // A new position: think about it if somebody waits for that.
  onScene() {
    this.end();
    const { scene, link, persons, isLast } = this.play;
    const areAllPersons = persons.length === link.players.length;
    this.place.hidden = areAllPersons || scene.is_over;
    at("heat").hidden = !scene.squares || scene.is_over;
    if (areAllPersons || !link.moves.length) this.believed.hidden = true;
    if (!isLast || scene.is_over) this.goes = false;
    if (this.canThink && this.isWatched && this.goes) {
      this.wait = setTimeout(() => this.start(), BETWEEN);
    } else if (this.canThink && !this.isWatched && !this.isHeld) this.start();
    this.show();
  }

  // Forget the thoughts in work.
  end() {
    clearTimeout(this.wait);
    this.job.stop();
    this.board = this.moves = this.last = null;
  }

  start() {
    this.end();
    this.isHeld = false;
    const args = { link: this.play.shown, width: widthIn(this.place) };
    this.job.run("turn", args, (step) => this.onStep(step), (error) => this.onEnd(error));
    this.show();
  }

  // Show a step at the next redraw: the numbers, and the heat map if there is one.
  onStep(step) {
    if (step.kind === "shown") return;
    this.last = step;
    if (step.move) return;
    const isSecret = this.play.scene.is_hidden && !this.isWatched;
    if (!isStill()) {
      this.board = step.picture ?? this.board;
      this.moves = step.moves ?? this.moves;
    }
    this.redraw(() => {
      if (this.last !== step) return;
      this.bar.value = step.of ? step.done / step.of : 0;
      this.count.textContent = `${progressText(step)}${isSecret ? SECRET : ""}`;
      if (this.board && this.heat.checked) this.play.draw(this.board);
      if (this.moves) showPicture(this.live, this.moves);
      this.board = this.moves = null;
    });
  }

  // Make the move that the thoughts led to, and keep what was believed. If a person has asked for another
  // position meanwhile, there is no move.
  onEnd(error) {
    const step = this.last;
    if (this.play.isOpening) return this.show();
    if (error || !step?.move) {
      this.isHeld = true;
      this.goes = false;
      this.show();
      if (error) this.play.trouble(error);
      return;
    }
    this.keep(step);
    this.play.play(step.move);
  }

  // Next move, or Stop.
  step() {
    if (this.job.isRunning()) return this.hold();
    this.start();
  }

  // Stop thinking; the board is as it was.
  hold() {
    this.end();
    this.isHeld = true;
    this.goes = false;
    this.play.draw(null);
    this.play.dispatchEvent(new Event("held"));
    this.count.textContent = "Stopped.";
    this.show();
  }

  // Play on, or Pause.
  toggle() {
    if (this.goes) return this.hold();
    this.goes = true;
    this.start();
  }

  // Show whose turn it is, and the buttons that are of use.
  show() {
    const { scene } = this.play;
    const thinks = this.job.isRunning();
    this.who.textContent = this.sentence(scene, thinks);
    this.bar.hidden = !thinks;
    if (!thinks) this.live.replaceChildren();
    this.count.hidden = !thinks && !this.isHeld;
    if (thinks && !this.count.textContent.includes("of")) this.count.textContent = "";
    this.next.textContent = thinks && !this.goes ? "Stop" : this.isWatched ? "Next move" : "Think";
    this.next.disabled = this.goes || !this.canThink;
    this.go.textContent = this.goes ? "Pause" : "Play on";
    this.go.disabled = !this.canThink && !this.goes;
    this.go.hidden = !this.isWatched;
    this.buttons.hidden = scene.is_over || (!this.isWatched && !this.canThink);
  }

  sentence(scene, thinks) {
    if (scene.is_over) return "";
    if (!scene.strategy) return this.waiting();
    if (!this.play.isLast) return "This is an earlier position. Go to the last one to play on.";
    const who = `${scene.who} (${scene.strategy})`;
    return thinks ? `${who} thinks.` : `${who} is to move.`;
  }

  // The sentence for the turn of a person.
  waiting() {
    const { link, persons, scene } = this.play;
    const seats = [...link.players.keys()].filter((seat) => !persons.includes(seat));
    if (seats.length > 1) return "The strategies think after your move.";
    const words = seats.map((i) => `Player ${i + 1} (${scene.players[i]}) thinks after your move.`);
    return words.join("");
  }

  // Keep what was believed before the move, to be looked at.
  keep(step) {
    const { scene } = this.play;
    this.believed.hidden = !step.table;
    if (!step.table) return;
    step.table.title = "What it believed";
    const heading = `Before the last move, ${scene.who.toLowerCase()} believed`;
    const board = pictureElement(step.picture);
    const parts = beliefs(step, "believed", Boolean(step.picture), board);
    this.believed.replaceChildren(element("summary", {}, heading), ...parts);
    keepReadable(board);
  }
}

// Let `place` show the thoughts of strategies and the hints for people.
export function mountThoughts(place, play) {
  const heat = at("heat").control; // the box that shows heat maps on the board
  heat.addEventListener("change", () => {
    if (!heat.checked) play.draw(null);
    play.dispatchEvent(new Event("heat"));
  });
  const thoughts = place.querySelector(".thoughts");
  const hints = place.querySelector(".hints");
  const panel = new Panel(thoughts, play, heat);
  new Hints(hints, play, heat);
  play.addEventListener("scene", () => {
    place.hidden = [thoughts, hints, panel.believed].every((part) => part.hidden);
  });
  const readable = () => keepReadable(at("board"));
  play.addEventListener("picture", readable);
  addEventListener("resize", readable); // the board draws its picture anew
}
