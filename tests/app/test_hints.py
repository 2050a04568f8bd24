"""A game so far: its turns, undo, what is known at a turn, and the cost of choices."""

from fractions import Fraction
from itertools import count, islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import start_box, win_probability
from purembts.app import hints
from purembts.app.hints import Cost, _best_row, _loss, cost_table
from purembts.app.positions import visible
from purembts.app.sessions import (
    Setting,
    after_move,
    before_last,
    choices,
    first_turn,
    undone,
)
from purembts.app.steps import Progress, returned
from purembts.bounds import ucb_wald
from purembts.exact import solver
from purembts.fast.engine import search
from purembts.game import turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import gomoku, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.play import move_called
from purembts.players import uct_player
from purembts.records import Record, mean
from purembts.report import report, worth
from purembts.verify.strategies import seeds
from work import told


def working(game, turn, kind, rng, *, is_hint=True, **facts):
    return hints.knowledge(Setting(game, **facts), turn, kind, rng, is_hint=is_hint)


def knowledge(*arguments, **options):
    return returned(working(*arguments, **options))


def costs(game, turns, persons, **facts):
    *_, last = hints.costs(Setting(game, persons=frozenset(persons), **facts), turns)
    return last.so_far[::-1]


STB, COINS, BIG_TWO = shut_the_box(), last_coin(), big_two()


def test_a_hint_plays_the_move_that_a_player_with_this_tree_would_play():
    game = reversi()
    turn = turn_at(game, game.start, None)
    tried, lucky, *_ = turn.moves
    tree = {move: Record(2, (0, 2)) for move in turn.moves}
    tree |= {tried: Record(9, (5, 4)), lucky: Record(1, (1, 0)), game.start: Record(14, (6, 8))}
    hint = hints._hint_player(Setting(game), turn, "tree", is_hint=True).report(turn, tree)
    assert [row.move for row in hint.rows if row.learnt] == [tried]
    assert uct_player(game, 9).choose(turn, tree, Random(7)) == tried


def game_of(game, moves):
    """The turns of a game without chance, from the names of its moves."""
    turns = first_turn(Setting(game), game.start)
    for name in moves.split():
        turns = after_move(Setting(game), turns, move_called(game, turns[-1], name))
    return turns


def test_hints_of_a_search_see_what_the_hard_level_sees(monkeypatch):
    """Three stones in a row, open at both ends, win. The move that missed it has a cost."""
    turns = game_of(gomoku, "h8 a1 h9 a2 h10 a4 o1 a5")
    known = knowledge(gomoku, turns[6], "tree", Random(7), dives=1000)
    assert {row.label for row in known.rows if row.learnt} <= {"h7", "h11"}
    assert {row.label for row in known.rows if row.visits} <= {"h7", "h11"}
    monkeypatch.setattr(hints, "usual_dives", lambda moves: 1000)
    [cost] = costs(gomoku, turns[6:], {0})
    assert cost.choice.label == "o1"
    assert cost.loss is not None
    assert worth(cost.best) - worth(cost.choice) > 0.1


def random_game(game, start, seed):
    """The turns of a game with moves that are drawn."""
    turns, rng = first_turn(Setting(game, seed), start), Random(seed)
    while moves := turns[-1].moves:
        turns = after_move(Setting(game, seed), turns, moves[int(rng.random() * len(moves))])
    return turns


@given(seeds, st.integers(1, 8))
def test_the_event_of_a_turn_depends_on_the_seed_and_its_number(seed, n):
    turns = random_game(STB, start_box, seed)[:n]
    again = random_game(STB, start_box, seed)[:n]
    assert turns == again
    for number, turn in enumerate(turns):
        throws = STB.chances(turn.state)
        i = int(Random(f"{seed}/{number}").random() * len(throws))
        assert len(throws) == 1 or turn.event == throws[i]


@given(seeds)
def test_undo_goes_back_to_the_last_choice_of_a_person(seed):
    turns = random_game(tic_tac_toe, tic_tac_toe.start, seed)
    back = undone(turns, {0})
    assert back == turns[: len(back)]
    assert back[-1].player == 0
    assert len(back[-1].moves) > 1
    assert all(len(turn.moves) < 2 or turn.player == 1 for turn in turns[len(back) : -1])
    assert undone(turns[:1], {0}) == turns[:1]
    assert before_last(tic_tac_toe, turns) == turns[-2].state
    assert before_last(tic_tac_toe, turns[:1]) is None


