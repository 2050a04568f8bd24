// The part of an address after #, as named parts: #game=reversi&seed=7&moves=d3,c5. A part is a text,
// or a list of texts with commas between them. Python decides what they mean, and if they are right.
import { element, say } from "./dom.js";
import { EMPTY } from "./made.js"; // the parts of a link in Python; an address has them in this order

const LINK = Object.keys(EMPTY);

const item = (text) => encodeURIComponent(text).replace(/%3A/g, ":").replace(/%20/g, "+");
const escaped = (value) =>
  Array.isArray(value) ? value.map(item).join(",") : item(value).replace(/%2C/g, ",");

// The text that was escaped; a damaged one stays as it is, and Python refuses it.
function plain(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, "%20"));
  } catch {
    return text;
  }
}

// The text of the parts with these names, by default those of a game; empty parts are left out.
export function linkText(parts, names = LINK) {
  const full = names.filter((name) => String(parts[name] ?? "") !== "");
  return `#${full.map((name) => `${name}=${escaped(parts[name])}`).join("&")}`;
}

// The parts with these names in a text, by default those of a game; others are left out.
export function parsed(text, names = LINK) {
  const pairs = text.replace(/^#/, "").split("&").map((part) => part.split(/=(.*)/s));
  const known = pairs.filter(([name, value]) => names.includes(name) && value);
  return Object.fromEntries(
    known.map(([name, value]) => [
      name,
      Array.isArray(EMPTY[name]) ? value.split(",").map(plain) : plain(value),
    ]),
  );
}

// The game of a link, whose positions and players may differ, as a text.
export const gameKey = ({ game, rules, start, source }) => JSON.stringify([game, rules, start, source]);

// A new seed, which fits into a link.
export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;

// Let the address carry the parts with these names.
export const keepAddress = (parts, names) => history.replaceState(null, "", linkText(parts, names));

// Let a button copy an address. Without a clipboard, the address stands selected in its row.
export function copiesAddress(button, addressOf) {
  const text = element("input", { type: "text", readonly: true, size: "40", "aria-label": "Link" });
  button.addEventListener("click", async () => {
    const words = button.textContent;
    text.value = addressOf();
    const copied = navigator.clipboard?.writeText(text.value) ?? Promise.reject();
    const isCopied = await copied.then(() => true, () => false);
    if (!isCopied) button.closest(".row").append(text);
    text.select();
    text.focus();
    const done = isCopied ? "Copied" : "Copy it here";
    button.textContent = done;
    say(isCopied ? "The link is copied." : "The link is selected. Copy it.");
    setTimeout(() => button.textContent === done && (button.textContent = words), 3000);
  });
}
