// The parts of CodeMirror that js/editor.js uses, which the build puts into js/codemirror.js.
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { pythonLanguage } from "@codemirror/lang-python";
export { indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
export { EditorState, StateEffect, StateField } from "@codemirror/state";
export { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
export { classHighlighter } from "@lezer/highlight";
