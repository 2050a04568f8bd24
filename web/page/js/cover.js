// A cover between two people at one page, in a game whose players do not see everything.
import { element } from "./dom.js";

// The player whose view the scene shows; null if nobody has to look away.
function viewerOf({ persons, scene }) {
  const isCovered = scene.is_hidden && !scene.is_over && persons.length > 1;
  return isCovered ? (scene.strategy ? persons[0] : scene.player) : null;
}

// Cover the page until the next person who may see the position presses a button.
export function mountCover(play) {
  let shown = null;
  let viewer = null;
  const text = element("p", {});
  const show = () => {
    shown = viewer;
    button.blur(); // a closed dialog keeps the focus until the next frame, and a key would be lost
    cover.close();
  };
  const button = element("button", { class: "primary", onclick: show }, "Show my view");
  const cover = element("dialog", { class: "cover", "aria-label": "The next player" }, text, button);
  cover.addEventListener("cancel", (event) => event.preventDefault());
  // A browser closes a dialog at the second Escape: open it again.
  cover.addEventListener("close", () => viewer !== null && viewer !== shown && cover.showModal());
  document.body.append(cover);
  play.addEventListener("scene", () => {
    viewer = viewerOf(play);
    if (viewer === null) shown = null;
    if (viewer === null || viewer === shown) return cover.close();
    text.textContent = `Player ${viewer + 1} is next. Only this player may see the position.`;
    if (!cover.open) cover.showModal();
  });
}
