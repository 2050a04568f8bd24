"""Traces: each is the search that it says, and each sees the mistakes that docs/traces.md lists.

`python tests/traces/test_traces.py` writes the files anew.
"""

import json
import re
from functools import partial
from itertools import chain, repeat
from math import sqrt
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrsistent import pmap

from marks import cases
from planted import edited
from purembts import mcts, workshop
from purembts.bounds import ucb1_with, wald_with
from purembts.differences import first_difference
from purembts.game import plain_playout
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import Board, mnk
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import Rules, shut_the_box
from purembts.verify import strategies
from purembts.verify.traces import follow, trace
from toys import after_moves

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "traces.md"


def later(game, moves, seed):
    """The position after some random moves."""
    return after_moves(game, game.start, moves, Random(seed))


BOX, DIE = shut_the_box(), shut_the_box(Rules(levers=6, dice=1))
COINS, LOSING = last_coin(), last_coin((1, 3, 4), misere=True)
NOUGHTS, ROWS, DISCS, CARDS = mnk(3, 3, 3), mnk(4, 3, 3), reversi(4), big_two()
CORNER, HANDS = Board(0b1, 0b10000), deal(Random(7), each=2)
Z, C = {"z": 2}, {"c": sqrt(2)}
TRACES = {
    "coins-z": (COINS, Pile(7), 20, 4, Z),
    "coins-c": (COINS, Pile(7), 30, 2, C),
    "losing-coins-z": (LOSING, Pile(10), 20, 1, Z),
    "losing-coins-c": (LOSING, Pile(10), 30, 3, C),
    "tic-tac-toe-z": (NOUGHTS, CORNER, 30, 5, Z),
    "tic-tac-toe-c": (NOUGHTS, CORNER, 40, 7, C),
    "three-in-a-row-z": (ROWS, later(ROWS, 3, 1), 50, 6, Z),
    "three-in-a-row-c": (ROWS, later(ROWS, 3, 1), 70, 2, C),
    "reversi-z": (DISCS, later(DISCS, 4, 1), 40, 5, Z),
    "reversi-c": (DISCS, later(DISCS, 4, 1), 100, 1, C),
    "six-levers-z": (DIE, DIE.start, 110, 4, Z),
    "six-levers-c": (DIE, DIE.start, 80, 8, C),
    "shut-the-box-z": (BOX, BOX.start, 1000, 7, Z),
    "shut-the-box-c": (BOX, workshop.sample_box, 100, 0, C),
    "big-two-z": (CARDS, HANDS, 40, 1, Z),
    "big-two-c": (CARDS, HANDS, 110, 0, C),
}
"""For each file the game, the first position, the dives, the seed, and the bound."""
LONG = ("shut-the-box-z",)


def lines_of(name):
    return (HERE / f"{name}.jsonl").read_text("utf-8").splitlines()


def written(name):
    game, start, dives, seed, kind = TRACES[name]
    return trace(game, dives, Random(seed), start, **kind)


def bound_of(kind, z=None, c=None):
    """The bound of a trace, or one with another number."""
    return wald_with(z or kind["z"]) if "z" in kind else ucb1_with(c or kind["c"])


def ours(game, kind):
    """Our uct, with the bound of a trace and plain random play."""
    return partial(mcts.uct, game, bound=bound_of(kind), default_policy=plain_playout)


# The files


def test_there_are_two_bounds_of_each_of_eight_games_and_most_files_are_short():
    assert {path.stem for path in HERE.glob("*.jsonl")} == TRACES.keys()
    assert len({name[:-2] for name in TRACES}) == 8
    assert {name[-2:] for name in TRACES} == {"-z", "-c"}
    sizes = sorted((HERE / f"{name}.jsonl").stat().st_size for name in TRACES)
    assert sizes[8] < 12_000
    assert sum(sizes) < 450_000


@pytest.mark.parametrize("name", TRACES)
def test_a_trace_is_the_search_with_its_seed(name):
    assert list(written(name)) == lines_of(name)


