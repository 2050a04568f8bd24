// The panel in which a tree learns from the start of a game. Many of its trees are kept, and a slider
// goes through them. No game is named here. Python plays no game before a person uses the panel.
import { call, ready, stream } from "./python.js";
import { drawn, element, say, showPicture, tableElement } from "./dom.js";
import { keepFitting, widthIn } from "./parts.js";

const ASK = "A seed from 0 to 999,999: the same seed gives the same trees.";

const formatted = (n) => n.toLocaleString("en-US");
const counted = (n, noun) => `${formatted(n)} ${noun}${n === 1 ? "" : "s"}`;

// The part of a link that the trees depend on, as a text.
const keyOf = ({ game, rules, start, source }) => JSON.stringify([game, rules, start, source]);

// Fill `place` with the panel. It follows the game `play`.
export function mount(place, play) {
  const parts = partsOf(place);
  const state = { key: "", run: null, used: new Set(), last: 0, allDives: 0, k: 0, follows: true, facts: null };
  const context = { parts, state, play };
  const redraw = drawn(() => draw(context));
  Object.assign(context, { redraw, refresh: latest(() => fetchTree(context)) });

  parts.run.addEventListener("click", () => (state.run ? pause(context) : run(context)));
  for (const [button, dives] of parts.dives) {
    button.addEventListener("click", () => run(context, dives));
  }
  parts.slider.addEventListener("input", () => choose(context, parts.slider.valueAsNumber));
  parts.seed.addEventListener("change", () => begin(context));
  parts.again.addEventListener("click", () => forget(context));
  for (const more of [parts.top, parts.flat]) {
    more.addEventListener("toggle", () => more.open && atRest(context));
  }
  let width = widthOf(parts);
  addEventListener("resize", () => {
    if (width === widthOf(parts)) return;
    width = widthOf(parts);
    context.refresh();
  });
  place.hidden = true;
  play.addEventListener("scene", () => {
    place.hidden = false;
    follow(context);
  });
  if (play.scene) follow(context);
}

// The elements of the panel, which is put into `place`.
function partsOf(place) {
  const button = (text, more = {}) => element("button", { type: "button", ...more }, text);
  const details = (text, body) => element("details", {}, element("summary", {}, text), body);
  const box = () => element("div", { class: "picture" });
  const dives = [1, 10, 1000].map((n) => [button(`+${formatted(n)}`), n]);
  for (const [made, n] of dives) made.setAttribute("aria-label", `${counted(n, "dive")} more`);
  const parts = {
    run: button("Run", { class: "primary" }),
    dives,
    seed: element("input", { type: "number", min: 0, max: 999999, step: 1, title: ASK }),
    again: button("Start again"),
    slider: element("input", { type: "range", min: 0, max: 0, value: 0, id: "learn-slider" }),
    shown: element("output", { for: "learn-slider" }),
    trouble: element("p", { class: "error", role: "alert" }),
    moves: element("div", { class: "learn-moves" }),
    bars: box(),
    note: element("p", { class: "quiet" }),
    value: element("p", { class: "learn-value" }),
    curve: box(),
    topPicture: box(),
    flatTable: element("div"),
    why: element("p"),
    kept: element("span"),
  };
  parts.top = details("The top of this tree, from the position on the board", parts.topPicture);
  parts.top.append(element("p", { class: "quiet wide-note" }, "The picture goes on: scroll it."));
  parts.flat = details("Compare this tree with flat Monte Carlo", parts.flatTable);
  parts.body = bodyOf(parts);
  place.classList.add("panel", "learn");
  place.setAttribute("aria-labelledby", "learn-title");
  const title = element("h2", { id: "learn-title" }, "A tree learns");
  place.replaceChildren(title, parts.why, parts.body);
  return parts;
}

// The controls, the slider, and the parts that follow it.
function bodyOf(parts) {
  const buttons = parts.dives.map(([button]) => button);
  const intro =
    "A dive plays one game from the start: first by the best bounds in the tree, then at random. " +
    "Its result is added to every position on its way through the tree. ";
  return element(
    "div",
    {},
    element("p", { class: "quiet" }, intro, parts.kept),
    element(
      "div",
      { class: "row" },
      parts.run,
      element(
        "div",
        { class: "learn-dives", role: "group", "aria-label": "Dives" },
        element("span", { class: "quiet" }, "Dives"),
        ...buttons,
      ),
      element(
        "div",
        { class: "learn-again" },
        element("label", { class: "field beside" }, "Seed", parts.seed),
        parts.again,
      ),
    ),
    element(
      "div",
      { class: "learn-trees" },
      element("label", { for: "learn-slider" }, "Tree"),
      parts.slider,
      parts.shown,
    ),
    parts.trouble,
    element(
      "div",
      { class: "learn-parts" },
      element("div", {}, parts.moves, parts.note, parts.bars),
      element("div", { class: "learn-curve" }, parts.value, parts.curve),
    ),
    parts.top,
    parts.flat,
  );
}

