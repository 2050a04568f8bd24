"""The thirteen tasks: right solutions are right, and wrong solutions get a message that helps."""

import random
import re
import textwrap
import types
import unittest
from collections import Counter
from pathlib import Path

import pytest

import purembts
from marks import cases
from purembts.verify.tasks import FOUNDATIONS, TASKS, Mark, as_test_case, is_borrowed, mark

PAGE = Path(__file__).parents[2] / "docs" / "workshop.md"
ON_PAPER = {
    "won_game": [(12, {3, 9}), (12, {4, 8}), (11, {5, 6}), (10, {1, 2, 7})],
    "lost_game": [(6, {6}), (6, {1, 5}), (6, {2, 4})],
}
SHORT = {
    "number_of_states": 5632,
    "monte_carlo_tree_search": lambda box, dives: purembts.search({}, box, dives)[box],
    "optimal_table": lambda: {box: purembts.win_probability(box) for box in purembts.all_boxes},
}
"""Words of the tasks that the library leaves to the learner."""
LIBRARY = {**vars(purembts), **ON_PAPER, **SHORT}


def solved(code, **words):
    """The words of a file with `code`, which can use the words of the library."""
    source = textwrap.dedent(code)
    namespace = {**words, "__name__": "mine", "__file__": "mine.py"}
    exec(compile("from purembts import *\nimport random\n" + source, "mine.py", "exec"), namespace)
    return namespace


# Right solutions


@pytest.mark.parametrize("task", cases({str(t): (t,) for t in TASKS}, slow=("8", "11")))
def test_the_library_is_right(task):
    verdict = mark(LIBRARY, task)
    assert (verdict.status, verdict.missing) == ("right", ()), verdict.message
    assert verdict.words == tuple(TASKS[task].checks)
    assert verdict.message.count("`:") >= len(verdict.words)


def words_of_the_page():
    """The words of the page's "One way to write it", under the names of the tasks."""
    page = PAGE.read_text("utf-8")
    blocks = re.findall(
        r"\*\*One way to write it\.\*\*(.*?)\*\*The exact answer\.\*\*", page, re.DOTALL
    )
    code = "\n".join(
        line[4:] for block in blocks for line in block.splitlines() if line[:4] in (">>> ", "... ")
    )
    functions = re.findall(r"^(?:@\w+\n)?def .*\n(?: .*\n)+", code, re.MULTILINE)
    choices = re.findall(r"^choices = .*$", code, re.MULTILINE)
    begin = (
        "from functools import cache\nfrom math import inf, sqrt\nfrom fractions import Fraction\n"
    )
    begin += "from purembts.chance import pick\nrolls = range(2, 13)\n"
    names = solved(begin + "\n".join([*functions, *choices]))
    return {name[3:]: value for name, value in names.items() if name[:3] == "my_"}


@pytest.mark.slow
def test_the_page_is_right_as_far_as_it_goes():
    words = words_of_the_page()
    expected = "dice_roll simple_moves play_simple_game simulate_simple_game power possible_moves "
    expected += "play_game play_game_user ucb uct win_probability throw_dart in_circle estimate_pi"
    assert set(expected.split()) <= set(words)
    verdicts = [mark(words, task) for task in TASKS]
    assert [verdict for verdict in verdicts if verdict.status == "wrong"] == []
    assert {verdict.task for verdict in verdicts if verdict.status == "right"} >= {
        1,
        4,
        6,
        7,
        9,
        11,
        12,
    }
    checked = {word for verdict in verdicts for word in verdict.words}
    assert set(expected.split()) <= checked


def test_the_same_seed_gives_the_same_verdict():
    words = solved("def dice_roll():\n    return random.randint(2, 12)")
    marks = [mark(words, 3, seed=seed) for seed in (1, 1, 2)]
    assert marks[0] == marks[1] != marks[2]


def test_marking_leaves_the_random_numbers_and_the_output_alone(capsys):
    random.seed(7)
    expected = random.Random(7).random()
    mark(solved("def dice_roll():\n    print('rolling')\n    return 7"), 3)
    assert random.random() == expected
    assert capsys.readouterr().out == ""


