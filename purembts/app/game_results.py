"""The results of the commands as values: objects of JSON, tables and charts. None knows a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from purembts import report
from purembts.app.estimates import estimate_chart
from purembts.app.kinds import AnyGame, AnyTree, Position
from purembts.app.lesson_results import lesson_chart, reading_facts, readings_table, settling_facts
from purembts.app.lessons import (
    Lesson,
    LessonRow,
    final_of,
    root,
    values_of,
)
from purembts.app.results import Result, facts, ranked, value_facts, variant_of
from purembts.app.sitting import movers_of
from purembts.app.thinking import certain_worths
from purembts.bounds import AnyBound
from purembts.determinize import view_turn
from purembts.display import digits_of, number, span
from purembts.game import S, Values, turn_at
from purembts.play import Standing, is_alone
from purembts.records import Record, as_tree, interval, mean, visits
from purembts.report import Facts, Report, Row, Value, event_text
from purembts.tables import Table, filled, rows_table

MANY, SHOWN = 40, 20
"""More moves than `MANY` are too many to read; then `SHOWN` moves are shown."""
DIGITS = 5
"""The digits after the point of a score from 0 to 1."""


# Games


def described(game: AnyGame, start: S, variant: str = "") -> str:
    """The name of the game, where it begins, and its variant, in a line."""
    short = game.display.short
    place = f"from {' '.join(short(start).split()) or 'the end'}" if short else "from a position"
    begin = "from the start" if start == game.start else "from a deal" if game.deal else place
    return f"{game.name} {begin}{variant and f' ({variant})'}"


def _game_facts(game: AnyGame, start: S) -> Facts:
    """The name of the game, its rules, and the position where it begins."""
    encoded = game.json.encode(start) if game.json else None
    return {"game": game.name, "rules": variant_of(game), "position": encoded}


def record_facts(game: AnyGame, record: Record) -> Facts:
    """A record; and for each player, the mean and its 95 % interval, which need visits."""
    players = range(game.players) if record.visits else ()
    spans = (interval(record, player, score_range=game.score_range) for player in players)
    return {
        "visits": record.visits,
        "scores": list(record.scores),
        "means": [mean(record, player) for player in players],
        "intervals": [list(each) for each in spans],
    }


def _values_facts(values: Values | None) -> list[Facts] | None:
    """The exact value for each player; None if they are unknown."""
    return None if values is None else [value_facts(value) for value in values]


def _digits(game: AnyGame) -> int:
    return 1 + digits_of(game.score_range)


def _seen(game: AnyGame, record: Record, player: int) -> tuple[str, str]:
    """The mean of a player and its interval, blank without visits."""
    if not record.visits:
        return "", ""
    digits, ends = _digits(game), interval(record, player, score_range=game.score_range)
    return number(mean(record, player), digits), span(ends, digits)


# Random games


def simulation_result(
    game: AnyGame, start: S, title: str, records: Sequence[Record], exact: Values | None
) -> Result:
    """More and more random games, and the exact values of random play where they are known."""
    player, last = game.to_move(start), records[-1]
    chart = estimate_chart(
        records,
        None if exact is None else float(exact[player]),
        quantity=f"mean score of player {player + 1} with random moves",
        unit="games",
        player=player,
        score_range=game.score_range,
    )
    chart = chart._replace(title=f"{title}: {chart.title}")
    table = _simulation_table(game, title, last, exact)
    return Result(_simulation_facts(game, start, last, exact), (table,), chart=chart)


def _simulation_facts(game: AnyGame, start: S, record: Record, exact: Values | None) -> Facts:
    """The record of random games, and the exact values of random play where they are known."""
    known = {"random_play": _values_facts(exact)}
    return {**_game_facts(game, start), **record_facts(game, record), **known}


def _simulation_table(game: AnyGame, title: str, record: Record, exact: Values | None) -> Table:
    """The mean score of each player in random games, beside the exact value where it is known."""
    rows = []
    for player in movers_of(game):
        value = "" if exact is None else number(exact[player], _digits(game))
        games = f"{record.visits:,}"
        rows.append([f"{player + 1}", games, *_seen(game, record, player), value])
    heads = ["player", "games", "mean", "95 % interval", "exact"]
    table = rows_table(f"{title}: random games", heads, rows)
    table = table._replace(columns=filled(table.columns))
    table = _without(table, "player") if len(rows) == 1 else table
    return ranked(table, "games", "95 % interval")


def _without(table: Table, heading: str) -> Table:
    """`table` without the column with this heading."""
    columns = tuple(column for column in table.columns if column.heading != heading)
    return table._replace(columns=columns)


# A search


def search_result(
    game: AnyGame,
    start: S,
    title: str,
    tree: AnyTree,
    *,
    bound: AnyBound,
    value: Value | None,
) -> Result | None:
    """The knowledge of `tree` about `start`; None if it has no record of it.

    `value` gives the exact values, if the game is small. Then the moves that the records play, and
    random moves, have exact values too.
    """
    player = game.to_move(start)
    seen = root(game, start)
    record = tree.get(seen)
    if record is None:
        return None
    final = final_of(game)
    worths = certain_worths(game, tree, start)
    about: Any = {"bound": bound, "value": value, "final": final, "certain": worths}
    known = _known_turns(game, start, tree, **about)
    values = values_of(game, start, tree) if value else {}
    tables = _search_tables(game, title, player, record, known, values)
    facts = _search_facts(game, start, tree, record, known, values)
    return Result(facts, tables, above=_drawn(game, start, seen))


def _drawn(game: AnyGame, start: S, seen: Position) -> str:
    """The text of `seen`, which a player sees at `start`; "" if the title says as much."""
    says_it = start == game.start or game.display.short
    return "" if says_it and not game.hidden else game.display.show(seen)


def _search_facts(
    game: AnyGame,
    start: S,
    tree: AnyTree,
    record: Record,
    known: Sequence[Report],
    values: Mapping[str, Values],
) -> Facts:
    """The record of the position, the exact values that are known, and the reports of its turns."""
    return {
        **_game_facts(game, start),
        **record_facts(game, record),
        "positions": len(tree),
        **{name: _values_facts(value) for name, value in values.items()},
        "turns": [facts(each) for each in known],
    }


def _search_tables(
    game: AnyGame,
    title: str,
    player: int,
    record: Record,
    known: Sequence[Report],
    values: Mapping[str, Values],
) -> tuple[Table, ...]:
    """The dives of a search with the exact values that are known, and the moves of all events."""
    digits = _digits(game)
    exact = {
        name.replace("_", " "): number(value[player], digits)
        for name, value in values.items()
        if value
    }
    row = [f"{record.visits:,}", *_seen(game, record, player), *exact.values()]
    meaning = "learnt: the exact score with the moves that the records play"
    notes = [meaning] if "learnt" in exact else []
    if notes and len(movers_of(game)) > 1:
        notes[0] += "; the others play best against them"
    heads = ["dives", "mean", "95 % interval", *exact]
    who = f", the score of player {player + 1}" if len(movers_of(game)) > 1 else ""
    table = rows_table(f"{title}: search{who}", heads, [row])
    table = ranked(table, "random play", "95 % interval", "learnt", learnt="".join(notes))
    return (table, _moves_table(known)) if any(each.rows for each in known) else (table,)


def _moves_table(known: Sequence[Report]) -> Table:
    """The moves of all events; of many moves, those with the most visits."""
    shown = [
        each._replace(rows=tuple(sorted(each.rows, key=_visits, reverse=True)[:SHOWN]))
        if len(each.rows) > MANY
        else each
        for each in known
    ]
    table = report.table(shown)
    more = sum(len(each.rows) for each in known) - sum(len(each.rows) for each in shown)
    note = f"The {SHOWN} most visited moves; {more:,} are left out (--json has all)."
    return table._replace(notes=(*table.notes, note)) if more else table


def _visits(row: Row) -> int:
    return row.visits


def _known_turns(game: AnyGame, start: S, tree: AnyTree, **options: Any) -> tuple[Report, ...]:
    """The reports of the turns at `start`, behind the view of the player to move if it has one."""
    if not game.hidden:
        return report.reports(game, start, tree, **options)
    turns = (turn_at(game, start, event) for event in dict.fromkeys(game.chances(start)))
    return tuple(report.report(game, view_turn(game, turn), tree, **options) for turn in turns)


# A solution


def solution_result(game: AnyGame, start: S, title: str, value: Value, by_chance: Value) -> Result:
    """The exact values at `start` of best play and of random play, and the best moves.

    `value` gives the values of best play, and `by_chance` those of random play.
    """
    values = {"best_play": value(start), "random_play": by_chance(start)}
    known = _known_turns(game, start, as_tree({}), value=value)
    tables = _solution_tables(game, title, known, values)
    above = _drawn(game, start, start)
    return Result(_solution_facts(game, start, known, values), tables, above=above)


def _solution_facts(
    game: AnyGame, start: S, known: Sequence[Report], values: Mapping[str, Values]
) -> Facts:
    """The exact values of best and of random play, and the reports of all turns."""
    exact = {name: _values_facts(value) for name, value in values.items()}
    return {**_game_facts(game, start), **exact, "turns": [facts(each) for each in known]}


def _solution_tables(
    game: AnyGame, title: str, known: Sequence[Report], values: Mapping[str, Values]
) -> tuple[Table, ...]:
    """The exact values of best and of random play, and the best moves after each event."""
    rows = [
        [name.replace("_", " "), f"{player + 1}", number(value[player], 7), str(value[player])]
        for name, value in values.items()
        for player in movers_of(game)
    ]
    heads = ["way to play", "player", "expected score", "exactly"]
    table = rows_table(title, heads, rows, words=["way to play"])
    table = ranked(table, "exactly")
    if len(movers_of(game)) == 1:
        table = _without(table, "player")
    return (table, _best_moves(known)) if any(each.rows for each in known) else (table,)


def _best_moves(known: Sequence[Report]) -> Table:
    """The best moves after each event; the events without a move have a row too."""
    rows: list[list[str]] = []
    begins = []
    for each in known:
        begins.append(len(rows))
        best = [row for row in each.rows if row.best]
        for i, row in enumerate(best):
            event, moves = ("", "") if i else (event_text(each), str(len(each.rows)))
            rows.append([event, moves, row.label, row.left, number(row.exact, DIGITS)])
        if not best:
            rows.append([event_text(each), "0", "no move", "", ""])
    heads = ["event", "moves", "best", "after", "exact"]
    words = ["event", "best", "after"]
    player = known[0].turn.player + 1
    table = rows_table(f"The best moves of player {player}", heads, rows, words=words)
    groups = tuple(begins) if len(begins) < len(rows) else ()
    table = table._replace(columns=filled(table.columns), groups=groups)
    return ranked(table, "after", "moves")


# A lesson


def lesson_result(game: AnyGame, start: S, title: str, lesson: Lesson) -> Result:
    """The rows of a lesson, the readings of its trees, and its curve as a chart."""
    tables = [_lesson_table(game, start, title, lesson.rows)]
    if lesson.curve:
        final = "most visits" if final_of(game) is visits else "best mean"
        about: Any = {"digits": _digits(game), "final": final}
        tables.append(readings_table(title, lesson.rows, **about))
    chart = lesson_chart(title, lesson) if lesson.curve else None
    return Result(_lesson_facts(game, start, lesson), tuple(tables), chart=chart)


def _lesson_facts(game: AnyGame, start: S, lesson: Lesson) -> Facts:
    """The rows of a lesson, and its curve."""
    rows = [
        {"play": row.play, **record_facts(game, row.record), "exact": value_facts(row.exact)}
        for row in lesson.rows
    ]
    curves = {
        "curve": list(map(reading_facts, lesson.curve)),
        "settle": list(map(settling_facts, lesson.settling)),
    }
    return {**_game_facts(game, start), "rows": rows, **curves}


def _lesson_table(game: AnyGame, start: S, title: str, rows: Iterable[LessonRow]) -> Table:
    """The ways to play, each with its games or dives and with its exact value."""
    player = game.to_move(start)
    others = "" if len(movers_of(game)) == 1 else ", and the others play best against it"
    table = rows_table(
        title if len(movers_of(game)) == 1 else f"{title}: the score of player {player + 1}",
        ["way to play", "mean", "95 % interval", "exact"],
        [
            [row.play, *_seen(game, row.record, player), number(row.exact, _digits(game))]
            for row in rows
        ],
        words=["way to play"],
    )
    counted = "interval: it counts dives as independent, but they learn from one another"
    notes = {
        "mean": "mean: of the random games, or of the dives",
        "95 % interval": counted,
        "exact": f"exact: the expected score; for UCT, with what the tree has learnt{others}",
    }
    table = table._replace(notes=(HELP,) if may_help(game) else ())
    return ranked(table, "95 % interval", "mean", **notes)


HELP = (
    "A tree can be worth more than best play: the others play best for themselves, and this may "
    "help the player who begins."
)


def may_help(game: AnyGame) -> bool:
    """True if a score that is best for the other players may be good for a player too.

    It cannot if one player moves alone, or if the scores of two players have a constant sum.
    """
    is_duel = game.players == 2 and game.score_sum is not None
    return len(movers_of(game)) > 1 and not is_duel


# A match


def standings_result(
    game: AnyGame,
    variant: str,
    players: Sequence[str],
    standings: Sequence[Standing],
    asked: int,
) -> Result:
    """The standings of the strategies with the names `players`, after at least `asked` games."""
    title = f"{game.name}{variant and f' ({variant})'}: the standings"
    table = _standings_table(game, title, players, standings)
    seats = len(players) if is_alone(game) else game.players
    played = sum(each.games for each in standings) // seats
    if played > asked:
        more = f"{played:,} games were played, so that every seating has equally many."
        table = table._replace(notes=(*table.notes, more))
    return Result(_standings_facts(game, players, standings), (table,))


def _standings_facts(game: AnyGame, players: Sequence[str], standings: Sequence[Standing]) -> Facts:
    """The standings of the strategies with the names `players`."""
    rows = [
        {"player": name, **standing._asdict()}
        for name, standing in zip(players, standings, strict=True)
    ]
    return {"game": game.name, "rules": variant_of(game), "standings": rows}


def _standings_table(
    game: AnyGame, title: str, players: Sequence[str], standings: Sequence[Standing]
) -> Table:
    """The standings of the strategies with the names `players`, in the order of their means."""
    digits, is_alone = _digits(game), len(movers_of(game)) == 1
    order = sorted(zip(players, standings, strict=True), key=lambda pair: -pair[1].mean)
    rows = [
        [
            *(name, f"{each.games:,}"),
            *([] if is_alone else [f"{n:,}" for n in each[1:4]]),
            *(number(each.mean, digits), span(each.interval, digits)),
        ]
        for name, each in order
    ]
    results = [] if is_alone else ["won", "drawn", "lost"]
    heads = ["player", "games", *results, "mean", "95 % interval"]
    notes = ["Each player played alone."] if is_alone else []
    if len(order) > 1 and order[0][1].interval[0] < order[1][1].interval[1]:
        names = " and ".join(name for name, _ in order[:2])
        notes.append(
            f"The intervals of {names} overlap: more games (--games) may tell who is better."
        )
    table = rows_table(title, heads, rows, words=["player"], notes=notes)
    return ranked(table, "drawn", "lost", "won", "games", "95 % interval")
