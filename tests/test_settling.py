"""What is certain in a tree, what is estimated, and dives that leave out what is certain."""

from fractions import Fraction
from functools import partial
from itertools import islice
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import toys
from marks import cases
from purembts.bounds import ucb_wald
from purembts.chance import pick
from purembts.exact import solver, solver_within
from purembts.fast.engine import search
from purembts.game import Game, playout, turn_at
from purembts.games import mnk, reversi
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import Rules, full_box, shut_the_box, simple_game, simple_start
from purembts.mcts import learnt, merge_trees, subtree
from purembts.proving.proofs import settle_search, settle_strides
from purembts.proving.settling import (
    Range,
    backed_up,
    certain_range,
    foreseen,
    robust,
    settle,
    settled,
    settlings,
)
from purembts.records import NOTHING, Record, rounding
from purembts.shell.files import load_tree, save_tree
from purembts.verify import strategies as some
from purembts.verify.certainty_laws import chains, check_certain_range, check_settled, each_of
from purembts.verify.random_games import random_game
from purembts.verify.settling_laws import check_backed_up, check_foreseen, check_settle
from purembts.verify.strategies import seeds
from toys import guessing_game, persistent_maps, pile_game, quick_game

FOLDS = (settled, certain_range, backed_up, foreseen, robust)
seen_big_two = big_two()._replace(hidden=None)


def late(game, start, seed, most=25):
    """The first position of a random game that at most `most` positions can follow."""
    rng, line = Random(seed), [start]
    while moves := game.moves(line[-1], pick(game.chances(line[-1]), rng)):
        line.append(pick(moves, rng))
    unsolved = game._replace(value=None)
    few = [line.pop()]
    while line and solver_within(unsolved, line[-1], most):
        few.append(line.pop())
    return few[-1]


GAMES = {
    "Shut the Box": (shut_the_box(Rules(levers=4)), full_box(rules=Rules(levers=4))),
    "one die": (shut_the_box(Rules(levers=4, dice=1)), full_box(rules=Rules(levers=4))),
    "two levers at most": (
        shut_the_box(Rules(levers=4, most_levers=2)),
        full_box(rules=Rules(levers=4)),
    ),
    "simplified": (simple_game, simple_start),
    "last coin": (last_coin(), Pile(21)),
    "last coin, misère": (last_coin((1, 3, 4), misere=True), Pile(17)),
    "three columns, two rows, exactly two in a row": (mnk.mnk(3, 2, 2, exactly=True), mnk.Board()),
    "tic-tac-toe": (mnk.tic_tac_toe, late(mnk.tic_tac_toe, mnk.Board(), 1, 60)),
    "Reversi, 4 by 4": (reversi.reversi(4), late(reversi.reversi(4), reversi.start(4), 2, 100)),
    "Reversi": (reversi.reversi(), late(reversi.reversi(), reversi.start(), 3, 100)),
    "Big Two, all seen": (seen_big_two, late(seen_big_two, deal(Random(7), each=3), 4, 100)),
    "pile of coins": (pile_game, toys.Pile(12)),
}


def check_all(game, start, seed=7):
    """All laws of knowledge, for our functions."""
    game = quick_game(game)
    check_settled(partial(settled, game), game, start, seed=seed)
    check_certain_range(partial(certain_range, game), game, start, seed=seed)
    check_backed_up(partial(backed_up, game), game, start, seed=seed)
    check_foreseen(partial(foreseen, game), game, start, seed=seed)
    for remember in (1, 3, None):
        dive = partial(remembering, game, remember)
        check_settle(dive, game, start, remember=remember, seed=seed)


def remembering(game, remember, tree, state, rng):
    return settle(game, tree, state, rng, remember=remember)


@pytest.mark.parametrize(("game", "start"), cases(GAMES, slow=["simplified"]))
def test_the_laws_hold_for_every_game(game, start):
    check_all(game, start)


@given(some.games, seeds)
def test_the_laws_hold_for_variants(game, seed):
    game = game._replace(hidden=None)
    check_all(game, late(game, game.start, seed), seed)


def test_the_laws_hold_where_the_game_has_ended():
    check_all(pile_game, toys.Pile(0, 1))


