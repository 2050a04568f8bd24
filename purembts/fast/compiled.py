"""Random games and dives of small games in compiled loops, where these save time.

The linked positions of a game become numbers, and `kernel` has the loops, which numba compiles.
Python's generator goes in and comes out. So the results are the same to the last bit, and so is
the next random number. Without numba nothing changes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache, partial
from importlib import import_module, reload
from importlib.util import find_spec, module_from_spec
from itertools import accumulate, chain, islice
from math import inf
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from purembts.bounds import AnyBound, Bound, ucb1, ucb1_with, wald_with
from purembts.chance import Rng
from purembts.checks import brief
from purembts.fast.links import MOST_LINKED, Links, alike, linked_playout, with_moves
from purembts.fast.tallies import SearchPlan
from purembts.game import DefaultPolicy, E, Game, S
from purembts.positions import positions
from purembts.records import Record, Scores, Tree, with_records, without_collector

T = TypeVar("T")

LEAST = 250
"""The games or dives from which on a call is worth the reading of its generator."""
START, EACH = 1_100, 0.05
"""The times of numba's start and end, and of a position that becomes a number. The unit is an
import of `argparse`."""
BATCH = 100_000
"""The games or dives of one call of a loop, which Ctrl-C cannot end before its last one."""
_LARGE = 2**52
"""Whole numbers below this one are exact as floats, and so are their differences."""

_patience = 1.0  # the factor of the work to wait for
_kernel: Any = None if find_spec("numba") else False
"""The room, once it is imported; None before, and False if it cannot be."""
tell: Callable[[str], object] = str
"""The function that gets a line when the loops are compiled. An adapter puts its own here."""


def use_compiled(on: bool) -> None:
    """Use the compiled loops from the first dive on, or never. By default: once they save time."""
    global _patience
    _patience = 0.0 if on else inf


def _loaded() -> bool:
    """True if the compiled loops can be used."""
    global _kernel
    _kernel = import_loops("kernel") if _kernel is None else _kernel
    return bool(_kernel)


def loops_in_use() -> Any:  # noqa: ANN401
    """The kernel if its loops are in use; otherwise None, and it is not imported for this."""
    if not _patience:
        _loaded()
    return _kernel if _patience < inf else None


def import_loops(room: str) -> Any:  # noqa: ANN401
    """A room of compiled loops; False if they cannot be compiled.

    Where the folder of compiled loops cannot be written, or has damaged files, this process alone
    has them.
    """
    try:
        loops = import_module(f"purembts.fast.{room}")
        try:
            if not loops.keep(loops.__name__):
                _tell_of_the_first_time()
            loops.compile_loops()
        except Exception as error:  # noqa: BLE001 - of numba, or of any damaged file
            tell(f"The dives are compiled now, for this process alone, because of {brief(error)}.")
            reload(loops).compile_loops()
    except Exception as error:  # noqa: BLE001 - numba does not fit
        tell(f"The dives are not compiled, because of {brief(error)}.")
        return False
    return loops


@cache
def _tell_of_the_first_time() -> None:
    tell("The dives are compiled now, once on this machine. It takes some seconds.")


# A game as numbers


class Numbers(NamedTuple, Generic[S]):
    """The positions of a game as numbers, each after those that can follow it."""

    of: dict[S, int]
    results: Sequence[Scores]  # () where the game goes on
    tables: _Table


def numbers_of(game: Game[S, E], state: S, n: int, speed: Speed | None) -> Numbers[S] | None:
    """The positions from `state` on as numbers, if they are worthwhile for `n` games or dives."""
    if speed is None or not game.is_small or n < LEAST * _patience:
        return None
    links, old = speed.links, speed.links.numbers
    if old and state in old.of:
        return old  # type: ignore[no-any-return]
    if old is False or not is_worthwhile(n, speed):
        return None
    links.numbers = _new_numbers(game, state) or False
    return links.numbers or None


def is_worthwhile(n: int, speed: Speed, *, is_new: bool = False) -> bool:
    """True if compiled loops save more time in `n` games or dives than they cost.

    Then the kernel has been imported. A room of loops that is new costs as much as numba's start.
    """
    start, each = _costs()
    cost = (start if is_new or not _kernel else 0.0) + each * len(speed.links)
    rest = max(n * speed.next, speed.links.past / 10)  # or a tenth of the past, again
    return rest >= cost * _patience and _loaded()


class Speed(NamedTuple):
    """The time of games or dives in Python, measured in parts. Each part is twice the last one."""

    links: Links[Any, Any]
    part: int = 32
    n: int = 0  # the games of this part so far, and their seconds
    seconds: float = 0.0
    each: float = inf  # the seconds of a game in the last part
    next: float = 0.0  # those of a game to come, if they go on falling; 0 after a short part


def speed_of(policy: DefaultPolicy[S, E], rng: Rng, bound: AnyBound = ucb1) -> Speed | None:
    """The speed before the first game; None if games or dives of this kind are never compiled."""
    if not can_compile(rng) or getattr(policy, "func", None) is not linked_playout:
        return None
    with suppress(TypeError, ValueError):
        bounding(bound, 0, 1)
        return Speed(policy.args[0])  # type: ignore[attr-defined]
    return None


def can_compile(rng: Rng) -> bool:
    """True if numba may be there, and `rng` is a generator of Python."""
    return _kernel is not False and _source(rng) is not None


def timed(speed: Speed | None, n: int, work: Callable[[int], T]) -> tuple[Speed | None, int, T]:
    """The speed after k of `n` games in Python, k, and `work(k)`. A part ends after the k games."""
    if speed is None:
        return None, n, work(n)
    k = min(n, speed.part - speed.n)
    seconds, value = _timed(partial(work, k))
    return _speed_after(speed, k, seconds), k, value


def _speed_after(speed: Speed, k: int, seconds: float) -> Speed:
    """`speed` after `k` more games, which took `seconds`."""
    links, part, n, before, last, least = speed
    links.past += seconds
    n, seconds = n + k, before + seconds
    if n < part:
        return speed._replace(n=n, seconds=seconds)
    each = seconds / n
    is_long = seconds >= (0.02 if n >= 16 * LEAST else 0.1)  # long enough to be measured well
    later = min(each, each * each / last, least or inf) if is_long else 0.0
    return Speed(links, 2 * part, each=each, next=later)


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    """The seconds of this thread alone in `work()`, and its value."""
    start = time.thread_time()
    value = work()
    return time.thread_time() - start, value


@cache
def _costs() -> tuple[float, float]:
    """The seconds of numba's start, and of a position, on this machine. Numba imports scipy too."""
    room: Any = find_spec("argparse")
    loads = [partial(room.loader.exec_module, module_from_spec(room)) for _ in range(5)]
    unit = min(_timed(load)[0] for load in loads)
    return START * unit * (1.7 if find_spec("scipy") else 1.0), EACH * unit