// The width of the curve and of the bars.
const widthOf = ({ moves }) => widthIn(moves.parentElement, 600);

// The arguments that name the learner, with more.
const about = ({ play, parts }, more = {}) => ({
  link: play.shown,
  seed: Math.trunc(Math.abs(parts.seed.valueAsNumber)) || 0,
  ...more,
});

// A function that calls `work` again and again, but never twice at once: the last call counts.
function latest(work) {
  let working = false;
  let asked = false;
  return async () => {
    asked = true;
    if (working) return;
    working = true;
    while (asked) {
      asked = false;
      await work();
    }
    working = false;
  };
}

// Follow the game: a new game has a new tree, and a new position has other moves.
function follow(context) {
  const { play, parts, state } = context;
  const key = keyOf(play.link);
  const isNew = key !== state.key || play.link.seed !== state.seed;
  Object.assign(state, { key, seed: play.link.seed });
  if (isNew) {
    parts.seed.value = play.link.seed;
    begin(context);
  } else if (state.run) {
    const { until } = state.run;
    halt(context);
    start(context, until);
  }
  context.refresh();
}

// The learner of the panel, as a text.
const learnerOf = ({ play, parts }) => `${keyOf(play.link)} ${parts.seed.value}`;

// True if a person has let this learner dive, and Python was not stopped since.
function isUsed(context) {
  const { used } = context.state;
  if (context.state.python !== ready) used.clear();
  return used.has(learnerOf(context));
}

// Show the last tree of the learner with this seed, which may have none yet.
function begin(context) {
  halt(context);
  context.parts.trouble.textContent = "";
  Object.assign(context.state, { follows: true, facts: null, last: 0, allDives: 0, k: 0 });
  context.redraw();
  context.refresh();
}

// Forget all trees.
async function forget(context) {
  halt(context);
  context.state.used.clear();
  await call("forget").catch((error) => fail(context, error));
  begin(context);
}

// Let the tree grow by a number of dives, or until it is paused.
function run(context, dives = null) {
  const { state, play } = context;
  if (!play.link) return;
  if (!isUsed(context)) state.allDives = 0;
  state.python = ready;
  state.used.add(learnerOf(context));
  state.follows = true;
  const from = state.run?.until ?? state.allDives;
  halt(context);
  start(context, dives === null ? null : from + dives);
}

// Begin the steps that end at `until` dives, or never.
function start(context, until) {
  const { state } = context;
  const mine = { until };
  state.run = mine;
  context.parts.trouble.textContent = "";
  const asked = about(context, { until, width: widthOf(context.parts) });
  const { done, stop } = stream("grow", asked, (facts) => {
    if (state.run === mine) grew(context, facts);
  });
  mine.stop = stop;
  done
    .catch((error) => error)
    .then((error) => {
      if (state.run !== mine) return;
      state.run = null;
      if (error) return fail(context, error);
      context.refresh();
      say(`${counted(state.allDives, "dive")} in all.`);
    });
  context.redraw();
}

// Take the facts of a new tree.
function grew({ state, redraw }, facts) {
  state.last = facts.last;
  state.allDives = facts.dives;
  if (state.follows) {
    state.k = facts.k;
    state.facts = { ...state.facts, ...facts };
  }
  redraw();
}

// End the steps, if there are any, without a word.
function halt({ state }) {
  state.run?.stop?.();
  state.run = null;
}

// Stop the growing, and say how far it came.
function pause(context) {
  halt(context);
  context.redraw();
  context.refresh();
  say(`Paused after ${counted(context.state.allDives, "dive")}.`);
}

// Show tree `k`, and follow the newest one if it is the last.
function choose(context, k) {
  const { state } = context;
  state.k = k;
  state.follows = k >= state.last;
  context.refresh();
}

// Ask for the tree that is chosen, or the last one, and draw it.
async function fetchTree(context) {
  const { state, parts, play } = context;
  if (!play.link) return;
  if (!isUsed(context)) return unused(context);
  const learner = learnerOf(context);
  const k = state.follows ? null : state.k;
  const asked = about(context, { k, width: widthOf(parts) });
  try {
    const facts = await call("learning", asked);
    if (learner !== learnerOf(context)) return;
    if (asked.width !== widthOf(parts)) context.refresh();
    if (state.follows || facts.k === state.k) Object.assign(state, { facts, k: facts.k });
    state.last = facts.last;
    state.allDives = facts.all_dives;
    context.redraw();
    await atRest(context);
  } catch (error) {
    if (learner === learnerOf(context)) fail(context, error);
  }
}

