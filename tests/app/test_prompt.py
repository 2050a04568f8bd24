"""The prompt shows the library's values, and behaves as Python's own in everything else."""

import builtins
import io
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import purembts
from new_process import on_terminal
from purembts.app import prompt as repl
from purembts.app.prompt import BANNER, MODULES, USUAL, display, interact, words, work
from purembts.bandits import Pulls
from purembts.bounds import ucb1, ucb_wald
from purembts.game import turn_at
from purembts.games.mnk import Board, gomoku, tic_tac_toe
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.records import Record

BOX = frozenset({1, 9})


@pytest.fixture(autouse=True)
def _underscore():
    """`_` is a name of the builtins, which other tests must not find."""
    yield
    vars(builtins).pop("_", None)


def typed(monkeypatch, capsys, *lines, names=None):
    """The text that the prompt prints when these lines are typed."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert interact(words() if names is None else names) == 0
    out, err = capsys.readouterr()
    assert err.startswith(BANNER)
    return out.replace(">>> ", ""), err.removeprefix(BANNER)


def test_the_words_are_those_of_the_workshop_and_more():
    names = words()
    for word in purembts.__all__:
        assert names[word] is getattr(purembts, word)
    turn, tree = turn_at(shut_the_box(), full_box(), 9), {}
    assert names["report"](shut_the_box(), turn, tree).bound == ucb_wald.name
    assert names["report"](shut_the_box(), turn, tree, bound=ucb1).bound == ucb1.name
    coins = names["coins"]
    assert [each.bound for each in names["reports"](coins, coins.start, tree)] == [ucb1.name]
    assert names["engine"].search is not names["search"]
    for name, game in USUAL.items():
        assert names[name] is game
    assert names["games"].reversi.reversi(6).rules.size == 6


def test_the_banner_fits_and_names_the_words(monkeypatch, tmp_path):
    assert max(map(len, BANNER.splitlines())) <= 60
    for name in (*USUAL, *MODULES.replace("fast.", "").split(), "turn_at", "Random"):
        assert name in BANNER
    names = words()
    monkeypatch.chdir(tmp_path)
    for line in BANNER.splitlines()[-6:]:
        exec(line.strip(), names)
    assert (tmp_path / "tree.svg").read_text().startswith("<svg")


def test_other_values_and_errors_are_those_of_python(monkeypatch, capsys):
    lines = ["(1, 2)", "frozenset('a')", "None", "'x'", "print(coins.start, [easy_box])"]
    out, err = typed(monkeypatch, capsys, *lines, "1/0", "1 +", "full_box(")
    plain = "Pile(coins=21, player=0) [frozenset({7})]\n"
    assert out.startswith(f"(1, 2)\nfrozenset({{'a'}})\n'x'\n{plain}")
    assert "ZeroDivisionError" in err
    assert "SyntaxError" in err


class Lazy(tuple):
    """A tuple that cannot be counted."""

    __slots__ = ()

    def __len__(self):
        raise RuntimeError("lazy")


@pytest.mark.parametrize(
    "value",
    [Lazy((1, 2)), (Pulls(3, -2, 2),), Record(3, ("a",)), Record(3, (float("nan"),))],
    ids=["lazy", "pay", "text", "nan"],
)
def test_a_value_that_cannot_be_shown_keeps_its_own_form(value, monkeypatch, capsys):
    out, err = typed(monkeypatch, capsys, "value", names={"value": value})
    assert out.strip() == repr(value)
    assert "Traceback" not in err


def test_a_board_is_shown_by_the_game_that_was_named_last(monkeypatch, capsys):
    board = "mine = gomoku.moves(gomoku.start, None)[0]"
    out, _ = typed(monkeypatch, capsys, board, "mine", "tic_tac_toe.name[:0]", "mine")
    large, small = (game.display.show(Board(1, 0)) for game in (gomoku, tic_tac_toe))
    assert out == f"{large}\n''\n{small}\n"


def test_a_game_of_ones_own_is_found_by_its_name(capsys):
    names = {"mine": purembts.shut_the_box(purembts.Rules(levers=12))}
    display(names, [], frozenset({12}))
    assert "12" in capsys.readouterr().out
    display({}, [], frozenset({12}))
    assert capsys.readouterr().out == "frozenset({12})\n"


def test_an_exit_ends_the_prompt(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("raise SystemExit(3)\n"))
    with pytest.raises(SystemExit) as ended:
        work(None)
    assert ended.value.code == 3
    assert getattr(sys.displayhook, "func", None) is not display


PROMPT = "import sys; from purembts.app.prompt import interact, words; sys.exit(interact(words()))"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals here")
@pytest.mark.parametrize("writable", [True, False])
def test_a_terminal_completes_words_and_keeps_the_history(tmp_path, writable):
    pytest.importorskip("readline")
    state = tmp_path / "state"
    if not writable:
        state.write_text("a file where the folder should be")
    out = answer("len(all_box\t) * 11\neasy_b\t\n\x04", state, "dumb")
    assert "5632" in out
    assert "| 7 |" in out
    assert "Error" not in out
    if writable:
        kept = (state / "purembts" / "history").read_text().splitlines()
        assert kept[-2:] == ["len(all_boxes) * 11", "easy_box"]
        assert "| 7 |" in answer("\x1b[A\n\x04", state, "xterm")


def answer(text, state, kind):
    """What the prompt shows on a terminal of this kind, after `text` is typed."""
    with on_terminal("-c", PROMPT, XDG_STATE_HOME=str(state), TERM=kind) as (put, until):
        until(">>> ")
        put(text)
        return until("")


# IPython, by a shell that has what the extension uses


class Formatter:
    """The part of IPython's DisplayFormatter that the extension uses."""

    active_types = ("text/plain", "text/html", "image/svg+xml")

    def format(self, value, include=None, exclude=None):
        return {"text/plain": repr(value), "image/png": "…"}, {"image/png": {"width": 1}}


