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
from math import perm, pi
from pathlib import Path
from random import Random
from textwrap import fill
from typing import Any, TypeVar

from purembts import bandits, charts, estimates, exact, play, stepwise, summaries, verdicts
from purembts.best_moves import FORMATS, SUFFIXES, heads
from purembts.bounds import ucb_wald
from purembts.game import Game
from purembts.games.shut_the_box import Rules
from purembts.records import Tree, as_tree
from purembts.report import Facts, Value
from purembts.shell import check, games
from purembts.shell.arguments import CHARTS
from purembts.shell.clock import paced
from purembts.shell.cores import all_cores
from purembts.shell.files import load_tree, save_tree
from purembts.shell.options import DIVES, parsed
from purembts.shell.players import strategy_called
from purembts.shell.progress import watched
from purembts.shell.screen import STDOUT, note, open_streams, say, show, width_of, write
from purembts.tables import Table
from purembts.workshop import throw_dart

T = TypeVar("T")

BANDITS: Mapping[str, bandits.BanditPolicy] = {
    "random": bandits.uniformly,
    "commit": bandits.explore_then_commit(50),
    "epsilon": bandits.epsilon_greedy(0.1),
    "decaying": bandits.epsilon_greedy(bandits.auer_schedule(5, 0.5)),
    "ucb1": bandits.by_bound(),
    "workshop": bandits.by_bound(ucb_wald),
    "tuned": bandits.ucb1_tuned,
    "thompson": bandits.thompson,
}
"""The policies of `bandit`, by their names."""


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
        # Python would flush stdout again at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except MemoryError:
        say("purembts: there is not enough memory.", error=True)
        return 1
    except Exception as error:
        line = games.blame(error, words)
        if line is None and not isinstance(error, OSError | ValueError):
            raise
        say(f"purembts: {line or error}", error=True)
        return 1
    return code


def _with_seed(options: Namespace) -> Namespace:
    """`options`, with a new seed that is printed where a seed is needed and none was given."""
    if "seed" in options and options.seed is None:
        options.seed = Random().randrange(2**32)
        say(f"--seed {options.seed}", error=True)
    return options


# Games


def _learn(options: Namespace) -> int:
    game, start, title = _opened(options)
    _refuse_unsolvable(options, start)
    is_chart = _is_chart(options)
    first = stepwise.Lesson((), _loaded(options))
    steps = stepwise.learn(
        game,
        start,
        options.games,
        options.dives,
        seed=options.seed,
        bound=options.bound,
        tree=first.tree,
        marks=stepwise.MARKS if is_chart else (),
        watch=watched,
    )
    lesson, code = _last(steps, first)
    try:
        _save(options, lesson.tree)
    finally:
        if lesson.rows:
            table = summaries.lesson_table(game, start, title, lesson.rows)
            _show(options, summaries.lesson_facts(game, start, lesson), [table])
    if is_chart and lesson.curve:
        _chart(options, summaries.lesson_chart(title, lesson))
    elif options.output and not is_chart and not code:
        write(options.output, _best_moves(options))
    return code


def _is_chart(options: Namespace) -> bool:
    """True if the output of `learn` is a chart, and not the table for the pub."""
    path = options.output
    is_workshop = isinstance(options.game.rules, Rules)
    if path is None or path.suffix.lower() in CHARTS or (path == STDOUT and not is_workshop):
        return path is not None
    if not is_workshop:
        raise ValueError(
            "The table of best moves is for Shut the Box; a chart ends in .svg or .png."
        )
    return False


def _simulate(options: Namespace) -> int:
    game, start, title = _opened(options)
    rng = Random(options.seed)
    play_some = partial(stepwise.played, game, start, rng)
    steps = stepwise.estimates(play_some, options.games, "game", watch=watched)
    records, code = _last(steps, ())
    if records:
        solved = _solved(options, start)
        value = exact.solver(game, exact.uniform)(start) if solved else None
        player = game.to_move(start)
        chart = estimates.estimate_chart(
            records,
            None if value is None else float(value[player]),
            quantity=f"mean score of player {player + 1} with random moves",
            unit="games",
            player=player,
            score_range=game.score_range,
        )
        _chart(options, chart)
        table = summaries.simulation_table(game, title, records[-1], value)
        _show(options, summaries.simulation_facts(game, start, records[-1], value), [table])
    return code


