// The choice of a game, its rules, its seed, its players, and an editor for a game of one's own.
import { call } from "./python.js";
import { at, element, field } from "./dom.js";
import { editor } from "./editor.js";
import { formatted, newSeed } from "./address.js";
import { accept, example, KEPT, OWN } from "./own.js";
import { keep, kept } from "./kept.js";

const NUMBERS = { uct: 2000, settle: 300, flat: 500 };
const PLAYERS = {
  person: "a person",
  easy: "easy",
  medium: "medium",
  hard: "hard",
  uct: "uct, a tree search",
  settle: "settle, with proofs",
  flat: "flat, random games",
  perfect: "perfect play",
  random: "random moves",
};
const CONSTANT = {
  type: "text",
  size: "6",
  placeholder: "usual",
  pattern: " *[cz] *= *[0-9]*[.]?[0-9]+ *",
  title: "the constant of its bound, for example c=0.5 for UCB1 or z=1 for the workshop's",
  spellcheck: "false",
};

// Controls for the player of a seat. `changed` gets the name, for example "uct:2000,c=0.5".
function seat(index, name, changed) {
  const [kind, rest = ""] = name.split(":");
  const [number, constant = ""] = rest.split(",");
  const select = element("select", {});
  for (const [value, text] of Object.entries(PLAYERS)) {
    select.append(element("option", { value, selected: value === kind }, text));
  }
  const count = element("input", { type: "number", min: "1", max: "1000000", required: true });
  count.value = number || (NUMBERS[kind] ?? "");
  const counted = field(kind === "flat" ? "Games" : "Dives", count);
  counted.hidden = !(kind in NUMBERS);
  const bound = element("input", { ...CONSTANT, value: constant });
  const bounded = field("Constant", bound);
  bounded.hidden = !["uct", "settle"].includes(kind);
  select.addEventListener("change", () => {
    const usual = NUMBERS[select.value];
    changed(usual ? `${select.value}:${usual}` : select.value);
  });
  const again = () => {
    if (!count.reportValidity() || !bound.reportValidity()) return;
    const more = bounded.hidden || !bound.value ? "" : `,${bound.value.replaceAll(" ", "")}`;
    changed(`${select.value}:${Number(count.value)}${more}`);
  };
  for (const input of [count, bound]) input.addEventListener("change", again);
  return element("div", { class: "row seat" }, field(`Player ${index + 1}`, select), counted, bounded);
}

// The control of a rule with this usual value: a choice for True and False, otherwise a text.
function ruleInput(usual, value) {
  const isChoice = ["True", "False"].includes(usual);
  const size = Math.max(4, Math.min(24, usual.length + 1));
  const made = isChoice
    ? element("select", {}, element("option", {}, "True"), element("option", {}, "False"))
    : element("input", { type: "text", size, autocomplete: "off", spellcheck: "false" });
  made.value = isChoice ? value[0].toUpperCase() + value.slice(1).toLowerCase() : value;
  return made;
}

// The rules that differ from the usual ones, as texts such as "size=6".
function rulesOf(inputs, usual) {
  return [...inputs]
    .filter(([key, input]) => input.value.trim() !== usual[key])
    .map(([key, input]) => `${key}=${input.value.trim()}`);
}

class Setup {
  inputs = new Map();

  constructor(place, choice, play, games) {
    Object.assign(this, { place, choice, play });
    this.make(games);
    play.addEventListener("scene", () => this.follow());
  }

  make(games) {
    const options = games.map(({ game, title }) => [game, title]);
    this.game = element("select", { id: "game", "aria-label": "Game", onchange: () => this.pick() });
    for (const [value, text] of [...options, [OWN, "Your own game"]]) {
      this.game.append(element("option", { value }, text));
    }
    this.seed = element("input", { type: "number", min: "0", max: `${Number.MAX_SAFE_INTEGER}`, required: true });
    this.start = element("input", { type: "text", size: "24", spellcheck: "false" });
    this.seats = element("div", { class: "seats" });
    this.rules = element("div", { class: "row" });
    this.about = element("p", { id: "rules" });
    this.rest = this.options();
    this.own = this.editor();
    const again = { class: "primary", onclick: () => this.again() };
    this.choice.replaceChildren(this.game, element("button", again, "New game"));
    this.place.replaceChildren(this.own, this.rest);
  }

