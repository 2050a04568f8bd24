"""Monte Carlo simulation and Monte Carlo tree search as small pure functions on persistent values.

`from purembts import *` gives the words of the workshop, for the prompt: Shut the Box, the coin
and the darts. The module `workshop` defines them. For any game there are generic functions in the
modules `simulation`, `mcts`, `fast.engine` and `exact`.
"""

from typing import Any

from purembts.app.person import play_game_user
from purembts.chance import pick, repeatedly
from purembts.games.shut_the_box import Rules, shut_the_box
from purembts.records import NOTHING, Record, interval, mean
from purembts.workshop import (
    LOSS,
    WIN,
    add_result,
    all_boxes,
    best_move,
    best_move_table,
    best_move_table_string,
    box_to_str,
    build_tree,
    dice_roll,
    easy_box,
    estimate_pi,
    flip_coin,
    in_circle,
    is_heads,
    is_win,
    learnt_probability,
    lever_combinations,
    levers_for_roll,
    look_up_table,
    play_game,
    play_simple_game,
    possible_moves,
    power,
    sample_box,
    search,
    simple_moves,
    simple_start,
    simulate,
    simulate_crowd,
    simulate_simple_game,
    start_box,
    throw_dart,
    ucb,
    uct,
    win_probability,
)

__all__ = [
    "LOSS",
    "NOTHING",
    "WIN",
    "Record",
    "Rules",
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
    "simulate_crowd",
    "simulate_simple_game",
    "start_box",
    "throw_dart",
    "ucb",
    "uct",
    "win_probability",
]


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401
    """Show the values of the library as text, tables and pictures: `%load_ext purembts`."""
    from purembts.app.prompt import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:  # noqa: ANN401
    """Show all values as before: `%unload_ext purembts`."""
    from purembts.app.prompt import unload

    unload(shell)