def test_slow_solutions_play_fewer_games():
    clock = iter(range(10**6))
    verdict = mark(LIBRARY, 6, clock=lambda: next(clock) * 0.05)
    assert verdict.status == "right"
    games = int(
        re.search(r"([\d,]+) games from the box {6, 7, 8}", verdict.message)[1].replace(",", "")
    )
    assert 40 <= games < 20_000


@pytest.mark.parametrize(
    ("task", "word"), [(7, "play_simple_game"), (8, "play_game"), (10, "play_game")]
)
@pytest.mark.parametrize("taken", [0.01])
def test_a_task_of_slow_games_ends_in_time(task, word, taken):
    gone = [0.0]
    real = LIBRARY[word]

    def play(box, rng):
        gone[0] += taken
        return real(box, rng)

    mine = solved(
        """
        def simulate_simple_game(n, box=simple_start):
            return sum(play_simple_game(box, random) == WIN for _ in range(n)) / n

        def simulate(n, box=start_box):
            return sum(play_game(box, random) == WIN for _ in range(n)) / n

        def possible_moves(box, roll):
            found = map(frozenset, levers_for_roll(roll))
            return frozenset(box - levers for levers in found if levers <= box)

        def look_up_table(n):
            return {box: simulate(n, box) for box in all_boxes}

        all_boxes = tuple(map(frozenset, power(range(1, 10))))
        """
    )
    mine[word] = play
    verdict = mark(mine, task, clock=lambda: gone[0])
    assert verdict.status == "right", verdict.message
    assert gone[0] < 15
    assert int(re.findall(r"([\d,]+) games", verdict.message)[-1].replace(",", "")) >= 20


def test_the_sureness_of_a_mark_is_a_number_of_runs():
    message = mark(LIBRARY, 1).message
    assert re.search(
        r"an error of 0\.\d+ in the probability would be seen in 999 of 1,000 runs", message
    )
    assert "a shift of 5 % of the cases would be seen in 999 of 1,000 runs" in message


# Parts of solutions


def test_alternatives_are_set_apart_from_the_other_missing_words():
    assert mark({}, 13).message == (
        "`best_move` or `best_move_table`, and `best_move_table_string` are not there yet."
    )
    assert mark({}, 12).message == "`win_probability` or `build_tree` is not there yet."
    assert mark({}, 4).message == "`simple_moves` is not there yet."
    assert mark({}, 10).message == "`all_boxes` and `look_up_table` are not there yet."
    assert mark({}, 8).message.startswith("`possible_moves`, `play_game` and `simulate` are")


def test_a_part_is_right_so_far_and_names_the_missing_words():
    verdict = mark(
        solved("def ucb(record):\n    return workshop_ucb(record)", workshop_ucb=purembts.ucb), 11
    )
    assert verdict.status == "not there yet"
    assert verdict.words == ("ucb",)
    assert verdict.missing == ("uct",)
    assert verdict.message == (
        "`uct` is not there yet. `uct` comes from purembts; write one of your own. Right so far: "
        "`ucb`: 1,167 records, checked exactly."
    )


def test_words_of_the_library_are_no_solution():
    assert mark(solved(""), 8).status == "not there yet"
    assert mark(solved("start_box = frozenset(range(1, 10))"), 3).words == ("start_box",)
    assert not is_borrowed(vars(purembts), "uct")
    assert is_borrowed(solved(""), "uct")


def test_a_wrong_part_is_wrong():
    assert mark({"ucb": lambda record: 1}, 11).status == "wrong"


def test_a_task_that_does_not_exist():
    with pytest.raises(ValueError, match="one of the tasks 1 to 13; got 14"):
        mark({}, 14)


def test_each_word_belongs_to_one_task():
    words = Counter(word for task in TASKS.values() for word in task.checks)
    assert set(words.values()) == {1}
    assert all(word in TASKS[task].checks for word, (task, _) in FOUNDATIONS.items())
    assert all(set(above) <= set(words) for _, above in FOUNDATIONS.values())
    for task in TASKS.values():
        assert {word for need in task.needed for word in need.split(" or ")} <= set(task.checks)


