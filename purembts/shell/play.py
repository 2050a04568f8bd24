"""A game at the terminal: people against strategies, with hints, undo, and the cost of choices.

Everything that a person reads of a game comes from the game's own value.
"""

import sys
from argparse import Namespace
from contextlib import suppress
from random import Random
from shutil import get_terminal_size
from textwrap import wrap

from purembts.checks import brief
from purembts.game import first_position
from purembts.history import Turns, choices, cost_table, costs, first_turn, undone
from purembts.shell import screen
from purembts.shell.players import USUAL, strategy_called
from purembts.shell.progress import watched
from purembts.sitting import (
    Setting,
    Sitting,
    beginning,
    end_lines,
    replied,
    seats_called,
    specs_of,
    strategy_turn,
    turn_lines,
)
from purembts.thoughts import usual_bound

COST_DIVES = 2_000
"""The dives of the search at each choice, where its exact cost takes too long."""

REVERSED = ("\x1b[7m(", ")\x1b[0m")
"""The marks of the last move on a terminal: reverse video."""


def work(options: Namespace) -> int:
    """Play the game of `options` with a person; the exit code."""
    game, seed = options.game, options.seed
    start = first_position(game, Random(f"{seed}/deal"), options.start)
    bound = options.bound or usual_bound(game)
    persons = seats_called(game, options.seats)
    specs = specs_of(game, persons, options.against, USUAL)
    strategies = {
        seat: strategy_called(game, text, bound=bound, start=start) for seat, text in specs.items()
    }
    setting = Setting(game, seed, persons, strategies, bound=bound, tree=options.tree)
    setting = setting._replace(dives=options.dives or setting.dives, watch=watched)
    if sys.stdout.isatty():
        setting = setting._replace(width=get_terminal_size().columns, ends=REVERSED)
    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys move in the line and through the lines before)
    say(beginning(setting))
    sitting = Sitting(first_turn(game, start, seed=seed), options.hints or "none")
    with suppress(EOFError):
        while True:
            sitting = _next(setting, sitting)
    say()
    show_costs(setting, sitting.turns)
    return 0


def say(line: str = "") -> None:
    """Print a line of a game, on stderr if stdout is no terminal."""
    screen.say(line, error=not sys.stdout.isatty())


def answer_to(question: str) -> str:
    """The answer of the person; EOFError for q and at the end of the input."""
    if not sys.stdout.isatty():
        print(question, end="", file=sys.stderr, flush=True)
    answer = " ".join(input(question if sys.stdout.isatty() else "").split())
    if not sys.stdin.isatty():
        say(answer)
    if answer.lower() == "q":
        raise EOFError
    return answer


def _next(setting: Setting, sitting: Sitting) -> Sitting:
    """The sitting after a move or an undo; EOFError if the game is over."""
    turn = sitting.turns[-1]
    if not turn.moves:
        return sitting._replace(turns=_ended(setting, sitting.turns))
    if turn.player in setting.persons:
        return _asked(setting, sitting)
    turns, lines = strategy_turn(setting, sitting.turns)
    for line in lines:
        say(line)
    return sitting._replace(turns=turns)


def _asked(setting: Setting, sitting: Sitting) -> Sitting:
    """The sitting after a move of a person, or after an undo."""
    turns = sitting.turns
    for line in turn_lines(setting, sitting):
        say(line)
    question = "Your move: "
    if len(setting.persons) > 1:
        question = f"The move of player {turns[-1].player + 1}: "
    while sitting.turns is turns:
        try:
            # A move that is the only one is made without asking.
            answer = "1" if len(turns[-1].moves) == 1 else answer_to(question)
            sitting, lines = replied(setting, sitting, answer)
        except ValueError as error:
            lines = wrap(f"{error} Type ? for help.", setting.width)
        for line in lines:
            say(line)
    return sitting


def _ended(setting: Setting, turns: Turns) -> Turns:
    """The game with its last choice taken back; EOFError if the person does not want that."""
    for line in end_lines(setting, turns):
        say(line)
    if undone(turns, setting.persons) == turns:
        raise EOFError
    question = "Press Enter to end the game, or type u to take your last choice back: "
    while (answer := answer_to(question).lower()) != "u":
        if not answer:
            raise EOFError
        say(f"The answer must be u or Enter; got {brief(answer)}.")
    return undone(turns, setting.persons)


def show_costs(setting: Setting, turns: Turns) -> None:
    """Print the cost of each choice of the people."""
    made = choices(turns, setting.persons)
    found = costs(
        setting.game,
        turns,
        setting.persons,
        seed=setting.seed,
        dives=COST_DIVES,
        bound=setting.bound,
    )
    if made:
        known = [*watched(found, "The cost of each choice; Ctrl-C skips it", len(made))]
        screen.show(cost_table(setting.game, known[::-1], "The cost of each choice"))
