"""Knowledge that follows from a tree, and dives that leave out what is certain: their figures.

It needs the dependency group `bench`: python -m pytest tests/bench/bench_settling.py

Numbers of dives and regrets depend on the seeds alone. Times are ratios of two works in one run.
"""

import gc
from collections.abc import Callable
from fractions import Fraction
from random import Random
from statistics import mean
from typing import Any, NamedTuple

import pytest

from clocked import quartiles
from endgames import EMPTY, collection
from purembts import search, shut_the_box, start_box, win_probability
from purembts.bounds import ucb1, ucb1_with, ucb_wald
from purembts.exact import solver
from purembts.fast import engine
from purembts.game import Game
from purembts.games.last_coin import last_coin
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import Rules
from purembts.mcts import learnt
from purembts.proving import backed_up, robust, settle_search, settled

# Regrets in Shut the Box

BOX = shut_the_box()
READINGS: dict[str, Callable] = {
    "best mean": learnt,
    "backed up": lambda tree: learnt(backed_up(BOX, tree, start_box)),
    "robust": lambda tree: robust(BOX, tree, start_box),
}
"""Three policies that follow from one tree of Shut the Box."""


def searched(dives: int, rng: Random):
    return search({}, start_box, dives, rng)


def settled_by(dives: int, rng: Random):
    return settle_search(BOX, {}, start_box, dives, rng, bound=ucb_wald)


REGRETS = {
    "trees_of_search": (searched, {100: 1, 300: 1, 1000: "0.0135", 3000: "0.0004", 10_000: 0}),
    "trees_of_settle": (settled_by, {100: "0.037", 200: "0.009", 300: 0}),
}
"""A way to grow a tree, numbers of dives, and the highest mean regret of what is backed up."""


@pytest.mark.parametrize(
    ("grow", "dives", "most"),
    [
        pytest.param(grow, *each, id=f"{name}-{each[0]}")
        for name, (grow, most) in REGRETS.items()
        for each in most.items()
    ],
)
def bench_regret(figure, grow, dives, most):
    """The probability to win that each reading gives away, over 100 seeds."""
    trees = [grow(dives, Random(seed)) for seed in range(100)]
    means = {}
    for name, read in READINGS.items():
        values = [solver(BOX, policy=read(tree))(start_box)[0] for tree in trees]
        regrets = [win_probability(start_box) - value for value in values]
        figure(f"{name}: {float(mean(regrets)):.5f}, at most {float(max(regrets)):.5f}")
        means[name] = mean(regrets)
    assert means["backed up"] <= min(Fraction(most), means["best mean"])


@pytest.mark.parametrize("fold", [backed_up, robust])
def bench_search_of_3_000_dives_against_a_fold(ratio, fold):
    """`backed_up` costs about as much as the search."""
    trees = [searched(3000, Random(seed)) for seed in range(5)]
    ratio(
        lambda: [searched(3000, Random(seed)) for seed in range(5)],
        lambda: [fold(BOX, tree, start_box) for tree in trees],
        at_least=0.7 if fold is backed_up else 0,
        rounds=15,
    )


# Dives to a proof


class Proof(NamedTuple):
    """A game to prove from its start, by dives with a bound, and the most dives that it takes."""

    game: Game[Any, Any]
    bound: Callable[[float, int, int], float]
    most: int
    seeds: int


PROOFS = {
    "nine levers": Proof(BOX, ucb_wald, 240, 100),
    "12 levers": Proof(shut_the_box(Rules(levers=12)), ucb_wald, 1800, 30),
    "tic-tac-toe": Proof(tic_tac_toe, ucb1, 2200, 20),
    "4x4 Reversi": Proof(reversi(4), ucb1_with(0.5), 300, 100),
    "4x4 Reversi, c = 1.41": Proof(reversi(4), ucb1, 1000, 100),
    "21 coins": Proof(last_coin(), ucb1, 10, 20),
}
"""A smaller constant of UCB1 than the usual one is better in 4x4 Reversi, where 300 is asked for.
The dives remember whole games."""


def proof(of: Proof, seed: int, **how):
    """The tree in which the start is proved. No proof here takes a million dives."""
    options = {"bound": of.bound, **how}
    return settle_search(of.game, {}, of.game.start, 10**6, Random(seed), **options)


def dives_to_proof(of: Proof, seed: int, **how) -> int:
    return proof(of, seed, **how)[of.game.start].visits


@pytest.mark.parametrize("name", PROOFS)
def bench_dives_to_a_proof(figure, name):
    """Also with moves drawn blindly: then 4x4 Reversi takes at least 1.7 times as many dives."""
    of, drawn = PROOFS[name], []
    dives = [dives_to_proof(of, seed) for seed in range(of.seeds)]
    for seed in range(of.seeds):
        numbers = Random(f"blind/{seed}")
        blind = lambda *record, numbers=numbers: numbers.random()  # noqa: E731
        drawn.append(dives_to_proof(of, seed, bound=blind))
    figure(f"{min(dives):,} to {max(dives):,}, mean {mean(dives):,.1f} dives")
    figure(f"without the bound {mean(drawn):,.1f}; {mean(drawn) / mean(dives):.2f} times as many")
    assert max(dives) <= of.most
    assert name != "4x4 Reversi" or mean(drawn) >= 1.7 * mean(dives)


@pytest.mark.parametrize(
    ("name", "boxes", "seeds"), [("nine levers", 511, 20), ("12 levers", 4094, 5)]
)
def bench_dives_to_a_proof_that_remembers_one_position(name, boxes, seeds):
    found = {dives_to_proof(PROOFS[name], seed, remember=1) for seed in range(seeds)}
    assert found == {boxes}


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
    game = PROOFS[name].game
    ratio(lambda: proof(PROOFS[name], 1), lambda: solver(game)(game.start), at_least=0, rounds=3)


@pytest.mark.parametrize(
    ("dives", "remember", "at_least", "rounds"), [(2000, 1, 1 / 2.5, 9), (20, None, 0, 3)]
)
@pytest.mark.parametrize("game", [reversi(), gomoku], ids=lambda game: game.name)
def bench_dives_of_search_against_settle(ratio, alone, game, dives, remember, at_least, rounds):
    """With one position remembered, at most 2.5 times as long on a game that they do not prove."""
    ratio(
        lambda: engine.search(game, {}, game.start, dives, Random(1)),
        lambda: settle_search(game, {}, game.start, dives, Random(1), remember=remember),
        at_least,
        rounds=rounds,
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
        solve = solver(reversi())
        assert worths == [solve(board) for board in boards]


RESULTS = {"1": "wins", "0.5": "draws", "0": "losses"}
