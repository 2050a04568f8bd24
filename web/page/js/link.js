// A link: a game so far, as the part of an address after #.
const LISTS = ["rules", "moves", "players"];
const TEXTS = ["game", "seed", "start", "source"];

const encoded = (text) => encodeURIComponent(text).replace(/%3A/g, ":").replace(/%20/g, "+");

// The text that was encoded; a damaged one stays as it is, and no name of a game or move fits it.
function decoded(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, "%20"));
  } catch {
    return text;
  }
}

// A seed is a number if it can be kept exactly; otherwise it is the text, which Python refuses.
function seedOf(text) {
  const isKept = /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
  return isKept ? Number(text) : decoded(text);
}

// The text of a link: #game=reversi&seed=7&moves=d3,c5
export function formatted(link) {
  const parts = [];
  for (const name of ["game", "rules", "seed", "players", "start", "moves", "source"]) {
    const value = link[name];
    if (LISTS.includes(name) && value?.length) {
      parts.push(`${name}=${value.map(encoded).join(",")}`);
    } else if (TEXTS.includes(name) && value != null && value !== "") {
      parts.push(`${name}=${encoded(String(value))}`);
    }
  }
  return `#${parts.join("&")}`;
}

// The link in a text; null if it names no game.
export function parsed(text) {
  const link = {};
  for (const part of text.replace(/^#/, "").split("&")) {
    const [name, value = ""] = part.split(/=(.*)/s);
    if (LISTS.includes(name)) link[name] = value ? value.split(",").map(decoded) : [];
    else if (name !== "seed" && TEXTS.includes(name)) link[name] = decoded(value);
    else if (name === "seed" && value) link.seed = seedOf(value);
  }
  return link.game ? link : null;
}

// A new seed, which fits into a link.
export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
