"""The same seed gives the same trees and games: with other hashes, and on every Python."""

import hashlib
import os
from random import Random

import pytest

import new_process
from purembts.determinize import information_set, perfect_information
from purembts.fast.engine import search as generic_search
from purembts.game import playout
from purembts.games import last_coin, mnk, reversi
from purembts.games.big_two import big_two, deal
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.proving import backed_up
from purembts.verify.random_games import random_game
from purembts.workshop import (
    all_boxes,
    best_move_table_string,
    box_to_str,
    look_up_table,
    search,
    start_box,
)


def digest(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def digest_of_tree(tree):
    return digest(f"{box_to_str(box)} {tree[box]}" for box in all_boxes if box in tree)


def digest_of_numbers(tree):
    return digest(map(str, sorted(tree.items())))


def digest_of_views(method, **how):
    known = big_two().hidden.view(deal(Random(5)), 2)
    tree = method(big_two(), known, Random(7), budget=50, rollouts=2, **how)
    return digest(sorted(f"{view.hand} {view.played} {tree[view]}" for view in tree))


THREE = random_game(7, 3, size=60)
DIGESTS = {
    "a search of 5,000 dives": (
        lambda: digest_of_tree(search({}, start_box, 5000, Random(7))),
        "e5eb5d27a4b7ab6e",
    ),
    "a look-up table": (lambda: digest_of_tree(look_up_table(20, Random(7))), "29784338a529592a"),
    "a random game": (
        lambda: digest_of_numbers(generic_search(random_game(7), {}, 0, 500, Random(7))),
        "05e8c26ebd44c52d",
    ),
    "a search behind a view of Big Two": (
        lambda: digest_of_views(perfect_information, worlds=3),
        "7ee007f0906abbf2",
    ),
    "a tree of views of Big Two": (lambda: digest_of_views(information_set), "91ed796fdf68d014"),
    "means that are backed up": (
        lambda: digest_of_tree(
            backed_up(shut_the_box(), search({}, start_box, 1000, Random(7)), start_box)
        ),
        "1116a3c2e3fd28a0",
    ),
    "means of a random game of three players that are backed up": (
        lambda: digest_of_numbers(
            backed_up(THREE, generic_search(THREE, {}, 0, 500, Random(7)), 0)
        ),
        "9b0e9cb58898f9d1",
    ),
    "the table of best moves": (
        lambda: digest(best_move_table_string().splitlines()),
        "ee32881973c782a9",
    ),
}


@pytest.mark.parametrize("name", DIGESTS)
def test_golden(name):
    """Held fast on every version of Python that the tests run on."""
    value, golden = DIGESTS[name]
    assert value() == golden


# Playouts. Statistics do not see a small change in a fast one, or a draw too many.

GAMES = {
    "coins": (last_coin.last_coin(), last_coin.pile(150), "5d482afb"),
    "tic-tac-toe": (mnk.tic_tac_toe, mnk.tic_tac_toe.start, "77201e8b"),
    "gomoku": (mnk.gomoku, mnk.gomoku.start, "c042e826"),
    "exactly three of 7 x 6": (mnk.mnk(7, 6, 3, exactly=True), mnk.Board(), "c5bae9b2"),
    "reversi": (reversi.reversi(), reversi.reversi().start, "b65026d8"),
    "reversi, 6 x 6": (reversi.reversi(6), reversi.reversi(6).start, "d3ff9536"),
    "Big Two": (big_two(), deal(Random(5)), "1cddf2cf"),
    "Big Two, a pass bars": (big_two(after_pass=False), deal(Random(5)), "149fa53c"),
    "Shut the Box": (shut_the_box(), full_box(), "cb0ee367"),
}


def digest_of_playouts(game, state):
    """The results of 100 games with one generator, and its next number."""
    rng = Random(7)
    results = [playout(game, state, rng) for _ in range(100)]
    return hashlib.sha256(f"{results} {rng.random():.9g}".encode()).hexdigest()[:8]


@pytest.mark.parametrize("name", GAMES)
def test_playouts_are_the_same_with_the_same_seed(name):
    game, start, golden = GAMES[name]
    assert digest_of_playouts(game, start) == golden


def test_another_process_with_other_hashes_gives_the_same():
    code = "import test_golden as t; print([value() for value, _ in t.DIGESTS.values()])"
    seed = "12345" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    printed, _ = new_process.printed("-c", code, PYTHONHASHSEED=seed)
    assert printed.strip() == str([golden for _, golden in DIGESTS.values()])
