"""The texts of the tasks page, from the documentation of the workshop, as parts of HTML."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from markdown_it import MarkdownIt

from purembts.course.tasks import TASKS

WORKSHOP = sorted((Path(__file__).parents[1] / "docs").glob("workshop*.md"))
"""The pages of the workshop, each with some of the tasks."""
SECTION = re.compile(r"^## Task (\d+): ([^\n]*)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
PART = re.compile(r"^\*\*([^*\n]+)\.\*\*[ \n]", re.MULTILINE)
TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
MARKER = re.compile(r"`purembts check mine\.py --task \d+`")
LINK = re.compile(r'href="(?!https?:)([^"#]*?)(\.md)?(#[^"]*)?"')
OPEN = ("Task", "Predict first", "Mark it")
"""The parts of a task that are open. The words are open too; the other parts can be opened."""
TAGS = {
    "<table>": '<div class="table" tabindex="0" role="region" aria-label="The words"><table>',
    "</table>": "</table></div>",
    "\n\n</code>": "</code>",
    "<th>": '<th scope="col">',
    "<pre>": '<pre tabindex="0">',
}
"""Tags of the parser, and those with what a screen reader and the keyboard need."""
OWN_NOTE = (
    "Here the names begin with my_, so that the functions can be compared with those of the "
    "library. In your file, leave out my_, and the marks >>> and ... at the prompt."
)
FIGURES = {1: '<figure id="darts"></figure>\n'}
"""The places of figures that scripts draw, by the numbers of their tasks."""
MARKDOWN = MarkdownIt("commonmark").enable("table")


def with_tasks(page: str) -> str:
    """A page with all tasks in the place of a comment. The first one is seen until scripts run."""
    here = "<!-- tasks -->"
    return page.replace(here, "\n".join(task_elements())) if here in page else page


def task_elements() -> Iterator[str]:
    """The element of each task."""
    found = [(each, page) for page in WORKSHOP for each in SECTION.findall(page.read_text("utf-8"))]
    for (number, title, text), page in sorted(found, key=lambda each: int(each[0][0])):
        names = PART.split(text)[1:]
        parts = dict(zip(names[::2], names[1::2], strict=True))
        anchor = f"#task-{number}-{re.sub('[^a-z0-9]+', '-', title.lower())}"
        parts["Mark it"] += f"\n[This task in the documentation]({anchor})\n"
        body = LINK.sub(partial(_address, f"{page.stem}.html"), _task(parts, int(number)))
        hidden = "" if number == "1" else " hidden"
        yield f'<div data-task="{number}" data-title="{title}"{hidden}>\n{body}</div>'


def _task(parts: Mapping[str, str], number: int) -> str:
    """The text of a task, with the words to write."""
    tables = [table for text in parts.values() for table in TABLE.findall(text)]
    texts = {name: TABLE.sub("", text) for name, text in parts.items()}
    folded = "".join(_folded(name, texts[name]) for name in texts if name not in OPEN)
    return (
        html(texts["Task"])
        + FIGURES.get(number, "")
        + html(f"**Predict first.**\n\n{texts['Predict first']}")
        + html(_asked(number))
        + html("\n".join(tables))
        + html(MARKER.sub("The page", texts["Mark it"]))
        + folded
    )


def _asked(number: int) -> str:
    """The words to write as the stub of the starter file, and the others that are marked."""
    stub = TASKS[number].stub.strip()
    others = [f"`{word}`" for word in TASKS[number].checks if not re.search(rf"\b{word}\b", stub)]
    more = f"\n\nMarked too, if you write it: {', '.join(others)}." if others else ""
    return f"Write this:\n\n```python\n{stub}\n```{more}"


def _folded(name: str, text: str) -> str:
    """A part that can be opened; a note explains functions with names of their own."""
    is_own = re.search("^>>> def my_", text, re.MULTILINE)
    note = f'<p class="note">{OWN_NOTE}</p>\n' if is_own else ""
    return f"<details><summary>{name}</summary>\n{note}{html(text)}</details>\n"


def html(text: str) -> str:
    """The HTML of a text of the documentation."""
    made = MARKDOWN.render(text)
    for tag, better in TAGS.items():
        made = made.replace(tag, better)
    return made


def _address(place: str, found: re.Match[str]) -> str:
    """The link of the site for a link in the page `place` of the documentation."""
    page, is_text, anchor = found.groups()
    file = f"{page}.html" if page and is_text else page or place
    return f'href="docs/{file}{anchor or ""}"'
