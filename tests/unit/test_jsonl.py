"""Trees as JSON Lines: a tree comes back equal or is not written; a damaged file is refused."""

import json
import pickle
import re
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from operator import and_
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyrsistent import pmap

from purembts import LOSS, all_boxes, search, shut_the_box, start_box
from purembts.determinize import information_set
from purembts.display import Codec, Hidden
from purembts.fast.engine import search as generic_search
from purembts.games.big_two import big_two, deal, view, worlds
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.jsonl import lines, tree_in
from purembts.mcts import merge_trees
from purembts.records import NOTHING, Record
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import persistent_maps, pile_game

game = shut_the_box()
box_records = st.integers(1, 10**18).flatmap(
    lambda n: st.integers(0, n).map(lambda won: Record(n, (won, n - won)))
)
empty_records = st.sampled_from([NOTHING, Record(0, (0, 0))])
box_trees = st.dictionaries(st.sampled_from(all_boxes), empty_records | box_records, max_size=9)

HEADER = {
    "format": "purembts tree",
    "version": 1,
    "game": "Shut the Box",
    "rules": {"levers": 9, "dice": 2, "one_die_end": False, "most_levers": None},
    "digest": "4e4be5b191c6c63f",
    "positions": 1,
}
LINE = {"state": [2, 7], "visits": 9, "scores": [1, 8]}


def file_of(*changed, **header):
    """The lines of a file: the header and the line above, with fields that are changed."""
    return [json.dumps({**HEADER, **header}), *(json.dumps({**LINE, **line}) for line in changed)]


@given(box_trees, persistent_maps)
def test_a_tree_of_records_that_add_up_comes_back_equal(records, empty):
    written = list(lines(game, empty(records)))
    assert dict(tree_in(game, written)) == records
    assert dict(tree_in(game, [line.encode() for line in written])) == records


def encode(state):
    return {"at": state}


def decode(value):
    return value["at"]


def test_the_form_of_a_file():
    records = {frozenset({7, 2}): Record(9, (1, 8)), frozenset(): Record(2, (2, 0))}
    assert list(lines(game, records)) == [
        json.dumps({**HEADER, "positions": 2}),
        '{"state": [2, 7], "visits": 9, "scores": [1, 8]}',
        '{"state": [], "visits": 2, "scores": [2, 0]}',
    ]


def views_of(seed, dives=40):
    """A game of Big Two, and the tree of views of a search."""
    start = deal(Random(seed), hand_size=4)
    return information_set(big_two(), view(start, 0), Random(seed), budget=dives)


@given(seeds, persistent_maps)
def test_a_tree_of_views_comes_back_equal(seed, empty):
    grown = views_of(seed)
    written = list(lines(big_two(), empty(dict(grown.items())), views=True))
    assert tree_in(big_two(), written, views=True) == grown
    header = json.loads(written[0])
    assert header.pop("views") is True
    assert header == json.loads(next(lines(big_two(), {}))) | {"positions": len(grown)}


def test_trees_of_views_and_of_positions_are_not_taken_for_one_another():
    views = list(lines(big_two(), views_of(7), views=True))
    tables = list(lines(big_two(), {deal(Random(7)): Record(1, (0, 0, 0, 0))}))
    with pytest.raises(ValueError, match="line 1: the file must have a tree of positions; got a t"):
        tree_in(big_two(), views)
    with pytest.raises(ValueError, match=r"got a tree of positions\.$"):
        tree_in(big_two(), tables, views=True)
    with pytest.raises(ValueError, match=r"^position View.*it must fit the game; got A"):
        lines(big_two(), views_of(7))
    with pytest.raises(ValueError, match=r"^position CardTable.*it must fit the game; got A"):
        lines(big_two(), {deal(Random(7)): Record(1, (0, 0, 0, 0))}, views=True)
    for other in (game, big_two()._replace(hidden=Hidden(view, worlds))):
        for call in (lines, tree_in):
            with pytest.raises(ValueError, match=r"`hidden` of .* must have functions to and from"):
                call(other, {}, views=True)


