// The first sight: a search of tic-tac-toe grows, some of its dives in their phases. The canvas of the
// tree keeps what is drawn: only edges that look otherwise are drawn again, so no frame costs more.
import { along, colour, placeOf, width } from "./bloom.js";
import { crosses, dives, grow, heatsOf, newRoot, SCORES, shareOf, treeAfter } from "./crosses.js";
import { render } from "./lit.js";
import { GAMES } from "./recorded.js";

const at = (id) => document.getElementById(id);
const [bloom, board, count, pause, again] = ["bloom", "board", "count", "pause", "again"].map(at);
const [tree, spark] = [...bloom.children].map((canvas) => canvas.getContext("2d"));
const phases = [...at("phases").children];
const [SELECT, EXPAND, SIMULATE, BACKPROPAGATE, HURRY, END] = phases.keys();
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const put = (moves, options) => render(crosses(moves, options), board);
const name = (phase) => phases.forEach((each, i) => each.classList.toggle("on", i === phase));
let root = newRoot();
let [radius, pace] = [1, 1];

// Frames come while the picture is seen and nobody has paused it. Each answers with its milliseconds.
let [go, asked, isSeen, isPaused] = [null, 0, false, false];

function ask() {
  if (!go || asked || !isSeen || isPaused) return;
  const before = performance.now();
  asked = requestAnimationFrame((now) => {
    const call = go;
    [go, asked] = [null, 0];
    call?.(Math.min(Math.max(now - before, 1), 250));
  });
}

const frame = () => new Promise((resolve) => ask((go = resolve)));

// Call `draw` in each frame with the share of the time that has gone, and at the end with 1.
async function during(milliseconds, draw) {
  for (let t = 0; t < 1; t += (pace * (await frame())) / milliseconds) draw(t);
  draw(1);
}

// Draw the edges that lead to these nodes, the deepest first, if they look otherwise than before.
function paint(nodes) {
  for (const node of [...nodes].sort((a, b) => b.depth - a.depth)) {
    const wide = Math.max(root.visits < 100 ? 2 : 0.7, radius * width(node.visits, dives.length));
    const look = `${colour(shareOf(node))} ${Math.round(2 * wide)}`;
    if (node === root) count.textContent = root.visits.toLocaleString("en");
    else if (look !== node.look) stroke(node.edge, colour(shareOf(node)), wide);
    node.look = look;
  }
}

function stroke(edge, strokeStyle, lineWidth) {
  const [x, y, ...rest] = edge.map((each) => radius * each);
  Object.assign(tree, { lineWidth, lineCap: "round", strokeStyle }).beginPath();
  tree.moveTo(x, y);
  tree.bezierCurveTo(...rest);
  tree.stroke();
}

// The whole tree again, on canvases of the size that they have now.
function repaint() {
  const scale = devicePixelRatio;
  const side = bloom.clientWidth * scale;
  radius = bloom.clientWidth / 2 - 4;
  for (const each of [tree, spark]) {
    each.canvas.width = each.canvas.height = side;
    each.setTransform(scale, 0, 0, scale, side / 2, side / 2);
  }
  const nodes = (node) => [Object.assign(node, { look: "" }), ...[...node.children.values()].flatMap(nodes)];
  paint(nodes(root).slice(1));
  light();
}

// The root, and the spark at a place with a glow.
function light(place = [0, 0], style = colour(0.5), glow = 1) {
  spark.clearRect(-2 * radius, -2 * radius, 4 * radius, 4 * radius);
  const dots = [[0, 0, colour(0.5), 5, 1], [...place, style, 14 * glow, 0.3], [...place, style, 6, 1]];
  for (const [x, y, fillStyle, size, globalAlpha] of dots) {
    Object.assign(spark, { fillStyle, globalAlpha }).beginPath();
    spark.arc(radius * x, radius * y, size, 0, 7);
    spark.fill();
  }
}

// A dive in its four phases.
async function show(dive, game) {
  const { path, result } = dive;
  const ink = getComputedStyle(bloom).color;
  const nodes = grow(root, dive);
  const [deep, known] = [path.length, Math.max(0, path.length - 1)];
  const leaf = placeOf(nodes[deep]);
  const moveTo = (way, style) => {
    const i = Math.min(Math.floor(way), known);
    light(deep ? along(nodes[i + 1].edge, way - i) : leaf, style);
    return i;
  };
  name(SELECT);
  await during(250 + 400 * known, (t) => {
    put(path.slice(0, t * known));
    moveTo(t * known, ink);
  });
  name(EXPAND);
  put(path);
  await during(400, (t) => moveTo(known + t * (deep - known), ink));
  if (deep) stroke(nodes[deep].edge, colour(0.5), 2);
  name(SIMULATE);
  await during(120 * (game.length + 5), (t) => {
    const made = Math.min(game.length, Math.floor(t * (game.length + 5))); // the end stays for a while
    put([...path, ...game.slice(0, made)], { random: deep });
    light(leaf, ink, 1 + 0.4 * Math.sin(2 * made));
  });
  name(BACKPROPAGATE);
  await during(350 + 250 * deep, (t) => paint(nodes.slice(1 + moveTo((1 - t) * deep, colour(SCORES[result])))));
  paint(nodes);
}

// Dives, faster and faster, until there are `end`.
async function hurry(end) {
  name(HURRY);
  light();
  for (let n = root.visits; root.visits < end; ) {
    n *= 1 + 0.0007 * (await frame());
    const changed = new Set();
    while (root.visits < Math.min(n, end)) grow(root, dives[root.visits]).forEach((node) => changed.add(node));
    paint(changed);
    if (root.visits > 100) put([], { heats: heatsOf(root) });
    else put(dives[root.visits - 1].path);
  }
}

async function run() {
  for (const [n, game] of Object.entries(GAMES)) {
    await hurry(n - 1);
    pace = 1 + Math.log10(n) / 2; // the first dives have more time
    await show(dives[n - 1], [...game].map(Number));
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
  root = treeAfter(dives.length);
  repaint();
  paint([root]);
  put([], { heats: heatsOf(root) });
  const [n, game] = Object.entries(GAMES).at(-1);
  const { path } = dives[n - 1];
  const options = { random: path.length };
  [path.slice(0, -1), path, [...path, ...[...game].map(Number)], path].forEach((moves, i) => {
    render(crosses(moves, options), phases[i].lastElementChild);
  });
  end();
}

function start() {
  [go, root, pause.disabled] = [null, newRoot(), false];
  setPaused(false);
  repaint();
  paint([root]);
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
new IntersectionObserver(([{ isIntersecting }]) => ask((isSeen = isIntersecting))).observe(bloom);
