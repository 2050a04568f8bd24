"""Faults planted on purpose: each has to be caught by the check that is there for it.

Each test puts one wrong thing into the library, or into the rules of a game, and runs the check
that other tests run on the right one. A check that lets its fault pass fails here.
"""

import random
from functools import partial
from math import inf, sqrt
from random import Random

import pytest

from games.test_big_two import check_playout as check_hand
from games.test_big_two import check_worlds
from games.test_reversi import check_pass
from games.test_shut_the_box import check_moves
from purembts import game as play_of
from purembts import mcts, records, simulation, variates
from purembts.bandits import by_bound
from purembts.bounds import Bound, ucb1, ucb_wald
from purembts.chance import pick
from purembts.exact import solver
from purembts.fast import engine, links
from purembts.game import plain_playout, random_play, with_playout
from purembts.games import mnk, reversi
from purembts.games.big_two import big_two, deal
from purembts.games.big_two_cards import Cards
from purembts.games.last_coin import Pile as CoinPile
from purembts.games.last_coin import last_coin
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.records import Record
from purembts.verify.algorithm_laws import (
    check_bound,
    check_playout,
    check_policy,
    check_simulate,
    check_solver,
)
from purembts.verify.game_laws import check_position
from purembts.verify.position_laws import check_results, check_values
from purembts.verify.search_laws import check_search, check_uct
from purembts.verify.strategies import Line
from purembts.workshop import THROWS, build_tree, start_box
from test_board_games import ENDGAMES, board_of, check_endgame
from test_bounds import check_wald
from test_changed_games import USES, One, Two, check_both, pile_of
from test_engine import check_search_is_folding
from test_exact import check_pile
from test_mcts import check_dive, check_merge, check_rollouts
from test_variates import check_binomial, check_lies_under
from test_workshop import check_complete_tree, check_dice
from toys import Pile, pile_game

caught = partial(pytest.raises, AssertionError)
game = shut_the_box()
cards_game = big_two()


def test_catches_a_loaded_die():
    """One die has a second six in the place of its one."""
    loaded = tuple(a + b for a in (2, 3, 4, 5, 6, 6) for b in range(1, 7))
    check_dice(partial(pick, THROWS, Random(1)), 5000)
    with caught():
        check_dice(partial(pick, loaded, Random(1)), 5000)
    check_box(game)
    loaded_game = game._replace(chances=lambda box: loaded if box else (None,))
    with caught():
        check_box(loaded_game)


def check_box(rules):
    """Simulations by `rules` fit the exact probabilities of the right rules."""
    ours = partial(simulation.simulate, rules)
    check_simulate(ours, game, frozenset({1, 2}), n=20_000, seed=1, effect=0.025)


def test_catches_totals_that_are_taken_as_equally_likely():
    uniform_totals = game._replace(chances=lambda box: tuple(range(2, 13)) if box else (None,))
    ours = partial(simulation.simulate, uniform_totals)
    with caught():
        check_simulate(ours, game, full_box(), n=200_000, seed=1, effect=0.0035)


def test_catches_a_crowd_that_is_split_evenly_among_the_totals(monkeypatch):
    crowd = partial(simulation.simulate_crowd, game)
    check = partial(check_simulate, crowd, game, frozenset({1, 2}), n=10**6, seed=1, effect=0.006)
    check()
    monkeypatch.setattr(simulation, "times_of", lambda kinds: [1] * len(set(kinds)))
    with caught():
        check()


def test_catches_a_normal_law_in_the_place_of_the_binomial():
    """A squeeze that decides where it cannot."""

    def normal(height, k, n, favourable, possible, variance):
        mode = (n + 1) * favourable // possible
        return height < -((k - mode) ** 2) / (2 * variance)

    check_lies_under(variates._lies_under, 3000, 1, 36)
    with caught():
        check_lies_under(normal, 3000, 1, 36)


