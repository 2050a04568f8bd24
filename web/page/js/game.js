// The game on a page: a link and the scene that follows from it. It tells its listeners of changes.
import { call } from "./python.js";
import { formatted } from "./link.js";

// A game has `link` (all moves), `at` (the number of moves that are shown) and `scene`.
// It sends the events "scene", "picture" (a picture in the place of the scene's) and "trouble".
export class Play extends EventTarget {
  link = null;
  at = 0;
  scene = null;
  #asked = 0;

  // The link of the position that is shown.
  get shown() {
    return { ...this.link, moves: this.link.moves.slice(0, this.at) };
  }

  get isLast() {
    return this.at === this.link.moves.length;
  }

  // Show the game of `link` after its first `at` moves; by default after all of them. The promise is
  // true if that position is shown, and false after trouble, or if another one was asked for.
  async open(link, at = link.moves?.length ?? 0) {
    const whole = { rules: [], moves: [], players: [], seed: 0, start: "", source: "", ...link };
    const args = { link: { ...whole, moves: whole.moves.slice(0, at) } };
    const asked = ++this.#asked;
    try {
      const scene = await call("scene", args);
      if (asked !== this.#asked) return false; // another one was asked for meanwhile
      this.link = { ...whole, players: scene.link.players };
      this.at = at;
      this.scene = scene;
      history.replaceState(null, "", formatted(this.link));
      this.dispatchEvent(new Event("scene"));
      return true;
    } catch (error) {
      this.trouble(error);
      return false;
    }
  }

  // Make the move with this label, at the position that is shown. Later moves are forgotten.
  play(label) {
    return this.open({ ...this.link, moves: [...this.shown.moves, label] });
  }

  // Make the move that a typed text means.
  async type(text) {
    try {
      return this.play(await call("meant", { link: this.shown, text }));
    } catch (error) {
      this.trouble(error);
      return false;
    }
  }

  // Take the last choice of a person back.
  undo() {
    const to = this.scene.undo_to;
    return to == null ? false : this.open({ ...this.link, moves: this.link.moves.slice(0, to) });
  }

  // Show the position after `at` moves; no move is forgotten.
  show(at) {
    return this.open(this.link, Math.max(0, Math.min(at, this.link.moves.length)));
  }

  // Draw `picture` in the place of the scene's: a heat map, for example.
  draw(picture) {
    this.dispatchEvent(Object.assign(new Event("picture"), { picture }));
  }

  trouble(error) {
    if (error.trace) console.info(error.trace);
    this.dispatchEvent(Object.assign(new Event("trouble"), { message: error.message }));
  }
}
