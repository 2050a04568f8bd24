// An editor for Python: a plain one at once, and in its place the one of CodeMirror when it is seen and
// has come.
import { element } from "./dom.js";

function plainEditor(box, { label, help, onchange = () => {}, onrun }) {
  const named = { "aria-label": label, "aria-describedby": help };
  const text = element("textarea", { ...named, wrap: "off", spellcheck: "false", autocapitalize: "off" });
  text.addEventListener("input", () => onchange(text.value));
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onrun();
  });
  box.replaceChildren(text);
  const rows = () => text.value.split("\n");
  const show = (line) => (text.scrollTop = ((line - 1) * text.scrollHeight) / rows().length);
  return {
    get value() {
      return text.value;
    },
    set value(value) {
      text.value = value;
      text.rows = rows().length;
    },
    focus: () => text.focus(),
    show,
    goTo(line) {
      const start = rows().slice(0, line - 1).join("\n").length + (line > 1);
      text.setSelectionRange(start, start + (rows()[line - 1] ?? "").length);
      show(line);
      text.focus();
    },
    mark() {},
  };
}

// An editor in `place`. `label` is its name, and `help` the id of a text about its keys. `onchange`
// is called with each new text, and `onrun` by Ctrl-Enter. The answer has these members:
// - `value`, the text; `onchange` is not called where it is set;
// - `show(line)` shows a line at the top of the editor, which stays where it is on the page;
// - `goTo(line)` puts the cursor into it, and `focus()` where it was;
// - `mark(line)` marks a line too; without one, it takes all marks away.
export function editor(place, options) {
  const box = element("div", { class: "editor" });
  const trouble = element("p", { class: "error", role: "alert" });
  place.replaceChildren(box, trouble);
  let code = plainEditor(box, options);
  let top = 1;

  // The number makes a script that did not come another one for the browser, and the same for the site.
  async function load(tries) {
    const again = element("button", { onclick: () => load(tries + 1) }, "Try again");
    trouble.replaceChildren();
    try {
      const { richEditor } = await import(`./codemirror.js#${tries}`);
      const { value } = code;
      const hasFocus = box.contains(document.activeElement);
      box.replaceChildren();
      code = richEditor(box, options);
      code.value = value;
      code.show(top);
      if (hasFocus) code.focus();
    } catch {
      trouble.replaceChildren("This editor is a plain one: js/codemirror.js did not come. ", again);
    }
  }
  const seen = new ResizeObserver(() => {
    if (!box.clientHeight) return;
    seen.disconnect();
    load(0);
  });
  seen.observe(box);
  return {
    get value() {
      return code.value;
    },
    set value(value) {
      code.value = value;
    },
    focus: () => code.focus(),
    show: (line) => code.show((top = line)),
    goTo: (line) => code.goTo(line),
    mark: (line) => code.mark(line),
  };
}
