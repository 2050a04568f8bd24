"""The commands: for each request a generator of steps, which returns a result.

A command has no effects. What it needs from outside is an argument: a tree that was loaded, a
clock, or the answers of a process.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from itertools import accumulate
from operator import add
from random import Random
from typing import TypeVar

from toolz import concat

from purembts import bandits, curves, exact, simulation
from purembts.app import check_results, estimates, requests, results
from purembts.app.clock import lasting, paced
from purembts.app.hints import Setting, first_turn, nothing_solved
from purembts.app.kinds import NO_TREE, AnyGame, AnyPolicy, AnyTree, Position, Words
from purembts.app.players import OPPONENT, player_called, strategy_called
from purembts.app.requests import Place, bound_of
from purembts.app.results import Result, as_workshop, card, turn_facts
from purembts.app.sentences import beginning as first_line
from purembts.app.sentences import turn_text
from purembts.app.sitting import Sitting, beginning, played, seats_called, specs_of
from purembts.app.starts import begin, root, search_seed
from purembts.app.steps import Progress, Said, Work, counted, records_of
from purembts.app.thinking import watched
from purembts.course.mistakes import right_solutions
from purembts.course.processes import Stopped
from purembts.mcts import final_of
from purembts.play import games_of_match, is_alone, standings
from purembts.players import growing
from purembts.records import NOTHING, marks_of
from purembts.report import Facts, Value
from purembts.tables import as_json
from purembts.verify.order import NO_TIME
from purembts.workshop import throw_dart

T = TypeVar("T")


# Parts


def _start(place: Place, seed: int | None) -> tuple[Position, str]:
    """The position where the game begins, and the game and the position in words."""
    start = begin(place.game, place.start, seed or 0)
    return start, results.described(place.game, start, place.variant)


def _solved(game: AnyGame, start: Position, policy: AnyPolicy | None = None) -> Value | None:
    """The exact values of the game, if it is small enough."""
    return exact.solver(game, policy=policy) if exact.is_solvable(game, start) else None


def _followed(
    label: str, of: int | None, steps: Iterable[tuple[T, int]], value: T | None = None
) -> Work[tuple[T, bool]]:
    """The last value of `steps`, or `value`, and True after an interrupt.

    Each step has the amount of work that is done. Where nothing can be kept, an interrupt goes on.
    """
    interrupted = False
    yield Progress(label, 0, of)
    try:
        for value, done in steps:  # noqa: B007 - the last one is kept
            yield Progress(label, done, of)
    except KeyboardInterrupt:
        interrupted = True
        if value is None:
            raise
    return value, interrupted  # type: ignore[return-value]


def _collected(
    results: Iterable[T], n: int, label: str, least: int = 1
) -> Work[tuple[list[T], bool]]:
    """The `n` results, and True after an interrupt; with fewer than `least` it is raised again."""
    so_far = accumulate(([each] for each in results), add)
    done, interrupted = yield from _followed(label, n, ((each, len(each)) for each in so_far))
    if interrupted and len(done) < least:  # too few for an interval
        raise KeyboardInterrupt
    return done, interrupted


# Games


def learn(request: requests.Learn) -> Work[Result]:
    """Compare random play, what trees of more and more dives have learnt, and best play."""
    game, n = request.place.game, request.seeds
    start, title = _start(request.place, request.seed)
    yield Progress("exact values")
    exact.check_solvable(game, start)
    marks = [*request.dives, *(marks_of(max(request.dives)) if request.output else ())]
    how: Words = {"seed": request.seed or 0, "start": start, "final": final_of(game)}
    trials = curves.trials_of(game, marks, {"learnt": bound_of(request)}, **how)
    steps = estimates.runs_so_far(trials, n)
    of = n * len(trials.marks)
    runs, interrupted = yield from _followed(counted(n, "seed"), of, steps)
    result = estimates.learning_result(game, start, title, trials, runs, request.dives)
    return result._replace(interrupted=interrupted)


def simulate(request: requests.Simulate) -> Work[Result]:
    """Play random games."""
    game, n, seed = request.place.game, request.games, request.seed or 0
    start, title = _start(request.place, seed)
    play_games = partial(simulation.simulate, game, start, rng=Random(seed))
    steps = records_of(play_games, n)
    records, interrupted = yield from _followed(counted(n, "game"), n, steps)
    by_chance = _solved(game, start, exact.uniform)
    known = by_chance(start) if by_chance else None
    result = estimates.simulation_result(game, start, title, records, known)
    return result._replace(interrupted=interrupted)


def search(request: requests.Search, tree: AnyTree = NO_TREE) -> Work[Result]:
    """Search from a position, on from `tree`."""
    game, (start, title) = request.place.game, _start(request.place, request.seed)
    first, how = root(game, start), bound_of(request)
    before = (tree.get(first) or NOTHING).visits
    rng = Random(search_seed(request.seed or 0, tree, first))
    seconds, of = request.seconds, None if request.seconds else request.dives
    label = f"{seconds:g} seconds" if seconds else counted(request.dives, "dive")
    lengths = lasting(seconds) if seconds else paced([request.dives])
    steps = growing(game, tree, first, lengths, rng, bound=how)
    trees = ((each, each[first].visits - before) for each in steps)
    grown, interrupted = yield from _followed(label, of, trees, tree)
    about: Words = {"bound": how, "value": _solved(game, start)}
    result = results.search_result(game, start, title, grown, **about)
    return (result or Result())._replace(tree=grown, interrupted=interrupted)


def solve(request: requests.Solve) -> Work[Result]:
    """Work out the exact values of a position."""
    game, (start, title) = request.place.game, _start(request.place, 0)
    yield Progress("exact values")
    exact.check_solvable(game, start)
    value, by_chance = exact.solver(game), exact.solver(game, policy=exact.uniform)
    return results.solution_result(game, start, title, value, by_chance)


def match(request: requests.Match) -> Work[Result]:
    """Play many games between strategies."""
    place, seed = request.place, request.seed or 0
    game, given = place.game, list(request.players)
    seats = 0 if is_alone(game) else game.players
    players = [*given, *given[-1:] * (seats - len(given))]
    called = partial(strategy_called, game, bound=bound_of(request), start=place.start)
    strategies = [called(player) for player in players]
    games = games_of_match(game, strategies, request.games, seed=seed, start=place.start)
    # In the order of the seatings, the last strategy has its first seat in game `least`.
    least = max(2, len(players) - game.players + 1)
    parts = map(games.play, games.parts)
    done, interrupted = yield from _collected(parts, len(games.parts), "games", least)
    found = standings(games, concat(done))
    result = results.standings_result(game, place.variant, players, found, request.games)
    return result._replace(interrupted=interrupted)


# Games in play


def play(request: requests.Play, width: int) -> Work[None]:
    """Play a game with a person, who answers questions."""
    place, seed, bound = request.place, request.seed or 0, bound_of(request)
    game, (start, _) = place.game, _start(place, seed)
    persons = seats_called(game, request.seats)
    specs = specs_of(game, persons, request.against, OPPONENT)
    strategies = {
        seat: strategy_called(game, text, bound=bound, start=start) for seat, text in specs.items()
    }
    setting = Setting(
        game, seed, persons, strategies, request.dives, bound, nothing_solved(game), width
    )
    sitting = Sitting(first_turn(game, start, seed=seed), request.hints)
    yield from played(setting, sitting, beginning(setting, specs, sitting.turns[0]))


def watch(request: requests.Watch, width: int) -> Work[None]:
    """Say each turn of a game between strategies, the first game of `match` with this seed."""
    place, seed, bound = request.place, request.seed or 0, bound_of(request)
    game, (start, _) = place.game, _start(place, seed)
    names = specs_of(game, (), request.players, OPPONENT)
    called = partial(player_called, game, bound=bound, start=start)
    players = {seat: called(text) for seat, text in names.items()}
    if not request.json:
        yield Said((first_line(game, names),))
    before = None
    yield Progress("thinking")
    for n, thought in enumerate(watched(game, start, players, Random(f"{seed}/0")), 1):
        facts = json.dumps(turn_facts(game, names, n, thought)) if request.json else ""
        yield Said((facts or turn_text(game, before, thought, width),))
        yield Progress("thinking")
        before = thought.turn.state


# Bandits, pi, and the table for the pub


def bandit(request: requests.Bandit) -> Work[Result]:
    """Compare policies for one-armed machines."""
    policies = {name: estimates.BANDITS[name] for name in request.policies}
    arms, n = [bandits.bernoulli(mean) for mean in request.means], request.runs
    runs = bandits.runs_of(policies, arms, request.pulls, n, seed=request.seed or 0)
    done, interrupted = yield from _collected(runs, n, "runs")
    result = estimates.bandit_result(done, request.means, request.pulls)
    return result._replace(interrupted=interrupted)


def pi(request: requests.Pi) -> Work[Result]:
    """Estimate pi by throwing darts."""
    n, throw = request.darts, partial(estimates.darts, throw_dart, Random(request.seed))
    steps = records_of(throw, n)
    records, interrupted = yield from _followed(counted(n, "dart"), n, steps)
    return estimates.pi_result(records)._replace(interrupted=interrupted)


def table(request: requests.Card) -> Work[Result]:
    """Work out the best moves of Shut the Box."""
    yield Progress("exact values")
    made = card(request.place.game)
    return Result(document=as_json(made) if request.json else as_workshop(made))


# Checks


def check_game(request: requests.Check, answers: Iterable[Facts]) -> Work[Result]:
    """Check the laws of a game. `answers` come from the process that runs its functions."""
    name, laws = request.target, list[Facts]()
    facts: Words = {"target": name, "examples": request.examples}
    try:
        for answer in answers:
            name = answer.get("game", name)
            if "law" in answer:
                laws.append(answer)
                yield Progress(f"Laws, the last one: {answer['law']}", len(laws))
    except Stopped as stop:
        laws.append(check_results.stopped(str(stop)))
    except KeyboardInterrupt:
        facts["interrupted"] = True
    is_cut = "interrupted" in facts or any(law["message"] == NO_TIME for law in laws)
    facts = {"game": name, **facts, "kept": all(law["status"] != "broken" for law in laws)}
    return check_results.laws_result({**facts, "complete": bool(laws) and not is_cut, "laws": laws})


def check_solution(request: requests.Check, marks: Iterable[Facts]) -> Work[Result]:
    """Mark a solution of the workshop's tasks. `marks` come from the processes that run it."""
    found = []
    for mark in marks:
        found.append(mark)
        yield Progress(f"Tasks, the last one {mark['status']}", len(found))
    try:
        facts = check_results.facts_of_marks(request.target, found)
    except ValueError as error:
        name = check_results.name_of(request.target)
        raise ValueError(f"{error} To check a game in the file, name it: {name}:GAME.") from error
    return check_results.tasks_result(facts, request.target)


def check_properties(request: requests.Check, answers: Iterable[Facts]) -> Work[Result]:
    """Try the tests of a file on right solutions and on mistakes. `answers` come from a process."""
    words, found, of = list[str](), list[Facts](), None
    for answer in answers:
        words, of = answer.get("words", words), answer.get("of", of)
        if "trial" in answer:
            found.append(answer)
            yield Progress("Solutions", len(found), of)
        if len(found) == len(right_solutions()) and any(each["test"] for each in found):
            break  # only tests that right solutions pass find mistakes
    if not words or "*" in words:
        right = "name the words that it takes" if words else "take words of the workshop"
        raise ValueError(
            f"{check_results.name_of(request.target)} must {right} from `mine`, for example: "
            f"from mine import possible_moves; got {'*' if words else 'none'}."
        )
    return check_results.properties_result(request.target, words, found, reveal=request.reveal)