KEYS = """
start_box = {1, 2, 3, 4, 5, 6, 7, 8, 9}

def build_tree(tree, node):
    box, roll = node
    if node in tree:
        return tree
    if not box:
        tree[node] = 1
        return tree
    if roll is None:
        for r in range(2, 13):
            build_tree(tree, (box, r))
        tree[node] = sum((6 - abs(7 - r)) * tree[box, r] for r in range(2, 13)) / 36
        return tree
    moves = [frozenset(move) for move in possible_moves(box, roll)]
    for move in moves:
        build_tree(tree, (move, None))
    tree[node] = max((tree[move, None] for move in moves), default=0)
    return tree
"""


def test_a_box_that_becomes_a_key_is_a_frozenset_where_the_start_box_is_a_set():
    verdict = mark(solved(KEYS), 12)
    assert verdict.status == "right", verdict.message


# Wrong solutions, with their messages

WRONG = [
    (
        12,
        (
            "from functools import cache\n"
            "@cache\ndef win_probability(box):\n"
            "    best = [max(map(win_probability, possible_moves(box, r)), default=0)"
            " * (6 - abs(7 - r)) for r in range(2, 12)]\n"
            "    return sum(best) / 36 if box else 1"
        ),
        "0.012345679 is the value without roll 12.",
    ),
    (
        11,
        (
            "def play_game(box):\n"
            "    while box:\n"
            "        moves = list(possible_moves(box, dice_roll(random)))\n"
            "        if not moves:\n            return LOSS\n"
            "        box = random.choice(moves)\n"
            "    return WIN\n"
            "def uct(tree, box):\n"
            "    moves = list(possible_moves(box, dice_roll(random)))\n"
            "    if box not in tree or not box or not moves:\n"
            "        result = play_game(box)\n"
            "    else:\n"
            "        best = max(moves, key=lambda move: ucb(tree.get(move)))\n"
            "        tree, result = uct(tree, best)\n"
            "    visits, scores = tree.get(box) or (0, (0, 0))\n"
            "    record = Record(visits + 1, (scores[0] + result[0], scores[1] + result[1]))\n"
            "    return {**tree, box: record}, result"
        ),
        "is the last one that grows. A roll without a move loses there.",
    ),
    (
        10,
        (
            "def look_up_table(n):\n"
            "    return {box: mean(play_game(box, random)) for box in all_boxes}\n"
            "def mean(result):\n    return result[0]"
        ),
        (
            "`look_up_table(39)` has only the values 0 and 1. That looks like one game for each "
            "box; it must be 39 games."
        ),
    ),
    (
        13,
        (
            "def best_move_table_string(table=best_move_table_string()):\n"
            "    return '\\n'.join(line.partition('\\t')[2] for line in table.splitlines())"
        ),
        (
            "`best_move_table_string()`: each line begins with its box and has 11 moves after it; "
            "this line has 11 cells: "
        ),
    ),
    (
        8,
        (
            "def play_game(box):\n"
            "    random.seed(3)\n"
            "    while box:\n"
            "        moves = list(possible_moves(box, dice_roll(random)))\n"
            "        if not moves:\n            return LOSS\n"
            "        box = random.choice(moves)\n"
            "    return WIN"
        ),
        "All games are the same: do not seed inside the function.",
    ),
    (2, "won_game = '12 39'", "no game. A game is a list of turns like (12, {3, 9})."),
    (
        7,
        (
            "def simulate_simple_game(n, box=start_box):\n"
            "    return sum(play_simple_game(box, random) == WIN for _ in range(n)) / n"
        ),
        (
            "`simulate_simple_game` without a box begins with {1, 2, 3, 4, 5, 6, 7, 8, 9}; it must "
            "begin with {2, 3, 4, 5, 6, 7, 8, 9}."
        ),
    ),
    (
        8,
        (
            "def simulate(n, box=simple_start):\n"
            "    return sum(play_game(box, random) == WIN for _ in range(n)) / n"
        ),
        "`simulate` without a box begins with {2, 3, 4, 5, 6, 7, 8, 9}; it must begin with {1, 2,",
    ),
    (
        11,
        (
            "from math import inf, sqrt\ndef ucb(record):\n"
            "    if record is None:\n        return inf\n"
            "    w, l = record.scores\n    n = w + l\n"
            "    return (w + 2 * sqrt(w * l / n)) / n if w else 3 / n"
        ),
        (
            "`ucb(Record(visits=0, scores=(0, 0)))` raises ZeroDivisionError: division by zero in "
            "line 9 of mine.py. Without games the bound must be infinite: math.inf."
        ),
    ),
    (
        1,
        "def flip_coin():\n    return 'heads'",
        "`flip_coin()` gives 'heads' each time. Flip inside the function.",
    ),
    (
        1,
        "def in_circle(dart):\n    return sum(dart) < 1",
        "`in_circle((0.6, 0.7))` gives False; x squared plus y squared is 0.85, below 1.",
    ),
    (
        1,
        "def throw_dart():\n    return random.random(), random.random()",
        "After 400 darts, x is from 0.00 to 1.00; it must be from -1 to 1: 2 * random() - 1.",
    ),
    (
        1,
        "def estimate_pi(n):\n    return sum(in_circle(throw_dart()) for _ in range(n)) / n",
        "`estimate_pi(1)` gives 1. Four times the share of 1 dart in the circle is one of 0, 4.",
    ),
    (
        2,
        "won_game = [(12, {3, 9}), (3, {3})]",
        "Turn 2 of `won_game`, roll 3, shuts lever 3, which is down already.",
    ),
    (
        2,
        "won_game = [(12, {3, 9})]",
        "`won_game` ends after 1 turn, and levers 1, 2, 4, 5, 6, 7 and 8 are still up.",
    ),
    (
        2,
        "lost_game = [(6, {6}), (6, ())]",
        "Turn 2 of `lost_game`, roll 6, shuts nothing, but the player can shut levers 1, 2 and 3.",
    ),
    (
        3,
        "sample_box = {1, 3, 6}",
        (
            "`sample_box` is {1, 3, 6}; the box with levers 1, 3 and 6 down is {2, 4, 5, 7, 8, "
            "9}. These are the levers that are down. A box is the set of the levers that are up."
        ),
    ),
    (
        3,
        "number_of_states = 512",
        (
            "`number_of_states` is 512; there are 2^9 boxes and 11 rolls for each, 5632. That "
            "is the number of boxes; a state is a box and a roll."
        ),
    ),
    (
        3,
        "def dice_roll():\n    return random.randint(1, 6)",
        "`dice_roll()` gives 1; it must be the total of two dice, a whole number from 2 to 12.",
    ),
    (
        3,
        "def dice_roll():\n    return 2 * random.randint(1, 6)",
        "Only even totals came: throw two dice, and not one die twice.",
    ),
    (
        3,
        "def dice_roll():\n    return random.randint(2, 12)",
        (
            "chance explains such a difference less often than once in 10^9. The totals are "
            "not equally likely: add two dice, each from 1 to 6."
        ),
    ),
    (
        4,
        "def simple_moves(box, roll):\n    return {box - {roll}}",
        (
            "`simple_moves(frozenset({1}), 2)` has the box {1}, which shuts no lever; there is "
            "no move, so the answer is an empty set."
        ),
    ),
    (
        4,
        "def simple_moves(box, roll):\n    return box - {roll} if roll in box else set()",
        (
            "`simple_moves(frozenset({2}), 2)` leaves out shutting lever 2, which leaves the "
            "box {}. If frozenset() is the shut box, put it into a set."
        ),
    ),
    (
        4,
        "def simple_moves(box, roll):\n    if roll in box:\n        return {box - {roll}}",
        (
            "`simple_moves(frozenset({1}), 2)`: None cannot be read as a collection of boxes. "
            "The moves are a set, a tuple or a list of boxes, and it is empty if there is no "
            "move."
        ),
    ),
    (
        5,
        "simple_start = set(range(1, 10))",
        (
            "`simple_start` is {1, 2, 3, 4, 5, 6, 7, 8, 9}; the box with lever 1 down and the "
            "others up is {2, 3, 4, 5, 6, 7, 8, 9}."
        ),
    ),
    (
        6,
        (
            "def play_simple_game(box):\n"
            "    moves = simple_moves(box, dice_roll())\n"
            "    return play_simple_game(moves[0]) if moves else LOSS"
        ),
        "`play_simple_game(frozenset())` gives a loss, and the shut box is a win.",
    ),
    (
        6,
        "def play_simple_game(box):\n    return WIN if not box or {dice_roll()} == box else LOSS",
        (
            "After 10,000 games of `play_simple_game({3, 4})` the probability of winning is 0; "
            "exactly it is 0.00926, and chance explains such a difference less often than once "
            "in 10^9."
        ),
    ),
    (
        7,
        (
            "def simulate_simple_game(n):\n"
            "    return sum(play_simple_game(simple_start) == WIN for _ in range(n))\n"
            "\n"
            "\n"
            "simple_start = frozenset({7})"
        ),
        "a probability is from 0 to 1.",
    ),
    (
        7,
        (
            "def simulate_simple_game(n, box):\n"
            "    wins = sum(play_simple_game(box) == WIN for _ in range(1, n))\n"
            "    return {'win': wins, 'loss': n - 1 - wins}"
        ),
        (
            "`simulate_simple_game(1, frozenset({7}))` gives {'win': 0, 'loss': 0}, a record "
            "of 0 games; it must "
            "be a record of 1."
        ),
    ),
    (
        8,
        "def possible_moves(box, roll):\n    return [box - {roll}] if roll in box else []",
        (
            "`possible_moves(frozenset({1, 2}), 3)` leaves out shutting levers 1 and 2, which "
            "leaves the box {}."
        ),
    ),
    (
        8,
        (
            "def possible_moves(box, roll):\n"
            "    return [box - set(c) for c in lever_combinations[roll] if set(c) & box]"
        ),
        (
            "`possible_moves(frozenset({1}), 3)` has the box {}, which shuts lever 1; "
            "the sum is 1, and the roll is 3."
        ),
    ),
    (
        8,
        "def play_game(box):\n    return WIN if random.random() < 1 / 6 else LOSS",
        "`play_game(frozenset())` gives a loss, and the shut box is a win.",
    ),
    (
        8,
        "def play_game(box):\n    return {frozenset({7}): WIN}[box]",
        "`play_game(frozenset())` raises KeyError: frozenset() in line 4 of mine.py.",
    ),
    (
        8,
        (
            "def play_game(box):\n"
            "    if is_win(box):\n"
            "        return WIN\n"
            "    moves = possible_moves(box, dice_roll())\n"
            "    return play_game(moves[0]) if moves else LOSS"
        ),
        (
            "After 1,000 games of `play_game({2, 3, 5})` with the rolls 5, 2 and 3 the probability "
            "of winning is 0; exactly it is 0.5, and chance explains such a difference less often "
            "than once in 10^9. The boxes {2, 3} and {5} must be equally likely moves."
        ),
    ),
    (
        8,
        "def is_win(box):\n    return len(box) < 2",
        "`is_win(frozenset({1}))` gives True, and lever 1 is still up.",
    ),
    (
        8,
        "lever_combinations = [levers_for_roll(r) for r in range(12)]",
        "`lever_combinations[12]` raises IndexError: list index out of range.",
    ),
    (
        8,
        "def power(items):\n    return [(item,) for item in items]",
        "`power([1])` leaves out {}.",
    ),
    (
        9,
        (
            "def play_game_user(box):\n"
            "    result = play_game(box)\n"
            "    print(result)\n"
            "    return result"
        ),
        (
            "`play_game_user` from the full box does not ask the person in ten games. It must "
            "ask whenever there is a choice."
        ),
    ),
    (
        10,
        "all_boxes = [frozenset(c) for c in power(range(1, 9))]",
        "`all_boxes` leaves out {9}; there are 512 boxes.",
    ),
    (
        10,
        "def look_up_table(n):\n    return {box: simulate(n) for box in all_boxes}",
        "for the box {}; the shut box is a win, so it must be 1.",
    ),
    (
        11,
        "def ucb(record):\n    return mean(record)",
        "`ucb` of 0 wins in 1 game gives 0.0; the rule of 3 gives 3.",
    ),
    (
        11,
        (
            "def uct(tree, box):\n"
            "    result = play_game(box)\n"
            "    tree[box] = tree.get(box, NOTHING) + Record(1, result)\n"
            "    return tree, result"
        ),
        (
            "`uct` changed the tree that it was given: `uct({}, frozenset())` must return a "
            "new tree and leave the old one alone. Copy a dict first: {**tree, box: record}."
        ),
    ),
    (
        11,
        (
            "def uct(tree, box):\n"
            "    result = play_game(box)\n"
            "    return {**tree, box: tree.get(box, NOTHING) + Record(1, result)}, result"
        ),
        "the record of {1, 2, 3, 4, 5, 6} is the last one that grows",
    ),
    (
        12,
        "def win_probability(box):\n    return 0.0 if box else 1.0",
        (
            "`win_probability(frozenset({2}))` is 0; exactly it is 1/36 = 0.0277777778: the "
            "values of the 11 rolls, each weighted with its share of the 36 throws."
        ),
    ),
    (
        12,
        "def build_tree(tree, node):\n    return {node: 1.0}",
        "`build_tree({}, (frozenset({1}), None))`: the value of the box {1} is 1; exactly it is 0",
    ),
    (
        13,
        (
            "def best_move(box, roll):\n"
            "    return max(possible_moves(box, roll), key=len, default=None)"
        ),
        (
            "`best_move(frozenset({1, 2, 3, 4}), 5)` is {1, 4}, which wins with probability "
            "0.1111; {2, 3} wins with 0.1142."
        ),
    ),
    (
        13,
        "def box_to_str(box):\n    return str(len(box))",
        "`box_to_str(frozenset({2}))` gives '1'; the digits in it must be the levers that are up.",
    ),
    (
        13,
        "def best_move_table_string():\n    return 'd3'",
        "`best_move_table_string()` has 1 lines with digits; there are 512 boxes.",
    ),
]


