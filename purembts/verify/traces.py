"""Traces: searches as files, which another program follows draw by draw; docs/traces.md.

    {"format": "purembts trace", "version": 1, "game": "Last coin", ..., "dives": 1}
    {"dive": 1, "draws": [[1, 2]], "path": [[2, 0]], "result": [1, 0]}
    {"after": 1, "tree": [[[2, 0], 1, [1, 0]]]}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from json import dumps, loads
from math import sqrt
from typing import Any, NamedTuple

from purembts.bounds import AnyBound, Bound, ucb1_with, wald_with
from purembts.chance import Rng
from purembts.checks import at_least_one, brief
from purembts.differences import Parting, difference
from purembts.game import E, Game, S, Turn, events_of, plain_playout, start_of, turn_at
from purembts.jsonl import ERRORS, codec_of, game_facts, plain, sentence
from purembts.mcts import backpropagate, best_child, bounds_of, select
from purembts.records import NOTHING, Record, Scores, add_result, as_tree
from purembts.verify.loading import game_in
from purembts.verify.search_laws import Read, Records, Uct, pair_of, read_tree

_FORMAT = {"format": "purembts trace", "version": 1}


class Dive(NamedTuple):
    """A dive of a trace."""

    draws: list[tuple[int, int]]
    """The random choices: the index that was drawn, and the number of things to choose from."""
    path: list[Any]
    """The positions, from the first to the leaf."""
    result: Scores


class Trace(NamedTuple):
    """A search, dive by dive."""

    game: Game[Any, Any]
    bound: Bound
    start: Any
    dives: list[Dive]


# Writing


class _Number(float):
    """A random number that notes each choice for which it is multiplied."""

    notes: list[tuple[int, int]]

    def __mul__(self, n: Any) -> int:  # noqa: ANN401
        self.notes.append((int(float(self) * n), n))
        return self.notes[-1][0]


class _Noted(NamedTuple):
    """A generator with a list of its draws, each the number drawn and the number of choices."""

    rng: Rng
    draws: list[tuple[int, int]]

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
    """The lines of a search with random games of plain play, from `start` or the game's start.

    The bound is UCB1 with `c`, or the workshop's bound with `z`. The tree is there after 1, 10,
    100, ... dives, and after the last one.

    >>> from random import Random
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> header, *lines = trace(last_coin(), 1, Random(7), Pile(2))
    >>> lines[0]
    '{"dive": 1, "draws": [[0, 2]], "path": [[2, 0]], "result": [0, 1]}'
    """
    encode, state, tree = codec_of(game).encode, start_of(game, start), as_tree({})
    kind: dict[str, float] = {"c": c} if z is None else {"z": z}
    bound = _bound(kind)
    header = {**_FORMAT, **game_facts(game), "bound": kind, "start": encode(state)}
    yield dumps({**header, "dives": at_least_one(dives, "dives")})
    for i in range(1, dives + 1):
        noted = _Noted(rng, [])
        path = select(game, tree, state, bound, noted)
        leaf, record = path[-1]
        result = game.result(leaf) if record.visits else plain_playout(game, leaf, noted)
        tree = backpropagate(tree, path, result)
        places = [encode(each) for each, _ in path]
        yield dumps({"dive": i, "draws": noted.draws, "path": places, "result": result})
        if i == dives or i == 10 ** (len(str(i)) - 1):
            rows = [(encode(each), *record) for each, record in tree.items()]
            yield dumps({"after": i, "tree": sorted(rows, key=dumps)})


# Reading


def read_trace(lines: Iterable[str | bytes], game: Game[Any, Any] | None = None) -> Trace:
    """The trace in `lines`, of `game` or else of the library's game that the header names.

    A line that is damaged, or a tree that does not follow from the dives, is a ValueError.
    """
    numbered = enumerate(lines, 1)
    number, line = next(numbered, (1, ""))
    try:
        found, of, tree = _begun(str(line), game), loads(line)["dives"], dict[Any, Record]()
        for number, line in numbered:  # noqa: B007
            tree = _read(found, tree, loads(line))
        if len(found.dives) != of:
            raise ValueError(f"there must be {of} dives; got {len(found.dives)}.")
    except ERRORS as error:
        raise ValueError(f"line {number} of the trace: {sentence(error)}") from error
    return found


def _begun(header: str, game: Game[Any, Any] | None) -> Trace:
    """The trace with this header, without dives."""
    game, facts = game or game_in(header)[0], loads(header)
    right = {**_FORMAT, **plain(game_facts(game))}
    if (got := {key: facts[key] for key in right}) != right:
        raise ValueError(f"the header must have {right}; got {got}.")
    return Trace(game, _bound(facts["bound"]), codec_of(game).decode(facts["start"]), [])


def _bound(kind: dict[str, float]) -> Bound:
    """The bound of a header: {"z": 2} or {"c": 1.4}."""
    [(name, number)] = kind.items()
    return {"z": wald_with, "c": ucb1_with}[name](number)


def _read(found: Trace, tree: Records[Any], line: dict[str, Any]) -> Records[Any]:
    """The tree after a line, which is a dive to add to `found`, or the tree so far."""
    decode, n = codec_of(found.game).decode, len(found.dives)
    if "dive" in line:
        path, draws = [*map(decode, line["path"])], [(i, of) for i, of in line["draws"]]
        found.dives.append(Dive(draws, path, tuple(line["result"])))
        right, got = n + 1, line["dive"]
    else:
        right = n, tree
        got = line["after"], {decode(at): Record(k, tuple(sums)) for at, k, sums in line["tree"]}
    if right != got:
        raise ValueError(f"it must be {brief(right)}; got {brief(got)}.")
    return _after(tree, found.dives[-1]) if "dive" in line else tree


def _after(tree: Records[S], dive: Dive) -> Records[S]:
    """The records of `tree` after one more dive."""
    changed = {at: add_result(tree.get(at, NOTHING), dive.result) for at in dive.path}
    return {**tree, **changed}


# Following


class Draws:
    """A generator that gives the draws of a dive, and counts how many are asked for."""

    def __init__(self, draws: Iterable[tuple[int, int]]) -> None:
        self.left, self.asked = iter(draws), 0

    def random(self) -> float:
        """Return a number that is the next draw when it is multiplied by the number of choices."""
        self.asked += 1
        i, n = next(self.left, (0, 1))
        return (i + 0.5) / n

    def randrange(self, n: int) -> int:
        """Return the next draw from 0 to n - 1. The only choice draws nothing."""
        return int(self.random() * n) if n > 1 else 0

    def choice(self, items: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return the item that is drawn next."""
        return items[self.randrange(len(items))]


