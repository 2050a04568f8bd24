// The blocks of a document that begin with >>>: each can be run and changed in the page's Python.
// Blocks that belong together share their names: those of a page, or those of one docstring.
import { element } from "./dom.js";

const module = document.querySelector('[id^="module-"]')?.id.slice("module-".length) ?? "";
const groups = new Map();
const bar = allBar();
let python;
let isBusy = false;

// Wait for Python, which starts when it is first needed; `place` says how far it has come.
async function started(place) {
  python ??= await import("./python.js");
  (await import("./loading.js")).showLoading(place);
  await python.ready;
}

// Blocks

// A group of blocks that share their names: `ran` blocks have run since the names were new, some of
// them changed.
function groupOf(pre) {
  const name = pre.closest("dd")?.previousElementSibling?.id ?? "";
  if (!groups.has(name)) groups.set(name, { name, blocks: [], ran: 0, isChanged: false });
  return groups.get(name);
}

// The block of a <pre>, with its controls below it.
function blockOf(pre, number) {
  const group = groupOf(pre);
  const block = { group, index: group.blocks.length, number, text: pre.textContent, source: null };
  block.printed = pre.closest('[class*="highlight-"]');
  block.run = element("button", { "aria-label": `Run block ${number}` }, "Run");
  const onclick = () => (block.editor ? leave(block) : change(block));
  const named = { "aria-label": `Change block ${number}`, onclick };
  block.change = element("button", named, "Change");
  block.run.addEventListener("click", () => pressed(block.run, () => run(block)));
  block.said = element("p", { class: "said", role: "status" });
  block.answers = element("div", { class: "answers" });
  block.place = element("div", { class: "run" }, block.run, block.change, block.said);
  block.printed.after(block.place, block.answers);
  group.blocks.push(block);
  hideFlags(pre);
  pre.lastChild.textContent = pre.lastChild.textContent.trimEnd();
  return block;
}

