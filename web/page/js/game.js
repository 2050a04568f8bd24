// The game on a page: a link and the scene that follows from it. It tells its listeners of changes.
import { call } from "./python.js";
import { linkText } from "./address.js";

// A game has `link` (all moves), `at` (the number of moves that are shown) and `scene`.
// It sends the events "scene", "picture" (a picture in the place of the scene's), "trouble", and
// "shut": no game is shown until one is opened, because a link or the code of a game is wrong.
export class Play extends EventTarget {
  link = null;
  at = 0;
  scene = null;
  isShut = false;
  isOpening = false; // a position is asked for, which is not shown yet
  error = null; // why the last position could not be opened
  #request = 0;
  #keeps = false; // the address is that of a damaged link

  // The link of the position that is shown.
  get shown() {
    return { ...this.link, moves: this.link.moves.slice(0, this.at) };
  }

  // The seats of people.
  get persons() {
    return this.link.players.flatMap((name, i) => (name === "person" ? [i] : []));
  }

  get isLast() {
    return this.at === this.link.moves.length;
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
      const scene = await call("turn", args);
      if (request !== this.#request) return false; // another one was asked for meanwhile
      this.link = { ...scene.link, moves: scene.trouble ? scene.link.moves : whole };
      this.at = scene.link.moves.length;
      this.scene = scene;
      this.isShut = this.isOpening = false;
      if (!scene.trouble) this.write(adds);
      this.#keeps = Boolean(scene.trouble);
      this.dispatchEvent(new Event("scene"));
      if (scene.trouble) this.trouble({ message: scene.trouble });
      return true;
    } catch (error) {
      if (error.isStopped && link.source) error.message += " Perhaps your code never ends.";
      if (request === this.#request) Object.assign(this, { error, isOpening: false });
      this.trouble(error);
      return false;
    }
  }

  // Write the link into the address; one that is added leaves the one before to the button Back.
  write(adds) {
    const address = linkText(this.link);
    if (this.#keeps || adds) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }

  // Show no game until one is opened, and say why if there is an error.
  shut(error) {
    this.#request += 1;
    this.isShut = true;
    this.isOpening = false;
    this.dispatchEvent(new Event("shut"));
    if (error) this.trouble(error);
  }

  // Make the move with this label, at the position that is shown. Later moves are forgotten. The move
  // of a person adds an address.
  async play(label, { adds = !this.scene.strategy } = {}) {
    const moves = [...this.shown.moves, label];
    return !this.isShut && this.open({ ...this.link, moves }, moves.length, { adds });
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

  // Draw `picture` in the place of the scene's: a heat map, for example.
  draw(picture) {
    if (this.isShut) return; // a board that is not shown has no size
    this.dispatchEvent(Object.assign(new Event("picture"), { picture }));
  }

  trouble(error) {
    this.dispatchEvent(Object.assign(new Event("trouble"), { message: error.message }));
  }
}
