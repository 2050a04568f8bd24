"""Pictures as values: SVG text with a title and a text alternative, and the elements of it.

Every picture has a light background of its own, so it is readable on light and on dark pages. Its
ids come from its content, so that pictures which differ can stand on one page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from hashlib import sha256
from html import escape as escaped
from itertools import accumulate, pairwise
from textwrap import wrap
from typing import NamedTuple, TypeAlias

from purembts.tables import text_width

DARK, GREY, PALE, PAPER = "#1f2328", "#59636e", "#d1d9e0", "#ffffff"
"""The colours of text, of text that is less important, of thin lines, and of the background."""
MARK = "#d55e00"
"""The colour of the last move: the vermilion of Okabe and Ito."""
CHOICE = "#0072b2"
"""The colour of the move that the records play: the blue of Okabe and Ito."""
SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
MONO = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"

Attribute: TypeAlias = str | float | Fraction | None


class Picture(NamedTuple):
    """A picture that shows itself in a notebook. Its text says the same in words."""

    title: str
    text: str
    """The text alternative."""
    svg: str
    """An SVG element, which is also a whole file."""

    def __str__(self) -> str:
        return f"{self.title}\n{self.text}".rstrip()

    def _repr_svg_(self) -> str:
        return self.svg


class Drawing(NamedTuple):
    """A part of a picture: elements between (0, 0) and (width, height)."""

    width: float
    height: float
    body: str


# Elements


NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that no XML document may contain."""