def _search(options: Namespace) -> int:
    game, start, title = _opened(options)
    if game.hidden and (options.load or options.save):
        raise ValueError(f"A search of {game.name} has views, which cannot be saved or loaded.")
    first = _loaded(options)
    solved = _solved(options, start)
    dives = options.dives or DIVES
    lengths = (
        watched(paced(options.seconds), f"{options.seconds:g} seconds")
        if options.seconds
        else watched(stepwise.steps_of(dives), stepwise.counted(dives, "dive"), dives)
    )
    rng = stepwise.search_rng(options.seed, first, start)
    tree, code = _last(stepwise.grown(game, first, start, lengths, rng, bound=options.bound), first)
    try:
        _save(options, tree)
    finally:
        root = start if not game.hidden else game.hidden.view(start, game.to_move(start))
        if root in tree:
            known = summaries.known_turns(game, start, tree, bound=options.bound, value=solved)
            values = stepwise.values_of(game, start, tree) if solved else {}
            about = (tree[root], known, values)
            facts = summaries.search_facts(game, start, tree, *about)
            _show(options, facts, summaries.search_tables(game, title, game.to_move(start), *about))
    return code


def _solve(options: Namespace) -> int:
    game, start, title = _opened(options)
    _refuse_unsolvable(options, start)
    value = exact.solver(game)
    values = {"best_play": value(start), "random_play": exact.solver(game, exact.uniform)(start)}
    known = summaries.known_turns(game, start, as_tree({}), value=value)
    facts = summaries.solution_facts(game, start, known, values)
    _show(options, facts, summaries.solution_tables(game, title, known, values))
    return 0


def _match(options: Namespace) -> int:
    game, codes = options.game, []
    seats = 0 if play.is_alone(game) else game.players
    players = [*options.players, *options.players[-1:] * (seats - len(options.players))]

    def finished(executor: Any, work: Callable[[Any], T], tasks: Iterable[Any]) -> list[T]:  # noqa: ANN401
        parts = list(tasks)
        done: list[T] = []
        steps = watched(executor.map(work, parts), "games", len(parts))
        codes.append(_last(map(done.append, steps), None)[1])
        return done

    on_cores = options.executor == "processes"
    with (
        all_cores(game, options.named, options.typed_rules) if on_cores else nullcontext(builtins)
    ) as executor:
        standings = _standings(options, players, Namespace(map=partial(finished, executor)))
    title = f"{game.name}{options.variant and f' ({options.variant})'}: the standings"
    table = summaries.standings_table(game, title, players, standings)
    _show(options, summaries.standings_facts(game, players, standings), [table])
    return max(codes)


