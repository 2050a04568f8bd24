"""The documentation in a browser: blocks run and can be changed, and links lead to files."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from watching import edited

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^ *```pycon\n.*?^ *```", re.DOTALL | re.MULTILINE)
TEXTS = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
TEXTS["index"] = (ROOT / "README.md").read_text("utf-8")
BLOCKS = {name: len(BLOCK.findall(text)) for name, text in TEXTS.items() if BLOCK.search(text)}
LACKING = {"trees": 1}
"""For a page, the number of its blocks that need a package without a wheel of pure Python."""
WHOLE_PAGE = 300_000
"""Milliseconds in which the blocks of a page have to run."""


def free(page, timeout=60_000):
    """Wait until Python is not busy."""
    page.wait_for_function("!document.querySelector('[data-stops]')", timeout=timeout)


def verdict(page, number):
    """The words beside a block, when it has a verdict."""
    place = page.locator(".run").nth(number - 1)
    place.and_(page.locator("[data-verdict]")).wait_for()
    return place.locator(".said").inner_text()


@pytest.mark.parametrize("name", BLOCKS)
def test_all_blocks_of_a_page_answer_as_printed(open_page, name):
    page = open_page(f"docs/{name}.html")
    page.locator(".run").first.wait_for()
    assert page.locator(".run").count() == BLOCKS[name]
    if BLOCKS[name] == 1:
        page.get_by_role("button", name="Run block 1").click()
        assert verdict(page, 1) == "As printed."
        return
    page.get_by_role("button", name="Run all").click()
    page.locator(".run-all[data-right]").wait_for(timeout=WHOLE_PAGE)
    right = BLOCKS[name] - LACKING.get(name, 0)
    others = page.locator('.run[data-verdict="other"] .said').all_inner_texts()
    assert others == ["This block needs immutables, which has no wheel of pure Python."] * (
        BLOCKS[name] - right
    )
    said = page.locator(".run-all .said").inner_text()
    lack = "as it needs immutables, which has no wheel of pure Python"
    more = f" 1 more cannot run in a page, {lack}." if name in LACKING else ""
    assert said == f"{right} of {right} blocks answered as printed.{more}"


def test_a_block_says_in_advance_that_it_needs_immutables(open_page):
    page = open_page("docs/trees.html")
    note = page.get_by_text("This block does not run in the page")
    assert "immutables" in note.inner_text()


def test_the_blocks_before_run_first_and_a_second_run_is_as_printed(open_page):
    page = open_page("docs/purity.html")
    page.get_by_role("button", name="Run block 3").click()
    assert verdict(page, 3) == "As printed. The 2 blocks before ran first."
    free(page)
    page.get_by_role("button", name="Run block 1", exact=True).click()
    free(page)
    assert verdict(page, 1).startswith("As printed.")


def test_a_changed_block_changes_the_blocks_after_it_and_the_page_says_so(open_page):
    page = open_page("docs/purity.html")
    page.get_by_role("button", name="Change block 1", exact=True).click()
    edited(page, edited(page) + "\nRandom = lambda seed: __import__('random').Random(8)")
    for number in range(2, 5):
        page.get_by_role("button", name=f"Run block {number}").click()
        free(page)
    said = " ".join(page.locator(".run .said").all_inner_texts())
    assert "A block was changed, and that may be the reason." in said
    page.get_by_role("button", name="Run all").click()
    page.locator(".run-all[data-right]").wait_for(timeout=WHOLE_PAGE)
    count = BLOCKS["purity"]
    assert page.locator(".run-all .said").inner_text().startswith(f"{count} of {count}")


def test_by_keyboard_alone(open_page):
    page = open_page("docs/games.html")
    page.get_by_role("button", name="Run block 1").focus()
    page.keyboard.press("Enter")
    assert verdict(page, 1) == "As printed."
    free(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    editor = page.get_by_role("textbox", name="The source of block 1")
    editor.and_(page.locator(":focus")).wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.type("for i in 6, 7:\ni * 7")
    page.keyboard.press("Control+Enter")
    answers = page.locator(".answers").first
    answers.get_by_text("49").wait_for()
    assert ">>> for i in 6, 7:\n...     i * 7\n42\n49\n" in answers.inner_text()
    free(page)
    for key in ("Escape", "Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    assert editor.count() == 0
    assert page.evaluate("document.activeElement.textContent") == "Change"


def test_a_block_that_does_not_end_can_be_stopped(open_page):
    page = open_page("docs/games.html")
    page.get_by_role("button", name="Change block 1").click()
    edited(page, "while True: pass")
    page.get_by_role("button", name="Run block 1").click()
    page.get_by_text("Running …").first.wait_for()
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("Python was stopped.").wait_for()
    page.get_by_role("button", name="Back to the printed one").click()
    page.get_by_role("button", name="Run block 2").click()
    assert verdict(page, 2) == "As printed. The block before ran first."


def test_the_blocks_of_a_docstring_run_with_the_names_of_their_module(open_page):
    page = open_page("docs/reference/purembts.records.html")
    page.get_by_role("button", name="Run all").click()
    page.locator(".run-all[data-right]").wait_for()
    count = page.locator(".run").count()
    assert count > 3
    said = page.locator(".run-all .said").inner_text()
    assert said == f"{count} of {count} blocks answered as printed."


def test_the_search_finds_a_page_and_a_function(open_page):
    page = open_page("docs/index.html")
    page.get_by_role("searchbox", name="Search").or_(page.get_by_placeholder("Search")).first.fill(
        "backpropagate"
    )
    page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
    found = " ".join(page.locator("#search-results li").all_inner_texts())
    assert "purembts.mcts.backpropagate" in found


def test_all_links_lead_to_files_and_to_places_in_them(folder):
    wrong = []
    pages = {path.resolve(): path.read_text("utf-8") for path in sorted(folder.rglob("*.html"))}
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


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "index"])
def test_each_page_has_its_notebook_beside_it(folder, name):
    text = (folder / "docs" / f"{name}.html").read_text("utf-8")
    assert f'href="notebooks/{name}.ipynb" download' in text
    assert (folder / "docs" / "notebooks" / f"{name}.ipynb").is_file()


def test_the_site_has_what_a_reader_of_it_needs_and_no_more(folder):
    first = (folder / "docs" / "index.html").read_text("utf-8")
    for words in ("build with one command", "in a clone"):
        assert words not in first
    article = first[first.index("All pages:") : first.index("</article>")]
    for name in ("workshop", "trees", "reference/index", "changelog"):
        assert article.count(f'href="{name}.html"') == 1
    assert not list((folder / "docs" / "notebooks").glob("*.cfg"))
    pages = (folder / "docs" / "reference").glob("*.html")
    assert [page.name for page in pages if "TypeAliasForwardRef" in page.read_text("utf-8")] == []


BACKGROUND = "getComputedStyle(document.body).backgroundColor"
DARK = "rgb(13, 17, 23)"


def test_the_theme_is_one_for_the_pages_and_the_documentation(open_page):
    page = open_page("pi.html#seed=7&darts=20")
    page.wait_for_selector("#chart svg")
    line = "getComputedStyle(document.querySelector('#chart svg')).fill"
    light = page.evaluate(f"[{BACKGROUND}, {line}]")
    page.get_by_label("Theme").select_option("dark")
    assert page.evaluate(f"[{BACKGROUND}, {line}]") == [DARK, "rgb(230, 237, 243)"]
    page.goto("docs/index.html")
    assert page.evaluate("document.body.dataset.theme") == "dark"
    assert page.evaluate(BACKGROUND) == DARK
    while page.evaluate("document.body.dataset.theme") != "light":
        page.locator(".theme-toggle").filter(visible=True).first.click()
    page.emulate_media(color_scheme="dark")
    page.goto("pi.html#seed=7&darts=20")
    page.wait_for_selector("#chart svg")
    assert page.get_by_label("Theme").input_value() == "light"
    assert page.evaluate(f"[{BACKGROUND}, {line}]") == light
    page.get_by_label("Theme").select_option("auto")
    assert page.evaluate(f"[{BACKGROUND}, {line}]") == [DARK, "rgb(230, 237, 243)"]