QUOTED = {'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
"""The characters that XML changes in an attribute, or that end it."""


def clean(text: str) -> str:
    """`text` with a replacement character for each character that XML does not allow."""
    return NOT_IN_XML.sub("\ufffd", text)


def escape(text: str) -> str:
    """`text` between two tags.

    >>> escape("a < b & c")
    'a &lt; b &amp; c'
    """
    return escaped(clean(text), quote=False)


def quoted(text: str) -> str:
    r"""`text` between the quotation marks of an attribute.

    >>> quoted('"a"\nb')
    '&quot;a&quot;&#10;b'
    """
    return re.sub('["\n\r\t]', lambda found: QUOTED[found[0]], escape(text))


def element(tag: str, *children: str, **attributes: Attribute) -> str:
    """An element of SVG. An underscore in the name of an attribute stands for a hyphen.

    An attribute of None is left out. A float has at most two digits after the point.

    >>> element("g", element("rect", x=1.25, stroke_width=2), fill="none")
    '<g fill="none"><rect x="1.25" stroke-width="2"/></g>'
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{quoted(_attribute(value))}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{given}>{''.join(children)}</{tag}>" if children else f"<{tag}{given}/>"


def _attribute(value: str | float | Fraction) -> str:
    return short(value) if isinstance(value, float) else str(value)


def short(value: float) -> str:
    """`value` with at most two digits after the point.

    >>> short(0.5), short(3.0), short(-0.001), short(2.346)
    ('0.5', '3', '0', '2.35')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def words(x: float, y: float, text: str, size: float = 14, **attributes: Attribute) -> str:
    """A line of text whose baseline begins at (x, y), or as `text_anchor` says."""
    return element("text", escape(text), x=x, y=y, font_size=size, **attributes)


def tip(text: str) -> str:
    """The text that appears over an element when the mouse rests there."""
    return element("title", escape(text))


def moved(x: float, y: float, *children: str, **attributes: Attribute) -> str:
    """A group of `children`, moved by (x, y), with these attributes."""
    return element("g", *children, transform=f"translate({short(x)} {short(y)})", **attributes)


# Whole pictures


def picture(title: str, text: str, drawing: Drawing, *, margin: float = 16) -> Picture:
    """The picture of `drawing` on a background. A page may show it smaller, but not wider."""
    wide, high = drawing.width + 2 * margin, drawing.height + 2 * margin
    named = sha256(f"{title}\n{text}\n{drawing.body}".encode("utf-8", "replace")).hexdigest()[:12]
    svg = element(
        "svg",
        element("title", escape(title), id=f"title-{named}"),
        element("desc", escape(text), id=f"desc-{named}"),
        element(
            "rect", x=0.5, y=0.5, width=wide - 1, height=high - 1, rx=8, fill=PAPER, stroke=PALE
        ),
        moved(margin, margin, drawing.body),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {short(wide)} {short(high)}",
        width=wide,
        style="max-width:100%;height:auto",
        role="img",
        aria_labelledby=f"title-{named} desc-{named}",
        font_family=SANS,
        fill=DARK,
    )
    return Picture(title, text, f"{svg}\n")


def stacked(drawings: Iterable[Drawing], gap: float = 12) -> Drawing:
    """`drawings` one below the other."""
    drawn = [drawing for drawing in drawings if drawing.body]
    tops = list(accumulate((drawing.height + gap for drawing in drawn), initial=0.0))
    return Drawing(
        max((drawing.width for drawing in drawn), default=0),
        max(0, tops[-1] - gap),
        "".join(moved(0, top, drawing.body) for top, drawing in zip(tops, drawn, strict=False)),
    )


def lines_of(texts: Sequence[str], size: float = 14, colour: str = GREY) -> Drawing:
    """`texts` as lines of text."""
    body = "".join(
        words(0, (i + 0.8) * size * 1.4, text, size, fill=colour) for i, text in enumerate(texts)
    )
    width = max((width_of(text, size) for text in texts), default=0)
    return Drawing(width, len(texts) * size * 1.4, body)


def heading(title: str, width: float) -> Drawing:
    """`title` in bold, in as many lines as it needs for this width."""
    lines = wrap(" ".join(title.split()), int(width / 9))
    body = "".join(
        words(0, 15 + 20 * i, line, 15, font_weight="600") for i, line in enumerate(lines)
    )
    return Drawing(min(width, max(map(width_of, lines), default=0)), 20 * len(lines), body)


# The room that text needs


def width_of(text: str, size: float = 14) -> float:
    """An estimate of the width of `text`, which is seldom too small: fonts differ."""
    return size * sum(map(_ems, text))


def _ems(character: str) -> float:
    """The width of a character in a wide font, in multiples of the size of the font."""
    if not character.isascii():
        return 0.9 * text_width(character)
    return 0.66 if character.isdigit() or character.isupper() or character in "mw%+" else 0.54


def fitting_size(text: str, width: float, size: float) -> float:
    """`size`, or the smaller size at which `text` is about `width` wide."""
    return min(size, size * width / max(width_of(text, size), 1e-9))


def cut(text: str, most: int) -> str:
    """The first line of `text`, of at most `most` characters.

    >>> cut("take 1", 6), cut("take 12", 6)
    ('take 1', 'take …')
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def spread(wanted: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """The centres nearest to `wanted`, in this order, such that items of `sizes` do not overlap.

    They have the least sum of squared distances from `wanted` (pool adjacent violators).

    >>> spread([0, 0, 10], [2, 2, 2])
    [-1.0, 1.0, 10.0]
    """
    halves = [(a + b) / 2 for a, b in pairwise(sizes)]
    offsets = list(accumulate(halves, initial=0.0))[: len(wanted)]
    pools: list[tuple[float, int]] = []
    pools = reduce(_pooled, [(at - by, 1) for at, by in zip(wanted, offsets, strict=True)], pools)
    level = [mean for mean, count in pools for _ in range(count)]
    return [mean + by for mean, by in zip(level, offsets, strict=True)]


def _pooled(pools: list[tuple[float, int]], pool: tuple[float, int]) -> list[tuple[float, int]]:
    """`pools` and one more; pools that are out of order become one, of their mean."""
    mean, count = pool
    while pools and pools[-1][0] > mean:
        (other, times), pools = pools[-1], pools[:-1]
        mean, count = (mean * count + other * times) / (count + times), count + times
    return [*pools, (mean, count)]
