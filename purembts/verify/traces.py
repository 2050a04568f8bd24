"""Traces: searches in files, which other programs follow draw by draw; docs/traces.md has the form.

{"format": "purembts trace", "version": 1, "game": "Last coin", ..., "dives": 1}
{"dive": 1, "draws": [[1, 2]], "path": [[2, 0]], "result": [1, 0]}
{"after": 1, "tree": [[[2, 0], 1, [1, 0]]]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from json import dumps, loads
from math import sqrt
from typing import Any, NamedTuple

from purembts.bounds import AnyBound, Bound, ucb1_with, wald_with
from purembts.chance import Rng
from purembts.checks import at_least_one
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
    notes = [_Noting(rng, []) for _ in range(dives)]
    searched = _dives(game, state, _BOUNDS[name](number), notes)
    for i, (path, result, tree) in enumerate(searched, 1):
        places = list(map(encode, path))
        yield dumps({"dive": i, "draws": notes[i - 1].draws, "path": places, "result": result})
        if i == dives or i == 10 ** (len(str(i)) - 1):
            rows = [(encode(each), *record) for each, record in tree.items()]
            yield dumps({"after": i, "tree": sorted(rows, key=dumps)})


def _dives(
    game: Game[S, E], start: S, bound: AnyBound, rngs: Iterable[Rng]
) -> Iterator[tuple[list[S], Scores, Tree[S]]]:
    """The path and the result of each dive, and the tree after it; a generator draws for one."""
    tree: Tree[S] = as_tree({})
    for rng in rngs:
        path = select(game, tree, start, bound, rng)
        leaf, record = path[-1]
        result = game.result(leaf) if record.visits else plain_playout(game, leaf, rng)
        tree = backpropagate(tree, path, result)
        yield [state for state, _ in path], result, tree


# Following


class _Drawing:
    """A generator that gives the draws of a dive, and counts how many are asked for."""

    def __init__(self, draws: Draws) -> None:
        self.left, self.asked = iter(draws), 0

    def random(self) -> float:
        self.asked += 1
        i, n = next(self.left, (0, 1))
        return (i + 0.5) / n

    def randrange(self, n: int) -> int:
        return int(self.random() * n) if n > 1 else 0

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
    game, start, bound, dives = _read(lines, game)
    before: Tree[Any] = as_tree({})
    tree, encode = empty(), codec_of(game).encode
    ours = _dives(game, start, bound, [_Drawing(dive["draws"]) for dive in dives])
    for i, (dive, (path, result, right)) in enumerate(zip(dives, ours, strict=True), 1):
        wrote = plain({**dive, "dive": i, "path": list(map(encode, path)), "result": result})
        if dive != wrote:
            raise ValueError(f"Line {dumps(dive)} of the trace must be {dumps(wrote)}.")
        rng = _Drawing(dive["draws"])
        tree, _ = pair_of(uct(tree, start, rng), f"Dive {i} of the trace")
        got = read_tree(tree, read)
        told: list[str] = []
        if difference(right, got):
            parting = Parting(i, before, difference(before, right), difference(before, got))
            told.append(why(game, parting, bound))
        if rng.asked != (drawn := len(dive["draws"])):
            told.append(f"Dive {i} must draw {drawn} numbers; it drew {rng.asked}.")
        if told:
            raise AssertionError(" ".join(told))
        before = right
    return len(dives)


def _read(
    lines: Iterable[str], game: Game[Any, Any] | None
) -> tuple[Game[Any, Any], Any, Bound, list[dict[str, Any]]]:
    """The game of a trace, its first position, its bound, and the lines of its dives."""
    first, *rest = lines
    game = game or game_in(first)[0]
    try:
        header, dives = loads(first), [each for each in map(loads, rest) if "dive" in each]
        right = {**header, **_FORMAT, **plain(game_facts(game)), "dives": len(dives)}
        if right != header:
            raise ValueError(f"its header must be {dumps(right)}; got {first}.")
        [(name, number)] = header["bound"].items()
        start = codec_of(game).decode(header["start"])
        return game, start, _BOUNDS[name](number), dives
    except ERRORS as error:
        raise ValueError(f"The trace is damaged: {sentence(error)}") from error


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
