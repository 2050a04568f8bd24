"""Positions of any game; and the game, the position and the bound that a request means.

A game that a person names has positions of any type. The other rooms of the app use the names of
types here, so that each use of `Any` has this one reason.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from random import Random
from typing import Any, TypeAlias

from purembts.app.requests import USUAL_GAME, Request
from purembts.bounds import CONSTANTS, AnyBound, ucb1, ucb1_with, ucb_wald
from purembts.checks import brief
from purembts.determinize import view_turn
from purembts.game import AnyGame as AnyGame
from purembts.game import Strategy, Turn, check_game, first_position, turn_at
from purembts.loading import WORKSHOP, game_called
from purembts.play import move_called
from purembts.records import Tree, as_tree
from purembts.report import turns_at

Position: TypeAlias = Any
"""A position of any game, or the view of a player."""
AnyTurn: TypeAlias = Turn[Any, Any]
AnyTree: TypeAlias = Tree[Any]
AnyStrategy: TypeAlias = Strategy[Any, Any]
Words: TypeAlias = dict[str, Any]
"""Values by their names, as at a prompt or in an object of JSON."""
Json: TypeAlias = Any
"""A value of JSON."""
NO_TREE: AnyTree = as_tree({})
_MOST_WORDS = 6
"""The most words in the label of a move."""


def game_of(request: Request) -> AnyGame:
    """The game that a request names, with its rules; a ValueError says why there is none."""
    return game_called(getattr(request, "game", USUAL_GAME), request.rules)


def start_in(request: Request, game: AnyGame) -> Position:
    """The position that a request names; None without one, for the start or the deals of `game`."""
    seed = getattr(request, "seed", None)
    return position_called(game, request.start, seed) if request.start else None


def bound_of(request: Request, game: AnyGame) -> AnyBound:
    """The bound of the searches of a request: the one that it names, or that of its game."""
    given = [name for name in CONSTANTS if getattr(request, name) is not None]
    if len(given) > 1:
        raise ValueError(f"`--{given[1]}` must be given without `--{given[0]}`; got both.")
    for name in given:
        return CONSTANTS[name](getattr(request, name))
    return bound_at(request.game, game)


def bound_at(name: str, game: AnyGame) -> AnyBound:
    """The bound of a search of the game with this name: the workshop's for the workshop's games.

    The others have UCB1, with a smaller c where scores are points. Most choices differ by little on
    a wide scale of points. With the usual c, a search of some hundred dives would spread over the
    moves as evenly as flat Monte Carlo.
    """
    low, high = game.score_range
    return ucb_wald if name in WORKSHOP else ucb1 if high - low <= 1 else ucb1_with(0.2)


def position_called(game: AnyGame, words: Sequence[str], seed: int | str | None = None) -> Position:
    """The position that `words` mean; a ValueError says why there is none.

    They are a position as the game reads it, JSON, or a line of moves from where the game begins:
    its start, or the deal that `seed` draws.

    >>> from purembts.games.reversi import reversi
    >>> reversi().display.label(reversi().start, position_called(reversi(), ["d3"]))
    'd3'
    """
    text = " ".join(words).strip()
    if text[:1] in ("[", "{") and game.json:
        try:
            return game.json.decode(json.loads(text))
        except json.JSONDecodeError as error:
            raise ValueError(f"The position must be JSON; got {brief(text)}: {error}.") from error
    read = game.display.typed_position
    is_dealt = game.deal and seed is not None
    first = begin(game, None, seed or 0) if is_dealt else game.start
    try:
        if read:
            return read(text)
    except ValueError as error:
        if first is None or _moved(game, first, text.split()) is None:
            raise ValueError(str(error)) from None  # what was typed is wrong, not the code
    return _after(game, first, text.split())


def _after(game: AnyGame, state: Position, words: list[str]) -> Position:
    """The position after the moves in `words`, each after any event that allows it."""
    if state is None:
        more = ", or moves with --seed, which draws the deal" if game.deal else ""
        got = brief(" ".join(words))
        raise ValueError(f"A position of {game.name} must be JSON{more}; got {got}.")
    rest = words
    while move := _moved(game, state, rest):
        state, rest = move
    if rest:
        place = f"Word {len(words) - len(rest) + 1} of the line of moves"
        turns = turns_at(game, state)
        if not any(turn.moves for turn in turns):
            raise ValueError(f"{place}: The game has ended before it; got {brief(rest[0])}.")
        try:
            move_called(game, turns[0], rest[0])
        except ValueError as error:
            raise ValueError(f"{place}: {error}") from error
    return state


def _moved(game: AnyGame, state: Position, words: list[str]) -> tuple[Position, list[str]] | None:
    """The position after the move that `words` begin with, and the rest of them; None if none."""
    lengths = range(min(len(words), _MOST_WORDS), 0, -1)
    for n, turn in product(lengths, turns_at(game, state)):
        with suppress(ValueError):
            return move_called(game, turn, " ".join(words[:n])), words[n:]
    return None


def begin(game: AnyGame, start: Position, seed: int | str) -> Position:
    """`start`, or where a game begins: a deal that `seed` draws, or the start of the game.

    A ValueError says that `game` answers wrongly there, or has no texts for people.
    """
    if start is None and game.start is None and game.deal is None:
        raise ValueError(f"{game.name} has no start of its own; give a position with --from.")
    first = first_position(game, Random(f"{seed}/deal"), start)
    check_game(game, first)
    turn = turn_at(game, first, game.chances(first)[0])
    view = view_turn(game, turn) if game.hidden else turn
    texts = {"show": game.display.show(view.state)}
    if view.moves:
        texts["label"] = game.display.label(view.state, view.moves[0])
    for name, text in texts.items():
        if not isinstance(text, str):
            raise ValueError(f"`{name}` of {game.name} must return a text; got {brief(text)}.")
    return first


def root(game: AnyGame, start: Position) -> Position:
    """The position where a search begins: `start`, or if there are views that of the mover."""
    return game.hidden.view(start, game.to_move(start)) if game.hidden else start
