"""A game that breaks the rules of games is an error that names the position, never a hang."""

import re
from random import Random

import pytest

from purembts import mcts
from purembts.exact import solver, uniform
from purembts.fast import engine
from purembts.game import Game, plain_playout, playout, turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin, pile
from purembts.play import match, move_called, play_game
from purembts.players import random_player, think
from purembts.positions import positions
from purembts.simulation import look_up_table, simulate, simulate_crowd
from purembts.verify.position_laws import games_end_with_a_result
from purembts.verify.strategies import Line

countdown = Game(
    moves=lambda n, event: (n - 1, n - 2) if n > 1 else (),
    result=lambda n: (1, 0) if n else (0, 1),
    to_move=lambda n: n % 2,
    name="Countdown",
)

USES = {
    "uct": lambda game: mcts.uct(game, {}, 5, Random(1)),
    "search": lambda game: engine.search(game, {}, 5, 50, Random(1)),
    "search in parallel": lambda game: engine.search_parallel(game, {}, 5, 50, seed=1, chunks=2),
    "solver": lambda game: solver(game)(5),
    "simulate": lambda game: simulate(game, 5, 20, Random(1)),
    "crowd": lambda game: simulate_crowd(game, 5, 20, Random(1)),
    "look_up_table": lambda game: look_up_table(game, [5], 20, Random(1)),
    "play_game": lambda game: play_game(game, 5, (random_player,) * game.players, Random(1)),
    "positions": lambda game: list(positions(game, 5)),
}
BROKEN = {
    "moves is a generator": (
        countdown._replace(moves=lambda n, event: (m for m in (n - 1, n - 2) if m >= 0)),
        "`moves` of Countdown must return a sequence, for example a tuple; got <generator .* at 5",
    ),
    "moves is a set": (
        countdown._replace(moves=lambda n, event: {n - 1, n - 2} if n > 1 else set()),
        r"`moves` of Countdown must return a sequence, .*; got \{3, 4\} at 5",
    ),
    "moves takes no event": (
        countdown._replace(moves=lambda n: ()),
        r"`moves` of Countdown must have a value for \(5, None\); got TypeError: .*argument",
    ),
    "to_move takes nothing": (
        countdown._replace(to_move=lambda: 0),
        r"`to_move` of Countdown must have a value for \(5,\); got TypeError: .*argument",
    ),
    "to_move counts from one": (
        countdown._replace(to_move=lambda n: 2),
        "`to_move` of Countdown must be from 0 to 1; got 2 at 5",
    ),
    "chances takes two": (
        countdown._replace(chances=lambda n, event: (None,)),
        r"`chances` of Countdown must have a value for \(5,\); got TypeError: .*missing",
    ),
    "chances is empty": (
        countdown._replace(chances=lambda n: ()),
        r"`chances` of Countdown must return a sequence, with at least one event, .*got \(\) at 5",
    ),
    "chances is a set": (
        countdown._replace(chances=lambda n: {1, 2}),
        r"`chances` of Countdown must return a sequence, .*; got \{1, 2\} at 5",
    ),
}


