// Pyodide with purembts: from a snapshot of its memory, or without one if that fails.
import { loadPyodide } from "../pyodide/pyodide.mjs";
import { PARTS, VERSION } from "./made.js";

const ROOT = new URL("../", import.meta.url).href;
const SNAPSHOT = "python.snapshot.gz";
const WHOLE = Object.values(PARTS).reduce((sum, bytes) => sum + bytes, 0);
const MORE = "more.zip"; // the rare modules
const network = globalThis.fetch;

// A file of the site, by its name or its address. `onBytes` is called with the number of the bytes of
// each piece that comes. Large files come compressed, with any server.
async function fetched(address, onBytes = () => {}) {
  const path = new URL(address, ROOT).href.slice(ROOT.length);
  const name = `${path}.gz` in PARTS ? `${path}.gz` : path;
  const version = name in PARTS || name === MORE ? `?v=${VERSION}` : "";
  const response = await network(`${ROOT}${name}${version}`).catch(() => ({ status: "no answer" }));
  if (!response.ok) throw new Error(`${name} must come from the site; got ${response.status}.`);
  const count = new TransformStream({
    transform(piece, rest) {
      if (name in PARTS) onBytes(piece.length);
      rest.enqueue(piece);
    },
  });
  const counted = response.body.pipeThrough(count);
  const isPacked = name.endsWith(".gz");
  const plain = isPacked ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  const type = name.includes(".wasm") ? "application/wasm" : response.headers.get("Content-Type");
  return new Response(plain, { headers: { "Content-Type": type } });
}

const bytesOf = async (response) => new Uint8Array(await (await response).arrayBuffer());

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

// Python, once all parts have come. `onLoad` is called with the bytes that have come, and of how many.
// It fails as soon as a part does not come, which Pyodide would wait for.
export async function boot(onLoad) {
  let come = 0;
  const load = (name) => fetched(name, (bytes) => onLoad((come += bytes), WHOLE));
  const archive = load("python.zip").then(bytesOf);
  const options = { indexURL: `${ROOT}pyodide/` };
  const missing = new Promise((_, reject) => {
    archive.catch(reject);
    globalThis.fetch = (address) => {
      const response = load(address);
      response.catch(reject);
      return response;
    };
  });
  const started = bytesOf(load(SNAPSHOT))
    .then((memory) => loadPyodide({ ...options, _loadSnapshot: memory }))
    .catch(() => loadPyodide(options));
  const python = await Promise.race([missing, started]);
  python.FS.writeFile("/python.zip", await archive);
  python.FS.createLazyFile("/", "more.zip", `${ROOT}${MORE}?v=${VERSION}`, true, false);
  python.runPython(READ);
  globalThis.fetch = network;
  return python;
}
