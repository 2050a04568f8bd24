"""The parts that all pages have: the head, the bar at the top, tooltips, a policy of security."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

PAGES = {
    "play.html": "Play",
    "bandits.html": "Bandits",
    "tasks.html": "Tasks",
    "docs/index.html": "Docs",
}
"""The pages in the bar at the top, with their names there."""
HEAD = """\
<meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    {}
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="css/common.css">
    <link rel="stylesheet" href="css/page.css">
    <script src="js/common.js"></script>"""
LINK = '<link rel="modulepreload" href="js/{}">'
SCRIPT = '<script type="module"{} src="js/{}"></script>'
TOP = """\
<header class="top">
      <a class="name" href="index.html"{}>purembts</a>
      <nav aria-label="Pages">
{}
      </nav>
    </header>
    <noscript><p class="error">Games, tasks and experiments need JavaScript.</p></noscript>
    <div id="said" class="hidden" aria-live="polite"></div>"""
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",  # the pictures of the library have styles
    "img-src": "'self' data:",
    "worker-src": "'self' blob:",  # a worker that is made of a blob has the policy of its page
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
"""The sources that a page may load from: the site alone, and no script that stands in a page."""
INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.+?)</script>", re.DOTALL)
SCRIPTS = Path(__file__).parent / "page" / "js"
MODULE = re.compile(r'<script type="module" src="js/([\w.]+)"')
IMPORT = re.compile(r'^(?:import|}).* from "\./([\w.]+)"', re.MULTILINE)
GLOSSARY = Path(__file__).parents[1] / "docs" / "glossary.md"
MEANING = re.compile(r"^## (.+)\n\n((?:.+\n)+)", re.MULTILINE)
"""A word of the glossary with the paragraph below it."""
WORD = re.compile(r'<a\b(?=[^>]*\bhref="[^"]*\bglossary\.html#([\w-]+)")')
"""The begin of a link to a word of the glossary."""
CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>')


def whole(name: str, text: str) -> str:
    """The page `name` of the site, with its head and its bar in the places of two comments."""
    links = (
        f'        <a href="{page}"{_current(page, name)}>{word}</a>' for page, word in PAGES.items()
    )
    top = TOP.format(_current("index.html", name), "\n".join(links))
    return text.replace("<!-- head -->", HEAD.format(beginning(text))).replace("<!-- top -->", top)


def beginning(text: str) -> str:
    """The tags that load Python and the scripts of a page, if it needs Python.

    Other pages let the browser keep the site at once.

    >>> beginning('<script type="module" src="js/kept.js">')
    '<script type="module" src="js/offline.js"></script>'
    """
    needed = set().union(*map(modules, MODULE.findall(text)))
    if "python.js" not in needed:
        return SCRIPT.format("", "offline.js")
    first = sorted(modules("worker.js"))
    later = sorted(needed.difference(first, ["python.js"]))
    start = SCRIPT.format(" async", "python.js")  # before the other scripts have come
    return "\n    ".join([*map(LINK.format, first), start, *map(LINK.format, later)])


@cache
def modules(name: str) -> set[str]:
    """The scripts that a script cannot do without, by their names, and itself."""
    path = SCRIPTS / name
    imported = IMPORT.findall(path.read_text("utf-8")) if path.exists() else []
    return {name}.union(*map(modules, imported))


def _current(page: str, name: str) -> str:
    return ' aria-current="page"' if page == name else ""


def with_meanings(text: str) -> str:
    """A page in which a link to a word of the glossary has the meaning of the word as its tooltip.

    >>> with_meanings('<a href="glossary.html#event">').partition(".")[0]
    '<a title="What chance brings before a move, such as a roll'
    """
    known = meanings()
    return WORD.sub(lambda found: f'{found[0]} title="{escape(known[found[1]])}"', text)


@cache
def meanings() -> dict[str, str]:
    """The words of the glossary, as the ends of their addresses, each with its meaning."""
    plain = re.sub(r":\s\[[^]]*\]\([^)]*\)(?=\.)|`", "", GLOSSARY.read_text("utf-8"))
    found = MEANING.findall(plain)
    return {word.lower().replace(" ", "-"): " ".join(text.split()) for word, text in found}


def with_policy(text: str) -> str:
    """A page with its policy. It allows the scripts that the page has when it is built, no others.

    >>> page = with_policy('<meta charset="utf-8"><script>1</script>')
    >>> "'self' 'wasm-unsafe-eval' 'sha256-" in page
    True
    """
    hashes = sorted({_hash(script) for script in INLINE.findall(text)})
    rules = {**POLICY, "script-src": " ".join([POLICY["script-src"], *hashes])}
    content = "; ".join(f"{name} {sources}" for name, sources in rules.items())
    meta = f'<meta http-equiv="Content-Security-Policy" content="{content}">'
    return CHARSET.sub(lambda found: f"{found[0]}\n    {meta}", text, count=1)


def _hash(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
