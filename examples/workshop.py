"""The thirteen tasks of the workshop, with each estimate beside the exact value.

The tasks are those of James Vanderhyde's "Monte Carlo Tree Search with Clojure". The page
docs/workshop.md explains how you can do them yourself.
"""

from collections.abc import Callable
from fractions import Fraction
from math import pi
from random import Random

from purembts import (
    WIN,
    Record,
    all_boxes,
    best_move,
    best_move_table_string,
    box_to_str,
    build_tree,
    dice_roll,
    easy_box,
    estimate_pi,
    flip_coin,
    interval,
    is_win,
    learnt_probability,
    levers_for_roll,
    look_up_table,
    mean,
    play_game_user,
    play_simple_game,
    possible_moves,
    repeatedly,
    sample_box,
    search,
    shut_the_box,
    simple_moves,
    simple_start,
    simulate,
    simulate_simple_game,
    start_box,
    win_probability,
)
from purembts.exact import solver, uniform
from purembts.games.shut_the_box import simple_game

SEED = 7


def beside_exact(record: Record, exact: float | Fraction) -> str:
    """The mean of `record` with its 95 % interval, and the exact value."""
    low, high = interval(record)
    return f"{mean(record):.5f} ({low:.5f} to {high:.5f}), exactly {float(exact):.5f}"


def task_1() -> None:
    """Flip a coin and throw darts."""
    rng, n = Random(SEED), 10_000
    heads = list(repeatedly(n, lambda: flip_coin(rng))).count("heads")
    print("heads:", beside_exact(Record(n, (heads, n - heads)), 1 / 2))
    print(f"pi from 100,000 darts: {estimate_pi(100_000, rng):.3f}, exactly {pi:.3f}")


def task_2() -> None:
    """Play on paper. The dice are chosen so that the game is won."""
    box = start_box
    for levers in ({3, 9}, {4, 8}, {5, 6}, {1, 2, 7}):
        print(f"[{box_to_str(box)}] roll {sum(levers):>2}, shut {sorted(levers)}")
        box = box - levers
    print(f"[{box_to_str(box)}] won: {is_win(box)}")


def task_3() -> None:
    """The state of the game is a box and a roll."""
    rng = Random(SEED)
    print(f"a sample box [{box_to_str(sample_box)}], rolls {[dice_roll(rng) for _ in range(5)]}")
    print(f"{len(all_boxes) * 11:,} states")


def task_4() -> None:
    """The simplified game. A move shuts the lever that the dice show; if it is down, you lose."""
    for roll in (9, 6):
        moves = [box_to_str(box) for box in simple_moves(sample_box, roll)]
        print(f"[{box_to_str(sample_box)}] roll {roll}: {moves}")


def task_5() -> None:
    """Play the simplified game by hand."""
    rng, box = Random(3), simple_start
    while moves := simple_moves(box, roll := dice_roll(rng)):
        print(f"[{box_to_str(box)}] roll {roll}")
        [box] = moves
    print(f"[{box_to_str(box)}] roll {roll}: {'won' if is_win(box) else 'lost'}")


def task_6() -> None:
    """Play the simplified game automatically. From this box one game in six is won."""
    rng = Random(SEED)
    wins = list(repeatedly(20, lambda: play_simple_game(easy_box, rng))).count(WIN)
    print(f"20 games from [{box_to_str(easy_box)}]: {wins} won")
    print(f"at least one is won with probability {1 - (5 / 6) ** 20:.3f}")


def task_7() -> None:
    """Simulate the simplified game."""
    exact, _ = solver(simple_game)(simple_start)
    print(beside_exact(simulate_simple_game(100_000, rng=Random(SEED)), exact))


def task_8() -> None:
    """Simulate the real game with random moves."""
    exact, _ = solver(shut_the_box(), policy=uniform)(start_box)
    print(f"the sets of levers for a 6: {levers_for_roll(6)}")
    print(beside_exact(simulate(100_000, rng=Random(SEED)), exact))


def task_9() -> None:
    """A person chooses the moves. Here the answer is always 1."""
    play_game_user(start_box, Random(SEED), read=lambda _: "1")


def task_10() -> None:
    """The look-up table, from random games from every box."""
    table = look_up_table(100, Random(SEED))
    exact = solver(shut_the_box(), policy=uniform)
    for box in (easy_box, sample_box, start_box):
        print(f"[{box_to_str(box)}]", beside_exact(table[box], exact(box)[0]))
    print(f"probability to win with these hints: {float(learnt_probability(table)):.5f}")


def task_11() -> None:
    """Monte Carlo tree search: the share of dives won, and the exact value of the policy."""
    print(f"      0 dives,                learnt {float(learnt_probability({})):.5f}")
    for dives in (1000, 10_000, 100_000):
        tree = search({}, start_box, dives, Random(SEED))
        won, learnt = mean(tree[start_box]), float(learnt_probability(tree))
        print(f"{dives:>7,} dives, won {won:.5f}, learnt {learnt:.5f}")
    print(f"      best play               {float(win_probability(start_box)):.5f}")


def task_12() -> None:
    """The complete tree gives the exact answer, and hints for a game."""
    tree = build_tree({}, (start_box, None))
    exact = tree[start_box, None]
    print(f"{len(tree):,} nodes; best play wins {exact} = {float(exact):.8f}")
    play_game_user(sample_box, Random(SEED), hints=tree, read=lambda _: "1")


def task_13() -> None:
    """The table for the pub, with a line for each box and a column for each roll from 2 to 12."""
    lines = best_move_table_string().splitlines()
    print(*lines[2:5], "...", *lines[-2:], sep="\n")
    best, moves = best_move(start_box, 9), possible_moves(start_box, 9)
    print(f"{len(lines)} lines")
    print(f"after a 9 at the start the best of {len(moves)} moves is [{box_to_str(best)}]")


TASKS: tuple[Callable[[], None], ...] = (
    task_1,
    task_2,
    task_3,
    task_4,
    task_5,
    task_6,
    task_7,
    task_8,
    task_9,
    task_10,
    task_11,
    task_12,
    task_13,
)


def main() -> None:
    """Print the results of the tasks, in their order."""
    for number, task in enumerate(TASKS, 1):
        print(f"\nTask {number}. {task.__doc__}")
        task()


if __name__ == "__main__":
    main()
