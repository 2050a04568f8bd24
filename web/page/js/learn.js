// The panel in which a tree learns from the start of a game. A dive is shown in its phases, and more
// dives as the trees that are kept at some numbers; a slider goes through them. Python plays no game
// before a person uses the panel.
import { call, ready, runner } from "./python.js";
import { counted, atRedraw, element, formatted, isStill, partsOf, say, showPicture } from "./dom.js";
import { gameKey } from "./address.js";
import { widthIn } from "./parts.js";

const HIDDEN =
  " hides information. A tree from the start of a game would know what no player may know, so there " +
  "is none here. Ask for hints: they search what the player to move sees.";
const NOTHING = { k: 0, dives: 0, positions: 0, all_dives: 0, visits: 0, tree: [] };
const OFTEN =
  ". The wider a line, the more visits. The search goes where the mean is high, and sometimes where " +
  "it knows little.";
const PHASE = 2500; // the milliseconds of a phase of a single dive
const TREES = { 1: 0, 10: 700, 1000: 350 }; // those of each tree of so many dives

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

// A function that calls `work` again and again, but never twice at once: the last call counts.
function latest(work) {
  let working = false;
  let isAsked = false;
  return async () => {
    isAsked = true;
    if (working) return;
    working = true;
    while (isAsked) {
      isAsked = false;
      await work();
    }
    working = false;
  };
}

// The panel in `place`.
export class Learn {
  job = runner();
  used = new Set(); // the learners that a person has let dive
  facts = NOTHING; // those of the tree that is shown
  last = 0; // the number of the newest tree
  allDives = 0;
  k = null; // the number of the tree to show; null for the newest
  phase = Infinity; // the number of the phase to show, or of the last one
  film = null; // what is shown by itself, if anything

  constructor(place, play) {
    Object.assign(this, { place, play, ...partsOf(place) });
    this.more = [...this.more.querySelectorAll("button")];
    this.redraw = atRedraw(() => this.draw());
    this.refresh = latest(() => this.fetch());
    this.run.addEventListener("click", () => this.press());
    for (const each of this.more) each.addEventListener("click", () => this.grow(Number(each.value)));
    this.seed.addEventListener("change", () => this.begin());
    this.again.addEventListener("click", () => this.forget());
    this.slider.addEventListener("input", () => this.choose(this.slider.valueAsNumber));
    addEventListener("resize", () => this.width !== this.drawnWidth && this.refresh());
    play.addEventListener("scene", () => this.onScene());
  }

  // The width of the pictures.
  get width() {
    return widthIn(this.place, 600);
  }

  // The arguments that name the learner and the width, with more.
  about(more) {
    this.drawnWidth = this.width;
    return { link: this.play.shown, seed: this.seed.value.trim(), width: this.drawnWidth, ...more };
  }

  // The learner of the panel, as a text.
  get learner() {
    return `${gameKey(this.play.link)} ${this.seed.value}`;
  }

  // True if a person has let this learner dive, and Python was not stopped since.
  get isUsed() {
    if (this.python !== ready) this.used.clear();
    return this.used.has(this.learner);
  }

  // Follow the game: a new game has a new tree, and a new position has other moves.
  onScene() {
    const { link, scene } = this.play;
    const game = `${gameKey(link)} ${link.seed}`;
    const isNew = game !== this.game;
    this.game = game;
    this.place.hidden = false;
    this.why.textContent = scene.is_hidden ? scene.title + HIDDEN : "";
    this.body.hidden = scene.is_hidden;
    if (isNew) {
      this.seed.value = link.seed;
      return this.begin();
    }
    if (this.job.isRunning()) this.start(this.until);
    this.refresh();
  }

  // Show the last tree of the learner with this seed, which may have none yet.
  begin() {
    this.stop();
    this.trouble.textContent = "";
    Object.assign(this, { facts: NOTHING, last: 0, allDives: 0, k: null });
    this.redraw();
    this.refresh();
  }

  // Forget all trees.
  async forget() {
    this.stop();
    this.used.clear();
    await call("forget").catch((error) => this.fail(error));
    this.begin();
  }

  // End the dives and the film.
  stop() {
    this.job.stop();
    this.film = null;
    this.phase = Infinity;
  }

  // Run, or Pause.
  press() {
    if (!this.job.isRunning() && !this.film) return this.grow(null);
    this.stop();
    this.refresh();
    say(`Paused after ${counted(this.allDives, "dive")}.`);
  }

  // Let the tree grow by a number of dives, or until it is paused.
  grow(dives) {
    if (!this.isUsed) this.allDives = 0;
    this.python = ready;
    this.used.add(this.learner);
    this.k = null;
    const from = this.job.isRunning() ? (this.until ?? this.allDives) : this.allDives;
    this.start(dives === null ? null : from + dives);
    this.film = null;
    if (dives && !isStill()) this.show(dives);
  }

  // Begin the steps that end at `until` dives, or never.
  start(until) {
    this.until = until;
    this.trouble.textContent = "";
    this.job.run("learner_trees", this.about({ until }), (facts) => this.grew(facts), (error) => {
      if (error) return this.fail(error);
      if (!this.film) this.refresh();
      this.redraw();
      say(`${counted(this.allDives, "dive")} in all.`);
    });
    this.redraw();
  }