@pytest.mark.parametrize(("task", "code", "message"), WRONG)
def test_wrong_solutions_get_a_message_that_helps(task, code, message):
    verdict = mark(solved(code), task)
    assert verdict.status == "wrong", verdict.message
    assert message in verdict.message


def test_the_choice_of_a_move_is_seen_without_the_dice_of_the_learner():
    code = """
        def play_game(box):
            while box:
                moves = possible_moves(box, random.randint(1, 6) + random.randint(1, 6))
                if not moves:
                    return LOSS
                box = moves[0]
            return WIN
    """
    assert mark(solved(code), 8).message.startswith(
        "After 80,000 games of `play_game({1, 2, 3, 4, 6, 7, 8})` the probability of winning is"
    )


def test_a_wrong_word_of_an_earlier_task_is_named_as_the_reason():
    code = """
        def dice_roll():
            return random.randint(2, 12)

        def play_game(box):
            while box:
                moves = possible_moves(box, dice_roll())
                if not moves:
                    return LOSS
                box = random.choice(moves)
            return WIN
    """
    assert mark(solved(code), 8).message.endswith(
        "`dice_roll` is wrong, too, and may be the reason: mark task 3 first."
    )
    code += "\n\n        def possible_moves(box, roll):\n            return ()"
    assert "dice_roll" not in mark(solved(code), 8).message


