"""Differences of two trees as tables and as JSON, in the words of the game."""

from __future__ import annotations

from collections.abc import Sequence

from purembts.app.kinds import AnyGame, Position
from purembts.app.results import Result, result_table, variant_of
from purembts.app.sitting import movers_of
from purembts.checks import brief
from purembts.differences import Difference, Parting, difference
from purembts.display import digits_of, number, one_line
from purembts.jsonl import codec_of
from purembts.records import Record, mean
from purembts.tables import Table

MOST = 10
"""The most positions in a table of changes."""


def changes_table(
    changes: Difference[Position],
    game: AnyGame | None,
    *,
    title: str = "",
    trees: tuple[str, str] = ("before", "after"),
) -> Table:
    """The positions whose visits differ most between two trees, with their means in both.

    A mean is that of the player to move, or of the player whose view it is. Of a game that is not
    known it is that of player 1.
    """
    counts = ", ".join(f"{n:,} {kind}" for kind, n in counts_of(changes).items())
    rows = [_row(changes, game, state) for state in largest(changes, game)[:MOST]]
    rest = len(changes) - len(rows)
    heads = [f"{kind} {tree}" for kind in ("visits", "mean") for tree in trees]
    return result_table(
        title or f"{game.name if game else 'Trees'}: {counts}",
        ["position", "player", *heads],
        rows,
        words=["position"],
        notes=[f"and {rest:,} more"] if rest else [],
    )


def counts_of(changes: Difference[Position]) -> dict[str, int]:
    """The numbers of positions that are new, changed and gone."""
    new = sum(not change.before.visits for change in changes.values())
    gone = sum(not change.after.visits for change in changes.values())
    return {"new": new, "changed": len(changes) - new - gone, "gone": gone}


def largest(changes: Difference[Position], game: AnyGame | None) -> Sequence[Position]:
    """The positions by the change of their visits, the largest change first."""

    def rank(state: Position) -> tuple[int, str]:
        before, after = changes[state]
        return -abs(after.visits - before.visits), in_a_line(game, state)

    return sorted(changes, key=rank)


def _row(changes: Difference[Position], game: AnyGame | None, state: Position) -> list[str]:
    player, records = game.to_move(state) if game else 0, changes[state]
    mover = f"{player + 1}" if game and len(movers_of(game)) > 1 else ""
    visits = [f"{record.visits:,}" for record in records]
    return [in_a_line(game, state), mover, *visits, *(_mean(game, own, player) for own in records)]


def _mean(game: AnyGame | None, record: Record, player: int) -> str:
    """The mean of a player, blank without visits."""
    digits = digits_of(game.score_range) if game else 4
    return number(mean(record, player), digits) if record.visits else ""


def in_a_line(game: AnyGame | None, state: Position) -> str:
    """A position in one line: its short text, the rows of its board, or as Python writes it."""
    if game is None:
        return brief(state)
    if game.display.squares and not game.display.short:
        rows = game.display.squares(state).rows
        return " ".join("".join(cell or "." for cell in row) for row in rows)
    short = game.display.short(state) if game.display.short else ""
    return short or one_line(game.display.show(state))


def parting_table(parting: Parting[Position], game: AnyGame | None) -> Table:
    """The records that differ between two searches after the dive at which they part."""
    both = {**parting.a, **parting.b}
    before = {state: change.before for state, change in both.items() if change.before.visits}
    first, second = (
        {**before, **{state: change.after for state, change in changes.items()}}
        for changes in (parting.a, parting.b)
    )
    title = f"{game.name if game else 'Trees'}: two searches part at dive {parting.dive:,}"
    return changes_table(difference(first, second), game, title=title, trees=("in one", "in two"))


def changes_result(game: AnyGame, changes: Difference[Position]) -> Result:
    """All changes between two trees as facts, and the largest ones as a table."""
    encode = codec_of(game, bool(game.hidden)).encode
    rows = [
        {
            "position": encode(state),
            "before": changes[state].before._asdict(),
            "after": changes[state].after._asdict(),
        }
        for state in largest(changes, game)
    ]
    found = {"game": game.name, "rules": variant_of(game), **counts_of(changes), "changes": rows}
    if not changes:
        return Result(found, lines=("The trees are equal.",))
    return Result(found, (changes_table(changes, game),))
