"""The share of planted faults that the tests catch: `python .ci/mutants.py --sample 100`.

A mutant is the package with one small fault. The tests kill it if one of them fails. A mutant that
survives shows a hole in the tests, or it is equivalent: no caller can see a difference. Equivalent
mutants are listed with their reasons in `equivalent_mutants.txt`, and are left out of the share.

This is a script of our own, because the two known tools leave out a part of the faults: mutmut 3
those at module level and in functions with decorators, cosmic-ray 8 those in defaults, keyword
arguments and statements. mutmut also replaces each function by another one with its own signature,
which our tests look at. cosmic-ray changes the checkout. Both run the same tests for each mutant;
here the tests of the mutant's room come first. Neither draws a sample.
"""

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from contextlib import suppress
from functools import cache, partial
from importlib.util import cache_from_source
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeVar

from faults import ROOT, Mutant, mutants

from purembts.records import Record, interval

T = TypeVar("T")

GROUPS = "core", "app", "verify", "course"
LIST = Path(__file__).with_name("equivalent_mutants.txt")
NOT_COPIED = ".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "build", "dist", "site"
READERS = {"test_style", "test_english", "test_layers"}
NOT_RUN = "--deselect=tests/project/test_documents.py::test_texts[mcts.md]"
"""Tests that read the source instead of running it. A mutant's source is written by `ast`."""
MEMORY = 4_000_000
"""The KiB of memory that a run of tests may use. A mutant may fill a list without end."""
OUTPUT = "output_of_tests.txt"


# The mutants


def group(room: str) -> str:
    """One of GROUPS, for a path like "purembts/app/terminal.py"."""
    folder = room.split("/")[1]
    return "app" if folder == "__main__.py" else folder if folder in GROUPS else "core"


def rooms_of(names: list[str]) -> list[str]:
    """The rooms with these names, like "records" or "app/terminal", and those of these groups."""
    paths = sorted((ROOT / "purembts").rglob("*.py"))
    rooms = {path.relative_to(ROOT).as_posix(): path for path in paths}
    known = {*GROUPS, *(room[9:-3] for room in rooms)}
    if unknown := set(names) - known:
        sys.exit(f"`--rooms` must be of {', '.join(sorted(known))}; got {', '.join(unknown)}.")
    return [room for room in rooms if {group(room), room[9:-3]} & set(names)]


def equivalent(rooms: list[str], known: set[str]) -> set[str]:
    """The diffs in the list of equivalent mutants; the program ends if one of them is out of date.

    A diff is three lines, and the lines after it, up to an empty line, are its reason.
    """
    entries = LIST.read_text("utf-8").split("\n\n")[1:]
    diffs = {"\n".join(entry.strip().splitlines()[:3]) for entry in entries}
    if old := sorted(diff for diff in diffs - known if diff.split()[0] in rooms):
        sys.exit(f"{LIST.name} must name mutants of today; got:\n" + "\n\n".join(old))
    return diffs


def sample(rooms: list[str], size: int | None, seed: int) -> dict[Mutant, str]:
    """Mutants of `rooms` that are not equivalent, each with the source of its room.

    A larger sample with the same seed begins with the smaller one.
    """
    every = list(dict.fromkeys(mutant for room in rooms for mutant, _ in mutants(room)))
    left_out = equivalent(rooms, {mutant.diff() for mutant in every})
    every = [mutant for mutant in every if mutant.diff() not in left_out]
    rng = random.Random(seed)
    chosen = sorted(every, key=lambda _: rng.random())[:size] if size else every
    sources = {}
    for room in sorted({mutant.room for mutant in chosen}):
        for mutant, tree in mutants(room):
            if mutant in set(chosen):
                sources[mutant] = ast.unparse(tree)
    return {mutant: sources[mutant] for mutant in chosen}


# The tests

FOLDERS = "", "/unit", "/unit/games", "/laws", "/project", "/bench", "/web"
"""The folders of `tests` that tests import modules from."""
TESTS = sorted(test for test in ROOT.glob("tests/**/test_*.py") if test.stem not in READERS)
RUNNING: set[int] = set()
"""The processes that run tests now."""


def own_tests(room: str) -> list[Path]:
    """The test files with the name of `room`; else those that import it; else those beside it."""
    reaching = [test for test in TESTS if ROOT / room in reached(test)]
    beside = [test for test in reaching if test.parent == folder_of_tests(room)]
    named = [test for test in reaching if Path(room).stem in test.stem[5:].split("_and_")]
    return (
        [test for test in named if test in beside]
        or named
        or [test for test in reaching if ROOT / room in imported(test)]
        or beside
    )


