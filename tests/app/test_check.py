"""`purembts check`: the laws of a game of one's own, and the marks of a solution, in processes."""

import builtins
import json
import os
import re
import sys
import time

import pytest

from here import asked_here
from purembts.__main__ import run
from purembts.app import commands, requests, terminal
from purembts.app.steps import returned
from purembts.course.mistakes import right_solutions
from purembts.course.processes import Saved, Stopped, mark_of, not_done, property_replies, replies
from purembts.course.tasks import TASKS
from purembts.loading import executed

GAME = """
import os
from functools import partial
from time import sleep
from coin_pile import game, moves
from purembts.display import Display
from purembts.game import Game, plain_playout, with_playout

pile = game._replace(display=Display(), json=None, playout=None)

def waiting(coins, event):
    while coins < 5:
        pass
    return moves(coins, event)

hangs = pile._replace(moves=waiting, name="Hangs")

def slow_play(game, state, rng):
    sleep(0.0004)
    return plain_playout(game, state, rng)

slow = with_playout(pile, slow_play)

def leaving(coins, event):
    return moves(coins, event) if coins else os._exit(7)

leaves = pile._replace(moves=leaving)
WORDS = {"ant", "bee", "cat", "dog", "eel", "fox"}

def picked(order, words, event):
    return tuple((*words, word) for word in order(WORDS)) if len(words) < 2 else ()

def drawn_words(words):
    return tuple(WORDS) if len(words) < 2 else (None,)

def named(words):
    return (1, 0, 0) if "ant" in words else (0, 1, 0)

sorted_words = Game(partial(picked, sorted), named, to_move=len, name="Words", start=(), players=3)
words = sorted_words._replace(moves=partial(picked, list))
drawn = sorted_words._replace(chances=drawn_words)
startless = pile._replace(start=None)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.py").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    (tmp_path / "games.py").write_text(GAME)
    return tmp_path


@pytest.fixture
def here(folder, monkeypatch):
    """Run the code of the folder in this process."""
    yield from asked_here(monkeypatch, folder)


def checked(*arguments, capsys):
    code = run(["check", *arguments, "--seed", "1", "--json"])
    printed = capsys.readouterr()
    return code, json.loads(printed.out) if printed.out else printed.err


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("words", "moves"), ("drawn", "events")])
def test_moves_and_events_in_the_order_of_a_set_of_texts_are_found(folder, capsys, name, kind):
    code, facts = checked(f"games.py:{name}", "--examples", "2", capsys=capsys)
    assert code == 1
    [broken] = [law for law in facts["laws"] if law["status"] == "broken"]
    assert broken["law"] == "same in each process"
    assert broken["message"].startswith(f"In two processes, the {kind} are ")


@pytest.mark.slow
def test_a_rule_that_never_ends_is_found(folder, capsys):
    code, facts = checked("games.py:hangs", "--limit", "2", capsys=capsys)
    assert code == 1
    first, *others = facts["laws"]
    assert (first["law"], first["status"]) == ("functions have values", "no time")
    line = 1 + GAME.splitlines().index("    while coins < 5:")
    at_line = rf"in line ({line}|{line + 1}) of games\.py \(`waiting`\)"
    assert re.match(f"It was not done after 2 seconds, {at_line}", first["message"])
    assert {law["message"] for law in others} == {"It needs the law: functions have values."}
    assert (facts["kept"], facts["complete"]) == (True, False)


def test_a_rule_that_ends_the_process_breaks_the_law_at_work(folder, capsys):
    code, facts = checked("games.py:leaves", "--examples", "9", capsys=capsys)
    first, *others = facts["laws"]
    assert (code, first["law"], first["status"]) == (1, "functions have values", "broken")
    assert first["message"].startswith("Its process ended with exit code 7")
    assert {law["status"] for law in others} == {"not tried"}


@pytest.mark.slow
def test_a_law_that_works_longer_than_the_limit_but_goes_on_is_kept(folder, capsys):
    """It plays 5,000 games for each of two lines, and the limit is for a single game."""
    words = ("--examples", "2", "--limit", "1", "--seconds", "60")
    code, facts = checked("games.py:slow", *words, capsys=capsys)
    assert (code, facts["complete"]) == (0, True)
    statuses = {law["law"]: law["status"] for law in facts["laws"]}
    assert statuses["playouts agree"] == "kept"


UNCHECKED = {
    "no start": (["games.py:startless"], "startless must have a `start` or a `deal`; got None."),
    "no module": (["nowhere:game"], "nowhere cannot be imported: ModuleNotFoundError: No module"),
    "an error": (["raises.py"], "raises.py cannot be loaded, because of line 2: ZeroDivisionError"),
    "an exit": (["leaves.py"], "leaves.py cannot be loaded, because of line 1: SystemExit: 3"),
    "no words": (["empty.py"], "'empty.py' must define a word of the workshop, for example `throw"),
    "a game": (["empty.py"], "To check a game in the file, name it: empty.py:GAME."),
    "no word": (["empty.py", "--task", "8"], "a word of task 8, for example `possible_moves`"),
}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("words", "code", "end"),
    [
        ("check wrong.py", 1, "."),
        ("check wrong.py:game", 1, "."),
        ("check --properties wrong.py", 1, "."),
        ("solve wrong.py:game", 2, ". (see purembts solve --help)"),
    ],
)
def test_an_error_of_syntax_is_shown_with_its_line(folder, capsys, words, code, end):
    (folder / "wrong.py").write_text("x = 1\nif x\n")
    assert run(words.split()) == code
    *_, first, line, caret = capsys.readouterr().err.splitlines()
    error = "wrong.py cannot be loaded, because of line 2: SyntaxError: expected ':'"
    assert first.endswith(f"{error}{end}")
    assert [line, caret] == ["    if x", "        ^"]


def test_an_error_of_syntax_in_another_file_is_not_shown_as_one_of_this_file(folder):
    (folder / "apart.py").write_text("\n\nif x\n")
    (folder / "uses.py").write_text("import apart\n")
    _, trouble = executed(folder / "uses.py")
    assert trouble.startswith("uses.py cannot be loaded, because of line 1: SyntaxError: expected")
    assert trouble.endswith("(apart.py, line 3).")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("arguments", "message"), UNCHECKED.values(), ids=[*UNCHECKED])
def test_what_cannot_be_checked_is_one_line(folder, capsys, arguments, message):
    (folder / "raises.py").write_text("x = 1\nx / 0\n")
    (folder / "leaves.py").write_text("raise SystemExit(3)\n")
    (folder / "empty.py").write_text("x = 1\n")
    assert run(["check", *arguments, "--seed", "1"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("purembts: ")
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.usefixtures("here")
def test_each_task_has_a_mark(folder, capsys):
    (folder / "mine.py").write_text("simple_start = {1}")
    code, facts = checked("mine.py", capsys=capsys)
    assert code == 1
    marks = {mark["task"]: (mark["title"], mark["status"]) for mark in facts["tasks"]}
    status = {**dict.fromkeys(TASKS, "not there yet"), 5: "wrong"}
    assert marks == {n: (TASKS[n].title, status[n]) for n in TASKS}


GROWS = "return [a.append(bytes(10**8)) for a in [[1]] for b in a]"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "source", "status", "message"),
    [
        (5, "os.system('echo {}')\nsimple_start = {*range(2, 10)}", "right", ": {2, 3, 4, 5, 6"),
        (4, "def simple_moves(box, roll):\n    os._exit(7)", "wrong", "ended with exit code 7."),
        (5, "a = [1]\nfor b in a: a.append(bytes(10**8))", None, "MemoryError: . Perhaps a list"),
        (4, f"def simple_moves(*_): {GROWS}", "not finished", "by MemoryError, in line 3 of mine"),
        (6, "def play_simple_game(box):\n    while 1: 1", "not finished", "seconds, in line 4"),
        (5, "time.sleep(3)\nsimple_start = {*range(2, 10)}", "right", ""),
        (5, "input()", None, "line 3: EOFError: EOF when reading a line. Put what runs or asks"),
        (5, "while True: pass", None, "could not be loaded. It was not done after 2 seconds, in"),
    ],
)
def test_code_that_prints_asks_ends_or_hangs_disturbs_nothing(
    task, source, status, message, folder, capsys
):
    (folder / "mine.py").write_text(f"import os, time\nprint('{{}}')\n{source}\n")
    words = ["check", "mine.py", "--task", f"{task}", "--seed", "1", "--limit", "2", "--json"]
    assert run(words) == (status != "right")
    printed = capsys.readouterr()
    assert message in (printed.err if status is None else printed.out)
    assert status is None or json.loads(printed.out)["tasks"][0]["status"] == status


def test_a_request_that_is_none_is_an_error(folder):
    with pytest.raises(Stopped, match="Its process ended by KeyError: 'nothing'"):
        list(replies({"kind": "nothing", "file": "games.py"}))


def test_an_error_without_a_text_that_ends_a_solution_is_named_alone(folder):
    source = "def simple_moves(box, roll):\n    raise KeyboardInterrupt\n"
    (folder / "mine.py").write_text(source)
    message = mark_of("mine.py", 4)["message"]
    assert (
        message == "Its process ended by KeyboardInterrupt, in line 2 of mine.py (`simple_moves`)."
    )


def test_a_file_that_is_saved_while_it_is_marked_is_marked_again(folder):
    path = folder / "mine.py"
    path.write_text(
        f"def simple_moves(*_):\n    open({str(path)!r}, 'w').close()\n    while 1: 1\n"
    )
    with pytest.raises(Saved):
        mark_of("mine.py", 4, watch=True)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["coins", "own.py:dealt", "own.py:made"])
def test_check_takes_every_game_that_other_commands_take(name, folder, capsys):
    (folder / "own.py").write_text(
        "from functools import partial\n"
        "from purembts.games.last_coin import Pile, last_coin\n"
        "def deal(rng):\n"
        "    return Pile(3 + int(rng.random() * 4))\n"
        "dealt = last_coin()._replace(start=None, deal=deal)\n"
        "def made(takes=(1, 2)):\n"
        "    return dealt\n"
    )
    code, facts = checked(name, "--examples", "2", "--seconds", "60", capsys=capsys)
    assert (code, facts["target"], facts["kept"], facts["seed"]) == (0, name, True, 1)
    assert {law["status"] for law in facts["laws"]} == {"kept", "not tried"}
    assert sum(law["cases"] for law in facts["laws"]) > 10


def test_a_package_that_laws_and_properties_need_is_named_if_it_is_missing(monkeypatch):
    monkeypatch.setattr(commands, "find_spec", lambda name: None)
    hint = r"needs hypothesis; .* hypothesis, or in a clone: pip install '\.\[verify"
    for request in (requests.Check("coins"), requests.Check("mine.py", properties=True)):
        with pytest.raises(ValueError, match=hint):
            returned(commands.check(request))


@pytest.mark.usefixtures("here")
def test_the_next_task_is_marked_again_when_the_file_is_saved(folder, capsys, monkeypatch):
    sources = iter(("simple_start = {1}", "simple_start = {2", "simple_start = {*range(2, 10)}"))

    def save(seconds):
        source = next(sources, None)
        if source is None:
            raise KeyboardInterrupt
        (folder / "mine.py").write_text(source)
        os.utime(folder / "mine.py", ns=(time.time_ns(),) * 2)

    save(0)
    monkeypatch.setattr(terminal, "sleep", save)
    monkeypatch.setattr(builtins, "input", lambda _: "50")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["workshop", "next", "mine.py", "--task", "5"]) == 0
    printed = capsys.readouterr()
    assert re.findall("Task . is right|wrong", printed.out) == ["wrong", "Task 5 is right"]
    assert printed.out.count("SyntaxError") == 1
    assert printed.err.count("Waiting for mine.py to be saved. Ctrl-C ends.") == 3
    questions = [question[:30] for task in (5, 6) for question, _ in TASKS[task].predict]
    assert re.findall(r"Predict first\. (.{30})", printed.out) == questions


# Properties of one's own

PROPERTIES = """
from hypothesis import given
from hypothesis import strategies as st
from mine import simple_moves

