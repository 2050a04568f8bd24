// The panel "search": the tree from the position on the board, while the opponent grows it, and while
// a visitor does. A state of Python is shown whole or not at all.
import { gameKey } from "./address.js";
import { atRedraw, formatted, isStill, say } from "./dom.js";
import { curveOf } from "./graph.js";
import { html, nothing, render } from "./lit.js";
import { runner } from "./python.js";
import { bloom, PHASES, TIMES } from "./tree.js";

const BETWEEN = 400; // milliseconds between two moves of strategies that play on
const HINTS = 10_000; // the dives of the hints of a turn
const DIVES = [[1, "1 dive"], [1_000, "1,000"], [10_000, "10,000"]];
const BEST = 8; // the moves in the table
const DIVE = html`A <a href="docs/glossary.html#dive">dive</a> plays one game from here: it goes down the tree, adds a
  position, plays on at random, and takes the result back up.`;
const ROOT = [{ parent: -1, label: "", visits: 0, share: 0.5, depth: 0 }];
const EMPTY = { dives: 0, of: null, said: "", rows: [], tree: ROOT, curve: null, film: null };

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

// The best moves of a turn as a table.
function bestOf(rows) {
  const best = rows.filter((row) => row.visits || row.exact).sort((a, b) => b.best - a.best || (b.exact && b.heat - a.heat) || b.visits - a.visits);
  if (!best.length) return nothing;
  return html`<details><summary>The best moves</summary><div class="table"><table>
    <thead><tr><th scope="col" class="words">move</th><th scope="col">visits</th><th scope="col">score</th>
      ${best[0].exact && html`<th scope="col">exact</th>`}</tr></thead>
    <tbody>${best.slice(0, BEST).map((row) => html`<tr><td class="words">${row.label}</td><td>${formatted(row.visits)}</td>
      <td>${row.score}</td>${row.exact && html`<td>${row.exact}</td>`}</tr>`)}</tbody></table></div></details>`;
}

class Search {
  job = runner();
  state = EMPTY; // the last one
  at = []; // the moves before it
  isNow = false; // it is of the position that is shown
  to = 0; // the dives that are asked for at this position
  hints = false;
  exact = false;
  isAsked = false; // a person has let the tree grow at this turn
  goes = false; // two strategies play on
  isHeld = false; // a person pressed Stop
  phase = null; // the phase of the film that is shown
  reel = null; // the film that runs
  busy = ""; // the sentence about exact values that are worked out
  error = "";
  wait = 0;

  constructor(where, play) {
    Object.assign(this, { where, play });
    this.redraw = atRedraw(() => this.draw());
    play.addEventListener("scene", () => this.onScene());
    play.addEventListener("shut", () => this.end());
    this.draw();
  }

  get isWatched() {
    return !this.play.persons.length;
  }

  // A strategy whose turn it is, at the end of the game so far.
  get canThink() {
    const { scene } = this.play;
    return Boolean(scene?.strategy) && !scene.is_over && this.play.isLast;
  }

  // True while something grows, or is shown by itself.
  get runs() {
    return this.reel !== null || (this.job.isRunning() && (this.canThink || this.to > 0));
  }

  // A new position: the strategy thinks, or the panel shows what is known of it.
  onScene() {
    this.end();
    const { scene, link, isLast } = this.play;
    this.state = { ...this.state, film: null };
    if (gameKey(link) !== this.game) {
      Object.assign(this, { state: EMPTY, hints: false, isHeld: false });
      this.exact = scene.can_solve && link.players.length === 1;
    }
    Object.assign(this, { game: gameKey(link), isAsked: false, isNow: false, error: "" });
    if (!isLast || scene.is_over) this.goes = false;
    this.where.hidden = scene.is_over;
    if (scene.is_over) this.draw();
    else if (!this.canThink) this.grow(this.hints && scene.moves.length > 1 ? HINTS : 0);
    else if (this.isWatched && this.goes) this.wait = setTimeout(() => this.think(), BETWEEN);
    else if (!this.isWatched && !this.isHeld) this.think();
    else this.grow(0);
  }

  // Forget what is in work.
  end() {
    clearTimeout(this.wait);
    this.job.stop();
    this.cut();
  }

  // End the film; the board is as it was.
  cut() {
    if (this.phase !== null) this.play.film(null);
    this.reel = this.phase = null;
  }

  run(name, args, onEnd) {
    const at = this.play.shown.moves;
    const take = (state) => {
      this.busy = state.kind === "tree" ? "" : state.said;
      if (!this.busy) Object.assign(this, { state: { ...state, tree: state.tree.length ? state.tree : ROOT }, at, isNow: true });
      this.redraw();
    };
    this.job.run(name, { link: this.play.shown, ...args }, take, (error) => {
      this.error = error?.message ?? "";
      if (error) this.goes = false;
      else onEnd();
      this.redraw();
    });
    this.redraw();
  }

  // Let the strategy think, and make its move. If a person has asked for another position meanwhile,
  // there is no move.
  think() {
    this.end();
    this.isHeld = false;
    this.run("strategy_trees", {}, () => !this.play.isOpening && this.play.play(this.state.move));
  }

