"""The rooms of the package, and who may call whom; effects stay in the shell."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import purembts

ROOT = Path(purembts.__file__).parent
ROOMS = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.py"))

FLOORS = {
    "checks": 0,
    "chance": 0,
    "records": 0,
    "shell/__init__": 0,
    "tables": 0,
    "variates": 1,
    "bounds": 1,
    "game": 1,
    "links": 1.5,  # above `game`, and below the games, which name its playout
    "games/__init__": 2,
    "games/big_two": 2,
    "games/big_two_cards": 2,
    "games/last_coin": 2,
    "games/mnk": 2,
    "games/reversi": 2,
    "games/shut_the_box": 2,
    "games/shut_the_box_texts": 2,
    "simulation": 2,
    "mcts": 2,
    "exact": 2,
    "bandits": 2,
    "jsonl": 2,
    "certainty": 3,
    "settling": 3,
    "proofs": 3,
    "tallies": 3,
    "engine": 3,
    "play": 3,
    "determinize": 3,
    "report": 3.1,  # above `engine` and `play`, below pictures and surfaces
    "best_moves": 3,
    "pictures/__init__": 3.3,
    "pictures/svg": 3.3,
    "pictures/charts": 3.3,
    "pictures/boards": 3.3,
    "pictures/bars": 3.3,
    "pictures/trees": 3.3,
    "surfaces/__init__": 3.6,
    "surfaces/commands": 3.6,
    "surfaces/estimates": 3.6,
    "surfaces/history": 3.6,
    "surfaces/lessons": 3.6,
    "surfaces/results": 3.6,
    "surfaces/showing": 3.6,
    "surfaces/dialogue": 3.6,
    "surfaces/stepwise": 3.6,
    "surfaces/summaries": 3.6,
    "surfaces/minds": 3.6,
    "surfaces/parsing": 3.6,
    "surfaces/verdicts": 3.6,
    "surfaces/watching": 3.6,
    "surfaces/wording": 3.6,
    "workshop": 4,
    "big_two_plan": 4,
    "shell/prompt": 5,
    "shell/repl": 5,
    "shell/processes": 5,
    "__init__": 5,
    "verify/__init__": 5,
    "verify/checking": 5,
    "verify/game_laws": 5,
    "verify/position_laws": 5,
    "verify/random_games": 5,
    "verify/solution_calls": 5,
    "verify/solutions": 5,
    "verify/statistics": 5,
    "verify/strategies": 5,
    "verify/tails": 5,
    "verify/task_chances": 5,
    "verify/task_checks_bound": 5,
    "verify/task_checks_exact": 5,
    "verify/task_checks_games": 5,
    "verify/task_checks_moves": 5,
    "verify/task_checks_person": 5,
    "verify/task_checks_search": 5,
    "verify/task_checks_start": 5,
    "verify/tasks": 5,
    "verify/algorithm_laws": 5,
    "verify/search_laws": 5,
    "verify/certainty_laws": 5,
    "verify/settling_laws": 5,
    "verify/tree_machine": 5,
    "shell/check": 6,
    "shell/worker": 6,
    "shell/cli": 6,
    "shell/arguments": 6,
    "shell/options": 6,
    "shell/games": 6,
    "shell/screen": 6,
    "shell/cores": 6,
    "shell/plots": 6,
    "shell/clock": 6,
    "shell/files": 6,
    "shell/play": 6,
    "shell/players": 6,
    "shell/watch": 6,
    "shell/progress": 6,
    "__main__": 6,
}
PACKAGES = {
    0: {"pyrsistent"},
    1: {"pyrsistent"},
    5: {"pyrsistent", "toolz", "hypothesis", "scipy"},
    6: {"pyrsistent", "toolz", "rich", "matplotlib"},
}
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


def test_every_room_has_a_floor():
    assert set(ROOMS) == set(FLOORS)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_call_downstairs_only(room):
    check_floor(room, imports_of(room)[0])


def check_floor(room, inside):
    floor = FLOORS[room]
    for other in inside:
        assert FLOORS[other] <= floor, f"{room} imports {other} from upstairs"
        same_floor = floor in {1, 1.5, 2, 3.1, 4} and FLOORS[other] == floor
        one_game = other.startswith(f"{room}_")
        assert one_game or not same_floor, f"{room} imports its neighbour {other}"
        assert floor >= 5 or not other.startswith("shell/"), f"{room} imports {other}"


def test_the_check_of_floors_can_fail():
    for room, other in [
        ("records", "game"),
        ("mcts", "exact"),
        ("exact", "shell/clock"),
        ("games/mnk", "games/reversi"),
        ("games/mnk", "simulation"),
        ("games/mnk", "games/big_two_cards"),
        ("games/big_two_cards", "games/big_two"),
    ]:
        with pytest.raises(AssertionError):
            check_floor(room, {other})


@pytest.mark.parametrize("room", ROOMS)
def test_the_core_stands_on_pyrsistent_and_toolz(room):
    allowed = PACKAGES.get(FLOORS[room], {"pyrsistent", "toolz"})
    if not room.startswith("verify/") and FLOORS[room] == 5:
        allowed = set()
    foreign = {name for name in imports_of(room)[1] if name not in sys.stdlib_module_names}
    assert foreign <= allowed


@pytest.mark.parametrize(
    "room", [room for room in ROOMS if not room.startswith(("shell/", "__main__"))]
)
def test_only_the_shell_has_effects(room):
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
    "engine._strides",
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
