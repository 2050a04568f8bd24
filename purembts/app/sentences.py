"""The sentences of a game in play: whose turn it is, events, moves, the result."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from purembts.app.hints import is_lost
from purembts.app.players import LEVELS, tactics_note
from purembts.app.positions import AnyGame, AnyTurn
from purembts.app.sessions import Setting
from purembts.app.steps import Said
from purembts.checks import MISTAKES
from purembts.game import E, Game, S, Turn, is_alone, movers_of
from purembts.play import move_called, move_labels, player_name
from purembts.positions import MOST_EVENTS

# Players and moves


def event_line(game: Game[S, E], turn: Turn[S, E], persons: Collection[int] = ()) -> str:
    """The sentence about an event: the player if several move, and if it allows no move.

    "" without an event, and at the end of a game if no other event would have allowed a move.
    """
    some = islice(game.chances(turn.state), MOST_EVENTS)
    if turn.event is None or not (turn.moves or any(game.moves(turn.state, at) for at in some)):
        return ""
    text, end = game.display.event(turn.event), "" if turn.moves else " No move is possible."
    if is_alone(game):
        return f"{text[:1].upper()}{text[1:]}.{end}"
    return f"{player_name(turn.player, persons).capitalize()}: {text}.{end}"


def move_line(game: Game[S, E], turn: Turn[S, E], move: S, persons: Collection[int] = ()) -> str:
    """The sentence that says which move was made.

    A name of a move that begins with a word is not put after another verb. Other persons read
    the name as it looks in their view.

    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> move_line(last_coin(), turn_at(last_coin(), Pile(5), None), Pile(3, 1))
    'Player 1: take 2.'
    """
    label = _label_for(game, turn, move, {*persons} - {turn.player})
    who = player_name(turn.player, persons).capitalize()
    if label.split(" ")[0].isalpha():
        return f"{who}: {label}."
    return f"{who} play{'' if who == 'You' else 's'} {label}."


def _label_for(game: Game[S, E], turn: Turn[S, E], move: S, readers: Collection[int]) -> str:
    """The name of a move. If hands are hidden, `readers` get its name in the view of the first."""
    if game.hidden and readers:
        with suppress(*MISTAKES):  # a name may be made for the views of the mover alone
            view, reader = game.hidden.view, min(readers)
            return game.display.label(view(turn.state, reader), view(move, reader))
    return game.display.label(turn.state, move)


def outcome(game: Game[S, E], state: S, persons: Collection[int] = ()) -> str:
    """The result of a game that has ended, in words, and the points if it has some."""
    scores = game.result(state)
    if set(scores) <= {0, 0.5, 1} and game.players > 1:
        return _winner(game, scores, persons)
    points, n = ", ".join(f"{float(score):+g}" for score in scores), len(scores)
    of = f" of player{f's 1 to {n}' if n > 1 else ' 1'}"
    return f"{_winner(game, scores, persons)} Points{of}: {points}.".lstrip()


def _winner(game: Game[S, E], scores: Sequence[float], persons: Collection[int]) -> str:
    """The players with the highest score, as a sentence; "" in a game of one player."""
    if len(scores) == 1:
        return ""
    best = [player for player, score in enumerate(scores) if score == max(scores)]
    person = next(iter(persons)) if len(persons) == 1 else None
    if person is not None and (len(scores) == 2 or person in best):
        if person not in best:
            return "You lose."
        return "You win." if best == [person] else _DRAW
    if len(best) > 1:
        return _DRAW
    if is_alone(game) and best[0] not in movers_of(game):
        return f"{player_name(movers_of(game)[0]).capitalize()} loses."
    return f"{'' if person is None else 'You lose. '}{player_name(best[0]).capitalize()} wins."


_DRAW = "It is a draw."


def move_meant(game: Game[S, E], turn: Turn[S, E], text: str) -> S:
    """The move whose label, or whose number from 1, is `text`. A ValueError if there is none.

    A label comes first, as labels can be numbers.
    """
    labels = move_labels(game, turn)
    if text not in labels and text.isascii() and text.isdecimal():
        place = int(text) if len(text) < 9 else 0
        if 0 < place <= len(labels):
            return turn.moves[place - 1]
    return move_called(game, turn, text)


HIDE = "\n" * 60
"""The text that moves a view off the screen."""
MOST_LISTED, MOST_ON_BOARD = 40, 20
"""The most moves that are listed before a person types l: usually, and if a board names them."""


def moves_said(game: AnyGame, turn: AnyTurn, most: int | None = None) -> Said:
    """The moves with their numbers, or their count alone if there are more than `most`."""
    label, n = game.display.label, len(turn.moves)
    usual = MOST_LISTED if game.display.squares is None else MOST_ON_BOARD
    if n > (most or usual):
        first = label(turn.state, turn.moves[0])
        return Said((f"  {n} moves, for example {first}; type l for all of them",))
    width = len(str(n))
    entries = (f"{i:>{width}}: {label(turn.state, move)}" for i, move in enumerate(turn.moves, 1))
    return Said((), tuple(entries))


# The first lines of a game


def first_lines(setting: Setting, turn: AnyTurn) -> Iterator[str]:
    """The first lines of a game, whose first turn is `turn`: who plays, and help for people."""
    game, persons, note = setting.game, setting.persons, tactics_note(setting.game)
    names = {seat: name + note if name in LEVELS else name for seat, name in setting.names.items()}
    others = ", ".join(f"{player_name(seat)} is {name}" for seat, name in names.items())
    if not persons:
        yield f"{game.name}: {others}."
        return
    seats = " and ".join(str(person + 1) for person in sorted(persons))
    who = "players" if len(persons) > 1 else "player"
    you = f"You are {who} {seats}; {others}." if others else ""
    yield f"{game.name}. {you}".rstrip()
    yield "Type a move or its number, or ? for the rules and other words."
    if len(persons) == 1 and is_lost(game, turn, min(persons)):
        lost = "This start is lost for you if the others play best."
        yield f"{lost} --from begins elsewhere, and --seats takes another seat."