@given(seeds, st.integers(1, 4), st.sampled_from([1, 2, None]))
def test_dives_end_with_a_proof_that_plays_best(seed, players, remember):
    game = quick_game(random_game(seed, players, size=12))
    *_, last = settlings(game, {}, 0, Random(seed), remember=remember)
    worth = solver(game)(0)
    assert settled(game, last, 0)[0] == worth
    assert solver(game, foreseen(game, last, 0))(0) == worth
    if remember == 1:
        assert last[0].visits == len(last)
    if players == 1:
        assert solver(game, foreseen(game, subtree(game, last, 0), 0))(0) == worth


# Trees of any kind


@given(seeds, persistent_maps, st.sampled_from([1, None]))
def test_any_persistent_map_is_a_tree(seed, kind, remember):
    game = quick_game(random_game(seed, 3, size=12))
    ours = list(settlings(game, {}, 0, Random(seed), remember=remember))
    others = list(settlings(game, kind(), 0, Random(seed), remember=remember))
    assert list(map(dict, ours)) == [dict(tree.items()) for tree in others]
    assert all(type(tree) is type(kind()) for tree in others)
    for fold in (settled, certain_range, backed_up):
        one, other = fold(game, ours[-1], 0), fold(game, others[-1], 0)
        assert dict(one) == dict(other.items()) == dict(fold(game, dict(ours[-1]), 0))


def test_a_tree_of_values_backed_up_is_kept_in_a_file(tmp_path):
    game, box = shut_the_box(Rules(levers=4)), full_box(rules=Rules(levers=4))
    tree = backed_up(game, search(game, {}, box, 30, Random(1)), box)
    save_tree(tmp_path / "tree.jsonl", game, tree)
    assert load_tree(tmp_path / "tree.jsonl", game) == tree


@given(seeds, seeds)
def test_a_merge_is_backed_up_from_its_sums(one, other):
    """Not from the values that were backed up before."""
    game = quick_game(random_game(one, 2, size=12))
    trees = [search(game, {}, 0, 25, Random(f"{one}/{seed}")) for seed in (one, other, "third")]
    a, b, c = trees
    left, right = merge_trees(merge_trees(a, b), c), merge_trees(a, merge_trees(c, b))
    assert backed_up(game, left, 0) == backed_up(game, right, 0)


# One position


def test_a_record_stays_as_it_is_if_nothing_follows_it():
    """22 * (15 / 22) is not 15 in floats."""
    record = Record(22, (15, 7))
    assert backed_up(pile_game, {toys.Pile(5): record}, toys.Pile(5))[toys.Pile(5)] is record


def test_values_are_backed_up_over_the_events_that_are_known():
    """From a box of 1, 2, 3 and 4: of total 5, and of the totals 11 and 12, which no levers fit."""
    game, box = shut_the_box(Rules(levers=4)), full_box(rules=Rules(levers=4))
    tree = {box: Record(9, (1, 8)), frozenset({2, 3}): Record(4, (1, 3))}
    tree[frozenset({1, 4})] = Record(2, (1, 1))
    throws = {total: 6 - abs(7 - total) for total in range(2, 13)}
    lost = throws[11] + throws[12]
    known = throws[5]
    mean = known * 0.5 / (known + lost)
    assert backed_up(game, tree, box)[box].scores == pytest.approx((9 * mean, 9 - 9 * mean))


def test_a_position_without_visits_passes_the_means_of_its_children_up():
    """Its own record stays as it is."""
    piles = toys.Pile(6), toys.Pile(5, 1), toys.Pile(4)
    records = Record(8, (2, 6)), NOTHING, Record(4, (3, 1))
    after = backed_up(pile_game, dict(zip(piles, records, strict=True)), toys.Pile(6))
    assert [after[pile] for pile in piles] == [Record(8, (6, 2)), *records[1:]]


AFTER = {"start": ("a", "b", "c"), "a": ("a1", "a2"), "b": ("b1", "b2")}
ENDS = {"a1": 1, "a2": 0.5, "b1": 1, "b2": 1, "c": 1}
tries = Game(
    moves=lambda at, event: AFTER.get(at, ()),
    result=lambda at: (ENDS[at], 1 - ENDS[at]),
    to_move=lambda at: 0 if at == "start" else 1,
)
start = {"start": Record(9, (9, 0))}
lucky = {"a": Record(3, (3, 0)), "a1": Record(2, (2, 0))}


