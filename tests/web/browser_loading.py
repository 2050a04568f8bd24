"""The first seconds of a page: the board before Python, a part that is missing, later visits."""

import re

import pytest

from watching import PLAYABLE, READY, edited

PARTS = (
    *("asm.mjs", "asm.wasm", "python_stdlib.zip", "python.zip"),
    *("pyodide.mjs", "js/runtime.js", "js/worker.js"),
)
SCRIPTS = ("js/python.js", "js/made.js", "js/dom.js", "js/play.js")
PLACES = {
    "play.html#game=reversi&seed=7": "#hint",
    "bandits.html": "#status",
    "tasks.html": "#loading",
}
BOX = """(selector) => {
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
}"""
KEPT = """async () => {
  const { PARTS } = await import("/js/made.js");
  const kept = await caches.open("purembts").then((cache) => cache.keys());
  return Object.keys(PARTS).every((name) => kept.some(({ url }) => url.includes(name)));
}"""
"""True if the service worker has kept Python, which comes after all else."""
TITLES = {
    "": "purembts",
    "docs": "docs",
    "docs/reference": "Reference",
    "docs/search.html?q=tree": "Search",
    "bandits.html#seed=7": "andit",
    "tasks.html": "Task",
}
"""Words in the title of each address."""


def answer(page, part, status):
    """Answer each request for a part of Python with this status."""
    page.route(f"**/*{part}*", lambda route: route.fulfill(status=status))


def test_each_page_says_which_part_does_not_come_and_tries_again(new_page):
    page = new_page()
    for address, place in PLACES.items():
        answer(page, "asm.wasm", 404)
        page.goto(address)
        page.get_by_role("button", name="Try again").wait_for()
        said = page.inner_text(place)
        right = (
            "Python did not start: pyodide/pyodide.asm.wasm.gz must come from the site; got 404."
        )
        assert said.startswith(right)
        assert page.locator(".error:visible").count() == 1
        page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    said = f"document.querySelector('{place}')?.textContent"  # the page is loaded again
    page.wait_for_function(f"{said}?.includes('Python') === false")


def test_each_part_that_does_not_come_is_named_and_the_snapshot_is_not_needed(new_page, troubles):
    page = new_page()
    for part in PARTS:
        answer(page, part, 503)
        page.goto("about:blank")
        page.goto("play.html#game=reversi&seed=7")
        page.get_by_role("button", name="Try again").wait_for()
        assert page.inner_text("#hint").startswith("Python did not start: ")
        page.unroute_all()
    for script in SCRIPTS:
        answer(page, script, 503)
        page.goto("about:blank")
        page.goto("play.html#game=reversi&seed=7")
        page.get_by_role("button", name="Try again").wait_for()
        said = page.locator(".error:visible").all_inner_texts()
        assert said == ["A script of this page did not come. Try again"]
        page.unroute_all()
    answer(page, "python.snapshot.gz", 404)
    page.goto("about:blank")
    page.goto("play.html#game=reversi&seed=7")
    page.wait_for_function(PLAYABLE)
    troubles.clear()


def test_a_plain_editor_stands_until_the_one_with_colours_has_come(new_page, troubles):
    page = new_page()
    answer(page, "codemirror.js", 503)
    page.goto("tasks.html")
    again = page.locator("#code").get_by_role("button", name="Try again")
    again.wait_for()
    assert page.inner_text("#code .error:visible").startswith("This editor is a plain one")
    text = page.get_by_role("textbox", name="Your file mine.py")
    text.fill("def throw_dart():\n    return 1 / 0\n")
    page.keyboard.press("Control+Enter")
    page.locator(".mark.wrong").wait_for()
    with page.expect_response("**/codemirror.js"):
        again.click()  # in vain
    again.wait_for()
    page.unroute_all()
    again.click()
    assert edited(page) == "def throw_dart():\n    return 1 / 0\n"
    troubles.clear()


@pytest.mark.parametrize(
    ("game", "width"),
    [("reversi", 1280), ("gomoku", 360), ("coins", 1280), ("shut-the-box", 360)],
)
def test_the_first_board_is_there_before_python_and_stays_in_its_place(new_page, game, width):
    page, waiting = new_page(width), []
    page.route("**/*asm.wasm*", lambda route: waiting.append(route))
    page.goto(f"play.html#game={game}&seed=7&start=" + ("4" if game == "coins" else ""))
    page.wait_for_function("document.querySelector('#hint').textContent.includes(' MB.')")
    assert re.fullmatch(r"Python is on its way: \d+\.\d of 1\d\.\d MB\.", page.inner_text("#hint"))
    is_shown = game != "coins"  # another position than the first waits for Python
    assert page.locator("#board svg").count() == is_shown
    before = page.evaluate(BOX, "#board svg") if is_shown else []
    assert page.inner_text("#status") == ""
    assert page.locator(READY).count() == 0
    while not waiting:
        page.wait_for_timeout(20)
    waiting[0].continue_()
    page.wait_for_function(PLAYABLE)
    assert not is_shown or page.evaluate(BOX, "#board svg") == before


def test_a_second_visit_asks_for_no_large_part_again_and_needs_no_network(open_page, troubles):
    page = open_page("play.html#game=reversi&seed=7", service_workers="allow")
    page.wait_for_function(PLAYABLE)
    page.wait_for_function(KEPT)
    asked = []
    page.context.on("request", lambda request: request.service_worker and asked.append(request))
    page.reload()
    page.wait_for_function(PLAYABLE)
    assert [each.url for each in asked if "?v=" in each.url] == []
    page.context.set_offline(True)
    page.reload()
    page.wait_for_function(PLAYABLE)
    page.locator("#board .playable").first.click()
    page.wait_for_function("location.hash.includes('moves=')")
    page.select_option("#game", "own")
    page.wait_for_function("document.title.startsWith('Pig to 10')")
    assert troubles == []


def test_after_one_visit_all_pages_open_without_a_network(open_page, troubles):
    page = open_page("index.html", service_workers="allow")
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.reload()
    for address in ("docs", "docs/reference"):  # the server leads to the slash
        page.goto(address)
        assert page.url.endswith(f"{address}/")
    page.context.set_offline(True)
    for address, words in TITLES.items():
        page.goto(address)
        assert words in page.title()
        rules = page.evaluate("[...document.styleSheets].map((each) => each.cssRules.length)")
        assert len(rules) > 1
        assert min(rules) > 0
    page.get_by_text("must come from the site; got no answer").wait_for()  # Python was never used
    page.goto("docs/nothing.html")
    assert "has not kept this page" in page.inner_text("body")
    page.close()  # what it still asks for has no answer
    troubles.clear()


def test_a_strategy_that_ends_its_thoughts_does_not_replace_the_game_that_was_chosen(open_page):
    page = open_page("play.html#game=coins&start=20&seed=7&players=person,uct:3000")
    page.wait_for_function(PLAYABLE)
    page.locator("button[data-label='take 1']").click()
    page.wait_for_selector("#search progress[data-runs]")
    page.select_option("#game", "own")
    page.wait_for_function("document.title.startsWith('Pig to 10')")
    page.wait_for_function("import('./js/python.js').then(({ isIdle }) => isIdle())")
    assert page.evaluate("document.title").startswith("Pig to 10")
