"""Solutions of the workshop's tasks, as learners write them: right ones and wrong ones.

The files are in `tests/solutions`. Each stands alone, and is to be read as the work of a learner.

- `right/style.py` solves all thirteen tasks in one style, which its docstring names. The styles
  differ in what a learner may choose freely: sets, frozensets or tuples as boxes; dicts, pmaps or
  immutables.Map as trees; words, truth values, numbers, pairs or an Enum as results; and so on.
- `wrong/taskNN_name.py` has one mistake, which its docstring names after the number of the task.
  It defines the words of that task that the mistake needs, and whatever they need to run.

The right solutions are held here to exact values and to probabilities, so that they are right and
are not only said to be. The marker has to mark each wrong one wrong at its own task, and no right
one. `SEEDS=100 pytest --full -k no_right tests/test_solutions.py` tries the right ones with 100
seeds.
"""

import ast
import importlib.util
import os
import re
from fractions import Fraction
from inspect import signature
from itertools import cycle, pairwise
from math import inf, pi
from pathlib import Path
from time import monotonic

import pytest

from marks import cases
from purembts import exact
from purembts.games.shut_the_box import boxes, shut_the_box, simple_game
from purembts.records import Record
from purembts.verify.processes import marked
from purembts.verify.statistics import assert_probability
from purembts.verify.tasks import TASKS, mark
from purembts.workshop import ROLLS, possible_moves, power, ucb, win_probability

FOLDER = Path(__file__).parent / "solutions"
RIGHT = sorted((FOLDER / "right").glob("*.py"))
WRONG = sorted((FOLDER / "wrong").glob("*.py"))
NAME = re.compile(r"task(\d\d)(_[a-z0-9]+)+")
FIRST_LINE = re.compile(r'"""Task (\d+): (.+\.)"""')

START = frozenset(range(1, 10))
SMALL = [frozenset(), frozenset({7}), frozenset({1, 2}), frozenset({1, 3, 4}), START - {9}]


