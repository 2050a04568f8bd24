"""The commands: for each request a generator of steps, which returns a result.

A command checks its request before its first step: a ValueError there means that the request is
wrong. What it needs from a person or a file is a step that is answered, and the files that it makes
are in its result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from itertools import accumulate
from operator import add
from random import Random
from typing import TypeVar

from toolz import concat

from purembts import bandits, exact
from purembts.app import check_results, positions, requests, results, sampled_results, steps
from purembts.app.checkpoints import Checkpoint, differences, generator, search_facts, with_state
from purembts.app.clock import dives_in, lasting, paced
from purembts.app.players import OPPONENT, player_called, strategy_called
from purembts.app.positions import AnyGame, Position, Words
from purembts.app.requests import Request
from purembts.app.results import Result
from purembts.app.sessions import (
    Session,
    Setting,
    Turns,
    first_turn,
    line_of,
    seats_called,
    strategies_at,
)
from purembts.app.steps import Change, Interrupted, Note, Progress, Said, Shell, TreeFile, Work
from purembts.app.turns import games_played, watched
from purembts.bounds import AnyBound
from purembts.course.mistakes import right_solutions
from purembts.course.processes import Saved, laws, mark_of, property_replies, step_after, stop_all
from purembts.course.tasks import TASKS, starter_file
from purembts.fast.curves import trials_of
from purembts.fast.engine import simulate as random_games
from purembts.game import is_alone
from purembts.loading import is_name
from purembts.mcts import final_of
from purembts.play import games_of_match, standings
from purembts.players import growing
from purembts.records import NOTHING, marks_of
from purembts.report import Facts
from purembts.tables import as_json
from purembts.workshop import throw_dart

T = TypeVar("T")


# Parts


def _beginning(request: Request) -> tuple[AnyGame, Position]:
    """The game of a request, and the position where it begins."""
    game = positions.game_of(request)
    start = positions.start_in(request, game)
    return game, positions.begin(game, start, getattr(request, "seed", 0) or 0)


def _title(request: Request, game: AnyGame, start: Position) -> str:
    """The game of a request and the position where it begins, in words."""
    return results.game_title(game, start, ", ".join(request.rules))


def _followed(
    label: str, n: int | None, pairs: Iterable[tuple[T, int]], least: int = 1, last: T | None = None
) -> Work[T]:
    """The value of the last pair, or `last`. A pair has a value and the amount of work, of `n`.

    An interrupt ends the work, and is raised again if the amount is below `least`.
    """
    amount = 0
    yield Progress(label, 0, n)
    try:
        for last, amount in pairs:
            yield Progress(label, amount, n, so_far=last)
    except KeyboardInterrupt:
        if amount < least:
            raise
        yield Interrupted()
    return last  # type: ignore[return-value]


def _collected(parts: Iterable[T], n: int, label: str, least: int = 1) -> Work[list[T]]:
    """The `n` parts. After an interrupt, the parts so far, which must be at least `least`."""
    lists = accumulate(([part] for part in parts), add)
    pairs = ((some, len(some)) for some in lists)
    return (yield from _followed(label, n, pairs, least))  # type: ignore[no-any-return]


# Games


def learn(request: requests.Learn) -> Work[Result]:
    """Compare random play, what trees of more and more dives have learnt, and best play."""
    game, start = _beginning(request)
    bound = positions.bound_of(request, game)
    yield Progress("exact values")
    exact.check_solvable(game, start)
    marks = [*request.dives, *(marks_of(max(request.dives)) if request.output else ())]
    how: Words = {"seed": request.seed or 0, "start": start, "final": final_of(game)}
    n = request.seeds
    trials = trials_of(game, marks, {"learnt": bound}, seeds=n, **how)
    readings = sampled_results.runs_so_far(trials, n)
    runs = yield from _followed(f"{n:,} seeds", n * len(trials.marks), readings)
    title = _title(request, game, start)
    return sampled_results.learning_result(game, start, title, trials, runs, request.dives)


def simulate(request: requests.Simulate) -> Work[Result]:
    """Play random games."""
    (game, start), n = _beginning(request), request.games
    rng = Random(request.seed or 0)
    play_games = partial(random_games, game, start, rng=rng, total=n)
    records = yield from _followed(f"{n:,} games", n, steps.records_of(play_games, n))
    is_small = exact.is_solvable(game, start)
    value = exact.solver(game, policy=exact.uniform)(start) if is_small else None
    return sampled_results.simulation_result(
        game, start, _title(request, game, start), records, value
    )


def search(request: requests.Search) -> Work[Result]:
    """Search from a position, on from the tree in a file if the request names one."""
    game, start = _beginning(request)
    first, bound = positions.root(game, start), positions.bound_of(request, game)
    if request.save and (game.hidden or game).json is None:
        raise ValueError(f"{game.name} has no JSON, so `--save` must be left out.")
    if request.seconds and request.dives:
        raise ValueError("`--dives` must be given without `--seconds`; got both.")
    loaded = (yield TreeFile(request.load, game)) if request.load else Checkpoint()
    last = yield from _grown(request, game, first, bound, loaded)
    value = exact.solver(game) if exact.is_solvable(game, start) else None
    title = _title(request, game, start)
    result = results.search_result(game, start, title, last.tree, bound, value)
    return result._replace(checkpoint=last if last.tree else None)


def _grown(
    request: requests.Search, game: AnyGame, first: Position, bound: AnyBound, loaded: Checkpoint
) -> Work[Checkpoint]:
    """The checkpoint of a search that goes on from `loaded`, with its random numbers if it can."""
    facts = search_facts(request, game, first, bound)
    before = (loaded.tree.get(first) or NOTHING).visits
    if request.load and (reasons := differences(loaded, facts)):
        yield Note(f"this is not the same as one search: {', and '.join(reasons)}.")
    rng = generator(loaded, facts, before)
    seconds, dives = request.seconds, request.dives or 10_000
    label, of = (f"{seconds:g} seconds", None) if seconds else (f"{dives:,} dives", dives)
    lengths = lasting(seconds) if seconds else paced([dives])
    total = of or dives_in(seconds or 0)
    trees = growing(game, loaded.tree, first, lengths, rng, bound=bound, total=total)
    pairs = ((with_state(tree, facts, rng), tree[first].visits - before) for tree in trees)
    return (yield from _followed(label, of, pairs, 0, loaded))


def solve(request: requests.Solve) -> Work[Result]:
    """Work out the exact values of a position."""
    game, start = _beginning(request)
    yield Progress("exact values")
    exact.check_solvable(game, start)
    return results.solution_result(game, start, _title(request, game, start))


def match(request: requests.Match) -> Work[Result]:
    """Play many games between strategies."""
    game, names = positions.game_of(request), list(request.players)
    start, bound = positions.start_in(request, game), positions.bound_of(request, game)
    seats = 0 if is_alone(game) else game.players
    players = [*names, *names[-1:] * (seats - len(names))]
    for name in {*players} - {"perfect"}:  # which counts positions, a part of the work
        player_called(game, name)
    yield Progress("games")
    strategies = [strategy_called(game, name, bound=bound, start=start) for name in players]
    games = games_of_match(game, strategies, request.games, seed=request.seed or 0, start=start)
    # In the order of the seatings, the last strategy has its first seat in game `least`.
    least = max(2, len(players) - game.players + 1)
    parts = yield from _collected(map(games.play, games.parts), len(games.parts), "games", least)
    rows = standings(games, concat(parts))
    return results.standings_result(game, ", ".join(request.rules), players, rows, request.games)


# Games in play


def _setting(
    request: Request, game: AnyGame, start: Position, persons: frozenset[int], names: Sequence[str]
) -> Work[Setting]:
    """The setting of a game that begins at `start`, with strategies for all but `persons`."""
    strategies = strategies_at(game, persons, names, OPPONENT)
    bound, value = positions.bound_of(request, game), exact.solver(game)
    player = partial(player_called, game, bound=bound, start=start, value=value)
    players = {seat: player(name) for seat, name in strategies.items()}
    yield Progress("players")
    if "perfect" in strategies.values():
        exact.check_solvable(game, start)
    return Setting(game, request.seed or 0, persons, strategies, players, bound=bound, value=value)


def _line(request: Request, setting: Setting, turns: Turns) -> Work[Result]:
    """The result of a game: its line for `--from`, unless it is in the JSON that was printed."""
    line = "" if getattr(request, "json", False) else line_of(setting, turns)
    if line:
        seed = f" with --seed {setting.seed}" if setting.game.deal else ""
        yield Said(("", f"The game in one line, for --from{seed}:"))
    return Result(above=line)


def play(request: requests.Play) -> Work[Result]:
    """Play a game with a person, who answers questions."""
    game, start = _beginning(request)
    persons = seats_called(game, request.seats)
    setting = yield from _setting(request, game, start, persons, request.against)
    setting = setting._replace(dives=request.dives)
    session = Session(first_turn(setting, start), request.hints)
    turns = yield from games_played(setting, session)
    return (yield from _line(request, setting, turns))


def watch(request: requests.Watch) -> Work[Result]:
    """Show each turn of a game between strategies, the first game of `match` with this seed."""
    game, start = _beginning(request)
    setting = yield from _setting(request, game, start, frozenset(), request.players)
    setting = setting._replace(rng=Random(f"{request.seed or 0}/0"))
    turns = yield from watched(setting, Session(first_turn(setting, start)))
    return (yield from _line(request, setting, turns))


# Bandits, pi, and the table for the pub


def bandit(request: requests.Bandit) -> Work[Result]:
    """Compare policies for one-armed machines."""
    policies: Words = {name: sampled_results.BANDITS[name] for name in request.policies}
    arms, n = [bandits.bernoulli(mean) for mean in request.means], request.runs
    runs = bandits.runs_of(policies, arms, request.pulls, n, seed=request.seed or 0)
    finished = yield from _collected(runs, n, "runs")
    return sampled_results.bandit_result(finished, request.means, request.pulls)


def pi(request: requests.Pi) -> Work[Result]:
    """Estimate pi by throwing darts."""
    n, throw = request.darts, partial(sampled_results.darts, throw_dart, Random(request.seed))
    records = yield from _followed(f"{n:,} darts", n, steps.records_of(throw, n))
    return sampled_results.pi_result(records)


def table(request: requests.Table) -> Work[Result]:
    """Work out the best moves of Shut the Box."""
    game = positions.game_of(request)
    yield Progress("exact values")
    best = results.card(game)
    text = as_json(best) if request.json else results.as_workshop(best)
    return Result(above=text.removesuffix("\n"))


def prompt(request: requests.Prompt) -> Work[Result]:  # noqa: ARG001
    """Start Python with the words of purembts."""
    yield Shell()
    return Result()


# Checks


def check(request: requests.Check) -> Work[Result]:
    """Check a game, a solution of the workshop's tasks, or the properties in a file."""
    is_game = is_name(request.target)
    _check_options(request, is_game=is_game)
    yield Progress("a new process")
    if (is_game or request.properties) and find_spec("hypothesis") is None:
        how = "pip install hypothesis, or in a clone: pip install '.[verify]'"
        raise ValueError(f"this check needs hypothesis; install it with: {how}")
    on_file = _property_trials if request.properties else _solution_marks
    return (yield from (_game_laws if is_game else on_file)(request))


