// The panel that says what each choice cost: a table that grows, the last choice first.
import { element, say, showTable } from "./dom.js";
import { stream } from "./python.js";
import { keepFitting, progressText } from "./parts.js";

class Costs {
  job = null;

  constructor(place, play) {
    Object.assign(this, { place, play });
    const title = element("h2", {}, "What did each choice cost?");
    const about = "Each choice of a person is compared with the best move.";
    this.button = element("button", { type: "button", onclick: () => this.press() });
    this.count = element("p", { class: "note", hidden: true });
    this.table = element("div");
    const row = element("div", { class: "row" }, this.button);
    place.hidden = true;
    place.append(title, element("p", { class: "quiet" }, about), row, this.count, this.table);
    play.addEventListener("scene", () => this.onScene());
  }

  // A new position: the costs so far may be of another game.
  onScene() {
    this.stop();
    const { link, scene } = this.play;
    const { table } = this;
    this.place.hidden = !link.players.includes("person") || scene.undo_to == null; // no choice yet
    this.count.hidden = true;
    table.replaceChildren();
    this.button.classList.toggle("primary", scene.is_over);
    this.show();
  }

  stop() {
    this.job?.stop();
    this.job = null;
  }

  press() {
    if (this.job) {
      this.stop();
      this.count.textContent += " Stopped.";
      return this.show();
    }
    this.table.replaceChildren();
    this.hasTable = false;
    const onStep = (step) => this.job === job && this.onStep(step);
    const job = stream("costs", { link: this.play.shown }, onStep);
    this.job = job;
    job.done.then(
      () => this.job === job && this.end(),
      (error) => this.job === job && this.end(error),
    );
    this.show();
  }

  onStep(step) {
    const about = progressText(step);
    const { choices, of_choices: all } = step;
    this.count.hidden = false;
    this.count.textContent = `${choices} of ${all} choices. ${choices < all ? about : ""}`.trim();
    if (!step.table) return;
    this.hasTable = true;
    showTable(this.table, step.table);
    keepFitting(this.table, step.table);
  }

  end(error) {
    this.job = null;
    this.count.hidden = this.hasTable && !error;
    if (error) this.fail(error);
    else if (!this.hasTable) this.count.textContent = "No person has made a choice yet.";
    if (!error) say(this.hasTable ? this.summary : this.count.textContent);
    this.show();
  }

  // The sentence that says the result.
  get summary() {
    const notes = [...this.table.querySelectorAll(".note")].map((note) => note.textContent);
    const total = notes.find((note) => note.includes("together: "));
    return `The costs of the choices are worked out${total ? `; ${total}` : ""}.`;
  }

  // Say why there are no costs, in the panel.
  fail(error) {
    if (error.trace) console.info(error.trace);
    this.count.textContent = `No more costs: ${error.message}`;
  }

  show() {
    this.button.textContent = this.job ? "Stop" : "Work out the costs";
  }
}

// Fill `place` with the costs of the choices so far.
export function mount(place, play) {
  new Costs(place, play);
}
