"""Everything that looks like code in the documentation is run, and says what it really says."""

import doctest
import importlib
import re
import runpy
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from purembts.shell.commands import learn, learn_table
from test_floors import ROOMS

HERE = Path(__file__).parents[1]
TEXTS = [HERE / "README.md", *sorted((HERE / "docs").glob("*.md"))]
EXAMPLES = sorted((HERE / "examples").glob("*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings(room):
    if room == "__main__":
        return
    module = importlib.import_module(f"purembts.{room}".replace("/", ".").removesuffix(".__init__"))
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_texts(path):
    results = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_the_transcript_of_learn_is_what_learn_prints():
    console = Console(width=100, record=True, file=StringIO())
    *_, lesson = learn(100_000, [1000, 10_000, 100_000], 2.0, 7)
    console.print(learn_table(lesson.rows))
    printed = [line.strip() for line in console.export_text().splitlines()]
    readme = [line.strip() for line in (HERE / "README.md").read_text("utf-8").splitlines()]
    start = readme.index(printed[0])
    assert readme[start : start + len(printed)] == printed


def test_every_link_in_the_texts_leads_somewhere():
    for path in TEXTS:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"
