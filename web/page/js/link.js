// A link: a game so far, as the part of an address after #.
const LISTS = ["rules", "moves", "players"];
const TEXTS = ["game", "seed", "start", "source"];

const encoded = (text) => encodeURIComponent(text).replace(/%3A/g, ":").replace(/%20/g, "+");
const decoded = (text) => decodeURIComponent(text.replace(/\+/g, "%20"));

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
    try {
      if (LISTS.includes(name)) link[name] = value ? value.split(",").map(decoded) : [];
      else if (name === "seed") link.seed = Number.parseInt(value, 10) || 0;
      else if (TEXTS.includes(name)) link[name] = decoded(value);
    } catch {
      return null;
    }
  }
  return link.game ? link : null;
}

// A new seed, which fits into a link.
export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
