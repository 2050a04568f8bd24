// The page of all games: it puts the game, the board, the moves and the panels together.
import { ready } from "./python.js";
import { showLoading } from "./loading.js";
import { at, lineIn, say, withLines } from "./dom.js";
import { newSeed, parsed } from "./address.js";
import { Play } from "./game.js";
import { Board } from "./board.js";
import { mountMoves } from "./moves.js";
import { mountHistory } from "./history.js";
import { mountKeys } from "./keys.js";
import { mountCover } from "./cover.js";
import { mountSearch } from "./search.js";
import { mountGraph } from "./graph.js";
import { Setup } from "./setup.js";

const PASS = "pass";
const TO_READ = 1500; // milliseconds in which a person reads that there is only a pass
const GAME = "shut-the-box"; // of an address without a game
const play = new Play();
const setup = new Setup(play);
let passing;

const mustPass = ({ moves }) => moves.length === 1 && moves[0].label === PASS;

// A pass that is the only move is made without being asked; behind a cover, a person makes it.
function passAlone({ scene, isLast, persons }) {
  clearTimeout(passing);
  const isCovered = scene.is_hidden && persons.length > 1;
  if (!mustPass(scene) || !isLast || isCovered) return;
  passing = setTimeout(() => play.scene === scene && play.play(PASS, { adds: false }), TO_READ);
}

// The sentence that says whose turn it is, or how the game ended.
function statusOf({ scene, at, isLast, link }) {
  const past = isLast ? "" : `Position ${at} of ${link.moves.length}. `;
  if (scene.is_over) return past + scene.outcome;
  if (mustPass(scene)) return `${past}${scene.who} must pass.`;
  if (scene.strategy) return `${past}${scene.who} (${scene.strategy}) is to move.`;
  return past + (scene.who === "You" ? "Your turn." : `${scene.who} is to move.`);
}

let newsFrom = 0;

// Say what happened since the last turn of a person, and whose turn it is.
function sayNews({ scene, at, isLast }, status) {
  if (scene.strategy && !scene.is_over && isLast) return;
  const lines = scene.history.slice(Math.min(newsFrom, at)).map((move) => move.line);
  say([...lines, scene.event, status].filter(Boolean).join(" "));
  newsFrom = at;
}

// The reply of a strategy leaves what was said about the last action of a person.
function onScene() {
  const { scene, persons } = play;
  const status = statusOf(play);
  if (!scene.history.length || persons.includes(scene.history.at(-1).player)) at("trouble").textContent = "";
  document.querySelector("main").classList.remove("shut", "early");
  at("title").textContent = scene.title;
  at("event").textContent = scene.event;
  at("status").textContent = status;
  document.title = `${scene.title}: purembts`;
  passAlone(play);
  sayNews(play, status);
}

// Open the link in the address.
async function openAddress() {
  const link = setup.chosen({ game: GAME, seed: newSeed(), ...parsed(location.hash) });
  newsFrom = 0;
  if (!(await play.open(link)) && play.error && !play.error.isMissing) play.shut(play.error);
}

// Say what went wrong, with a link to the line of a person's code.
function tell(message) {
  at("trouble").replaceChildren(...withLines(message, (line) => setup.goTo(line)));
  setup.code.mark(lineIn(message));
}

// Show the first position of a game before Python has come, if it depends on the game alone.
function preview(board) {
  const { game = GAME, rules, start, moves } = parsed(location.hash);
  const first = JSON.parse(at("first-boards").content.textContent)[game];
  at("level").hidden = first?.players === 1;
  if (first && !rules && !start && !moves) board.show(first);
}

// Hide the game that was shown.
function onShut() {
  clearTimeout(passing);
  document.querySelector("main").classList.add("shut");
  at("title").textContent = "Play and watch a game";
  for (const id of ["trouble", "event", "status"]) at(id).textContent = "";
}

// Say what went wrong in work that nobody waits for: a person has stopped Python, for example.
addEventListener("unhandledrejection", (event) => {
  if (!event.reason?.isStopped && !event.reason?.trace) return;
  event.preventDefault();
  tell(event.reason.message);
});

let focused;
play.addEventListener("scene", () => (focused = document.activeElement));
preview(new Board(at("board"), at("hint"), play));
showLoading(at("hint"));
play.addEventListener("scene", onScene);
play.addEventListener("shut", onShut);
play.addEventListener("trouble", ({ message }) => {
  tell(message);
  if (message) at("trouble").scrollIntoView({ block: "nearest" }); // far from a typed move
});
mountCover(play);
mountMoves(at("moves"), play);
mountHistory(at("history"), play);
mountSearch(at("search"), play);
mountGraph(at("graph"), play);
mountKeys(at("keys"), play);
// If what had the focus is gone, the sentence of the turn gets it, so that a place is kept.
play.addEventListener("scene", () => {
  const { activeElement, body } = document;
  if (activeElement === body && focused !== body) at("status").focus({ preventScroll: true });
});
addEventListener("hashchange", openAddress);
openAddress();
