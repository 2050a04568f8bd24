// The figure of the first task: darts fall on a board, and the interval of the estimate narrows.
import { at } from "./dom.js";
import { newSeed } from "./address.js";
import { html, render } from "./lit.js";
import { call, isIdle } from "./python.js";

const SIZE = 400; // the side of the board in pixels of the canvas
const seed = newSeed();
let facts = { darts: 0, hits: 0, interval: [0, 4], dots: [], said: "No darts so far." };
let timer; // of the run in work

function draw() {
  const [low, high] = facts.interval;
  render(html`<canvas width=${SIZE} height=${SIZE} role="img" aria-label="A circle in a square with darts"></canvas>
    <div>
      <svg viewBox="2.8 0 0.7 1" preserveAspectRatio="none" aria-hidden="true">
        <rect x=${low} y="0.25" width=${high - low + 0.001} height="0.5" />
        <path d="M3.14159,0V1" stroke="var(--mark)" stroke-width="0.005" />
      </svg>
      <p class="note">The bar is where pi is likely to be. The line is pi.</p>
      <p role="status" aria-live=${timer ? "off" : "polite"}>${facts.said}</p>
      <div class="row"><button @click=${() => throwMore(1000)}>Throw 1,000</button>
        <button @click=${run}>${timer ? "Pause" : "Run"}</button></div>
    </div>`, at("darts"));
}

async function throwMore(more) {
  const { darts, hits } = facts;
  facts = await call("throws", { seed, darts, hits, more }).catch(({ message }) => {
    return { ...facts, dots: [], said: message, is_last: true };
  });
  if (facts.is_last) timer = clearInterval(timer);
  const ink = document.querySelector("#darts canvas").getContext("2d");
  const { color, accentColor } = getComputedStyle(ink.canvas);
  for (const [x, y, isInside] of facts.dots) {
    ink.fillStyle = isInside ? accentColor : color;
    ink.fillRect((SIZE / 2) * (1 + x) - 1.5, (SIZE / 2) * (1 - y) - 1.5, 3, 3);
  }
  draw();
}

// Throw more and more darts at once, up to the most.
function run() {
  const more = () => isIdle() && throwMore(Math.ceil(Math.min(20_000, 50 + facts.darts / 10)));
  timer = timer ? clearInterval(timer) : setInterval(more, 120);
  draw();
}

draw();
