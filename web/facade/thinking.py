"""A player who thinks, hints, and the costs of choices: knowledge that takes time, step by step."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from facade.links import (
    PERSON,
    Link,
    game_of,
    labels_of,
    link_of,
    persons_of,
    players_of,
    turns_of,
)
from facade.parts import (
    bound_of,
    dives_of_part,
    exact_of,
    is_quickly_solved,
    player_in_parts,
    rule_of,
    sized_facts,
    solving,
    split,
)
from facade.scenes import picture_facts, table_facts
from purembts.app.frames import changes_table, stages
from purembts.app.hints import (
    HINT_GAMES,
    KINDS,
    Cost,
    Turns,
    best_row,
    choices,
    cost_table,
    hint_player,
    worth,
)
from purembts.app.results import facts
from purembts.app.sentences import BELIEFS
from purembts.app.sitting import HINT_DIVES, kinds_of
from purembts.app.thinking import (
    certain_worths,
    known_by,
    own_turn,
    usual_dives,
)
from purembts.display import digits_of, number
from purembts.game import Game, Turn, checked_move
from purembts.mcts import Final
from purembts.pictures import moves as moves_picture
from purembts.pictures import position
from purembts.players import Player, parts_of, turn_moves
from purembts.records import NOTHING, Tree, as_tree, mean
from purembts.report import Facts, Report, Row, certain_notes, columns_called
from purembts.tables import Table

# Pictures


def every(own: Turn[Any, Any]) -> int:
    """The number of parts from one picture to the next: more with many moves to draw."""
    return 1 + len(own.moves) // 10


class Seen(NamedTuple):
    """A turn as its player sees it, and the position before it if the page shows the last move."""

    link: Link
    game: Game[Any, Any]
    turn: Turn[Any, Any]
    own: Turn[Any, Any]
    before: Any
    number: int
    """The number of the turn, from 0."""
    width: float | None = None
    """The width of the pictures of moves inside their margins; None for the usual one."""


def seen_turn(link: Link, turns: Turns, n: int, width: float | None = None) -> Seen:
    """Turn `n` of a game as its player sees it."""
    game = game_of(link)
    before = turns[n - 1].state if n and game.hidden is None else None
    return Seen(link, game, turns[n], own_turn(game, turns[n]), before, n, width)


def drawn(seen: Seen, known: Report, *, is_last: bool = False) -> Facts:
    """The `picture` of the board with the heat map of `known`, and that of the `moves`.

    A game without squares has no heat map. Before the end, a game with squares has no other one.
    """
    has_squares = seen.game.display.squares is not None
    board = position(seen.game, seen.own.state, before=seen.before, known=with_exact(known))
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
    is_secret = seen.game.hidden is not None and bool(persons_of(found))
    for told in solving(found, seen.turn.state) if name == "perfect" else ():
        yield {"done": 0, "of": 0, "told": told}
    player, of = player_in_parts(found, seen.own, name)
    unit = "games" if name.startswith("flat") else "dives"
    rng = Random(f"{found.seed}/{seen.number}/move")
    known: list[Report] = []
    tree: Tree[Any] = as_tree({})
    for tree, is_new in _trees(seen, player, rng, {*accumulate(parts_of(of))}):
        if is_new and not is_secret:
            known.append(_report(seen, player, tree))
        shown = drawn(seen, known[-1]) if is_new and known else {"is_secret": is_secret}
        yield {"done": _done(tree, seen.own), "of": of, "unit": unit, **shown}
    move = checked_move(seen.own, player.choose(seen.own, tree, rng))
    done = {"done": _done(tree, seen.own), "of": of, "unit": unit, "move": _label(seen, move)}
    yield {**done, **({} if is_secret else _last(seen, player, known, tree))}


def _strategy_turn(found: Link, width: float | None) -> tuple[Seen, str]:
    """The last turn, and the name of the strategy that has to move; else a ValueError."""
    turns = turns_of(found)
    name = players_of(found).get(turns[-1].player, PERSON)
    if name == PERSON or not turns[-1].moves:
        raise ValueError("`link` must be at the turn of a strategy; got another position.")
    return seen_turn(found, turns, len(turns) - 1, width), name


def _trees(
    seen: Seen, player: Player, rng: Random, ends: Container[int]
) -> Iterator[tuple[Tree[Any], bool]]:
    """The trees of a player, and True for those that are drawn: some, and those at the `ends`.

    A single move needs no thought.
    """
    before, own = None, seen.own
    for n, tree in enumerate(player.trees(own, rng) if len(turn_moves(own)) > 1 else ()):
        is_told = player.value or any((tree.get(move) or NOTHING).visits for move in own.moves)
        is_due = n % every(own) == 0 or _done(tree, own) in ends
        is_new = bool(is_told) and tree is not before and is_due
        before = tree if is_new else before
        yield tree, is_new


def _report(seen: Seen, player: Player, tree: Tree[Any], **options: Any) -> Report:
    return known_by(player, seen.game, seen.own, tree, bound=bound_of(seen.link), **options)


def _done(tree: Tree[Any], own: Turn[Any, Any]) -> int:
    """The number of dives in a tree from its first position, or of games after its moves."""
    if record := tree.get(own.state):
        return record.visits
    return sum((tree.get(move) or NOTHING).visits for move in own.moves)


def _label(seen: Seen, move: Any) -> str:  # noqa: ANN401
    return labels_of(seen.game, seen.turn)[seen.own.moves.index(move)]


def _last(seen: Seen, player: Player, before: list[Report], tree: Tree[Any]) -> Facts:
    """The knowledge at the end of the thoughts, with what is certain."""
    if len(seen.own.moves) == 1 or not (player.value or _done(tree, seen.own)):
        return {}
    worths = certain_worths(seen.game, tree, seen.own.state)
    known = _report(seen, player, tree, certain=worths)
    steps = [each for each in before if each.record.visits < known.record.visits]
    return {
        **known_facts(seen, known, "What it believed", player.final),
        "changes": table_facts(changes_table(stages([*steps, known]))) if len(steps) > 1 else None,
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
    exact = not game.hidden and is_quickly_solved(found, turn.state)
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
    seen = _person_turn(link_of(link), kind)._replace(width=width)
    if len(seen.own.moves) == 1 and kind != "exact":
        yield {"told": "There is only one move."}
        return
    title = f"{kind}: {KINDS[kind]}"
    rng = Random(f"{seen.link.seed}/{seen.number}/hints")
    for step, known, is_last in knowing(seen, kind, rng, dives) if kind != "none" else ():
        if known is None:
            yield step
        elif is_last:
            yield {**step, "rows": rows_of(seen, known), **known_facts(seen, known, title)}
        else:
            yield {**step, "rows": rows_of(seen, known), **drawn(seen, known)}


def _person_turn(found: Link, kind: str) -> Seen:
    """The last turn, if it is that of a person and `kind` is a kind of hints; else a ValueError."""
    turns = turns_of(found)
    seen = seen_turn(found, turns, len(turns) - 1)
    if not seen.turn.moves or seen.turn.player not in persons_of(found):
        raise ValueError("`link` must be at the turn of a person; got another position.")
    if kind not in kinds_of(seen.game):
        right = ", ".join(kinds_of(seen.game))
        raise ValueError(f"`kind` must be one of {right}; got {kind}.")
    return seen


def knowing(
    seen: Seen, kind: str, rng: Random, dives: int, *, is_hint: bool = True
) -> Iterator[tuple[Facts, Report | None, bool]]:
    """The steps of `history.knowledge` in short parts, and True for the last one.

    A step has the numbers of what is done. Not every step has a report.
    """
    game, own, value = seen.game, seen.own, exact_of(seen.link).value
    player = hint_player(game, kind, dives, bound_of(seen.link), value, is_hint=is_hint)
    if kind == "exact":
        for words in solving(seen.link, seen.turn.state):
            yield {"told": words}, None, False
        yield {"told": ""}, _report(seen, player, as_tree({})), True
        return
    k, of = dives_of_part(game, own), dives if kind == "tree" else HINT_GAMES
    unit = "dives" if kind == "tree" else "games"
    tree: Tree[Any] = as_tree({})
    for n, tree in enumerate(player.trees(own, rng, lambda parts: split(k, [sum(parts)]))):
        # A large tree is seldom told, because this takes long.
        is_due = n % (every(own) + len(tree) // 2_000) == 0
        known = _report(seen, player, tree) if is_due else None
        yield {"done": _done(tree, own), "of": of, "unit": unit}, known, False
    end = _report(seen, player, tree, certain=certain_worths(game, tree, own.state))
    yield {"done": _done(tree, own), "of": of, "unit": unit}, end, True


def rows_of(seen: Seen, known: Report) -> list[Facts]:
    """For each move its label, the text to put beside it, and its numbers."""
    digits = digits_of(known.game.score_range)
    labels = labels_of(seen.game, seen.turn)
    return [
        {
            "label": label,
            "text": _beside(row, digits),
            "best": row.best or row.learnt,
            "mean": row.mean,
            "interval": list(row.interval) if row.interval else None,
            "certain": None if row.certain is None else float(row.certain),
            "exact": None if row.exact is None else str(row.exact),
        }
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
    game, turns = game_of(found), turns_of(found)
    made = choices(turns, persons_of(found))
    known: list[Cost] = []
    kind = "exact"
    for n in reversed(made):
        seen = seen_turn(found, turns, n)
        for step, cost, found_kind in _cost(seen, turns, kind):
            if cost is None:
                yield {**step, "choices": len(known), "of_choices": len(made)}
            else:
                known.append(cost)
                kind = found_kind
        table = cost_table(game, known[::-1], "The cost of each choice")
        shown = {"choices": len(known), "of_choices": len(made), "table": sized_facts(table)}
        yield {**shown, "moves": seen.number}


def _cost(seen: Seen, turns: Turns, kind: str) -> Iterator[tuple[Facts, Cost | None, str]]:
    """The steps to the cost of the choice in a turn, and the kind of knowledge.

    The kind is exact as far back as few positions follow. Before that it is a search.
    """
    if kind == "exact":
        try:
            for told in solving(seen.link, seen.turn.state):
                yield {"told": told}, None, kind
        except ValueError:
            kind = "tree"
    rng = Random(f"{seen.link.seed}/{seen.number}/cost")
    dives = usual_dives(len(seen.turn.moves))
    for step, known, is_last in knowing(seen, kind, rng, dives, is_hint=False):
        if is_last and known:
            made = known.rows[seen.turn.moves.index(turns[seen.number + 1].state)]
            yield step, Cost(seen.number, known, made, best_row(known, made)), kind
        else:
            yield step, None, kind


ANSWERS = {"kinds": kinds}
STEPS = {"think": think, "hints": hints, "costs": costs}
