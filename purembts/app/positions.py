"""Positions of any game; and the game, the position and the bound that a request means.

A game that a person names has positions of any type. The other rooms of the app use the names of
types here, so that each use of `Any` has this one reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count, islice, product
from random import Random
from typing import Any, TypeAlias

from toolz import concat, unique

from purembts.app.requests import USUAL_GAME, Request
from purembts.bounds import CONSTANTS, AnyBound, ucb1, ucb1_with, ucb_wald
from purembts.checks import brief
from purembts.determinize import view_turn
from purembts.display import PASSES
from purembts.game import AnyGame as AnyGame
from purembts.game import Strategy, Turn, first_position, turn_at
from purembts.guards import check_game
from purembts.loading import WORKSHOP, game_called
from purembts.play import listed, move_called, move_labels
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
    """The bound of the searches of a request, which it names, or else the bound of its game."""
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
    if name in WORKSHOP:
        return ucb_wald
    low, high = game.score_range
    return ucb1 if high - low <= 1 else ucb1_with(0.2)


def position_called(game: AnyGame, words: Sequence[str], seed: int | str | None = None) -> Position:
    """The position that `words` mean; a ValueError says why there is none.

    `words` are a position as the game reads it, or a line of moves. A line begins at the position
    in JSON before it, or else at the start of the game or the deal that `seed` draws.

    >>> from purembts.games.reversi import reversi
    >>> reversi().display.label(reversi().start, position_called(reversi(), ["1. D3"]))
    'd3'
    """
    text = " ".join(words)
    if text.lstrip()[:1] in ("[", "{") and game.json:
        try:
            value, end = json.JSONDecoder().raw_decode(text := text.lstrip())
        except json.JSONDecodeError as error:
            raise ValueError(f"The position must be JSON; got {brief(text)}: {error}.") from error
        return _after(game, game.json.decode(value), text, end)
    read = game.display.typed_position
    is_dealt = game.deal and seed is not None
    first = begin(game, None, seed or 0) if is_dealt else game.start
    try:
        if read:
            return read(text)
    except ValueError as error:
        names = first is not None and game.display.squares and game.display.squares(first).names
        is_line = not words or (names and _SQUARE.match(text))
        if first is None or not (is_line or _moved(game, first, text, 0)):
            raise ValueError(str(error)) from None  # what was typed is wrong, not the code
    return _after(game, first, text)


# Lines of moves

_SQUARE = re.compile(r"\W*(?:\d+\W+)?[a-z]\d", re.IGNORECASE)
"""The first square that a line of moves names, perhaps after a number."""
_BETWEEN = re.compile(r"(?:[\s,;_]|-(?!-)|\d+[.)]+(?!\d))*")
"""The text between two moves, with the number of a move."""
_WORD = re.compile(r"\S+")
_NAME = re.compile(r"[^\W\d_]+\d+|\S+")
"""The name of a square, or a word."""


def _after(game: AnyGame, state: Position, text: str, place: int = 0) -> Position:
    """The position after the moves in `text` from `place` on, each after an event that allows it.

    A move that is the only one may be left out, for example a pass.
    """
    if state is None:
        more = ", or moves with --seed, which draws the deal" if game.deal else ""
        raise ValueError(f"A position of {game.name} must be JSON{more}; got {brief(text)}.")
    n = 1
    while text[place:].strip():
        moves = (_moved(game, before, text, place) for before in _forced(game, state))
        if (move := next(filter(None, moves), None)) is None:
            break
        (state, place), n = move, n + 1
    if (place := _skip(text, place)) < len(text):
        wrong = _no_move(game, state, text, place)
        raise ValueError(f"Move {n} of the line, at character {place + 1}: {wrong}")
    return state


def _forced(game: AnyGame, state: Position) -> Iterator[Position]:
    """`state`, and each position that a single move leads to from the one before."""
    for _ in range(game.max_turns):
        yield state
        turns = turns_at(game, state)
        if len(turns) > 1 or len(turns[0].moves) != 1:
            return
        state = turns[0].moves[0]


def _moved(game: AnyGame, state: Position, text: str, place: int) -> tuple[Position, int] | None:
    """The position after the move that `text` has at `place`, and the place after it."""
    turns = turns_at(game, state)
    for first in dict.fromkeys((place, _skip(text, place))):
        ends = [word.end() for word in islice(_WORD.finditer(text, first), _MOST_WORDS)]
        for end, turn in product(reversed(ends), turns):
            with suppress(ValueError):
                return _move_in(game, turn, text[first:end]), end
        for turn in turns:
            names = _spellings(game, turn)
            here = [name for name in names if _is_at(name, text, first)]
            if here:
                return names[max(here, key=len)], first + max(map(len, here))
    return None


def _skip(text: str, place: int) -> int:
    """The place of the next move in `text`."""
    match = _BETWEEN.match(text, place)
    return match.end() if match else place


def _move_in(game: AnyGame, turn: AnyTurn, words: str) -> Position:
    """The move of `turn` that `words` name, as `labels_of` has it or as a person types it."""
    labels, text = labels_of(game, turn), " ".join(words.split()).rstrip(",;")
    return turn.moves[labels.index(text)] if text in labels else move_called(game, turn, text)


def _spellings(game: AnyGame, turn: AnyTurn) -> dict[str, Position]:
    """The moves of a turn by their names in small letters, which need no blanks around them."""
    names = dict(zip(map(str.lower, labels_of(game, turn)), turn.moves, strict=True))
    return names | dict.fromkeys(PASSES if "pass" in names else (), names.get("pass"))


def _is_at(name: str, text: str, place: int) -> bool:
    """True if `text` has `name` at `place`, and no more digits after it."""
    end = place + len(name)
    is_longer = name[-1].isalnum() and text[end : end + 1] in {*"0123456789+"}
    return text[place:end].lower() == name and not is_longer


def _no_move(game: AnyGame, state: Position, text: str, place: int) -> str:
    """The sentence about a text at `place` that is no move: it names the moves there."""
    name, states = _NAME.findall(text, place)[0], _forced(game, state)
    turns = [turn for before in states for turn in turns_at(game, before) if turn.moves]
    last = [labels_of(game, turn) for turn in turns if turn.state == turns[-1].state]
    if not last:
        return f"The game has ended before it; got {brief(name)}."
    return f"The move must be one of these: {listed([*unique(concat(last))])}; got {brief(name)}."


# Names of moves


def visible(game: AnyGame, turn: AnyTurn) -> AnyTurn:
    """`turn` as its player sees it: with views, if the game has hidden information."""
    return view_turn(game, turn) if game.hidden else turn


def labels_of(game: AnyGame, turn: AnyTurn) -> list[str]:
    """The names of the moves of a turn, as its player sees them, each name once.

    Of moves with the same name, the second has ` (2)` after it, and so on, if that name is free.
    """
    view = visible(game, turn)
    names = [label or "(no name)" for label in move_labels(game, view)]
    taken, labels = {*names}, dict[str, None]()
    for name in names:
        numbers = (f"{name} ({n})" for n in count(2))
        label = name if name not in labels else next(n for n in numbers if n not in taken)
        taken.add(label)
        labels[label] = None
    return list(labels)


# Where a game begins


def begin(game: AnyGame, start: Position, seed: int | str) -> Position:
    """`start`, or without it the deal that `seed` draws or the start of the game.

    A ValueError if `game` answers wrongly there, or has no texts for people.
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
    """The position where a search begins: `start`; if hands are hidden, its player's view."""
    return game.hidden.view(start, game.to_move(start)) if game.hidden else start
