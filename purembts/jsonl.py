"""Trees as JSON Lines: a header that names the game and its rules, then a line for each position.

    {"format": "purembts tree", "version": 1, "game": "Shut the Box", "rules": ..., "positions": 2}
    {"state": [2, 7], "visits": 9, "scores": [1, 8]}
    {"state": [7], "visits": 3, "scores": [1, 2]}

The lines are sorted by the text of the state, so that equal trees have equal files. Numbers are
written exactly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from pyrsistent import pmap

from purembts.checks import brief
from purembts.game import E, Game, S
from purembts.records import Record, Tree, as_tree

FORMAT = "purembts tree"
VERSION = 1


def lines(game: Game[S, E], tree: Tree[S] | dict[S, Record]) -> Iterator[str]:
    """The lines of `tree`, the header first, without line ends.

    >>> from purembts.games.shut_the_box import shut_the_box
    >>> [_, line] = lines(shut_the_box(), {frozenset({2, 7}): Record(9, (1, 8))})
    >>> line
    '{"state": [2, 7], "visits": 9, "scores": [1, 8]}'
    """
    encode, _ = _codec(game)
    records = {_text(encode(state)): record for state, record in as_tree(tree).items()}
    if len(records) < len(tree):
        raise ValueError(f"encode of {game.name} writes different positions alike.")
    yield _text({**_header(game), "positions": len(records)})
    for state, (visits, scores) in sorted(records.items()):
        yield f'{{"state": {state}, "visits": {_text(visits)}, "scores": {_text(scores)}}}'


def tree(game: Game[S, E], lines: Iterable[str | bytes]) -> Tree[S]:
    """The tree that was written as `lines`, equal to what it was, its positions as `decode` has it.

    A ValueError says what is wrong, and in which line.
    """
    _, decode = _codec(game)
    numbered = enumerate(lines, 1)
    _, first = next(numbered, (1, ""))
    positions = _checked_header(game, first)
    records: dict[S, Record] = {}
    number = 1
    for number, line in numbered:
        state, record = _item(game, decode, number, line)
        if state in records:
            _refuse(number, f"{brief(line)} has a position that was there before.")
        records[state] = record
    if len(records) != positions:
        _refuse(number, f"the end, after {len(records)} positions; there should be {positions}.")
    return pmap(records)


def _refuse(number: int, what: str) -> NoReturn:
    raise ValueError(f"line {number}: {what}")


def _codec(game: Game[S, E]) -> tuple[Callable[[S], Any], Callable[[Any], S]]:
    if game.json is None:
        raise ValueError(f"{game.name} has no encode and decode, so its trees cannot be kept.")
    return game.json


def _text(value: Any) -> str:  # noqa: ANN401
    """`value` as JSON; a ValueError where it is nothing that JSON has."""
    try:
        return json.dumps(value, allow_nan=False)
    except TypeError as error:
        raise ValueError(f"{brief(value)} cannot be written as JSON: {error}.") from error


def _header(game: Game[S, E]) -> dict[str, Any]:
    rules = {} if game.rules is None else game.rules._asdict()
    return {"format": FORMAT, "version": VERSION, "game": game.name, "rules": rules}


def _parsed(number: int, line: str | bytes, keys: set[str]) -> dict[str, Any]:
    """What `line` says, an object with these `keys`."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        _refuse(number, f"{brief(line)} is not JSON.")
    if not isinstance(said, dict) or set(said) != keys:
        _refuse(number, f"{brief(line)} is not an object of {', '.join(sorted(keys))}.")
    return said


def _checked_header(game: Game[S, E], line: str | bytes) -> int:
    """The number of positions that the header promises."""
    ours = _header(game)
    said = _parsed(1, line, {*ours, "positions"})
    for key, value in ours.items():
        if _text(said[key]) != _text(value):
            _refuse(1, f'"{key}" is {brief(said[key])}; it has to be {brief(value)}.')
    if not _is_count(said["positions"]):
        _refuse(1, f"the number of positions is {brief(said['positions'])}.")
    positions: int = said["positions"]
    return positions


def _item(
    game: Game[S, E], decode: Callable[[Any], S], number: int, line: str | bytes
) -> tuple[S, Record]:
    """The position and the record that `line` tells of."""
    said = _parsed(number, line, {"state", "visits", "scores"})
    return _state(game, decode, number, said["state"]), _record(game, number, line, said)


def _state(game: Game[S, E], decode: Callable[[Any], S], number: int, value: Any) -> S:  # noqa: ANN401
    try:
        state = decode(value)
    except ValueError as error:
        _refuse(number, str(error))
    encode, _ = _codec(game)
    if _text(encode(state)) != _text(value):
        _refuse(number, f"{brief(value)} is not how {game.name} writes {brief(state)}.")
    return state


def _record(game: Game[S, E], number: int, line: str | bytes, said: dict[str, Any]) -> Record:
    n, scores = said["visits"], said["scores"]
    if not _is_count(n) or not isinstance(scores, list):
        _refuse(number, f"{brief(line)} has no number of visits and list of scores.")
    if len(scores) != game.players and (n or scores):
        _refuse(number, f"{brief(line)} has no score for each of {game.players} players.")
    if not all(_is_possible(points, n, game.score_range) for points in scores):
        _refuse(number, f"{brief(line)} has scores that {n} games cannot add up to.")
    if scores and not _adds_up(scores, n, game):
        _refuse(number, f"{brief(line)} has scores that add up to what {n} games do not.")
    return Record(n, tuple(scores))


MOST = 10**300
"""The largest count there may be: a float holds it."""


def _is_count(value: Any) -> bool:  # noqa: ANN401
    return type(value) is int and 0 <= value <= MOST


def _is_possible(points: Any, n: int, score_range: tuple[float, float]) -> bool:  # noqa: ANN401
    """Whether `points` may be the sum of n scores; floats may be off by what adding them rounds."""
    low, high = score_range
    if type(points) is int:
        return n * low <= points <= n * high
    rounding = _rounding(n, score_range)
    return type(points) is float and n * low - rounding <= points <= n * high + rounding


def _adds_up(scores: list[float], n: int, game: Game[S, E]) -> bool:
    """Whether the scores of all players may come from n games."""
    if game.score_sum is None:
        return True
    return abs(sum(scores) - n * game.score_sum) <= len(scores) * _rounding(n, game.score_range)


def _rounding(n: int, score_range: tuple[float, float]) -> float:
    """What adding up n scores may be off by."""
    return min(n, 2**53) ** 2 * 2.0**-53 * max(map(abs, score_range))
