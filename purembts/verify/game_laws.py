"""The laws that every game keeps: a check of each, at the last position of a line of moves.

`LAWS` has all of them. `checking.check` tries them on lines that Hypothesis draws. A check raises
an AssertionError if the law is broken. It may also raise any error of the game's own functions.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from enum import Enum
from itertools import islice, pairwise
from math import isclose
from random import Random
from statistics import median
from typing import Any, NamedTuple, TypeAlias, TypeVar

from purembts.checks import brief
from purembts.game import (
    Game,
    check_game,
    checked_moves,
    checked_player,
    checked_result,
    plain_playout,
    result_of,
)
from purembts.records import Scores
from purembts.verify.statistics import (
    assert_same,
    assert_uniform,
    smallest_distance,
    smallest_share,
)
from purembts.verify.strategies import Line

AnyGame: TypeAlias = Game[Any, Any]
State: TypeAlias = Any
"""A position of any game."""
T = TypeVar("T")
Check: TypeAlias = Callable[[AnyGame, Line, Random], None]
"""A check of a law on a line of moves: an AssertionError, or any other error, if it is broken."""

TURNS = 50_000
"""The turns that are played to compare a game's own playout with the plain one."""
WORLDS = 5_000
"""The worlds that are drawn from a view to see if they are uniform."""
MOST_WORLDS = 100
"""The most different worlds for which that is tried."""


class Law(NamedTuple):
    """A law of games, with what to do about a game that breaks it."""

    name: str
    check: Check
    advice: str
    concerns: Callable[[AnyGame], bool] = lambda _: True
    """True for the games that have the part that the law is about."""
    most: int | None = None
    """The most lines to try, for a law that takes long; None for no limit of its own."""


def _require(holds: bool, message: str) -> None:
    """Raise an AssertionError with `message` unless the law holds."""
    if not holds:
        raise AssertionError(message)


# The four functions


def check_facts(game: AnyGame, line: Line, rng: Random) -> None:
    """The facts of the game are right, and its functions have values at the position."""
    check_game(game, line.positions[-1])


def check_moves(game: AnyGame, line: Line, rng: Random) -> None:
    """Events and moves are sequences. The moves are different, and each changes the position."""
    state = line.positions[-1]
    for event in _events(game, state):
        moves = checked_moves(game, state, event)
        twice = [move for move, times in Counter(moves).items() if times > 1]
        _require(not twice, f"{brief(twice[:1])[1:-1]} is listed twice{_at(state, event)}.")
        _require(state not in moves, f"A move changes nothing{_at(state, event)}.")
        if moves:
            checked_player(game, state)


def check_no_return(game: AnyGame, line: Line, rng: Random) -> None:
    """No position comes back within a game."""
    seen: set[Any] = set()
    for before, after in pairwise(line.positions):
        seen.add(before)
        _require(after not in seen, f"{brief(after)} comes back after {brief(before)}.")
    state = line.positions[-1]
    for event in _events(game, state):
        for move in checked_moves(game, state, event):
            _require(move not in seen, f"{brief(move)} comes back after {brief(state)}.")


def check_results(game: AnyGame, line: Line, rng: Random) -> None:
    """Where the game has ended, the result has the right length, range and sum."""
    state = line.positions[-1]
    if any(not checked_moves(game, state, event) for event in _events(game, state)):
        _check_sum(game, state, result_of(game, state))


def _check_sum(game: AnyGame, state: State, result: Scores) -> None:
    holds = game.score_sum is None or isclose(sum(result), game.score_sum, abs_tol=1e-9)
    _require(
        holds,
        f"The scores must add up to {game.score_sum}, `score_sum`; "
        f"got {brief(result)} from {brief(state)}.",
    )


def check_same_again(game: AnyGame, line: Line, rng: Random) -> None:
    """A function that is called again has the same value, and a call changes no position."""
    state = line.positions[-1]
    before, first = deepcopy(state), _answers(game, state)
    second = _answers(game, state)
    _require(state == before, f"The functions changed the position {brief(before)}.")
    for (call, one), (_, other) in zip(first, second, strict=True):
        _require(
            one == other,
            f"`{call}` has another value when it is called again{_at(state)}: "
            f"{brief(one)}, then {brief(other)}.",
        )