def _check_options(request: requests.Check, *, is_game: bool) -> None:
    """Raise a ValueError if options are given that do not go with the target, or together."""
    wrong, right, got = ("task", "properties"), "a solution", "a game"
    if not is_game:
        wrong, right, got = ("examples", "seconds"), got, right
    for name in wrong:
        if getattr(request, name) != request._field_defaults[name]:
            raise ValueError(f"`--{name}` is for {right}; the target is {got}.")
    if request.properties and request.task:
        raise ValueError("`--properties` must be given without `--task`; got both.")
    if request.reveal and not request.properties:
        raise ValueError("`--reveal` must be given with `--properties`.")


def _game_laws(request: requests.Check) -> Work[Result]:
    """Check the laws of a game. The answers come from the process that runs its functions."""
    name, verdicts, end = request.target, list[Facts](), Words()
    order: Words = {"kind": "game", "name": name, "file": name.rpartition(":")[0] or name}
    order |= {"examples": request.examples, "seconds": request.seconds, "seed": request.seed or 0}
    try:
        for answer in laws(order, limit=request.limit):
            name = answer.get("game", name)
            if "law" in answer:
                verdicts.append(answer)
                yield Progress(f"Laws, the last one: {answer['law']}", len(verdicts))
    except KeyboardInterrupt:
        end = {"interrupted": True}
        yield Interrupted()
    is_cut = bool(end) or any(law["status"] == "no time" for law in verdicts)
    facts: Words = {"game": name, "target": request.target, "examples": request.examples, **end}
    facts |= {"kept": all(law["status"] != "broken" for law in verdicts)}
    facts |= {"complete": bool(verdicts) and not is_cut, "laws": verdicts}
    return check_results.laws_result(facts)


