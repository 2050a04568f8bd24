"""A game at the terminal: people against strategies, with hints, undo, and the cost of choices.

Everything that a person reads of a game comes from the game's own value.
"""

import sys
from argparse import Namespace
from contextlib import suppress
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from purembts.checks import brief
from purembts.exact import solver
from purembts.records import Tree, as_tree
from purembts.shell import screen
from purembts.shell.files import load_tree, save_tree
from purembts.shell.games import begin
from purembts.shell.players import strategy_called
from purembts.shell.progress import watched
from purembts.surfaces.dialogue import (
    HINT_DIVES,
    Setting,
    Sitting,
    beginning,
    end_lines,
    is_handed_over,
    move_lines,
    replied,
    seats_called,
    specs_of,
    strategy_turn,
    turn_lines,
    whose,
)
from purembts.surfaces.history import Turns, choices, cost_table, costs, first_turn, undone
from purembts.surfaces.minds import usual_player
from purembts.surfaces.stepwise import counted, grown, root, search_rng, steps_of
from purembts.surfaces.wording import CLEAR, REVERSED, fitted


def work(options: Namespace) -> int:
    """Play the game of `options` with a person; the exit code."""
    start = begin(options.game, options.start, options.seed)
    setting = _setting(options, start)
    with suppress(ImportError):
        import readline  # noqa: F401  (arrow keys move in the line and through the lines before)
    sitting = Sitting(first_turn(options.game, start, seed=options.seed), options.hints)
    try:
        while True:
            sitting = _next(setting, sitting)
    except EOFError:
        say("")
        show_costs(setting, sitting.turns)
    except KeyboardInterrupt:
        say("")
        raise
    return 0


def _setting(options: Namespace, start: Any) -> Setting:  # noqa: ANN401
    """The facts of the game, whose first lines are printed."""
    game, seed, bound = options.game, options.seed, options.bound
    persons = seats_called(game, options.seats)
    specs = specs_of(game, persons, options.against, usual_player(game, start))
    strategies = {
        seat: strategy_called(game, text, bound=bound, start=start) for seat, text in specs.items()
    }
    dives, tree = options.dives or HINT_DIVES, _tree(options, start)
    setting = Setting(
        game, seed, persons, strategies, dives, bound, tree, watched, value=solver(game)
    )
    say(*beginning(setting, specs))
    if sys.stdout.isatty():
        width = get_terminal_size().columns
        setting = setting._replace(width=width, ends=REVERSED, clear=f"{CLEAR}\x1b[3J")
    return setting


def _tree(options: Namespace, start: Any) -> Tree[Any] | None:  # noqa: ANN401
    """The tree for hints: the one to load, or the one to save after more dives, or None."""
    game, dives = options.game, options.dives or HINT_DIVES
    how: Any = {"views": bool(game.hidden), "watch": watched}
    tree = load_tree(options.load, game, **how) if options.load else None
    if options.save:
        rng = search_rng(options.seed, as_tree(tree or {}), root(game, start))
        steps = watched(steps_of(dives), counted(dives, "dive"), dives)
        *_, tree = grown(game, tree or {}, start, steps, rng, bound=options.bound)
        save_tree(options.save, game, tree, **how)
    return tree


def say(*lines: str) -> None:
    """Print lines of a game, on stderr if stdout is no terminal."""
    is_seen = sys.stdout.isatty()
    for line in lines:
        text = fitted(line, get_terminal_size().columns) if is_seen else line
        screen.say(text, error=not is_seen)


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
    say(*lines)
    return sitting._replace(turns=turns)


def _asked(setting: Setting, sitting: Sitting) -> Sitting:
    """The sitting after a move of a person, or after an undo."""
    turns, who = sitting.turns, sitting.turns[-1].player
    if is_handed_over(setting, sitting):
        answer_to(f"Player {who + 1}, press Enter for your turn: ")
    sitting = sitting._replace(shown_to=who)
    try:
        for line in turn_lines(setting, sitting):
            say(line)
    except ValueError as error:
        say(f"{error} The hints end here.")
        sitting = sitting._replace(kind="none")
        say(*move_lines(setting, turns[-1]))
    several = len(setting.persons) > 1
    question = f"The move of player {who + 1}: " if several else "Your move: "
    while sitting.turns is turns:
        try:
            # A move that is the only one is made without asking.
            answer = "1" if len(turns[-1].moves) == 1 else answer_to(question)
            sitting, lines = replied(setting, sitting, answer)
        except ValueError as error:
            lines = wrap(f"{error} Type ? for help.", setting.width)
        say(*lines)
    return sitting


def _ended(setting: Setting, turns: Turns) -> Turns:
    """The game with its last choice taken back; EOFError if the person does not want that."""
    say(*end_lines(setting, turns))
    if undone(turns, setting.persons) == turns:
        raise EOFError
    last = f"{whose(setting)} last choice"
    question = f"Press Enter to end the game, or type u to take {last} back: "
    while (answer := answer_to(question)).lower() != "u":
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
        bound=setting.bound,
    )
    with suppress(KeyboardInterrupt):
        known = [*watched(found, "The cost of each choice; Ctrl-C skips it", len(made))]
        if made:
            screen.show(cost_table(setting.game, known[::-1], "The cost of each choice"))
