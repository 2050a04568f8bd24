// The page of pi: darts land on a board, and the interval of the estimate narrows.
import { at, element, showPicture, showTable } from "./dom.js";
import { copiesAddress, keepAddress, newSeed, parsed } from "./address.js";
import { factsOn, trouble } from "./facts.js";
import { showLoading } from "./loading.js";

const PARTS = ["seed", "darts"];
const MILLION = 1_000_000;
const BUTTONS = ["throw-1", "throw-10", "throw-1000", "run"];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let shown; // the facts of the darts that are on the page
const { ask, run, pause, isRunning } = factsOn(show, () => shown && showSettings(shown));

// Put the facts of the darts on the page. With reduced motion, the board waits for the end of a run.
function show(facts) {
  shown = facts;
  if (!calm.matches || !isRunning()) showPicture(at("board"), facts.board);
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
function showSettings({ seed, darts, full }) {
  for (const id of BUTTONS) at(id).disabled = Boolean(full) && !isRunning();
  for (const id of ["again", "new", "copy"]) at(id).disabled = false;
  at("run").textContent = isRunning() ? "Pause" : "Run on to a million";
  at("command").textContent = `purembts pi --seed ${seed} --darts ${Math.max(darts, 1)}`;
  if (document.activeElement !== at("seed")) at("seed").value = seed;
  keepAddress({ seed, darts }, PARTS, isRunning() ? 1000 : 0);
}

const more = (n) => () =>
  ask("pi_darts", () => ({ seed: shown.seed, darts: Math.min(shown.darts + n, MILLION) }));

// Throw from `darts` up to `to` in the fixed steps.
const runOn = ({ seed, darts }, to) => run("pi_run", { seed, darts, to }, shown);

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
  await ask("pi_darts", () => ({ seed, darts: Math.min(darts, 10_000) }));
  if (darts > 10_000) runOn({ seed, darts: 10_000 }, darts);
}

// Open the link in the address; without a seed there, the seed is new.
function openAddress() {
  const { seed = String(newSeed()), darts = "0" } = parsed(location.hash, PARTS);
  return open(seed, darts);
}

function submit(event) {
  event.preventDefault();
  open(at("seed").value.trim(), "0").catch(trouble);
}

// Listen to the controls, and open the address.
async function begin() {
  for (const n of [1, 10, 1000]) at(`throw-${n}`).addEventListener("click", more(n));
  at("run").addEventListener("click", () => (isRunning() ? pause() : runOn(shown, MILLION)));
  at("again").addEventListener("click", () => ask("pi_darts", () => ({ seed: shown.seed, darts: 0 })));
  at("new").addEventListener("click", () => open(String(newSeed()), "0").catch(trouble));
  at("seed-form").addEventListener("submit", submit);
  copiesAddress(at("copy"), () => {
    keepAddress(shown, PARTS);
    return location.href;
  });
  addEventListener("hashchange", () => openAddress().catch(trouble));
  await openAddress().catch(async (error) => {
    await open(String(newSeed()), "0");
    trouble(error);
  });
}

showLoading(at("status"));
begin().catch(trouble);
