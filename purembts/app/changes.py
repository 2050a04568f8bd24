"""Differences of two trees as tables and as JSON, in the words of the game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from purembts.app.kinds import AnyGame, Position
from purembts.app.results import Result, variant_of
from purembts.checks import brief
from purembts.differences import Difference, Parting, difference
from purembts.display import digits_of, number, one_line
from purembts.jsonl import codec_of
from purembts.play import is_alone
from purembts.records import mean
from purembts.tables import Table, rows_table

MOST = 10
"""The most positions in a table."""


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
    digits = digits_of(game.score_range) if game else 4

    def cells(state: Position) -> list[str]:
        player, records = game.to_move(state) if game else 0, changes[state]
        means = [number(mean(each, player), digits) if each.visits else "" for each in records]
        return [*(f"{each.visits:,}" for each in records), *means]

    counts = ", ".join(f"{n:,} {kind}" for kind, n in counts_of(changes).items())
    title = title or f"{game.name if game else 'Trees'}: {counts}"
    heads = ["player", *(f"{kind} {tree}" for kind in ("visits", "mean") for tree in trees)]
    return positions_table(title, heads, largest(changes, game), cells, game)


def positions_table(
    title: str,
    heads: Sequence[str],
    states: Sequence[Position],
    cells: Callable[[Position], Sequence[str]],
    game: AnyGame | None,
) -> Table:
    """The first `MOST` of `states`, each with the number of the player to move and its `cells`.

    A game in which one player moves alone has no such numbers. `heads` are those of all columns
    but the first.
    """
    several = game is not None and not is_alone(game)
    rows = []
    for state in states[:MOST]:
        mover = f"{game.to_move(state) + 1}" if game and several else ""
        rows.append([in_a_line(game, state), mover, *cells(state)])
    notes = [f"and {len(states) - MOST:,} more"] if len(states) > MOST else []
    return rows_table(title, ["position", *heads], rows, words=["position"], notes=notes)


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
