"""Laws of the other algorithms: playouts, simulations, bounds, bandit policies and solvers.

The algorithms need not come from this library. Each is a plain function, in a form that `partial`
gives to the functions here: `playout(state, rng)`, `simulate(state, n, rng)`,
`bound(score, visits, total)`, `policy(history, rng)` or `value(state)`.

A broken law is an AssertionError with the law, the case that breaks it, and the right answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice, pairwise, product
from math import inf
from numbers import Rational
from random import Random
from typing import Any, TypeAlias

from purembts.bandits import Arm, Pulls, bernoulli, pulls
from purembts.bounds import AnyBound
from purembts.chance import Rng
from purembts.checks import are_finite, at_least_one, brief
from purembts.game import E, Game, S
from purembts.guards import bound_of_choice, check_facts, checked_result
from purembts.positions import positions
from purembts.records import Record, Scores, rounding
from purembts.verify.laws import Ends, best_range, board_text, broken, is_within, mean_range
from purembts.verify.search_laws import check_same_seed
from purembts.verify.statistics import acceptance, assert_distribution, assert_probability

Playout: TypeAlias = Callable[[S, Rng], Scores]
"""The result of a random game from a position."""
Simulate: TypeAlias = Callable[[S, int, Rng], Any]
"""The record of some random games from a position, or a pair of visits and scores."""
AnySolver: TypeAlias = Callable[[S], Sequence[Any]]
"""The value of a position for each player."""


def _finite_numbers(values: Any, what: str, state: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """The numbers in `values`: fractions stay, and others become floats."""
    try:
        # `float` alone would read a text.
        numbers: Any = tuple([x if isinstance(x, Rational) else float(x + 0) for x in values])
        if are_finite(numbers):
            return numbers  # type: ignore[no-any-return]
    except (TypeError, ValueError, ArithmeticError):
        pass
    raise broken(
        "An answer must have a finite number for each player.",
        f"{what} {brief(state)} is {brief(values)}.",
        "Right is a tuple of numbers, for example (1, 0).",
    )


# Random games


def _result_probabilities(game: Game[S, E], state: S) -> dict[Scores, Fraction]:
    """The exact probability of each result of a uniformly random game from `state`.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> _result_probabilities(last_coin(), Pile(3))
    {(1, 0): Fraction(1, 4), (0, 1): Fraction(3, 4)}
    """
    probabilities: dict[S, dict[Scores, Fraction]] = {}
    for position in positions(game, state):
        here: dict[Scores, Fraction] = {}
        events = game.chances(position)
        for event in events:
            after = [probabilities[move] for move in game.moves(position, event)]
            for results in after or [{checked_result(game, position): Fraction(1)}]:
                for result, share in results.items():
                    part = share / len(events) / max(len(after), 1)
                    here[result] = here.get(result, Fraction(0)) + part
        probabilities[position] = here
    return probabilities[state]


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

    `effect` is the difference in the probability of a result that the test catches.
    """

    def result(at: S, rng: Rng) -> Scores:
        return _finite_numbers(playout(at, rng), "The result of a game from", at)

    check_facts(game)
    check_same_seed(lambda rng: [result(state, rng) for _ in range(1000)], seed, "results")
    _check_results(result, game, state, n, seed, effect)


