"""The workshop's tasks in the browser: to write a solution, to have it marked, and to keep it."""

import re

import pytest

from purembts.course.tasks import TASKS
from watching import edited

PLAIN = """() => {
  const text = document.querySelector("#text").cloneNode(true);
  text.querySelectorAll("code, pre").forEach((each) => each.remove());
  return text.textContent;
}"""
"""The text of a task without its code."""
EDITOR = "#code .cm-content"
HANGS = """
simple_start = set(range(2, 10))
def simple_moves(box, roll):
    return sum(iter(int, 1))
def play_simple_game(box):
    return sum(iter(int, 1))
"""
"""A solution with a loop in a function of C, which no look at the clock can end."""


def has_focus(page):
    """True if the editor has the focus."""
    return page.evaluate("document.activeElement.matches('#code .cm-content')")


def is_done(page):
    """Wait until nothing is marked."""
    page.wait_for_selector("#stop", state="hidden")


def marks(page):
    """The marks that are shown, from the number of the task to its status and its reason."""
    found = {}
    for item in page.query_selector_all("#list li"):
        head = item.query_selector("h3").inner_text()
        why = " ".join(each.inner_text() for each in item.query_selector_all("p"))
        found[int(re.match(r"Task (\d+)", head)[1])] = head.rsplit(": ", 1)[1], why
    return found


def marked(page, source, task):
    """The mark of a task of a text."""
    page.evaluate(f"location.hash = '#task={task}'")
    page.wait_for_function(f"document.querySelector('#mark').textContent === 'Mark task {task}'")
    edited(page, source)
    page.click("#mark")
    is_done(page)
    return marks(page)[task]


@pytest.fixture
def tasks(open_page):
    """The page with task 5."""
    page = open_page("tasks.html#task=5")
    page.wait_for_selector("#numbers a[aria-current]")
    return page


def test_a_solution_is_written_and_marked_by_keyboard_and_all_is_there_again(tasks):
    tasks.keyboard.press("Tab")  # the link that leads to the editor
    tasks.keyboard.press("Enter")
    tasks.keyboard.press("Tab")
    assert tasks.evaluate("document.activeElement.id") == "mark"
    while not has_focus(tasks):
        tasks.keyboard.press("Tab")
    tasks.keyboard.press("Control+A")
    tasks.keyboard.type("def up():\nlevers = range(2, 10)\nreturn set(levers)")
    assert edited(tasks) == "def up():\n    levers = range(2, 10)\n    return set(levers)"
    tasks.keyboard.press("Enter")
    tasks.keyboard.press("Backspace")
    tasks.keyboard.type("\nsimple_start = up()")
    tasks.keyboard.press("Control+Enter")
    tasks.wait_for_selector("#list li")
    is_done(tasks)
    assert marks(tasks)[5][0] == "right"
    assert "right: 1 of 1" in tasks.inner_text("#lines")
    assert tasks.get_attribute("#numbers a[aria-current]", "aria-label").endswith(", right")
    assert tasks.inner_text("#said").startswith("Task 5: right")
    tasks.keyboard.type("# more")
    source = edited(tasks)
    tasks.keyboard.press("Escape")
    tasks.keyboard.press("Tab")
    assert not has_focus(tasks)
    tasks.click("#numbers a:nth-child(8)")
    tasks.goto("about:blank")
    tasks.goto("/tasks.html")
    tasks.wait_for_function("document.title.startsWith('Task 8: ')")
    tasks.wait_for_selector("#list li")
    assert edited(tasks) == source
    assert marks(tasks)[5][0] == "right"
    assert tasks.is_visible("#old")


def test_all_tasks_are_marked_and_one_starts_again_with_undo(tasks):
    first = edited(tasks)
    assert "# Task 13: " in first
    source = "simple_start = set(range(2, 10))\n"
    edited(tasks, source)
    tasks.click("#mark-all")
    tasks.wait_for_function("document.querySelectorAll('#list li').length === 13")
    is_done(tasks)
    found = {task: status for task, (status, _) in marks(tasks).items()}
    assert found == {task: "right" if task == 5 else "not there yet" for task in TASKS}
    assert "right: 1 of 1" in tasks.inner_text("#lines")
    tasks.get_by_role("button", name="Start again").click()
    assert edited(tasks) == first
    tasks.reload()
    tasks.get_by_role("button", name="Undo: the text before").click()
    assert edited(tasks) == source


