// The name of the game, and its rules: open when a person meets the game in this browser first,
// where there is room for them above the board.
const KEPT = "purembts.met";

function met() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? [];
  } catch {
    return [];
  }
}

// True at the first call with this name of a game.
function isNew(name) {
  const before = met();
  if (!Array.isArray(before) || before.includes(name)) return false;
  try {
    localStorage.setItem(KEPT, JSON.stringify([...before, name]));
  } catch {
    // A browser that keeps nothing meets each game anew.
  }
  return true;
}

// Show the name of the game of `play` in `title`, and its rules in `rules`.
export function mountRules(title, rules, play) {
  let game;
  play.addEventListener("shut", () => {
    game = null;
    title.textContent = "Play and watch a game";
  });
  play.addEventListener("scene", () => {
    const { title: name, about } = play.scene;
    if (name === game) return;
    game = title.textContent = name;
    rules.hidden = !about;
    rules.querySelector("p").textContent = about;
    rules.open = Boolean(about) && isNew(name) && matchMedia("(min-width: 48rem)").matches;
  });
}