_Table: TypeAlias = Any  # an array of numpy, or the tables of the kernel
_Ways: TypeAlias = tuple[Sequence[Sequence[S]], Sequence[int]]


def _new_numbers(game: Game[S, E], state: S) -> Numbers[S] | None:
    """The positions from `state` on as numbers; None if there are too many, or a rule is wrong."""
    ways: dict[S, _Ways[S]] = {}
    most = min(MOST_LINKED, game.max_turns)

    def after(game: Game[S, E], state: S) -> Iterator[S]:
        position = with_moves(game, state)
        if not position.turns:
            raise ValueError("The tables would be too large.")
        ways[state] = list(position.turns.values()), position.kinds
        return iter(dict.fromkeys(chain.from_iterable(ways[state][0])))

    try:
        order = list(islice(positions(game, state, after=after), most + 1))
        results = [() if all(ways[at][0]) else game.result(at) for at in order]
        players = [game.to_move(at) for at in order]
        is_right = _are_plain(results, game.players) and {*players} <= {*range(game.players)}
    except Exception:  # noqa: BLE001 - plain dives name the mistake, if they come to it
        return None
    if len(order) > most or not is_right:
        return None
    gains = [result or (0,) * game.players for result in results]
    numbers = {at: i for i, at in enumerate(order)}
    return Numbers(numbers, results, _tables(numbers, [ways[at] for at in order], players, gains))


def _are_plain(results: Iterable[Scores], players: int) -> bool:
    """True if each of `results` is empty, or has an int or a float for each of `players`."""
    sizes = all(len(result) in (0, players) for result in results)
    return sizes and all(type(score) in (int, float) for result in results for score in result)