  // The players, the rules, the seed and the first position, behind a summary.
  options() {
    const form = element(
      "form",
      { onsubmit: (event) => this.submitted(event) },
      element("h3", {}, "Rules of the next game"),
      this.rules,
      element(
        "details",
        {},
        element("summary", {}, "Another first position"),
        element(
          "p",
          { class: "note" },
          "Type a position as the game reads it, or moves from the usual first position.",
        ),
        field("First position", this.start),
      ),
      element(
        "div",
        { class: "row" },
        field("Seed", this.seed),
        element("button", { type: "submit" }, "Begin with this seed"),
      ),
    );
    return element(
      "details",
      { class: "options", ontoggle: () => this.offerPerfect() },
      element("summary", {}, "Rules, players and seed"),
      this.about,
      element("h3", {}, "Players"),
      this.seats,
      form,
    );
  }

  editor() {
    const place = element("div");
    this.code = editor(place, {
      label: "The code of your game",
      help: "about-code",
      onchange: (source) => this.isMine && keep(KEPT, source),
      onrun: () => this.runShown(),
    });
    const back = { hidden: true, onclick: () => this.undo() };
    this.back = element("button", back, "Undo: the code before");
    const run = { class: "primary", onclick: () => this.runShown() };
    return element(
      "details",
      { class: "panel own", hidden: true },
      element("summary", {}, "The code of your game"),
      element(
        "p",
        { id: "about-code", class: "note" },
        "A game is a few Python functions. ",
        element("a", { href: "docs/own_game.html" }, "A game of your own"),
        " explains them. The last Game in the code is played. ",
        "This browser keeps the code that you play. Ctrl-Enter plays it. Tab indents. To leave the ",
        "editor, press Esc and then Tab.",
      ),
      place,
      element(
        "div",
        { class: "row" },
        element("button", run, "Play this game"),
        element("button", { onclick: () => this.reset() }, "Back to the example"),
        this.back,
      ),
    );
  }

  // Show the facts of the game that is played.
  follow() {
    const { link, scene } = this.play;
    this.about.textContent = scene.about;
    this.game.value = link.game;
    this.seed.value = link.seed;
    this.start.value = link.start;
    this.own.hidden = link.game !== OWN;
    if (link.game === OWN && link.source !== this.source) this.edit(link.source);
    this.source = link.source;
    this.showSeats(link);
    this.showRules(link, scene.usual_rules);
  }

  // Put code into the editor. It is kept as it is typed only if it is the code that was kept.
  edit(source) {
    if (this.code.value !== source) this.code.value = source;
    this.isMine = source === kept(KEPT);
  }

  showSeats({ players }) {
    const key = players.join();
    if (this.seats.dataset.key === key) return;
    this.seats.dataset.key = key;
    const seats = players.map((name, i) => seat(i, name, (next) => this.seatChanged(i, next)));
    this.seats.replaceChildren(...seats);
    this.offerPerfect();
  }

  // Offer perfect play where it is known quickly; the players are seldom looked at.
  async offerPerfect() {
    if (!this.rest.open || !this.play.link) return;
    const link = { ...this.play.link, moves: [] };
    const known = await call("kinds", { link }).catch(() => null);
    for (const option of this.seats.querySelectorAll("option[value=perfect]")) {
      option.hidden = option.disabled = known?.usual !== "exact" && !option.selected;
    }
  }