EACH = pytest.mark.parametrize("name", cases({name: (name,) for name in TRACES}, slow=LONG))


# Mistakes


def has_moves(game, state):
    """True if the game can go on."""
    return any(game.moves(state, event) for event in game.chances(state))


BACK = "backpropagate(tree, path, result, rollouts)"
ENDED = "backpropagate(tree, [each for each in path if has_moves(game, each[0])], result)"
LAST = "len(bounds) - 1 - bounds[::-1].index(max(bounds))"
EDITS = {
    "tie to the last": ("bounds.index(max(bounds))", LAST),
    "loser credited": (BACK, BACK.replace("result", "result[::-1]")),
    "one visit too many": (BACK, BACK.replace("rollouts", "rollouts + 1")),
    "end without record": (BACK, ENDED),
}
"""The mistakes that are edits of `mcts.uct`."""


def mistaken(mistake, game, kind):
    """Our uct with a mistake."""
    how = {"bound": bound_of(kind), "default_policy": plain_playout}
    if mistake == "narrow bound":
        return partial(mcts.uct, game, **{**how, "bound": bound_of(kind, z=1.9, c=1.4)})
    if mistake == "moves in another order":
        turned = game._replace(moves=lambda state, event: game.moves(state, event)[::-1])
        return partial(mcts.uct, turned, **how)
    wrong = edited(mcts, *EDITS[mistake]).uct
    wrong.__globals__["has_moves"] = has_moves
    return partial(wrong, game, **how)


def trouble(uct, lines, game=None):
    """The words of `follow` about a wrong uct; no words if it has found none."""
    try:
        follow(uct, lines, game=game)
    except AssertionError as error:
        return str(error)
    return ""


def dive_of(uct, lines):
    """The dive at which a trace sees a mistake."""
    return int(re.search(r"[Dd]ive (\d+)", trouble(uct, lines))[1])


def rows_of_the_page():
    """The rows of the table of mistakes, after its heading."""
    table = re.findall(r"^\| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    rows = [row.split(" | ") for row in table]
    start = next(i for i, row in enumerate(rows) if "tie to the last" in row)
    return rows[start], {row[0].strip("`"): row[1:] for row in rows[start + 1 :][: len(TRACES)]}


@EACH
def test_each_trace_sees_each_mistake_at_the_dive_that_the_page_says(name):
    heads, rows = rows_of_the_page()
    assert rows.keys() == TRACES.keys()
    game, _, dives, _, kind = TRACES[name]
    lines = lines_of(name)
    seen = [dive_of(mistaken(each, game, kind), lines) for each in heads[2:]]
    assert [f"{dives:,}", *map(str, seen)] == rows[name]


def test_the_page_lists_every_mistake():
    heads, _ = rows_of_the_page()
    assert {*heads[2:]} == {*EDITS, "narrow bound", "moves in another order"}


@pytest.mark.parametrize("kind", [Z, C])
@given(game=strategies.random_games(), seed=strategies.seeds)
def test_a_right_uct_follows_the_trace_of_any_game(kind, game, seed):
    lines = list(trace(game, 60, Random(seed), **kind))
    assert follow(partial(mcts.uct, game, bound=bound_of(kind)), lines, game=game) == 60


@given(
    mistake=st.sampled_from(sorted({*EDITS, "moves in another order"})),
    game=strategies.random_games(),
    seed=strategies.seeds,
)
def test_a_mistake_is_found_at_the_first_dive_with_another_tree(mistake, game, seed):
    """Or at one before, which draws more or fewer numbers."""
    wrong, lines = mistaken(mistake, game, C), list(trace(game, 60, Random(seed)))
    parting = first_difference(trees_of(ours(game, C), lines), trees_of(wrong, lines))
    said = trouble(wrong, lines, game)
    found = int(re.search(r"[Dd]ive (\d+)|$", said)[1] or 0)
    assert found == (parting.dive if parting else 0) or "must draw" in said
    assert found <= (parting.dive if parting else 60)


def trees_of(uct, lines):
    """The trees of a uct that gets the draws of a trace."""
    yield (tree := pmap())
    for line in map(json.loads, lines[1:]):
        if "dive" in line:
            numbers = chain(((i + 0.5) / n for i, n in line["draws"]), repeat(0.0))
            tree, _ = uct(tree, 0, SimpleNamespace(random=partial(next, numbers)))
            yield tree


# The words


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        ("tie to the last", r"At dive 2, .* must be \[6, 1\], with .* inf of .*, the first counts"),
        ("narrow bound", r"At dive 23, .* must be .*, with the bound 1\.\d+ of .*; got .* 1\.\d+"),
        ("one visit too many", r"After dive 1, the record of \[7, 0\] must .*=1, .*; got .*=2, "),
        ("end without record", r"After dive 12, the record of \[0, \d\] must be .*; got .*=0, "),
        ("moves in another order", r"At dive 2, the move from \[7, 0\] must be \[6, 1\]"),
    ],
)
def test_the_words_about_a_mistake_say_where_it_is(mistake, says):
    assert re.match(says, trouble(mistaken(mistake, COINS, C), lines_of("coins-c")))


