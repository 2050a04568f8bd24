"""The arguments of functions: a wrong one is refused in a sentence that begins with its name."""

import builtins
import re
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from inspect import getmembers, isfunction, signature
from itertools import islice
from math import inf, nan
from pkgutil import walk_packages
from random import Random

import pytest

import purembts
from purembts import bandits, bounds, mcts, pictures, players, records, workshop
from purembts.bounds import ucb1
from purembts.chance import pick, shuffled
from purembts.curves import curves, exact_regret
from purembts.determinize import (
    information_set,
    information_sets,
    lifted,
    perfect_information,
    view_turn,
)
from purembts.exact import is_solvable, solver, uniform
from purembts.executors import map_chunks
from purembts.fast import curves as fast
from purembts.fast import engine
from purembts.fast.engine import search, simulate_parallel
from purembts.game import playout, turn_at
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin, pile
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.knowledge.narrowing import informed, narrowed
from purembts.play import games_of_match, match, move_called, play_game, turns
from purembts.players import random_player
from purembts.proving import backed_up, settled
from purembts.report import report, reports
from purembts.simulation import simulate
from purembts.verify import algorithm_laws as laws
from purembts.verify import checking, search_laws, statistics
from purembts.verify.player_laws import check_moves, check_player, losses

COINS, PILE, CARDS, BOXES = last_coin(), Pile(5), big_two(), shut_the_box()
TURN, PLAYERS = turn_at(COINS, PILE, None), (random_player,) * 2
SEEN_TURN = view_turn(CARDS, turn_at(CARDS, deal(Random(7)), None))
SEEN = {"game": CARDS, "view": SEEN_TURN.state}
START = {"game": COINS, "start": PILE}
AT, ARMS = {"game": COINS, "state": PILE}, (bandits.bernoulli(0.5),) * 2
TREE, ONE = {**AT, "tree": {}}, records.Record(1, (1, 0))
BOX = {"box": frozenset({7})}
CALLS = [
    *((f, TREE) for f in (mcts.uct, mcts.trees, mcts.subtree, reports, pictures.tree)),
    *((f, TREE) for f in (settled, backed_up)),
    (search, {**TREE, "dives": 9}),
    (engine.strides, {**TREE, "k": 9}),
    (engine.search_parallel, {**TREE, "dives": 9, "seed": 7, "chunks": 2}),
    *((f, {**AT, "n": 9}) for f in (simulate, engine.simulate)),
    (simulate_parallel, {**AT, "n": 9, "seed": 7, "chunks": 2}),
    *((f, AT) for f in (is_solvable, pictures.position)),
    *((f, {"game": COINS}) for f in (solver, players.perfect_player)),
    (players.uct_player, {"game": COINS, "dives": 9}),
    (players.flat_player, {"game": COINS, "games": 9}),
    (players.think, {"game": COINS, "tree": {}, "turn": TURN, "dives": 9}),
    (report, {"game": COINS, "turn": TURN, "tree": {}}),
    (move_called, {"game": COINS, "turn": TURN, "text": "take 1"}),
    *((f, {**AT, "strategies": PLAYERS, "rng": Random(7)}) for f in (turns, play_game)),
    *(
        (f, {"game": COINS, "strategies": PLAYERS, "n": 4, "seed": 7})
        for f in (match, games_of_match)
    ),
    (players.growing, {"game": COINS, "tree": {}, "root": PILE, "parts": [2], "rng": Random(7)}),
    (
        fast.trials_of,
        {"game": COINS, "marks": (5,), "bounds": {"UCB1": ucb1}, "seed": 7, "start": PILE},
    ),
    *((f, {**START, "marks": (5,), "seeds": 2, "seed": 7}) for f in (curves, fast.curves)),
    *((f, SEEN) for f in (information_set, information_sets, perfect_information)),
    (lifted, {"game": CARDS, "strategy": random_player}),
    (narrowed, {"game": COINS, "consider": uniform}),
    (informed, {"game": COINS, "play": playout}),
    (exact_regret, {"policy": bandits.by_bound(), "means": (0.5, 0.2), "pulls": 2}),
    (bandits.by_bound, {}),
    (bandits.bernoulli, {"p": 0.5}),
    (bandits.gaussian, {"mean": 1}),
    (bandits.explore_then_commit, {"times": 2}),
    (bandits.epsilon_greedy, {"epsilon": 0.1}),
    (bandits.auer_schedule, {"c": 1, "d": 0.5}),
    (bandits.root_schedule, {"c": 1, "horizon": 5}),
    (bandits.lai_robbins, {"means": (0.5, 0.2)}),
    (bandits.pulls, {"arms": ARMS, "policy": bandits.uniformly}),
    (
        bandits.runs_of,
        {"policies": {"UCB1": bandits.by_bound()}, "arms": ARMS, "pulls": 1, "runs": 1, "seed": 7},
    ),
    *((f, dict.fromkeys(signature(f).parameters, 1)) for f in bounds.CONSTANTS.values()),
    *((f, {"record": ONE}) for f in (records.mean, records.interval)),
    (records.marks_of, {"n": 9}),
    *((f, {"items": "ab"}) for f in (pick, shuffled)),
    (map_chunks, {"executor": builtins, "work": lambda n, rng: n, "n": 9, "seed": 7, "chunks": 2}),
    (pile, {"coins": 5, "player": 0}),
    *((f, {}) for f in (last_coin, reversi)),
    (shut_the_box, {"levers": 9, "dice": 2, "most_levers": 2}),
    (big_two, {}),
    (mnk, {"columns": 3, "rows": 3, "in_a_row": 3}),
    (deal, {"rng": Random(7)}),
    (workshop.simulate, {"n": 9, **BOX}),
    (workshop.search, {"tree": {}, **BOX, "dives": 9}),
    (workshop.learnt_probability, {"tree": {}, **BOX}),
    *((f, {"game": COINS, "examples": 2}) for f in (checking.check, checking.verdicts)),
    (laws.check_playout, {"playout": partial(playout, COINS), **AT, "n": 2000, "effect": 0.5}),
    (laws.check_simulate, {"simulate": partial(simulate, COINS), **AT, "n": 2000, "effect": 0.5}),
    (laws.check_bound, {"bound": ucb1}),
    (laws.check_policy, {"policy": bandits.by_bound(), "pulls": 300}),
    (search_laws.check_uct, {"uct": partial(mcts.uct, COINS), **START, "dives": 2, "learns": None}),
    (
        search_laws.check_search,
        {"search": partial(search, COINS), **START, "dives": 2, "learns": None},
    ),
    (search_laws.check_same_seed, {"run": Random.random, "seed": 7, "what": "numbers"}),
    (check_moves, {"player_of": lambda _: random_player, "game": COINS, "positions": [PILE]}),
    (check_player, {"choose": random_player, "game": COINS, "positions": [PILE], "most": 1}),
    (losses, {"choose": random_player, "game": COINS, "positions": [PILE]}),
]
"""Functions, and arguments that are right."""

