"""The laws of games, tried on a game: `check` raises an error, `verdicts` gives values."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from functools import partial
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from purembts.checks import a_seed, at_least_one, brief
from purembts.game import AnyGame, first_position
from purembts.guards import check_facts
from purembts.verify.game_laws import LAWS
from purembts.verify.order import label_of
from purembts.verify.position_laws import BASIS, Law, State, UntriedError, same_again
from purembts.verify.strategies import Walk, walks

EXAMPLES = 100
"""The lines that are tried for each law."""


class _TimeIsUp(BaseException):
    """The signal to leave Hypothesis at once. After an Exception it would try more walks."""


class Verdict(NamedTuple):
    """The result of trying a law."""

    law: str
    status: Literal["kept", "broken", "not tried", "no time"]
    cases: int
    """The number of lines that were tried."""
    message: str = ""
    """Why the law is broken, or was not tried."""
    line: Walk = Walk(())
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
    verdict_list = verdicts(game, start, laws=laws, examples=examples, seed=seed)
    broken = [verdict for verdict in verdict_list if verdict.status == "broken"]
    if broken:
        texts = (text for verdict in broken for text in report_lines(game, verdict))
        raise AssertionError(f"{game.name} breaks {len(broken)} of its laws.\n" + "\n".join(texts))


def verdicts(
    game: AnyGame,
    start: State = None,
    *,
    laws: Iterable[Law] = LAWS,
    examples: int = EXAMPLES,
    seed: int = 0,
    go_on: Callable[[float], bool] = lambda _: True,
) -> Iterator[Verdict]:
    """A verdict for each of `laws`, each tried on at most `examples` lines of moves from `start`.

    No more lines are tried when `go_on(share)` is False: `share` is the part of all time that this
    law and those before it have. If one of the laws in `BASIS` is broken, the laws after it are not
    tried.
    """
    check_facts(game)
    at_least_one(examples, "examples")
    a_seed(seed)
    some_walks = walks(game, deepcopy(first_position(game, Random(seed), start)))
    laws = tuple(laws)
    tried = [law for law in laws if law.concerns(game)]
    basis = ""
    for law in laws:
        if basis:
            yield Verdict(law.name, "not tried", 0, f"It needs the law: {basis}.")
        elif not law.concerns(game):
            yield Verdict(law.name, "not tried", 0, "The game does not have this part.")
        else:
            most = min(examples, law.most or examples)
            share = (1 + tried.index(law)) / len(tried)
            verdict = _verdict(game, law, some_walks, most, seed, partial(go_on, share))
            basis = law.name if verdict.status == "broken" and law in BASIS else ""
            yield verdict


def _verdict(
    game: AnyGame,
    law: Law,
    some_walks: st.SearchStrategy[Walk],
    examples: int,
    seed: int,
    go_on: Callable[[], bool],
) -> Verdict:
    """The verdict on a law that is tried on at most `examples` of `some_walks`."""
    cases, broken, untried = list[Walk](), list[tuple[Walk, Exception]](), list[str]()

    def attempt(walk: Walk, draw: int) -> None:
        if not go_on():
            raise _TimeIsUp
        cases.append(walk)
        try:
            law.check(game, walk, walk.positions[-1], Random(draw))
        except UntriedError as error:
            untried.append(str(error))
        except Exception as error:
            broken.append((walk, error))
            raise

    try:
        with suppress(_TimeIsUp):
            _try_walks(attempt, some_walks, examples, seed)
    except Flaky:
        # Hypothesis has met other moves at a second look. One law is about that.
        if not broken and law is same_again:
            broken.append((Walk(()), ValueError("The moves change from call to call.")))
    except Exception:
        if not broken:
            raise
    return _summary(law, len(cases) - len(untried), broken, untried)


def _summary(
    law: Law, cases: int, broken: list[tuple[Walk, Exception]], untried: list[str]
) -> Verdict:
    """The verdict after some walks, on which the law was `broken`, or had nothing to try."""
    if broken:
        walk, error = min(broken, key=lambda case: len(case[0].positions))
        is_sentence = isinstance(error, AssertionError | ValueError)
        message = str(error) if is_sentence else f"{type(error).__name__}: {error}"
        return Verdict(law.name, "broken", cases, message, walk, law.advice)
    if untried and not cases:
        return Verdict(law.name, "not tried", 0, untried[0])
    if not cases:
        return Verdict(law.name, "no time", 0, "There was no time left.")
    return Verdict(law.name, "kept", cases)


def _try_walks(
    attempt: Callable[[Walk, int], None],
    some_walks: st.SearchStrategy[Walk],
    examples: int,
    seed: int,
) -> None:
    """Call `attempt` with walks that Hypothesis draws, and with simpler ones after a failure."""
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
    run = hypothesis.given(some_walks, st.integers(0, 2**32))(attempt)
    hypothesis.seed(seed)(settings(run))()


# Text


def report_lines(game: AnyGame, verdict: Verdict) -> Iterator[str]:
    """Lines of text about a broken law: the law, why it is broken, the moves, what to do."""
    yield f"{verdict.law}: {verdict.message}"
    yield from (f"  {text}" for text in story(game, verdict.line))
    yield f"  What to do: {verdict.advice}"


def story(game: AnyGame, walk: Walk) -> Iterator[str]:
    """The moves of `walk` and the position after them, in the game's own words."""
    turns = zip(pairwise(walk.positions), walk.events, strict=True)
    for number, ((before, after), event) in enumerate(turns, start=1):
        chance = "" if event is None else f"drawn {brief(event)}: "
        yield f"{number}. {chance}{label_of(game, before, after)}"
    if walk.positions:
        text = brief(walk.positions[-1])
        with suppress(Exception):
            text = str(game.display.show(walk.positions[-1]))
        yield from text.splitlines()
