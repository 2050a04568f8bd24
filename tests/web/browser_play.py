"""The page of all games, used by mouse and by keyboard.

Strategies are another page's part: here people play all seats, but for one test.
"""

import re

import pytest

from facade.links import Link, start_of
from purembts.loading import GAMES
from watching import NIM, PERSONS, READY, answered, at_link, edited

TWO = "players=person,person"


def labels(page):
    """The names of the moves in the list."""
    return page.eval_on_selector_all("#moves li button", "all => all.map(b => b.dataset.label)")


def steps(page):
    """The names of the moves so far."""
    return page.eval_on_selector_all("#history li .label", "all => all.map(b => b.textContent)")[1:]


def unfold(page):
    """Show the list of moves and the field to type one, which a board makes unnecessary."""
    page.evaluate("document.querySelector('#moves details').open = true")


def made(page, count):
    """Wait until so many moves are made."""
    page.wait_for_function(
        "n => document.querySelectorAll('#history li').length === n + 1", arg=count
    )


def click_square(page, square):
    """Click the middle of a square such as `0,2`."""
    page.locator(f'#board [data-square="{square}"] > rect').first.click(force=True)


def board(page):
    """The position as text."""
    return page.text_content("#stage > details pre")


def sentence(page, text):
    """Wait until the page says `text` as a trouble."""
    page.wait_for_function(
        "text => document.querySelector('#trouble').textContent === text", arg=text
    )


def focus(page):
    """The place of the focus: its tag, the section, and its text."""
    return page.evaluate(
        """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
          const { tagName, textContent, id } = document.activeElement;
          resolve([tagName, id, textContent]);
        })))"""
    )


# The game


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
@pytest.mark.parametrize("game", GAMES)
def test_the_whole_board_and_the_turn_are_seen_without_scrolling(play, game, size):
    page = play(f"game={game}&seed=7", width=size[0])
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(100)
    low = "selector => document.querySelector(selector).getBoundingClientRect().bottom"
    assert page.evaluate(low, "#status") < page.evaluate(low, "#board svg") <= size[1]
    squares = page.evaluate(  # in one step, as a hint may draw the board anew at any time
        """() => [...document.querySelectorAll("#board svg, #board [data-square]")].map((each) => {
          const { right, width } = each.getBoundingClientRect();
          return [right, width];
        })"""
    )
    assert all(right <= size[0] + 1 and wide >= 23.99 for right, wide in squares)
    page.get_by_text("Rules, players and seed").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("width", [1280, 360])
def test_the_board_stays_where_it_is_when_the_turn_changes(play, width):
    page = play("game=tic-tac-toe&players=person,uct:300&seed=1", width=width)
    top = "document.querySelector('#board').getBoundingClientRect().top + scrollY"
    page.evaluate(
        f"""() => {{
          window.tops = new Set();
          const look = () => {{ window.tops.add({top}); requestAnimationFrame(look); }};
          look();
        }}"""
    )
    for n in (2, 4):
        click_square(page, {2: "1,1", 4: "0,0"}[n])
        made(page, n)
    assert len(page.evaluate("[...window.tops]")) == 1


@pytest.mark.parametrize(("game", "is_listed"), [("reversi", False), ("coins", True)])
def test_one_way_to_make_a_move_is_seen_first(play, game, is_listed):
    page = play(f"game={game}&{TWO}&seed=1")
    assert page.is_visible("#moves li button") == is_listed
    assert not page.is_visible("#moves form")
    page.locator("#moves summary").click()
    assert page.is_visible("#moves li button")
    assert page.is_visible("#moves form")


def test_nobody_is_asked_to_type_the_only_move(play):
    page = play("game=simple-shut-the-box&seed=7")
    page.get_by_text("The move as a button").click()
    assert labels(page) == ["shut 7"]
    assert not page.is_visible("#moves form")


def test_a_pass_that_is_the_only_move_is_made_with_a_word(play):
    moves = "b1,c1,d3,a1"
    page = play(f"game=reversi&rules=size%3D4&{TWO}&seed=1&moves={moves}")
    assert page.text_content("#status") == "Player 1 must pass."
    made(page, 5)
    assert steps(page)[-1] == "pass"
    assert page.text_content("#status") == "Player 2 is to move."


