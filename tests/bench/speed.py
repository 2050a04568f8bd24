"""The speed of searches, random games, exact values and trees, beside other programs, as tables.

    python tests/bench/speed.py                   # all rows, in about a quarter of an hour
    python tests/bench/speed.py gomoku "Big Two"  # the rows with one of these texts

It needs the dependency group `bench`, and a C compiler for the column of C. The ways of a row take
turns, and the first of them is ours. A cell has the median of the rounds, with the quartiles in
brackets: of ours the time of a dive, a game or a record, of another way how many times as long it
takes. Times are those of the processor, but for work side by side. The exit code is 1 if another
way takes less than `LEAST` says. `PUREMBTS_JVM` can be the command of a program on a JVM.
"""

import gc
import os
import resource
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache, partial
from importlib.metadata import version
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median, quantiles
from timeit import repeat
from typing import Any, NamedTuple

from immutables import Map
from pyrsistent import pmap
from toolz import compose, nth

import peers
import plain_big_two
from purembts import mcts, workshop
from purembts.app.files import load_tree, save_tree
from purembts.bounds import ucb1, ucb_wald
from purembts.chance import repeatedly
from purembts.determinize import lifted, perfect_information
from purembts.exact import solver
from purembts.fast import links
from purembts.fast.compiled import use_compiled
from purembts.fast.curves import backed_up_ranks, curves, flat_of, ranks_of, value
from purembts.fast.engine import search, search_parallel, simulate
from purembts.games import big_two as cards
from purembts.games import big_two_cards, mnk, reversi, shut_the_box
from purembts.games.last_coin import Pile, last_coin, pile
from purembts.play import play_game
from purembts.players import uct_player
from purembts.proving import backed_up
from purembts.records import Record

OURS, PURE, C, JVM = "ours", "pure Python", "C", "the workshop on a JVM"
CPP, PYTHON = "OpenSpiel, C++", "OpenSpiel, Python"
LEAST: dict[str, dict[str, float]] = {
    "Shut the Box, 10,000 dives": {PURE: 7, C: 0.3},
    "Shut the Box, 100,000 dives": {PURE: 9, C: 0.4},
    "Tic-tac-toe, 100,000 dives": {PURE: 12, C: 0.5, CPP: 1.2},
    "Reversi, 300 dives": {PURE: 8, CPP: 15, PYTHON: 30},
    "Reversi, 3,000 dives": {PURE: 10, CPP: 20, PYTHON: 40},
    "Gomoku, 300 dives": {PURE: 8, CPP: 7, PYTHON: 80},
    "Gomoku, 3,000 dives": {PURE: 8, CPP: 8, PYTHON: 90},
    "Shut the Box, 300,000 games": {PURE: 6, C: 0.5},
    "exact values of 512 boxes": {JVM: 1},
    "table of best moves": {JVM: 1},
    "build_tree": {JVM: 0.25},
    "3,000 calls of uct on immutables.Map": {JVM: 1.3},
    "import": {"pyrsistent and toolz": 1 / 1.3},
    "simulate(100_000)": {PURE: 0.8},
}
"""For a row and another way, how many times as long as ours it has to take at least."""

BOX, TIC_TAC_TOE, REVERSI = shut_the_box.shut_the_box(), mnk.tic_tac_toe, reversi.reversi()
BIG_TWO, COINS, START = cards.big_two(), last_coin(), workshop.start_box
EMPTY, MAPS = pmap(), {"pmap": pmap(), "immutables.Map": Map()}
GAMES = (
    (BOX, None, "box", (1_000, 10_000, 100_000), 300_000),
    (TIC_TAC_TOE, "tic_tac_toe", "board", (2_000, 10_000, 100_000), 300_000),
    (REVERSI, "othello", None, (100, 300, 3_000, 20_000), 300),
    (mnk.gomoku, "gomoku", None, (100, 300, 3_000, 20_000), 1_000),
)
"""A game, its names in OpenSpiel and in `peer.c`, numbers of dives, and a number of games."""
PACKAGES = {
    "monte-carlo-tree-search": peers.monte_carlo_tree_search,
    "mcts-simple": peers.simple,
    "mcts, speed alone": peers.mcts,
}