def _solution_marks(request: requests.Check) -> Work[Result]:
    """Mark a solution of the workshop's tasks. The marks come from the processes that run it."""
    file, tasks = request.target, [request.task] if request.task else [*TASKS]
    mark = partial(mark_of, file, seed=request.seed or 0, limit=request.limit)
    with ThreadPoolExecutor(2) as executor:
        try:
            marks = yield from _collected(executor.map(mark, tasks), (n := len(tasks)), "Tasks", n)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            stop_all()
            raise
    return check_results.tasks_result(file, marks)


def _property_trials(request: requests.Check) -> Work[Result]:
    """Try the tests of a file on right solutions and on mistakes, in another process."""
    words, trials, of = list[str](), list[Facts](), None
    for answer in property_replies(request.target, limit=request.limit):
        words, of = answer.get("words", words), answer.get("of", of)
        if "test" in answer:
            trials.append(answer)
            yield Progress("Solutions", len(trials), of)
        if len(trials) == len(right_solutions()) and any(trial["test"] for trial in trials):
            break  # only tests that right solutions pass find mistakes
    if not words or "*" in words:
        right = "name the words that it takes" if words else "take words of the workshop"
        raise ValueError(
            f"{check_results.file_name(request.target)} must {right} from `mine`, for example: "
            f"from mine import possible_moves; got {'*' if words else 'none'}."
        )
    return check_results.properties_result(request.target, words, trials, reveal=request.reveal)