def solution(path):
    """The module of a learner's file."""
    spec = importlib.util.spec_from_file_location(f"solution_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def task_of(path):
    """The task that a wrong solution gets wrong, by the name of its file."""
    return int(NAME.fullmatch(path.stem)[1])


# The collection


def test_there_are_enough_solutions():
    assert len(RIGHT) >= 10
    assert len(WRONG) >= 60
    assert {task_of(path) for path in WRONG} == set(range(1, 14))


def test_each_wrong_solution_names_a_mistake_of_its_own():
    modules = [ast.parse(path.read_text("utf-8")) for path in WRONG]
    assert len({ast.get_docstring(module) for module in modules}) == len(WRONG)
    assert len({ast.unparse(module.body[1:]) for module in modules}) == len(WRONG)


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_a_wrong_solution_begins_with_its_task_and_its_mistake(path):
    source = path.read_text("utf-8")
    first = FIRST_LINE.fullmatch(source.splitlines()[0])
    assert first, source.splitlines()[0]
    assert int(first[1]) == task_of(path)
    compile(source, path.name, "exec")


@pytest.mark.parametrize("path", [*RIGHT, *WRONG], ids=lambda path: path.stem)
def test_a_solution_is_the_work_of_a_learner(path):
    """It draws the numbers and knows the rules by itself; one style borrows the types."""
    imported = set(re.findall(r"^(?:from|import) (\w+)", path.read_text("utf-8"), re.MULTILINE))
    assert "purembts" not in imported or path.stem == "library_types"


# A learner's values, read as the library's


def won(result):
    """True for a win, however a learner says it."""
    known = {"win": True, "loss": False, (1, 0): True, (0, 1): False, 1: True, 0: False}
    result = getattr(result, "value", result)
    return known[result.strip(":").lower() if isinstance(result, str) else result]


def tally(record):
    """The wins and the losses of a learner's record."""
    if hasattr(record, "scores"):
        return record.scores
    if hasattr(record, "keys"):
        wins, losses = (next(record[k] for k in record if k.strip(":")[0] == c) for c in "wl")
        return wins, losses
    return (record.wins, record.losses) if hasattr(record, "wins") else tuple(record)


def share(value):
    """The probability in a learner's answer, which may be a record."""
    if isinstance(value, (int, float, Fraction)):
        return value
    wins, losses = tally(value)
    return Fraction(wins, wins + losses)


def as_box(levers):
    """A learner's box, or None, as a frozenset."""
    return None if levers is None else frozenset(levers)


def asked(module, box, answers):
    """The result of a game that a user plays with these answers, and the lines of the game.

    A solution takes `read` and `write`, or calls `input` and `print`.
    """
    lines, answers = [], iter(answers)

    def read(prompt=""):
        lines.append(str(prompt))
        return next(answers)

    def write(*words):
        lines.append(" ".join(map(str, words)))

    if "read" in signature(module.play_game_user).parameters:
        return module.play_game_user(box, read=read, write=write), lines
    module.input, module.print = read, write
    return module.play_game_user(box), lines


# The right solutions


QUICK = {"recursive", "objects", "sorted_tuples"}


@pytest.fixture(
    scope="module",
    params=cases(
        {path.stem: (path,) for path in RIGHT}, slow={path.stem for path in RIGHT} - QUICK
    ),
)
def right(request):
    return solution(request.param)


@pytest.fixture
def box_as(right):
    """A frozenset as a box of the learner."""
    return lambda box: box if isinstance(right.start_box, frozenset) else tuple(sorted(box))


def test_a_coin_and_a_dart(right):
    n = 5000
    heads = sum(bool(right.is_heads(right.flip_coin())) for _ in range(n))
    assert_probability(heads, n, 0.5, effect=0.1)
    darts = [tuple(right.throw_dart()) for _ in range(n)]
    for quarter in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        hits = sum(0 < x * quarter[0] <= 1 and 0 < y * quarter[1] <= 1 for x, y in darts)
        assert_probability(hits, n, 0.25, effect=0.1)
    assert right.in_circle((0.6, -0.7))
    assert not right.in_circle((-0.8, 0.7))
    assert_probability(round(right.estimate_pi(n) * n / 4), n, pi / 4, effect=0.1)


def test_games_on_paper(right):
    assert box_after(right.won_game) == frozenset()
    left = box_after(right.lost_game)
    assert left, "the shut box is a win"
    stuck = [roll for roll in ROLLS if not possible_moves(left, roll)]
    last_roll, last_levers = right.lost_game[-1]
    assert stuck if last_levers else last_roll in stuck


def box_after(turns):
    """The box after these turns of a roll and levers, of which the last may have no levers."""
    box = START
    for i, (roll, levers) in enumerate(turns):
        assert levers or i == len(turns) - 1
        if levers:
            assert box - set(levers) in possible_moves(box, roll)
            box -= set(levers)
    return box


def test_boxes_and_dice(right):
    assert as_box(right.start_box) == START
    assert as_box(right.sample_box) == {2, 4, 5, 7, 8, 9}
    assert as_box(right.simple_start) == START - {1}
    states = right.number_of_states
    assert (states() if callable(states) else states) == 5632
    n = 5000
    thrown = [right.dice_roll() for _ in range(n)]
    assert set(thrown) <= set(ROLLS)
    for roll in ROLLS:
        assert_probability(thrown.count(roll), n, Fraction(6 - abs(7 - roll), 36), effect=0.06)


def test_moves(right, box_as):
    for box in boxes():
        for roll in ROLLS:
            moves = [as_box(move) for move in right.possible_moves(box_as(box), roll)]
            assert len(set(moves)) == len(moves)
            assert set(moves) == set(possible_moves(box, roll))
            simple = [as_box(move) for move in right.simple_moves(box_as(box), roll)]
            assert simple == ([box - {roll}] if roll in box else [])
        assert bool(right.is_win(box_as(box))) == (not box)


def test_combinations_of_levers(right):
    for items in ([], [4], [1, 2, 3]):
        assert sorted(map(sorted, right.power(items))) == sorted(map(sorted, power(items)))
    for roll in ROLLS:
        expected = {START - move for move in possible_moves(START, roll)}
        assert {as_box(levers) for levers in right.levers_for_roll(roll)} == expected
        assert {as_box(levers) for levers in right.lever_combinations[roll]} == expected


def test_random_games(right, box_as):
    n = 5000
    random_play = exact.solver(shut_the_box(), policy=exact.uniform)
    for box in [*SMALL, START]:
        wins = sum(won(right.play_game(box_as(box))) for _ in range(n))
        assert_probability(wins, n, random_play(box)[0], effect=0.08)
        assert_probability(
            round(share(right.simulate(n, box_as(box))) * n), n, random_play(box)[0], effect=0.08
        )
    assert_probability(round(share(right.simulate(n)) * n), n, random_play(START)[0], effect=0.08)


@pytest.mark.slow
def test_twenty_thousand_random_games(right, box_as):
    """From the second box, a player who always takes the first or the largest move is seen."""
    random_play, n = exact.solver(shut_the_box(), policy=exact.uniform), 20_000
    for box in (START, START - {5, 9}):
        wins = sum(won(right.play_game(box_as(box))) for _ in range(n))
        assert_probability(wins, n, random_play(box)[0], effect=0.02)


def test_simplified_games(right, box_as):
    n = 5000
    for box in [frozenset(), frozenset({7}), frozenset({6, 8}), frozenset({1, 7})]:
        p = exact.solver(simple_game)(box)[0]
        wins = sum(won(right.play_simple_game(box_as(box))) for _ in range(n))
        assert_probability(wins, n, p, effect=0.08)
        wins = round(share(right.simulate_simple_game(n, box_as(box))) * n)
        assert_probability(wins, n, p, effect=0.08)
    assert 0 <= share(right.simulate_simple_game(100)) < 0.2


def test_a_user_who_chooses(right, box_as):
    """Wrong answers are asked for again, and a message says that the game is lost."""
    lost = 0
    for _ in range(50):
        result, lines = asked(right, box_as(START), cycle(["0", "?", "99", "1"]))
        says_so = any("lose" in line.lower() or "lost" in line.lower() for line in lines)
        assert says_so == (not won(result))
        lost += says_so
    assert lost > 0
    assert won(asked(right, box_as(frozenset()), [])[0])


def test_a_user_without_a_choice_is_not_asked(right, box_as):
    n, never = 500, []
    wins = sum(won(asked(right, box_as(frozenset({7})), never)[0]) for _ in range(n))
    assert_probability(wins, n, Fraction(1, 6), effect=0.2)


def test_a_table_of_all_boxes(right):
    assert {as_box(box) for box in right.all_boxes} == set(boxes())
    assert len(right.all_boxes) == 512
    table = {as_box(box): share(value) for box, value in right.look_up_table(20).items()}
    assert set(table) == set(boxes())
    assert table[frozenset()] == 1
    assert len(set(table.values())) > 5


def test_the_upper_confidence_bound(right):
    def bound(wins, losses):
        if len(signature(right.ucb).parameters) == 2:
            return right.ucb(wins, losses)
        return right.ucb(record_of(right, wins, losses))

    assert round(bound(23, 77), 3) == 0.314
    assert round(bound(1, 9), 3) == 0.29
    assert (bound(0, 0), bound(0, 5), bound(0, 1), bound(1, 0)) == (inf, 0.6, 3, 1)
    assert round(bound(9, 1), 2) == 1.09


def record_of(module, wins, losses):
    """A record like those in the learner's trees."""
    one = next(iter(tree_and_result(module.uct(empty(module), module.start_box))[0].values()))
    if hasattr(one, "scores"):
        return type(one)(wins + losses, (wins, losses))
    if hasattr(one, "keys"):
        return {key: {"w": wins, "l": losses}[key.strip(":")[0]] for key in one}
    return type(one)((wins, losses)) if type(one) is tuple else type(one)(wins, losses)


def empty(module):
    return module.Map() if hasattr(module, "Map") else {}


def tree_and_result(pair):
    """The pair of `uct` with the tree first."""
    return tuple(pair) if hasattr(pair[0], "keys") else tuple(pair)[::-1]


def test_dives(right, box_as):
    """Each adds one result to the boxes on its path, and to an old tree nothing."""
    tree, wins, before = empty(right), 0, {}
    for dive in range(1, 401):
        old = tree
        tree, result = tree_and_result(right.uct(tree, box_as(START)))
        after = tallies(tree)
        wins += won(result)
        assert tallies(old) == before
        assert after[START] == (wins, dive - wins)
        assert len(after) - len(before) in (0, 1)
        path = [box for box in after if after[box] != before.get(box)]
        for box in path:
            v, m = before.get(box, (0, 0))
            assert after[box] == ((v + 1, m) if won(result) else (v, m + 1))
        path.sort(key=len, reverse=True)
        for box, child in pairwise(path):
            assert any(is_best(before, child, possible_moves(box, roll)) for roll in ROLLS)
        before = after


def is_best(records, child, moves):
    """True if `child` is one of `moves`, and its bound is the highest of them."""
    bounds = {move: ucb(as_record(records.get(move, (0, 0)))) for move in moves}
    return child in bounds and bounds[child] >= max(bounds.values()) - 1e-9


def as_record(tally):
    return Record(sum(tally), tally)


def tallies(tree):
    return {as_box(box): tally(record) for box, record in tree.items()}


def test_the_game_from_a_new_box_is_random(right, box_as):
    random_play, n = exact.solver(shut_the_box(), policy=exact.uniform), 2000
    for box in SMALL:
        dives = [right.uct(empty(right), box_as(box)) for _ in range(n)]
        wins = sum(won(tree_and_result(dive)[1]) for dive in dives)
        assert_probability(wins, n, random_play(box)[0], effect=0.1)


def test_every_dive_to_the_shut_box_is_a_win(right, box_as):
    tree = empty(right)
    for visits in (1, 2, 3):
        tree, result = tree_and_result(right.uct(tree, box_as(frozenset())))
        assert won(result)
        assert tallies(tree) == {frozenset(): (visits, 0)}


def test_the_value_of_best_play(right, box_as):
    assert share(right.win_probability(right.start_box)) == pytest.approx(466473281 / 6530347008)
    for box in boxes():
        assert share(right.win_probability(box_as(box))) == pytest.approx(win_probability(box))
    for roll in ROLLS:
        value = win_probability(START, roll)
        assert share(right.win_probability(box_as(START), roll)) == pytest.approx(value)
    table = {as_box(box): share(value) for box, value in right.optimal_table().items()}
    assert table == pytest.approx({box: win_probability(box) for box in boxes()})


def test_the_complete_tree(right, box_as):
    if not hasattr(right, "build_tree"):
        assert "There is no `build_tree`" in right.__doc__
        return
    node = (box_as(START), None)
    one_argument = len(signature(right.build_tree).parameters) == 2
    tree = right.build_tree({}, node) if one_argument else right.build_tree({}, *node)
    assert len(tree) == 6121
    assert all(
        value == pytest.approx(win_probability(frozenset(box), roll))
        for (box, roll), value in tree.items()
    )


def test_best_moves(right, box_as):
    table = right.best_move_table()
    assert len(table) == 5632
    for box in boxes():
        for roll in ROLLS:
            move = as_box(right.best_move(box_as(box), roll))
            assert (move is None) == (not possible_moves(box, roll))
            if move is not None:
                assert move in possible_moves(box, roll)
                assert win_probability(move) == win_probability(box, roll)
            assert as_box(table[box_as(box), roll]) == move


def test_the_table_for_the_pub(right, box_as):
    assert right.box_to_str(box_as(frozenset({2, 4, 9}))) == " 2 4    9"
    lines = right.best_move_table_string().splitlines()
    assert {line[:9] for line in lines} >= {right.box_to_str(box_as(box)) for box in boxes()}
    for line in lines:
        if line[:9] == "123456789":
            cells = line.split("\t")[1:]
            moves = [right.best_move(box_as(START), roll) for roll in ROLLS]
            assert cells == [right.box_to_str(move) for move in moves]


# The marking

ENDLESS = "task06_endless_loop"
UNLOADABLE = "task08_used_before_it_is_defined"
SAMPLE = {path.stem for path in WRONG[::16]}


@pytest.mark.parametrize(
    "path",
    cases(
        {path.stem: (path,) for path in WRONG if path.stem not in {ENDLESS, UNLOADABLE}},
        slow={path.stem for path in WRONG} - SAMPLE - {ENDLESS, UNLOADABLE},
    ),
)
def test_is_marked_wrong_at_its_own_task(path):
    found = mark(vars(solution(path)), task_of(path), seed=1, clock=monotonic)
    assert found.status == "wrong", found.message


def test_a_solution_that_never_ends_is_marked_wrong_with_its_line():
    path = FOLDER / "wrong" / f"{ENDLESS}.py"
    found = marked(path, task_of(path), limit=2)
    assert found["status"] == "wrong"
    assert "It was not done after 2 seconds, in line " in found["message"]
    assert f" of {path.name}" in found["message"]


def test_a_solution_that_stops_while_it_is_loaded_names_the_line():
    path = FOLDER / "wrong" / f"{UNLOADABLE}.py"
    found = marked(path, task_of(path))
    assert found["status"] != "right"
    assert found["trouble"].startswith(f"{path.name} cannot be loaded, because of line ")
    assert "NameError" in found["trouble"]


SEEDS = int(os.environ.get("SEEDS", "1"))
"""The seeds with which each right solution is marked. More than one takes minutes for each."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("path", RIGHT, ids=lambda path: path.stem)
def test_no_right_solution_is_marked_wrong(path, seed):
    words = vars(solution(path))
    marks = [mark(words, task, seed=seed, clock=monotonic) for task in TASKS]
    assert [(found.task, found.message) for found in marks if found.status != "right"] == []