Way = Callable[[], float]
"""One round of a way: its seconds."""


class Row(NamedTuple):
    """A work, its number of dives, games or records, and the ways to do it; the first is ours."""

    work: str
    units: int
    ways: dict[str, Way]


# Ways


def timed(work: Callable[[], object], on: bool = True, clock=time.process_time) -> Way:
    """`work`, compiled or in pure Python."""

    def way():
        use_compiled(on)
        gc.collect()
        start = clock()
        work()
        return clock() - start

    return way


def both(work: Callable[[], object]) -> dict[str, Way]:
    """`work`, compiled and in pure Python."""
    return {OURS: timed(work), PURE: timed(work, on=False)}


def new_process(code: str) -> Way:
    """Python with `code`, from its start to its end."""
    command = [sys.executable, "-c", code]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def seconds():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    def way():
        start = seconds()
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
        return seconds() - start

    return way


def program(command: Sequence[str], *work: object, points: Callable | None = None) -> Way:
    """A program that answers each line with the milliseconds of a round, and with its points."""

    def rounds() -> Iterator[float]:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen([*command, *map(str, work)], **pipes) as process:
            while True:
                print(file=process.stdin, flush=True)
                milliseconds, total = process.stdout.readline().split()
                assert points is None or float(total) == points()
                yield float(milliseconds) / 1e3

    return rounds().__next__


@cache
def peer_in_c() -> list[str]:
    """The command of `peer.c`, compiled; [] without a compiler."""
    if not shutil.which("cc"):
        print("There is no C compiler `cc`, so there is no column of C.\n")
        return []
    path, source = f"{tempfile.mkdtemp()}/peer", str(Path(__file__).with_name("peer.c"))
    subprocess.run(["cc", "-O2", "-ffp-contract=off", source, "-o", path, "-lm"], check=True)
    return [path]


def in_c(work: str, name: str | None, n: int, record: Callable[[], Record]) -> dict[str, Way]:
    """The way of `peer.c`, which has to have the record of ours."""
    command, points = peer_in_c(), cache(lambda: record().scores[0])
    return {C: program(command, work, name, n, points=points)} if command and name else {}


def on_jvm(work: str, n: int = 1) -> dict[str, Way]:
    """The way of the workshop's own solution, which warms up before its first answer."""
    command = shlex.split(os.environ.get("PUREMBTS_JVM", ""))
    return {JVM: program(command, work, n)} if command else {}


# Rows


def dives(game, n: int, start: Any = None, empty: Any = EMPTY) -> Callable[[], Any]:
    """A search of `n` dives into an empty tree."""
    bound = ucb_wald if game is BOX else ucb1
    return lambda: search(game, empty, start or game.start, n, Random(7), bound=bound)


def searches() -> Iterator[Row]:
    """Searches from an empty tree, with their persistent map at the end."""
    for game, spiel, name, numbers, _ in GAMES:
        for n in numbers:
            record = partial(lambda game, n: dives(game, n)()[game.start], game, n)
            ways = both(dives(game, n)) | in_c("dives", name, n, record)
            if spiel:
                ways[CPP] = timed(partial(peers.open_spiel_cpp, spiel, n))
            if spiel and n <= 3_000:
                ways[PYTHON] = timed(partial(peers.open_spiel_python, spiel, n))
            ways |= on_jvm("dives", n) if game is BOX else {}
            yield Row(f"{game.name}, {n:,} dives", n, ways)
    for n in (1_000, 5_000):
        yield Row(f"{n:,} coins, 1,000 dives", 1_000, both(dives(COINS, 1_000, pile(n))))


