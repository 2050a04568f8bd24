"""The game at the terminal: its turns as a value, what is printed, and what is typed."""

from io import StringIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from purembts import (
    Rules,
    box_to_str,
    easy_box,
    full_box,
    optimal_table,
    start_box,
    win_probability,
)
from purembts.records import Record
from purembts.shell import play as shell
from purembts.shell.prompt import choice_line
from purembts.verify.strategies import boxes as some_boxes
from purembts.verify.strategies import seeds

USUAL = Rules()
RANDOM = {frozenset({1, 4}): Record(10, (1, 9))}
SOURCES = {
    "none": lambda: None,
    "random": lambda: RANDOM,
    "tree": dict,
    "exact": optimal_table,
}


def play(monkeypatch, answers, *, box=start_box, seed=5, kind="none", rules=USUAL):
    """The turns, whether it was interrupted, and what the person saw."""
    rest, screen = iter(answers), StringIO()

    def read():
        answer = next(rest, EOFError)
        if isinstance(answer, type):
            raise answer
        screen.write(f"{answer}\n")
        return answer

    monkeypatch.setattr("builtins.input", read)
    console = Console(file=screen, width=80)
    turns, interrupted = shell.play(
        box, console, seed=seed, sources=SOURCES, kind=kind, rules=rules
    )
    return turns, interrupted, screen.getvalue()


def random_turns(box, seed):
    """A game as it might be, with moves chosen at random."""
    turns, rng = shell.first_turn(box, seed=seed), Random(seed)
    while moves := turns[-1].moves:
        turns = shell.moved(turns, moves[int(rng.random() * len(moves))], seed=seed)
    return turns


@given(some_boxes(), seeds)
def test_undo_goes_back_to_the_last_choice(box, seed):
    turns = random_turns(box, seed)
    choices = [number for number, turn in enumerate(turns, 1) if len(turn.moves) > 1]
    while (before := shell.undone(turns)) != turns:
        assert before == turns[: choices.pop()]
        turns = before
    assert choices == []


@given(some_boxes(), seeds)
def test_the_dice_stay_the_same_when_a_choice_is_taken_back(box, seed):
    turns = random_turns(box, seed)
    before = shell.undone(turns)
    if before != turns:
        again = shell.moved(before, turns[len(before)].state, seed=seed)
        assert again == turns[: len(again)]


def test_the_dice_are_those_of_the_game():
    """36 throws for each total, from turns of their own: an exact count over many seeds."""
    first = [shell.first_turn(start_box, seed=seed)[0].event for seed in range(200)]
    assert set(first) == set(range(2, 13))
    turns = random_turns(start_box, 5)
    assert [turn.event for turn in turns] != [turns[0].event] * len(turns)


@given(some_boxes(), seeds)
def test_costs_are_exact_and_never_negative(box, seed):
    turns = random_turns(box, seed)
    made = list(shell.costs(turns))
    assert len(made) == sum(len(turn.moves) > 1 for turn in turns)
    for cost in made:
        best = max(win_probability(move) for move in cost.turn.moves)
        assert cost.best_worth == float(best) == float(win_probability(cost.best))
        assert cost.worth == float(win_probability(cost.move)) <= cost.best_worth
        assert cost.move == cost.best or cost.worth < cost.best_worth


def test_a_game_that_is_won(monkeypatch):
    turns, interrupted, screen = play(monkeypatch, [], box=frozenset({1, 2, 3, 4}))
    assert turns[-1].state == frozenset()
    assert not interrupted
    assert "You roll 10.\n  only [         ] shut 1+2+3+4\n" in screen
    assert screen.endswith("The box is shut: you win.\n\n")
    assert shell.summary(turns) == "You made no choices."


def test_a_game_that_is_lost_and_one_choice_of_it_taken_back(monkeypatch):
    turns, _, screen = play(monkeypatch, ["1", "x", "u", "9", EOFError])
    assert screen.count("No levers add up to that: you lose.\n") == 1
    assert "The answer must be u or Enter; got 'x'.\n" in screen
    assert turns[0].event == 10
    assert turns[1].state == start_box - {1, 9}
    assert screen.count("You roll 10.\n") == 2, "the dice were rolled again"


@pytest.mark.parametrize("wrong", ["", "0", "10", "1.0", "1 2", "hh", "²", "[bold]", "9" * 5000])
def test_a_wrong_answer_is_asked_again(monkeypatch, wrong):
    turns, _, screen = play(monkeypatch, [wrong, "9", "q"])
    assert turns[1].state == start_box - {1, 9}
    assert "is not one of the choices. Type ? for help.\n" in screen
    assert max(map(len, screen.splitlines())) < 200 or len(wrong) > 1000


def test_hints_once_and_with_every_choice(monkeypatch):
    _, _, screen = play(monkeypatch, ["h", "h exact", "9", "h none", "h  tree", "h fly", "?", "u"])
    asked = screen.split("Your choice, ")
    assert "0.0694" not in asked[0]
    assert "9: [ 2345678 ] shut 1+9  0.0694\n  (exact: the probability" in asked[1]
    assert "(exact: the probability to win from there with best play)" in asked[3]
    assert "(" not in asked[4]
    assert "not known\n  (tree: " in asked[5]
    assert "The kind of hints must be none, random, tree or exact; got 'fly'." in asked[6]
    assert (
        "h KIND     show hints beside every choice; KIND is none, random, tree or exact\n"
        in asked[7]
    )


