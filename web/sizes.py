"""The sizes of the files that a page of a built site loads."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

FIRST = "play.html"
BEGINNING = ("pyodide/pyodide.asm.mjs",)
"""What Pyodide loads by itself."""
LATER = ("more.zip", "js/codemirror.js")
"""What is loaded only when a rare module is imported, or an editor is opened."""


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


def compressed(path: Path) -> int:
    """The bytes that a file has on its way, compressed by `gzip -9` if that makes it smaller."""
    plain = path.read_bytes()
    return min(len(plain), len(gzip.compress(plain, 9, mtime=0)))
