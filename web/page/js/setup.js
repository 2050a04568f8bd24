// The choice of a game, of its opponent, its rules, its seed and its players; and the editor of one's own.
import { restart } from "./python.js";
import { at } from "./dom.js";
import { fileEditor } from "./file.js";
import { copiesAddress, linkText, newSeed } from "./address.js";
import { html, nothing, render } from "./lit.js";

const OWN = "own"; // the name of a game that a person wrote
const PERSON = "person";
const NUMBERS = { uct: 2000, flat: 500 };
const PLAYERS = {
  [PERSON]: "a person",
  easy: "easy",
  medium: "medium",
  hard: "hard",
  uct: "uct, a tree search",
  flat: "flat, random games",
  perfect: "perfect play",
  random: "random moves",
};

// The control of a rule with this usual value: a choice for True and False, otherwise a text.
const ruleOf = (name, usual, value) => html`<label class="field">${name} ${
  ["True", "False"].includes(usual)
    ? html`<select name=${name}>${["True", "False"].map((each) => html`<option ?selected=${each === value}>${each}</option>`)}</select>`
    : html`<input name=${name} value=${value} size=${Math.max(4, Math.min(24, usual.length + 1))} autocomplete="off" spellcheck="false">`
}</label>`;

// Draw what does not depend on what was there: typed texts and choices are forgotten.
function renew(content, place) {
  render(nothing, place);
  render(content, place);
}

// The controls of the game that `play` shows.
export class Setup {
  constructor(play) {
    Object.assign(this, { play, own: at("own"), usual: {}, key: "" });
    this.code = fileEditor(this.own, {
      name: "game.py",
      key: "purembts.own",
      start: () => at("example").textContent,
      label: "The code of your game",
      help: "about-code",
      onrun: () => this.playOwn(),
    });
    at("game").addEventListener("change", () => this.pick());
    at("level").addEventListener("change", () => this.opponents(at("level").value));
    at("new").addEventListener("click", () => this.again());
    at("play-own").addEventListener("click", () => this.playOwn());
    at("stop").addEventListener("click", restart); // code may have an endless loop
    at("next").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin(at("seed").value.trim(), at("start").value.trim());
    });
    copiesAddress(at("copy"), () => new URL(linkText(play.shown), location.href).href);
    play.addEventListener("scene", () => this.follow());
  }

  // Show the facts of the game that is played.
  follow() {
    const { link, scene } = this.play;
    const { game, rules, source, players, start, seed } = link;
    at("rules").textContent = scene.about;
    at("game").value = game;
    at("seed").value = seed;
    at("start").value = start;
    this.own.hidden = game !== OWN;
    this.showLevel(players);
    renew(players.map((name, i) => this.seatOf(i, name)), at("seats"));
    // The fields of the rules keep what is typed in them as long as the game is the same.
    const key = [game, source, ...rules].join("\n");
    if (this.key === key) return;
    Object.assign(this, { key, usual: scene.usual_rules });
    const own = Object.fromEntries(rules.map((rule) => rule.split(/=(.*)/s)));
    const fields = Object.entries(this.usual).map(([name, usual]) => ruleOf(name, usual, own[name] ?? usual));
    renew(fields.length ? fields : html`<p class="note">This game has one form of its rules.</p>`, at("fields"));
  }

  // Show how strong the opponents are; other players stand in the settings.
  showLevel(players) {
    const [level, ...more] = new Set(players.filter((name) => name !== PERSON));
    const isLevel = !more.length && players.includes(PERSON) && level in PLAYERS;
    at("level").value = isLevel ? level : "";
    at("level").hidden = players.length === 1;
  }

  // Let players of this strength have the seats that are not a person's; one person stays.
  opponents(level) {
    const { players } = this.play.link;
    const first = Math.max(0, players.indexOf(PERSON));
    const isTaken = (name, i) => i === first || (name === PERSON && players.some((each) => each !== PERSON));
    return this.seated(players.map((name, i) => (isTaken(name, i) ? PERSON : level)));
  }

  // The controls of the player of a seat. A constant of the bound, which an address may have, stays:
  // "uct:2000,c=0.5". Perfect play is offered where it is known quickly.
  seatOf(index, name) {
    const [kind, rest = ""] = name.split(":");
    const [number, ...constant] = rest.split(",");
    const offered = Object.entries(PLAYERS).filter(([key]) => key !== "perfect" || key === kind || this.play.scene.can_solve);
    const changed = (next) => this.seated(this.play.link.players.with(index, next));
    const counted = ({ target }) => target.reportValidity() && changed(`${kind}:${[Number(target.value), ...constant]}`);
    const chosen = ({ target: { value } }) => changed(value in NUMBERS ? `${value}:${NUMBERS[value]}` : value);
    const count = html`<label class="field">${kind === "flat" ? "Games" : "Dives"}
      <input type="number" min="1" max="1000000" required value=${number || NUMBERS[kind]} @change=${counted}></label>`;
    return html`<div class="row seat"><label class="field">Player ${index + 1} <select @change=${chosen}>${
      offered.map(([key, text]) => html`<option value=${key} ?selected=${key === kind}>${text}</option>`)
    }</select></label>${kind in NUMBERS ? count : nothing}</div>`;
  }

  // Let other players have the seats; the moves so far stay.
  async seated(players) {
    if (!(await this.play.open({ ...this.play.link, players }))) this.follow();
  }

  // A link of an address with the code of one's own game. The page shows which game it is.
  chosen(link) {
    const { value: before } = at("game");
    at("game").value = link.game;
    at("game").value ||= before; // there is no such game
    this.own.hidden = link.game !== OWN;
    this.own.open ||= !link.moves;
    return link.game === OWN ? { ...link, source: this.code.value } : link;
  }

  // Put the cursor into a line of the code.
  goTo(line) {
    Object.assign(this.own, { hidden: false, open: true });
    this.code.goTo(line);
  }

  // A new game of the kind that is chosen.
  again() {
    const isSame = at("game").value === this.play.link?.game && !this.play.isShut;
    return isSame ? this.begin(newSeed()) : this.pick();
  }

  // Begin another game, with its usual rules and players.
  pick() {
    return this.opened(this.chosen({ game: at("game").value, seed: newSeed() }));
  }

  async playOwn() {
    if (await this.pick()) at("stage").scrollIntoView({ block: "nearest" }); // it may be far away
  }

  // Begin the game with the rules in the fields; the players stay.
  begin(seed, start = this.play.link.start) {
    const { game, players, source } = this.play.link;
    const values = [...new FormData(at("next"))].filter(([name, value]) => name in this.usual && value.trim() !== this.usual[name]);
    const rules = values.map(([name, value]) => `${name}=${value.trim()}`);
    return this.opened({ game, players, source, seed, start, rules });
  }

  // Open a new game. If it is refused, the one before it stays on the page; but code that fails has no
  // other game under its error.
  async opened(link) {
    const before = location.hash;
    this.play.trouble({ message: "" }); // what was said of the game before
    history.pushState(null, "", linkText(link));
    if (await this.play.open(link)) return true;
    if (link.game === OWN && this.play.error) this.play.shut(this.play.error);
    else history.replaceState(null, "", before);
    if (this.play.link && !this.play.isShut) at("game").value = this.play.link.game;
    return false;
  }
}
