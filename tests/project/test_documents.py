"""Everything that looks like code in the documentation is run, and says what it really says."""

import ast
import doctest
import importlib
import inspect
import os
import re
import runpy
import subprocess
import sys
from itertools import takewhile
from pathlib import Path
from types import ModuleType

import pytest

import texts
from marks import cases
from purembts.workshop import uct
from test_layers import ROOMS
from toys import HAS_IMMUTABLES

HERE = Path(__file__).parents[2]
README = HERE / "README.md"
TEXTS = [README, *sorted((HERE / "docs").glob("*.md"))]
EXAMPLES = sorted((HERE / "examples").glob("*.py"))
WITH_IMMUTABLES = {"trees.md", "history.py"}
"""The names of the files that import the package immutables."""


def by_name(paths, *, slow):
    return cases({path.name: (path,) for path in paths}, slow=slow)


@pytest.mark.parametrize(
    "room",
    cases(
        {room: (room,) for room in ROOMS if room != "__main__"},
        slow=("verify/checking", "verify/algorithm_laws"),
    ),
)
def test_docstrings(room):
    module = importlib.import_module(f"purembts.{room}".replace("/", ".").removesuffix(".__init__"))
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    "path",
    by_name(
        TEXTS,
        slow=(
            *("command_line.md", "curves.md", "hidden_hands.md", "own_game.md", "own_rule.md"),
            *("scaling.md", "verify.md", "workshop_choice.md", "workshop_search.md"),
        ),
    ),
)
def test_texts(path, monkeypatch):
    """A text is run as at the prompt, where the definitions are those of the module `__main__`."""
    skip_without_immutables(path)
    main = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", main)
    text = path.read_text("utf-8")
    examples = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    examples.globs = vars(main)
    results = doctest.DocTestRunner().run(examples, clear_globs=False)
    assert results.attempted > 0
    assert results.failed == 0


def skip_without_immutables(path):
    if path.name in WITH_IMMUTABLES and not HAS_IMMUTABLES:
        pytest.skip("immutables is not here")


def blocks(path, language):
    """The blocks of code of a text, without the indent of the list that they may stand in."""
    found = re.findall(
        rf"^( *)```{language}\n(.*?)^ *```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return [re.sub(rf"^{indent}", "", source, flags=re.MULTILINE) for indent, source in found]


def test_nothing_in_the_texts_looks_like_code_and_is_not_run():
    """sh: .ci/run runs the README's; python of scaling.md: tests/far; text is not code."""
    for path in TEXTS:
        languages = set(re.findall(r"^ *```(\S+)", path.read_text("utf-8"), re.MULTILINE))
        known = {"pycon", "python", "console", "text"} | (
            {"sh"} if path.name == "README.md" else set()
        )
        assert languages <= known, f"{path.name} has {languages - known}"


@pytest.mark.parametrize("path", [HERE / "docs" / "mcts.md"], ids=lambda path: path.name)
def test_python_blocks_run(path):
    with_python = {README, path, path.parent / "scaling.md"}
    assert {text for text in TEXTS if blocks(text, "python")} == with_python
    for source in blocks(path, "python"):
        exec(compile(source, path.name, "exec"), {})


def commands(source):
    """The commands of a transcript, each with the lines that it prints.

    The lines of a command after its first one begin with the mark `> `.
    """
    for part in re.split(r"^\$ ", source, flags=re.MULTILINE)[1:]:
        first, *rest = part.split("\n")
        more = list(takewhile(lambda line: line[:1] == ">", rest))
        yield "\n".join([first, *(line[2:] for line in more)]), "\n".join(rest[len(more) :])


@pytest.mark.parametrize(
    "path",
    by_name(
        [path for path in TEXTS if blocks(path, "console")],
        slow=(
            "bandits.md",
            "command_line.md",
            "marks.md",
            "measurements.md",
            "play.md",
            "verify.md",
        ),
    ),
)
def test_transcripts_of_the_command_line(path, tmp_path):
    """Each is run by a shell in one folder, and prints what stands there."""
    (tmp_path / "purembts").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m purembts "$@"\n')
    (tmp_path / "purembts").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    ran = 0
    for source in blocks(path, "console"):
        for command, answer in commands(source):
            finished = subprocess.run(
                ["bash", "-c", command],
                cwd=tmp_path,
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                check=False,
            )
            printed = [line.rstrip() for line in finished.stdout.splitlines()]
            assert printed == [line.rstrip() for line in answer.splitlines()], command
            ran += 1
    assert ran > 0


@pytest.mark.parametrize(
    "path",
    by_name(
        EXAMPLES,
        slow={path.name for path in EXAMPLES} - {"history.py", "learning.py", "pi.py"},
    ),
)
def test_examples(path, capsys, monkeypatch):
    skip_without_immutables(path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    assert printed
    for line in QUOTED.get(path.name, ()):
        assert line in printed, f"{path.name} does not print: {line}"


QUOTED = {
    "coin_game.py": (
        "flat, expected 96.8       97 won",
        "flat                       4 won",
        "UCT, 200 dives            50 won",
    ),
    "gomoku.py": ("UCT is x and wins in", "UCT is o and wins in"),
    "strategy_fusion.py": (
        "  perfect information  guess 0.95  safe 0.70  plays guess",
        "  information set      guess 0.46  safe 0.70  plays safe",
        "  perfect information  6♣ 6♥ +8.2",
        "  information set      6♣ 6♥ +6.5",
    ),
    "tic_tac_toe.py": ("UCT, 500 dives - random                 98     2    0",),
}
"""What the texts say that the examples print."""


def test_the_readme_has_uct_as_the_workshop_has_it():
    [function] = ast.parse(inspect.getsource(uct)).body
    shown = ast.parse("".join(blocks(README, "python"))).body
    del function.body[0]  # the docstring
    assert [*map(ast.unparse, shown)] == [ast.unparse(function)]


def test_the_readme_is_a_page_and_the_workshop_an_evening():
    pages = texts.workshop()
    assert len(README.read_text("utf-8").splitlines()) <= 120
    assert len(pages.split()) <= 8_500
    assert len(pages.partition("## Task 1:")[0].split()) < 400


def test_every_link_in_the_texts_leads_somewhere():
    for path in {*TEXTS, *HERE.glob("*.md")}:
        links = re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)", path.read_text("utf-8"))
        for file, anchor in links:
            target = path.parent / file if file else path
            assert target.exists(), f"{path.name} links to {file}"
            assert not anchor or anchor in anchors(target), f"{path.name} links to #{anchor}"


def anchors(path):
    """The anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings}
