// The page of pi: darts land on a board, and the interval of the estimate narrows.
import { at, element, isStill, showPicture, showTable } from "./dom.js";
import { newSeed } from "./address.js";
import { Experiment } from "./experiment.js";

const MILLION = 1_000_000;
const FIRST = 10_000; // the most darts that are thrown at once

const darts = new Experiment({
  name: "pi_darts",
  parts: ["seed", "darts"],
  limited: ["throw-1", "throw-10", "throw-1000", "run"],
  idle: "Run on to a million",
  partsOf: (facts) => facts,
  draw,
  settle,
});

// Put the facts of the darts on the page. With reduced motion, the board waits for the end of a run.
function draw(facts) {
  if (!isStill() || !darts.isRunning) showPicture(at("board"), facts.board);
  at("lines").replaceChildren(...facts.lines.flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, value),
  ]));
  showTable(at("table"), facts.table);
}

function settle({ seed, darts: count }) {
  at("command").textContent = `purembts pi --seed ${seed} --darts ${Math.max(count, 1)}`;
  if (document.activeElement !== at("seed")) at("seed").value = seed;
}

// Throw `more` darts than those that are shown.
const throwMore = (more) =>
  darts.ask(() => ({ seed: darts.facts.seed, darts: Math.min(darts.facts.darts + more, MILLION) }));

// Throw up to `to` darts in the fixed steps.
const runOn = (to) => darts.run({ seed: darts.facts.seed, darts: darts.facts.darts, to });

// Open a seed and a number of darts, as texts; without a seed, it is new. Many darts are thrown in steps.
async function open({ seed = String(newSeed()), darts: text = "0" } = {}) {
  const count = /^\d+$/.test(text) ? Number(text) : text;
  const isMany = count > FIRST && count <= MILLION;
  const isOpen = await darts.ask(() => ({ seed, darts: isMany ? FIRST : count }));
  if (isOpen && isMany) runOn(count);
  return isOpen;
}

for (const n of [1, 10, 1000]) at(`throw-${n}`).addEventListener("click", () => throwMore(n));
at("again").addEventListener("click", () => darts.ask(() => ({ seed: darts.facts.seed, darts: 0 })));
at("new").addEventListener("click", () => open());
at("seed-form").addEventListener("submit", (event) => {
  event.preventDefault();
  open({ seed: at("seed").value.trim() });
});
darts.begin(open, open, () => runOn(MILLION));
