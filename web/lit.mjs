// The parts of lit-html that the scripts use, which the build puts into js/lit.js.
export { html, nothing, render, svg } from "lit-html";
export { ref } from "lit-html/directives/ref.js";
export { repeat } from "lit-html/directives/repeat.js";
