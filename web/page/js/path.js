// The guided path: four screens that run at once, from what Python has recorded.
import { asPath, colour, width } from "./bloom.js";
import { crosses, dives, grow, heatsOf, randomGame, shareOf, treeAfter } from "./crosses.js";
import { html, nothing, render, svg } from "./lit.js";
import { ARMS, CHANCES, GAMES, PAY, RULE, WON } from "./recorded.js";

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const percent = (share) => `${Math.round(100 * share)} of 100`;
const count = (n) => n.toLocaleString("en");
const button = (text, onclick) => html`<p class="row"><button class="primary" @click=${onclick}>${text}</button></p>`;
const lesson = (text) => html`<p class="lesson">${text}</p>`;

// A bar up to a share, a pale one from here to there, and a line at the truth if it is told.
const bar = (share, from, to, truth) => html`<div class="bar" style="--share:${100 * share}%;--from:${100 * from}%;--to:${100 * to}%">
  ${truth === undefined ? nothing : html`<i style="--truth:${100 * truth}%"></i>`}</div>`;

// A screen: a state, and the function that draws it and gets a function that changes it.
function screen(id, state, draw) {
  const change = (changes) => render(draw(Object.assign(state, changes), change), document.querySelector(`#${id} .scene`));
  change();
}

// A coin: random games after two first moves
const TOSSES = [1, 9, 90, 900];

function toss(coin, n) {
  const games = Array.from({ length: n }, () => randomGame([coin.square]));
  const won = games.filter(({ result }) => result === "x").length;
  return { ...coin, moves: games.at(-1).moves, n: coin.n + n, won: coin.won + won };
}

screen("coin", {
  coins: [["The middle", 4], ["An edge", 1]].map(([name, square]) => ({ name, square, moves: [square], n: 0, won: 0 })),
  turn: 0,
}, ({ coins, turn }, change) => {
  const more = TOSSES[turn];
  const go = () => change({ coins: coins.map((coin) => toss(coin, more)), turn: turn + 1 });
  const column = ({ name, square, moves, n, won }) => {
    const [share, half] = n ? [won / n, 1 / Math.sqrt(n)] : [0, 0];
    return html`<li><h3>${name}</h3>${crosses(moves, { random: 1 })}
      ${bar(share, Math.max(0, share - half), Math.min(1, share + half), more ? undefined : CHANCES[square])}
      X won <strong>${count(won)}</strong> of ${count(n)}</li>`;
  };
  return html`<ul class="columns">${coins.map(column)}</ul>
    ${more
      ? button(turn ? `Play ${more} more` : "Play one game", go)
      : lesson(`The lines are the truth: ${percent(CHANCES[4])} and ${percent(CHANCES[1])}. Nobody in these games played well, and yet a thousand of them say which move is better.`)}`;
});

// A bandit: the visitor's pulls, and then those of the rule
const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);
const payOf = (arms) => arms.map((arm, i) => PAY[arm][arms.slice(0, i).filter((each) => each === arm).length]);

screen("bandit", { mine: [], shown: [], isRunning: false, isOver: false }, ({ mine, shown, isRunning, isOver }, change) => {
  const left = RULE.length - mine.length;
  const pays = payOf(shown);
  const column = (chance, arm) => {
    const paid = pays.filter((_, i) => shown[i] === arm);
    const n = paid.length;
    const mean = n && sum(paid) / n;
    const bound = n ? Math.min(1, mean + 0.5 / Math.sqrt(n)) : 1; // as in recorded.py
    const pull = () => change({ mine: [...mine, arm], shown: [...mine, arm] });
    return html`<li><button class="primary" ?disabled=${!left} @click=${pull}>Pull ${arm + 1}</button>
      ${bar(mean, mean, bound, isOver ? chance : undefined)}
      paid <strong>${sum(paid)}</strong>/${n}</li>`;
  };
  const watch = async () => {
    for (let n = 1; n <= RULE.length; n += 1) {
      change({ shown: RULE.slice(0, n), isRunning: true });
      if (!isCalm.matches) await pause(300);
    }
    change({ isRunning: false, isOver: true });
  };
  return html`<ul class="columns">${ARMS.map(column)}</ul>
    <p role="status">${left ? `${left} coins left. ` : ""}You have won ${sum(payOf(mine))}.</p>
    <p class="quiet">Solid: the share that it paid. Faint: what it may still pay; each coin makes that shorter.</p>
    ${left || isRunning || isOver ? nothing : button("Watch a rule", watch)}
    ${isOver ? lesson(`The rule took the longest bar each time, and won ${sum(payOf(RULE))}. The best machine alone pays ${Math.round(RULE.length * Math.max(...ARMS))} on average (the lines are the true chances); more is luck. A search chooses moves in the same way.`) : nothing}`;
});