def test_catches_a_hat_that_is_taken_for_the_law(monkeypatch):
    check = partial(check_binomial, n=10**9, favourable=1, possible=36, draws=20_000, effect=0.04)
    rng = Random(1)
    check(lambda *law: variates.binomial(*law, rng))
    monkeypatch.setattr(variates, "_lies_under", lambda *hat: True)
    with caught():
        check(lambda *law: variates.binomial(*law, rng))


def test_catches_a_bound_with_its_sign_turned():
    def lower(score, visits, total):
        if not score or not visits:
            return ucb_wald(score, visits)
        return 2 * score / visits - ucb_wald(score, visits)

    for check in (check_wald, check_bound):
        check(ucb_wald)
        with caught():
            check(lower)


def test_catches_the_rule_of_3_left_out():
    def without(score, visits, total):
        return (score + 2 * sqrt(score * (visits - score) / visits)) / visits if visits else inf

    with caught():
        check_wald(without)


def test_catches_the_loser_credited(monkeypatch):
    """Backpropagation adds the result with its sides exchanged."""
    right = mcts.add_result
    check_coins()
    monkeypatch.setattr(mcts, "add_result", lambda a, result, k: right(a, result[::-1], k))
    with caught(match="One dive must add one visit and its result"):
        check_coins()


def check_coins():
    """`uct` keeps the laws."""
    check_uct(partial(mcts.uct, pile_game), pile_game, Pile(7), learns=100)


def test_catches_a_search_that_credits_the_loser():
    right, turned = pile_game, pile_game._replace(result=lambda pile: right.result(pile)[::-1])
    check = partial(check_search, game=right, start=Pile(7), learns=None)
    check(partial(engine.search, right))
    with caught(match="must be a sum of results that can follow its position"):
        check(partial(engine.search, turned))


def test_catches_a_choice_for_the_other_player(monkeypatch):
    """It goes to the move with the highest bound of the player who does not move."""
    right = mcts.best_record
    monkeypatch.setattr(
        mcts,
        "best_record",
        lambda game, records, player, bound: right(game, records, 1 - player, bound),
    )
    with caught(match="A search must learn"):
        check_coins()


def test_catches_a_dive_that_draws_from_the_module(monkeypatch):
    right = mcts.draw_turn
    monkeypatch.setattr(mcts, "draw_turn", lambda game, state, rng: right(game, state, random))
    check = partial(check_uct, partial(mcts.uct, game), game, full_box(), learns=None)
    with caught(match="The same seed must give the same tree"):
        check()


def test_catches_a_second_visit_of_the_first_position(monkeypatch):
    right = mcts.backpropagate

    def twice(tree, path, result, games=1):
        (first, record), *_ = path
        return right(tree, path, result, games).set(first, right_add(record, result, 2))

    right_add = mcts.add_result
    monkeypatch.setattr(mcts, "backpropagate", twice)
    with caught(match="One dive must add one visit and its result"):
        check_coins()


def test_catches_a_dive_too_few():
    def fewer(tree, state, dives, rng):
        return engine.search(pile_game, tree, state, dives - 1, rng)

    with caught(match="The first position must get one visit from each dive"):
        check_search(fewer, pile_game, Pile(7), learns=None)


def test_catches_a_tally_that_is_counted_twice(monkeypatch):
    """The positions after the first one get two visits for each."""
    right = engine.with_tallies

    def doubled(tree, tallies):
        first, *others = tallies
        for tally in others:
            tally.visits, tally.scores = 2 * tally.visits, [2 * x for x in tally.scores]
        return right(tree, [first, *others])

    monkeypatch.setattr(engine, "with_tallies", doubled)
    with caught(match="A position must get no more visits than lead to it"):
        check_search(partial(engine.search, pile_game), pile_game, Pile(7), learns=None)


