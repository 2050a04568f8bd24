"""The laws that every game keeps: a check of each, at the last position of a line of moves.

`LAWS` has all of them. `checking.check` tries them on lines that Hypothesis draws. A check raises
an AssertionError if the law is broken. It may also raise any error of the game's own functions.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random
from statistics import median
from typing import Any, NamedTuple

from purembts.chance import pick
from purembts.checks import brief
from purembts.determinize import view_turn
from purembts.display import Codec
from purembts.game import (
    FastPlayout,
    Turn,
    checked_moves,
    checked_result,
    plain_playout,
    random_play,
    turn_at,
)
from purembts.play import move_called
from purembts.verify.position_laws import (
    AnyGame,
    Check,
    State,
    answers_at,
    at,
    check_end,
    check_facts,
    check_moves,
    check_no_return,
    check_results,
    check_same_again,
    check_sum,
    check_transpositions,
    check_values,
    events_of,
    require,
)
from purembts.verify.statistics import (
    assert_same,
    assert_uniform,
    smallest_distance,
    smallest_share,
)
from purembts.verify.strategies import Line

TURNS = 50_000
"""The turns that are played to compare a fast playout with the plain one."""
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


# The optional parts


def check_labels(game: AnyGame, line: Line, rng: Random) -> None:
    """Positions have texts, and moves have names. The moves of a turn have different names.

    One of them, drawn, is found by its name.
    """
    state = line.positions[-1]
    _check_texts(game, state)
    for event in events_of(game, state):
        labels = [game.display.label(state, move) for move in checked_moves(game, state, event)]
        for label, times in Counter(labels).items():
            require(isinstance(label, str), f"`label` must return a text; got {brief(label)}.")
            name = f"the name {brief(label)}{at(state, event)}"
            require(times == 1, f"{times} moves have {name}.")
    _check_found(game, turn_at(game, state, pick(game.chances(state), rng)), rng)


def _check_texts(game: AnyGame, state: State) -> None:
    """A position has a text, perhaps a short one and squares."""
    text = game.display.show(state)
    require(isinstance(text, str), f"`show` must return a text; got {brief(text)}.")
    if game.display.short:
        short = game.display.short(state)
        is_line = isinstance(short, str) and len(short.splitlines()) <= 1
        require(is_line, f"`short` must return a text of one line; got {brief(short)}.")
    if game.display.squares:
        rows, columns, names = game.display.squares(state)
        require(
            {len(row) for row in rows} <= {len(columns) or len(rows[0])}
            and len(names) in (0, len(rows)),
            f"`squares` must return rows of equal length, and a name for each row and column or "
            f"none{at(state)}.",
        )


def _check_found(game: AnyGame, turn: Turn[Any, Any], rng: Random) -> None:
    """A move of `turn` is found by its name, also behind a view."""
    if not turn.moves:
        return
    for each in (turn, view_turn(game, turn)) if game.hidden else (turn,):
        game.display.show(each.state)
        move = pick(each.moves, rng)
        label = game.display.label(each.state, move)
        require(
            move_called(game, each, label) == move,
            f"The name {brief(label)} must lead to its move{at(turn.state, turn.event)}.",
        )


def check_pickle(game: AnyGame, line: Line, rng: Random) -> None:
    """The game and its positions can be pickled, and come out as the same game."""
    state = line.positions[-1]
    try:
        again, twin = pickle.loads(pickle.dumps((game, state)))
    except Exception as error:
        raise AssertionError(f"Pickling raises {type(error).__name__}: {error}") from error
    require(twin == state, f"{brief(state)} comes back as {brief(twin)}.")
    require(
        answers_at(again, state) == answers_at(game, state),
        f"The pickled game has other answers{at(state)}.",
    )


def check_json(game: AnyGame, line: Line, rng: Random) -> None:
    """Each position has a JSON value of its own, and comes back from it; and so has each view."""
    if game.json:
        _check_codec(game.json, line.positions)
    if game.hidden and game.hidden.json:
        view, players = game.hidden.view, range(game.players)
        _check_codec(game.hidden.json, [view(at, i) for at in line.positions for i in players])


def _check_codec(codec: Codec[Any], states: Iterable[State]) -> None:
    written: dict[str, Any] = {}
    for state in states:
        text = json.dumps(codec.encode(state), allow_nan=False)
        other = written.setdefault(text, state)
        require(other == state, f"{brief(other)} and {brief(state)} are both written {text}.")
        again = codec.decode(json.loads(text))
        require(
            again == state and hash(again) == hash(state),
            f"{brief(state)} is written {text} and comes back as {brief(again)}.",
        )


def check_playout(game: AnyGame, line: Line, rng: Random) -> None:
    """The fast playout of the game has the distribution of results of the plain one.

    The test states its effect: the smallest total variation distance that it catches. Where there
    are more than 20 different results, scores above their median are counted instead.
    """
    state = line.positions[-1]
    n = _games_to_compare(game, state, rng)
    own = [checked_result(game, state, random_play(game)(game, state, rng)) for _ in range(n)]
    for result in set(own):
        check_sum(game, state, result)
    plain = [plain_playout(game, state, rng) for _ in range(n)]
    for one, other in _outcomes(own, plain):
        ways = len({**one, **other})
        if ways > 1:
            _assert_same(one, other, smallest_distance(n, ways) * 1.01, state)


def _assert_same(one: Counter[Any], other: Counter[Any], effect: float, state: State) -> None:
    try:
        assert_same(one, other, effect=effect)
    except AssertionError as error:
        raise AssertionError(
            f"The playout has other results than random play{at(state)}. The cases of the fast "
            f"playout and of plain random play: {error}."
        ) from error


def _games_to_compare(game: AnyGame, state: State, rng: Random) -> int:
    """The number of games from `state` that take about `TURNS` turns, 200 to 5,000."""
    turns = 1
    while (moves := game.moves(state, pick(game.chances(state), rng))) and turns < TURNS:
        state, turns = pick(moves, rng), turns + 1
    return max(200, min(5_000, TURNS // turns))


def _outcomes(own: list[Any], plain: list[Any]) -> Iterator[tuple[Counter[Any], Counter[Any]]]:
    """The numbers of cases of each result; of many results, of each player's above the median."""
    if len({*own, *plain}) <= 20:
        yield Counter(own), Counter(plain)
        return
    for ours, theirs in zip(zip(*own, strict=True), zip(*plain, strict=True), strict=True):
        middle = median([*ours, *theirs])
        yield Counter(score > middle for score in ours), Counter(score > middle for score in theirs)


