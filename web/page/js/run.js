// The blocks of a document that begin with >>>: each can be run and changed in the page's Python.
// Blocks that belong together share their names: those of a page, or those of one docstring.
import { element } from "./dom.js";
import { editor } from "./editor.js";
import { html, nothing, render } from "./lit.js";

const KEYS = "Ctrl-Enter runs it. To leave it, press Esc and then Tab.";
const module = document.querySelector('[id^="module-"]')?.id.slice("module-".length) ?? "";
const groups = new Map();
let python;
let busy = null; // the block, or `all`, whose button says Stop

// A group of blocks that share their names: `ran` blocks have run since the names were new, some of
// them changed.
function groupOf(pre) {
  const name = pre.closest("dd")?.previousElementSibling?.id ?? "";
  if (!groups.has(name)) groups.set(name, { name, blocks: [], ran: 0, isChanged: false });
  return groups.get(name);
}

// The block of a <pre>. `editor` is there once it was changed, and shown while it `isOpen`.
function blockOf(pre, i) {
  const group = groupOf(pre);
  const place = element("div", {});
  const block = { pre, group, place, number: i + 1, index: group.blocks.length, text: pre.textContent };
  const printed = pre.closest('[class*="highlight-"]');
  printed.after(place);
  group.blocks.push(block);
  for (const comment of pre.querySelectorAll(".c1")) {
    if (/^# *doctest:/.test(comment.textContent)) comment.hidden = true; // no help to a reader
  }
  pre.lastChild.textContent = pre.lastChild.textContent.trimEnd();
  return Object.assign(block, { printed, isOpen: false, said: "", verdict: null, answers: [] });
}

// The source of a block without its prompts and answers.
function sourceOf(text) {
  const lines = text.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
  return lines.map((line) => line.slice(4).replace(/ *# *doctest:.*/, "")).join("\n");
}

// True if a person has changed the source of a block, and not gone back.
const isChanged = (block) => block.isOpen && block.editor.value !== sourceOf(block.text);

// Run

// Do `work` while the button of a block, or of all, says Stop, and the other buttons wait.
async function pressed(one, work) {
  if (busy) return stop();
  busy = one;
  say(one, "");
  try {
    python ??= await import("./python.js");
    (await import("./loading.js")).showLoading(one.place.querySelector(".said"));
    await python.ready;
    await work(one);
  } catch (error) {
    if (!error.isMissing) say(one, error.message);
  }
  busy = null;
  draw();
}

// Stop Python; all names are forgotten.
function stop() {
  for (const group of groups.values()) Object.assign(group, { ran: 0, isChanged: false });
  python?.restart();
}

// Let the names of a group be new.
async function begin(group) {
  await python.call("forget_document", { document: group.name });
  Object.assign(group, { ran: 0, isChanged: false });
}

// Run a block after the blocks before it that have not run. A block that has run begins anew, so that it
// answers the same.
async function run(block) {
  const { group, index } = block;
  if (index < group.ran) await begin(group);
  const before = group.blocks.slice(group.ran, index);
  for (const each of before) {
    say(block, `Running block ${each.number}, which comes first …`);
    await answer(each);
  }
  await answer(block);
  const blocks = before.length === 1 ? "block" : `${before.length} blocks`;
  if (before.length) block.said += ` The ${blocks} before ran first.`;
}

// The answers of a block, as it is printed or changed.
async function answer(block) {
  const { group } = block;
  const isOwn = isChanged(block);
  const args = { document: group.name, module: group.name || module ? module : "" };
  const [name, more] = isOwn
    ? ["run_lines", { source: block.editor.value }]
    : ["run_examples", { text: block.text }];
  say(block, "Running …");
  group.isChanged ||= isOwn;
  await python.stream(name, { ...args, ...more }, (step) => {
    block.answers.push(step);
    block.said = `Running … ${block.answers.length}`;
    draw();
  }).done;
  group.ran = Math.max(group.ran, block.index + 1);
  const wrong = block.answers.filter((each) => !each.is_as_printed);
  const isShort = block !== busy && !isOwn; // beside others, the answers that are as printed are left out
  say(block, isOwn ? "The answers of your code:" : verdictOf(block, wrong), {
    verdict: isOwn ? "own" : wrong.length ? "other" : "printed",
    answers: isShort ? wrong : block.answers.filter((each) => each.got || each.want),
  });
}

// The words for a block that is as it is printed, with its wrong answers.
function verdictOf({ answers, group }, wrong) {
  if (!wrong.length) return "As printed.";
  const count = `${wrong.length} of ${answers.length} answers ${wrong.length === 1 ? "is" : "are"}`;
  const reason = group.isChanged ? " A block was changed, and that may be the reason." : "";
  return `Not as printed: ${count} different.${reason}`;
}

// Run all blocks as they are printed, and say how many answer as printed.
async function runAll() {
  for (const block of blocks) if (block.isOpen) leave(block);
  for (const group of groups.values()) await begin(group);
  for (const block of blocks) {
    say(all, `Running block ${block.number} of ${blocks.length} …`);
    await answer(block);
  }
  const right = blocks.filter(({ verdict }) => verdict === "printed").length;
  say(all, `${right} of ${blocks.length} blocks answered as printed.`);
}

// Change

// Let a person change a block.
function change(block) {
  if (!block.editor) {
    const label = `The source of block ${block.number}. ${KEYS}`;
    block.editor = editor(block.place.querySelector(".edited"), { label, onrun: () => pressed(block, run) });
    block.editor.value = sourceOf(block.text);
  }
  block.isOpen = true;
  say(block, KEYS);
  block.editor.focus();
}

// Go back to the printed block. What was written is there again at the next change.
function leave(block) {
  if (block.group.isChanged) block.group.ran = Infinity; // the next run begins anew
  block.isOpen = false;
  say(block, "");
}

// Show

// Say how it stands with a block, or with all.
function say(one, said, { verdict = null, answers = [] } = {}) {
  Object.assign(one, { said, verdict, answers });
  draw();
}

const runButton = (one, label, work) => html`
  <button
    aria-label=${busy === one ? nothing : label}
    ?disabled=${busy && busy !== one}
    @click=${() => pressed(one, work)}
  >${busy === one ? "Stop" : one === all ? "Run all" : "Run"}</button>`;

const saidOf = ({ said, verdict }) => html`
  <p class="said ${verdict ?? ""}" role="status" .textContent=${said}></p>`;

// The theme has keys of its own, such as / for the search, which are none in an editor.
const keep = (event) => event.stopPropagation();

function blockView(block) {
  const { number, isOpen, answers, verdict } = block;
  block.printed.hidden = isOpen;
  const toChange = () => (isOpen ? leave : change)(block);
  return html`
    <div class="edited" ?hidden=${!isOpen} @keydown=${keep}></div>
    <div class="run">
      ${runButton(block, `Run block ${number}`, run)}
      <button aria-label=${isOpen ? nothing : `Change block ${number}`} ?disabled=${busy} @click=${toChange}
      >${isOpen ? "Back to the printed one" : "Change"}</button>
      ${saidOf(block)}
    </div>
    <div class="answers">${answers.map((each) => answerView(each, verdict))}</div>`;
}

// An answer with its source, as at a prompt.
function answerView({ source, want, got, is_as_printed: isRight }, verdict) {
  const lines = source.trimEnd().split("\n").map((line, i) => `${i ? "..." : ">>>"} ${line}`);
  const printed = verdict === "other" && !isRight ? `The document prints:\n${want || "nothing\n"}` : "";
  return html`<pre tabindex="0"><span class="asked">${lines.join("\n")}\n</span>${got}<span class="other">${printed}</span></pre>`;
}

function draw() {
  for (const block of blocks) render(blockView(block), block.place);
  render(html`${runButton(all, nothing, runAll)} ${saidOf(all)}`, all.place);
}

// Let the keyboard reach the blocks that scroll to the side.
function reachScrolling() {
  for (const pre of document.querySelectorAll("article .highlight > pre")) {
    if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0;
    else pre.removeAttribute("tabindex");
  }
}

// True for a block that runs in a page: the names of packages that have no wheel of pure Python are in
// the notes below their blocks.
function isExample(pre) {
  const next = pre.closest("[class*=highlight-]").nextElementSibling;
  return pre.textContent.trimStart().startsWith(">>> ") && !next?.matches(".lacking");
}

const found = [...document.querySelectorAll("article .highlight > pre")].filter(isExample);
const blocks = found.map(blockOf);
const all = { place: element("div", { class: "run all" }), said: "", verdict: null };
draw();
if (blocks.length > 1) {
  all.place.append(...document.querySelectorAll("article p.notebook"));
  document.querySelector("article h1").after(all.place);
}
reachScrolling();
addEventListener("resize", reachScrolling);
