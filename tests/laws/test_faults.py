"""Faults planted on purpose: each has to be caught by the check that is there for it.

A wrong value is checked after the right one, or a name of a room is replaced by a wrong one. A
check that lets its fault pass fails here. The faults of the laws are edits of right code, in
faults.toml and game_faults.toml.
"""

from functools import partial
from math import inf, sqrt
from random import Random

import pytest

from games.test_big_two import check_playout as check_hand
from games.test_big_two import check_worlds
from games.test_reversi import check_pass
from games.test_shut_the_box import check_moves
from marks import cases
from purembts import executors, mcts, records, simulation, variates
from purembts import game as play_of
from purembts.bounds import Bound, ucb_wald
from purembts.chance import pick
from purembts.exact import solver
from purembts.fast import engine, flat, links
from purembts.game import plain_playout, random_play, with_playout
from purembts.games import reversi
from purembts.games.big_two import big_two, deal
from purembts.games.big_two_cards import Cards
from purembts.games.last_coin import Pile as CoinPile
from purembts.games.last_coin import last_coin
from purembts.games.shut_the_box import Rules, full_box, shut_the_box
from purembts.records import Record
from purembts.verify.algorithm_laws import check_simulate
from purembts.verify.search_laws import check_uct
from purembts.workshop import THROWS, build_tree, start_box
from test_board_games import ENDGAMES, check_endgame
from test_bounds import check_wald
from test_changed_games import USES, check_both, pile_of
from test_curves import check_tree
from test_engine import check_search_is_folding
from test_exact import check_pile
from test_executors import check_chunks
from test_mcts import check_dive, check_merge, check_rollouts
from test_variates import check_binomial, check_lies_under
from test_workshop import check_complete_tree, check_dice
from toys import One, Pile, Two, pile_game

caught = partial(pytest.raises, AssertionError)
game = shut_the_box()
cards_game = big_two()
four = reversi.reversi(4)
coins = last_coin()


# Wrong values

# One die has a second six in the place of its one.
LOADED = tuple(a + b for a in (2, 3, 4, 5, 6, 6) for b in range(1, 7))


def check_rolls(throws):
    check_dice(partial(pick, throws, Random(1)), 5000)


def check_box(rules):
    """Simulations by `rules` fit the exact probabilities of the right rules."""
    ours = partial(simulation.simulate, rules)
    check_simulate(ours, game, frozenset({1, 2}), n=20_000, seed=1, effect=0.025)


def test_catches_chunks_that_draw_the_same_numbers(monkeypatch):
    check_chunks()
    monkeypatch.setattr(executors, "_run_chunk", lambda work, task: work(task[0], Random("7/0")))
    with caught():
        check_chunks()


def with_chances(events):
    return game._replace(chances=lambda box: events if box else (None,))


def normal(height, k, n, favourable, possible, variance):
    """A squeeze that decides where it cannot."""
    mode = (n + 1) * favourable // possible
    return height < -((k - mode) ** 2) / (2 * variance)


def sign_turned(score, visits, total):
    if not score or not visits:
        return ucb_wald(score, visits)
    return 2 * score / visits - ucb_wald(score, visits)


def without_rule_of_3(score, visits, total):
    return (score + 2 * sqrt(score * (visits - score) / visits)) / visits if visits else inf


def check_nine(moves):
    check_moves(moves(start_box, 9), start_box, 9)


def check_policy_value(solved):
    """Who takes one coin each time wins from odd piles alone."""
    value = solved(policy=lambda turn: turn.moves[:1])
    assert [value(Pile(n))[0] for n in range(1, 9)] == [1, 0] * 4


def check_merges(merge):
    trees = [records.as_tree({i: Record(1, (i, 0)), 9: Record(1, (1, i))}) for i in range(3)]
    check_merge(merge, *trees, records.as_tree({}))


TREE, THREE = build_tree({}, (start_box, None)), (frozenset({1, 2, 3}), None)


def passing_never(board, event):
    return tuple(move for move in four.moves(board, None) if move.black != board.black)


