"""The workshop's tasks in the browser: to write a solution, to have it marked, and to keep it."""

import re
from pathlib import Path

import pytest

from purembts.course.mistakes import mistakes, right_solutions, source_of
from purembts.course.starter import task_texts
from purembts.course.tasks import TASKS
from watching import edited

RIGHT = Path(__file__).parents[1] / "laws" / "solutions" / "right"
WRONG = next(each for each in mistakes() if (each.task, each.status) == (7, "wrong"))
PLAIN = """() => {
  const text = document.querySelector("#text").cloneNode(true);
  text.querySelectorAll("code, pre").forEach((each) => each.remove());
  return text.textContent;
}"""
"""The text of a task without its code."""
EDITOR = "#editor .cm-content"
ENDLESS = """
def play_simple_game(box):
    while True:
        pass
"""


def has_focus(page):
    """True if the editor has the focus."""
    return page.evaluate("document.activeElement.matches('#editor .cm-content')")


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


def test_a_solution_is_written_and_marked_by_keyboard(tasks):
    tasks.keyboard.press("Tab")  # the link that leads to the editor
    tasks.keyboard.press("Enter")
    tasks.keyboard.press("Tab")
    assert tasks.evaluate("document.activeElement.id") == "mark"
    while not has_focus(tasks):
        tasks.keyboard.press("Tab")
    tasks.keyboard.press("Control+A")
    tasks.keyboard.type("def up():\nlevers = range(2, 10)\nreturn set(levers)")
    for _ in range(4):
        tasks.keyboard.press("Backspace") if edited(tasks).endswith("    ") else None
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


def test_tab_indents_and_after_escape_it_leaves(tasks):
    edited(tasks, "a\nb\n")
    tasks.focus(EDITOR)
    tasks.keyboard.press("Control+A")
    tasks.keyboard.press("Tab")
    assert edited(tasks) == "    a\n    b\n"
    tasks.keyboard.press("Control+Z")
    assert edited(tasks) == "a\nb\n"
    tasks.keyboard.press("Control+Y")
    assert edited(tasks) == "    a\n    b\n"
    tasks.keyboard.press("Shift+Tab")
    assert edited(tasks) == "a\nb\n"
    tasks.keyboard.press("Escape")
    tasks.keyboard.press("Tab")
    assert not has_focus(tasks)
    assert edited(tasks) == "a\nb\n"
    tasks.focus(EDITOR)
    tasks.keyboard.press("Escape")
    tasks.keyboard.press("Shift+Tab")
    assert not has_focus(tasks)


def test_the_task_the_text_and_its_marks_are_there_again(tasks):
    source = "simple_start = {1}\n# mine\n"
    assert marked(tasks, source, 5)[0] == "wrong"
    tasks.focus(EDITOR)
    tasks.keyboard.press("Control+End")
    tasks.keyboard.type("# more")
    tasks.click("#numbers a:nth-child(8)")
    tasks.wait_for_function("document.title.startsWith('Task 8: ')")
    tasks.goto("about:blank")
    tasks.goto("/tasks.html")
    tasks.wait_for_function("document.title.startsWith('Task 8: ')")
    tasks.wait_for_selector("#list li")
    assert edited(tasks) == source + "# more"
    assert marks(tasks)[5][0] == "wrong"
    assert tasks.is_visible("#old")


def test_a_wrong_solution_sees_its_reason(tasks):
    status, why = marked(tasks, source_of(WRONG), 7)
    assert status == "wrong"
    assert WRONG.message.replace("`", "") in why


def test_all_tasks_of_a_right_solution_are_right(tasks):
    edited(tasks, right_solutions()["plain"] + (RIGHT / "clojure_port.py").read_text("utf-8"))
    tasks.click("#mark-all")
    tasks.wait_for_function("document.querySelectorAll('#list li').length === 13", timeout=180_000)
    is_done(tasks)
    assert {task: status for task, (status, _) in marks(tasks).items()} == dict.fromkeys(
        range(1, 14), "right"
    )
    assert "right: 13 of 13" in tasks.inner_text("#lines")


def test_an_endless_loop_is_stopped_by_a_button(tasks):
    tasks.evaluate("location.hash = '#task=6'")
    edited(tasks, ENDLESS)
    tasks.focus("#mark:text('Mark task 6')")
    tasks.keyboard.press("Enter")
    tasks.wait_for_function("document.querySelector('#busy').textContent.includes('Task 6')")
    tasks.keyboard.press("Tab")
    tasks.keyboard.press("Tab")
    tasks.keyboard.press("Enter")
    is_done(tasks)
    assert tasks.evaluate("document.activeElement.id") == "mark"
    assert edited(tasks) == ENDLESS
    assert marked(tasks, "simple_start = set(range(2, 10))", 5)[0] == "right"


def test_a_loop_inside_python_ends_and_the_next_task_is_marked(tasks):
    source = "simple_start = set(range(2, 10))\n"
    source += "def simple_moves(box, roll):\n    return sum(iter(int, 1))\n"
    edited(tasks, source)
    tasks.click("#mark-all")
    tasks.wait_for_function("document.querySelectorAll('#list li').length === 13")
    is_done(tasks)
    found = marks(tasks)
    assert found[4] == ("wrong", "It was not done after 20 seconds. Perhaps it never ends.")
    assert found[5][0] == "right"