def test_catches_a_playout_that_takes_the_first_move_more_often():
    def eager(pile, rng):
        twice = pile_game._replace(
            moves=lambda state, event: (
                pile_game.moves(state, event)[:1] * 2 + pile_game.moves(state, event)[1:]
            )
        )
        return plain_playout(twice, pile, rng)

    check_playout(partial(plain_playout, pile_game), pile_game, Pile(4))
    with caught(match="A playout must have the results of uniformly random play"):
        check_playout(eager, pile_game, Pile(4))


def test_catches_a_bandit_without_the_infinite_bound():
    """An arm that has not been tried has the bound 0, so the first arm that pays is kept."""
    check_policy(by_bound())
    with caught(match="A policy must try every arm"):
        check_policy(by_bound(lambda score, visits, total: score / visits if visits else 0))


def test_catches_a_bandit_that_counts_losses_as_wins():
    with caught(match="The regret of a policy must grow slower"):
        check_policy(by_bound(lambda score, visits, total: ucb1(visits - score, visits, total)))


def test_catches_the_wrong_player_choosing():
    """Everybody maximises the first player's score."""
    wrong = solver(pile_game._replace(to_move=lambda pile: 0))
    for check in (check_pile, check_piles):
        check(solver(pile_game))
        with caught():
            check(wrong)


def check_piles(value):
    check_solver(value, pile_game, Pile(12), policies=3)


def test_catches_a_solver_that_takes_the_first_move():
    wrong = solver(pile_game, lambda turn, values: turn.moves[:1])
    for check in (check_pile, check_piles):
        with caught():
            check(wrong)


def test_catches_a_wrong_value_that_fits_its_moves():
    """The values of all piles are exchanged, so only the ends are wrong."""
    value = solver(pile_game)
    with caught(match="the result where the game has ended"):
        check_piles(lambda pile: value(pile)[::-1])


def test_catches_a_move_lost():
    for roll in range(2, 13):
        check_moves(game.moves(start_box, roll), start_box, roll)
    with caught():
        check_moves(game.moves(start_box, 9)[:-1], start_box, 9)


def test_catches_a_move_twice():
    twice = game._replace(moves=lambda box, roll: game.moves(box, roll) + game.moves(box, roll)[:1])
    with caught():
        check_position(twice, start_box)


def test_catches_an_order_that_depends_on_how_the_set_was_built():
    def iterating(box, roll):
        return tuple(box - {lever} for lever in box if lever <= roll)

    box = frozenset([1, 9])
    with caught():
        check_values(game._replace(moves=iterating), Line((box,)), Random(1))


def test_catches_a_tree_changed_in_place():
    class Changing:
        """A dict with the manners of a persistent map, and not its promise."""

        def __init__(self):
            self.held = {}

        def get(self, key):
            return self.held.get(key)

        def set(self, key, value):
            self.held[key] = value
            return self

        items = property(lambda self: self.held.items)

    ours = partial(mcts.uct, pile_game)
    check_uct(ours, pile_game, Pile(5), learns=None)
    with caught(match="The old tree must stay as it was"):
        check_uct(ours, pile_game, Pile(5), learns=None, empty=Changing)


def test_catches_a_result_that_stays_at_the_leaf(monkeypatch):
    check = partial(check_dive, pile_game, Pile(6), 1, 10)
    check()
    right = mcts.add_result
    monkeypatch.setattr(mcts, "add_result", lambda a, *more: a if a.visits else right(a, *more))
    with caught():
        check()


def test_catches_rollouts_that_count_as_one_visit(monkeypatch):
    check = partial(check_rollouts, pile_game, Pile(6), 1, 3)
    check()
    right = mcts.add_result
    monkeypatch.setattr(mcts, "add_result", lambda a, result, k: right(a, result))
    with caught():
        check()


