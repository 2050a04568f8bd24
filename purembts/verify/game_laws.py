"""The laws that every game keeps: a check of each, at the last position of a line of moves.

`LAWS` has all of them. `checking.check` tries them on lines that Hypothesis draws. A check raises
an AssertionError if the law is broken. It may also raise any error of the game's own functions.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, islice
from operator import itemgetter
from random import Random
from statistics import median
from typing import Any

from purembts.chance import pick
from purembts.checks import brief
from purembts.determinize import view_turn
from purembts.display import Codec
from purembts.game import AnyGame, GamePlayout, plain_playout, random_play, turn_at
from purembts.guards import check_result
from purembts.play import move_called
from purembts.records import Scores
from purembts.verify import position_laws
from purembts.verify.position_laws import State, UntriedError, at, events_and_moves, law, require
from purembts.verify.statistics import assert_distribution, assert_same
from purembts.verify.strategies import Walk, random_walk

TURNS = 50_000
"""The turns of the random games in which a fast playout is compared, 200 to 5,000 games."""
_WORLDS = 5_000
"""The worlds that are drawn from a view to see if they are uniform."""
_MOST_WORLDS = 100
"""The most different worlds for which that is tried."""
_GAMES, _MOST_POSITIONS = 9, 300
"""The random games in which views with several worlds are looked for, and the most positions."""


# The optional parts


@law(
    "Let `label` say what distinguishes a move from the other moves of its turn, and let "
    "`typed_move` take every label as it is.",
)
def moves_have_names(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """Positions have texts, and moves have names. The moves of a turn have different names.

    One of them, drawn at random, must be found by its name.
    """
    _check_texts(game, state)
    for event, moves in events_and_moves(game, state):
        labels = [game.display.label(state, move) for move in moves]
        for label, times in Counter(labels).items():
            require(isinstance(label, str), f"`label` must return a text; got {brief(label)}.")
            name = f"the name {brief(label)}{at(state, event)}"
            require(times == 1, f"{times} moves have {name}.")
    _check_names_lead_back(game, state, rng)


def _check_texts(game: AnyGame, state: State) -> None:
    """Check the texts of a position, and its squares if it has some."""
    text = game.display.show(state)
    require(isinstance(text, str), f"`show` must return a text; got {brief(text)}.")
    if game.display.short:
        short = game.display.short(state)
        is_line = isinstance(short, str) and len(short.splitlines()) <= 1
        require(is_line, f"`short` must return a text of one line; got {brief(short)}.")
    if game.display.squares:
        rows, columns, names, *_ = game.display.squares(state)
        require(
            {len(row) for row in rows} <= {len(columns) or len(rows[0])}
            and len(names) in (0, len(rows)),
            f"`squares` must return rows of equal length, and a name for each row and column or "
            f"none{at(state)}.",
        )


def _check_names_lead_back(game: AnyGame, state: State, rng: Random) -> None:
    """Check that the name of a move leads to the move; with hidden hands, in the view as well."""
    turn = turn_at(game, state, pick(game.chances(state), rng))
    if not turn.moves:
        return
    for view in (turn, view_turn(game, turn)) if game.hidden else (turn,):
        game.display.show(view.state)
        move = pick(view.moves, rng)
        label = game.display.label(view.state, move)
        require(
            move_called(game, view, label) == move,
            f"The name {brief(label)} must lead to its move{at(state, turn.event)}.",
        )


@law(
    "Define the functions at the top of a module, and bind rules with functools.partial; a "
    "lambda or an inner function cannot be pickled. Other processes need it.",
)
def games_pickle(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """The game and its positions can be pickled, and come out as the same game."""
    try:
        again, twin = pickle.loads(pickle.dumps((game, state)))
    except Exception as error:
        raise AssertionError(f"Pickling raises {type(error).__name__}: {error}") from error
    require(twin == state, f"{brief(state)} comes back as {brief(twin)}.")
    require(
        position_laws.answers_at(again, state) == position_laws.answers_at(game, state),
        f"The pickled game has other answers{at(state)}.",
    )


@law(
    "Let `encode` write all of the position, and `decode` build an equal one.",
    concerns=lambda game: bool(game.json or (game.hidden and game.hidden.json)),
)
def JSON_there_and_back(  # noqa: N802 - the name of the law
    game: AnyGame, walk: Walk, state: State, rng: Random
) -> None:
    """Each position has a JSON value of its own, and comes back from it; and so has each view."""
    if game.json:
        _check_codec(game.json, walk.positions)
    if game.hidden and game.hidden.json:
        view, players = game.hidden.view, range(game.players)
        _check_codec(game.hidden.json, [view(at, i) for at in walk.positions for i in players])


def _check_codec(codec: Codec[Any], states: Iterable[State]) -> None:
    """Check that each value has a text of JSON of its own, and comes back from it."""
    states_by_text: dict[str, Any] = {}
    for state in states:
        text = json.dumps(codec.encode(state), allow_nan=False)
        other = states_by_text.setdefault(text, state)
        require(other == state, f"{brief(other)} and {brief(state)} are both written {text}.")
        again = codec.decode(json.loads(text))
        require(
            again == state and hash(again) == hash(state),
            f"{brief(state)} is written {text} and comes back as {brief(again)}.",
        )


@law(
    "Let the fast playout choose among all moves with the same probability, or leave it out.",
    concerns=lambda game: (
        isinstance(policy := game.playout, GamePlayout)
        and policy.is_uniform
        and random_play(game) is policy.play
    ),
    most=2,
)
def playouts_agree(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """The fast playout of the game has the distribution of results of the plain one.

    Where there are more than 20 different results, scores above their median are counted instead.
    """
    n = max(200, min(5_000, TURNS // (1 + len(random_walk(game, state, rng).events))))
    fast = [_playout_result(game, state, rng) for _ in range(n)]
    plain = [plain_playout(game, state, rng) for _ in range(n)]
    for one, other in _outcomes(fast, plain):
        try:
            assert_same(one, other)
        except AssertionError as error:
            raise AssertionError(
                f"The playout has other results than random play{at(state)}. Of the fast playout "
                f"and of plain random play, {error}."
            ) from error


def _playout_result(game: AnyGame, state: State, rng: Random) -> Scores:
    """A result of the playout of the game; an error if it is not one of the game's."""
    result = random_play(game)(game, state, rng)
    check_result(game, state, result)
    position_laws.check_sum(game, state, result)
    return result


