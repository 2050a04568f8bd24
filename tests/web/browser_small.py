"""The pages of bandits and of pi, used by keyboard, and held to the numbers of the library."""

import re

import pytest

from facade.bandits import MOST
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


def ends(page):
    """The chart of the page in words."""
    return page.locator("#chart desc").text_content()


def test_arms_are_pulled_by_keyboard_and_the_chart_grows(open_page):
    page = open_page(BANDIT)
    at_pull(page, 0)
    assert page.inner_text("#chart-note").startswith("The chart begins with the first pull.")
    for n, key in enumerate("1123", 1):
        page.keyboard.press(key)
        at_pull(page, n)
        assert f"at {n}." in ends(page)
        assert re.search(rf"Pull {n}: arm {key} paid [01]\.", page.inner_text("#said"))
    page.get_by_role("button", name="Arm 2").focus()
    page.keyboard.press("Enter")
    at_pull(page, 5)
    assert "pulls=11232" in page.url
    page.get_by_label("Pulls at a time").select_option("10")
    page.keyboard.press("Tab")
    page.keyboard.press("2")
    at_pull(page, 15)
    page.get_by_role("button", name="Pull 100").press("Space")
    at_pull(page, 115)
    assert "pulls=1123,2x11,thompsonx100" in page.url


def test_the_means_are_hidden_until_they_are_asked_for(open_page):
    page = open_page("bandits.html#arms=4&seed=3&pulls=1234")
    at_pull(page, 4)
    assert "true mean 0" not in page.inner_text("main")
    assert "by the pay" in page.inner_text("#chart-note")
    page.get_by_role("button", name="Show the true means").press("Enter")
    page.wait_for_function("document.querySelector('#arms').innerText.includes('true mean 0')")
    regrets = [float(row[2]) for row in cells(page, "#scores")]
    assert min(regrets) > 0
    assert "revealed=1" in page.url
    assert page.is_hidden("#reveal")
    assert page.evaluate("document.activeElement.id") == "chart-note"
    page.get_by_role("button", name="New machine").click()
    page.wait_for_selector("#reveal:not([hidden])")


@pytest.mark.parametrize("name", ["index", "play", "bandits", "pi", "tasks", "docs/index"])
def test_a_page_without_scripts_says_what_it_needs(open_page, name):
    page = open_page(f"{name}.html", java_script_enabled=False)
    note = page.locator("noscript").first
    assert note.is_visible()
    assert "JavaScript" in note.text_content()


def test_a_run_can_be_paused_and_its_link_opens_the_same_contest(open_page):
    page = open_page(BANDIT)
    at_pull(page, 0)
    page.get_by_label("Policy for your pulls").select_option("thompson")
    page.get_by_role("button", name="Let it run").press("Enter")
    page.wait_for_function(
        "/Pay so far: you \\d\\d/.test(document.querySelector('#status').textContent)"
    )
    page.get_by_role("button", name="Pause").press("Enter")
    page.wait_for_function("document.querySelector('#run').textContent === 'Let it run'")
    n = int(re.search(r"thompsonx(\d+)", page.url)[1])
    at_pull(page, n)
    assert 10 < n < MOST
    other = open_page(page.url.split("/")[-1])
    at_pull(other, n)
    for place in ("#own", "#other", "#scores"):
        assert cells(other, place) == cells(page, place)
    assert ends(other) == ends(page)
    page.get_by_role("button", name="Start again").press("Enter")
    at_pull(page, 0)
    assert "pulls" not in page.url


def test_a_wrong_mean_is_refused_in_a_sentence_and_nothing_changes(open_page):
    page = open_page(f"{BANDIT}&pulls=12")
    at_pull(page, 2)
    page.get_by_label("Means").fill("0.6, 1.2")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#error').textContent")
    assert "numbers from 0 to 1" in page.inner_text("#error")
    at_pull(page, 2)
    page.get_by_label("Means").fill("0.9 0.1")
    page.keyboard.press("Enter")
    at_pull(page, 0)
    assert page.inner_text("#error") == ""
    assert page.locator("#arms button").count() == 2
    assert page.locator("#count").input_value() == "2"  # though the focus is in the form