def test_catches_ties_that_are_broken_otherwise(monkeypatch):
    check = partial(check_search_is_folding, game, full_box(), 1, 50, ucb_wald, 0, dict)
    check()
    right = mcts.best_child
    monkeypatch.setattr(
        mcts,
        "best_child",
        lambda game, tree, turn, b: right(game, tree, turn._replace(moves=turn.moves[::-1]), b),
    )
    with caught():
        check()


def test_catches_a_bound_remembered_that_needs_its_total(monkeypatch):
    def of_total(score, visits, total):
        return (score + sqrt(total)) / visits if visits else inf

    check = partial(check_search_is_folding, game, full_box(), 1, 200, of_total, 0, dict)
    check()
    remembered = Bound("without its total", lambda score, visits: of_total(score, visits, 1))
    right = engine.choosing
    monkeypatch.setattr(engine, "choosing", lambda game, _: right(game, remembered))
    with caught():
        check()


def test_catches_linked_positions_that_are_shared_by_functions_that_are_equal(monkeypatch):
    check = partial(check_both, USES["solver"], pile_of(One(7)), pile_of(Two(7)), CoinPile(10))
    check()
    monkeypatch.setattr(links, "_kept", [])
    monkeypatch.setattr(links, "_alike", lambda a, b: a == b)
    with caught():
        check()


def test_catches_a_fast_playout_that_is_kept_by_a_game_with_other_functions(monkeypatch):
    coins = last_coin()
    other = coins._replace(result=lambda pile: coins.result(pile)[::-1])
    check = partial(check_both, USES["simulate"], coins, other, CoinPile(9))
    check()
    right = play_of.functions_of
    monkeypatch.setattr(play_of, "functions_of", lambda game: right(coins))
    with caught():
        check()


def test_catches_linked_positions_that_are_never_forgotten(monkeypatch):
    """The check counts the positions that are kept."""
    check = partial(check_memory, game, 200)
    monkeypatch.setattr(links, "_kept", [])
    monkeypatch.setattr(links, "MOST", 200)
    check()
    monkeypatch.setattr(links, "MOST", 10**6)
    with caught():
        check()


def check_memory(rules, most):
    """After a crowd of all positions, few of them are kept."""
    simulation.simulate_crowd(rules, rules.start, 10, Random(1))
    assert max(len(kept) for _, kept in links._kept) < most + 100


def test_catches_a_policy_that_is_asked_as_if_it_saw_values():
    """A choice of the best move in the place of the policy that was passed."""
    check_policy_value(partial(solver, pile_game))
    with caught():
        check_policy_value(lambda policy: solver(pile_game))


def check_policy_value(solved):
    """Who takes one coin each time wins from odd piles alone."""
    value = solved(policy=lambda turn: turn.moves[:1])
    assert [value(Pile(n))[0] for n in range(1, 9)] == [1, 0] * 4


def test_catches_a_merge_that_takes_one_record_of_two():
    def careless(a, b):
        return a.update(b)

    a, b, c = (records.as_tree({i: Record(1, (i, 0)), 9: Record(1, (1, i))}) for i in range(3))
    check_merge(mcts.merge_trees, a, b, c, records.as_tree({}))
    with caught():
        check_merge(careless, a, b, c, records.as_tree({}))


def test_catches_a_complete_tree_that_averages_where_it_should_choose():
    tree = build_tree({}, (start_box, None))
    check_complete_tree(tree)
    wrong = tree.set((sample := frozenset({1, 2, 3}), None), tree[sample, None] / 2)
    with caught():
        check_complete_tree(wrong)