// Hide the flags of doctest, which are no help to a reader.
function hideFlags(pre) {
  for (const comment of pre.querySelectorAll(".c1")) {
    if (/^# *doctest:/.test(comment.textContent)) comment.classList.add("flags");
  }
}

// The source of a block without its prompts and answers.
function sourceOf(text) {
  const lines = text.split("\n").filter((line) => /^(>>>|\.\.\.)( |$)/.test(line));
  return lines.map((line) => line.slice(4).replace(/ *# *doctest:.*/, "")).join("\n");
}

// True if a person has changed the source of a block, and not gone back.
const isChanged = (block) => block.editor != null && block.editor.value !== sourceOf(block.text);

// Run

// Do `work` while the button says Stop, and the other buttons wait.
async function pressed(button, work) {
  if (isBusy) return void (button.dataset.stops && stop());
  const [words, label] = [button.textContent, button.getAttribute("aria-label")];
  setBusy(button, true);
  name(button, "Stop");
  try {
    await work();
  } finally {
    setBusy(button, false);
    name(button, words, label);
  }
}

// While Python is busy, only the button that stops it can be pressed.
function setBusy(button, is) {
  isBusy = is;
  if (is) button.dataset.stops = "true";
  else delete button.dataset.stops;
  const others = document.querySelectorAll(".run button");
  for (const each of others) each.disabled = is && each !== button;
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

// Run a block after the blocks before it that have not run, and show its answers. A block that has run
// begins anew, so that it answers the same.
async function run(block) {
  try {
    await started(block.said);
    if (block.index < block.group.ran) await begin(block.group);
    const before = await runBefore(block);
    show(block, await answersOf(block), { before, isShort: false });
  } catch (error) {
    if (!error.isMissing) say(block, error.message);
  }
}

// Run the blocks before a block that have not run; the number of them.
async function runBefore(block) {
  const { group, index } = block;
  const missing = group.blocks.slice(group.ran, index);
  for (const each of missing) {
    say(block, `Running block ${each.number}, which comes first …`);
    show(each, await answersOf(each), { isShort: true });
  }
  return missing.length;
}

// The answers of a block, as it is printed or changed.
async function answersOf(block) {
  const { group } = block;
  const answers = [];
  say(block, "Running …");
  group.isChanged ||= isChanged(block);
  const args = { document: group.name, module: group.name || module ? module : "" };
  const [name, more] = isChanged(block)
    ? ["run_lines", { source: block.editor.value }]
    : ["run_examples", { text: block.text }];
  await python.stream(name, { ...args, ...more }, (answer) => {
    answers.push(answer);
    say(block, `Running … ${answers.length}`);
  }).done;
  group.ran = Math.max(group.ran, block.index + 1);
  return answers;
}

// Run all blocks as they are printed, and say how many answer as printed.
async function runAll(blocks) {
  let right = 0;
  try {
    await started(bar.said);
    for (const block of blocks) if (block.editor) leave(block);
    for (const group of groups.values()) await begin(group);
    for (const [done, block] of blocks.entries()) {
      bar.said.textContent = `Running block ${done + 1} of ${blocks.length} …`;
      const answers = await answersOf(block);
      show(block, answers, { isShort: true });
      right += areAsPrinted(answers);
    }
    bar.said.textContent = `${right} of ${blocks.length} blocks answered as printed.`;
    bar.place.dataset.right = right;
  } catch (error) {
    if (!error.isMissing) bar.said.textContent = error.message;
  }
}

// Show

const areAsPrinted = (answers) => answers.every((answer) => answer.is_as_printed);

// Say how it stands with a block.
function say(block, text) {
  block.said.textContent = text;
  block.said.className = "said";
  delete block.place.dataset.verdict;
}

// Show the answers of a block; a short form has only those that are not as printed.
function show(block, answers, { before = 0, isShort }) {
  const wrong = answers.filter((answer) => !answer.is_as_printed);
  const blocks = before === 1 ? "block" : `${before} blocks`;
  const first = before ? ` The ${blocks} before ran first.` : "";
  if (isChanged(block)) {
    say(block, `The answers of your code:${first}`);
  } else {
    say(block, wrong.length ? differs(block, answers, wrong) + first : `As printed.${first}`);
    block.place.dataset.verdict = wrong.length ? "other" : "printed";
    block.said.classList.add(wrong.length ? "other" : "printed");
  }
  const told = answers.filter((each) => each.got || each.want);
  const shown = isShort && !isChanged(block) ? wrong : told;
  block.answers.replaceChildren(...shown.map((each) => answerElement(each, isChanged(block))));
}

// The words for a block that does not answer as printed.
function differs(block, answers, wrong) {
  const count = `${wrong.length} of ${answers.length} answers ${wrong.length === 1 ? "is" : "are"}`;
  const reason = block.group.isChanged ? " A block was changed, and that may be the reason." : "";
  return `Not as printed: ${count} different.${reason}`;
}

// An answer with its source, as at a prompt.
function answerElement({ source, want, got, is_as_printed: isRight }, isOwn) {
  const lines = source.trimEnd().split("\n").map((line, i) => `${i ? "..." : ">>>"} ${line}`);
  const children = [element("span", { class: "asked" }, `${lines.join("\n")}\n`), got];
  if (!isOwn && !isRight) {
    const printed = `The document prints:\n${want || "nothing\n"}`;
    children.push(element("span", { class: "other" }, printed));
  }
  return element("pre", { tabindex: "0" }, ...children);
}

// Change

// Let a person change a block.
async function change(block) {
  const { editor } = await import("./editor.js");
  if (block.editor) return;
  const keys = "Ctrl-Enter runs it. To leave it, press Esc and then Tab.";
  const label = `The source of block ${block.number}. ${keys}`;
  const place = element("div");
  block.printed.hidden = true;
  block.printed.after(place);
  block.editor = editor(place, { label, onrun: () => block.run.click() });
  block.editor.value = block.source ?? sourceOf(block.text);
  name(block.change, "Back to the printed one");
  say(block, keys);
  block.answers.replaceChildren();
  block.editor.focus();
}

// Go back to the printed block. What was written is there again at the next change.
function leave(block) {
  if (block.group.isChanged) block.group.ran = Infinity; // the next run begins anew
  block.source = block.editor.value;
  block.printed.nextElementSibling.remove();
  block.editor = null;
  block.printed.hidden = false;
  name(block.change, "Change", `Change block ${block.number}`);
  say(block, "");
  block.answers.replaceChildren();
  block.change.focus();
}

// Give a button its words.
function name(button, words, label) {
  button.textContent = words;
  if (label) button.setAttribute("aria-label", label);
  else button.removeAttribute("aria-label");
}

// The page

// The place for the button that runs all blocks, below the heading.
function allBar() {
  const button = element("button", {}, "Run all");
  const said = element("p", { class: "said", role: "status" });
  return { button, said, place: element("div", { class: "run all" }, button, said) };
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
const blocks = found.map((pre, i) => blockOf(pre, i + 1));
if (blocks.length > 1) {
  bar.button.addEventListener("click", () => pressed(bar.button, () => runAll(blocks)));
  document.querySelector("article h1").after(bar.place);
  bar.place.append(...document.querySelectorAll("article p.notebook"));
}
reachScrolling();
addEventListener("resize", reachScrolling);
document.documentElement.dataset.blocks = blocks.length;
