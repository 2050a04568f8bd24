"""The pages of bandits and of pi, used by keyboard, and held to the numbers of the library."""

import re

import pytest

from facade.bandits import MOST_PULLS
from facade.darts import pi_darts
from purembts.app.steps import counted

BANDIT = "bandits.html#means=0.6,0.3,0.5&seed=7&policy=ucb1"


def at_pull(page, n):
    """Wait until the page shows n pulls."""
    page.wait_for_function(
        "text => document.querySelector('#scores caption')?.textContent === text",
        arg=f"After {counted(n, 'pull')}",
    )


def cells(page, place):
    """The rows of the body of a table."""
    return [
        tuple(row.locator("td").all_inner_texts())
        for row in page.locator(f"{place} tbody tr").all()
    ]


def copied(page):
    """The link that the button copies."""
    page.click("#copy:enabled")
    page.wait_for_selector("#copy:text-is('Copied')")
    return page.evaluate("navigator.clipboard.readText()")


CLIPBOARD = ["clipboard-read", "clipboard-write"]


def test_arms_are_pulled_by_keyboard_and_the_means_are_shown_when_asked_for(open_page):
    page = open_page(BANDIT, permissions=CLIPBOARD)
    at_pull(page, 0)
    assert page.inner_text("#chart-note").startswith("The chart begins with the first pull.")
    for n, key in enumerate("1123", 1):
        page.keyboard.press(key)
        at_pull(page, n)
        assert re.search(rf"Pull {n}: arm {key} paid [01]\.", page.inner_text("#said"))
    assert "at 4." in page.locator("#chart desc").text_content()
    page.get_by_role("button", name="Arm 2").focus()
    page.keyboard.press("Enter")
    at_pull(page, 5)
    page.get_by_label("Pulls at a time").select_option("10")
    page.keyboard.press("Tab")
    page.keyboard.press("2")
    at_pull(page, 15)
    page.get_by_role("button", name="Pull 100").press("Space")
    at_pull(page, 115)
    assert "pulls=1123,2x11,thompsonx100" in page.url
    assert copied(page) == page.url
    assert "true mean 0" not in page.inner_text("main")
    page.get_by_role("button", name="Show the true means").press("Enter")
    page.wait_for_function("document.querySelector('#arms').innerText.includes('true mean 0')")
    assert "revealed=1" in page.url
    assert page.evaluate("document.activeElement.id") == "chart-note"
    page.get_by_label("Means, if").fill("0.6, 1.2")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#error').textContent")
    assert "numbers from 0 to 1" in page.inner_text("#error")
    at_pull(page, 115)
    page.get_by_label("Means, if").fill("0.9 0.1")
    page.keyboard.press("Enter")
    at_pull(page, 0)
    assert page.inner_text("#error") == ""
    assert page.locator("#arms button").count() == 2
    page.get_by_role("button", name="New machine").click()
    page.wait_for_selector("#reveal:not([hidden])")


def test_a_run_can_be_paused_and_its_link_opens_the_same_contest_up_to_its_end(open_page):
    page = open_page(BANDIT)
    at_pull(page, 0)
    page.get_by_role("button", name="Let it run").press("Enter")
    page.wait_for_function(
        "/Pay so far: you \\d\\d/.test(document.querySelector('#status').textContent)"
    )
    page.get_by_role("button", name="Pause").press("Enter")
    page.wait_for_function("document.querySelector('#run').textContent === 'Let it run'")
    n = int(re.search(r"thompsonx(\d+)", page.url)[1])
    at_pull(page, n)
    assert 10 < n < MOST_PULLS
    other = open_page(page.url.split("/")[-1])
    at_pull(other, n)
    for place in ("#own", "#other", "#scores"):
        assert cells(other, place) == cells(page, place)
    page.evaluate("location.hash = '#seed=7&pulls=1x4999'")
    at_pull(page, 4999)
    assert page.inner_text("#full") == ""
    page.keyboard.press("2")
    at_pull(page, MOST_PULLS)
    assert "5,000 pulls, the most on this page" in page.inner_text("#full")
    assert "5,000 pulls, the most on this page" in page.inner_text("#said")
    page.get_by_role("button", name="Start again").press("Enter")
    at_pull(page, 0)


# Pi


def at_dart(page, n):
    """Wait until the page shows n darts, and does not throw."""
    page.wait_for_function(
        "n => document.querySelector('#status').textContent.startsWith(`${n} dart`) && "
        "document.querySelector('#run').textContent !== 'Pause'",
        arg="No" if n == 0 else f"{n:,}",
    )


def test_darts_are_thrown_by_keyboard_and_the_address_carries_them(open_page):
    page = open_page("pi.html#seed=7", permissions=CLIPBOARD)
    at_dart(page, 0)
    for n, name in ((1, "Throw 1"), (11, "Throw 10"), (1011, "Throw 1,000"), (2011, "Throw 1,000")):
        page.get_by_role("button", name=name, exact=True).press("Enter")
        at_dart(page, n)
        assert page.inner_text("#said") == page.inner_text("#status")
    assert copied(page) == page.url
    assert page.url.endswith("#seed=7&darts=2011")
    assert page.inner_text("#command") == "purembts pi --seed 7 --darts 2011"
    estimate = next(pi_darts(7, 2011))
    assert page.inner_text("#status") == estimate["said"]
    assert cells(page, "#table") == list(
        zip(*[column["cells"] for column in estimate["table"]["columns"]], strict=True)
    )


@pytest.mark.parametrize(("motion", "boards"), [("no-preference", 2), ("reduce", 1)])
def test_a_run_of_darts_can_be_paused_and_goes_on_to_a_million(open_page, motion, boards):
    """With reduced motion, the board waits for the end of the run."""
    page = open_page("pi.html#seed=7&darts=900005", reduced_motion=motion)
    page.wait_for_function("/darts=[1-9]\\d{4}/.test(location.hash)")  # the address, as it runs
    page.get_by_role("button", name="Pause").press("Enter")
    page.wait_for_function("document.querySelector('#run').textContent !== 'Pause'")
    page.evaluate(
        "() => { window.boards = 0;"
        " new MutationObserver(() => boards++).observe(document.querySelector('#board'),"
        " { childList: true }); }"
    )
    page.get_by_role("button", name="Run on to a million").press("Enter")
    at_dart(page, 1_000_000)
    assert min(page.evaluate("boards"), 2) == boards
    assert "3.14180, 95 % interval 3.13858 to 3.14502." in page.inner_text("#status")
    assert page.evaluate("document.activeElement.id") == "again"  # its own button is disabled
    assert page.get_by_role("button", name="Throw 1", exact=True).is_disabled()


def test_a_wrong_link_says_what_is_wrong_and_the_page_can_be_used(open_page):
    page = open_page("bandits.html#seed=7&policy=best")
    for address, text in (
        ("bandits.html#seed=7&policy=best", "The policy must be one of"),
        ("pi.html#seed=x", "The seed must be a whole number from 0 to 9007199254740991; got 'x'"),
    ):
        page.goto(address)
        page.locator("#status", has_text=re.compile("No (pulls|darts) so far")).wait_for()
        assert page.inner_text("#error").startswith(text)