@given(seeds)
def test_the_cost_of_a_choice_is_exact_where_few_positions_follow(seed):
    turns = random_game(STB, start_box, seed)
    made = costs(STB, turns, {0}, seed=seed)
    assert [cost.number for cost in made] == choices(turns, {0})[::-1]
    for cost in made:
        assert cost.choice.exact == win_probability(turns[cost.number + 1].state)
        assert cost.best.exact == max(map(win_probability, turns[cost.number].moves))
        assert cost.loss is not None


def test_a_best_choice_is_the_one_that_was_made_if_several_are_as_good():
    turns = first_turn(Setting(COINS, 7), Pile(21))  # all moves lose
    turns = after_move(Setting(COINS, 7), turns, turns[0].moves[1])
    [cost] = costs(COINS, turns, {0}, seed=7)
    assert cost.best is cost.choice
    assert cost.choice.exact == 0


@pytest.mark.parametrize(("game", "is_needed"), [(STB, False), (tic_tac_toe, True)])
def test_a_move_has_a_search_of_its_own_only_where_no_chance_follows(game, is_needed):
    event = 7 if game is STB else None
    tree = search(game, {}, game.start, 5_000, Random(7))
    known = report(game, turn_at(game, game.start, event), tree)
    made = next(row for row in known.rows if _best_row(known, row) is not row)
    turns = [turn_at(game, made.move, each) for each in game.chances(made.move)]
    after = max(turns, key=lambda turn: len(turn.moves))
    assert len(after.moves) > 1
    assert hints._needs_search(game, known, made, after) == is_needed


def test_the_table_of_costs_names_several_people_and_has_a_total_for_one():
    turns = random_game(tic_tac_toe, tic_tac_toe.start, 7)
    table = cost_table(tic_tac_toe, costs(tic_tac_toe, turns, {0, 1}, seed=7))
    heads = ["turn", "player", "move", "worth", "best move", "best worth", "cost"]
    assert [column.heading for column in table.columns] == heads
    assert "together" not in str(table.notes)
    made = (costs(tic_tac_toe, turns, {0}, seed=7))[::-1]
    alone = cost_table(tic_tac_toe, made).columns
    assert [column.heading for column in alone[:2]] == ["turn", "your move"]
    assert alone[0].cells[:3] == ("1", "3", "5"), "the numbers are those of the turns"
    *_, total = cost_table(tic_tac_toe, made).notes
    known = sum(worth(cost.best) - worth(cost.choice) for cost in made)
    assert total == f"all costs together: {known:.4f}"
    assert known > 0
    assert "together" not in str(cost_table(tic_tac_toe, made[:1]).notes)


# Knowledge


def test_each_kind_of_hints():
    turn = first_turn(Setting(STB, 5), start_box)[0]
    known = knowledge(STB, turn, "exact", Random(7), dives=1)
    assert [row.exact for row in known.rows] == [win_probability(move) for move in turn.moves]
    for kind, of, unit in (("random", 10_000, "games"), ("tree", 100, "dives")):
        steps, known = told(working(STB, turn, kind, Random(7), dives=100))
        assert sum(row.visits for row in known.rows) == (of if kind == "random" else of - 1)
        done = [step.done for step in steps]
        assert steps == [Progress("Hints", n, of, unit) for n in sorted(done)]
        assert done[-1] == of
    known = knowledge(STB, turn, "tree", Random(7), dives=3)
    assert known.record.visits == 3


@pytest.mark.parametrize("kind", ["random", "tree"])
def test_hints_behind_a_view_have_the_views_of_the_moves(kind, monkeypatch):
    monkeypatch.setattr(hints, "_HINT_GAMES", 300)
    turn = first_turn(Setting(BIG_TWO, 8), BIG_TWO.deal(Random(8)))[0]
    known = knowledge(BIG_TWO, turn, kind, Random(7), dives=60)
    assert [row.move for row in known.rows] == list(visible(BIG_TWO, turn).moves)
    assert all(row.visits for row in known.rows)