def check_playout_result(game: AnyGame, line: Line, rng: Random) -> None:
    """The playout of the game has a right result, at an end the result of the position."""
    state = line.positions[-1]
    result = checked_result(game, state, random_play(game)(game, state, rng))
    check_sum(game, state, result)
    if not any(checked_moves(game, state, event) for event in events_of(game, state)):
        require(
            result == game.result(state),
            f"The playout must have the result of a game that has ended{at(state)}; "
            f"got {brief(result)}.",
        )


def check_views(game: AnyGame, line: Line, rng: Random) -> None:
    """A world that fits a view gives the same view. The player to move has the same moves in it."""
    state = line.positions[-1]
    assert game.hidden
    for player in range(game.players):
        view = game.hidden.view(state, player)
        hash(view)
        for world in islice(game.hidden.worlds(view, rng), 5):
            other = game.hidden.view(world, player)
            require(
                other == view,
                f"The view of player {player} shows what is hidden, or a world does not fit it: "
                f"{brief(view)}{at(state)}, but {brief(other)} at the world {brief(world)}.",
            )
            require(
                game.to_move(world) != player or _seen(game, world) == _seen(game, state),
                f"Player {player} has other moves at the world {brief(world)}{at(state)}.",
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
    require(counts.total() == WORLDS, f"`worlds` must have no end; it ended{at(state)}.")
    few = len(counts) <= MOST_WORLDS
    require(not few or state in counts, f"`worlds` never draws the position itself{at(state)}.")
    if few and len(counts) > 1:
        share = smallest_share(WORLDS, len(counts)) * 1.01
        assert_uniform(sorted(counts.values()), effect=share)


def check_symmetries(game: AnyGame, line: Line, rng: Random) -> None:
    """A symmetry of the game maps the moves of a position to those of its image."""
    state = line.positions[-1]
    for mirror in game.symmetries:
        image = mirror(state)
        for event in events_of(game, state):
            moves = checked_moves(game, state, event)
            require(
                {mirror(move) for move in moves} == set(checked_moves(game, image, event)),
                f"The moves of the image {brief(image)} are not the images of the moves"
                f"{at(state, event)}.",
            )
            same = (
                game.to_move(image) == game.to_move(state)
                if moves
                else game.result(image) == game.result(state)
            )
            require(
                same,
                f"The image {brief(image)} has another {'player to move' if moves else 'result'}"
                f"{at(state, event)}.",
            )


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
        "transpositions agree",
        check_transpositions,
        "Let `__eq__` and `__hash__` compare everything that the rules look at.",
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
        "Let `label` say what distinguishes a move from the other moves of its turn, and let "
        "`typed_move` take every label as it is.",
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
        lambda game: bool(game.json or (game.hidden and game.hidden.json)),
    ),
    Law(
        "playouts have results",
        check_playout_result,
        "Let `playout` return the scores of every player, also for a game that has ended.",
        lambda game: game.playout is not None,
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
        "Let the fast playout choose among all moves with the same probability, or leave it out.",
        lambda game: isinstance(game.playout, FastPlayout),
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