def check_values(game: AnyGame, line: Line, rng: Random) -> None:
    """Positions are hashable and immutable. Equal positions have equal moves in the same order."""
    state = line.positions[-1]
    hash(state)
    changeable = _changeable(state)
    _require(not changeable, f"A position must be immutable; got {changeable} in {brief(state)}.")
    answers = _answers(game, state)
    for twin in _twins(state):
        _require(
            twin == state and hash(twin) == hash(state),
            f"A copy of a position must be equal to it, with the same hash; got {brief(state)}.",
        )
        for (call, one), (_, other) in zip(answers, _answers(game, twin), strict=True):
            _require(
                one == other,
                f"`{call}` has another value for an equal position, built in another way"
                f"{_at(state)}: {brief(one)}, then {brief(other)}.",
            )


def check_end(game: AnyGame, line: Line, rng: Random) -> None:
    """A random game ends within `max_turns` turns, with a result."""
    state = line.positions[-1]
    _check_sum(game, state, checked_result(game, state, plain_playout(game, state, rng)))


# The optional parts


def check_labels(game: AnyGame, line: Line, rng: Random) -> None:
    """Positions have a text, and moves have names. The moves of a turn have different names."""
    state = line.positions[-1]
    text = game.display.show(state)
    _require(isinstance(text, str), f"`show` must return a text; got {brief(text)}.")
    for event in _events(game, state):
        labels = [game.display.label(state, move) for move in checked_moves(game, state, event)]
        wrong = [label for label in labels if not isinstance(label, str)]
        _require(not wrong, f"`label` must return a text; got {brief(wrong[:1])[1:-1]}.")
        twice = [label for label, times in Counter(labels).items() if times > 1]
        _require(not twice, f"Two moves have the name {brief(twice[:1])[1:-1]}{_at(state, event)}.")


def check_pickle(game: AnyGame, line: Line, rng: Random) -> None:
    """The game and its positions can be pickled, and come out as the same game."""
    state = line.positions[-1]
    try:
        again, twin = pickle.loads(pickle.dumps((game, state)))
    except Exception as error:
        raise AssertionError(f"Pickling raises {type(error).__name__}: {error}") from error
    _require(twin == state, f"{brief(state)} comes back as {brief(twin)}.")
    _require(
        _answers(again, state) == _answers(game, state),
        f"The pickled game has other answers{_at(state)}.",
    )


def check_json(game: AnyGame, line: Line, rng: Random) -> None:
    """Each position has a JSON value of its own, and comes back from it."""
    written: dict[str, Any] = {}
    for state in line.positions:
        assert game.json
        text = json.dumps(game.json.encode(state), allow_nan=False)
        other = written.setdefault(text, state)
        _require(other == state, f"{brief(other)} and {brief(state)} are both written {text}.")
        again = game.json.decode(json.loads(text))
        _require(
            again == state and hash(again) == hash(state),
            f"{brief(state)} is written {text} and comes back as {brief(again)}.",
        )


def check_playout(game: AnyGame, line: Line, rng: Random) -> None:
    """The game's own playout has the distribution of results of the plain one.

    The test states its effect: the smallest total variation distance that it catches. Where there
    are more than 20 different results, scores above their median are counted instead.
    """
    state = line.positions[-1]
    n = _games_to_compare(game, state, rng)
    assert game.playout
    own = [checked_result(game, state, game.playout(game, state, rng)) for _ in range(n)]
    for result in set(own):
        _check_sum(game, state, result)
    plain = [plain_playout(game, state, rng) for _ in range(n)]
    one, other = _outcomes(own, plain)
    ways = len({**one, **other})
    if ways > 1:
        assert_same(one, other, effect=smallest_distance(n, ways) * 1.01)


