"""The documentation as a part of the site: `python web/docs/pages.py SITE` writes `SITE/docs`.

Sphinx reads copies of the pages in `docs/`, with the README as the first page, the examples, and a
reference of all modules. The copies have links to the page and to the notebooks below headings.
"""

import ast
import inspect
import os
import pkgutil
import re
import runpy
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar, get_origin

from sphinx.pycode import ModuleAnalyzer

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

NAMED = re.compile(r"\[[\w/]+\.md\]\(")
LINK = re.compile(r"\]\((?![a-z]+:)([^)#]*)(#[^)]*)?\)")
HEADING = re.compile(r"^#+ (.*)\n", re.MULTILINE)
CODE = re.compile(r"(^ *```.*?^ *```\n)", re.DOTALL | re.MULTILINE)

TRIES = {
    ("games", "Why a tree: the error of flat Monte Carlo"): (
        "Play Last coin against flat Monte Carlo",
        "play.html#game=coins&start=20&players=flat:1000,person",
    ),
    ("play", "Play"): ("Play Reversi in the page", "play.html#game=reversi&seed=7"),
    ("play", "Hints"): ("See hints in the page", "play.html#game=shut-the-box&seed=7"),
    ("big_two", "The rules"): ("Play a hand of Big Two", "play.html#game=big-two&seed=7"),
    ("own_game", "Play it"): ("Write your own game in the page", "play.html#game=own"),
    ("bandits", "Regret"): ("Pull the arms by hand", "bandits.html#seed=7"),
}
"""For a page and a heading, the text of a link to a page where one tries it, and its address."""
TASK = re.compile(r"Task (\d+): ")
FILES = ("README.md", "CONTRIBUTING.md", "MAINTAINING.md", "SECURITY.md", "CHANGELOG.md")
ARTICLE = '<article role="main" id="furo-main-content">'
NAMED_PARTS = {
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="announcement-content"': '<aside aria-label="Site" class="announcement-content"',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Contents">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
}
"""Tags of the theme that a screen reader cannot tell apart, and better ones."""
LACKING = re.compile(r">>> (?:from|import) (immutables)\b")
"""An import of a package that has no wheel of pure Python."""


def build(site: Path) -> None:
    """Write the documentation into `site/docs`."""
    target = site.resolve() / "docs"
    shutil.rmtree(target, ignore_errors=True)
    with TemporaryDirectory() as work:
        source = Path(work) / "source"
        for name, text in sources().items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text, "utf-8")
        for folder in ("pictures", "screens"):
            shutil.copytree(ROOT / "docs" / folder, source / folder)
        command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", HERE]
        command += ["-d", Path(work) / "trees", source, target]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    (target / ".buildinfo").unlink(missing_ok=True)
    for path in target.rglob("*.html"):
        path.write_text(accessible(path.name, path.read_text("utf-8")), "utf-8")
    notebooks = runpy.run_path(str(ROOT / "docs" / "notebooks.py"))
    notebooks["build"](target / "notebooks", "../docs")
    (target / "notebooks" / "nbval.cfg").unlink()  # it is for the tests of the notebooks


def accessible(name: str, text: str) -> str:
    """The HTML of a page with names for its parts, and with a heading."""
    for tag, better in NAMED_PARTS.items():
        text = text.replace(tag, better)
    return text.replace(ARTICLE, f"{ARTICLE}\n<h1>Search</h1>") if name == "search.html" else text


def sources() -> dict[str, str]:
    """The texts that Sphinx reads, by their names."""
    texts = {
        **{name: (ROOT / name).read_text("utf-8") for name in FILES},
        **{
            f"docs/{path.name}": path.read_text("utf-8")
            for path in sorted((ROOT / "docs").glob("*.md"))
        },
    }
    pages = {page_of(name): with_extras(name, text) for name, text in texts.items()}
    pages["index.md"] = pages["index.md"].rstrip() + "\n"
    pages["index.md"] += (HERE / "contents.md").read_text("utf-8")
    return pages | examples() | reference()


def page_of(name: str) -> str:
    """The name that Sphinx reads for a file of the repository."""
    if name.startswith("examples/"):
        return f"{name.removesuffix('.py')}.md"
    return "index.md" if name == "README.md" else name.removeprefix("docs/").lower()


def with_extras(name: str, text: str) -> str:
    """The page with links that fit the site, and more links below some headings."""
    page = Path(page_of(name)).stem
    parts = CODE.split(text)
    parts[::2] = [with_tries(page, with_links(name, part)) for part in parts[::2]]
    parts[1::2] = [part + lacking_note(part) for part in parts[1::2]]
    if name.startswith("docs/"):
        parts[0] = HEADING.sub(lambda found: found[0] + notebook_link(page), parts[0], count=1)
    return "".join(parts)


