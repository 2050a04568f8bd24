"""The step after a right task: the words of the solution do the work that they are for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from purembts import workshop
from purembts.course.tasks import calls, forms
from purembts.course.tasks.calls import Mine
from purembts.course.tasks.forms import levers
from purembts.games.shut_the_box import Box, full_box, simple_start
from purembts.records import Record, interval, mean
from purembts.tables import as_text, rows_table

HasTime: TypeAlias = Callable[[], bool]
"""True as long as a step begins ten times as many games or dives."""
_WIDTH = 40
"""The width of a curve of text, from 0 to best play."""


def _many_games(mine: Mine, has_time: HasTime, *, word: str, start: Box) -> Iterator[str]:
    """The estimates of more and more games, up to a million, beside the exact value."""
    box, rows = calls.parameters(mine, word).get("box"), list[list[str]]()
    case = [start] if box and box.default is box.empty else []
    for n in (1000, 10_000, 100_000, 1_000_000):
        if not rows or has_time():
            wins = calls.ask(mine, word, forms.share(mine.words, n), n, *case)
            low, high = interval(Record(n, (wins, n - wins)))
            rows.append([f"{n:,}", f"{wins / n:.6f}", f"{low:.6f} to {high:.6f}"])
    notes = [f"exactly {float(calls.random_play(start == simple_start)(start)):.6f}"]
    heads = ["games", "share of wins", "95 % interval"]
    yield as_text(rows_table(f"Your `{word}`", heads, rows, notes=notes))
    yield "With 100 times as many games, the interval is a tenth as wide."


def _learning_curve(mine: Mine, has_time: HasTime) -> Iterator[str]:
    """The growth of the tree of the solution from the full box: what it has learnt, as a curve."""
    tree, rows = dict[Box, forms.AnyValue](), list[list[str]]()
    best = float(workshop.win_probability(full_box()))
    random = float(calls.random_play()(full_box()))
    for n in (1, 10, 100, 1000, 10_000, 100_000):
        if n > 1000 and not has_time():
            break
        for _ in range(n - n // 10):
            tree, _ = calls.call(mine, "uct", tree, full_box())
        records = forms.tree_records(mine.words).read(tree)
        values = {box: Record(sum(pair), pair) for box, pair in records.items()}
        learnt = float(workshop.learnt_probability(values))
        texts = (f"{n:,}", f"{len(values)}", f"{mean(values[full_box()]):.4f}", f"{learnt:.4f}")
        rows.append([*texts, _on_line(learnt / best, random / best)])
    heads = ["dives", "boxes", "won in dives", "learnt", "from 0 to best play"]
    notes = [f"random play: {random:.4f}, the |", f"best play: {best:.4f}, the right end"]
    table = rows_table("The tree of your `uct`", heads, rows, words=heads[-1:], notes=notes)
    yield as_text(table)
    yield "`learnt` is the exact probability of winning with the best moves of your tree: learning"
    yield "has occurred! After few dives it can be below random play: most moves were tried once."


def _on_line(share: float, mark: float) -> str:
    """A line with a * at `share` of its width and a | at `mark`.

    >>> _on_line(0.5, 0.25)
    '..........|.........*....................'
    """
    places = {round(_WIDTH * mark): "|", round(_WIDTH * share): "*"}
    return "".join(places.get(place, ".") for place in range(_WIDTH + 1))


def _hints(mine: Mine, _has_time: HasTime) -> Iterator[str]:
    """The choices of the first turn with a 9, each with the probability of the solution."""

    def value(move: Box) -> float:
        if "win_probability" in mine.words:
            return float(calls.call(mine, "win_probability", move))
        return float(calls.call(mine, "build_tree", calls.Tree(), (move, None))[move, None])

    moves = workshop.possible_moves(full_box(), 9)
    for move in sorted(moves, key=value, reverse=True):
        yield f"  {value(move):.4f}  shut {levers(full_box() - move)}"
    yield "These are your hints for a first roll of 9. Show them beside the choices of task 9."


AFTER: Mapping[int, Callable[[Mine, HasTime], Iterator[str]]] = {
    7: partial(_many_games, word="simulate_simple_game", start=simple_start),
    8: partial(_many_games, word="simulate", start=full_box()),
    11: _learning_curve,
    12: _hints,
}
"""The lines of the step after a task."""
