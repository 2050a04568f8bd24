"""The results of the commands as values: objects of JSON, tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import nlargest
from math import isfinite
from operator import attrgetter
from typing import Any

from purembts import report
from purembts.app.estimates import estimate_chart
from purembts.app.kinds import NO_TREE, AnyGame, AnyTree, Position, Words
from purembts.app.results import Result, encoded, facts, value_facts, variant_of
from purembts.app.results import facts as report_facts
from purembts.app.starts import root
from purembts.app.steps import counted
from purembts.app.thinking import Thought
from purembts.bounds import AnyBound
from purembts.curves import PERCENT, Learning, Run, Trials, learning, learnt_values
from purembts.determinize import view_turn
from purembts.display import digits_of, number, span
from purembts.exact import MOST_POSITIONS, solver, uniform
from purembts.game import Game, S, Values, result_of, turn_at
from purembts.games.shut_the_box import Box, Roll, boxes
from purembts.mcts import final_of
from purembts.pictures.charts import Chart, Level, Line
from purembts.play import Standing, is_alone, movers_of
from purembts.records import Record, interval, mean, visits
from purembts.report import Facts, Report, Value, event_text
from purembts.tables import ALWAYS, Column, Table, filled, lines_of, rows_table

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


# A game that is watched


def turn_facts(game: AnyGame, names: Mapping[int, str], n: int, thought: Thought) -> Facts:
    """Turn `n`, from 1, as an object of JSON; docs/play.md lists its fields."""
    turn, known, position = thought.turn, thought.report, encoded(game, thought.turn.state)
    if not turn.moves:
        return {"turn": n, "position": position, "result": list(result_of(game, turn.state))}
    return {
        "turn": n,
        "player": turn.player,
        "strategy": names[turn.player],
        "position": position,
        "event": turn.event,
        "move": game.display.label(turn.state, thought.move),
        "report": facts(known) if known else None,
    }


# What trees have learnt


NAMES = {"learnt": "learnt", "learnt, backed up": "backed up"}
"""The names of the two lines of `curves` for a bound that is called `learnt`."""


def runs_so_far(trials: Trials, seeds: int) -> Iterator[tuple[list[Run], int]]:
    """The runs of `seeds` seeds after each reading, and the number of readings.

    They are the runs that are done, or the first one as far as it goes.
    """
    done, n = list[Run](), len(trials.marks)
    for i in range(seeds):
        run: Run = []
        for reading in trials.readings(i):
            run = [*run, reading]
            yield [*done, run] if len(run) == n else done or [run], i * n + len(run)
        done = [*done, run]


def learning_result(
    game: AnyGame,
    start: Position,
    title: str,
    trials: Trials,
    runs: Sequence[Run],
    dives: Iterable[int],
) -> Result:
    """The values of what trees have learnt; the table has a row for each of `dives`."""
    lines = {NAMES[name]: line for name, line in learning(trials, runs).items()}
    marks = trials.marks[: len(runs[0])]
    facts = {
        **game_facts(game, start),
        "seeds": len(runs),
        "random_play": value_facts(trials.chance),
        "best_play": value_facts(trials.best),
        "curve": [{"dives": mark, **_point(lines, i)} for i, mark in enumerate(marks)],
    }
    shown = [i for i, mark in enumerate(marks) if mark in {*dives}]
    several = "" if len(runs) == 1 else f": {counted(len(runs), 'seed')}"
    table = _table(game, f"{title}{several}", trials, lines, shown)
    if not is_alone(game):
        whose = f"the scores are those of player {game.to_move(start) + 1} against best play"
        table = table._replace(notes=(whose,))
    return Result(facts, (table,), chart=learning_chart(game, title, trials, runs))


def _ends_of(game: AnyGame, trials: Trials) -> dict[str, Fraction]:
    """The exact values of random play and of best play, by their names."""
    return {by_chance(game): trials.chance, "best play": trials.best}


def by_chance(game: AnyGame) -> str:
    """The name of random play. Where others move too, they play best against it."""
    return "random play" if is_alone(game) else "random play against best play"


def _point(lines: Mapping[str, Learning], i: int) -> Facts:
    """The values after a number of dives. JSON has no infinity: one seed has no interval."""
    return {
        name.replace(" ", "_"): {
            "mean": curve.mean[i],
            "interval": [curve.low[i], curve.high[i]] if isfinite(curve.low[i]) else None,
            "quantiles": dict(zip(map(str, PERCENT), quantiles[i], strict=True)),
            "worse": worse[i],
        }
        for name, (curve, quantiles, worse) in lines.items()
    }


def _table(
    game: AnyGame, title: str, trials: Trials, lines: Mapping[str, Learning], shown: Sequence[int]
) -> Table:
    """The values of the trees at the marks `shown`, between those of random and of best play."""
    digits, ends = digits_at(game), _ends_of(game, trials)
    first, last = [(number(value, digits), "", "") for value in ends.values()]
    names = ("random play", *(counted(trials.marks[i], "dive") for i in shown), "best play")
    columns, notes = [Column("tree", names, is_text=True)], _notes(game)
    for name, line in lines.items():
        cells = zip(first, *(_cells(line, i, digits) for i in shown), last, strict=True)
        heads = ((name, ALWAYS), (INTERVAL, 1), (QUANTILES, 0))
        for (head, rank), own in zip(heads, cells, strict=True):
            columns.append(Column(head, own, importance=rank, note=notes.pop(head, "")))
    return Table(title, filled(columns))


INTERVAL, QUANTILES = "95 % interval", f"{PERCENT[0]} to {PERCENT[-1]} %"
"""The headings of the columns that one seed does not have."""


def _notes(game: AnyGame) -> dict[str, str]:
    """The note of the first column with each heading."""
    final = "most visits" if final_of(game) is visits else "best mean"
    return {
        "learnt": f"learnt: the moves with the {final}",
        "backed up": "backed up: the moves with the best mean, "
        "each mean computed from its children",
        INTERVAL: "interval: of the mean over the seeds",
        QUANTILES: f"{QUANTILES}: of the values of the trees, which are exact",
    }


def _cells(line: Learning, i: int, digits: int) -> tuple[str, str, str]:
    """The mean over the seeds, its interval, and the outer quantiles; one seed has a value."""
    curve, quantiles = line.curve, line.quantiles[i]
    ends = (curve.low[i], curve.high[i]), (quantiles[0], quantiles[-1])
    shown = [span(each, digits) for each in ends] if isfinite(curve.low[i]) else ["", ""]
    return number(curve.mean[i], digits), shown[0], shown[1]


def learning_chart(game: AnyGame, title: str, trials: Trials, runs: Sequence[Run]) -> Chart:
    """The exact values against dives, over many seeds with bands between the outer quantiles.

    >>> from purembts.bounds import ucb1
    >>> from purembts.curves import trials_of
    >>> from purembts.games.last_coin import last_coin, pile
    >>> trials = trials_of(last_coin(), (10, 20), {"learnt": ucb1}, seed=7, start=pile(7))
    >>> chart = learning_chart(last_coin(), "Seven coins", trials, [list(trials.readings(0))])
    >>> [line.name for line in chart.lines]
    ['learnt', 'backed up']
    """
    lines, n = list[Line](), len(runs)
    for name, line in learning(trials, runs).items():
        bands = list(zip(*line.quantiles, strict=True)) if n > 1 else [None]
        lines.append(Line(NAMES[name], *line.curve[:2], bands[0], bands[-1]))
    trees = f"the trees of {counted(n, 'seed')} have learnt: the mean, and {QUANTILES} of them"
    title = f"{title}: what {'a tree has learnt' if n == 1 else trees}"
    return curves_chart(title, lines, _ends_of(game, trials))


def curves_chart(title: str, lines: Iterable[Line], ends: Mapping[str, Fraction]) -> Chart:
    """The chart of exact values against dives, with the values of some ways to play as levels."""
    levels = tuple(Level(name, float(value)) for name, value in ends.items())
    return Chart(title, "dives", "exact expected score", tuple(lines), levels, logarithmic=True)


# The best moves of Shut the Box


def card(game: Game[Box, Roll]) -> Table:
    """The best move for every box and roll, and the probability to win before the roll.

    A move is the box that it leaves; an x is for no move.
    """
    if 2 ** (levers := game.rules.levers) > MOST_POSITIONS:
        raise ValueError(f"The table must have at most {MOST_POSITIONS:,} boxes; got 2^{levers}.")
    value, show, every = solver(game), game.display.short or str, boxes(game.rules)
    chances = {box: game.chances(box) for box in every}

    def best(box: Box, roll: Roll) -> str:
        moves = game.moves(box, roll) if roll in chances[box] else ()
        return show(max(moves, key=value)) if moves else "x"

    rolls = sorted({roll for box in every for roll in chances[box] if roll is not None})
    columns = [(str(roll), tuple([best(box, roll) for box in every])) for roll in rolls]
    texts = [("box", tuple(map(show, every))), *columns]
    named = [Column(*column, is_text=True) for column in texts]
    chance = Column("to win", tuple([f"{float(value(box)[0]):.5f}" for box in every]))
    return Table(f"{game.name}: the best moves", (*named, chance), (game.display.about,))


def as_workshop(table: Table) -> str:
    """The headings, and the table of the workshop: boxes with tabs between them."""
    lines = lines_of(table._replace(columns=table.columns[:-1]))
    return "".join("\t".join(line) + "\n" for line in lines)