def follow(
    uct: Uct[Any],
    lines: Iterable[str | bytes],
    *,
    game: Game[Any, Any] | None = None,
    start: Any = None,  # noqa: ANN401
    empty: Callable[[], Any] = dict,
    read: Read | None = None,
) -> int:
    """The number of dives of the trace in `lines`, if `uct` has the right tree after each of them.

    The first dive that differs is an AssertionError that says where, with both moves and their
    bounds. A `uct` whose positions are others needs its own `start`, and `read`, a function from
    its tree to a map from positions of the library to pairs of visits and scores.

    >>> from functools import partial
    >>> from random import Random
    >>> from purembts.games.last_coin import last_coin
    >>> from purembts.mcts import uct
    >>> follow(partial(uct, last_coin()), trace(last_coin(), 100, Random(7)))
    100
    """
    found, tree, right = read_trace(lines, game), empty(), dict[Any, Record]()
    for i, dive in enumerate(found.dives, 1):
        before, right, rng = right, _after(right, dive), Draws(dive.draws)
        try:
            place = found.start if start is None else start
            tree, _ = pair_of(uct(tree, place, rng), f"Dive {i} of the trace")
        except Exception as error:
            error.add_note(f"This was dive {i} of the trace.")
            raise
        got = read_tree(tree, read)
        if got != right or rng.asked != len(dive.draws):
            parting = Parting(i, before, difference(before, right), difference(before, got))
            raise AssertionError(_trouble(found, parting, dive, rng.asked))
    return len(found.dives)


def _trouble(found: Trace, parting: Parting[Any], dive: Dive, asked: int) -> str:
    """The sentences about a dive that has another tree, or that draws more or fewer numbers."""
    game, bound, drawn = found.game, found.bound, len(dive.draws)
    told = [f"Dive {parting.dive} must draw {drawn} numbers; the port drew {asked}."]
    if parting.a == parting.b:
        return told[0]
    reason = why(game, parting, bound, who=("the trace", "the port"), path=dive.path)
    return " ".join([reason, *(told if asked != drawn else [])])


# The reason


def why(
    game: Game[S, E],
    parting: Parting[S],
    bound: AnyBound,
    *,
    who: tuple[str, str] = ("the first search", "the second search"),
    path: Sequence[S] = (),
) -> str:
    """The reason why two searches part: the position, and the moves of both with their bounds.

    `bound` is that of the first search, and `path` has the positions of its dive if they are known.
    """
    dive, before, a, b = parting
    places = path or sorted(a, key=lambda state: -a[state].after.visits)
    forks = (fork for place in places for fork in _forks(game, parting, place, bound))
    if fork := next(forks, None):
        (state, event, moves, player), *chosen = fork
        records = [before.get(move) or NOTHING for move in moves]
        bounds = dict(zip(moves, bounds_of(game, records, player, bound), strict=True))
        after = "" if event is None else f" after {game.display.event(event)}"
        told = "; ".join(
            f"{one} goes to {_text(game, move)}, whose bound is {bounds[move]}, of "
            f"{before.get(move) or NOTHING}"
            for one, move in zip(who, chosen, strict=True)
        )
        tie = " Of equal bounds, the first move counts."
        is_tie = bounds[chosen[0]] == bounds[chosen[1]]
        return f"At dive {dive}, from {_text(game, state)}{after}, {told}.{tie if is_tie else ''}"
    state = next(each for each in (*places, *b) if a.get(each) != b.get(each))
    one, other = (each[state].after if state in each else before.get(state) for each in (a, b))
    return (
        f"After dive {dive}, the record of {_text(game, state)} is {one or NOTHING} in {who[0]}, "
        f"and {other or NOTHING} in {who[1]}."
    )


def _forks(
    game: Game[S, E], parting: Parting[S], place: S, bound: AnyBound
) -> list[tuple[Turn[S, E], S, S]]:
    """The turns at `place` where both searches go on, to different moves, with these moves.

    Events can have moves in common. Those come first whose best move is that of the first search.
    """
    _, before, a, b = parting
    if place not in b:
        return []
    turns = [turn_at(game, place, event) for event in dict.fromkeys(events_of(game, place))]
    found = [
        (turn, x, y)
        for turn in turns
        for x, y in product(turn.moves, repeat=2)
        if x in a and x not in b and y in b and y not in a
    ]
    best = partial(best_child, game, as_tree(before), bound=bound)
    return sorted(found, key=lambda fork: best(turn=fork[0])[0] != fork[1])


def _text(game: Game[S, E], state: S) -> str:
    """A position as it stands in files."""
    return dumps(game.json.encode(state)) if game.json else brief(state)