def packages() -> Iterator[Row]:
    """Searches of packages from PyPI, which get the rules of ours."""
    for game, n in ((TIC_TAC_TOE, 2_000), (REVERSI, 300), (mnk.gomoku, 100)):
        others = {name: timed(partial(of, game, game.start, n)) for name, of in PACKAGES.items()}
        yield Row(f"{game.name}, {n:,} dives", n, both(dives(game, n)) | others)


def random_games() -> Iterator[Row]:
    """Random games from the start."""
    for game, spiel, name, _, n in GAMES:
        record = partial(lambda game, n: simulate(game, game.start, n, Random(7)), game, n)
        ways = both(record) | in_c("games", name, n, record)
        if spiel:
            ways[CPP] = timed(partial(peers.open_spiel_cpp, spiel, 1, rollouts=n))
        ways |= on_jvm("games", n) if game is BOX else {}
        yield Row(f"{game.name}, {n:,} games", n, ways)


def forget():
    """An empty memory of what hands can play, as at the start of a program."""
    big_two_cards.memory_of(big_two_cards.USUAL).clear()


def big_two() -> Iterator[Row]:
    """Big Two, with nothing known of its hands. The plain program builds all plays at each turn."""

    def games(start):
        forget()
        simulate(BIG_TWO, start, 300, Random(7))

    def plain_games(start):
        hands = [[divmod(n, 4) for n in big_two_cards.numbers(hand)] for hand in start.hands]
        list(repeatedly(300, partial(plain_big_two.playout, hands, start.player, Random(7))))

    def first_moves(size):
        for start in (cards.deal(Random(i), hand_size=size) for i in range(20)):
            forget()
            view = cards.view(start, start.player)
            perfect_information(BIG_TWO, view, Random(7), budget=30, rollouts=10)

    def whole_games():
        seats = [lifted(BIG_TWO, uct_player(BIG_TWO, 30, rollouts=10))] * 4
        forget()
        for i in range(5):
            play_game(BIG_TWO, cards.deal(Random(i)), seats, Random(i))

    for size in (13, 4):
        start, name = cards.deal(Random(7), hand_size=size), f"{4 * size} cards"
        plain = {"a plain program": timed(partial(plain_games, start))}
        ours = {OURS: timed(partial(games, start))}
        yield Row(f"{name}, 300 games of one deal", 300, ours | plain)
        yield Row(f"{name}, first moves of 20 deals", 20, {OURS: timed(partial(first_moves, size))})
    yield Row("5 games of four who search", 5, {OURS: timed(whole_games)})


def cold(work: Callable[[], object]) -> Way:
    """`work` in pure Python, from empty caches of Shut the Box."""

    def from_nothing():
        for word in (*vars(shut_the_box).values(), *vars(workshop).values()):
            for cached in (word, getattr(word, "__wrapped__", None)):
                getattr(cached, "cache_clear", int)()
        links._memory.clear()
        work()

    return timed(from_nothing, on=False)


def folded(uct, empty):
    """3,000 calls of `uct`, one by one."""
    tree, rng = empty, Random(1)
    for _ in range(3_000):
        tree, _ = uct(tree, START, rng)


def plain_definitions() -> Iterator[Row]:
    """The definitions of the workshop: values from empty caches, and `uct` call by call."""
    values = cold(lambda: [workshop.win_probability(box) for box in workshop.all_boxes])
    yield Row("exact values of 512 boxes", 1, {OURS: values} | on_jvm("values"))
    table, tree = workshop.best_move_table, lambda: workshop.build_tree({}, (START, None))
    yield Row("table of best moves", 1, {OURS: cold(table)} | on_jvm("best-moves"))
    yield Row("build_tree", 1, {OURS: cold(tree)} | on_jvm("build-tree"))
    for name, empty in MAPS.items():
        words = {OURS: workshop.uct, "mcts.uct": partial(mcts.uct, BOX, bound=ucb_wald)}
        ways = {key: timed(partial(folded, word, empty), on=False) for key, word in words.items()}
        yield Row(f"3,000 calls of uct on {name}", 3_000, ways | on_jvm("dives", 3_000))


