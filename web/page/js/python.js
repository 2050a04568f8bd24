// Python in a worker. A page has one worker.
const waiting = new Map();
let last = 0;
let worker;
let refuse; // ends the promise `ready`

// Sends "loading", with the bytes of Python that have `come`, of the `whole`.
export const pulse = new EventTarget();

// A promise that is kept when Python can answer; a new one after each `restart()`.
export let ready;

// A worker that is made of a blob has the policy of the page: it asks no other host for anything.
function newWorker() {
  const text = `import "${new URL("./worker.js", import.meta.url)}";`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return new Worker(address, { type: "module" });
}

function start() {
  worker = newWorker();
  ready = new Promise((resolve, reject) => {
    refuse = reject;
    worker.addEventListener("message", ({ data }) => {
      if (data.ready) resolve();
      if (data.whole) pulse.dispatchEvent(Object.assign(new Event("loading"), data));
      if (data.failed) reject(missing(data.failed));
      answered(data);
    });
    const lost = "a script of its worker must come from the site.";
    worker.addEventListener("error", (event) => reject(missing(event.message || lost)));
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
  const error = stopped();
  failAll(error);
  refuse(error);
  start();
  return ready;
}

const missing = (text) => Object.assign(new Error(text), { isMissing: true });
const stopped = () => Object.assign(new Error("Python was stopped."), { isStopped: true });

function answered({ id, step, error, done }) {
  const one = waiting.get(id);
  if (step !== undefined) return one?.onStep(step);
  if (!one || !(done || error)) return;
  waiting.delete(id);
  if (error?.isFatal) restart();
  if (error?.trace) console.info(error.trace);
  if (error) one.reject(Object.assign(new Error(error.message), error));
  else one.resolve();
}

// The steps of a function of the facade, each given to `onStep`. `done` is kept after the last one;
// `stop()` ends them after the step in work, and no more steps are given.
export function stream(name, args, onStep) {
  const id = ++last;
  const done = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, onStep }));
  worker.postMessage({ id, name, args });
  const stop = () => {
    if (!waiting.has(id)) return;
    waiting.get(id).onStep = () => {};
    worker.postMessage({ id, stop: true });
  };
  return { done, stop };
}

// The first step of a function of the facade, which is the answer to a question.
export const call = (name, args = {}) =>
  new Promise((resolve, reject) => {
    const job = stream(name, args, (step) => {
      job.stop();
      resolve(step);
    });
    job.done.then(() => resolve(null), reject);
  });

// Steps of which only the newest are shown: a new run, or `stop`, ends those before without a word.
export function runner() {
  let job = null;
  const stop = () => {
    job?.stop();
    job = null;
  };
  // Give the steps of a function to `onStep`, and at the end the error, or nothing, to `onEnd`.
  const run = (name, args, onStep, onEnd) => {
    stop();
    const mine = stream(name, args, onStep);
    const end = (error) => {
      if (job !== mine) return;
      job = null;
      onEnd(error);
    };
    job = mine;
    mine.done.then(() => end(), end);
  };
  return { run, stop, isRunning: () => job !== null };
}

// True if nothing is asked of Python.
export const isIdle = () => waiting.size === 0;

start();
