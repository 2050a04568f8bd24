"""Names are nouns of the field, one for one thing; and each private function has its sentence."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import purembts

TOP = Path(purembts.__file__).parents[1]
FOLDERS = ("purembts", "web/facade")
_TEXT = """
own each known found told said seen shown drawn made given kept played left begun opened done
written typed named asked called grown learnt meant changed moved marked
"""
PARTICIPLES = frozenset(_TEXT.split())
"""Words that say what happened to a thing, and not what it is."""
MOST = 5
"""The most uses of such names in 1,000 uses of names: httpx has 0.3, toolz 1.7."""
WORDS = (
    *("purembts/workshop.py", "purembts/course/tasks/", "purembts/fast/"),
    *("purembts/app/commands.py", "purembts/app/requests.py"),
)
"""The rooms of words that a person types: those of the workshop, the commands, and those for bulk.
Other rooms have them for any game, from Python, and plainly."""
GAMES = ("purembts/games/", "purembts/knowledge/")
"""The rooms whose functions answer the same questions for each game."""


def syntax_of(folder):
    """The files of a folder, each with its syntax."""
    paths = sorted((TOP / folder).rglob("*.py"))
    return {
        path.relative_to(TOP).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in paths
    }


def participles_in(trees):
    """The uses of names that are participles, and those of all names."""
    names = [node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return [name for name in names if name in PARTICIPLES], len(names)


def names_at_the_top(tree):
    """The names of functions, types and values that a room defines."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def clashes_in(rooms):
    """The names that several rooms define for different things, with these rooms."""
    places = defaultdict(set)
    for room, tree in rooms.items():
        for name in names_at_the_top(tree):
            places[name].add(room)
    return {name: rooms for name, rooms in places.items() if is_clash(name, rooms)}


def is_clash(name, rooms):
    """True if `rooms` mean different things by `name`; a letter is a type variable."""
    words = ("purembts/fast/",) if name.startswith("_") else WORDS
    others = [room for room in rooms if not room.startswith((*words, *GAMES))]
    return len(name) > 1 and name != "__all__" and len(others) > 1


def private_functions_without_a_sentence(tree):
    for node in ast.walk(tree):
        is_private = isinstance(node, ast.FunctionDef) and node.name.startswith("_")
        if is_private and not node.name.startswith("__") and ast.get_docstring(node) is None:
            lines = node.end_lineno - node.body[0].lineno + 1
            yield from [f"{node.name}, line {node.lineno}"] if lines > 3 else []


@pytest.mark.parametrize("folder", FOLDERS)
def test_names_are_nouns(folder):
    participles, n = participles_in(syntax_of(folder).values())
    assert n > 1_000
    assert 1_000 * len(participles) <= MOST * n, sorted(set(participles))


def test_a_name_is_for_one_thing():
    rooms = {room: tree for folder in FOLDERS for room, tree in syntax_of(folder).items()}
    assert clashes_in(rooms) == {}


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_private_function_of_several_lines_has_a_sentence(folder):
    rooms = {
        room: list(private_functions_without_a_sentence(tree))
        for room, tree in syntax_of(folder).items()
    }
    assert {room: names for room, names in rooms.items() if names} == {}


def test_each_of_these_tests_sees_its_fault():
    trees = [ast.parse("found = own + row"), ast.parse("def _f():\n    a\n    b\n    c\n    d\n")]
    assert participles_in(trees) == (["found", "own"], 7)
    assert list(private_functions_without_a_sentence(trees[1])) == ["_f, line 1"]
    one, two = ast.parse("def rows(): ...\nT = 1"), ast.parse("rows: int = 1\nT = 2")
    assert clashes_in({"purembts/a.py": one, "purembts/b.py": two}) == {
        "rows": {"purembts/a.py", "purembts/b.py"}
    }
    assert clashes_in({"purembts/a.py": one, "purembts/workshop.py": two}) == {}
    assert clashes_in({"purembts/games/a.py": one, "purembts/games/b.py": two}) == {}