  // Take the facts of a new tree.
  grew(facts) {
    Object.assign(this, { last: facts.last, allDives: facts.all_dives });
    if (this.k === null && !this.film) this.facts = { ...this.facts, ...facts };
    this.redraw();
  }

  // Show the trees that come now, one after the other; a single dive in its phases.
  async show(dives) {
    const film = {};
    this.film = film;
    for (let k = this.last + 1; k <= this.last || this.job.isRunning(); ) {
      if (k > this.last) await pause(50);
      else {
        this.k = k++;
        this.phase = dives === 1 ? 0 : Infinity;
        await this.fetch();
        while (this.film === film && this.phase < this.facts.tree.length - 1) {
          await pause(PHASE);
          if (this.film === film) this.phase += 1;
          this.redraw();
        }
        await pause(TREES[dives]);
      }
      if (this.film !== film) return;
    }
    Object.assign(this, { film: null, k: null, phase: Infinity });
    this.redraw();
  }

  // Show a phase of the dive, which a person has chosen.
  choosePhase(phase) {
    Object.assign(this, { film: null, phase });
    this.redraw();
    say(this.facts.tree[phase].title);
  }

  // Show tree `k`, and follow the newest one if it is the last.
  choose(k) {
    Object.assign(this, { k: k < this.last ? k : null, film: null, phase: Infinity });
    this.refresh();
  }

  // Ask for the tree that is chosen, or the last one, and draw it.
  async fetch() {
    if (!this.play.link || this.play.scene.is_hidden || !this.isUsed) return this.redraw();
    const { learner, k } = this;
    try {
      const facts = await call("learner_trees", this.about({ k }));
      if (learner !== this.learner) return;
      if (k === this.k) this.facts = facts;
      Object.assign(this, { last: facts.last, allDives: facts.all_dives });
      this.redraw();
    } catch (error) {
      if (learner === this.learner) this.fail(error);
    }
  }

  // Say what went wrong. Nothing is asked again before a person lets the tree dive.
  fail(error) {
    this.stop();
    this.used.delete(this.learner);
    this.redraw();
    this.trouble.textContent = error.message;
  }

  // Draw the state.
  draw() {
    const { facts, last, slider } = this;
    const isRunning = this.job.isRunning() || this.film !== null;
    this.run.textContent = isRunning ? "Pause" : "Run";
    this.run.disabled = Boolean(facts.is_full) && !isRunning;
    for (const button of this.more) button.disabled = Boolean(facts.is_full);
    slider.disabled = !facts.all_dives;
    Object.assign(slider, { max: last, value: facts.k });
    const size = `${counted(facts.dives, "dive")}, ${counted(facts.positions, "position")}`;
    slider.setAttribute("aria-valuetext", size);
    this.shown.textContent = `Tree ${facts.k} of ${last}: ${size}`;
    this.value.textContent = facts.worth ?? "";
    this.drawTree(facts);
    for (const name of ["curve", "bars"]) refreshPicture(this[name], facts[name]);
    this.learnt.hidden = !facts.worth;
    this.moves.hidden = !facts.bars;
  }

  // Draw the tree, or a phase of the dive that made it, with its sentence and the names of the phases.
  drawTree(facts) {
    const { tree } = facts;
    const at = Math.min(this.phase, tree.length - 1);
    const isDive = tree.length > 1;
    const dives = counted(facts.dives, "dive");
    const haveAllCome = facts.visits === facts.dives;
    const came = haveAllCome ? `After ${dives}` : `${formatted(facts.visits)} of ${dives} came to this position`;
    const said = isDive ? tree[at].title : `${came}${OFTEN}`;
    this.said.textContent = noteOf(facts, this.play.scene) || said;
    refreshPicture(this.tree, tree[at]);
    this.phases.hidden = !isDive;
    if (this.phases.childElementCount !== tree.length) {
      this.phases.replaceChildren(...tree.map((_, i) => element("button", { onclick: () => this.choosePhase(i) })));
    }
    for (const [i, button] of [...this.phases.children].entries()) {
      button.textContent = tree[i].title.match(/(\w+):/)?.[1] ?? "";
      button.ariaCurrent = i === at ? "step" : null;
    }
  }
}

// Put a picture into `place`, if it is another one than before.
function refreshPicture(place, picture) {
  place.hidden = !picture;
  if (!picture || picture === place.picture) return;
  showPicture(place, picture);
  place.picture = picture;
}

// The sentence above the tree, where there is something to say about its use.
function noteOf(facts, scene) {
  if (!facts.dives) return "The tree is empty. Let it dive.";
  if (facts.is_full) return "No more trees can be kept. Go back through them, or start again.";
  if (scene.is_over) return "The game is over. Go back to see the tree from a turn.";
  if (!facts.visits && scene.event) {
    return `Each dive has chance events of its own. None has come here yet, to: ${scene.event}`;
  }
  return facts.visits ? "" : "Each dive begins at the start of the game. None has come to this position.";
}