def test_worth_is_a_number_of_the_person_who_moves():
    turn = turn_at(COINS, Pile(4, 1), None)
    known = knowledge(COINS, turn, "exact", Random(7), dives=1)
    assert [row.exact for row in known.rows] == [Fraction(1), Fraction(0)]


MOVES = turn_at(tic_tac_toe, tic_tac_toe.start, None)
SEARCHED = (
    report(tic_tac_toe, MOVES, search(tic_tac_toe, {}, tic_tac_toe.start, 90, Random(7)))
    .rows[0]
    ._replace(visits=10, mean=0.5, interval=(0.2, 0.8))
)
EMPTY = report(tic_tac_toe, MOVES, {tic_tac_toe.start: Record(90, (45, 45))})


def cost_of(number_made, *rows):
    """The cost of the move with this number, where `rows` are means, visits and intervals."""
    made = [
        SEARCHED._replace(mean=mean, visits=visits, interval=ends, label=f"move {n}")
        for n, (mean, visits, *ends) in enumerate(rows)
    ]
    known = EMPTY._replace(rows=tuple(made))
    own = known.rows[number_made]
    best = _best_row(known, own)
    return Cost(0, known, own, best, _loss(own, best))


@pytest.mark.parametrize(
    ("made", "rows", "best", "is_told"),
    [
        (0, [(0.5, 90, 0.4, 0.6), (0.6, 9, 0.3, 0.9)], "move 0", True),
        (0, [(0.5, 9, 0.2, 0.8), (0.5, 90, 0.4, 0.6)], "move 0", True),
        (0, [(0.4, 9, 0.2, 0.5), (0.6, 90, 0.5, 0.7)], "move 1", False),
        (0, [(0.4, 9, 0.2, 0.5), (0.7, 90, 0.6, 0.8)], "move 1", True),
        (0, [(0.4, 9, 0.2, 0.5), (0.9, 2, 0.6, 1), (0.7, 90, 0.6, 0.8)], "move 2", True),
    ],
)
def test_a_cost_is_clear_where_the_intervals_of_two_moves_are_apart(made, rows, best, is_told):
    """The best move of a search is the one with the most visits, unless the other is as good."""
    cost = cost_of(made, *rows)
    assert cost.best.label == best
    assert (cost.loss is not None) == is_told
    table = cost_table(tic_tac_toe, [cost])
    assert (table.columns[-1].cells == ("?",)) == (not is_told)
    dives, *rest = table.notes
    assert dives.endswith("the mean score of the move in a search of 90 dives")
    overlap = "?: the intervals of the two moves overlap, so the search cannot tell"
    assert rest == ([] if is_told else [overlap])


# Hints that are backed up


def first_turns():
    """The first 24 games by their seeds whose first turn has several moves."""
    played = ((seed, first_turn(Setting(STB, seed), start_box)[0]) for seed in count())
    return islice(((seed, turn) for seed, turn in played if len(turn.moves) > 1), 24)


@pytest.mark.slow
def test_the_best_hint_of_a_first_turn_is_a_best_move():
    """By the means of games, the best hint of six of these turns was not a best move."""
    value, means = solver(STB), []
    for seed, turn in first_turns():
        how = {"rng": Random(f"{seed}/0/hints"), "dives": 10_000, "bound": ucb_wald}
        known = knowledge(STB, turn, "tree", **how)
        best = max(known.rows, key=worth)
        assert value(best.move) == max(map(value, turn.moves)), f"seed {seed}, {turn.event}"
        if turn.event == 8 and not means:
            how["rng"] = Random(f"{seed}/0/hints")
            games = knowledge(STB, turn, "tree", **how, is_hint=False)
            means = {row.label: f"{row.mean:.4f}" for row in games.rows}
    assert means["shut 3+5"] > means["shut 8"], "the means of games of roll 8 mislead"


def test_hints_of_a_game_without_chance_are_means_of_games():
    """The best of many moves with one visit each is a lucky one, so it is not backed up."""
    turn = turn_at(tic_tac_toe, tic_tac_toe.start, None)
    known = knowledge(tic_tac_toe, turn, "tree", Random(7), dives=200)
    tree = search(tic_tac_toe, {}, turn.state, 200, Random(7))
    assert [row.mean for row in known.rows] == [mean(tree[move]) for move in turn.moves]
    assert all(row.interval for row in known.rows)