def test_there_may_be_no_choice_to_take_back(monkeypatch):
    turns, _, screen = play(monkeypatch, ["u", "q"])
    assert "There is no choice to take back yet.\n" in screen
    assert len(turns) == 1


@pytest.mark.parametrize(("end", "interrupted"), [(EOFError, False), (KeyboardInterrupt, True)])
def test_end_of_input_and_ctrl_c_leave_the_game_so_far(monkeypatch, end, interrupted):
    turns, was_interrupted, _ = play(monkeypatch, ["9", end])
    assert len(turns) == 2
    assert was_interrupted is interrupted


def test_an_interrupt_while_hints_are_computed_leaves_the_game_so_far(monkeypatch):
    def slow():
        raise KeyboardInterrupt

    monkeypatch.setitem(SOURCES, "tree", slow)
    turns, interrupted, _ = play(monkeypatch, ["9", "h tree"])
    assert len(turns) == 2
    assert interrupted


def printed(turns):
    console = Console(width=100, record=True, file=StringIO())
    console.print(shell.summary(turns))
    return console.export_text()


def test_the_summary_has_the_cost_of_each_choice(monkeypatch):
    turns, _, _ = play(monkeypatch, ["2", "1"])
    rows = [line for line in printed(turns).splitlines() if line.startswith("│")]
    best, made = win_probability(start_box - {1, 9}), win_probability(start_box - {2, 3, 5})
    assert rows[0].split("│")[1:-1] == [
        " 123456789 ",
        "   10 ",
        "    2+3+5 ",
        f" {float(made):.4f} ",
        "  1+9 ",
        f" {float(best):.4f} ",
        f" {float(best - made):.4f} ",
    ]
    assert len(rows) == 2
    assert "at the start it was 0.0714" in printed(turns)


@pytest.mark.parametrize(
    ("state", "outcome"),
    [(frozenset(), "you won"), (easy_box, "you lost"), (start_box, "you left")],
)
def test_the_summary_tells_the_end_of_the_game(state, outcome):
    [turn] = shell.first_turn(start_box, seed=5)
    last = turn._replace(state=state, moves=turn.moves if outcome == "you left" else ())
    assert f"a game that {outcome}" in printed((turn, last))
    assert f"a game that {outcome}" in printed((turn, turn, turn, last))


def test_a_variant_is_played_by_its_rules(monkeypatch):
    rules = Rules(levers=12)
    turns, _, screen = play(monkeypatch, [EOFError], box=full_box(rules=rules), rules=rules)
    assert "| 12 |  up\n" in screen
    assert turns[0].state == full_box(rules=rules)


@given(st.sampled_from(list(SOURCES)))
def test_every_kind_of_hints_has_a_meaning(kind):
    assert set(shell.HINT_KINDS) == set(SOURCES)
    assert bool(shell.HINT_KINDS[kind]) == (kind != "none")


def test_the_summary_of_a_variant_is_by_its_rules(monkeypatch):
    rules = Rules(levers=11, dice=2, most_levers=2)
    box = full_box(rules=rules)
    turns, _, _ = play(monkeypatch, ["1", "1", EOFError], box=box, rules=rules)
    console = Console(width=100, record=True, file=StringIO())
    console.print(shell.summary(turns, rules=rules))
    text = console.export_text()
    start = float(win_probability(box, rules=rules))
    assert f"at the start it was {start:.4f}" in text
    rows = [line.split("│")[1:-1] for line in text.splitlines() if line.startswith("│")]
    made = list(shell.costs(turns, rules=rules))
    assert len(rows) == len(made) > 0
    for cells, cost in zip(rows, made, strict=True):
        assert cells[0].strip() == box_to_str(cost.turn.state, rules=rules).strip()
        best = max(win_probability(move, rules=rules) for move in cost.turn.moves)
        assert float(cells[5]) == round(float(best), 4)
        assert float(cells[3]) == round(float(win_probability(cost.move, rules=rules)), 4)


def test_the_choices_of_a_variant_are_shown_by_its_rules(monkeypatch):
    rules = Rules(levers=11)
    box = full_box(rules=rules)
    turns, _, screen = play(monkeypatch, ["1", "u", EOFError], box=box, rules=rules)
    for number, move in enumerate(turns[0].moves, 1):
        assert f"  {number}: {choice_line(box, move, None, rules=rules)}\n" in screen


def test_text_is_said_word_for_word_on_a_terminal():
    screen = StringIO()
    console = Console(file=screen, width=20, force_terminal=True, color_system="standard")
    shell.say(console, "[bold]7 levers[/bold] and 'more' than fits in a line")
    assert screen.getvalue() == "[bold]7 levers[/bold] and 'more' than fits in a line\n"