# The workshop


def workshop(request: requests.Workshop) -> Work[Result]:
    """Write the file of a learner, mark its next task, or show a hint."""
    file, is_start = request.file, request.step == "start"
    if is_start and file.exists():
        raise ValueError(f"`FILE` must be a new file; {file} is there already.")
    if not is_start and not file.is_file():
        how = f"purembts workshop start {file}"
        raise ValueError(f"`FILE` must exist; got {str(file)!r}. This writes it: {how}.")
    yield Progress("a new process")
    if is_start:
        more = f"{file} has the tasks. Next: purembts workshop next {file}"
        return Result(lines=(more,), files=((file, starter_file()),))
    return (yield from (_hint if request.step == "hint" else _next_tasks)(request))


def _hint(request: requests.Workshop) -> Work[Result]:
    """Show one hint more than before. The file FILE.hints has the task of each hint so far."""
    memory = request.file.with_suffix(".hints")
    tasks = memory.read_text("utf-8", "replace").split() if memory.is_file() else []
    mark = partial(mark_of, request.file, limit=request.limit)
    task = request.task or (yield from check_results.marks_from(1, mark))[-1]["task"]
    result = check_results.hint(task, tasks.count(f"{task}"))
    return result._replace(files=((memory, "\n".join([*tasks, f"{task}"])),))


def _marks_now(request: requests.Workshop, first: int, *, watch: bool) -> Work[Result]:
    """Mark the tasks from `first` on, up to the next one. A person who watches reads errors."""
    mark = partial(mark_of, request.file, limit=request.limit, watch=watch)
    after = partial(step_after, request.file, limit=4 * request.limit)
    try:
        return (yield from check_results.next_task(request, mark, after, first))
    except ValueError as error:
        if not watch:
            raise
        return Result(lines=(f"purembts: {error}",))


def _next_tasks(request: requests.Workshop) -> Work[Result]:
    """Mark the next task; where a person watches, each time the file was saved, with questions."""
    time, first, predicted = None, request.task or 1, 0
    try:
        while True:
            time = None if request.json else (yield Change(request.file, time))
            try:
                result = yield from _marks_now(request, first, watch=time is not None)
            except Saved:
                continue
            tasks = result.facts.get("tasks", ())
            first += sum(task["status"] == "right" for task in tasks)
            if time is None or first > len(TASKS):
                return result
            yield Said(result.lines)
            if tasks and first > predicted:
                predicted = first
                with suppress(EOFError):
                    yield from check_results.predictions(first)
    except KeyboardInterrupt:
        if time is None:
            raise
        return Result()
