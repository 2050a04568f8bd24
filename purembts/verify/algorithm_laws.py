"""Laws of the other algorithms: playouts, simulations, bounds, bandit policies and solvers.

The algorithms need not come from this library. Each is a plain function, in a form that `partial`
gives to the functions here:

- a playout is `playout(state, rng)`, the result of a random game;
- a simulation is `simulate(state, n, rng)`, a `Record` or a pair of visits and scores;
- a bound is `bound(score, visits, total)`, as in `bounds`;
- a bandit policy is `policy(history, rng)`, the index of an arm, as in `bandits`;
- a solver is `value(state)`, the value for each player.

`check_playout`, `check_simulate`, `check_bound`, `check_policy` and `check_solver` check all laws
of one of them. The laws of a search are in `search_laws`. A broken law is an AssertionError. Its
message names the law, the case that breaks it, and the right answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from math import inf
from random import Random
from typing import Any, TypeAlias

from toolz import frequencies

from purembts.bandits import Arm, Pulls, bernoulli
from purembts.bounds import AnyBound
from purembts.chance import Rng, pick
from purembts.checks import brief
from purembts.exact import best, solver
from purembts.game import E, Game, S, Turn, Values, result_of
from purembts.positions import positions
from purembts.records import Record, Scores, rounding
from purembts.verify.search_laws import broken, check_same_seed, is_contest
from purembts.verify.statistics import acceptance, assert_distribution, assert_probability

Playout: TypeAlias = Callable[[S, Rng], Scores]
"""The result of a random game from a position."""
Simulate: TypeAlias = Callable[[S, int, Rng], Any]
"""The record of some random games from a position, or a pair of visits and scores."""
Value: TypeAlias = Callable[[S], Sequence[Any]]
"""The value of a position for each player."""

# Random games


def result_probabilities(game: Game[S, E], state: S) -> dict[Scores, Fraction]:
    """The exact probability of each result of a uniformly random game from `state`.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> result_probabilities(last_coin(), Pile(3))
    {(1, 0): Fraction(1, 4), (0, 1): Fraction(3, 4)}
    """
    known: dict[S, dict[Scores, Fraction]] = {}
    for position in positions(game, state):
        found: dict[Scores, Fraction] = {}
        for probability, results in _ways(game, position, known):
            for result, share in results.items():
                found[result] = found.get(result, Fraction(0)) + probability * share
        known[position] = found
    return known[state]


def _ways(
    game: Game[S, E], position: S, known: dict[S, dict[Scores, Fraction]]
) -> Iterator[tuple[Fraction, dict[Scores, Fraction]]]:
    """The ways on from `position`: the probability of each, and the results that can follow."""
    events = game.chances(position)
    for event, times in frequencies(events).items():
        moves = game.moves(position, event)
        if not moves:
            yield Fraction(times, len(events)), {result_of(game, position): Fraction(1)}
        for move in moves:
            yield Fraction(times, len(events) * len(moves)), known[move]


def check_playout(
    playout: Playout[S],
    game: Game[S, E],
    state: S,
    *,
    n: int = 20_000,
    seed: int = 7,
    effect: float = 0.05,
) -> None:
    """Check all laws of a playout, in `n` random games from `state`. The game must be small.

    `effect` is the total variation distance from uniformly random play that the test catches.
    """
    check_same_seed(lambda rng: [playout(state, rng) for _ in range(1000)], seed, "results")
    check_results(playout, game, state, n=n, seed=seed, effect=effect)


def check_results(
    playout: Playout[S], game: Game[S, E], state: S, *, n: int, seed: int, effect: float
) -> None:
    """The results of `n` playouts have the exact distribution of uniformly random play."""
    rng, exact = Random(seed), result_probabilities(game, state)
    counts = Counter(playout(state, rng) for _ in range(n))
    try:
        assert_distribution(counts, exact, effect=effect)
    except AssertionError as error:
        raise broken(
            "A playout must have the results of uniformly random play, as often as they come in "
            "it.",
            f"In {n} games from {brief(state)} with seed {seed}, {error}.",
            f"The exact probabilities are {_in_floats(exact)}.",
        ) from error


def _in_floats(probabilities: dict[Scores, Fraction]) -> str:
    likely = sorted(probabilities.items(), key=lambda item: -item[1])[:5]
    more = ", ..." if len(probabilities) > 5 else ""
    return ", ".join(f"{float(share):.4f} of {result}" for result, share in likely) + more


def check_simulate(
    simulate: Simulate[S],
    game: Game[S, E],
    state: S,
    *,
    n: int = 20_000,
    seed: int = 7,
    effect: float = 0.05,
) -> None:
    """Check all laws of a simulation of `n` games from `state`. The game must be small.

    If each player has two possible scores, `effect` is a difference of probabilities, and the test
    is that of `check_record`. Otherwise it is the total variation distance of `check_results`, for
    `n` simulations of one game.
    """
    check_same_seed(lambda rng: [simulate(state, 50, rng) for _ in range(20)], seed, "records")
    visits, scores = simulate(state, n, Random(seed))
    record, exact = Record(visits, tuple(scores)), result_probabilities(game, state)
    check_games(game, record, n)
    if all(len(set(column)) <= 2 for column in zip(*exact, strict=True)):
        check_record(record, exact, effect=effect)
    else:
        one_game = partial(_one_game, simulate)
        check_results(one_game, game, state, n=n, seed=seed, effect=effect)


def _one_game(simulate: Simulate[S], state: S, rng: Rng) -> Scores:
    _, scores = simulate(state, 1, rng)
    return tuple(scores)


def check_games(game: Game[S, E], record: Record, n: int) -> None:
    """The record of `n` games has `n` visits, and its scores add up to `n` times `score_sum`."""
    law = "The record of a simulation must have one visit and one result for each game."
    if record.visits != n:
        raise broken(law, f"{n} games gave {record}.", f"Right are {n} visits.")
    total = sum(record.scores)
    if len(record.scores) != game.players:
        raise broken(law, f"{n} games gave {record}.", f"There are {game.players} players.")
    if game.score_sum is not None and abs(total - n * game.score_sum) > _error(game, n):
        raise broken(
            law, f"The scores of {record} have the sum {total}.", f"Right is {n * game.score_sum}."
        )


def check_record(record: Record, exact: dict[Scores, Fraction], *, effect: float) -> None:
    """The number of games with each player's higher score fits its exact probability.

    `exact` has the probability of each result. Each player must have at most two possible scores.
    """
    n = record.visits
    for player, points in enumerate(record.scores):
        possible = {result[player] for result in exact}
        high, low = max(possible), min(possible) if len(possible) > 1 else max(possible) - 1
        p = sum(share for result, share in exact.items() if result[player] == high)
        # A whole number, but for the rounding of scores that are floats.
        cases = round((points - n * low) / (high - low), 6)
        try:
            assert_probability(cases, n, p, effect=effect)
        except AssertionError as error:
            raise broken(
                "The record of a simulation must fit the exact probabilities.",
                f"Player {player} has the score {high} in {cases:g} of {n} games of {record}.",
                f"The exact probability is {float(p):.6f}, so {_accepted(n, p)} are right.",
            ) from error


def _accepted(n: int, p: Fraction | float) -> str:
    low, high = acceptance(n, p)
    return f"{low} to {high}"


def _error(game: Game[S, E], n: int) -> float:
    """The largest rounding error of the scores of `n` games, added up for all players."""
    return game.players * rounding(n, game.score_range)


# Bounds

POWERS = tuple(2**k for k in range(2, 21))
"""Numbers of visits, whose quarters are whole numbers."""


def check_bound(bound: AnyBound) -> None:
    """Check all laws of an upper confidence bound, of scores from 0 to 1."""
    check_infinite(bound)
    check_above_mean(bound)
    check_narrows(bound)
    check_grows(bound)


def check_infinite(bound: AnyBound) -> None:
    """The bound is infinite without visits, so that each choice is tried."""
    for total in (0, 1, 100):
        if (got := bound(0, 0, total)) != inf:
            raise broken(
                "A bound without visits must be infinite, so that each choice is tried.",
                f"bound(0, 0, {total}) is {got}.",
                "Right is inf.",
            )


def check_above_mean(bound: AnyBound) -> None:
    """The bound is never below the mean, up to the rounding of a float; nor is it NaN."""
    for n in (1, 2, 3, *POWERS):
        for score in {0, 1, n // 3, n // 2, n - 1, n}:
            for total in (n, 2 * n, 10**7):
                got = bound(score, n, total)
                if not got >= score / n * (1 - 2**-50):
                    raise broken(
                        "An upper bound must not be below the mean.",
                        f"bound({score}, {n}, {total}) is {got}.",
                        f"The mean is {score / n}, so the bound is at least that.",
                    )


def check_narrows(bound: AnyBound) -> None:
    """With more visits, the same mean 1/2 and the same total, the bound is nearer to the mean.

    A bound that is the mean itself has no width to lose, and keeps this law.
    """
    total = POWERS[-1]
    bounds = [bound(n // 2, n, total) for n in POWERS]
    right = sorted(bounds, reverse=True)
    if bounds != right or (bounds[0] == bounds[-1] != 0.5):
        n, m, few, many = next(
            (n, m, few, many)
            for n, m, few, many in zip(POWERS, POWERS[1:], bounds, bounds[1:], strict=False)
            if few < many or bounds == right
        )
        raise broken(
            "A bound must shrink with visits, if the mean and the total stay the same.",
            f"bound({n // 2}, {n}, {total}) is {few}, and bound({m // 2}, {m}, {total}) is {many}.",
            "The second one has more visits, so it must be lower.",
        )


def check_grows(bound: AnyBound) -> None:
    """With the same visits, the bounds of the means 1/4, 1/2 and 3/4 ascend.

    With few visits, bounds that are cut off at 1 may be equal. The law leaves out means near 0 and
    1. There, some bounds of the field have rules of their own: the workshop's bound is 3 / n
    without a win, and has no width without a loss.
    """
    for n in POWERS:
        bounds = [bound(k * n // 4, n, POWERS[-1]) for k in (1, 2, 3)]
        if bounds != sorted(bounds) or (n == POWERS[-1] and len(set(bounds)) < 3):
            raise broken(
                "A bound must grow with the score.",
                f"For the means 1/4, 1/2 and 3/4 in {n} visits, it is {bounds}.",
                "A higher mean with the same visits must have a higher bound.",
            )


# Bandits

BanditPolicy: TypeAlias = Callable[[Sequence[Pulls], Rng], Any]
"""A function from the history and a generator to the index of an arm."""
LEAST = Fraction(3, 4)
"""The probability of the best arm that `check_finds_best` asks for."""
RUNS = 150
"""With 150 runs, random choice among three arms passes with a probability of 2e-6."""
PAYS = (0.1, 0.9, 0.1)


def check_policy(policy: BanditPolicy, *, pulls: int = 300, seed: int = 7) -> None:
    """Check all laws of a bandit policy, for three arms that pay 0 or 1 and `pulls` pulls."""
    arms = [bernoulli(0.5)] * 3
    check_same_seed(
        lambda rng: list(islice(choices(policy, arms, rng), pulls)), seed, "choices of arms"
    )
    check_tries_all(policy, pulls=pulls, seed=seed)
    check_finds_best(policy, pulls=pulls, seed=seed)


def choices(policy: BanditPolicy, arms: Sequence[Arm], rng: Rng) -> Iterator[int]:
    """The arms that the policy pulls, without end; an AssertionError if there is no such arm."""
    history = (Pulls(),) * len(arms)
    while True:
        arm = policy(history, rng)
        if isinstance(arm, bool) or arm not in range(len(arms)):
            raise broken(
                "A policy must return the index of an arm.",
                f"It returned {brief(arm)} for the history {history}.",
                f"Right is a whole number from 0 to {len(arms) - 1}.",
            )
        pay, (n, paid, squares) = arms[arm](rng), history[arm]
        pulled = Pulls(n + 1, paid + pay, squares + pay * pay)
        history = (*history[:arm], pulled, *history[arm + 1 :])
        yield int(arm)


def check_tries_all(policy: BanditPolicy, *, pulls: int, seed: int) -> None:
    """Of three arms that pay with probability 1/2, each is pulled.

    Even random choice leaves out an arm with a probability below 3 (2/3)^pulls, which is below
    10^-50 for 300 pulls.
    """
    tried = set(islice(choices(policy, [bernoulli(0.5)] * 3, Random(seed)), pulls))
    if left_out := {0, 1, 2} - tried:
        raise broken(
            "A policy must try every arm.",
            f"In {pulls} pulls with seed {seed}, arm {min(left_out)} was left out.",
            "All three arms pay 1 with probability 1/2.",
        )


def check_finds_best(policy: BanditPolicy, *, pulls: int, seed: int) -> None:
    """After `pulls` pulls, the policy loses less by a pull than random choice does.

    One arm of three pays 1 with probability 0.9, the others with 0.1. Random choice pulls the best
    arm with probability 1/3 for ever. A policy that pulls it with probability `LEAST` at the last
    pull fails this law less often than once in 10^9. Run i draws from the seed `"{seed}/{i}"`.
    """
    arms = [bernoulli(p) for p in PAYS]
    runs = (choices(policy, arms, Random(f"{seed}/{i}")) for i in range(RUNS))
    found = sum(next(islice(run, pulls - 1, None)) == PAYS.index(max(PAYS)) for run in runs)
    least, _ = acceptance(RUNS, LEAST)
    if found < least:
        raise broken(
            "The regret of a policy must grow slower than that of random choice.",
            f"At pull {pulls}, {found} of {RUNS} runs pulled the best of the arms {PAYS}.",
            f"A policy that does so with probability {float(LEAST)} does it {least} times or more.",
        )


# Solvers


def check_solver(
    value: Value[S], game: Game[S, E], start: S, *, policies: int = 20, seed: int = 7
) -> None:
    """Check all laws of a solver, at `start` and every position after it.

    The values are exact. If a value is a float, they may differ by the rounding of one score for
    each position. `policies` is the number of random policies in `check_unbeaten`, which is left
    out for games with no best replies: those of three players, or of two without a constant sum.
    """
    for state in positions(game, start):
        check_end(value, game, state)
        check_bellman(value, game, state)
    if is_contest(game):
        for i in range(policies):
            check_unbeaten(value, game, start, f"{seed}/{i}")


def check_end(value: Value[S], game: Game[S, E], state: S) -> None:
    """The value has a number for each player. Where the game has ended, it is the result."""
    got, ended = value(state), not any(game.moves(state, event) for event in game.chances(state))
    right = result_of(game, state) if ended else got
    if len(got) != game.players or tuple(got) != tuple(right):
        raise broken(
            "The value must have a number for each player, the result where the game has ended.",
            f"The value of {brief(state)} is {brief(got)}.",
            f"Right is {brief(right)}." if ended else f"There are {game.players} players.",
        )


def check_bellman(value: Value[S], game: Game[S, E], state: S) -> None:
    """The value is the mean over the events of the value of a best move: Bellman's equation.

    A best move has the highest value for the player to move. Several best moves can have different
    values for the other players, so a value between them is right.
    """
    events = game.chances(state)
    limits = [_limits(value, game, state, event) for event in events]
    got, error = value(state), _rounding(game, value(state), len(events))
    for player in range(game.players):
        low, high = (sum(pair[i][player] for pair in limits) / len(events) for i in (0, 1))
        if not low - error <= got[player] <= high + error:
            raise broken(
                "The value must be the mean over the events of the value of a best move.",
                f"The value of {brief(state)} for player {player} is {got[player]}.",
                f"Right is {low}, the mean for player {game.to_move(state)} to move."
                if low == high
                else f"Right is a number from {low} to {high}.",
            )


def _limits(value: Value[S], game: Game[S, E], state: S, event: E) -> tuple[Values, Values]:
    """The lowest and the highest values of best moves for each player; the result at an end."""
    moves, player = game.moves(state, event), game.to_move(state)
    values = [_exactly(value(move)) for move in moves] or [_exactly(result_of(game, state))]
    most = max(value[player] for value in values) if moves else None
    columns = list(zip(*[value for value in values if most in (None, value[player])], strict=True))
    return tuple(map(min, columns)), tuple(map(max, columns))


def _exactly(value: Sequence[Any]) -> Values:
    return tuple(map(Fraction, value))


def _rounding(game: Game[S, E], value: Sequence[Any], n: int) -> float:
    """The rounding error of a value in floats that adds up n numbers; 0 for Fractions."""
    return rounding(n + 1, game.score_range) if any(isinstance(x, float) for x in value) else 0


def check_unbeaten(value: Value[S], game: Game[S, E], start: S, seed: str) -> None:
    """No player gets more than the value by random moves, if the other player replies best.

    The random policy plays one move at each turn, which depends on the turn and on `seed` alone.
    Its values are exact, at every position.
    """
    places = {state: i for i, state in enumerate(positions(game, start))}
    for player in range(game.players):
        policy = partial(_random_policy, places, f"{seed}/{player}", player)
        gets = solver(game, policy)
        for state in places:
            limit = value(state)[player]
            if gets(state)[player] > limit + _rounding(game, value(state), len(places)):
                raise broken(
                    "No policy may beat the solver.",
                    f"At {brief(state)}, player {player} gets {gets(state)[player]} by the random "
                    f"policy of seed {seed}, if the other player replies best.",
                    f"The solver's value is {limit}, which is too low.",
                )


def _random_policy(
    places: dict[S, int], seed: str, player: int, turn: Turn[S, E], values: Sequence[Values]
) -> Sequence[S]:
    if turn.player != player:
        return best(turn, values)
    moves = [places[move] for move in turn.moves]
    return (pick(turn.moves, Random(f"{seed}/{places[turn.state]}/{moves}")),)
