// The memory of Python after it has imported the facade: node snapshot.mjs PYTHON_ZIP SNAPSHOT_GZ
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const [archive, target] = process.argv.slice(2);
const python = await loadPyodide({ _makeSnapshot: true, env: { PYTHONHASHSEED: "0" } });
python.FS.writeFile("/python.zip", new Uint8Array(readFileSync(archive)));
python.runPython(`
import sys
sys.path.insert(0, "/python.zip")
import gc
import facade
gc.collect()
`);
writeFileSync(target, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