def test_the_event_and_the_draws_are_in_the_words():
    lines = lines_of("shut-the-box-z")
    said = trouble(partial(workshop.uct, z=1.9), lines)
    assert said.startswith("At dive 356, the move from [1, 2, 3, 4, 5, 6, 7, 8, 9] after roll 8 ")
    assert said.endswith("Dive 356 must draw 6 numbers; it drew 2.")


def greedy(tree, box, rng):
    """A right uct that draws a number too many."""
    rng.random()
    return workshop.uct(tree, box, rng)


def test_a_number_too_many_is_found_where_the_tree_is_right():
    lines = list(trace(BOX, 1, Random(7), workshop.shut_box, z=2))
    assert trouble(greedy, lines) == "Dive 1 must draw 0 numbers; it drew 1."


def test_a_dive_that_is_no_pair_is_named():
    said = trouble(lambda tree, pile, rng: tree, lines_of("coins-c"))
    assert "must return a pair" in said
    assert "Dive 1 of the trace returned {}" in said


def test_a_choice_from_another_number_of_things_is_found_where_the_tree_is_right():
    def chooses(n):
        def uct(tree, pile, rng):
            assert (rng.randrange(1), rng.choice("a")) == (0, "a")
            taken = rng.randrange(n) if pile not in tree else 0
            return mcts.uct(COINS, tree, pile, SimpleNamespace(random=lambda: taken / 2))

        return uct

    lines = list(trace(COINS, 1, Random(7), Pile(2)))
    assert follow(chooses(2), lines) == 1
    assert trouble(chooses(3), lines) == "Dive 1 must choose from 2 things; it chose from 3."


@pytest.mark.parametrize("wrong", [(1, 0), [1, 0], None, 1])
def test_another_result_is_found_where_the_tree_is_right(wrong):
    def uct(tree, pile, rng):
        return ours(COINS, C)(tree, pile, rng)[0], wrong

    said = f"Dive 1 must return the result (0, 1); it returned {wrong}."
    assert trouble(uct, list(trace(COINS, 1, Random(7), Pile(2)))) == said


RIGHT = list(trace(COINS, 1, Random(7), Pile(2)))