def plays(tree):
    policy = foreseen(tries, start | tree, "start")
    [move] = policy(turn_at(tries, "start", None), ())
    return move


def test_a_lucky_estimate_is_not_played_in_the_place_of_a_certain_win():
    won = {"c": Record(1, (1, 0))}
    assert learnt(start | lucky | won)(turn_at(tries, "start", None)) == ("a",)
    assert plays(lucky) == "a"
    assert plays(lucky | won) == "c"


def test_of_equal_estimates_the_certain_lower_end_decides_and_then_the_first():
    half = {"a2": Record(1, (0.5, 0.5))}
    even = {"a": Record(2, (1, 1)), "b": Record(2, (1, 1))}
    assert plays(even) == "a"
    assert certain_range(tries, start | lucky | half, "start")["a"] == (
        Range(*[(Fraction(1, 2),) * 2] * 2)
    )
    assert plays(even | {"a1": Record(1, (1, 0)), "a2": Record(1, (0.5, 0.5))}) == "a"
    swapped = even | {"b1": Record(1, (1, 0)), "b2": Record(1, (1, 0))}
    assert plays(swapped) == "b"


def test_of_equal_estimates_and_lower_ends_the_higher_upper_end_decides():
    """After a, the other player gets 1/2 at least."""
    even = {"a": Record(2, (1, 1)), "b": Record(2, (1, 1)), "a2": Record(1, (0.5, 0.5))}
    ranges = certain_range(tries, start | even, "start")
    assert [ranges[each].low[0] for each in ("a", "b")] == [0, 0]
    assert [ranges[each].high[0] for each in ("a", "b")] == [0.5, 1]
    assert plays(even) == "b"


def test_of_equal_open_moves_the_most_visited_one_is_played():
    assert plays({"a": Record(2, (1, 1)), "b": Record(4, (2, 2))}) == "b"
    assert plays({"a": Record(4, (2, 2)), "b": Record(2, (1, 1))}) == "a"


def test_of_equal_certain_moves_the_first_is_played_whatever_its_visits():
    won = {"b": Record(1, (1, 0)), "b1": Record(1, (1, 0)), "b2": Record(1, (1, 0))}
    assert plays(won | {"c": Record(9, (9, 0))}) == "b"


LUCKY_TENTHS = {"start": Record(3, (0.3, 0)), "a": Record(3, (0.1 + 0.1 + 0.1, 0))}


@pytest.mark.parametrize("policy", [foreseen, robust])
def test_a_mean_above_the_highest_score_by_rounding_is_no_more_than_a_certain_win(policy):
    """0.1 + 0.1 + 0.1 is more than 3 * 0.1 in floats."""
    game = tries._replace(
        result=lambda at: (0.1, 0) if at == "c" else (0, 0.1), score_range=(0, 0.1), score_sum=0.1
    )
    assert LUCKY_TENTHS["a"].scores[0] / 3 > 0.1
    tree = LUCKY_TENTHS | {"c": Record(1, (0.1, 0))}
    assert policy(game, tree, "start")(turn_at(game, "start", None), ()) == ("c",)


def ways_to_choose():
    """A game of two moves: a and b. After each of them, each of two ends is equally likely.

    b is worth 1/2 and 2**-61, which is 1/2 in floats; a is worth 1/2.
    """
    ends = {"win": 1, "loss": 0, "near loss": 2**-60}
    after = {"a": ("win", "loss"), "b": ("win", "near loss")}

    def moves(at, event):
        return ("a", "b") if at == "start" else (event,) if at in after else ()

    return Game(
        moves=moves,
        result=lambda at: (ends[at],),
        to_move=lambda at: 0,
        chances=lambda at: after.get(at, (None,)),
        players=1,
        score_sum=None,
    )


@pytest.mark.parametrize("policy", [foreseen, robust])
def test_certain_moves_are_compared_by_their_worth_and_not_by_floats(policy):
    game = ways_to_choose()
    names = ("start", "a", "b", "win", "loss", "near loss")
    tree = dict.fromkeys(names, Record(1, (0,)))
    worth = settled(game, tree, "start")
    assert worth["b"][0] > worth["a"][0] == 0.5 == float(worth["b"][0])
    assert policy(game, tree, "start")(turn_at(game, "start", None), ()) == ("b",)


