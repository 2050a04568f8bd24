"""Results as values: the facts, the tables and the charts of the commands agree with each other."""

from random import Random

import pytest

from purembts import search, shut_the_box, start_box
from purembts.app.check_results import laws_result, tasks_result
from purembts.app.estimates import BANDITS, bandit_result, pi_result, simulation_result
from purembts.app.results import (
    described,
    record_facts,
    search_result,
    solution_result,
    standings_result,
)
from purembts.bandits import bernoulli, by_bound, runs_of
from purembts.bounds import ucb_wald
from purembts.exact import solver
from purembts.fast.engine import search as search_game
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.play import match
from purembts.players import perfect_player, random_player
from purembts.records import NOTHING, Record, interval
from purembts.tables import as_text, fitting, rows_of

STB = shut_the_box()


def headings(table):
    return [column.heading for column in table.columns]


def test_the_tables_of_a_search_fit_in_80_and_60_columns():
    tree = search({}, start_box, 100_000, Random(7))
    result = search_result(STB, start_box, "x", tree, bound=ucb_wald, value=solver(STB))
    for table in result.tables:
        for width in (80, 60):
            text = as_text(table, width)
            assert max(map(len, text.splitlines())) <= (80 if "learnt" in text else width)
    assert "roll 2   shut 2" in as_text(result.tables[1], 80)


def test_one_item_is_written_in_the_singular():
    dart = pi_result([Record(1, (1,))]).tables[0]
    runs = list(runs_of({"ucb1": by_bound()}, [bernoulli(0.5)], 1, 1, seed=7))
    regret = bandit_result(runs, [0.5], 1).tables[0]
    assert dart.title == "Pi by 1 dart"
    assert regret.title == "Regret of 1 arm that pays 0.5 on average"
    assert headings(regret) == ["policy", "1 pull"]
    assert regret.notes[0].endswith("mean of 1 run")


def test_a_record_has_a_mean_from_the_first_visit_on():
    facts = record_facts(STB, Record(1, (1, 0)))
    assert (facts["visits"], facts["scores"], facts["means"]) == (1, [1, 0], [1, 0])
    assert facts["intervals"][0] == list(interval(Record(1, (1, 0))))
    empty = {"visits": 0, "scores": [], "means": [], "intervals": []}
    assert record_facts(STB, NOTHING) == empty


@pytest.mark.parametrize(
    ("game", "start", "words"),
    [
        (STB, start_box, "Shut the Box from the start"),
        (STB, frozenset({2, 7}), "Shut the Box from 2 7"),
        (STB, frozenset(), "Shut the Box from the end"),
        (last_coin(), Pile(7), "Last coin from 7"),
        (tic_tac_toe, tic_tac_toe.moves(tic_tac_toe.start, None)[0], f"{tic_tac_toe.name} from a"),
        (big_two(), deal(Random(7)), "Big Two from a deal"),
    ],
)
def test_a_title_names_the_place(game, start, words):
    assert described(game, start).startswith(words)
    assert described(game, start, "x=1").endswith(" (x=1)")


def test_a_position_without_a_short_text_is_drawn_above_the_tables():
    after = tic_tac_toe.moves(tic_tac_toe.start, None)[0]
    for start, above in ((tic_tac_toe.start, ""), (after, tic_tac_toe.display.show(after))):
        assert solution_result(tic_tac_toe, start, "x").above == above
    game, start = big_two(), deal(Random(7))
    view = game.hidden.view(start, game.to_move(start))
    tree = {view: Record(1, (0, 0, 0, 0))}
    shown = search_result(game, start, "x", tree, bound=ucb_wald, value=None)
    assert shown.above == game.display.show(view)
    assert search_result(game, start, "x", {}, bound=ucb_wald, value=None) is None


