// A game that a person wrote: the editor, and the question before code from a link runs.
import { at } from "./dom.js";
import { kept } from "./kept.js";

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

// True when the code of `link` may run: it is the code that this browser keeps, or the person has read it
// and pressed the button. It may not if the person chooses another game or address.
export function askFirst(gate, play, link) {
  if (accepted.has(link.source) || link.source === kept(KEPT)) return true;
  play.shut();
  at("gate-code").textContent = link.source;
  gate.hidden = false;
  return new Promise((resolve) => {
    const listening = new AbortController();
    const answer = (isYes) => () => {
      gate.hidden = true;
      listening.abort();
      if (isYes) accept(link.source);
      resolve(isYes);
    };
    addEventListener("hashchange", answer(false), listening);
    play.addEventListener("scene", answer(false), listening);
    at("gate-run").addEventListener("click", answer(true), listening);
  });
}
