// The page of pi: darts land on a board, and the interval of the estimate narrows.
import { at, element, isStill, showPicture, showTable } from "./dom.js";
import { copiesAddress, keepAddress, newSeed, parsed } from "./address.js";
import { factsOn, openFirst, trouble } from "./facts.js";
import { showLoading } from "./loading.js";

const PARTS = ["seed", "darts"];
const MILLION = 1_000_000;
const FIRST = 10_000; // the most darts that are thrown at once
const BUTTONS = ["throw-1", "throw-10", "throw-1000", "run"];
let shown; // the facts of the darts that are on the page
const { ask, run, pause, isRunning } = factsOn(show, () => shown && showSettings(shown));

// Put the facts of the darts on the page. With reduced motion, the board waits for the end of a run.
function show(facts) {
  shown = facts;
  if (!isStill() || !isRunning()) showPicture(at("board"), facts.board);
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

// Open a seed and a number of darts, as texts. Many darts are thrown in steps.
async function open(seed, text) {
  const darts = /^\d+$/.test(text) ? Number(text) : text;
  const isMany = darts > FIRST && darts <= MILLION;
  const isOpen = await ask("pi_darts", () => ({ seed, darts: isMany ? FIRST : darts }));
  if (isOpen && isMany) runOn(shown, darts);
  return isOpen;
}

// Open the link in the address; without a seed there, the seed is new.
function openAddress() {
  const { seed = String(newSeed()), darts = "0" } = parsed(location.hash, PARTS);
  return open(seed, darts);
}

function submit(event) {
  event.preventDefault();
  open(at("seed").value.trim(), "0");
}

// Listen to the controls, and open the address.
async function begin() {
  for (const n of [1, 10, 1000]) at(`throw-${n}`).addEventListener("click", more(n));
  at("run").addEventListener("click", () => (isRunning() ? pause() : runOn(shown, MILLION)));
  at("again").addEventListener("click", () => ask("pi_darts", () => ({ seed: shown.seed, darts: 0 })));
  at("new").addEventListener("click", () => open(String(newSeed()), "0"));
  at("seed-form").addEventListener("submit", submit);
  copiesAddress(at("copy"), () => {
    keepAddress(shown, PARTS);
    return location.href;
  });
  addEventListener("hashchange", openAddress);
  await openFirst(openAddress, () => open(String(newSeed()), "0"));
}

showLoading(at("status"));
begin().catch(trouble);
