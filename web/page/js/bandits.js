// The page of bandits: arms to pull by hand, and a policy that pulls as often.
import { at, element, formatted, options, showTable } from "./dom.js";
import { newSeed } from "./address.js";
import { Experiment } from "./experiment.js";

const contest = new Experiment({
  name: "contest",
  parts: ["means", "arms", "seed", "policy", "pulls", "revealed"],
  limited: ["hundred", "run"],
  idle: "Let it run",
  partsOf: ({ link }) => link,
  draw,
  settle,
});

// Put the facts of a contest on the page.
function draw(facts) {
  if (!contest.facts) offerPolicies(facts);
  if (contest.facts?.arms.length !== facts.arms.length) {
    at("arms").replaceChildren(...facts.arms.map((_, i) => armButton(i)));
  }
  facts.arms.forEach((arm, i) => showArm(facts, arm, i));
  at("chart-note").textContent = `${facts.chart ? "" : FIRST}${facts.means ? BY_MEANS : BY_PAY}`;
  for (const name of ["scores", "own", "other"]) showTable(at(name), facts[name]);
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
  const truth = element("span", { class: "truth" });
  const onclick = () => pull(String(i + 1), Number(at("times").value));
  return element("button", { class: "arm", onclick }, name, pay, seen, truth);
}

// Write the pulls of an arm on its button, and the pay of the last pull.
function showArm({ last, full, means }, { n, paid }, i) {
  const button = at("arms").children[i];
  const pay = last?.arm === i ? `${last.reward}` : "";
  button.disabled = Boolean(full);
  button.dataset.last = pay;
  button.querySelector(".pay").textContent = pay || "·";
  button.querySelector(".seen").textContent = `paid ${formatted(paid)} of ${formatted(n)}`;
  button.querySelector(".truth").textContent = means ? `true mean ${means[i]}` : "";
}

function settle({ link, arms, means }) {
  at("last-key").textContent = arms.length;
  at("policy").value = link.policy;
  if (means && document.activeElement === at("reveal")) at("chart-note").focus();
  at("reveal").hidden = Boolean(means);
  at("reveal").disabled = false;
  if (document.activeElement?.form !== at("machine")) fillForm(link, arms.length);
}

function fillForm(link, count) {
  at("count").value = count;
  at("means").value = link.means;
  at("seed").value = link.seed;
}

// Pull an arm ("1") or by the rule of a policy.
function pull(name, times) {
  contest.pause();
  if (!contest.facts || contest.facts.full) return;
  contest.ask(() => {
    const { link, left } = contest.facts;
    return { link: { ...link, pulls: `${link.pulls},${name}x${times}` }, more: Math.min(times, left) };
  });
}

// Open a link: parts of the present one that are not in `changes` stay. The form says what came of it.
async function open(changes) {
  const isGood = await contest.ask(() => ({ link: { ...contest.facts?.link, ...changes } }));
  if (isGood) fillForm(contest.facts.link, contest.facts.arms.length);
  return isGood;
}

// Keys 1 to 9 pull the arms, except in a field.
function key(event) {
  const isField = event.target.closest("input, select");
  if (isField || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const arm = Number(event.key);
  if (arm >= 1 && arm <= contest.facts?.arms.length) pull(event.key, Number(at("times").value));
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
  for (const id of ["policy", "rule"]) at(id).replaceChildren(...options(Object.entries(policies)));
  at("rule").value = link.policy === "thompson" ? "ucb1" : "thompson";
}

const EMPTY = Object.fromEntries(contest.parts.map((name) => [name, ""]));
const seed = () => String(newSeed());

at("policy").addEventListener("change", (event) => open({ policy: event.target.value }));
at("hundred").addEventListener("click", () => pull(at("rule").value, 100));
at("again").addEventListener("click", () => open({ pulls: "" }));
at("new").addEventListener("click", () => {
  open({ seed: seed(), means: "", pulls: "", revealed: "", arms: String(contest.facts.arms.length) });
});
at("reveal").addEventListener("click", () => open({ revealed: "1" }));
at("machine").addEventListener("submit", submit);
document.addEventListener("keydown", key);
// Without a seed in the address, the seed is new.
const openParts = (link) => open({ ...EMPTY, seed: seed(), ...link });
const runOn = () => contest.run({ link: contest.facts.link, rule: at("rule").value });
contest.begin(openParts, () => open({ seed: seed() }), runOn);