def test_the_button_back_of_the_browser_leads_to_the_move_before(play):
    page = play("game=tic-tac-toe&players=person,uct:50&seed=1")
    click_square(page, "1,1")
    made(page, 2)
    click_square(page, next(iter(free(page))))
    made(page, 4)
    before = steps(page)
    page.go_back()
    made(page, 2)
    assert steps(page) == before[:2]
    assert page.text_content("#status") == "Your turn."
    page.go_back()
    made(page, 0)
    page.go_forward()
    made(page, 2)


def free(page):
    """The squares of the moves on the board."""
    return page.eval_on_selector_all("#board .playable", "all => all.map(s => s.dataset.square)")


# Keyboard


def test_a_whole_game_of_shut_the_box_is_played_by_keyboard_with_an_undo(play):
    page = play("game=shut-the-box&seed=7")
    first = labels(page)
    page.keyboard.press("1")
    made(page, 1)
    page.keyboard.press("u")
    made(page, 0)
    assert labels(page) == first
    count = 0
    while labels(page):
        page.keyboard.press("1")
        count += 1
        made(page, count)
    assert steps(page)[0] == first[0]
    assert re.search("win|lose", page.text_content("#status"))
    assert page.text_content("#said").endswith(page.text_content("#status"))


def test_the_arrow_keys_find_squares_and_say_them_and_space_makes_the_move(play):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1")
    page.locator("#board > div").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert page.text_content("#said") == "b2: empty. Moves: b2."
    page.keyboard.press(" ")
    made(page, 1)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    made(page, 2)
    assert steps(page) == ["b2", "a2"]


