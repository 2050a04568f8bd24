"""A player who thinks, hints, and the costs of choices: knowledge that takes time, step by step."""

from __future__ import annotations

from collections.abc import Container, Generator, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from facade.links import (
    PERSON,
    Link,
    game_of,
    labels_of,
    link_of,
    number_of,
    players_of,
    setting_of,
    solved_of,
    start_of,
    turns_of,
)
from facade.scenes import dice_of, picture_facts, table_facts
from facade.strides import pace_of
from purembts.app.frames import changes_table, stages
from purembts.app.hints import (
    HINT_DIVES,
    KINDS,
    Cost,
    Setting,
    Turns,
    before_last,
    choices,
    cost_table,
    hint_final,
    hinted,
    worth,
)
from purembts.app.hints import costs as costs_of
from purembts.app.kinds import AnyTree, AnyTurn
from purembts.app.players import LEVELS, dives_at, parts, player_called
from purembts.app.results import facts
from purembts.app.sentences import BELIEFS
from purembts.app.sitting import kinds_of
from purembts.app.solved import is_quickly_solved, solving
from purembts.app.steps import Progress, Work
from purembts.app.thinking import at_pace, done_in, never, own_turn, thoughts
from purembts.display import digits_of, number
from purembts.mcts import Final
from purembts.pictures import moves as moves_picture
from purembts.pictures import position
from purembts.players import Player, exact_player, parts_of
from purembts.records import mean, visits
from purembts.report import Facts, Report, Row, certain_notes, columns_called
from purembts.tables import Table

# Pictures


class Seen(NamedTuple):
    """A turn as its player sees it."""

    setting: Setting
    turns: Turns
    """The game up to this turn."""
    own: AnyTurn
    width: float | None = None
    """The width of the pictures of moves inside their margins; None for the usual one."""


def seen_turn(link: Link, width: float | None = None) -> Seen:
    """The last turn of a game."""
    setting, turns = setting_of(link), turns_of(link)
    return Seen(setting, turns, own_turn(setting.game, turns[-1]), width)


def drawn(seen: Seen, known: Report, *, is_last: bool = False) -> Facts:
    """The `picture` of the board with the heat map of `known`, and that of the `moves`.

    A game without squares has no heat map. Before the end, a game with squares has no other one.
    """
    game, turns = seen.setting.game, seen.turns
    has_squares, before = game.display.squares is not None, None
    if not game.hidden:
        before = before_last(turns)
    dice = dice_of(game, turns, seen.setting.seed)
    board = position(game, seen.own.state, before=before, known=with_exact(known), dice=dice)
    is_drawn = is_last or not has_squares
    moves = moves_picture(known, width=seen.width) if is_drawn else None
    return {
        "picture": picture_facts(board) if has_squares else None,
        "moves": picture_facts(moves) if moves else None,
    }


def with_exact(known: Report) -> Report:
    """A report in which exact values are certain, so that a heat map without visits shows them."""
    sure = (
        row if row.exact is None or row.visits else row._replace(certain=row.exact, learnt=row.best)
        for row in known.rows
    )
    return known._replace(rows=tuple(sure))


def belief_table(known: Report, title: str) -> Table:
    """All moves of a report with their numbers, the best one first."""
    rows = sorted(known.rows, key=lambda row: (row.learnt, worth(row)), reverse=True)
    return Table(title, columns_called(BELIEFS, known, rows), certain_notes(known))


# A strategy