@pytest.mark.parametrize(
    ("task", "code", "first"),
    [
        (
            10,
            "def look_up_table(n):\n    return {b: play_game(b) for b in all_boxes}",
            "play_game` 8",
        ),
        (11, "def uct(tree, box):\n    return {box: play_game(box)}, WIN", "play_game` 8"),
        (
            8,
            "start_box = set()\n\ndef simulate(n):\n    return play_game(start_box)",
            "start_box` 3",
        ),
        (8, "start_box = set()\n\ndef simulate(n, box):\n    return play_game(box)", ""),
        (7, "simple_start = 3\n\ndef simulate_simple_game(n):\n    return {}", "simple_start` 5"),
    ],
)
def test_the_reason_comes_also_after_errors_and_exact_faults(task, code, first):
    broken = "def play_game(box):\n    return {frozenset({7}): WIN}[box]\n\n"
    message = mark(solved((broken if task > 8 else "") + code), task).message
    word, _, earlier = first.partition(" ")
    reason = f"`{word} is wrong, too, and may be the reason: mark task {earlier} first."
    assert message.endswith(reason) if first else "too" not in message


PERSISTENT = """
    from pyrsistent import pmap

    def uct(tree, box):
        if box not in tree or not box:
            result = play_game(box)
        elif moves := possible_moves(box, dice_roll()):
            ratings = [ucb(tree.get(move)) for move in moves]
            tree, result = uct(tree, moves[ratings.index(max(ratings))])
        else:
            result = LOSS
        return tree.set(box, tree.get(box, NOTHING) + Record(1, result)), result

    def search(tree, box, dives):
        for _ in range(dives):
            tree, _ = uct(tree, box)
        return tree

    def build_tree(tree, box, roll=None):
        value = win_probability(box) if roll is None else win_probability(box, roll)
        return tree.set((box, roll), value)
"""