def test_the_arrow_keys_go_through_the_list_of_moves(play):
    page = play(f"game=reversi&{TWO}&seed=1")
    unfold(page)
    page.locator("#moves li button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    made(page, 1)
    assert steps(page) == ["c4"]
    assert page.evaluate("document.activeElement.closest('#moves') !== null")


def test_number_keys_in_a_field_are_texts(play):
    page = play("game=shut-the-box&seed=7")
    unfold(page)
    page.get_by_label("Type a move").fill("2")
    page.get_by_label("Type a move").press("End")
    page.keyboard.type("+5")
    page.keyboard.press("Enter")
    made(page, 1)
    assert steps(page) == ["shut 2+5"]


def test_the_focus_is_never_lost(play):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1&moves=a1,a2,b1,b2")
    ways = {"Back": 3, "First": 0, "Forward": 1, "Last": 4, "Undo": 3}
    for name, at in ways.items():
        page.get_by_role("button", name=name, exact=True).focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#history li:nth-child({at + 1}) [aria-current]")
        assert focus(page)[0] == "BUTTON"
    for name, at, text in (("First", 0, "Start"), ("Last", 3, "3b1")):
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector(f"#history li:nth-child({at + 1}) [aria-current]")
        assert focus(page) == ["BUTTON", "", text]


def test_the_last_move_of_a_game_leads_to_the_result(play):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1&moves=a1,a2,b1,b2")
    unfold(page)
    page.locator("#moves button[data-label=c1]").focus()
    page.keyboard.press("Enter")
    made(page, 5)
    assert focus(page) == ["P", "status", "Player 1 wins."]
    assert page.is_hidden("#moves")


def test_single_keys_can_be_turned_off_and_mean_nothing_on_other_buttons(play):
    page = play(f"game=reversi&{TWO}&seed=1&moves=d3,c3,c4")
    page.get_by_role("button", name="New game").focus()
    page.keyboard.press("u")
    answered(page)
    page.keyboard.press("1")
    answered(page)
    assert steps(page) == ["d3", "c3", "c4"]
    unfold(page)
    page.get_by_label("Single keys").uncheck()
    page.reload()
    page.wait_for_selector(READY)
    page.keyboard.press("u")
    answered(page)
    unfold(page)
    page.get_by_label("Single keys").check()
    page.get_by_label("Single keys").blur()
    assert steps(page) == ["d3", "c3", "c4"]
    page.keyboard.press("u")
    made(page, 2)
    assert steps(page) == ["d3", "c3"]


# Mouse


def test_reversi_is_played_by_clicking_squares(play):
    page = play(f"game=reversi&{TWO}&seed=1")
    assert page.locator("#board .mark.open").count() == 4
    click_square(page, "0,0")
    assert page.text_content("#hint") == "No move changes this square."
    click_square(page, "2,3")
    made(page, 1)
    click_square(page, "2,2")
    made(page, 2)
    assert steps(page) == ["d3", "c3"]
    assert page.locator("[data-marked='2,2']").count() == 1


def test_clicks_choose_levers_until_one_move_is_meant(play):
    page = play("game=shut-the-box&seed=7")  # the roll is 7
    click_square(page, "0,1")
    fits = page.eval_on_selector_all("#moves .fits", "all => all.map(b => b.dataset.label)")
    assert fits == ["shut 1+2+4", "shut 2+5"]
    click_square(page, "0,1")
    click_square(page, "0,4")  # the square of one move, before its other square
    assert page.text_content("#hint") == "These moves fit: shut 2+5."
    assert (steps(page), page.locator("#board .mark.chosen").count()) == ([], 1)
    click_square(page, "0,1")
    made(page, 1)
    assert steps(page) == ["shut 2+5"]


def test_a_lever_that_does_not_fit_to_those_before_makes_its_move_at_a_second_click(play):
    page = play("game=shut-the-box&seed=7")
    click_square(page, "0,3")
    click_square(page, "0,6")
    answered(page)
    assert page.text_content("#hint") == "These moves fit: shut 7."
    assert (steps(page), page.locator("#board .mark.chosen").count()) == ([], 1)
    click_square(page, "0,6")
    made(page, 1)
    assert steps(page) == ["shut 7"]


# History and links


def test_back_and_forward_forget_no_move_before_another_one_is_made(play):
    page = play(f"game=reversi&{TWO}&seed=1&moves=d3,c3,c4")
    shown = [board(page)]
    for at in (2, 1):
        page.get_by_role("button", name="Back").click()
        page.wait_for_selector(f"#history li:nth-child({at + 1}) [aria-current]")
        shown.append(board(page))
    assert len({*shown}) == 3
    assert steps(page) == ["d3", "c3", "c4"]
    page.keyboard.press("f")
    page.wait_for_selector("#history li:nth-child(3) [aria-current]")
    page.get_by_role("button", name="Last").click()
    page.wait_for_selector("#history li:nth-child(4) [aria-current]")
    assert board(page) == shown[0]
    page.locator("#history li").nth(1).get_by_role("button").click()
    page.wait_for_selector("#history li:nth-child(2) [aria-current]")
    click_square(page, "2,4")
    made(page, 2)
    assert steps(page) == ["d3", "e3"]


def test_a_link_opens_the_same_position_in_a_new_page(play):
    page = play("game=shut-the-box&seed=11")
    for n in (1, 2):
        page.keyboard.press("1")
        made(page, n)
    other = play(page.evaluate("location.hash.slice(1)"))
    for place in ("#event", "#status", "#history ol"):
        assert other.text_content(place) == page.text_content(place)
    assert board(other) == board(page)
    assert labels(other) == labels(page)


def test_the_address_and_the_buttons_of_the_browser_open_games(play):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1&moves=a1")
    page.evaluate("location.hash = 'game=shut-the-box&seed=7'")
    page.wait_for_function("document.querySelector('#event').textContent.endsWith('Roll 7.')")
    page.go_back()
    made(page, 1)
    assert steps(page) == ["a1"]
    page.select_option("#game", "reversi")
    page.wait_for_function("document.title.startsWith('Reversi')")
    page.go_back()
    page.wait_for_function("document.title.startsWith('Tic-tac-toe')")
    assert steps(page) == ["a1"]


def test_a_wrong_link_says_so_and_a_game_can_be_played(play):
    page = play("game=reversi&seed=3&moves=d3,c3,h8")
    sentence(page, "Move 3 must be one of b3, c4, f5, e6; got 'h8'.")
    assert steps(page) == ["d3", "c3"]
    assert page.url.endswith("#game=reversi&seed=3&moves=d3,c3,h8")
    unfold(page)
    page.locator("#moves li button").first.click()
    page.wait_for_function("location.hash.includes('moves=d3,c3,b3')")
    assert page.text_content("#trouble") == ""


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ("game=%", "The game must be one of"),
        ("game=reversi&seed=99999999999999999999999999", "The seed must be a whole number from 0"),
    ],
)
def test_a_link_without_a_game_says_why_alone_and_keeps_its_address(open_page, link, text):
    page = open_page(f"play.html#{link}")
    page.wait_for_function("document.querySelector('#trouble').textContent")
    assert page.text_content("#trouble").startswith(text)
    assert page.url.endswith(f"#{link}")
    assert not page.is_visible("#stage")
    page.get_by_role("button", name="New game").click()
    page.wait_for_selector(READY)
    assert page.is_visible("#stage")


