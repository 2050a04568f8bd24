"""The layers of the package, and effects, which stay in adapters."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

import purembts
from new_process import printed

ROOT = Path(purembts.__file__).parent
ROOMS = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.py"))

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
LAYERS = {
    layer: [name.removesuffix("*") for name in re.findall(r"`([\w/*]+)`", cell)]
    for layer, cell in re.findall(r"^\| (\w+) \| (`.*) \|$", CONTRIBUTING, re.MULTILINE)
}
"""The rooms of each layer. A room may use its own layer and those before it."""

PACKAGES = {
    "verify": {"pyrsistent", "toolz", "hypothesis"},
    "course": {"pyrsistent", "toolz", "hypothesis"},
    "app": {"pyrsistent", "toolz", "rich", "tyro"},
}
"""The packages that a layer may import; `CORE` for the others."""
CORE = {"pyrsistent", "toolz"}
OPTIONAL = {
    "fast/kernel": {"numpy", "numba"},
    "fast/boards": {"numpy"},
}
"""The packages of a room that is imported only where they are installed."""
EFFECTS = {
    "os",
    "sys",
    "time",
    "datetime",
    "pathlib",
    "subprocess",
    "rich",
}


@cache
def tree_of(room):
    """The syntax of `room`."""
    return ast.parse((ROOT / f"{room}.py").read_text(encoding="utf-8"))


@cache
def imports_of(room):
    """What `room` imports: rooms of the package, and the names of other packages."""
    inside, outside = set(), set()
    for node in ast.walk(tree_of(room)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{room} imports relatively"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = whole if any(room_of(name) for name in whole) else [node.module]
        else:
            continue
        for name in names:
            inside.add(room_of(name)) if room_of(name) else outside.add(name.split(".")[0])
    return inside - {room}, outside


@cache
def room_of(module):
    """The room that `module` is, if it is one of the package."""
    path = module.removeprefix("purembts").replace(".", "/").strip("/") or "__init__"
    if not f"{module}.".startswith("purembts."):
        return None
    return next((room for room in (path, f"{path}/__init__") if room in ROOMS), None)


def is_in(room, part):
    """True if `room` is the file or in the folder `part`."""
    return room.startswith(part) if part.endswith("/") else room == part


def layer_of(room):
    """The number of the layer of `room`; it has exactly one."""
    [layer] = [i for i, parts in enumerate(LAYERS.values()) if any(is_in(room, p) for p in parts)]
    return layer


def test_rooms_use_their_own_layer_and_those_before_it():
    for room in ROOMS:
        check_layer(room, imports_of(room)[0])


def check_layer(room, inside):
    for other in inside:
        assert layer_of(other) <= layer_of(room), f"{room} imports {other} from a later layer"
        if is_in(room, "games/") and is_in(other, "games/"):
            assert other.startswith(f"{room}_") or room.startswith(f"{other}_"), f"{room}, {other}"


PLAIN = ("simulation", "mcts", "exact", "proving", "curves", "bandits", "determinize")
"""The rooms of plain methods."""


def test_plain_rooms_import_no_fast_one():
    for room in PLAIN:
        check_plain(room, imports_of(room)[0])


def check_plain(room, inside):
    assert [other for other in inside if is_in(other, "fast/")] == [], room


OUTERMOST = {
    "bandits": "by_bound pulls runs_of",
    "curves": "curves exact_regret learnt_values trials_of",
    "determinize": "information_set information_sets lifted perfect_information",
    "exact": "_solve is_solvable solver",  # `_solve` is the call of the function of a solver
    "fast/curves": "curves trials_of",
    "fast/engine": "search search_parallel simulate simulate_parallel strides",
    "knowledge/narrowing": "informed narrowed",
    "mcts": "merge_trees subtree uct",
    "pictures/boards": "position",
    "pictures/trees": "tree",
    "play": "games_of_match match move_called play_game turns",
    "players": "flat_player growing think uct_player",
    "proving": "backed_up settled",
    "report": "report reports",
    "simulation": "simulate",
}
"""The words whose mistakes come in sentences, by their rooms."""


def test_guards_stand_above_the_outermost_words_alone():
    """And no other function of the library looks at what it gets."""
    rooms = [room for room in ROOMS if not room.startswith(("app/", "verify/", "course/"))]
    explained = {room: " ".join(sorted(words_explained_in(tree_of(room)))) for room in rooms}
    assert {room: words for room, words in explained.items() if words} == OUTERMOST
    assert {name for room in rooms for name in names_of_guards(tree_of(room))} == {"explained"}


def words_explained_in(tree):
    for node in tree.body:
        names = [ast.unparse(one) for one in getattr(node, "decorator_list", ())]
        yield from [node.name] if "explained" in names else []


def names_of_guards(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "purembts.guards":
            yield from (alias.name for alias in node.names)


def test_no_rooms_import_each_other_in_a_circle():
    check_circles({room: imports_of(room)[0] for room in ROOMS})


def check_circles(imports):
    left = dict(imports)
    while left:
        free = [room for room, inside in left.items() if not inside & left.keys()]
        assert free, f"Some of these rooms import each other: {sorted(left)}"
        for room in free:
            del left[room]


def test_the_checks_of_layers_can_fail():
    for room, other in (("records", "game"), ("games/mnk", "games/reversi")):
        with pytest.raises(AssertionError):
            check_layer(room, {other})
    with pytest.raises(AssertionError, match="mcts"):
        check_plain("mcts", {"game", "fast/engine"})
    fault = ast.parse("from purembts.guards import check_game\n\n@explained\ndef inner(): ...")
    assert (*names_of_guards(fault), *words_explained_in(fault)) == ("check_game", "inner")
    with pytest.raises(AssertionError, match="import each other"):
        check_circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})


def lines_of(room):
    return (ROOT / f"{room}.py").read_text(encoding="utf-8").count("\n")


def test_the_core_stands_on_pyrsistent_and_toolz():
    for room in ROOMS:
        allowed = PACKAGES.get(list(LAYERS)[layer_of(room)], CORE) | OPTIONAL.get(room, set())
        assert imports_of(room)[1] - sys.stdlib_module_names <= allowed, room


ADAPTERS = {
    *("app/clock", "app/files", "app/players", "app/prompt"),
    *("app/requests", "app/steps", "app/results", "app/terminal", "__main__"),
    "course/tasks/person",
    *("fast/compiled", "fast/kernel"),
    *("loading", "course/processes", "course/properties"),
}
"""The rooms with effects: those of the app that face a person, files and the clock, those that run
somebody's file, and the person who plays it. (`requests`, `steps` and `results`
have the type of paths alone, `fast/compiled` times Python, and `fast/kernel` looks for its compiled
form on the disk.)"""


def test_only_adapters_have_effects():
    for room in set(ROOMS) - ADAPTERS:
        called = {
            node.func.id
            for node in ast.walk(tree_of(room))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not imports_of(room)[1] & EFFECTS, room
        assert not called & {"print", "input", "open", "eval", "exec"}, room


def test_importing_does_not_look_for_metadata():
    """It takes longer than all the rest. Only the command line looks up the version."""
    code = "import sys, purembts; print('importlib.metadata' in sys.modules, 'rich' in sys.modules)"
    assert printed("-c", code)[0] == "False False\n"


HOT_LOOPS = {
    "fast/boards.board_dives",
    "fast/engine._dive",
    "fast/kernel.dives",
    "fast/tallies.choosing",
    "games/reversi._playout",
    "games/big_two._playout",
}


def test_functions_are_short():
    """A median of at most 6 lines, and none over 25 but the hot loops."""
    lengths = {}
    for room in ROOMS:
        for node in ast.walk(tree_of(room)):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                lengths[f"{room}.{node.name}"] = (
                    body[-1].end_lineno - body[0].lineno + 1 if body else 0
                )
    assert {name for name, lines in lengths.items() if lines > 25} == HOT_LOOPS
    assert sorted(lengths.values())[len(lengths) // 2] <= 6


def test_rooms_are_short():
    assert {room for room in ROOMS if lines_of(room) > 500} == set()


def test_the_app_seldom_says_any():
    """What is said of positions of any type has names in `app/positions`."""
    app = [room for room in ROOMS if is_in(room, "app/")]
    names = [each for room in app for each in ast.walk(tree_of(room)) if isinstance(each, ast.Name)]
    assert sum(node.id == "Any" for node in names) <= 60


def test_the_command_line_alone_uses_its_parser():
    assert {room for room in ROOMS if "tyro" in imports_of(room)[1]} == {"__main__"}