def test_your_policy_differs_from_that_of_the_opponent_and_the_end_says_its_reason(open_page):
    page = open_page("bandits.html#seed=7&pulls=1x4999")
    at_pull(page, 4999)
    assert page.get_by_label("Your opponent").input_value() == "ucb1"
    assert page.get_by_label("Policy for your pulls").input_value() == "thompson"
    assert page.inner_text("#full") == ""
    page.keyboard.press("2")
    at_pull(page, MOST)
    assert "5,000 pulls, the most on this page" in page.inner_text("#full")
    assert "5,000 pulls, the most on this page" in page.inner_text("#said")


@pytest.mark.parametrize("address", ["bandits.html#seed=7&pulls=12", "pi.html#seed=7&darts=20"])
def test_the_link_is_copied(open_page, address):
    page = open_page(address, permissions=["clipboard-read", "clipboard-write"])
    page.click("#copy:enabled")
    page.wait_for_selector("#copy:text-is('Copied')")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.url
    assert copied.split("&")[-1] == address.split("&")[-1]


# Pi


def at_dart(page, n):
    """Wait until the page shows n darts, and does not throw."""
    page.wait_for_function(
        "n => document.querySelector('#status').textContent.startsWith(`${n} dart`) && "
        "document.querySelector('#run').textContent !== 'Pause'",
        arg="No" if n == 0 else f"{n:,}",
    )


def test_darts_are_thrown_by_keyboard_and_the_address_carries_them(open_page):
    page = open_page("pi.html#seed=7")
    at_dart(page, 0)
    for n, name in ((1, "Throw 1"), (11, "Throw 10"), (1011, "Throw 1,000"), (2011, "Throw 1,000")):
        page.get_by_role("button", name=name, exact=True).press("Enter")
        at_dart(page, n)
        assert page.inner_text("#said") == page.inner_text("#status")
    assert page.url.endswith("#seed=7&darts=2011")
    assert page.inner_text("#command") == "purembts pi --seed 7 --darts 2011"
    estimate = pi_darts(7, 2011)
    assert page.inner_text("#status") == estimate["said"]
    assert cells(page, "#table") == list(
        zip(*[column["cells"] for column in estimate["table"]["columns"]], strict=True)
    )


@pytest.mark.parametrize(("motion", "boards"), [("no-preference", 2), ("reduce", 1)])
def test_a_run_of_darts_can_be_paused_and_goes_on_to_a_million(open_page, motion, boards):
    """With reduced motion, the board waits for the end of the run."""
    page = open_page("pi.html#seed=7&darts=5", reduced_motion=motion)
    at_dart(page, 5)
    page.get_by_role("button", name="Run on to a million").press("Enter")
    page.wait_for_function("/darts=[1-9]\\d{3}/.test(location.hash)")  # the address, as it runs
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


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("bandits.html#seed=7&policy=best", "The policy must be one of"),
        (
            "bandits.html#seed=x",
            "The seed must be a whole number from 0 to 9007199254740991; got 'x'",
        ),
        ("pi.html#seed=x", "The seed must be a whole number from 0 to 9007199254740991; got 'x'"),
        ("pi.html#seed=7&darts=2000000", "`darts` must be a whole number from 0 to 1000000"),
    ],
)
def test_a_wrong_link_says_what_is_wrong_and_the_page_can_be_used(open_page, address, text):
    page = open_page(address)
    page.locator("#status", has_text=re.compile("No (pulls|darts) so far")).wait_for()
    assert page.inner_text("#error").startswith(text)


@pytest.mark.parametrize(
    "address", [f"{BANDIT}&pulls=1x30,2x9&revealed=1", "pi.html#seed=7&darts=900"]
)
def test_a_phone_shows_the_chart_and_controls_large_enough(open_page, address):
    page = open_page(address, width=360)
    page.wait_for_selector("#chart svg")
    scale = "e => e.getBoundingClientRect().width / e.viewBox.baseVal.width"
    assert page.locator("#chart svg").evaluate(scale) > 0.97
    small = (
        "[...document.querySelectorAll('button:not([hidden]), select, input')].filter(each => "
        "each.getBoundingClientRect().height < 24).length"
    )
    assert page.evaluate(small) == 0