def test_a_link_without_a_seed_opens_a_new_game_each_time(play):
    seeds = {re.search("seed=([0-9]+)", play("game=shut-the-box").url)[1] for _ in range(3)}
    assert len(seeds) > 1


def test_the_link_of_an_earlier_position_can_be_copied_by_hand(play):
    page = play(f"game=reversi&{TWO}&seed=1&moves=d3,c3,c4")
    page.get_by_role("button", name="Back").click()
    page.evaluate("navigator.clipboard.writeText = () => Promise.reject(), 0")
    page.get_by_role("button", name="Copy the link to position 2").click()
    page.get_by_role("button", name="Copy it here").wait_for()
    assert page.input_value("#history input").endswith("moves=d3,c3")


def test_an_undo_has_its_own_place_in_the_history_of_the_browser(play):
    page = play(f"game=reversi&{TWO}&seed=1&moves=d3,c3")
    page.get_by_role("button", name="Undo").click()
    made(page, 1)
    page.go_back()
    made(page, 2)


def test_the_link_past_the_bar_leads_to_the_game_and_the_address_stays(play):
    page = play(f"game=reversi&{TWO}&seed=1&moves=d3")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert focus(page)[:2] == ["P", "status"]
    assert steps(page) == ["d3"]
    assert page.url.endswith("moves=d3")


# Setup


def test_rules_and_seed_are_fields_and_wrong_ones_are_refused_in_words(play):
    page = play(f"game=reversi&{TWO}&seed=1")
    assert not page.is_visible("#rules")
    page.get_by_text("How to play").click()
    assert "The player with more discs wins." in page.inner_text("#rules")
    page.get_by_text("Rules, players and seed").click()
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


def test_a_new_game_has_a_new_seed_and_the_same_players(play):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1&moves=a1")
    page.get_by_role("button", name="New game").click()
    made(page, 0)
    assert TWO in page.url
    assert "seed=1&" not in page.url


def test_a_seat_can_be_given_to_another_player_in_the_middle_of_a_game(play):
    page = play("game=tic-tac-toe&players=person,random&seed=1")
    page.get_by_text("Rules, players and seed").click()
    player = page.get_by_label("Player 2")
    player.select_option("person")
    page.wait_for_function("location.hash.includes('person,person')")
    player.select_option("uct")
    constant = page.locator("#setup .seat").nth(1).get_by_label("Constant")
    constant.fill("c = 0.5")
    constant.press("Tab")
    page.wait_for_function("location.hash.includes('person,uct:2000%2Cc%3D0.5')")
    assert constant.input_value() == "c=0.5"
    assert steps(page) == []


@pytest.mark.parametrize(("game", "is_offered"), [("tic-tac-toe", True), ("reversi", False)])
def test_perfect_play_is_offered_where_it_is_known_quickly(play, game, is_offered):
    page = play(f"game={game}&{TWO}&seed=1")
    page.get_by_text("Rules, players and seed").click()
    hidden = "document.querySelector('#setup option[value=perfect]').hidden"
    page.wait_for_selector("#setup .options[open] .seat")
    answered(page)
    assert page.evaluate(hidden) != is_offered


# A game of one's own


def test_code_of_a_link_takes_the_place_of_ones_own_only_when_it_is_played(play):
    page = play("game=shut-the-box&seed=7")
    page.evaluate("localStorage.setItem('purembts.own', 'mine = 1')")
    page.evaluate(
        "text => (location.hash = text)",
        at_link(game="own", players=PERSONS, source=NIM).partition("#")[2],
    )
    page.get_by_role("button", name="Run this code").click()
    page.wait_for_function("document.title.startsWith('Nim')")
    page.get_by_text("The code of your game").click()
    code = page.get_by_label("The code of your game")
    code.press("End")
    code.press("Space")
    kept = "localStorage.getItem('purembts.own')"
    assert page.evaluate(kept) == "mine = 1"
    page.get_by_role("button", name="Play this game").click()
    page.wait_for_function(f"{kept}.includes('Nim')")
    page.get_by_role("button", name="Undo: the code before").click()
    assert edited(page) == "mine = 1"
    page.get_by_role("button", name="Back to the example").click()
    page.locator(".editor").get_by_text("Pig, made short").wait_for()
    page.get_by_role("button", name="Undo: the code before").click()
    assert edited(page) == "mine = 1"


