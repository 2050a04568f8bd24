"""Trees as JSON Lines: a header that names the game and its rules, then a line for each position.

    {"format": "purembts tree", "version": 1, "game": "Shut the Box", "rules": ..., "positions": 2}
    {"state": [2, 7], "visits": 9, "scores": [1, 8]}
    {"state": [7], "visits": 3, "scores": [1, 2]}

The lines are sorted by the text of the position, so that trees of the same positions and the same
numbers have the same file. Each line is read again before it is written, so `tree_in` reads every
tree that `lines` writes. With `views`, a tree and its file have views of a player in the place of
positions, and the header of the file has `"views": true`.

The header also has a `digest` of some random games, by which a tree of other functions is refused,
and, if it was saved by `purembts search`, in `search` what the search needs to go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from itertools import chain
from json import JSONDecoder, JSONEncoder, loads
from random import Random
from re import fullmatch
from typing import Any

from pyrsistent import pmap

from purembts.chance import pick
from purembts.checks import MISTAKES, brief, whole_number
from purembts.display import Codec
from purembts.game import E, Game, S, first_position
from purembts.records import (
    Record,
    Tree,
    as_tree,
    checked_record,
    rounding,
    without_collector,
)

_GAMES, _TURNS = 20, 2000
"""The most random games of a digest, and the most turns of all of them."""

_dumps = JSONEncoder(allow_nan=False).encode
_raw_decode = JSONDecoder(parse_constant=int).raw_decode  # int("NaN") is an error: it is no JSON
_ERRORS = (*MISTAKES, ArithmeticError, RecursionError)
"""The errors that a wrong line leads to, also in the functions of a codec."""


def lines(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    *,
    views: bool = False,
    search: Mapping[str, Any] | None = None,
) -> Iterator[str]:
    """The lines of `tree`, the header first, without line ends.

    `search` is an object of JSON for the header, which `search_in` reads. A position or a record
    that the function `tree_in` would refuse is a ValueError that names the position. It is raised
    by this call, before there is any line.

    >>> from purembts.games.shut_the_box import shut_the_box
    >>> [_, line] = lines(shut_the_box(), {frozenset({2, 7}): Record(9, (1, 8))})
    >>> line
    '{"state": [2, 7], "visits": 9, "scores": [1, 8]}'
    """
    codec, tree = _codec_of(game, views), as_tree(tree)
    written = list[str]()
    for state, record in tree.items():
        try:
            value, (n, scores) = codec.encode(state), checked_record(record)
            sums = [*map(_as_whole, scores)]
            written.append(line := _dumps({"state": value, "visits": n, "scores": sums}))
            if _item(game, codec, line) != (state, record):
                raise ValueError(f"{game.name} must read it as the same; got {brief(line)}.")
        except _ERRORS as error:
            raise ValueError(f"position {brief(state)}: {_sentence(error)}") from error
    written.sort()  # by the text of the position: no text of JSON is the start of another
    about = {"search": search} if search else {}
    header = _dumps({**_header(game, views), "positions": len(written), **about})
    return chain([header], written)


@without_collector()
def tree_in(game: Game[S, E], lines: Iterable[str | bytes], *, views: bool = False) -> Tree[S]:
    """The tree in `lines`, equal to the one that was written.

    A line that is damaged or belongs to another game is a ValueError that names the line. A file
    that was written before its rules got a new field has the default of this field, and one that
    has no digest is read without it.
    """
    codec = _codec_of(game, views)
    numbered = enumerate(lines, 1)
    number, line = next(numbered, (1, ""))
    records: dict[S, Record] = {}
    try:
        positions = _positions_of(game, views, line)
        for number, line in numbered:  # noqa: B007
            state, record = _item(game, codec, line)
            if state in records:
                raise ValueError(f"each position must have only one line; got {brief(line)}.")
            records[state] = record
        if len(records) != positions:
            raise ValueError(
                f"the number of positions must be {brief(positions)}, as the header says; "
                f"got {len(records)}."
            )
    except _ERRORS as error:
        raise ValueError(f"line {number}: {_sentence(error)}") from error
    return pmap(records)


def search_in(line: str | bytes) -> dict[str, Any]:
    """The `search` in the header `line`; empty if it has none."""
    search = _fields(line).get("search", {})
    if not isinstance(search, dict):
        raise ValueError(f"`search` must be an object of JSON; got {brief(search)}.")
    return search


def _as_whole(score: float | Fraction) -> float | str:
    """A score as an int if it is a whole number, so that equal trees have equal files.

    >>> _as_whole(2.0), _as_whole(Fraction(1, 3))
    (2, '1/3')
    """
    if score == int(score):
        return int(score)
    return str(score) if isinstance(score, Fraction) else score


def _score_in(value: Any) -> Any:  # noqa: ANN401
    """The score in a value of JSON: a Fraction for a text such as "1/3"."""
    if not isinstance(value, str):
        return value
    if fullmatch(r"-?\d{1,99}/[1-9]\d{0,99}", value) is None:
        raise ValueError(f'a score must be a number, or a text such as "1/3"; got {brief(value)}.')
    return Fraction(value)


def _codec_of(game: Game[S, E], views: bool) -> Codec[Any]:
    """The JSON of positions, or of views if `views` is True; a ValueError if there is none."""
    codec = game.hidden and game.hidden.json if views else game.json
    if codec is None:
        raise ValueError(
            f"`{'hidden' if views else 'json'}` of {game.name} must have functions to and from "
            "JSON, so that its positions can be kept; got None."
        )
    return codec


def _header(game: Game[S, E], views: bool) -> dict[str, Any]:
    """The header of a file, without the number of positions."""
    rules = getattr(game.rules, "_asdict", lambda: game.rules or {})()
    header = {"format": "purembts tree", "version": 1, "game": game.name, "rules": rules}
    header["digest"] = None if game.start is None and game.deal is None else _digest(game)
    return {**header, "views": True} if views else header


def _digest(game: Game[S, E]) -> str:
    """The digest of some random games, which a game with other functions has only by chance.

    It has the numbers of events and moves and the player at each turn, and the rounded results. A
    mistake in the game does not lose a tree.
    """
    ways = list[tuple[Any, ...]]()
    for rng in map(Random, map(str, range(_GAMES))):
        try:
            state = first_position(game, rng)
            while len(ways) < _TURNS:
                events = game.chances(state)
                moves = game.moves(state, pick(events, rng))
                ways.append((len(events), len(moves), game.to_move(state)))
                if not moves:
                    ways.append(tuple(_as_whole(round(score, 9)) for score in game.result(state)))
                    break
                state = pick(moves, rng)
        except _ERRORS as error:
            ways.append((type(error).__name__,))
    return sha256(repr(ways).encode()).hexdigest()[:16]


def _sentence(error: Exception) -> str:
    """The sentence of a ValueError; other errors come with their type."""
    if isinstance(error, ValueError):
        return str(error)
    return f"it must fit the game; got {type(error).__name__}: {error}."


def _positions_of(game: Game[S, E], views: bool, line: str | bytes) -> int:
    """The number of positions in the header `line`. ValueError unless the header is of `game`."""
    expected = _header(game, views)
    fields = {"digest": expected["digest"], **_fields(line)}  # older files have none
    if ("views" in fields) != views:
        right, wrong = ("views", "positions") if views else ("positions", "views")
        raise ValueError(f"the file must have a tree of {right}; got a tree of {wrong}.")
    if isinstance(fields.get("rules"), dict):
        fields["rules"] = {**getattr(game.rules, "_field_defaults", {}), **fields["rules"]}
    for key, value in expected.items():
        got = fields.get(key)
        if value is not None and got != loads(_dumps(value)):  # in a file, a tuple is a list
            why = " The game must have the same functions." if key == "digest" else ""
            raise ValueError(f"`{key}` must be {brief(value)}; got {brief(got)}.{why}")
    return whole_number(fields.get("positions", 0), "positions", 0)


def _fields(line: str | bytes, *keys: str) -> dict[str, Any]:
    """The JSON object in `line`. If there are `keys`, ValueError unless it has exactly these."""
    try:
        text = (line if isinstance(line, str) else line.decode()).strip("\ufeff \t\r\n")
        fields, end = _raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"a line must be JSON; got {brief(line)}.") from error
    if end < len(text) or not isinstance(fields, dict) or (keys and fields.keys() != {*keys}):
        right = f"an object of {', '.join(keys or ('fields',))}"
        raise ValueError(f"a line must be {right}; got {brief(line)}.")
    return fields


def _item(game: Game[S, E], codec: Codec[S], line: str | bytes) -> tuple[S, Record]:
    """The position and the record in `line`."""
    fields = _fields(line, "state", *Record._fields)
    value, scores = fields["state"], fields["scores"]
    encoded = codec.encode(state := codec.decode(value))
    if repr(encoded) != repr(value) and (text := _dumps(encoded)) != _dumps(value):
        raise ValueError(f"`state` must be {text}; got {brief(value)}.")
    if isinstance(scores, list):
        scores = tuple(map(_score_in, scores))
    record = Record(fields["visits"], scores)
    _check_sums(game, checked_record(record))
    return state, record


def _check_sums(game: Game[S, E], record: Record) -> None:
    """Raise a ValueError if `record` cannot be the sum of results of `game`."""
    n, scores = record
    whole_number(n, "visits", 0, 10**18)  # floats cannot compute with much more
    low, high, total = n * game.score_range[0], n * game.score_range[1], game.score_sum
    is_sum = total is None or sum(scores) == n * total
    if len(scores) == game.players and is_sum and low <= min(scores) <= max(scores) <= high:
        return
    is_whole = all(type(number) is int for number in (*scores, low, high))
    error = 0 if is_whole or not n else rounding(n + len(scores), game.score_range)
    if len(scores) != game.players and (n or scores):
        right = f"have a number for each player, {game.players}"
    elif not all(low - error <= points <= high + error for points in scores):
        right = f"be from {low} to {high} after {n} games"
    elif scores and total is not None and abs(sum(scores) - n * total) > len(scores) * error:
        right = f"add up to {n * total} after {n} games"
    else:
        return
    raise ValueError(f"`scores` must {right}; got {brief(scores)}.")
