"""Pictures as values: SVG text with a title and a text alternative, and the elements of it.

Every picture has a background of its own, so it is readable on light and on dark pages. Its colours
are attributes, which any program can draw, and which the CSS of a page can replace. Its ids come
from its content, so that pictures which differ can stand on one page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from textwrap import wrap
from typing import NamedTuple, TypeAlias

from purembts.tables import text_width

DARK, GREY, PALE, PAPER, EMPTY = "#1f2328", "#59636e", "#d1d9e0", "#ffffff", "#e6eaee"
"""The colours of text, of less important text, of thin lines, of the background, of squares."""
MARK = "#d55e00"
"""The colour of the last move: the vermilion of Okabe and Ito."""
CHOICE = "#0072b2"
"""The colour of the move that the records play: the blue of Okabe and Ito."""
_SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
MONO = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"

Attribute: TypeAlias = str | float | None


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


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""A character that no XML document may contain."""

_QUOTES = str.maketrans({'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
"""The forms of the characters that XML changes in an attribute, or that end it."""


def element(tag: str, *children: str, **attributes: Attribute) -> str:
    """An element of SVG. An underscore in the name of an attribute stands for a hyphen.

    An attribute of None is left out. A float has at most two digits after the point.

    >>> element("g", element("rect", x=1.25, stroke_width=2), fill="none")
    '<g fill="none"><rect x="1.25" stroke-width="2"/></g>'
    """
    head = tag
    for name, value in attributes.items():
        if value is not None:
            text = decimal(value) if isinstance(value, float) else str(value)
            head += f' {name.replace("_", "-")}="{_escape(text).translate(_QUOTES)}"'
    return f"<{head}>{''.join(children)}</{tag}>" if children else f"<{head}/>"


def _escape(text: str) -> str:
    """`text` between two tags, with a replacement for each character that XML does not allow."""
    return html.escape(_NOT_IN_XML.sub("\ufffd", text), quote=False)


def decimal(value: float) -> str:
    """`value` with at most two digits after the point.

    >>> decimal(0.5), decimal(3.0), decimal(-0.001), decimal(2.346)
    ('0.5', '3', '0', '2.35')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def path(d: str, *children: str, **attributes: Attribute) -> str:
    """A path, whose numbers have at most two digits after the point."""
    rounded = re.sub(r"-?\d+\.?\d*(e[-+]\d+)?", lambda number: decimal(float(number[0])), d)
    return element("path", *children, d=rounded, **attributes)


def words(
    x: float, y: float, text: str, size: float, anchor: str | None = None, **more: Attribute
) -> str:
    """A line of text whose baseline begins at (x, y), or as `anchor` says."""
    place: dict[str, Attribute] = {"x": x, "y": y, "font_size": size, "text_anchor": anchor}
    return element("text", _escape(text), **place, **more)


def words_on_lines(x: float, y: float, text: str) -> str:
    """A line of text that ends at (x, y), with a pale outline, which can be read above lines."""
    outline: dict[str, Attribute] = {"stroke": PAPER, "stroke_width": 4, "stroke_linejoin": "round"}
    below = words(x, y, text, 13, "end", **outline, aria_hidden="true")
    return below + words(x, y, text, 13, "end")


def tip(text: str) -> str:
    """The text that appears over an element when the mouse rests there."""
    return element("title", _escape(text))


def group(x: float, y: float, *children: str, **attributes: Attribute) -> str:
    """A group of `children` whose (0, 0) is at (x, y), with these attributes."""
    return element("g", *children, transform=f"translate({decimal(x)} {decimal(y)})", **attributes)


def picture(title: str, text: str, drawing: Drawing) -> Picture:
    """The picture of `drawing` on a background. A page may show it smaller, but not wider."""
    wide, high = drawing.width + 32, drawing.height + 32
    digest = sha256(f"{title}\n{text}\n{drawing.body}".encode("utf-8", "replace")).hexdigest()[:12]
    frame = {"x": 0.5, "y": 0.5, "width": wide - 1, "height": high - 1}
    svg = element(
        "svg",
        element("title", _escape(title), id=f"title-{digest}"),
        element("desc", _escape(text), id=f"desc-{digest}"),
        element("rect", **frame, rx=8, fill=PAPER, stroke=PALE),
        group(16, 16, drawing.body),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {decimal(wide)} {decimal(high)}",
        width=wide,
        style="max-width:100%",
        role="img",
        aria_labelledby=f"title-{digest} desc-{digest}",
        font_family=_SANS,
        fill=DARK,
    )
    return Picture(title, text, f"{svg}\n")


def stacked(drawings: Iterable[Drawing], gap: float = 12) -> Drawing:
    """`drawings` one below the other."""
    parts, width, top = list[str](), 0.0, 0.0
    for drawing in drawings:
        if drawing.body:
            parts.append(group(0, top, drawing.body))
            width, top = max(width, drawing.width), top + drawing.height + gap
    return Drawing(width, max(0, top - gap), "".join(parts))


def text_lines(texts: Sequence[str], size: float = 13, colour: str = GREY) -> Drawing:
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
