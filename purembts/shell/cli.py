"""The command line: results on stdout, everything else on stderr, and exit codes."""

import builtins
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from textwrap import fill
from typing import Any, TypeVar

from purembts import bandits, exact, play
from purembts.game import Game
from purembts.pictures import charts
from purembts.records import Tree, as_tree
from purembts.report import Value
from purembts.shell import check, games
from purembts.shell.arguments import CHARTS
from purembts.shell.clock import paced
from purembts.shell.cores import all_cores
from purembts.shell.files import load_tree, save_tree
from purembts.shell.options import parsed
from purembts.shell.players import strategy_called
from purembts.shell.progress import watched
from purembts.shell.screen import STDOUT, note, open_streams, say, show, width_of, write
from purembts.surfaces import estimates, stepwise, summaries, verdicts
from purembts.surfaces.card import FORMS, SUFFIXES, card
from purembts.surfaces.results import Result
from purembts.workshop import throw_dart

T = TypeVar("T")

DIVES = 10_000
"""The dives of a search, without another number."""


def run(arguments: Iterable[str]) -> int:
    """The exit code of the work that `arguments` ask for.

    0: the work is done. 1: the work failed. 130: the work was interrupted. Arguments that are wrong
    end the program with exit code 2.
    """
    open_streams()
    words = list(arguments)
    try:
        options = _with_seed(parsed(words))
        code = WORK[options.command](options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        _drop_output()
        return 1
    except Exception as error:
        line = games.blame(error, words)
        if line is None and not isinstance(error, OSError | ValueError | MemoryError):
            raise
        why = "there is not enough memory." if isinstance(error, MemoryError) else line or error
        say(f"purembts: {why}", error=True)
        _drop_output()
        return 1
    return code


def _drop_output() -> None:
    """Drop the rest of stdout if it cannot be written, as Python would try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _with_seed(options: Namespace) -> Namespace:
    """`options`, with a new seed that is printed where a seed is needed and none was given."""
    if "seed" in options and options.seed is None:
        options.seed = Random().randrange(2**32)
        say(f"--seed {options.seed}", error=True)
    return options


# Games


def _learn(options: Namespace) -> int:
    game, start, title = _opened(options)
    most = options.most_positions
    _busy(partial(stepwise.solved_within, game, start, most, exact.uniform))
    path, form = options.output, options.format
    is_chart = bool(path) and (path.suffix.lower() in CHARTS or (path == STDOUT and not form))
    first = stepwise.Lesson((), _loaded(options))
    about = {"seed": options.seed, "bound": options.bound, "tree": first.tree}
    about |= {"marks": stepwise.marks_of(max(options.dives)) if is_chart else (), "watch": watched}
    steps = stepwise.learn(game, start, options.games, options.dives, **about)
    lesson, code = _last(steps, first)
    try:
        _save(options, lesson.tree)
    finally:
        if lesson.rows:
            result = summaries.lesson_result(game, start, title, lesson)
            _show(options, result if is_chart else result._replace(chart=None))
    if path and not is_chart and not code:
        _write_card(options, path, form)
    return code


def _busy(work: Callable[[], T]) -> T:
    """The value of `work`, with a sign of life on a terminal."""
    return next(work() for _ in watched([0], "exact values", None))


def _simulate(options: Namespace) -> int:
    game, start, title = _opened(options)
    play_some = partial(stepwise.played, game, start, Random(options.seed))
    steps = stepwise.estimates(play_some, options.games, "game", watch=watched)
    records, code = _last(steps, ())
    if records:
        by_chance = _solved(options, start, exact.uniform)
        known = by_chance(start) if by_chance else None
        _show(options, summaries.simulation_result(game, start, title, records, known))
    return code


def _search(options: Namespace) -> int:
    game, start, title = _opened(options)
    first, value = _loaded(options), _solved(options, start)
    rng = stepwise.search_rng(options.seed, first, stepwise.root(game, start))
    dives, seconds = options.dives or DIVES, options.seconds
    if seconds:
        lengths = watched(paced(seconds), f"{seconds:g} seconds")
    else:
        lengths = watched(stepwise.steps_of(dives), stepwise.counted(dives, "dive"), dives)
    steps = stepwise.grown(game, first, start, lengths, rng, bound=options.bound)
    tree, code = _last(steps, first)
    try:
        _save(options, tree)
    finally:
        about = {"bound": options.bound, "value": value}
        result = summaries.search_result(game, start, title, tree, **about)
        if result:
            _show(options, result)
    return code


def _solve(options: Namespace) -> int:
    game, start, title = _opened(options)

    def work() -> Result:
        value = stepwise.solved_within(game, start, options.most_positions)
        by_chance = exact.solver(game, policy=exact.uniform)
        return summaries.solution_result(game, start, title, value, by_chance)

    _show(options, _busy(work))
    return 0


def _match(options: Namespace) -> int:
    game, start, codes = options.game, options.start, [0]
    seats = 0 if play.is_alone(game) else game.players
    players = [*options.players, *options.players[-1:] * (seats - len(options.players))]
    called = partial(strategy_called, game, bound=options.bound, start=start)
    strategies = [called(player) for player in players]
    on_cores = options.executor == "processes"
    with (
        all_cores(game, options.named, options.rules, options.players)
        if on_cores
        else nullcontext(builtins)
    ) as executor:
        # In the order of the seatings, the last strategy has its first seat in game `least`.
        least = max(2, len(players) - game.players + 1)
        watching = Namespace(map=partial(_map_until_interrupted, executor, codes, least))
        how = {"start": start, "seed": options.seed, "executor": watching}
        standings = play.match(game, strategies, options.games, **how)
    _show(
        options,
        summaries.standings_result(game, options.variant, players, standings, options.games),
    )
    return max(codes)


def _map_until_interrupted(
    executor: Any,  # noqa: ANN401
    codes: list[int],
    least: int,
    work: Callable[[Any], T],
    tasks: Iterable[Any],
) -> list[T]:
    """The results of `work` before the end or an interrupt, whose exit code goes to `codes`."""
    parts = list(tasks)
    done: list[T] = []
    try:
        done.extend(watched(executor.map(work, parts), "games", len(parts)))
    except KeyboardInterrupt:
        if len(done) < least:  # too few for an interval
            raise
        codes.append(_interrupted())
    return done


def _elsewhere(room: str, options: Namespace) -> int:
    """The exit code of a command whose work is in another room."""
    return int(import_module(f"purembts.shell.{room}").work(options))


# Bandits, pi, and the table for the pub


def _bandit(options: Namespace) -> int:
    policies = {name: estimates.BANDITS[name] for name in options.policies}
    arms = [bandits.bernoulli(mean) for mean in options.means]
    runs = bandits.runs_of(policies, arms, options.pulls, options.runs, seed=options.seed)
    done: list[dict[str, list[float]]] = []
    _, code = _last(map(done.append, watched(runs, "runs", options.runs)), None)
    if done:
        _show(options, estimates.bandit_result(done, options.means, options.pulls))
    return code


def _pi(options: Namespace) -> int:
    throw = partial(stepwise.darts, throw_dart, Random(options.seed))
    records, code = _last(stepwise.estimates(throw, options.darts, "dart", watch=watched), ())
    if records:
        _show(options, estimates.pi_result(records))
    return code


def _table(options: Namespace) -> int:
    form = "json" if options.json else options.format
    _write_card(options, options.output or STDOUT, form)
    return 0


def _write_card(options: Namespace, path: Path, form: str | None) -> None:
    """Write the best moves in the form `form`, or in that of the file's name."""
    write(path, FORMS[form or SUFFIXES.get(path.suffix.lower(), "text")](card(options.game)))


# Checks


def _check(options: Namespace) -> int:
    check.refuse_without_extras()
    if options.target.game is None:
        return _check_solution(options)
    times = {"seconds": options.seconds, "limit": options.limit}
    how = {"seed": options.seed, "examples": options.examples}
    facts = check.game_facts(options.target, note, **how, **times)
    _show(options, verdicts.laws_result(facts))
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
                say(f"purembts: {error}", error=True)
            say(f"Waiting for {file.name} to be saved. Ctrl-C ends.", error=True)
    return 0


def _mark(options: Namespace, file: Path) -> int:
    """Print the marks of the solution in `file`; the exit code."""
    tasks = [options.task] if options.task else check.TASKS
    facts = check.solution_facts(file, tasks, note, seed=options.seed, limit=options.limit)
    _show(options, verdicts.tasks_result(facts, file.name))
    return 0 if verdicts.all_right(facts, asked=bool(options.task)) else 1


WORK: Mapping[str, Callable[[Namespace], int]] = {
    "learn": _learn,
    "simulate": _simulate,
    "search": _search,
    "solve": _solve,
    "match": _match,
    "play": partial(_elsewhere, "play"),
    "watch": partial(_elsewhere, "watch"),
    "prompt": partial(_elsewhere, "repl"),
    "table": _table,
    "bandit": _bandit,
    "pi": _pi,
    "check": _check,
}
"""The function for each of `commands.COMMANDS`."""


# Parts of the work


def _opened(options: Namespace) -> tuple[Game[Any, Any], Any, str]:
    """The game, the position where it begins, and both in words."""
    start = games.begin(options.game, options.start, getattr(options, "seed", 0))
    return options.game, start, summaries.described(options.game, start, options.variant)


def _solved(options: Namespace, start: Any, policy: Any = None) -> Value | None:  # noqa: ANN401
    """The exact values of the game, if it is small enough."""
    with suppress(stepwise.TooLargeError):
        return stepwise.solved_within(options.game, start, options.most_positions, policy)
    return None


def _loaded(options: Namespace) -> Tree[Any]:
    """The tree at the start: the one to load, or an empty one."""
    if not options.load:
        return as_tree({})
    return load_tree(options.load, options.game, views=bool(options.game.hidden), watch=watched)


def _save(options: Namespace, tree: Tree[Any]) -> None:
    """Save `tree` if the options ask for that and the tree has a position."""
    if options.save and len(tree):
        views = bool(options.game.hidden)
        save_tree(options.save, options.game, tree, views=views, watch=watched)


def _last(steps: Iterable[T], value: T) -> tuple[T, int]:
    """The last of `steps` before the end or an interrupt, or `value`; and the exit code."""
    try:
        for step in steps:
            value = step
    except KeyboardInterrupt:
        return value, _interrupted()
    return value, 0


def _interrupted() -> int:
    say("purembts: interrupted", error=True)
    return 130


def _show(options: Namespace, result: Result) -> None:
    """Draw the chart if the options ask for one, and print the result as JSON or as tables.

    If a chart or another table goes to stdout, the result goes to stderr.
    """
    path = getattr(options, "output", None)
    if path and result.chart:
        write(path, _picture(result.chart, path))
    error = path == STDOUT
    if options.json:
        seed = {"seed": options.seed} if "seed" in options else {}
        say(json.dumps({**result.facts, **seed}, indent=2), error=error)
        return
    if result.above:
        say(result.above, error=error)
    for number, table in enumerate(result.tables):
        if number or result.above:
            say(error=error)
        show(table, error=error)
    for line in result.lines:
        say(fill(line, width_of(sys.stdout)), error=error)


def _picture(chart: charts.Chart, path: Path) -> str | bytes:
    """`chart` as PNG for a .png, otherwise as SVG."""
    if path.suffix.lower() != ".png":
        return charts.chart(chart).svg
    try:
        from purembts.shell import plots
    except ModuleNotFoundError as error:
        raise ValueError(
            f"a .png needs {error.name}; install it with: pip install 'purembts[plot]'. "
            "A .svg needs nothing more."
        ) from error
    return plots.png(chart)
