"""Shifts stand in parentheses, names in texts are there, and files of tests say what they hold."""

import ast
import re
from pathlib import Path

import purembts

ROOT = Path(purembts.__file__).parent
SHIFTS = (ast.LShift, ast.RShift)
OTHERS = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)


def bare_shifts(source):
    """The lines with a shift inside another operation, or the other way round, and no parentheses.

    Parentheses are no part of the tree, so they are looked for in the text around the inner one.
    """
    lines = [line.encode() for line in source.splitlines()]
    for outer in ast.walk(ast.parse(source)):
        if not isinstance(outer, ast.BinOp):
            continue
        for inner in (outer.left, outer.right):
            if not isinstance(inner, ast.BinOp) or not mixes(outer.op, inner.op):
                continue
            before = lines[inner.lineno - 1][: inner.col_offset].rstrip()
            after = lines[inner.end_lineno - 1][inner.end_col_offset :].lstrip()
            if not (before.endswith(b"(") and after.startswith(b")")):
                yield inner.lineno


def mixes(one, other):
    """True if one is a shift and the other an operator that is easily taken to bind otherwise."""
    pairs = ((one, other), (other, one))
    return any(isinstance(a, SHIFTS) and isinstance(b, OTHERS) for a, b in pairs)


def test_no_shift_stands_bare_beside_another_operator():
    for path in ROOT.rglob("*.py"):
        assert list(bare_shifts(path.read_text("utf-8"))) == [], path


def test_bare_shifts_are_found_and_those_in_parentheses_are_not():
    for bare in ("a << 1 | b", "b & a >> 1", "1 << 4 * rank", "n >> 1 & (1)", "(a) << 1 ^ (b)"):
        assert list(bare_shifts(bare)) == [1]
    for right in ("(a << 1) | b", "b & (a >> 1)", "a << b << c", "f(1 << n) | m"):
        assert list(bare_shifts(right)) == []


def test_the_list_of_the_folders_of_tests_is_complete_and_each_file_says_what_it_holds():
    here = Path(__file__).parents[1]
    rows = re.findall(r"^\| (`.*?`) \|", (here / "README.md").read_text("utf-8"), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(.*?)`", row)}
    files = {path.name for path in here.glob("*.py")}
    assert listed == files | {f"{path.parent.name}/" for path in here.glob("*/*.py")}
    for path in here.rglob("*.py"):
        assert path.read_text("utf-8").startswith('"""'), path


def lost_names(text):
    """The names `room.name` in `text` that stand in no room of this name."""
    rooms = [path for path in ROOT.rglob("*.py") if path.stem != "game"]  # a game has its own names
    for room, name in re.findall(r"`(?:\w+\.)*(\w+)\.(\w+)(?:\(.*?\))?`", text):
        own = " ".join(path.read_text("utf-8") for path in rooms if path.stem == room)
        is_room = name in ("py", "html", *(path.stem for path in rooms))
        if own and not is_room and not re.search(rf"\b{name}\b", own):
            yield f"{room}.{name}"


def test_the_names_of_other_rooms_in_docstrings_and_documents_are_there():
    documents = Path(__file__).parents[2].glob("docs/*.md")
    for path in [*ROOT.rglob("*.py"), *documents]:
        assert list(lost_names(path.read_text("utf-8"))) == [], path


def test_lost_names_are_found():
    text = "`mcts.uct`, `fast.engine.search(...)`, `mcts.move_table` and `pile.coins`"
    assert list(lost_names(text)) == ["mcts.move_table"]
