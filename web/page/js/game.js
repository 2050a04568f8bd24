// The game on a page: a link and the scene that follows from it. It tells its listeners of changes.
import { call } from "./python.js";
import { linkText } from "./address.js";

// A game has `link` (all moves), `at` (the number of moves that are shown) and `scene`.
// It sends the events "scene"; "put" (a move that Python has not answered yet); "rows" (what is believed
// of the moves); "film" (another position is shown for a while); "chosen"; "trouble"; and "shut": no game
// is shown until one is opened, because a link or the code of a game is wrong.
export class Play extends EventTarget {
  link = null;
  at = 0;
  scene = null;
  put = null;
  rows = null;
  filmed = null;
  isShut = false;
  isOpening = false; // a position is asked for, which is not shown yet
  error = null; // why the last position could not be opened
  #request = 0;
  #keeps = false; // the address is that of a damaged link
  #scenes = new Map(); // those that were shown, by their links, so that back and forward are at once

  // The link of the position that is shown.
  get shown() {
    return { ...this.link, moves: this.link.moves.slice(0, this.at) };
  }

  // The seats of people.
  get persons() {
    return this.link.players.flatMap((name, i) => (name === "person" ? [i] : []));
  }

  get isLast() {
    return this.at === this.link?.moves.length;
  }

  tell(name, facts = {}) {
    this.dispatchEvent(Object.assign(new Event(name), facts));
  }

  // Show the game of `link` after its first `at` moves; by default after all of them. The promise is
  // true if that position is shown, and false after trouble, or if another one was asked for.
  // A damaged link is opened up to its last good move. It keeps its address, to which the button Back of
  // the browser leads later. It leads to the address before, too, if the position `adds` its own.
  async open(link, at = link.moves?.length ?? 0, { adds = false } = {}) {
    const whole = link.moves ?? [];
    const args = { link: { ...link, moves: whole.slice(0, at) } };
    const request = ++this.#request;
    this.error = null;
    this.isOpening = true;
    try {
      const scene = this.#scenes.get(JSON.stringify(args.link)) ?? (await call("turn", args));
      if (request !== this.#request) return false; // another one was asked for meanwhile
      this.#show(scene, whole, adds);
      return true;
    } catch (error) {
      if (error.isStopped && link.source) error.message += " Perhaps your code never ends.";
      if (request === this.#request) Object.assign(this, { error, isOpening: false });
      if (!error.isMissing) this.trouble(error); // the page says which part of Python is missing
      return false;
    }
  }

  #show(scene, whole, adds) {
    this.link = { ...scene.link, moves: scene.trouble ? scene.link.moves : whole };
    this.at = scene.link.moves.length;
    Object.assign(this, { scene, put: null, rows: null, filmed: null, isShut: false, isOpening: false });
    // An address that is added leaves the one before to the button Back of the browser.
    const name = this.#keeps || adds ? "pushState" : "replaceState";
    if (!scene.trouble) history[name](null, "", linkText(this.link));
    if (!scene.trouble) this.#scenes.set(JSON.stringify(scene.link), scene);
    this.#keeps = Boolean(scene.trouble);
    this.tell("scene");
    if (scene.trouble) this.trouble({ message: scene.trouble });
  }

  // Show no game until one is opened, and say why if there is an error.
  shut(error) {
    this.#request += 1;
    this.isShut = true;
    this.isOpening = false;
    this.tell("shut");
    if (error) this.trouble(error);
  }

  // Make the move with this label, at the position that is shown. Later moves are forgotten. The move
  // of a person adds an address. It is drawn before Python answers, and taken back if it is refused.
  async play(label, { adds = !this.scene.strategy } = {}) {
    if (this.isShut) return false;
    const { scene } = this;
    this.put = scene.moves.find((move) => move.label === label);
    this.tell("put");
    const moves = [...this.shown.moves, label];
    const isMade = await this.open({ ...this.link, moves }, moves.length, { adds });
    if (!isMade && scene === this.scene) {
      this.put = null;
      this.tell("put");
    }
    return isMade;
  }

  // Make the move that a typed text means.
  async type(text) {
    try {
      return this.play(await call("move_in_text", { link: this.shown, text }));
    } catch (error) {
      this.trouble(error);
      return false;
    }
  }

  // Take the last choice of a person back. This adds an address, too.
  undo() {
    const to = this.scene.undo_to;
    if (to == null) return false;
    return this.open({ ...this.link, moves: this.link.moves.slice(0, to) }, to, { adds: true });
  }

  // Show the position after `at` moves; no move is forgotten.
  show(at) {
    return this.open(this.link, Math.max(0, Math.min(at, this.link.moves.length)));
  }

  // Let the board and the moves show what is believed of each move; null for nothing.
  believe(rows) {
    this.rows = rows;
    this.tell("rows");
  }

  // Show another position on the board for a while; null for that of the scene.
  film(position) {
    this.filmed = position;
    this.tell("film");
  }

  trouble(error) {
    this.tell("trouble", { message: error.message });
  }
}
