"""The panel of the play page in which a tree learns: all trees are kept, and they are exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from facade import learning
from facade.links import link_of

SHUT_THE_BOX = {"game": "shut-the-box", "seed": 7}
OPEN = "play.html#game=shut-the-box&seed=7"
SECONDS = 10
"""The most seconds in which the page makes 100,000 dives of Shut the Box."""

SHOWN = """() => {
  const learn = document.querySelector("#learn");
  const pictures = [...learn.querySelectorAll(".picture")];
  const texts = (selector) => learn.querySelector(selector).textContent;
  const desc = (place) => (place.hidden ? "" : place.querySelector("desc").textContent);
  return [texts(".learn-stride"), texts(".learn-value"), ...pictures.map(desc)];
}"""
"""The texts of the panel: what a stride changed, the worth, and the pictures in words."""

Opener = Callable[..., Any]


@pytest.fixture(autouse=True)
def _new_learners() -> None:
    learning.forget()


def opened(open_page: Opener, address: str = OPEN, **options: Any) -> Any:
    page = open_page(address, **options)
    page.get_by_text("The tree is empty. Let it dive.").wait_for()
    return page


def grow(page: Any, name: str, dives: int) -> None:
    """Press a button, and wait until there are `dives` dives and the tree is at rest."""
    page.locator("#learn").get_by_role("button", name=name).click()
    output = f"document.querySelector('#learn output').textContent.includes(': {dives:,} dive')"
    page.wait_for_function(
        f"{output} && document.querySelector('#learn .primary').innerText === 'Run'"
    )


def shown(page: Any) -> tuple[str, ...]:
    """The texts of the panel that follow from the tree, and of its pictures in words."""
    return tuple(page.evaluate(SHOWN))


def told(facts: dict[str, Any]) -> tuple[str, ...]:
    """The same texts in the facts of a tree."""
    pictures = [facts[name] and facts[name]["text"] for name in ("tree", "curve", "bars")]
    return (facts["stride"], facts["worth"], *(text or "" for text in pictures))


def wide(page: Any) -> int:
    """The width of the pictures of the panel, which the page asks for."""
    return page.evaluate(
        "import('./js/parts.js').then(({ widthIn }) => "
        "widthIn(document.querySelector('#learn'), 600))"
    )


def wait_for_tree(page: Any, facts: dict[str, Any]) -> None:
    """Wait until the panel shows the tree of these facts, with all that follows from it."""
    start = f"Tree {facts['k']} of {facts['last']}: {facts['dives']:,} dive"
    page.wait_for_function(
        "([text, told]) => document.querySelector('#learn output').textContent.startsWith(text)"
        f" && JSON.stringify(({SHOWN})()) === JSON.stringify(told)",
        arg=[start, told(facts)],
    )


def grow_here(link: dict[str, Any], until: int) -> None:
    for _ in learning.grow(link, 7, until):
        pass


def test_the_slider_at_tree_k_shows_the_records_of_tree_k(open_page: Opener) -> None:
    page = opened(open_page)
    grow(page, "1,000 dives more", 1000)
    grow(page, "1,000 dives more", 2000)
    grow_here(SHUT_THE_BOX, 1000)  # a stop of a learner keeps no other trees
    grow_here(SHUT_THE_BOX, 2000)
    last, width = len(learning.learner_of(link_of(SHUT_THE_BOX), 7).ends) - 1, wide(page)
    slider = page.get_by_role("slider", name="Tree")
    slider.focus()
    page.keyboard.press("Home")
    for k in range(1, last + 1):
        page.keyboard.press("ArrowRight")
        facts = learning.tree_facts(SHUT_THE_BOX, 7, k, width)
        wait_for_tree(page, facts)
    assert facts["k"] == facts["last"] == last


@pytest.mark.alone
def test_the_page_makes_100_000_dives_within_ten_seconds(open_page: Opener) -> None:
    page = opened(open_page)
    seconds = page.evaluate(
        """async () => {
          const began = performance.now();
          document.querySelector("#learn .primary").click();
          const dives = () => document.querySelector("#learn output").textContent;
          const number = () => /: ([\\d,]+) dive/.exec(dives())?.[1].replaceAll(",", "");
          while (!(Number(number()) >= 1e5)) await new Promise(requestAnimationFrame);
          document.querySelector("#learn .primary").click();
          return (performance.now() - began) / 1000;
        }"""
    )
    print(f"100,000 dives of Shut the Box: {seconds:.1f} s")
    assert seconds < SECONDS


def test_the_slider_and_pause_work_while_the_tree_grows(open_page: Opener) -> None:
    page = opened(open_page, "play.html#game=reversi&seed=7")
    link = {"game": "reversi", "seed": 7}
    run = page.locator("#learn .primary")
    run.click()
    page.wait_for_function("document.querySelector('#learn-slider').max > 14")
    page.get_by_role("slider", name="Tree").fill("12")
    page.wait_for_function(
        "document.querySelector('#learn output').textContent.startsWith('Tree 12 of')"
    )
    most = page.evaluate("Number(document.querySelector('#learn-slider').max)")
    page.wait_for_function(
        "most => document.querySelector('#learn-slider').max > most + 2", arg=most
    )
    assert page.evaluate("document.querySelector('#learn-slider').value") == "12"
    grow_here(link, 40)
    assert shown(page) == told(learning.tree_facts(link, 7, 12, wide(page)))
    run.click()
    page.wait_for_function("document.querySelector('#learn .primary').textContent === 'Run'")


def test_a_move_on_the_board_shows_its_moves_in_the_same_trees(open_page: Opener) -> None:
    page = opened(open_page, "play.html#game=coins&start=20&seed=7&players=person,person")
    grow(page, "1,000 dives more", 1000)
    page.locator("button[data-label='take 2']").click()
    link = {"game": "coins", "start": "20", "seed": 7}
    grow_here(link, 1000)
    wait_for_tree(page, learning.tree_facts({**link, "moves": ["take 2"]}, 7, width=wide(page)))


def test_flat_monte_carlo_loses_at_twenty_coins_and_the_tree_wins(open_page: Opener) -> None:
    page = opened(open_page, "play.html#game=coins&start=20&seed=7")
    grow(page, "1,000 dives more", 1000)
    page.get_by_text("Compare this tree with flat Monte Carlo").click()
    assert "take 1, worth 0 against best play" in page.locator("#learn .learn-worse").inner_text()
    assert "The tree plays take 2" in page.locator("#learn .learn-best").inner_text()


def test_hidden_information_is_the_reason_for_no_tree(open_page: Opener) -> None:
    page = open_page("play.html#game=big-two&seed=7")
    page.get_by_text("Big Two hides information").wait_for()
    assert not page.locator("#learn .primary").is_visible()


@pytest.mark.parametrize("game", ["shut-the-box", "reversi", "gomoku"])
def test_nothing_is_wider_than_a_phone(open_page: Opener, game: str) -> None:
    page = opened(open_page, f"play.html#game={game}&seed=7", width=360, dark=True)
    grow(page, "10 dives more", 10)
    for summary in page.locator("#learn summary").all():
        if summary.is_visible():
            summary.click()
    page.wait_for_selector("#learn details svg")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


CUT = """
() => [...document.querySelectorAll("#learn .picture, #learn .table")]
  .filter((each) => each.checkVisibility() && !each.closest("details"))
  .filter((each) => each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.className)
