"""Random games and dives of small games in compiled loops, where they pay: with the same results.

The linked positions of a game become numbers, and `kernel` has the loops, which numba compiles.
Python's generator goes in and comes out. So the results are the same to the last bit, and so is
the next random number. Without numba nothing changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module, reload
from importlib.util import find_spec
from itertools import accumulate, chain, islice
from math import inf
from random import Random
from timeit import repeat
from typing import Any, Generic, NamedTuple, TypeAlias

from purembts.bounds import Bound, ucb1_with, wald_with
from purembts.chance import Rng
from purembts.checks import brief
from purembts.fast.links import FEW_EVENTS, MOST_LINKED, Links, alike, linked_playout, turns_of
from purembts.fast.tallies import SearchPlan
from purembts.game import DefaultPolicy, E, Game, S, checked_player, result_of
from purembts.positions import positions
from purembts.records import Record, Scores, Tree, with_records

LEAST, START, EACH = 1_000, 200_000, 50
"""The least work, as a number of random games: in a call; before it is measured if it pays for the
start of numba; and per linked position, before the positions of another game become numbers."""
_START_LOOPS = 5_000
"""Numba starts in less than the time of as many loops of 10,000 multiplications in plain Python."""
_BATCH = 100_000
"""The games or dives of one call of a loop, which Ctrl-C cannot end before its last one."""
_LARGE = 2**52
"""Whole numbers below this one are exact as floats, and so are their differences."""

_patience = 1.0  # the factor of the work to wait for
_kernel: Any = None  # the room, once it is imported; False if it cannot be
tell: Callable[[str], object] = str
"""The function that gets a line when the loops are compiled. An adapter puts its own here."""


def use_compiled(on: bool) -> None:
    """Use the compiled loops from the first dive on, or never. By default it is when they pay."""
    global _patience
    _patience = 0.0 if on else inf


def _loaded() -> bool:
    """True if the compiled loops can be used."""
    global _kernel
    _kernel = (find_spec("numba") is not None and _import()) if _kernel is None else _kernel
    return bool(_kernel)


def _import() -> Any:  # noqa: ANN401
    """The kernel, compiled; False if it cannot be.

    Where the folder of compiled loops cannot be written, or has damaged files, this process alone
    has them.
    """
    try:
        kernel = import_module("purembts.fast.kernel")
        try:
            if not kernel.keep():
                tell("The dives are compiled now, once on this machine. It takes some seconds.")
            kernel.try_out()
        except Exception as error:  # noqa: BLE001 - of numba, or of any damaged file
            tell(f"The dives are compiled now, for this process alone, because of {brief(error)}.")
            reload(kernel).try_out()
    except Exception as error:  # noqa: BLE001 - numba does not fit
        tell(f"The dives are not compiled, because of {brief(error)}.")
        return False
    return kernel


# A game as numbers


class _Numbers(NamedTuple, Generic[S]):
    """The positions of a game as numbers, each after those that can follow it."""

    of: dict[S, int]
    results: Sequence[Scores]  # () where the game goes on
    tables: _Table


def _numbers_of(
    game: Game[S, E], policy: DefaultPolicy[S, E], state: S, work: float
) -> _Numbers[S] | None:
    """The positions from `state` on as numbers, if compiled loops can play `policy`, and pay."""
    if work < LEAST * _patience or getattr(policy, "func", None) is not linked_playout:
        return None
    links: Links[S, E] = policy.args[0]  # type: ignore[attr-defined]
    links.work += work
    old: _Numbers[S] | None = links.numbers
    if old and state in old.of:
        return old
    least = _least_work(links, partial(policy, game, state, Random(0)))
    if links.work < least * _patience or not _loaded():
        return None
    new = _new_numbers(game, state)
    links.numbers, links.work = new or old, 0 if new else -inf
    return new


def _least_work(links: Links[S, E], play: Callable[[], Scores]) -> float:
    """The work that pays for the start of numba, or for numbers of more positions."""
    if not _kernel and links.work >= START:
        links.start = links.start or _games_of_start(play)
    return EACH * (LEAST + len(links)) if _kernel else max(START, links.start)


def _games_of_start(play: Callable[[], Scores]) -> float:
    """The random games that this machine plays in plain Python while numba starts, measured."""
    try:
        seconds = min(repeat(play, number=200, repeat=10)) / 200
    except Exception:  # noqa: BLE001 - plain dives name the mistake, if they come to it
        return inf
    loop = min(repeat("for i in range(10_000): i * i", number=1, repeat=10))
    return _START_LOOPS * loop / seconds


_Table: TypeAlias = Any  # an array of numpy, or the tables of the kernel
_Ways: TypeAlias = tuple[Sequence[Sequence[S]], Sequence[int]]


def _new_numbers(game: Game[S, E], state: S) -> _Numbers[S] | None:
    """The positions from `state` on as numbers; None if there are too many, or a rule is wrong."""
    ways: dict[S, _Ways[S]] = {}
    most = min(MOST_LINKED, game.max_turns)

    def after(game: Game[S, E], state: S) -> Iterator[S]:
        ways[state] = turns_of(game, state)
        if len(ways[state][1]) > FEW_EVENTS:
            raise ValueError("The tables would be too large.")
        return iter(dict.fromkeys(chain.from_iterable(ways[state][0])))

    try:
        order = list(islice(positions(game, state, after=after), most + 1))
        results = [() if all(ways[at][0]) else result_of(game, at) for at in order]
        players = [checked_player(game, at) for at in order]
    except Exception:  # noqa: BLE001 - plain dives name the mistake, if they come to it
        return None
    if len(order) > most or not {int, float}.issuperset(map(type, chain(*results))):
        return None
    gains = [result or (0,) * game.players for result in results]
    numbers = {at: i for i, at in enumerate(order)}
    return _Numbers(numbers, results, _tables(numbers, [ways[at] for at in order], players, gains))


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


def _twister(rng: Rng) -> Random | None:
    """Python's generator behind `rng`, if it is one that stands between two random numbers."""
    source = getattr(rng.random, "__self__", None)
    if type(source) is not Random or rng.random != source.random:
        return None
    return None if source.getstate()[1][-1] % 2 else source


