"""Laws of what follows from a tree, each with planted faults.

The right functions are ours. A fault changes one thing in one of them, or is a function of its own.
"""

from fractions import Fraction
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyrsistent import pmap

from foreign import coins
from purembts import mcts
from purembts.game import Game
from purembts.mcts import learnt
from purembts.positions import children
from purembts.proving import (
    Range,
    backed_up,
    certain,
    certain_range,
    dives,
    robust,
    settle,
    settled,
    values,
)
from purembts.proving.certain import rule_of, worth_after
from purembts.records import NOTHING, Record, interval, visits
from purembts.verify.certainty_laws import (
    chains,
    check_certain_range,
    check_contains,
    check_ends_add_up,
    check_keeps,
    check_limits,
    check_narrows,
    check_points,
    check_rules_alone,
    check_settled,
    check_whole,
    check_worths,
    each_of,
    exactly,
)
from purembts.verify.random_games import random_game
from purembts.verify.settling_laws import (
    check_backed,
    check_backed_up,
    check_play,
    check_policy,
    check_reads,
    check_settle,
    check_sum_alone,
    check_twice,
    check_visits_kept,
)
from purembts.verify.strategies import seeds
from toys import Pile, pile_game, quick_game

START = (7, 0)
CHANCE = quick_game(random_game(3, size=12))
THREE = quick_game(random_game(5, players=3, size=12))
broken = partial(pytest.raises, AssertionError)


def balanced(game):
    """The same game, where the last player pays what the others win."""
    width = 2 * max(game.players - 1, 1)

    def result(state):
        scores = game.result(state)[: max(game.players - 1, 1)]
        return (*scores, -sum(scores))[: game.players]

    total = None if game.players == 1 else 0
    return game._replace(result=result, score_sum=total, score_range=(-width, width))


def won_by_one(game):
    """The same game, where one player wins."""

    def result(state):
        winner = int(2 * sum(game.result(state))) % game.players
        return tuple([int(player == winner) for player in range(game.players)])

    return game._replace(result=result, score_sum=None, score_range=(0, 1))._replace(
        score_sum=None if game.players == 1 else 1
    )


def coarse(game):
    """The same game, where each player has the highest score or the lowest one."""
    return game._replace(
        result=lambda state: tuple([2 if score > 0 else -2 for score in game.result(state)])
    )