def test_the_policy_is_random_where_nothing_is_reached():
    turn = turn_at(tries, "start", None)
    for tree in ({}, start, lucky):
        assert foreseen(tries, tree, "start")(turn, ()) == turn.moves


def test_a_range_narrows_by_the_sum_of_the_scores():
    ranges = certain_range(tries, {"b": start["start"], "b1": start["start"]}, "b")
    assert ranges["b"] == Range((0, 0), (1, 1))
    half = certain_range(tries, {"a": start["start"], "a2": start["start"]}, "a")["a"]
    assert half == Range((0, Fraction(1, 2)), (Fraction(1, 2), 1))


def risk_or_safety():
    """A game for three players. The first one gets 1/2 from "safe", and at most 1/4 from "risk"."""

    def moves(at, event):
        if at == "start":
            return ("safe", "risk")
        return ((event,) if event == "unseen" else ("bad",)) if at == "risk" else ()

    ends = {"safe": (0.5, 0.125, 0.375), "bad": (0, 1, 0), "unseen": (1, 0, 0)}
    return Game(
        moves=moves,
        result=ends.__getitem__,
        to_move=lambda at: 0,
        chances=lambda at: ("unseen", "x", "y", "z") if at == "risk" else (None,),
        players=3,
    )


def test_a_move_that_is_certainly_worse_is_not_played():
    """So the others get no score that only such a move has."""
    game = risk_or_safety()
    tree = dict.fromkeys(("start", "safe", "risk", "bad"), Record(1, (0, 0, 1)))
    ranges = certain_range(game, tree, "start")
    assert ranges["risk"] == Range((0, 0.75, 0), (0.25, 1, 0.25))
    assert ranges["start"] == Range(*[(0.5, 0.125, 0.375)] * 2)


TENTHS = {0.1: 0.9, 0.2: 0.8, 0.3: 0.7, 0.4: 0.6, 0.5: 0.5, 0.6: 0.4, 0.7: 0.3, 0.8: 0.2, 0.9: 0.1}


def in_tenths(game):
    """The same game, with scores in tenths. As floats, they do not add up to 1 exactly."""
    tenths = list(TENTHS.items())
    return game._replace(
        result=lambda state: tenths[int(2 * game.result(state)[0] + 4)],
        score_range=(0, 1),
        score_sum=1,
    )


@settings(max_examples=15)
@example(16)
@given(seeds)
def test_scores_that_floats_round_are_right_up_to_their_rounding(seed):
    game = quick_game(in_tenths(random_game(seed, size=12)))
    check_settled(partial(settled, game), game, 0, seed=seed)
    check_backed_up(partial(backed_up, game), game, 0, seed=seed)
    error, value = rounding(2, (0, 1)), solver(game)
    for tree in each_of(chains(game, 0, seed=seed)):
        for state, (low, high) in certain_range(game, tree, 0).items():
            for a, b, c in zip(low, value(state), high, strict=True):
                assert a - error <= b <= c + error
        gets = solver(game, foreseen(game, tree, 0))(0)
        assert 0 not in settled(game, tree, 0) or gets == pytest.approx(value(0))


# Arguments


USES = {
    "settled": settled,
    "certain_range": certain_range,
    "backed_up": backed_up,
    "foreseen": foreseen,
    "settle": settle,
    "settlings": lambda *args: next(drop_first(settlings(*args))),
}


def drop_first(trees):
    next(trees)
    return trees


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
def test_wrong_arguments_are_refused(use):
    state = toys.Pile(3)
    for tree in (None, 5, [], settle(pile_game, {}, state)):
        with pytest.raises(ValueError, match=r"`tree` must be a map from positions to records"):
            use(pile_game, tree, state)
    for game in (None, "coins", shut_the_box):
        with pytest.raises(ValueError, match="`game` must be a Game, for example shut_the_box"):
            use(game, {}, state)
    with pytest.raises(ValueError, match="`score_range` of pile of coins must be two finite numb"):
        use(pile_game._replace(score_range=3), {}, state)
    with pytest.raises(ValueError, match="`moves` of pile of coins must have a value for"):
        use(pile_game, {}, None)
    for hiding in (guessing_game, big_two()):
        with pytest.raises(ValueError, match="`game` must have no hidden information, because"):
            use(hiding, {}, hiding.start)