def learning() -> Iterator[Row]:
    """Exact values of what a tree of 1,000 dives has learnt, and curves with five marks."""
    tree, flat = dives(BOX, 1_000)(), flat_of(BOX, START)

    def by_the_solver(tree):
        return {"in Fractions": timed(lambda: solver(BOX, policy=mcts.learnt(tree()))(START))}

    work = both(lambda: value(flat, ranks_of(flat, tree)))
    yield Row("value", 1, work | by_the_solver(lambda: tree))
    work = both(lambda: value(flat, backed_up_ranks(flat, ranks_of(flat, tree))))
    yield Row("value backed up", 1, work | by_the_solver(lambda: backed_up(BOX, tree, START)))
    how = BOX, (100, 300, 1_000, 3_000, 10_000), 30, {"workshop": ucb_wald}
    yield Row("curves of 30 seeds", 30, both(partial(curves, *how, seed=7)))


def new_processes() -> Iterator[Row]:
    """Processes from their start to their end, which compile where it pays, as by default."""
    ways = {OURS: "purembts", "pyrsistent and toolz": "pyrsistent, toolz"}
    yield Row("import", 1, {key: new_process(f"import {what}") for key, what in ways.items()})
    pure = "from purembts.fast.compiled import use_compiled; use_compiled(False); "
    for work in ("simulate(100_000)", "simulate(1_000_000)", "search({}, start_box, 400_000)"):
        code = f"from purembts import *; {work}"
        yield Row(work, 1, {OURS: new_process(code), PURE: new_process(pure + code)})


