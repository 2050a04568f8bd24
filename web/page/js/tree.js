// The picture of a search tree: a bloom in SVG, whose elements are kept and changed in place.
import { asPath, childOf, colour, edge, place as pointAt, placeOf, ROOT, width } from "./bloom.js";
import { formatted } from "./dom.js";
import { nothing, repeat, svg } from "./lit.js";

export const PHASES = ["select", "expand", "simulate", "backpropagate"];
export const TIMES = [850, 450, 1450, 750]; // milliseconds: less than 4 seconds in all
const RADIUS = 100; // that of the outermost ring
const MANY = 20; // with more moves, those that are drawn share the circle

// The nodes of a tree with their places. The key of a node is all moves to it from the start of the
// game: after a move, the part of the tree below it grows into the whole picture. The tints are
// relative to an even share: a half, or the mean of a single player.
function placed(tree, moves, isAlone) {
  const deepest = Math.max(2, ...tree.map(({ depth }) => depth));
  const radius = RADIUS / pointAt(deepest, 0)[0];
  const even = isAlone ? tree[0].share : 0.5;
  const tint = (share) => colour((share * (1 - even)) / (share * (1 - even) + (1 - share) * even) || 0);
  const nodes = [];
  const drawnWith = ({ parent }) => tree.filter((each) => each.parent === parent).sort((a, b) => a.slot - b.slot);
  for (const node of tree) {
    const up = nodes[node.parent];
    const all = node.slots > MANY ? drawnWith(node) : null;
    const place = all ? [all.indexOf(node), all.length] : [node.slot, node.slots];
    const sector = up ? childOf(up, ...place) : ROOT;
    const key = up ? `${up.key},${node.label}` : moves.join();
    const isTwice = nodes.some((each) => each.key === key); // moves of a person's own game may share a name
    const at = placeOf(sector).map((each) => radius * each);
    const size = radius * width(node.visits, tree[0].visits || 1);
    nodes.push({ ...node, ...sector, key: isTwice ? `${key} ${node.slot}` : key, at, size, colour: tint(node.share), path: up && asPath(edge(up, sector), radius) });
  }
  return nodes;
}

// The moves whose labels have room, the most visited first.
function labelled(nodes) {
  const boxes = [];
  const first = nodes.filter(({ depth }) => depth === 1).sort((a, b) => b.visits - a.visits);
  return first.filter(({ at: [x, y], label }) => {
    const wide = 5.5 * label.length + 4;
    const left = x - (wide * (1 - x / Math.hypot(x, y))) / 2;
    const box = { left, right: left + wide, y };
    const isFree = boxes.every((each) => left > each.right || box.right < each.left || Math.abs(y - each.y) > 12);
    if (isFree) boxes.push(box);
    return isFree;
  });
}

const branch = ({ label, visits, share, path, size, colour: tint, at: [x, y] }) => svg`<g class="branch">
  <title>${label}: ${formatted(visits)} ${visits === 1 ? "visit" : "visits"}, share ${Math.round(100 * share)} %</title>
  <path d=${path} stroke=${tint} stroke-width=${size.toFixed(2)} />
  <circle cx=${x.toFixed(1)} cy=${y.toFixed(1)} r=${(0.6 + size / 3).toFixed(2)} fill=${tint} /></g>`;

function labelOf({ at: [x, y], label }) {
  const out = 1 + 4 / Math.hypot(x, y);
  const anchor = Math.abs(x) < 12 ? "middle" : x < 0 ? "end" : "start";
  return svg`<text x=${(out * x).toFixed(1)} y=${(out * y + 3).toFixed(1)} text-anchor=${anchor}>${label}</text>`;
}

// The way of a dive in a phase, with a spark that goes down it, and back in the winner's colour.
function wayOf({ share }, way, phase) {
  const edges = way.slice(1).map(({ path }) => path);
  const part = [edges.slice(0, -1), edges.slice(-1), edges, edges][phase];
  const d = part.map((each, i) => (i ? each.replace(/^M[^C]+/, "") : each)).join("") || "M0 0";
  return svg`<g class=${`film ${PHASES[phase]}`} stroke=${colour(share)} fill=${colour(share)}
    style=${`--time: ${TIMES[phase]}ms; --way: path("${d}")`}><path pathLength="1" d=${d} /><circle r="4" /></g>`;
}

// The picture of a state after these moves; in a phase of a film, the way of its dive is on it.
export function bloom({ tree, film, said }, moves, isAlone, phase) {
  const nodes = placed(tree, moves, isAlone);
  const isFilm = film && phase !== null;
  const way = isFilm ? [nodes[0]] : [];
  for (const i of film?.path ?? []) if (nodes[i].parent === nodes.indexOf(way.at(-1))) way.push(nodes[i]);
  const leaf = phase < 2 && way.at(-1)?.visits === 1 ? way.at(-1) : null; // it is not there yet
  const edges = nodes.filter((node, i) => i && node !== leaf);
  edges.sort((a, b) => (a.key < b.key ? -1 : 1)); // an order that stays, so that no element moves
  return svg`<svg class="bloom" viewBox="-112 -108 224 216" role="img" aria-label=${said}>
    ${repeat(edges, ({ key }) => key, branch)}
    <circle class="root" r="4" />
    ${isFilm ? wayOf(film, way, phase) : nothing}
    ${repeat(labelled(edges), ({ key }) => key, labelOf)}</svg>`;
}
