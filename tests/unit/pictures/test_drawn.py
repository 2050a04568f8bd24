"""Pictures as they were looked at, by a digest of each word, number and place.

If a digest changes, look at the picture before the new digest is put here.
"""

import hashlib
import re
from fractions import Fraction
from random import Random

import pytest

from pictures.test_pictures import KNOWN, ROW, TREE, row_game
from purembts.display import Squares
from purembts.fast.engine import search
from purembts.game import turn_at
from purembts.games import big_two, last_coin, mnk, shut_the_box
from purembts.knowledge.mnk_tactics import tactical
from purembts.pictures import Chart, Level, Line, chart, position, tree
from purembts.report import report

FIRST, _, *OTHERS = KNOWN.rows
QUARTER = Fraction(1, 4)
EXACT = [
    row._replace(visits=0, mean=None, interval=None, learnt=False, exact=QUARTER, best=True)
    for row in KNOWN.rows
]
NO_INTERVALS = [row._replace(interval=None) for row in KNOWN.rows]
NO_VISITS, FEW = (
    report(ROW, turn_at(ROW, "...", None), search(ROW, {}, "...", n, Random(7)) if n else {})
    for n in (0, 2)
)
TWO, FIVES = mnk.Board((1 << 119) | (1 << 104), (1 << 0) | (1 << 2)), tactical(mnk.gomoku)
ENDED = report(ROW, turn_at(ROW, "xox", None), TREE)
BOX, COINS, CARDS = shut_the_box.shut_the_box(), last_coin.last_coin(), big_two.big_two()
ROWS = mnk.mnk(7, 6, 4)
WIDE = Squares((("1,000,000", ""),))
COINS9 = last_coin.last_coin((1, 2, 3, 4, 5))
NINE = search(COINS9, {}, last_coin.pile(9), 200, Random(7))
TABLE = big_two.deal(Random(1))


def heat(rows):
    return position(ROW, "...", report=KNOWN._replace(rows=tuple(rows)))


def five_in_a_row(side):
    """The first player has a1 to e1, and four of the column g."""
    game = mnk.mnk(7, 6, 4, exactly=side == "up")
    return position(game, mnk.Board(0b11111 | sum(1 << 8 * i + 6 for i in range(4)), 0))


def curves(n, points=4):
    return [Line(f"line {i}", range(points), [i * x / 7 for x in range(points)]) for i in range(n)]


DRAWN = {
    "a goban": lambda: position(mnk.gomoku, mnk.gomoku.start),
    "a line across": lambda: five_in_a_row("across"),
    "a line up, exactly": lambda: five_in_a_row("up"),
    "a diagonal": lambda: position(ROWS, mnk.Board(sum(1 << 9 * i for i in range(1, 5)), 0)),
    "a tray with dice": lambda: position(BOX, frozenset({1, 9}), dice=range(1, 7)),
    "a hand": lambda: position(CARDS, CARDS.hidden.view(TABLE, 0)),
    "12 coins": lambda: position(COINS, last_coin.pile(12)),
    "the words of 1,000 coins": lambda: position(COINS, last_coin.pile(1000)),
    "a text": lambda: position(row_game(squares=None), "x.o", before="x.."),
    "moves below a text": lambda: position(row_game(squares=None), "...", report=KNOWN),
    "a text that fills a square": lambda: position(row_game(squares=lambda _: WIDE), "x.."),
    "squares backed up": lambda: heat(NO_INTERVALS),
    "equal exact squares": lambda: heat(EXACT),
    "the better of two moves": lambda: heat([FIRST, FIRST._replace(label="d", mean=0.9), *OTHERS]),
    "squares without visits": lambda: position(ROW, "...", report=FEW),
    "an ended game": lambda: position(ROW, "xox", report=ENDED),
    "a tree of boards": lambda: tree(ROW, TREE, "...", depth=2, most=2),
    "a tree of texts": lambda: tree(row_game(short="<{}>".format), TREE, "..."),
    "the usual part of a tree": lambda: tree(COINS9, NINE, last_coin.pile(9)),
    "a tree of one node": lambda: tree(ROW, {}, "..."),
    "eight lines": lambda: chart(Chart("T", "x", "y", curves(8))),
    "a long legend": lambda: chart(Chart("T", "x", "y", curves(40))),
    "dots and no dots": lambda: chart(Chart("", "", "", curves(1, 12) + curves(1, 13))),
    "an axis of one decade": lambda: chart(
        Chart("", "", "", [Line("a", [10, 50], [0, 1])], logarithmic=True)
    ),
    "no lines": lambda: chart(Chart("", "", "", [])),
    "levels that coincide": lambda: chart(
        Chart("", "", "", curves(1), [Level("best play", 0.0), Level("random play", 0.0)])
    ),
}
DIGESTS = """
bca888b8 2ebdc1a7 107353c9 1d790372 497b5ac9 62bebe41 27a5a4e3 86c6d1a7 14ebfddf dcf19916 fd60783b
3351208a 3c0b10ab ff9f3f4a e427e65e 55dd2ad8 ba273333 d9ade85c ef812b28 aea5c981 3f54fae3 4032e5af
d4aa578c 8f5f519a 290d18d3 39bc29ce
"""


@pytest.mark.parametrize(("name", "golden"), [*zip(DRAWN, DIGESTS.split(), strict=True)])
def test_a_picture_is_as_it_was_looked_at(name, golden):
    picture = DRAWN[name]()
    assert not re.search(r"var\(|height:auto", picture.svg), "which browsers alone can draw"
    shown = f"{picture.svg}\n{picture.title}\n{picture.text}"
    assert hashlib.sha256(shown.encode()).hexdigest()[:8] == golden
