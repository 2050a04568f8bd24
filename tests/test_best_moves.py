"""The table of best moves in all its forms says the same, and what the solver says."""

import csv
import json
import re
import shutil
import subprocess
from fractions import Fraction
from html.parser import HTMLParser

import pytest

from purembts import (
    Rules,
    all_boxes,
    best_move,
    best_move_table_string,
    box_to_str,
    boxes,
    possible_moves,
    start_box,
    win_probability,
)
from purembts import best_moves as tables
from purembts.games.shut_the_box import rolls

VARIANTS = [Rules(), Rules(levers=10, one_die_end=True), Rules(levers=4, dice=1), Rules(levers=1)]


def box_of(text):
    return frozenset(map(int, text.split()))


@pytest.fixture(params=VARIANTS, ids=str)
def rules(request):
    return request.param


def test_the_csv_has_every_box_and_roll(rules):
    rows = list(csv.DictReader(tables.as_csv(rules).splitlines()))
    places = [(box_of(row["box"]), int(row["roll"])) for row in rows]
    assert places == [(box, r) for box in boxes(rules=rules) for r in rolls(box, rules=rules)]
    for (box, roll), row in zip(places, rows, strict=True):
        move = None if row["best_move"] == "x" else box_of(row["best_move"])
        assert move == best_move(box, roll, rules=rules)
        assert box_of(row["shut"]) == (box - move if move is not None else frozenset())
        assert float(row["probability"]) == float(win_probability(box, roll, rules=rules))


def test_the_json_has_every_box_and_roll(rules):
    said = json.loads(tables.as_json(rules))
    assert said["game"] == "Shut the Box"
    assert Rules(**said["rules"]) == rules
    places = [(frozenset(row["box"]), row["roll"]) for row in said["moves"]]
    assert places == [(box, r) for box in boxes(rules=rules) for r in rolls(box, rules=rules)]
    for (box, roll), row in zip(places, said["moves"], strict=True):
        move = best_move(box, roll, rules=rules)
        assert row["best_move"] == (None if move is None else sorted(move))
        assert Fraction(row["exactly"]) == win_probability(box, roll, rules=rules)
        assert row["probability"] == float(Fraction(row["exactly"]))


def test_the_markdown_is_the_table_of_the_workshop(rules):
    head, ruler, *lines = tables.as_markdown(rules).splitlines()
    cells = [line.removeprefix("| `").removesuffix("` |").split("` | `") for line in lines]
    assert "".join("\t".join(line) + "\n" for line in cells) == best_move_table_string(rules=rules)
    assert head.split("|")[1:-1] == [" box ", *(f" {r} " for r in rolls(rules=rules))] or (
        rules.one_die_end
    )
    assert ruler == "|" + "---|" * len(cells[0])


class Page(HTMLParser):
    """The cells of a page's table, its visible text, and what it would load."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.text, self.loads, self.cell = [], "", [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.loads += [value for name, value in attrs if name in ("src", "href")]
        self.cell = tag in ("th", "td")
        if tag == "tr":
            self.rows.append([])
        if self.cell:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.cell = False

    def handle_data(self, data):
        self.text += data
        if self.cell:
            self.rows[-1][-1] += data.strip()


def levers_of(text):
    return frozenset(map(int, text.split("+") if "+" in text else [text] if text == "10" else text))


def test_the_page_says_what_to_shut_wherever_there_is_a_choice(rules):
    page = Page(tables.as_html(rules))
    (up, chance, *heads), *rows = page.rows
    assert (up, chance) == ("up", "%")
    printed = {}
    for name, percent, *cells in rows:
        box = levers_of(name)
        assert percent == f"{100 * float(win_probability(box, rules=rules)):.1f}"
        for roll, cell in zip(heads, cells, strict=True):
            if cell:
                printed[box, int(roll)] = box - levers_of(cell)
    choices = {
        (box, roll): best_move(box, roll, rules=rules)
        for box in boxes(rules=rules)
        for roll in rolls(box, rules=rules)
        if len(possible_moves(box, roll, rules=rules)) > 1
    }
    assert printed == choices
    assert [levers_of(row[0]) for row in rows] == sorted(
        {box for box, _ in choices}, key=lambda box: sorted(box)
    )


def test_the_page_stands_alone():
    text = tables.as_html()
    assert Page(text).loads == []
    assert not re.search(r"url\(|@import|https?:|<script", text)
    assert "from the start it is 7.14 %" in " ".join(Page(text).text.split())
    assert "With 123456789 up and 12 rolled, shut 39." in text
    assert box_to_str(best_move(start_box, 12)) == "12 45678 "


@pytest.mark.skipif(not shutil.which("chromium"), reason="there is no chromium here")
def test_the_card_is_one_page_in_a_browser(tmp_path):
    (tmp_path / "card.html").write_text(tables.as_html(), encoding="utf-8")
    subprocess.run(
        [
            *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
            *("--disable-background-networking", "--disable-sync", "--no-pdf-header-footer"),
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--print-to-pdf={tmp_path / 'card.pdf'}",
            (tmp_path / "card.html").as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=120,
    )
    pages = re.findall(rb"/Type\s*/Page\b", (tmp_path / "card.pdf").read_bytes())
    assert len(pages) == 1


def test_the_end_of_a_name_chooses_the_format():
    assert set(tables.SUFFIXES.values()) | {"text"} == set(tables.FORMATS)
    assert tables.FORMATS["text"](Rules()) == best_move_table_string()
    assert len(list(tables.rows())) == 11 * len(all_boxes)


def test_rules_in_words():
    assert tables.describe_rules(Rules()) == "levers 1 to 9, two dice"
    assert tables.describe_rules(Rules(dice=1, one_die_end=True)) == "levers 1 to 9, one die"
    late = tables.describe_rules(Rules(one_die_end=True))
    assert late.endswith("two dice, one die once the levers that are up add up to at most 6")
    rules = Rules(levers=6, dice=1, most_levers=2)
    assert tables.describe_rules(rules) == "levers 1 to 6, one die, at most 2 shut in one move"


@pytest.mark.parametrize("rules", [Rules(levers=5), Rules(levers=7, dice=1), Rules(levers=4)])
def test_the_example_of_the_page_has_the_most_levers_then_choices_then_the_highest_roll(rules):
    box = frozenset(range(1, rules.levers + 1))
    ways = {roll: len(possible_moves(box, roll, rules=rules)) for roll in rolls(box, rules=rules)}
    roll = max(ways, key=lambda roll: (ways[roll], roll))
    shut = "".join(map(str, sorted(box - best_move(box, roll, rules=rules))))
    text = tables.as_html(rules)
    assert f"With {'1234567'[: rules.levers]} up and {roll} rolled, shut {shut}." in text


def test_a_page_without_a_choice_says_so():
    assert "there is never anything to choose" in tables.as_html(Rules(levers=2, dice=1))
