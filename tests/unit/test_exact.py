"""The solver, held against plain recursion, against theory, and against every policy."""

import pickle
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.exact import (
    MOST_POSITIONS,
    against_best,
    best,
    is_solvable,
    solver,
    uniform,
)
from purembts.game import turn_at
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.shut_the_box import Rules, full_box, shut_the_box
from purembts.positions import positions
from purembts.verify.algorithm_laws import check_solver
from purembts.verify.random_games import random_game
from purembts.verify.strategies import rules_and_boxes, seeds
from toys import Pile, guessing_game, pile_game, quick_game

best_play = solver(shut_the_box())


def some_game(seed, players=2):
    return quick_game(random_game(seed, players, size=10))


def plain_value(game, state, play):
    """The literal recursion, without memory; `play` makes one value of the values of the moves."""
    outcomes = []
    for event in game.chances(state):
        values = [plain_value(game, move, play) for move in game.moves(state, event)]
        ended = tuple(map(Fraction, game.result(state))) if not values else None
        outcomes.append(ended or play(values, game.to_move(state)))
    return mean_of(outcomes)


def mean_of(values):
    return tuple(sum(column) / Fraction(len(values)) for column in zip(*values, strict=True))


def greatest(values, player):
    return max(values, key=lambda value: value[player])


@given(seeds, st.integers(1, 3))
def test_best_play_is_the_plain_recursion(seed, players):
    game = some_game(seed, players)
    assert solver(game)(0) == plain_value(game, 0, greatest)


def plain_policy_value(game, state, choose):
    """The literal recursion for a choice, which gets the values of all moves at every turn."""
    outcomes = []
    for event in game.chances(state):
        turn = turn_at(game, state, event)
        values = {move: plain_policy_value(game, move, choose) for move in turn.moves}
        if turn.moves:
            chosen = choose(turn, [values[move] for move in turn.moves])
            outcomes.append(mean_of([values[move] for move in chosen]))
        else:
            outcomes.append(tuple(map(Fraction, game.result(state))))
    return mean_of(outcomes)


def sometimes_best(turn, values):
    """A choice that looks at the values at some turns alone."""
    return best(turn, values) if turn.state % 3 == 1 else turn.moves[:2]


def last_alone(turn, values):
    """A choice that looks at one value."""
    return turn.moves[-1:] if values[-1][0] > 0 else turn.moves[:1]


def by_event(turn, values):
    """A policy that depends on the event, even where the moves are the same."""
    return turn.moves[:1] if turn.event == "a" else turn.moves[-1:]


@given(
    seeds, st.integers(1, 3), st.sampled_from([sometimes_best, last_alone, by_event]), st.booleans()
)
def test_a_choice_is_worth_its_plain_recursion(seed, players, choose, is_small):
    game = some_game(seed, players)._replace(is_small=is_small)
    assert solver(game, choose)(0) == plain_policy_value(game, 0, choose)


def last_or_by_event(turn):
    """A policy that depends on the event and on the position."""
    return turn.moves[:1] if turn.event == "a" else turn.moves[-1 - turn.state % 2 :]


@given(seeds, st.integers(1, 3), st.sampled_from([uniform, last_or_by_event]), st.booleans())
def test_a_policy_is_worth_its_plain_recursion(seed, players, policy, is_small):
    game = some_game(seed, players)._replace(is_small=is_small)
    expected = plain_policy_value(game, 0, lambda turn, values: policy(turn))
    assert solver(game, policy=policy)(0) == expected
    assert solver(game, lambda turn, values: policy(turn))(0) == expected


def noted(game, asked):
    """`game`, whose `moves` notes the piles that it is asked for."""

    def moves(state, event):
        asked.add(state.coins)
        return game.moves(state, event)

    return game._replace(moves=moves)


@pytest.mark.parametrize("is_small", [True, False])
def test_only_a_policy_without_values_is_spared_the_positions_that_it_does_not_play_to(is_small):
    """The two kinds are told apart by the argument alone, not by what they do."""
    asked, all_asked = set(), set()
    small = pile_game._replace(is_small=is_small)
    takes_two = solver(noted(small, asked), policy=lambda turn: turn.moves[-1:])
    assert takes_two(Pile(20)) == (0, 1)
    assert asked == set(range(0, 21, 2))
    same = solver(noted(small, all_asked), lambda turn, values: turn.moves[-1:])
    assert same(Pile(20)) == (0, 1)
    assert all_asked == set(range(21))


class TakesAny(NamedTuple):
    """A policy without fields, which is an empty tuple."""

    def __call__(self, turn):
        return turn.moves


def test_an_empty_tuple_may_be_a_policy():
    value = solver(pile_game, policy=TakesAny())
    assert value(Pile(8)) == solver(pile_game, policy=uniform)(Pile(8))
    assert value(Pile(8)) != solver(pile_game)(Pile(8))


