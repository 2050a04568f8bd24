"""Trees as JSON Lines: a header that names the game and its rules, then a line for each position.

    {"format": "purembts tree", "version": 1, "game": "Shut the Box", "rules": ..., "positions": 2}
    {"state": [2, 7], "visits": 9, "scores": [1, 8]}
    {"state": [7], "visits": 3, "scores": [1, 2]}

The lines are sorted by the text of the position, so that trees of the same positions and the same
numbers have the same file. Numbers are exact, and 1 and 1.0 are written differently.

`lines` and `tree` make the same checks, so that `tree` reads every tree that `lines` writes. Their
time is linear in the positions, except that sorting the lines takes a little more.

With `views` a tree has the views of a player in the place of positions, and so has its file, whose
header has `"views": true`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from json import JSONEncoder, loads
from typing import Any, TypeAlias, TypeVar

from pyrsistent import pmap

from purembts.checks import brief
from purembts.game import E, Game, S
from purembts.records import Record, Scores, Tree, as_tree, rounding

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")

FORMAT = "purembts tree"
VERSION = 1

MOST = 10**300
"""The largest count or score, which a float can hold. The lowest score is `-MOST`."""

_dumps = JSONEncoder(allow_nan=False).encode

Watch: TypeAlias = Callable[[Iterable[Any], str, int], Iterable[Any]]
"""A function that returns its first argument, and may show a person how much of it is done.