def test_the_code_of_a_link_goes_away_when_another_game_is_chosen(open_page):
    page = open_page(at_link(game="own", players=PERSONS, source=NIM))
    page.wait_for_selector("#gate:not([hidden])")
    assert page.text_content("h1") == "Play and watch a game"
    for place in ("#think", "#learn", "#costs", "#moves", "#stage"):
        assert not page.is_visible(place)
    page.get_by_role("button", name="New game").click()
    page.wait_for_selector(READY)
    assert page.is_hidden("#gate")
    assert page.is_visible("#stage")


def test_the_game_of_the_docs_is_played_and_kept(play):
    page = play("game=shut-the-box&seed=7")
    page.select_option("#game", "own")
    page.wait_for_function("document.title.startsWith('Pig to 10')")
    assert "pig_game = Game(" in edited(page)
    page.get_by_text("Rules, players and seed").click()
    page.get_by_label("Player 2").select_option("person")
    page.wait_for_function("location.hash.includes('person,person')")
    for n in (1, 2, 3):
        page.locator("#moves li button").first.click()
        made(page, n)
    for key in ("u", "Backspace"):  # in the editor, u takes no move back
        page.get_by_label("The code of your game").press(key)
    answered(page)
    made(page, 3)
    edited(page, edited(page).replace("Pig to 10", "My Pig"))
    page.get_by_role("button", name="Play this game").click()
    page.wait_for_function("document.title.startsWith('My Pig')")
    page.reload()  # the code is that of this browser, so nobody is asked
    page.wait_for_function("document.title.startsWith('My Pig')")
    assert "My Pig" in page.evaluate("localStorage.getItem('purembts.own')")


def test_a_game_of_three_functions_is_played(play):
    page = play(game="own", players=PERSONS, source=NIM)
    assert len(labels(page)) == 2
    page.keyboard.press("2")
    made(page, 1)
    page.keyboard.press("2")
    made(page, 2)
    assert page.text_content("#status") == "Player 2 wins."


LOOP = NIM.replace("lambda pile: pile % 2", "player").replace(
    "nim =", "def player(pile):\n    while pile < 2: pass\n    return pile % 2\n\n\nnim ="
)


def test_a_panel_that_hangs_can_be_stopped_and_the_move_is_made(play):
    page = play(game="own", players=PERSONS, source=LOOP)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector("#busy:not([hidden])")
    page.locator("#moves li button").first.click()
    page.get_by_role("button", name="Stop it").click()
    made(page, 1)
    page.wait_for_function(
        "document.querySelector('#learn').textContent.includes('Python was stopped')"
    )
    assert page.is_hidden("#busy")


def test_an_endless_loop_can_be_stopped(open_page):
    source = NIM.replace("def moves(pile, event):", "def moves(pile, event):\n    while pile: pass")
    page = open_page(at_link(game="own", players=PERSONS, source=source))
    page.get_by_role("button", name="Run this code").click()
    page.get_by_role("button", name="Stop it").click()
    sentence(page, "Python was stopped. Perhaps your code never ends.")
    page.get_by_text("The code of your game").click()
    page.get_by_role("button", name="Play this game").click()
    page.wait_for_selector("#busy:not([hidden])")  # the trouble before is over
    assert page.text_content("#trouble") == ""
    page.get_by_role("button", name="Stop it").click()
    page.select_option("#game", "tic-tac-toe")
    page.wait_for_selector(READY)
    assert labels(page)


def test_code_that_fails_has_a_link_to_its_line_and_no_other_game_under_it(play):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1")
    page.select_option("#game", "own")
    page.wait_for_function("document.title.startsWith('Pig to 10')")
    edited(page, "x = 1\n\nno_name\n")
    page.get_by_role("button", name="Play this game").click()
    sentence(page, "Line 3 of your code: NameError: name 'no_name' is not defined")
    for place in ("#stage", "#moves", "#history", ".options"):
        assert not page.is_visible(place)
    page.get_by_role("button", name="Line 3").click()
    page.keyboard.type("#")
    assert edited(page) == "x = 1\n\n#no_name\n"
    edited(page, NIM)
    page.keyboard.press("Control+Enter")
    page.wait_for_function("document.title.startsWith('Nim')")
    assert page.is_visible("#stage")
    assert page.text_content("#trouble") == ""


