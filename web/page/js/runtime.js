// Pyodide with purembts: from a snapshot of its memory, or without one if that fails.
import { loadPyodide } from "../pyodide/pyodide.mjs";

const here = new URL("../pyodide/", import.meta.url).href;
const packages = new URL("../python.zip", import.meta.url).href;
const more = new URL("../more.zip", import.meta.url).href;
const snapshot = new URL("../python.snapshot.gz", import.meta.url).href;

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} must be there; got ${response.status}.`);
  return response;
}

async function memory() {
  const response = await fetched(snapshot);
  const plain = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

// The modules that are not in the snapshot are read from an archive when they are imported. The
// second archive, with the rare modules, comes when it is read first.
const READ = `
import sys
if "/python.zip" not in sys.path:
    sys.path.insert(0, "/python.zip")
sys.path.append("/more.zip")
import random
random.seed()
`;

export async function boot() {
  const archive = fetched(packages).then((response) => response.arrayBuffer());
  const options = { indexURL: here };
  const python = await memory()
    .then((bytes) => loadPyodide({ ...options, _loadSnapshot: bytes }))
    .catch(() => loadPyodide(options));
  python.FS.writeFile("/python.zip", new Uint8Array(await archive));
  python.FS.createLazyFile("/", "more.zip", more, true, false);
  python.runPython(READ);
  return python;
}
