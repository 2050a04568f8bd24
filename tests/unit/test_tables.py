"""Tables leave out columns that do not fit, and break words where they must."""

import json
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.tables import (
    ALWAYS,
    Column,
    Table,
    as_html,
    as_json,
    as_text,
    fitting,
    lines_of,
    notes_of,
    rows_of,
    rows_table,
    text_width,
)

words = st.text("ab♦5 <&石", max_size=12).map(str.strip)


@st.composite
def tables(draw):
    rows = draw(st.integers(0, 4))
    columns = st.builds(
        Column,
        words,
        st.tuples(*[words] * rows),
        is_text=st.booleans(),
        importance=st.sampled_from([1, 5, ALWAYS]),
        note=words,
    )
    groups = st.lists(st.integers(0, rows), max_size=2).map(tuple)
    notes = st.lists(words, max_size=2).map(tuple)
    return draw(st.builds(Table, words, st.lists(columns, max_size=5).map(tuple), notes, groups))


def width_of(columns):
    widths = [max(map(text_width, (each.heading, *each.cells))) for each in columns]
    return sum(widths) + 2 * (len(widths) - 1)


@given(tables(), st.integers(30, 80))
def test_each_cell_is_whole_and_no_line_too_long(table, width):
    kept = fitting(table, width)
    lines = as_text(table, width).split("\n")
    if width_of(kept.columns) <= width:
        assert all(text_width(line) <= width for line in lines if line.isascii())
    begin = bool(table.title)
    body = [line for line in lines[begin + 2 :] if line or not kept.columns]
    for row in rows_of(kept):
        if any(row):
            line = body.pop(0)
            for cell in row:
                at = line.index(cell)
                line = line[at + len(cell) :]
            assert not line.strip()


@pytest.mark.parametrize(
    ("width", "left"), [(18, "abcde"), (17, "abce"), (13, "ace"), (9, "ae"), (5, "a"), (1, "a")]
)
def test_the_least_important_column_is_left_out_and_of_equals_the_last(width, left):
    columns = zip("abcde", (ALWAYS, 1, 5, 1, 7), strict=True)
    table = Table("", tuple(Column(name, ("xx",), importance=n) for name, n in columns))
    kept = fitting(table, width).columns
    assert "".join(column.heading for column in kept) == left


def test_a_column_without_any_text_is_left_out_unless_there_are_no_rows():
    heads = ["all", "some", "none"]
    assert lines_of(rows_table("", heads, [["1", "2", ""], ["3", "", ""]])) == [
        ("all", "some"),
        ("1", "2"),
        ("3", ""),
    ]
    assert lines_of(rows_table("", heads, [])) == [tuple(heads)]


def test_an_empty_line_stands_between_groups():
    table = rows_table("", ["a"], [["x"], ["y"], ["z"]])
    assert as_text(table._replace(groups=(0, 1))) == "a\n-\nx\n\ny\nz"


def test_a_cell_has_a_row_for_each_of_its_lines():
    table = rows_table("t", ["a", "b"], [["x", "1\n2"], ["y", "3"]], words=["a"])
    assert as_text(table._replace(groups=(0, 1))) == "t\na  b\n-  -\nx  1\n   2\n\ny  3"


@pytest.mark.parametrize(("width", "lines"), [(200, 2), (80, 2), (47, 3), (25, 5), (1, 5)])
def test_words_are_broken_at_sixty_letters_and_where_the_table_is_too_wide(width, lines):
    why = "some words " * 7
    shown = as_text(rows_table("", ["n", "why"], [["123", why.strip()]], words=["why"]), width)
    rows = shown.split("\n")[2:]
    assert len(rows) == lines
    assert max(map(len, rows)) <= max(25, min(width, 65))
    assert " ".join(shown.split()[4:]) == f"123 {why.strip()}"


def test_wide_characters_take_two_cells():
    assert as_text(rows_table("", ["x", "y"], [["石", "♦"], ["a", "b"]], words=["x", "y"])) == (
        "x   y\n--  -\n石  ♦\na   b"
    )
    assert text_width("e\u0301") == 1


@given(tables())
def test_html_has_every_text(table):
    found = ET.fromstring(f"<div>{as_html(table)}</div>").iter()
    assert [(each.tag, each.text or "") for each in found if each.tag in TEXTS] == [
        ("caption", table.title),
        *(("th", column.heading) for column in table.columns),
        *(("td", cell) for row in rows_of(table) for cell in row),
        *(("small", note) for note in notes_of(table)),
    ]
    assert table._repr_html_() == as_html(table)


TEXTS = {"td", "th", "caption", "small"}


@given(tables())
def test_json_has_every_cell(table):
    said = json.loads(as_json(table))
    assert [said["columns"], *said["rows"]] == [list(line) for line in lines_of(table)]
    assert said["title"] == table.title
