"""The hints at a turn, and the cost of choices.

A hint is the report of a player who thinks at this turn: by random games, by a search, or exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf
from random import Random
from typing import Any, NamedTuple

from purembts import exact
from purembts.app.clock import paced
from purembts.app.players import hint_dives, searcher, tactics_note, usual_dives
from purembts.app.positions import AnyGame, AnyTurn, visible
from purembts.app.sessions import Setting, Turns, choices, rng_of
from purembts.app.steps import Belief, Progress, Work, returned
from purembts.chance import Rng
from purembts.display import digits_of, number
from purembts.game import E, Game, S, Turn, is_alone, no_chance
from purembts.mcts import final_of
from purembts.players import Player, backed_up_report, exact_player, flat_player
from purembts.records import NOTHING, Tree, as_tree, mean
from purembts.report import Report, Row, event_text, mean_and_interval, short_text, worth
from purembts.tables import Table, rows_table

# Knowledge

HINTS = {
    "none": "no hints",
    "random": "random games after each move",
    "tree": "a search from this turn",
    "exact": "the expected score with best play",
}
"""The kinds of hints, as in tasks 9, 10, 11 and 12 of the workshop, with their meanings."""

_HINT_GAMES = 10_000
"""The approximate number of random games for the hints of a turn."""


def hinted(setting: Setting, turns: Turns, kind: str) -> Work[Belief]:
    """The hints of `kind` for the last turn."""
    rng = rng_of(setting, len(turns) - 1, "/hints")
    report = yield from knowledge(setting, turns[-1], kind, rng)
    title, game = f"{kind}: {HINTS[kind]}", setting.game
    if kind == "tree":
        return Belief(f"{title}{tactics_note(game)}", report, final_of(game))
    return Belief(title, report, mean)


def knowledge(
    setting: Setting, turn: AnyTurn, kind: str, rng: Rng, *, is_hint: bool = True
) -> Work[Report]:
    """The report of `kind` for `turn`.

    `turn` must have several moves, unless `kind` is exact. A ValueError if the game is too large
    for exact values. In a game with chance, a hint of a search has the means of
    `players.backed_up_report`; a cost has the means of games, with their intervals.
    """
    game, view = setting.game, visible(setting.game, turn)
    tree: Tree[Any] = as_tree({})
    of = hint_dives(game, setting.dives) if kind == "tree" else _HINT_GAMES
    unit = "dives" if kind == "tree" else "games"
    yield Progress("Hints", 0, None if kind == "exact" else of, unit)
    player = _hint_player(setting, turn, kind, is_hint=is_hint)
    for tree in player.trees(view, rng, paced):
        if kind != "exact":
            yield Progress("Hints", min(of, visits_at(tree, view)), of, unit)
    return player.report(view, tree)  # type: ignore[misc]


def visits_at(tree: Tree[Any], turn: AnyTurn) -> int:
    """The visits of the position of a turn in a tree, or else of its moves, all together."""
    if record := tree.get(turn.state):
        return record.visits
    return sum((tree.get(move) or NOTHING).visits for move in turn.moves)


def kinds_of(game: AnyGame) -> list[str]:
    """The kinds of hints that `game` can have."""
    return [kind for kind in HINTS if kind != "exact" or not game.hidden]


def is_lost(game: AnyGame, turn: AnyTurn, person: int) -> bool:
    """True if best play of all gives a person the lowest score."""
    if is_alone(game) or not exact.is_solvable(game, turn.state):
        return False
    return exact.solver(game)(turn.state)[person] == game.score_range[0]


def _hint_player(setting: Setting, turn: AnyTurn, kind: str, *, is_hint: bool) -> Player:
    """The player whose reports are hints of `kind`; costs, if not `is_hint`."""
    game, bound = setting.game, setting.bound
    if kind == "exact":
        exact.check_solvable(game, turn.state)
        return exact_player(game, setting.value or exact.solver(game))
    if kind == "random":
        return flat_player(game, _HINT_GAMES, bound=bound)
    player, final = searcher(game, "hard", hint_dives(game, setting.dives), bound), final_of(game)
    is_averaged = is_hint and not game.hidden and game.chances is not no_chance
    report = partial(backed_up_report, game, bound=bound) if is_averaged else player.report
    return player._replace(final=final, report=report and partial(report, final=final))


# The cost of choices


class Cost(NamedTuple):
    """A choice beside the best choice."""

    number: int
    """The number of the turn, from 0."""
    report: Report
    choice: Row
    best: Row
    loss: float | None
    """The worth of the best move minus the worth of the choice; None if a search cannot tell."""


def _best_row(report: Report, choice: Row) -> Row:
    """The best move by its exact value, or else the move with the most visits.

    It is `choice` if that is as good.
    """
    most = max(report.rows, key=lambda row: row.visits)
    return max((choice, *report.rows) if choice.exact is not None else (choice, most), key=worth)


def _loss(choice: Row, best: Row) -> float | None:
    """The loss of a choice, if the values are exact, or the intervals do not overlap."""
    (_, high), (low, _) = (row.interval or (-inf, inf) for row in (choice, best))
    is_clear = choice is best or choice.exact is not None or high < low
    return worth(best) - worth(choice) if is_clear and worth(choice) > -inf else None


def costs(setting: Setting, turns: Turns) -> Iterator[Progress]:
    """Steps with the costs so far of the people's choices, a tuple in the order of the turns.

    The last choice comes first.
    """
    numbers, so_far = choices(turns, setting.persons), tuple[Cost, ...]()
    kind, setting = "exact", setting._replace(value=setting.value or exact.solver(setting.game))
    progress = Progress("The cost of each choice; Ctrl-C skips it", of=len(numbers), unit="choices")
    yield progress._replace(so_far=so_far)
    for n, place in enumerate(reversed(numbers), 1):
        kind, cost = _cost(setting, turns, place, kind)
        so_far = (cost, *so_far)
        yield progress._replace(done=n, so_far=so_far)


def _cost(setting: Setting, turns: Turns, n: int, kind: str) -> tuple[str, Cost]:
    """The kind of the values, and the cost of the choice in turn `n`.

    The values are exact as far back as few positions follow. Before that they are from searches. A
    move that is not the best one may need a search of its own.
    """
    game, turn, after = setting.game, turns[n], turns[n + 1]
    rng = Random(f"{setting.seed}/{n}/cost")
    if kind == "exact" and not exact.is_solvable(game, turn.state):
        kind = "tree"
    setting = setting._replace(dives=usual_dives(len(turn.moves)))
    report = returned(knowledge(setting, turn, kind, rng, is_hint=False))
    choice = report.rows[turn.moves.index(after.state)]
    if _needs_search(game, report, choice, after):
        later = returned(knowledge(setting, after, kind, rng, is_hint=False))
        average, ends = mean_and_interval(game, later.record, turn.player)
        choice = choice._replace(visits=later.record.visits, mean=average, interval=ends)
    best = _best_row(report, choice)
    return kind, Cost(n, report, choice, best, _loss(choice, best))


def _needs_search(game: Game[S, E], report: Report, choice: Row, after: Turn[S, E]) -> bool:
    """True if a search at the turn `after` a choice says more of it than its few visits.

    With chance, such a search is about one event alone; with hidden hands, about another view.
    """
    is_open = game.chances is no_chance and not game.hidden
    is_doubtful = choice.exact is None and _best_row(report, choice) is not choice
    return is_open and is_doubtful and len(after.moves) > 1


def cost_table(game: Game[S, E], costs: Sequence[Cost]) -> Table:
    """The choices of a game, with the cost of each. The turns are counted from 1."""
    digits = digits_of(game.score_range)
    several = len({cost.report.turn.player for cost in costs}) > 1
    rows = [
        [
            *(str(cost.number + 1), str(cost.report.turn.player + 1) if several else ""),
            *(short_text(game, cost.report.turn.state), event_text(cost.report)),
            *(cost.choice.label, number(worth(cost.choice), digits)),
            *(cost.best.label, number(worth(cost.best), digits)),
            "?" if cost.loss is None else number(cost.loss, digits),
        ]
        for cost in costs
    ]
    words = ["player", "position", "event", "move" if several else "your move", "best move"]
    heads = ["turn", *words[:4], "worth", "best move", "best worth", "cost"]
    notes, clear = [*_cost_notes(costs)], [cost.loss for cost in costs if cost.loss is not None]
    if len(clear) > 1 and not several:
        which = "all costs" if len(clear) == len(costs) else f"the costs of {len(clear)} turns"
        notes.append(f"{which} together: {number(sum(clear), digits)}")
    least = ["position", "event", "worth", "best worth", "best move"]
    return rows_table("The cost of each choice", heads, rows, words=words, notes=notes, least=least)


def _cost_notes(costs: Sequence[Cost]) -> Iterator[str]:
    """The meanings of the columns."""
    exact = [cost.number + 1 for cost in costs if cost.choice.exact is not None]
    visits = [cost.report.record.visits for cost in costs if cost.choice.exact is None]
    if exact:
        since = f", from turn {min(exact)} on" if visits else ""
        yield f"worth: the expected score with best play after the move{since}"
    if visits:
        before = " before that" if exact else ""
        dives = " to ".join(f"{n:,}" for n in sorted({min(visits), max(visits)}))
        yield f"worth{before}: the mean score of the move in a search of {dives} dives"
    if any(cost.loss is None for cost in costs):
        yield "?: the intervals of the two moves overlap, so the search cannot tell"
