"""The solver, held against plain recursion, against theory, and against every policy."""

import pickle
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import exact
from purembts.exact import best, check_solvable, solver, uniform
from purembts.game import turn_at
from purembts.games.big_two import big_two, deal
from purembts.games.mnk import gomoku
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import Pile, pile_game, quick_game


def some_game(seed, players=2):
    return quick_game(random_game(seed, players, size=10))


def plain_value(game, state, choose):
    """The literal recursion, without memory; `choose` gets the values of all moves at each turn."""
    outcomes = []
    for event in game.chances(state):
        turn = turn_at(game, state, event)
        values = {move: plain_value(game, move, choose) for move in turn.moves}
        if turn.moves:
            chosen = choose(turn, [values[move] for move in turn.moves])
            outcomes.append(mean_of([values[move] for move in chosen]))
        else:
            outcomes.append(tuple(map(Fraction, game.result(state))))
    return mean_of(outcomes)


def mean_of(values):
    return tuple(sum(column) / Fraction(len(values)) for column in zip(*values, strict=True))


def greatest(turn, values):
    """The first move of the highest value."""
    return [max(zip(values, turn.moves, strict=True), key=lambda pair: pair[0][turn.player])[1]]


def sometimes_best(turn, values):
    """A choice that looks at the values at some turns alone."""
    return best(turn, values) if turn.state % 3 == 1 else turn.moves[:2]


def last_alone(turn, values):
    """A choice that looks at one value."""
    return turn.moves[-1:] if values[-1][0] > 0 else turn.moves[:1]


choices = st.sampled_from([(best, greatest), *((f, f) for f in (sometimes_best, last_alone))])


@given(seeds, st.integers(1, 3), choices, st.booleans())
def test_best_play_and_any_choice_are_worth_their_plain_recursion(seed, players, choice, is_small):
    game, (choose, plainly) = some_game(seed, players)._replace(is_small=is_small), choice
    assert solver(game, choose)(0) == plain_value(game, 0, plainly)


class TakesAny(NamedTuple):
    """A policy without fields, which is an empty tuple."""

    def __call__(self, turn):
        return turn.moves


def last_or_by_event(turn):
    """A policy that depends on the event and on the position, also where the moves are the same."""
    return turn.moves[:1] if turn.event == "a" else turn.moves[-1 - turn.state % 2 :]


def mixed(turn):
    """A policy that plays the first move twice as often as the last one."""
    return [turn.moves[0], turn.moves[0], turn.moves[-1]]


policies = st.sampled_from([uniform, TakesAny(), last_or_by_event, mixed])


@given(seeds, st.integers(1, 3), policies, st.booleans())
def test_a_policy_is_worth_its_plain_recursion(seed, players, policy, is_small):
    game = some_game(seed, players)._replace(is_small=is_small)
    expected = plain_value(game, 0, lambda turn, values: policy(turn))
    assert solver(game, policy=policy)(0) == expected
    assert solver(game, lambda turn, values: policy(turn))(0) == expected


def noted(game, note):
    """`game`, whose `moves` notes the piles that it is asked for."""
    return game._replace(moves=lambda pile, event: note(pile.coins) or game.moves(pile, event))


@pytest.mark.parametrize("is_small", [True, False])
def test_only_a_policy_without_values_is_spared_the_positions_that_it_does_not_play_to(is_small):
    """The two kinds are told apart by the argument alone, not by what they do."""
    asked, all_asked = set(), set()
    small = pile_game._replace(is_small=is_small)
    takes_two = solver(noted(small, asked.add), policy=lambda turn: turn.moves[-1:])
    assert takes_two(Pile(20)) == (0, 1)
    assert asked == set(range(0, 21, 2))
    same = solver(noted(small, all_asked.add), lambda turn, values: turn.moves[-1:])
    assert same(Pile(20)) == (0, 1)
    assert all_asked == set(range(21))


def test_the_usual_game():
    """The figures that the documentation gives."""
    assert solver(shut_the_box())(full_box())[0] == Fraction(466473281, 6530347008)
    random_play = solver(shut_the_box(), policy=uniform)(full_box())[0]
    assert random_play == Fraction(365353070172711611, 17915176356308582400)


@pytest.mark.parametrize("answer", [(), ("x",), (Pile(1, 1),), None, (Pile(9, 1), Pile(99))])
def test_a_policy_that_answers_with_something_else_is_refused(answer):
    for value in (
        solver(pile_game, lambda turn, values: answer),
        solver(pile_game, policy=lambda turn: answer),
    ):
        with pytest.raises(ValueError, match=r"A policy must answer with moves of its turn; got"):
            value(Pile(10))


@pytest.mark.parametrize("how", [{}, {"policy": uniform}])
def test_a_solver_can_go_to_another_process(how):
    """It takes along the values that it has computed."""
    game = shut_the_box(levers=5)
    value = solver(game, **how)
    known = value(game.start)
    again = pickle.loads(pickle.dumps(value))
    assert again(game.start) == known


def test_a_game_is_solvable_where_few_positions_follow_and_nothing_is_hidden(monkeypatch):
    for game, start in ((gomoku, gomoku.start), (big_two(), deal(Random(7)))):
        with pytest.raises(ValueError, match=game.name):
            check_solvable(game, start)
    monkeypatch.setattr(exact, "MOST_POSITIONS", 510)
    check_solvable(shut_the_box(), full_box())
    monkeypatch.setattr(exact, "MOST_POSITIONS", 509)
    with pytest.raises(ValueError, match="more than 509 positions can follow"):
        check_solvable(shut_the_box(), full_box())
