"""The looks of squares and texts, in the colours of the things: felt, wood, cards, coins, dice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from purembts.display import Squares
from purembts.pictures import svg
from purembts.pictures.svg import DARK, EMPTY, PAPER, Drawing

DISCS = {"x": "#1b1f24", "o": "#f8f8f4"}
BLACK, WHITE = DISCS.values()
EDGE, GREEN, WOOD, PALE_WOOD, DARK_WOOD = "#8b949e", "#2b7a4b", "#8a5a2b", "#ecc98f", "#4a2e15"
LOOKS: dict[str, tuple[str, str, str | None]] = {
    "": (EMPTY, PAPER, EDGE),
    "felt": (GREEN, PAPER, "#185231"),
    "goban": ("#e2b76f", PAPER, None),
    "tray": (DARK_WOOD, PALE_WOOD, DARK_WOOD),
}
"""The colours of an empty square, of one with a text, and of the edges of squares."""
_CROSSES = {"x": "M12,12L36,36M36,12L12,36", "o": "M24,12a12,12,0,0,0,0,24a12,12,0,0,0,0,-24"}
_PIPS = ("", "4", "26", "246", "0268", "02468", "023568")
"""The places of the pips of each face, of 0 to 8 from the top left to the bottom right."""


def things(name: str, squares: Squares, at: tuple[int, int]) -> Iterator[str]:
    """The things in a square that is 48 wide: the lines of a goban, a lever, a disc or a cross."""
    (i, j), text = at, squares.rows[at[0]][at[1]]
    if name == "goban":
        size = len(squares.rows), len(squares.rows[i])
        across = f"M{0 if j else 24},24H{48 if j < size[1] - 1 else 24}"
        down = f"M24,{0 if i else 24}V{48 if i < size[0] - 1 else 24}"
        yield svg.path(across + down, stroke=DARK_WOOD)
        if size[0] > 12 and all(k in (3, n // 2, n - 4) for k, n in zip(at, size, strict=True)):
            yield svg.element("circle", cx=24, cy=24, r=4, fill=DARK_WOOD)
    if name == "tray":
        y, high, colour = (-18, 20, PALE_WOOD) if text else (30, 15, WOOD)
        yield svg.element("rect", x=2, y=y, width=44, height=high, rx=4, fill=colour)
        if not text and squares.columns:
            yield svg.words(24, 42, squares.columns[j], 13, "middle", fill=PALE_WOOD)
    if name == "crosses" and text in _CROSSES:
        yield svg.path(_CROSSES[text], fill="none", stroke=DARK, stroke_width=5)
    elif text in DISCS:
        look: dict[str, svg.Attribute] = {"stroke": EDGE, "stroke_width": 1.5}
        yield svg.element("circle", cx=24, cy=24, r=20, fill=DISCS[text], **look)


def tray(board: Drawing, dice: Sequence[int]) -> Drawing:
    """A board above felt with the faces of dice, in a frame of wood."""
    wide, high, x = board.width, board.height, (board.width - 56 * len(dice) + 16) / 2
    wood = svg.element("rect", width=wide + 20, height=high + 84, rx=8, fill=WOOD, stroke=DARK_WOOD)
    felt = svg.element("rect", y=high, width=wide, height=64, fill=GREEN)
    faces = [svg.group(x + 56 * i, high + 12, *_die(face)) for i, face in enumerate(dice)]
    return Drawing(wide + 20, high + 84, wood + svg.group(10, 10, felt, board.body, *faces))


def _die(face: int) -> Iterator[str]:
    """A die that shows `face`."""
    yield svg.tip(f"A die that shows {face}")
    yield svg.element("rect", width=40, height=40, rx=8, fill=WHITE)
    for row, column in (divmod(int(place), 3) for place in _PIPS[face]):
        yield svg.element("circle", cx=9 + 11 * column, cy=9 + 11 * row, r=4, fill=BLACK)


_THINGS = {"cards": re.compile("((?:(?:10|[2-9JQKA])[♣♦♥♠] ?)+)"), "coins": re.compile("(^o+$)")}
"""The parts of a text that are drawn as things, by the look of the game."""


def text_as(look: str, text: str) -> Drawing | None:
    """`text` with its cards or coins drawn as such; None without them, and for very long texts."""
    lines = text.splitlines()
    if look not in _THINGS or len(lines) > 60:
        return None
    parts = (
        _things(look, part) if i % 2 else svg.text_lines(wrap(part.strip(" ,;"), 44), 14, DARK)
        for line in lines
        for i, part in enumerate(_THINGS[look].split(line))
    )
    return svg.stacked(parts, 6)


def _things(look: str, text: str) -> Drawing:
    """The cards or the coins of a line, side by side."""
    is_cards = look == "cards"
    names, step, high = (text.split(), 26, 57) if is_cards else ([*text], 34, 30)
    draw = _card_parts if is_cards else _coin_parts
    groups = [svg.group(step * i, 0, *draw(name)) for i, name in enumerate(names)]
    return Drawing(step * len(names) + 14, high, "".join(groups))


def _card_parts(card: str) -> Iterator[str]:
    """A card with its rank above its suit."""
    ink = "#b3261e" if card[-1] in "♦♥" else BLACK
    yield svg.element("rect", x=0.5, y=0.5, width=39, height=56, rx=5, fill=WHITE, stroke=EDGE)
    yield svg.words(13, 19, card[:-1], 15, "middle", fill=ink, font_weight="600")
    yield svg.words(13, 40, card[-1], 19, "middle", fill=ink)


def _coin_parts(_: str) -> Iterator[str]:
    for radius in (14.5, 10):
        yield svg.element("circle", cx=15, cy=15, r=radius, fill="#e8b931", stroke="#8f6a00")
