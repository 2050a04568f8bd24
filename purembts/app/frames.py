"""The texts and the JSON of a game that is watched: a frame for each thought."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from purembts.app.hints import worth
from purembts.app.kinds import AnyGame, Position
from purembts.app.results import encoded, facts
from purembts.app.sentences import (
    BELIEFS,
    CODES,
    event_line,
    fitted,
    is_event_told,
    move_line,
    outcome,
    shown_to_mover,
)
from purembts.app.steps import counted
from purembts.app.thinking import Thought
from purembts.display import digits_of, number
from purembts.game import result_of
from purembts.report import Facts, Report, Row, columns_called
from purembts.tables import Column, Table, as_text, filled, notes_of, rows_table

SHOWN = 6
"""The most moves of a frame, the best of them."""


def is_done(thought: Thought) -> bool:
    """True if `thought` is the last of its turn: it has the move, or the game has ended."""
    return thought.move is not None or not thought.turn.moves


def stages(reports: Sequence[Report]) -> list[Report]:
    """The first of `reports` with 1/8, 1/4, 1/2 and all of the visits of the last one."""
    total = reports[-1].record.visits if reports else 0
    firsts = (
        next(known for known in reports if known.record.visits >= total // part)
        for part in ((8, 4, 2, 1) if reports else ())
    )
    return list({known.record.visits: known for known in firsts}.values())


def leading(known: Report) -> Row:
    """The row of the move that the player would make."""
    return max(known.rows, key=lambda row: (row.learnt, worth(row)))


# Text


def frame(
    game: AnyGame,
    names: Mapping[int, str],
    number_of_turn: int,
    before: Position,
    thought: Thought,
    *,
    width: int = 80,
    height: int = 1_000,
    ends: tuple[str, str] = ("(", ")"),
) -> list[str]:
    """The lines of a thought: the position, and beside or below it what the player believes.

    `before` is the position before the last move, which is marked. `names` are those of the
    strategies. With more lines than `height`, fewer moves are shown, and then no changes.
    """
    turn = thought.turn
    board = shown_to_mover(game, turn, before, ends)
    if game.hidden or not game.display.squares:
        board = fitted(board, width)
    heading = [*_heading(game, names, number_of_turn, thought)]
    move = "" if thought.move is None else move_line(game, turn, thought.move)
    end = ["", *fitted(move, width).split("\n")] if turn.moves else []
    for shown, has_changes in SIZES:
        words = [*heading, *_beliefs(thought, shown, width, has_changes=has_changes), *end]
        lines = beside(board.split("\n"), words, width)
        if len(lines) <= height:
            break
    return lines[:height]


def beside(left: Sequence[str], right: Sequence[str], width: int) -> list[str]:
    """The lines of `right` beside those of `left`, or below them if `width` is too small."""
    bare = [CODES.sub("", line) for line in left]
    # A mark at the end of a line does not move the table.
    wide = max(len(line.rstrip(")")) for line in bare) + 5
    if wide + max(TABLE, *map(len, right)) > width:
        return [*left, "", *right]
    padded = [line + " " * (wide - n) for line, n in zip(left, map(len, bare), strict=True)]
    padded += [" " * wide] * (len(right) - len(left))
    return [(line + more).rstrip() for line, more in zip_longest(padded, right, fillvalue="")]


TABLE = 42
"""The width of the usual table of moves."""
SIZES = [(shown, changes) for changes in (True, False) for shown in range(SHOWN, 0, -1)]
SIZES += [(0, False)]
"""The numbers of moves in a frame, with and without the table of changes, the largest first."""


def _heading(game: AnyGame, names: Mapping[int, str], n: int, thought: Thought) -> Iterator[str]:
    turn = thought.turn
    if not turn.moves:
        yield f"The end after {counted(n, 'turn')}"
        if is_event_told(game, turn):
            yield event_line(game, turn)
        yield outcome(game, turn.state)
        return
    yield f"Turn {n + 1}: player {turn.player + 1}, {names[turn.player]}"
    if turn.event is not None:
        yield event_line(game, turn)


def _beliefs(thought: Thought, shown: int, width: int, *, has_changes: bool) -> Iterator[str]:
    """The table of the best moves, and the table of how the leading move changed."""
    if not thought.reports or not shown:
        return
    known = thought.reports[-1]
    ranked = sorted(known.rows, key=lambda row: (row.learnt, worth(row)), reverse=True)[:shown]
    headings = [each for each in BELIEFS if each != "after"]
    first, *columns = columns_called(headings, known, ranked)
    rest = len(known.rows) - shown
    # The notes of the first column come first, below its last row.
    first = first._replace(note=f"and {rest} more" if rest > 0 else "")
    yield from _text(width, first, *columns)
    steps = stages(thought.reports)
    if len(steps) > 1 and has_changes:
        yield from _text(width, *changes_table(steps).columns)


def changes_table(steps: Sequence[Report]) -> Table:
    """The move that leads after each of `steps`, which `stages` gives."""
    digits = digits_of(steps[-1].game.score_range)
    leads = [(f"{step.record.visits:,}", leading(step)) for step in steps]
    rows = [[dives, row.label, number(row.mean, digits)] for dives, row in leads]
    heads = ["dives", "leads", "mean"]
    return rows_table("How it changed its mind", heads, rows, words=["leads"])


def _text(width: int, *columns: Column) -> list[str]:
    """An empty line, and a table of those of `columns` that have a text, with narrow notes."""
    shown = filled(columns)
    told = notes_of(Table("", shown))
    lines = as_text(Table("", tuple(each._replace(note="") for each in shown)), width).split("\n")
    wide = min(width, max(TABLE, *map(len, lines)))
    return ["", *lines, *(line for note in told for line in fitted(note, wide).split("\n"))]


# JSON


def turn_facts(
    game: AnyGame, names: Mapping[int, str], number_of_turn: int, thought: Thought
) -> Facts:
    """A turn as an object of JSON; docs/play.md lists its fields."""
    turn, known, n = thought.turn, thought.reports, number_of_turn + 1
    position = encoded(game, turn.state)
    if not turn.moves:
        return {"turn": n, "position": position, "result": list(result_of(game, turn.state))}
    return {
        "turn": n,
        "player": turn.player,
        "strategy": names[turn.player],
        "position": position,
        "event": turn.event,
        "move": game.display.label(turn.state, thought.move),
        "report": facts(known[-1]) if known else None,
        "changes": [
            {
                "dives": step.record.visits,
                "move": row.label,
                "mean": row.mean,
                "interval": list(row.interval) if row.interval else None,
            }
            for step in stages(known)
            for row in [leading(step)]
        ],
    }