  // Let the tree of the visitor grow to a number of dives.
  grow(to, more = {}, onEnd = () => to && say(this.state.said)) {
    this.to = to || Number(more.film ?? 0);
    this.run("visitor_trees", { to, exact: this.exact && this.play.scene.can_solve, ...more }, onEnd);
  }

  // Add dives; a single one is shown as a film.
  press(dives) {
    this.cut();
    this.isAsked = true;
    const behavior = isStill() ? "instant" : "smooth";
    if (matchMedia("(width < 60rem)").matches) this.where.querySelector(".said").scrollIntoView({ block: "nearest", behavior });
    const from = this.job.isRunning() ? Math.max(this.to, this.state.dives) : this.state.dives;
    if (dives > 1) return this.grow(from + dives);
    this.grow(0, { film: true }, () => this.state.film && this.show(isStill() ? [0] : [...PHASES.keys()]));
  }

  // Show phases of the dive one after the other; without motion, one stays until another is chosen.
  async show(phases) {
    const isAgain = isStill() && phases[0] === this.phase;
    this.cut();
    this.redraw();
    if (isAgain) return;
    const mine = (this.reel = {});
    const { game } = this.state.film;
    for (this.phase of phases) {
      this.redraw();
      say(this.state.film.phases[this.phase]);
      const boards = PHASES[this.phase] === "simulate" ? (isStill() ? game.slice(-1) : game) : [null];
      const began = performance.now();
      for (const [i, board] of boards.entries()) {
        this.play.film(board);
        if (isStill()) return void (this.reel = null);
        await pause(began + (TIMES[this.phase] * (i + 1)) / boards.length - performance.now());
        if (mine !== this.reel) return;
      }
    }
    this.cut();
    this.redraw();
  }

  // Next move, Think, Stop or Pause.
  step(goes) {
    if (!this.job.isRunning() && !(this.goes && this.canThink) && !this.reel) {
      this.goes = goes;
      return this.think();
    }
    clearTimeout(this.wait);
    this.job.stop();
    this.reel = null;
    this.goes = false;
    this.isHeld = this.canThink;
    this.redraw();
  }

  change(name, isOn) {
    Object.assign(this, { [name]: isOn, isAsked: this.isAsked && name === "exact" });
    this.grow(name === "exact" ? this.to : isOn ? Math.max(this.to, HINTS) : 0);
  }

  // True if the heat of the state is of use: what an opponent believes, or what a person has asked for.
  get isTold() {
    const { rows, dives } = this.state;
    const isWanted = this.canThink ? this.job.isRunning() && !isStill() : this.hints || this.isAsked || this.exact;
    const tried = rows.filter((row) => row.visits).length;
    return this.isNow && isWanted && (rows[0]?.exact || (tried > 0 && dives >= 10 * tried));
  }

  draw() {
    const { play, state, phase } = this;
    const rows = this.isTold ? state.rows : null;
    if (rows !== (play.rows ?? null)) play.believe(rows);
    const { film } = state;
    render(html`<h2>Search</h2>
      ${this.buttons()}
      ${bloom(state, this.at, play.link?.players.length === 1, phase)}
      <progress max="1" value=${state.of ? state.dives / state.of : 0} ?data-runs=${this.runs} aria-label="Share of the dives"></progress>
      <p class="note">Wider: more visits. Orange: better for the player to move; blue: worse.</p>
      ${play.scene?.is_hidden ? nothing : this.steps(film)}
      <p class="said">${film && phase !== null ? film.phases[phase] : this.busy || state.said}
        ${state.dives || this.runs ? nothing : DIVE}</p>
      <p class="error" role="alert">${this.error}</p>
      ${curveOf(state.curve)}
      ${bestOf(state.rows)}`, this.where);
  }

  // The names of the phases of a dive, of which one may be shown.
  steps(film) {
    return html`<div class=${film ? "steps" : "steps off"} role="group" aria-label="Phases of the dive">${PHASES.map((name, i) => html`
      <button aria-current=${i === this.phase ? "step" : nothing} @click=${() => this.show([i])}>${name}</button>`)}</div>`;
  }

  buttons() {
    const { goes, play: { scene }, runs } = this;
    const button = (text, act, isOff, name = "") => html`<button class=${name} ?disabled=${isOff} @click=${act}>${text}</button>`;
    const change = (name, text) => html`<label class="field beside"><input type="checkbox" role="switch"
      .checked=${this[name]} @change=${({ target }) => this.change(name, target.checked)}> ${text}</label>`;
    if (this.canThink) {
      const next = runs && !goes ? "Stop" : this.isWatched ? "Next move" : "Think";
      return html`<div class="row">${button(next, () => this.step(false), goes, "primary")}
        ${this.isWatched ? button(goes ? "Pause" : "Play on", () => this.step(true)) : nothing}</div>`;
    }
    const more = DIVES.map(([n, text]) => button(text, () => this.press(n), !scene, n === 1 ? "primary" : ""));
    return html`<div class="row" role="group" aria-label="Let the tree grow">${more}
      ${button("Pause", () => this.step(false), !runs)}</div>
      <div class="row">${change("hints", "Hints at each turn")}${scene?.can_solve ? change("exact", "Exact values") : nothing}</div>`;
  }
}

// Let `place` show the search of the position of `play`.
export const mountSearch = (place, play) => new Search(place, play);
