"""The page of bandits, and the darts of the first task: used by keyboard, and by their links."""

import re

from facade.bandits import MOST_PULLS, contest

BANDIT = "bandits.html#means=0.6,0.3,0.5&seed=7"
LINK = {"means": "0.6,0.3,0.5", "seed": "7"}


BARS = """all => all.map(({ children: [, , bar, tip] }) => [
  Math.round(bar.getAttribute("height")), Number(tip.getAttribute("y"))])"""
"""For each arm, the height of its bar in percent, and the place of its tip from above."""


def at_pull(page, n):
    """Wait until the page shows n pulls."""
    page.wait_for_function(
        "text => document.querySelector('#regret').innerText.endsWith(text)",
        arg=f"\n{n:,} pulls",
    )


def test_arms_are_pulled_by_keyboard_and_the_chances_are_shown_when_asked_for(open_page):
    page = open_page(BANDIT, permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("1")  # before Python is there
    at_pull(page, 1)
    for n, key in enumerate("123", 2):
        page.keyboard.press(key)
        at_pull(page, n)
        assert re.search(rf"Pull {n}: arm {key} paid [01]\.", page.inner_text("#said"))
    page.get_by_role("button", name="Arm 2").press("Enter")
    at_pull(page, 5)
    page.get_by_role("button", name="Pull the highest tip").press("Space")
    at_pull(page, 6)
    assert page.url.endswith("means=0.6,0.3,0.5&seed=7&pulls=11232,ucb1x1")
    you = contest({**LINK, "pulls": "11232,ucb1x1"})["players"][0]
    arms, bars = you["arms"], page.eval_on_selector_all("#you svg", BARS)
    assert [bar[0] for bar in bars] == [round(100 * (arm["high"] - arm["low"])) for arm in arms]
    assert min(bars, key=lambda bar: bar[1]) is bars[you["next"]]
    texts = [f"Arm {i}: paid {arm['paid']} of {arm['n']}" for i, arm in enumerate(arms, 1)]
    labels = "all => all.map((each) => each.ariaLabel)"
    assert page.eval_on_selector_all("#you button", labels) == texts
    page.get_by_role("button", name="Copy the link").press("Enter")
    page.wait_for_selector("#copy:text-is('Copied')")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert page.locator("#you path").count() == 0
    page.get_by_role("button", name="Show the true chances").press("Enter")
    page.locator("#you path").nth(2).wait_for(state="attached")
    assert "revealed=1" in page.url
    page.get_by_text("The machine", exact=True).click()
    page.get_by_label("Or their chances").fill("0.6, 1.2")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#error').textContent")
    assert "numbers from 0 to 1" in page.inner_text("#error")
    at_pull(page, 6)
    page.get_by_label("Or their chances").fill("0.9 0.1")
    page.keyboard.press("Enter")
    at_pull(page, 0)
    assert page.inner_text("#error") == ""
    assert page.locator("#you button").count() == 2


def test_a_run_can_be_paused_and_its_link_opens_the_same_contest_up_to_its_end(open_page):
    page = open_page(BANDIT)
    page.get_by_role("button", name="Run").press("Enter")
    page.locator("#regret", has_text=re.compile(r"\b\d\d pulls")).wait_for()
    page.get_by_role("button", name="Pause").press("Enter")
    page.wait_for_function("document.querySelector('#run').textContent === 'Run'")
    n = int(re.search(r"ucb1x(\d+)", page.url)[1])
    at_pull(page, n)
    other = open_page(page.url.split("/")[-1])
    at_pull(other, n)
    for place in ("#you", "#others", "#regret"):
        assert other.inner_text(place) == page.inner_text(place)
    page.evaluate("location.hash = '#seed=7&pulls=1x4999'")
    at_pull(page, 4999)
    page.keyboard.press("2")
    at_pull(page, MOST_PULLS)
    assert "5,000 pulls, the most on this page" in page.inner_text("#note")


def test_a_wrong_link_says_what_is_wrong_and_the_page_can_be_used(open_page):
    page = open_page("bandits.html#seed=x")
    page.locator("#error", has_text="The seed must be a whole number from 0").wait_for()
    page.get_by_role("button", name="Arm 1").click()
    at_pull(page, 1)
    assert page.inner_text("#error") == ""


def test_darts_of_the_first_task_are_thrown_and_a_run_can_be_paused(open_page):
    page = open_page("pi.html")  # an old address
    estimate = page.locator("#darts [role=status]")
    page.get_by_role("button", name="Throw 1,000").press("Enter")
    estimate.get_by_text(re.compile(r"^1,000 darts: pi is about 3\.\d{3}, from")).wait_for()
    assert page.url.endswith("tasks.html#task=1")
    inked = "canvas => canvas.getContext('2d').getImageData(0, 0, 400, 400).data.some(Boolean)"
    assert page.eval_on_selector("#darts canvas", inked)
    page.get_by_role("button", name="Run", exact=True).first.press("Enter")
    estimate.get_by_text(re.compile(r"^\d\d,\d\d\d darts")).wait_for()
    page.get_by_role("button", name="Pause").press("Enter")
    page.locator("#darts button", has_text="Run").wait_for()
