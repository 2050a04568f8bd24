"""A game of one's own: written, played, kept, saved and opened as a file, and stopped."""

from pathlib import Path

from watching import NIM, TWO, edited, made, sentence, steps

LOOP = NIM.replace("def moves(pile, event):", "def moves(pile, event):\n    while pile: pass")
KEPT = "localStorage.getItem('purembts.own')"


def titled(page, name):
    """Wait until the page shows the game with this name."""
    page.wait_for_function("name => document.title === `${name}: purembts`", arg=name)


def test_a_game_is_written_played_kept_saved_and_opened(play, tmp_path):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1")
    page.select_option("#game", "own")
    titled(page, "Pig to 10")
    assert "source" not in page.url
    page.locator("#moves li button").first.click()
    page.wait_for_function("location.hash.includes('moves=')")
    edited(page, "x = 1\n\nno_name\n")
    page.get_by_role("button", name="Play this game").click()
    sentence(page, "Line 3 of your code: NameError: name 'no_name' is not defined")
    for place in ("#board", "#search", "#history", "#more"):
        assert not page.is_visible(place), "no other game under the error"
    page.get_by_role("button", name="Line 3").click()
    page.keyboard.type("#")
    assert edited(page) == "x = 1\n\n#no_name\n"
    file = tmp_path / "nim.py"
    file.write_text(NIM)
    page.set_input_files("#own input[type=file]", file)
    page.get_by_text("nim.py has taken the place of your text.").first.wait_for()
    page.get_by_label("The code of your game").press("Control+Enter")
    titled(page, "Nim")
    page.keyboard.press("u")  # in the editor, it takes no move back
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    assert saved.value.suggested_filename == "game.py"
    assert Path(saved.value.path()).read_text() == f"u{NIM}" == page.evaluate(KEPT)
    page.get_by_role("button", name="Undo: the text before").click()
    assert edited(page) == "x = 1\n\n#no_name\n"
    page.get_by_role("button", name="Back to the example").click()
    assert "pig_game = Game(" in edited(page)
    page.reload()  # the code is that of this browser
    titled(page, "Pig to 10")


def test_a_wrong_line_is_marked_and_an_endless_loop_can_be_stopped(open_page):
    page = open_page("play.html#game=own", own="x = 1\nx +")
    page.get_by_role("button", name="Line 2").click()
    assert page.text_content(".cm-line.wrong") == "x +"
    assert page.text_content("#trouble .source").split("\n")[0] == "    x +"
    edited(page, LOOP)
    page.get_by_role("button", name="Play this game").click()
    page.locator("#own").get_by_role("button", name="Stop").click()
    sentence(page, "Python was stopped. Perhaps your code never ends.")
    page.select_option("#game", "tic-tac-toe")
    titled(page, "Tic-tac-toe")
    assert page.locator("#board .playable").count() == 9


def test_a_long_word_does_not_widen_the_page(play):
    shown = "start=4, display=Display(label=lambda before, after: 'x' * 300 + str(after))"
    source = NIM.replace("start=4", shown).replace("import Game", "import Display, Game")
    page = play(f"game=own&{TWO}", 360, own=source)
    page.keyboard.press("1")
    made(page, 1)
    assert len(steps(page)[0]) == 301
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
