"""The forms in which a prompt and a notebook show a value of the library.

`shown` recognises a value by its type and its content, and knows no game: a position is shown by
the game whose position it is. Values of all other kinds have no form here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import islice
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from purembts import pictures
from purembts.app.estimates import arms_table
from purembts.app.game_results import positions_table
from purembts.app.kinds import AnyGame, AnyTree, Position
from purembts.app.sentences import fitted
from purembts.app.steps import counted
from purembts.bandits import Pulls
from purembts.checks import brief
from purembts.display import digits_of, number, one_line, span
from purembts.game import MISTAKES, Game, events_of, first_position
from purembts.loading import fields_of
from purembts.pictures.charts import Chart
from purembts.pictures.svg import Picture
from purembts.play import movers_of
from purembts.records import NOTHING, Record, interval, mean
from purembts.report import Report, Row, reports, table, whose
from purembts.tables import Column, Table, as_html, as_text

Games = Sequence[AnyGame]
Worths: TypeAlias = Mapping[Position, Any]
"""A map from positions to worths or to ranges."""


class Shown(NamedTuple):
    """A value in words, and as HTML or SVG; "" without such a form."""

    text: str
    html: str = ""
    svg: str = ""


def shown(value: object, games: Games, width: int = 80) -> Shown | None:
    """The forms of `value`; None for every value that is not one of the library.

    A position is shown by the first of `games` that it belongs to. The text of a table is at most
    `width` characters wide where its columns allow it.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> print(shown(Pile(2), [last_coin()]).text)
    oo
    2 coins; player 1 takes
    >>> print(shown(Record(100, (3, 97)), []).text)
    Record(visits=100, scores=(3, 97)): mean 0.0300, 95 % interval 0.0103 to 0.0845
    >>> shown(frozenset({"a"}), [last_coin()]), shown((1, 2), [last_coin()])
    (None, None)
    """
    if made := _table(value, games):
        return Shown(as_text(made, width), as_html(made))
    if line := _line(value):
        line = line if len(line) <= width else line.replace(": ", ":\n  ", 1)
        return Shown(fitted(line, width))
    if is_tree(value):
        return _tree(value, games, width)
    if isinstance(value, tuple) and len(value) == 2 and is_tree(value[0]):
        tree, rest = _tree(value[0], games, width), f"and {brief(value[1])}"
        html = f"{tree.html}<p>{escape(rest)}</p>" if tree.html else ""
        return Shown(f"{tree.text}\n{rest}", html)
    return _position(value, games)


def _line(value: object) -> str:
    """The text of a record, a game, a picture or a chart; "" for every other value."""
    if isinstance(value, Record):
        return f"{value}: {_means(value)}"
    if isinstance(value, Picture | Chart):
        kind, svg = type(value).__name__, "_" if isinstance(value, Picture) else "pictures.chart(_)"
        see = f'Path("{kind.lower()}.svg").write_text({svg}.svg)'
        return f"{kind}: {value.title}. To see it: {see}"
    if not isinstance(value, Game):
        return ""
    variant = ", ".join(f"{name}={own!r}" for name, own in fields_of(value).items())
    return f"Game: {value.name}{f' ({variant})' if variant else ''}"


def _means(record: Record) -> str:
    """The mean of the first player with its interval, or those of all if scores are not 0 to 1."""
    if not record.visits:
        return "no visits"
    if all(0 <= points <= record.visits for points in record.scores):
        return f"mean {number(mean(record))}, 95 % interval {span(interval(record))}"
    players = range(len(record.scores))
    return f"means {', '.join(number(mean(record, player)) for player in players)}"


def _table(value: object, games: Games) -> Table | None:
    """The table of reports, of a table of moves, of the arms of a bandit, or worths."""
    if isinstance(value, Table):
        return value
    if are_worths(value):
        return worths_table(value, games)
    many: Any = (value,) if isinstance(value, Report) else value
    kinds = set(map(type, many)) if isinstance(many, tuple) else set()
    return table(many) if kinds == {Report} else arms_table(many) if kinds == {Pulls} else None


# Worths of positions


def are_worths(value: object) -> TypeGuard[Worths]:
    """True if `value` is a persistent map from positions to worths or to ranges, and not empty."""
    return _is_map(value) and all(
        type(own) is tuple and all(type(each) is Fraction for each in own) for own in value.values()
    )


def worths_table(worths: Worths, games: Games = ()) -> Table:
    """The table of `proving.settled`: positions with worths.

    The positions are in the order of their JSON. A game that is not known has no names for them.
    """
    game = _known(worths, games)
    states = sorted(worths, key=game.json.encode) if game and game.json else list(worths)
    digits = digits_of(game.score_range) if game else 4
    players = movers_of(game) if game else range(len(worths[states[0]]))
    heads = [f"worth for player {player + 1}" for player in players]
    title = f"{game.name if game else 'Positions'}: {counted(len(states), 'position')}"
    return positions_table(
        f"{title}, each with its certain worth",
        ["to move", *(["worth"] if len(heads) == 1 else heads)],
        states,
        lambda state: [number(worths[state][player], digits) for player in players],
        game,
    )


# Trees


def _is_map(value: object) -> TypeGuard[Worths]:
    """True if `value` is a persistent map, and not empty."""
    return isinstance(value, Mapping) and hasattr(value, "set") and len(value) > 0


def is_tree(value: object) -> TypeGuard[AnyTree]:
    """True if `value` is a persistent map with a record for each position, and not empty."""
    return _is_map(value) and all(type(own) is Record for own in value.values())


def _tree(tree: AnyTree, games: Games, width: int) -> Shown:
    """The size of a tree and its best lines, if the game of its first position is known."""
    first = max(tree.items(), key=lambda item: item[1].visits)
    most = first[1].visits
    size = f"tree of {counted(len(tree), 'position')} with up to {counted(most, 'visit')}"
    game = game_of(first[0], games)
    if game is None:
        return Shown(f"A {size}")
    try:
        has_start = (tree.get(game.start) or NOTHING).visits == most
        begin = game.start if has_start else first[0]
        lines = best_lines(game, tree, begin)
        drawn = pictures.tree(game, tree, begin)
    except MISTAKES:  # a tree of views
        return Shown(f"{game.name}: {size}")
    lines = lines._replace(title=f"{lines.title}: {size}")
    return Shown(as_text(lines, width), f"{drawn.svg}\n{as_html(lines)}")


def best_lines(game: AnyGame, tree: AnyTree, state: Position, *, most: int = 5) -> Table:
    """The `most` best moves of the records at `state`, or the best move after each event.

    The column `then` has the moves that the records play next, until chance decides.
    """
    many = reports(game, state, tree)
    most = most if len(many) == 1 else 1
    best = [
        each._replace(
            rows=tuple(sorted(each.rows, key=lambda row: (not row.learnt, -row.visits))[:most])
        )
        for each in many
    ]
    lines = [_then(game, tree, row) if row else "" for each in best for row in each.rows or (None,)]
    top = table(best)
    then = (Column("then", tuple(lines), is_text=True, importance=3),) if any(lines) else ()
    player = whose(many[0], ", player")
    mover = f"{player} to move" if player else ""
    kept = [each for each in top.columns if each.heading not in ("explore", "bound", "")]
    return Table(f"{game.name}{mover}", (*kept, *then))


def _then(game: AnyGame, tree: AnyTree, row: Row) -> str:
    """The names of the moves that the records play after `row`, up to about 20 characters."""
    labels: list[str] = []
    state = row.move
    while len(", ".join(labels)) < 20 and len(set(events_of(game, state))) == 1:
        rows = reports(game, state, tree)[0].rows
        played = next((each for each in rows if each.learnt), None)
        if played is None:
            break
        state = played.move
        labels.append(one_line(played.label))
    return ", ".join(labels)


# Positions


def _position(value: object, games: Games) -> Shown | None:
    game = game_of(value, games)
    try:
        return game and Shown(game.display.show(value), svg=pictures.position(game, value).svg)
    except MISTAKES:
        return None


def game_of(value: object, games: Iterable[AnyGame]) -> AnyGame | None:
    """The first of `games` that has `value` as a position, or as the view of a player.

    The type of `value` must be the type of the positions. A value that the game's JSON does not
    know is no position. Types of Python are positions of no game, but for a frozenset that is not
    empty and that the game's JSON knows: the levers of a box.
    """
    is_own = type(value).__module__ != "builtins"
    if not is_own and not (isinstance(value, frozenset) and value):
        return None
    return next((game for game in games if _has(game, value, is_own=is_own)), None)


def _known(states: Iterable[Position], games: Games) -> AnyGame | None:
    """The game of the first two of `states`, as the shut box alone is no position of a game."""
    return next(filter(None, (game_of(state, games) for state in islice(states, 2))), None)


def _has(game: AnyGame, value: object, *, is_own: bool) -> bool:
    try:
        first = first_position(game, Random("first"))
        if game.hidden and type(value) is type(game.hidden.view(first, game.to_move(first))):
            return True
        if type(value) is not type(first) or game.json is None:
            return type(value) is type(first) and is_own
        return bool(game.json.decode(game.json.encode(value)) == value)
    except MISTAKES:
        return False


def games_used(names: Mapping[str, Any], inputs: Iterable[str]) -> Iterator[AnyGame]:
    """The games among `names` that `inputs` mention, the last one first."""
    for text in reversed(list(inputs)):
        for word in reversed(re.findall(r"\w+", text)):
            if isinstance(names.get(word), Game):
                yield names[word]