def test_the_player_is_named_where_several_move():
    coins = last_coin()
    many = simulation_result(coins, Pile(7), "x", [Record(9, (4, 5))], None)
    assert many.chart.title.startswith("x: mean score of player 1")
    alone = simulation_result(STB, start_box, "x", [Record(9, (4, 5))], None)
    assert headings(many.tables[0]) == ["player", "games", "mean", "95 % interval"]
    assert headings(alone.tables[0]) == ["games", "mean", "95 % interval"]
    assert alone.facts["random_play"] is None
    known = simulation_result(
        coins, Pile(1, 1), "x", [Record(9, (4, 5))], solver(coins)(Pile(1, 1))
    )
    assert headings(known.tables[0])[-1] == "exact"
    assert known.chart.levels[0].value == 1, "the player to move takes the last coin"
    assert known.chart.lines[0].y == (5 / 9,)


def test_standings_are_in_the_order_of_their_means():
    coins = last_coin()
    standings = match(coins, (random_player, perfect_player(coins)), 40, seed=7)
    result = standings_result(coins, "x", ["random", "perfect"], standings, 40)
    assert [row[0] for row in rows_of(result.tables[0])] == ["perfect", "random"]
    assert [row["player"] for row in result.facts["standings"]] == ["random", "perfect"]


def regret(means, pulls, runs, names=("ucb1", "random")):
    policies = {name: BANDITS[name] for name in names}
    done = list(runs_of(policies, [bernoulli(mean) for mean in means], pulls, runs, seed=7))
    return bandit_result(done, means, pulls)


def test_a_chart_of_regret_has_curves_and_lines_of_reference():
    result = regret((0.75, 0.25), 100, 5)
    lines = {line.name: line for line in result.chart.lines}
    own = result.facts["policies"]
    for name, curve in own.items():
        assert list(lines[name].y) == [0, *curve["mean"]]
        assert list(lines[name].low) == [0, *curve["low"]]
    top = 1.15 * max(curve["mean"][-1] for curve in own.values())
    for name, slope in (("always wrong", 0.5), ("uniformly random", 0.25)):
        end = lines[name].x[-1]
        assert lines[name].y[-1] == pytest.approx(slope * end)
        assert end == pytest.approx(min(100, top / slope))
    [name] = [name for name in lines if name.startswith("Lai and Robbins")]
    assert "not a bound" in name
    assert max(lines[name].y) <= top
    assert [level.value for level in result.chart.levels] == [0]


@pytest.mark.parametrize("means", [(1, 0.5), (0.5, 0.5)])
def test_there_is_no_line_of_lai_and_robbins_where_the_theorem_has_none(means):
    assert not any("Lai" in line.name for line in regret(means, 20, 2).chart.lines)


def test_one_run_has_no_interval():
    result = regret((0.6, 0.5), 20, 1)
    assert result.facts["policies"]["ucb1"]["low"] == [None] * 20
    assert all(line.low is None for line in result.chart.lines)
    assert headings(result.tables[0]) == [
        "policy",
        "2 pulls",
        "10 pulls",
        "20 pulls",
    ]


def test_the_table_says_why_epsilon_may_be_ahead():
    assert len(regret((0.6, 0.5), 20, 2).tables[0].notes) == 1
    for means, is_said in (((0.6, 0.5), True), ((1, 0), False)):
        result = regret(means, 1000, 3, ("epsilon", "ucb1"))
        curves, notes = result.facts["policies"], result.tables[0].notes
        assert (curves["epsilon"]["mean"][-1] < curves["ucb1"]["mean"][-1]) == is_said
        assert ("it is ahead after about 20,000 pulls" in notes[-1]) == is_said


def test_tables_leave_columns_out_where_the_terminal_is_narrow():
    coins, start, policies = last_coin(), Pile(20), ("epsilon", "ucb1", "thompson")
    standings = match(coins, (random_player, perfect_player(coins)), 40, seed=7)
    for result, left in (
        (solution_result(coins, start, "x"), ["way to play", "player"]),
        (standings_result(coins, "", ["flat:9", "perfect"], standings, 40), ["player", "mean"]),
        (simulation_result(coins, start, "x", [Record(9, (4, 5))], None), ["player", "mean"]),
        (regret((0.6, 0.5), 100, 2, policies), ["policy", "100 pulls"]),
    ):
        assert headings(fitting(result.tables[0], 1))[:2] == left


