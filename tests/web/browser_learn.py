"""The panel of the play page in which a tree learns: the tree that is asked for, in its phases."""

import re

import pytest

from facade import learning
from watching import NIM, PERSONS

SHUT_THE_BOX = {"game": "shut-the-box", "seed": 7}
SECONDS = 10
"""The most seconds in which the page makes 100,000 dives of Shut the Box."""
EMPTY = "The tree is empty. Let it dive."
SHOWN = """() => {
  const part = (name) => document.querySelector(`#learn [data-part=${name}]`);
  const words = (place) => (place.hidden ? "" : place.querySelector("desc").textContent);
  return [part("value").textContent, ...["tree", "curve", "bars"].map(part).map(words)];
}"""
"""The texts of the panel: the worth, and the pictures in words."""


@pytest.fixture
def learn(play):
    """A function that opens a game with an empty tree; the tree grows without a film."""
    learning.forget()

    def opened(*, motion="reduce", **link):
        page = play(options={"reduced_motion": motion}, **link)
        page.get_by_text(EMPTY).wait_for()
        return page

    return opened


def press(page, name, milliseconds=0):
    """Press a button of the panel for some time."""
    button = page.locator("#learn").get_by_role("button", name=name, exact=True)
    button.click(delay=milliseconds)


def said(page, text):
    """Wait for a sentence above the tree."""
    page.locator("#learn .learn-said", has_text=text).wait_for()


def grow(page, name, dives):
    """Press a button, and wait until there are `dives` dives and the tree is at rest."""
    press(page, name)
    page.locator("#learn output", has_text=f": {dives:,} dive").wait_for()
    page.locator("#learn").get_by_role("button", name="Run", exact=True).wait_for()


def wait_for_tree(page, link, k=None):
    """Wait until the panel shows tree `k` of this link, with all that follows from it."""
    place = "document.querySelector('#learn')"
    width = page.evaluate(f"import('./js/parts.js').then((parts) => parts.widthIn({place}, 600))")
    facts = learning.tree_facts(link, 7, k, width)
    pictures = [facts["tree"][-1], facts["curve"], facts["bars"]]
    told = [facts["worth"], *(each["text"] if each else "" for each in pictures)]
    start = f"Tree {facts['k']} of {facts['last']}: {facts['dives']:,} dive"
    page.wait_for_function(
        "([start, told]) => document.querySelector('#learn output').textContent.startsWith(start)"
        f" && JSON.stringify(({SHOWN})()) === JSON.stringify(told)",
        arg=[start, told],
    )


def grow_here(link, *ends):
    """Let the learner of this process grow in the same strides."""
    for until in ends:
        *_, _ = learning.grow(link, 7, until)


def test_the_slider_shows_each_tree(learn):
    page = learn(**SHUT_THE_BOX)
    grow(page, "1,000 dives", 1000)
    grow_here(SHUT_THE_BOX, 1000)
    page.get_by_role("slider", name="Tree").focus()
    page.keyboard.press("Home")
    for k in range(1, 13):
        page.keyboard.press("ArrowRight")
        wait_for_tree(page, SHUT_THE_BOX, k)
    page.keyboard.press("End")
    wait_for_tree(page, SHUT_THE_BOX)


def test_a_single_dive_is_shown_in_its_phases_which_a_person_can_choose(learn):
    page = learn(motion="no-preference", **SHUT_THE_BOX)
    press(page, "1 dive")
    said(page, "Dive 1. Select: the first position is new.")
    said(page, "Dive 1. Simulate: a random game from there is")
    press(page, "1 dive")  # a second one, at once
    said(page, "Dive 2. Expand: the new position gets a record.")
    press(page, "Select")
    said(page, "Dive 2. Select: roll")
    page.wait_for_timeout(3_000)  # nothing moves by itself any more
    assert page.locator("#learn [aria-current]").inner_text() == "Select"
    assert page.locator("#learn [data-part=tree] [data-event]").count() == 1
    press(page, "1,000 dives")
    on_the_way = re.compile(r": (1[2-9]|[2-9]\d|[1-9]\d\d) dives")  # of several dives each
    page.locator("#learn output", has_text=on_the_way).wait_for()
    press(page, "Pause")
    said(page, "The wider a line, the more visits.")


def test_the_trees_are_drawn_while_the_slider_is_dragged(learn):
    page = learn(**SHUT_THE_BOX)
    grow(page, "1,000 dives", 1000)
    slider = page.get_by_role("slider", name="Tree")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.9 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], middle)
    page.locator("#learn output", has_text=re.compile("Tree 1[3-7] of 30")).wait_for()
    page.mouse.up()


