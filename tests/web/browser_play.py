"""The page of all games, used by mouse and by keyboard; in most tests people play all seats."""

import re

import pytest

from facade.links import Link, start_position
from watching import STILL, TWO, answered, labels, made, sentence, steps

CARD = re.compile("(?:10|[2-9JQKA])[♣♦♥♠]")
COLLECT = """
window.cards = new Set();
new MutationObserver(() => {
  const text = document.documentElement.outerHTML.replace(/<[^>]*>/g, " ");
  for (const [card] of text.matchAll(/(?:10|[2-9JQKA])[♣♦♥♠]/g)) window.cards.add(card);
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
"""A script before all others: it keeps each card that the page shows at any time."""
WATCH_TOP = """() => {
  window.tops = new Set();
  const look = () => {
    window.tops.add(document.querySelector("#board").getBoundingClientRect().top + scrollY);
    requestAnimationFrame(look);
  };
  look();
}"""
"""A watcher of the place of the board: in `window.tops` are all that it has had."""


def button(page, name):
    """The button with exactly this name."""
    return page.get_by_role("button", name=name, exact=True)


def unfold(page):
    """Show the list of moves and the field to type one, which a board makes unnecessary."""
    page.evaluate("document.querySelector('#moves details').open = true")


def click_square(page, square):
    """Click the middle of a square such as `0,2`."""
    page.locator(f'#board [data-square="{square}"] > rect').first.click(force=True)


def at(page, number):
    """Wait until the page shows the position after `number` moves."""
    page.wait_for_selector(f"#history li:nth-child({number + 1}) [aria-current]")


def focus(page):
    """The place of the focus: its tag, its id and its text."""
    page.evaluate(STILL)
    return page.evaluate(
        "(({ tagName, id, textContent: t }) => [tagName, id, t])(document.activeElement)"
    )


# A game


def test_reversi_is_played_by_clicks_and_gone_through_back_and_forth(play):
    page = play(f"game=reversi&{TWO}&seed=1")
    assert page.locator("#board .mark.open").count() == 4
    assert not page.is_visible("#moves li button"), "the board is the way that is seen"
    click_square(page, "0,0")
    assert page.text_content("#hint") == "No move changes this square."
    for n, square in enumerate(("2,3", "2,2", "3,2"), 1):
        click_square(page, square)
        made(page, n)
    assert page.locator("[data-marked='3,2']").count() == 1
    boards = [page.text_content("#stage > details pre")]
    for name, number in (("Back", 2), ("First", 0), ("Forward", 1), ("Last", 3)):
        button(page, name).focus()
        page.keyboard.press("Enter")
        at(page, number)
        assert focus(page)[0] == "BUTTON", "the focus is not lost"
        boards.append(page.text_content("#stage > details pre"))
    assert len({*boards[:4]}) == 4
    assert boards[4] == boards[0]
    button(page, "Back").click()
    at(page, 2)
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject(), 0")
    page.get_by_role("button", name="Copy the link to position 2").click()
    button(page, "Copy it here").wait_for()
    assert page.input_value("#history input").endswith("moves=d3,c3")
    assert steps(page) == ["d3", "c3", "c4"], "no move is forgotten before another one is made"
    page.locator("#history li").nth(1).get_by_role("button").click()
    at(page, 1)
    click_square(page, "2,4")
    made(page, 2)
    assert steps(page) == ["d3", "e3"]
    button(page, "Undo").click()
    made(page, 1)
    page.go_back()
    made(page, 2)


def test_tic_tac_toe_is_played_by_keyboard_up_to_the_result(play):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1&moves=a1,a2,b1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert focus(page)[:2] == ["P", "status"], "the link past the bar leads to the game"
    assert page.url.endswith("moves=a1,a2,b1")
    page.locator("#board > div").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.text_content("#said") == "b2: empty. Moves: b2."
    page.keyboard.press(" ")
    made(page, 4)
    unfold(page)
    page.locator("#moves li button").first.focus()
    page.keyboard.press("Enter")
    made(page, 5)
    assert (steps(page), focus(page)) == (
        ["a1", "a2", "b1", "b2", "c1"],
        ["P", "status", "Player 1 wins."],
    )
    assert page.is_hidden("#moves")


def test_a_whole_game_of_shut_the_box_by_keys_with_an_undo_and_its_link(play):
    page = play("game=shut-the-box&seed=7")
    first, count = labels(page), 0
    unfold(page)
    page.get_by_label("Type a move").fill("2")
    page.keyboard.type("+5")  # number keys in a field are a text
    page.keyboard.press("Enter")
    made(page, 1)
    assert steps(page) == ["shut 2+5"]
    page.get_by_label("Type a move").blur()
    page.keyboard.press("u")
    made(page, 0)
    assert labels(page) == first
    page.get_by_label("Single keys").uncheck()
    page.get_by_label("Single keys").blur()
    page.keyboard.press("1")
    answered(page)
    assert steps(page) == []
    page.get_by_label("Single keys").check()
    page.get_by_label("Single keys").blur()
    while labels(page):
        page.keyboard.press("1")
        count += 1
        made(page, count)
    assert re.search("win|lose", page.text_content("#status"))
    assert page.text_content("#said").endswith(page.text_content("#status"))
    assert page.is_hidden("#think"), "no empty panel is left at the end"
    other = play(page.evaluate("location.hash.slice(1)"))
    for place in ("#event", "#status", "#history ol", "#stage > details pre"):
        assert other.text_content(place) == page.text_content(place)


def test_clicks_choose_levers_until_one_move_is_meant(play):
    page = play("game=shut-the-box&seed=7")  # the roll is 7
    click_square(page, "0,1")
    fits = page.eval_on_selector_all("#moves .fits", "all => all.map(b => b.dataset.label)")
    assert fits == ["shut 1+2+4", "shut 2+5"]
    for before, square, move in (("0,1", "0,4", "shut 2+5"), ("0,3", "0,6", "shut 7")):
        click_square(page, before)
        click_square(page, square)  # it does not fit to those before, and begins a new choice
        answered(page)
        assert page.text_content("#hint") == f"These moves fit: {move}."
        assert (steps(page), page.locator("#board .mark.chosen").count()) == ([], 1)
    click_square(page, "0,6")
    made(page, 1)
    assert steps(page) == ["shut 7"]


def test_a_pass_that_is_the_only_move_is_made_with_a_word(play):
    page = play(f"game=reversi&rules=size%3D4&{TWO}&seed=1&moves=b1,c1,d3,a1")
    assert page.text_content("#status") == "Player 1 must pass."
    made(page, 5)
    assert steps(page)[-1] == "pass"
    assert page.text_content("#status") == "Player 2 is to move."


def test_against_a_strategy_the_board_stays_in_its_place_and_back_leads_to_ones_own_turn(play):
    page = play("game=tic-tac-toe&players=person,uct:300&seed=1", 360)
    page.evaluate(WATCH_TOP)
    for n, square in ((2, "1,1"), (4, "0,0")):
        click_square(page, square)
        made(page, n)
    assert len(page.evaluate("[...window.tops]")) == 1
    before = steps(page)
    page.go_back()
    made(page, 2)
    assert (steps(page), page.text_content("#status")) == (before[:2], "Your turn.")


# Links and settings


def test_the_address_and_the_buttons_of_the_browser_open_games(play):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1&moves=a1")
    page.evaluate("location.hash = 'game=shut-the-box&seed=7'")
    page.wait_for_function("document.querySelector('#event').textContent.endsWith('Roll 7.')")
    page.go_back()
    made(page, 1)
    page.select_option("#game", "reversi")
    page.wait_for_function("document.title.startsWith('Reversi')")
    page.go_back()
    page.wait_for_function("document.title.startsWith('Tic-tac-toe')")
    button(page, "New game").click()
    made(page, 0)
    assert TWO in page.url
    assert not page.url.endswith("seed=1")


def test_a_wrong_link_says_so_and_a_game_can_be_played(play):
    page = play("game=reversi&seed=3&moves=d3,c3,h8")
    sentence(page, "Move 3 must be one of b3, c4, f5, e6; got 'h8'.")
    assert steps(page) == ["d3", "c3"]
    assert page.url.endswith("#game=reversi&seed=3&moves=d3,c3,h8")
    click_square(page, "2,1")
    page.wait_for_function("location.hash.includes('moves=d3,c3,b3')")
    assert page.text_content("#trouble") == ""
    page.evaluate("location.hash = 'game=%'")
    page.wait_for_function("document.querySelector('#trouble').textContent")
    assert page.text_content("#trouble").startswith("The game must be one of")
    assert page.url.endswith("#game=%")
    assert not page.is_visible("#stage")
    button(page, "New game").click()
    page.wait_for_selector("#stage", state="visible")


def test_rules_players_and_seed_are_fields_and_wrong_ones_are_refused_in_words(play):
    page = play("game=reversi&players=person,random&seed=1")
    page.get_by_text("How to play").click()
    assert "The player with more discs wins." in page.inner_text("#rules")
    page.get_by_text("Rules, players and seed").click()
    player = page.get_by_label("Player 2")
    player.select_option("uct")
    dives = page.locator("#setup .seat").nth(1).get_by_label("Dives")
    dives.fill("90")
    dives.press("Tab")
    page.wait_for_function("location.hash.endsWith('person,uct:90')")
    player.select_option("person")
    page.wait_for_function("location.hash.includes('person,person')")
    size, seed = (page.locator("#setup").get_by_label(name) for name in ("size", "Seed"))
    for field, text, trouble in (
        (size, "7", "`size` must be an even number; got 7."),
        (size, "6", ""),
        (seed, "-3", "The seed must be a whole number from 0 to 9007199254740991; got '-3'."),
        (seed, "42", ""),
    ):
        field.fill(text)
        page.get_by_role("button", name="Begin with this seed").click()
        sentence(page, trouble)
        if text == "6":
            page.wait_for_function("document.querySelectorAll('[data-square]').length === 36")
            answered(page)
    page.wait_for_function("location.hash.includes('rules=size%3D6&seed=42')")


@pytest.mark.parametrize(("game", "is_offered"), [("tic-tac-toe", True), ("reversi", False)])
def test_perfect_play_is_offered_where_it_is_known_quickly(play, game, is_offered):
    page = play(f"game={game}&{TWO}&seed=1")
    page.get_by_text("Rules, players and seed").click()
    page.wait_for_selector("#setup .options[open] .seat")
    answered(page)
    assert (
        page.evaluate("document.querySelector('#setup option[value=perfect]').hidden") != is_offered
    )


def test_a_typed_move_that_there_is_not_is_told_on_a_phone_until_the_next_answer(play):
    page = play(f"game=reversi&seed=7&{TWO}", 360)
    unfold(page)
    field = page.get_by_label("Type a move")
    field.fill("z9")
    field.press("Enter")
    page.wait_for_function("document.querySelector('#trouble').textContent.includes('z9')")
    place = page.locator("#trouble").bounding_box()
    assert 0 <= place["y"] <= 740 - place["height"]
    field.fill("")
    field.press("Enter")
    sentence(page, "")


def test_a_long_history_shows_its_last_move_and_the_room_of_a_board_is_free_afterwards(play):
    page = play(f"game=gomoku&{TWO}&seed=1")
    page.select_option("#game", "coins")
    page.wait_for_function("document.title.startsWith('Last coin')")
    assert page.evaluate("document.querySelector('#board').offsetHeight") < 300
    page.evaluate("link => (location.hash = link)", f"game=coins&start=200&{TWO}&moves={LONG}")
    made(page, 120)
    list_, now = (
        page.locator(f"#history {each}").bounding_box() for each in ("ol", "[aria-current]")
    )
    assert list_["y"] <= now["y"]
    assert now["y"] + now["height"] <= list_["y"] + list_["height"]


LONG = ",".join(["take+1"] * 120)


# Big Two


def test_big_two_shows_no_card_of_the_others(new_page):
    page = new_page()
    page.add_init_script(COLLECT)
    page.goto("play.html#game=big-two&seed=7&players=person,uct:40,flat:40,uct:40")
    yours = "document.querySelector('#status').textContent === 'Your turn.'"
    for _ in range(3):
        page.wait_for_function(yours)
        before = len(steps(page))
        page.locator("#moves li button").first.click()
        page.wait_for_function(
            "n => document.querySelectorAll('#history li').length > n + 1", arg=before
        )
    page.wait_for_function(yours)
    own = str(start_position(Link("big-two", seed=7)).hands[0]).split()
    played = [card for label in steps(page) for card in CARD.findall(label)]
    assert len(played) > 5
    assert {*page.evaluate("[...window.cards]")} == {*own, *played}
    page.get_by_text("Big Two hides information").wait_for()
    assert not page.locator("#learn").get_by_role("button", name="Run").is_visible()


def test_two_people_do_not_see_the_cards_of_each_other(play):
    page = play("game=big-two&seed=7&players=person,person,person,person")
    assert "Player 3 is next" in page.text_content("dialog[open]")
    page.keyboard.press("1")  # does nothing while the page is covered
    page.keyboard.press("Escape")
    assert steps(page) == []
    page.evaluate(  # a key at once after the cover makes its move
        """() => {
          document.querySelector("dialog[open] button").focus();
          document.activeElement.click();
          const press = new KeyboardEvent("keydown", { key: "1", bubbles: true });
          document.activeElement.dispatchEvent(press);
        }"""
    )
    made(page, 1)
    assert "Player 4 is next" in page.text_content("dialog[open]")


def test_nobody_types_a_move_of_another_player(play):
    page = play("game=big-two&seed=7&players=person,uct:900000,uct:900000,uct:900000")
    assert page.text_content("#moves .waits") == "Player 3 thinks."
    unfold(page)
    assert page.get_by_role("button", name="Make it").is_disabled()
    assert not page.get_by_label("Type a move").is_editable()
    button(page, "Stop").click()
    page.locator("#moves").get_by_text("Player 3 is to move.").wait_for()