@pytest.mark.slow
@pytest.mark.parametrize("maps", ["pyrsistent", "immutables"])
def test_trees_of_persistent_maps_that_take_no_dict(maps):
    code = PERSISTENT if maps == "pyrsistent" else PERSISTENT.replace("pmap", "Map")
    code = code.replace("pyrsistent", maps)
    searched = mark(solved(code), 11)
    assert (searched.words, searched.missing) == (("uct", "search"), ("ucb",))
    assert searched.status == "not there yet", searched.message
    assert mark(solved(code), 12).status == "right"


def test_a_search_that_forgets_its_tree_is_wrong():
    code = PERSISTENT.replace("tree, _ = uct(tree, box)\n", "tree, _ = uct(pmap(), box)\n")
    assert mark(solved(code), 11).message == (
        "`search`: dive 2 from {7} gets a tree with 0 visits of this box. It must get the tree of "
        "the dive before it, with 1 visit."
    )


def test_the_empty_children_of_a_box_are_no_records():
    """A learner may put them into the tree, if a box without visits counts as new."""
    code = textwrap.dedent(PERSISTENT).split("def search")[0]
    code = code.replace("box not in tree", "not tree.get(box, NOTHING).visits")
    code = code.replace(
        "        ratings",
        """        for move in moves:
            tree = tree.set(move, tree.get(move, NOTHING))
        ratings""",
    )
    assert mark(solved(code), 11).status == "not there yet"