@pytest.mark.parametrize("tree", [{}, {toys.Pile(0): Record(1, (0, 1))}])
@pytest.mark.parametrize("remember", [0, -1, 1.0, "2", True])
def test_a_wrong_number_to_remember_is_refused(remember, tree):
    """Also where the position is settled."""
    with pytest.raises(ValueError, match="`remember` must be a whole number of at least 1; got"):
        settle(pile_game, tree, toys.Pile(0), remember=remember)


def test_a_dive_refuses_what_uct_refuses():
    with pytest.raises(ValueError, match="`rng` must be a generator"):
        settle(pile_game, {}, toys.Pile(3), 7)
    with pytest.raises(ValueError, match="A record of pile of coins must have 2 scores"):
        settle(pile_game, {toys.Pile(3): Record(1, (1,))}, toys.Pile(3))
    with pytest.raises(ValueError, match="A result of pile of coins must be"):
        settle(pile_game, {}, toys.Pile(3), default_policy=lambda game, state, rng: (2, 0))


KNOWN_PILES = {toys.Pile(n, player): Record(1, (1, 0)) for n in range(4) for player in (0, 1)}


@pytest.mark.parametrize("player", [-1, 2, None, 0.5])
@pytest.mark.parametrize("fold", FOLDS)
def test_a_wrong_player_deep_in_the_tree_is_named(fold, player):
    """-1 would be the last player."""
    wrong = pile_game._replace(to_move=lambda pile: player if pile.coins == 1 else pile.player)
    with pytest.raises(ValueError, match="`to_move` of pile of coins must be from 0 to 1; got"):
        fold(wrong, KNOWN_PILES, toys.Pile(3))


@pytest.mark.parametrize("result", [(2, 0), (1,), (1, 0, 0), None, ("1", "0")])
@pytest.mark.parametrize("fold", FOLDS)
def test_a_wrong_result_deep_in_the_tree_is_named(fold, result):
    wrong = pile_game._replace(result=lambda pile: result)
    with pytest.raises(ValueError, match="A result of pile of coins must be"):
        fold(wrong, KNOWN_PILES, toys.Pile(3))


def test_a_position_that_comes_back_and_a_game_without_end_are_refused():
    ring = pile_game._replace(moves=lambda pile, event: (pile._replace(player=1 - pile.player),))
    with pytest.raises(ValueError, match="must end within 100 turns"):
        settle(ring._replace(max_turns=100), {}, toys.Pile(3))
    known = dict.fromkeys([toys.Pile(3), toys.Pile(3, 1)], Record(1, (1, 0)))
    with pytest.raises(ValueError, match="must not come back within a game"):
        settled(ring, known, toys.Pile(3))
    with pytest.raises(ValueError, match="must end within 3 turns"):
        list(settlings(pile_game._replace(max_turns=3), {}, toys.Pile(4), Random(1)))


@pytest.mark.parametrize("remember", [1, None])
@pytest.mark.parametrize("dives", [settlings, partial(settle_strides, k=1)])
def test_a_game_may_take_as_many_turns_as_max_turns(dives, remember):
    """The one game from a pile of 4 has five turns: the last one has no moves."""
    game = pile_game._replace(moves=lambda pile, event: pile_game.moves(pile, event)[:1])
    pile, rng = toys.Pile(4), Random(1)
    enough, short = game._replace(max_turns=5), game._replace(max_turns=4)
    *_, tree = dives(enough, {}, pile, rng=rng, remember=remember)
    assert settled(enough, tree, pile)[pile] == solver(enough)(pile) == (0, 1)
    for too_long in (
        lambda: solver(short)(pile),
        lambda: playout(short, pile, rng),
        lambda: list(islice(dives(short, {}, pile, rng=rng, remember=remember), 2)),
    ):
        with pytest.raises(ValueError, match="must end within 4 turns"):
            too_long()


