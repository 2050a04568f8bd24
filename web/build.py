"""The site: `python web/build.py [FOLDER]` writes the page with all that it needs into `site/`.

It takes Pyodide from npm and wheels of pure Python from PyPI. The site needs no other address.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

WEB = Path(__file__).parent
ROOT = WEB.parent
RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, so that equal files make equal archives."""


def build(site: Path) -> None:
    """Write the site."""
    made = WEB / "made"
    made.mkdir(exist_ok=True)
    packages(made)
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(WEB / "page", site)
    shutil.copytree(ROOT / "docs" / "pictures", site / "pictures")
    (site / "pyodide").mkdir()
    for name in RUNTIME:
        shutil.copy(WEB / "node_modules" / "pyodide" / name, site / "pyodide" / name)
    archive(site / "python.zip", made / "wheels")
    subprocess.run(
        [
            "node",
            "snapshot.mjs",
            site.resolve() / "python.zip",
            site.resolve() / "python.snapshot.gz",
        ],
        cwd=WEB,
        check=True,
    )


def packages(made: Path) -> None:
    """Bring Pyodide and the wheels, if they are not there."""
    if not (WEB / "node_modules" / "pyodide").exists():
        subprocess.run(["npm", "ci", "--silent"], cwd=WEB, check=True)
    if not (made / "wheels").exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
        command += ["--python-version=3.14", f"--dest={made / 'wheels'}"]
        subprocess.run([*command, "--requirement", str(WEB / "requirements.txt")], check=True)


def archive(target: Path, wheels: Path) -> None:
    """Write all modules of Python into one archive, from which Python imports them."""
    texts = {}
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as packed:
            texts |= {name: packed.read(name) for name in packed.namelist()}
    for folder in (ROOT / "purembts", WEB / "facade"):
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".typed"):
                texts[path.relative_to(folder.parent).as_posix()] = path.read_bytes()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name in sorted(texts):
            packed.writestr(zipfile.ZipInfo(name, EARLIEST), texts[name], zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site")
