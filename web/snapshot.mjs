// The memory of Python after it has imported the facade: node snapshot.mjs SITE
// It prints the files and folders of the standard library that Python has imported.
import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const site = process.argv[2];
process.argv.length = 1; // so that the memory does not hold the folder of this file

// Without a clock and without chance, so that each build gives the same bytes.
const still = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(7) && view;
crypto.randomFillSync = still;
globalThis.crypto.getRandomValues = still;
Math.random = () => 0.5;
Date.now = () => 0;
performance.now = () => 0;

const python = await loadPyodide({
  _makeSnapshot: true,
  stdLibURL: `${site}/pyodide/python_stdlib.zip`,
  env: { PYTHONHASHSEED: "0" },
});
python.FS.writeFile("/python.zip", new Uint8Array(readFileSync(`${site}/python.zip`)));
python.runPython(`
import sys
sys.path.insert(0, "/python.zip")
import facade
`);
const used = python.runPython(`
folder = "/lib/python314.zip/"
files = [getattr(each, "__file__", None) or "" for each in sys.modules.values()]
used = {file.removeprefix(folder).partition("/")[0] for file in files if file.startswith(folder)}
" ".join(sorted(used))
`);

// Freed memory is filled with zeros, which compress to nothing: first that of Python, then the rest.
python.runPython(`
import gc
def _wipe():
    for size in range(32, 513, 16):
        [bytes(size - sys.getsizeof(b"")) for _ in range(1_000_000 // size)]
gc.collect()
_wipe()
del _wipe, folder, files, used
gc.collect()
`);
const { _malloc, _free, _sbrk, HEAPU8 } = python._module;

// Takes all free blocks that are at least as large as `size` and fills them with zeros.
function taken(size, top) {
  const blocks = [];
  for (;;) {
    const block = _malloc(size);
    if (block + size > top) {
      _free(block);
      return blocks;
    }
    HEAPU8.fill(0, block, block + size);
    blocks.push(block);
  }
}

const top = _sbrk(0);
const blocks = [];
for (let size = HEAPU8.length - top - 65536; size >= 16; size -= Math.max(16, (size >> 7) << 4)) {
  blocks.push(...taken(size, top));
}
blocks.forEach((block) => _free(block));
const target = `${site}/python.snapshot.gz`;
writeFileSync(target, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
console.log(used);
