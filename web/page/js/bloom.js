// A tree drawn as a bloom: the root in the middle, each level on a ring, all within a radius of 1.
// The place of a node depends on its way from the root alone, so that nothing jumps when the tree
// grows. A node has its depth and its sector, from one angle to another.
export const ROOT = { depth: 0, from: Math.PI / 2, to: 2.5 * Math.PI }; // the middle slot is above

// The child of a node in slot i of n.
export function childOf({ depth, from, to }, slot, slots) {
  const each = (to - from) / slots;
  return { depth: depth + 1, from: from + slot * each, to: from + (slot + 1) * each };
}

export const angleOf = ({ from, to }) => (from + to) / 2;

// The rings come nearer to each other, and never reach the radius.
const ring = (depth) => 1 - 0.7 ** depth;
const polar = (radius, angle) => [radius * Math.cos(angle), radius * Math.sin(angle)];

// The place of a node as [x, y], with y down.
export const place = (depth, angle) => polar(ring(depth), angle);
export const placeOf = (node) => place(node.depth, angleOf(node));

// The edge from a node to its child: the eight numbers of a cubic curve. It leaves the one and
// reaches the other along a ray.
export function edge(parent, child) {
  const middle = (ring(parent.depth) + ring(child.depth)) / 2;
  const begin = parent.depth ? angleOf(parent) : angleOf(child);
  return [placeOf(parent), polar(middle, begin), polar(middle, angleOf(child)), placeOf(child)].flat();
}

// An edge as the `d` of a path of SVG, in a picture with this radius.
export function asPath(edge, radius) {
  const [x, y, ...rest] = edge.map((each) => (radius * each).toFixed(1));
  return `M${x} ${y}C${rest.join(" ")}`;
}

// The point of an edge at the share t of its way, as [x, y].
export function along(edge, t) {
  const u = 1 - t;
  const parts = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return [0, 1].map((axis) => parts.reduce((sum, part, i) => sum + part * edge[2 * i + axis], 0));
}

// The width of an edge, in parts of the radius, by the share of all visits that go along it.
export const width = (visits, all) => Math.max(0.0025, 0.075 * Math.sqrt(visits / all));

// Blue for 0, where the other player wins, grey for 0.5, orange for 1, where the player at the root
// does. All of them are seen on a light ground and on a dark one.
const [BLUE, GREY, ORANGE] = [[46, 124, 214], [136, 141, 150], [224, 118, 16]];

export function colour(share) {
  const far = Math.abs(2 * share - 1) ** 0.5; // most shares are near the middle
  const end = share < 0.5 ? BLUE : ORANGE;
  return `rgb(${GREY.map((grey, i) => Math.round(grey + far * (end[i] - grey))).join(" ")})`;
}