def changed(i, text, wrong):
    """The right lines, with an edit of one of them."""
    assert text in RIGHT[i]
    return [*RIGHT[:i], RIGHT[i].replace(text, wrong), *RIGHT[i + 1 :]]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], "The first line must have a game"),
        (RIGHT[:1], r'damaged: its header must be .*"dives": 0}; got .*"dives": 1}'),
        ([], "The first line must have a game"),
        (changed(0, '"version": 1', '"version": 2'), "header must be .*: 1, "),
        (changed(0, '"c"', '"d"'), "it must fit the game; got KeyError"),
        (changed(0, '{"c": ', '{"z": 2, "c": '), 'header must be .*"bound": {"c": 1.4'),
        ([re.sub('"bound": {.*?}', '"bound": {}', RIGHT[0])], "it must fit the game; got KeyError"),
        ([RIGHT[0], "{"], "The trace is damaged: "),
        ([RIGHT[0], "5"], "it must fit the game; got AttributeError"),
        (changed(1, "[0, 1]", "[1, 0]"), r'line 2 must be .*"result": \[0, 1\]}; got '),
        (changed(1, "[[2, 0]]", "[[2, 1]]"), r'must be .*"path": \[\[2, 0\]\]'),
        (changed(1, '"dive": 1', '"dive": 2'), 'line 2 must be {"dive": 1, .*; got {"dive": 2,'),
        (changed(1, "[[0, 2]]", '"x"'), "damaged: `draws` must be pairs of an index .*; got 'x'"),
        (changed(1, "[[0, 2]]", "[[-1, 2]]"), r"`draws` must be pairs .*; got \[\[-1, 2\]\]"),
        (changed(1, "[[0, 2]]", "[[2, 2]]"), r"`draws` must be pairs .*; got \[\[2, 2\]\]"),
        (changed(1, "[[0, 2]]", "[[0, 3]]"), r"must be .*\[\[0, 2\]\], .*; got .*\[\[0, 3\]\], "),
        (changed(1, "[[0, 2]]", "[]"), r"must be .*\[\[1, 2\]\], .*; got .* \[\], "),
        (changed(1, "[[0, 2]]", "[[0, 2], [0, 2]]"), r"must be .* \[\[0, 2\]\], .*; got "),
        (changed(2, "], 1, [", "], 2, ["), r"line 3 must be .* 1, \[0, 1\]\]\]}; got .* 2, \[0, 1"),
        (changed(2, "[0, 1]", "[1, 0]"), r"line 3 must be .* 1, \[0, 1\]\]\]}; got .* 1, \[1, 0"),
    ],
)
def test_a_damaged_trace_is_a_sentence(lines, message):
    with pytest.raises(ValueError, match=message):
        follow(ours(COINS, C), lines)


def test_a_line_or_a_record_that_is_left_out_or_doubled_is_found():
    lines = lines_of("coins-z")
    last = json.loads(lines[-1])
    rows = last.pop("tree")
    trees = [json.dumps({**last, "tree": each}) for each in (rows[1:], rows[:-1], rows + rows[:1])]
    damaged = [[*lines[:-1], each] for each in trees]
    for i in range(1, len(lines)):
        damaged += [lines[:i] + lines[i + 1 :], lines[:i] + lines[i - 1 :]]
    for each in damaged:
        with pytest.raises(ValueError, match=r"damaged: (its header|line \d+) must be "):
            follow(ours(COINS, Z), each)


def test_a_trace_of_another_game_is_a_sentence():
    with pytest.raises(ValueError, match=r'header must be .*"takes": .1, 3, 4.'):
        follow(ours(LOSING, C), RIGHT, game=LOSING)
    with pytest.raises(ValueError, match="`json` of Last coin must have functions"):
        list(trace(COINS._replace(json=None), 1, Random(7)))
    with pytest.raises(ValueError, match="`dives` must be a whole number of at least 1; got 0"):
        list(trace(COINS, 0, Random(7)))


def test_a_tree_of_another_form_is_read():
    """Here it is a list of pairs, which changes in place."""

    def uct(pairs, pile, rng):
        tree, result = ours(COINS, Z)(pmap(pairs), pile, rng)
        kept[:] = tree.items()
        return kept, result

    kept = []
    assert follow(uct, lines_of("coins-z"), read=dict) == 20


if __name__ == "__main__":
    for each in TRACES:
        text = "".join(f"{line}\n" for line in written(each))
        (HERE / f"{each}.jsonl").write_text(text, "utf-8")
