"""The solver, held against plain recursion, against theory, and against every policy."""

from fractions import Fraction
from functools import partial
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from purembts.exact import best, solver, solver_within, uniform
from purembts.fast.engine import search
from purembts.fast.links import linked, links_of, walk, weighted
from purembts.game import turn_at
from purembts.games.shut_the_box import Rules, boxes, full_box, shut_the_box
from purembts.mcts import learnt
from purembts.positions import positions
from purembts.verify.algorithm_laws import check_solver
from purembts.verify.random_games import random_game
from purembts.verify.strategies import rules_and_boxes, seeds
from purembts.workshop import all_boxes
from toys import Pile, persistent_maps, pile_game

best_play = solver(shut_the_box())


def plain_value(game, state, play):
    """The literal recursion: no memory, no order; `play` makes one value of the moves' values."""
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


@settings(max_examples=50)
@given(seeds, st.integers(1, 3))
def test_best_play_is_the_plain_recursion(seed, players):
    game = random_game(seed, players, size=10)
    assert solver(game)(0) == plain_value(game, 0, greatest)


@settings(max_examples=50)
@given(seeds, st.integers(1, 3))
def test_random_play_is_the_plain_recursion(seed, players):
    game = random_game(seed, players, size=10)
    assert solver(game, uniform)(0) == plain_value(game, 0, lambda values, _: mean_of(values))


def plain_policy_value(game, state, choose):
    """The literal recursion for a policy, which gets the values of all moves at every turn."""
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
    """A policy that looks at the values at some turns alone."""
    return best(turn, values) if turn.state % 3 == 1 else turn.moves[:2]


def last_alone(turn, values):
    """A policy that looks at one value."""
    return turn.moves[-1:] if values[-1][0] > 0 else turn.moves[:1]


def by_event(turn, values):
    """A policy that depends on the event, even where the moves are the same."""
    return turn.moves[:1] if turn.event == "a" else turn.moves[-1:]


@settings(max_examples=50)
@given(seeds, st.integers(1, 3), st.sampled_from([sometimes_best, last_alone, by_event]))
def test_a_policy_is_worth_its_plain_recursion(seed, players, choose):
    game = random_game(seed, players, size=10)
    assert solver(game, choose)(0) == plain_policy_value(game, 0, choose)


@given(seeds, st.integers(0, 200), persistent_maps)
def test_a_learnt_policy_is_worth_its_plain_recursion(seed, dives, kind):
    game = random_game(seed, size=10)
    choose = learnt(search(game, kind(), 0, dives, Random(seed)) if dives else kind())
    assert solver(game, choose)(0) == plain_policy_value(game, 0, choose)


def test_a_policy_that_does_not_look_at_the_values_visits_the_positions_that_it_plays_to():
    asked = set()

    def moves(state, event):
        asked.add(state.coins)
        return pile_game.moves(state, event)

    takes_two = solver(pile_game._replace(moves=moves), lambda turn, _values: turn.moves[-1:])
    assert takes_two(Pile(20)) == (0, 1)
    assert asked == set(range(0, 21, 2))


@given(seeds)
def test_a_walk_over_linked_positions_is_that_over_positions(seed):
    game = random_game(seed)
    links = links_of(game)
    walked = walk(links, linked(links, 0), partial(weighted, game))
    assert [position.state for position in walked] == list(positions(game, 0))


def test_a_game_as_long_as_max_turns_is_solved():
    short = pile_game._replace(max_turns=20)
    assert solver(short)(Pile(19)) == (1, 0)
    with pytest.raises(ValueError, match="must end within 20 turns"):
        solver(short)(Pile(20))


def win_probabilities(levers, throws, play):
    """The probability to win from each box, by a loop over bit masks, in a code of its own."""
    known = {0: Fraction(1)}
    for box in range(1, 2**levers):
        total = Fraction(0)
        for throw in throws:
            after = [
                known[box & ~shut]
                for shut in range(1, 2**levers)
                if shut & ~box == 0
                and sum(lever for lever in range(1, levers + 1) if shut >> (lever - 1) & 1) == throw
            ]
            total += play(after) if after else 0
        known[box] = total / len(throws)
    return known


ONE_DIE = range(1, 7)
TWO_DICE = [a + b for a, b in product(ONE_DIE, ONE_DIE)]


@pytest.mark.parametrize(
    ("choose", "play"), [(best, max), (uniform, lambda after: sum(after) / len(after))]
)
@pytest.mark.parametrize(
    ("rules", "throws"),
    [(Rules(), TWO_DICE), (Rules(levers=6, dice=1), ONE_DIE), (Rules(levers=7), TWO_DICE)],
    ids=["usual", "one die", "seven levers"],
)
def test_shut_the_box_is_the_loop_over_bit_masks(rules, throws, choose, play):
    known = win_probabilities(rules.levers, throws, play)
    value = solver(shut_the_box(rules), choose)
    for box in boxes(rules=rules):
        probability = known[sum(1 << (lever - 1) for lever in box)]
        assert value(box) == (probability, 1 - probability)


def test_the_usual_game():
    """The figures that the documentation gives."""
    assert solver(shut_the_box())(full_box())[0] == Fraction(466473281, 6530347008)
    random_play = solver(shut_the_box(), uniform)(full_box())[0]
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


@settings(max_examples=25)
@given(rules_and_boxes, seeds)
def test_the_solver_keeps_the_laws(rules_and_box, seed):
    rules, box = rules_and_box
    game = shut_the_box(rules)
    check_solver(solver(game), game, box, policies=1, seed=seed)


@given(seeds)
def test_a_policy_may_mix(seed):
    """Naming a move twice plays it twice as often; naming all of them is random play."""
    game = random_game(seed, size=10)
    twice = solver(game, lambda turn, _: [*turn.moves, *turn.moves])
    assert twice(0) == solver(game, uniform)(0)
    thrice_first = solver(game, lambda turn, _: [turn.moves[0], turn.moves[0], turn.moves[-1]])
    assert thrice_first(0) == plain_value(
        game, 0, lambda values, _: mean_of([values[0], values[0], values[-1]])
    )


@pytest.mark.parametrize("answer", [(), ("x",), (Pile(1, 1),), None])
def test_a_policy_that_answers_with_something_else_is_refused(answer):
    value = solver(pile_game, lambda _turn, _values: answer)
    with pytest.raises(ValueError, match=r"A policy must answer with moves of its turn"):
        value(Pile(10))


@settings(max_examples=50)
@given(st.sampled_from(all_boxes))
def test_values_are_probabilities(box):
    won, lost = best_play(box)
    assert won + lost == 1
    assert 0 <= won <= 1


def test_a_function_that_makes_a_game_is_no_game():
    with pytest.raises(ValueError, match="`game` must be a Game, for example shut_the_box"):
        solver(shut_the_box)


def test_a_policy_that_answers_with_one_wrong_move_among_right_ones_is_refused():
    value = solver(pile_game, lambda turn, _values: (*turn.moves, Pile(99)))
    with pytest.raises(ValueError, match=r"A policy must answer with moves of its turn"):
        value(Pile(3))


def test_a_value_of_the_game_is_taken_whatever_the_size():
    known = pile_game._replace(value=lambda pile: (Fraction(1, 3), Fraction(2, 3)))
    assert solver_within(known, Pile(9), 1)(Pile(9)) == (Fraction(1, 3), Fraction(2, 3))
    assert solver_within(known, Pile(9), 1, uniform) is None
    assert solver_within(known, Pile(9), 100, uniform)(Pile(9)) == solver(known, uniform)(Pile(9))
    assert solver_within(pile_game, Pile(9), 1) is None
