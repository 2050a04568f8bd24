"""Monte Carlo simulation and Monte Carlo tree search as small pure functions on persistent values.

`from purembts import *` gives the words of the workshop, for the prompt: Shut the Box, the coin
and the darts. They stand on generic functions in the modules `chance`, `records`, `game`, `bounds`,
`bandits`, `simulation`, `mcts`, `engine`, `exact` and `jsonl`.
"""

from typing import Any

from purembts.chance import repeatedly
from purembts.games.shut_the_box import (
    LOSS,
    USUAL,
    WIN,
    Rules,
    best_move,
    box_to_str,
    boxes,
    full_box,
    is_win,
    levers_for_roll,
    number_of_states,
    optimal_table,
    possible_moves,
    power,
    shut_the_box,
    simple_game,
    simple_moves,
    simple_start,
    win_probability,
)
from purembts.mcts import merge_trees
from purembts.records import NOTHING, Record, interval, mean, merge
from purembts.shell.prompt import play_game_user
from purembts.workshop import (
    HEADS,
    TAILS,
    all_boxes,
    best_move_table,
    best_move_table_string,
    build_tree,
    dice_roll,
    easy_box,
    estimate_pi,
    flip_coin,
    in_circle,
    is_heads,
    learnt_probability,
    lever_combinations,
    look_up_table,
    monte_carlo_tree_search,
    play_game,
    play_simple_game,
    sample_box,
    search,
    search_parallel,
    simulate,
    simulate_crowd,
    simulate_parallel,
    simulate_simple_game,
    start_box,
    strides,
    subtree,
    throw_dart,
    trees,
    ucb,
    uct,
)

__all__ = [
    "HEADS",
    "LOSS",
    "NOTHING",
    "TAILS",
    "USUAL",
    "WIN",
    "Record",
    "Rules",
    "all_boxes",
    "best_move",
    "best_move_table",
    "best_move_table_string",
    "box_to_str",
    "boxes",
    "build_tree",
    "dice_roll",
    "easy_box",
    "estimate_pi",
    "flip_coin",
    "full_box",
    "in_circle",
    "interval",
    "is_heads",
    "is_win",
    "learnt_probability",
    "lever_combinations",
    "levers_for_roll",
    "look_up_table",
    "mean",
    "merge",
    "merge_trees",
    "monte_carlo_tree_search",
    "number_of_states",
    "optimal_table",
    "play_game",
    "play_game_user",
    "play_simple_game",
    "possible_moves",
    "power",
    "repeatedly",
    "sample_box",
    "search",
    "search_parallel",
    "shut_the_box",
    "simple_game",
    "simple_moves",
    "simple_start",
    "simulate",
    "simulate_crowd",
    "simulate_parallel",
    "simulate_simple_game",
    "start_box",
    "strides",
    "subtree",
    "throw_dart",
    "trees",
    "ucb",
    "uct",
    "win_probability",
]


def load_ipython_extension(shell: Any) -> None:  # noqa: ANN401
    """Show the values of the library as text, tables and pictures: `%load_ext purembts`."""
    from purembts.shell.repl import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:  # noqa: ANN401
    """Show all values as before: `%unload_ext purembts`."""
    from purembts.shell.repl import unload

    unload(shell)