# The game with a person

USER = """
    def play_game_user(box, read=input, write=print):
        while box:
            roll = dice_roll()
            write(f"Box {sorted(box)}, roll {roll}")
            moves = possible_moves(box, roll)
            if not moves:
                write("You lose.")
                return LOSS
            number = 1
            if len(moves) > 1:
                for i, move in enumerate(moves, 1):
                    write(f"{i}: {sorted(move)}")
                number = int(read("Which? "))
            box = moves[number - 1]
        write("You win.")
        return WIN
"""


def user_game(old="", new=""):
    assert old in USER
    code = "def possible_moves(box, roll):\n    return list(library(box, roll))\n"
    code += textwrap.dedent(USER.replace(old, new))
    return solved(code, library=purembts.possible_moves)


def test_a_game_with_a_person_is_right():
    assert mark(user_game(), 9).status == "right"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("enumerate(moves, 1)", "enumerate(moves)"),  # numbers from 0 are another style
        ("read=input, write=print", "rng=None"),
    ],
)
def test_styles_of_the_game_with_a_person(old, new):
    code = USER.replace(old, new)
    if "rng" in new:
        code = code.replace("write(", "print(").replace("read(", "input(")
    else:
        code = code.replace("moves[number - 1]", "moves[number]").replace(
            "number = 1\n", "number = 0\n"
        )
    assert mark(solved(code), 9).status == "right"


LEVERS = """
    def play_game_user(box):
        if not box:
            return "win"
        roll = dice_roll()
        print("You have", *sorted(box), "and a roll of", roll)
        moves = possible_moves(box, roll)
        if not moves:
            return "loss"
        print("You can shut", [sorted(box - move) for move in moves])
        while True:
            shut = {int(lever) for lever in input("Levers to shut: ").split() if lever.isdigit()}
            if shut <= box and sum(shut) == roll:
                return play_game_user(box - shut)
"""


