"""Trees as JSON Lines: what is written comes back equal, what is damaged is refused by its line."""

import json
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map

from purembts import LOSS, Rules, all_boxes, full_box, search, shut_the_box, start_box
from purembts.engine import search as generic_search
from purembts.game import Codec
from purembts.jsonl import lines, tree
from purembts.records import NOTHING, Record
from strategies import persistent_maps, rules_and_boxes, seeds
from toys import random_game

game = shut_the_box()
box_records = st.integers(1, 10**40).flatmap(
    lambda n: st.integers(0, n).map(lambda won: Record(n, (won, n - won)))
)
box_trees = st.dictionaries(st.sampled_from(all_boxes), st.just(NOTHING) | box_records, max_size=9)

HEADER = {
    "format": "purembts tree",
    "version": 1,
    "game": "Shut the Box",
    "rules": {"levers": 9, "dice": 2, "one_die_end": False, "most_levers": None},
    "positions": 1,
}
LINE = {"state": [2, 7], "visits": 9, "scores": [1, 8]}


def told(*changed, **header):
    """A file of one position, with some of it changed."""
    return [json.dumps({**HEADER, **header}), *(json.dumps({**LINE, **line}) for line in changed)]


@given(box_trees, persistent_maps)
def test_a_tree_comes_back_equal(records, empty):
    written = list(lines(game, empty(records)))
    assert dict(tree(game, written)) == records
    assert dict(tree(game, [line.encode() for line in written])) == records


def encode(state):
    return {"at": state}


def decode(value):
    return value["at"]


@given(seeds, st.integers(1, 3))
def test_halves_and_negative_scores_come_back_equal_to_the_bit(seed, players):
    any_game = random_game(seed, players)._replace(json=Codec(encode, decode))
    grown = generic_search(any_game, {}, 0, 60, Random(seed))
    again = tree(any_game, lines(any_game, grown))
    assert again == grown
    assert {s: repr(r) for s, r in again.items()} == {s: repr(r) for s, r in grown.items()}


def test_the_form_of_a_file():
    records = {frozenset({7, 2}): Record(9, (1, 8)), frozenset(): Record(2, (2, 0))}
    assert list(lines(game, records)) == [
        json.dumps({**HEADER, "positions": 2}),
        '{"state": [2, 7], "visits": 9, "scores": [1, 8]}',
        '{"state": [], "visits": 2, "scores": [2, 0]}',
    ]


@given(box_trees, st.randoms(use_true_random=False))
def test_equal_trees_have_equal_files_with_sorted_lines(records, rng):
    items = list(records.items())
    rng.shuffle(items)
    written = list(lines(game, dict(items)))
    assert written == list(lines(game, Map(records)))
    assert written[1:] == sorted(written[1:], key=lambda line: line.partition(', "visits"')[0][10:])


def test_equal_boxes_come_back_as_the_same_object():
    grown = tree(game, lines(game, {frozenset([9, 1, 4]): Record(1, LOSS)}))
    [box] = dict(grown.items())
    assert any(box is known for known in all_boxes)


