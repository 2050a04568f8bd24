"""The documentation in a browser: blocks run and can be changed, and links lead to files."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from watching import edited

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))


def free(page):
    """Wait until Python is not busy."""
    page.get_by_role("button", name="Stop").wait_for(state="detached")


def run(page, number):
    """Run a block, and give the words beside it when it has a verdict."""
    page.get_by_role("button", name=f"Run block {number}", exact=True).click()
    place = page.locator(".run:not(.all)").nth(number - 1)
    place.locator(".printed, .other, .own").wait_for()
    free(page)
    return place.locator(".said").inner_text()


def run_all(page):
    """Run all blocks; the number of blocks, and the words above them."""
    page.get_by_role("button", name="Run all").click()
    page.locator(".run.all").get_by_text(" answered as printed.").wait_for()
    free(page)
    return page.locator(".run:not(.all)").count(), page.locator(".run.all .said").inner_text()


def test_blocks_are_run_changed_and_stopped(open_page):
    page = open_page("docs/games.html")
    assert run(page, 3) == "As printed. The 2 blocks before ran first."
    assert run(page, 1) == "As printed.", "a second time too"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    editor = page.get_by_role("textbox", name="The source of block 1")
    editor.and_(page.locator(".cm-content:focus")).wait_for()  # the plain one indents nothing
    page.keyboard.press("Control+a")
    page.keyboard.type("for i in 12, 14:\ni / 2 * 7")
    page.keyboard.press("Control+Enter")
    answers = page.locator(".answers").first
    answers.get_by_text("49.0").wait_for()
    assert ">>> for i in 12, 14:\n...     i / 2 * 7\n42.0\n49.0\n" in answers.inner_text()
    free(page)
    for key in ("Escape", "Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    assert editor.count() == 0
    assert page.evaluate("document.activeElement.textContent") == "Change"
    page.get_by_role("button", name="Change block 2").click()
    edited(page, "while True: pass")
    page.get_by_role("button", name="Run block 2").click()
    page.get_by_text("Running …").first.wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Python was stopped.").wait_for()
    page.get_by_role("button", name="Back to the printed one").click()
    assert run(page, 2) == "As printed. The block before ran first."
    page.get_by_role("button", name="Change block 1", exact=True).click()
    edited(page, "from random import Random as R\nRandom = lambda seed: R(8)")
    page.get_by_role("button", name="Run block 1").click()
    free(page)
    assert "A block was changed, and that may be the reason." in run(page, 3)
    count, said = run_all(page)
    assert said == f"{count} of {count} blocks answered as printed."


def test_all_blocks_answer_as_printed_but_for_one_that_needs_another_package(open_page):
    page = open_page("docs/reference/purembts.records.html")
    count, said = run_all(page)
    assert said == f"{count} of {count} blocks answered as printed."
    page.goto("docs/trees.html")
    assert "immutables" in page.get_by_text("This block does not run in the page").inner_text()
    count, said = run_all(page)
    assert said == f"{count} of {count} blocks answered as printed."


def test_the_search_finds_a_function(open_page):
    page = open_page("docs/index.html")
    field = page.get_by_role("searchbox", name="Search").or_(page.get_by_placeholder("Search"))
    field.first.fill("backpropagate")
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    found = " ".join(page.locator("#search-results li").all_inner_texts())
    assert "purembts.mcts.backpropagate" in found


def test_the_colours_of_the_system_are_those_of_the_pages_and_the_documentation(open_page):
    page = open_page("bandits.html", dark=True)
    for address in ("bandits.html", "docs/index.html"):
        page.goto(address)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == DARK


DARK = "rgb(13, 17, 23)"


# The files of the site, without a browser


@pytest.fixture(scope="module")
def pages(folder):
    """The texts of all pages, by their files."""
    return {path.resolve(): path.read_text("utf-8") for path in sorted(folder.rglob("*.html"))}


def test_all_links_lead_to_files_and_to_places_in_them(pages, folder):
    wrong = []
    places = {path: set(re.findall(r'\bid="([^"]+)"', text)) for path, text in pages.items()}
    for path, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^"]*)"', text):
            to = urlsplit(link.replace("&amp;", "&"))
            if to.scheme:
                continue
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            place = unquote(to.fragment)
            is_game = "=" in place and target.parent == folder.resolve()  # the page reads it
            known = target.is_file() and (not place or is_game or place in places.get(target, ()))
            if not known:
                wrong.append(f"{path.name}: {link}")
    assert len(pages) > 100
    assert wrong == []


def test_the_site_has_what_a_reader_of_it_needs_and_no_more(folder):
    for name in NAMES:
        text = (folder / "docs" / f"{name}.html").read_text("utf-8")
        assert f'href="notebooks/{name}.ipynb" download' in text
        assert (folder / "docs" / "notebooks" / f"{name}.ipynb").is_file()
    assert not list((folder / "docs" / "notebooks").glob("*.cfg"))
    first = (folder / "docs" / "index.html").read_text("utf-8")
    article = first[first.index("All pages:") : first.index("</article>")]
    for name in ("workshop", "trees", "reference/index", "changelog"):
        assert article.count(f'href="{name}.html"') == 1
    made = (folder / "docs" / "reference").glob("*.html")
    assert [page.name for page in made if "TypeAliasForwardRef" in page.read_text("utf-8")] == []
