// The page of pi: darts land on a board, and the interval of the estimate narrows.
import { call, stream } from "./python.js";
import { drawn, element, say, showPicture, showTable } from "./dom.js";
import { newSeed } from "./link.js";
import { chartWidth, copiesAddress, keepAddress, parsedParts } from "./address.js";

const PARTS = ["seed", "darts"];
const MILLION = 1_000_000;
const BUTTONS = ["throw-1", "throw-10", "throw-1000", "run"];
const at = (id) => document.querySelector(`#${id}`);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let shown; // the facts of the darts that are on the page
let running = null; // the stream of darts, while there is one
let waiting = Promise.resolve(); // the answers come in the order of the questions

// Put the facts of the darts on the page. `withBoard` is false where nothing may move.
function show(facts, withBoard = true) {
  shown = facts;
  if (withBoard) showPicture(at("board"), facts.board);
  at("status").textContent = facts.said;
  at("full").textContent = facts.full;
  at("lines").replaceChildren(...facts.lines.flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, value),
  ]));
  showPicture(at("chart"), facts.chart);
  showTable(at("table"), facts.table);
  const focused = document.activeElement;
  showSettings(facts);
  if (focused.disabled) at("again").focus(); // a disabled button would lose the focus
}

// Bring the controls and the address to the darts that are shown.
function showSettings({ seed, darts, is_full: isFull }) {
  for (const id of BUTTONS) at(id).disabled = isFull && !running;
  for (const id of ["again", "new", "copy"]) at(id).disabled = false;
  at("run").textContent = running ? "Pause" : "Run on to a million";
  at("command").textContent = `purembts pi --seed ${seed} --darts ${Math.max(darts, 1)}`;
  if (document.activeElement !== at("seed")) at("seed").value = seed;
  keepAddress({ seed, darts }, PARTS, running ? 1000 : 0);
}

// Ask Python for the first darts of a seed, and say the estimate. Questions wait for one another.
function ask(args) {
  pause();
  waiting = waiting.then(async () => {
    try {
      const facts = await call("pi_darts", { ...args(), width: chartWidth(at("chart")) });
      at("error").textContent = "";
      show(facts);
      say(`${facts.said} ${facts.full}`);
    } catch (error) {
      trouble(error);
    }
  });
  return waiting;
}

function trouble(error) {
  if (error.trace) console.info(error.trace);
  at("error").textContent = error.message;
  if (!shown) at("status").textContent = "";
}

const more = (n) => () =>
  ask(() => ({ seed: shown.seed, darts: Math.min(shown.darts + n, MILLION) }));

// Throw from `darts` up to `to` in the fixed steps. With reduced motion the board waits for the end.
function run({ seed, darts }, to) {
  let last = shown;
  const redraw = drawn((facts) => running && show(facts, !calm.matches));
  const args = { seed, darts, to, width: chartWidth(at("chart")) };
  const one = stream("pi_run", args, (facts) => redraw((last = facts)));
  running = { stop: one.stop, last: () => last };
  if (shown) showSettings(shown);
  say("Running.");
  return one.done.catch(trouble).then(() => running?.stop === one.stop && pause());
}

// End the run, and show where it is.
function pause() {
  if (!running) return;
  const { stop, last } = running;
  running = null;
  stop();
  if (!last()) return;
  show(last());
  say(`${shown.said} ${shown.full}`);
}

// The whole number in a text; NaN if there is none.
const whole = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

// Open a seed and a number of darts. Many darts are thrown in steps.
async function open(seedText, dartsText) {
  const [seed, darts] = [whole(seedText), whole(dartsText)];
  if (Number.isNaN(seed) || !(darts <= MILLION)) {
    const [name, most, text] = Number.isNaN(seed)
      ? ["seed", "999,999,999", seedText]
      : ["number of darts", "1,000,000", dartsText];
    throw new Error(`The ${name} must be a whole number from 0 to ${most}; got "${text}".`);
  }
  at("error").textContent = "";
  await ask(() => ({ seed, darts: Math.min(darts, 10_000) }));
  if (darts > 10_000) await run({ seed, darts: 10_000 }, darts);
}

// Open the link in the address; without a seed there, the seed is new.
function openAddress() {
  const { seed = String(newSeed()), darts = "0" } = parsedParts(location.hash, PARTS);
  return open(seed, darts);
}

function submit(event) {
  event.preventDefault();
  open(at("seed").value.trim(), "0").catch(trouble);
}

// Listen to the controls, and open the address.
async function begin() {
  for (const n of [1, 10, 1000]) at(`throw-${n}`).addEventListener("click", more(n));
  at("run").addEventListener("click", () => (running ? pause() : run(shown, MILLION)));
  at("again").addEventListener("click", () => ask(() => ({ seed: shown.seed, darts: 0 })));
  at("new").addEventListener("click", () => open(String(newSeed()), "0").catch(trouble));
  at("seed-form").addEventListener("submit", submit);
  copiesAddress(at("copy"), () => keepAddress(shown, PARTS));
  addEventListener("hashchange", () => openAddress().catch(trouble));
  await openAddress().catch(async (error) => {
    await open(String(newSeed()), "0");
    trouble(error);
  });
}

begin().catch(trouble);