boxes, rolls = st.frozensets(st.integers(1, 9)), st.integers(2, 12)

@given(boxes, rolls)
def test_a_move_is_a_smaller_box(box, roll):
    assert all(move < box for move in simple_moves(box, roll))
"""


def properties(folder, capsys, source, *options):
    (folder / "props.py").write_text(source)
    code = run(["check", "--properties", "props.py", *options])
    return code, capsys.readouterr()


@pytest.mark.usefixtures("here")
def test_properties_find_mistakes_and_one_slips_through(folder, capsys):
    code, printed = properties(folder, capsys, PROPERTIES, "--json", "--reveal")
    facts = json.loads(printed.out)
    assert (code, facts["kept"], facts["words"]) == (0, True, ["simple_moves"])
    assert {each["name"] for each in facts["right"]} >= {"plain", "pairs"}
    assert 0 < facts["caught"] < len(facts["mistakes"])
    assert set(facts["slipped"]) == {"task", "mistake", "diff"}
    assert {each["task"] for each in facts["mistakes"]} == {4}
    slipped = [each["mistake"] for each in facts["mistakes"] if not each["test"]]
    assert facts["slipped"]["mistake"] == slipped[0]
    assert printed.err == ""


REFUSES = """
from mine import simple_moves

def test_counts_its_calls_and_fails():
    with open("calls", "a") as calls:
        calls.write(".")
    raise ValueError("no")
