// A game that a person wrote: the editor, and the question before code from a link runs.
import { element } from "./dom.js";

export const OWN = "own"; // the name of such a game
export const KEPT = "purembts.own"; // its name in what the browser keeps
const accepted = new Set();

// The person has pressed a button that runs this code.
export function accept(source) {
  accepted.add(source);
}

// The game that is in the docs, to begin with.
export async function example() {
  const response = await fetch("own_game.txt").catch(() => null);
  if (response?.ok) return response.text();
  throw new Error("The example must come from the site, and it does not. Are you offline?");
}

const MAY =
  "The code can compute, and choose the texts and pictures of this game. It cannot reach other " +
  "hosts, other parts of the page, or what your browser keeps for this site. Until you open the page " +
  "again, it can change what other games show here. If it takes too long, you can stop it.";

// True when the code of `link` may run: the person has read it and pressed the button.
export function askFirst(gate, play, link) {
  if (accepted.has(link.source)) return true;
  play.shut();
  return new Promise((resolve) => {
    const answer = (isYes) => {
      gate.hidden = true;
      gate.replaceChildren();
      if (isYes) accept(link.source);
      removeEventListener("hashchange", other);
      play.removeEventListener("scene", other);
      resolve(isYes);
    };
    const other = () => answer(false);
    addEventListener("hashchange", other);
    play.addEventListener("scene", other); // the person has chosen another game
    gate.hidden = false;
    gate.replaceChildren(
      element("h2", { id: "gate-title" }, "This link brings code. Read it, then run it."),
      element("p", {}, MAY),
      element("pre", { class: "code", tabindex: "0", "aria-label": "The code" }, link.source),
      element(
        "div",
        { class: "row" },
        element("button", { class: "primary", onclick: () => answer(true) }, "Run this code"),
      ),
    );
  });
}