LETTERS = """
    def play_game_user(box):
        while box:
            roll = dice_roll()
            print("Levers", *box, "roll", roll)
            moves = possible_moves(box, roll)
            if not moves:
                print("Sorry, you have lost.")
                return
            for i, move in enumerate(moves):
                print(chr(65 + i), *move)
            answer = " "
            while answer not in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(moves)]:
                answer = input("> ").upper()
            box = moves[ord(answer) - 65]
        print("You win!")
"""


def test_answers_with_letters_and_results_in_words():
    assert mark(solved(LETTERS), 9).status == "right"


def test_lost_games_without_a_word_look_like_wins():
    silent = LETTERS.replace('print("Sorry, you have lost.")', "pass")
    assert mark(solved(silent), 9).message.startswith(
        "`play_game_user(frozenset({1}))` is a win, and from this box there is no way to win. "
        "It returns None"
    )


@pytest.mark.parametrize("own", [True, False])
def test_answers_with_the_levers(own):
    code = "def possible_moves(box, roll):\n    return list(library(box, roll))\n" if own else ""
    words = solved(code + textwrap.dedent(LEVERS), library=purembts.possible_moves)
    assert mark(words, 9).message.startswith("`play_game_user`: 2,000 games from {7}")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "moves[number - 1]",
            "moves[0]",
            "goes on in the same way after the first and after the second choice",
        ),
        (
            "moves[number - 1]",
            "moves[-number]",
            "the answer 1 at {1, 2, 3, 4, 5, 6, 7, 8, 9} with a roll of",
        ),
        ('write(f"{i}: {sorted(move)}")', "pass", "must show the choices. With 2 choices and with"),
        (
            'write(f"Box {sorted(box)}, roll {roll}")',
            'write(f"Roll {roll}")',
            "must show the box. A game from {8} looks like one from {9}",
        ),
        (
            'write(f"Box {sorted(box)}, roll {roll}")',
            'write(f"Box {sorted(box)}")',
            "must show the roll",
        ),
        (
            "roll {roll}",
            "roll {dice_roll()}",
            "must show the roll that it asks `possible_moves` for",
        ),
        ("        return WIN", "", "from some games and None from others"),
        (
            'number = int(read("Which? "))',
            "number = 0\n                while not number:\n                    read('Which?')",
            "asks again and again; the answers were '1'.",
        ),
        (
            "return LOSS",
            "return WIN",
            "`play_game_user(frozenset({1}))` is a win, and from this box there is no way to win.",
        ),
        (
            "box = moves[number - 1]",
            "box = moves[number - 1] - {9}",
            "and that is none of the choices",
        ),
    ],
)
def test_wrong_games_with_a_person(old, new, message):
    verdict = mark(user_game(old, new), 9)
    assert verdict.status == "wrong", verdict.message
    assert message in verdict.message


def test_input_and_words_come_back_after_a_game_with_a_person():
    words = user_game()
    before, ask = words["possible_moves"], input
    mark(words, 9)
    assert words["possible_moves"] is before
    assert input is ask


# The test case


def outcomes_of(case):
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    return result


def test_a_module_becomes_a_test_case():
    module = types.ModuleType("mine")
    vars(module).update(
        solved("simple_start = set(range(1, 10))\ndef simple_moves(box, roll):\n    return ()")
    )
    result = outcomes_of(as_test_case(module, games=2000))
    assert (result.testsRun, len(result.failures), len(result.errors)) == (13, 2, 0)
    assert len(result.skipped) == 11
    reasons = {str(test).split()[0]: reason for test, reason in result.skipped}
    assert reasons["test_task_12_the_complete_tree"].startswith(
        "Task 12: `win_probability` or `build_tree` is not there yet."
    )
    assert "Task 5: `simple_start` is {1, 2, 3," in result.failures[1][1]


def test_a_test_case_of_the_library_passes():
    words = {name: LIBRARY[name] for name in ("start_box", "simple_start", "simple_moves")}
    result = outcomes_of(as_test_case({**words, "__name__": "purembts"}))
    assert (len(result.failures), len(result.skipped)) == (0, 11)


def test_a_mark_has_its_task_and_title():
    assert mark({}, 5) == Mark(
        5,
        "Playing by hand",
        "not there yet",
        "`simple_start` is not there yet.",
        (),
        ("simple_start",),
    )
