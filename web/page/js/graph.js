// Two small graphs: what a tree is worth as it grows, and how a game went, choice by choice.
import { linkText } from "./address.js";
import { atRedraw, formatted, say, showTable } from "./dom.js";
import { html, nothing, render, svg } from "./lit.js";
import { runner } from "./python.js";

const [WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM] = [300, 120, 40, 292, 10, 100]; // the place of the lines
const FLAT = 0.02; // a difference that nobody sees, of the height

const yOf = (share, top) => Math.round(10 * (BOTTOM - (share / top) * (BOTTOM - TOP))) / 10;
const topOf = (shares) => [0.1, 0.2, 0.5].find((top) => shares.every((share) => share <= top)) ?? 1;
const line = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y}`).join(" ");

// The lines at 0, a half and the whole of the height, with their shares.
const levels = (top) => [0, 0.5, 1].map((part) => svg`<line class="level" x1=${LEFT} x2=${RIGHT} y1=${yOf(part, 1)} y2=${yOf(part, 1)} />
  <text x=${LEFT - 4} y=${yOf(part, 1) + 3} text-anchor="end">${100 * part * top} %</text>`);

// A level that the curve is compared with, and its name.
const mark = (y, name) => svg`<line class="random" x1=${LEFT} x2=${RIGHT} y1=${y} y2=${y} />
  <text x=${RIGHT} y=${y < 30 ? y + 11 : y - 4} text-anchor="end">${name}</text>`;

// The share of wins of a tree by its dives; nothing where all trees are worth the same.
export function curveOf(curve) {
  if (!curve) return nothing;
  const { title, points, random, exact } = curve;
  const best = exact && [exact.best, "best play"];
  const below = exact?.title ? figure(exact.title, exact.points, [best]) : nothing; // another opponent
  const marks = [[random, "random play"], ...(best && below === nothing ? [best] : [])];
  return html`${figure(title, points, marks, random)}${below}`;
}

// A curve with the levels that it is compared with.
function figure(title, points, marks, flat = -1) {
  const shares = points.map(([, share]) => share);
  const top = topOf([...shares, ...marks.map(([share]) => share)]);
  if (shares.every((share) => Math.abs(share - flat) < FLAT * top)) return nothing;
  const [most, last] = points.at(-1);
  const decades = Math.max(3, Math.ceil(Math.log10(most)));
  const xOf = (dives) => LEFT + ((RIGHT - LEFT) * Math.log10(dives)) / decades;
  const named = [...Array(decades + 1).keys()].filter((n) => decades < 5 || (decades - n) % 2 === 0);
  const ticks = named.map((n) => svg`<text x=${xOf(10 ** n)} y=${HIGH - 6} text-anchor=${n === decades ? "end" : "middle"}>${formatted(10 ** n)}</text>`);
  return html`<figure class="curve"><figcaption>${title}</figcaption>
    <svg viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label="${title}: ${Math.round(1000 * last) / 10} %">
      ${levels(top)}${ticks}${marks.map(([share, name]) => mark(yOf(share, top), name))}
      <polyline points=${line(points.map(([dives, share]) => [xOf(dives), yOf(share, top)]))} />
      <circle cx=${xOf(most)} cy=${yOf(last, top)} r="3" />
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
    this.job.run("choice_costs", { link }, take, (error) => {
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
    return LEFT + ((RIGHT - LEFT) * at) / this.history.length;
  }

  // The point of a choice; that of a costly one hangs below the best move. Its loss is named, if there is
  // no costlier one beside it.
  point({ at, share, before, loss, is_costly: isCostly }, top) {
    const [x, y, best] = [this.xOf(at), yOf(share, top), yOf(before, top)];
    const below = Math.max(y, best);
    const hides = (other) => Number(other.loss) > Number(loss) && Math.abs(this.xOf(other.at) - x) < 25;
    const mark = svg`<line class="loss" x1=${x} x2=${x} y1=${best} y2=${y} />${this.choices.some(hides) ? nothing : svg`
      <text class="loss" x=${x} y=${below > 85 ? Math.min(y, best) - 6 : below + 12} text-anchor="middle">−${loss}</text>`}`;
    return svg`${isCostly ? mark : nothing}<circle class=${isCostly ? "loss" : ""} cx=${x} cy=${y} r=${isCostly ? 4 : 2.2} />`;
  }

  draw() {
    const { state, play, choices, history } = this;
    if (!this.key) return;
    const now = choices.find(({ at }) => at === play.at);
    const text = now ? said(now) : `Position ${play.at} of ${history.length}`;
    const top = play.link.players.length > 1 ? 1 : topOf(choices.flatMap(({ share, before }) => [share, before]));
    const points = choices.map(({ at, share }) => [this.xOf(at), yOf(share, top)]);
    const area = points.length ? [[points[0][0], BOTTOM], ...points, [points.at(-1)[0], BOTTOM]] : [];
    const x = this.xOf(play.at);
    const slider = this.where.querySelector("input"); // is ahead while a position is asked for
    const place = play.isOpening && slider ? slider.valueAsNumber : play.at;
    render(html`<h2>How the game went</h2>
      <div class="game"><svg viewBox="0 0 ${WIDE} ${HIGH}" aria-hidden="true">
          ${levels(top)}<text x=${LEFT} y="6">${play.persons.length > 1 ? `chances of player ${play.persons[0] + 1}` : "your chances"}</text><polygon points=${line(area)} /><polyline points=${line(points)} />
          <line class="now" x1=${x} x2=${x} y1=${TOP} y2=${BOTTOM} />
          ${choices.map((choice) => this.point(choice, top))}</svg>
        <input type="range" max=${history.length} .value=${place} aria-label="The position on the board" aria-valuetext=${text}
          @input=${({ target }) => play.show(target.valueAsNumber)}></div>
      <p class="said">${this.error || (now ? text : state?.said)}</p>
      <details ?hidden=${!state?.table}><summary>All choices</summary><div></div></details>`, this.where);
    if (state?.table) showTable(this.where.querySelector("details div"), state.table);
  }
}

// Let `place` show the graph of a game with a person after its end.
export const mountGraph = (place, play) => new Graph(place, play);