// One dive, and the tree: a bloom of the edges with the most visits, with a path that stands out
function bloom(root, size, way = []) {
  const nodes = (node) => [node, ...[...node.children.values()].flatMap(nodes)];
  const edges = nodes(root).slice(1).sort((a, b) => b.visits - a.visits).slice(0, 1500).reverse();
  const wide = ({ visits }) => Math.max(0.4, 100 * width(visits, root.visits));
  const line = (node) => svg`<path d=${asPath(node.edge, 100)} stroke=${colour(shareOf(node))} stroke-width=${wide(node)} />`;
  return html`<svg viewBox="${-size} ${-size} ${2 * size} ${2 * size}" aria-hidden="true">${edges.map(line)}
    ${way.map((node) => svg`<path d=${asPath(node.edge, 100)} class="way" />`)}</svg>`;
}

const [LAST, GAME] = Object.entries(GAMES).at(-1);
const DIVE = dives[LAST - 1];
const [BEFORE, AFTER] = [treeAfter(LAST - 1), treeAfter(LAST - 1)];
const WAY = grow(AFTER, DIVE).slice(1);

// A step of the dive before the move number i: the games won, of all games, of each move, and the best.
function choice(phase, said, root, i) {
  const node = DIVE.path.slice(0, i).reduce(({ children }, square) => children.get(square), root);
  const texts = Array(9);
  for (const [square, { score, visits }] of node.children) texts[square] = `${i % 2 ? visits - score : score}/${visits}`;
  const options = { texts, heats: Array(9).fill(0).with(DIVE.path[i], 60) };
  return { phase, said, moves: DIVE.path.slice(0, i), options, way: WAY.slice(0, i + 1) };
}

const later = (phase, said, n = 0) => {
  return { phase, said, moves: [...DIVE.path, ...[...GAME].slice(0, n).map(Number)], options: { random: DIVE.path.length }, way: WAY };
};
const STEPS = [
  choice("Select", "X begins. Of all squares, the middle has won most: go there.", BEFORE, 0),
  choice("Select", "Now O chooses in the same way, by its own wins.", BEFORE, 1),
  later("Expand", "This move was never tried here. The tree gets it as a new position."),
  ...[...GAME].map((_, i) => later("Simulate", `From there, both play at random. ${GAME[i + 1] ? "" : "X wins."}`, i + 1)),
  { ...choice("Backpropagate", "All on the way count one game more, and one win for X.", AFTER, 0), way: WAY },
];

screen("dive", { at: 0, isRunning: false }, ({ at, isRunning }, change) => {
  const { phase, said, moves, options, way } = STEPS[at];
  const next = async () => {
    if (isRunning) return;
    for (at += 1; STEPS[at].phase === "Simulate" && STEPS[at + 1].phase === "Simulate"; at += 1) {
      change({ at, isRunning: true });
      if (!isCalm.matches) await pause(500);
    }
    change({ at, isRunning: false });
  };
  const isOver = at === STEPS.length - 1;
  return html`<div class="pair">${crosses(moves, options)}${bloom(isOver ? AFTER : BEFORE, 70, way)}</div>
    <p role="status"><strong>${phase}.</strong> ${said}</p>
    ${isOver
      ? lesson("The next dive begins at the top again, and knows one game more. What wins is tried more often; what is little known gets its turn.")
      : button("Go on", next)}`;
});

const [NONE, ...MARKS] = Object.keys(WON).map(Number);

screen("tree", { at: 0 }, ({ at }, change) => {
  const n = MARKS[at];
  const root = treeAfter(n);
  return html`<div class="pair">${crosses([], { heats: heatsOf(root) })}${bloom(root, 100)}</div>
    <p role="status">After <strong>${count(n)}</strong> dives, the tree wins <strong>${percent(WON[n])}</strong> games against random moves.</p>
    ${bar(WON[n], 0, 0, WON[NONE])}
    <p class="quiet">The line: random against random, ${percent(WON[NONE])}.</p>
    ${MARKS[at + 1]
      ? button("Ten times as many", () => change({ at: at + 1 }))
      : lesson("You have seen all of it: random games, and a tree that guides them. Your turn:")}`;
});

// The step that is shown has its mark.
function mark() {
  const here = new URL(location.hash || "#coin", location).href;
  for (const link of document.querySelectorAll(".path a")) link.ariaCurrent = link.href === here ? "step" : null;
}

addEventListener("hashchange", mark);
mark();