@pytest.mark.alone
def test_the_page_makes_100_000_dives_within_ten_seconds(learn):
    page = learn(**SHUT_THE_BOX)
    seconds = page.evaluate(
        """async () => {
          const began = performance.now();
          const run = document.querySelector("#learn [data-part=run]");
          run.click();
          const dives = () => document.querySelector("#learn output").textContent;
          const number = () => /: ([\\d,]+) dive/.exec(dives())?.[1].replaceAll(",", "");
          while (!(Number(number()) >= 1e5)) await new Promise(requestAnimationFrame);
          run.click();
          return (performance.now() - began) / 1000;
        }"""
    )
    print(f"100,000 dives of Shut the Box: {seconds:.1f} s")
    assert seconds < SECONDS


def test_the_slider_and_pause_work_while_the_tree_grows(learn):
    link = {"game": "reversi", "seed": 7}
    page = learn(**link)
    press(page, "Run")
    page.wait_for_function("document.querySelector('#learn-slider').max > 14")
    page.get_by_role("slider", name="Tree").fill("12")
    page.locator("#learn output", has_text="Tree 12 of").wait_for()
    most = page.evaluate("Number(document.querySelector('#learn-slider').max)")
    page.wait_for_function(
        "most => document.querySelector('#learn-slider').max > most + 2", arg=most
    )
    assert page.input_value("#learn-slider") == "12"
    press(page, "Pause")
    page.locator("#learn").get_by_role("button", name="Run", exact=True).wait_for()


def test_a_move_on_the_board_shows_its_moves_in_the_same_trees(learn):
    link = {"game": "coins", "start": "20", "seed": 7}
    page = learn(players=PERSONS, **link)
    grow(page, "1,000 dives", 1000)
    page.locator("button[data-label='take 2']").click()
    grow_here(link, 1000)
    wait_for_tree(page, {**link, "moves": ["take 2"]})


def test_flat_monte_carlo_loses_at_twenty_coins_and_the_tree_wins(learn):
    page = learn(game="coins", start="20", seed=7)
    grow(page, "1,000 dives", 1000)
    page.get_by_text("Compare this tree with flat Monte Carlo").click()
    assert "take 1, worth 0 against best play" in page.locator("#learn .learn-worse").inner_text()
    assert "The tree plays take 2" in page.locator("#learn .learn-best").inner_text()


def test_hidden_information_is_the_reason_for_no_tree(play):
    page = play(game="big-two", seed=7)
    page.get_by_text("Big Two hides information").wait_for()
    assert not page.locator("#learn").get_by_role("button", name="Run", exact=True).is_visible()


CUT = """
() => [...document.querySelectorAll("#learn .picture, #learn .table")]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.className)
"""
"""The pictures and tables of the panel that are cut off."""


@pytest.mark.parametrize("game", ["shut-the-box", "reversi", "gomoku"])
def test_on_a_phone_nothing_is_cut(learn, game):
    page = learn(width=360, game=game, seed=7)
    for name, dives in (("10 dives", 10), ("1,000 dives", 1010)):
        grow(page, name, dives)
        assert page.evaluate(CUT) == []
    page.eval_on_selector_all("#learn details", "all => all.forEach((each) => (each.open = true))")
    page.wait_for_selector("#learn [data-part=bars] svg")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


LOOP = NIM.replace("lambda pile: (0, 1)", "result").replace(
    "nim =", "def result(pile):\n    while True: pass\n\nnim ="
)
WRONG = NIM.replace("lambda pile: (0, 1)", "lambda pile: 1")


def test_a_loop_in_a_result_does_not_hang_a_page_that_only_shows_the_game(learn):
    page = learn(game="own", seed=7, players=PERSONS, source=LOOP)
    for n in range(1, 3):
        page.locator("button[data-label]").first.click()
        page.locator("#history li").nth(n).wait_for(timeout=8000)
    assert page.locator("#busy").is_hidden()


def test_an_error_of_one_game_is_gone_in_the_next_one(learn):
    page = learn(game="own", seed=7, players=PERSONS, source=WRONG)
    press(page, "10 dives")
    page.get_by_text("must be a tuple of 2 scores").wait_for()
    page.evaluate("location.hash = '#game=tic-tac-toe&seed=1'")
    page.wait_for_function("document.title.startsWith('Tic-tac-toe')")
    page.wait_for_function("!document.querySelector('#learn .error').textContent")
    grow(page, "10 dives", 10)


def test_another_seed_has_another_tree_and_a_wrong_one_has_none(learn):
    page = learn(**SHUT_THE_BOX)
    grow(page, "10 dives", 10)
    page.get_by_text("Another search").click()
    field = page.locator("#learn").get_by_label("Seed")
    field.fill("1.5")
    press(page, "10 dives", 300)  # the tree goes when the field has lost the focus
    page.get_by_text(
        "The seed must be a whole number from 0 to 9007199254740991; got '1.5'."
    ).wait_for()
    field.fill("8")
    field.blur()
    page.get_by_text(EMPTY).wait_for()
    field.fill("7")
    field.blur()
    page.locator("#learn output", has_text=": 10 dives").wait_for()  # it is still there
