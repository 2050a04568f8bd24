// The workshop's uct in JavaScript, which follows a trace of Shut the Box: docs/traces.md.
//
//   node uct.mjs trace.jsonl

import { readFileSync } from "node:fs";

const [header, ...lines] = readFileSync(process.argv[2], "utf8").trim().split("\n").map(JSON.parse);
const { levers, dice } = header.rules;

// The draws of one dive. A draw from one thing takes none. After a wrong draw the dive goes on, so
// that its path can be compared.
let draws = [];
let wrong = "";
const draw = (n) => {
  if (n === 1) return 0;
  const [i, of] = draws.shift() ?? [0, "no more"];
  if (of !== n) wrong ||= `it draws from ${n}, and the trace from ${of}`;
  return i % n;
};
const pick = (things) => things[draw(things.length)];

// The game. A box is the list of the levers that are up.
const power = (things) =>
  things.reduce((sets, each) => [...sets, ...sets.map((set) => [...set, each])], [[]]);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const choices = power(Array.from({ length: levers }, (_, i) => i + 1));
const faces = [1, 2, 3, 4, 5, 6];
const throws = Array.from({ length: dice - 1 }).reduce(
  (totals) => totals.flatMap((total) => faces.map((face) => total + face)),
  faces,
);
const chances = (box) => (box.length ? throws : [null]);
const moves = (box, roll) =>
  choices
    .filter((shut) => roll && sum(shut) === roll && shut.every((lever) => box.includes(lever)))
    .map((shut) => box.filter((lever) => !shut.includes(lever)));
const result = (box) => (box.length ? [0, 1] : [1, 0]);

// Task 8: a random game.
const playGame = (box) => {
  const found = moves(box, pick(chances(box)));
  return found.length ? playGame(pick(found)) : result(box);
};

// Task 11: the tree is a map from the JSON of a box to the visits, the wins and the losses.
const wald = (z, [n, wins, losses]) =>
  wins ? (wins + z * Math.sqrt((wins * losses) / n)) / n : 3 / n;
const ucb1 = (c, [n, wins], total) => wins / n + c * Math.sqrt(Math.log(total)) * Math.sqrt(1 / n);
const bound = (record, total) => {
  if (!record[0]) return Infinity;
  const { z, c } = header.bound;
  return z === undefined ? ucb1(c, record, total) : wald(z, record);
};
const recordOf = (tree, box) => tree.get(JSON.stringify(box)) ?? [0, 0, 0];
const best = (tree, boxes) => {
  if (boxes.length === 1) return boxes[0];
  const records = boxes.map((box) => recordOf(tree, box));
  const bounds = records.map((record) => bound(record, sum(records.map(([n]) => n))));
  return boxes[bounds.indexOf(Math.max(...bounds))];
};
const dive = (tree, box, path = []) => {
  path.push(box);
  if (!recordOf(tree, box)[0]) return [path, playGame(box)];
  const found = moves(box, pick(chances(box)));
  return found.length ? dive(tree, best(tree, found), path) : [path, result(box)];
};

const add = (tree, path, scores) => {
  for (const box of path) {
    const [n, wins, losses] = recordOf(tree, box);
    tree.set(JSON.stringify(box), [n + 1, wins + scores[0], losses + scores[1]]);
  }
};

// The trace. `right` is the tree that its paths and results add up to.
const differs = (name, right, got) => {
  if (JSON.stringify(right) === JSON.stringify(got)) return;
  throw new Error(`${name} must be ${JSON.stringify(right)}; got ${JSON.stringify(got)}`);
};
const check = (tree, right, line) => {
  if (line.tree) {
    differs("the number of records", line.tree.length, tree.size);
    for (const [box, n, sums] of line.tree) {
      differs(`the record of ${JSON.stringify(box)}`, [n, ...sums], recordOf(tree, box));
    }
    return;
  }
  [draws, wrong] = [[...line.draws], ""];
  const [path, scores] = dive(tree, header.start);
  differs("the path", line.path, path);
  if (wrong) throw new Error(wrong);
  differs("the result", line.result, scores);
  differs("the rest of the draws", [], draws);
  add(tree, path, scores);
  for (const box of line.path) {
    const [n, wins, losses] = right.get(`${box}`) ?? [0, 0, 0];
    right.set(`${box}`, [n + 1, wins + line.result[0], losses + line.result[1]]);
    differs(`the record of ${JSON.stringify(box)}`, right.get(`${box}`), recordOf(tree, box));
  }
};

const [tree, right] = [new Map(), new Map()];
for (const line of lines) {
  try {
    check(tree, right, line);
  } catch (error) {
    console.log(`${line.tree ? `after dive ${line.after}` : `dive ${line.dive}`}: ${error.message}`);
    process.exit(1);
  }
}
console.log(`${header.dives} dives, ${tree.size} records: all right`);
