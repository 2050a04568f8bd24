// The page of the workshop's tasks: their texts, an editor, its marks, and a prompt.
import { at, lineIn, say, withLines } from "./dom.js";
import { fileEditor } from "./file.js";
import { keep, textOf } from "./kept.js";
import { html, nothing, render } from "./lit.js";
import { showLoading } from "./loading.js";
import { call, ready, restart, stream } from "./python.js";

const KEPT = "purembts.marks";
const LIMIT = 20; // seconds for a task, or for a line at the prompt
const GRACE = 5; // more seconds, in which Python itself may end what hangs
const SIGNS = { right: "✓", wrong: "✗" };

// The tasks, whose texts are in the page.
const tasks = [...document.querySelectorAll("[data-task]")].map((text) => {
  return { number: Number(text.dataset.task), title: text.dataset.title, text };
});
let shown;
let work = ""; // what Python does: "marks", "line", or nothing
let isStopped = false;

// What the browser keeps; nothing if that is no JSON.
function read() {
  try {
    return JSON.parse(textOf(KEPT)) ?? {};
  } catch {
    return {};
  }
}

// What is kept beside the text: the last mark of each task, the tasks that were marked last, true if
// the text has changed since then, and the task that was shown.
const state = { marks: {}, run: [], isOld: false, task: 1, ...read() };
const save = () => keep(KEPT, JSON.stringify(state));

const code = fileEditor(at("code"), {
  name: "mine.py",
  key: "purembts.mine",
  start: startingText,
  label: "Your file mine.py",
  help: "keys",
  onchange: changed,
  onrun: () => mark([shown]),
});

function changed() {
  state.isOld = state.run.length > 0;
  at("old").hidden = !state.isOld;
  save();
}

function startingText() {
  const heads = tasks.map(({ number, title }) => `# Task ${number}: ${title}\n\n\n`);
  return (
    "# Write the words of the tasks here, all in this one file.\n" +
    "# The others come from purembts. They are not marked.\n" +
    `import random\n\nfrom purembts import *\n\n\n${heads.join("\n")}`
  );
}

// The tasks

function numberView({ number, title }) {
  const status = state.marks[number]?.status ?? "";
  return html`
    <a
      href="#task=${number}"
      class="button ${status.replaceAll(" ", "-")}"
      title=${title}
      aria-label="Task ${number}: ${title}${status && `, ${status}`}"
      aria-current=${number === shown ? "true" : nothing}
    >${number}${SIGNS[status] ? html`&nbsp;<span aria-hidden="true">${SIGNS[status]}</span>` : nothing}</a>`;
}