def other_tests(room: str) -> list[Path]:
    """All other test files that may run `room`: first those that import it, or are beside it."""
    others = {test for test in TESTS if ROOT / room in reached(test)} - set(own_tests(room))
    return sorted(
        others,
        key=lambda test: (
            ROOT / room not in imported(test),
            test.parent != folder_of_tests(room),
            test,
        ),
    )


def folder_of_tests(room: str) -> Path:
    """The folder of `tests` in the place of the folder of `room`."""
    folder = Path(room).relative_to("purembts").parent.as_posix()
    if folder in ("games", "pictures"):
        return ROOT / "tests" / "unit" / folder
    own = {"app": "app", "verify": "laws", "course": "course", "course/tasks": "course"}
    return ROOT / "tests" / own.get(folder, "unit")


@cache
def reached(file: Path) -> set[Path]:
    """The files that `file` imports, directly or not; all rooms if it may start other programs."""
    if re.search(r"\b(subprocess|doctest|importlib)\b", file.read_text("utf-8")):
        return set((ROOT / "purembts").rglob("*.py"))
    seen, todo = set(), [file]
    while todo:
        todo += (new := imported(todo.pop()) - seen)
        seen |= new
    return seen


@cache
def imported(file: Path) -> set[Path]:
    """The files of the package and of the tests that `file` imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    packages = {name[:dot] for name in names for dot in range(len(name)) if name[dot] == "."}
    paths = [name.replace(".", "/") for name in names | packages]
    return {
        found
        for path in paths
        for folder in ("", *(f"tests{each}" for each in FOLDERS))
        for end in (".py", "/__init__.py")
        if (found := ROOT / folder / (path + end)).is_file()
    }


def passes(folder: Path, tests: Iterable[Path], seconds: float, *options: str) -> bool:
    """True if `tests` pass in a copy of the checkout; TimeoutExpired if they take too long."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", NOT_RUN, *options]
    command += [str(test.relative_to(ROOT)) for test in tests]
    with (folder / OUTPUT).open("w") as output:
        process = subprocess.Popen(
            ["sh", "-c", f'ulimit -d {MEMORY}; exec "$@"', "sh", *command],
            cwd=folder,
            env={**os.environ, "CI": "true", "PYTHONPATH": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    RUNNING.add(process.pid)
    try:
        return process.wait(seconds) == 0
    finally:
        stop(process.pid)
        process.wait()
        RUNNING.discard(process.pid)


def stop(pid: int) -> None:
    """End the process and those that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def write(folder: Path, room: str, source: str) -> None:
    """Write a room. Its old compiled form would count as current for a second."""
    (folder / room).write_text(source, "utf-8")
    Path(cache_from_source(str(folder / room))).unlink(missing_ok=True)


def seconds_without_mutants(folder: Path, tests: Iterable[Path]) -> float:
    """The seconds that `tests` take; the program ends if they fail."""
    start = time.monotonic()
    if not passes(folder, tests, 3600):
        sys.exit(f"{(folder / OUTPUT).read_text('utf-8')}\nThe tests must pass without mutants.")
    return time.monotonic() - start


class Trial(NamedTuple):
    """The tests of a mutant, stage by stage: their name, files, options, and limit in seconds."""

    name: str
    tests: list[Path]
    options: list[str]
    limit: float


def verdict(folder: Path, mutant: Mutant, source: str, trials: Iterable[Trial]) -> str:
    """The name of the trial that killed `mutant`; "" if it survived all of them."""
    original = (folder / mutant.room).read_text("utf-8")
    write(folder, mutant.room, source)
    try:
        for name, tests, options, limit in trials:
            if not passes(folder, tests, limit, *options):
                return name
    except subprocess.TimeoutExpired:
        return "time limit"
    finally:
        write(folder, mutant.room, original)
    return ""


# The run


def copies(place: str, jobs: int) -> SimpleQueue[Path]:
    """Copies of the checkout in which `ast` has written the package, as it writes the mutants."""
    free: SimpleQueue[Path] = SimpleQueue()
    for job in range(jobs):
        ignored = shutil.ignore_patterns(*NOT_COPIED)
        folder = Path(shutil.copytree(ROOT, Path(place, str(job)), ignore=ignored))
        for path in (folder / "purembts").rglob("*.py"):
            path.write_text(ast.unparse(ast.parse(path.read_text("utf-8"))), "utf-8")
        free.put(folder)
    return free


def in_a_copy(free: SimpleQueue[Path], work: Callable[..., T], *arguments: object) -> T:
    """The result of `work` in a copy that no other work is using."""
    folder = free.get()
    try:
        return work(folder, *arguments)
    finally:
        free.put(folder)


def trials_of(
    rooms: list[str], lend: Callable, pool: Executor, *, full: bool
) -> dict[str, list[Trial]]:
    """The trials of the mutants of each room, with limits from the same tests without mutants."""
    every = pool.submit(lend, seconds_without_mutants, TESTS)
    own = [pool.submit(lend, seconds_without_mutants, own_tests(room)) for room in rooms]
    limit = 3 * every.result() + 30
    trials = {}
    for room, seconds in zip(rooms, own, strict=True):
        trials[room] = [Trial("own tests", own_tests(room), [], 5 * seconds.result() + 10)]
        if others := other_tests(room):
            trials[room].append(Trial("other tests", others, [], limit))
        if full:
            trials[room].append(Trial("slow tests", TESTS, ["--full"], 10 * limit))
    return trials


def tried(todo: dict[Mutant, str], jobs: int, *, full: bool) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with its verdict, in the order in which the tests end."""
    rooms = sorted({mutant.room for mutant in todo})
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(jobs) as pool:
        lend = partial(in_a_copy, copies(place, jobs))
        try:
            trials = trials_of(rooms, lend, pool, full=full)
            verdicts = {
                pool.submit(lend, verdict, mutant, source, trials[mutant.room]): mutant
                for mutant, source in todo.items()
            }
            for future in as_completed(verdicts):
                yield verdicts[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for pid in list(RUNNING):
                stop(pid)


def save(path: Path, verdicts: dict[Mutant, str]) -> None:
    """Write the verdicts so far beside `path`, and then in its place."""
    beside = path.with_suffix(".new")
    beside.parent.mkdir(parents=True, exist_ok=True)
    beside.write_text(json.dumps([[*item] for item in verdicts.items()], indent=1), "utf-8")
    beside.replace(path)


def load(path: Path) -> dict[Mutant, str]:
    """The verdicts that `save` has written."""
    if not path.exists():
        return {}
    return {Mutant(*mutant): name for mutant, name in json.loads(path.read_text("utf-8"))}


def share(verdicts: dict[Mutant, str]) -> str:
    """The mutants that were killed, tried, and by which tests."""
    names = Counter(verdicts.values())
    survivors = names.pop("", 0)
    n = len(verdicts)
    low, high = interval(Record(n, (n - survivors,)))
    by = ", ".join(f"{count} by {name}" for name, count in names.most_common())
    percent = f"{(n - survivors) / n:.1%} (95 % interval {low:.1%} to {high:.1%})"
    return f"{n - survivors} of {n} mutants killed, {percent}; {by}"


def main() -> int:
    """0 if every mutant was tried and killed, otherwise 1."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--rooms", nargs="+", default=["core"], help="core, app, verify, course, or names"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="try N mutants; without it, all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample; 1 if it is left out")
    parser.add_argument(
        "--jobs", type=int, default=2, help="mutants at a time; 2 if it is left out"
    )
    parser.add_argument("--full", action="store_true", help="try survivors with the slow tests too")
    parser.add_argument("--again", action="store_true", help="try only those not killed last time")
    parser.add_argument("--list", action="store_true", help="print the mutants and run no tests")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "mutants.json")
    options = parser.parse_args()
    chosen = sample(rooms_of(options.rooms), options.sample, options.seed)
    if options.list:
        print(*(f"{mutant.line}: {mutant.diff()}" for mutant in chosen), sep="\n")
        return 0
    before = load(options.results) if options.again else {}
    verdicts = {mutant: before[mutant] for mutant in chosen if before.get(mutant)}
    todo = {mutant: source for mutant, source in chosen.items() if mutant not in verdicts}
    with suppress(KeyboardInterrupt):
        for mutant, name in tried(todo, options.jobs, full=options.full):
            verdicts[mutant] = name
            save(options.results, verdicts)
            if not name:
                print(f"\nsurvived, line {mutant.line}: {mutant.diff()}", flush=True)
            if len(verdicts) % 20 == 0:
                print(f"{len(verdicts)} of {len(chosen)}", file=sys.stderr, flush=True)
    print(f"\n{share(verdicts)}" if verdicts else "no mutants were tried")
    return int(len(verdicts) < len(chosen) or not all(verdicts.values()))


if __name__ == "__main__":
    sys.exit(main())
