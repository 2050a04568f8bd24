// Python in a worker. A page has one worker.
const waiting = new Map();
let last = 0;
let worker;
let refuse; // ends the promise `ready`

// A promise that is kept when Python can answer; a new one after each `restart()`.
export let ready;

function start() {
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  ready = new Promise((resolve, reject) => {
    refuse = reject;
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) resolve();
      if (data.failed) reject(new Error(data.failed));
      answered(data);
    });
    worker.addEventListener("error", (event) => reject(new Error(event.message || "No worker.")));
  });
  const mine = ready;
  mine.catch((error) => mine === ready && failAll(error));
}

function failAll(error) {
  for (const one of waiting.values()) one.reject(error);
  waiting.clear();
}

// Stop whatever Python does, and start it anew: all that it knew is forgotten.
export function restart() {
  worker.terminate();
  const error = new Error("Python was stopped.");
  failAll(error);
  refuse(error);
  start();
  return ready;
}

function answered({ id, value, step, error, done }) {
  const one = waiting.get(id);
  if (!one) return;
  if (step !== undefined) {
    one.onStep(step);
    return;
  }
  waiting.delete(id);
  if (error?.isFatal) restart();
  if (error) one.reject(Object.assign(new Error(error.message), error));
  else one.resolve(done ? undefined : value);
}

function ask(message, onStep) {
  const id = ++last;
  const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, onStep }));
  worker.postMessage({ id, ...message });
  return { id, answer };
}

// The answer of a function of the facade.
export function call(name, args = {}) {
  return ask({ name, args }).answer;
}

// The steps of a function of the facade, each given to `onStep`. `done` is kept after the last one;
// `stop()` ends them after the step in work, and no more steps are given.
export function stream(name, args, onStep) {
  const { id, answer } = ask({ name, args, steps: true }, (step) => onStep(step));
  const stop = () => {
    const one = waiting.get(id);
    if (!one) return;
    one.onStep = () => {};
    worker.postMessage({ id, stop: true });
  };
  return { done: answer, stop };
}

start();
