"""The work of the commands, step by step."""

from random import Random

from purembts import learnt_probability, search, simulate, simulate_crowd, start_box
from purembts.shell import steps


def test_the_rows_are_what_the_prompt_gives():
    *_, (rows, tree_of_lesson) = steps.learn(games=300, dives=[200, 100], seed=7)
    tree = search({}, start_box, 200, Random("7/dives"))
    assert rows[0].record == simulate(300, rng=Random("7/random play"))
    assert rows[1].record == simulate_crowd(10**12, rng=Random("7/crowd"))
    assert rows[2].record.visits == 100
    assert (rows[3].record, rows[3].exact) == (tree[start_box], learnt_probability(tree))
    assert tree_of_lesson == tree


def test_big_numbers_are_done_in_steps():
    assert list(steps._steps(12_000)) == [5000, 5000, 2000]
    assert list(steps._steps(1)) == [1]
    assert next(steps._steps(10**15)) == 5000
