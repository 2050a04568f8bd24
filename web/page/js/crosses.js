// The recorded search of tic-tac-toe: its dives, the tree that they grow, and a small board.
import { childOf, edge, ROOT } from "./bloom.js";
import { html } from "./lit.js";
import { DIVES } from "./recorded.js";

// A dive: the squares of its path, from 0 for a1 and 1 for b1, and who has won: x, o, or - for nobody.
export const dives = [...DIVES.matchAll(/(\d*)([xo-])/g)].map(([, path, result]) => {
  return { path: [...path].map(Number), result };
});
export const SCORES = { x: 1, o: 0, "-": 0.5 }; // of X
const SQUARES = [...Array(9).keys()];

export const newRoot = () => ({ ...ROOT, visits: 0, score: 0, children: new Map() });
export const shareOf = ({ score, visits }) => score / visits;

// Grow the tree by a dive: the nodes on its path, which have one visit more.
export function grow(root, { path, result }) {
  const nodes = [root];
  const free = [...SQUARES];
  for (const square of path) {
    const parent = nodes.at(-1);
    const slot = free.indexOf(square);
    if (!parent.children.has(square)) {
      const place = childOf(parent, slot, free.length);
      parent.children.set(square, { ...newRoot(), ...place, edge: edge(parent, place) });
    }
    free.splice(slot, 1);
    nodes.push(parent.children.get(square));
  }
  for (const node of nodes) Object.assign(node, { visits: node.visits + 1, score: node.score + SCORES[result] });
  return nodes;
}

// The tree after the first dives.
export function treeAfter(n) {
  const root = newRoot();
  for (const dive of dives.slice(0, n)) grow(root, dive);
  return root;
}

// How often each square was the first move: the one that was it most often has 100.
export function heatsOf({ children }) {
  const visits = SQUARES.map((square) => children.get(square)?.visits ?? 0);
  return visits.map((n) => (100 * n) / Math.max(...visits, 1));
}

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"].map((line) => [...line].map(Number));
const stonesOf = (moves) => moves.reduce((all, square, i) => all.with(square, "xo"[i % 2]), Array(9).fill(""));
const rowOf = (stones) => LINES.find(([a, b, c]) => stones[a] && stones[a] === stones[b] && stones[b] === stones[c]);

// A random game that goes on after these moves, and who has won it.
export function randomGame(moves) {
  const free = SQUARES.filter((square) => !moves.includes(square));
  const all = [...moves];
  while (free.length && !rowOf(stonesOf(all))) all.push(...free.splice(Math.random() * free.length, 1));
  const stones = stonesOf(all);
  return { moves: all, result: stones[rowOf(stones)?.[0]] ?? "-" };
}

// The board after these moves. Those from the number `random` on are random; a square has a heat
// from 0 to 100 and a text. The styles draw the stones.
export function crosses(moves, { random = Infinity, heats = [], texts = [] } = {}) {
  const stones = stonesOf(moves);
  const row = rowOf(stones) ?? [];
  const kind = (square) => [stones[square], moves.indexOf(square) >= random && "random", row.includes(square) && "won"];
  const cell = (square) => html`<i class=${kind(square).filter(Boolean).join(" ")} style="--heat:${heats[square] ?? 0}%">${texts[square]}</i>`;
  return html`<div class="crosses" aria-hidden="true">${[6, 7, 8, 3, 4, 5, 0, 1, 2].map(cell)}</div>`;
}
