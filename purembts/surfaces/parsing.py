"""The values that a person types: the rules of a game, and a position where it begins."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from inspect import signature
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

from purembts.checks import brief
from purembts.determinize import view_turn
from purembts.game import Game, check_game, events_of, first_position, turn_at
from purembts.play import move_called

Maker = Callable[..., Game[Any, Any]]
"""A function that returns a game. Its arguments are the fields of the rules, or `rules`."""

MOST_WORDS = 6
"""The most words in the label of a move."""


# Rules


def fields_of(game: Game[Any, Any]) -> dict[str, Any]:
    """The fields of the rules of `game`, each with its value; empty without variants."""
    return dict(game.rules._asdict()) if hasattr(game.rules, "_asdict") else {}


def names_of(game: Game[Any, Any], field: str) -> tuple[str, ...]:
    """The names that a field of the rules of `game` takes, if its type has a Literal of texts.

    >>> from purembts.games.shut_the_box import shut_the_box
    >>> names_of(shut_the_box(), "one_die_end"), names_of(shut_the_box(), "dice")
    (('sum', 'shut'), ())
    """
    hints: dict[str, Any] = {}
    with suppress(NameError, TypeError):  # the types of a user's file may be unknown
        hints = get_type_hints(type(game.rules))
    kinds = [hints.get(field), *get_args(hints.get(field))]
    words = [each for kind in kinds if get_origin(kind) is Literal for each in get_args(kind)]
    return tuple(each for each in words if isinstance(each, str))


def variant(make: Maker, rules: Iterable[str]) -> Game[Any, Any]:
    """The game that `make` makes with `rules`, which are texts such as `size=6`.

    >>> from purembts.games.reversi import reversi
    >>> variant(reversi, ["size=6"]).rules
    Rules(size=6)
    """
    game = make()
    fields = fields_of(game)
    changes: dict[str, Any] = {}
    for rule in rules:
        key, equals, text = rule.partition("=")
        if not equals or key not in fields:
            known = ", ".join(fields)
            right = f"KEY=VALUE with one of the keys {known}" if fields else "left out"
            raise ValueError(f"The rules of {game.name} must be {right}; got {brief(rule)}.")
        if key in changes:
            raise ValueError(f"Each rule of {game.name} must be given once; got {key} again.")
        changes[key] = typed_value(key, text, fields[key], names_of(game, key))
    if not changes:
        return game
    changed = game.rules._replace(**changes)
    if not signature(make).parameters:
        raise ValueError(f"The rules of {game.name} must be left out, as it is a single game.")
    by_value = "rules" in signature(make).parameters
    return make(rules=changed) if by_value else make(**changed._asdict())


def typed_value(key: str, text: str, usual: Any, names: Sequence[str] = ()) -> Any:  # noqa: ANN401
    """The value in `text` of the field `key`, whose usual value is `usual`; or one of `names`.

    >>> typed_value("takes", "1,2,3", (1, 2)), typed_value("misere", "true", False)
    ((1, 2, 3), True)
    """
    if text in names:
        return text
    words = {"true": True, "false": False} if isinstance(usual, bool) else {"none": None}
    if text.lower() in words and (usual is None or isinstance(usual, bool)):
        return words[text.lower()]
    try:
        if isinstance(usual, tuple):
            return _typed_tuple(text, usual)
        if not isinstance(usual, bool):
            return int(text) if usual is None else type(usual)(text)
    except (ValueError, TypeError):
        pass
    kind = "True or False" if isinstance(usual, bool) else f"a value such as {as_typed(usual)}"
    kind = f"{', '.join(names)}, {kind}" if names else kind
    raise ValueError(f"`{key}` must be {kind}; got {brief(text)}.")


def _typed_tuple(text: str, usual: tuple[Any, ...]) -> tuple[Any, ...]:
    """The tuple in `text`: values with commas between them, or JSON."""
    if text.startswith("["):
        return tuple(tuple(each) if isinstance(each, list) else each for each in json.loads(text))
    kind = type(usual[0]) if usual else str
    return tuple(kind(each) for each in text.split(",") if each)


def as_typed(value: Any) -> str:  # noqa: ANN401
    """A value of a rule in the form in which it is typed.

    >>> as_typed((1, 2)), as_typed(((1, 1), (10, 2))), as_typed(None)
    ('1,2', '[[1, 1], [10, 2]]', 'none')
    """
    if isinstance(value, tuple):
        is_flat = not any(isinstance(each, tuple) for each in value)
        return ",".join(map(str, value)) if is_flat else json.dumps(value)
    return "none" if value is None else str(value)


# Positions


def position_called(
    game: Game[Any, Any], words: Sequence[str], seed: int | str | None = None
) -> Any:  # noqa: ANN401
    """The position that `words` mean; a ValueError says why there is none.

    They are a position as the game reads it, JSON, or a line of moves from where the game begins:
    its start, or the deal that `seed` draws.

    >>> from purembts.games.reversi import reversi, start
    >>> reversi().display.label(start(), position_called(reversi(), ["d3"]))
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
    if read is None:
        return _after(game, first, text.split())
    try:
        return read(text)
    except ValueError:
        if first is None or _moved(game, first, text.split()) is None:
            raise
        return _after(game, first, text.split())