def _outcomes(fast: list[Any], plain: list[Any]) -> Iterator[tuple[Counter[Any], Counter[Any]]]:
    """The numbers of cases of each result; of many results, of each player's above the median."""
    if len({*fast, *plain}) <= 20:
        yield Counter(fast), Counter(plain)
        return
    for player in range(len(plain[0])):
        samples = [[scores[player] for scores in results] for results in (fast, plain)]
        middle = median(samples[0] + samples[1])
        one, other = (Counter(score > middle for score in sample) for sample in samples)
        yield one, other


@law(
    "Let `playout` return the scores of every player, also for a game that has ended.",
    concerns=lambda game: game.playout is not None,
)
def playouts_have_results(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """The playout of the game has a right result, at an end the result of the position."""
    result = _playout_result(game, state, rng)
    if not any(moves for _, moves in events_and_moves(game, state)):
        require(
            result == game.result(state),
            f"The playout must have the result of a game that has ended{at(state)}; "
            f"got {brief(result)}.",
        )


@law(
    "Leave out of `view` what the player cannot know, and let `worlds` keep to the view. To reveal "
    "something is a move of its own, by a player who knows it.",
    concerns=lambda game: game.hidden is not None,
)
def views_hide(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """A world that fits a view gives the same view. The player to move has the same moves in it."""
    first = walk.positions[0]
    assert game.hidden
    for player in range(game.players):
        view, moves = game.hidden.view(state, player), _moves_in_view(game, state)
        hash(view)
        for world in islice(game.hidden.worlds(view, rng), 5):
            other = game.hidden.view(world, player)
            require(
                other == view,
                f"The view of player {player} shows what is hidden, or a world does not fit it: "
                f"{brief(view)}{at(state)}, but {brief(other)} at the world {brief(world)}.",
            )
            require(
                game.to_move(world) != player or _moves_in_view(game, world) == moves,
                f"Player {player} has other moves at the world {brief(world)}{at(state)}.",
            )
    hides = any(game.hidden.view(first, player) != first for player in range(game.players))
    require(hides, f"Each view is equal to its position{at(first)}: it hides nothing.")


DEALS = 300
"""The deals whose parts are compared with those of worlds."""


@law(
    "Let `worlds` give each hidden card to one place, as `deal` does.",
    concerns=lambda game: game.hidden is not None and game.deal is not None,
    most=5,
)
def worlds_are_dealt(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """A world of a first position has the same parts as a deal, for example each card once.

    Games whose deals have many different parts are left out.
    """
    assert game.hidden
    assert game.deal
    encode = game.json.encode if game.json else lambda value: value
    state = game.deal(rng)
    parts = Counter(_leaves(encode(state)))
    deals = [Counter(_leaves(encode(game.deal(rng)))) for _ in range(DEALS)]
    dealt = {frozenset(deal.items()) for deal in deals}
    if len(dealt) > DEALS // 10 or frozenset(parts.items()) not in dealt:
        return
    for player in range(game.players):
        view = game.hidden.view(state, player)
        for world in islice(game.hidden.worlds(view, rng), 20):
            cards = Counter(_leaves(encode(world)))
            odd = next(iter((cards - parts) or (parts - cards)), None)
            require(
                frozenset(cards.items()) in dealt,
                f"The world {brief(world)} of the view of player {player} is no deal; "
                f"{brief(odd)} is there too often, or too seldom{at(state)}.",
            )


def _leaves(value: Any) -> Iterator[Any]:  # noqa: ANN401
    """The numbers and words of a position, inside tuples and lists."""
    if isinstance(value, str):
        yield from value.split()
    elif isinstance(value, dict):
        yield from _leaves([*value.values()])
    elif isinstance(value, tuple | list | frozenset):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _moves_in_view(game: AnyGame, state: State) -> list[set[Any]]:
    """The moves after each event, in the views of the player to move."""
    assert game.hidden
    view, player = game.hidden.view, game.to_move(state)
    ways = events_and_moves(game, state)
    return [{view(move, player) for move in moves} for _, moves in ways]


@law(
    "Draw each position that fits the view with the same probability.",
    concerns=lambda game: game.hidden is not None,
    most=2,
)
def worlds_are_uniform(game: AnyGame, walk: Walk, state: State, rng: Random) -> None:
    """The worlds of some views are equally likely, where more than one fits and few do.

    Of 5,000 worlds of two, the test finds one that comes with a probability above 0.57 or below
    0.43; of ten, one above 0.15 or below 0.05.
    """
    assert game.hidden
    for state in _open_positions(game, walk, rng):
        counts = Counter[State]()
        view = game.hidden.view(state, game.to_move(state))
        for _ in range(_WORLDS // _MOST_WORLDS):
            counts.update(islice(game.hidden.worlds(view, rng), _MOST_WORLDS))
        require(counts.total() == _WORLDS, f"`worlds` must have no end; it ended{at(state)}.")
        few = len(counts) <= _MOST_WORLDS
        require(not few or state in counts, f"`worlds` never draws the position itself{at(state)}.")
        if few:
            assert_distribution(counts, dict.fromkeys(counts, Fraction(1, len(counts))))


def _open_positions(game: AnyGame, walk: Walk, rng: Random) -> list[State]:
    """Three positions of random games where several worlds fit the view of the player to move.

    They have the fewest, a middle number and the most worlds of 20. An `UntriedError` says that
    there is none.
    """
    assert game.hidden
    games = [walk, *(random_walk(game, walk.positions[0], rng) for _ in range(_GAMES))]
    worlds: dict[Any, tuple[int, State]] = {}
    for state in islice(chain.from_iterable(one.positions for one in games), _MOST_POSITIONS):
        view = game.hidden.view(state, game.to_move(state))
        if view not in worlds:
            worlds[view] = len({state, *islice(game.hidden.worlds(view, rng), 20)}), state
    states = [state for n, state in sorted(worlds.values(), key=itemgetter(0)) if n > 1]
    if not states:
        why = (
            "In no view of random games did several worlds fit: is all shown to the player to move?"
        )
        raise UntriedError(why)
    return list(dict.fromkeys([states[0], states[len(states) // 2], states[-1]]))


LAWS = (
    *position_laws.LAWS_OF_POSITIONS,
    moves_have_names,
    games_pickle,
    JSON_there_and_back,
    playouts_have_results,
    views_hide,
    worlds_are_uniform,
    worlds_are_dealt,
    playouts_agree,
)
"""All laws of games, in the order in which they are tried."""


def check_position(game: AnyGame, state: State) -> None:
    """Raise an AssertionError if `game` breaks a law at `state`.

    The laws that compare distributions are left out. Use it for each position of a small game.
    """
    for one in LAWS:
        if one.most is None and one.concerns(game):
            one.check(game, Walk((state,)), state, Random(0))
