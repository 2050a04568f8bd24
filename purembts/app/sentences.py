"""The texts of a game in play: who moves where, the result, lists of moves, the marked board."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from textwrap import fill

from toolz import partition_all

from purembts.app.kinds import AnyGame, Position
from purembts.app.thinking import Thought, own_turn, worth
from purembts.display import Display
from purembts.game import E, Game, S, Turn, result_of
from purembts.play import is_alone, move_called, movers_of
from purembts.report import Report, columns_called
from purembts.tables import Column, Table, as_text, text_width

# Players and moves


def name(player: int, persons: Collection[int]) -> str:
    """The name of a player: You for the only person, otherwise a number from 1."""
    return "You" if set(persons) == {player} else f"Player {player + 1}"


def is_event_told(game: Game[S, E], turn: Turn[S, E]) -> bool:
    """True if there is an event; at the end of a game, if other events would have allowed moves."""
    if turn.event is None or turn.moves:
        return turn.event is not None
    return any(game.moves(turn.state, event) for event in game.chances(turn.state))


def event_line(game: Game[S, E], turn: Turn[S, E], persons: Collection[int] = ()) -> str:
    """The event of a turn, whose it is if several players move, and if it allows no move."""
    text, end = game.display.event(turn.event), "" if turn.moves else " No move is possible."
    if is_alone(game):
        return f"{text[:1].upper()}{text[1:]}.{end}"
    return f"{name(turn.player, persons)}: {text}.{end}"


def move_line(game: Game[S, E], turn: Turn[S, E], move: S, persons: Collection[int] = ()) -> str:
    """The sentence that says which move was made.

    A name of a move that begins with a word is not put after another verb.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> move_line(last_coin(), turn_at(last_coin(), Pile(5), None), Pile(3, 1))
    'Player 1: take 2.'
    >>> from purembts.games.mnk import tic_tac_toe
    >>> turn = turn_at(tic_tac_toe, tic_tac_toe.start, None)
    >>> [move_line(tic_tac_toe, turn, turn.moves[0], persons) for persons in ({0, 1}, {0})]
    ['Player 1 plays a1.', 'You play a1.']
    """
    label, who = game.display.label(turn.state, move), name(turn.player, persons)
    if label.split(" ")[0].isalpha():
        return f"{who}: {label}."
    return f"{who} play{'' if who == 'You' else 's'} {label}."


def outcome(game: Game[S, E], state: S, persons: Collection[int] = ()) -> str:
    """The result of a game that has ended, in words, and the points if it has some.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> outcome(last_coin(), Pile(0, 1)), outcome(last_coin(), Pile(0, 1), {1})
    ('Player 1 wins.', 'You lose.')
    """
    scores = result_of(game, state)
    if set(scores) <= {0, 0.5, 1} and game.players > 1:
        return _winner(game, scores, persons)
    points, n = ", ".join(f"{score:+g}" for score in scores), len(scores)
    of = f" of player{f's 1 to {n}' if n > 1 else ' 1'}"
    return f"{_winner(game, scores, persons)} Points{of}: {points}.".lstrip()


def _winner(game: Game[S, E], scores: Sequence[float], persons: Collection[int]) -> str:
    if len(scores) == 1:
        return ""
    best = [player for player, score in enumerate(scores) if score == max(scores)]
    own = next(iter(persons)) if len(persons) == 1 else None
    if own is not None and (len(scores) == 2 or own in best):
        return "You lose." if own not in best else "You win." if best == [own] else _DRAW
    if len(best) > 1:
        return _DRAW
    if is_alone(game) and best[0] not in movers_of(game):
        return f"Player {movers_of(game)[0] + 1} loses."
    return f"{'' if own is None else 'You lose. '}Player {best[0] + 1} wins."


_DRAW = "It is a draw."


def move_meant(game: Game[S, E], turn: Turn[S, E], text: str) -> S:
    """The move that `text` means, by its label or its number from 1; a ValueError says why none.

    A label comes first, as labels can be numbers.
    """
    labels = [game.display.label(turn.state, move) for move in turn.moves]
    if text not in labels and text.isascii() and text.isdecimal():
        place = int(text) if len(text) < 9 else 0
        if 0 < place <= len(labels):
            return turn.moves[place - 1]
    return move_called(game, turn, text)


BELIEFS = ("move", "after", "visits", "mean", "95 % interval", "exact")
"""The columns of the beliefs about moves."""

_HINTED = 10
"""The most moves that are shown with hints, the best of them."""


def hint_table(known: Report, meaning: str) -> Table:
    """The best moves of a report with their numbers and worth, in the order of the numbers."""
    numbered = list(enumerate(known.rows, 1))
    valued = [one for one in numbered if worth(one[1]) > -inf] or numbered
    ranked = sorted(valued, key=lambda one: (one[1].learnt, worth(one[1])), reverse=True)
    best = sorted(ranked[:_HINTED])
    rest = len(known.rows) - len(best)
    # The notes of the first column come first, below its last row.
    better = " that are not better" if len(valued) == len(numbered) else ""
    more = f"and {rest} more{better}" if rest else ""
    numbers, rows = Column("", tuple(f"{n}:" for n, _ in best), note=more), [row for _, row in best]
    columns = columns_called(BELIEFS, known, rows)
    return Table(meaning, (numbers, *columns))


def in_columns(entries: Sequence[str], width: int) -> Iterator[str]:
    """The lines of a list in columns.

    >>> list(in_columns(["1: a1", "2: b1", "3: c1"], 20))
    ['  1: a1  2: b1', '  3: c1']
    """
    wide = max(map(len, entries), default=0) + 2
    for row in partition_all(max(1, (width - 2) // wide), entries):
        yield f"  {''.join(entry.ljust(wide) for entry in row)}".rstrip()


# Lines


def fitted(text: str, width: int) -> str:
    r"""`text` with its lines broken between words where they are wider than `width`.

    >>> print(fitted("The others: player 2\n short", 16))
    The others:
      player 2
     short
    """
    filled = partial(
        fill, width=width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(
        filled(line) if text_width(line) > width else line for line in text.split("\n")
    )


# The last move on a board of text

EMPTY = ".-_·"
"""The signs that a board of text has in its empty squares."""


def shown_to_mover(game: Game[S, E], turn: Turn[S, E], before: S | None) -> str:
    """The position of a turn with the last move marked; the view of its player, where there is one.

    At the end of a game nothing is hidden.
    """
    if game.hidden and turn.moves:
        return game.display.show(own_turn(game, turn).state)
    return marked(game.display, before, turn.state)


def marked(display: Display[S], before: S | None, after: S) -> str:
    """The text of `after`, with brackets around what stands in the place of the signs of `before`.

    Lines of other lengths are not compared, as their texts stand in other places.

    >>> from purembts.games.mnk import tic_tac_toe
    >>> start = tic_tac_toe.start
    >>> print(marked(tic_tac_toe.display, start, tic_tac_toe.moves(start, None)[4]))
     3 . . .
     2 .(x).
     1 . . .
       a b c
    """
    old = [] if before is None else display.show(before).split("\n")
    new = display.show(after).split("\n")
    if len(old) != len(new):
        return "\n".join(new)
    return "\n".join(_marked_line(*lines) for lines in zip(old, new, strict=True))


def _marked_line(was: str, line: str) -> str:
    """`line`, with brackets around the characters that were signs, in the place of blanks."""
    pairs = list(zip(was, line, strict=True)) if len(was) == len(line) else []
    new = [i for i, (a, b) in enumerate(pairs) if a in EMPTY and b not in EMPTY and b != " "]
    for i in reversed(new):
        head, tail = line[:i].removesuffix(" "), line[i + 1 :].removeprefix(" ")
        line = f"{head}({line[i]}){tail}"
    return line


def beginning(game: AnyGame, names: Mapping[int, str]) -> str:
    """The first line of a game between the strategies with these `names`."""
    players = (f"player {player + 1} is {text}" for player, text in names.items())
    return f"{game.name}: {', '.join(players)}."


def turn_text(game: AnyGame, before: Position, thought: Thought, width: int) -> str:
    """The position of a turn, the event, what the player believes of the moves, and its move.

    `before` is the position before the last move, which is marked. At the end of the game the
    result stands in the place of the move.
    """
    turn = thought.turn
    lines = ["", shown_to_mover(game, turn, before)]
    if is_event_told(game, turn):
        lines.append(event_line(game, turn))
    if thought.report:
        table = hint_table(thought.report, f"What player {turn.player + 1} believes")
        lines.append(as_text(table, width))
    lines.append(move_line(game, turn, thought.move) if turn.moves else outcome(game, turn.state))
    return fitted("\n".join(lines), width)
