// The choice of a game, its rules, its seed, its players, and an editor for a game of one's own.
import { call, restart } from "./python.js";
import { at, element, field, options } from "./dom.js";
import { fileEditor } from "./file.js";
import { linkText, newSeed } from "./address.js";

const OWN = "own"; // the name of a game that a person wrote
const NUMBERS = { uct: 2000, flat: 500 };
const PLAYERS = {
  person: "a person",
  easy: "easy",
  medium: "medium",
  hard: "hard",
  uct: "uct, a tree search",
  flat: "flat, random games",
  perfect: "perfect play",
  random: "random moves",
};

// Controls for the player of a seat. `changed` gets the name, for example "uct:2000". A constant of the
// bound, which an address may have, stays: "uct:2000,c=0.5".
function seat(index, name, changed) {
  const [kind, rest = ""] = name.split(":");
  const [number, ...constant] = rest.split(",");
  const select = element("select", {}, ...options(Object.entries(PLAYERS), kind));
  const count = element("input", { type: "number", min: "1", max: "1000000", required: true });
  count.value = number || (NUMBERS[kind] ?? "");
  const counted = field(kind === "flat" ? "Games" : "Dives", count);
  counted.hidden = !(kind in NUMBERS);
  select.addEventListener("change", () => {
    const usual = NUMBERS[select.value];
    changed(usual ? `${select.value}:${usual}` : select.value);
  });
  count.addEventListener("change", () => {
    if (count.reportValidity()) changed(`${kind}:${[Number(count.value), ...constant]}`);
  });
  return element("div", { class: "row seat" }, field(`Player ${index + 1}`, select), counted);
}

// The control of a rule with this usual value: a choice for True and False, otherwise a text.
function ruleInput(usual, value) {
  const isChoice = ["True", "False"].includes(usual);
  const size = Math.max(4, Math.min(24, usual.length + 1));
  const made = isChoice
    ? element("select", {}, ...options([["True", "True"], ["False", "False"]]))
    : element("input", { type: "text", size, autocomplete: "off", spellcheck: "false" });
  made.value = isChoice ? value[0].toUpperCase() + value.slice(1).toLowerCase() : value;
  return made;
}

// The controls of a game; `games` are the facts of all games.
export class Setup {
  inputs = new Map();
  own = at("own");

  constructor(play, games) {
    this.play = play;
    const titles = [...games.map(({ game, title }) => [game, title]), [OWN, "Your own game"]];
    const about = { id: "game", "aria-label": "Game", onchange: () => this.pick() };
    this.game = element("select", about, ...options(titles));
    const again = { class: "primary", onclick: () => this.again() };
    at("choice").replaceChildren(this.game, element("button", again, "New game"));
    at("setup").hidden = false;
    this.code = fileEditor(this.own, {
      name: "game.py",
      key: "purembts.own",
      start: () => at("example").textContent,
      label: "The code of your game",
      help: "about-code",
      onrun: () => this.playOwn(),
    });
    at("play-own").addEventListener("click", () => this.playOwn());
    at("stop").addEventListener("click", restart); // code may have an endless loop
    at("next").addEventListener("submit", (event) => this.submitted(event));
    at("options").addEventListener("toggle", () => this.offerPerfect());
    play.addEventListener("scene", () => this.follow());
  }

  // Show the facts of the game that is played.
  follow() {
    const { link, scene } = this.play;
    at("rules").textContent = scene.about;
    this.game.value = link.game;
    at("seed").value = link.seed;
    at("start").value = link.start;
    this.own.hidden = link.game !== OWN;
    this.showSeats(link);
    this.showRules(link, scene.usual_rules);
  }

  showSeats({ players }) {
    const key = players.join();
    if (at("seats").dataset.key === key) return;
    at("seats").dataset.key = key;
    const seats = players.map((name, i) => seat(i, name, (next) => this.seatChanged(i, next)));
    at("seats").replaceChildren(...seats);
    this.offerPerfect();
  }

  // Offer perfect play where it is known quickly; the players are seldom looked at.
  async offerPerfect() {
    if (!at("options").open || !this.play.link) return;
    const link = { ...this.play.link, moves: [] };
    const facts = await call("kinds", { link }).catch(() => null);
    for (const option of at("seats").querySelectorAll("option[value=perfect]")) {
      option.hidden = option.disabled = facts?.usual !== "exact" && !option.selected;
    }
  }

  // Let another player have a seat; the moves so far stay.
  async seatChanged(index, name) {
    const players = this.play.link.players.with(index, name);
    at("seats").dataset.key = "";
    if (!(await this.play.open({ ...this.play.link, players }))) this.showSeats(this.play.link);
  }

  // The fields of the rules, which keep what is typed in them as long as the game is the same.
  showRules({ game, rules, source }, usual) {
    const key = [game, source, ...rules].join("\n");
    if (at("fields").dataset.key === key) return;
    at("fields").dataset.key = key;
    const own = new Map(rules.map((rule) => rule.split(/=(.*)/s)));
    this.usual = usual;
    const inputs = Object.entries(usual).map(([name, value]) => [name, ruleInput(value, own.get(name) ?? value)]);
    this.inputs = new Map(inputs);
    const fields = [...this.inputs].map(([name, input]) => field(name, input));
    const none = element("p", { class: "note" }, "This game has one form of its rules.");
    at("fields").replaceChildren(...(fields.length ? fields : [none]));
  }

  // A link of an address with the code of one's own game. The page shows which game it is.
  chosen(link) {
    if ([...this.game.options].some(({ value }) => value === link.game)) this.game.value = link.game;
    this.own.hidden = link.game !== OWN;
    this.own.open ||= !link.moves;
    return link.game === OWN ? { ...link, source: this.code.value } : link;
  }

  // Put the cursor into a line of the code.
  goTo(line) {
    this.own.hidden = false;
    this.own.open = true;
    this.code.goTo(line);
  }

  // A new game of the kind that is chosen.
  again() {
    const isSame = this.game.value === this.play.link?.game && !this.play.isShut;
    return isSame ? this.begin(newSeed()) : this.pick();
  }

  // Begin another game, with its usual rules and players.
  pick() {
    return this.opened(this.chosen({ game: this.game.value, seed: newSeed() }));
  }

  // Play the code in the editor, and show the board, which may be far below it.
  async playOwn() {
    if (await this.pick()) at("stage").scrollIntoView({ block: "nearest" });
  }

  submitted(event) {
    event.preventDefault();
    this.begin(at("seed").value.trim(), at("start").value.trim());
  }

  // Begin the game with the rules in the fields; the players stay.
  begin(seed, start = this.play.link.start) {
    const { game, players, source } = this.play.link;
    const values = [...this.inputs].map(([key, input]) => [key, input.value.trim()]);
    const rules = values.filter(([key, value]) => value !== this.usual[key]).map((pair) => pair.join("="));
    return this.opened({ game, players, source, seed, start, rules });
  }

  // Open a new game. The one before it stays in the history of the browser. It stays on the page, too,
  // if the new one is refused; but code that fails has no other game under its error.
  async opened(link) {
    const before = location.hash;
    this.play.trouble({ message: "" }); // what was said of the game before
    history.pushState(null, "", linkText(link));
    if (await this.play.open(link)) return true;
    if (link.game === OWN && this.play.error) this.play.shut(this.play.error);
    else history.replaceState(null, "", before);
    if (this.play.link && !this.play.isShut) this.game.value = this.play.link.game;
    return false;
  }
}