// Show the task that the address names, and its place in the editor.
function showTask() {
  const number = Number(location.hash.match(/^#task=(\d+)/)?.[1] ?? state.task);
  const task = tasks.find((each) => each.number === number) ?? tasks[0];
  shown = state.task = task.number;
  save();
  at("task-title").textContent = `Task ${task.number}: ${task.title}`;
  for (const each of tasks) each.text.hidden = each !== task;
  at("task").scrollTop = 0;
  at("mark").textContent = `Mark task ${task.number}`;
  document.title = `Task ${task.number}: ${task.title}: purembts`;
  draw();
  const heads = code.value.split("\n").map((line) => line.match(/^# Task (\d+)\b/)?.[1]);
  const line = heads.indexOf(String(task.number));
  if (line >= 0) code.show(line + 1);
}

// Marking

// The marks so far, in the order in which they came.
const marks = () => state.run.map((number) => state.marks[number]);

function draw() {
  render(tasks.map(numberView), at("numbers"));
  render(marks().map(markView), at("list"));
  at("marks").hidden = !state.run.length;
  at("old").hidden = !state.isOld;
}

// A mark in words; each word of the task is on a line of its own.
function markView({ task, status, message }) {
  const { title } = tasks.find(({ number }) => number === task);
  return html`
    <li class="mark ${status.replaceAll(" ", "-")}">
      <h3>Task ${task}: ${title}: <span>${status}</span></h3>
      ${linesView(message.split(/(?<=\.) (?=`\w+`: )/))}
    </li>`;
}

const linesView = (lines) => lines.map((line) => html`<p>${linked(line)}</p>`);

// A text with `code`, in which each line of the file is a button that goes there.
const linked = (text) => withLines(text, (line) => code.goTo(line), ticked);
const ticked = (text) => text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? html`<code>${part}</code>` : part));

// Say what is in the way, and mark its line.
function tell(message) {
  render(linked(message), at("trouble"));
  code.mark(lineIn(message));
}

// Say what is marked; "" says that nothing is. The buttons keep the focus meanwhile.
function busy(text) {
  work = text && "marks";
  if (!work && document.activeElement === at("stop")) at("mark").focus();
  at("busy").textContent = text;
  at("stop").hidden = !work;
  for (const name of ["mark", "mark-all"]) at(name).setAttribute("aria-disabled", Boolean(work));
}

// Mark these tasks of the text as it is now, and show each mark as it comes.
async function mark(numbers) {
  if (work) return wait();
  const source = code.value;
  isStopped = false;
  tell("");
  say("");
  Object.assign(state, { run: [], isOld: false });
  draw();
  render(nothing, at("lines"));
  busy("Python starts …");
  try {
    await ready;
    while (state.run.length < numbers.length && !isStopped) {
      await markSome(source, numbers.slice(state.run.length), (found) => {
        state.marks[found.task] = found;
        state.run.push(found.task);
        state.isOld = code.value !== source;
        if (/wrong|not finished/.test(found.status)) code.mark(lineIn(found.message));
        save();
        draw();
        at("list").lastElementChild.scrollIntoView({ block: "nearest" });
        sayMark(found);
      });
    }
    if (!isStopped) render(linesView((await call("mark_lines", { marks: marks() })).lines), at("lines"));
  } catch (error) {
    if (!isStopped && !error.isMissing) tell(error.message);
  }
  busy("");
}

function sayMark({ task, status, message }) {
  say(`Task ${task}: ${status}. ${status === "right" ? "" : message.replaceAll("`", "")}`);
}

// Mark tasks until the last one, or until one hangs or ends Python: then Python starts anew.
async function markSome(source, numbers, onMark) {
  let timer;
  let late;
  let isLate = false;
  const end = () => {
    isLate = true;
    restart();
  };
  const onStep = (step) => {
    clearTimeout(timer);
    if (!step.begins) return onMark(step);
    late = step.late;
    busy(`Task ${step.begins} is marked …`);
    timer = setTimeout(end, 1000 * (LIMIT + GRACE));
  };
  try {
    await stream("mark", { source, tasks: numbers, limit: LIMIT }, onStep).done;
  } catch (error) {
    if (!isLate && !(error.isFatal && late)) throw error;
    busy("Python starts again …");
    await ready;
    onMark(isLate ? late : { ...late, status: "wrong", message: ended(error) });
  } finally {
    clearTimeout(timer);
  }
}

// The reason of a mark where the code has ended Python itself.
const ended = (error) =>
  `Python was ended by an error (${error.message}). ` +
  "Perhaps the code needs too much memory, or calls itself too deep.";

// Say that Python does one thing at a time.
function wait() {
  const said = {
    line: "Your line at the prompt is still running. Wait for it, or stop it.",
    marks: "Your tasks are still being marked. Wait for the marks, or stop.",
  };
  tell(said[work]);
}

// End the marking. The marks so far stay.
function stop() {
  isStopped = true;
  tell("");
  say("Stopped.");
  restart();
}

// The prompt

const log = []; // lines and answers, as they are shown
const lines = [];
let back = 0;

async function tryIt(event) {
  event.preventDefault();
  const text = at("line").value.trim();
  if (work) return wait();
  if (!text) return;
  lines.push(text);
  back = lines.length;
  at("line").value = "";
  show("line", text);
  work = "line";
  at("end").hidden = false;
  let timer;
  try {
    await ready;
    timer = setTimeout(restart, 1000 * (LIMIT + GRACE));
    const args = { source: code.value, text, limit: LIMIT };
    const { output, error, trouble } = await call("line_output", args);
    if (output) show("", output.trimEnd());
    if (error) show("bad", error);
    if (trouble) show("bad", trouble);
  } catch (error) {
    show("bad", error.isFatal ? ended(error) : error.message);
  }
  clearTimeout(timer);
  work = "";
  if (document.activeElement === at("end")) at("line").focus();
  at("end").hidden = true;
}

function show(kind, text) {
  log.push(html`<pre class=${kind}>${kind === "bad" ? linked(text) : text}</pre>`);
  render(log, at("log"));
  at("log").hidden = false;
  at("log").scrollTop = at("log").scrollHeight;
}

// The lines before, by the keys up and down.
function goBack(event) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  back = Math.max(0, Math.min(lines.length, back + by));
  at("line").value = lines[back] ?? "";
}

// Start

at("mark").addEventListener("click", () => mark([shown]));
at("mark-all").addEventListener("click", () => mark(tasks.map(({ number }) => number)));
at("stop").addEventListener("click", stop);
at("end").addEventListener("click", restart);
at("try").addEventListener("submit", tryIt);
at("line").addEventListener("keydown", goBack);
addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#task=")) return;
  showTask();
  at("task-title").focus();
});
addEventListener("storage", (event) => event.key === KEPT && Object.assign(state, read()));

showTask();
showLoading(at("loading"));
// Without tasks, nothing is marked, but Python reads what it needs to mark.
ready.then(() => stream("mark", { source: "", tasks: [] }, () => {}).done).catch(() => {});
