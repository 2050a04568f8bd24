"""The page of all games, used by mouse and by keyboard; in most tests people play all seats."""

import re

from facade.links import Link, start_position
from watching import STILL, TWO, answered, labels, made, sentence, steps

CARD = re.compile("(?:10|[2-9JQKA])[♣♦♥♠]")
COLLECT = """
window.cards = new Set();
new MutationObserver(() => {
  const { outerHTML } = document.documentElement;
  const text = outerHTML.replace(/<br>|<!--[^]*?-->/g, "").replace(/<[^>]*>/g, " ");
  for (const [card] of text.matchAll(/(?:10|[2-9JQKA])[♣♦♥♠]/g)) window.cards.add(card);
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
"""A script before all others: it keeps each card that the page shows at any time."""
WATCH_PLACES = """() => {
  window.places = new Set();
  const look = () => {
    const { x, y, width, height } = document.querySelector("#board svg").getBoundingClientRect();
    window.places.add([x, y + scrollY, width, height].join());
    requestAnimationFrame(look);
  };
  look();
}"""
"""A watcher of the board: in `window.places` are all places that it has had."""
AT_ONCE = """(squares) => squares.map((square) => {
  const place = document.querySelector(`[data-square="${square}"]`);
  place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return place.querySelector(".disc, .shut") !== null;
})"""
"""Clicks on squares without a pause; for each of them, true if the board is changed at once."""
CONTROLS = ":is(a, button, select, input, summary, [tabindex='0']):enabled:visible"


def button(page, name):
    """The button with exactly this name."""
    return page.get_by_role("button", name=name, exact=True)


def unfold(page):
    """Show the rules, the settings, and the field to type a move."""
    page.get_by_text("Rules and more").click()


def click_square(page, square):
    """Click the middle of a square such as `0,2`."""
    page.locator(f'#board [data-square="{square}"] > rect').first.click(force=True)


def at(page, number):
    """Wait until the page shows the position after `number` moves."""
    page.wait_for_function(
        "n => [...document.querySelectorAll('#history li')]"
        ".findIndex((each) => each.querySelector('[aria-current]')) === n - 1",
        arg=number,
    )


def text(page):
    """The board as text, as a screen reader has it."""
    return page.text_content("#board pre")


def focus(page):
    """The place of the focus: its tag, its id and its text."""
    page.evaluate(STILL)
    facts = "(({ tagName, id, textContent: t }) => [tagName, id, t])(document.activeElement)"
    return page.evaluate(facts)


# A game


def test_reversi_is_played_by_clicks_and_gone_through_back_and_forth(play):
    page = play(f"game=reversi&{TWO}&seed=1")
    assert page.locator("#board .dot:visible").count() == 4
    assert not page.is_visible("#moves li button"), "the board is the way that is seen"
    click_square(page, "0,0")
    assert page.text_content("#hint") == "No move is possible here."
    for n, square in enumerate(("2,3", "2,2", "3,2"), 1):
        click_square(page, square)
        made(page, n)
    assert page.locator("#board .last").get_attribute("data-square") == "3,2"
    boards = [text(page)]
    for name, number in (("Back", 2), ("Back", 1), ("Forward", 2), ("Forward", 3)):
        button(page, name).focus()
        page.keyboard.press("Enter")
        at(page, number)
        assert focus(page)[0] == "BUTTON", "the focus is not lost"
        boards.append(text(page))
    assert boards[0] == boards[4] != boards[1] == boards[3] != boards[2]
    button(page, "Back").click()
    at(page, 2)
    unfold(page)
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject(), 0")
    button(page, "Copy the link of this position").click()
    button(page, "Copy it here").wait_for()
    assert page.get_by_label("Link").input_value().endswith("moves=d3,c3")
    assert steps(page) == ["d3", "c3", "c4"], "no move is forgotten before another one is made"
    page.locator("#history li").first.get_by_role("button").click()
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
    page.get_by_role("application").focus()
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
    assert page.locator("#board .won").count() == 1


def test_the_focus_stays_among_the_moves_while_a_strategy_replies(play):
    page = play("game=coins&seed=7&players=person,random")
    page.locator("#moves button").nth(1).focus()
    page.keyboard.press("Enter")
    made(page, 2)
    assert focus(page)[0] == "BUTTON"


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
    other = play(page.evaluate("location.hash.slice(1)"))
    for place in ("#event", "#status", "#history ol", "#board pre"):
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
        assert (steps(page), page.locator("#board .chosen").count()) == ([], 1)
    assert page.evaluate(AT_ONCE, ["0,6"]) == [True]
    made(page, 1)
    assert steps(page) == ["shut 7"]


def test_a_stone_is_there_at_the_click_and_a_click_that_comes_early_is_made_later(play):
    page = play(f"game=reversi&{TWO}&seed=1&moves=d3,c3,c4")
    page.evaluate(f"document.querySelector('#history button').click(); ({AT_ONCE})(['2,1'])")
    made(page, 3)
    page.wait_for_function("location.hash.endsWith('moves=d3,c3,b3')")
    assert page.evaluate(AT_ONCE, ["1,1"]) == [True]


def test_a_pass_that_is_the_only_move_is_made_with_a_word(play):
    page = play(f"game=reversi&rules=size%3D4&{TWO}&seed=1&moves=b1,c1,d3,a1")
    assert page.text_content("#status") == "Player 1 must pass."
    made(page, 5)
    assert steps(page)[-1] == "pass"
    assert page.text_content("#status") == "Player 2 is to move."


def test_the_board_stays_in_its_place_and_back_leads_to_ones_own_turn(play):
    page = play("game=tic-tac-toe&players=person,uct:300&seed=1", 360)
    page.evaluate(WATCH_PLACES)
    click_square(page, "1,1")
    made(page, 2)
    button(page, "1,000").click()
    page.wait_for_function("document.querySelectorAll('#board .heat').length === 7")
    assert page.locator("#board .heat.best").count() == 1
    assert page.locator("#board .legend").is_visible()
    scores = page.locator("#board .score").all_text_contents()
    assert all(re.fullmatch(r"[01]\.\d\d", score) for score in scores)
    click_square(page, "0,0")
    made(page, 4)
    assert len(page.evaluate("[...window.places]")) == 1
    before = steps(page)
    page.go_back()
    made(page, 2)
    assert (steps(page), page.text_content("#status")) == (before[:2], "Your turn.")


def test_few_controls_and_words_are_seen(play):
    page = play("game=reversi&seed=7")
    answered(page)
    assert page.locator(CONTROLS).count() <= 20
    away = "document.querySelectorAll('select, .hidden, .frame').forEach((each) => each.remove())"
    page.evaluate(away)
    assert len(page.inner_text("body").split()) <= 80


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
    page.wait_for_function("/moves=d3,c3,b3,./.test(location.hash)")  # with the reply
    assert page.text_content("#trouble") == ""
    page.evaluate("location.hash = 'game=%'")
    page.wait_for_function("document.querySelector('#trouble').textContent")
    assert page.text_content("#trouble").startswith("The game must be one of")
    assert page.url.endswith("#game=%")
    assert not page.is_visible("#board")
    button(page, "New game").click()
    page.wait_for_selector("#board", state="visible")


def test_rules_players_and_seed_are_fields_and_wrong_ones_are_refused_in_words(play):
    page = play("game=reversi&players=person,random&seed=1")
    page.get_by_label("Opponent").select_option("easy")
    page.wait_for_function("location.hash.includes('person,easy')")
    unfold(page)
    assert "The player with more discs wins." in page.inner_text("#rules")
    player = page.get_by_label("Player 2")
    assert "perfect play" not in player.inner_text(), "the game is too large"
    player.select_option("uct")
    dives = page.locator("#setup .seat").nth(1).get_by_label("Dives")
    dives.fill("90")
    dives.press("Tab")
    page.wait_for_function("location.hash.endsWith('person,uct:90')")
    player.select_option("person")
    page.wait_for_function("location.hash.includes('person,person')")
    size, seed = (page.locator("#setup").get_by_label(name) for name in ("size", "Seed"))
    for field, typed, trouble in (
        (size, "7", "`size` must be an even number; got 7."),
        (size, "6", ""),
        (seed, "-3", "The seed must be a whole number from 0 to 9007199254740991; got '-3'."),
        (seed, "42", ""),
    ):
        field.fill(typed)
        button(page, "Begin with this seed").click()
        sentence(page, trouble)
        if typed == "6":
            page.wait_for_function("document.querySelectorAll('[data-square]').length === 36")
            answered(page)
    page.wait_for_function("location.hash.includes('rules=size%3D6&seed=42')")


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


def test_a_long_history_shows_its_last_move(play):
    page = play(f"game=coins&start=200&{TWO}&moves={','.join(['take+1'] * 120)}")
    list_, now = (
        page.locator(f"#history {each}").bounding_box() for each in ("ol", "[aria-current]")
    )
    assert list_["y"] <= now["y"]
    assert now["y"] + now["height"] <= list_["y"] + list_["height"]


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
            "n => document.querySelectorAll('#history li').length > n", arg=before
        )
    page.wait_for_function(yours)
    own = str(start_position(Link("big-two", seed=7)).hands[0]).split()
    played = [card for label in steps(page) for card in CARD.findall(label)]
    assert len(played) > 5
    assert {*page.evaluate("[...window.cards]")} == {*own, *played}


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
