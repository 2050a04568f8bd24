"""The command line: results on stdout, everything else on stderr, and exit codes."""

import io
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from math import pi
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from rich.console import Console, RenderableType

from purembts.bandits import curves
from purembts.best_moves import FORMATS, SUFFIXES
from purembts.games.shut_the_box import optimal_table, shut_the_box
from purembts.records import NOTHING
from purembts.shell import big_two, check, play
from purembts.shell.facts import (
    Facts,
    bandit_facts,
    estimates,
    learn_facts,
    pi_facts,
    search_facts,
    simulate_facts,
    solve_facts,
)
from purembts.shell.files import load_tree, save_tree, write_text
from purembts.shell.options import parsed
from purembts.shell.progress import watched
from purembts.shell.steps import (
    Lesson,
    bandit_runs,
    estimates_of_pi,
    estimates_of_winning,
    grown,
    grown_within,
    learn,
    random_games,
    random_value,
    search_rng,
)
from purembts.shell.tables import (
    bandit_table,
    learn_table,
    pi_table,
    search_tables,
    simulate_table,
    solve_tables,
)
from purembts.workshop import Tree, look_up_table

T = TypeVar("T")

HINT_GAMES = 1_000
"""Random games from each box for the hints of random play."""


def run(arguments: Iterable[str]) -> int:
    """The exit code of the work that `arguments` ask for.

    0: the work is done. 1: the work failed. 130: the work was interrupted. Arguments that are wrong
    end the program with exit code 2.
    """
    _open_streams()
    try:
        options = _with_seed(parsed(list(arguments)))
        code = WORK[options.command](options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        # Python would flush stdout again at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (OSError, ValueError) as error:
        _to_stderr(f"purembts: {error}")
        return 1
    except MemoryError:
        _to_stderr("purembts: there is not enough memory.")
        return 1
    return code


def _open_streams() -> None:
    """Open the streams that are closed, and let stdin read any bytes."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")


def _with_seed(options: Namespace) -> Namespace:
    """`options`, with a new seed that is printed where a seed is needed and none was given."""
    if "seed" in options and options.seed is None:
        options.seed = Random().randrange(2**32)
        _to_stderr(f"--seed {options.seed}")
    return options


# The commands


def _learn(options: Namespace) -> int:
    box, rules = options.box, options.rules
    start = Lesson((), _loaded(options))
    steps = learn(
        options.games,
        options.dives,
        seed=options.seed,
        z=options.z,
        box=box,
        rules=rules,
        tree=start.tree,
    )
    (rows, tree), code = _last(steps, start)
    try:
        _save(options, tree)
    finally:
        if rows:
            facts = learn_facts(rows, box, rules=rules)
            _show(options, facts, lambda: [learn_table(rows, box, rules=rules)])
    if options.output and not code:
        write_text(options.output, _best_moves(options))
    return code


def _simulate(options: Namespace) -> int:
    box, rules, rng = options.box, options.rules, Random(options.seed)
    if options.chart:
        records, code = _last(estimates_of_winning(options.games, box, rng, rules=rules), ())
        record = records[-1] if records else NOTHING
    else:
        record, code = _last(random_games(options.games, box, rng, rules=rules), NOTHING)
    if record.visits and options.chart:
        exact = float(random_value(box, rules=rules))
        series, title = estimates(records), "probability to win with random moves"
        _chart(options, lambda plots: plots.estimate_chart(series, exact, title, "games"))
    if record.visits:
        facts = simulate_facts(record, box, rules=rules)
        _show(options, facts, lambda: [simulate_table(facts, box, rules=rules)])
    return code


def _search(options: Namespace) -> int:
    box, rules, z, start = options.box, options.rules, options.z, _loaded(options)
    rng = search_rng(options.seed, start, box)
    if options.seconds:
        steps = grown_within(start, box, options.seconds, rng, z=z, rules=rules)
    else:
        steps = grown(start, box, options.dives or 10_000, rng, z=z, rules=rules)
    tree, code = _last(steps, start)
    try:
        _save(options, tree)
    finally:
        if box in tree:
            facts = search_facts(tree, box, z, rules=rules)
            _show(options, facts, lambda: search_tables(facts, box, rules=rules))
    return code


def _bandit(options: Namespace) -> int:
    steps = bandit_runs(
        options.policies, options.means, options.pulls, options.runs, seed=options.seed
    )
    runs, code = _last(steps, ())
    if runs:
        regrets = curves(runs, options.pulls)
        facts = bandit_facts(regrets, options.means, options.pulls, len(runs))
        _chart(options, lambda plots: plots.regret_chart(regrets, options.means, len(runs)))
        _show(options, facts, lambda: [bandit_table(facts)])
    return code


def _pi(options: Namespace) -> int:
    records, code = _last(estimates_of_pi(options.darts, Random(options.seed)), ())
    if records:
        series = estimates(records, 4)
        _chart(options, lambda plots: plots.estimate_chart(series, pi, "pi", "darts"))
        facts = pi_facts(series)
        _show(options, facts, lambda: [pi_table(facts)])
    return code


def _solve(options: Namespace) -> int:
    facts = solve_facts(options.box, rules=options.rules)
    _show(options, facts, lambda: solve_tables(facts, options.box, rules=options.rules))
    return 0


def _table(options: Namespace) -> int:
    text = _best_moves(options)
    if options.output:
        write_text(options.output, text)
    else:
        sys.stdout.write(text)
    return 0


def _best_moves(options: Namespace) -> str:
    """The table of best moves in the format of the options, or in the format of the file's name."""
    suffix = options.output.suffix.lower() if options.output else ""
    return FORMATS[options.format or SUFFIXES.get(suffix, "text")](options.rules)


def _check(options: Namespace) -> int:
    check.refuse_without_extras()
    if options.target.game is None:
        return _check_solution(options)
    facts = check.game_facts(
        options.target,
        check.say_on(Console(stderr=True, highlight=False)),
        seed=options.seed,
        examples=options.examples,
        seconds=options.seconds,
        limit=options.limit,
    )
    _show(options, facts, lambda: [check.game_table(facts)])
    if "interrupted" in facts:
        return _interrupted()
    return 0 if facts["kept"] else 1


def _check_solution(options: Namespace) -> int:
    file = Path(options.target.file)
    if not options.watch:
        return _mark(options, file)
    # Ctrl-C is the way to end this, so it is no failure.
    with suppress(KeyboardInterrupt):
        for _ in check.changes(file):
            try:
                _mark(options, file)
            except ValueError as error:
                _to_stderr(f"purembts: {error}")
            _to_stderr(f"Waiting for {file.name} to be saved. Ctrl-C ends.")
    return 0


def _mark(options: Namespace, file: Path) -> int:
    """Print the marks of the solution in `file`; the exit code."""
    tasks = [options.task] if options.task else check.TASKS
    say = check.say_on(Console(stderr=True, highlight=False))
    facts = check.solution_facts(file, tasks, say, seed=options.seed, limit=options.limit)
    _show(options, facts, lambda: [check.solution_table(facts)])
    return 0 if check.all_right(facts, asked=bool(options.task)) else 1


def _last(steps: Iterable[T], value: T) -> tuple[T, int]:
    """The last of `steps` before the end or an interrupt, or `value`; and the exit code."""
    try:
        for step in steps:
            value = step
    except KeyboardInterrupt:
        return value, _interrupted()
    return value, 0


# The games


def _play(options: Namespace) -> int:
    return GAMES[options.game](options)


def _play_big_two(options: Namespace) -> int:
    turns, interrupted = big_two.play(
        _console(), seed=options.seed, budget=options.budget, rollouts=options.rollouts
    )
    _print([big_two.summary(turns)])
    return _interrupted() if interrupted else 0


def _play_shut_the_box(options: Namespace) -> int:
    rules = options.rules
    grow = cache(partial(_hint_tree, options))
    sources: play.Sources = {
        "none": lambda: None,
        "random": cache(lambda: look_up_table(HINT_GAMES, Random(options.seed), rules=rules)),
        "tree": partial(_uninterrupted, grow),
        "exact": cache(lambda: optimal_table(rules=rules)),
    }
    if options.save or options.load:
        tree, code = grow()
        _save(options, tree)
        if code:
            return code
    turns, interrupted = play.play(
        options.box,
        _console(),
        seed=options.seed,
        sources=sources,
        kind=options.hints,
        rules=rules,
    )
    _print([play.summary(turns, rules=rules)])
    return _interrupted() if interrupted else 0


def _console() -> Console:
    """The console of a game: stdout if it is a terminal, otherwise stderr."""
    return Console(stderr=not sys.stdout.isatty(), highlight=False)


def _hint_tree(options: Namespace) -> tuple[Tree, int]:
    """The tree for hints, which is the loaded tree or a new search; and the exit code."""
    tree = _loaded(options)
    if options.load:
        return tree, 0
    rng = Random(options.seed)
    steps = grown(tree, options.box, options.dives, rng, z=options.z, rules=options.rules)
    return _last(steps, tree)


def _uninterrupted(grow: Callable[[], tuple[Tree, int]]) -> Tree:
    """The tree that `grow` gives; KeyboardInterrupt again if its search was interrupted."""
    tree, code = grow()
    if code:
        raise KeyboardInterrupt
    return tree


WORK: Mapping[str, Callable[[Namespace], int]] = {
    "learn": _learn,
    "simulate": _simulate,
    "search": _search,
    "bandit": _bandit,
    "pi": _pi,
    "solve": _solve,
    "table": _table,
    "check": _check,
    "play": _play,
}
"""The function for each of `options.COMMANDS`."""

GAMES: Mapping[str, Callable[[Namespace], int]] = {
    "shut-the-box": _play_shut_the_box,
    "big-two": _play_big_two,
}
"""The function for each of `options.GAME_OPTIONS`."""


# Trees and charts in files


def _loaded(options: Namespace) -> Tree:
    """The tree at the start: the one to load, or an empty one."""
    if not options.load:
        return {}
    return load_tree(options.load, shut_the_box(options.rules), watch=watched)


def _save(options: Namespace, tree: Tree) -> None:
    """Save `tree` if the options ask for that and the tree has a position."""
    if options.save and len(tree):
        save_tree(options.save, shut_the_box(options.rules), tree, watch=watched)


def _chart(options: Namespace, draw: Callable[[Any], Any]) -> None:
    """Draw a chart if the options ask for one; `draw` gets the module `plots`."""
    if options.chart:
        plots = _plots()
        plots.write_chart(options.chart, draw(plots))


def _plots() -> Any:  # noqa: ANN401
    """The module `plots`, or a ValueError if matplotlib is not installed."""
    try:
        from purembts.shell import plots
    except ModuleNotFoundError as error:
        raise ValueError(
            f"a chart needs {error.name}; install it with: pip install 'purembts[plot]'"
        ) from error
    return plots


# The streams


def _show(options: Namespace, facts: Facts, tables: Callable[[], Iterable[RenderableType]]) -> None:
    """Print `facts` as JSON if the options ask for that, otherwise `tables`."""
    if options.json:
        seed = {"seed": options.seed} if "seed" in options else {}
        print(json.dumps({**facts, **seed}, indent=2))
    else:
        _print(tables())


def _print(tables: Iterable[RenderableType]) -> None:
    """Print `tables`; into a file or a pipe they are not cut to the width of a terminal."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 200)
    for table in tables:
        console.print(table)


def _interrupted() -> int:
    _to_stderr("purembts: interrupted")
    return 130


def _to_stderr(line: str) -> None:
    with suppress(OSError):  # a full disk is no reason to fail
        print(line, file=sys.stderr)
