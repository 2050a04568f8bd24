// An experiment on a page, whose facts Python works out: answers to questions, and runs that can be
// paused. The pages of bandits and of pi have one.
import { at, atRedraw, say, showPicture } from "./dom.js";
import { copiesAddress, keepAddress, parsed } from "./address.js";
import { showLoading } from "./loading.js";
import { widthIn } from "./parts.js";
import { call, runner } from "./python.js";

// Say what went wrong. The place of the status says it if Python is missing.
function trouble(error) {
  if (!error.isMissing) at("error").textContent = error.message;
}

// The experiment of the function `name`, whose address has these `parts`. `draw` puts facts on the page,
// `settle` brings the controls to them, and `partsOf` gives their address. `limited` are the buttons that
// are of no use at the end, and `idle` are the words of the one that runs.
export class Experiment {
  job = runner();
  facts = null; // those on the page
  waiting = Promise.resolve(); // the answers come in the order of the questions

  constructor(about) {
    Object.assign(this, about);
  }

  get isRunning() {
    return this.job.isRunning();
  }

  show(facts) {
    const focused = document.activeElement;
    this.draw(facts);
    this.facts = facts;
    at("status").textContent = facts.said;
    at("full").textContent = facts.full;
    showPicture(at("chart"), facts.chart);
    this.settleAll();
    if (focused.disabled) at("again").focus(); // a disabled button would lose the focus
  }

  // Bring the controls and the address to the facts that are shown.
  settleAll() {
    const { facts, isRunning } = this;
    for (const id of this.limited) at(id).disabled = Boolean(facts.full) && !isRunning;
    for (const id of ["again", "new", "copy"]) at(id).disabled = false;
    at("run").textContent = isRunning ? "Pause" : this.idle;
    this.settle(facts);
    this.keep(isRunning ? 1000 : 0);
  }

  keep(pause) {
    keepAddress(this.partsOf(this.facts), this.parts, pause);
  }

  tell(facts) {
    this.show(facts);
    say(`${facts.said} ${facts.full}`);
  }

  get width() {
    return widthIn(at("chart"), 600);
  }

  // End the run, and show where it is.
  pause() {
    if (!this.isRunning) return;
    this.job.stop();
    this.tell(this.last);
  }

  // Ask Python for facts, with the arguments that hold when the questions before are answered. The
  // promise is true if they were good.
  ask(args) {
    this.pause();
    this.waiting = this.waiting.then(async () => {
      try {
        const facts = await call(this.name, { ...args(), width: this.width });
        at("error").textContent = "";
        this.tell(facts);
        return true;
      } catch (error) {
        trouble(error);
        return false;
      }
    });
    return this.waiting;
  }

  // Show the steps of a run until its end, or until it is paused.
  run(args) {
    const redraw = atRedraw((facts) => this.isRunning && this.show(facts));
    const end = (error) => {
      if (error) trouble(error);
      this.tell(this.last);
    };
    this.last = this.facts;
    const onStep = (facts) => redraw((this.last = facts));
    this.job.run(this.name, { ...args, width: this.width }, onStep, end);
    this.settleAll();
    say("Running.");
  }

  // Listen to the controls that all experiments have, and open the address with `open`. If it is wrong,
  // `usual` is opened under its error.
  async begin(open, usual, runOn) {
    const openAddress = () => open(parsed(location.hash, this.parts));
    showLoading(at("status"));
    at("run").addEventListener("click", () => (this.isRunning ? this.pause() : runOn()));
    copiesAddress(at("copy"), () => {
      this.keep(0);
      return location.href;
    });
    addEventListener("hashchange", openAddress);
    if (await openAddress()) return;
    const message = at("error").textContent;
    await usual();
    at("error").textContent = message;
  }
}