def test_a_policy_and_a_choice_are_asked_where_there_are_two_moves_or_more():
    turns, values_seen = [], []
    policy = lambda turn: turns.append(turn) or turn.moves[:1]  # noqa: E731
    solver(pile_game, policy=policy)(Pile(5))
    assert {len(turn.moves) for turn in turns} == {2}
    solver(pile_game, lambda turn, values: values_seen.append(values) or turn.moves)(Pile(5))
    assert {len(values) for values in values_seen} == {2}
    assert all(type(number) is Fraction for each in values_seen for v in each for number in v)


def test_best_play_against_a_policy():
    """Player 1 always takes one coin. So player 0 wins from each pile but those of one."""
    one_coin = lambda turn: turn.moves[:1]  # noqa: E731
    value = solver(pile_game, against_best(1, one_coin))
    assert [value(Pile(n))[0] for n in range(1, 10)] == [1] * 9
    assert [value(Pile(n, 1))[0] for n in range(1, 10)] == [0, 1, 1, 1, 1, 1, 1, 1, 1]
    assert value(Pile(3)) != solver(pile_game)(Pile(3))


def test_the_usual_game():
    """The figures that the documentation gives."""
    assert solver(shut_the_box())(full_box())[0] == Fraction(466473281, 6530347008)
    random_play = solver(shut_the_box(), policy=uniform)(full_box())[0]
    assert random_play == Fraction(365353070172711611, 17915176356308582400)


def test_a_pile_of_coins_is_lost_for_the_mover_when_three_divides_it():
    check_pile(solver(pile_game))


def check_pile(value):
    """`value` is right about piles of coins, whoever moves."""
    for coins in range(100):
        for player in (0, 1):
            winner = 1 - player if coins % 3 == 0 else player
            assert value(Pile(coins, player)) == (1 - winner, winner)


def test_a_long_game_is_no_recursion_error():
    assert solver(pile_game)(Pile(5000)) == (1, 0)


def test_a_solver_remembers():
    asked = []

    def moves(state, event):
        asked.append(state)
        return pile_game.moves(state, event)

    value = solver(pile_game._replace(moves=moves))
    value(Pile(50))
    once = len(asked)
    assert value(Pile(50)) == value(Pile(50))
    assert value(Pile(30)) == (0, 1)
    assert len(asked) == once


@given(rules_and_boxes)
def test_the_solver_keeps_the_laws(rules_and_box):
    rules, box = rules_and_box
    game = shut_the_box(rules)
    check_solver(solver(game), game, box)


@given(seeds)
def test_a_policy_may_mix(seed):
    """Naming a move twice plays it twice as often; naming all of them is random play."""
    game = some_game(seed)
    twice = solver(game, lambda turn, _: [*turn.moves, *turn.moves])
    assert twice(0) == solver(game, policy=uniform)(0)
    thrice_first = solver(game, lambda turn, _: [turn.moves[0], turn.moves[0], turn.moves[-1]])
    expected = plain_value(game, 0, lambda values, _: mean_of([values[0], values[0], values[-1]]))
    assert thrice_first(0) == expected
    played = solver(game, policy=lambda turn: [turn.moves[0], turn.moves[0], turn.moves[-1]])
    assert played(0) == expected


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
    game = shut_the_box(Rules(levers=5))
    value = solver(game, **how)
    known = value(game.start)
    again = pickle.loads(pickle.dumps(value))
    assert again(game.start) == known


@pytest.mark.parametrize("state", [{1, 2}, [1], (1, [2])])
def test_a_position_that_cannot_be_a_key_is_refused_in_a_sentence(state):
    with pytest.raises(ValueError, match=r"A position of Shut the Box must be hashable"):
        best_play(state)


# Games that are small enough


def count_of(game, state):
    return len(list(positions(game, state)))


@pytest.mark.parametrize(
    ("game", "state"),
    [(pile_game, Pile(30)), (shut_the_box(Rules(levers=6)), full_box(rules=Rules(levers=6)))],
)
def test_a_game_can_be_solved_if_few_positions_follow(game, state):
    """The first position is not counted."""
    after = count_of(game, state) - 1
    assert is_solvable(game, state, after)
    assert not is_solvable(game, state, after - 1)


def test_the_games_that_can_be_solved():
    assert MOST_POSITIONS == 100_000
    assert is_solvable(shut_the_box(), full_box())
    assert is_solvable(tic_tac_toe, tic_tac_toe.start)
    assert not is_solvable(gomoku, gomoku.start, 1000)
    assert is_solvable(pile_game, Pile(0), 0)


def test_a_game_with_hidden_information_cannot_be_solved():
    """The solver sees what the players do not see."""
    seen = guessing_game._replace(hidden=None)
    assert is_solvable(seen, seen.start)
    assert not is_solvable(guessing_game, guessing_game.start)