def test_a_file_that_cannot_be_loaded_shows_its_line_with_a_caret(tasks):
    edited(tasks, "# mine\ndef (:\n")
    tasks.click("#mark")
    tasks.wait_for_selector("#trouble:not(:empty)")
    assert "mine.py cannot be loaded, because of line 2: SyntaxError" in tasks.inner_text(
        "#trouble"
    )
    assert tasks.text_content("#trouble .source") == "    def (:\n        ^"
    assert tasks.text_content(".cm-line.wrong .tok-keyword") == "def"
    tasks.click("#trouble .place")
    tasks.keyboard.type("#")
    assert edited(tasks) == "# mine\n#def (:\n"
    assert tasks.locator(".cm-line.wrong").count() == 0


def test_the_solution_of_the_text_is_marked_right_without_my(open_page):
    page = open_page("tasks.html#task=1")
    part = page.locator("#text :not([hidden]) > details", has_text="One way to write it")
    part.locator("summary").click()
    assert "leave out my_" in part.locator(".note").inner_text()
    lines = part.locator("pre").inner_text().splitlines()
    code = "\n".join(line[4:] for line in lines if line.startswith((">>> def", "... ")))
    assert "my_throw_dart" in code
    assert marked(page, code.replace("my_", ""), 1)[0] == "right"


@pytest.mark.parametrize(
    "kept", ['{"marks":null}', '{"run":[99],"marks":{}}', '{"source":7,"task":"x"}', "[1", "3"]
)
def test_what_was_kept_in_another_form_is_left_out(new_page, kept):
    page = new_page()
    page.add_init_script(f"localStorage.setItem('purembts.tasks', {kept!r})")
    page.goto("tasks.html")
    page.wait_for_selector("#numbers a[aria-current]")
    assert page.inner_text("#trouble") == ""
    assert "# Task 13: " in edited(page)


def test_to_start_again_asks_first_and_can_be_undone(tasks):
    first = edited(tasks)
    assert "# Task 13: " in first
    edited(tasks, "mine = 1\n")
    tasks.click("#reset")
    tasks.click("#ask button:text('Keep')")
    assert edited(tasks) == "mine = 1\n"
    tasks.click("#reset")
    tasks.click("#ask button:text('Start again')")
    tasks.wait_for_selector("#undo:visible")
    assert edited(tasks) == first
    tasks.reload()
    tasks.wait_for_selector("#numbers a[aria-current]")
    tasks.click("#undo")
    assert edited(tasks) == "mine = 1\n"
    assert tasks.is_hidden("#undo")


def test_a_file_is_opened_and_downloaded(tasks, tmp_path):
    file = tmp_path / "other.py"
    file.write_text("words = 7\n")
    tasks.set_input_files("#file", str(file))
    tasks.wait_for_selector("#undo:visible")
    with tasks.expect_download() as found:
        tasks.click("#download")
    assert found.value.suggested_filename == "mine.py"
    assert Path(found.value.path()).read_text() == "words = 7\n"


def test_a_line_is_tried_after_the_file(tasks):
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


def test_an_endless_line_is_stopped_by_a_button(tasks):
    tasks.fill("#line", "while True: pass")
    tasks.keyboard.press("Enter")
    tasks.click("#mark")
    assert "Wait for it, or stop it." in tasks.inner_text("#trouble")
    tasks.click("#end")
    tasks.wait_for_selector("#end", state="hidden")
    assert "Python was stopped." in tasks.inner_text("#log")
    tasks.click("#mark")
    tasks.wait_for_selector("#stop", state="visible")
    is_done(tasks)
    assert "must define a word of task 5" in tasks.inner_text("#trouble")


def test_every_task_has_a_text_with_the_names_to_write_and_the_page_stays_narrow(open_page):
    page = open_page("tasks.html", width=360, dark=True)
    page.wait_for_selector("#numbers a[aria-current]")
    for number, task in TASKS.items():
        page.click(f"#numbers a:nth-child({number})")
        page.wait_for_function(f"document.title.startsWith('Task {number}: ')")
        text = page.inner_text("#text")
        asked = text.partition("Write this:")[2]
        assert task_texts()[number].stub.strip() in asked
        assert all(re.search(rf"\b{word}\b", asked) for word in task.checks)
        for part in page.query_selector_all("#text :not([hidden]) > details > summary"):
            part.click()
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert "purembts check" not in page.inner_text("#text")
        assert not re.search(r"\*\*|`|\]\(", page.evaluate(PLAIN))


def test_the_editor_shows_the_task_and_the_page_stays_at_its_top(open_page):
    page = open_page("tasks.html#task=9", width=360)
    page.wait_for_function("document.querySelector('.cm-scroller')?.scrollTop > 100")
    assert page.evaluate("scrollY") == 0
    page.locator(".editor").scroll_into_view_if_needed()
    head = page.get_by_text("# Task 9: ")
    head.wait_for()
    scroller = page.locator(".cm-scroller").bounding_box()
    assert abs(head.bounding_box()["y"] - scroller["y"]) < scroller["height"] / 2


def test_marking_can_be_stopped_while_python_starts(tasks):
    tasks.click("#mark")
    tasks.click("#stop")
    is_done(tasks)
    assert tasks.inner_text("#trouble") == ""
    assert marked(tasks, "simple_start = set(range(2, 10))", 5)[0] == "right"
