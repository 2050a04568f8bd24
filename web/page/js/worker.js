// The worker in which Python thinks. It answers messages {id, name, args} with {id, value},
// and messages {id, name, args, steps: true} with {id, step} again and again, then {id, done: true}.
// Before that it sends {come, whole}: how many bytes have come, then {ready} or {failed}.
// A message {id, stop: true} ends such steps. Errors are {id, error: {message, trace}}.
import { boot } from "./runtime.js";

const stopped = new Set();
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

async function step({ id, name, args }) {
  const steps = facade.steps(name, JSON.stringify(args ?? {}));
  try {
    for (;;) {
      if (stopped.delete(id)) break;
      const { done, value } = steps.next();
      if (done) break;
      postMessage({ id, step: JSON.parse(value) });
      await pause();
    }
    postMessage({ id, done: true });
  } finally {
    steps.destroy();
  }
}

async function handle(message) {
  const { id, name, args } = message;
  try {
    if (message.steps) await step(message);
    else postMessage({ id, value: JSON.parse(facade.answer(name, JSON.stringify(args ?? {}))) });
  } catch (error) {
    postMessage({ id, error: errorOf(error) });
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
  if (data.stop) return void stopped.add(data.id);
  await started;
  if (facade) handle(data);
};
