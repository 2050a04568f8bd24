"""The table of best moves says what the solver says."""

import pytest

from purembts import best_move_table_string
from purembts.app.results import as_workshop, card
from purembts.exact import solver
from purembts.games.shut_the_box import Rules, boxes, shut_the_box
from purembts.tables import lines_of, rows_of

VARIANTS = [
    Rules(),
    Rules(10, one_die_end="sum"),
    Rules(4, dice=1),
    Rules(7, 3, "shut", 2),
    Rules(1),
]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_cell_is_the_first_of_the_best_moves(rules):
    game = shut_the_box(rules)
    value, (_, *rolls, _), show = solver(game), lines_of(card(game))[0], game.display.short
    for box, (name, *cells, chance) in zip(boxes(rules), rows_of(card(game)), strict=True):
        assert (name, chance) == (show(box), f"{float(value(box)[0]):.5f}")
        for roll, cell in zip(map(int, rolls), cells, strict=True):
            moves = game.moves(box, roll) if roll in game.chances(box) else ()
            highest = max(map(value, moves), default=None)
            assert cell == next((show(m) for m in moves if value(m) == highest), "x")


def test_the_text_is_the_table_of_the_workshop_below_its_headings():
    heads = "\t".join(["box", *map(str, range(2, 13))]) + "\n"
    assert as_workshop(card(shut_the_box())) == heads + best_move_table_string()


def test_a_table_that_is_too_large_is_refused():
    """Few boxes can follow from 40 levers with two dice, but a table has a line for each box."""
    with pytest.raises(ValueError, match=r"at most 20,000 boxes; got 2\^40"):
        card(shut_the_box(Rules(levers=40)))
