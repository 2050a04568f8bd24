// The guided path: four screens that run at once, from what Python has recorded.
import { asPath, colour, width } from "./bloom.js";
import { crosses, dives, grow, heatsOf, randomGame, SCORES, shareOf, treeAfter } from "./crosses.js";
import { html, nothing, render, svg } from "./lit.js";
import { ARMS, CHANCES, GAMES, PAY, RULE, WON } from "./recorded.js";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const percent = (share) => `${Math.round(100 * share)} of 100`;
const count = (n) => n.toLocaleString("en");
const button = (text, onclick) => html`<p class="row"><button class="primary" @click=${onclick}>${text}</button></p>`;

// A bar up to a share, with a pale part around it or above it, and a mark at the truth if it is told.
const bar = (share, from, to, truth) => html`<div class="bar" style="--from:${from};--to:${to};--share:${share}">
  ${truth === undefined ? nothing : html`<i style="--truth:${truth}"></i>`}
</div>`;

// A screen: a state, and the function that draws it. Changes of the state are drawn.
function screen(id, state, draw) {
  const change = (changes) => {
    Object.assign(state, changes);
    render(draw(state, change), document.querySelector(`#${id} .scene`));
  };
  change();
}

// A coin: random games after two openings

const TOSSES = [1, 9, 90, 900];

function tossed(coin, n) {
  const games = Array.from({ length: n }, () => randomGame([coin.square]));
  const won = games.filter(({ result }) => result === "x").length;
  return { ...coin, moves: games.at(-1).moves, n: coin.n + n, won: coin.won + won };
}

function drawCoin({ coins, turn }, change) {
  const isOver = turn === TOSSES.length;
  const toss = () => change({ coins: coins.map((coin) => tossed(coin, TOSSES[turn])), turn: turn + 1 });
  const column = ({ name, square, moves, n, won }) => {
    const [share, half] = n ? [won / n, 1 / Math.sqrt(n)] : [0, 0];
    return html`<li>
      <h3>${name}</h3>
      ${crosses(moves, { random: 1 })}
      ${bar(share, Math.max(0, share - half), Math.min(1, share + half), isOver ? CHANCES[square] : undefined)}
      <p>X won <strong>${count(won)}</strong> of ${count(n)}.</p>
    </li>`;
  };
  return html`<ul class="columns">${coins.map(column)}</ul>
    ${isOver
      ? html`<p class="lesson">The lines are the truth: ${percent(CHANCES[4])} and ${percent(CHANCES[1])}. Nobody in these games played well, and yet a thousand of them say which move is better.</p>`
      : button(turn ? `Play ${TOSSES[turn]} more after each` : "Play one random game after each", toss)}`;
}

screen("coin", {
  coins: [["The middle", 4], ["An edge", 1]].map(([name, square]) => ({ name, square, moves: [square], n: 0, won: 0 })),
  turn: 0,
}, drawCoin);

// A bandit: the visitor's coins, then those of the rule

const payOf = (arms) => arms.map((arm, i) => PAY[arm][arms.slice(0, i).filter((each) => each === arm).length]);
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

function drawBandit({ mine, shown, rule, isRunning }, change) {
  const left = RULE.length - mine.length;
  const pays = payOf(shown);
  const column = (chance, arm) => {
    const paid = pays.filter((_, i) => shown[i] === arm);
    const n = paid.length;
    const [mean, more] = n ? [sum(paid) / n, Math.sqrt((2 * Math.log(shown.length)) / n)] : [0, 2];
    const pull = () => change({ mine: [...mine, arm], shown: [...mine, arm] });
    return html`<li>
      <button class="primary" ?disabled=${!left} @click=${pull}>Pull ${arm + 1}</button>
      ${bar(mean / 2, mean / 2, Math.min(1, (mean + more) / 2), rule ? chance / 2 : undefined)}
      <p>paid <strong>${sum(paid)}</strong> of ${n}</p>
    </li>`;
  };
  const watch = async () => {
    for (let n = 1; n <= RULE.length; n += 1) {
      change({ shown: RULE.slice(0, n), isRunning: true });
      if (!isCalm.matches) await pause(300);
    }
    change({ isRunning: false, rule: sum(payOf(RULE)) });
  };
  return html`<ul class="columns">${ARMS.map(column)}</ul>
    <p role="status">${left ? `${left} coins left. You have won ${sum(pays)}.` : `You have won ${sum(payOf(mine))}.`}</p>
    <p class="quiet">Dark: what it paid so far. Pale: what it may still be worth; each coin makes that shorter.</p>
    ${left || isRunning || rule ? nothing : button("Watch a rule that takes the longest bar", watch)}
    ${rule ? html`<p class="lesson">The rule has won ${rule}: it tried each machine, and came back to the one that pays. (The lines are the true chances.) A search chooses moves in the same way.</p>` : nothing}`;
}

