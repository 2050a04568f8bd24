// The panel that counts the positions that can still come in a game.
import { counted, partsOf } from "./dom.js";
import { runner } from "./python.js";

// The sentence about what is counted so far.
function sentence({ positions, is_cut }) {
  return is_cut ? `More than ${counted(positions, "position")}.` : `${counted(positions, "position")}.`;
}

// Count the positions after that of the game, in `place`, when a person asks.
export function mountFuture(place, play) {
  const { button, count } = partsOf(place);
  const job = runner();
  const onStep = (step) => (count.textContent = sentence(step));
  const onEnd = (error) => error && (count.textContent = error.message);
  button.addEventListener("click", () => job.run("future_size", { link: play.shown }, onStep, onEnd));
  play.addEventListener("scene", () => {
    job.stop();
    count.textContent = "";
    place.hidden = play.scene.is_hidden;
  });
}