"""


@pytest.mark.usefixtures("here")
def test_no_mistake_is_tried_if_a_test_refuses_a_right_solution(folder, capsys):
    code, printed = properties(folder, capsys, REFUSES)
    right = [*right_solutions()]
    assert (folder / "calls").read_text() == "." * len(right)
    fails = "fails test_counts_its_calls_and_fails: ValueError: no"
    *first, last = printed.out.splitlines()
    assert (code, first) == (1, [f"A right solution ({name}) {fails}" for name in right])
    assert last.startswith("Mend this first: ")


WAITS = """
from mine import simple_moves

def test_the_answer_without_a_move_is_there():
    while simple_moves(frozenset({1}), 2) is None:
        pass
"""


@pytest.mark.slow
def test_a_test_that_never_ends_finds_a_mistake_and_the_next_one_is_tried(folder):
    (folder / "props.py").write_text(WAITS)
    first, *trials = property_replies(folder / "props.py", limit=2)
    assert len(trials) == first["of"]
    [stopped] = [trial for trial in trials if trial["test"] == "all"]
    assert stopped["mistake"].mistake.startswith("the result is None")
    assert stopped["message"].startswith("It was not done after 2 seconds")
    assert trials[-1] is not stopped


@pytest.mark.slow
def test_a_file_of_tests_that_is_never_loaded_is_an_error(folder):
    (folder / "props.py").write_text("from mine import simple_moves\nwhile True: pass\n")
    with pytest.raises(ValueError, match=r"`props.py` could not be loaded. It was not done after"):
        list(property_replies(folder / "props.py", limit=2))


IMPORT = "from mine import simple_moves\n"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def test_nothing(): pass", "props.py must take words of the workshop from `mine`"),
        ("from mine import *\ndef test_one(): pass", "name the words that it takes from `mine`"),
        ("from mine import simple_movs", "ImportError: cannot import name 'simple_movs'"),
        (IMPORT, "props.py must have tests, functions whose names begin"),
        (f"{IMPORT}def test_one():\n    yield", "a plain function; got one with `async` or"),
        (f"{IMPORT}def test_one(): pass\nclass TestTwo: pass", "a plain function; got a class."),
    ],
)
def test_a_file_without_properties_is_an_error(folder, capsys, source, message):
    code, printed = properties(folder, capsys, source)
    assert code
    assert message in " ".join(printed.err.split())


def test_a_file_that_is_named_like_a_module_of_python_hides_nothing(folder):
    source = "import random\nsimple_start = frozenset(range(2, 10))\nassert random.random() < 1\n"
    (folder / "random.py").write_text(source)
    assert mark_of("random.py", 5)["status"] == "right"


def test_a_slow_solution_of_task_12_is_advised_to_remember():
    assert "keep its value, for example with functools.cache" in not_done(2, task=12)
