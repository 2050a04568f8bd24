// The page of bandits: a person pulls the arms of a machine, and some policies pull as often.
import { at, formatted, say } from "./dom.js";
import { copiesAddress, keepAddress, newSeed, parsed } from "./address.js";
import { html, nothing, render, svg } from "./lit.js";
import { showLoading } from "./loading.js";
import { CONTEST } from "./made.js"; // the facts before the first pull, until Python answers
import { call, isIdle } from "./python.js";

const PARTS = Object.keys(CONTEST.link);
const COLOURS = ["var(--mark)", "var(--accent)", "#009e73", "#cc79a7", "var(--quiet)"];
const colour = (i) => `--colour: ${COLOURS[i]}`;

// The place of a worth in the picture of an arm: true from 0 to 1, and squeezed above. Infinity is at the top.
const y = (worth) => (worth <= 1 ? 147 - 100 * worth : 2 + 45 * Math.exp((1 - worth) / 0.45));

// The interval of an arm as a bar, pale before its first pull, with the bound as its tip, and the true
// mean if it is revealed.
const picture = ({ n, low, high, bound }, isNext, truth) => html`
  <svg viewBox="0 0 20 147" preserveAspectRatio="none" fill="var(--colour)" aria-hidden="true">
    <rect y="47" width="20" height="100" fill="var(--line)" fill-opacity="0.7" />
    <rect x="3" width="14" y=${y(bound ?? Infinity)} height=${y(low) - y(bound ?? Infinity)} fill-opacity="0.25" />
    <rect x="3" width="14" y=${y(high)} height=${y(low) - y(high)} fill-opacity=${n ? 1 : 0.25} />
    <rect x="3" width="14" y=${y(bound ?? Infinity) - 2} height="3" fill=${isNext ? "var(--ink)" : nothing} />
    ${truth === undefined ? nothing : svg`<path d="M0,${y(truth)}h20" stroke="var(--ink)" stroke-width="2" />`}
  </svg>`;

const paid = ({ paid, n }) => `${formatted(paid)}/${formatted(n)}`;
const score = ({ paid, regret }) => `${formatted(paid)} paid, regret ${regret}`;

// An arm of the person's, with the pay of the last pull.
const button = ({ arm, reward, next }, means) => (each, i) => html`
  <button class="arm" @click=${() => pull(`${i + 1}`)} aria-label="Arm ${i + 1}: paid ${each.paid} of ${each.n}">
    ${picture(each, i === next, means?.[i])}
    <b>${i + 1} ${arm === i ? html`<span class="pay ${reward ? "primary" : ""}">${reward}</span>` : nothing}</b>
    <span class="quiet">${formatted(each.paid)}/<wbr>${formatted(each.n)}</span>
    <span class="quiet">${means?.[i] ?? html`&nbsp;`}</span>
  </button>`;

// A policy in small. Only UCB1 looks at the tips.
const other = (player, i, means) => html`<div style=${colour(i)}>
  <b class="name">${player.name}</b><br><span class="quiet">${score(player)}</span>
  <div class="arms" role="img" aria-label=${player.arms.map(paid).join(", ")}>
    ${player.arms.map((arm, k) =>
      picture(i > 1 ? { ...arm, bound: arm.high } : arm, i === 1 && k === player.next, means?.[k]))}
  </div></div>`;

// The regrets as lines over the pulls.
function lines({ pulls, players }) {
  const all = players.flatMap(({ line }) => line.map(([, loss]) => loss));
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const points = ({ line }) => line.map(([t, loss]) => `${t},${most - loss}`).join(" ");
  const text = players.map(({ name, regret }) => `${name} ${regret}`).join(", ");
  const line = (player, i) => svg`<polyline points=${points(player)} style=${colour(i)}
    stroke="var(--colour)" stroke-width="2.5" vector-effect="non-scaling-stroke" />`;
  return html`<span class="quiet">${most.toFixed(1)}</span>
    <svg class="lines" viewBox="0 0 ${pulls || 1} ${most - least}" preserveAspectRatio="none" fill="none" role="img">
      <title>${text}</title>${players.map(line)}
    </svg><span class="quiet">${formatted(pulls)} pulls</span>`;
}

let facts = CONTEST;
let timer; // of the run in work
let waiting = Promise.resolve(); // the answers come in the order of the questions

function draw() {
  const { link, means, players: [you, ...others], full } = facts;
  const axis = html`<span class="axis quiet"><span>always</span><span>never</span></span>`;
  render(html`${axis}${you.arms.map(button(you, means))}`, at("you"));
  render(others.map((player, i) => other(player, i + 1, means)), at("others"));
  render(lines(facts), at("regret"));
  at("note").textContent = `${score(you)}. ${full || `Keys 1 to ${you.arms.length} pull, too.`}`;
  at("reveal").textContent = means ? "Hide the true chances" : "Show the true chances";
  at("run").textContent = timer ? "Pause" : "Run";
  if (at("machine").contains(document.activeElement)) return;
  for (const field of at("machine").querySelectorAll("input")) field.value = link[field.name];
}

// Show the facts, and while nothing runs, keep and say them.
function show() {
  draw();
  if (timer) return;
  keepAddress(facts.link, PARTS);
  say(facts.said);
}

// Ask for the contest of another link, which follows from the one that is there then.
function ask(changed) {
  waiting = waiting.then(async () => {
    try {
      facts = await call("contest", { link: changed(facts.link) });
      at("error").textContent = "";
    } catch (error) {
      at("error").textContent = error.isMissing ? "" : error.message;
      timer = clearInterval(timer);
      return draw();
    }
    show();
  });
  return waiting;
}

// End the run, after the answer that it waits for.
function pause() {
  if (timer) waiting = waiting.then(show);
  timer = clearInterval(timer);
}

// Pull an arm ("1") or by the rule of a policy.
const pulled = (name, n = 1) => ask((link) => ({ ...link, pulls: `${link.pulls},${name}x${n}` }));
const pull = (name) => pause() ?? pulled(name);

// Let UCB1 pull on: single pulls at first, and then more and more at once.
function run() {
  if (timer) return pause();
  const more = () => isIdle() && pulled("ucb1", Math.ceil((facts.pulls + 1) / 10));
  timer = setInterval(() => (facts.full ? pause() : more()), 250);
  draw();
}

// Open a link. Without a seed, it is new.
const open = (link) => pause() ?? ask(() => ({ seed: `${newSeed()}`, ...link }));

at("step").addEventListener("click", () => pull("ucb1"));
at("run").addEventListener("click", run);
at("reveal").addEventListener("click", () => ask((link) => ({ ...link, revealed: link.revealed ? "" : "1" })));
at("new").addEventListener("click", () => open({ arms: `${facts.players[0].arms.length}` }));
at("machine").addEventListener("submit", (event) => {
  event.preventDefault();
  open(Object.fromEntries(new FormData(event.target)));
});
addEventListener("keydown", ({ target, key, ctrlKey, metaKey, altKey, repeat }) => {
  const isMeant = !(target.closest("input") || ctrlKey || metaKey || altKey || repeat);
  if (isMeant && facts.players[0].arms[key - 1]) pull(key);
});
copiesAddress(at("copy"), () => location.href);
addEventListener("hashchange", () => open(parsed(location.hash, PARTS)));

draw();
showLoading(at("status"));
open(parsed(location.hash, PARTS));
