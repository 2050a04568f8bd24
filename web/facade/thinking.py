"""A player who thinks, hints, and the costs of choices: knowledge that takes time, step by step."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeVar

from facade.links import (
    PERSON,
    Link,
    game_of,
    labels_of,
    link_of,
    players_of,
    setting_of,
    solved_of,
    start_of,
    turns_of,
)
from facade.scenes import dice_of, picture_facts, table_facts
from purembts.app.clock import paced
from purembts.app.hints import (
    HINT_DIVES,
    KINDS,
    Cost,
    Setting,
    Turns,
    before_last,
    choices,
    cost_table,
    hinted,
    solving,
)
from purembts.app.hints import costs as costs_of
from purembts.app.kinds import AnyTree, AnyTurn
from purembts.app.players import LEVELS, dives_at, hint_dives, parts, player_called
from purembts.app.results import report_facts
from purembts.app.sentences import BELIEFS
from purembts.app.sitting import LOST, is_lost, kinds_of
from purembts.app.steps import Progress, Step, Work
from purembts.app.thinking import done_in, own_turn, thoughts, worth
from purembts.display import digits_of, number
from purembts.exact import is_solvable
from purembts.mcts import Final, final_of
from purembts.pictures import moves as moves_picture
from purembts.pictures import position
from purembts.players import exact_player
from purembts.records import mean, visits
from purembts.report import Facts, Report, Row, columns_called
from purembts.tables import Table

T = TypeVar("T")


def _is_drawn(own: AnyTurn, n: int, tree: AnyTree) -> bool:
    """True for the trees that are drawn, as a picture may take longer than a short step.

    They are fewer with many moves to draw, and with a large tree, whose report takes long.
    """
    return n % (2 + len(own.moves) // 10 + len(tree) // 5_000) == 0


# Pictures


class Seen(NamedTuple):
    """A turn as its player sees it."""

    setting: Setting
    turns: Turns
    """The game up to this turn."""
    own: AnyTurn
    width: float | None = None
    """The width of the pictures of moves inside their margins; None for the usual one."""


def _seen_turn(link: Link, width: float | None = None) -> Seen:
    """The last turn of a game."""
    setting, turns = setting_of(link), turns_of(link)
    return Seen(setting, turns, own_turn(setting.game, turns[-1]), width)


def drawn(seen: Seen, known: Report, *, is_last: bool = False) -> Facts:
    """The `picture` of the board with the heat map of `known`, and that of the `moves`.

    A game without squares has no heat map. Before the end, a game with squares has no other one.
    """
    game, turns = seen.setting.game, seen.turns
    has_squares = game.display.squares is not None
    before = None if game.hidden else before_last(turns)
    dice = dice_of(game, turns, seen.setting.seed)
    board = position(game, seen.own.state, before=before, known=known, dice=dice)
    # Moves that a search has not tried are left out, if it has tried any.
    rows = tuple(row for row in known.rows if row.visits or row.exact is not None) or known.rows
    moves = partial(moves_picture, known._replace(rows=rows), width=seen.width)
    return {
        "picture": picture_facts(board) if has_squares else None,
        "moves": picture_facts(moves()) if is_last or not has_squares else None,
    }


def _known_facts(seen: Seen, known: Report, title: str, final: Final = mean) -> Facts:
    """A report as an object of JSON, with its pictures and its table."""
    return {
        "report": report_facts(known),
        **drawn(seen, known, is_last=True),
        "table": table_facts(_belief_table(known, title)),
        "rule": _rule_of(final) if any(row.learnt for row in known.rows) else "",
    }


def _belief_table(known: Report, title: str) -> Table:
    """All moves of a report with their numbers, the best one first."""
    rows = sorted(known.rows, key=lambda row: (row.learnt, worth(row)), reverse=True)
    return Table(title, columns_called(BELIEFS, known, rows))


def _rule_of(final: Final) -> str:
    """The words for the way in which a player chooses among the moves of a tree."""
    most = "most visits" if final is visits else "best mean"
    return f"The move it would play: the one with the {most}."


# Steps


def told(work: Work[T], tell: Callable[[Step], Facts]) -> Generator[Facts, None, T]:
    """The facts of each step of `work`, whose value is returned."""
    try:
        while True:
            yield tell(next(work))
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]


def _progress_facts(step: Progress, unit: str = "dives") -> Facts:
    """The progress of a search as numbers of dives or games, and of other work in words."""
    if step.label == "Hints":
        return {"done": step.done, "of": step.of, "unit": unit}
    of = "" if step.of is None else f" of {step.of:,}"
    return {"told": f"{step.label}: {step.done:,}{of}"}


# A strategy


def think(link: Mapping[str, Any], width: float | None = None) -> Iterator[Facts]:
    """The thoughts of the strategy whose turn it is; the last one has its `move`.

    Each has the number of dives that are `done`, `of` how many. Some have a `picture` of the board.
    Where people play behind views, the thoughts would show cards, so they have numbers alone.
    """
    found = link_of(link)
    seen, name = _strategy_turn(found, width)
    game, turn, bound = seen.setting.game, seen.turns[-1], seen.setting.bound
    is_secret, player = game.hidden is not None and bool(seen.setting.persons), None
    if name == "perfect":
        yield from map(_progress_facts, solving(solved_of(found), turn.state))
        player = exact_player(game, solved_of(found).value)
    player = player or player_called(game, name, bound=bound, start=start_of(found))
    rng, n, last = Random(f"{seen.setting.seed}/{len(seen.turns) - 1}/move"), 0, None
    unit, of = "games" if name.startswith("flat") else "dives", _dives_of(seen.setting, name)
    for thought in thoughts(game, turn, player, rng, pace=paced):
        known, done = thought.report, done_in(thought.tree, seen.own)
        step: Facts = {"done": done, "of": of, "unit": unit, "is_secret": is_secret}
        if thought.move is not None:
            move = labels_of(game, turn)[turn.moves.index(thought.move)]
            step["move"] = move
            if known and len(seen.own.moves) > 1 and not is_secret:
                step |= _known_facts(seen, known, "What it believed", player.final)
        elif known and known is not last and not is_secret:
            step |= drawn(seen, known) if _is_drawn(seen.own, n, thought.tree) else {}
        yield step
        n, last = n + (known is not last), known


def _strategy_turn(found: Link, width: float | None) -> tuple[Seen, str]:
    """The last turn, and the name of the strategy that has to move; else a ValueError."""
    seen = _seen_turn(found, width)
    name = players_of(found).get(seen.turns[-1].player, PERSON)
    if name == PERSON or not seen.turns[-1].moves:
        raise ValueError("`link` must be at the turn of a strategy; got another position.")
    return seen, name


def _dives_of(setting: Setting, name: str) -> int:
    """The dives or games for a move in the name of a player; 0 if it has none."""
    return dives_at(setting.game, name) if name in LEVELS else int(parts(name)[1] or 0)


# Hints

_HINTS_OF = (1_000, 10_000, 100_000)
"""The numbers of dives for hints of a search in most games; see `hint_dives`."""
_LATE = 16
"""The empty squares of a board from which on exact values may become possible."""


def kinds(link: Mapping[str, Any]) -> Facts:
    """The kinds of hints for the last turn of a link with their meanings, and the usual one.

    Exact values are offered where the game is small enough from here on. On a board with at most
    `late` empty squares, a page asks again. `dives` has the number of dives that this game makes
    for each of `_HINTS_OF`. The `note` says if the game begins with a position that is lost for the
    only person.
    """
    found = link_of(link)
    game, turn, persons = game_of(found), turns_of(found)[-1], setting_of(found).persons
    is_first = not found.moves and len(persons) == 1
    exact = is_solvable(game, turn.state)
    return {
        "kinds": [
            {"kind": kind, "meaning": KINDS[kind]}
            for kind in kinds_of(game)
            if exact or kind != "exact"
        ],
        "usual": "exact" if exact else "tree",
        "late": _LATE,
        "dives": {dives: hint_dives(game, dives) for dives in _HINTS_OF},
        "note": LOST if is_first and is_lost(game, turn, min(persons)) else "",
    }


def hints(
    link: Mapping[str, Any], kind: str, dives: int = HINT_DIVES, width: float | None = None
) -> Iterator[Facts]:
    """The hints of a kind for the person to move, again and again while a search goes on.

    Steps have `rows`, with the text to put beside each move. The last one has all pictures.
    """
    seen = _person_turn(link_of(link), kind)._replace(width=width)
    if len(seen.own.moves) == 1 and kind != "exact":
        yield {"told": "There is only one move."}
        return
    if kind == "none":
        return

    def tell(step: Step) -> Facts:
        if isinstance(step, Report):
            return {"rows": rows_of(seen, step), **drawn(seen, step)}
        return _progress_facts(step, "games" if kind == "random" else "dives")  # type: ignore[arg-type]

    setting, due = seen.setting._replace(dives=dives), partial(_is_drawn, seen.own)
    work = hinted(setting, seen.turns, kind, due=due)
    known = yield from told(work, tell)
    rest = {"told": ""} if kind == "exact" else {}
    title = f"{kind}: {KINDS[kind]}"
    final = final_of(seen.setting.game) if kind == "tree" else mean
    yield {**rest, "rows": rows_of(seen, known), **_known_facts(seen, known, title, final)}


def _person_turn(found: Link, kind: str) -> Seen:
    """The last turn, if it is that of a person and `kind` is a kind of hints; else a ValueError."""
    seen = _seen_turn(found)
    if not seen.own.moves or seen.own.player not in seen.setting.persons:
        raise ValueError("`link` must be at the turn of a person; got another position.")
    if kind not in kinds_of(seen.setting.game):
        right = ", ".join(kinds_of(seen.setting.game))
        raise ValueError(f"`kind` must be one of {right}; got {kind}.")
    return seen


def rows_of(seen: Seen, known: Report) -> list[Facts]:
    """For each move its label, the text to put beside it, and True if no move is better."""
    digits = digits_of(known.game.score_range)
    labels = labels_of(seen.setting.game, seen.turns[-1])
    return [
        {"label": label, "text": _beside(row, digits), "best": row.best or row.learnt}
        for label, row in zip(labels, known.rows, strict=True)
    ]


def _beside(row: Row, digits: int) -> str:
    """The worth of a move in a few characters."""
    if row.exact is not None:
        return f"{number(row.exact, digits)} exact"
    seen = f"{number(row.mean, min(digits, 3))} mean of {row.visits:,}"
    return seen if row.visits else "not tried"


# The cost of choices


def costs(link: Mapping[str, Any]) -> Iterator[Facts]:
    """The cost of each choice of the people in a game so far, the last first.

    Each step has the number of `choices` that are done, of `of_choices`. A step after a choice has
    the `table` of all that are known.
    """
    found = link_of(link)
    setting, turns, known = setting_of(found), turns_of(found), list[Cost]()
    of = len(choices(turns, setting.persons))
    for step in costs_of(setting, turns):
        table = {}
        if isinstance(step, Cost):
            known.append(step)
            made = cost_table(setting.game, known[::-1])
            table = {"table": table_facts(made)}
        elif isinstance(step, Progress):
            table = _progress_facts(step)
        yield {"choices": len(known), "of_choices": of, **table}