def test_what_hangs_ends_or_is_stopped_by_a_button(new_page):
    page = new_page()
    page.route("**/tasks.js", quick)
    page.goto("tasks.html#task=4")
    edited(page, HANGS)
    page.click("#mark-all")
    page.wait_for_function("document.querySelector('#busy').textContent.includes('Task 6')")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    is_done(page)
    assert page.evaluate("document.activeElement.id") == "mark"
    found = marks(page)
    assert found[4] == ("not finished", "It was not done after 2 seconds. Perhaps it never ends.")
    assert found[5][0] == "right"


def quick(route):
    """Let a task hang for three seconds in the place of 25."""
    response = route.fetch()
    text = response.text().replace("LIMIT = 20;", "LIMIT = 2;").replace("GRACE = 5;", "GRACE = 1;")
    route.fulfill(response=response, body=text)


def test_a_file_that_cannot_be_loaded_shows_its_line_and_a_wrong_one_its_reason(tasks):
    edited(tasks, "# mine\ndef (:\n")
    tasks.click("#mark")
    tasks.click("#stop")  # while Python starts
    is_done(tasks)
    assert tasks.inner_text("#trouble") == ""
    tasks.click("#mark")
    tasks.wait_for_selector("#trouble:not(:empty)")
    trouble = tasks.inner_text("#trouble")
    assert "mine.py cannot be loaded, because of line 2: SyntaxError" in trouble
    assert tasks.text_content("#trouble .source") == "    def (:\n        ^"
    assert tasks.text_content(".cm-line.wrong .tok-keyword") == "def"
    tasks.click("#trouble .place")
    tasks.keyboard.type("#")
    assert edited(tasks) == "# mine\n#def (:\n"
    assert tasks.locator(".cm-line.wrong").count() == 0
    status, why = marked(tasks, "simple_start = {1}", 5)
    assert status == "wrong"
    assert "simple_start" in why


def test_a_line_is_tried_after_the_file_and_an_endless_one_is_stopped(tasks):
    edited(tasks, "def double(x):\n    return 2 * x\n")
    for line in ("y = double(4)", "y + 1", "double()"):
        tasks.fill("#line", line)
        tasks.keyboard.press("Enter")
        tasks.wait_for_function("document.querySelector('#end').hidden")
    found = tasks.inner_text("#log").split("\n")
    assert "9" in found
    assert "TypeError: double() missing 1 required positional argument: 'x'" in found
    tasks.keyboard.press("ArrowUp")
    assert tasks.input_value("#line") == "double()"
    tasks.fill("#line", "while True: pass")
    tasks.keyboard.press("Enter")
    tasks.click("#mark")
    assert "Wait for it, or stop it." in tasks.inner_text("#trouble")
    tasks.click("#end")
    tasks.wait_for_selector("#end", state="hidden")
    assert "Python was stopped." in tasks.inner_text("#log")


def test_every_task_has_a_text_with_the_names_to_write_and_the_page_stays_narrow(open_page):
    page = open_page("tasks.html#task=9", width=360)
    page.wait_for_function("document.querySelector('.cm-scroller')?.scrollTop > 100")
    assert page.evaluate("scrollY") == 0, "the editor alone shows the task"
    for number, task in TASKS.items():
        page.click(f"#numbers a:nth-child({number})")
        page.wait_for_function(f"document.title.startsWith('Task {number}: ')")
        asked = page.inner_text("#text").partition("Write this:")[2]
        assert TASKS[number].stub.strip() in asked
        assert all(re.search(rf"\b{word}\b", asked) for word in task.checks)
        page.evaluate("document.querySelectorAll('#text details').forEach((d) => (d.open = true))")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert "purembts check" not in page.inner_text("#text")
        assert not re.search(r"\*\*|`|\]\(", page.evaluate(PLAIN))
