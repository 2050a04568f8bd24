// The page of all games: it puts the game, the board, the moves and the panels together.
import { ready } from "./python.js";
import { showLoading } from "./loading.js";
import { at, lineIn, say, withLines } from "./dom.js";
import { newSeed, parsed } from "./address.js";
import { Play } from "./game.js";
import { Board } from "./board.js";
import { mountMoves } from "./moves.js";
import { mountHistory } from "./history.js";
import { isMeant } from "./keys.js";
import { mountCover } from "./cover.js";
import { mountSearch } from "./search.js";
import { mountGraph } from "./graph.js";
import { Setup } from "./setup.js";

const PASS = "pass";
const TO_READ = 1500; // milliseconds in which a person reads that there is only a pass
const GAME = "shut-the-box"; // of an address without a game
const play = new Play();
let setup;
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

// The moves since the last turn of a person, the event and the status, in words.
function news({ scene, at }, from) {
  const lines = scene.history.slice(Math.min(from, at)).map((move) => move.line);
  return [...lines, scene.event].filter(Boolean).join(" ");
}

let newsFrom = 0;
let shownAt = 0;

// True if a strategy has just moved: what was said about the last action of the person stays.
function isReply({ scene, at, persons }) {
  const last = scene.history.at(-1);
  const isNext = at === shownAt + 1;
  shownAt = at;
  return isNext && Boolean(last) && !persons.includes(last.player);
}

function onScene() {
  const status = statusOf(play);
  if (!isReply(play)) at("trouble").textContent = "";
  document.querySelector("main").classList.remove("shut", "early");
  at("title").textContent = play.scene.title;
  at("event").textContent = play.scene.event;
  at("status").textContent = status;
  document.title = `${play.scene.title}: purembts`;
  passAlone(play);
  if (play.scene.strategy && !play.scene.is_over && play.isLast) return;
  say(`${news(play, newsFrom)} ${status}`.trim());
  newsFrom = play.at;
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

// If what had the focus is gone, the sentence of the turn gets it, so that a place is kept.
function keepFocus(before) {
  const { activeElement: now, body } = document;
  if (now === body && before !== body) at("status").focus({ preventScroll: true });
}

function onKey(event) {
  if (!isMeant(event) || play.isShut) return;
  const acts = { u: () => play.undo(), b: () => play.show(play.at - 1), f: () => play.show(play.at + 1) };
  const act = acts[event.key.toLowerCase()];
  if (!act || !play.scene) return;
  event.preventDefault();
  act();
}

// Say what went wrong in work that nobody waits for: a person has stopped Python, for example.
addEventListener("unhandledrejection", (event) => {
  if (!event.reason?.isStopped && !event.reason?.trace) return;
  event.preventDefault();
  tell(event.reason.message);
});

function start() {
  let focused;
  play.addEventListener("scene", () => (focused = document.activeElement));
  const board = new Board(at("board"), at("hint"), play);
  preview(board);
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
  setup = new Setup(play);
  mountSearch(at("search"), play);
  mountGraph(at("graph"), play);
  play.addEventListener("scene", () => keepFocus(focused));
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", openAddress);
  openAddress();
}

document.documentElement.classList.add("scripted");
start();
