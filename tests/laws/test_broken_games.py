"""A game that breaks the rules of games is an error that names the position, never a hang."""

import re
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest

from purembts import mcts
from purembts.display import Codec
from purembts.exact import solver, uniform
from purembts.fast import engine
from purembts.game import Game, plain_playout, playout, turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin, pile
from purembts.jsonl import lines, tree_in
from purembts.play import match, move_called, play_game
from purembts.players import random_player
from purembts.positions import positions
from purembts.proving import backed_up, settled
from purembts.simulation import simulate
from purembts.verify.position_laws import games_end_with_a_result
from purembts.verify.strategies import Walk

countdown = Game(
    moves=lambda n, event: (n - 1, n - 2) if n > 1 else (),
    result=lambda n: (1, 0) if n else (0, 1),
    to_move=lambda n: n % 2,
    name="Countdown",
)
TWO = (random_player, random_player)
known = engine.search(countdown, {}, 5, 9)
USES = {
    "uct": lambda game: mcts.uct(game, {}, 5, Random(1)),
    "search": lambda game: engine.search(game, {}, 5, 50, Random(1)),
    "search in parallel": lambda game: engine.search_parallel(game, {}, 5, 50, seed=1, chunks=2),
    "solver": lambda game: solver(game)(5),
    "simulate": lambda game: simulate(game, 5, 20, Random(1)),
    "play_game": lambda game: play_game(game, 5, (random_player,) * game.players, Random(1)),
    "positions": lambda game: list(positions(game, 5)),
    "uct of a known tree": lambda game: mcts.uct(game, known, 5),
    "search of a known tree": lambda game: engine.search(game, known, 5, 50),
    "settled": lambda game: settled(game, known, 5),
    "backed up": lambda game: backed_up(game, known, 5),
    "law": lambda game: games_end_with_a_result.check(game, Walk((0,)), 0, Random(1)),
}
FIRST = ("uct", "search", "search in parallel", "simulate", "play_game")
KNOWN = ("uct of a known tree", "search of a known tree")
FOLDS = ("settled", "backed up")
RESULTS = ("uct", "search", "simulate", "law")
FACTS = ("uct", "search", "solver", "simulate")
PLAYS = ("uct", "search", "simulate", "play_game")
BACK = "must not come back within a game; got 5 again after 4"
ENDLESS = "Countdown must end within 1,000 turns, its `max_turns`; got to [0-6] without an end"


def circle(n, event):
    return ((n + 1) % 7,)


class Twin:
    """A position that is equal to its like, and has another hash."""

    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return id(self)


def twins(n, event):
    return (Twin(1), Twin(2)) if event else ()