def test_a_file_whose_rules_lack_a_newer_field_has_its_default():
    header, line = file_of(LINE)
    old = {key: value for key, value in HEADER["rules"].items() if key != "most_levers"}
    assert tree_in(game, [json.dumps({**HEADER, "rules": old}), line]) == tree_in(
        game, [header, line]
    )
    with pytest.raises(ValueError, match="line 1: `rules` must be"):
        tree_in(shut_the_box(most_levers=2), [json.dumps({**HEADER, "rules": old}), line])


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ([], "line 1: a line must be JSON; got ''"),
        ([b"\xff\xfe\x00"], "line 1: a line must be JSON; got b"),
        (["[" * 100_000], "line 1: a line must be JSON; got "),
        (["9" * 100_000], "line 1: a line must be JSON; got '999"),
        (["[1, 2]"], "line 1: a line must be an object of fields; got '.1, 2"),
        (['{"format": "purembts tree"}'], "line 1: `version` must be 1; got None"),
        (file_of(LINE, format="a tree"), "line 1: `format` must be 'purembts tree'; got 'a tree'"),
        (file_of(LINE, game="Go"), "line 1: `game` must be 'Shut the Box'; got 'Go'"),
        (file_of(LINE, rules={"levers": 12}), "line 1: `rules` must be {'levers': 9,.*; got {'lev"),
        (file_of(LINE, positions=-1), "line 1: `positions` must be a whole number .*; got -1"),
        (file_of(), "line 1: the number of positions must be 1, as the header says; got 0"),
        (file_of(LINE, positions=2), "line 2: the number of positions must be 2, .*; got 1"),
        (file_of(LINE, {"state": [7]}), "line 3: the number of positions must be 1, .*; got 2"),
        (file_of(LINE, LINE, positions=2), "line 3: each position must have only one line; got '{"),
        ([*file_of(), '{"state": [2'], "line 2: a line must be JSON; got '{"),
        (file_of({"more": 1}), "line 2: a line must be an object of state, visits, scores; got '{"),
        (file_of({"state": 7}), "line 2: .*; got 7"),
        (file_of({"state": [2, 0]}), "line 2: `box` must have only levers from 1 to 9"),
        (
            file_of({"state": [7, 2]}),
            r"line 2: `state` must be \[2, 7\]; got \[7, 2\]",
        ),
        (file_of({"state": [float("nan")]}), "line 2: a line must be JSON; got '{.*NaN"),
        ([*file_of(LINE)[:1], json.dumps(LINE) + "]"], "line 2: a line must be an object of state"),
        (file_of({"visits": -1}), "line 2: `visits` must be a whole number .*; got -1"),
        (
            file_of({"visits": 10**400, "scores": [10**400, 0]}),
            "line 2: `visits` must be a whole number from 0 to 10{18}; got 1",
        ),
        (file_of({"scores": [10**400, 8]}), "line 2: `scores` must be from 0 to 9 after 9 games"),
        (file_of(LINE, positions=10**400), "line 2: the number of positions must be 10*\\.\\.\\.,"),
        (file_of(LINE, digest="0"), "line 1: `digest` must be '4e.*same functions"),
        (file_of({"scores": 9}), "line 2: `scores` must be a tuple of finite numbers.*; got 9"),
        (file_of({"scores": [9]}), "line 2: `scores` must have a number for each player, 2; got"),
        (
            file_of({"scores": [0, 0]}),
            r"line 2: `scores` must add up to 9 after 9 games; got \(0, 0\)",
        ),
        (file_of({"scores": [10, -1]}), "line 2: `scores` must be from 0 to 9 after 9 games; got"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_by_its_line(written, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        tree_in(game, written)


@given(st.data())
def test_a_file_that_was_cut_short_is_refused(data):
    whole = "\n".join(lines(game, search({}, start_box, 300, Random(7))))
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    with pytest.raises(ValueError, match=r"^line \d+: "):
        tree_in(game, cut.split("\n"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**400) | st.floats() | st.text(max_size=3),
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=3), part, max_size=2)
    ),
    max_leaves=6,
)


