"""The panel in which a search grows, and the graph of a game, as a person sees them."""

import re
from time import monotonic

import pytest

from facade.searching import choice_costs, visitor_trees
from watching import QUIET, TWO, made, steps

WATCH = """
window.told = [];
window.long = [];
window.Worker = class extends Worker {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => window.told.push(data.step));
  }
};
const seen = (list) => window.long.push(...list.getEntries().map((task) => task.duration));
new PerformanceObserver(seen).observe({ type: "longtask" });
"""
"""A script before all others: it keeps the states that come, and the milliseconds of long tasks."""
TORN = """() => {
  window.torn = [];
  window.seen = new Set();
  const panel = document.querySelector("#search");
  new MutationObserver(() => {
    const said = panel.querySelector(".bloom").getAttribute("aria-label");
    const nodes = panel.querySelectorAll(".branch").length + 1;
    const most = Number(panel.querySelector("td + td")?.textContent.replace(",", "") ?? 0);
    const fits = (state) => state?.said === said && nodes === Math.max(1, state.tree.length)
      && panel.querySelector(".said").textContent.startsWith(said)
      && Math.max(...state.rows.map((row) => row.visits)) === most;
    if (!window.told.some(fits)) window.torn.push([said, nodes, most]);
    window.seen.add(said);
  }).observe(panel, { subtree: true, childList: true, characterData: true, attributes: true });
}"""
"""A watcher of the panel: it keeps what is shown that is of no single state."""
PHASES = """() => {
  window.phases = {};
  new MutationObserver(() => {
    const film = document.querySelector("#search .film")?.classList[1];
    const name = document.querySelector("#search [aria-current=step]")?.textContent;
    const board = document.querySelector("#board svg").innerHTML;
    if (film && film === name) (window.phases[film] ??= new Set()).add(board);
  }).observe(document.querySelector("main"), { subtree: true, childList: true, attributes: true });
}"""
"""A watcher of a film: it keeps its phases in their order, each with its boards."""
BESIDE = "[...document.querySelectorAll('#moves .beside')].map((each) => each.textContent)"


def press(page, name):
    """Press a button of the panel."""
    page.locator("#search").get_by_role("button", name=name, exact=True).click()


def said(page, text):
    """Wait for a sentence of the panel."""
    page.locator("#search .said", has_text=re.compile(text)).wait_for()


def rested(page):
    """Wait until nothing grows, and nothing is shown by itself."""
    page.locator("#search progress:not([data-runs])").wait_for(state="attached")


def heat(page, count):
    """Wait until so many squares of the board show what is believed of them."""
    page.wait_for_function("n => document.querySelectorAll('#board .heat').length === n", arg=count)


def move(page):
    """Make the first move of the list, which may be folded."""
    page.locator("button[data-label]").first.dispatch_event("click")


# A strategy


def test_two_strategies_play_on_to_the_end(play):
    page = play("game=tic-tac-toe&seed=3&players=uct:100,uct:100")
    press(page, "Play on")
    page.wait_for_function("document.querySelector('#status').textContent.match(/wins|draw/)")
    assert len(steps(page)) >= 5


def test_thinking_is_drawn_and_can_be_stopped_and_is_not_about_an_earlier_position(play):
    page = play("game=reversi&seed=1&players=uct:3000,person", 360)
    page.wait_for_selector("#search .branch", state="attached")
    heat(page, 4)
    press(page, "Stop")
    heat(page, 0)
    assert steps(page) == []
    press(page, "Think")
    made(page, 1)
    said(page, "dives")
    heat(page, 0)  # nobody has asked for a hint
    page.keyboard.press("b")
    page.locator("#search").get_by_role("button", name="1 dive", exact=True).wait_for()
    rested(page)
    assert len(steps(page)) == 1


# A visitor


def test_each_state_is_shown_whole_while_the_tree_grows(new_page):
    page = new_page()
    page.add_init_script(WATCH)
    page.goto("play.html#game=tic-tac-toe&seed=3")
    said(page, "No dives from here yet")
    page.evaluate(TORN)
    press(page, "1,000")
    press(page, "1,000")  # a press while it runs adds
    said(page, "After 2,000 dives")
    rested(page)
    assert page.evaluate("window.torn") == []
    assert page.evaluate("window.seen.size") > 3
    assert page.locator("#search .curve").is_visible()