def think(link: Mapping[str, Any], width: float | None = None) -> Iterator[Facts]:
    """The thoughts of the strategy whose turn it is; the last one has its `move`.

    Each has the number of dives that are `done`, `of` how many. Some have a `picture` of the board.
    Where people play behind views, the thoughts would show cards, so they have numbers alone.
    """
    found = link_of(link)
    seen, name = _strategy_turn(found, width)
    (game, seed, persons, *_), turns = seen.setting, seen.turns
    is_secret = game.hidden is not None and bool(persons)
    if name == "perfect":
        for step in solving(solved_of(found), turns[-1].state):
            yield {"done": 0, "of": 0, **step_facts(step)}
    player, of = player_in_steps(found, name)
    unit, ends = "games" if name.startswith("flat") else "dives", {*accumulate(parts_of(of))}
    rng, n = Random(f"{seed}/{len(turns) - 1}/move"), 0
    due = never if is_secret else partial(_is_due, seen.own, ends)
    for thought in thoughts(game, turns[-1], player, rng, bound=seen.setting.bound, due=due):
        known, done = thought.reports, done_in(thought.tree, seen.own)
        facts = {"done": done, "of": of, "unit": unit, "is_secret": is_secret}
        if thought.move is not None:
            move = {"move": labels_of(game, turns[-1])[turns[-1].moves.index(thought.move)]}
            is_known = known and len(seen.own.moves) > 1 and not is_secret
            yield {**facts, **move, **(_last(seen, player, known) if is_known else {})}
        else:
            yield {**facts, **(drawn(seen, known[-1]) if len(known) > n else {})}
        n = len(known)


def player_in_steps(link: Link, text: str) -> tuple[Player, int]:
    """The player with the name `text`, in short steps, and the number of dives or games."""
    setting = setting_of(link)
    if text == "perfect":
        return exact_player(solved_of(link).value), 0
    player = player_called(setting.game, text, bound=setting.bound, start=start_of(link))
    amount = dives_at(setting.game, text) if text in LEVELS else number_of(parts(text)[1])
    return at_pace(player, pace_of(link)), int(amount)


def _is_due(own: AnyTurn, ends: Container[int], n: int, tree: AnyTree) -> bool:
    """True for the trees that are drawn: those at the `ends`, and some between them.

    They are fewer with many moves to draw, and with a large tree, whose report takes long.
    """
    every = 1 + len(own.moves) // 10 + len(tree) // 2_000
    return n % every == 0 or done_in(tree, own) in ends


def step_facts(step: Progress, unit: str = "") -> Facts:
    """The progress of a search as numbers of dives or games, and of other work in words."""
    if step.label == "Hints":
        return {"done": step.done, "of": step.of, "unit": unit}
    of = "" if step.of is None else f" of {step.of:,}"
    return {"told": f"{step.label}: {step.done:,}{of}"}


def _strategy_turn(found: Link, width: float | None) -> tuple[Seen, str]:
    """The last turn, and the name of the strategy that has to move; else a ValueError."""
    seen = seen_turn(found, width)
    name = players_of(found).get(seen.turns[-1].player, PERSON)
    if name == PERSON or not seen.turns[-1].moves:
        raise ValueError("`link` must be at the turn of a strategy; got another position.")
    return seen, name


def _last(seen: Seen, player: Player, reports: Sequence[Report]) -> Facts:
    """The knowledge at the end of the thoughts, with what is certain."""
    steps = stages(reports)
    return {
        **known_facts(seen, reports[-1], "What it believed", player.final),
        "changes": table_facts(changes_table(steps)) if len(steps) > 1 else None,
    }


def known_facts(seen: Seen, known: Report, title: str, final: Final = mean) -> Facts:
    """A report as an object of JSON, with its pictures, its table and what is certain."""
    return {
        "report": facts(known),
        **drawn(seen, known, is_last=True),
        "table": table_facts(belief_table(known, title)),
        "certain": list(certain_lines(known)),
        "rule": rule_of(final) if any(row.learnt for row in known.rows) else "",
    }


def rule_of(final: Final) -> str:
    """The words for the way in which a player chooses among the moves of a tree."""
    most = "most visits" if final is visits else "best mean"
    return f"The move it would play: the one with the {most}."