def piles(n: int, first: int = 0):
    """A tree of n positions of the coin game, from `first` coins on."""
    return pmap({Pile(first + i // 2, i % 2): Record(9, (1, 8)) for i in range(n)})


def large_trees() -> Iterator[Row]:
    """Trees of the coin game; two that are merged have half of their positions in common."""
    file = f"{tempfile.mkdtemp()}/tree.jsonl"
    for n in (10_000, 100_000, 1_000_000):
        tree, other = cache(partial(piles, n)), cache(partial(piles, n, n // 4))
        below = partial(mcts.subtree, COINS._replace(max_turns=n), state=Pile(n // 2 - 1))
        works = {
            "merge": lambda tree=tree, other=other: mcts.merge_trees(tree(), other()),
            "save": compose(partial(save_tree, file, COINS), tree),
            "load": partial(load_tree, file, COINS),
            "subtree": lambda tree=tree, below=below: below(tree=tree()),
        }
        for name, work in works.items():
            yield Row(f"{name}, {n:,} records", n, {OURS: timed(work, on=False)})


def kept_trees() -> Iterator[Row]:
    """2,000 dives into a tree: no tree is kept, or all 2,000 are."""
    for game, n in ((BOX, 50_000), (REVERSI, 10_000)):
        for name, empty in MAPS.items():
            trees = partial(mcts.trees, game, dives(game, n, empty=empty)(), game.start)
            ways = {
                OURS: lambda trees=trees: nth(2_000, trees(Random(1))),
                "all kept": lambda trees=trees: tuple(islice(trees(Random(1)), 2_001)),
            }
            ways = {key: timed(work, on=False) for key, work in ways.items()}
            yield Row(f"{game.name}, {name}", 2_000, ways)


def side_by_side() -> Iterator[Row]:
    """Dives of Shut the Box in two chunks on two workers, by a clock on the wall."""
    spawn = {"mp_context": get_context("spawn"), "initializer": use_compiled, "initargs": (False,)}
    spawned = partial(ProcessPoolExecutor, **spawn)
    for pool, n, on in ((ThreadPoolExecutor, 4_000_000, True), (spawned, 400_000, False)):
        work = partial(search_parallel, BOX, {}, START, n, seed=7, chunks=2, bound=ucb_wald)
        with pool(2) as executor:
            list(executor.map(abs, range(8)))
            works = {OURS: partial(work, executor=executor), "one worker": work}
            ways = {key: timed(work, on, time.perf_counter) for key, work in works.items()}
            yield Row(f"{n:,} dives, two {'threads' if on else 'processes'}", n, ways)


# Tables


def measured(row: Row, seconds: float = 6) -> list[tuple[float, ...]]:
    """The seconds of the ways in each round, without the first one, which warms up."""
    rounds, start = [], 0.0
    while len(rounds) < 6 or (len(rounds) < 26 and time.perf_counter() - start < seconds):
        rounds.append(tuple(way() for way in row.ways.values()))
        start = start or time.perf_counter()
    return rounds[1:]


def spread(numbers: Sequence[float]) -> str:
    """The median and the quartiles, with two digits at least."""
    low, _, high = quantiles(numbers, n=4, method="inclusive")
    texts = [f"{x:,.0f}" if x >= 9.95 else f"{x:#.2g}" for x in (median(numbers), low, high)]
    return "{} ({} to {})".format(*texts)


def duration(seconds: Sequence[float]) -> str:
    """The spread of times, in a unit that fits."""
    units = {"s": 1, "ms": 1e3, "µs": 1e6, "ns": 1e9}
    unit = next(unit for unit, n in units.items() if median(seconds) * n >= 1)
    return f"{spread([time * units[unit] for time in seconds])} {unit}"


def cells(row: Row) -> dict[str, str]:
    """The cells by the names of their columns; "< 8" if a way takes too little."""
    ours, *others = zip(*measured(row), strict=True)
    texts = {"": row.work, "rounds": f"{len(ours)}"}
    texts[OURS] = duration([seconds / row.units for seconds in ours])
    for way, theirs in zip([*row.ways][1:], others, strict=True):
        times = [their / our for their, our in zip(theirs, ours, strict=True)]
        least = LEAST.get(row.work, {}).get(way, 0)
        texts[way] = spread(times) + (f" < {least}" if median(times) < least else "")
    return texts


def head() -> str:
    """The interpreter and the machine."""
    built = sysconfig.get_config_var("CONFIG_ARGS") or ""
    jit = getattr(sys, "_jit", None)
    loop = min(repeat("for i in range(10**7): pass", number=1, repeat=3))
    packages = ("numba", "pyrsistent", "immutables", "open_spiel")
    return (
        f"Python {sys.version.split()[0]} "
        f"({'with' if '--enable-optimizations' in built else 'without'} --enable-optimizations, "
        f"{'with' if jit and jit.is_enabled() else 'without'} JIT), "
        f"{', '.join(f'{name} {version(name)}' for name in packages)}, {os.cpu_count()} cores; "
        f"10^7 turns of a loop take {loop:.2f} s; {time.strftime('%Y-%m-%d')}"
    )


SECTIONS = (searches, packages, random_games, big_two, plain_definitions, learning)
SECTIONS += (new_processes, large_trees, kept_trees, side_by_side)


def table(section: Callable[[], Iterator[Row]], texts: Sequence[str]) -> str:
    """The rows of a section with one of `texts` in their names, in Markdown; "" without any."""
    names = [text.lower() for text in texts] or [""]
    rows = [cells(row) for row in section() if any(name in row.work.lower() for name in names)]
    columns = sorted(dict.fromkeys(chain(*rows)), key="rounds".__eq__)
    lines = [columns, ["---"] * len(columns)]
    lines += [[row.get(column, "") for column in columns] for row in rows]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{section.__doc__}\n\n{body}" if rows else ""


def main(texts: Sequence[str]) -> int:
    """Print the tables; 1 if a way takes too little."""
    print(head())
    tables = []
    for section in SECTIONS:
        if rows := table(section, texts):
            print(f"\n{rows}", flush=True)
            tables.append(rows)
    return int(any(" < " in text for text in tables))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
