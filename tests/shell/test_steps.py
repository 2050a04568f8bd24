"""The work of the commands, step by step."""

from random import Random

from purembts import learnt_probability, search, simulate, simulate_crowd, start_box
from purembts.records import NOTHING
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


def test_a_search_that_goes_on_draws_other_numbers():
    new = steps.search_rng(7, {}, start_box)
    assert new.random() == Random(7).random()
    tree = search({}, start_box, 30, Random(7))
    again = steps.search_rng(7, tree, start_box)
    assert again.random() == Random("7/30").random()
    assert steps.search_rng(7, {start_box: NOTHING}, start_box).random() == Random(7).random()


def test_a_lesson_goes_on_from_its_tree():
    tree = search({}, start_box, 30, Random(7))
    *_, (rows, grown) = steps.learn(games=30, dives=[20, 10, 20], seed=7, tree=tree)
    assert [row.play for row in rows] == [
        "random moves, 30 games",
        "random moves, a crowd of 10^12",
        "UCT, 40 dives",
        "UCT, 50 dives",
        "best play",
    ]
    assert grown == search(tree, start_box, 20, Random("7/dives/30"))


def test_a_lesson_has_its_rows_so_far_after_each_step(monkeypatch):
    monkeypatch.setattr(steps, "STEP", 40)
    lessons = list(steps.learn(games=100, dives=[100], seed=7))
    assert [len(lesson.rows) for lesson in lessons] == [1, 2, 2, 2, 2, 3, 4]
    visits = [lesson.tree[start_box].visits for lesson in lessons if len(lesson.tree)]
    assert visits == [40, 80, 100, 100, 100]


def test_games_and_dives_are_the_same_in_steps_of_any_size(monkeypatch):
    monkeypatch.setattr(steps, "STEP", 40)
    records = list(steps.random_games(100, start_box, Random(7)))
    assert [record.visits for record in records] == [40, 80, 100]
    assert records[-1] == simulate(100, rng=Random(7))
    trees = list(steps.grown({}, start_box, 100, Random(7)))
    assert [tree[start_box].visits for tree in trees] == [40, 80, 100]
    assert trees[-1] == search({}, start_box, 100, Random(7))
    *_, tree = steps.grown_within({}, start_box, 0, Random(7))
    assert tree == search({}, start_box, 1, Random(7))
