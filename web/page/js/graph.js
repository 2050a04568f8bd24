// Two small graphs: what a tree is worth as it grows, and how a game went, choice by choice.
import { linkText } from "./address.js";
import { atRedraw, formatted, say, showTable } from "./dom.js";
import { html, nothing, render, svg } from "./lit.js";
import { runner } from "./python.js";

const [WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM] = [300, 120, 40, 292, 10, 100]; // the place of the lines
const FLAT = 0.02; // a difference that nobody sees, of the height

const yOf = (share, top = 1) => Math.round(10 * (BOTTOM - (share / top) * (BOTTOM - TOP))) / 10;
const line = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y}`).join(" ");

// The lines at 0, a half and the whole of the height, with their shares.
const levels = (top = 1) => [0, 0.5, 1].map((part) => svg`<line class="level" x1=${LEFT} x2=${RIGHT} y1=${yOf(part)} y2=${yOf(part)} />
  <text x=${LEFT - 4} y=${yOf(part) + 3} text-anchor="end">${100 * part * top} %</text>`);

// A level that the curve is compared with, and its name.
const mark = (y, name) => svg`<line class="random" x1=${LEFT} x2=${RIGHT} y1=${y} y2=${y} />
  <text x=${RIGHT} y=${y < 30 ? y + 11 : y - 4} text-anchor="end">${name}</text>`;

// The share of wins of a tree by its dives; nothing where all trees are worth the same.
export function curveOf(curve) {
  const shares = curve ? [curve.random, ...curve.points.map(([, share]) => share), curve.exact?.best ?? 0] : [];
  const top = [0.1, 0.2, 0.5, 1].find((each) => each >= Math.max(0, ...shares));
  if (!curve || curve.points.every(([, share]) => Math.abs(share - curve.random) < FLAT * top)) return nothing;
  const { title, points, random, exact } = curve;
  const [most, last] = points.at(-1);
  const decades = Math.max(3, Math.ceil(Math.log10(most)));
  const xOf = (dives) => LEFT + ((RIGHT - LEFT) * Math.log10(dives)) / decades;
  const curved = (all) => line(all.map(([dives, share]) => [xOf(dives), yOf(share, top)]));
  const ticks = [...Array(decades + 1).keys()].map((n) => svg`<text x=${xOf(10 ** n)} y=${HIGH - 6}
    text-anchor=${n === decades ? "end" : "middle"}>${formatted(10 ** n)}</text>`);
  return html`<figure class="curve"><figcaption>${title}</figcaption>
    <svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="${title}: ${Math.round(1000 * last) / 10} %">
      ${levels(top)}${ticks}${mark(yOf(random, top), "random play")}
      ${exact ? svg`${mark(yOf(exact.best, top), "best play")}<polyline class="exact" points=${curved(exact.points)} />` : nothing}
      <polyline points=${curved(points)} /><circle cx=${xOf(most)} cy=${yOf(last, top)} r="3" />
    </svg></figure>`;
}

const said = ({ at, label, best, loss }) => `${at + 1}. ${label}${loss && best !== label ? `: −${loss}, ${best} was better` : ""}`;

// The graph of a game that is over, which grows while the choices of its people are worked out.
class Graph {
  job = runner();
  key = ""; // the game that is shown, as a text
  state = null;

  constructor(where, play) {
    Object.assign(this, { where, play });
    this.redraw = atRedraw(() => this.draw());
    play.addEventListener("scene", () => this.onScene());
  }

  // The graph begins when a game ends, and stays while its positions are looked at.
  onScene() {
    const { scene, link, persons, shown } = this.play;
    const key = linkText(link);
    const isNew = key !== this.key;
    if (isNew) this.job.stop();
    if (isNew && scene.is_over && persons.length) this.begin(key, shown, scene);
    else if (isNew) Object.assign(this, { key: "", state: null });
    this.where.hidden = !this.key;
    this.redraw();
  }

  begin(key, link, { history }) {
    Object.assign(this, { key, history, state: null, error: "" });
    const take = (state) => {
      this.state = state;
      this.redraw();
    };
    this.job.run("costs", { link }, take, (error) => {
      this.error = error?.message ?? "";
      this.redraw();
      if (!error && this.state) say(this.state.said);
    });
  }

  // The choices so far in their order, with the share of the first person.
  get choices() {
    const { history, play, state } = this;
    const isTwo = play.link.players.length === 2;
    const [first] = play.persons;
    const isFirst = ({ at }) => history[at].player === first;
    const turned = (choice) => ({ ...choice, share: 1 - choice.share, before: 1 - choice.before });
    const all = (state?.choices ?? []).filter((choice) => isTwo || isFirst(choice));
    return all.map((choice) => (isFirst(choice) ? choice : turned(choice))).sort((a, b) => a.at - b.at);
  }

  xOf(at) {
    return LEFT + ((RIGHT - LEFT) * at) / Math.max(1, this.history.length - 1);
  }

  // Show the position of the choice that is next to a place of the graph.
  press(event) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const x = (WIDE * (event.clientX - left)) / width;
    const far = ({ at }) => Math.abs(this.xOf(at) - x);
    const [nearest] = this.choices.sort((a, b) => far(a) - far(b));
    if (nearest) this.play.show(nearest.at);
  }

  onKey(event) {
    const { at } = this.play;
    const all = this.choices;
    const ways = {
      ArrowLeft: all.findLast((choice) => choice.at < at),
      ArrowRight: all.find((choice) => choice.at > at),
      Home: all[0],
      End: all.at(-1),
    };
    if (!(event.key in ways)) return;
    event.preventDefault();
    if (ways[event.key]) this.play.show(ways[event.key].at);
  }

  dot(choice) {
    const { at, share, before, loss, is_costly: isCostly } = choice;
    const [x, y] = [this.xOf(at), yOf(share)];
    const mark = svg`<line class="loss" x1=${x} x2=${x} y1=${yOf(before)} y2=${y} />
      <text class="loss" x=${Math.max(LEFT + 12, Math.min(RIGHT - 10, x))} y=${y > 80 ? yOf(before) - 4 : y + 14} text-anchor="middle">−${loss}</text>`;
    return svg`<g><title>${said(choice)}</title>${isCostly ? mark : nothing}
      <circle class=${isCostly ? "loss" : ""} cx=${x} cy=${y} r=${isCostly ? 4 : 2.2} /></g>`;
  }

  draw() {
    const { state, play, choices } = this;
    const at = choices.find((choice) => choice.at === play.at);
    const text = at ? said(at) : `Position ${play.at}`;
    const points = choices.map((choice) => [this.xOf(choice.at), yOf(choice.share)]);
    const area = points.length ? [[points[0][0], BOTTOM], ...points, [points.at(-1)[0], BOTTOM]] : [];
    if (this.key) render(html`<h2>How the game went</h2>
      <svg class="game" viewBox="0 0 ${WIDE} ${HIGH}" role="slider" tabindex="0" aria-label="Your chances, choice by choice"
        aria-valuemin="0" aria-valuemax=${this.history.length} aria-valuenow=${play.at} aria-valuetext=${text}
        @click=${(event) => this.press(event)} @keydown=${(event) => this.onKey(event)}>
        ${levels()}<polygon points=${line(area)} /><polyline points=${line(points)} />
        ${at ? svg`<line class="now" x1=${this.xOf(at.at)} x2=${this.xOf(at.at)} y1=${TOP} y2=${BOTTOM} />` : nothing}
        ${choices.map((choice) => this.dot(choice))}</svg>
      <p class="said">${this.error || state?.said}</p>
      <details ?hidden=${!state?.table}><summary>All choices</summary><div data-part="table"></div></details>`, this.where);
    if (state?.table) showTable(this.where.querySelector("[data-part=table]"), state.table);
  }
}

// Let `place` show the graph of a game with a person after its end.
export const mountGraph = (place, play) => new Graph(place, play);