def test_code_of_a_link_that_fails_is_shown_with_its_line(open_page):
    page = open_page(at_link(game="own", players=PERSONS, source="x = 1\nx +"))
    page.get_by_role("button", name="Run this code").click()
    page.get_by_role("button", name="Line 2").click()
    assert edited(page) == "x = 1\nx +"
    assert page.text_content(".cm-line.wrong") == "x +"
    assert page.text_content("#trouble .source").split("\n")[0] == "    x +"
    assert page.evaluate("localStorage.getItem('purembts.own')") is None


def test_without_the_example_a_person_is_told_and_the_game_stays(play, troubles):
    page = play(f"game=tic-tac-toe&{TWO}&seed=1&moves=a1")
    page.context.set_offline(True)
    page.select_option("#game", "own")
    sentence(page, "The example must come from the site, and it does not. Are you offline?")
    page.wait_for_function("document.querySelector('#game').value === 'tic-tac-toe'")
    assert steps(page) == ["a1"]
    assert [each for each in troubles if "ERR_INTERNET_DISCONNECTED" not in each] == []
    troubles.clear()


def test_code_in_a_link_does_not_run_before_it_is_read(open_page):
    source = "raise ValueError('the code ran')"
    page = open_page(at_link(game="own", source=source))
    page.wait_for_selector("#gate:not([hidden])")
    assert page.text_content("#gate pre") == source
    assert "It cannot reach other hosts" in page.inner_text("#gate")
    assert page.text_content("#trouble") == ""
    page.get_by_role("button", name="Run this code").click()
    page.wait_for_function("document.querySelector('#trouble').textContent")
    assert page.text_content("#trouble") == "Line 1 of your code: ValueError: the code ran"


# Big Two


def test_big_two_shows_no_card_of_the_others(new_page, site):
    page = new_page()
    page.add_init_script(COLLECT)
    page.goto(f"{site}play.html#game=big-two&seed=7&players=person,uct:40,flat:40,uct:40")
    for _ in range(3):
        page.wait_for_function("document.querySelector('#status').textContent === 'Your turn.'")
        own = page.locator("#moves li button").first
        before = len(steps(page))
        own.click()
        page.wait_for_function(
            "n => document.querySelectorAll('#history li').length > n", arg=before
        )
    page.wait_for_function("document.querySelector('#status').textContent === 'Your turn.'")
    own = str(start_of(Link("big-two", seed=7)).hands[0]).split()
    played = [card for label in steps(page) for card in CARD.findall(label)]
    assert len(played) > 5
    assert {*page.evaluate("[...window.cards]")} == {*own, *played}
    assert "player 2 has" in page.text_content("#board")


def test_nobody_types_a_move_of_another_player(play):
    page = play("game=big-two&seed=7&players=person,uct:900000,uct:900000,uct:900000")
    assert page.text_content("#moves .waits") == "Player 3 thinks."
    unfold(page)
    field = page.get_by_label("Type a move")
    assert page.get_by_role("button", name="Make it").is_disabled()
    assert not field.is_editable()


def test_a_long_history_shows_its_last_move(play):
    page = play(f"game=coins&start=200&{TWO}&seed=1&moves={','.join(['take+1'] * 120)}")
    seen = """() => {
      const list = document.querySelector("#history ol").getBoundingClientRect();
      const now = document.querySelector("#history [aria-current]").getBoundingClientRect();
      return list.top <= now.top && now.bottom <= list.bottom;
    }"""
    assert page.evaluate(seen)


CARD = re.compile("(?:10|[2-9JQKA])[♣♦♥♠]")
COLLECT = """
window.cards = new Set();
new MutationObserver(() => {
  const text = document.documentElement.outerHTML.replace(/<[^>]*>/g, " ");
  for (const [card] of text.matchAll(/(?:10|[2-9JQKA])[♣♦♥♠]/g)) window.cards.add(card);
}).observe(document, { childList: true, subtree: true, characterData: true });
"""


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


# Narrow pages


def test_a_long_word_does_not_widen_the_page(play):
    shown = "start=4, display=Display(label=lambda before, after: 'x' * 300 + str(after))"
    source = NIM.replace("start=4", shown).replace("import Game", "import Display, Game")
    page = play(width=360, game="own", players=PERSONS, source=source)
    page.keyboard.press("1")
    made(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_room_of_a_board_is_free_for_the_next_game(play):
    page = play(f"game=gomoku&{TWO}&seed=1")
    page.select_option("#game", "coins")
    page.wait_for_function("document.title.startsWith('Last coin')")
    assert page.evaluate("document.querySelector('#board').offsetHeight") < 300
