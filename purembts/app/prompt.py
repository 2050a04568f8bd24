"""The interactive prompt: IPython where it is installed, and otherwise Python's own."""

import builtins
import code
import sys
from importlib import import_module
from importlib.util import find_spec

from purembts.interactive import prompt_text

SETUP = """\
from pathlib import Path
from random import Random
from purembts import *
from purembts import bandits, bounds, determinize, exact, game, games
from purembts import mcts, pictures, play, proving, simulation
from purembts.app.sampled_results import arms_table
from purembts.fast import engine
from purembts.game import turn_at
from purembts.games import big_two, last_coin, mnk, reversi
from purembts.interactive import show
from purembts.report import report, reports
coins, tic_tac_toe, gomoku = last_coin.last_coin(), mnk.tic_tac_toe, mnk.gomoku
reversi, big_two = reversi.reversi(), big_two.big_two()
"""
"""The lines that make the words of the prompt."""


def display(value: object) -> None:
    """Print `value` as the prompt shows it, and keep it as `_`: a `sys.displayhook`."""
    if value is not None:
        vars(builtins)["_"] = value
        print(prompt_text(value))


def interact() -> None:
    """Run the prompt until its end."""
    exec(SETUP, names := {"__name__": "__main__"})
    if sys.stdin.isatty() and find_spec("IPython"):
        print(SETUP)
        arguments = ["--no-banner", "--no-confirm-exit", "--ext=purembts"]
        import_module("IPython").start_ipython(argv=arguments, user_ns=names)
    else:
        sys.displayhook = display
        code.interact(SETUP, local=names, exitmsg="")
