// An editor for Python, by CodeMirror: Tab indents, and the lines of errors are marked.
import {
  classHighlighter,
  Decoration,
  defaultKeymap,
  EditorState,
  EditorView,
  history,
  historyKeymap,
  indentOnInput,
  indentUnit,
  indentWithTab,
  keymap,
  lineNumbers,
  pythonLanguage,
  StateEffect,
  StateField,
  syntaxHighlighting,
} from "./codemirror.js";

const LEAVING = 60_000; // the milliseconds after Escape in which Tab leaves

// The start of a line to mark; null takes all marks away, as each change of the text does.
const marking = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(lines, { docChanged, effects }) {
    const starts = effects.filter((each) => each.is(marking)).map(({ value }) => value);
    const add = starts.filter((at) => at !== null).map((at) => LINE.range(at));
    return (docChanged || starts.includes(null) ? Decoration.none : lines).update({ add, sort: true });
  },
  provide: (field) => EditorView.decorations.from(field),
});
const LINE = Decoration.line({ class: "wrong" });

const PYTHON = [
  pythonLanguage,
  syntaxHighlighting(classHighlighter),
  lineNumbers(),
  history(),
  indentUnit.of("    "),
  indentOnInput(),
  marks,
  EditorView.domEventHandlers({ focus: (_, view) => view.setTabFocusMode(false) }),
];

// Let Tab leave the editor; the next other key ends that.
function leave(view) {
  view.setTabFocusMode(LEAVING);
  return true;
}

// An editor in `place`. `label` is its name, and `help` the id of a text about its keys. `onchange`
// is called with each new text, and `onrun` by Ctrl-Enter.
export function editor(place, { label, help, onchange = () => {}, onrun }) {
  const run = () => {
    onrun();
    return true;
  };
  const described = help && { "aria-describedby": help };
  const extensions = [
    ...PYTHON,
    keymap.of([
      { key: "Mod-Enter", run },
      { key: "Escape", run: leave },
      indentWithTab,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, ...described }),
    EditorView.updateListener.of((update) => update.docChanged && onchange(`${update.state.doc}`)),
  ];
  place.classList.add("editor");
  const view = new EditorView({ parent: place, extensions });
  const startOf = (line) => view.state.doc.line(Math.min(line, view.state.doc.lines)).from;
  return {
    get value() {
      return `${view.state.doc}`;
    },
    // Show another text, without a call of `onchange`.
    set value(doc) {
      view.setState(EditorState.create({ doc, extensions }));
    },
    focus: () => view.focus(),
    // Show line number `line` at the top of the editor, which stays where it is on the page.
    show(line) {
      const read = () => view.lineBlockAt(startOf(line)).top;
      view.requestMeasure({ read, write: (top) => (view.scrollDOM.scrollTop = top) });
    },
    // Put the cursor into line number `line`.
    goTo(line) {
      const anchor = startOf(line);
      const effects = EditorView.scrollIntoView(anchor, { y: "center" });
      view.dispatch({ selection: { anchor }, effects });
      view.focus();
    },
    // Mark line number `line` too; without one, take all marks away.
    mark: (line) => view.dispatch({ effects: marking.of(line ? startOf(line) : null) }),
  };
}
