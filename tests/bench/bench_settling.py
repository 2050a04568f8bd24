"""Knowledge that follows from a tree, and dives that leave out what is certain: their figures.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_settling.py

Numbers of dives and regrets depend on the seeds alone. Times are ratios of two works in one run.
"""

import gc
from fractions import Fraction
from random import Random
from statistics import mean

import pytest

from clocked import quartiles
from endgames import EMPTY, collection
from proving import (
    PROOFS,
    blind,
    dives_to_proof,
    mean_and_worst,
    proof,
    regrets,
    searched,
    settled_by,
    spread,
    the_box,
)
from purembts import exact, start_box
from purembts.fast import engine
from purembts.games.mnk import gomoku
from purembts.games.reversi import reversi
from purembts.proving import backed_up, robust, settle_search, settled

SEEDS = range(100)

# Trees of `search`, read in three ways

AT_MOST = {100: 1, 300: 1, 1000: Fraction("0.0135"), 3000: Fraction("0.0004"), 10_000: 0}
"""The highest mean regret of what is backed up, for a number of dives of `search`."""


@pytest.mark.parametrize("dives", AT_MOST)
def bench_regret_of_trees_of_search(figure, dives):
    found = regrets(searched, dives, SEEDS)
    for reading, own in found.items():
        figure(f"{reading}: {mean_and_worst(own)}")
    assert mean(found["backed up"]) <= AT_MOST[dives]
    assert mean(found["backed up"]) <= mean(found["best mean"])


@pytest.mark.parametrize("fold", [backed_up, robust])
def bench_search_of_3_000_dives_against_a_fold(ratio, fold):
    """`backed_up` costs about as much as the search."""
    trees = [searched(3000, Random(seed)) for seed in range(5)]
    ratio(
        lambda: [searched(3000, Random(seed)) for seed in range(5)],
        lambda: [fold(the_box, tree, start_box) for tree in trees],
        at_least=0.7 if fold is backed_up else 0,
        rounds=15,
    )


# Dives to a proof

PROVED_WITHIN = {
    "nine levers": (240, 100),
    "12 levers": (1800, 30),
    "tic-tac-toe": (2200, 20),
    "4x4 Reversi": (300, 100),
    "4x4 Reversi, c = 1.41": (1000, 100),
    "21 coins": (10, 20),
}
"""The highest number of dives to a proof that remembers whole games, and the number of seeds.

A smaller constant of UCB1 than the usual one is better in 4x4 Reversi, where 300 is asked for.
"""


@pytest.mark.parametrize("name", PROVED_WITHIN)
def bench_dives_to_a_proof(figure, name):
    most, seeds = PROVED_WITHIN[name]
    dives = dives_to_proof(PROOFS[name], range(seeds))
    figure(f"{spread(dives)} dives")
    assert max(dives) <= most


@pytest.mark.parametrize("name", PROOFS)
def bench_dives_to_a_proof_without_the_bound(figure, name):
    """Moves drawn blindly: 4x4 Reversi takes at least 1.7 times as many dives."""
    _, seeds = PROVED_WITHIN[name]
    with_bound = mean(dives_to_proof(PROOFS[name], range(seeds)))
    drawn = [dives_to_proof(PROOFS[name], [i], bound=blind(i))[0] for i in range(seeds)]
    figure(f"{spread(drawn)} dives; {mean(drawn) / with_bound:.2f} times as many")
    assert name != "4x4 Reversi" or mean(drawn) >= 1.7 * with_bound


@pytest.mark.parametrize(
    ("name", "boxes", "seeds"), [("nine levers", 511, 20), ("12 levers", 4094, 5)]
)
def bench_dives_to_a_proof_that_remembers_one_position(name, boxes, seeds):
    assert set(dives_to_proof(PROOFS[name], range(seeds), remember=1)) == {boxes}


@pytest.mark.parametrize(("dives", "most"), [(100, "0.037"), (200, "0.009"), (300, "0")])
def bench_regret_of_trees_of_settle(figure, dives, most):
    found = regrets(settled_by, dives, SEEDS)
    for reading, own in found.items():
        figure(f"{reading}: {mean_and_worst(own)}")
    assert mean(found["backed up"]) <= Fraction(most)


# Cost


@pytest.fixture
def alone():
    """No collection of the garbage of other measurements, which would count for what makes more."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def bench_4_000_dives_of_search_against_a_proof_of_nine_levers(ratio):
    """The proof takes at most as long."""
    ratio(
        lambda: [searched(4000, Random(seed)) for seed in range(3)],
        lambda: [proof(PROOFS["nine levers"], seed) for seed in range(3)],
        at_least=1,
        rounds=15,
    )


@pytest.mark.parametrize("name", PROOFS)
def bench_a_proof_against_the_solver(ratio, name):
    game, start, _ = PROOFS[name]
    ratio(lambda: proof(PROOFS[name], 1), lambda: exact.solver(game)(start), at_least=0, rounds=3)


@pytest.mark.parametrize("game", [reversi(), gomoku], ids=lambda game: game.name)
def bench_dives_of_search_against_dives_that_remember_one_position(ratio, alone, game):
    """At most 2.5 times as long on a game that they do not prove."""
    ratio(
        lambda: engine.search(game, {}, game.start, 2000, Random(1)),
        lambda: settle_search(game, {}, game.start, 2000, Random(1), remember=1),
        at_least=1 / 2.5,
        rounds=9,
    )


@pytest.mark.parametrize("game", [reversi(), gomoku], ids=lambda game: game.name)
def bench_dives_of_search_against_dives_that_remember_their_game(ratio, game):
    ratio(
        lambda: engine.search(game, {}, game.start, 20, Random(1)),
        lambda: settle_search(game, {}, game.start, 20, Random(1)),
        at_least=0,
        rounds=3,
    )


# Endgames


@pytest.mark.parametrize("empty", EMPTY)
def bench_dives_to_the_proof_of_endgames(figure, empty):
    """Each of them is proved within 100,000 dives, and those with 8 empty squares are right."""
    boards = collection(empty)
    trees = [settle_search(reversi(), {}, b, 100_000, Random(1), remember=8) for b in boards]
    worths = [settled(reversi(), tree, b)[b] for b, tree in zip(boards, trees, strict=True)]
    dives = [tree[board].visits for board, tree in zip(boards, trees, strict=True)]
    won = [worth[board.player] for board, worth in zip(boards, worths, strict=True)]
    results = ", ".join(f"{won.count(Fraction(w))} {name}" for w, name in RESULTS.items())
    figure(f"{quartiles(dives, 0)} dives; {results} for the player to move")
    if empty == min(EMPTY):
        solve = exact.solver(reversi())
        assert worths == [solve(board) for board in boards]


RESULTS = {"1": "wins", "0.5": "draws", "0": "losses"}
