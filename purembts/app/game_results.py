"""The results of the commands as values: objects of JSON, tables and charts. None knows a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from heapq import nlargest
from operator import attrgetter
from typing import Any

from purembts import report
from purembts.app.estimates import estimate_chart
from purembts.app.kinds import NO_TREE, AnyGame, AnyTree, Words
from purembts.app.results import Result, value_facts, variant_of
from purembts.app.results import facts as report_facts
from purembts.app.starts import root
from purembts.bounds import AnyBound
from purembts.curves import learnt_values
from purembts.determinize import view_turn
from purembts.display import digits_of, number, span
from purembts.exact import solver, uniform
from purembts.game import S, Values, turn_at
from purembts.mcts import final_of
from purembts.play import Standing, is_alone, movers_of
from purembts.records import Record, interval, mean
from purembts.report import Facts, Report, Value, event_text
from purembts.tables import Table, rows_table

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


def game_facts(game: AnyGame, start: S) -> Facts:
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


def _exact_facts(values: Mapping[str, Values | None]) -> Facts:
    """Exact values by their names, for each player; None where they are unknown."""
    return {name: value and list(map(value_facts, value)) for name, value in values.items()}


def digits_at(game: AnyGame) -> int:
    """The digits after the point of a mean score, one more than usual."""
    return 1 + digits_of(game.score_range)


def seen(game: AnyGame, record: Record, player: int) -> tuple[str, str]:
    """The mean of a player and its interval, blank without visits."""
    digits, (average, ends) = digits_at(game), report.mean_and_interval(game, record, player)
    return number(average, digits), span(ends, digits)


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
    rows = [
        [name, f"{last.visits:,}", *seen(game, last, each), number(known, digits_at(game))]
        for each, name in _movers(game).items()
        for known in [exact[each] if exact else None]
    ]
    heads, least = ["player", "games", "mean", "95 % interval", "exact"], ["games", "95 % interval"]
    table = rows_table(f"{title}: random games", heads, rows, least=least)
    found = {**record_facts(game, last), **_exact_facts({"random_play": exact})}
    chart = chart._replace(title=f"{title}: {chart.title}")
    return Result({**game_facts(game, start), **found}, (table,), chart=chart)


def _movers(game: AnyGame) -> dict[int, str]:
    """The players who ever move with their numbers, from 1; one who moves alone has no number."""
    return {each: "" if is_alone(game) else f"{each + 1}" for each in movers_of(game)}


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
    record, player = tree.get(root(game, start)), game.to_move(start)
    if record is None:
        return None
    values = _values_of(game, start, tree, value) if value else {}
    learnt = "learnt: the exact score with the moves that the records play"
    learnt += "" if is_alone(game) else "; the others play best against them"
    exact = [number(each[player], digits_at(game)) for each in values.values()]
    table = rows_table(
        f"{title}: search{'' if is_alone(game) else f', the score of player {player + 1}'}",
        ["dives", "mean", "95 % interval", *(name.replace("_", " ") for name in values)],
        [[f"{record.visits:,}", *seen(game, record, player), *exact]],
        least=["random play", "95 % interval", "learnt"],
        about={"learnt": learnt},
    )
    found = {**record_facts(game, record), "positions": len(tree), **_exact_facts(values)}
    about: Words = {"bound": bound, "value": value, "final": final_of(game)}
    return _turns_result(game, start, found, table, tree, _moves_table, **about)


def _values_of(game: AnyGame, start: S, tree: AnyTree, value: Value) -> dict[str, Values]:
    """The exact values of what `tree` has learnt, of random play and of best play."""
    return {
        "learnt": learnt_values(game, tree, start, final=final_of(game)),
        "random_play": solver(game, policy=uniform)(start),
        "best_play": value(start),
    }


def _turns_result(
    game: AnyGame,
    start: S,
    found: Facts,
    table: Table,
    tree: AnyTree,
    moves_table: Callable[[Sequence[Report]], Table],
    **about: Any,
) -> Result:
    """The result of the facts `found`, and of the reports of the turns at `start`.

    Behind a view, it is that of the player to move. The position is drawn if no title says as much.
    """
    if game.hidden:
        turns = (turn_at(game, start, event) for event in dict.fromkeys(game.chances(start)))
        known = tuple(report.report(game, view_turn(game, turn), tree, **about) for turn in turns)
    else:
        known = report.reports(game, start, tree, **about)
    tables = (table, moves_table(known)) if any(each.rows for each in known) else (table,)
    facts = {**game_facts(game, start), **found, "turns": list(map(report_facts, known))}
    is_shown = game.hidden or not (start == game.start or game.display.short)
    return Result(facts, tables, above=game.display.show(root(game, start)) if is_shown else "")


def _moves_table(known: Sequence[Report]) -> Table:
    """The moves of all events; of many moves, those with the most visits."""
    shown = [
        each._replace(rows=tuple(nlargest(SHOWN, each.rows, key=attrgetter("visits"))))
        if len(each.rows) > MANY
        else each
        for each in known
    ]
    table = report.table(shown)
    more = sum(len(each.rows) for each in known) - sum(len(each.rows) for each in shown)
    note = f"The {SHOWN} most visited moves; {more:,} are left out (--json has all)."
    return table._replace(notes=(*table.notes, note)) if more else table


# A solution


def solution_result(game: AnyGame, start: S, title: str, value: Value, by_chance: Value) -> Result:
    """The exact values at `start` of best play and of random play, and the best moves.

    `value` gives the values of best play, and `by_chance` those of random play.
    """
    values = {"best_play": value(start), "random_play": by_chance(start)}
    found, table = _exact_facts(values), _values_table(game, title, values)
    return _turns_result(game, start, found, table, NO_TREE, _best_moves, value=value)


def _values_table(game: AnyGame, title: str, values: Mapping[str, Values]) -> Table:
    """The exact values of best and of random play."""
    rows = [
        [play.replace("_", " "), name, number(value[player], 7), str(value[player])]
        for play, value in values.items()
        for player, name in _movers(game).items()
    ]
    heads = ["way to play", "player", "expected score", "exactly"]
    return rows_table(title, heads, rows, words=heads[:1], least=["exactly"])


def _best_moves(known: Sequence[Report]) -> Table:
    """The best moves after each event; the events without a move have a row too."""
    rows, begins = list[list[str]](), list[int]()
    for each in known:
        begins.append(len(rows))
        cells = [[row.label, row.left, number(row.exact, DIGITS)] for row in each.rows if row.best]
        first, *rest = cells or [["no move", "", ""]]
        rows += [[event_text(each), str(len(each.rows)), *first], *(["", "", *row] for row in rest)]
    heads, title = ["event", "moves", "best", "after", "exact"], "The best moves of player"
    title, words = f"{title} {known[0].turn.player + 1}", ["event", "best", "after"]
    table = rows_table(title, heads, rows, words=words, least=["after", "moves"])
    return table._replace(groups=tuple(begins) if len(begins) < len(rows) else ())


# A match

OVERLAP = "The intervals of {} and {} overlap: more games (--games) may tell who is better."


def standings_result(
    game: AnyGame,
    variant: str,
    players: Sequence[str],
    standings: Sequence[Standing],
    asked: int,
) -> Result:
    """The standings of the strategies with the names `players`, after at least `asked` games."""
    alone, digits = is_alone(game), digits_at(game)
    pairs = list(zip(players, standings, strict=True))
    order = sorted(pairs, key=lambda pair: -pair[1].mean)
    rows = []
    for name, each in order:
        # No game is won that a strategy plays alone.
        won = ["", "", ""] if alone else [f"{n:,}" for n in each[1:4]]
        ends = span(each.interval, digits)
        rows.append([name, f"{each.games:,}", *won, number(each.mean, digits), ends])
    played = sum(each.games for each in standings) // (len(players) if alone else game.players)
    notes = ["Each player played alone."] if alone else []
    (best, first), (other, second) = order[0], order[min(1, len(order) - 1)]
    if best != other and first.interval[0] < second.interval[1]:
        notes.append(OVERLAP.format(best, other))
    if played > asked:
        notes.append(f"{played:,} games were played, so that every seating has equally many.")
    title = f"{game.name}{variant and f' ({variant})'}: the standings"
    heads = ["player", "games", "won", "drawn", "lost", "mean", "95 % interval"]
    least = ["drawn", "lost", "won", "games", "95 % interval"]
    table = rows_table(title, heads, rows, words=["player"], notes=notes, least=least)
    found = [{"player": name, **standing._asdict()} for name, standing in pairs]
    return Result({"game": game.name, "rules": variant_of(game), "standings": found}, (table,))