@given(st.data(), json_values)
def test_a_value_that_is_damaged_is_a_value_error_or_harmless(data, value):
    at = data.draw(st.sampled_from([0, 1]))
    parts = [HEADER | {"search": {}}, dict(LINE)]
    parts[at][data.draw(st.sampled_from([*parts[at]]))] = value
    try:
        grown = tree_in(game, map(json.dumps, parts))
    except ValueError as error:
        assert re.match(r"line [12]: .*\.$", str(error))  # noqa: PT017 - it may be right
    else:
        generic_search(game, grown, start_box, 30, Random(7))


def has_overline(stones):
    """True if there are six stones in a row: up or diagonally, also around the edge."""
    return any(reduce(and_, [stones >> step * k for k in range(6)]) for step in (14, 15, 16))


def no_overline(board, event):
    """The moves of gomoku, of which black has none that makes an overline, as in renju."""
    return tuple(move for move in gomoku.moves(board, event) if not has_overline(move.first))


VARIANTS = [
    (tic_tac_toe, {"result": lambda board: tic_tac_toe.result(board)[::-1]}),
    (game, {"chances": lambda box: game.chances(box)[:30]}),
    (gomoku, {"moves": no_overline}),
    (big_two(), {"to_move": lambda table: (table.player + 1) % 4}),
]


@pytest.mark.parametrize(("any_game", "functions"), VARIANTS)
def test_a_tree_of_other_functions_is_refused_and_says_why(any_game, functions):
    written = list(lines(any_game, {}))
    assert tree_in(pickle.loads(pickle.dumps(any_game)), written) == {}
    with pytest.raises(ValueError, match=r"^line 1: `digest` must be '.*'; got '.*same functions"):
        tree_in(any_game._replace(**functions), written)


def test_a_file_without_a_digest_and_a_game_without_a_start_are_read():
    old = [json.dumps({key: value for key, value in HEADER.items() if key != "digest"})]
    assert tree_in(game, [*old, json.dumps(LINE)]) == tree_in(game, file_of(LINE))
    placed = game._replace(start=None)
    assert tree_in(placed, file_of(LINE)) == tree_in(
        placed, lines(placed, tree_in(game, file_of(LINE)))
    )


def test_a_mistake_in_a_game_does_not_lose_its_tree():
    broken = game._replace(result=lambda box: 1 / 0)
    assert tree_in(broken, lines(broken, {start_box: Record(1, LOSS)}))


nan, inf = float("nan"), float("inf")


plain_random = random_game(1)._replace(json=Codec(encode, decode))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (Record(10**9, (10**9 + 1, -1)), "`scores` must be from 0 to 10*0 after 10*0 games; got"),
        (Record(10**9, (10**9 - 1, 0)), "`scores` must add up to 10*0 after 10*0 games; got"),
    ],
)
def test_a_record_that_no_games_add_up_to_is_not_written(record, message):
    with pytest.raises(ValueError, match=rf"^position frozenset\(\{{2, 7\}}\): {message}"):
        list(lines(game, pmap({start_box: Record(1, LOSS), frozenset({2, 7}): record})))


@pytest.mark.parametrize(
    ("any_game", "key", "message"),
    [
        (game, 5, "it must fit the game; got TypeError"),
        (game, "27", r".*; got \['2', '7'\]"),
        (game, (2, 7), r"Shut the Box must read it as the same; got"),
        (game, frozenset({10}), r"`box` must have only levers from 1 to 9"),
        (
            game,
            frozenset({True}),
            r"`state` must be \[1\]; got \[True\]",
        ),
        (game, frozenset({nan}), "(it must fit the game; got TypeError|Out of range float)"),
        (pile_game, "ab", "pile of coins must read it as the same; got"),
        (tic_tac_toe, (1, 1), r".*; got \[1, 1\]"),
        (plain_random._replace(json=Codec(lambda state: {state}, decode)), 1, ".*TypeError.*JSON"),
    ],
)
def test_a_key_that_is_no_position_of_the_game_is_not_written(any_game, key, message):
    players = (1,) + (0,) * (any_game.players - 1)
    with pytest.raises(ValueError, match=rf"^position {re.escape(repr(key))}: {message}"):
        list(lines(any_game, {key: Record(1, players)}))


