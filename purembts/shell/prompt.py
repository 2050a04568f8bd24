"""The user in control: of any game, and of Shut the Box as in task 9 of the workshop."""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from purembts.chance import Rng
from purembts.checks import an_rng, brief
from purembts.game import E, Game, S, Turn, draw_turn, move_called
from purembts.games.shut_the_box import (
    USUAL,
    WIN,
    Box,
    Roll,
    Rules,
    box_or_full,
    box_to_str,
    shut_the_box,
)
from purembts.play import Strategy
from purembts.records import NOTHING, Record, Scores, Tree, interval, mean

Read: TypeAlias = Callable[[str], str]
"""Gets a prompt and returns a line, as `input` does."""
Write: TypeAlias = Callable[[str], object]
"""Gets a line, as `print` does."""
Hints: TypeAlias = Mapping[Any, Record | Fraction | float] | Tree[Any]
"""What is known of boxes, as records or as probabilities: a `look_up_table`, a tree, the
`optimal_table`, the complete tree, or a dict of your own."""


def person(game: Game[S, E], *, read: Read = input, write: Write = print) -> Strategy[S, E]:
    """The strategy that shows each turn to the user and asks for a move by its name.

    A single move is made without asking; what is not a move is asked for again. End of input and
    Ctrl-C end the game as they are, as EOFError and KeyboardInterrupt.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from purembts.play import perfect_player, play_game
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
        write(game.display.show(turn.state))
        if turn.event is not None:
            write(f"Drawn: {turn.event}")
        while len(turn.moves) > 1:
            try:
                return move_called(game, turn, str(read("Your move: ")))
            except ValueError as error:
                write(str(error))
        write(f"Only {game.display.label(turn.state, turn.moves[0])}.")
        return turn.moves[0]

    return choose


def play_game_user(
    box: Box | None = None,
    rng: Rng = random,
    *,
    hints: Hints | None = None,
    read: Read = input,
    write: Write = print,
    rules: Rules = USUAL,
) -> Scores | None:
    """How a game from `box` ends in which the user chooses; None where the user breaks it off.

    The choices are numbered, each with what `hints` says of it; what is not one of the numbers is
    asked for again. End of input and Ctrl-C break the game off. `read` gets a prompt and returns an
    answer, as `input` does; `write` gets a line, as `print` does.
    """
    if hints is not None and not hasattr(hints, "get"):
        raise ValueError(f"The hints are {brief(hints)}; they have to be a map from boxes.")
    game = shut_the_box(rules)
    turn = draw_turn(game, box_or_full(box, rules), an_rng(rng))
    try:
        while turn.moves:
            write(_state_line(turn, rules))
            move = _choose(turn, hints, read, write, rules)
            turn = draw_turn(game, move, rng)
    except (EOFError, KeyboardInterrupt):
        write("\nYou leave the game.")
        return None
    result = game.result(turn.state)
    write("The box is shut: you win." if result == WIN else _state_line(turn, rules))
    if result != WIN:
        write("No levers add up to that: you lose.")
    return result


def _state_line(turn: Turn[Box, Roll], rules: Rules) -> str:
    return f"Box [{box_to_str(turn.state, rules=rules)}]  roll {turn.event}"


def _choose(
    turn: Turn[Box, Roll], hints: Hints | None, read: Read, write: Write, rules: Rules
) -> Box:
    """The move that the user wants; a single one is made without asking."""
    lines = [choice_line(turn.state, move, hints, rules) for move in turn.moves]
    if len(lines) == 1:
        write(f"  only {lines[0]}")
        return turn.moves[0]
    for number, line in enumerate(lines, 1):
        write(f"  {number}: {line}")
    choices = {str(number): move for number, move in enumerate(turn.moves, 1)}
    while (answer := str(read(f"Your choice, 1 to {len(choices)}: ")).strip()) not in choices:
        write(f"{brief(answer)} is not one of the choices.")
    return choices[answer]


def choice_line(box: Box, move: Box, hints: Hints | None, rules: Rules) -> str:
    """A move from `box` as the user reads it: what is left, what is shut, and the hint."""
    left = box_to_str(move, rules=rules)
    return f"[{left}] {shut_the_box(rules).display.label(box, move)}{_hint(hints, move)}"


def _hint(hints: Hints | None, move: Box) -> str:
    """What to say of the probability to win from `move`."""
    if hints is None:
        return ""
    known = hints.get(move)
    if known is None:
        known = hints.get((move, None))
    if known is None or known == NOTHING:
        return "  not known"
    if isinstance(known, Record):
        low, high = interval(known)
        return f"  {mean(known):.4f} (95 %: {low:.4f} to {high:.4f})"
    if isinstance(known, Fraction | float | int):
        return f"  {float(known):.4f}"
    raise ValueError(f"The hint is {brief(known)}; it has to be a record or a probability.")