def _standings(options: Namespace, players: list[str], executor: Any) -> tuple[play.Standing, ...]:  # noqa: ANN401
    """The standings of `players`: after deals in all seatings, or after games in changing seats."""
    game, start = options.game, options.start
    strategies = [strategy_called(game, player, start=start) for player in players]
    how = {"seed": options.seed, "executor": executor}
    if game.deal and start is None:
        deals = max(2, -(-options.games // perm(len(players), game.players)))
        return play.tournament(game, strategies, game.deal, deals, **how)
    first = games.begin(game, start, options.seed)
    return play.match(game, strategies, options.games, start=first, **how)


def _elsewhere(room: str, options: Namespace) -> int:
    """The exit code of a command whose work is in another room."""
    return int(import_module(f"purembts.shell.{room}").work(options))


# Bandits, pi, and the table for the pub


def _bandit(options: Namespace) -> int:
    policies = {name: BANDITS[name] for name in options.policies}
    arms = [bandits.bernoulli(mean) for mean in options.means]
    runs = bandits.runs_of(policies, arms, options.pulls, options.runs, seed=options.seed)
    done: list[dict[str, list[float]]] = []
    _, code = _last(map(done.append, watched(runs, "runs", options.runs)), None)
    if done:
        about = (bandits.curves(done, options.pulls), options.means)
        _chart(options, estimates.regret_chart(*about, len(done)))
        table = estimates.bandit_table(*about, options.pulls, len(done))
        _show(options, estimates.bandit_facts(*about, options.pulls, len(done)), [table])
    return code


def _pi(options: Namespace) -> int:
    throw = partial(stepwise.darts, throw_dart, Random(options.seed))
    records, code = _last(stepwise.estimates(throw, options.darts, "dart", watch=watched), ())
    if records:
        _chart(
            options, estimates.estimate_chart(records, pi, quantity="pi", unit="darts", factor=4)
        )
        facts = estimates.pi_facts(records)
        _show(options, facts, [estimates.pi_table(facts)])
    return code


def _table(options: Namespace) -> int:
    text, path = _best_moves(options), options.output or STDOUT
    if path == STDOUT and sys.stdout.isatty() and options.format in (None, "text"):
        say("\t".join(heads(options.game.rules)))
    write(path, text)
    return 0


def _best_moves(options: Namespace) -> str:
    """The table of best moves in the format of the options, or in the format of the file's name."""
    suffix = options.output.suffix.lower() if options.output else ""
    return FORMATS[options.format or SUFFIXES.get(suffix, "text")](options.game.rules)


# Checks


def _check(options: Namespace) -> int:
    check.refuse_without_extras()
    if options.target.game is None:
        return _check_solution(options)
    times = {"seconds": options.seconds, "limit": options.limit}
    facts = check.game_facts(
        options.target, note, seed=options.seed, examples=options.examples, **times
    )
    _show(options, facts, [verdicts.laws_table(facts)], verdicts.laws_advice(facts))
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
    table, advice = verdicts.tasks_table(facts, file.name), verdicts.tasks_advice(facts)
    _show(options, facts, [table], advice)
    return 0 if check.all_right(facts, asked=bool(options.task)) else 1


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
"""The function for each of `options.COMMANDS`."""


# Parts of the work


def _opened(options: Namespace) -> tuple[Game[Any, Any], Any, str]:
    """The game, the position where it begins, and both in words."""
    start = games.begin(options.game, options.start, getattr(options, "seed", 0))
    return options.game, start, summaries.described(options.game, start, options.variant)


def _solved(options: Namespace, start: Any) -> Value | None:  # noqa: ANN401
    """The exact values of the game, if it is small enough."""
    game = options.game
    return None if game.hidden else exact.solver_within(game, start, options.most_positions)


def _refuse_unsolvable(options: Namespace, start: Any) -> Value:  # noqa: ANN401
    """The exact values of the game, or a ValueError that says why they cannot be worked out."""
    value = _solved(options, start)
    if value is None and options.game.hidden:
        raise ValueError(f"{options.game.name} hides information, so it has no such solution.")
    if value is None:
        raise ValueError(
            f"{options.game.name} is too large to solve: more than {options.most_positions:,} "
            "positions can follow. --most-positions N allows more; "
            "--from POSITION begins nearer to the end."
        )
    return value


def _loaded(options: Namespace) -> Tree[Any]:
    """The tree at the start: the one to load, or an empty one."""
    if not options.load:
        return as_tree({})
    return load_tree(options.load, options.game, watch=watched)


def _save(options: Namespace, tree: Tree[Any]) -> None:
    """Save `tree` if the options ask for that and the tree has a position."""
    if options.save and len(tree):
        save_tree(options.save, options.game, tree, watch=watched)


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


def _chart(options: Namespace, chart: charts.Chart) -> None:
    """Write `chart` if the options ask for one: as PNG to a .png, otherwise as SVG."""
    path = options.output
    if path is None:
        return
    if path.suffix.lower() != ".png":
        write(path, charts.chart(chart).svg)
        return
    try:
        from purembts.shell import plots
    except ModuleNotFoundError as error:
        raise ValueError(
            f"a .png needs {error.name}; install it with: pip install 'purembts[plot]'. "
            "A .svg needs nothing."
        ) from error
    write(path, plots.png(chart))


def _show(
    options: Namespace, facts: Facts, tables: Iterable[Table], lines: Iterable[str] = ()
) -> None:
    """Print `facts` as JSON if the options ask for that, otherwise `tables` and `lines`.

    If a chart or another table goes to stdout, they go to stderr.
    """
    error = getattr(options, "output", None) == STDOUT
    if options.json:
        seed = {"seed": options.seed} if "seed" in options else {}
        say(json.dumps({**facts, **seed}, indent=2), error=error)
        return
    for table in tables:
        show(table, error=error)
    for line in lines:
        say(fill(line, width_of(sys.stdout)), error=error)
