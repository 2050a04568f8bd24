"""The results of the commands as values: objects of JSON, tables, charts and lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from purembts import report as reporting
from purembts.app.checkpoints import Checkpoint
from purembts.app.players import LEVELS, tactics_note
from purembts.app.positions import NO_TREE, AnyGame, AnyTree, Json, Position, Words, root
from purembts.bounds import AnyBound
from purembts.curves import learnt_values
from purembts.determinize import view_turn
from purembts.display import digits_of, number, span
from purembts.exact import MOST_POSITIONS, solver, uniform
from purembts.game import Game, S, Values, is_alone, movers_of
from purembts.games.shut_the_box import Box, Roll, boxes
from purembts.mcts import final_of
from purembts.pictures.charts import Chart
from purembts.play import Standing, player_name, whose
from purembts.positions import MOST_EVENTS
from purembts.records import Record, interval, mean
from purembts.report import Facts, Report, Row, Value, event_text, mean_and_interval, most_visited
from purembts.tables import Table, lines_of, rows_table


class Result(NamedTuple):
    """The result of a command: its facts, and the forms in which a person sees them."""

    facts: Facts = {}  # noqa: RUF012 - a NamedTuple
    """The result as an object of JSON; empty if there is none."""
    tables: tuple[Table, ...] = ()
    lines: tuple[str, ...] = ()
    """The text below the tables."""
    chart: Chart | None = None
    above: str = ""
    """The text above the tables."""
    checkpoint: Checkpoint | None = None
    """The tree of a search, which can be saved."""
    files: tuple[tuple[Path, str], ...] = ()
    """The files to write, each with its text."""
    failed: bool = False
    """True if something that was checked is wrong."""


# Facts: objects of JSON


def report_facts(report: Report) -> Facts:
    """The report of a turn as an object of JSON; docs/prompt.md lists its fields."""
    game, turn = report.game, report.turn
    return {
        "game": game.name,
        "rules": variant_of(game),
        "score_range": list(game.score_range),
        "text": game.display.show(turn.state),
        "position": position_facts(game, turn.state),
        "event": turn.event if isinstance(turn.event, int | str) else event_text(report) or None,
        "player": turn.player,
        "scores": json_value(report.record.scores),
        "visits": report.record.visits,
        "mean": json_value(report.mean),
        "interval": json_value(report.interval),
        "bound": report.bound if any(row.visits for row in report.rows) else None,
        "moves": [_row_facts(game, row) for row in report.rows],
    }


def _row_facts(game: AnyGame, row: Row) -> Facts:
    """A move of a report."""
    return {
        "label": row.label,
        "position": position_facts(game, row.move),
        "visits": row.visits,
        "mean": json_value(row.mean),
        "interval": json_value(row.interval),
        "bound": json_value(row.bound),
        "exploit": json_value(row.exploit),
        "explore": json_value(row.bound - row.exploit),
        "learnt": row.learnt,
        "exact": value_facts(row.exact),
        "best": row.best,
    }


def json_value(x: float | tuple[Any, ...] | None) -> Json:
    """A number or a tuple of numbers as JSON; None for infinity, which JSON does not have."""
    if isinstance(x, tuple):
        return list(map(json_value, x))
    if x is None or not isfinite(x):
        return None
    return x if isinstance(x, int) else float(x)


def value_facts(value: Fraction | None) -> Json:
    """An exact value as a float and as a fraction; None if it is unknown."""
    return None if value is None else {"value": float(value), "exactly": str(value)}


def values_facts(values: Mapping[str, Values | None]) -> Facts:
    """The exact values of some ways to play, for each player; None where they are unknown."""
    return {play: scores and list(map(value_facts, scores)) for play, scores in values.items()}


def variant_of(game: AnyGame) -> Json:
    """The variant as an object of JSON; None if the game has no variants."""
    return game.rules._asdict() if hasattr(game.rules, "_asdict") else game.rules


def position_facts(game: AnyGame, state: Position) -> Json:
    """The JSON value of a position; None for a view, and for a game that has no JSON."""
    return game.json.encode(state) if game.json and not game.hidden else None


def game_facts(game: AnyGame, start: S) -> Facts:
    """The name of the game, its rules, and the position where it begins."""
    position = game.json.encode(start) if game.json else None
    return {"game": game.name, "rules": variant_of(game), "position": position}


def record_facts(game: AnyGame, record: Record) -> Facts:
    """A record, and if it has visits, the mean and the 95 % interval of each player."""
    players = range(game.players) if record.visits else ()
    spans = (interval(record, player, score_range=game.score_range) for player in players)
    return {
        "visits": record.visits,
        "scores": list(record.scores),
        "means": [mean(record, player) for player in players],
        "intervals": [list(ends) for ends in spans],
    }


# Texts


def game_title(game: AnyGame, start: S, variant: str = "") -> str:
    """The name of the game, where it begins, and its variant, in a line."""
    place = "a position"
    if start == game.start:
        place = "the start"
    elif game.deal:
        place = "a deal"
    elif game.display.short:
        place = " ".join(game.display.short(start).split()) or "the end"
    return f"{game.name} from {place}{variant and f' ({variant})'}"


def digits_at(game: AnyGame) -> int:
    """The digits after the point of a mean score, one more than usual."""
    return 1 + digits_of(game.score_range)


def mean_cells(game: AnyGame, record: Record, player: int) -> tuple[str, str]:
    """The mean of a player and its interval, blank without visits."""
    digits, (average, ends) = digits_at(game), mean_and_interval(game, record, player)
    return number(average, digits), span(ends, digits)


def player_numbers(game: AnyGame) -> dict[int, str]:
    """The players who ever move, each with a number from 1; "" for one who moves alone."""
    return {player: "" if is_alone(game) else f"{player + 1}" for player in movers_of(game)}


# A search, and a solution

_MANY, _FEW = 40, 20
"""More moves than `_MANY` are too many to read: then the table has `_FEW` of them."""


def search_result(
    game: AnyGame, start: S, title: str, tree: AnyTree, bound: AnyBound, value: Value | None
) -> Result:
    """The records of `tree` at `start` and after it; an empty result without a record of `start`.

    `value` gives the exact values, if the game is small. Then the learnt moves and random moves
    have exact values too.
    """
    record, player = tree.get(root(game, start)), game.to_move(start)
    if record is None:
        return Result()
    values, final = dict[str, Values](), final_of(game)
    if value:
        values["learnt"] = learnt_values(game, tree, start, final=final)
        values["random_play"] = solver(game, policy=uniform)(start)
        values["best_play"] = value(start)
    learnt = "learnt: the exact score with the moves that the records play"
    learnt += "" if is_alone(game) else "; the others play best against them"
    exact = [number(scores[player], digits_at(game)) for scores in values.values()]
    table = rows_table(
        f"{title}: search{whose(game, player, ', the score of')}",
        ["dives", "mean", "95 % interval", *(play.replace("_", " ") for play in values)],
        [[f"{record.visits:,}", *mean_cells(game, record, player), *exact]],
        least=["random play", "95 % interval", "learnt"],
        about={"learnt": learnt},
    )
    facts = {**record_facts(game, record), "positions": len(tree), **values_facts(values)}
    options: Words = {"bound": bound, "value": value, "final": final}
    return _turns_result(game, start, facts, table, _moves_table, tree, **options)


def solution_result(game: AnyGame, start: S, title: str) -> Result:
    """The exact values at `start` of best play and of random play, and the best moves."""
    value = solver(game)
    values = {"best_play": value(start), "random_play": solver(game, policy=uniform)(start)}
    rows = [
        [play.replace("_", " "), name, number(scores[i], 7), str(scores[i])]
        for play, scores in values.items()
        for i, name in player_numbers(game).items()
    ]
    heads = ["way to play", "player", "expected score", "exactly"]
    table = rows_table(title, heads, rows, words=heads[:1], least=["exactly"])
    return _turns_result(game, start, values_facts(values), table, _best_moves_table, value=value)


def _turns_result(
    game: AnyGame,
    start: S,
    facts: Facts,
    table: Table,
    moves_table: Callable[[Sequence[Report]], Table],
    tree: AnyTree = NO_TREE,
    **options: Any,
) -> Result:
    """The result with `facts` and `table`, and with the reports of the turns at `start`.

    In a game with hidden information, the player to move sees the turns as views. The position is
    drawn above the tables if the title has no text for it. `options` are those of a report. Turns
    after more than `MOST_EVENTS` events are left out. The end of a game has its result.
    """
    if game.hidden:
        views = [view_turn(game, turn) for turn in reporting.turns_at(game, start)]
        reports = tuple(reporting.report(game, view, tree, **options) for view in views)
    else:
        is_looked_at = len(game.chances(start)) <= MOST_EVENTS
        reports = reporting.reports(game, start, tree, **options) if is_looked_at else ()
    facts = {**game_facts(game, start), **facts, "turns": list(map(report_facts, reports))}
    has_text = not game.hidden and (start == game.start or game.display.short)
    result = Result(facts, (table,), above="" if has_text else game.display.show(root(game, start)))
    if any(report.rows for report in reports):
        return result._replace(tables=(table, moves_table(reports)))
    if not reports:
        return result
    scores = json_value(game.result(start))
    words = f"The game has ended at this position; its result is {tuple(scores)}."
    return result._replace(facts={**facts, "result": scores}, lines=(words,))


def _moves_table(reports: Sequence[Report]) -> Table:
    """The moves of all events; of many moves, those with the most visits."""
    parts, more = list[Report](), 0
    for report in reports:
        is_long = len(report.rows) > _MANY
        rows = tuple(most_visited(report.rows, _FEW)) if is_long else report.rows
        parts.append(report._replace(rows=rows))
        more += len(report.rows) - len(rows)
    table = reporting.table(parts)
    note = f"The {_FEW} most visited moves; {more:,} are left out (--json has all)."
    return table._replace(notes=(*table.notes, note)) if more else table


def _best_moves_table(reports: Sequence[Report]) -> Table:
    """The best moves after each event; the events without a move have a row too."""
    rows, begins = list[list[str]](), list[int]()
    for report in reports:
        begins.append(len(rows))
        best = [row for row in report.rows if row.best]
        moves = [[row.label, row.left, number(row.exact, 5)] for row in best]
        first, *rest = moves or [["no move", "", ""]]
        rows.append([event_text(report), str(len(report.rows)), *first])
        rows += [["", "", *cells] for cells in rest]
    heads, words = ["event", "moves", "best", "after", "exact"], ["event", "best", "after"]
    title = f"The best moves of {player_name(reports[0].turn.player)}"
    table = rows_table(title, heads, rows, words=words, least=["after", "moves"])
    return table._replace(groups=tuple(begins) if len(begins) < len(rows) else ())


# A match

_OVERLAP = "The intervals of {} and {} overlap: more games (--games) may tell who is better."


def standings_result(
    game: AnyGame, variant: str, players: Sequence[str], standings: Sequence[Standing], least: int
) -> Result:
    """The standings of the strategies with the names `players`, after at least `least` games."""
    alone, digits = is_alone(game), digits_at(game)
    pairs = list(zip(players, standings, strict=True))
    order = sorted(pairs, key=lambda pair: -pair[1].mean)
    rows = []
    for player, (*counts, average, ends) in order:
        n, *won = [f"{count:,}" for count in counts]
        won = ["", "", ""] if alone else won  # no game is won that a strategy plays alone
        rows.append([player, n, *won, number(average, digits), span(ends, digits)])
    games = sum(standing.games for standing in standings)
    games //= len(players) if alone else game.players
    notes = ["Each player played alone."] if alone else []
    (best, first), (other, second) = order[0], order[min(1, len(order) - 1)]
    if best != other and first.interval[0] < second.interval[1]:
        notes.append(_OVERLAP.format(best, other))
    if (note := tactics_note(game)) and {*players} & {*LEVELS}:
        notes.append(f"The levels play{note[1:]} here: these were made for other functions.")
    if games > least:
        notes.append(f"{games:,} games were played, so that every seating has equally many.")
    title = f"{game.name}{variant and f' ({variant})'}: the standings"
    heads = ["player", "games", "won", "drawn", "lost", "mean", "95 % interval"]
    ranks = ["drawn", "lost", "won", "games", "95 % interval"]
    table = rows_table(title, heads, rows, words=["player"], notes=notes, least=ranks)
    facts = [{"player": player, **standing._asdict()} for player, standing in pairs]
    return Result({"game": game.name, "rules": variant_of(game), "standings": facts}, (table,))


# The best moves of Shut the Box


def card(game: Game[Box, Roll]) -> Table:
    """The best move for every box and roll; the last column is the value of the box before a roll.

    A move is the box that it leaves; an x is for no move.
    """
    if 2 ** (levers := game.rules.levers) > MOST_POSITIONS:
        raise ValueError(f"The table must have at most {MOST_POSITIONS:,} boxes; got 2^{levers}.")
    value, show = solver(game), game.display.short or str

    def best(box: Box, roll: Roll) -> str:
        moves = game.moves(box, roll) if roll in game.chances(box) else ()
        return show(max(moves, key=value)) if moves else "x"

    rolls = sorted({roll for box in boxes(levers) for roll in game.chances(box) if roll})
    rows = [
        [show(box), *(best(box, roll) for roll in rolls), number(value(box)[0], digits_at(game))]
        for box in boxes(levers)
    ]
    words, title = ["box", *map(str, rolls)], f"{game.name}: the best moves"
    worth = "to win" if game.score_range == (0, 1) else "score"
    return rows_table(title, [*words, worth], rows, words=words, notes=[game.display.about])


def as_workshop(table: Table) -> str:
    """The table as a text of the workshop: lines of boxes with tabs between them."""
    lines = lines_of(table._replace(columns=table.columns[:-1]))
    return "".join("\t".join(line) + "\n" for line in lines)