  // Let another player have a seat; the moves so far stay.
  async seatChanged(index, name) {
    const players = this.play.link.players.with(index, name);
    this.seats.dataset.key = "";
    if (!(await this.play.open({ ...this.play.link, players }))) this.showSeats(this.play.link);
  }

  // The fields of the rules, which keep what is typed in them as long as the game is the same.
  showRules({ game, rules, source }, usual) {
    const key = [game, source, ...rules].join("\n");
    if (this.rules.dataset.key === key) return;
    this.rules.dataset.key = key;
    const own = new Map(rules.map((rule) => rule.split(/=(.*)/s)));
    this.usual = usual;
    this.inputs = new Map(
      Object.entries(usual).map(([name, value]) => [
        name,
        ruleInput(value, own.get(name) ?? value),
      ]),
    );
    const fields = [...this.inputs].map(([name, input]) => field(name, input));
    const none = element("p", { class: "note" }, "This game has one form of its rules.");
    this.rules.replaceChildren(...(fields.length ? fields : [none]));
  }

  // Open the game that the person wrote, or the example.
  async openOwn() {
    this.game.value = OWN;
    this.play.shut();
    return this.pick("replaceState");
  }

  // Show the name of a game that is not opened, and the code that a person let run.
  choose({ game, source }) {
    if ([...this.game.options].some(({ value }) => value === game)) this.game.value = game;
    this.own.hidden = !source;
    if (source) this.edit(source);
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
  async pick(how) {
    if (this.game.value !== OWN) return this.opened({ game: this.game.value, seed: newSeed() });
    const source = kept(KEPT) ?? (await this.example());
    if (source === null) return this.play.isShut || this.follow();
    this.own.hidden = false;
    this.own.open = true;
    this.edit(source);
    this.isMine ||= kept(KEPT) === null;
    await this.run(how);
  }

  // The example; null after saying that it does not come.
  async example() {
    return example().catch((error) => {
      this.play.trouble(error);
      return null;
    });
  }

  async run(how) {
    accept(this.code.value);
    this.source = this.code.value;
    return this.opened({ game: OWN, seed: newSeed(), source: this.code.value }, how);
  }

  // Keep and play the code in the editor, and show the board, which may be far below it.
  async runShown() {
    const before = kept(KEPT);
    if (!this.isMine && before && before !== this.code.value) this.offer(before);
    keep(KEPT, this.code.value);
    this.isMine = true;
    if (await this.run()) at("stage").scrollIntoView({ block: "nearest" });
  }

  // Put the example into the editor; the code that is kept stays until another is played.
  async reset() {
    const before = this.code.value;
    this.edit((await this.example()) ?? before);
    if (before !== this.code.value) this.offer(before);
  }

  // Offer the code that the editor had, or that was kept, before.
  offer(source) {
    this.earlier = source;
    this.back.hidden = false;
  }

  undo() {
    this.edit(this.earlier);
    this.back.hidden = true;
    this.code.focus();
  }

  submitted(event) {
    event.preventDefault();
    this.begin(Number(this.seed.value), this.start.value.trim());
  }

  // Begin the game with the rules in the fields; the players stay.
  begin(seed, start = this.play.link.start) {
    const { game, players, source } = this.play.link;
    return this.opened({ game, players, source, seed, start, rules: rulesOf(this.inputs, this.usual) });
  }

  // Open a new game. The one before it stays in the history of the browser. It stays on the page, too,
  // if the new one is refused; but code that fails has no other game under its error.
  async opened(link, how = "pushState") {
    const before = location.hash;
    history[how](null, "", formatted(link));
    if (await this.play.open(link)) return true;
    if (link.game === OWN && this.play.error) this.play.shut(this.play.error);
    else history.replaceState(null, "", before);
    if (this.play.link && !this.play.isShut) this.game.value = this.play.link.game;
    return false;
  }
}

// Show the controls in `place`, the choice of the game in `choice`. `games` are the facts of all.
export function mountSetup(place, choice, play, games) {
  return new Setup(place, choice, play, games);
}
