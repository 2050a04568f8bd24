"""The facts of each command as tables for a person."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from rich.table import Table

from purembts.best_moves import describe_rules
from purembts.games.shut_the_box import USUAL, Box, Rules, box_to_str, full_box
from purembts.shell.facts import Facts, record_facts
from purembts.shell.progress import counted
from purembts.shell.steps import LessonRow
from purembts.workshop import start_box


def learn_table(rows: Iterable[LessonRow], box: Box = start_box, *, rules: Rules = USUAL) -> Table:
    """The rows of `learn`."""
    table = _table(
        f"Shut the Box: probability to win from {_start(box, rules)}",
        ["way to play", "share won", "95 % interval", "exact"],
        caption="share won: of the random games, or of the dives\n"
        "interval: it counts dives as independent, but they learn from one another\n"
        "exact: the probability to win; for UCT, with what the tree has learnt",
    )
    for row in rows:
        table.add_row(row.play, *_mean_cells(record_facts(row.record)), f"{float(row.exact):.5f}")
    return table


def simulate_table(facts: Facts, box: Box, *, rules: Rules = USUAL) -> Table:
    """The games of `simulate`, and the exact probability to win one."""
    table = _table(
        f"Shut the Box: random games from {_start(box, rules)}",
        ["games", "won", "share won", "95 % interval", "exact"],
    )
    exactly = f"{facts['random_play']['probability']:.5f}"
    table.add_row(*_record_cells(facts["seen"]), exactly)
    return table


def search_tables(facts: Facts, box: Box, *, rules: Rules = USUAL) -> Iterator[Table]:
    """The dives of `search` and what they have learnt; then the moves of every roll."""
    table = _table(
        f"Shut the Box: UCT from {_start(box, rules)}",
        ["dives", "won", "share won", "95 % interval", "learnt", "best play"],
        caption="learnt: the exact probability to win with the moves of the highest\n"
        "mean in the tree; best play: with the best moves",
    )
    values = (f"{facts[key]['probability']:.5f}" for key in ("learnt", "best_play"))
    table.add_row(*_record_cells(facts["seen"]), *values)
    yield table
    if box:
        yield _moves_table(facts, rules)


def _moves_table(facts: Facts, rules: Rules) -> Table:
    table = _table(
        "The moves in the tree",
        ["roll", "shut", "box left", "visits", "mean", "95 % interval", "bound", "exact", ""],
        caption="exact: the probability to win with best play after the move\n"
        "*: the highest mean in the tree    =: a best move",
    )
    # It just fits in a terminal of 80 columns.
    table.collapse_padding, table.pad_edge = True, False
    for roll in facts["rolls"]:
        for number, move in enumerate(roll["moves"]):
            table.add_row("" if number else str(roll["roll"]), *_move_cells(move, rules))
        if not roll["moves"]:
            table.add_row(str(roll["roll"]), "", "lost")
        table.add_section()
    return table


def _move_cells(move: Facts, rules: Rules) -> Iterator[str]:
    yield _plus(move["shut"])
    yield _box_text(move["box"], rules)
    yield f"{move['visits']:,}"
    yield from _mean_cells(move, 4)
    yield "" if move["bound"] is None else f"{move['bound']:.4f}"
    yield f"{move['exact']['probability']:.4f}"
    yield ("*" if move["learnt"] else " ") + ("=" if move["best"] else " ")


def solve_tables(facts: Facts, box: Box, *, rules: Rules = USUAL) -> Iterator[Table]:
    """The exact probabilities of `solve`; then the best move of every roll."""
    table = _table(
        f"Shut the Box: probability to win from {_start(box, rules)}",
        ["way to play", "probability", "exactly"],
    )
    for name, key in (("best play", "best_play"), ("random moves", "random_play")):
        value = facts[key]
        table.add_row(name, f"{value['probability']:.7f}", value["exactly"])
    yield table
    if box:
        yield _rolls_table(facts, rules)


def _rolls_table(facts: Facts, rules: Rules) -> Table:
    table = _table(
        "The best move of each roll", ["roll", "moves", "shut", "box left", "probability"]
    )
    for roll in facts["rolls"]:
        move = roll["best_move"]
        cells = ("", "lost") if move is None else (_plus(roll["shut"]), _box_text(move, rules))
        table.add_row(str(roll["roll"]), str(roll["moves"]), *cells, f"{roll['probability']:.5f}")
    return table


def bandit_table(facts: Facts) -> Table:
    """The regret of each policy after a tenth, half and all of the pulls."""
    curves = facts["policies"]
    at = next(iter(curves.values()))["at"]
    marks = [bisect_left(at, facts["pulls"] * share) for share in (0.1, 0.5, 1)]
    table = _table(
        f"Regret of {arms_in_words(facts['means'])}",
        ["policy", *(f"after {at[mark]:,} pulls" for mark in marks), "95 % interval"],
        caption="regret: expected loss against always pulling the best arm; "
        f"mean of {counted(facts['runs'], 'run')}",
    )
    for name, curve in curves.items():
        low, high = curve["low"][-1], curve["high"][-1]
        regrets = (f"{curve['mean'][mark]:.2f}" for mark in marks)
        table.add_row(name, *regrets, "" if low is None else f"{low:.2f} to {high:.2f}")
    return table


def arms_in_words(means: Sequence[float]) -> str:
    """The number of the arms, with their means.

    >>> arms_in_words([0.6, 0.5])
    '2 arms that pay 0.6, 0.5 on average'
    """
    verb = "pays" if len(means) == 1 else "pay"
    values = ", ".join(f"{mean:g}" for mean in means)
    return f"{counted(len(means), 'arm')} that {verb} {values} on average"


def pi_table(facts: Facts) -> Table:
    """The estimates of pi at each power of ten, and the last one."""
    darts = facts["darts"]
    table = _table(
        f"Pi by {counted(darts, 'dart')}",
        ["darts", "estimate", "95 % interval"],
        caption=f"pi is {facts['pi']:.5f}",
    )
    for row in facts["estimates"]:
        if row["darts"] == darts or str(row["darts"]).strip("0") == "1":
            interval = f"{row['low']:.5f} to {row['high']:.5f}"
            table.add_row(f"{row['darts']:,}", f"{row['mean']:.5f}", interval)
    return table


# Parts of tables


def _table(title: str, headings: Sequence[str], *, caption: str | None = None) -> Table:
    table = Table(title=title, caption=caption)
    for heading in headings:
        words = heading in ("way to play", "box left", "policy")
        table.add_column(heading, justify="left" if words else "right")
    return table


def _start(box: Box, rules: Rules) -> str:
    """The box where a game starts, with its rules if they are not the usual ones."""
    levers = f"the box {_plus(sorted(box))}" if box else "the shut box"
    start = "the full box" if box == full_box(rules=rules) else levers
    return start if rules == USUAL else f"{start} ({describe_rules(rules)})"


def _box_text(levers: Iterable[int], rules: Rules) -> str:
    return box_to_str(frozenset(levers), rules=rules)


def _plus(levers: Iterable[int]) -> str:
    return "+".join(map(str, levers))


def _record_cells(facts: Facts) -> tuple[str, ...]:
    """The visits of a record, its wins, its mean and the interval of the mean."""
    return f"{facts['visits']:,}", f"{facts['scores'][0]:,}", *_mean_cells(facts)


def _mean_cells(facts: Facts, digits: int = 5) -> tuple[str, str]:
    """The mean of a record and its interval, blank for a record without visits."""
    if not facts["visits"]:
        return "", ""
    low, high = facts["interval"]
    return f"{facts['mean']:.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"