@pytest.mark.parametrize(("game", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_a_game_that_answers_wrongly_is_refused_at_its_first_position(game, message):
    for use in USES.values():
        with pytest.raises(ValueError, match=message):
            use(game)


@pytest.mark.parametrize("name", ["moves is a generator", "moves is a set"])
def test_moves_are_checked_at_every_position_of_a_search(name):
    game, message = BROKEN[name]
    grown = engine.search(countdown, {}, 5, 9)
    for dive in (mcts.uct, lambda game, tree, state: engine.search(game, tree, state, 50)):
        with pytest.raises(ValueError, match=message):
            dive(game, grown, 5)


LATER = {
    "a generator": (lambda n, event: iter(()) if n < 3 else (n - 1,), "must return a sequence"),
    "a set": (lambda n, event: {n - 1} if n < 3 else (n - 1,), r"must return a sequence.*got \{"),
}


@pytest.mark.parametrize(("moves", "message"), LATER.values(), ids=LATER.keys())
def test_a_random_game_names_the_position_where_the_moves_are_wrong(moves, message):
    with pytest.raises(ValueError, match=f"`moves` of Countdown {message}.* at 2"):
        plain_playout(countdown._replace(moves=moves), 5)


def test_an_error_inside_the_rules_is_the_cause_of_the_sentence():
    broken = countdown._replace(result=lambda n: {}[n], moves=lambda n, event: ())
    message = r"`result` of Countdown must have a value for \(5,\); got KeyError: 5"
    with pytest.raises(ValueError, match=message) as refused:
        plain_playout(broken, 5)
    assert isinstance(refused.value.__cause__, KeyError)


RESULTS = {
    "too long": (lambda n: (1, 0, 0), r"a tuple of 2 scores; got \(1, 0, 0\)"),
    "a list": (lambda n: [1, 0], r"a tuple of 2 scores; got \[1, 0\]"),
    "a number": (lambda n: 1, "a tuple of 2 scores; got 1"),
    "too high": (lambda n: (2, 0), r"scores from 0 to 1, `score_range`; got \(2, 0\)"),
    "words": (lambda n: ("win", "loss"), r"scores from 0 to 1, .*; got \('win', 'loss'\)"),
    "not a number": (lambda n: (float("nan"), 0), r"scores from 0 to 1, .*; got \(nan, 0\)"),
}


@pytest.mark.parametrize(("result", "message"), RESULTS.values(), ids=RESULTS.keys())
def test_a_result_that_cannot_be_is_refused(result, message):
    for use in ("uct", "search", "solver", "simulate", "crowd", "play_game"):
        with pytest.raises(ValueError, match=f"A result of Countdown must be {message} from"):
            USES[use](countdown._replace(result=result))
    with pytest.raises(ValueError, match=f"A result of Countdown must be {message} from"):
        games_end_with_a_result.check(countdown._replace(result=result), Line((0,)), 0, Random(1))


circle = countdown._replace(moves=lambda n, event: ((n + 1) % 7,), max_turns=1000)


@pytest.mark.parametrize("use", ["uct", "search", "simulate", "play_game"])
def test_a_game_without_an_end_is_an_error(use):
    message = "Countdown must end within 1,000 turns, its `max_turns`; got to [0-6] without an end"
    with pytest.raises(ValueError, match=message):
        USES[use](circle)


@pytest.mark.parametrize("use", ["solver", "crowd", "positions"])
def test_a_position_that_comes_back_is_named(use):
    with pytest.raises(ValueError, match="must not come back within a game; got 5 again after 4"):
        USES[use](circle)


def test_a_search_among_known_positions_that_come_back_is_an_error():
    """Some of its random games end, so the search knows all positions before it goes in circles."""
    moves = {0: (1,), 1: (0, 2), 2: ()}
    game = countdown._replace(moves=lambda n, event: moves[n], max_turns=500)
    lost = game._replace(result=lambda n: (0, 1), to_move=lambda n: 0)
    tree = {n: mcts.Record(3, (0, 3)) for n in (0, 1)} | {2: mcts.Record(10**6, (0, 10**6))}
    for dive in (lambda: mcts.uct(lost, tree, 0), lambda: engine.search(lost, tree, 0, 9)):
        with pytest.raises(ValueError, match="must end within 500 turns"):
            dive()


def test_the_limit_of_turns_can_be_set():
    long = countdown._replace(moves=lambda n, event: (n - 1,) if n else (), max_turns=1000)
    assert playout(long, 999) == (0, 1)
    with pytest.raises(ValueError, match="must end within 1,000 turns"):
        plain_playout(long, 1000)
    assert plain_playout(long._replace(max_turns=2000), 1000) == (0, 1)


endless_line = countdown._replace(moves=lambda n, event: (n + 1,), max_turns=50)


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
def test_a_line_without_an_end_is_an_error(use):
    with pytest.raises(ValueError, match="Countdown must end within 50 turns"):
        use(endless_line)


FACTS = {
    "players": ["2", 2.0, 0, None, True],
    "max_turns": [None, "9", float("inf"), 0],
    "score_range": [1, (0, 0), (1, 0), (0, float("inf")), (0, 1, 2), ("a", "b")],
}


@pytest.mark.parametrize("fact", FACTS)
def test_a_wrong_fact_is_refused(fact):
    for use in ("uct", "search", "solver", "simulate", "crowd"):
        for wrong in FACTS[fact]:
            with pytest.raises(ValueError, match=f"`{fact} of Countdown`|`{fact}` of Countdown"):
                USES[use](countdown._replace(**{fact: wrong}))


def test_a_policy_may_answer_with_a_generator():
    by_random = solver(countdown, policy=uniform)(5)
    assert solver(countdown, lambda turn, values: (move for move in turn.moves))(5) == by_random
    assert solver(countdown, policy=lambda turn: (move for move in turn.moves))(5) == by_random


def test_positions_may_be_as_long_a_line_as_a_game_has_turns():
    line = Game(
        moves=lambda state, event: (state - 1,) if state else (),
        result=lambda state: (1, 0),
        to_move=lambda state: 0,
        name="a line",
        players=2,
        max_turns=11,
    )
    assert list(positions(line, 10)) == list(range(11))
    with pytest.raises(ValueError, match="a line must end within 11 turns"):
        list(positions(line, 11))


def test_a_game_has_two_players_a_point_to_share_and_no_chance_by_default():
    game = Game(moves=lambda s, e: (), result=lambda s: (1, 0), to_move=lambda s: 0)
    assert game.chances(0) == (None,)
    assert (game.name, game.players, game.score_range, game.score_sum) == ("A game", 2, (0, 1), 1)
    assert (game.start, game.rules, game.json, game.hidden, game.playout) == (None,) * 5
    assert game.max_turns == 100_000


TWO = (random_player, random_player)
later = countdown._replace(chances=lambda n: (None,) if n > 3 else ())
counted = countdown._replace(to_move=lambda n: 1 + (n + 1) % 2)
rollouts = iter([(1, 0), (1, 0), (0, 9)])
circling = countdown._replace(moves=lambda n, event: {5: (1,), 1: (2,), 2: (3, 1), 3: ()}[n])
no_integer = countdown._replace(to_move=lambda n: 0.0)
REFUSED = {
    r"`rng` must be a generator.*; got 7": (
        lambda: mcts.uct(countdown, {}, 5, 7),
        lambda: engine.search(countdown, {}, 5, 50, 7),
        lambda: simulate(countdown, 5, 20, 7),
        lambda: play_game(countdown, 5, TWO, 7),
    ),
    r"Big Two must have a value for \(None.*AttributeError": (
        lambda: engine.search(big_two(), {}, big_two().start, 50, Random(1)),
    ),
    r"`choose` must be a function of a turn; got 5": (lambda: solver(countdown, 5),),
    r"`policy` must be a function of a turn; got 5": (lambda: solver(countdown, policy=5),),
    r"`to_move` of Countdown must be from 0 to 1; got 2 at [0-9]": (
        lambda: USES["search"](counted),  # at the start the answer is an index by chance
        lambda: USES["solver"](counted),
        lambda: USES["play_game"](counted),
    ),
    r"`to_move` of Countdown must be from 0 to 1; got 0\.0": (lambda: USES["search"](no_integer),),
    r"`strategies` must be a sequence of at least 2 for Countdown; got": (
        lambda: match(countdown, (), 9, seed=7, start=5),
        lambda: match(countdown, TWO[:1], 9, seed=7, start=5),
    ),
    r"`game` must be a Game": (
        lambda: match("coins", TWO, 9, seed=7),
        lambda: play_game("coins", 5, TWO),
        lambda: mcts.uct("coins", {}, 5),
    ),
    r"`turn` must be a Turn, .*; got 5": (lambda: think(countdown, {}, 5, 9),),
    r"`chances` of Countdown must return a sequence": (
        lambda: plain_playout(later, 5, Random(1)),
        lambda: play_game(later, 5, TWO),
    ),
    r"got \(0, 9\)": (
        lambda: mcts.uct(countdown, {}, 5, rollouts=3, default_policy=lambda *_: next(rollouts)),
    ),
    r"of Countdown must not come back within a game; got 1 again": (
        lambda: list(positions(circling, 5)),
    ),
}
"""Messages about wrong arguments and answers, and uses that they refuse."""


@pytest.mark.parametrize(("message", "uses"), REFUSED.items())
def test_a_wrong_argument_or_answer_is_refused(message, uses):
    for use in uses:
        with pytest.raises(ValueError, match=message):
            use()


@pytest.mark.parametrize(("n", "listed"), [(1, 1), (11, 11), (12, 12), (13, 12), (20, 12)])
def test_at_most_12_moves_are_listed(n, listed):
    takes = last_coin(range(1, n + 1))
    turn = turn_at(takes, pile(50), None)
    names = ", ".join(f"take {k}" for k in range(1, listed + 1))
    rest = f" and {n - listed} more" if n > listed else ""
    message = f"The move must be one of these: {names}{rest}; got 'x'."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        move_called(takes, turn, "x")
