"""A game so far, as the tuple of its turns: undo, hints at a turn, the cost of choices.

The event of turn n depends on the seed and on n alone, so undo does not change the dice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from math import inf
from random import Random
from typing import NamedTuple, TypeAlias

from purembts import exact
from purembts.app.clock import paced
from purembts.app.kinds import NO_TREE, AnyGame, AnyStrategy, AnyTree, AnyTurn, Position
from purembts.app.players import hint_dives, searcher
from purembts.app.steps import Progress, Step, Work
from purembts.app.thinking import done_in, own_turn, report_of, usual_dives, worth
from purembts.bounds import AnyBound, ucb1
from purembts.chance import Rng
from purembts.display import digits_of, number
from purembts.game import E, Game, S, Turn, draw_turn, no_chance
from purembts.mcts import final_of
from purembts.players import Player, backed_up_report, exact_player, flat_player
from purembts.positions import children
from purembts.report import Report, Row, Value, event_text, mean_and_interval
from purembts.tables import Table, rows_table

Turns: TypeAlias = tuple[AnyTurn, ...]
"""A game so far, at least one turn; the last is the one to play."""


def first_turn(game: Game[S, E], state: S, *, seed: int) -> Turns:
    """A game that begins at `state`."""
    return (draw_turn(game, state, Random(f"{seed}/0")),)


def after_move(game: Game[S, E], turns: Turns, move: S, *, seed: int) -> Turns:
    """The game after `move`, with the next event."""
    return (*turns, draw_turn(game, move, Random(f"{seed}/{len(turns)}")))


def choices(turns: Turns, persons: Collection[int]) -> list[int]:
    """The numbers of the turns, from 0, in which one of `persons` has made a choice."""
    return [
        n for n, turn in enumerate(turns[:-1]) if len(turn.moves) > 1 and turn.player in persons
    ]


def before_last(turns: Turns) -> Position:
    """The position before the last move; None at the start."""
    return turns[-2].state if len(turns) > 1 else None


def undone(turns: Turns, persons: Collection[int]) -> Turns:
    """The game at the last choice of `persons` before its last turn; `turns` if there is none."""
    before = choices(turns, persons)
    return turns[: before[-1] + 1] if before else turns


# Knowledge

HINT_DIVES = 10_000
"""The usual number of dives for the hints of a turn."""


class Setting(NamedTuple):
    """The facts of a game that stay the same while it is played."""

    game: AnyGame
    seed: int = 0
    persons: frozenset[int] = frozenset({0})
    """The players who are people."""
    strategies: Mapping[int, AnyStrategy] = {}
    """The strategies of the other players."""
    dives: int = HINT_DIVES
    """The dives of a search for hints."""
    bound: AnyBound = ucb1
    solved: Solved | None = None
    """The exact values that were worked out, which exact hints and costs use."""
    width: int = 80
    """The width of the screen."""


KINDS = {
    "none": "no hints",
    "random": "random games after each move",
    "tree": "a search from this turn",
    "exact": "the expected score with best play",
}
"""The kinds of hints, as in tasks 9, 10, 11 and 12 of the workshop, with their meanings."""

_HINT_GAMES = 10_000
"""The approximate number of random games for the hints of a turn."""
Due: TypeAlias = Callable[[int, AnyTree], bool] | None
"""True if there is to be a report of tree n, from 0; None if there is to be none."""


def hinted(setting: Setting, turns: Turns, kind: str, *, due: Due = None) -> Work[Report]:
    """The report of `kind` for the last turn; `due` is that of `knowledge`."""
    rng = Random(f"{setting.seed}/{len(turns) - 1}/hints")
    return knowledge(setting, turns[-1], kind, rng, due=due)


def knowledge(
    setting: Setting,
    turn: AnyTurn,
    kind: str,
    rng: Rng,
    *,
    is_hint: bool = True,
    due: Due = None,
) -> Work[Report]:
    """The report of `kind` for `turn`. Trees that are `due` have reports too.

    `turn` must have several moves, or `kind` be exact. Exact values of a game that is too large are
    a ValueError. A hint of a search in a game with chance has the means of
    `players.backed_up_report`, and a cost has the means of games, with their intervals.
    """
    game, solved = setting.game, setting.solved or nothing_solved(setting.game)
    own, tree = own_turn(game, turn), NO_TREE
    if kind == "exact":
        yield from solving(solved, turn.state)
    player = _hint_player(setting, kind, solved.value, is_hint=is_hint)
    of = hint_dives(game, setting.dives) if kind == "tree" else _HINT_GAMES
    for n, tree in enumerate(player.trees(own, rng, paced)):
        if due and due(n, tree) and (known := report_of(player, own, tree)):
            yield known
        if kind != "exact":
            yield Progress("Hints", min(of, done_in(tree, own)), of)
    return player.known(own, tree)  # type: ignore[misc]


def _hint_player(setting: Setting, kind: str, value: Value, *, is_hint: bool) -> Player:
    """The player whose knowledge is hints of `kind`, or without `is_hint` costs."""
    game, bound = setting.game, setting.bound
    if kind == "exact":
        return exact_player(game, value)
    if kind == "random":
        return flat_player(game, _HINT_GAMES, bound=bound)
    player, final = searcher(game, "hard", hint_dives(game, setting.dives), bound), final_of(game)
    is_averaged = is_hint and not game.hidden and game.chances is not no_chance
    known = partial(backed_up_report, game, bound=bound) if is_averaged else player.known
    return player._replace(final=final, known=known and partial(known, final=final))


# The cost of choices


class Cost(NamedTuple):
    """A choice beside the best choice."""

    number: int
    """The number of the turn, from 0."""
    known: Report
    made: Row
    best: Row


def _best_row(known: Report, made: Row) -> Row:
    """The best move by its exact value, or else the move with the most visits.

    It is `made` if that is as good.
    """
    most = max(known.rows, key=lambda row: row.visits)
    return max((made, *known.rows) if made.exact is not None else (made, most), key=worth)


def _is_clear(cost: Cost) -> bool:
    """True if the values of the two moves are exact, or their intervals do not overlap."""
    if cost.made is cost.best or cost.made.exact is not None:
        return True
    (_, high), (low, _) = (row.interval or (-inf, inf) for row in (cost.made, cost.best))
    return high < low


def costs(setting: Setting, turns: Turns) -> Iterator[Step | Cost]:
    """The cost of each choice of the people, the last first, and the progress to it.

    The values are exact as far back as few positions follow. Before that they are from searches. A
    move that is not the best one may need a search of its own.
    """
    kind, solved = "exact", setting.solved or nothing_solved(setting.game)
    for n in reversed(choices(turns, setting.persons)):
        turn, rng = turns[n], Random(f"{setting.seed}/{n}/cost")
        try:
            yield from solving(solved, turn.state) if kind == "exact" else ()
        except ValueError:
            kind = "tree"
        about = setting._replace(dives=usual_dives(len(turn.moves)), solved=solved)
        known = yield from knowledge(about, turn, kind, rng, is_hint=False)
        made = known.rows[turn.moves.index(turns[n + 1].state)]
        if _needs_search(setting.game, known, made, turns[n + 1]):
            after = yield from knowledge(about, turns[n + 1], kind, rng, is_hint=False)
            average, ends = mean_and_interval(setting.game, after.record, turn.player)
            made = made._replace(visits=after.record.visits, mean=average, interval=ends)
        yield Cost(n, known, made, _best_row(known, made))


def _needs_search(game: Game[S, E], known: Report, made: Row, after: Turn[S, E]) -> bool:
    """True if a search at the turn after a move says more of it than the few visits that it has.

    With chance it would be about one event alone, and behind a view about that of another player.
    """
    is_open = game.chances is no_chance and not game.hidden
    is_doubtful = made.exact is None and _best_row(known, made) is not made
    return is_open and is_doubtful and len(after.moves) > 1


def cost_table(game: Game[S, E], made: Sequence[Cost]) -> Table:
    """The choices of a game, with the cost of each. The turns are counted from 1."""
    digits, short = digits_of(game.score_range), game.display.short
    several = len({cost.known.turn.player for cost in made}) > 1
    lost = [
        worth(cost.best) - worth(cost.made) if _is_clear(cost) and worth(cost.made) > -inf else None
        for cost in made
    ]
    rows = [
        [
            *(str(cost.number + 1), str(cost.known.turn.player + 1) if several else ""),
            *(short(cost.known.turn.state) if short else "", event_text(cost.known)),
            *(cost.made.label, number(worth(cost.made), digits)),
            *(cost.best.label, number(worth(cost.best), digits)),
            "?" if loss is None else number(loss, digits),
        ]
        for cost, loss in zip(made, lost, strict=True)
    ]
    words = ["player", "position", "event", "move" if several else "your move", "best move"]
    heads = ["turn", *words[:4], "worth", "best move", "best worth", "cost"]
    notes, known = [*_notes(made)], [loss for loss in lost if loss is not None]
    if len(known) > 1 and not several:
        which = "all costs" if len(known) == len(made) else f"the costs of {len(known)} turns"
        notes.append(f"{which} together: {number(sum(known), digits)}")
    least = ["position", "event", "worth", "best worth", "best move"]
    return rows_table("The cost of each choice", heads, rows, words=words, notes=notes, least=least)


def _notes(made: Sequence[Cost]) -> Iterator[str]:
    """The meanings of the columns."""
    exact = [cost.number + 1 for cost in made if cost.made.exact is not None]
    searched = [cost.known.record.visits for cost in made if cost.made.exact is None]
    if exact:
        since = f", from turn {min(exact)} on" if searched else ""
        yield f"worth: the expected score with best play after the move{since}"
    if searched:
        before = " before that" if exact else ""
        dives = " to ".join(f"{n:,}" for n in sorted({min(searched), max(searched)}))
        yield f"worth{before}: the mean score of the move in a search of {dives} dives"
    if not all(map(_is_clear, made)):
        yield "?: the intervals of the two moves overlap, so the search cannot tell"


# Exact values in steps


COUNTED, SOLVED = 400, 100
"""The positions that are counted, and those that are solved, in one step."""


class Solved(NamedTuple):
    """The exact values of a game that were worked out so far. They become more."""

    game: AnyGame
    value: Value
    known: set[Position]
    """The positions whose exact values were worked out."""


def nothing_solved(game: AnyGame) -> Solved:
    """A game of which no exact value was worked out yet."""
    return Solved(game, exact.solver(game), set())


def solving(solved: Solved, state: Position) -> Iterator[Progress]:
    """The progress of working out the exact values of the positions from `state` on.

    A game that is too large is a ValueError, at the position with which it becomes too large.
    """
    if solved.game.hidden:
        raise exact.not_solvable(solved.game)
    if state in solved.known:
        return
    found, todo = {state: None}, [state]
    for n in count():
        new = [child for child in children(solved.game, todo.pop()) if child not in found]
        found.update(dict.fromkeys(new))
        todo += new
        if len(found) > exact.MOST_POSITIONS + 1:
            raise exact.not_solvable(solved.game)
        if n % COUNTED == 0:
            yield Progress("Positions found", len(found))
        if not todo:
            break
    for n, each in enumerate(reversed(found), 1):
        solved.value(each)
        if n % SOLVED == 0 or n == len(found):
            yield Progress("Positions solved", n, len(found))
    solved.known.update(found)
