"""The laws of games, tried on a game: `check` raises an error, `verdicts` gives values."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from purembts.checks import a_seed, at_least_one, brief
from purembts.game import first_position
from purembts.verify.game_laws import LAWS
from purembts.verify.order import NO_TIME, label_of
from purembts.verify.position_laws import BASIS, AnyGame, Law, State, same_again
from purembts.verify.strategies import Line, lines

EXAMPLES = 100
"""The lines that are tried for each law."""


class _TimeIsUp(BaseException):
    """The signal to leave Hypothesis at once. It would draw on, and shrink, after an Exception."""


class Verdict(NamedTuple):
    """The result of trying a law."""

    law: str
    status: Literal["kept", "broken", "not tried"]
    cases: int
    """The number of lines that were tried."""
    message: str = ""
    """Why the law is broken, or was not tried."""
    line: Line = Line(())
    """The shortest line of moves on which the law is broken."""
    advice: str = ""
    """The way to mend the game."""


def check(
    game: AnyGame,
    start: State = None,
    *,
    laws: Iterable[Law] = LAWS,
    examples: int = EXAMPLES,
    seed: int = 0,
) -> None:
    """Raise an AssertionError if `game` breaks one of its `laws`, with everything found.

    >>> from purembts.games.last_coin import last_coin
    >>> check(last_coin())
    """
    found = verdicts(game, start, laws=laws, examples=examples, seed=seed)
    broken = [verdict for verdict in found if verdict.status == "broken"]
    if broken:
        texts = (text for verdict in broken for text in report(game, verdict))
        raise AssertionError(f"{game.name} breaks {len(broken)} of its laws.\n" + "\n".join(texts))


def verdicts(
    game: AnyGame,
    start: State = None,
    *,
    laws: Iterable[Law] = LAWS,
    examples: int = EXAMPLES,
    seed: int = 0,
    go_on: Callable[[], bool] = lambda: True,
) -> Iterator[Verdict]:
    """A verdict for each of `laws`, each tried on at most `examples` lines of moves from `start`.

    No more lines are tried when `go_on()` is False. If one of the laws in `BASIS` is broken, the
    laws after it are not tried.
    """
    at_least_one(examples, "examples")
    a_seed(seed)
    drawn = lines(game, deepcopy(first_position(game, Random(seed), start)))
    basis = ""
    for law in laws:
        if basis:
            yield Verdict(law.name, "not tried", 0, f"It needs the law: {basis}.")
        elif not law.concerns(game):
            yield Verdict(law.name, "not tried", 0, "The game does not have this part.")
        elif not go_on():
            yield Verdict(law.name, "not tried", 0, NO_TIME)
        else:
            verdict = _verdict(game, law, drawn, min(examples, law.most or examples), seed, go_on)
            basis = law.name if verdict.status == "broken" and law in BASIS else ""
            yield verdict


def _verdict(
    game: AnyGame,
    law: Law,
    drawn: st.SearchStrategy[Line],
    examples: int,
    seed: int,
    go_on: Callable[[], bool],
) -> Verdict:
    cases: list[Line] = []
    broken: list[tuple[Line, str]] = []

    def attempt(line: Line, draw: int) -> None:
        if not go_on():
            raise _TimeIsUp
        cases.append(line)
        try:
            law.check(game, line, line.positions[-1], Random(draw))
        except Exception as error:
            is_told = isinstance(error, AssertionError | ValueError)
            broken.append((line, str(error) if is_told else f"{type(error).__name__}: {error}"))
            raise

    try:
        with suppress(_TimeIsUp):
            _run(attempt, drawn, examples, seed)
    except Flaky:
        # Hypothesis has met other moves at a second look. One law is about that.
        if not broken and law is same_again:
            broken.append((Line(()), "The moves change from call to call."))
    except Exception:
        if not broken:
            raise
    return _summary(law, len(cases), broken)


def _summary(law: Law, cases: int, broken: list[tuple[Line, str]]) -> Verdict:
    if broken:
        line, message = min(broken, key=lambda found: len(found[0].positions))
        return Verdict(law.name, "broken", cases, message, line, law.advice)
    if not cases:
        return Verdict(law.name, "not tried", 0, NO_TIME)
    return Verdict(law.name, "kept", cases)


def _run(
    attempt: Callable[[Line, int], None], drawn: st.SearchStrategy[Line], examples: int, seed: int
) -> None:
    """Call `attempt` with lines that Hypothesis draws, and with simpler ones once it has failed."""
    settings = hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    run = hypothesis.given(drawn, st.integers(0, 2**32))(attempt)
    hypothesis.seed(seed)(settings(run))()


# Text


def report(game: AnyGame, verdict: Verdict) -> Iterator[str]:
    """Lines of text about a broken law: the law, why it is broken, the moves, what to do."""
    yield f"{verdict.law}: {verdict.message}"
    yield from (f"  {text}" for text in story(game, verdict.line))
    yield f"  What to do: {verdict.advice}"


def story(game: AnyGame, line: Line) -> Iterator[str]:
    """The moves of `line` and the position after them, in the game's own words."""
    turns = zip(pairwise(line.positions), line.events, strict=True)
    for number, ((before, after), event) in enumerate(turns, start=1):
        drawn = "" if event is None else f"drawn {brief(event)}: "
        yield f"{number}. {drawn}{label_of(game, before, after)}"
    if line.positions:
        shown = brief(line.positions[-1])
        with suppress(Exception):
            shown = str(game.display.show(line.positions[-1]))
        yield from shown.splitlines()
