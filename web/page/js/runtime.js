// Pyodide with purembts: from a snapshot of its memory, or without one if that fails.
import { LOCK, PARTS, VERSION } from "./made.js";

const ROOT = new URL("../", import.meta.url).href;
const WHOLE = Object.values(PARTS).reduce((sum, bytes) => sum + bytes, 0);
const network = globalThis.fetch;

// A part of Python. `onBytes` is called with the number of the bytes of each piece that comes.
// Large files come compressed, with any server.
async function part(name, onBytes) {
  const response = await network(`${ROOT}${name}?v=${VERSION}`).catch(() => ({ status: "no answer" }));
  if (!response.ok) throw new Error(`${name} must come from the site; got ${response.status}.`);
  const count = new TransformStream({
    transform(piece, rest) {
      onBytes(piece.length);
      rest.enqueue(piece);
    },
  });
  const counted = response.body.pipeThrough(count);
  const isPacked = name.endsWith(".gz");
  const plain = isPacked ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
  return new Response(plain, { headers: { "Content-Type": "application/wasm" } });
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
// All parts are asked for at once, before Pyodide, which asks for some of them late. It fails as soon as
// a part does not come, which Pyodide would wait for.
export async function boot(onLoad) {
  let come = 0;
  const load = (name) => part(name, (bytes) => onLoad((come += bytes), WHOLE));
  const engine = WebAssembly.compileStreaming(load("pyodide/pyodide.asm.wasm.gz"));
  const memory = bytesOf(load("python.snapshot.gz"));
  const library = bytesOf(load("pyodide/python_stdlib.zip"));
  const archive = bytesOf(load("python.zip"));
  const needed = Promise.all([engine, library, archive]);
  globalThis.fetch = async () => new Response(await library);
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await engine;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  const options = { indexURL: `${ROOT}pyodide/`, lockFileContents: LOCK };
  memory.catch(() => {}); // Python starts without it
  const pyodide = import("../pyodide/pyodide.mjs").catch(() => {
    throw new Error("pyodide/pyodide.mjs must come from the site; got no answer.");
  });
  const started = pyodide.then(({ loadPyodide }) =>
    loadPyodide({ ...options, _loadSnapshot: memory }).catch(() => loadPyodide(options)),
  );
  const python = await Promise.race([needed.then(() => started), started]);
  python.FS.writeFile("/python.zip", await archive);
  python.FS.createLazyFile("/", "more.zip", `${ROOT}more.zip?v=${VERSION}`, true, false);
  python.runPython(READ);
  globalThis.fetch = network;
  return python;
}