// Show a learner without dives, or say why the game has none. No game is played for that.
async function unused(context) {
  const { parts, play } = context;
  const learner = learnerOf(context);
  try {
    const why = play.scene.is_hidden ? (await call("learns", { link: play.shown })).why : null;
    if (learner !== learnerOf(context)) return;
    parts.why.textContent = why ?? "";
    parts.body.hidden = Boolean(why);
    context.redraw();
  } catch (error) {
    if (learner === learnerOf(context)) fail(context, error);
  }
}

// Draw what takes longer, if it is open and the tree does not grow.
async function atRest(context) {
  const { state, parts } = context;
  if (state.run || !state.facts) return;
  const args = about(context, { k: state.k });
  try {
    if (parts.top.open) showPicture(parts.topPicture, await call("top_of_tree", args));
    if (parts.flat.open && state.facts.is_small && state.facts.moves) {
      const { table, words } = await call("compare", args);
      const said = words.map((each) =>
        element("p", { class: each.is_best ? "learn-best" : "learn-worse" }, each.text),
      );
      parts.flatTable.replaceChildren(tableElement(table), ...said);
    }
  } catch (error) {
    fail(context, error);
  }
}

// Say what went wrong. Nothing is asked again before a person lets the tree dive.
function fail(context, error) {
  if (error.trace) console.info(error.trace);
  context.state.used.delete(learnerOf(context));
  context.redraw();
  context.parts.trouble.textContent = error.message;
}

// Draw the state.
function draw({ parts, state, play }) {
  const { facts } = state;
  parts.run.textContent = state.run ? "Pause" : "Run";
  const isEmpty = !facts?.all_dives;
  parts.slider.disabled = isEmpty;
  for (const part of [parts.moves, parts.bars, parts.top]) part.hidden = isEmpty;
  parts.slider.max = state.last;
  parts.slider.value = state.k;
  const dives = counted(facts?.dives ?? 0, "dive");
  parts.slider.setAttribute("aria-valuetext", `${dives}, tree ${state.k} of ${state.last}`);
  const positions = counted(facts?.positions ?? 0, "position");
  parts.shown.textContent = `${formatted(state.k)} of ${formatted(state.last)}: ${dives}, ${positions}`;
  for (const [button] of parts.dives) button.disabled = Boolean(facts?.is_full);
  parts.run.disabled = Boolean(facts?.is_full) && !state.run;
  parts.note.textContent = noteOf(facts, play.scene);
  parts.kept.textContent = keptOf(facts);
  parts.curve.parentElement.hidden = !facts?.curve;
  parts.value.textContent = facts?.curve ? facts.worth : "";
  parts.flat.hidden = isEmpty || !facts.is_small || !facts.moves;
  if (isEmpty) return;
  refreshTable(parts.moves, facts.moves);
  refreshPicture(parts.bars, facts.bars);
  refreshPicture(parts.curve, facts.curve);
  parts.top.hidden = !facts.visits;
}

// The sentence that says which trees are kept.
function keptOf(facts) {
  const most = facts ? `, and at most ${formatted(facts.stride)} dives apart` : "";
  return `Trees are kept at growing distances: after 1, 2, 3, … dives${most}.`;
}

// Put a picture into `place`, if it is another one than before.
function refreshPicture(place, picture) {
  place.hidden = !picture;
  if (!picture || picture === place.picture) return;
  showPicture(place, picture);
  place.picture = picture;
}

// The sentence below the moves.
function noteOf(facts, scene) {
  if (!facts?.all_dives) return "The tree is empty. Let it dive.";
  if (facts.is_full) return "No more trees can be kept. Go back through them, or start again.";
  if (!facts.moves) return "The game is over. Go back to see the moves of a turn.";
  if (!facts.dives) return "The tree is empty. Let it dive.";
  if (!facts.visits && scene.event) {
    return `Each dive has chance events of its own. None has come here yet, to: ${scene.event}`;
  }
  if (!facts.visits) return "No dive of this tree has come to this position.";
  return facts.more_moves ? `${counted(facts.more_moves, "more move")} with fewer visits.` : "";
}

// Put a table into `place`. A table of the same shape gets new texts, and keeps its focus.
function refreshTable(place, table) {
  if (!table) return place.replaceChildren();
  const made = tableElement(table);
  const texts = "caption, th, td, .note";
  const before = [...place.querySelectorAll(texts)];
  const after = [...made.querySelectorAll(texts)];
  const fits = before.length === after.length && before.every((b, i) => b.tagName === after[i].tagName);
  if (!fits) place.replaceChildren(made);
  else before.forEach((cell, i) => {
    if (cell.textContent !== after[i].textContent) cell.textContent = after[i].textContent;
  });
  keepFitting(place, table);
}
