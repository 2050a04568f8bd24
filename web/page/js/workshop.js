// The tasks of the workshop, read from the Markdown of its documentation.
import { element } from "./dom.js";

const HEAD = /^## Task (\d+): (.*)$/;
const PART = /^\*\*([^*]+)\.\*\* ?(.*)$/;
const MARKER = /`purembts check mine\.py --task \d+`/;
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)]+)\)/g;

// The tasks in a text: {number, title, parts}. A part is {title, blocks}.
export function tasksIn(markdown) {
  const tasks = [];
  let lines = null;
  for (const line of markdown.split("\n")) {
    const head = line.match(HEAD);
    if (head) tasks.push({ number: Number(head[1]), title: head[2], lines: (lines = []) });
    else if (line.startsWith("## ")) lines = null;
    else lines?.push(line);
  }
  return tasks.map(({ number, title, lines }) => ({ number, title, parts: partsOf(lines) }));
}

// The parts of a section, each with its blocks. A part begins with a title in bold.
function partsOf(lines) {
  const parts = [];
  for (const block of blocksOf(lines)) {
    const head = block.kind === "text" && block.lines[0].match(PART);
    if (head) parts.push({ title: head[1], blocks: [] });
    const rest = head ? { ...block, lines: [head[2], ...block.lines.slice(1)] } : block;
    if (rest.lines.join("")) parts.at(-1)?.blocks.push(rest);
  }
  return parts;
}

// Code, tables, items of lists and texts, each as {kind, lines}. Code may be part of an item.
function blocksOf(lines) {
  const blocks = [];
  let open = null;
  let margin = "";
  for (const line of lines) {
    const fence = line.trimStart().startsWith("```");
    if (open?.kind === "code") {
      if (fence) open = null;
      else open.lines.push(line.slice(margin.length));
    } else if (line === "") {
      open = null;
    } else {
      const kind = fence ? "code" : line[0] === "|" ? "table" : "text";
      const isItem = line.startsWith("- ");
      if (fence) margin = line.match(/^ */)[0];
      if (!open || fence || isItem) {
        open = { kind: isItem ? "item" : kind, lines: [] };
        blocks.push(open);
      }
      if (!fence) open.lines.push(line.replace(/^- /, "").replace(/^ {2}/, ""));
    }
  }
  return blocks;
}

// A text with `code`, **bold**, *stress* and [links](to) as nodes.
export function inline(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    nodes.push(text.slice(from, found.index));
    const [whole, code, bold, stress, link, to] = found;
    if (code) nodes.push(element("code", {}, code));
    else if (bold) nodes.push(element("strong", {}, ...inline(bold)));
    else if (stress) nodes.push(element("em", {}, ...inline(stress)));
    else nodes.push(element("a", { href: addressOf(to) }, ...inline(link)));
    from = found.index + whole.length;
  }
  return [...nodes, text.slice(from)];
}

// The address in the built documentation that a link of a Markdown file means.
function addressOf(to) {
  return `docs/${to.startsWith("#") ? `workshop.html${to}` : to.replace(/\.md(?=#|$)/, ".html")}`;
}

function tableOf(lines) {
  const cellsOf = (line) => line.slice(1, -1).split("|").map((cell) => cell.trim());
  const [head, , ...rows] = lines.map(cellsOf);
  const cells = (tag, texts) =>
    texts.map((text) => element(tag, { scope: tag === "th" ? "col" : null }, ...inline(text)));
  return element(
    "div",
    { class: "table", tabindex: "0", role: "region", "aria-label": "The words" },
    element(
      "table",
      { class: "words" },
      element("thead", {}, element("tr", {}, ...cells("th", head))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells("td", row)))),
    ),
  );
}

// The elements of blocks.
function shown(blocks) {
  const made = [];
  for (const { kind, lines } of blocks) {
    const text = lines.join(kind === "text" || kind === "item" ? " " : "\n");
    if (kind === "code") made.push(element("pre", { tabindex: "0" }, text.trimEnd()));
    else if (kind === "table") made.push(tableOf(lines));
    else if (kind === "text") made.push(element("p", {}, ...inline(text)));
    else {
      if (made.at(-1)?.tagName !== "UL") made.push(element("ul"));
      made.at(-1).append(element("li", {}, ...inline(text)));
    }
  }
  return made;
}

const OWN = /^>>> def my_/m;
const OWN_NOTE =
  "Here the names begin with my_, so that the functions can be compared with those of the library. " +
  "In your file, leave out my_, and the marks >>> and ... at the prompt.";

// A note below the title of a part that has functions with names of their own.
function ownNote(blocks) {
  const isOwn = blocks.some(({ kind, lines }) => kind === "code" && OWN.test(lines.join("\n")));
  return isOwn ? [element("p", { class: "note" }, OWN_NOTE)] : [];
}

// The elements of a task: what to do and the words are open, and the other parts can be opened.
// `asked` is a text with the names to write; "" if they are not known yet.
export function taskElements({ number, title, parts }, asked) {
  const isOpen = ({ title }) => title === "Task" || title === "Mark it";
  const tables = parts.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "table"));
  const folded = parts.filter((part) => !isOpen(part)).map(({ title, blocks }) =>
    element(
      "details",
      {},
      element("summary", {}, title),
      ...ownNote(blocks),
      ...shown(blocks.filter(({ kind }) => kind !== "table")),
    ),
  );
  const blocksCalled = (name) => parts.find((part) => part.title === name)?.blocks ?? [];
  const anchor = `task-${number}-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  return [
    ...shown(blocksCalled("Task")),
    element("p", { id: "words" }, ...inline(asked)),
    ...shown(tables),
    ...shown(blocksCalled("Mark it").map(byButton)),
    ...folded,
    element(
      "p",
      { class: "quiet" },
      element("a", { href: `docs/workshop.html#${anchor}` }, "This task in the documentation"),
    ),
  ];
}

// A text that speaks of the page in the place of the command.
function byButton(block) {
  const whole = block.lines.join(" ");
  return { ...block, lines: [whole.replace(MARKER, "The page")] };
}
