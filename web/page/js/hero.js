// The first sight: a search of tic-tac-toe grows. Some dives are shown in their phases; between them
// and after them, dives come faster and faster. The canvas of the tree keeps what is drawn, and only
// edges that look otherwise than before are drawn again: a frame costs the same to the end.
import { along, colour, placeOf, width } from "./bloom.js";
import { dives, grow, newRoot, scores, shareOf, showBoard, showOpenings } from "./crosses.js";
import { GAMES } from "./recorded.js";

const at = (id) => document.getElementById(id);
const [bloom, board, count, pause, again] = ["bloom", "board", "count", "pause", "again"].map(at);
const [tree, spark] = [...bloom.children].map((canvas) => canvas.getContext("2d"));
const phases = [...at("phases").children];
const [SELECT, EXPAND, SIMULATE, BACKPROPAGATE, HURRY, END] = phases.keys();
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
let root = null;
let radius = 1;

// Frames come while the picture is seen and nobody has paused it. Each answers with its milliseconds.
let go = null;
let asked = 0;
let [isSeen, isPaused] = [false, false];

function ask() {
  if (!go || asked || !isSeen || isPaused) return;
  const before = performance.now();
  asked = requestAnimationFrame((now) => {
    const call = go;
    [go, asked] = [null, 0];
    call?.(Math.min(Math.max(now - before, 1), 250));
  });
}

function frame() {
  return new Promise((resolve) => {
    go = resolve;
    ask();
  });
}

// Call `draw` in each frame with the share of the time that has gone, and at the end with 1.
async function during(milliseconds, draw) {
  for (let time = 0; time < milliseconds; time += await frame()) draw(time / milliseconds);
  draw(1);
}

// Draw the edges that lead to these nodes, the deepest first, if they look otherwise than before.
function paint(nodes) {
  for (const node of [...nodes].sort((a, b) => b.depth - a.depth)) {
    const wide = Math.max(root.visits < 100 ? 2 : 0.7, radius * width(node.visits, dives.length));
    const look = `${colour(shareOf(node))} ${Math.round(2 * wide)}`;
    if (node.edge && look !== node.look) stroke(tree, node.edge, colour(shareOf(node)), wide);
    node.look = look;
  }
  count.textContent = root.visits.toLocaleString("en");
}

function stroke(canvas, edge, style, wide) {
  const [x, y, ...rest] = edge.map((each) => radius * each);
  Object.assign(canvas, { lineWidth: wide, lineCap: "round", strokeStyle: style });
  canvas.beginPath();
  canvas.moveTo(x, y);
  canvas.bezierCurveTo(...rest);
  canvas.stroke();
}

// The whole tree again, on canvases of the size that they have now.
function repaint() {
  const side = bloom.clientWidth;
  const nodes = (node) => [node, ...[...node.children.values()].flatMap(nodes)];
  radius = side / 2 - 4;
  const middle = (side / 2) * devicePixelRatio;
  for (const each of [tree, spark]) {
    each.canvas.width = each.canvas.height = side * devicePixelRatio;
    each.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, middle, middle);
  }
  const all = nodes(root);
  for (const node of all) node.look = "";
  paint(all);
  light();
}

// The root, and the spark at a place if there is one, with a glow.
function light(place, style = colour(0.5), size = 1) {
  spark.clearRect(-radius - 4, -radius - 4, 2 * radius + 8, 2 * radius + 8);
  dot([0, 0], colour(0.5), 5, 1);
  if (!place) return;
  dot(place, style, 14 * size, 0.3);
  dot(place, style, 6, 1);
}

function dot([x, y], style, size, alpha) {
  Object.assign(spark, { fillStyle: style, globalAlpha: alpha });
  spark.beginPath();
  spark.arc(radius * x, radius * y, size, 0, 7);
  spark.fill();
  spark.globalAlpha = 1;
}

function name(phase) {
  phases.forEach((each, i) => each.classList.toggle("on", i === phase));
}

// A dive in its four phases.
async function show({ path, result }, game, pace) {
  const ink = getComputedStyle(bloom).color;
  const nodes = grow(root, { path, result });
  const deep = path.length;
  const leaf = placeOf(nodes[deep]);
  const on = (way, style) => {
    const i = Math.min(Math.floor(way), deep - 1);
    light(deep ? along(nodes[i + 1].edge, way - i) : leaf, style);
    return i;
  };
  name(SELECT);
  await during(pace * (350 + 500 * Math.max(0, deep - 1)), (t) => {
    const way = t * Math.max(0, deep - 1);
    showBoard(board, path.slice(0, way));
    on(way, ink);
  });
  name(EXPAND);
  showBoard(board, path);
  const begin = Math.max(0, deep - 1);
  await during(pace * 550, (t) => {
    on(begin + t * (deep - begin), ink);
    if (deep && t === 1) stroke(tree, nodes[deep].edge, colour(0.5), 2);
  });
  name(SIMULATE);
  await during(pace * (170 * game.length + 600), (t) => {
    const made = Math.min(game.length, Math.floor((t * (170 * game.length + 600)) / 170));
    showBoard(board, [...path, ...game.slice(0, made)], deep);
    light(leaf, ink, 1 + 0.4 * Math.sin(made * 2));
  });
  name(BACKPROPAGATE);
  await during(pace * (450 + 350 * deep), (t) => {
    const i = on((1 - t) * deep, colour(scores[result]));
    paint(nodes.slice(i + 1));
  });
  paint(nodes);
}

// Dives, faster and faster, until there are `end`.
async function hurry(end) {
  name(HURRY);
  light();
  for (let n = root.visits; root.visits < end; ) {
    n += n * 0.0007 * (await frame());
    const changed = new Set();
    while (root.visits < Math.min(n, end)) grow(root, dives[root.visits]).forEach((node) => changed.add(node));
    paint(changed);
    if (root.visits > 100) showOpenings(board, root);
    else showBoard(board, dives[root.visits - 1].path);
  }
}

async function run() {
  for (const [i, n] of Object.keys(GAMES).map(Number).entries()) {
    await hurry(n - 1);
    await show(dives[n - 1], [...GAMES[n]].map(Number), i % 3 ? 0.8 : 1);
  }
  await hurry(dives.length);
  end();
}

function end() {
  name(END);
  light();
  if (document.activeElement === pause) again.focus(); // a disabled button would lose the focus
  pause.disabled = true;
}

// For a reader who wants no motion: the last tree at once, and the phases of a dive as boards.
function still() {
  for (const dive of dives) grow(root, dive);
  const [n, game] = Object.entries(GAMES).at(-1);
  const { path } = dives[n - 1];
  const shown = [path.slice(0, -1), path, [...path, ...game].map(Number), path];
  shown.forEach((moves, i) => showBoard(phases[i].querySelector(".crosses"), moves, path.length));
  repaint();
  showOpenings(board, root);
  end();
}

function start() {
  [go, root] = [null, newRoot()];
  setPaused(false);
  pause.disabled = false;
  repaint();
  (reduced.matches ? still : run)();
}

function setPaused(value) {
  isPaused = value;
  pause.textContent = isPaused ? "Go on" : "Pause";
  ask();
}

pause.addEventListener("click", () => setPaused(!isPaused));
again.addEventListener("click", start);
reduced.addEventListener("change", start);
start();
new ResizeObserver(repaint).observe(bloom);
new IntersectionObserver(([{ isIntersecting }]) => {
  isSeen = isIntersecting;
  ask();
}).observe(bloom);