"""
"""The pictures and tables of the panel that are cut off."""


def test_on_a_phone_nothing_is_cut(open_page: Opener) -> None:
    page = opened(open_page, "play.html#game=reversi&seed=7", width=360)
    grow(page, "1,000 dives more", 1000)
    assert page.evaluate(CUT) == []


LOOP = """
from purembts.game import Game

def result(state):
    while True:
        pass

def moves(state, event):
    return (state + 1,) if state < 5 else ()

loop = Game(moves, result, lambda state: 0, name="Loop", start=0)
"""
WRONG = LOOP.replace("    while True:\n        pass\n", "    return 1\n")


def opened_own(open_page: Opener, source: str) -> Any:
    link = f"play.html#game=own&seed=7&players=person,person&source={quote(source)}"
    page = open_page(link)
    page.get_by_role("button", name="Run this code").click()
    page.get_by_text("The tree is empty. Let it dive.").wait_for()
    return page


def test_a_loop_in_a_result_does_not_hang_a_page_that_only_shows_the_game(
    open_page: Opener,
) -> None:
    page = opened_own(open_page, LOOP)
    for n in range(1, 3):
        page.locator("button[data-label]").first.click()
        page.wait_for_function(
            "n => document.querySelectorAll('#history li').length > n", arg=n, timeout=8000
        )
    assert page.locator("#busy").is_hidden()


def test_an_error_of_one_game_is_gone_in_the_next_one(open_page: Opener) -> None:
    page = opened_own(open_page, WRONG)
    page.get_by_role("button", name="10 dives more").click()
    page.get_by_text("must be a tuple of 2 scores").wait_for()
    page.evaluate("location.hash = '#game=tic-tac-toe&seed=1'")
    page.wait_for_function("document.title.startsWith('Tic-tac-toe')")
    page.wait_for_function("!document.querySelector('#learn .error').textContent")
    grow(page, "10 dives more", 10)


@pytest.mark.parametrize("seed", ["-5", "1.5", ""])
def test_a_wrong_seed_begins_no_other_tree(open_page, seed):
    page = opened(open_page)
    grow(page, "10 dives more", 10)
    before = shown(page)
    field = page.locator("#learn input[type=number]")
    field.fill(seed)
    field.blur()
    assert not field.evaluate("(field) => field.validity.valid")
    grow(page, "10 dives more", 20)
    assert shown(page) != before
    assert "20 dives" in page.inner_text("#learn output")
    field.fill("8")
    field.blur()
    page.get_by_text("The tree is empty. Let it dive.").wait_for()
