"""The sizes of a built site, plain and compressed, in all and for the page of the games."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

FIRST = "play.html"
BEGINNING = ("pyodide/pyodide.asm.mjs", "pyodide/pyodide-lock.json")
"""What Pyodide loads by itself."""
LATER = ("more.zip",)
"""What is loaded only when a rare module is imported."""


def table(site: Path) -> str:
    """The sizes in lines of text, in bytes."""
    rows = {
        "all files": sorted(path for path in site.rglob("*") if path.is_file()),
        f"{FIRST} loads": [site / name for name in sorted(loaded(site))],
    }
    large = {name: [site / name] for name in sorted(loaded(site)) if size(site / name) > 100_000}
    lines = [f"{'':32}{'files':>6}{'plain':>13}{'gzip -9':>13}"]
    for title, paths in (rows | large).items():
        plain, packed = sum(map(size, paths)), sum(map(compressed, paths))
        lines.append(f"{title:32}{len(paths):6}{plain:13,}{packed:13,}")
    return "\n".join(lines)


def loaded(site: Path) -> set[str]:
    """The files that the page of the games loads until one can play."""
    found = set(BEGINNING)
    waiting = [FIRST]
    while waiting:
        name = waiting.pop()
        if name not in found and name not in LATER and (site / name).is_file():
            found.add(name)
            waiting += named(site, name)
    return found


def named(site: Path, name: str) -> Iterator[str]:
    """The files that a page, a module or a style names."""
    if not name.endswith((".html", ".css", ".js")):
        return
    text = (site / name).read_text("utf-8")
    text = re.sub(r"<a\s[^>]*>", "", text)
    for each in re.findall(r"""["']((?:\.\.?/)?\w[\w./-]*\.(?:css|m?js|gz|zip))["']""", text):
        for folder in {(site / name).parent, site}:  # of a module; of the page that it changes
            path = (folder / each).resolve()
            if path.is_relative_to(site.resolve()):
                yield path.relative_to(site.resolve()).as_posix()


def size(path: Path) -> int:
    """The bytes of a file."""
    return path.stat().st_size


def compressed(path: Path) -> int:
    """The bytes that a file has on its way, compressed by `gzip -9` if that makes it smaller."""
    return min(size(path), len(gzip.compress(path.read_bytes(), 9, mtime=0)))