BROKEN = [
    (
        ("uct", "search", "search in parallel", "solver", "simulate"),
        {"moves": twins, "chances": lambda n: (0, 1)},
        r"`moves` of Countdown must have the same value again; .* need `__eq__` and `__hash__`",
    ),
    (
        (*FIRST, *KNOWN),
        {"moves": lambda n, event: (m for m in (n - 1, n - 2) if m >= 0)},
        "`moves` of Countdown must return a sequence, for example a tuple; got <generator .* at 5",
    ),
    (
        (*FIRST, "solver"),
        {"moves": lambda n: ()},
        r"`moves` of Countdown must have a value for \(5, None\); got TypeError: .*argument",
    ),
    (
        (*FIRST, "solver"),
        {"to_move": lambda: 0},
        r"`to_move` of Countdown must have a value for \(5,\); got TypeError: .*argument",
    ),
    (
        (*FIRST, *FOLDS, "solver"),
        {"to_move": lambda n: 2},
        "`to_move` of Countdown must be an int from 0 to 1; got 2 at 5",
    ),
    (
        FIRST,
        {"to_move": lambda n: True},
        "`to_move` of Countdown must be an int from 0 to 1; got True at 5",
    ),
    (
        (*FIRST, "solver"),
        {"chances": lambda n, event: (None,)},
        r"`chances` of Countdown must have a value for \(5,\); got TypeError: .*missing",
    ),
    (
        (*FIRST, "solver"),
        {"chances": lambda n: ()},
        r"`chances` of Countdown must return a sequence, with at least one event, .*got \(\) at 5",
    ),
    (
        FIRST,
        {"chances": lambda n: {1, 2}},
        r"`chances` of Countdown must return a sequence, .*; got \{1, 2\} at 5",
    ),
    (PLAYS, {"moves": circle, "max_turns": 1000}, ENDLESS),
    (("solver", "positions"), {"moves": circle, "max_turns": 1000}, BACK),
    (
        FIRST,
        {"moves": lambda n, event: (n + 1,), "max_turns": 50},
        "Countdown must end within 50 turns",
    ),
    (
        FIRST,
        {"moves": lambda n, event: (n - 1,), "max_turns": 1},
        "must end within 1 turn, its `max",
    ),
    *(
        (RESULTS, {"result": lambda n, result=result: result}, f"must be {message} from")
        for result, message in [
            ((1, 0, 0), r"a tuple of 2 scores; got \(1, 0, 0\)"),
            ([1, 0], r"a tuple of 2 scores; got \[1, 0\]"),
            (1, "a tuple of 2 scores; got 1"),
            ((2, 0), r"scores from 0 to 1, `score_range`; got \(2, 0\)"),
            (("win", "loss"), r"scores from 0 to 1, each an int.*; got \('win', 'loss'\)"),
            ((float("nan"), 0), r"scores from 0 to 1, .*; got \(nan, 0\)"),
            (
                (Decimal(1), Decimal(0)),
                r"scores from 0 to 1, each an int, a float or a Fraction; .*",
            ),
        ]
    ),
    (FOLDS, {"result": lambda n: ("one", "0")}, "A result of Countdown must be"),
    (FOLDS, {"result": lambda n: None}, "A result of Countdown must be"),
    (RESULTS, {"players": 1, "to_move": lambda n: 0}, r"a tuple of 1 score; got \([01], [01]\)"),
    *(
        (FACTS, {fact: wrong}, f"`{fact}` of Countdown must be")
        for fact, values in {
            "players": ["2", 2.0, 0, None, True],
            "max_turns": [None, "9", float("inf"), 0],
            "score_range": [1, (0, 0), (1, 0), (0, float("inf")), (0, 1, 2), ("a", "b")],
        }.items()
        for wrong in values
    ),
]
"""Uses that refuse a changed game, the change, and the message."""


@pytest.mark.parametrize(("uses", "change", "message"), BROKEN)
def test_a_game_that_answers_wrongly_is_refused(uses, change, message):
    for use in uses:
        with pytest.raises(ValueError, match=message):
            USES[use](countdown._replace(**change))


lost = countdown._replace(
    moves=lambda n, event: {0: (1,), 1: (0, 2), 2: ()}[n],
    result=lambda n: (0, 1),
    to_move=lambda n: 0,
    max_turns=500,
)
seen = {n: mcts.Record(3, (0, 3)) for n in (0, 1)} | {2: mcts.Record(10**6, (0, 10**6))}
"""Some random games end, so a search knows all positions before it goes in circles."""
later = countdown._replace(chances=lambda n: (None,) if n > 3 else ())
counted = countdown._replace(to_move=lambda n: 1 + (n + 1) % 2)
circling = countdown._replace(moves=lambda n, event: {5: (1,), 1: (2,), 2: (3, 1), 3: ()}[n])
line = countdown._replace(moves=lambda n, event: (n - 1,) if n else (), max_turns=11)
iterators = countdown._replace(moves=lambda n, event: iter(()) if n < 3 else (n - 1,))
sets = countdown._replace(moves=lambda n, event: {n - 1} if n < 3 else (n - 1,))
REFUSED = {
    r"Big Two must have a value for \(None.*AttributeError": (
        lambda: engine.search(big_two(), {}, big_two().start, 50, Random(1)),
    ),
    r"`choose` must be a function of a turn; got 5": (lambda: solver(countdown, 5),),
    r"`policy` must be a function of a turn; got 5": (lambda: solver(countdown, policy=5),),
    r"`to_move` of Countdown must be an int from 0 to 1; got 2 at [0-9]": (
        lambda: USES["search"](counted),  # at the start the answer is an index by chance
        lambda: USES["solver"](counted),
    ),
    r"`to_move` of Countdown must be an int from 0 to 1; got 0\.0": (
        lambda: USES["search"](countdown._replace(to_move=lambda n: 0.0)),
    ),
    r"`strategies` must be a sequence of at least 2 for Countdown; got": (
        lambda: match(countdown, TWO[:1], 9, seed=7, start=5),
    ),
    r"`chances` of Countdown must return a sequence": (
        lambda: simulate(later, 5, 9, Random(1)),
        lambda: play_game(later, 5, TWO),
    ),
    r"of Countdown must not come back within a game; got 1 again": (
        lambda: list(positions(circling, 5)),
    ),
    "must end within 500 turns": (
        lambda: mcts.uct(lost, seen, 0),
        lambda: engine.search(lost, seen, 0, 9),
    ),
    "Countdown must end within 11 turns": (
        lambda: list(positions(line, 11)),
        lambda: plain_playout(line, 11),
    ),
    "`moves` of Countdown must return a sequence.* at 2": (
        lambda: simulate(iterators, 5, 9),
        lambda: mcts.uct(iterators, {}, 5),
    ),
    r"`moves` of Countdown must return a sequence.*got \{1\} at 2": (lambda: simulate(sets, 5, 9),),
}
"""Messages about wrong arguments and answers, and uses that they refuse."""