def leaning(view, rng):
    """Each world is complete and fits the view, but the next player has too many low cards."""
    for world in cards_game.hidden.worlds(view, rng):
        me, *others = world.hands
        low_first = sorted(others) if rng.random() < 0.2 else others
        fits = [hand.bit_count() for hand in low_first] == list(view.counts[1:])
        yield world._replace(hands=(me, *low_first)) if fits else world


def check_random_hand(rules):
    check_hand(rules, deal(Random(7)), 7)


def eager(game, table, rng):
    """A playout whose random players pass only when they have to."""
    return plain_playout(game._replace(moves=without_needless_pass), table, rng)


def without_needless_pass(table, event):
    moves = cards_game.moves(table, event)
    return moves[:-1] if table.lead and len(moves) > 1 else moves


def hasty(table, event):
    """A lead comes back after two passes, which bars the third player from an answer."""
    return tuple(
        move._replace(lead=Cards(0), passed=frozenset()) if len(move.passed) == 2 else move
        for move in cards_game.moves(table, event)
    )


cards_play = random_play(cards_game)
WRONG = {
    "a loaded die": (check_rolls, THROWS, LOADED),
    "a game with a loaded die": (check_box, game, with_chances(LOADED)),
    "a normal distribution for the binomial": (
        lambda lies_under: check_lies_under(lies_under, 3000, 1, 36),
        variates._lies_under,
        normal,
    ),
    "a bound with its sign turned": (check_wald, ucb_wald, sign_turned),
    "the rule of 3 left out": (check_wald, ucb_wald, without_rule_of_3),
    "the wrong player choosing": (
        check_pile,
        solver(pile_game),
        solver(pile_game._replace(to_move=lambda pile: 0)),
    ),
    "a solver that takes the first move": (
        check_pile,
        solver(pile_game),
        solver(pile_game, lambda turn, values: turn.moves[:1]),
    ),
    "a policy that is asked as if it saw values": (
        check_policy_value,
        partial(solver, pile_game),
        lambda policy: solver(pile_game),
    ),
    "a move lost": (check_nine, game.moves, lambda box, roll: game.moves(box, roll)[:-1]),
    "a merge that takes one record of two": (
        check_merges,
        mcts.merge_trees,
        lambda a, b: a.update(b),
    ),
    "a complete tree that averages": (check_complete_tree, TREE, TREE.set(THREE, TREE[THREE] / 2)),
    "a pass forgotten": (check_pass, four, four._replace(moves=passing_never)),
    "worlds that sort the unseen cards": (check_worlds, cards_game.hidden.worlds, leaning),
    "a playout that answers if it can": (
        check_random_hand,
        cards_game,
        cards_game._replace(playout=eager),
    ),
    "a lead that comes back too soon": (
        check_random_hand,
        with_playout(cards_game, cards_play),
        with_playout(cards_game._replace(moves=hasty), cards_play),
    ),
}


@pytest.mark.parametrize(("check", "right", "wrong"), cases(WRONG, slow=()))
def test_catches_a_wrong_value(check, right, wrong):
    check(right)
    with caught():
        check(wrong)


# Replaced names


def evenly(game, state):
    return [(1, moves) for moves in links.turns_of(game, state)[0]]


def loser_credited(record, result, games=1):
    return right_add(record, result[::-1], games)


def leaf_alone(record, *more):
    return record if record.visits else right_add(record, *more)


def last_of_ties(game, tree, turn, bound):
    return right_child(game, tree, turn._replace(moves=turn.moves[::-1]), bound)


def of_total(score, visits, total):
    return (score + sqrt(total)) / visits if visits else inf


def without_total(game, bound):
    remembered = Bound("without its total", lambda score, visits: of_total(score, visits, 1))
    return right_choosing(game, remembered)


def check_memory():
    """After a crowd of all positions, few of them are kept."""
    links._kept.clear()
    simulation.simulate_crowd(game, game.start, 10, Random(1))
    assert max(len(kept) for _, kept in links._kept) < 300


