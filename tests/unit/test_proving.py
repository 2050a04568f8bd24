"""What is certain in a tree, what is estimated, and dives that leave out what is certain."""

from functools import partial
from itertools import islice
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from certainty import check_backed_up, check_settled, grown_trees
from purembts.bounds import ucb1, ucb1_with, ucb_wald
from purembts.exact import solver
from purembts.game import Game, turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.proving import (
    backed_up,
    certain_range,
    robust,
    settle,
    settle_search,
    settle_strides,
    settled,
)
from purembts.records import Record, rounding
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import any_games, chain, guessing_game, pile_game, quick_game

FOLDS = (settled, certain_range, backed_up, robust)
SIZE = 24

# Random games and trees


def some_tree(game, seed):
    """A tree that has some positions of `game`: perhaps not its first one, nor all in between.

    Some of its records have no visits.
    """
    rng = Random(f"{seed}/tree")
    share = rng.random()
    return {
        state: Record(n, tuple([0.5 * n] * game.players) if n else ())
        for state in range(SIZE)
        for n in (int(4 * rng.random()),)
        if rng.random() < share
    }


random_games = any_games(SIZE)
some_trees = st.one_of(st.none(), seeds)

# Many dives are the folding of one dive


def optimistic(score, visits, total):
    """A bound that is finite without visits."""
    return (score + 1) / (visits + 2) + 0.1 / (visits + 1)


BOUNDS = {"ucb1": ucb1, "wald": ucb_wald, "optimistic": optimistic, "c": ucb1_with(0.3)}


def folded(game, tree, state, rng, most, **how):
    """The trees after 0, 1, 2, ... dives of `settle`, until `state` is settled."""
    grown = [tree]
    while len(grown) < most and state not in settled(game, grown[-1], state):
        grown.append(settle(game, grown[-1], state, rng, **how)[0])
    return grown


@given(
    random_games,
    seeds,
    some_trees,
    st.sampled_from([1, 2, 5, None]),
    st.sampled_from(sorted(BOUNDS)),
)
def test_strides_are_the_folding_of_settle(game, seed, grown, remember, bound):
    """The strides of one dive are the trees of `settle`, with the same draws."""
    tree, one, two = {} if grown is None else some_tree(game, grown), Random(seed), Random(seed)
    how = {"bound": BOUNDS[bound], "remember": remember}
    slow = folded(game, tree, 0, one, 60, **how)
    fast = settle_strides(game, tree, 0, 1, two, **how)
    assert slow == list(islice(fast, len(slow)))
    assert one.random() == two.random()
    assert 0 not in settled(game, slow[-1], 0) or next(fast, None) is None


# Strides


def test_longer_strides_are_some_of_the_shorter_ones():
    game, state = shut_the_box(), frozenset({1, 2, 3, 4, 5})
    ones = list(settle_strides(game, {}, state, 1, Random(7), bound=ucb_wald))
    fours = list(settle_strides(game, {}, state, 4, Random(7), bound=ucb_wald))
    assert fours == [*ones[:-1:4], ones[-1]]
    listed = list(settle_strides(game, {}, state, [1, 3, 2], Random(7), bound=ucb_wald))
    assert listed == [ones[0], ones[1], ones[4], ones[6]]


def test_a_search_has_the_last_tree_and_a_settled_position_costs_no_draw():
    game, state = last_coin(), Pile(9)
    *_, last = settle_strides(game, {}, state, 1, Random(7))
    assert settle_search(game, {}, state, 1000, Random(7)) == last
    rng = Random(1)
    assert settle_search(game, last, state, 1000, rng) is last
    assert list(settle_strides(game, last, state, 5, rng)) == [last]
    assert settle(game, last, state, rng) == (last, solver(game)(state))
    assert rng.random() == Random(1).random()


def test_one_position_a_dive_proves_the_nine_levers_in_511_dives():
    game = shut_the_box()
    tree = settle_search(game, {}, full_box(), 10_000, Random(7), bound=ucb_wald, remember=1)
    assert tree[full_box()].visits == len(tree) == 511


# Values backed up


