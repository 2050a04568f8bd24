"""Pictures of positions: squares with discs or texts, their heat map, and plain text.

They know no game but the `squares` or the `show` of its `display`, and the `look` of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from textwrap import wrap
from typing import Any, NamedTuple, TypeAlias

from purembts.display import Display, Square, Squares, cut, new_squares, number
from purembts.game import Game, S
from purembts.guards import explained
from purembts.pictures import svg
from purembts.pictures.svg import DARK, EMPTY, GREY, MARK, MONO, PAPER, Attribute, Drawing, Picture
from purembts.play import whose
from purembts.report import (
    Report,
    Row,
    heat_digits,
    in_words,
    is_backed_up_mean,
    is_chosen,
    most_visited,
    score_of,
)
from purembts.tables import text_width

_Places: TypeAlias = Sequence[tuple[Row, tuple[Square, ...]]]
"""Moves, each with the squares that it fills or changes."""
_TINTS = ("#a9c4e6", "#f3f1ea", "#f5a742")
"""The tints of the lowest score, of one in the middle and of the highest score."""


class _Heat(NamedTuple):
    """The knowledge about a move that fills or changes a square."""

    row: Row
    tint: str
    """The colour of the square: its score on the scale of all scores; "" without a score."""
    score: str


@explained
def position(
    game: Game[S, Any],
    state: S,
    *,
    before: S | None = None,
    report: Report | None = None,
    dice: Sequence[int] = (),
) -> Picture:
    """The position, with the move from `before` marked, and a heat map of `report`.

    The faces of `dice` lie in a tray below the board. The square of a move has its mean and its
    visits. Its tint is the mean on the scale from the lowest to the highest score of the game. A
    move without visits has its exact value in the place of the mean, if it is known. A square of
    several moves has the numbers of the best one.

    >>> from purembts.games.mnk import Board, tic_tac_toe
    >>> position(tic_tac_toe, Board(1, 0), before=tic_tac_toe.start).title
    'Tic-tac-toe after a1'
    """
    display, title, texts = game.display, game.name, [game.display.show(state)]
    if before is not None:
        title += f" after {display.label(before, state)}"
    heats: dict[Square, _Heat] = {}
    below: list[Drawing] = []
    if report:
        places = _places(display, report)
        texts += [f"{in_words(row)}." for row in most_visited(report.rows, 5)]
        heats, below = _heats(report, places), [*_legends(report, places)]
    if display.squares is None:
        drawing = _text_as(display.look, texts[0]) or _text_drawing(texts[0])
    else:
        squares = display.squares(state)
        change = () if before is None else new_squares(display.squares(before), squares)
        drawing = board(squares, 48, display.look, change, heats)
        drawing = _tray(drawing, dice) if display.dice else drawing
        note = svg.text_lines([squares.note] if squares.note else [], 15, DARK)
        drawing = svg.stacked([drawing, note], 6)
    return svg.picture(title, "\n".join(texts), svg.stacked([drawing, *below]))


def _places(display: Display[Any], report: Report) -> _Places:
    """Each move of `report` with the squares that it fills or changes."""
    if display.squares is None:
        return [(row, ()) for row in report.rows]
    now = display.squares(report.turn.state)
    return [(row, new_squares(now, display.squares(row.move))) for row in report.rows]


def _heats(report: Report, places: _Places) -> dict[Square, _Heat]:
    """The heat of each square: that of the best move, where there are several."""
    (low, high), digits = report.game.score_range, heat_digits(report)
    heats: dict[Square, _Heat] = {}
    for row, squares in sorted(places, key=lambda place: score_of(place[0])):
        score = score_of(row)
        # A mean may be outside the range by rounding.
        share = min(max((score - low) / (high - low), 0.0), 1.0)
        heat = _Heat(row, "" if score == -inf else _tint_of(share), number(score, digits))
        heats |= dict.fromkeys(squares, heat)
    return heats


def row_facts(row: Row) -> dict[str, str | None]:
    """The exact numbers of a move, as attributes."""
    low, high = row.interval or (None, None)
    facts = {"move": row.label, "visits": row.visits, "mean": row.mean, "low": low, "high": high}
    facts |= {"exact": row.exact}
    return {f"data_{name}": None if fact is None else str(fact) for name, fact in facts.items()}


def _legends(report: Report, places: _Places) -> Iterator[Drawing]:
    """The scale of the tints, and the moves that do not stand in one square of their own."""
    low, high = report.game.score_range
    rows = [row for row, squares in places if squares]
    if any(score_of(row) > -inf for row in rows):
        yield _scale(f"{low:g}", f"{high:g}")
        sign = f"number and colour{whose(report.game, report.turn.player, ', for')}"
        has_means = any(row.exact is None or row.visits for row in rows)
        signs = _signs(sign, rows, has_means=has_means)
        yield svg.text_lines([line for text in signs for line in wrap(text, 48)])
        yield svg.text_lines(["below the mean: visits"] if has_means else [])
    others = [row for row, squares in places if len(squares) != 1]
    lines = [cut(in_words(row), 60) for row in most_visited(others, 8)]
    if rest := len(others) - len(lines):
        lines.append(f"and {rest:,} more moves")
    yield svg.text_lines(lines)


def _signs(sign: str, rows: Sequence[Row], *, has_means: bool) -> Iterator[str]:
    """The words that explain the numbers in squares and their frames."""
    if not has_means:
        yield from (f"{sign}: exact value", "blue frame: no move is better")
        return
    is_backed_up = any(map(is_backed_up_mean, rows))
    yield f"{sign}: mean score{', backed up from the moves that follow' if is_backed_up else ''}"
    if any(row.learnt for row in rows):
        yield "blue frame: the move it would play"


def _scale(low: str, high: str) -> Drawing:
    """The tints from the lowest score to the highest one."""
    boxes = [
        svg.element("rect", x=i * 14.0, y=0.0, width=14.0, height=14.0, fill=_tint_of(i / 10))
        for i in range(11)
    ]
    lowest = svg.words(50, 12, low, 13, "end", fill=GREY)
    body = f"{lowest}{svg.group(58, 1, *boxes)}{svg.words(220, 12, high, 13, fill=GREY)}"
    return Drawing(220 + svg.width_of(high, 13), 16, body)


def board(
    squares: Squares, side: float, look: str, marks: Iterable[Square], heats: dict[Square, _Heat]
) -> Drawing:
    """The squares, `side` wide each, with the names of columns and rows if there is room.

    The squares `marks` have a frame.
    """
    has_names = side > 14
    wide = max(map(text_width, squares.names), default=0)
    indent = 12 + 9 * wide if wide and has_names else 0
    top = 22 if any(squares.columns) and has_names else 0

    def put(at: Square, *parts: str) -> str:
        return svg.group(indent + at[1] * side, top + at[0] * side, *parts)

    parts = [
        put((i, j), *_square(squares, (i, j), side, heats.get((i, j)), look))
        for i, row in enumerate(squares.rows)
        for j in range(len(row))
    ]
    parts += [put(at, _frame(side, max(1.5, side / 14), MARK)) for at in marks]
    if squares.line:
        ends = [f"{indent + (j + 0.5) * side},{top + (i + 0.5) * side}" for i, j in squares.line]
        parts.append(svg.path(f"M{'L'.join(ends)}", stroke=MARK, stroke_width=side / 7))
    if look != "tray":
        parts += _border(squares, side, indent, top)
    columns = max(map(len, squares.rows), default=0)
    return Drawing(indent + columns * side, top + len(squares.rows) * side, "".join(parts))


def _frame(side: float, width: float, colour: str, gap: float = 0) -> str:
    """A frame inside a square, with a gap to its edge."""
    at, inner = gap + width / 2, side - 2 * gap - width
    place = {"x": at, "y": at, "width": inner, "height": inner}
    return svg.element("rect", **place, fill="none", stroke=colour, stroke_width=width)


def _border(squares: Squares, side: float, indent: float, top: float) -> Iterator[str]:
    """The names of the columns above them, and those of the rows at their left."""
    for j, name in enumerate(squares.columns if top else ()):
        x, size = indent + (j + 0.5) * side, svg.fitting_size(name, side - 2, 14)
        yield svg.words(x, 14, name, size, "middle", fill=GREY)
    for i, name in enumerate(squares.names if indent else ()):
        y = top + (i + 0.5) * side + 5
        yield svg.words(indent - 9, y, name, 14, "end", fill=GREY)


def _square(
    squares: Squares, at: Square, side: float, heat: _Heat | None, look: str
) -> Iterator[str]:
    """A square at (0, 0) with its disc or its text, and its heat."""
    text, (empty, full, edge) = squares.rows[at[0]][at[1]], LOOKS.get(look, LOOKS[""])
    is_word, tint = bool(text) and text not in DISCS, heat.tint if heat else ""
    colour = tint or (full if is_word else empty)
    yield svg.element("rect", width=side, height=side, fill=colour, stroke=edge)
    things = [*_things(look, squares, at)]
    if things and (text or not tint):
        yield svg.element("g", *things, transform=f"scale({svg.decimal(side / 48)})")
    if is_word:
        size = svg.fitting_size(text, side - 6, side * (0.27 if heat else 0.42))
        y = side * 0.3 if heat else side * 0.5 + size * 0.35
        weight = "400" if heat else "600"
        ink = DARK_WOOD if heat or look == "tray" else DARK
        yield svg.words(side / 2, y, text, size, "middle", font_weight=weight, fill=ink)
    if heat:
        yield _heat_part(heat, side, is_low=bool(text))


def _tint_of(heat: float) -> str:
    """The colour of a heat from 0, the lowest score, to 1, the highest.

    >>> _tint_of(0), _tint_of(0.75)
    ('#a9c4e6', '#f4cc96')
    """
    low, high = _TINTS[:2] if heat < 0.5 else _TINTS[1:]
    part = heat * 2 if heat < 0.5 else heat * 2 - 1
    ends = zip(bytes.fromhex(low[1:]), bytes.fromhex(high[1:]), strict=True)
    return f"#{bytes(round(a + (b - a) * part) for a, b in ends).hex()}"


def _heat_part(heat: _Heat, side: float, *, is_low: bool) -> str:
    """The score and the visits of a move in its square, and a frame if it is chosen."""
    row, parts = heat.row, [svg.tip(in_words(heat.row))]
    if heat.score:
        below = f"{row.visits:,}" if row.visits else "exact"
        high, low = ((0.28, 0.62), (0.22, 0.88)) if is_low else ((0.31, 0.48), (0.25, 0.8))
        for text, (size, y), weight in ((heat.score, high, "600"), (below, low, "400")):
            fitting = svg.fitting_size(text, side - 9, side * size)
            parts.append(svg.words(side / 2, side * y, text, fitting, "middle", font_weight=weight))
    if is_chosen(row):
        parts.append(_frame(side, 3.0, svg.CHOICE, gap=1.0))
    return svg.element("g", *parts, **row_facts(row), fill=DARK, data_heat="")


def _text_drawing(text: str) -> Drawing:
    """`text` in a monospaced font.

    The characters keep their columns, also where the font has none of this width.
    """
    lines, size, high = text.expandtabs().splitlines() or [""], 15.0, 20.25
    widths = [text_width(line) * 9.0 for line in lines]
    fixed: dict[str, Attribute] = {"font_family": MONO, "style": "white-space:pre"}
    parts = []
    for i, (line, width) in enumerate(zip(lines, widths, strict=True)):
        if line.strip():
            fixed |= {"textLength": width, "lengthAdjust": "spacingAndGlyphs"}
            parts.append(svg.words(0, i * high + size, line, size, None, **fixed))
    return Drawing(max(widths), len(lines) * high + 3, "".join(parts))


# The looks of squares and texts, in the colours of the things: felt, wood, cards, coins, dice

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


def _things(name: str, squares: Squares, at: tuple[int, int]) -> Iterator[str]:
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
        look: dict[str, Attribute] = {"stroke": EDGE, "stroke_width": 1.5}
        yield svg.element("circle", cx=24, cy=24, r=20, fill=DISCS[text], **look)


def _tray(board: Drawing, dice: Sequence[int]) -> Drawing:
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


def _cards(text: str) -> Drawing:
    """The cards of a text, side by side."""
    cards = text.split()
    groups = [svg.group(26 * i, 0, *_card_parts(card)) for i, card in enumerate(cards)]
    return Drawing(26 * len(cards) + 14, 57, "".join(groups))


def _card_parts(card: str) -> Iterator[str]:
    """A card with its rank above its suit."""
    ink = "#b3261e" if card[-1] in "♦♥" else BLACK
    yield svg.element("rect", x=0.5, y=0.5, width=39, height=56, rx=5, fill=WHITE, stroke=EDGE)
    yield svg.words(13, 19, card[:-1], 15, "middle", fill=ink, font_weight="600")
    yield svg.words(13, 40, card[-1], 19, "middle", fill=ink)


def _coins(text: str) -> Drawing:
    """A coin for each character of a text."""
    look: dict[str, Attribute] = {"fill": "#e8b931", "stroke": "#8f6a00"}
    coin = [svg.element("circle", cx=15, cy=15, r=radius, **look) for radius in (14.5, 10)]
    groups = [svg.group(34 * i, 0, *coin) for i in range(len(text))]
    return Drawing(34 * len(text) + 14, 30, "".join(groups))


_THINGS: dict[str, tuple[re.Pattern[str], Callable[[str], Drawing]]] = {
    "cards": (re.compile("((?:(?:10|[2-9JQKA])[♣♦♥♠] ?)+)"), _cards),
    "coins": (re.compile("(^o+$)"), _coins),
}
"""The parts of a text that are drawn as things, by the look of the game."""


def _text_as(look: str, text: str) -> Drawing | None:
    """`text` with its cards or coins drawn as such; None without them, and for very long texts."""
    lines = text.splitlines()
    if look not in _THINGS or len(lines) > 60:
        return None
    pattern, thing = _THINGS[look]
    parts: list[Drawing] = []
    for line in lines:
        for i, part in enumerate(pattern.split(line)):  # texts, and things between them
            words = wrap(part.strip(" ,;"), 44)
            parts.append(thing(part) if i % 2 else svg.text_lines(words, 14, DARK))
    return svg.stacked(parts, 6)