@pytest.fixture
def shell():
    shell = SimpleNamespace(display_formatter=Formatter(), user_ns={"In": ["", "1"]})
    purembts.load_ipython_extension(shell)
    return shell


def test_the_extension_shows_values_in_each_form_until_it_is_unloaded(shell):
    texts, metadata = shell.display_formatter.format(BOX)
    assert texts["text/plain"] == purembts.shut_the_box().display.show(BOX)
    assert texts["image/svg+xml"].startswith("<svg")
    assert "text/html" not in texts
    assert metadata == {"image/png": {"width": 1}}
    tree = purembts.search({}, BOX, 10)
    assert "<table " in shell.display_formatter.format(tree)[0]["text/html"]
    purembts.load_ipython_extension(shell)
    purembts.unload_ipython_extension(shell)
    assert shell.display_formatter.format(BOX) == Formatter().format(BOX), "it was loaded once"


def test_the_extension_heeds_the_types_that_are_asked_for(shell):
    formatter = shell.display_formatter
    assert formatter.format(BOX, include=["text/plain"])[0].keys() == {"text/plain", "image/png"}
    assert "image/svg+xml" not in formatter.format(BOX, exclude=["image/svg+xml"])[0]
    formatter.active_types = ["text/plain"]
    assert "image/svg+xml" not in formatter.format(BOX)[0]
    assert formatter.format((1, 2)) == Formatter().format((1, 2))


def test_the_extension_uses_the_game_that_the_inputs_name(shell):
    shell.user_ns |= {"gomoku": gomoku, "In": ["", "gomoku.start"]}
    large = shell.display_formatter.format(Board(1, 0))[0]["text/plain"]
    assert large == gomoku.display.show(Board(1, 0))


def test_ipython_is_used_where_it_is_installed(monkeypatch, capsys):
    started = {}
    fake = SimpleNamespace(start_ipython=lambda **how: started.update(how))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(repl, "find_spec", lambda name: name == "IPython")
    real = repl.import_module
    monkeypatch.setattr(repl, "import_module", lambda n: fake if n == "IPython" else real(n))
    assert work(None) == 0
    assert "--ext=purembts" in started["argv"]
    assert started["user_ns"]["start_box"] == purembts.start_box
    assert capsys.readouterr().out == f"{BANNER}\n"


PAGE = Path(__file__).parents[2] / "docs" / "prompt.md"


def test_the_page_shows_what_the_prompt_shows(monkeypatch, capsys):
    """The page has the form of IPython: the number of the input, and that of the value."""
    block = next(text for text in PAGE.read_text("utf-8").split("```") if "]: easy_box" in text)
    lines = re.findall(r"^In \[\d+\]: (.*)", block, re.MULTILINE)
    assert len(lines) > 3
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    interact(words())
    answers = capsys.readouterr().out.split(">>> ")[1:]
    for n, (line, answer) in enumerate(zip(lines, answers, strict=False), 1):
        value = answer.rstrip()
        mark = f"Out[{n}]:\n" if "\n" in value else f"Out[{n}]: "
        assert f"In [{n}]: {line}\n{mark if value else ''}{value}\n" in block
