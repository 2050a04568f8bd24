"""The first seconds of a page: the board before Python, a part that is missing, later visits."""

import re

import pytest

from watching import PLAYABLE, READY

PARTS = ("asm.mjs", "asm.wasm", "python_stdlib.zip", "python.zip", "js/runtime.js")
PLACES = {
    "play.html#game=reversi&seed=7": "#hint",
    "bandits.html": "#status",
    "pi.html": "#status",
    "tasks.html": "#loading",
}
BOX = """(selector) => {
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
}"""
KEPT = """async () => {
  const { FILES } = await import("/js/made.js");
  const kept = await caches.open("purembts").then((cache) => cache.keys());
  return kept.length >= FILES.length;
}"""
"""True if the service worker has kept all that the page of the games needs."""


def held(page):
    """A list that will have the request for the largest part, which waits there."""
    waiting = []
    page.route("**/*asm.wasm*", lambda route: waiting.append(route))
    return waiting


def arrived(page, waiting):
    """The first request in `waiting`, once it is there."""
    while not waiting:
        page.wait_for_timeout(20)
    return waiting[0]


def answer(page, part, status):
    """Answer each request for a part of Python with this status, or never if it is None."""
    page.route(f"**/*{part}*", lambda route: status and route.fulfill(status=status))


@pytest.mark.parametrize("address", PLACES)
def test_a_page_says_which_part_does_not_come_and_tries_again(new_page, address):
    page, place = new_page(), PLACES[address]
    answer(page, "asm.wasm", 404)
    page.goto(address)
    page.get_by_role("button", name="Try again").wait_for()
    said = page.inner_text(place)
    right = "Python did not start: pyodide/pyodide.asm.wasm.gz must come from the site; got 404."
    assert said.startswith(right)
    assert page.locator(".error:visible").count() == 1
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    said = f"document.querySelector('{place}')?.textContent"  # the page is loaded again
    page.wait_for_function(f"{said}?.includes('Python') === false")


@pytest.mark.parametrize("part", PARTS)
def test_each_part_that_does_not_come_is_named(new_page, troubles, part):
    page = new_page()
    answer(page, part, 503)
    page.goto("play.html#game=reversi&seed=7")
    page.get_by_role("button", name="Try again").wait_for()
    assert page.inner_text("#hint").startswith("Python did not start: ")
    troubles.clear()


def test_without_the_snapshot_a_game_can_be_played(new_page, troubles):
    page = new_page()
    answer(page, "python.snapshot.gz", 404)
    page.goto("play.html#game=reversi&seed=7")
    page.wait_for_function(PLAYABLE)
    troubles.clear()


@pytest.mark.parametrize(
    ("game", "width"),
    [
        ("reversi", 1280),
        ("reversi", 360),
        ("gomoku", 360),
        ("tic-tac-toe", 1280),
        ("coins", 1280),
        ("shut-the-box", 360),
    ],
)
def test_the_first_board_is_there_before_python_and_stays_in_its_place(new_page, game, width):
    page = new_page(width)
    waiting = held(page)
    page.goto(f"play.html#game={game}&seed=7")
    page.wait_for_function("document.querySelector('#hint').textContent.includes(' MB.')")
    assert re.fullmatch(r"Python is on its way: \d+\.\d of 1\d\.\d MB\.", page.inner_text("#hint"))
    before = page.evaluate(BOX, "#board svg")
    assert page.inner_text("#status") == ""
    assert page.locator(READY).count() == 0
    arrived(page, waiting).continue_()
    page.wait_for_function(PLAYABLE)
    assert page.evaluate(BOX, f"{READY.split()[0]} svg") == before


@pytest.mark.parametrize(
    "more", ["&moves=d3", "&rules=size%3D6", "&start=d3", "&players=person,person&moves=d3,c3"]
)
def test_another_position_than_the_first_waits_for_python(new_page, more):
    page = new_page()
    waiting = held(page)
    page.goto(f"play.html#game=reversi&seed=7{more}")
    page.wait_for_function("document.querySelector('#hint').textContent.includes(' MB.')")
    assert page.locator("#board svg").count() == 0
    arrived(page, waiting).continue_()
    page.wait_for_function(PLAYABLE)


def test_a_page_opens_a_second_time_without_a_network(open_page, troubles):
    page = open_page("play.html#game=reversi&seed=7", service_workers="allow")
    page.wait_for_function(PLAYABLE)
    page.wait_for_function(KEPT)
    page.context.set_offline(True)
    page.reload()
    page.wait_for_function(PLAYABLE)
    page.locator("#board .playable").first.click()
    page.wait_for_function("location.hash.includes('moves=')")
    page.select_option("#game", "own")
    page.wait_for_function("document.title.startsWith('Pig to 10')")
    assert troubles == []


def test_a_strategy_that_ends_its_thoughts_does_not_replace_the_game_that_was_chosen(open_page):
    page, waiting = open_page("play.html#game=coins&start=20&seed=7&players=person,uct:3000"), []
    page.wait_for_function(PLAYABLE)
    page.route(
        "**/more.zip*", lambda route: waiting.append(route)
    )  # without it, code of a person does not run
    page.locator("button[data-label='take 1']").click()
    page.wait_for_function("document.querySelector('.who').textContent.endsWith(' thinks.')")
    page.select_option("#game", "own")
    page.wait_for_function("document.querySelector('#think progress').hidden")
    page.wait_for_function("import('./js/python.js').then(({ isIdle }) => !isIdle())")
    arrived(page, waiting).continue_()
    page.wait_for_function("document.title.startsWith('Pig to 10')")


def test_a_second_visit_asks_for_no_large_part_again(open_page):
    page = open_page("play.html#game=reversi&seed=7", service_workers="allow")
    page.wait_for_function(PLAYABLE)
    page.wait_for_function(KEPT)
    asked = []
    page.context.on("request", lambda request: request.service_worker and asked.append(request))
    page.reload()
    page.wait_for_function(PLAYABLE)
    assert [each.url for each in asked if "?v=" in each.url] == []