def _tables(
    numbers: dict[S, int], ways: list[_Ways[S]], players: list[int], results: list[Scores]
) -> _Table:
    """The tables of the kernel."""
    np = _kernel.np
    lists = [moves for turns, _ in ways for moves in turns]
    firsts = accumulate([len(turns) for turns, _ in ways], initial=0)
    list_of = [
        first + kind for first, (_, kinds) in zip(firsts, ways, strict=False) for kind in kinds
    ]
    lengths = np.array([len(moves) for moves in lists])
    columns = [
        [*accumulate([len(kinds) for _, kinds in ways], initial=0)],
        (lengths.cumsum() - lengths)[list_of],
        lengths[list_of],
        [numbers[move] for moves in lists for move in moves],
        players,
    ]
    return _kernel.Tables(*[np.array(row, np.uint32) for row in columns], np.array(results, float))


# The generator


def _source(rng: Rng) -> Random | None:
    """Python's generator behind `rng`, if it is one."""
    source = getattr(rng.random, "__self__", None)
    return source if type(source) is Random and rng.random == source.random else None


def python_generator(rng: Rng) -> Random | None:
    """Python's generator behind `rng`, if it is one that stands between two random numbers."""
    source = _source(rng)
    return None if source is None or source.getstate()[1][-1] % 2 else source