def _with_draws(rng: Random, loop: Callable[..., tuple[int, int]], *how: Any) -> int:
    """The number that `loop` returns after its draws, which are those of `rng`."""
    np = _kernel.np
    version, (*words, at), gauss = rng.getstate()
    twister, block = np.array(words, np.uint32), np.empty(312)
    _kernel.temper(twister, block)
    value, i = loop(*how, twister, block, at // 2)
    rng.setstate((version, (*twister.tolist(), 2 * i), gauss))
    return value


def _batches(n: int) -> Iterator[int]:
    return (min(_BATCH, n - start) for start in range(0, n, _BATCH))


# Random games and dives


def compiled_results(
    game: Game[S, E], policy: DefaultPolicy[S, E], state: S, n: int, rng: Rng
) -> dict[Scores, int] | None:
    """The results of `n` random games, each with its number; None if they are not compiled."""
    numbers = _numbers_of(game, policy, state, n)
    source = numbers and _twister(rng)
    if numbers is None or source is None:
        return None
    np, n_ends = _kernel.np, 0
    counts, ends = np.zeros(len(numbers.of), np.int64), np.empty(len(numbers.of), np.uint32)
    for part in _batches(n):
        how = (part, numbers.tables, numbers.of[state], counts, ends, n_ends)
        n_ends = _with_draws(source, _kernel.play_games, *how)
    totals: Counter[Scores] = Counter()
    for end in ends[:n_ends].tolist():
        totals[numbers.results[end]] += int(counts[end])
    return totals


Dives: TypeAlias = Callable[[Tree[S], int], Tree[S] | None]
"""The tree after more dives; None if they are not compiled."""


def compiled_dives(plan: SearchPlan[S, E], tree: Tree[S], dives: int) -> Dives[S] | None:
    """A search from `tree` on numbers; None if compiled dives do not pay, or are not the same.

    It goes on from the tree that it returned last, and has the records of that tree in arrays.
    """
    game, state, _, bound, policy, _, rollouts = plan
    if not isinstance(bound, Bound):
        return None
    numbers = _numbers_of(game, policy, state, dives * (3 + rollouts))
    if numbers is None:
        return None
    try:
        how = _bounding(bound, *game.score_range), *_sums_of(tree, *_from_turn(plan, numbers))
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        return None  # an unusual bound, turn or record
    return partial(_tree_after, plan, *how)


def _bounding(bound: Bound, low: float, high: float) -> tuple[bool, float, float, float]:
    """The bound and the scores for the kernel. A ValueError if it does not know the bound."""
    _, base, scale, _ = bound
    z = getattr(base, "keywords", {}).get("z", 2.0)
    c = [*getattr(scale, "args", ()), 0.0][0]
    is_wald = alike(bound[1:], wald_with(z)[1:])
    if not is_wald and not alike(bound[1:], ucb1_with(c)[1:]):
        raise ValueError("The kernel knows the workshop's bound and UCB1.")
    return is_wald, float(z if is_wald else c), float(low), float(high - low)


def _from_turn(plan: SearchPlan[S, E], numbers: _Numbers[S]) -> tuple[list[S], _Table, int]:
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


def _sums_of(tree: Tree[S], states: list[S], tables: _Table, first: int) -> tuple[Any, ...]:
    """The positions, the tables and the first number, with the visits and scores of `tree`."""
    np, players = _kernel.np, tables.gains.shape[1]
    visits, scores = np.zeros(len(states), np.int64), np.zeros((len(states), players))
    read = tree.get if tree else dict[S, Record]().get
    for i, state in enumerate(states):
        if (record := read(state)) is not None and record.visits:
            if type(record.visits) is not int or not {int, float} >= set(map(type, record.scores)):
                raise TypeError("The numbers are of other types.")
            visits[i] = record.visits
            scores[i] = record.scores
    return states, tables, first, visits, scores


def _tree_after(
    plan: SearchPlan[S, E], bounding: tuple[float, ...], states: list[S], tables: _Table,
    first: int, visits: _Table, scores: _Table, tree: Tree[S], n: int,
) -> Tree[S] | None:  # fmt: skip
    """`tree` after `n` dives, whose records are `visits` and `scores`; these change in place."""
    np, source, game = _kernel.np, _twister(plan.rng), plan.game
    most = (int(visits.max()) + n * plan.rollouts) * max(map(abs, (1, *game.score_range)))
    if source is None or not abs(scores).max() < _LARGE > most:
        return None
    before, path, result = visits.copy(), np.empty(len(states), np.uint32), np.empty(len(scores[0]))
    for part in _batches(n):
        how = (part, plan.rollouts, tables, first, bounding, visits, scores, path, result)
        _with_draws(source, _kernel.dives, *how)
    at = np.flatnonzero(visits != before)
    whole = scores[at].astype(int).astype(object)
    sums = np.where(whole == scores[at], whole, scores[at])  # plain ints where they are whole
    rows = zip(at.tolist(), visits[at].tolist(), sums.tolist(), strict=True)
    return with_records(tree, {states[i]: Record(k, tuple(row)) for i, k, row in rows})
