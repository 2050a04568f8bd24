"""Monte Carlo simulation and Monte Carlo tree search as small pure functions on persistent values.

`from purembts import *` gives the words of the workshop, for the prompt: Shut the Box, the coin
and the darts. The module `workshop` defines them. For any game there are generic functions in the
modules `simulation`, `mcts`, `fast.engine` and `exact`. Three of them are enough for most programs:

- `mcts.uct` with (game, tree, state, rng) makes one dive. It returns the new tree, and the result
  of the game.
- `fast.engine.search` with (game, tree, state, dives, rng) makes many dives. It returns the tree of
  as many calls of `uct`.
- `exact.solver` with (game) returns a function from a position to the exact value for each player.

`game` is a value of `game.Game`, and `state` one of its positions. `tree` is a map from positions
to records, at first {}. `rng` is the generator of all draws, such as `random.Random(7)`. The first
two also take `bound`, which rates the moves (`bounds.ucb1` if it is not given), `default_policy`,
which plays the random games, and `rollouts`, the number of these games at each leaf. The solver
takes a `policy` in the place of best play.

>>> from random import Random
>>> from purembts import exact, mcts
>>> from purembts.fast import engine
>>> from purembts.games.last_coin import last_coin, pile
>>> game, five = last_coin(), pile(5)
>>> tree, result = mcts.uct(game, {}, five, Random(7))
>>> tree = engine.search(game, tree, five, 1000, Random(7))
>>> [(move.coins, tree[move].visits) for move in game.moves(five, None)]
[(4, 14), (3, 986)]
>>> exact.solver(game)(five), exact.solver(game, policy=mcts.learnt(tree))(five)
((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(0, 1)))
"""

# ruff: noqa: F403, F405 - the words are those of `__all__`, which stand once

from types import ModuleType
from typing import Any

from purembts.chance import pick, repeatedly
from purembts.games.shut_the_box import shut_the_box
from purembts.records import NOTHING, Record, interval, mean
from purembts.workshop import *

__all__ = [
    "LOSS",
    "NOTHING",
    "WIN",
    "Record",
    "add_result",
    "all_boxes",
    "best_move",
    "best_move_table",
    "best_move_table_string",
    "box_to_str",
    "build_tree",
    "dice_roll",
    "easy_box",
    "estimate_pi",
    "find_best_child",
    "flip_coin",
    "in_circle",
    "interval",
    "is_heads",
    "is_win",
    "learnt_probability",
    "lever_combinations",
    "levers_for_roll",
    "look_up_table",
    "mean",
    "pick",
    "play_game",
    "play_game_user",
    "play_simple_game",
    "possible_moves",
    "power",
    "repeatedly",
    "sample_box",
    "search",
    "shut_the_box",
    "simple_moves",
    "simple_start",
    "simulate",
    "simulate_simple_game",
    "start_box",
    "throw_dart",
    "ucb",
    "uct",
    "win_probability",
]


def __dir__() -> list[str]:
    """The words of `__all__`, the modules that are loaded, and the version."""
    modules = [
        name
        for name, value in globals().items()
        if isinstance(value, ModuleType) and value.__name__ == f"{__name__}.{name}"
    ]
    return [*__all__, *modules, "__version__"]


def __getattr__(name: str) -> str:
    """The version, which is looked up when it is asked for, as that takes long."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import metadata

    try:
        return metadata.version(__name__)
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401
    """Show tables, reports, pictures and trees as `purembts prompt` does: `%load_ext purembts`."""
    from purembts.interactive import load

    load(shell)
