"""The layers of the package, and the budget of each room; effects stay in adapters."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import purembts

ROOT = Path(purembts.__file__).parent
ROOMS = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.py"))

LAYERS = {
    "values": ["checks", "chance", "records", "bounds", "variates", "tables"],
    "rules": ["game", "display", "positions", "jsonl", "games/"],
    "methods": ["simulation", "mcts", "exact", "bandits", "determinize", "proving/", "fast/"],
    "knowledge": ["knowledge/"],
    "workshop": ["workshop"],
    "people": ["players", "play", "report", "pictures/"],
    "verify": ["verify/"],
    "app": ["app/", "__init__", "__main__"],
}
"""The rooms of each layer. A room may use its own layer and those before it."""

BUDGETS = {
    "workshop": 280,
    "chance": 90,
    "records": 200,
    "bounds": 75,  # with the names that a report shows
    "checks": 80,
    "variates": 150,
    "tables": 120,
    "game": 250,  # with the type of strategies and the check of their moves
    "display": 110,
    "positions": 65,  # the walk over positions, which `game` had, and the shares of their ways
    "jsonl": 160,
    "simulation": 170,
    "mcts": 200,
    "exact": 130,
    "bandits": 330,
    "determinize": 190,
    "proving/": 550,  # a dive plainly and fast, and the places that a tree brings along
    "fast/": 450,
    "games/": 2500,
    "games/shut_the_box": 230,
    "play": 225,  # a match as parts, which a command plays one by one
    "players": 200,
    "report": 250,
}
"""The lines that each room should have. A fifth more is allowed; then it has a concept too many."""
PACKAGES = {
    "verify": {"pyrsistent", "toolz", "hypothesis", "scipy"},
    "app": {"pyrsistent", "toolz", "rich", "matplotlib"},
}
"""The packages that a layer may import; `CORE` for the others."""
CORE = {"pyrsistent", "toolz"}
EFFECTS = {
    "argparse",
    "os",
    "sys",
    "time",
    "datetime",
    "pathlib",
    "subprocess",
    "rich",
    "matplotlib",
}


def imports_of(room):
    """What `room` imports: rooms of the package, and the names of other packages."""
    inside, outside = set(), set()
    for node in ast.walk(ast.parse((ROOT / f"{room}.py").read_text(encoding="utf-8"))):
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


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_use_their_own_layer_and_those_before_it(room):
    check_layer(room, imports_of(room)[0])


def check_layer(room, inside):
    for other in inside:
        assert layer_of(other) <= layer_of(room), f"{room} imports {other} from a later layer"
        if is_in(room, "games/") and is_in(other, "games/"):
            assert other.startswith(f"{room}_") or room.startswith(f"{other}_"), f"{room}, {other}"


@pytest.mark.parametrize(
    ("room", "other"),
    [
        ("records", "game"),
        ("game", "mcts"),
        ("exact", "play"),
        ("games/mnk", "games/reversi"),
        ("games/shut_the_box", "fast/links"),
        ("workshop", "report"),
        ("report", "app/clock"),
    ],
)
def test_the_check_of_layers_can_fail(room, other):
    with pytest.raises(AssertionError):
        check_layer(room, {other})


def test_no_rooms_import_each_other_in_a_circle():
    check_circles({room: imports_of(room)[0] for room in ROOMS})


def check_circles(imports):
    left = dict(imports)
    while left:
        free = [room for room, inside in left.items() if not inside & left.keys()]
        assert free, f"Some of these rooms import each other: {sorted(left)}"
        for room in free:
            del left[room]


def test_the_check_of_circles_can_fail():
    with pytest.raises(AssertionError, match="import each other"):
        check_circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})


@pytest.mark.parametrize(("part", "budget"), BUDGETS.items())
def test_rooms_keep_to_their_budgets(part, budget):
    lines = sum(
        (ROOT / f"{room}.py").read_text(encoding="utf-8").count("\n")
        for room in ROOMS
        if is_in(room, part)
    )
    assert 0 < lines <= budget * 6 // 5, f"{part} has {lines} lines; its budget is {budget}"


@pytest.mark.parametrize("room", ROOMS)
def test_the_core_stands_on_pyrsistent_and_toolz(room):
    allowed = PACKAGES.get(list(LAYERS)[layer_of(room)], CORE)
    assert {name for name in imports_of(room)[1] if name not in sys.stdlib_module_names} <= allowed


ADAPTERS = {
    *("app/arguments", "app/clock", "app/cores", "app/files", "app/live", "app/parser"),
    *("app/person", "app/players", "app/plots", "app/progress", "app/prompt", "app/requests"),
    *("app/screen", "app/terminal", "__main__"),
    *("verify/loading", "verify/processes", "verify/worker"),
}
"""The rooms with effects: those of the app that face a person, files and the clock, and those that
run somebody's file. (`requests` has the type of paths alone.)"""
PURE = [room for room in ROOMS if room not in ADAPTERS]


@pytest.mark.parametrize("room", PURE)
def test_only_adapters_have_effects(room):
    assert not imports_of(room)[1] & EFFECTS
    tree = ast.parse((ROOT / f"{room}.py").read_text(encoding="utf-8"))
    called = {
        node.func.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"print", "input", "open", "eval", "exec"}


def test_importing_does_not_look_for_metadata():
    """It takes longer than all the rest. Only the command line looks up the version."""
    code = "import sys, purembts; print('importlib.metadata' in sys.modules, 'rich' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert finished.stdout == "False False\n"


HOT_LOOPS = {
    "fast/engine._strides",
    "fast/tallies.choosing",
    "games/reversi.playout",
    "games/big_two.playout",
}


def test_functions_are_short():
    """A median of at most 6 lines, and none over 25 but the hot loops."""
    lengths = {}
    for room in ROOMS:
        for node in ast.walk(ast.parse((ROOT / f"{room}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                lengths[f"{room}.{node.name}"] = (
                    body[-1].end_lineno - body[0].lineno + 1 if body else 0
                )
    assert {name for name, lines in lengths.items() if lines > 25} == HOT_LOOPS
    assert sorted(lengths.values())[len(lengths) // 2] <= 6


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_are_short(room):
    assert (ROOT / f"{room}.py").read_text(encoding="utf-8").count("\n") <= 500


def test_the_app_seldom_says_any():
    """What is said of positions of any type has names in `app/kinds`."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in (ROOT / "app").glob("*.py")]
    names = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)]
    assert sum(node.id == "Any" for node in names) <= 60


def test_the_words_of_a_call_are_a_namespace_in_the_parser_alone():
    for path in (ROOT / "app").glob("*.py"):
        assert ("Namespace" in path.read_text(encoding="utf-8")) == (path.stem == "parser")