def _check_results(
    playout: Playout[S], game: Game[S, E], state: S, n: int, seed: int, effect: float
) -> None:
    """Compare the results of `n` games with their exact probabilities."""
    rng = Random(seed)
    counts = Counter(playout(state, rng) for _ in range(at_least_one(n, "n")))
    try:
        assert_distribution(counts, _result_probabilities(game, state), effect=effect)
    except AssertionError as error:
        raise broken(
            "A playout must have the results of uniformly random play, as often as they come in "
            "it.",
            f"In {n} games from {brief(state)} with seed {seed}, {error}.",
            "Draw each event and each move with the same probability.",
        ) from error


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

    If each player has two possible scores, their probabilities are tested. Otherwise those of the
    results are, in `n` simulations of one game. `effect` is a difference in such a probability.
    """
    check_facts(game)
    check_same_seed(lambda rng: [simulate(state, 50, rng) for _ in range(20)], seed, "records")
    visits, scores = simulate(state, at_least_one(n, "n"), Random(seed))
    what = f"The sum of the scores of {n} games from"
    record = Record(visits, _finite_numbers(scores, what, state))
    exact = _result_probabilities(game, state)
    _check_games(game, record, n)
    if all(len(set(column)) <= 2 for column in zip(*exact, strict=True)):
        _check_record(record, exact, effect)
    else:
        _check_results(lambda at, rng: tuple(simulate(at, 1, rng)[1]), game, state, n, seed, effect)


def _check_games(game: Game[S, E], record: Record, n: int) -> None:
    """Check the visits, the players and the sum of the scores of `n` games."""
    total, error = sum(record.scores), game.players * rounding(n, game.score_range)
    right = None if game.score_sum is None else n * game.score_sum
    is_sum = right is None or abs(total - right) <= error
    if record.visits != n or len(record.scores) != game.players or not is_sum:
        raise broken(
            "The record of a simulation must have one visit and one result for each game.",
            f"{n} games gave {record}.",
            f"Right are {n} visits and the scores of {game.players} players"
            f"{'' if right is None else f', with the sum {right}'}.",
        )


def _check_record(record: Record, exact: dict[Scores, Fraction], effect: float) -> None:
    """Test how often each player has its higher score. A player has at most two scores."""
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
                f"But {error}.",
            ) from error


# Bounds

_POWERS = tuple(2**k for k in range(2, 21))
"""Numbers of visits, whose quarters are whole numbers."""


def check_bound(bound: AnyBound) -> None:
    """Check all laws of an upper confidence bound, of scores from 0 to 1."""
    laws = _check_without_visits, _check_above_mean, _check_narrows, _check_grows
    for law in laws:
        try:
            law(partial(bound_of_choice, bound))
        except ValueError as error:
            if law is _check_without_visits and isinstance(error.__cause__, TypeError):
                raise  # it is no such function
            raise AssertionError(str(error)) from error


def _check_without_visits(bound: AnyBound) -> None:
    """A choice that was not tried comes first."""
    for total in (0, 1, 100):
        if (got := bound(0, 0, total)) != inf:
            raise broken(
                "A bound without visits must be infinite, so that each choice is tried.",
                f"bound(0, 0, {total}) is {got}.",
                "Right is inf.",
            )


def _check_above_mean(bound: AnyBound) -> None:
    """The rounding of a float is allowed for. NaN breaks the law."""
    for n, total in product((1, 2, 3, *_POWERS), (0, 1, 10**7)):
        for score in {0, 1, n // 3, n // 2, n - 1, n}:
            got = bound(score, n, n + total)
            if not got >= score / n * (1 - 2**-50):
                raise broken(
                    "An upper bound must not be below the mean.",
                    f"bound({score}, {n}, {n + total}) is {got}.",
                    f"The mean is {score / n}, so the bound is at least that.",
                )


def _check_narrows(bound: AnyBound) -> None:
    """A bound that is the mean itself, 1/2, has no width to lose, and keeps this law."""
    total = _POWERS[-1]
    bounds = [bound(n // 2, n, total) for n in _POWERS]
    is_flat = len(set(bounds)) == 1 and bounds[0] != 0.5
    for (n, few), (m, many) in pairwise(zip(_POWERS, bounds, strict=True)):
        if few < many or is_flat:
            raise broken(
                "A bound must shrink with visits, if the mean and the total stay the same.",
                f"bound({n // 2}, {n}, {total}) is {few}, and "
                f"bound({m // 2}, {m}, {total}) is {many}.",
                "The second one has more visits, so it must be lower.",
            )


def _check_grows(bound: AnyBound) -> None:
    """With few visits, bounds that are cut off at 1 may be equal.

    The law leaves out means near 0 and 1. There, some bounds of the field have rules of their own:
    the workshop's bound is 3 / n without a win, and has no width without a loss.
    """
    for n in _POWERS:
        bounds = [bound(k * n // 4, n, _POWERS[-1]) for k in (1, 2, 3)]
        if bounds != sorted(bounds) or (n == _POWERS[-1] and len(set(bounds)) < 3):
            raise broken(
                "A bound must grow with the score.",
                f"For the means 1/4, 1/2 and 3/4 in {n} visits, it is {bounds}.",
                "A higher mean with the same visits must have a higher bound.",
            )


# Bandits

AnyBanditPolicy: TypeAlias = Callable[[Sequence[Pulls], Rng], Any]
"""A function from the history and a generator to the index of an arm."""
BEST_ARM = Fraction(3, 4)
"""The probability of the best arm that `check_policy` asks for."""
_RUNS = 150
"""With 150 runs, random choice among three arms passes with a probability of 2e-6."""
_PAYS = (0.1, 0.9, 0.1)


def check_policy(policy: AnyBanditPolicy, *, pulls: int = 300, seed: int = 7) -> None:
    """Check all laws of a bandit policy, for three arms that pay 0 or 1 and `pulls` pulls.

    Of three arms that pay with probability 1/2, each must be pulled. Even random choice leaves out
    an arm with a probability below 3 (2/3)^pulls, which is below 10^-50 for 300 pulls.

    Then one arm of three pays 1 with probability 0.9, the others with 0.1. Random choice pulls the
    best arm with probability 1/3 for ever. A policy that pulls it with probability `LEAST` at the
    last pull fails this law less often than once in 10^9. Run i draws from the seed `"{seed}/{i}"`.
    """
    even, arms = [bernoulli(0.5)] * 3, [bernoulli(p) for p in _PAYS]

    def tried(rng: Random) -> list[int]:
        return [*islice(_arms(policy, even, rng), at_least_one(pulls, "pulls"))]

    check_same_seed(tried, seed, "choices of arms")
    if left_out := {0, 1, 2} - {*tried(Random(seed))}:
        raise broken(
            "A policy must try every arm.",
            f"In {pulls} pulls with seed {seed}, arm {min(left_out)} was left out.",
            "All three arms pay 1 with probability 1/2.",
        )
    runs = (_arms(policy, arms, Random(f"{seed}/{i}")) for i in range(_RUNS))
    best_pulls = sum(next(islice(run, pulls - 1, None)) == _PAYS.index(max(_PAYS)) for run in runs)
    least, _ = acceptance(_RUNS, BEST_ARM)
    if best_pulls < least:
        raise broken(
            "The regret of a policy must grow slower than that of random choice.",
            f"At pull {pulls}, {best_pulls} of {_RUNS} runs pulled the best of the arms {_PAYS}.",
            f"A policy that does so with probability {float(BEST_ARM)} does it {least} times or "
            "more.",
        )


def _arms(policy: AnyBanditPolicy, arms: Sequence[Arm], rng: Rng) -> Iterator[int]:
    """The arms that the policy pulls, without end."""

    def checked(history: Sequence[Pulls], rng: Rng) -> int:
        arm = policy(history, rng)
        if isinstance(arm, bool) or arm not in range(len(arms)):
            raise broken(
                "A policy must return the index of an arm.",
                f"It returned {brief(arm)} for the history {history}.",
                f"Right is a whole number from 0 to {len(arms) - 1}.",
            )
        return int(arm)

    return (pull.arm for pull in pulls(arms, checked, rng))


# Solvers


def check_solver(value: AnySolver[S], game: Game[S, E], start: S) -> None:
    """Check the law of a solver, Bellman's equation, at `start` and every position after it.

    The values are exact. If a value is a float, they may differ by the rounding of one score for
    each position. So no policy beats the solver, where the other player knows the best replies.

    A best move has the highest value for the player to move. Several best moves can have different
    values for the other players, so a value between them is right.
    """
    for state in positions(game, start):
        got, events = _finite_numbers(value(state), "The value of", state), game.chances(state)
        low, high = mean_range([_best_range(value, game, state, event) for event in events])
        is_rounded = any(isinstance(x, float) for x in got)
        error = rounding(len(events) + 1, game.score_range) if is_rounded else 0
        if len(got) != game.players or not is_within((got, got), (low, high), error):
            raise broken(
                "The value must be the mean over the events of the value of a best move, and the "
                "result where the game has ended.",
                f"The value of {brief(state)} is {brief(got)}.",
                f"Right is {_numbers_text(low, is_rounded)}"
                f"{'' if low == high else f' to {_numbers_text(high, is_rounded)}'}."
                f"{board_text(game, state)}",
            )


def _numbers_text(values: Sequence[Any], are_floats: bool) -> str:
    """Values as floats, or as fractions: `(1/2, 1)`."""
    return f"({', '.join(str(float(x) if are_floats else x) for x in values)})"


def _best_range(value: AnySolver[S], game: Game[S, E], state: S, event: E) -> Ends:
    """The lowest and the highest values of best moves for each player; the result at an end."""
    if not (moves := game.moves(state, event)):
        return (tuple(map(Fraction, checked_result(game, state))),) * 2
    values = [_finite_numbers(value(move), "The value of", move) for move in moves]
    return best_range([tuple(map(Fraction, numbers)) for numbers in values], game.to_move(state))