class Draws:
    """Python's generator in arrays, for loops and for Python. It draws the same numbers."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        *words, at = numbers
        self.words: _Table = _kernel.np.array(words, "uint32")
        self.block: _Table = _kernel.np.empty(312)
        self.i: int = at // 2
        _kernel.temper(self.words, self.block)

    def random(self) -> float:
        """Return the next number."""
        if self.i >= len(self.block):
            _kernel.twist(self.words, self.block)
            self.i = 0
        self.i += 1
        return float(self.block[self.i - 1])

    def by(self, loop: Callable[..., tuple[int, int]], *how: Any) -> int:
        """Return the first value of `loop`, and go on after the numbers that it has drawn."""
        value, i = loop(*how, self.words, self.block, self.i)
        self.i = i
        return value


@contextmanager
def draws_of(source: Random) -> Iterator[Draws]:
    """The numbers of `source`, which goes on after those that were drawn."""
    version, numbers, gauss = source.getstate()
    draws = Draws(numbers)
    try:
        yield draws
    finally:
        source.setstate((version, (*draws.words.tolist(), 2 * draws.i), gauss))


def _batches(n: int) -> Iterator[int]:
    return (min(BATCH, n - start) for start in range(0, n, BATCH))


# Random games and dives


def compiled_results(
    game: Game[S, E], state: S, n: int, total: int, speed: Speed | None, rng: Rng
) -> dict[Scores, int] | None:
    """The results of `n` random games of a `total`, each with its number; None if not compiled."""
    numbers = numbers_of(game, state, max(n, total), speed)
    source = numbers and python_generator(rng)
    if numbers is None or source is None:
        return None
    np, n_ends = _kernel.np, 0
    counts, ends = np.zeros(len(numbers.of), np.int64), np.empty(len(numbers.of), np.uint32)
    for part in _batches(n):
        how = (part, numbers.tables, numbers.of[state], counts, ends, n_ends)
        with draws_of(source) as draws:
            n_ends = draws.by(_kernel.play_games, *how)
    totals: Counter[Scores] = Counter()
    for end in ends[:n_ends].tolist():
        totals[numbers.results[end]] += int(counts[end])
    return totals


Dives: TypeAlias = Callable[[Tree[S], int], Tree[S] | None]
"""The tree after more dives; None if they are not compiled."""


def compiled_dives(plan: SearchPlan[S, E], numbers: Numbers[S], tree: Tree[S]) -> Dives[S] | None:
    """A search from `tree` on numbers; None if compiled dives are not the same.

    It goes on from the tree that it returned last, and has the records of that tree in arrays.
    """
    try:
        states, tables, first = _from_turn(plan, numbers)
        how = bounding(plan.bound, *plan.game.score_range), states, tables, first
        return partial(_tree_after, plan, *how, *sums_of(tree, states, plan.game.players))
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        return None  # an unusual turn or record


@lru_cache(maxsize=16)
def bounding(bound: AnyBound, low: float, high: float) -> tuple[bool, float, float, float]:
    """The bound and the scores for the kernel. A ValueError if it does not know the bound."""
    if not isinstance(bound, Bound):
        raise TypeError("A function has no parts.")
    _, base, scale, _ = bound
    z = getattr(base, "keywords", {}).get("z", 2.0)
    [c] = getattr(scale, "args", ()) or [0.0]
    is_wald = alike(bound[1:], wald_with(z)[1:])
    if not is_wald and not alike(bound[1:], ucb1_with(c)[1:]):
        raise ValueError("The kernel knows the workshop's bound and UCB1.")
    return is_wald, float(z if is_wald else c), float(low), float(high - low)


def _from_turn(plan: SearchPlan[S, E], numbers: Numbers[S]) -> tuple[list[S], _Table, int]:
    """The positions, the tables, and the number of the first position.

    With a turn, the first position is added at the end, with the one event of the turn.
    """
    np, tables, turn = _kernel.np, numbers.tables, plan.turn
    states, first = [*numbers.of], numbers.of[plan.state]
    if turn is None:
        return states, tables, first
    event = int(tables.first_event[first]) + plan.game.chances(turn.state).index(turn.event)
    m, n = tables.first_move[event], tables.moves_after[event]
    if [states[move] for move in tables.moves[m : m + n]] != [*turn.moves]:
        raise ValueError("The moves of the turn are others.")
    rows = [len(tables.first_event) - 1, event, event, None, first, first]
    more = [
        table if i is None else np.append(table, table[i : i + 1], axis=0)
        for table, i in zip(tables, rows, strict=True)
    ]
    more[0][-1] += 1
    return [*states, turn.state], tables._make(more), len(states)


def sums_of(tree: Tree[S], states: Sequence[S], players: int) -> tuple[_Table, _Table]:
    """The visits and the scores of `tree` at `states`."""
    np = _kernel.np
    visits, scores = np.zeros(len(states), np.int64), np.zeros((len(states), players))
    read = tree.get if tree else dict[S, Record]().get
    for i, state in enumerate(states):
        if (record := read(state)) is not None and record.visits:
            if type(record.visits) is not int or not _are_plain([record.scores], players):
                raise TypeError("The numbers are of other types.")
            visits[i] = record.visits
            scores[i] = record.scores
    return visits, scores


def _tree_after(
    plan: SearchPlan[S, E], bounding: tuple[float, ...], states: list[S], tables: _Table,
    first: int, visits: _Table, scores: _Table, tree: Tree[S], n: int,
) -> Tree[S] | None:  # fmt: skip
    """`tree` after `n` dives, whose records are `visits` and `scores`; these change in place."""
    np, source = _kernel.np, generator_of(plan, visits, scores, n)
    if source is None:
        return None
    before, path, result = visits.copy(), np.empty(len(states), np.uint32), np.empty(len(scores[0]))
    for part in _batches(n):
        how = (part, plan.rollouts, tables, first, bounding, visits, scores, path, result)
        with draws_of(source) as draws:
            draws.by(_kernel.dives, *how)
    at = np.flatnonzero(visits != before)
    return with_sums(tree, [states[i] for i in at.tolist()], visits[at], scores[at])


def generator_of(plan: SearchPlan[S, E], visits: _Table, scores: _Table, n: int) -> Random | None:
    """Python's generator of a search; None if `n` more dives would not be exact."""
    most = (int(visits.max()) + n * plan.rollouts) * max(map(abs, (1, *plan.game.score_range)))
    return python_generator(plan.rng) if abs(scores).max() < _LARGE > most else None


def with_sums(tree: Tree[S], states: Iterable[S], visits: _Table, scores: _Table) -> Tree[S]:
    """`tree` with the records of `states`, which have these visits and scores."""
    whole = scores.astype(int)
    if (whole != scores).any():  # plain ints where they are whole
        whole = _kernel.np.where(whole == scores, whole.astype(object), scores)
    with without_collector():
        rows = zip(visits.tolist(), zip(*whole.T.tolist(), strict=True), strict=True)
        records = map(partial(tuple.__new__, Record), rows)  # faster than Record(...)
        return with_records(tree, dict(zip(states, records, strict=True)))