def test_more_games_than_asked_for_are_said():
    tie = tic_tac_toe._replace(score_range=(0, 1))
    players = (random_player, random_player, random_player)
    for asked, played, is_said in ((60, 60, False), (50, 54, True)):
        standings = match(tie, players, asked, seed=7)
        notes = standings_result(tie, "", ["a", "b", "c"], standings, asked).tables[0].notes
        assert any(f"{played} games were played" in note for note in notes) == is_said
    alone = match(STB, players, 9, seed=7)
    notes = standings_result(STB, "", ["a", "b", "c"], alone, 9).tables[0].notes
    assert not any("games were played" in note for note in notes)


def test_of_many_moves_the_most_visited_are_shown():
    gomoku = mnk(columns=15, rows=15, in_a_row=5)
    tree = search_game(gomoku, {}, gomoku.start, 300, Random(7))
    result = search_result(gomoku, gomoku.start, "x", tree, bound=ucb_wald, value=None)
    shown = [int(row[1]) for row in rows_of(result.tables[1])]
    visits = [move["visits"] for move in result.facts["turns"][0]["moves"]]
    assert shown == sorted(visits, reverse=True)[:20]
    assert len(visits) == 225
    assert "205 are left out" in result.tables[1].notes[-1]
    tree = search_game(tic_tac_toe, {}, tic_tac_toe.start, 99, Random(7))
    few = search_result(tic_tac_toe, tic_tac_toe.start, "x", tree, bound=ucb_wald, value=None)
    assert len(few.tables[1].columns[0].cells) == 9


def test_verdicts_are_tables_with_advice():
    law = {"law": "l", "cases": 1000, "status": "broken", "message": "m", "line": ["a", "b"]}
    skipped = {**law, "status": "not tried"}
    others = [{**skipped, "law": name, "message": why} for name, why in ("nx", "oy", "px")]
    facts = {"game": "G", "laws": [{**law, "advice": "Do."}, *others], "complete": False}
    result = laws_result(facts)
    assert list(rows_of(result.tables[0])) == [("l", "1,000", "broken", "m\na\nb")]
    assert result.lines == (
        "l: Do.",
        "not tried: n, p. x",
        "not tried: o. y",
        "broken: 1, not tried: 3; there was no time for some (--seconds gives more)",
    )
    task = {
        "task": 8,
        "title": "A title that is very long",
        "status": "right",
        "message": "w " * 40,
    }
    result = tasks_result("mine.py", [task])
    [(title, mark, _)] = rows_of(result.tables[0])
    assert (title, mark) == ("8. A title that is\nvery long", "right")
    assert result.lines == ("right: 1 of 1",)


@pytest.mark.parametrize(
    ("statuses", "trouble", "fails"),
    [
        (["right"], "", False),
        (["not there yet"], "", True),  # the task that was asked for
        (["right", "not there yet"], "", False),  # a solution grows, task by task
        (["right", "wrong"], "", True),
        (["right", "right"], "It cannot be loaded.", True),
    ],
)
def test_a_solution_fails_by_its_marks_and_by_its_trouble(statuses, trouble, fails):
    mark = {"title": "T", "message": "", "words": ["power"], "trouble": trouble}
    marks = [{**mark, "task": n, "status": status} for n, status in enumerate(statuses)]
    result = tasks_result("mine.py", marks)
    assert result.failed == fails
    assert any(trouble in line for line in result.lines)


def test_the_search_of_a_game_for_points_has_means_of_points():
    game, start = big_two(), deal(Random(7))
    tree = search_game(game._replace(hidden=None), {}, start, 20, Random(7))
    result = search_result(game._replace(hidden=None), start, "x", tree, bound=ucb_wald, value=None)
    assert result.facts["scores"] == list(tree[start].scores)
    assert headings(result.tables[0]) == ["dives", "mean", "95 % interval"]
