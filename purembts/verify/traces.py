"""Traces: searches in files, which other programs follow draw by draw; docs/traces.md has the form.

{"format": "purembts trace", "version": 1, "game": "Last coin", ..., "dives": 1}
{"dive": 1, "draws": [[1, 2]], "path": [[2, 0]], "result": [1, 0]}
{"after": 1, "tree": [[[2, 0], 1, [1, 0]]]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat, zip_longest
from json import dumps, loads
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

from purembts.bounds import AnyBound, Bound, ucb1_with, wald_with
from purembts.chance import Rng
from purembts.checks import at_least_one, brief
from purembts.differences import Parting, difference
from purembts.game import E, Game, S, Turn, events_of, plain_playout, start_of, turn_at
from purembts.jsonl import ERRORS, codec_of, game_facts, plain, sentence
from purembts.mcts import backpropagate, best_child, bounds_of, select
from purembts.records import NOTHING, Scores, Tree, as_tree
from purembts.verify.laws import Read, Uct, pair_of, read_tree
from purembts.verify.loading import game_in

_FORMAT = {"format": "purembts trace", "version": 1}
_BOUNDS: dict[str, Callable[[float], Bound]] = {"z": wald_with, "c": ucb1_with}
Draws = list[tuple[int, int]]
"""Random choices: the index that was drawn, and the number of things to choose from."""


# Writing


class _Number(float):
    """A random number that notes the draw for which it is multiplied."""

    notes: Draws

    def __mul__(self, n: Any) -> int:  # noqa: ANN401
        self.notes.append((int(float(self) * n), n))
        return self.notes[-1][0]


class _Noting(NamedTuple):
    """A generator that notes its draws."""

    rng: Rng
    draws: Draws

    def random(self) -> float:
        number = _Number(self.rng.random())
        number.notes = self.draws
        return number


def trace(
    game: Game[S, E],
    dives: int,
    rng: Rng,
    start: S | None = None,
    *,
    z: float | None = None,
    c: float = sqrt(2),
) -> Iterator[str]:
    """The lines of a search with plain random play, from `start` or from the start of the game.

    The bound is UCB1 with `c`, or the workshop's bound with `z`. The tree is there after 1, 10,
    100, ... dives, and after the last one.

    >>> from random import Random
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> header, dive, tree = trace(last_coin(), 1, Random(7), Pile(2))
    >>> dive
    '{"dive": 1, "draws": [[0, 2]], "path": [[2, 0]], "result": [0, 1]}'
    """
    encode, state = codec_of(game).encode, start_of(game, start)
    name, number = ("c", c) if z is None else ("z", z)
    header = {**_FORMAT, **game_facts(game), "bound": {name: number}, "start": encode(state)}
    yield dumps({**header, "dives": at_least_one(dives, "dives")})
    searched = _dives(game, state, _BOUNDS[name](number), repeat(rng, dives))
    yield from map(dumps, _lines(game, searched, dives))


_Dive: TypeAlias = tuple[Draws, list[S], Scores, Tree[S]]
"""The draws, the path and the result of a dive, and the tree after it."""


def _dives(game: Game[S, E], start: S, bound: AnyBound, rngs: Iterable[Rng]) -> Iterator[_Dive[S]]:
    """The dives of a search; each generator draws for one."""
    tree: Tree[S] = as_tree({})
    for each in rngs:
        rng = _Noting(each, [])
        path = select(game, tree, start, bound, rng)
        leaf, record = path[-1]
        result = game.result(leaf) if record.visits else plain_playout(game, leaf, rng)
        tree = backpropagate(tree, path, result)
        yield rng.draws, [state for state, _ in path], result, tree


def _lines(game: Game[S, E], dives: Iterable[_Dive[S]], n: int) -> Iterator[dict[str, Any]]:
    """The lines of `n` dives and of some of their trees."""
    encode = codec_of(game).encode
    for i, (draws, path, result, tree) in enumerate(dives, 1):
        yield {"dive": i, "draws": draws, "path": list(map(encode, path)), "result": result}
        if i == n or i == 10 ** (len(str(i)) - 1):
            rows = [(encode(each), *record) for each, record in tree.items()]
            yield {"after": i, "tree": sorted(rows, key=dumps)}


# Following


class _Drawing:
    """A generator that gives the draws of a dive, and counts how many are asked for."""

    def __init__(self, draws: Draws) -> None:
        if not all(len(draw) == 2 and draw[0] in range(draw[1]) for draw in draws):
            right = "pairs of an index from 0 and a number of things"
            raise ValueError(f"`draws` must be {right}; got {brief(draws)}.")
        self.draws, self.asked, self.others = draws, 0, Draws()

    def random(self) -> float:
        i, n = self.draws[self.asked] if self.asked < len(self.draws) else (0, 1)
        self.asked += 1
        return (i + 0.5) / n

    def randrange(self, n: int) -> int:
        if n < 2:
            return 0
        here = self.draws[self.asked : self.asked + 1]
        self.others += [(of, n) for _, of in here if of != n]
        return int(self.random() * n)

    def choice(self, items: Sequence[Any]) -> Any:  # noqa: ANN401
        return items[self.randrange(len(items))]


def follow(
    uct: Uct[Any],
    lines: Iterable[str],
    *,
    game: Game[Any, Any] | None = None,
    empty: Callable[[], Any] = dict,
    read: Read | None = None,
) -> int:
    """The number of dives of a trace, if `uct` draws as it says and has the right tree after each.

    The first dive that differs is an AssertionError, with the position, and both moves with their
    bounds. `uct` gets a generator with `random`, `randrange` and `choice`. `game` is one that is
    not of the library. `empty` and `read` are as for the laws of `search_laws`.

    >>> from functools import partial
    >>> from random import Random
    >>> from purembts.game import plain_playout
    >>> from purembts.games.last_coin import last_coin
    >>> from purembts.mcts import uct
    >>> plain = partial(uct, last_coin(), default_policy=plain_playout)
    >>> follow(plain, trace(last_coin(), 100, Random(7)))
    100
    """
    game, start, bound, ours = _read(lines, game)
    before: Tree[Any] = as_tree({})
    tree = empty()
    for i, (draws, _, result, right) in enumerate(ours, 1):
        rng = _Drawing(draws)
        tree, scores = pair_of(uct(tree, start, rng), f"Dive {i} of the trace")
        got = read_tree(tree, read)
        told: list[str] = []
        if difference(right, got):
            parting = Parting(i, before, difference(before, right), difference(before, got))
            told.append(why(game, parting, bound))
        if scores not in (result, list(result)):
            told.append(f"Dive {i} must return the result {result}; it returned {brief(scores)}.")
        for of, n in rng.others[:1]:
            told.append(f"Dive {i} must choose from {of} things; it chose from {n}.")
        if rng.asked != len(draws):
            told.append(f"Dive {i} must draw {len(draws)} numbers; it drew {rng.asked}.")
        if told:
            raise AssertionError(" ".join(told))
        before = right
    return len(ours)


def _read(
    lines: Iterable[str], game: Game[Any, Any] | None
) -> tuple[Game[Any, Any], Any, Bound, list[_Dive[Any]]]:
    """The game of a trace, its first position, its bound, and the dives with its draws.

    The lines must be those of these dives.
    """
    first, *rest = [*lines] or [""]
    game = game or game_in(first)[0]
    try:
        header, found = loads(first), [*map(loads, rest)]
        drawn = [each["draws"] for each in found if each.get("dive")]
        name, number = header["bound"].copy().popitem()
        facts = {**plain(game_facts(game)), "bound": {name: number}, "dives": len(drawn)}
        if (right := {**header, **_FORMAT, **facts}) != header:
            raise ValueError(f"its header must be {dumps(right)}; got {first}.")
        start, bound = codec_of(game).decode(header["start"]), _BOUNDS[name](number)
        dives = [*_dives(game, start, bound, map(_Drawing, drawn))]
        wrote = map(plain, _lines(game, dives, len(drawn)))
        for i, both in enumerate(zip_longest(wrote, found, fillvalue="nothing"), 2):
            for one, other in zip_longest(*map(_parts, both), fillvalue="nothing"):
                if one != other:
                    raise ValueError(f"line {i} must be {dumps(one)}; got {dumps(other)}.")
    except ERRORS as error:
        raise ValueError(f"The trace is damaged: {sentence(error)}") from error
    return game, start, bound, dives


def _parts(line: Any) -> list[Any]:  # noqa: ANN401
    """The line of a dive; or of a tree, a line for each record."""
    return [{**line, "tree": [row]} for row in line["tree"]] if "tree" in line else [line]


def why(game: Game[S, E], parting: Parting[S], bound: AnyBound) -> str:
    """The reason why two searches part: the position, and both moves with their bounds.

    `bound` is that of the first search, which is right in a trace.
    """
    dive, before, a, b = parting
    for state in sorted(a.keys() & b.keys(), key=lambda state: -a[state].after.visits):
        for event in dict.fromkeys(events_of(game, state)):
            turn = turn_at(game, state, event)
            right = best_child(game, as_tree(before), turn, bound)[0] if turn.moves else state
            others = [move for move in turn.moves if move in b and move not in a]
            if right in a and right not in b and others:
                return _fork(game, parting, turn, bound, (right, others[0]))
    state = next(each for each in (*a, *b) if a.get(each) != b.get(each))
    one, other = (each[state].after if state in each else before.get(state) for each in (a, b))
    return (
        f"After dive {dive}, the record of {_text(game, state)} must be {one or NOTHING}; "
        f"got {other or NOTHING}."
    )


def _fork(
    game: Game[S, E], parting: Parting[S], turn: Turn[S, E], bound: AnyBound, chosen: tuple[S, S]
) -> str:
    """The sentence that two dives go to different moves of `turn`, with the bounds of both."""
    records = [parting.before.get(move) or NOTHING for move in turn.moves]
    known = zip(bounds_of(game, records, turn.player, bound), records, strict=True)
    bounds = dict(zip(turn.moves, known, strict=True))
    event = "" if turn.event is None else f" after {game.display.event(turn.event)}"
    right, wrong = (
        f"{_text(game, move)}, with the bound {bounds[move][0]} of {bounds[move][1]}"
        for move in chosen
    )
    is_tie = bounds[chosen[0]][0] == bounds[chosen[1]][0]
    return (
        f"At dive {parting.dive}, the move from {_text(game, turn.state)}{event} must be {right}; "
        f"got {wrong}.{' Of equal bounds, the first counts.' if is_tie else ''}"
    )


def _text(game: Game[S, E], state: S) -> str:
    """A position as it stands in files."""
    return dumps(codec_of(game).encode(state))
