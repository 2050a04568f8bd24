// The page of the workshop's tasks: their texts, an editor, its marks, and a prompt.
import { at, element, lineIn, say, withLines } from "./dom.js";
import { fileEditor } from "./file.js";
import { keep, textOf } from "./kept.js";
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
let isMarking = false;
let isTrying = false;
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
  state.isOld = Object.keys(state.marks).length > 0;
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

function linkOf({ number, title }) {
  const status = state.marks[number]?.status ?? "";
  return element(
    "a",
    {
      href: `#task=${number}`,
      class: status.replaceAll(" ", "-"),
      title,
      "aria-label": `Task ${number}: ${title}${status && `, ${status}`}`,
      "aria-current": number === shown ? "true" : null,
    },
    `${number}`,
    ...(SIGNS[status] ? [element("span", { "aria-hidden": "true" }, SIGNS[status])] : []),
  );
}

function showNumbers() {
  const focused = document.activeElement?.closest?.("#numbers a")?.getAttribute("href");
  at("numbers").replaceChildren(...tasks.map(linkOf));
  if (focused) at("numbers").querySelector(`[href="${focused}"]`)?.focus();
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
  showNumbers();
  const heads = code.value.split("\n").map((line) => line.match(/^# Task (\d+)\b/)?.[1]);
  const line = heads.indexOf(String(task.number));
  if (line >= 0) code.show(line + 1);
}

// Marking

// Say what is marked; "" says that nothing is. The buttons keep the focus meanwhile.
function busy(text) {
  isMarking = Boolean(text);
  if (!isMarking && document.activeElement === at("stop")) at("mark").focus();
  at("busy").textContent = text;
  at("stop").hidden = !isMarking;
  at("files").hidden = isMarking;
  for (const name of ["mark", "mark-all"]) at(name).setAttribute("aria-disabled", isMarking);
}

// Mark these tasks of the text as it is now, and show each mark as it comes.
async function mark(numbers) {
  if (isMarking || isTrying) return wait();
  const source = code.value;
  const marks = [];
  isStopped = false;
  at("trouble").textContent = "";
  say("");
  code.mark();
  state.isOld = false;
  showMarks([], numbers[0]);
  busy("Python starts …");
  try {
    await ready;
    while (marks.length < numbers.length && !isStopped) {
      await markSome(source, numbers.slice(marks.length), (found) => {
        marks.push(found);
        state.marks[found.task] = found;
        state.run = marks.map((each) => each.task);
        state.isOld = code.value !== source;
        if (/wrong|not finished/.test(found.status)) code.mark(lineIn(found.message));
        save();
        showMarks(marks, numbers[marks.length]);
        sayMark(found);
      });
    }
    if (!isStopped) showLines((await call("mark_lines", { marks })).lines);
  } catch (error) {
    if (!isStopped && !error.isMissing) tell(error.message);
  }
  at("list").querySelector(".pending")?.remove();
  at("marks").hidden = !marks.length;
  busy("");
}

// Say why the file cannot be marked, and mark its line.
function tell(message) {
  at("trouble").replaceChildren(...linked(message));
  code.mark(lineIn(message));
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
  at("trouble").textContent = isTrying
    ? "Your line at the prompt is still running. Wait for it, or stop it."
    : "Your tasks are still being marked. Wait for the marks, or stop.";
}

// End the marking. The marks so far stay.
function stop() {
  isStopped = true;
  at("trouble").textContent = "";
  say("Stopped.");
  restart();
}

// A mark in words; each word of the task is on a line of its own.
function markElement({ task, status, message }) {
  const title = tasks.find(({ number }) => number === task).title;
  const verdict = status === "pending" ? "…" : status;
  return element(
    "li",
    { class: `mark ${status.replaceAll(" ", "-")}` },
    element("h3", {}, `Task ${task}: ${title}: `, element("span", {}, verdict)),
    ...message.split(/(?<=\.) (?=`\w+`: )/).map((line) => element("p", {}, ...linked(line))),
  );
}

// A text with `code`, in which each line of the file is a button that goes there.
const linked = (text) => withLines(text, (line) => code.goTo(line), ticked);
const ticked = (text) =>
  text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? element("code", {}, part) : part));

// Show these marks, and the task that is marked now.
function showMarks(marks, pending) {
  at("marks").hidden = false;
  at("old").hidden = !state.isOld;
  at("lines").replaceChildren();
  const next = { task: pending, status: "pending", message: "" };
  at("list").replaceChildren(...[...marks, ...(pending ? [next] : [])].map(markElement));
  at("list").lastElementChild.scrollIntoView({ block: "nearest" });
  showNumbers();
}

function sayMark({ task, status, message }) {
  say(`Task ${task}: ${status}. ${status === "right" ? "" : message.replaceAll("`", "")}`);
}

function showLines(lines) {
  at("lines").replaceChildren(...lines.map((line) => element("p", {}, ...linked(line))));
}

// The prompt

const lines = [];
let back = 0;

async function tryIt(event) {
  event.preventDefault();
  const text = at("line").value.trim();
  if (isMarking || isTrying) return wait();
  if (!text) return;
  lines.push(text);
  back = lines.length;
  at("line").value = "";
  log("line", text);
  isTrying = true;
  at("end").hidden = false;
  let timer;
  try {
    await ready;
    timer = setTimeout(restart, 1000 * (LIMIT + GRACE));
    const args = { source: code.value, text, limit: LIMIT };
    const { output, error, trouble } = await call("line_output", args);
    if (output) log("", output.trimEnd());
    if (error) log("bad", error);
    if (trouble) log("bad", trouble);
  } catch (error) {
    log("bad", error.isFatal ? ended(error) : error.message);
  }
  clearTimeout(timer);
  isTrying = false;
  if (document.activeElement === at("end")) at("line").focus();
  at("end").hidden = true;
}

function log(kind, text) {
  at("log").hidden = false;
  at("log").append(element("pre", { class: kind }, ...(kind === "bad" ? linked(text) : [text])));
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

at("old").hidden = !state.isOld;
showTask();
at("marks").hidden = !state.run.length;
at("list").replaceChildren(...state.run.map((number) => markElement(state.marks[number])));
showLoading(at("loading"));
// Without tasks, nothing is marked, but Python reads what it needs to mark.
ready.then(() => stream("mark", { source: "", tasks: [] }, () => {}).done).catch(() => {});
