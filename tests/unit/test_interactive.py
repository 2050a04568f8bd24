"""A prompt shows a tree in one line, and other values of the library by their own text."""

from random import Random
from types import SimpleNamespace

import pytest
from pyrsistent import pmap

import purembts
from purembts import Record, easy_box, search, shut_the_box, start_box, uct
from purembts.bounds import ucb1
from purembts.curves import Curves
from purembts.fast import engine
from purembts.fast.curves import curves
from purembts.game import Game, turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import tic_tac_toe
from purembts.interactive import is_tree, outline, prompt_text, show
from purembts.pictures import Chart, Line, position
from purembts.pictures import tree as draw_tree
from purembts.proving import settled
from purembts.report import report, table
from purembts.tables import ALWAYS, Column, Table, as_html
from toys import Map

COINS = last_coin()
TREE = engine.search(COINS, {}, COINS.start, 100, Random(7))
REPORT = report(COINS, turn_at(COINS, COINS.start, None), TREE)
CHART = Chart("A title", "x", "y", [Line("one", (1, 2), (3, 4))])


@pytest.mark.parametrize(
    "value",
    [{}, pmap(), dict(TREE), pmap({1: Record(1, (1, 0)), 2: 3}), settled(COINS, TREE, Pile(5)), 7],
    ids=lambda value: type(value).__name__,
)
def test_other_values_are_no_trees_and_are_shown_as_in_python(value):
    assert not is_tree(value)
    assert (outline(value), prompt_text(value)) == ("", repr(value))


def test_a_tree_of_any_map_is_one_line_also_beside_the_result_of_a_dive():
    line = f"Tree (positions: {len(TREE)}, dives: 100); for more: show(tree, game=...)"
    assert prompt_text(TREE) == prompt_text(Map(dict(TREE))) == line
    tree, result = uct({}, easy_box, Random(7))
    assert prompt_text((tree, result)) == f"({outline(tree)}, {result})"
    assert prompt_text((TREE,)) == f"({line},)"
    assert prompt_text((1, "a")) == "(1, 'a')"


def test_the_best_lines_begin_at_the_start_or_at_the_most_visited_position():
    lines = show(TREE, game=COINS)
    assert lines.title == "Last coin, player 1 to move"
    assert [column.heading for column in lines.columns][-1] == "then"
    rolls = show(search({}, start_box, 300, Random(7)))
    assert rolls.columns[0].cells == tuple(f"roll {n}" for n in range(2, 13))
    below = engine.search(COINS, {}, Pile(5, 1), 50, Random(7))
    assert show(below, game=COINS).title == "Last coin, player 2 to move"


def test_a_position_is_shown_as_its_picture():
    assert show(easy_box) == position(shut_the_box(), easy_box)
    assert show(tic_tac_toe.start, game=tic_tac_toe).svg.startswith("<svg")


def test_a_value_of_another_game_is_refused_with_a_sentence():
    for value, got in ((7, "7"), (TREE, rf"Tree \(positions: {len(TREE)}, dives: 100\)")):
        with pytest.raises(ValueError, match=f"of Shut the Box, or `game` another game; got {got}"):
            show(value)
    with pytest.raises(ValueError, match="of Big Two"):
        show(TREE, game=big_two())


@pytest.mark.parametrize(
    "value", [REPORT, CHART, show(easy_box), table(REPORT)], ids=lambda value: type(value).__name__
)
def test_typed_values_have_a_text_and_a_form_for_notebooks(value):
    assert prompt_text(value) == str(value)
    assert repr(value).startswith(f"{type(value).__name__}(")
    forms = [getattr(value, name, str)() for name in ("_repr_html_", "_repr_svg_")]
    assert any(each.startswith(("<table", "<svg")) for each in forms)


def test_a_table_is_as_wide_as_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    columns = (Column("a", ("x" * 30,), importance=ALWAYS), Column("b", ("y" * 30,), importance=1))
    assert "y" not in prompt_text(Table("", columns))


def test_the_extension_of_ipython_shows_trees_and_texts_and_knows_show():
    printers, pages, names, texts = {}, {}, {}, []
    plain = SimpleNamespace(for_type=printers.__setitem__)
    html = SimpleNamespace(for_type=pages.__setitem__)
    shell = SimpleNamespace(
        display_formatter=SimpleNamespace(formatters={"text/plain": plain, "text/html": html}),
        push=lambda words, interactive: names.update(words),
    )
    purembts.load_ipython_extension(shell)
    for value in (TREE, REPORT, pmap({1: 2})):
        printers[type(value)](value, SimpleNamespace(text=texts.append), False)
    assert texts == [outline(TREE), str(REPORT), "pmap({1: 2})"]
    learning = curves(COINS, (5,), 2, {"UCB1": ucb1}, seed=7)
    assert pages[Curves](learning).count("<svg") == 1
    assert names == {"show": show}
    assert REPORT._repr_html_() == as_html(table(REPORT))


def test_positions_may_be_plain_tuples():
    """Without a game, they are no boxes. A dict of records is a tree."""
    moves = {(2, 0): ((1, 1), (0, 1)), (1, 1): ((0, 0),)}
    pairs = Game(
        lambda state, event: moves.get(state, ()),
        lambda state: (1, 0) if state[1] else (0, 1),
        lambda state: state[1],
        start=(2, 0),
        name="pairs",
    )
    tree = engine.search(pairs, {}, (2, 0), 9, Random(7))
    assert str(show((2, 0), game=pairs)) == "pairs\n(2, 0)"
    assert show(dict(tree.items()), game=pairs) == show(tree, game=pairs)
    assert ">(1, 1)</text>" in draw_tree(pairs, tree, (2, 0)).svg
    for value, game in (((2, 0), {}), ({(2, 0): (1, (1, 0))}, {"game": pairs})):
        with pytest.raises(ValueError, match=r"^`value` must be a tree or a position of "):
            show(value, **game)
