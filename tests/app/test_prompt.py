"""The prompt: its words, and the values that it shows in Python and in IPython."""

import builtins
import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import purembts
from purembts.app import prompt

PAGE = Path(__file__).parents[2] / "docs" / "prompt.md"


@pytest.fixture(autouse=True)
def _underscore(monkeypatch):
    """The hook, and `_`, which is a name of the builtins, are not for other tests."""
    monkeypatch.setattr(sys, "displayhook", sys.displayhook)
    yield
    vars(builtins).pop("_", None)


def typed(monkeypatch, capsys, *lines):
    """The text that the prompt prints when these lines are typed, and what it says on stderr."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    prompt.interact()
    out, err = capsys.readouterr()
    assert err.startswith(prompt.SETUP)
    return out.replace(">>> ", ""), err.removeprefix(prompt.SETUP)


def test_the_words_are_those_of_the_workshop_and_more(monkeypatch, capsys):
    words = " ".join(f"{word}," for word in purembts.__all__)
    more = "coins.name, reversi.name, games.reversi.reversi(6).rules, engine.search is search"
    out, err = typed(monkeypatch, capsys, f"len(({words}))", more)
    said = "('Last coin', 'Reversi', Rules(size=6), False)"
    assert out == f"{len(purembts.__all__)}\n{said}\n"
    assert "Error" not in err
    assert max(map(len, prompt.SETUP.splitlines())) < 80


def test_other_values_and_errors_are_those_of_python(monkeypatch, capsys):
    lines = ["(1, 2)", "frozenset('a')", "None", "'x'", "print(coins.start, [easy_box])"]
    out, err = typed(monkeypatch, capsys, *lines, "1/0", "1 +", "full_box(")
    plain = "Pile(coins=21, player=0) [frozenset({7})]\n"
    assert out.startswith(f"(1, 2)\nfrozenset({{'a'}})\n'x'\n{plain}")
    assert "ZeroDivisionError" in err
    assert "SyntaxError" in err


def test_the_last_value_is_underscore(monkeypatch, capsys):
    out, _ = typed(monkeypatch, capsys, "search({}, easy_box, 99)", "None", "len(_)")
    assert out == "Tree (positions: 2, dives: 99); for more: show(tree, game=...)\n2\n"


def test_ipython_is_used_where_it_is_installed(monkeypatch, capsys):
    started = {}
    fake = SimpleNamespace(start_ipython=lambda **how: started.update(how))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(prompt, "find_spec", lambda name: name == "IPython")
    monkeypatch.setattr(prompt, "import_module", {"IPython": fake}.get)
    prompt.interact()
    assert "--ext=purembts" in started["argv"]
    assert started["user_ns"]["start_box"] == purembts.start_box
    assert capsys.readouterr().out.startswith(prompt.SETUP)


def test_the_page_shows_what_the_prompt_shows(monkeypatch, capsys):
    """The page has the form of IPython: the number of the input, and that of the value."""
    block = next(text for text in PAGE.read_text("utf-8").split("```") if "In [1]: " in text)
    lines = re.findall(r"^In \[\d+\]: (.*)", block, re.MULTILINE)
    assert len(lines) > 3
    out, _ = typed(monkeypatch, capsys, *(f"{line}\nprint('@@')" for line in lines))
    for n, (line, answer) in enumerate(zip(lines, out.split("@@\n"), strict=False), 1):
        value = answer.rstrip()
        mark = f"Out[{n}]:\n" if "\n" in value else f"Out[{n}]: "
        assert f"In [{n}]: {line}\n{mark if value else ''}{value}\n" in block
