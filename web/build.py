"""The site: `python web/build.py [FOLDER]` writes the pages with all that they need into `site/`.

It takes Pyodide, CodeMirror and lit-html from npm, and wheels of pure Python from PyPI. The site
needs no other address.
Two builds from the same files write the same bytes: the times in the archives are fixed, and the
snapshot is made without a clock and without chance (see snapshot.mjs). Compressed bytes also depend
on the versions of zlib in Python and Node.
"""

import argparse
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from html import escape
from pathlib import Path

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
sys.path[:0] = [str(WEB), str(ROOT)]

import front  # noqa: E402  (neighbours of this file)
import layout  # noqa: E402
import recorded  # noqa: E402
import task_texts  # noqa: E402
from facade.bandits import contest  # noqa: E402
from facade.links import Link  # noqa: E402

PYODIDE = WEB / "node_modules" / "pyodide"
WHEELS = WEB / "made" / "wheels"
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive, so that equal files make equal archives."""

PARTS = (
    *("pyodide/pyodide.asm.wasm.gz", "pyodide/python_stdlib.zip"),
    *("python.zip", "python.snapshot.gz"),
)
"""The parts of Python that a page loads first, each under an address with the version of all."""

KEPT = {".html", ".css", ".js", ".png", ".svg"}
"""The ends of the names of the files that a browser keeps for pages without a network."""

Files = Mapping[str, bytes]


def build(site: Path) -> None:
    """Write the site beside its place, then put it there."""
    if site.exists() and any(site.iterdir()) and not (site / "python.zip").exists():
        raise ValueError(f"The folder must be empty or a site built before; got {site}.")
    packages()
    new = site.with_name(f"{site.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        write(new)
        shutil.rmtree(site, ignore_errors=True)
        new.rename(site)
    finally:
        shutil.rmtree(new, ignore_errors=True)


def write(site: Path) -> None:
    """Write the pages, Python and the documentation into a new folder."""
    pages(site)
    command = [sys.executable, "docs/pages.py", str(site.resolve())]
    with subprocess.Popen(command, cwd=WEB) as documents:  # at once, since it takes longest
        runtime(site / "pyodide")
        for name in ("codemirror", "lit"):
            bundle(name, site / "js" / f"{name}.js")
        python(site)
    if documents.returncode:
        raise ValueError(f"The documentation must build; got {documents.returncode}.")
    for path in (site / "docs").rglob("*.html"):
        text = front.with_drawn(path.read_text("utf-8"), site / "pictures")
        path.write_text(layout.with_policy(layout.with_meanings(text)), "utf-8")
    offline(site)


def pages(site: Path) -> None:
    """Write the pages but for the documentation, with their styles, scripts and pictures."""
    unread = shutil.ignore_patterns("own_game.txt")
    shutil.copytree(WEB / "page", site, dirs_exist_ok=True, ignore=unread)
    example = escape((WEB / "page" / "own_game.txt").read_text("utf-8"))
    shutil.copytree(ROOT / "docs" / "pictures", site / "pictures", dirs_exist_ok=True)
    (site / "js" / "recorded.js").write_text(recorded.script(), "utf-8")
    for path in site.glob("*.html"):
        text = path.read_text("utf-8").replace("<!-- example -->", example)
        text = task_texts.with_tasks(front.with_path(layout.whole(path.name, text)))
        text = front.with_drawn(text, site / "pictures")
        text = front.with_games(front.with_pictures(text))
        path.write_text(layout.with_policy(layout.with_meanings(text)), "utf-8")


def offline(site: Path) -> None:
    """Write the service worker, with the files to keep, and a digest that renews it with them."""
    files = [path for path in sorted(site.rglob("*")) if path.suffix in KEPT]
    files = [path for path in files if path.parent.name != "pyodide" and path.name != "sw.js"]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    names = json.dumps([path.relative_to(site).as_posix() for path in files])
    text = (WEB / "page" / "sw.js").read_text("utf-8")
    (site / "sw.js").write_text(f"// {digest}\nconst FILES = {names};\n{text}", "utf-8")


def python(site: Path) -> None:
    """Write the archives of modules and the snapshot.

    A first snapshot shows which modules are needed at once. The others go into an archive of their
    own. A snapshot has the places of the modules in the archives, so a second one is made then.
    """
    ours, others = modules()
    standard = unpacked(PYODIDE / "python_stdlib.zip")
    archive(site / "pyodide" / "python_stdlib.zip", standard)
    archive(site / "python.zip", ours)
    used = snapshot(site)
    near = {name: standard[name] for name in standard if name.partition("/")[0] in used}
    far = {name: standard[name] for name in standard if name not in near}
    archive(site / "pyodide" / "python_stdlib.zip", near)
    archive(site / "more.zip", far | dict(others))
    snapshot(site)
    (site / "js" / "made.js").write_text(facts(site), "utf-8")


def facts(site: Path) -> str:
    """A module of facts: the parts of Python, their version, empty links.

    The list of Pyodide's packages is empty: the site has no others to offer.
    """
    parts = {name: (site / name).read_bytes() for name in PARTS}
    rare = (site / "more.zip").read_bytes()
    version = hashlib.sha256(b"".join([*parts.values(), rare])).hexdigest()[:16]
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    known = {
        "LOCK": {"info": lock["info"], "packages": {}},
        "PARTS": {name: len(part) for name, part in parts.items()},
        "VERSION": version,
        "EMPTY": {name: each for name, each in Link("")._asdict().items() if name != "source"},
        "CONTEST": contest({}),
    }
    return "".join(f"export const {name} = {json.dumps(each)};\n" for name, each in known.items())


# What comes from elsewhere


def packages() -> None:
    """Bring Pyodide, CodeMirror, lit-html and the wheels, if those that are there do not fit."""
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise ValueError(f"{tool} must be on PATH to build the site (on Debian: nodejs, npm).")
    if locked(WEB / "package-lock.json") != locked(WEB / "node_modules" / ".package-lock.json"):
        run("npm", "ci", "--silent", "--no-fund", "--no-audit")
    if hashes(WHEELS) != hashes_asked():
        shutil.rmtree(WHEELS, ignore_errors=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
        command += ["--python-version=3.14", "--require-hashes", f"--dest={WHEELS}"]
        run(*command, f"--requirement={WEB / 'requirements.txt'}")


def run(*command: str) -> str:
    """The output of a command; a ValueError says which one failed."""
    none, pipe = subprocess.DEVNULL, subprocess.PIPE
    done = subprocess.run(command, cwd=WEB, check=False, stdin=none, stdout=pipe, text=True)
    if done.returncode:
        raise ValueError(f"`{' '.join(command)[:200]}` must succeed; got {done.returncode}.")
    return done.stdout


def locked(path: Path) -> dict[str, str]:
    """The packages of a lock file of npm with their hashes; none if there is no such file."""
    if not path.exists():
        return {}
    listed = json.loads(path.read_text("utf-8"))["packages"]
    return {name: each["integrity"] for name, each in listed.items() if name}


def hashes(folder: Path) -> set[str]:
    """The hashes of the wheels in a folder."""
    return {hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.whl")}


def hashes_asked() -> set[str]:
    """The hashes of the wheels in requirements.txt."""
    asked = (WEB / "requirements.txt").read_text("utf-8")
    return set(re.findall(r"--hash=sha256:(\w+)", asked))


def bundle(name: str, script: Path) -> None:
    """Write the parts of a package that the pages use as one script, with their licences."""
    known = WEB / "made" / f"{name}.json"
    command = ["node", "node_modules/esbuild-wasm/bin/esbuild", f"{name}.mjs", "--bundle"]
    command += ["--format=esm", "--minify", "--log-level=warning", f"--metafile={known}"]
    run(*command, f"--outfile={script.resolve()}")
    used = " ".join(json.loads(known.read_text("utf-8"))["inputs"])
    folders = set(re.findall(r"node_modules/(?:@[^/ ]+/)?[^/ ]+", used))
    licences = sorted({(WEB / folder / "LICENSE").read_text("utf-8") for folder in folders})
    script.write_text("\n".join(["/*", *licences, "*/", script.read_text("utf-8")]), "utf-8")


# Python


def runtime(folder: Path) -> None:
    """Write Pyodide."""
    folder.mkdir()
    for name in ("pyodide.mjs", "pyodide.asm.mjs"):
        shutil.copyfile(PYODIDE / name, folder / name)
    packed = gzip.compress((PYODIDE / "pyodide.asm.wasm").read_bytes(), 9, mtime=0)
    (folder / "pyodide.asm.wasm.gz").write_bytes(packed)


def modules() -> tuple[Files, Files]:
    """The modules that each page needs, and those that only a few need."""
    wheels = {path.name: unpacked(path) for path in sorted(WHEELS.glob("*.whl"))}
    texts = {name: text for files in wheels.values() for name, text in files.items()}
    ours = {name: texts[name] for name in texts if re.match(r"(pyrsistent|toolz)/(?!tests/)", name)}
    others = {name: texts[name] for name in texts if name not in ours and "/tests/" not in name}
    for folder in (ROOT / "purembts", WEB / "facade"):
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".typed", ".toml"):
                ours[path.relative_to(folder.parent).as_posix()] = path.read_bytes()
    return ours, others


def unpacked(path: Path) -> Files:
    """The files of an archive."""
    with zipfile.ZipFile(path) as packed:
        return {n: packed.read(n) for n in packed.namelist() if not n.endswith("/")}


def archive(target: Path, files: Files) -> None:
    """Write files into an archive, from which Python imports them."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in sorted(files):
            facts = zipfile.ZipInfo(name, EARLIEST)
            packed.writestr(facts, files[name], zipfile.ZIP_DEFLATED, compresslevel=9)


def snapshot(site: Path) -> set[str]:
    """Write the memory of Python with the facade.

    The answer is the modules and packages of the standard library that are in it, by the names of
    their files and folders.
    """
    return set(run("node", "snapshot.mjs", str(site.resolve())).split())


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(description="Build the site.")
    usual = ROOT / "site"
    parser.add_argument("folder", nargs="?", type=Path, default=usual, help="default: site")
    parser.add_argument("--pages", action="store_true", help="of a built site, the pages alone")
    folder, is_built = vars(parser.parse_args()).values()
    try:
        if is_built:
            pages(folder)
            offline(folder)
        else:
            build(folder)
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
