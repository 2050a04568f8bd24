// The recorded search of tic-tac-toe: its dives, the tree that they grow, and a small board.
import { childOf, edge, ROOT } from "./bloom.js";
import { DIVES } from "./recorded.js";

// A dive: the squares of its path, from 0 for a1 and 1 for b1, and who has won: x, o, or - for nobody.
export const dives = [...DIVES.matchAll(/(\d*)([xo-])/g)].map(([, path, result]) => {
  return { path: [...path].map(Number), result };
});

export const scores = { x: 1, o: 0, "-": 0.5 }; // of X

export const newRoot = () => ({ ...ROOT, visits: 0, score: 0, children: new Map() });

// Grow the tree by a dive: the nodes on its path, which have one visit more.
export function grow(root, { path, result }) {
  const nodes = [root];
  const free = [...Array(9).keys()];
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
  for (const node of nodes) {
    node.visits += 1;
    node.score += scores[result];
  }
  return nodes;
}

export const shareOf = ({ score, visits }) => score / visits;

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const FROM_TOP = [6, 7, 8, 3, 4, 5, 0, 1, 2];

// Show the position after these moves in a place; those from the number `random` on are random. The
// stones are classes, which the styles draw.
export function showBoard(place, moves, random = Infinity) {
  const stones = moves.reduce((all, square, i) => all.with(square, "xo"[i % 2]), Array(9).fill(""));
  const row = LINES.find(([a, b, c]) => stones[a] && stones[a] === stones[b] && stones[b] === stones[c]);
  while (place.children.length < 9) place.append(document.createElement("i"));
  FROM_TOP.forEach((square, i) => {
    const kinds = [stones[square], moves.indexOf(square) >= random && "random", row?.includes(square) && "won"];
    place.children[i].className = kinds.filter(Boolean).join(" ");
    place.children[i].style.setProperty("--heat", "0%");
  });
}

// Show in the squares how often each of them was the first move: the one most often has all its colour.
export function showOpenings(place, { children }) {
  const visits = FROM_TOP.map((square) => children.get(square)?.visits ?? 0);
  showBoard(place, []);
  visits.forEach((n, i) => place.children[i].style.setProperty("--heat", `${(100 * n) / Math.max(...visits)}%`));
}