def check_draws():
    rng = Random(1)
    law = {"n": 10**9, "favourable": 1, "possible": 36}
    check_binomial(lambda *how: variates.binomial(*how, rng), **law, draws=20_000, effect=0.04)


def check_folding(dives, bound):
    check_search_is_folding(game, full_box(), 1, dives, bound, 0, dict)


def check_shared():
    links._kept.clear()
    check_both(USES["solver"], pile_of(One(7)), pile_of(Two(7)), CoinPile(10))


right_add, right_child, right_choosing = mcts.add_result, mcts.best_child, engine.choosing
CREDITED = coins._replace(result=lambda pile: coins.result(pile)[::-1])
CROWD = partial(simulation.simulate_crowd, game)
PILE_UCT = partial(mcts.uct, pile_game)
REPLACED = {
    "a crowd that is split evenly among the totals": (
        partial(check_simulate, CROWD, game, frozenset({1, 2}), n=10**6, seed=1, effect=0.006),
        (simulation, "ways_of", evenly),
    ),
    "a hat that is taken for the distribution": (
        check_draws,
        (variates, "_lies_under", lambda *hat: True),
    ),
    "the loser credited": (
        partial(check_uct, PILE_UCT, pile_game, Pile(7), learns=None),
        (mcts, "add_result", loser_credited),
    ),
    "a result that stays at the leaf": (
        partial(check_dive, pile_game, Pile(6), 1, 10),
        (mcts, "add_result", leaf_alone),
    ),
    "rollouts that count as one visit": (
        partial(check_rollouts, pile_game, Pile(6), 1, 3),
        (mcts, "add_result", lambda record, result, games: right_add(record, result)),
    ),
    "ties that are broken otherwise": (
        partial(check_folding, 50, ucb_wald),
        (mcts, "best_child", last_of_ties),
    ),
    "a bound remembered that needs its total": (
        partial(check_folding, 200, of_total),
        (engine, "choosing", without_total),
    ),
    "linked positions shared by functions that are equal": (
        check_shared,
        (links, "alike", lambda a, b: a == b),
    ),
    "a fast playout kept by a game with other functions": (
        partial(check_both, USES["simulate"], coins, CREDITED, CoinPile(9)),
        (play_of, "functions_of", lambda game, right=play_of.functions_of: right(coins)),
    ),
    "linked positions that are never forgotten": (check_memory, (links, "MOST", 10**6)),
}


@pytest.mark.parametrize(("check", "replaced"), cases(REPLACED, slow=()))
def test_catches_a_name_that_is_replaced(check, replaced, monkeypatch):
    monkeypatch.setattr(links, "_kept", [])
    monkeypatch.setattr(links, "MOST", 200)
    check()
    monkeypatch.setattr(*replaced)
    with caught():
        check()


# Board games


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
        pytest.param(name, fault, marks=[pytest.mark.slow] if "gomoku" in name else [])
        for name in ENDGAMES
        for fault in ("result", "to_move", "one player")
        if fault != "one player" or "second" in name
    ],
)
def test_catches_the_wrong_player_credited_in_a_board_game(name, fault):
    board_game, state, label = ENDGAMES[name]
    with pytest.raises((AssertionError, ValueError)):
        check_endgame(other_side(fault)(board_game), state, label)


def test_catches_means_that_are_not_backed_up_on_flat_positions(monkeypatch):
    tree = engine.search(game, {}, start_box, 400, Random(7))
    check_tree(game, start_box, tree)
    monkeypatch.setattr(flat, "_folded", lambda spot, means, own: own)
    with caught():
        check_tree(game, start_box, tree)


def test_catches_a_rounding_that_is_stated_too_small(monkeypatch):
    variant = shut_the_box(Rules(levers=8))  # another game, whose flat positions are not kept
    monkeypatch.setattr(flat, "_rounding", lambda spots: 0.0)
    with caught():
        check_tree(variant, variant.start, {})