def with_links(name: str, text: str) -> str:
    """The text of the file `name` with links from its page to pages, which have their titles."""

    def link(found: re.Match[str]) -> str:
        place = found[2] or ""
        file = os.path.normpath(Path(name).parent / found[1]) if found[1] else name
        if not (ROOT / file).exists():
            raise ValueError(f"The links of {name} must lead to files; got {found[1]}.")
        return f"]({page_of(file)}{place})" if file != name else f"]({place})"

    return LINK.sub(link, NAMED.sub("[](", text))


def with_tries(page: str, text: str) -> str:
    """The text with the links of `TRIES`, and those to the tasks, below its headings."""

    def tried(found: re.Match[str]) -> str:
        task = TASK.match(found[1]) if page.startswith("workshop") else None
        tries = [("Do this task in the page", f"tasks.html#task={task[1]}")] if task else []
        tries += [TRIES[page, found[1]]] if (page, found[1]) in TRIES else []
        return found[0] + "".join(raw(f"../{link}", words, "try") for words, link in tries)

    return HEADING.sub(tried, text)


def lacking_note(block: str) -> str:
    """A note after a block that cannot run in the page; "" for other blocks."""
    found = LACKING.search(block)
    if not found:
        return ""
    why = f"It needs `{found[1]}`, which has no wheel of pure Python."
    return f"\n```{{note}}\n:class: lacking\nThis block does not run in the page. {why}\n```\n"


def notebook_link(page: str) -> str:
    """The link to the notebook of a page."""
    return raw(f"notebooks/{page}.ipynb", "Download as a notebook", "notebook", " download")


def raw(address: str, words: str, kind: str, more: str = "") -> str:
    """A paragraph with one link, in the HTML of a page."""
    link = f'<a href="{address.replace("&", "&amp;")}"{more}>{words}</a>'
    return f'\n```{{raw}} html\n<p class="{kind}">{link}</p>\n```\n\n'


def examples() -> dict[str, str]:
    """A page for each program in `examples`, and one with links to all of them."""
    paths = sorted((ROOT / "examples").glob("*.py"))
    pages = {page_of(f"examples/{path.name}"): listing(path) for path in paths}
    names = "\n".join(path.stem for path in paths)
    pages["examples/index.md"] = (
        "# Examples\n\nThe programs of the folder `examples`.\n\n"
        f"```{{toctree}}\n:maxdepth: 1\n\n{names}\n```\n"
    )
    return pages


def listing(path: Path) -> str:
    """The page of a program."""
    return f"# {path.name}\n\n```python\n{path.read_text('utf-8')}```\n"


def reference() -> dict[str, str]:
    """A page for each module of purembts, and one with a list of all of them."""
    items = "".join(f"- [`{name}`]({name}.rst): {summary(name)}\n" for name in modules())
    index = f"# Reference\n\nAll modules, with the texts from their code.\n\n{items}"
    pages = {f"reference/{name}.rst": module_page(name) for name in modules()}
    return pages | {"reference/index.md": index}


def summary(name: str) -> str:
    """The first sentence of the docstring of a module, on one line."""
    text = " ".join((import_module(name).__doc__ or "").split())
    return re.split(r"(?<=[.]) ", f"{text} ")[0]


def modules() -> list[str]:
    """The names of all modules of purembts, without the one that runs when it is imported."""
    import purembts

    found = pkgutil.walk_packages(purembts.__path__, "purembts.")
    return ["purembts", *sorted(each.name for each in found if each.name != "purembts.__main__")]


def module_page(name: str) -> str:
    """The page of a module, for autodoc, with the values that autodoc leaves out."""
    text = f":orphan:\n\n{name}\n{'=' * len(name)}\n\n.. automodule:: {name}\n   :members:\n"
    module = import_module(name)
    return text + "".join(value_text(each, getattr(module, each)) for each in left_out(name))


def value_text(name: str, value: object) -> str:
    """The text by which Sphinx shows a name, and its value if that is plain."""
    shown = repr(value).replace("\\", "\\\\")
    is_plain = not re.search(" at 0x|[{]|Path", shown)  # nor a set
    return f"\n.. py:data:: {name}\n" + (f"   :value: {shown}\n" if is_plain else "")


def left_out(name: str) -> list[str]:
    """The public names of values that have no docstring; autodoc leaves out most of these."""
    module = import_module(name)
    source = inspect.getsource(module)
    told = {each for _, each in ModuleAnalyzer.for_string(source, name).find_attr_docs()}
    listed = getattr(module, "__all__", None) or assigned(ast.parse(source))
    values = [each for each in assigned(ast.parse(source)) if each in listed and each not in told]
    return [each for each in values if not each.startswith("_") and is_value(getattr(module, each))]


def is_value(thing: object) -> bool:
    """False for functions and types, which autodoc shows, and for variables of types."""
    return not isinstance(thing, TypeVar) and (
        not hasattr(thing, "__qualname__") or get_origin(thing) is not None
    )


def assigned(tree: ast.Module) -> list[str]:
    """The names that a module gives to values."""
    statements = [each for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign)]
    targets = [
        target
        for each in statements
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
    ]
    return [
        name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
    ]


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site")