def test_a_record_stays_as_it_is_if_nothing_follows_it():
    """22 * (15 / 22) is not 15 in floats."""
    record = Record(22, (15, 7))
    assert backed_up(pile_game, {Pile(5): record}, Pile(5))[Pile(5)] is record


AFTER = {"start": ("a", "b", "c"), "a": ("a1", "a2"), "b": ("b1", "b2")}
ENDS = {"a1": 1, "a2": 0.5, "b1": 1, "b2": 1, "c": 1}
tries = Game(
    moves=lambda at, event: AFTER.get(at, ()),
    result=lambda at: (ENDS[at], 1 - ENDS[at]),
    to_move=lambda at: 0 if at == "start" else 1,
)


TENTHS = {0.1: 0.9, 0.2: 0.8, 0.3: 0.7, 0.4: 0.6, 0.5: 0.5, 0.6: 0.4, 0.7: 0.3, 0.8: 0.2, 0.9: 0.1}


def in_tenths(game):
    """The same game, with scores in tenths. As floats, they do not add up to 1 exactly."""
    tenths = list(TENTHS.items())
    return game._replace(
        result=lambda state: tenths[int(2 * game.result(state)[0] + 4)],
        score_range=(0, 1),
        score_sum=1,
    )


@pytest.mark.slow
@settings(max_examples=15)
@example(16)
@given(seeds)
def test_scores_that_floats_round_are_right_up_to_their_rounding(seed):
    game = quick_game(in_tenths(random_game(seed, size=12)))
    trees = grown_trees(game, 0, seed)
    check_settled(partial(settled, game), game, 0, trees)
    check_backed_up(partial(backed_up, game), game, 0, trees)
    error, value = rounding(2, (0, 1)), solver(game)
    for tree in trees:
        for state, (low, high) in certain_range(game, tree, 0).items():
            for a, b, c in zip(low, value(state), high, strict=True):
                assert a - error <= b <= c + error
        gets = solver(game, policy=robust(game, tree, 0))(0)
        assert 0 not in settled(game, tree, 0) or gets == pytest.approx(value(0))


# The robust policy


def four_coins(wins, losses):
    """A tree of four coins, where the move to three has these results and the other one has two.

    Nothing is certain. A turn takes one coin or two.
    """
    return {
        Pile(4): Record(9, (5, 4)),
        Pile(3, 1): Record(wins + losses, (wins, losses)),
        Pile(2, 1): Record(2, (2, 0)),
    }


SOME_WIN = {Pile(4): Record(2, (1, 1)), Pile(2, 1): Record(2, (1, 1))}
CERTAIN_WIN = {
    Pile(2): Record(9, (9, 0)),
    Pile(1, 1): Record(8, (8, 0)),
    Pile(0, 1): Record(1, (1, 0)),
}
CERTAIN_LOSS = {Pile(2, 1): Record(99, (99, 0)), Pile(0, 0): Record(1, (0, 1))}
ONLY_A_LOSS = dict.fromkeys((Pile(2), Pile(1, 1), Pile(0, 0)), Record(1, (0, 1)))
LUCKY = {"start": Record(9, (9, 0)), "a": Record(3, (3, 0)), "a1": Record(2, (2, 0))}
WON = dict.fromkeys(("start", "b", "b1", "b2"), Record(1, (1, 0))) | {"c": Record(9, (9, 0))}
COINS = last_coin()
ROBUST = {
    "the most visited one": (COINS, four_coins(1, 2), Pile(3, 1)),
    "also if its mean is the lowest": (
        COINS,
        {**four_coins(1, 2), Pile(2, 1): Record(4, (0, 4))},
        Pile(2, 1),
    ),
    "a certain win rather than many visits": (COINS, CERTAIN_WIN, Pile(0, 1)),
    "any estimate rather than a certain loss": (
        COINS,
        {**four_coins(0, 1), **CERTAIN_LOSS},
        Pile(3, 1),
    ),
    "one with a success rather than one that was never seen": (COINS, SOME_WIN, Pile(2, 1)),
    "one that was never seen rather than a certain loss": (COINS, ONLY_A_LOSS, Pile(0, 1)),
    "each one without records": (COINS, {Pile(4): Record(1, (1, 0))}, Pile(3, 1), Pile(2, 1)),
    "a lucky estimate": (tries, LUCKY, "a"),
    "a certain win rather than a lucky estimate": (tries, LUCKY | {"c": Record(1, (1, 0))}, "c"),
    "the first of equal certain moves, whatever its visits": (tries, WON, "b"),
}


