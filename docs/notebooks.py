"""Notebooks of the pages, with a cell for each doctest: `python docs/notebooks.py FOLDER`."""

import ast
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, DocTestParser, Example
from itertools import accumulate, count
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
Output = dict[str, Any]

BLOCK = re.compile(r"^( *```pycon\n.*?^ *```\n)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?![a-z]+:)([^)#]*)#?([^)]*)\)")
MARK = re.compile(r" *# doctest:.*")
ABOUT = """\
*This notebook is made from [a page]({page}). Each of its cells is an example of the page, with the
output that it has there. Run a cell with Shift-Enter.*"""


def notebook(name: str, pages: Mapping[str, str], back: str = ".") -> dict[str, Any]:
    """The page `name` in format 4.5; `back` leads from its folder to the folder of the pages."""
    numbers = count(1)
    cells = [markdown(ABOUT.format(page=os.path.normpath(f"{back}/{name}.md")))]
    parts = BLOCK.split(pages[name])
    opened = accumulate(part.count("<details>") - part.count("</details>") for part in parts)
    for part, depth in zip(parts, opened, strict=True):
        if BLOCK.match(part):
            shown = map(code, examples(part), numbers)
            cells += map(folded, shown) if depth else shown
        elif part.strip():
            cells.append(markdown(with_links(part, name, pages, back)))
    return {
        "cells": [{"id": f"{name}-{number}", **cell} for number, cell in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def examples(text: str) -> list[Example]:
    """The doctests in `text`."""
    return DocTestParser().get_examples(text)


def markdown(text: str) -> Cell:
    """The cell of a part without doctests."""
    return {"cell_type": "markdown", "metadata": {}, "source": text.strip("\n")}


def code(example: Example, number: int) -> Cell:
    """The cell of a doctest, run as the cell `number`; a notebook runs on after an error in it."""
    if set(example.options) - {ELLIPSIS, NORMALIZE_WHITESPACE}:
        raise ValueError(
            "The options of a doctest must be ELLIPSIS or NORMALIZE_WHITESPACE; "
            f"got {example.source!r}."
        )
    return {
        "cell_type": "code",
        "execution_count": number,
        "metadata": {"tags": ["raises-exception"]} if example.exc_msg else {},
        "outputs": list(outputs(example, number)),
        "source": MARK.sub("", example.source).rstrip("\n"),
    }


def folded(cell: Cell) -> Cell:
    """The cell of an answer, which stays closed until the reader opens it."""
    closed = {"jupyter": {"source_hidden": True, "outputs_hidden": True}}
    return cell | {"metadata": cell["metadata"] | closed}


def outputs(example: Example, number: int) -> Iterator[Output]:
    """The outputs that the doctest expects, of a kernel: an error, or printed lines and a value."""
    if example.exc_msg:
        name, _, value = example.exc_msg.rstrip("\n").partition(": ")
        error = {"ename": name.rpartition(".")[2], "evalue": value}
        yield {"output_type": "error", **error, "traceback": [example.want.rstrip("\n")]}
        return
    lines = example.want.replace("<BLANKLINE>", "").splitlines(keepends=True)
    length = len(lines) if example.options.get(NORMALIZE_WHITESPACE) else 1
    value_at = len(lines) - length * has_value(example.source)
    if printed := "".join(lines[:value_at]):
        yield {"output_type": "stream", "name": "stdout", "text": printed}
    if value := "".join(lines[value_at:]).rstrip("\n"):
        data = {"data": {"text/plain": value}, "metadata": {}}
        yield {"output_type": "execute_result", "execution_count": number, **data}


def has_value(source: str) -> bool:
    """True if the last line that `source` shows is its value: an expression, but not `print`."""
    match ast.parse(source).body[-1]:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return False
        case last:
            return isinstance(last, ast.Expr)


def with_links(text: str, name: str, pages: Mapping[str, str], back: str) -> str:
    """`text` with links to the notebooks of pages, their headings, and other files."""

    def link(found: re.Match[str]) -> str:
        file, anchor = found.groups()
        page = file.removesuffix(".md") if file else name
        if page not in pages:
            return f"]({os.path.normpath(f'{back}/{file}')}{anchor and '#'}{anchor})"
        heading = anchors(pages[page])[anchor] if anchor else ""
        return f"]({file and f'{page}.ipynb'}{heading and '#'}{heading})"

    return re.sub(r"\[\w+\.md\]\((\w+\.ipynb)", r"[\1](\1", LINK.sub(link, text))


def anchors(page: str) -> dict[str, str]:
    """For each heading, the anchor in a page, and the anchor in a notebook."""
    headings = re.findall(r"^#+ (.*)", page.replace("`", ""), re.MULTILINE)
    return {
        re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-"): text.replace(" ", "-")
        for text in headings
    }


def sanitizers(pages: Mapping[str, str]) -> str:
    """The file for nbval that makes an output equal to the doctest with options that it fits."""
    with_options = [each for page in pages.values() for each in examples(page) if each.options]
    return "".join(
        f"[doctest {number}]\nregex: (?s)^{pattern(example)}$\nreplace: doctest {number}\n"
        for number, example in enumerate(with_options)
    )


def pattern(example: Example) -> str:
    """The regular expression, on one line, for the outputs that the doctest stands for."""
    text = example.exc_msg.partition(": ")[2] if example.exc_msg else example.want
    words = text.split() if example.options.get(NORMALIZE_WHITESPACE) else [text.rstrip("\n")]
    fitting = r"\s+".join(map(re.escape, words)).replace("\n", "n")
    return fitting.replace(r"\.\.\.", ".*") if example.options.get(ELLIPSIS) else fitting


def build(folder: Path, back: str = "") -> None:
    """Write all notebooks, and the file for nbval, into `folder`.

    `back` leads from their folder to the folder of the pages, in a clone; the usual one if empty.
    """
    docs = Path(__file__).parent
    pages = {path.stem: path.read_text("utf-8") for path in sorted(docs.glob("*.md"))}
    back = back or Path(os.path.relpath(docs, folder)).as_posix()
    folder.mkdir(parents=True, exist_ok=True)
    for name in pages:
        text = json.dumps(notebook(name, pages, back), indent=1, ensure_ascii=False)
        (folder / f"{name}.ipynb").write_text(text + "\n", "utf-8")
    (folder / "nbval.cfg").write_text(sanitizers(pages), "utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]))
