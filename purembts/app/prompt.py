"""The interactive prompt `purembts prompt`, and the extension of IPython: `%load_ext purembts`.

Both show the values of the library in the forms of `value_forms`, and all others as before.
"""

import atexit
import builtins
import os
import sys
from code import InteractiveConsole
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial, wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from shutil import get_terminal_size
from typing import Any, TypeVar

from purembts import games
from purembts.app.estimates import arms_table
from purembts.app.kinds import AnyGame, Words
from purembts.app.value_forms import Shown, games_used, shown
from purembts.bounds import ucb1, ucb_wald
from purembts.game import Game, turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import Rules, shut_the_box
from purembts.report import report, reports

T = TypeVar("T")

MODULES = "bandits determinize fast.engine exact game mcts pictures play proving simulation"
USUAL: Mapping[str, AnyGame] = {
    "coins": last_coin(),
    "tic_tac_toe": tic_tac_toe,
    "gomoku": gomoku,
    "reversi": reversi(),
    "big_two": big_two(),
}
"""The modules and the games at the prompt."""

BANNER = """\
Here are the words of `from purembts import *`; the games
coins tic_tac_toe gomoku reversi big_two; the modules
bandits determinize engine exact game mcts
pictures play proving simulation; and report,
reports, arms_table, turn_at, Random and Path. For example:
    tree = search({}, start_box, 1000)
    tree = engine.search(coins, {}, coins.start, 1000)
    report(coins, turn_at(coins, coins.start, None), tree)
    drawn = pictures.tree(coins, tree, coins.start)
    Path("tree.svg").write_text(drawn.svg)
    big_two.deal(Random(7))"""
"""The first lines of the prompt."""


def words() -> Words:
    """The names at the prompt: those of the workshop, modules, games, and reports."""
    modules = {name.split(".")[-1]: import_module(f"purembts.{name}") for name in MODULES.split()}
    own = (_bound_by_game(report), _bound_by_game(reports))
    more = {each.__name__: each for each in (*own, arms_table, turn_at, Random, Path)}
    workshop = import_module("purembts")
    named = {name: getattr(workshop, name) for name in workshop.__all__}
    return {"games": games, **modules, **USUAL, **more, **named}


def _bound_by_game(function: Callable[..., T]) -> Callable[..., T]:
    """`report` or `reports` with the bound of the words of the workshop for their game."""

    @wraps(function)
    def known(game: AnyGame, *arguments: Any, **options: Any) -> T:
        bound = ucb_wald if isinstance(game.rules, Rules) else ucb1
        return function(game, *arguments, **{"bound": bound, **options})

    return known


def work(request: object) -> int:  # noqa: ARG001
    """Run the prompt until its end, in IPython where it is installed; the exit code."""
    if not sys.stdin.isatty() or not find_spec("IPython"):
        return interact(words())
    print(BANNER)
    arguments = ["--no-banner", "--no-confirm-exit", "--ext=purembts"]
    import_module("IPython").start_ipython(argv=arguments, user_ns=words())
    return 0


def interact(names: Words) -> int:
    """Run the prompt of Python with these names; the exit code. A SystemExit goes on."""
    console, inputs = InteractiveConsole(names), list[str]()

    def read(prompt: str = "") -> str:
        inputs.append(input(prompt))
        return inputs[-1]

    console.raw_input = read  # type: ignore[method-assign]
    if sys.stdin.isatty() and find_spec("readline"):
        edit(names)
    before, sys.displayhook = sys.displayhook, partial(display, names, inputs)
    try:
        console.interact(BANNER, exitmsg="")
    finally:
        sys.displayhook = before
    return 0


def display(names: Words, inputs: Sequence[str], value: object) -> None:
    """Print `value` as the prompt shows it, and keep it as `_`, as `sys.displayhook` does."""
    seen = forms(names, inputs, value)
    if seen is None:
        sys.__displayhook__(value)
    else:
        print(seen.text)
        builtins._ = value  # type: ignore[attr-defined]


def forms(names: Words, inputs: Sequence[str], value: object) -> Shown | None:
    """The forms of `value`, whose game is rather one that the last inputs name than another."""
    known = (shut_the_box(), *USUAL.values())
    own = (each for each in list(names.values()) if isinstance(each, Game))
    used = games_used(names, inputs[-100:])
    try:
        return shown(value, [*used, *known, *own], get_terminal_size().columns)
    except Exception:  # noqa: BLE001 - a value that cannot be shown keeps the form that it has
        return None


# History and completion


def edit(names: Words) -> None:
    """Let the line be edited and completed with `names`, and keep its history in a file."""
    readline, completer = import_module("readline"), import_module("rlcompleter").Completer(names)
    readline.set_completer(completer.complete)
    is_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    file = folder / "purembts" / "history"
    with suppress(OSError):
        readline.read_history_file(file)
    atexit.register(_save, readline, file)


def _save(readline: Any, file: Path) -> None:  # noqa: ANN401
    """Write the history. If that is impossible, the prompt ends without it."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        readline.set_history_length(1000)
        readline.write_history_file(file)


# IPython


def load(shell: Any) -> None:  # noqa: ANN401
    """Let `shell` show the values of the library; the others as before."""
    unload(shell)
    formatter = shell.display_formatter
    formatter.format = partial(_format, shell, formatter.format)


def unload(shell: Any) -> None:  # noqa: ANN401
    """Undo `load`."""
    vars(shell.display_formatter).pop("format", None)


def _format(shell: Any, usual: Any, value: object, include: Any = (), exclude: Any = ()) -> Any:  # noqa: ANN401
    """The texts of `value` by their types, and their metadata, as `DisplayFormatter.format`."""
    texts, metadata = usual(value, include, exclude)
    seen = forms(shell.user_ns, shell.user_ns.get("In", []), value)
    if seen:
        types = {*shell.display_formatter.active_types} - set(exclude or ())
        types &= set(include or types)
        ours = {"text/plain": seen.text, "text/html": seen.html, "image/svg+xml": seen.svg}
        texts |= {kind: text for kind, text in ours.items() if text and kind in types}
    return texts, metadata