AT_LEAST_ONE = r"must be a whole number (of at least [01]|from 1 to 10\*\*18); got"
COUNTS = "dives n games rollouts chunks budget worlds seeds runs pulls times horizon examples"
NOT_NEGATIVE = (
    [-1, -1e-300, nan, inf, -inf, 10**400, "2", b"1", None, True, (), 1j],
    "must be a finite number of at least 0; got",
)
WRONG = {
    **dict.fromkeys(
        COUNTS.split(), ([-5, 1.0, 2.5, nan, inf, 10**400, "3", None, True], AT_LEAST_ONE)
    ),
    "k": ([0, -1, 2.0, "3", [0], [1.5]], AT_LEAST_ONE),
    "depth": ([-1, 1.5], "must be a whole number of at least 0; got"),
    "game": ([{}, reversi, None], r"must be a Game, for example shut_the_box\(\), and the first"),
    "tree": (
        [5, [], mcts.uct(COINS, {}, PILE)],
        r"must be a map .*\{\} is the first one, and uct returns a pair: tree, result = uct",
    ),
    "rng": ([7, None, "random", Random], "must be a generator, for example"),
    "bound": (
        [3, None, workshop.ucb, lambda score, visits: 0],
        "must be a function of a score, visits and a total, whose value is a number",
    ),
    "turn": (
        [PILE, 7, "x"],
        r"must be (a Turn, for example turn_at\(.*\)|at Pile)",
    ),
    "seed": ([7.5, nan, None, Random(7), True], "must be a whole number (or a text|of at least 0)"),
    "z": ([*NOT_NEGATIVE[0], 1e308], "must be a number from 0 to 1000000; got"),
    "c": ([nan, inf, 10**400, "1", None], "must be a (finite )?number"),
    "d": ([0, -1, nan], "must be a finite number above 0; got"),
    "deviation": NOT_NEGATIVE,
    "mean": ([nan, "1"], "must be a finite number; got"),
    "p": ([1.5, 1.0000001, -1e-300, nan, True], "must be a number from 0 to 1; got"),
    "epsilon": ([1.5, -0.1], "must be a number from 0 to 1; got"),
    "strategies": ([random_player, ()], "must be a sequence of "),
    "means": ([(0.5, 1.5), (-0.5, 0.5)], "must be a number from 0 to 1; got"),
    "arms": (
        [(), "ab", (*ARMS, 1), ARMS[0], None, iter(ARMS)],
        "must be a sequence of at least one",
    ),
    "policies": (["UCB1", []], "must be a map from names to policies, for example"),
    "bounds": ([ucb1, {}], "must be a map from names to bounds, for example"),
    "player": ([2, -1, True, "0", None], "must be a whole number from 0 to 1; got"),
    "coins": ([-1, 2.0, True, "21", None], "must be a whole number of at least 0; got"),
    "takes": ([(), 2, None, range(0)], "must be numbers of coins, such as"),
    "size": ([2, 28, 8.0, True, "8", None], "must be a whole number from 4 to 26; got"),
    "columns": ([0, 27, True], "must be a whole number from 1 to 26; got"),
    "rows": ([-1, 27, 3.0, "3"], "must be a whole number from 1 to 26; got"),
    "in_a_row": ([0, 4], "must be a whole number from 1 to 3; got"),
    **dict.fromkeys(
        ("exactly", "misere", "after_pass"), (["yes", 1], "must be True or False; got")
    ),
    **dict.fromkeys(
        ("levers", "most_levers"), ([0, "nine", 2.0, True], "must be a whole number of at least 1")
    ),
    "one_die_end": (["no", 1, None, []], 'must be False, "sum" or "shut"; got'),
    "straights": (
        [
            *(("34567", "76543"), ("3456",), ("33456",), ("3456X",), ([*"34567"],), (1,)),
            *("34567", ["34567"], None),
        ],
        "must (be a tuple of texts|have different ranks; got 34567 and 76543)",
    ),
    "flushes": (["colour", None, ["suit"]], "must be 'suit' or 'rank'; got"),
    "penalties": (
        [
            *((), ((2, 1),), ((1, 1), (13, 3), (10, 2)), ((1, 1), (1, 2)), ((1, 1), (14, 3))),
            *(((1, 0),), ((1, 1.5),), ((1, 1.0), (10, 2), (13, 3)), ((True, 1), (10, 2), (13, 3))),
            *(((1, 1), (10,)), (1, 2), None, [(1, 1)], ([1, 1],)),
        ],
        "must be a tuple of pairs",
    ),
    "hand_size": ([0, 14, -1, 2.5, None, True, "4"], "must be a whole number from 1 to 13; got"),
}
"""Wrong values by the name of an argument, and the sentence about them."""
INNER = {
    *(
        "add_result",
        "backpropagate",
        "best_child",
        "bounds_of",
        "draw_turn",
        "playout",
        "plain_playout",
        "first_position",
    ),
    *("select", "rounding", "counted"),  # parts of a dive, of a law, or of a sentence
    *("uniformly", "ucb1_tuned", "thompson", "worlds", "outlook", "guess", "normal", "gamma"),
    *("assert_probability", "acceptance", "smallest_effect"),  # see below
    *("random_game", "growth_of", "as_uct", "more_than", "at_most", "random_turns", "random_walk"),
    *(
        "curve_of",
        "regret_curves",
        "standings",
        "learning",
        "name_of",
        "curves_of",
        "repeatedly",
    ),
}
"""Functions that others call with checked arguments, and a few whose argument is something else."""
ROOMS = [
    import_module(room.name)
    for room in walk_packages(purembts.__path__, "purembts.")
    if not re.match(
        r"purembts\.(__main__|app|course|checks|guards|workshop|games.*_texts|fast\.(?!engine))",
        room.name,
    )
]


