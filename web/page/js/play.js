// The page of all games: it puts the game, the board, the moves and the panels together.
import { call, ready, restart } from "./python.js";
import { die } from "./dice.js";
import { say } from "./dom.js";
import { newSeed, parsed } from "./link.js";
import { Play } from "./game.js";
import { mountBoard } from "./board.js";
import { mountMoves } from "./moves.js";
import { mountHistory } from "./history.js";
import { mountSetup } from "./setup.js";
import { askFirst } from "./own.js";
import { mountCover } from "./cover.js";

const place = (id) => document.getElementById(id);
const play = new Play();
const usual = () => ({ game: "shut-the-box", seed: newSeed() });

// The sentence that says whose turn it is, or how the game ended.
function statusOf({ scene, at, isLast, link }) {
  const past = isLast ? "" : `Position ${at} of ${link.moves.length}. `;
  if (scene.is_over) return past + scene.outcome;
  if (scene.strategy) return `${past}${scene.who} (${scene.strategy}) is to move.`;
  return past + (scene.who === "You" ? "Your turn." : `${scene.who} is to move.`);
}

// The moves since the last turn of a person, the event and the status, in words.
function news({ scene, at }, from) {
  const lines = scene.history.slice(Math.min(from, at)).map((move) => move.line);
  return [...lines, scene.event].join(" ");
}

let told = 0;

function onScene() {
  const status = statusOf(play);
  place("trouble").textContent = "";
  place("loading")?.remove();
  place("event").replaceChildren(...play.scene.dice.map(die), play.scene.event);
  place("status").textContent = status;
  document.title = `${play.scene.title}: purembts`;
  if (play.scene.strategy && !play.scene.is_over && play.isLast) return;
  say(`${news(play, told)} ${status}`.trim());
  told = play.at;
}

// Open the link in the address; code in it runs only after the person says so.
async function openAddress() {
  const link = parsed(location.hash) ?? usual();
  if (link.source && !(await askFirst(place("gate"), play, link))) return;
  told = 0;
  if ((await play.open(link)) || play.scene) return;
  const trouble = place("trouble").textContent;
  await play.open(usual());
  place("trouble").textContent = trouble;
}

function onKey(event) {
  const typing = event.target.closest("input, select, textarea, dialog");
  if (event.defaultPrevented || typing || event.ctrlKey || event.altKey || event.metaKey) return;
  const acts = { u: () => play.undo(), b: () => play.show(play.at - 1), f: () => play.show(play.at + 1) };
  const act = acts[event.key.toLowerCase()];
  if (!act || !play.scene) return;
  event.preventDefault();
  act();
}

const PATIENCE = 3000; // milliseconds, after which a person may stop Python

// Let a person stop Python when a position takes long: code with an endless loop, for example.
function letStop() {
  const open = play.open.bind(play);
  let waits = 0;
  play.open = async (...position) => {
    waits += 1;
    const timer = setTimeout(() => (place("busy").hidden = false), PATIENCE);
    const isOpen = await open(...position);
    clearTimeout(timer);
    waits -= 1;
    if (!waits) place("busy").hidden = true;
    return isOpen;
  };
  place("stop").addEventListener("click", restart);
}

// A panel of another module, if there is one.
async function mountPanel(name) {
  try {
    const { mount } = await import(`./${name}.js`);
    place(name).hidden = false;
    mount(place(name), play);
  } catch (error) {
    place(name).hidden = true;
    console.info(`${name}: ${error.message}`);
  }
}

async function start() {
  play.addEventListener("scene", onScene);
  play.addEventListener("trouble", ({ message }) => (place("trouble").textContent = message));
  letStop();
  mountCover(play);
  mountBoard(place("board"), place("hint"), play);
  mountMoves(place("moves"), play);
  mountHistory(place("history"), play);
  await Promise.all(["think", "learn", "costs"].map(mountPanel));
  document.addEventListener("keydown", onKey);
  try {
    await ready;
    mountSetup(place("setup"), play, await call("games"));
    await openAddress();
    addEventListener("hashchange", openAddress);
  } catch (error) {
    place("loading")?.remove();
    place("trouble").textContent = `Python did not start: ${error.message}`;
  }
}

document.documentElement.classList.add("scripted");
start();