def thirds(state):
    """A result of three players that adds up to 1 but for its rounding."""
    a, b = (1 + state % 7) / 21, (1 + state % 5) / 15
    return a, b, 1 - a - b


float_game = random_game(5, 3)._replace(
    result=thirds, score_range=(0, 1), score_sum=1, json=Codec(encode, decode)
)


trees_of_games = st.sampled_from(
    [(game, start_box), (reversi(4), reversi(4).start), (float_game, 0)]
) | st.builds(
    lambda seed, players: (random_game(seed, players)._replace(json=Codec(encode, decode)), 0),
    seeds,
    st.integers(1, 3),
)


@given(trees_of_games, seeds, st.integers(1, 3))
@settings(max_examples=30)
def test_every_tree_of_a_search_comes_back_equal_to_the_bit(game_and_start, seed, rollouts):
    """Also with halves, negative scores, and scores that floats round."""
    any_game, start = game_and_start
    grown = generic_search(any_game, {}, start, 30, Random(seed), rollouts=rollouts)
    more = merge_trees(grown, generic_search(any_game, grown, start, 30, Random(seed + 1)))
    for each in (grown, more):
        assert tree_in(any_game, lines(any_game, each)) == each


def test_the_lines_are_in_the_order_of_the_texts_of_their_positions():
    states = ["", "a", "ab", "a,", '"', "é", 1, 10, 1.5, -1, None, [], [1], [1, 0], {"a": 1}, {}]
    codec = Codec(states.__getitem__, states.index)
    numbered = {at: Record(1, (1,)) for at in range(len(states))}
    _, *written = lines(random_game(1, 1)._replace(json=codec), numbered)
    texts = [json.dumps(json.loads(line)["state"]) for line in written]
    assert texts == sorted(map(json.dumps, states))


def test_equal_trees_have_equal_files():
    of_floats = {start_box: Record(4, (1.0, 3.0)), frozenset({7}): Record(1, (0.5, 0.5))}
    of_ints = {start_box: Record(4, (1, 3)), frozenset({7}): Record(1, (0.5, 0.5))}
    assert [*lines(game, of_floats)] == [*lines(game, of_ints)]
    numbers = ((True, False), (1.0, -0.0), (Fraction(1), 0))
    files = {tuple(lines(game, {start_box: Record(1, scores)})) for scores in numbers}
    assert files == {tuple(lines(game, {start_box: Record(1, (1, 0))}))}


SUMS = list(accumulate([0.1] * 100))
ROUNDED = next(n for n, points in enumerate(SUMS, 1) if points > n * 0.1)
MANY = 2**53 + 1
WIDE = {1: Record(MANY, (MANY, 0)), 2: Record(3, (1.5, 1.5))}
ROUNDINGS = {
    "sums of floats": (1, {"score_range": (0, 0.1)}, {1: Record(ROUNDED, (SUMS[ROUNDED - 1],))}),
    "whole numbers, a range of floats": (2, {"score_range": (0.0, 1.0)}, WIDE),
    "whole numbers, a sum of floats": (2, {"score_range": (0, 1), "score_sum": 1.0}, WIDE),
    # on Python 3.11 the sum of twenty scores of 0.05 is 1.0000000000000002
    "the sum of many players": (
        20,
        {"score_range": (0, 0.05), "score_sum": 1},
        {1: Record(1, (0.05,) * 20)},
    ),
}


@pytest.mark.parametrize(("players", "facts", "grown"), ROUNDINGS.values(), ids=ROUNDINGS)
def test_sums_may_be_rounded(players, facts, grown):
    any_game = random_game(1, players)._replace(json=Codec(encode, decode), **facts)
    assert dict(tree_in(any_game, lines(any_game, grown))) == grown