def test_options_are_those_of_uct():
    def pessimist(game, state, rng):
        return (0, 1)

    tree, result = settle(pile_game, {}, toys.Pile(9), remember=2, default_policy=pessimist)
    assert result == (0, 1)
    assert list(tree.values()) == [Record(1, (0, 1))] * 2
    game, box = shut_the_box(Rules(levers=7)), full_box(rules=Rules(levers=7))
    dives = partial(settlings, quick_game(game), {}, box)
    wald, plain = list(dives(Random(2), bound=ucb_wald)), list(dives(Random(2)))
    assert wald != plain
    assert settled(game, wald[-1], box)[box] == settled(game, plain[-1], box)[box]


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


def robust_move(tree, coins=4):
    game = last_coin()
    return robust(game, tree, Pile(coins))(turn_at(game, Pile(coins), None), ())


def test_the_robust_move_is_the_most_visited_one():
    assert robust_move(four_coins(1, 2)) == (Pile(3, 1),)
    assert robust_move({**four_coins(1, 2), Pile(2, 1): Record(4, (0, 4))}) == (Pile(2, 1),)


def test_a_certain_win_is_more_robust_than_any_number_of_visits():
    tree = {
        Pile(2): Record(9, (9, 0)),
        Pile(1, 1): Record(8, (8, 0)),
        Pile(0, 1): Record(1, (1, 0)),
    }
    assert robust_move(tree, coins=2) == (Pile(0, 1),)


def test_a_certain_loss_is_less_robust_than_any_estimate():
    tree = {**four_coins(0, 1), Pile(2, 1): Record(99, (99, 0)), Pile(0, 0): Record(1, (0, 1))}
    assert settled(last_coin(), tree, Pile(4))[Pile(2, 1)] == (0, 1)
    assert robust_move(tree) == (Pile(3, 1),)


def test_a_move_that_was_never_seen_is_less_robust_than_one_with_a_success():
    seen = {Pile(4): Record(2, (1, 1)), Pile(2, 1): Record(2, (1, 1))}
    assert robust_move(seen) == (Pile(2, 1),)


def test_without_records_of_the_moves_all_of_them_are_robust():
    assert robust_move({Pile(4): Record(1, (1, 0))}) == (Pile(3, 1), Pile(2, 1))


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_from_a_settled_position_the_robust_policy_is_best_play(seed, players):
    game = random_game(seed, players, 14)
    tree = settle_search(game, {}, 0, 200, Random(seed))
    assert solver(game, robust(game, tree, 0))(0) == solver(game)(0)


def lost_or_unseen():
    """A game of one player with two moves, and a tree where the first is certainly lost."""
    game = Game(
        moves=lambda state, event: ("lost", "won") if state == "start" else (),
        result=lambda state: (int(state == "won"),),
        to_move=lambda state: 0,
        players=1,
    )
    return game, {"start": Record(1, (0,)), "lost": Record(1, (0,))}


@pytest.mark.parametrize("policy", [foreseen, robust])
def test_a_move_that_was_never_seen_is_better_than_a_certain_loss(policy):
    game, tree = lost_or_unseen()
    assert settled(game, tree, "start") == {"lost": (0,)}
    assert policy(game, tree, "start")(turn_at(game, "start", None), ()) == ("won",)


def test_without_knowledge_the_range_is_that_of_the_scores():
    assert certain_range(last_coin(), {}, Pile(5)) == {Pile(5): Range((0, 0), (1, 1))}


@pytest.mark.parametrize("wrong", [{"remember": 0}, {"rng": 7}, {"tree": 7}, {"game": big_two()}])
def test_settlings_refuses_wrong_arguments_before_its_first_tree(wrong):
    right = {"game": last_coin(), "tree": {}, "state": Pile(5), "rng": Random(7)}
    with pytest.raises(ValueError, match="must"):
        settlings(**{**right, **wrong})


@pytest.mark.parametrize("fold", [*FOLDS, settle, partial(settle_search, dives=1)])
def test_a_tree_of_something_else_than_records_is_refused(fold):
    tree = {Pile(2): Record(1, (1, 0)), Pile(1, 1): 7}
    with pytest.raises(ValueError, match="A record must be a Record"):
        fold(last_coin(), tree, Pile(2))