def _after(game: Game[Any, Any], state: Any, words: list[str]) -> Any:  # noqa: ANN401
    """The position after the moves in `words`, each after any event that allows it."""
    rest = words
    if state is None:
        more = ", or moves with --seed, which draws the deal" if game.deal else ""
        got = brief(" ".join(words))
        raise ValueError(f"A position of {game.name} must be JSON{more}; got {got}.")
    while rest:
        found = _moved(game, state, rest)
        if found is None:
            place = f"Word {len(words) - len(rest) + 1} of the line of moves"
            try:
                move_called(game, turn_at(game, state, events_of(game, state)[0]), rest[0])
            except ValueError as error:
                raise ValueError(f"{place}: {error}") from error
        else:
            state, rest = found
    return state


def _moved(game: Game[Any, Any], state: Any, words: list[str]) -> tuple[Any, list[str]] | None:  # noqa: ANN401
    """The position after the move that `words` begin with, and the rest of them; None if none."""
    turns = [turn_at(game, state, event) for event in dict.fromkeys(events_of(game, state))]
    for n in range(min(len(words), MOST_WORDS), 0, -1):
        for turn in turns:
            try:
                return move_called(game, turn, " ".join(words[:n])), words[n:]
            except ValueError:
                continue
    return None


def begin(game: Game[Any, Any], start: Any, seed: int | str) -> Any:  # noqa: ANN401
    """`start`, or where a game begins: a deal that `seed` draws, or the start of the game."""
    if start is None and game.start is None and game.deal is None:
        raise ValueError(f"{game.name} has no start of its own; give a position with --from.")
    first = first_position(game, Random(f"{seed}/deal"), start)
    _check_texts(game, first)
    return first


def _check_texts(game: Game[Any, Any], state: Any) -> None:  # noqa: ANN401
    """Raise a ValueError if `game` answers wrongly at `state`, or has no texts for people there."""
    try:
        hash(state)
    except TypeError as error:
        raise ValueError(
            f"A position of {game.name} must be hashable, for example a tuple; got {brief(state)}."
        ) from error
    check_game(game, state)
    turn = turn_at(game, state, game.chances(state)[0])
    own = view_turn(game, turn) if game.hidden else turn
    texts = [("show", game.display.show(own.state))]
    texts += [("label", game.display.label(own.state, move)) for move in own.moves[:1]]
    for name, text in texts:
        if not isinstance(text, str):
            raise ValueError(f"`{name}` of {game.name} must return a text; got {brief(text)}.")
