"""Long work in steps: the same numbers in steps of any size, and lessons in every game."""

from fractions import Fraction
from itertools import pairwise, takewhile
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import (
    learnt_probability,
    search,
    shut_the_box,
    simulate,
    start_box,
    win_probability,
)
from purembts.app import lessons as stepwise
from purembts.app.lessons import estimates, final_of, reading, round_numbers, search_seed
from purembts.app.steps import Progress
from purembts.bounds import ucb_wald
from purembts.exact import solver
from purembts.game import turn_at
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.reversi import reversi
from purembts.mcts import learnt
from purembts.players import growing
from purembts.proving import backed_up
from purembts.records import NOTHING, Record, mean, visits
from purembts.workshop import throw_dart

STB = shut_the_box()


def lessons(games, dives, **options):
    return stepwise.learn(STB, start_box, games, dives, seed=7, bound=ucb_wald, **options)


def test_the_rows_are_what_the_prompt_gives():
    *_, (rows, tree_of_lesson, *_) = lessons(300, [200, 100])
    tree = search({}, start_box, 200, Random("7/dives"))
    assert rows[0].record == simulate(300, rng=Random("7/random play"))
    assert rows[1].record.visits == 100
    assert (rows[2].record, rows[2].exact) == (tree[start_box], learnt_probability(tree))
    assert rows[3].exact == win_probability(start_box)
    assert tree_of_lesson == tree


def test_a_search_that_goes_on_draws_other_numbers():
    tree = search({}, start_box, 30, Random(7))
    trees = {}, {start_box: NOTHING}, tree
    assert [search_seed(7, each, start_box) for each in trees] == [7, 7, "7/30"]


def test_a_lesson_goes_on_from_its_tree():
    tree = search({}, start_box, 30, Random(7))
    *_, (rows, longer, curve, *_) = lessons(30, [20, 10, 20], tree=tree, marks=(5, 15, 80))
    assert [row.play for row in rows] == [
        "random moves, 30 games",
        "UCT, 40 dives",
        "UCT, 50 dives",
        "best play",
    ]
    assert longer == search(tree, start_box, 20, Random("7/dives/30"))
    assert [read.dives for read in curve] == [35, 40, 45, 50]
    assert [read.learnt for read in curve][1::2] == [rows[1].exact, rows[2].exact]


def test_a_reading_has_the_exact_value_of_each_policy_of_a_tree():
    tree = search({}, start_box, 600, Random(7))
    read = reading(STB, tree, start_box)
    assert (read.dives, read.positions) == (600, len(tree))
    assert read.learnt == learnt_probability(tree)
    assert read.backed_up == learnt_probability(backed_up(STB, tree, start_box))
    assert read.learnt < read.backed_up <= win_probability(start_box)


def test_a_tree_of_all_positions_is_worth_best_play_by_the_backed_up_readings():
    tree = search({}, start_box, 10_000, Random(7))
    read = reading(STB, tree, start_box)
    assert read.learnt < read.backed_up == win_probability(start_box)
    assert read.positions == 511


def test_a_lesson_has_its_rows_so_far_after_each_step(monkeypatch):
    monkeypatch.setattr(stepwise, "STEP", 40)
    done = list(lessons(100, [100]))
    assert [len(lesson.rows) for lesson in done if len(lesson.tree)] == [1, 1, 1, 2, 3]
    counts = [lesson.tree[start_box].visits for lesson in done if len(lesson.tree)]
    assert counts == [40, 80, 100, 100, 100]
    told = list(dict.fromkeys(lesson.progress for lesson in done))
    round_ones = [0, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100]
    assert told == [
        *(Progress("random games", n, 100) for n in round_ones),
        *(Progress("100 dives", n, 100) for n in (0, 40, 80, 100)),
    ]


@given(st.integers(1, 3000))
def test_estimates_grow_to_their_end_through_round_numbers(n):
    *_, (records, done) = estimates(lambda k: Record(k, (k,)), n)
    assert done == n
    counts = [record.visits for record in records]
    assert counts[-1] == n
    assert counts == sorted(set(counts))
    assert counts[:-1] == list(takewhile(lambda k: k < n, round_numbers()))


@given(st.lists(st.integers(1, 3000), min_size=1, unique=True).map(sorted))
def test_estimates_that_go_on_are_those_of_one_call(ends):
    records = ()
    for after, n in pairwise([0, *ends]):
        *_, (records, done) = estimates(lambda k: Record(k, (k,)), n, records)
        assert done == n > after
    *_, (whole, _) = estimates(lambda k: Record(k, (k,)), ends[-1])
    assert records == whole


def test_the_steps_of_an_estimate_add_up_to_its_size():
    rng = Random(7)
    told = list(estimates(lambda k: stepwise.darts(throw_dart, rng, k), 20_001))
    sizes = [after - before for before, after in pairwise([0, *(done for _, done in told)])]
    assert (sum(sizes), max(sizes)) == (20_001, 5000)
    again = Random(7)
    hits = sum(x * x + y * y < 1 for x, y in (throw_dart(again) for _ in range(20_001)))
    assert told[-1][0][-1] == Record(20_001, (hits,))


@pytest.mark.parametrize(
    ("game", "rank"),
    [(STB, mean), (last_coin(), visits), (reversi(), visits), (big_two(), mean)],
)
def test_moves_are_ranked_by_visits_where_chance_does_not_decide_them(game, rank):
    assert final_of(game) is rank


def test_the_value_of_what_is_learnt_is_against_the_best_answer():
    """In a pile of 4 the first move wins if it takes 1, and then 4 minus the other's move."""
    game, start = last_coin(), Pile(4)
    tree = {
        Pile(3, 1): Record(1, (1, 0)),
        Pile(2, 0): Record(1, (0, 1)),
        Pile(1, 0): Record(1, (1, 0)),
    }
    assert learnt(tree)(turn_at(game, start, None)) == (Pile(3, 1),)
    # With 2 coins left it takes 1 or 2 at random, as the tree knows neither pile.
    assert stepwise.learnt_value(game, tree, start) == Fraction(1, 2)
    known = {**tree, Pile(0, 1): Record(1, (1, 0))}
    assert stepwise.learnt_value(game, known, start) == solver(game)(start)[0] == 1


def test_a_game_that_is_too_large_or_hidden_is_not_solved():
    large = (reversi(), reversi().start), (big_two(), deal(Random(7))), (last_coin(), Pile(1001))
    for game, start in large:
        with pytest.raises(ValueError, match=game.name):
            stepwise.solved_within(game, start, 1000)
    assert stepwise.solved_within(STB, start_box, 1000)(start_box)[0] == win_probability(start_box)


def test_a_search_behind_a_view_continues_from_its_tree():
    game, start = big_two(), deal(Random(7))
    *_, first = growing(game, {}, stepwise.root(game, start), [20], Random(7))
    *_, longer = growing(game, first, stepwise.root(game, start), [5, 5], Random(8))
    view = stepwise.root(game, start)
    assert (first[view].visits, longer[view].visits) == (20, 30)
    assert stepwise.root(STB, start_box) == start_box
