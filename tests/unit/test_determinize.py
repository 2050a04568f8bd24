"""Search behind a view: determinization, information sets, and what a strategy can get to see."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from purembts.bounds import ucb1_with
from purembts.chance import pick
from purembts.determinize import information_set, lifted, perfect_information, view_turn
from purembts.display import Hidden
from purembts.fast import engine
from purembts.game import turn_at
from purembts.games.big_two import View, big_two, card_table, deal, play_between, view
from purembts.games.big_two_cards import cards
from purembts.games.last_coin import Pile, last_coin
from purembts.mcts import learnt
from purembts.play import play_game, turns
from purembts.players import random_player
from purembts.records import NOTHING, mean, merge
from purembts.verify.strategies import rngs, seeds
from toys import guessing_game

game = big_two()

METHODS = {"perfect information": perfect_information, "information set": information_set}
methods = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


# What a strategy sees


@given(rng=rngs)
@settings(max_examples=5)
def test_a_strategy_is_given_the_same_at_all_tables_that_look_the_same(rng):
    given = []

    def noting(turn, rng):
        given.append(turn)
        return pick(turn.moves, rng)

    for turn in turns(game, deal(rng), [random_player] * 4, rng):
        known = view(turn.state, turn.player)
        tables = [turn.state, next(game.hidden.worlds(known, rng))] if turn.moves else []
        for same in tables:
            lifted(game, noting)(turn_at(game, same, None), rng)
        assert given[-2:] == [view_turn(game, turn)] * 2 or not turn.moves
        assert all(type(seen) is View for seen in (given[-1].state, *given[-1].moves))


def test_a_game_that_hides_nothing_has_no_views():
    coins = last_coin()
    with pytest.raises(ValueError, match=r"`hidden` of Last coin must be Hidden"):
        play_game(coins, Pile(5), [lifted(coins, random_player)] * 2)
    with pytest.raises(ValueError, match=r"`hidden` of Last coin must be Hidden"):
        perfect_information(coins, Pile(5))


# Perfect information Monte Carlo


def test_perfect_information_adds_up_the_records_of_its_worlds():
    state = deal(Random(3), hand_size=4)
    me, known = state.player, view(state, state.player)
    added = perfect_information(game, known, Random(7), budget=40, rollouts=2, worlds=5)
    rng = Random(7)
    worlds = game.hidden.worlds(known, rng)
    expected = {}
    for _ in range(5):
        world = next(worlds)
        tree = engine.search(game, {}, world, 40, rng, rollouts=2)
        for move in game.moves(world, None):
            seen_move = view(move, me)
            record = merge(expected.get(seen_move, NOTHING), tree.get(move) or NOTHING)
            expected[seen_move] = record
    assert added == {key: record for key, record in expected.items() if record.visits}


# Information sets


@given(seed=seeds, each=st.integers(1, 5), budget=st.integers(1, 40))
def test_an_information_set_tree_holds_views_of_one_player(seed, each, budget):
    state = pick(game.moves(deal(Random(seed), hand_size=each), None), Random(seed))
    known = view(state, state.player)
    tree = information_set(game, known, Random(seed), budget=budget, rollouts=2)
    assert tree[known].visits == 2 * budget
    for position, record in tree.items():
        assert position.player == state.player == 1
        assert sum(record.scores) == 0
        assert record.visits % 2 == 0
        assert len(record.scores) == 4


# Strategy fusion


def test_perfect_information_believes_that_it_will_know_and_information_sets_do_not():
    """Safe 0.7 or a guess at a coin: in each world the guess is right for whoever sees it."""
    toy = guessing_game
    known = toy.hidden.view(toy.start, 0)
    fused = perfect_information(toy, known, Random(7), budget=300, rollouts=1, worlds=20)
    honest = information_set(toy, known, Random(7), budget=6000, rollouts=1)
    believed = {move.stage: record for move, record in fused.items()}
    learnt = {move.stage: honest[move] for move in honest if move.stage in ("safe", "guess")}
    assert mean(believed["guess"]) > 0.9
    assert mean(learnt["guess"]) < 0.6


@methods
def test_a_sure_win_is_chosen_against_any_other_hands(method):
    """The 2 of spades takes the lead, and then the pair goes out."""
    hands = [cards("2♠ 4♦ 4♣"), cards("5♦ 6♣"), cards("7♦ 8♣"), cards("9♦ J♣")]
    state = card_table(hands, lead=cards("3♠"))
    turn = view_turn(game, turn_at(game, state, None))
    for seed in range(5):
        tree = method(game, turn.state, Random(seed), budget=300, bound=ucb1_with(0.1))
        assert play_between(turn.state, learnt(tree)(turn)[0]) == cards("2♠")


def test_the_searches_have_the_defaults_of_their_articles():
    known = view(deal(Random(5)), deal(Random(5)).player)
    for method, how in (
        (perfect_information, {"budget": 30, "rollouts": 10, "worlds": 1}),
        (information_set, {"budget": 30, "rollouts": 1}),
    ):
        assert method(game, known, Random(7)) == method(game, known, Random(7), **how)


def test_a_position_in_the_place_of_a_view_is_refused():
    """As where a player of views plays a match without `lifted`."""
    guess = guessing_game
    with pytest.raises(ValueError, match=r"^`view` must be a view of .*; got 3, with .*lifted"):
        information_set(guess._replace(hidden=Hidden(guess.hidden.view, lambda view, rng: view)), 3)
    nobody = guess._replace(hidden=Hidden(guess.hidden.view, lambda view, rng: ()))
    with pytest.raises(ValueError, match=r"^`view` must be .*, with StopIteration"):
        next(perfect_information(nobody, 3).items())