def certain_lines(known: Report) -> Iterator[str]:
    """Sentences that say what is certain: the worth of the position, and of its moves."""
    yield from certain_notes(known)
    digits = digits_of(known.game.score_range)
    sure = [row for row in known.rows if row.certain is not None]
    if sure and known.certain is None:
        words = ", ".join(f"{row.label} {number(row.certain, digits)}" for row in sure[:8])
        more = f", and {len(sure) - 8} more" if len(sure) > 8 else ""
        worths = "this worth" if len(sure) == 1 else "these worths"
        yield f"The search has proved {worths}: {words}{more}."


# Hints


def kinds(link: Mapping[str, Any]) -> Facts:
    """The kinds of hints for the last turn of a link with their meanings, and the usual one."""
    found = link_of(link)
    game, turn = game_of(found), turns_of(found)[-1]
    exact = not game.hidden and is_quickly_solved(solved_of(found), turn.state)
    return {
        "kinds": [{"kind": kind, "meaning": KINDS[kind]} for kind in kinds_of(game)],
        "usual": "exact" if exact else "tree",
    }


def hints(
    link: Mapping[str, Any], kind: str, dives: int = HINT_DIVES, width: float | None = None
) -> Iterator[Facts]:
    """The hints of a kind for the person to move, again and again while a search goes on.

    Each has `rows`, with the text to put beside each move. The last one has all pictures.
    """
    found = link_of(link)
    seen = _person_turn(found, kind)._replace(width=width)
    if len(seen.own.moves) == 1 and kind != "exact":
        yield {"told": "There is only one move."}
        return
    if kind == "none":
        return
    setting, due = seen.setting._replace(dives=dives), partial(_is_due, seen.own, ())
    work = hinted(setting, seen.turns, kind, pace=pace_of(found), due=due)
    step, known = yield from _hinted(seen, kind, work)
    title = f"{kind}: {KINDS[kind]}"
    final = hint_final(seen.setting.game, kind)
    yield {**step, "rows": rows_of(seen, known), **known_facts(seen, known, title, final)}


def _hinted(
    seen: Seen, kind: str, work: Work[Report]
) -> Generator[Facts, None, tuple[Facts, Report]]:
    """The steps to a hint, with pictures where there is a report; then the last and the report."""
    unit, step, shown = "games" if kind == "random" else "dives", {"told": ""}, Facts()
    while True:
        try:
            found = next(work)
        except StopIteration as stop:
            return ({"told": ""} if kind == "exact" else step), stop.value
        if isinstance(found, Report):
            shown = {"rows": rows_of(seen, found), **drawn(seen, found)}
        elif isinstance(found, Progress):
            step = step_facts(found, unit)
            yield {**step, **shown}
            shown = {}


def _person_turn(found: Link, kind: str) -> Seen:
    """The last turn, if it is that of a person and `kind` is a kind of hints; else a ValueError."""
    seen = seen_turn(found)
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
    if row.certain is not None:
        return f"{number(row.certain, digits)} certain"
    return (
        f"{number(row.mean, min(digits, 3))} mean of {row.visits:,}" if row.visits else "not tried"
    )


# The cost of choices


def costs(link: Mapping[str, Any]) -> Iterator[Facts]:
    """The cost of each choice of the people in a game so far, the last first.

    Each step has the number of choices that are `done`, `of` how many. A step after a choice has
    the `table` of all that are known.
    """
    found = link_of(link)
    setting, turns, pace = setting_of(found), turns_of(found), pace_of(found)
    known: list[Cost] = []
    of = len(choices(turns, setting.persons))
    for step in costs_of(setting, turns, pace_of=lambda _: pace):
        if isinstance(step, Cost):
            known.append(step)
            table = cost_table(setting.game, known[::-1], "The cost of each choice")
            shown = {"choices": len(known), "of_choices": of, "table": table_facts(table)}
            yield {**shown, "moves": step.number}
        elif isinstance(step, Progress):
            yield {**step_facts(step, "dives"), "choices": len(known), "of_choices": of}


ANSWERS = {"kinds": kinds}
STEPS = {"think": think, "hints": hints, "costs": costs}
