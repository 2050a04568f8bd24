"""Shut the Box at the terminal, with hints, undo, and the cost of each choice.

A game so far is the tuple of its turns: each box with the roll that was drawn for it. Undo goes
back to a shorter tuple. The dice of a turn depend on the seed and on the number of the turn alone,
so undo does not change the dice.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeAlias

from rich.console import Console
from rich.table import Table

from purembts.checks import brief
from purembts.game import Turn, draw_turn
from purembts.games.shut_the_box import (
    USUAL,
    Box,
    Roll,
    Rules,
    best_move,
    box_to_str,
    shut_the_box,
    win_probability,
)
from purembts.shell.prompt import Hints, choice_line

Turns: TypeAlias = tuple[Turn[Box, Roll], ...]
"""A game so far, at least one turn; the last is the one to play."""

Sources: TypeAlias = Mapping[str, Callable[[], Hints | None]]
"""The function that returns the hints, for each kind of `HINT_KINDS`. It is called when the hints
are needed, because some hints take long."""

HINT_KINDS: Mapping[str, str] = {
    "none": "",
    "random": "the share of random games that were won from there",
    "tree": "the share of the dives of the tree that were won from there",
    "exact": "the probability to win from there with best play",
}
"""The kinds of hints, as in tasks 9, 10, 11 and 12 of the workshop, with their meanings."""

HELP = """\
  a number   shut these levers
  h          show hints for this choice
  h KIND     show hints beside every choice; KIND is {kinds}
  u          take your last choice back; the dice stay the same
  q          leave the game"""


# The game so far, as a value


def first_turn(box: Box, *, seed: int, rules: Rules = USUAL) -> Turns:
    """A game that begins with `box`."""
    return (_roll(box, 0, seed, rules),)


def moved(turns: Turns, move: Box, *, seed: int, rules: Rules = USUAL) -> Turns:
    """The game after `move`, with the next roll."""
    return (*turns, _roll(move, len(turns), seed, rules))


def undone(turns: Turns) -> Turns:
    """The game at the last choice before its last turn; `turns` itself if there was no choice."""
    before = [number for number, turn in enumerate(turns[:-1], 1) if len(turn.moves) > 1]
    return turns[: before[-1]] if before else turns


def _roll(box: Box, number: int, seed: int, rules: Rules) -> Turn[Box, Roll]:
    return draw_turn(shut_the_box(rules), box, Random(f"{seed}/{number}"))


class Cost(NamedTuple):
    """A choice of the player beside the best choice."""

    turn: Turn[Box, Roll]
    move: Box
    best: Box
    worth: float
    """The exact probability to win after `move`, with best play from there."""
    best_worth: float
    """The exact probability to win after `best`, with best play from there."""


def costs(turns: Turns, *, rules: Rules = USUAL) -> Iterator[Cost]:
    """The cost of each choice of a game."""
    for turn, after in pairwise(turns):
        if len(turn.moves) > 1 and turn.event is not None:
            move = after.state
            best = best_move(turn.state, turn.event, rules=rules) or move
            # If several moves are best, and the player made one of them, it is the best one here.
            best = max(move, best, key=lambda box: win_probability(box, rules=rules))
            worths = (float(win_probability(box, rules=rules)) for box in (move, best))
            yield Cost(turn, move, best, *worths)


# At the terminal


def play(
    box: Box,
    console: Console,
    *,
    seed: int,
    sources: Sources,
    kind: str = "none",
    rules: Rules = USUAL,
) -> tuple[Turns, bool]:
    """A game in which a person chooses, and True if Ctrl-C ended it before its end.

    The person reads and types at `console`. `kind` names the one of `sources` that gives hints
    beside every choice.
    """
    turns = first_turn(box, seed=seed, rules=rules)
    say(console, "Type the number of your choice, or ? for help.")
    try:
        while True:
            turn = turns[-1]
            say(console, f"\n{shut_the_box(rules).display.show(turn.state)}")
            if turn.event is not None:
                say(console, f"You roll {turn.event}.")
            if len(turn.moves) == 1:
                line = choice_line(turn.state, turn.moves[0], None, rules=rules)
                say(console, f"  only {line}")
                turns = moved(turns, turn.moves[0], seed=seed, rules=rules)
            elif turn.moves:
                turns, kind = _choice(turns, console, seed, sources, kind, rules)
            else:
                turns = _ended(turns, console)
    except EOFError:
        return turns, False
    except KeyboardInterrupt:
        return turns, True
    finally:
        say(console, "")


def _choice(
    turns: Turns, console: Console, seed: int, sources: Sources, kind: str, rules: Rules
) -> tuple[Turns, str]:
    """The game after the person makes a choice or takes one back, and the new `kind` of hints."""
    turn = turns[-1]
    choices = {str(number): move for number, move in enumerate(turn.moves, 1)}
    _show_choices(turn, console, sources, kind, rules)
    while (answer := answer_to(f"Your choice, 1 to {len(choices)}: ", console)) not in choices:
        word, _, wanted = answer.partition(" ")
        if answer == "u" and undone(turns) != turns:
            return undone(turns), kind
        if answer == "u":
            say(console, "There is no choice to take back yet.")
        elif word == "h" and (not wanted or wanted in HINT_KINDS):
            kind = wanted or kind
            _show_choices(turn, console, sources, kind if wanted else _some_kind(kind), rules)
        else:
            say(console, _reply(answer, wanted if word == "h" else ""))
    return moved(turns, choices[answer], seed=seed, rules=rules), kind


def _some_kind(kind: str) -> str:
    """The kind of the hints for a person who asks for them once."""
    return "exact" if kind == "none" else kind


def _reply(answer: str, wanted_kind: str) -> str:
    """The reply to ? and to wrong answers."""
    *kinds, last = HINT_KINDS
    all_kinds = f"{', '.join(kinds)} or {last}"
    if answer == "?":
        return HELP.format(kinds=all_kinds)
    if wanted_kind:
        return f"The kind of hints must be {all_kinds}; got {brief(wanted_kind)}."
    return f"{brief(answer)} is not one of the choices. Type ? for help."


def _show_choices(
    turn: Turn[Box, Roll], console: Console, sources: Sources, kind: str, rules: Rules
) -> None:
    hints = sources[kind]()
    for number, move in enumerate(turn.moves, 1):
        say(console, f"  {number}: {choice_line(turn.state, move, hints, rules=rules)}")
    if hints is not None:
        say(console, f"  ({kind}: {HINT_KINDS[kind]})")


def _ended(turns: Turns, console: Console) -> Turns:
    """The game with its last choice taken back; EOFError if the person does not want that."""
    lost = turns[-1].state
    say(console, "No levers add up to that: you lose." if lost else "The box is shut: you win.")
    if undone(turns) == turns:
        raise EOFError
    question = "Press Enter to end the game, or type u to take your last choice back: "
    while (answer := answer_to(question, console)) != "u":
        if not answer:
            raise EOFError
        say(console, f"The answer must be u or Enter; got {brief(answer)}.")
    return undone(turns)


def answer_to(question: str, console: Console) -> str:
    """The answer of the person, in lower case; EOFError for q and at the end of the input."""
    answer = " ".join(console.input(question, markup=False).lower().split())
    if answer == "q":
        raise EOFError
    return answer


def say(console: Console, text: str) -> None:
    """Print `text` without colours and without breaking its lines."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def summary(turns: Turns, *, rules: Rules = USUAL) -> Table | str:
    """The cost of the choices of a game."""
    made = list(costs(turns, rules=rules))
    if not made:
        return "You made no choices."
    table = Table(title=f"Your choices in a game that {_outcome(turns)}")
    for heading in ("box", "roll", "you shut", "worth", "best", "worth", "cost"):
        table.add_column(heading, justify="left" if heading == "box" else "right")
    for cost in made:
        box = cost.turn.state
        table.add_row(
            box_to_str(box, rules=rules),
            str(cost.turn.event),
            _shut(box, cost.move),
            f"{cost.worth:.4f}",
            _shut(box, cost.best),
            f"{cost.best_worth:.4f}",
            f"{cost.best_worth - cost.worth:.4f}",
        )
    start = float(win_probability(turns[0].state, rules=rules))
    table.caption = (
        f"worth: the exact probability to win after the move\nat the start it was {start:.4f}"
    )
    return table


def _shut(box: Box, after: Box) -> str:
    return "+".join(map(str, sorted(box - after)))


def _outcome(turns: Turns) -> str:
    last = turns[-1]
    if last.moves:
        return "you left"
    return "you lost" if last.state else "you won"