@given(rules_and_boxes)
def test_a_file_of_other_rules_is_refused(rules_and_box):
    rules, box = rules_and_box
    written = list(lines(shut_the_box(rules), {box: Record(1, LOSS)}))
    assert dict(tree(shut_the_box(rules), written)) == {box: Record(1, LOSS)}
    with pytest.raises(
        ValueError, match=r"""^line 1: "rules" is \{.*; it has to be \{'levers': 12"""
    ):
        tree(shut_the_box(Rules(levers=12)), written)


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ([], "line 1: '' is not JSON"),
        (["Dear Sir"], "line 1: 'Dear Sir' is not JSON"),
        ([b"\xff\xfe\x00"], "line 1: .* is not JSON"),
        (["[" * 100_000], "line 1: .* is not JSON"),
        (["9" * 100_000], "line 1: .* is not JSON"),
        (["[1, 2]"], "line 1: .* is not an object of format, game, positions, rules, version"),
        (['{"format": "purembts tree"}'], "line 1: .* is not an object of format, game"),
        (told(LINE, format="a tree"), r"""line 1: "format" is 'a tree'; it has to be 'purembts"""),
        (told(LINE, version=2), 'line 1: "version" is 2; it has to be 1'),
        (told(LINE, version=True), 'line 1: "version" is True; it has to be 1'),
        (told(LINE, game="Go"), """line 1: "game" is 'Go'; it has to be 'Shut the Box'"""),
        (told(LINE, positions=-1), "line 1: the number of positions is -1"),
        (told(LINE, positions=1.0), "line 1: the number of positions is 1.0"),
        (told(), "line 1: the end, after 0 positions; there should be 1"),
        (told(LINE, positions=2), "line 2: the end, after 1 positions; there should be 2"),
        (told(LINE, {"state": [7]}), "line 3: the end, after 2 positions; there should be 1"),
        (told(LINE, LINE, positions=2), "line 3: .* a position that was there before"),
        ([*told(), '{"state": [2'], "line 2: .* is not JSON"),
        ([*told(), ""], "line 2: '' is not JSON"),
        (told({"more": 1}), "line 2: .* is not an object of scores, state, visits"),
        (told({"state": 7}), "line 2: A box must be a list of levers; got 7"),
        (told({"state": [[]]}), r"line 2: A box must be a list of levers; got \[\[\]\]"),
        (told({"state": [2, 0]}), "line 2: `box` must have levers from 1 to 9 alone"),
        (told({"state": [7, 2]}), r"line 2: \[7, 2\] is not how Shut the Box writes"),
        (told({"state": [7, 7]}), r"line 2: \[7, 7\] is not how Shut the Box writes"),
        (told({"state": [True, 7]}), r"line 2: \[True, 7\] is not how Shut the Box writes"),
        (told({"visits": -1}), "line 2: .* has no number of visits"),
        (told({"visits": 9.0}), "line 2: .* has no number of visits"),
        (told({"scores": 9}), "line 2: .* has no number of visits and list of scores"),
        (told({"scores": [9]}), "line 2: .* has no score for each of 2 players"),
        (told({"scores": []}), "line 2: .* has no score for each of 2 players"),
        (told({"visits": 10**400}), "line 2: .* has no number of visits"),
        (told({"scores": [0, 0]}), "line 2: .* has scores that add up to what 9 games do not"),
        (told({"scores": [9, 9]}), "line 2: .* has scores that add up to what 9 games do not"),
        (told({"scores": [10, -1]}), "line 2: .* has scores that 9 games cannot add up to"),
        (told({"scores": [9.5, 0]}), "line 2: .* has scores that 9 games cannot add up to"),
        (told({"scores": [True, 8]}), "line 2: .* has scores that 9 games cannot add up to"),
        (told({"scores": ["1", 8]}), "line 2: .* has scores that 9 games cannot add up to"),
        (told({"scores": [float("nan"), 8]}), "line 2: .* has scores that 9 games cannot"),
        (told({"scores": [float("inf"), 8]}), "line 2: .* has scores that 9 games cannot"),
    ],
)
def test_what_is_damaged_or_foreign_is_refused_with_its_line(written, what):
    with pytest.raises(ValueError, match=f"^{what}"):
        tree(game, written)


@given(st.data())
def test_a_file_that_was_cut_short_is_refused(data):
    whole = "\n".join(lines(game, search({}, start_box, 300, Random(7))))
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    with pytest.raises(ValueError, match=r"^line \d+: "):
        tree(game, cut.split("\n"))


def test_sums_of_floats_may_be_rounded():
    sums = list(accumulate([0.1] * 100))
    n = next(n for n, points in enumerate(sums, 1) if points > n * 0.1)
    tenths = random_game(1, 1)._replace(score_range=(0, 0.1), json=Codec(encode, decode))
    grown = {1: Record(n, (sums[n - 1],))}
    assert dict(tree(tenths, lines(tenths, grown))) == grown


def test_a_game_without_a_codec_is_refused():
    with pytest.raises(ValueError, match="random game 1 has no encode and decode"):
        list(lines(random_game(1), {}))
    with pytest.raises(ValueError, match="random game 1 has no encode and decode"):
        tree(random_game(1), [])


def test_what_json_does_not_have_is_refused():
    odd = random_game(1)._replace(json=Codec(lambda state: {state}, decode))
    with pytest.raises(ValueError, match=r"\{1\} cannot be written as JSON"):
        list(lines(odd, {1: NOTHING}))
    same = random_game(1)._replace(json=Codec(lambda state: 1, decode))
    with pytest.raises(ValueError, match="encode of random game 1 writes different positions"):
        list(lines(same, {1: NOTHING, 2: NOTHING}))
    endless = {full_box(): Record(1, (float("nan"), 0))}
    with pytest.raises(ValueError, match="not JSON compliant"):
        list(lines(game, endless))


def test_positions_of_no_visits_come_back():
    grown = {full_box(): Record(0, (0, 0)), start_box - {1}: NOTHING}
    assert dict(tree(game, lines(game, grown))) == grown
    assert len(tree(game, lines(game, {}))) == 0
