"""The results of a search, a solution and a match: facts and tables, and the table for the pub."""

from random import Random

import pytest

from purembts import best_move_table_string, search, shut_the_box, start_box
from purembts.app.results import (
    Result,
    as_workshop,
    card,
    game_title,
    record_facts,
    search_result,
    solution_result,
    standings_result,
)
from purembts.bounds import ucb_wald
from purembts.exact import solver
from purembts.fast.engine import search as search_game
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.shut_the_box import boxes
from purembts.play import match
from purembts.players import perfect_player, random_player
from purembts.records import NOTHING, Record, interval
from purembts.tables import as_text, fitting, lines_of, rows_of
from work import headings

STB, COINS = shut_the_box(), last_coin()
AFTER = tic_tac_toe.moves(tic_tac_toe.start, None)[0]


def test_the_tables_of_a_search_fit_in_80_and_60_columns():
    tree = search({}, start_box, 100_000, Random(7))
    result = search_result(STB, start_box, "x", tree, ucb_wald, solver(STB))
    for table in result.tables:
        for width in (80, 60):
            text = as_text(table, width)
            assert max(map(len, text.splitlines())) <= (80 if "learnt" in text else width)
    assert "roll 2   shut 2" in as_text(result.tables[1], 80)


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
        (COINS, Pile(7), "Last coin from 7"),
        (tic_tac_toe, AFTER, f"{tic_tac_toe.name} from a"),
        (big_two(), deal(Random(7)), "Big Two from a deal"),
    ],
)
def test_a_title_names_the_place(game, start, words):
    assert game_title(game, start).startswith(words)
    assert game_title(game, start, "x=1").endswith(" (x=1)")


def test_a_position_without_a_short_text_is_drawn_above_the_tables():
    for start, above in ((tic_tac_toe.start, ""), (AFTER, tic_tac_toe.display.show(AFTER))):
        assert solution_result(tic_tac_toe, start, "x").above == above
    game, start = big_two(), deal(Random(7))
    view = game.hidden.view(start, game.to_move(start))
    result = search_result(game, start, "x", {view: Record(1, (0, 0, 0, 0))}, ucb_wald, None)
    assert result.above == game.display.show(view)
    assert search_result(game, start, "x", {}, ucb_wald, None) == Result()


def test_of_many_moves_the_most_visited_are_shown():
    gomoku = mnk(columns=15, rows=15, in_a_row=5)
    tree = search_game(gomoku, {}, gomoku.start, 300, Random(7))
    result = search_result(gomoku, gomoku.start, "x", tree, ucb_wald, None)
    visits = [move["visits"] for move in result.facts["turns"][0]["moves"]]
    assert len(visits) == 225
    rows = [int(row[1]) for row in rows_of(result.tables[1])]
    assert rows == sorted(visits, reverse=True)[:20]
    assert "205 are left out" in result.tables[1].notes[-1]
    tree = search_game(tic_tac_toe, {}, tic_tac_toe.start, 99, Random(7))
    few = search_result(tic_tac_toe, tic_tac_toe.start, "x", tree, ucb_wald, None)
    assert len([*rows_of(few.tables[1])]) == 9


def test_standings_are_in_the_order_of_their_means():
    standings = match(COINS, (random_player, perfect_player(COINS)), 40, seed=7)
    result = standings_result(COINS, "x", ["random", "perfect"], standings, 40)
    [table] = result.tables
    assert [row[0] for row in rows_of(table)] == ["perfect", "random"]
    assert [row["player"] for row in result.facts["standings"]] == ["random", "perfect"]
    assert headings(fitting(table, 1)) == ["player", "mean"]


@pytest.mark.parametrize(
    ("game", "least", "games"), [(tic_tac_toe, 60, 0), (tic_tac_toe, 50, 54), (STB, 9, 0)]
)
def test_more_games_than_asked_for_are_said(game, least, games):
    standings = match(game, (random_player,) * 3, least, seed=7)
    [table] = standings_result(game, "", ["a", "b", "c"], standings, least).tables
    assert any(f"{games} games were played" in note for note in table.notes) == bool(games)


# The table for the pub


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"levers": 10, "one_die_end": "sum"},
        {"levers": 4, "dice": 1},
        {"levers": 7, "dice": 3, "one_die_end": "shut", "most_levers": 2},
        {"levers": 1},
    ],
    ids=str,
)
def test_a_cell_is_the_first_of_the_best_moves(rules):
    game = shut_the_box(**rules)
    value, (_, *rolls, _), show = solver(game), lines_of(card(game))[0], game.display.short
    rows = zip(boxes(game.rules.levers), rows_of(card(game)), strict=True)
    for box, (name, *cells, chance) in rows:
        assert (name, chance) == (show(box), f"{float(value(box)[0]):.5f}")
        for roll, cell in zip(map(int, rolls), cells, strict=True):
            moves = game.moves(box, roll) if roll in game.chances(box) else ()
            highest = max(map(value, moves), default=None)
            assert cell == next((show(move) for move in moves if value(move) == highest), "x")


def test_the_text_is_the_table_of_the_workshop_below_its_headings():
    heads = "\t".join(["box", *map(str, range(2, 13))]) + "\n"
    assert as_workshop(card(STB)) == heads + best_move_table_string()


def test_a_table_that_is_too_large_is_refused():
    """Few boxes can follow from 40 levers with two dice, but a table has a line for each box."""
    with pytest.raises(ValueError, match=r"at most 20,000 boxes; got 2\^40"):
        card(shut_the_box(levers=40))
