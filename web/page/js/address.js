// The part of an address after #, as named texts: #seed=7&pulls=1121.

// The text of the parts with these names; empty parts are left out.
export function formattedParts(parts, names) {
  const full = names.filter((name) => parts[name] != null && parts[name] !== "");
  const escaped = (text) => encodeURIComponent(text).replace(/%2C/g, ",").replace(/%20/g, "");
  return `#${full.map((name) => `${name}=${escaped(parts[name])}`).join("&")}`;
}

// The parts with these names in a text; others are left out.
export function parsedParts(text, names) {
  const parts = new URLSearchParams(text.replace(/^#/, ""));
  return Object.fromEntries(names.filter((name) => parts.has(name)).map((name) => [name, parts.get(name)]));
}