screen("bandit", { mine: [], shown: [], rule: 0, isRunning: false }, drawBandit);

// One dive, and the tree

// A tree as a bloom of its edges with the most visits, with a path in it that stands out.
function bloom(root, size, path = []) {
  const nodes = (node) => [node, ...[...node.children.values()].flatMap(nodes)];
  const edges = nodes(root).slice(1).sort((a, b) => b.visits - a.visits).slice(0, 1500).reverse();
  const line = (node) => svg`<path d=${asPath(node.edge, 100)} stroke=${colour(shareOf(node))} stroke-width=${Math.max(0.4, 100 * width(node.visits, root.visits))}></path>`;
  const lit = path.map((node) => svg`<path d=${asPath(node.edge, 100)} class="lit"></path>`);
  return html`<svg viewBox=${`${-size} ${-size} ${2 * size} ${2 * size}`} aria-hidden="true">${edges.map(line)}${lit}</svg>`;
}

// The games won, and all games, of each move for the player who makes it.
function recordsOf({ children }, player) {
  const texts = [];
  for (const [square, { score, visits }] of children) texts[square] = `${player ? visits - score : score}/${visits}`;
  return texts;
}

const [LAST, GAME] = Object.entries(GAMES).at(-1);
const { path: PATH, result: RESULT } = dives[LAST - 1];
const before = treeAfter(LAST - 1);
const after = treeAfter(LAST);
const way = grow(treeAfter(LAST - 1), dives[LAST - 1]).slice(1);
const onTheWay = (n) => PATH.slice(0, n).reduce((node, square) => node.children.get(square), before);
const PHASES = [
  ...PATH.slice(0, -1).map((square, i) => ({
    phase: "Select",
    said: i ? "Now O chooses in the same way, by its own wins." : "X begins. Of all squares, the middle has won most: go there.",
    moves: PATH.slice(0, i),
    options: { texts: recordsOf(onTheWay(i), i % 2), heats: Array(9).fill(0).with(square, 60) },
    lit: i + 1,
  })),
  { phase: "Expand", said: "This move was never tried here. The tree gets it as a new position.", moves: PATH, lit: PATH.length },
  ...[...GAME].map((_, i) => ({
    phase: "Simulate",
    said: `From there, both play at random. ${i === GAME.length - 1 ? "X wins." : ""}`,
    moves: [...PATH, ...[...GAME].slice(0, i + 1).map(Number)],
    options: { random: PATH.length },
    lit: PATH.length,
  })),
  {
    phase: "Backpropagate",
    said: "Each position on the way has one game more, and one win more for X.",
    moves: [],
    options: { texts: recordsOf(after, 0), heats: Array(9).fill(0).with(PATH[0], 60) },
    lit: PATH.length,
  },
];

function drawDive({ at, isRunning }, change) {
  const { phase, said, moves, options, lit } = PHASES[at];
  const next = async () => {
    if (isRunning) return;
    do {
      change({ at: at + 1, isRunning: true });
      if (!isCalm.matches) await pause(500);
      at += 1;
    } while (phase !== PHASES[at].phase && PHASES[at].phase === "Simulate" && PHASES[at + 1].phase === "Simulate");
    change({ isRunning: false });
  };
  const isOver = at === PHASES.length - 1;
  return html`<div class="pair">${crosses(moves, options)}${bloom(isOver ? after : before, 70, way.slice(0, lit))}</div>
    <p role="status"><strong>${phase}.</strong> ${said}</p>
    ${isOver
      ? html`<p class="lesson">The next dive begins at the top again, and knows one game more. What wins is tried more often; what is little known gets its turn.</p>`
      : button("Go on", next)}`;
}

screen("dive", { at: 0, isRunning: false }, drawDive);

const [RANDOM, ...MARKS] = Object.keys(WON).map(Number);

function drawTree({ at }, change) {
  const root = treeAfter(MARKS[at]);
  const more = () => change({ at: at + 1 });
  return html`<div class="pair">${crosses([], { heats: heatsOf(root) })}${bloom(root, 100)}</div>
    <p role="status">After <strong>${count(MARKS[at])}</strong> dives, the tree wins <strong>${percent(WON[MARKS[at]])}</strong> games against random moves.</p>
    ${bar(WON[MARKS[at]], 0, 0, WON[RANDOM])}
    <p class="quiet">The line: two players at random, where X wins ${percent(WON[RANDOM])}.</p>
    ${at === MARKS.length - 1 ? nothing : button("Ten times as many", more)}`;
}

screen("tree", { at: 0 }, drawTree);

// The step that is shown
function mark() {
  for (const link of document.querySelectorAll(".steps nav a")) {
    const isHere = link.hash === (location.hash || "#coin") && link.pathname === location.pathname;
    link.toggleAttribute("aria-current", isHere);
  }
}

addEventListener("hashchange", mark);
mark();
