"""Shut the Box at the terminal, with hints, undo, and what each choice cost.

A game so far is the tuple of its turns: the boxes, with what was rolled for each. To undo is to
take a shorter tuple. The dice of a turn depend on the seed and the number of the turn alone, so
that taking a move back does not roll again.
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
"""How to get the hints of each kind of `HINT_KINDS`; they are asked for when they are needed."""

HINT_KINDS = {
    "none": "",
    "random": "how often random play won from there",
    "tree": "how often the dives of the tree won from there",
    "exact": "the probability to win from there with best play",
}
"""What may stand beside the choices, as in tasks 9, 10, 11 and 12 of the workshop."""

HELP = """\
  a number   shut these levers
  h          the hints for this choice
  h KIND     hints with every choice: {kinds}
  u          take your last choice back; the dice stay as they are
  q          leave the game"""


# The game so far, as a value


def first_turn(box: Box, seed: int, rules: Rules) -> Turns:
    """A game that begins with `box`."""
    return (_roll(box, seed, 0, rules),)


def moved(turns: Turns, move: Box, seed: int, rules: Rules) -> Turns:
    """The game after `move`, with the next roll."""
    return (*turns, _roll(move, seed, len(turns), rules))


def undone(turns: Turns) -> Turns:
    """The game at the last choice before the turn to play; as it is if there was none."""
    before = [number for number, turn in enumerate(turns[:-1], 1) if len(turn.moves) > 1]
    return turns[: before[-1]] if before else turns


def _roll(box: Box, seed: int, number: int, rules: Rules) -> Turn[Box, Roll]:
    return draw_turn(shut_the_box(rules), box, Random(f"{seed}/{number}"))


class Cost(NamedTuple):
    """A choice that was made, beside the best one."""

    turn: Turn[Box, Roll]
    move: Box
    best: Box
    worth: float
    """The exact probability to win after the move that was made, with best play from there."""
    best_worth: float


def costs(turns: Turns, rules: Rules) -> Iterator[Cost]:
    """What each choice of a game was worth, and what the best one would have been worth."""
    for turn, after in pairwise(turns):
        if len(turn.moves) > 1 and turn.event is not None:
            move = after.state
            best = best_move(turn.state, turn.event, rules=rules) or move
            # Of moves that are equally good, the one that was made is the best one.
            best = max(move, best, key=lambda box: win_probability(box, rules=rules))
            worths = (float(win_probability(box, rules=rules)) for box in (move, best))
            yield Cost(turn, move, best, *worths)


# At the terminal


def play(
    box: Box, seed: int, sources: Sources, kind: str, talk: Console, rules: Rules = USUAL
) -> tuple[Turns, bool]:
    """A game in which the user chooses, as far as it went, and whether Ctrl-C broke it off.

    `kind` is which of `sources` gives hints with every choice; `talk` is where it is talked.
    """
    turns = first_turn(box, seed, rules)
    say(talk, "Type the number of your choice, or ? for what else there is.")
    try:
        while True:
            turn = turns[-1]
            say(talk, f"\n{shut_the_box(rules).display.show(turn.state)}")
            if turn.event is not None:
                say(talk, f"You roll {turn.event}.")
            if len(turn.moves) == 1:
                say(talk, f"  only {choice_line(turn.state, turn.moves[0], None, rules)}")
                turns = moved(turns, turn.moves[0], seed, rules)
            elif turn.moves:
                turns, kind = _choice(turns, seed, sources, kind, talk, rules)
            else:
                turns = _ended(turns, talk)
    except EOFError:
        return turns, False
    except KeyboardInterrupt:
        return turns, True
    finally:
        say(talk, "")


def _choice(
    turns: Turns, seed: int, sources: Sources, kind: str, talk: Console, rules: Rules
) -> tuple[Turns, str]:
    """The game after what the user does at a choice, and the kind of hints from now on."""
    turn = turns[-1]
    choices = {str(number): move for number, move in enumerate(turn.moves, 1)}
    _show_choices(turn, sources, kind, talk, rules)
    while (answer := answer_to(f"Your choice, 1 to {len(choices)}: ", talk)) not in choices:
        word, _, wanted = answer.partition(" ")
        if answer == "u" and undone(turns) != turns:
            return undone(turns), kind
        if answer == "u":
            say(talk, "There is no choice to take back yet.")
        elif word == "h" and (not wanted or wanted in HINT_KINDS):
            kind = wanted or kind
            shown_kind = "exact" if kind == "none" and not wanted else kind
            _show_choices(turn, sources, shown_kind, talk, rules)
        elif word == "h":
            kinds = ", ".join(HINT_KINDS)
            say(talk, f"{brief(wanted)} is no kind of hints; there are {kinds}.")
        elif answer == "?":
            say(talk, HELP.format(kinds=", ".join(HINT_KINDS)))
        else:
            say(talk, f"{brief(answer)} is not one of the choices; ? tells what there is.")
    return moved(turns, choices[answer], seed, rules), kind


def _show_choices(
    turn: Turn[Box, Roll], sources: Sources, kind: str, talk: Console, rules: Rules
) -> None:
    hints = sources[kind]()
    for number, move in enumerate(turn.moves, 1):
        say(talk, f"  {number}: {choice_line(turn.state, move, hints, rules)}")
    if hints is not None:
        say(talk, f"  ({kind}: {HINT_KINDS[kind]})")


def _ended(turns: Turns, talk: Console) -> Turns:
    """The game with the last choice taken back, if the user wants that; or else it is left."""
    lost = turns[-1].state
    say(talk, "No levers add up to that: you lose." if lost else "The box is shut: you win.")
    if undone(turns) == turns:
        raise EOFError
    while (answer := answer_to("Enter to end, u to take your last choice back: ", talk)) != "u":
        if not answer:
            raise EOFError
        say(talk, f"{brief(answer)} is neither u nor nothing.")
    return undone(turns)


def answer_to(question: str, talk: Console) -> str:
    """What the user types; EOFError where that is the end of the input, or q."""
    answer = " ".join(talk.input(question, markup=False).lower().split())
    if answer == "q":
        raise EOFError
    return answer


def say(talk: Console, text: str) -> None:
    """Print `text` as it is, however long its lines are."""
    talk.print(text, markup=False, highlight=False, soft_wrap=True)


def summary(turns: Turns, rules: Rules = USUAL) -> Table | str:
    """What the choices of a game cost against best play."""
    made = list(costs(turns, rules))
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
        f"worth: the exact probability to win after the move\nfrom the start it was {start:.4f}"
    )
    return table


def _shut(box: Box, after: Box) -> str:
    return "+".join(map(str, sorted(box - after)))


def _outcome(turns: Turns) -> str:
    last = turns[-1]
    if last.moves:
        return "you left"
    return "you lost" if last.state else "you won"
