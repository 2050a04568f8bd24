"""A person as a player: of any game, and of Shut the Box as in task 9 of the workshop."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from purembts.chance import Rng, random
from purembts.checks import brief
from purembts.game import E, Game, S, Strategy, Turn
from purembts.games.shut_the_box import Box
from purembts.play import listed, move_called
from purembts.players import turn_moves
from purembts.records import Scores
from purembts.workshop import (
    LOSS,
    WIN,
    Hints,
    as_box,
    box_to_str,
    choice_line,
    dice_roll,
    is_win,
    possible_moves,
    start_box,
)

Read: TypeAlias = Callable[[str], str]
"""Gets a prompt and returns a line, as `input` does."""
Write: TypeAlias = Callable[[str], object]
"""Gets a line, as `print` does."""


def person(game: Game[S, E], *, read: Read = input, write: Write = print) -> Strategy[S, E]:
    """The strategy that shows each turn to a person and asks for the name of a move.

    The question lists the first names. After an answer that names no move, the person is asked
    again. A move that is the only one is made without asking. End of input and Ctrl-C end the game,
    as EOFError and KeyboardInterrupt.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from purembts.play import play_game
    >>> from purembts.players import perfect_player
    >>> coins, answers = last_coin(), iter(["3", "take 2", "Take 1"])
    >>> me = person(coins, read=lambda prompt: next(answers))
    >>> play_game(coins, Pile(5), (me, perfect_player(coins)))
    ooooo
    5 coins; player 1 takes
    The move must be one of these: take 1, take 2; got '3'.
    oo
    2 coins; player 1 takes
    (0, 1)
    """

    def choose(turn: Turn[S, E], rng: Rng) -> S:  # noqa: ARG001
        only = turn_moves(turn)[0]  # a ValueError at the end of the game
        write(game.display.show(turn.state))
        if turn.event is not None:
            event = game.display.event(turn.event)
            write(f"{event[:1].upper()}{event[1:]}")
        names = listed([game.display.label(turn.state, move) for move in turn.moves])
        while len(turn.moves) > 1:
            try:
                return move_called(game, turn, str(read(f"Your move ({names}): ")))
            except ValueError as error:
                write(str(error))
        write(f"Only {names}.")
        return only

    return choose


def play_game_user(
    box: Box = start_box,
    rng: Rng = random,
    *,
    hints: Hints | None = None,
    read: Read = input,
    write: Write = print,
) -> Scores | None:
    """The result of a game from `box` in which a person chooses; None if the person leaves it.

    The choices are numbered, each with its hint if there are `hints`. After an answer that is not
    one of the numbers, the person is asked again. End of input and Ctrl-C leave the game. `read`
    gets a prompt and returns an answer, as `input` does; `write` gets a line, as `print` does.
    """
    if hints is not None and not hasattr(hints, "get"):
        raise ValueError(f"`hints` must be a map from boxes; got {brief(hints)}.")
    box = as_box(box)
    while not is_win(box):
        moves = possible_moves(box, roll := dice_roll(rng))
        write(f"Box [{box_to_str(box)}]  roll {roll}")
        if not moves:
            write("No levers add up to that: you lose.")
            return LOSS
        try:
            box = _choose(box, moves, hints, read, write)
        except (EOFError, KeyboardInterrupt):
            write("\nYou leave the game.")
            return None
    write("The box is shut: you win.")
    return WIN


def _choose(box: Box, moves: Sequence[Box], hints: Hints | None, read: Read, write: Write) -> Box:
    """The move that the person chooses. A move that is the only one is made without asking."""
    lines = [choice_line(box, move, hints) for move in moves]
    if len(lines) == 1:
        write(f"  only {lines[0]}")
        return moves[0]
    for number, line in enumerate(lines, 1):
        write(f"  {number}: {line}")
    choices = {str(number): move for number, move in enumerate(moves, 1)}
    while (answer := str(read(f"Your choice, 1 to {len(choices)}: ")).strip()) not in choices:
        write(f"{brief(answer)} is not one of the choices.")
    return choices[answer]