def used(value):
    """`value`, or the first two items of an iterator."""
    return list(islice(value, 2)) if isinstance(value, Iterator) else value


@pytest.mark.parametrize(("function", "right"), CALLS, ids=[f.__qualname__ for f, _ in CALLS])
def test_a_wrong_argument_is_refused_by_its_name(function, right):
    used(function(**right))
    for name in signature(function).parameters:
        values, message = WRONG.get(name, ((), ""))
        for value in values:
            with pytest.raises(ValueError, match=f"^`{name}` {message}"):
                used(function(**{**right, name: value}))


def test_every_function_with_such_an_argument_is_here():
    names = {*COUNTS.split(), *("rng", "seed", "bound", "seconds")}
    called = {function.__name__ for function, _ in CALLS}
    for room in ROOMS:
        for name, function in getmembers(room, isfunction):
            if function.__module__ == room.__name__ and not name.startswith("_"):
                is_checked = not names & {*signature(function).parameters} or name in called | INNER
                assert is_checked, f"{room.__name__}.{name}"


@pytest.mark.parametrize("n", [-1, nan, inf, "9", None, True, 10**400])
def test_a_number_of_trials_is_a_whole_number(n):
    for judge in (statistics.acceptance, statistics.smallest_effect):
        with pytest.raises(ValueError, match=r"^`n` must be a whole number (of|from) "):
            judge(n, 0.5)


