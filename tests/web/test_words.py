"""The words of the glossary are explained where a page has them."""

import re
from pathlib import Path

import pytest

from layout import meanings, with_meanings

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"glossary\.(?:html|md)#([\w-]+)")
PAGES = [*(ROOT / "web" / "page").glob("*.html"), *(ROOT / "docs").glob("*.md")]


def test_a_link_to_a_word_has_the_meaning_of_the_word_in_plain_text():
    link = '<a class="reference" href="docs/glossary.html#backed-up"><span>backed up</span></a>'
    made = with_meanings(f"<p>{link}</p>")
    title = re.findall('title="([^"]*)"', made)
    assert made.replace(f' title="{title[0]}"', "", 1) == f"<p>{link}</p>"
    assert title[0].startswith("A mean is backed up if it is computed from the means")
    assert not re.search(r"[`[\]]|\.md", "".join(meanings().values()))


def test_other_links_stay_as_they_are():
    links = ('<a href="glossary.html">', '<a href="mcts.html#dive">', "glossary.html#dive")
    assert [with_meanings(link) for link in links] == [*links]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_word_that_a_page_links_to_is_in_the_glossary(page):
    assert {*LINK.findall(page.read_text("utf-8"))} <= {*meanings()}


def test_a_page_links_to_each_word_of_the_glossary():
    words = {*meanings()} - {"at-the-prompt"}
    linked = {word for page in PAGES for word in LINK.findall(page.read_text("utf-8"))}
    assert len(words) >= 15
    assert words == linked