The other arguments are the name of the work and the number of steps: `shell.progress.watched`.
"""


def unwatched(steps: Iterable[T], label: str, total: int) -> Iterable[T]:  # noqa: ARG001
    """`steps`, without a display."""
    return steps


def lines(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    *,
    views: bool = False,
    watch: Watch = unwatched,
) -> Iterator[str]:
    """The lines of `tree`, the header first, without line ends.

    A position or a record that the function `tree` would refuse is a ValueError that names the
    position. It is raised by this call, before there is any line.

    >>> from purembts.games.shut_the_box import shut_the_box
    >>> [_, line] = lines(shut_the_box(), {frozenset({2, 7}): Record(9, (1, 8))})
    >>> line
    '{"state": [2, 7], "visits": 9, "scores": [1, 8]}'
    """
    game = _checked_game(game, views)
    tree = as_tree(tree)
    records: dict[str, Record] = {}
    for state, record in watch(tree.items(), "checking positions", len(tree)):
        text = _written(game, state, record)
        if text in records:
            raise ValueError(
                f"position {brief(state)}: {game.name} must encode different positions "
                f"differently; got {text} twice."
            )
        records[text] = record
    header = _text({**_header(game, views), "positions": len(records)})
    texts = watch(sorted(records), "writing positions", len(records))
    return chain([header], (_line(text, records[text]) for text in texts))


def tree(
    game: Game[S, E],
    lines: Iterable[str | bytes],
    *,
    views: bool = False,
    watch: Watch = unwatched,
) -> Tree[S]:
    """The tree that was written as `lines`, equal to the one that was written.

    A line that is damaged or belongs to another game is a ValueError that names the line.
    """
    game = _checked_game(game, views)
    numbered = enumerate(lines, 1)
    number, header = next(numbered, (1, ""))
    positions = _read(partial(_checked_header, game, views), number, header)
    item = partial(_item, game)
    records: dict[S, Record] = {}
    for number, line in watch(numbered, "reading positions", positions):
        state, record = _read(item, number, line)
        if state in records:
            raise ValueError(
                f"line {number}: each position must have only one line; got {brief(line)}."
            )
        records[state] = record
    if len(records) != positions:
        raise ValueError(
            f"line {number}: the number of positions must be {positions}, as the header says; "
            f"got {len(records)}."
        )
    return pmap(records)


def _codec(game: Game[S, E]) -> tuple[Callable[[S], Any], Callable[[Any], S]]:
    if game.json is None:
        raise ValueError(
            f"`json` of {game.name} must be Codec(encode, decode), so that its trees can be kept; "
            "got None."
        )
    return game.json


def _checked_game(game: Game[S, E], views: bool) -> Game[Any, E]:
    """`game`, with the JSON of its views if `views` is True; a ValueError if there is no JSON."""
    if views and (game.hidden is None or game.hidden.json is None):
        raise ValueError(
            f"`hidden` of {game.name} must have `json`, so that its trees of views can be kept; "
            "got None."
        )
    game = game._replace(json=game.hidden.json) if views and game.hidden else game
    _codec(game)
    return game


def _header(game: Game[S, E], views: bool) -> dict[str, Any]:
    rules = {} if game.rules is None else game.rules._asdict()
    header = {"format": FORMAT, "version": VERSION, "game": game.name, "rules": rules}
    return {**header, "views": True} if views else header


def _line(text: str, record: Record) -> str:
    """The line of the position that is written as `text`."""
    return f'{{"state": {text}, {_text(record._asdict())[1:]}'


def _text(value: Any) -> str:  # noqa: ANN401
    """`value` as JSON, or a ValueError if JSON has no such value."""
    try:
        return _dumps(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{brief(value)} cannot be written as JSON: {error}.") from error


# Writing a position, and reading a line


def _written(game: Game[S, E], state: S, record: Record) -> str:
    """The text of `state`, or a ValueError if the line with `record` would be refused."""
    encode, _ = _codec(game)
    try:
        text = _text(_called(game, encode, state))
        _check_same(game, state, _position(game, loads(text)))
        _check_record(game, record)
    except ValueError as error:
        raise ValueError(f"position {brief(state)}: {error}") from error
    return text


def _read(read: Callable[[str | bytes], T], number: int, line: str | bytes) -> T:
    """`read(line)`, where an error names the line."""
    try:
        return read(line)
    except RecursionError as error:
        message = f"line {number}: a line must be nested less deeply; got {brief(line)}."
        raise ValueError(message) from error
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from error


def _checked_header(game: Game[S, E], views: bool, line: str | bytes) -> int:
    """The number of positions that the header in `line` promises."""
    expected = _header(game, views)
    fields = _fields(line)
    if isinstance(fields, dict) and ("views" in fields) != views:
        right, wrong = ("views", "positions") if views else ("positions", "views")
        raise ValueError(f"the file must have a tree of {right}; got a tree of {wrong}.")
    fields = _object(line, (*expected, "positions"))
    for key, value in expected.items():
        if _text(fields[key]) != _text(value):
            raise ValueError(f"`{key}` must be {brief(value)}; got {brief(fields[key])}.")
    _check_count("positions", fields["positions"])
    positions: int = fields["positions"]
    return positions


def _item(game: Game[S, E], line: str | bytes) -> tuple[S, Record]:
    """The position and the record in `line`."""
    fields = _object(line, ("state", *Record._fields))
    state, scores = _position(game, fields["state"]), fields["scores"]
    record = Record(fields["visits"], tuple(scores) if isinstance(scores, list) else scores)
    _check_record(game, record)
    return state, record


def _fields(line: str | bytes) -> Any:  # noqa: ANN401
    try:
        return loads(line)
    except ValueError as error:
        raise ValueError(f"a line must be JSON; got {brief(line)}.") from error


def _object(line: str | bytes, keys: tuple[str, ...]) -> dict[str, Any]:
    """The JSON object in `line`, which has these `keys`."""
    fields = _fields(line)
    if not isinstance(fields, dict) or fields.keys() != set(keys):
        raise ValueError(f"a line must be an object of {', '.join(keys)}; got {brief(line)}.")
    return fields


# The checks of a position, which writing and reading share


def _position(game: Game[S, E], value: Any) -> S:  # noqa: ANN401
    """The position that is written as `value`, or a ValueError if `game` has no such position."""
    encode, decode = _codec(game)
    state = _called(game, decode, value)
    again = _called(game, encode, state)
    if _text(again) != _text(value):
        raise ValueError(
            f"`state` must be {brief(again)}, as {game.name} writes it; got {brief(value)}."
        )
    return state


def _called(game: Game[S, E], function: Callable[[A], B], value: A) -> B:
    """`function(value)` for encode or decode of `game`, where every error is a ValueError."""
    try:
        return function(value)
    except (ValueError, RecursionError):
        raise
    except Exception as error:  # a TypeError, for example, where `value` is no position
        raise ValueError(
            f"{brief(value)} must be a position of {game.name}; "
            f"got {type(error).__name__}: {error}."
        ) from error


def _check_same(game: Game[S, E], state: S, again: S) -> None:
    if again != state:
        raise ValueError(f"{game.name} must read the position that it writes; got {brief(again)}.")


# The checks of a record, which writing and reading share


def _check_record(game: Game[S, E], record: Record) -> None:
    """Raise a ValueError if `record` cannot be the sum of results of `game`."""
    if not isinstance(record, Record):
        raise ValueError(f"a record must be a Record, as Record(9, (1, 8)); got {brief(record)}.")
    n, scores = record
    _check_count("visits", n)
    if not isinstance(scores, tuple) or not all(map(_is_number, scores)):
        raise ValueError(
            f"`scores` must be a tuple of finite numbers, a list in a file; got {brief(scores)}."
        )
    if len(scores) != game.players and (n or scores):
        raise ValueError(
            f"`scores` must have a number for each player, {game.players}; got {brief(scores)}."
        )
    if scores:
        _check_sums(game, n, scores)


def _check_sums(game: Game[S, E], n: int, scores: Scores) -> None:
    """Raise a ValueError if `scores` cannot be the sums of n results of `game`."""
    low, high = (n * score for score in game.score_range)
    total = None if game.score_sum is None else n * game.score_sum
    # `exact` is True for whole numbers alone. Floats are added n times, and then over the players.
    exact = {int}.issuperset(map(type, (*scores, *game.score_range, game.score_sum or 0)))
    error = 0 if exact or not n else rounding(n + len(scores), game.score_range)
    if not all(low - error <= points <= high + error for points in scores):
        raise ValueError(
            f"`scores` of {brief(n)} games must be from {brief(low)} to {brief(high)}; "
            f"got {brief(scores)}."
        )
    if total is not None and abs(sum(scores) - total) > len(scores) * error:
        raise ValueError(
            f"`scores` of {brief(n)} games must add up to {brief(total)}; got {brief(scores)}."
        )


def _check_count(name: str, value: Any) -> None:  # noqa: ANN401
    if not _is_number(value) or not isinstance(value, int) or value < 0:
        raise ValueError(f"`{name}` must be a whole number from 0 to 10**300; got {brief(value)}.")


def _is_number(value: Any) -> bool:  # noqa: ANN401
    """True if `value` is a finite number, which a bool is not."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and -MOST <= value <= MOST
