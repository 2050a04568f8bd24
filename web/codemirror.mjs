// The editor with colours, by CodeMirror: Tab indents, and the lines of errors are marked. The build puts
// it with the parts of CodeMirror into js/codemirror.js, which js/editor.js loads when it is needed.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

export { EditorView };

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

// The editor in `box`; the arguments and the answer are those of js/editor.js.
export function richEditor(box, { label, help, onchange = () => {}, onrun }) {
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
  const view = new EditorView({ parent: box, extensions });
  const startOf = (line) => view.state.doc.line(Math.min(line, view.state.doc.lines)).from;
  return {
    get value() {
      return `${view.state.doc}`;
    },
    set value(doc) {
      view.setState(EditorState.create({ doc, extensions }));
    },
    focus: () => view.focus(),
    show(line) {
      const read = () => view.lineBlockAt(startOf(line)).top;
      view.requestMeasure({ read, write: (top) => (view.scrollDOM.scrollTop = top) });
    },
    goTo(line) {
      const anchor = startOf(line);
      const effects = EditorView.scrollIntoView(anchor, { y: "center" });
      view.dispatch({ selection: { anchor }, effects });
      view.focus();
    },
    mark: (line) => view.dispatch({ effects: marking.of(line ? startOf(line) : null) }),
  };
}