@pytest.mark.parametrize(("message", "uses"), REFUSED.items())
def test_a_wrong_argument_or_answer_is_refused(message, uses):
    for use in uses:
        with pytest.raises(ValueError, match=message):
            use()


thirds = countdown._replace(result=lambda n: (Fraction(1, 3), Fraction(2, 3)))


def test_fractions_are_scores():
    """Those of every record, and of a file."""
    tree = engine.search(thirds, {}, 5, 30, Random(1))
    assert tree[5] == mcts.Record(30, (10, 20))
    assert simulate(thirds, 5, 3) == mcts.Record(3, (1, 2))
    saved = thirds._replace(json=Codec(int, int), start=5)
    one = {5: mcts.Record(1, (Fraction(1, 3), Fraction(2, 3)))}
    assert tree_in(saved, lines(saved, one)) == one


def test_an_error_inside_the_rules_is_the_cause_of_the_sentence():
    broken = countdown._replace(result=lambda n: {}[n], moves=lambda n, event: ())
    message = r"`result` of Countdown must have a value for \(5,\); got KeyError: 5"
    with pytest.raises(ValueError, match=message) as refused:
        simulate(broken, 5, 9)
    assert isinstance(refused.value.__cause__, KeyError)


def test_a_game_may_be_as_long_as_its_limit_of_turns():
    assert playout(line, 10) == plain_playout(line._replace(max_turns=12), 11) == (0, 1)
    assert list(positions(line, 10)) == list(range(11))


def test_a_policy_may_answer_with_a_generator():
    by_random = solver(countdown, policy=uniform)(5)
    assert solver(countdown, lambda turn, values: (move for move in turn.moves))(5) == by_random
    assert solver(countdown, policy=lambda turn: (move for move in turn.moves))(5) == by_random


def test_a_game_has_two_players_a_point_to_share_and_no_chance_by_default():
    game = Game(moves=lambda s, e: (), result=lambda s: (1, 0), to_move=lambda s: 0)
    assert game.chances(0) == (None,)
    assert (game.name, game.players, game.score_range, game.score_sum) == ("A game", 2, (0, 1), 1)
    assert (game.start, game.rules, game.json, game.hidden, game.playout) == (None,) * 5
    assert game.max_turns == 100_000


@pytest.mark.parametrize(("n", "listed"), [(1, 1), (11, 11), (12, 12), (13, 12), (20, 12)])
def test_at_most_12_moves_are_listed(n, listed):
    takes = last_coin(range(1, n + 1))
    turn = turn_at(takes, pile(50), None)
    names = ", ".join(f"take {k}" for k in range(1, listed + 1))
    rest = f" and {n - listed} more" if n > listed else ""
    message = f"The move must be one of these: {names}{rest}; got 'x'."
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        move_called(takes, turn, "x")
