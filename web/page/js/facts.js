// Facts that Python works out, shown one after the other: answers to questions, and runs that can be
// paused. The pages of bandits and of pi have them.
import { at, drawn, say } from "./dom.js";
import { widthIn } from "./parts.js";
import { call, runner } from "./python.js";

// Say what went wrong. The place of the status says it if Python is missing.
export function trouble(error) {
  if (error.isMissing) return;
  at("error").textContent = error.message;
}

// Open the address of a page, or something `usual` under the error of a wrong one.
export async function openFirst(openAddress, usual) {
  if (await openAddress()) return;
  const message = at("error").textContent;
  await usual();
  at("error").textContent = message;
}

// Questions and runs whose facts `show` puts on the page. `settle` is called when a run begins.
export function factsOn(show, settle) {
  const job = runner();
  let last; // the newest facts of a run
  let waiting = Promise.resolve(); // the answers come in the order of the questions
  const withWidth = (args) => ({ ...args, width: widthIn(at("chart"), 600) });
  const tell = (facts) => {
    show(facts);
    say(`${facts.said} ${facts.full}`);
  };

  // End the run, and show where it is.
  const pause = () => {
    if (!job.isRunning()) return;
    job.stop();
    if (last) tell(last);
  };

  // Ask Python for facts, with the arguments that hold when the questions before are answered. The
  // promise is true if they were good.
  const ask = (name, args) => {
    pause();
    waiting = waiting.then(async () => {
      try {
        const facts = await call(name, withWidth(args()));
        at("error").textContent = "";
        tell(facts);
        return true;
      } catch (error) {
        trouble(error);
        return false;
      }
    });
    return waiting;
  };

  // Show the steps of a run until its end, or until it is paused; `before` are the facts before it.
  const run = (name, args, before) => {
    const redraw = drawn((facts) => job.isRunning() && show(facts));
    const end = (error) => {
      if (error) trouble(error);
      if (last) tell(last);
    };
    last = before;
    job.run(name, withWidth(args), (facts) => redraw((last = facts)), end);
    settle();
    say("Running.");
  };

  return { ask, run, pause, isRunning: job.isRunning };
}
