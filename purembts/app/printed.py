"""The text of each step for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from textwrap import fill
from typing import Any

from toolz import partition_all

from purembts.app.results import Result
from purembts.app.sentences import HIDE, event_line, move_line, moves_said, outcome
from purembts.app.sessions import before_last, is_secret, public_state
from purembts.app.steps import Belief, Moved, Said, Shown
from purembts.display import Display
from purembts.game import S
from purembts.report import Report, columns_called, worth
from purembts.tables import Column, Table, as_text, text_width

BELIEFS = ("move", "after", "visits", "mean", "95 % interval", "exact")
"""The columns of the beliefs about moves."""


def printed(step: Any, width: int) -> str | None:  # noqa: ANN401
    """The text of a step for a screen of `width` columns; None for a step without a text."""
    text: str | None = None
    match step:
        case Table():
            text = as_text(step, width)
        case Belief():
            text = as_text(belief_table(step.report, step.title), width)
        case Said():
            text = "\n".join([*step.lines, *in_columns(step.entries, width)])
        case Shown():
            text = _turn_text(step, width)
        case Moved():
            text = _move_text(step, width)
        case Result():
            return _result_text(step, width) or None  # the line of a game is never broken
    return None if text is None else fitted(text, width)


def _turn_text(step: Shown, width: int) -> str | None:
    """The position, the event, and the moves of a person; nothing before the move of a strategy."""
    (setting, (turns, hints, _)), turn = step, step.session.turns[-1]
    game, is_asked = setting.game, turn.player in setting.persons and bool(turn.moves)
    if setting.persons and turn.moves and not is_asked:
        return None  # a person sees the position after the move of the strategy
    state, before = public_state(setting, turns), before_last(game, turns)
    lines = ["", with_marks(game.display, before, state)]
    lines += filter(None, [event_line(game, turn, setting.persons)])
    if is_asked and len(turn.moves) == 1:
        lines.append(f"The only move: {game.display.label(turn.state, turn.moves[0])}.")
    elif is_asked and hints == "none":
        lines.append(f"{printed(moves_said(game, turn), width)}")
    return "\n".join(lines)


def _move_text(step: Moved, width: int) -> str | None:
    """The move in a sentence, after the belief of a watched strategy; or the result."""
    setting, turn = step.setting, step.turns[-1]
    game, persons = setting.game, setting.persons
    if not turn.moves:
        return outcome(game, turn.state, persons)
    if turn.player in persons:  # who knows the move, but may have to hide a view
        line = move_line(game, turn, step.move, persons)
        return f"{HIDE}\n{line}" if is_secret(setting) else None
    lines = [f"{printed(step.belief, width)}"] if step.belief and not persons else []
    lines += filter(None, [event_line(game, turn, persons)] if persons else [])
    return "\n".join([*lines, move_line(game, turn, step.move, persons)])


def _result_text(result: Result, width: int) -> str:
    """A result as a text for a screen of `width` columns."""
    tables = "\n\n".join(as_text(table, width) for table in result.tables)
    above = f"{result.above}\n\n" if result.above and tables else result.above
    lines = (fill(line, width) for text in result.lines for line in text.split("\n"))
    return "\n".join([*filter(None, [above + tables]), *lines])


# Tables and lists


def belief_table(report: Report, title: str) -> Table:
    """The best moves of a report with their numbers and worth, in the order of the numbers."""
    numbered = list(enumerate(report.rows, 1))
    valued = [pair for pair in numbered if worth(pair[1]) > -inf] or numbered
    ranked = sorted(valued, key=lambda pair: (pair[1].learnt, worth(pair[1])), reverse=True)
    best = sorted(ranked[:10])  # which a screen has room for
    rest = len(report.rows) - len(best)
    # The notes of the first column come first, below its last row.
    better = " that are not better" if len(valued) == len(numbered) else ""
    more = f"and {rest} more{better}" if rest else ""
    numbers, rows = Column("", tuple(f"{n}:" for n, _ in best), note=more), [row for _, row in best]
    return Table(title, (numbers, *columns_called(BELIEFS, report, rows)))


def in_columns(entries: Sequence[str], width: int) -> Iterator[str]:
    """The lines of a list in columns."""
    wide = max(map(len, entries), default=0) + 2
    for row in partition_all(max(1, (width - 2) // wide), entries):
        yield f"  {''.join(entry.ljust(wide) for entry in row)}".rstrip()


# Lines


def fitted(text: str, width: int) -> str:
    """`text` with its lines broken between words where they are wider than `width`."""
    filled = partial(
        fill, width=width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(
        filled(line) if text_width(line) > width else line for line in text.split("\n")
    )


# The last move on a board of text

EMPTY = ".-_·"
"""The signs of empty squares on a board of text."""


def with_marks(display: Display[S], before: S | None, after: S) -> str:
    """The text of `after`, with brackets around what fills the empty squares of `before`.

    Lines whose lengths differ are not compared.

    >>> from purembts.games.mnk import tic_tac_toe
    >>> start = tic_tac_toe.start
    >>> print(with_marks(tic_tac_toe.display, start, tic_tac_toe.moves(start, None)[4]))
     3 . . .
     2 .(x).
     1 . . .
       a b c
    """
    old = [] if before is None else display.show(before).split("\n")
    new = display.show(after).split("\n")
    if len(old) != len(new):
        return "\n".join(new)
    return "\n".join(_line_with_marks(*lines) for lines in zip(old, new, strict=True))


def _line_with_marks(was: str, line: str) -> str:
    """`line`, with brackets in the place of blanks around each sign where `was` is empty."""
    pairs = list(zip(was, line, strict=True)) if len(was) == len(line) else []
    new = [i for i, (a, b) in enumerate(pairs) if a in EMPTY and b not in EMPTY and b != " "]
    for i in reversed(new):
        head, tail = line[:i].removesuffix(" "), line[i + 1 :].removeprefix(" ")
        line = f"{head}({line[i]}){tail}"
    return line
