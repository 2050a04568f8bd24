// What the browser keeps of a page for the next visit: texts by their names.

// The text with this name; null if there is none, and in a browser that keeps nothing.
export function textOf(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

// True if the browser keeps this text.
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}
