// The page of bandits: arms to pull by hand, and a policy that pulls as often.
import { at, element, formatted, showPicture, showTable } from "./dom.js";
import { copiesAddress, keepAddress, newSeed, parsed } from "./address.js";
import { factsOn, openFirst, trouble } from "./facts.js";
import { showLoading } from "./loading.js";

const PARTS = ["means", "arms", "seed", "policy", "pulls", "revealed"];
let shown; // the facts of the contest that is on the page
const { ask, run, pause, isRunning } = factsOn(show, () => showSettings(shown));

// Put the facts of a contest on the page.
function show(facts) {
  const focused = document.activeElement;
  const isNew = shown?.arms.length !== facts.arms.length;
  if (!shown) offerPolicies(facts);
  shown = facts;
  if (isNew) at("arms").replaceChildren(...facts.arms.map((_, i) => armButton(i)));
  facts.arms.forEach(showArm);
  at("status").textContent = facts.said;
  at("full").textContent = facts.full;
  showTable(at("scores"), facts.scores);
  showPicture(at("chart"), facts.chart);
  at("chart-note").textContent = `${facts.chart ? "" : FIRST}${facts.means ? BY_MEANS : BY_PAY}`;
  showTable(at("own"), facts.own);
  showTable(at("other"), facts.other);
  showSettings(facts);
  if (focused.disabled) at("again").focus(); // a disabled button would lose the focus
}

const FIRST = "The chart begins with the first pull. ";
const BY_PAY =
  "Regret by the pay: what the best arm pays on average, less what you were paid. Luck can bring " +
  "it below 0. Regret by the true means shows only wrong choices, but it tells the best arm at " +
  "once; so it comes with the true means.";
const BY_MEANS =
  "Regret by the true means: for each pull, the mean of the best arm less the mean of the arm " +
  "that was pulled. It never falls, and a flat line is a player who pulls the best arm.";

// The button of an arm, with a place for its pulls.
function armButton(i) {
  const name = element("span", { class: "arm-name" }, `Arm ${i + 1}`);
  const pay = element("span", { class: "pay", "aria-hidden": "true" });
  const seen = element("span", { class: "seen" });
  const pull = () => pulled(String(i + 1), Number(at("times").value));
  const truth = element("span", { class: "truth" });
  return element("button", { class: "arm", onclick: pull }, name, pay, seen, truth);
}

// Write the pulls of an arm on its button, and the pay of the last pull.
function showArm({ n, paid }, i) {
  const button = at("arms").children[i];
  const isLast = shown.last?.arm === i;
  button.disabled = Boolean(shown.full);
  button.dataset.last = isLast ? shown.last.reward : "";
  button.querySelector(".pay").textContent = isLast ? `${shown.last.reward}` : "·";
  button.querySelector(".seen").textContent = `paid ${formatted(paid)} of ${formatted(n)}`;
  button.querySelector(".truth").textContent = shown.means ? `true mean ${shown.means[i]}` : "";
}

// Bring the controls and the address to the contest that is shown.
function showSettings({ link, arms, means, full }) {
  at("last-key").textContent = arms.length;
  at("policy").value = link.policy;
  if (means && document.activeElement === at("reveal")) at("chart-note").focus();
  at("reveal").hidden = Boolean(means);
  for (const id of ["hundred", "run"]) at(id).disabled = Boolean(full) && !isRunning();
  for (const id of ["again", "new", "reveal", "copy"]) at(id).disabled = false;
  at("run").textContent = isRunning() ? "Pause" : "Let it run";
  if (document.activeElement?.form !== at("machine")) fillForm(link, arms.length);
  keepAddress(link, PARTS, isRunning() ? 1000 : 0);
}

function fillForm(link, count) {
  at("count").value = count;
  at("means").value = link.means;
  at("seed").value = link.seed;
}

// Pull an arm ("1") or by the rule of a policy.
function pulled(name, times) {
  pause();
  if (!shown || shown.full) return;
  ask("bandit", () => {
    const link = { ...shown.link, pulls: `${shown.link.pulls},${name}x${times}` };
    return { link, more: Math.min(times, shown.left) };
  });
}

// Open a link: parts of the present one that are not in `changes` stay. The form says what came of it.
async function open(changes) {
  const isGood = await ask("bandit", () => ({ link: { ...shown?.link, ...changes } }));
  if (isGood) fillForm(shown.link, shown.arms.length);
  return isGood;
}

// Let the rule pull on, until it is paused or there are no more pulls.
const runOn = () => run("bandit_run", { link: shown.link, name: at("rule").value }, shown);

// Keys 1 to 9 pull the arms, except in a field.
function key(event) {
  const isField = event.target.closest("input, select");
  if (isField || event.ctrlKey || event.metaKey || event.altKey || event.repeat || !shown) return;
  const arm = Number(event.key);
  if (arm >= 1 && arm <= shown.arms.length) pulled(event.key, Number(at("times").value));
}

function submit(event) {
  event.preventDefault();
  const means = at("means").value.trim();
  const seed = at("seed").value.trim();
  open({ means, seed, arms: means ? "" : at("count").value, pulls: "" });
}

// Make the choices of policies. A person's usual policy is another one than the opponent's: else both
// would do the same.
function offerPolicies({ policies, link }) {
  for (const id of ["policy", "rule"]) {
    const options = Object.entries(policies).map(([value, title]) => element("option", { value }, title));
    at(id).replaceChildren(...options);
  }
  at("rule").value = link.policy === "thompson" ? "ucb1" : "thompson";
}

// Listen to the controls, and open the address.
async function begin() {
  copiesAddress(at("copy"), () => {
    keepAddress(shown.link, PARTS);
    return location.href;
  });
  at("policy").addEventListener("change", (event) => open({ policy: event.target.value }));
  at("hundred").addEventListener("click", () => pulled(at("rule").value, 100));
  at("run").addEventListener("click", () => (isRunning() ? pause() : runOn()));
  at("again").addEventListener("click", () => open({ pulls: "" }));
  at("new").addEventListener("click", () => {
    const changes = { seed: String(newSeed()), means: "", pulls: "", revealed: "" };
    open({ ...changes, arms: String(shown.arms.length) });
  });
  at("reveal").addEventListener("click", () => open({ revealed: "1" }));
  at("machine").addEventListener("submit", submit);
  document.addEventListener("keydown", key);
  addEventListener("hashchange", openAddress);
  await openFirst(openAddress, () => open({ seed: String(newSeed()) }));
}

// Open the link in the address; without a seed there, the seed is new.
function openAddress() {
  const link = parsed(location.hash, PARTS);
  const none = Object.fromEntries(PARTS.map((name) => [name, ""]));
  return open({ ...none, seed: String(newSeed()), ...link });
}

showLoading(at("status"));
begin().catch(trouble);
