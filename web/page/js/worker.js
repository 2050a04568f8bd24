// The worker in which Python thinks. It answers a message {id, name, args} with {id, step} for each step
// of a function of the facade, then {id, done: true}. Errors are {id, error: {message, trace}}.
// Before that it sends {come, whole}: how many bytes have come, then {ready} or {failed}.
// A message {id, stop: true} ends such steps.
import { boot } from "./runtime.js";

const running = new Set();
let facade;

// A timer lets messages in between two steps. A message channel would starve the page of redraws.
const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

// An error that Python did not raise is its end: the memory or the stack is used up, for example.
function errorOf(error) {
  const isFatal = error?.name !== "PythonError";
  const trace = String(error.message ?? error);
  const lines = trace.trimEnd().split("\n");
  const last = lines.slice(lines.findLastIndex((line) => /^\S/.test(line))).join("\n");
  return { message: last.replace(/^(\w+\.)*ValueError: /, ""), trace, isFatal };
}

async function handle({ id, name, args }) {
  const steps = facade.steps(name, JSON.stringify(args));
  try {
    while (running.has(id)) {
      const { done, value } = steps.next();
      if (done) break;
      postMessage({ id, step: JSON.parse(value) });
      await pause();
    }
    postMessage({ id, done: true });
  } catch (error) {
    postMessage({ id, error: errorOf(error) });
  } finally {
    running.delete(id);
    steps.destroy();
  }
}

const onLoad = (come, whole) => postMessage({ come, whole });
const started = boot(onLoad)
  .then((python) => {
    facade = python.pyimport("facade");
    postMessage({ ready: true });
  })
  .catch((error) => postMessage({ failed: String(error.message ?? error) }));

onmessage = async ({ data }) => {
  if (data.stop) return void running.delete(data.id);
  running.add(data.id);
  await started;
  if (facade) handle(data);
};