def test_every_name_of_a_wrong_value_is_that_of_an_argument():
    assert set(WRONG) <= {name for function, _ in CALLS for name in signature(function).parameters}


class Whole:
    """A whole number of another library, such as numpy."""

    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n


@pytest.mark.parametrize(("function", "right"), CALLS, ids=[f.__qualname__ for f, _ in CALLS])
def test_a_whole_number_may_be_of_another_type(function, right):
    """One that can only become an int, so no function may count with what it was given."""
    is_whole = re.compile("must be a whole number (of|from) ").match
    names = [name for name in right if name in WRONG and is_whole(WRONG[name][1])]
    whole = {name: Whole(right[name]) for name in names if function is not workshop.estimate_pi}
    used(function(**{**right, **whole}))


OF_TREES = [
    (f, right) for f, right in CALLS if right.get("game") is COINS and right.get("tree") == {}
]


@pytest.mark.parametrize(("function", "right"), OF_TREES, ids=[f.__qualname__ for f, _ in OF_TREES])
def test_a_tree_of_other_values_is_refused(function, right):
    for value in (3, (1, (1, 0)), "x", {"win": 1}):
        with pytest.raises(ValueError, match=r"^A record .*must "):
            used(function(**{**right, "tree": {PILE: value}}))


def test_a_function_that_makes_a_game_is_to_be_called():
    right = r"`game` must be a Game, for example shut_the_box\(\), and the first argument; got"
    call = r"If `reversi` makes a game, call it: reversi\(\)\."
    with pytest.raises(ValueError, match=rf"^{right} <function reversi at \w+>\. {call}$"):
        solver(reversi)
    with pytest.raises(ValueError, match=rf"^{right} {{}}\.$"):
        mcts.uct({}, 5, Random(7))


# A position

AT_A_POSITION = {
    "uct": lambda state: mcts.uct(tic_tac_toe, {}, state),
    "search": lambda state: search(tic_tac_toe, {}, state, 9),
    "simulate": lambda state: simulate(tic_tac_toe, state, 9),
    "solver": lambda state: solver(tic_tac_toe)(state),
    "play_game": lambda state: play_game(tic_tac_toe, state, (random_player,) * 2),
}


@pytest.mark.parametrize("use", AT_A_POSITION.values(), ids=AT_A_POSITION)
@pytest.mark.parametrize("state", ["x", 3, (1, 2), None])
def test_an_error_at_a_value_of_another_type_shows_a_position(use, state):
    board = r"must be a position of Tic-tac-toe, for example Board\(first=0, second=0\)"
    with pytest.raises(ValueError, match=f"^`state` {board}; got {re.escape(repr(state))}\\. "):
        use(state)


def test_a_position_of_a_dealt_game_is_shown_and_one_of_the_right_type_is_not():
    with pytest.raises(
        ValueError, match=r"position of Big Two, for example CardTable\(hands=.*got 5\."
    ):
        mcts.uct(big_two(), {}, 5)
    with pytest.raises(ValueError, match=r"^`moves` of Tic-tac-toe must have a value for \(Board"):
        mcts.uct(tic_tac_toe, {}, tic_tac_toe.start._replace(first="x"))