def other_side(fault):
    """A change to a game that exchanges its players, in its results or in whose turn it is.

    Random games stay fast. They do not ask whose turn it is.
    """

    def changed(game):
        play = random_play(game)
        if fault != "result":
            return with_playout(change(game), play)
        return with_playout(change(game), lambda _, state, rng: play(game, state, rng)[::-1])

    change = {
        "result": lambda game: game._replace(result=lambda state: game.result(state)[::-1]),
        "to_move": lambda game: game._replace(to_move=lambda state: 1 - game.to_move(state)),
        "one player": lambda game: game._replace(to_move=lambda state: 0),
    }[fault]
    return changed


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        (name, fault)
        for name in ENDGAMES
        for fault in ("result", "to_move", "one player")
        if fault != "one player" or "second" in name
    ],
)
def test_catches_the_wrong_player_credited_in_a_board_game(name, fault):
    board_game, state, label = ENDGAMES[name]
    with pytest.raises((AssertionError, ValueError)):
        check_endgame(other_side(fault)(board_game), state, label)


def test_catches_the_box_credited_with_what_the_player_won():
    check_box(game)
    credited = game._replace(result=lambda box: game.result(box)[::-1])
    with caught():
        check_box(credited)


DRAWS = {
    "tic-tac-toe": (mnk.tic_tac_toe, board_of(mnk.tic_tac_toe, "a1 b1 c1 b2 a2 a3 b3 c2 c3")),
    "gomoku": (mnk.mnk(5, 1, 5), mnk.Board(0b10101, 0b01010)),
    "Reversi": (reversi.reversi(4), reversi.Board(0b01111_01111, 0b01111_01111 << 10, 0)),
}


def wins_for_both(state):
    return (1, 1)


@pytest.mark.parametrize(("board_game", "state"), DRAWS.values(), ids=DRAWS)
def test_catches_a_draw_that_counts_for_both(board_game, state):
    assert board_game.result(state) == (0.5, 0.5)
    check_position(board_game, state)
    with caught():
        check_position(board_game._replace(result=wins_for_both), state)


def test_catches_a_pass_forgotten():
    four = reversi.reversi(4)

    def without(board, event):
        return tuple(move for move in four.moves(board, None) if move.black != board.black)

    check_pass(four)
    with caught():
        check_pass(four._replace(moves=without))


# Big Two


def test_catches_a_deal_that_sorts_the_unseen_cards_by_player():
    """Each world is complete and fits the view, but the next player has the low cards too often."""

    def leaning(view, rng):
        for world in cards_game.hidden.worlds(view, rng):
            me, *others = world.hands
            low_first = sorted(others) if rng.random() < 0.2 else others
            fits = [hand.bit_count() for hand in low_first] == list(view.counts[1:])
            yield world._replace(hands=(me, *low_first)) if fits else world

    check_worlds(cards_game.hidden.worlds)
    with caught():
        check_worlds(leaning)


def test_catches_a_playout_that_answers_whenever_it_can():
    """Its random players pass only when they have to."""

    def eager(game, table, rng):
        return plain_playout(game._replace(moves=without_needless_pass), table, rng)

    def without_needless_pass(table, event):
        moves = cards_game.moves(table, event)
        return moves[:-1] if table.lead and len(moves) > 1 else moves

    start = deal(Random(7))
    check_hand(cards_game, start, 7)
    with caught():
        check_hand(cards_game._replace(playout=eager), start, 7)


def test_catches_a_winner_who_gets_less_than_the_losers_pay():
    def short(table):
        return tuple(min(points, 30) for points in cards_game.result(table))

    with caught(match="The scores must add up to 0"):
        for seed in range(60):
            wrong, line = cards_game._replace(result=short), Line((deal(Random(seed)),))
            check_results(wrong, line, Random(seed))


def test_catches_a_lead_that_comes_back_too_soon():
    """After two passes, which bars the third player from an answer. The playout has the rule."""

    def hasty(table, event):
        moves = cards_game.moves(table, event)
        return tuple(
            move._replace(lead=Cards(0), passed=frozenset()) if len(move.passed) == 2 else move
            for move in moves
        )

    right = random_play(cards_game)
    check_hand(with_playout(cards_game, right), deal(Random(7)), 7)
    with caught():
        check_hand(with_playout(cards_game._replace(moves=hasty), right), deal(Random(7)), 7)