def ranked(game):
    """The same game for several players, where the scores are their places."""
    n = game.players

    def result(state):
        scores = game.result(state)
        order = sorted(range(n), key=lambda player: (scores[player], (player + state) % n))
        return tuple([order.index(player) for player in range(n)])

    if n == 1:
        return game
    return game._replace(result=result, score_range=(0, n - 1), score_sum=n * (n - 1) // 2)


KINDS = (lambda game: game, balanced, won_by_one, coarse, ranked)
random_games = st.builds(
    lambda seed, players, size, kind: quick_game(kind(random_game(seed, players, size))),
    seeds,
    st.integers(1, 4),
    st.integers(2, 14),
    st.sampled_from(KINDS),
)


# Right ones


@given(random_games, seeds)
def test_ours_keep_the_laws_of_what_is_certain(game, seed):
    check_settled(partial(settled, game), game, 0, seed=seed)
    check_certain_range(partial(certain_range, game), game, 0, seed=seed)


@given(random_games, seeds)
def test_ours_keep_the_laws_of_values_that_are_backed_up(game, seed):
    check_backed_up(partial(backed_up, game), game, 0, seed=seed)


@given(random_games, seeds)
def test_the_robust_policy_keeps_the_laws_of_a_policy(game, seed):
    check_policy(partial(robust, game), game, 0, seed=seed)


@given(random_games, seeds, st.sampled_from([1, 2, 3, 5, None]))
def test_our_dives_keep_the_laws(game, seed, remember):
    check_settle(remembering(game, remember), game, 0, remember=remember, seed=seed)


@pytest.mark.parametrize("kind", [coarse, ranked])
def test_ours_keep_the_laws_where_several_players_have_equal_moves(kind):
    """Best play takes the first of two moves with the highest score, though others care."""
    for seed in range(20):
        game = quick_game(kind(random_game(seed, players=3, size=12)))
        for tree in chains(game, 0, seed=seed)[-1]:
            check_worths(partial(settled, game), game, tree, 0)
            check_contains(partial(certain_range, game), game, tree, 0)
            check_play(partial(robust, game), game, tree, 0)


def remembering(game, remember):
    def dive(tree, state, rng):
        return settle(game, tree, state, rng, remember=remember)

    return dive


@given(random_games, seeds, st.sampled_from([1, 3, None]))
def test_our_dives_keep_the_laws_in_a_tree_of_any_positions(game, seed, remember):
    """Also in one that has not come from dives, where much is certain at once."""
    for chain in chains(game, 0, seed=seed)[:1] + chains(game, 0, seed=seed)[-1:]:
        for tree in chain[1:-1:2]:
            dive = remembering(game, remember)
            check_settle(dive, game, 0, tree=tree, remember=remember, seed=seed)


@given(random_games, seeds)
def test_a_record_without_visits_is_a_position_of_the_tree(game, seed):
    """So it counts for what is certain, and not for what is estimated."""
    rng = Random(seed)
    for tree in each_of(chains(game, 0, seed=seed)):
        some = {state: NOTHING if rng.random() < 0.3 else record for state, record in tree.items()}
        check_rules_alone(partial(settled, game), tree, 0, pmap(some))
        check_rules_alone(partial(certain_range, game), tree, 0, pmap(some))
        check_visits_kept(partial(backed_up, game), game, pmap(some), 0)
        check_backed(partial(backed_up, game), game, pmap(some), 0)
        check_twice(partial(backed_up, game), game, pmap(some), 0)
        check_play(partial(robust, game), game, pmap(some), 0)


# Faults of certain worths

GAMES = [CHANCE, THREE, coins, *[quick_game(won_by_one(random_game(s, 2, 12))) for s in range(5)]]


def folds_fail(check, fold, match):
    """`check` catches a wrong fold in one of the games."""
    with broken(match=match):
        for game in GAMES:
            check(partial(fold, game), game, START if game is coins else 0)


def planted(monkeypatch, check, fold, match, room, name, wrong):
    """`check` catches a wrong function `name` of a room, which `fold` calls."""
    monkeypatch.setattr(room, name, wrong)
    folds_fail(check, fold, match)


def certain_for(player):
    """The rule for another player than the one to move."""

    def wrong(rule, worths, position, mover, moves):
        return worth_after(rule, worths, position, player(rule.game, mover), moves)

    return wrong


def other(game, mover):
    return (mover + 1) % game.players


EXACT = "A settled worth must be the exact value. In a tree of .* that of .* is .*Right is"


@pytest.mark.parametrize("player", [lambda game, mover: 0, other])
def test_catches_the_highest_score_of_another_player(monkeypatch, player):
    planted(monkeypatch, check_settled, settled, EXACT, certain, "worth_after", certain_for(player))


def test_catches_a_lowest_score_taken_for_the_highest(monkeypatch):
    def lowest(game):
        return rule_of(game)._replace(highest=Fraction(game.score_range[0]))

    planted(monkeypatch, check_settled, settled, EXACT, certain, "rule_of", lowest)


def test_catches_the_first_win_of_several_players_taken_as_the_best(monkeypatch):
    """Two moves with the highest score have different scores for the others."""

    def careless(game):
        return rule_of(game)._replace(decided=True)

    monkeypatch.setattr(certain, "rule_of", careless)
    with broken(match=EXACT):
        for seed in range(20):
            game = quick_game(coarse(random_game(seed, players=3, size=14)))
            check_settled(partial(settled, game), game, 0)


def first_part(parts):
    return parts[0][1]


def test_catches_chance_that_is_ignored(monkeypatch):
    planted(monkeypatch, check_settled, settled, EXACT, certain, "mean_of", first_part)


def test_catches_totals_that_count_once(monkeypatch):
    """An event that is listed twice is twice as likely."""
    right = certain.mean_of

    def once(parts):
        return right([(1, worth) for _, worth in parts])

    planted(monkeypatch, check_settled, settled, EXACT, certain, "mean_of", once)


def test_catches_a_worth_that_is_drawn():
    """One visit to a position is not its worth."""

    def drawn(game, tree, state):
        return settled(game, tree, state) | {
            state: tuple([Fraction(score) for score in record.scores])
            for state, record in tree.items()
            if record.visits == 1
        }

    folds_fail(check_settled, drawn, EXACT)


def test_catches_a_position_that_is_settled_by_lucky_records():
    """The worths are right, but it is the results that say which of them are known."""

    def lucky(game, tree, state):
        known = settled(game, tree, state)
        return {state: worth for state, worth in known.items() if tree[state].visits % 2}

    match = "All that is certain must follow from the positions of a tree, not from results. With"
    with broken(match=match):
        tree = {(1, 0): Record(1, (1, 0)), (0, 1): Record(1, (1, 0))}
        others = {(1, 0): Record(2, (1, 1)), (0, 1): Record(1, (1, 0))}
        check_rules_alone(partial(lucky, coins), pmap(tree), (1, 0), pmap(others))
    folds_fail(check_settled, lucky, f"{match}|must be settled if")


def test_catches_a_settled_position_that_is_not_of_the_tree():
    def beyond(game, tree, state):
        known = settled(game, tree, state)
        more = {move: exactly(game)(move) for each in known for move in children(game, each)}
        return more | dict(known)

    folds_fail(check_settled, beyond, r"A settled position must be one of the tree. In a tree of")


def test_catches_a_settled_position_that_is_forgotten():
    def forgetting(game, tree, state):
        known = settled(game, tree, state)
        return dict(list(known.items())[:3])

    folds_fail(check_settled, forgetting, "A position must be settled if its best move is certain")
    with broken(match="A settled position must stay settled when dives are added. 0 is settled in"):
        grown = {0: Record(1, (0, 0)), **dict.fromkeys(range(1, 12), Record(1, (0, 0)))}
        first = {0: Record(1, (0, 0))}

        def in_small_trees(tree, state):
            return {0: (1, 0)} if len(tree) < 5 else {}

        check_keeps(in_small_trees, pmap(first), pmap(grown), 0)
    with broken(match=r"Every position must be settled in the tree of all .* Its worth is \("):
        check_whole(partial(forgetting, coins), coins, START)


def test_catches_that_a_sure_win_is_not_enough(monkeypatch):
    """All moves have to be certain before the position is."""

    def patient(rule, worths, position, player, moves):
        if any(move not in worths for move in moves):
            return None
        return worth_after(rule, worths, position, player, moves)

    match = r"must be settled if its best move is certain after every event. In a tree of .* Its w"
    planted(monkeypatch, check_settled, settled, match, certain, "worth_after", patient)


# Faults of certain ranges

CONTAINS = "A certain range must be within that of the scores, and have the exact value. The range"


def test_catches_a_range_that_leaves_out_an_unseen_move(monkeypatch):
    right = certain._best_range

    def seen(game, ranges, player):
        width = max(high - low for each in ranges for low, high in zip(*each, strict=True))
        known = [each for each in ranges if each.high[0] - each.low[0] < width]
        return right(game, known or ranges, player)

    planted(monkeypatch, check_certain_range, certain_range, CONTAINS, certain, "_best_range", seen)


def test_catches_a_range_of_the_best_move_of_another_player(monkeypatch):
    right = certain._best_range
    planted(
        monkeypatch,
        check_certain_range,
        certain_range,
        "A certain range must be ",
        certain,
        "_best_range",
        lambda game, ranges, player: right(game, ranges, (player + 1) % game.players),
    )


def test_catches_a_range_that_ignores_chance(monkeypatch):
    planted(
        monkeypatch,
        check_certain_range,
        certain_range,
        "A certain range must be ",
        certain,
        "mean_of",
        first_part,
    )


def test_catches_a_range_without_moves_that_can_be_as_good(monkeypatch):
    """Such a move is played if it comes first, and has other scores for the others."""
    right = certain._best_range

    def strictly(game, ranges, player):
        most = max(each.low[player] for each in ranges)
        return right(game, [e for e in ranges if e.high[player] > most] or ranges[-1:], player)

    monkeypatch.setattr(certain, "_best_range", strictly)
    with broken(match="A certain range must be "):
        for seed in range(30):
            game = quick_game(random_game(seed, players=3, size=12))
            check_certain_range(partial(certain_range, game), game, 0)


def test_catches_a_range_that_is_estimated():
    """A confidence interval is not certain."""

    def estimated(game, tree, state):
        ranges = {}
        for each in certain_range(game, tree, state):
            record = tree[each]
            players = range(game.players)
            ends = [interval(record, player, score_range=game.score_range) for player in players]
            ranges[each] = Range(*zip(*ends, strict=True))
        return ranges

    tree = pmap({(3, 0): Record(90, (90, 0)), (2, 1): Record(90, (90, 0))})
    with broken(match=rf"{CONTAINS}.*exact value is \(0, 1\)"):
        check_contains(partial(estimated, coins), coins, tree, (3, 0))
    other_tree = pmap({(3, 0): Record(90, (45, 45)), (2, 1): Record(90, (45, 45))})
    with broken(match="must follow from the positions of a tree, not from results"):
        check_rules_alone(partial(estimated, coins), tree, (3, 0), other_tree)


def test_catches_a_range_that_is_too_wide():
    def whole(game, tree, state):
        low, high = ((score,) * game.players for score in game.score_range)
        known = settled(game, tree, state)
        return {
            each: Range(known[each], known[each]) if each in known else Range(low, high)
            for each in certain_range(game, tree, state)
        }

    folds_fail(check_certain_range, whole, "must be no wider than those of its moves allow")


def test_catches_a_range_of_a_settled_position_that_is_no_point():
    game, tree = coins, {(0, 1): Record(1, (1, 0))}

    def wide(tree, state):
        return {(0, 1): Range((0, 0), (1, 1))}

    check_contains(wide, game, pmap(tree), (0, 1))
    with broken(
        match=r"of a settled position must be a point. .* to \(1, 1\). The worth is \(1, 0"
    ):
        check_points(wide, game, pmap(tree), (0, 1))


def test_catches_ends_of_a_range_that_miss_the_sum_of_the_scores(monkeypatch):
    """What one player gets certainly, the other one does not get."""
    match = (
        r"ends of a range for two players must add up to the sum of the scores. The range of \(2, 0"
    )
    tree = pmap({(2, 0): Record(1, (1, 0)), (1, 1): Record(1, (1, 0))})
    half = {(2, 0): Range((0, Fraction(1, 2)), (1, 1))}

    def apart(tree, state):
        return {**certain_range(coins, tree, state), **half}

    check_ends_add_up(partial(certain_range, coins), coins, tree, (2, 0))
    with broken(match=rf"{match}.* The highest values must be \(1/2, 1\)"):
        check_ends_add_up(apart, coins, tree, (2, 0))
    right = certain._best_range
    monkeypatch.setattr(
        certain, "_best_range", lambda game, *how: right(game._replace(score_sum=None), *how)
    )
    with broken(match="ends of a range for two players must add up"):
        for seed in range(20):
            game = quick_game(balanced(random_game(seed, 2, 12)))
            check_certain_range(partial(certain_range, game), game, 0)


def test_catches_a_range_that_becomes_wider():
    def wider(game, tree, state):
        if len(tree) % 2:
            return {each: Range(*[exactly(game)(each)] * 2) for each in tree}
        return certain_range(game, tree, state)

    one = pmap({(4, 0): Record(1, (1, 0))})
    two = one.set((3, 1), Record(1, (1, 0)))
    check_contains(partial(wider, coins), coins, one, (4, 0))
    with broken(match="must become no wider when dives are added. In a tree of 2 positions"):
        check_narrows(partial(wider, coins), one, two, (4, 0))
    with broken(match="Where nothing is known, a certain range must be that of the scores"):
        check_limits(partial(wider, coins), coins, one, (4, 0))


# Faults of values that are backed up


def changed(change):
    """Our `backed_up`, with each record that is reached changed."""

    def wrong(game, tree, state):
        known = certain_range(game, tree, state)
        after = backed_up(game, tree, state)
        return pmap({each: change(r) if each in known else r for each, r in after.items()})

    return wrong


BACKED = "A mean must be that of the best moves, over the events that are known. The mean of .* Ri"
READ = "A tree of values that are backed up must be a tree like any other. It cannot be read: "


def test_catches_visits_that_are_lost():
    match = "Values that are backed up must keep all visits, and all .* was .*, and is .*Right are"
    folds_fail(
        check_backed_up,
        changed(lambda r: Record(1, tuple([score / r.visits for score in r.scores]))),
        match,
    )
    tree = pmap({(4, 0): Record(1, (1, 0)), (1, 0): Record(1, (1, 0))})
    with broken(match=r"The record of \(1, 0\) was .*, and is None. Right are 1 visits"):
        check_visits_kept(partial(mcts.subtree, coins), coins, tree, (4, 0))


def test_catches_a_change_where_nothing_is_reached():
    tree = pmap({(4, 0): Record(3, (2, 1)), (1, 1): Record(1, (0, 1)), (0, 1): Record(9, (0, 9))})

    def all_of_it(tree, state):
        return pmap({each: backed_up(coins, tree, each)[each] for each in tree})

    check_visits_kept(partial(backed_up, coins), coins, tree, (4, 0))
    with broken(match=r"The record of \(., 1\) was .* It must be the same, as it is not reached"):
        check_visits_kept(all_of_it, coins, tree, (4, 0))


def test_catches_a_tree_that_is_not_backed_up():
    folds_fail(check_backed_up, lambda game, tree, state: tree, BACKED)


def test_catches_values_of_the_best_move_of_another_player(monkeypatch):
    monkeypatch.setattr(certain, "checked_player", lambda game, position: 0)
    with broken(match=BACKED):
        check_backed_up(partial(backed_up, coins), coins, START)


def without_worths(game, tree, state):
    return certain.known_of(game, tree, state)._replace(worths={})


def test_catches_worths_that_are_not_used(monkeypatch):
    """They are certain also where no dive has been."""

    def unaware(tree, state):
        with monkeypatch.context() as patch:
            patch.setattr(values, "known_of", without_worths)
            return backed_up(coins, tree, state)

    tree = pmap({(1, 0): Record(2, (1, 1)), (0, 1): NOTHING})
    with broken(match=rf"{BACKED}ght is from \(1, 0\) to"):
        check_backed(unaware, coins, tree, (1, 0))


def mean_of(rows):
    return tuple([sum(column) / len(rows) for column in zip(*rows, strict=True)])


def test_catches_a_mean_over_all_moves(monkeypatch):
    def of_all(known, position, estimates):
        _, turns = known.turns[position]
        seen = [
            [estimates[move] for move in moves if move in estimates]
            for times, moves in turns
            for _ in range(times)
        ]
        rows = [mean_of(own) for own in seen if own]
        return mean_of(rows) if rows else ()

    planted(monkeypatch, check_backed_up, backed_up, BACKED, values, "_from_children", of_all)


def test_catches_the_best_move_of_all_events(monkeypatch):
    def best_of_all(known, position, estimates):
        player, turns = known.turns[position]
        moves = [move for _, own in turns for move in own]
        seen = [estimates[move] for move in moves if move in estimates]
        return max(seen, key=lambda means: means[player], default=())

    planted(monkeypatch, check_backed_up, backed_up, BACKED, values, "_from_children", best_of_all)


def test_catches_values_that_move_when_they_are_backed_up_twice():
    """Half of the old record, and half of the backed-up one."""

    def half(tree, state):
        after = backed_up(coins, tree, state)
        return pmap({each: mid(tree[each], after[each]) for each in tree})

    def mid(one, two):
        return one._replace(
            scores=tuple([(a + b) / 2 for a, b in zip(one[1], two[1], strict=True)])
        )

    tree = pmap({(4, 0): Record(4, (0, 4)), (2, 1): Record(1, (1, 0))})
    with broken(
        match=r"Values that are backed up twice must be the same as once. The record of \(4"
    ):
        check_twice(half, coins, tree, (4, 0))


def test_catches_values_that_depend_on_the_order_of_a_merge():
    def by_order(tree, state):
        first = next(iter(dict(tree.items()).values()))
        return pmap(dict.fromkeys(tree, first))

    piles = [(4, 0), (3, 1), (2, 1), (2, 0), (1, 0), (1, 1), (0, 0), (0, 1)]
    one = pmap({pile: Record(2 + pile[0], (pile[1], 2)) for pile in piles})
    two = pmap({(2, 1): Record(1, (1, 0))})
    with broken(match="must depend on the sums of its records alone. With the trees the other way"):
        check_sum_alone(by_order, one, two, (4, 0))


def test_catches_a_tree_that_cannot_be_read():
    tree = pmap({(2, 1): Record(1, (1, 0)), (1, 0): Record(1, (1, 0))})
    with broken(match=READ):
        wrong = changed(lambda r: r._replace(visits=float(r.visits)))
        check_reads(partial(wrong, coins), coins, tree, (2, 1))
    with broken(match=f"{READ}The mean must be in `score_range`"):
        wrong = changed(lambda r: r._replace(scores=(0, 2)))
        check_reads(partial(wrong, coins), coins, tree, (2, 1))


class Unique(Record):
    """A record that equals itself alone."""

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


def test_catches_a_tree_whose_text_is_read_as_another_tree():
    fold, tree = changed(lambda record: Unique(*record)), pmap({Pile(1): Record(1, (1, 0))})
    with broken(match=f"{READ}.* must read it as the same"):
        check_reads(partial(fold, pile_game), pile_game, tree, Pile(1))
    check_reads(partial(backed_up, pile_game), pile_game, tree, Pile(1))


# Faults of the policies

BEST = "A policy must be best play where the tree is settled. At"


def test_catches_a_policy_that_believes_a_lucky_estimate():
    def lucky(game, tree, state):
        return learnt(tree)

    folds_fail(check_policy, lucky, BEST)
    ending = coins._replace(moves=lambda pile, event: coins.moves(pile, event)[::-1])
    tree = pmap({(2, 0): Record(2, (1, 1)), (1, 1): Record(1, (1, 0)), (0, 1): Record(1, (1, 0))})
    with broken(match="which is settled, it is worth"):
        check_play(lambda tree, state: lambda turn: turn.moves[-1:], ending, tree, (2, 0))
    check_play(partial(robust, ending), ending, tree, (2, 0))


def test_catches_a_policy_of_the_most_visited_move_that_ignores_certain_ones(monkeypatch):
    def by_visits(game, tree, state):
        return learnt(tree, final=visits)

    def unaware(game, tree, state):
        with monkeypatch.context() as patch:
            patch.setattr(values, "known_of", without_worths)
            return robust(game, tree, state)

    folds_fail(check_policy, by_visits, BEST)
    folds_fail(check_policy, unaware, BEST)


def test_catches_rules_whose_scores_have_no_constant_sum():
    """The first player gets more from x by threatening with a bad reply to y."""
    after = {"start": ("x", "y"), "y": ("good", "bad")}
    ends = {"x": (2, 1), "good": (1, 2), "bad": (0, 0)}
    rules = Game(
        lambda at, event: after.get(at, ()),
        ends.__getitem__,
        lambda at: int(at == "start"),
        score_range=(0, 2),
    )
    with broken(
        match=r"No policy may be worth more than best play. .* \(2, 2\). .*: the rules are"
    ):
        last = {"start": Record(1, (1, 2))}
        check_play(lambda tree, state: lambda turn: turn.moves[-1:], rules, last, "start")


# Faults of a dive


def dives_fail(dive, match, game=coins, start=START, **how):
    with broken(match=match):
        check_settle(dive, game, start, **how)


def test_catches_a_dive_that_changes_its_tree():
    def changing(tree, state, rng):
        grown, result = settle(coins, dict(tree), state, rng)
        tree.update(grown)
        return tree, result

    dives_fail(changing, "The old tree must stay as it was", tree={})


def test_catches_a_dive_into_what_is_certain():
    """A lucky record of a pile of two, where the player to move wins."""
    lucky = {(4, 0): (4, 0), (3, 1): (0, 2), (2, 1): (2, 0), (0, 0): (0, 1)}
    tree = pmap({pile: Record(sum(scores), scores) for pile, scores in lucky.items()})
    match = r"A dive must leave out settled positions. Dive 1 .* went to \(2, 1\). .*: \(0, 1\)"
    dives_fail(partial(mcts.uct, coins), match, start=(4, 0), tree=tree, remember=1)
    endless = r"A dive must add its new positions, .* Dive 11 with seed 7 added 0 and ended at 8"
    dives_fail(partial(mcts.uct, CHANCE), endless, game=CHANCE, start=0, remember=1)


def test_catches_a_dive_that_goes_on_after_a_certain_event(monkeypatch):
    """The moves of such an event are open, but none of them is better."""

    def of_ended_games(rule, worths, position, player, moves):
        if all(move in worths for move in moves):
            return worth_after(rule, worths, position, player, moves)
        return None

    monkeypatch.setattr(dives, "worth_after", of_ended_games)
    match = "A dive must leave out events that are certain. Dive .* went from .* After each event"
    with broken(match=match):
        for seed in range(20):
            game = quick_game(won_by_one(random_game(seed, 2, 12)))
            check_settle(remembering(game, 1), game, 0, remember=1)


def test_catches_a_dive_that_remembers_another_number_of_positions():
    match = r"A dive must add its new positions, as many as it may remember. Dive 1 .* ended at"
    dives_fail(remembering(coins, None), f"{match} .* Right is 1, or fewer", remember=1)
    dives_fail(remembering(coins, 1), f"{match} .* Right is 2, or fewer", remember=2)
    dives_fail(remembering(coins, 2), f"{match} .* Right is at least one", remember=None)


def test_catches_a_dive_that_adds_nothing():
    """It would never settle the position."""

    def barren(tree, state, rng):
        grown, result = settle(coins, tree, state, rng)
        return tree.set(state, grown[state]), result

    dives_fail(barren, "A dive must add its new positions, .* Dive 1 with seed 7 added 1 and ended")
    first = pmap({START: Record(1, (1, 0))})
    dives_fail(barren, "Dive 1 with seed 7 added 0", tree=first, remember=1)


def test_catches_visits_that_are_counted_twice():
    def twice(tree, state, rng):
        grown, result = settle(coins, tree, state, rng)
        n, scores = grown[state]
        return grown.set(state, Record(n + 1, scores)), result

    dives_fail(twice, "One dive must add one visit and its result")


def test_catches_a_dive_from_a_settled_position_that_goes_on():
    def rest(wrong):
        def dive(tree, state, rng):
            known = settled(coins, tree, state)
            return (
                wrong(tree, known[state], rng)
                if state in known
                else settle(coins, tree, state, rng)
            )

        return dive

    drawing = rest(lambda tree, worth, rng: (tree, rng.random() and worth))
    dives_fail(drawing, "A dive from a settled position must draw no number")
    match = "A dive from a settled position must return the same tree, and the worth. From .* the t"
    dives_fail(rest(lambda tree, worth, rng: (tree, worth[::-1])), f"{match}ree is the same, and")
    copying = rest(lambda tree, worth, rng: (pmap({**tree}), worth))
    dives_fail(copying, f"{match}ree is not the same, and the result is .* The worth is")
    visiting = rest(lambda tree, worth, rng: (mcts.uct(coins, tree, START)[0], worth))
    dives_fail(visiting, f"{match}ree is not the same")