def _games_to_compare(game: AnyGame, state: State, rng: Random) -> int:
    """The number of games from `state` that take about `TURNS` turns, 200 to 5,000."""
    turns = 1
    while (moves := game.moves(state, _one(game.chances(state), rng))) and turns < TURNS:
        state, turns = _one(moves, rng), turns + 1
    return max(200, min(5_000, TURNS // turns))


def _one(items: Sequence[T], rng: Random) -> T:
    return items[int(rng.random() * len(items))]


def _outcomes(own: list[Any], plain: list[Any]) -> tuple[Counter[Any], Counter[Any]]:
    """The numbers of cases of each result; with many results, of the scores above their median."""
    if len({*own, *plain}) <= 20:
        return Counter(own), Counter(plain)
    medians = [median(scores) for scores in zip(*(own + plain), strict=True)]

    def above(result: State) -> tuple[bool, ...]:
        return tuple(score > m for score, m in zip(result, medians, strict=True))

    return Counter(map(above, own)), Counter(map(above, plain))


def check_views(game: AnyGame, line: Line, rng: Random) -> None:
    """A world that fits a view gives the same view. The player to move has the same moves in it."""
    state = line.positions[-1]
    assert game.hidden
    for player in range(game.players):
        view = game.hidden.view(state, player)
        hash(view)
        for world in islice(game.hidden.worlds(view, rng), 5):
            other = game.hidden.view(world, player)
            _require(
                other == view,
                f"The view of player {player} shows what is hidden, or a world does not fit it: "
                f"{brief(view)}{_at(state)}, but {brief(other)} at the world {brief(world)}.",
            )
            _require(
                game.to_move(world) != player or _seen(game, world) == _seen(game, state),
                f"Player {player} has other moves at the world {brief(world)}{_at(state)}.",
            )


def _seen(game: AnyGame, state: State) -> list[set[Any]]:
    """The moves after each event, in the views of the player to move."""
    assert game.hidden
    view, player = game.hidden.view, game.to_move(state)
    return [
        {view(move, player) for move in game.moves(state, event)} for event in game.chances(state)
    ]


def check_worlds(game: AnyGame, line: Line, rng: Random) -> None:
    """The worlds of a view are equally likely, where there are few of them."""
    state = line.positions[-1]
    assert game.hidden
    view = game.hidden.view(state, game.to_move(state))
    counts = Counter(islice(game.hidden.worlds(view, rng), WORLDS))
    _require(counts.total() == WORLDS, f"`worlds` must have no end; it ended{_at(state)}.")
    if 1 < len(counts) <= MOST_WORLDS:
        share = smallest_share(WORLDS, len(counts)) * 1.01
        assert_uniform(sorted(counts.values()), effect=share)


def check_symmetries(game: AnyGame, line: Line, rng: Random) -> None:
    """A symmetry of the game maps the moves of a position to those of its image."""
    state = line.positions[-1]
    for mirror in game.symmetries:
        image = mirror(state)
        for event in _events(game, state):
            moves = checked_moves(game, state, event)
            _require(
                {mirror(move) for move in moves} == set(checked_moves(game, image, event)),
                f"The moves of the image {brief(image)} are not the images of the moves"
                f"{_at(state, event)}.",
            )
            same = (
                game.to_move(image) == game.to_move(state)
                if moves
                else game.result(image) == game.result(state)
            )
            _require(
                same,
                f"The image {brief(image)} has another {'player to move' if moves else 'result'}"
                f"{_at(state, event)}.",
            )


# Parts of the checks


def _events(game: AnyGame, state: State) -> Sequence[Any]:
    """The different events at `state`; an AssertionError if they are not a sequence, or empty."""
    events = game.chances(state)
    _require(
        isinstance(events, Sequence) and len(events) > 0,
        f"`chances` must return a sequence with at least one event, for example a tuple; "
        f"got {brief(events)}{_at(state)}.",
    )
    return tuple(dict.fromkeys(events))


def _at(state: State, event: object = None) -> str:
    drawn = "" if event is None else f" after {brief(event)}"
    return f" at {brief(state)}{drawn}"


def _answers(game: AnyGame, state: State) -> list[tuple[str, Any]]:
    """The calls of the game's functions at `state`, and their values."""
    found: list[tuple[str, Any]] = [("chances", list(game.chances(state)))]
    for event in _events(game, state):
        moves = list(checked_moves(game, state, event))
        found.append((f"moves with {brief(event)}", moves))
        found.append(("to_move", game.to_move(state)) if moves else ("result", game.result(state)))
    return found


def _changeable(value: State) -> str:
    """The part of `value` that can be changed in place, in words; empty if there is none."""
    if isinstance(value, (tuple, frozenset)):
        return next(filter(None, map(_changeable, value)), "")
    if isinstance(value, (list, dict, set, bytearray)):
        return f"a {type(value).__name__}"
    if isinstance(value, (Enum, type)) or callable(value):
        return ""
    for name in vars(value) if hasattr(value, "__dict__") else ():
        try:
            setattr(deepcopy(value), name, None)
        except (AttributeError, TypeError):
            continue
        return f"a {type(value).__name__} whose `{name}` can be assigned"
    return ""


def _twins(state: State) -> Iterator[Any]:
    """Values that are equal to `state` and were built in other ways."""
    yield deepcopy(state)
    yield _rebuilt(state, lambda items: items[::-1])
    yield _rebuilt(state, lambda items: items[len(items) // 2 :] + items)


def _rebuilt(value: State, ordered: Callable[[list[Any]], list[Any]]) -> State:
    """`value` with its frozensets built from their items in another order.

    Equal frozensets can iterate in different orders, and rules must not depend on that.
    """
    if type(value) is frozenset:
        return frozenset([_rebuilt(item, ordered) for item in ordered(list(value))])
    if isinstance(value, tuple):
        items = [_rebuilt(item, ordered) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


BASIS = (
    Law(
        "functions have values",
        check_facts,
        "Return a value of the right kind for every position that can be reached.",
    ),
    Law(
        "moves are a sequence",
        check_moves,
        "Return a tuple of different positions, and an empty one exactly where the game has ended.",
    ),
    Law(
        "same again",
        check_same_again,
        "Let the functions depend on their arguments alone: no random numbers, no clock, and "
        "nothing that is kept from call to call.",
    ),
    Law(
        "no position comes back",
        check_no_return,
        "Add to the position what makes it new, for example the number of turns so far.",
    ),
)
"""The laws without which the other laws cannot be tried."""

LAWS = (
    *BASIS,
    Law(
        "results are in range",
        check_results,
        "Return a score for each player, and correct `players`, `score_range` or `score_sum`.",
    ),
    Law(
        "positions are values",
        check_values,
        "Use a NamedTuple, a tuple, a frozenset or a frozen dataclass as the position, and sort "
        "the items of a set before they decide the order of moves.",
    ),
    Law(
        "games end",
        check_end,
        "Add the number of turns to the position, with an end after the last one, or raise "
        "`max_turns`.",
    ),
    Law(
        "moves have names",
        check_labels,
        "Let `label` say what distinguishes a move from the other moves of its turn.",
    ),
    Law(
        "games pickle",
        check_pickle,
        "Define the functions at the top of a module, and bind rules with functools.partial; a "
        "lambda or an inner function cannot be pickled. Other processes need it.",
    ),
    Law(
        "JSON there and back",
        check_json,
        "Let `encode` write all of the position, and `decode` build an equal one.",
        lambda game: game.json is not None,
    ),
    Law(
        "symmetries hold",
        check_symmetries,
        "Correct the function in `symmetries`, or leave it out.",
        lambda game: bool(game.symmetries),
    ),
    Law(
        "views hide",
        check_views,
        "Leave out of `view` what the player cannot know, and let `worlds` keep to the view.",
        lambda game: game.hidden is not None,
    ),
    Law(
        "worlds are uniform",
        check_worlds,
        "Draw each position that fits the view with the same probability.",
        lambda game: game.hidden is not None,
        2,
    ),
    Law(
        "playouts agree",
        check_playout,
        "Let `playout` choose among all moves with the same probability, or use `playout=None`.",
        lambda game: game.playout is not None,
        2,
    ),
)
"""All laws of games, in the order in which they are tried."""


def check_position(game: AnyGame, state: State) -> None:
    """Raise an AssertionError if `game` breaks a law at `state`.

    The laws that compare distributions are left out. Use it for each position of a small game.
    """
    for law in LAWS:
        if law.most is None and law.concerns(game):
            law.check(game, Line((state,)), Random(0))