@pytest.mark.parametrize(
    ("game", "tree", "moves"), [(g, t, m) for g, t, *m in ROBUST.values()], ids=ROBUST
)
def test_the_robust_move_is(game, tree, moves):
    """At the first position of the tree."""
    start = next(iter(tree))
    assert list(robust(game, tree, start)(turn_at(game, start, None))) == moves


# Arguments

ONE_STRIDE = partial(settle_strides, k=1)
USES = {
    **{fold.__name__: fold for fold in FOLDS},
    "settle": settle,
    "settle_strides": ONE_STRIDE,
    "settle_search": partial(settle_search, dives=1),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
def test_wrong_arguments_are_refused(use):
    """`settle_strides` refuses them before its first tree."""
    state = Pile(3)
    with pytest.raises(ValueError, match="`score_range` of pile of coins must be two finite numb"):
        use(pile_game._replace(score_range=3), {}, state)
    with pytest.raises(ValueError, match="`moves` of pile of coins must have a value for"):
        use(pile_game, {}, None)
    with pytest.raises(ValueError, match="A record must be a Record"):
        list(use(pile_game, {state: Record(1, (1, 0)), Pile(2, 1): 7}, state))
    for hiding in (guessing_game, big_two()):
        with pytest.raises(ValueError, match="`game` must have no hidden information, because"):
            use(hiding, {}, hiding.start)


KNOWN_PILES = {Pile(n, player): Record(1, (1, 0)) for n in range(4) for player in (0, 1)}
PROOFS = (
    lambda game, tree, state: settle_search(game, tree, state, 100, Random(7)),
    lambda game, tree, state: settle_search(game, {}, state, 100, Random(7)),
)


WRONG_RESULTS = [(2, 0), (1,), (1, 0, 0), None, ("1", "0")]


@pytest.mark.parametrize("use", [*FOLDS, *PROOFS])
def test_a_wrong_player_or_result_deep_in_the_tree_is_named(use):
    """The player -1 would be the last one."""
    for player in (-1, 2, None, 0.5):
        wrong = pile_game._replace(to_move=lambda pile, p=player: p if pile.coins == 1 else pile[1])
        with pytest.raises(
            ValueError, match="`to_move` of pile of coins must be an int from 0 to 1; got"
        ):
            use(wrong, KNOWN_PILES, Pile(3))
    for result in WRONG_RESULTS:
        wrong = pile_game._replace(result=lambda pile, result=result: result)
        for game in (wrong, wrong._replace(score_sum=None)):
            with pytest.raises(ValueError, match="A result of pile of coins must be"):
                use(game, KNOWN_PILES, Pile(3))


@pytest.mark.parametrize("dive", [settle, partial(settle_search, dives=1)])
def test_a_position_that_comes_back_and_a_game_without_end_are_refused(dive):
    ring = pile_game._replace(moves=lambda pile, event: (pile._replace(player=1 - pile.player),))
    with pytest.raises(ValueError, match="must end within 100 turns"):
        dive(ring._replace(max_turns=100), {}, Pile(3))
    known = dict.fromkeys([Pile(3), Pile(3, 1)], Record(1, (1, 0)))
    with pytest.raises(ValueError, match="must not come back within a game"):
        settled(ring, known, Pile(3))


@pytest.mark.parametrize("dive", [settle, partial(settle_search, dives=1)])
def test_a_dive_has_the_limit_of_turns_of_a_search(dive):
    """Ten moves, and the look at the end of the game."""
    dive(chain._replace(max_turns=11), {}, Pile(10))
    with pytest.raises(ValueError, match="must end within 10 turns"):
        dive(chain._replace(max_turns=10), {}, Pile(10))
