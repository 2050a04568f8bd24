// The panel that says what each choice cost: a table that grows, the last choice first.
import { partsOf, say, showTable } from "./dom.js";
import { runner } from "./python.js";
import { keepFitting, progressText } from "./parts.js";

// The costs of the choices so far, in `place`.
export class Costs {
  job = runner();

  constructor(place, play) {
    Object.assign(this, { place, play, ...partsOf(place) });
    this.button.addEventListener("click", () => this.press());
    play.addEventListener("scene", () => this.onScene());
  }

  // A new position: the costs so far may be of another game.
  onScene() {
    this.job.stop();
    const { persons, scene } = this.play;
    this.place.hidden = !persons.length || scene.undo_to == null; // no choice yet
    this.count.hidden = true;
    this.table.replaceChildren();
    this.button.classList.toggle("primary", scene.is_over);
    this.show();
  }

  press() {
    if (this.job.isRunning()) {
      this.job.stop();
      this.count.textContent += " Stopped.";
      return this.show();
    }
    this.table.replaceChildren();
    const args = { link: this.play.shown };
    this.job.run("choice_costs", args, (step) => this.onStep(step), (error) => this.end(error));
    this.show();
  }

  onStep(step) {
    const isTable = step.kind === "table";
    if (step.unit === "choices") this.choices = step;
    this.choices.done += isTable;
    const { done, of } = this.choices;
    const search = isTable || step === this.choices ? "" : progressText(step);
    this.count.hidden = false;
    this.count.textContent = `${done} of ${of} choices. ${search}`.trim();
    if (!isTable) return;
    showTable(this.table, step);
    keepFitting(this.table, step);
  }

  end(error) {
    const hasTable = this.table.childElementCount > 0;
    this.count.hidden = hasTable && !error;
    if (error) this.count.textContent = `No more costs: ${error.message}`;
    else if (!hasTable) this.count.textContent = "No person has made a choice yet.";
    if (!error) say(hasTable ? this.summary : this.count.textContent);
    this.show();
  }

  // The sentence that says the result.
  get summary() {
    const notes = [...this.table.querySelectorAll(".note")].map((note) => note.textContent);
    const total = notes.find((note) => note.includes("together: "));
    return `The costs of the choices are worked out${total ? `; ${total}` : ""}.`;
  }

  show() {
    this.button.textContent = this.job.isRunning() ? "Stop" : "Work out the costs";
  }
}