def test_hints_come_at_each_turn_of_a_person_until_they_are_hidden(play):
    page = play("game=tic-tac-toe&seed=5&players=person,uct:50")
    heat(page, 0)
    page.get_by_label("Hints").check()
    for squares in (9, 7):
        said(page, "After 10,000 dives")
        heat(page, squares)
        move(page)
        made(page, 11 - squares)
    heat(page, 5)
    page.get_by_label("Hints").uncheck()
    heat(page, 0)


def test_exact_values_stand_beside_the_moves_of_a_game_for_one_person(play):
    link = {"game": "shut-the-box", "seed": 7, "moves": ["shut 1+2+4"]}
    page = play("game=shut-the-box&seed=7&moves=shut+1%2B2%2B4")
    *_, state = visitor_trees(link, exact=True)
    expected = [row["exact"] for row in state["rows"]]
    page.wait_for_function(f"(texts) => `${{{BESIDE}}}` === `${{texts}}`", arg=expected)
    page.get_by_label("Exact values").uncheck()
    page.wait_for_function(f"{BESIDE}.join('') === ''")


def test_a_dive_is_a_film_whose_phases_can_be_chosen(play):
    page = play("game=reversi&seed=7")
    page.evaluate(PHASES)
    press(page, "1 dive")
    said(page, "Backpropagate: ")
    rested(page)
    said(page, "After 1 dive")
    phases = page.evaluate("Object.entries(window.phases).map(([name, all]) => [name, all.size])")
    assert [name for name, _ in phases] == ["select", "expand", "simulate", "backpropagate"]
    assert [boards > 20 for _, boards in phases] == [False, False, True, False]
    press(page, "expand")
    press(page, "Pause")
    page.evaluate(QUIET)
    said(page, "Expand: ")
    move(page)  # the film ends
    made(page, 2)
    page.locator("#search .film").wait_for(state="detached")


def test_without_motion_the_phases_are_stills(play):
    page = play("game=tic-tac-toe&seed=7", reduced_motion="reduce")
    board = page.locator("#board svg").inner_html()
    press(page, "1 dive")
    said(page, "Select: ")
    press(page, "simulate")
    said(page, "Simulate: ")
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.locator("#board svg").inner_html() != board
    press(page, "simulate")  # again: the position on the board
    said(page, "After 1 dive")
    assert page.locator("#board svg").inner_html() == board


@pytest.mark.alone
@pytest.mark.parametrize("game", ["gomoku", "reversi", "tic-tac-toe"])
def test_1_000_dives_take_at_most_5_seconds_and_the_page_never_freezes(new_page, game):
    page = new_page()
    page.add_init_script(WATCH)
    page.goto(f"play.html#game={game}&seed=7")
    said(page, "No dives from here yet")
    page.evaluate("window.long.length = 0")
    began = monotonic()
    press(page, "1,000")
    said(page, "After 1,000 dives")
    rested(page)
    seconds, longest = monotonic() - began, page.evaluate("Math.max(0, ...window.long)")
    print(f"1,000 dives of {game}: {seconds:.1f} s, the longest task {longest:.0f} ms")
    assert seconds <= 5
    assert longest <= 300  # about 50; 103 with other work beside. A freeze is more


# After a game


def test_the_graph_of_a_game_leads_to_its_costly_moves(play):
    moves = ["b2", "a1", "c3", "b1", "c1", "a3", "a2", "c2", "b3"]
    page = play(f"game=tic-tac-toe&seed=7&{TWO}&moves={','.join(moves)}", 360)
    link = {"game": "tic-tac-toe", "moves": moves, "players": ["person"] * 2}
    *_, last = choice_costs(link)
    costly = [choice for choice in last["choices"] if choice["is_costly"]]
    page.locator("#graph .said", has_text=last["said"]).wait_for()
    losses = page.locator("#graph text.loss").all_text_contents()
    assert [text[1:] for text in losses] == [each["loss"] for each in costly] != []
    slider = page.get_by_role("slider", name="The position on the board")
    slider.press("Home")
    for _ in range(costly[0]["at"]):
        slider.press("ArrowRight")
    page.locator("#graph .said", has_text=f"{costly[0]['best']} was better").wait_for()
    wide = slider.bounding_box()["width"]
    slider.click(position={"x": wide / 2, "y": 40})
    page.locator("#status", has_text=re.compile("Position [45] of 9")).wait_for()
    page.locator("#graph summary").click()
    assert page.locator("#graph tbody tr:visible").count() == len(last["choices"])
