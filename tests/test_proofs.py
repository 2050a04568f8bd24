"""The fast form of settle: equal to folding it, and linear in the moves of the new positions."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from immutables import Map
from pyrsistent import pmap

from purembts.bounds import ucb1, ucb1_with, ucb_wald
from purembts.fast.engine import search
from purembts.game import Game
from purembts.games import mnk, reversi
from purembts.games.last_coin import last_coin, pile
from purembts.games.shut_the_box import Rules, full_box, shut_the_box, simple_game, simple_start
from purembts.proving import proofs
from purembts.proving.certainty import Rule, certain_worth, is_highest, rule_of
from purembts.proving.proofs import settle_search, settle_strides
from purembts.proving.settling import settled, settlings
from purembts.records import Record
from purembts.verify.random_games import random_game
from toys import Pile, pile_game

SIZE = 24


def optimistic(score, visits, total):
    """A bound that is finite without visits."""
    return (score + 1) / (visits + 2) + 0.1 / (visits + 1)


BOUNDS = {"ucb1": ucb1, "wald": ucb_wald, "optimistic": optimistic, "c": ucb1_with(0.3)}


def alternating(game):
    """`game` with a constant sum."""
    return game._replace(result=partial(_against, game.result), score_sum=0)


def _against(result, state):
    first = result(state)[0]
    return (first, -first)


def contest(game):
    """`game` with one winner: the highest score decides those of all others."""
    winner = partial(_winner, game.players)
    return game._replace(result=winner, score_range=(0, 1), score_sum=1)


def _winner(players, state):
    return tuple(int(player == state * 7 % players) for player in range(players))


def coarse(game):
    """`game` with the highest and the lowest score alone: often several moves have the highest."""
    return game._replace(result=partial(_coarse, game.result))


def _coarse(result, state):
    return tuple(2 if score > 0 else -2 for score in result(state))


def halves(game):
    """`game` with scores from 0 to 1/2: the highest is no whole number."""
    winner = partial(_half, game.players)
    return game._replace(result=winner, score_range=(0, 0.5), score_sum=0.5)


def _half(players, state):
    return tuple(0.5 * won for won in _winner(players, state))


def repeating(game):
    """`game` where some moves are listed twice."""
    return game._replace(moves=partial(_repeated, game.moves))


def _repeated(moves, state, event):
    return tuple(move for move in moves(state, event) for _ in range(1 + (move + state) % 2))


KINDS = {
    "any": lambda game: game,
    "sum": alternating,
    "contest": contest,
    "coarse": coarse,
    "halves": halves,
    "repeating": lambda game: repeating(coarse(game)),
}


@pytest.mark.parametrize("is_grown", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_strides_of_each_kind_of_game_are_the_folding_of_settle(seed, is_grown):
    for kind in MIXED:
        game = some_game(seed, *kind)
        tree = some_tree(game, seed) if is_grown else {}
        check_is_folding(game, tree, 0, seed, remember=[1, None][seed % 2])


MIXED = [
    *((players, "any") for players in (1, 2, 4)),
    *((players, "contest") for players in (2, 3, 4)),
    *((players, "coarse") for players in (1, 2, 3)),
    *((players, "repeating") for players in (1, 2, 3)),
    (2, "sum"),
    (2, "halves"),
]
"""Numbers of players and kinds of games."""


def some_game(seed, players, kind):
    game = random_game(seed, players, SIZE)
    return KINDS[kind](game)


def some_tree(game, seed):
    """A tree that has some positions of `game`: perhaps not its first one, nor all in between."""
    rng = Random(f"{seed}/tree")
    share = rng.random()
    return {
        state: Record(n, tuple([0.5 * n] * game.players) if n else ())
        for state in range(SIZE)
        for n in (int(4 * rng.random()),)
        if rng.random() < share
    }


def check_is_folding(game, tree, state, seed, **how):
    """The strides of one dive are the trees of `settlings`, with the same draws."""
    one, two = Random(seed), Random(seed)
    slow = list(islice(settlings(game, tree, state, one, **how), 60))
    fast = list(islice(settle_strides(game, tree, state, 1, two, **how), 60))
    assert list(map(exactly, slow)) == list(map(exactly, fast))
    assert one.random() == two.random()


def exactly(tree):
    """The records of `tree`, where equal numbers of other types differ."""
    return {state: repr(record) for state, record in tree.items()}


@given(
    st.integers(0, 10**6),
    st.sampled_from(MIXED),
    st.sampled_from([1, 2, 5, None]),
    st.sampled_from(sorted(BOUNDS)),
    st.booleans(),
)
def test_strides_are_the_folding_of_settle(seed, kind, remember, bound, is_grown):
    game = some_game(seed, *kind)
    tree = some_tree(game, seed) if is_grown else {}
    check_is_folding(game, tree, 0, seed, bound=BOUNDS[bound], remember=remember)


GAMES = {
    "tic-tac-toe": (mnk.tic_tac_toe, mnk.tic_tac_toe.start),
    "coins": (last_coin(), pile(9)),
    "Reversi": (reversi.reversi(4), reversi.reversi(4).start),
    "Shut the Box": (shut_the_box(), frozenset({1, 2, 3, 4, 5})),
    "the simple game": (simple_game, simple_start),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("remember", [1, None])
def test_strides_of_games_are_the_folding_of_settle(name, remember):
    game, state = GAMES[name]
    for bound in (ucb1, ucb_wald):
        check_is_folding(game, {}, state, 7, bound=bound, remember=remember)


def test_a_tree_of_another_search_is_continued():
    game, state = GAMES["Shut the Box"]
    tree = search(game, {}, state, 20, Random(7), bound=ucb_wald)
    check_is_folding(game, tree, state, 7, bound=ucb_wald)


def test_catches_a_worth_that_is_not_taken_upwards(monkeypatch):
    def one_step(proof, place):
        if not place.left and not place.is_top:
            place.is_top = proofs._tops(proof, place)

    monkeypatch.setattr(proofs, "_settle_upwards", one_step)
    with pytest.raises(AssertionError):
        check_is_folding(*GAMES["coins"][:1], {}, pile(9), 7)


def test_catches_a_certain_move_that_is_not_counted(monkeypatch):
    monkeypatch.setattr(proofs, "_count", lambda proof, choice, child: None)
    with pytest.raises(AssertionError):
        check_some(2, "coarse")


def test_catches_a_highest_score_that_decides_no_others(monkeypatch):
    monkeypatch.setattr(proofs, "_is_cut", lambda *how: True)
    with pytest.raises((AssertionError, TypeError)):  # there is perhaps no worth
        check_some(3, "coarse")


def check_some(players, kind):
    for seed in range(20):
        check_is_folding(some_game(seed, players, kind), {}, 0, seed)


# Strides


def test_longer_strides_are_some_of_the_shorter_ones():
    game, state = GAMES["Shut the Box"]
    ones = list(settle_strides(game, {}, state, 1, Random(7), bound=ucb_wald))
    fours = list(settle_strides(game, {}, state, 4, Random(7), bound=ucb_wald))
    assert fours == [*ones[:-1:4], ones[-1]]
    listed = list(settle_strides(game, {}, state, [1, 3, 2], Random(7), bound=ucb_wald))
    assert listed == [ones[0], ones[1], ones[4], ones[6]]


def test_a_search_has_the_last_tree():
    game, state = GAMES["coins"]
    *_, last = settle_strides(game, {}, state, 1, Random(7))
    assert settle_search(game, {}, state, 1000, Random(7)) == last
    assert settle_search(game, last, state, 1000, Random(7)) is last
    assert state in settled(game, last, state)


def test_a_settled_position_costs_no_draw():
    game, state = GAMES["coins"]
    last = settle_search(game, {}, state, 1000, Random(7))
    rng = Random(1)
    assert list(settle_strides(game, last, state, 5, rng)) == [last]
    assert rng.random() == Random(1).random()


@pytest.mark.parametrize("empty", [pmap(), Map()])
def test_any_persistent_map_will_do(empty):
    game, state = GAMES["coins"]
    tree = settle_search(game, empty, state, 1000, Random(7))
    assert type(tree) is type(empty)
    assert dict(tree.items()) == dict(settle_search(game, {}, state, 1000, Random(7)).items())


# Figures


@pytest.mark.parametrize("seed", range(5))
def test_the_nine_levers_are_proved_in_240_dives(seed):
    tree = settle_search(shut_the_box(), {}, full_box(), 240, Random(seed), bound=ucb_wald)
    assert full_box() in settled(shut_the_box(), tree, full_box())


def test_one_position_a_dive_proves_the_nine_levers_in_511_dives():
    game = shut_the_box()
    tree = settle_search(game, {}, full_box(), 10_000, Random(7), bound=ucb_wald, remember=1)
    assert tree[full_box()].visits == len(tree) == 511


@pytest.mark.slow
def test_one_position_a_dive_proves_twelve_levers_in_4094_dives():
    rules = Rules(levers=12)
    box = full_box(rules=rules)
    tree = settle_search(
        shut_the_box(rules), {}, box, 10_000, Random(7), bound=ucb_wald, remember=1
    )
    assert tree[box].visits == len(tree) == 4094


# Work


def counting(game, counts):
    def moves(state, event):
        counts.append(state)
        return game.moves(state, event)

    return game._replace(moves=moves, playout=lambda game, state, rng: (0.5, 0.5))


@pytest.mark.parametrize("remember", [1, None])
@pytest.mark.parametrize("name", ["tic-tac-toe", "Reversi"])
def test_the_moves_of_a_position_are_listed_twice_at_most(name, remember):
    """Once when it is new, and perhaps again before the first ended position is found."""
    game, state = GAMES[name]
    counts = []
    settle_search(counting(game, counts), {}, state, 400, Random(7), remember=remember)
    often = Counter(counts)
    del often[state]  # its moves are also listed by the check of the game
    assert max(often.values()) <= 2


def wide(n, highest_last):
    """A game of one move to one of n positions, for three players.

    The last of them has the highest score for the player to move, or none has it.
    """
    return Game(
        moves=lambda state, event: range(1, n + 1) if state == 0 else (),
        result=lambda state: (2, 0, 0) if highest_last and state == n else (1, 1, 1),
        to_move=lambda state: 0,
        players=3,
        score_range=(0, 2),
        score_sum=None,
    )


@pytest.mark.parametrize("highest_last", [True, False])
def test_the_work_at_a_wide_position_is_linear(highest_last):
    """Twice the moves are about twice the look-ups of positions. The last move is known before."""
    one, two = (looked_up(wide(n, highest_last), n) for n in (500, 1000))
    assert two < 3 * one


def looked_up(game, n):
    """The number of times that positions were compared or hashed until the game was proved."""
    count = 0

    class Spot(int):
        def __hash__(self):
            nonlocal count
            count += 1
            return int.__hash__(self)

        def __eq__(self, other):
            return int.__eq__(self, other)

    spots = [Spot(i) for i in range(n + 1)]
    moves = tuple(spots[1:])
    own = game._replace(moves=lambda state, event: moves if state == 0 else ())
    known = {spots[0]: Record(1, (0, 0, 0)), spots[n]: Record(1, (0, 0, 0))}
    *_, tree = settle_strides(own, known, spots[0], 10_000, Random(7))
    assert spots[0] in settled(own, tree, spots[0])
    return count


# Errors


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"remember": 0}, "`remember` must be a whole number of at least 1"),
        ({"k": 0}, "`k` must be a whole number of at least 1"),
        ({"tree": 7}, "`tree` must be a map"),
        ({"rng": 7}, "`rng` must be"),
    ],
)
def test_wrong_arguments_are_named(wrong, words):
    game, state = GAMES["coins"]
    right = {"game": game, "tree": {}, "state": state, "k": 1, "rng": Random(7)}
    with pytest.raises(ValueError, match=words):
        settle_strides(**{**right, **wrong})


KNOWN_PILES = {Pile(n, player): Record(1, (1, 0)) for n in range(4) for player in (0, 1)}


def proved(game, tree):
    return settle_search(game, tree, Pile(3), 100, Random(7))


@pytest.mark.parametrize("player", [-1, 2, None, 0.5])
@pytest.mark.parametrize("tree", [{}, KNOWN_PILES])
def test_a_wrong_player_deep_in_the_tree_is_named(tree, player):
    """-1 would be the last player."""
    wrong = pile_game._replace(to_move=lambda pile: player if pile.coins == 1 else pile.player)
    with pytest.raises(ValueError, match="`to_move` of pile of coins must be from 0 to 1; got"):
        proved(wrong, tree)


@pytest.mark.parametrize("result", [(2, 0), (1,), (1, 0, 0), None, ("1", "0")])
@pytest.mark.parametrize("score_sum", [1, None])
@pytest.mark.parametrize("tree", [{}, KNOWN_PILES])
def test_a_wrong_result_deep_in_the_tree_is_named(tree, score_sum, result):
    wrong = pile_game._replace(result=lambda pile: result, score_sum=score_sum)
    with pytest.raises(ValueError, match="A result of pile of coins must be"):
        proved(wrong, tree)


@pytest.mark.parametrize("result", [(2, 0), (1,), (1, 0, 0), None, ("1", "0")])
def test_a_wrong_result_of_a_default_policy_is_named(result):
    with pytest.raises(ValueError, match="A result of pile of coins must be"):
        settle_search(
            pile_game, {}, Pile(9), 1, Random(7), default_policy=lambda *_: result, remember=1
        )


@pytest.mark.parametrize("highest", [Fraction(1, 2), 1, 3])
def test_the_highest_score_may_be_a_fraction(highest):
    """A worth need not be in lowest terms."""
    game = pile_game._replace(score_range=(0, highest), score_sum=highest)
    rule = rule_of(game)
    assert rule == Rule((Fraction(highest).numerator, Fraction(highest).denominator), decided=True)
    numerator, unit = rule.highest
    for scale in (1, 3):
        worth = (0, scale * numerator, scale * unit)
        assert is_highest(rule, worth, 1)
        assert certain_worth(rule, [None, worth], 1) == worth
        for other in ((0, scale * numerator, 2 * scale * unit), (0, 0, scale)):
            assert not is_highest(rule, other, 1)
            assert certain_worth(rule, [None, other], 1) is None
