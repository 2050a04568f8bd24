"""Big Two at the terminal: the game as a value, what is printed, and what is typed."""

import os
import re
import subprocess
import sys
from io import StringIO
from itertools import pairwise
from random import Random

import pytest
from rich.console import Console

from purembts.bounds import exploration_constant
from purembts.determinize import information_set, searching, view_turn
from purembts.game import turn_at
from purembts.games.big_two import deal, play_between, table, view
from purembts.games.big_two_cards import DECK, PASS, Cards, cards
from purembts.records import mean
from purembts.shell import big_two as shell
from purembts.shell import cli

ASKED = "Your play, 1 to "
HANDS = ["3♦ 4♦ 4♠ 9♣ 10♠", "5♥ 6♥", "3♠ 6♠ 7♦", "8♦ J♠"]


def play(monkeypatch, answers, *, seed=7, hands=None, lead="", player=0, width=80):
    """The turns, whether it was interrupted, and what was printed; by default of a whole deal."""
    rest, screen = iter(answers), StringIO()

    def read():
        answer = next(rest, EOFError)
        if isinstance(answer, type):
            raise answer
        screen.write(f"{answer}\n")
        return answer

    monkeypatch.setattr("builtins.input", read)
    if hands:
        start = table([cards(hand) for hand in hands], player=player, lead=cards(lead))
        monkeypatch.setattr(
            shell, "first_turn", lambda *, seed: (turn_at(shell.GAME, start, None),)
        )
    console = Console(file=screen, width=width)
    turns, interrupted = shell.play(console, seed=seed, budget=8, rollouts=1)
    return turns, interrupted, screen.getvalue()


def played(turns):
    """Who played what, in order."""
    return [(a.player, play_between(a.state, b.state)) for a, b in pairwise(turns)]


def printed(turns):
    console = Console(width=100, record=True, file=StringIO())
    console.print(shell.summary(turns))
    return console.export_text()


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 7])
def test_a_whole_game_typed_by_numbers(monkeypatch, seed):
    turns, interrupted, screen = play(monkeypatch, ["1"] * 60, seed=seed)
    assert not interrupted
    assert turns[0].state == deal(Random(f"{seed}/deal"))
    begins = "You have the 3♦ and begin." if turns[0].player == 0 else "has the 3♦ and begins."
    assert f"{begins}\n" in screen.split(ASKED)[0]
    assert not turns[-1].moves
    assert screen.rstrip().endswith("out.")
    assert (
        len(re.findall(r"(?m)^(?:You|Player \d) (?:plays?|pass(?:es)?)\b", screen))
        == len(turns) - 1
    )
    chosen = [t for t in turns if t.player == 0 and len(t.moves) > 1]
    assert screen.count(ASKED) == len(chosen) > 0
    for before, after in pairwise(turns):
        if before.player == 0:
            assert after.state == before.moves[0]


@pytest.mark.parametrize("seed", [1, 2, 3, 7])
def test_the_end_shows_every_hand_and_points_that_add_up_to_0(monkeypatch, seed):
    turns, _, _ = play(monkeypatch, ["1"] * 60, seed=seed)
    rows = [line for line in printed(turns).splitlines() if line.startswith("│")]
    cells = [[cell.strip() for cell in row.split("│")[1:-1]] for row in rows]
    assert [cell[0] for cell in cells] == ["You", "Player 2", "Player 3", "Player 4"]
    hands = turns[-1].state.hands
    assert [cell[1] for cell in cells] == [str(hand) or "none" for hand in hands]
    points = [int(cell[2]) for cell in cells]
    assert sum(points) == 0
    assert max(points) == points[hands.index(PASS)] > 0


def test_robots_draw_from_the_seed_and_the_number_of_the_turn(monkeypatch):
    one, other = (play(monkeypatch, ["1"] * 60) for _ in range(2))
    assert one == other
    for number, (before, after) in enumerate(pairwise(one[0]), 1):
        if before.player:
            assert after.state == shell.robot_move(one[0][:number], seed=7, budget=8, rollouts=1)
    assert play(monkeypatch, ["1"] * 60, seed=8)[0] != one[0]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("4D 4S", "4♦ 4♠"),
        ("4♠ 4♦", "4♦ 4♠"),
        ("  4s,4d ", "4♦ 4♠"),
        ("10s", "10♠"),
        ("TS", "10♠"),
        ("3", "4♠"),
    ],
)
def test_a_play_is_typed_as_cards_or_as_a_number(monkeypatch, answer, expected):
    turns, _, _ = play(monkeypatch, [answer], hands=HANDS)
    assert played(turns)[0] == (0, cards(expected))


@pytest.mark.parametrize("answer", ["p", "Pass", "4"])
def test_a_pass_is_a_word_or_a_number(monkeypatch, answer):
    turns, _, screen = play(monkeypatch, [answer], hands=HANDS, lead="4♥")
    assert played(turns)[0] == (0, PASS)
    assert "You pass.\n" in screen


@pytest.mark.parametrize(
    ("answer", "lead", "message"),
    [
        ("", "4♥", "The answer must be a number, cards or p. Type ? for help."),
        ("0", "4♥", "The number of a play must be from 1 to 4; got '0'."),
        ("5", "4♥", "The number of a play must be from 1 to 4; got '5'."),
        ("9" * 5000, "4♥", "The number of a play must be from 1 to 4; got '9999"),
        ("x", "4♥", "suit, such as 10♠ or TS; got 'x'."),
        ("²", "4♥", "suit, such as 10♠ or TS; got '²'."),
        ("[bold]", "4♥", "suit, such as 10♠ or TS; got '[bold]'."),
        ("4D 4D", "4♥", "Each card must be named once; got '4d 4d', with 4♦ twice."),
        ("2S", "4♥", "2♠ is not in your hand."),
        ("2S 4S AS", "4♥", "A♠ 2♠ are not in your hand."),
        ("3D 9C", "4♥", "A play must be a single, a pair, a triple, or five cards"),
        ("4D", "4♥", "4♦, a single, does not beat 4♥, a single."),
        ("4D 4S", "4♥", "4♦ 4♠, a pair, does not beat 4♥, a single."),
        ("p", "", "You have the lead, so you cannot pass."),
    ],
)
def test_a_wrong_answer_is_asked_again(monkeypatch, answer, lead, message):
    turns, _, screen = play(monkeypatch, [answer, "10S"], hands=HANDS, lead=lead)
    assert message in " ".join(screen.split())  # a long error has several lines
    assert screen.split("10S")[0].count(ASKED) == 2
    assert played(turns)[0] == (0, cards("10♠"))


def test_six_cards_are_no_play():
    start = table([cards("4D 5D 6D 7D 8D 9S"), cards("3D"), cards("3C"), cards("3H")])
    choice = view_turn(shell.GAME, turn_at(shell.GAME, start, None))
    with pytest.raises(ValueError, match=r"A play must have at most 5 cards; got 6\."):
        shell.play_called(choice, "4D 5D 6D 7D 8D 9S")


def test_the_first_play_has_the_3_of_diamonds():
    seed = next(seed for seed in range(99) if shell.first_turn(seed=seed)[0].player == 0)
    [turn] = shell.first_turn(seed=seed)
    highest = Cards(1 << turn.state.hands[0].bit_length() - 1)
    with pytest.raises(ValueError, match=f"The first play must have the 3♦; got {highest}."):
        shell.play_called(view_turn(shell.GAME, turn), str(highest))


def test_a_single_move_is_made_without_asking(monkeypatch):
    turns, _, screen = play(monkeypatch, [], hands=["3♦", "5♥ 6♥", "7♦ 8♣", "8♦ 9♦"], lead="4♥")
    assert played(turns)[0] == (0, PASS)
    assert "You have nothing that beats it.\nYou pass.\n" in screen
    turns, _, screen = play(monkeypatch, [], hands=["3♦", "5♥ 6♥", "7♦ 8♣", "8♦ 9♦"])
    assert "You have only one play.\nYou play 3♦ and are out.\n" in screen
    assert ASKED not in screen


def test_the_play_to_beat_and_its_player(monkeypatch):
    hands = ["9♦ 10♦ 2♦", "3♦ 3♣", "5♦", "6♦ 7♦ 8♦"]
    _, _, screen = play(monkeypatch, [], hands=hands, player=3)
    play_of_4 = re.search(r"Player 4 plays (\S+) \(2 cards left\)\.\n", screen)[1]
    assert f"To beat:    {play_of_4}, a single of player 4\n" in screen
    assert "The others: player 2 has 2 cards, player 3 has 1 card, player 4 has 2" in screen
    assert "Your hand:  9♦ 10♦ 2♦\n" in screen


def test_the_lead_after_three_passes(monkeypatch):
    hands = ["9♦ 10♦ 2♦", "3♦ 3♣", "5♦ 5♣", "6♦ 7♦ 8♦"]
    _, _, screen = play(monkeypatch, ["2d"], hands=hands)
    passes = "Player 2 passes.\nPlayer 3 passes.\nPlayer 4 passes.\nYou have the lead.\n"
    assert f"You play 2♦ (2 cards left).\n{passes}" in screen
    after = screen.split("the lead.\n")[1]
    assert "Your hand:  9♦ 10♦\n    1: 9♦" in after, "nothing is to be beaten"


def test_a_long_list_is_cut_until_l_asks_for_all(monkeypatch):
    hands = ["4♦ 4♣ 5♦ 5♣ 6♦ 6♣ 7♦ 7♣ 8♦ 8♣", "J♥ Q♥", "J♦ Q♦", "K♦ A♦"]
    turns, _, screen = play(monkeypatch, ["l"], hands=hands)
    short, full = screen.split(ASKED)[:2]
    n = len(turns[0].moves)
    assert f"  and {n - 20} more; type l for all of them\n" in short
    assert re.findall(r" (\d+): ", short) == [str(i) for i in range(1, 21)]
    assert re.findall(r" (\d+): ", full[2:]) == [str(i) for i in range(1, n + 1)]
    assert "type l" not in full
    assert max(map(len, screen.splitlines())) <= 80


def test_hints_are_the_means_and_the_best_come_first(monkeypatch):
    monkeypatch.setattr(shell, "HINT_GAMES", 100)
    turns, _, screen = play(monkeypatch, ["h"], hands=HANDS)
    reply = screen.split(ASKED)[1]
    rows = re.findall(r" (\d+): (.+?) +([+-]\d+\.\d)\n", reply)
    choice = view_turn(shell.GAME, turns[0])
    records, worlds = shell.hints(choice, 1, Random("7/1/hints"))
    assert len(rows) == len(choice.moves) == 6
    assert worlds == 100 // 6
    for number, name, points in rows:
        move = choice.moves[int(number) - 1]
        assert play_between(choice.state, move) == cards(name)
        assert points == f"{mean(records[move]):+.1f}"
        assert records[move].visits == worlds
    means = [float(row[2]) for row in rows]
    assert means == sorted(means, reverse=True) != sorted(means)
    assert (
        "(mean points of random games after each play: 16 games for each\n  play, in 16 deals"
        in reply
    )


def test_hints_are_of_at_most_ten_plays(monkeypatch):
    monkeypatch.setattr(shell, "HINT_GAMES", 1)
    hands = ["4♦ 4♣ 5♦ 5♣ 6♦ 6♣ 7♦ 7♣ 8♦ 8♣", "J♥ Q♥", "J♦ Q♦", "K♦ A♦"]
    turns, _, screen = play(monkeypatch, ["h"], hands=hands)
    reply = screen.split(ASKED)[1]
    assert len(re.findall(r"[+-]\d+\.\d\n", reply)) == 10
    assert f"  and {len(turns[0].moves) - 10} plays with lower means\n" in reply


def test_hints_depend_on_the_view_alone(monkeypatch):
    monkeypatch.setattr(shell, "HINT_GAMES", 10)
    swapped = [HANDS[0], "J♠ 7♦", "3♠ 6♠ 5♥", "8♦ 6♥"]
    one, other = (play(monkeypatch, ["h"], hands=hands)[2] for hands in (HANDS, swapped))
    assert one == other


def test_a_question_mark_shows_help(monkeypatch):
    _, _, screen = play(monkeypatch, ["?"], hands=HANDS)
    assert shell.HELP in screen
    assert max(map(len, screen.splitlines())) < 80


@pytest.mark.parametrize("seed", range(6))
def test_no_card_of_another_hand_is_written_before_it_is_played(monkeypatch, seed):
    """What was written until each question has cards of the own hand and cards played alone."""
    monkeypatch.setattr(shell, "HINT_GAMES", 10)
    monkeypatch.setattr(shell, "HELP", "")
    turns, _, screen = play(monkeypatch, ["h", "l", "1"] * 60, seed=seed)
    asked = [turn for turn in turns if turn.player == 0 and len(turn.moves) > 1]
    pieces = screen.split(ASKED)
    assert len(pieces) == 3 * len(asked) + 1
    for i, turn in enumerate(asked):
        own = view(turn.state, 0)
        allowed = own.hand | own.played | cards("3♦")
        for written in pieces[3 * i : 3 * i + 3]:
            named = [cards(name) for name in re.findall(r"(?:10|[2-9JQKA])[♦♣♥♠]", written)]
            assert named
            assert not [str(card) for card in named if card & DECK & ~allowed]


@pytest.mark.parametrize(
    ("end", "interrupted"), [(EOFError, False), ("q", False), (KeyboardInterrupt, True)]
)
def test_leaving_shows_the_numbers_of_cards(monkeypatch, end, interrupted):
    turns, was_interrupted, _ = play(monkeypatch, [end], hands=HANDS)
    assert was_interrupted is interrupted
    assert len(turns) == 1
    assert printed(turns) == (
        "You leave the game with 5 cards; player 2 has 2 cards, player 3 has 3 cards, "
        "player 4 has 2 cards.\n"
    )


def test_an_interrupt_while_a_robot_thinks_leaves_the_game_so_far(monkeypatch):
    def slow(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(shell, "robot_move", slow)
    turns, interrupted, _ = play(monkeypatch, ["10s"], hands=HANDS)
    assert interrupted
    assert played(turns) == [(0, cards("10♠"))]


# By the command line


def run(*arguments, answers=""):
    return subprocess.run(
        [sys.executable, "-m", "purembts", "play", *arguments],
        input=answers,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "1"},
    )


def test_the_command_plays_on_stderr_and_prints_the_end_on_stdout():
    few = ["big-two", "--seed", "7", "--budget", "8", "--rollouts", "1"]
    ran = run(*few, answers="1\n" * 60)
    assert ran.returncode == 0
    assert "You are player 1." in ran.stderr
    assert "points" in ran.stdout
    assert "Your play" not in ran.stdout
    assert run(*few, answers="1\n" * 60).stderr == ran.stderr
    left = run("--seed", "7", "big-two")
    assert left.returncode == 0
    assert left.stdout.startswith("You leave the game with ")
    assert left.stdout.count("\n") == 1


def test_ctrl_c_is_exit_code_130(monkeypatch, capsys):
    def broken():
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", broken)
    assert cli.run(["play", "big-two", "--seed", "7", "--budget", "2"]) == 130
    printed = capsys.readouterr()
    assert printed.out.startswith("You leave the game with ")
    assert printed.err.endswith("purembts: interrupted\n")


def test_shut_the_box_is_the_default():
    one, other = (run(*game, "--seed", "5", answers="2\n1\n") for game in ([], ["shut-the-box"]))
    assert (one.stdout, one.stderr) == (other.stdout, other.stderr)
    assert "You roll 10." in one.stderr


def test_plays_are_listed_in_as_many_columns_as_fit():
    start = table([cards("4♦ 4♣ 5♦ 5♣ 6♦ 6♣"), cards("J♥ Q♥"), cards("J♦ Q♦"), cards("K♦")])
    choice = view_turn(shell.GAME, turn_at(shell.GAME, start, None))
    wide = max(len(shell._entry(i, choice.state, move)) for i, move in enumerate(choice.moves, 1))
    for width in range(10, 120):
        rows = list(shell._listed(choice, Console(width=width), 99))
        columns = max(1, (width - 2) // (wide + 2))
        assert len(re.findall(r"\d+: ", rows[0])) == min(columns, len(choice.moves))
        assert len(rows) == -(-len(choice.moves) // columns)


@pytest.mark.parametrize(("most", "shown", "rest"), [(6, 6, 3), (7, 7, 2), (8, 9, 0), (9, 9, 0)])
def test_a_list_is_not_cut_by_one_play(most, shown, rest):
    start = table([cards("4♦ 4♣ 5♦ 5♣ 6♦ 6♣"), cards("J♥ Q♥"), cards("J♦ Q♦"), cards("K♦")])
    choice = view_turn(shell.GAME, turn_at(shell.GAME, start, None))
    assert len(choice.moves) == 9
    text = "\n".join(shell._listed(choice, Console(width=80), most))
    assert len(re.findall(r"\d+: ", text)) == shown
    assert (f"  and {rest} more; type l for all of them" in text) == bool(rest)


def test_a_robot_searches_views_with_a_narrow_bound(monkeypatch):
    asked = []

    def noting(game, **options):
        asked.append(options)
        return searching(game, **options)

    monkeypatch.setattr(shell, "searching", noting)
    shell.robot_move(shell.first_turn(seed=7), seed=7, budget=8, rollouts=2)
    [options] = asked
    assert (options.pop("budget"), options.pop("rollouts")) == (8, 2)
    assert options.pop("method") is information_set
    assert exploration_constant(options.pop("bound")) == 0.2
    assert not options


def test_robots_have_200_dives_of_4_games_by_default(monkeypatch):
    asked = []
    monkeypatch.setattr(
        shell, "robot_move", lambda turns, **how: asked.append(how) or turns[-1].moves[0]
    )
    monkeypatch.setattr("builtins.input", iter(["1"] * 60 + ["q"]).__next__)
    shell.play(Console(file=StringIO()), seed=7)
    assert asked
    assert all(how == {"seed": 7, "budget": 200, "rollouts": 4} for how in asked)


def test_an_error_is_printed_without_colours(monkeypatch):
    monkeypatch.setattr("builtins.input", iter(["0", "q"]).__next__)
    screen = StringIO()
    console = Console(file=screen, width=80, force_terminal=True, color_system="standard")
    shell.play(console, seed=7, budget=2, rollouts=1)
    [line] = [line for line in screen.getvalue().splitlines() if "must be from 1 to" in line]
    assert "\x1b" not in line.split("The number")[1]


@pytest.mark.parametrize(("rollouts", "worlds"), [(4, 10_000 // 24), (100, 16), (1000, 10)])
def test_the_hints_of_a_turn_take_about_10000_games(monkeypatch, rollouts, worlds):
    asked = []
    monkeypatch.setattr(shell, "perfect_information", lambda *args, **how: asked.append(how))
    choice = view_turn(
        shell.GAME, turn_at(shell.GAME, table([cards(hand) for hand in HANDS]), None)
    )
    assert len(choice.moves) == 6
    assert shell.hints(choice, rollouts, Random(7)) == (None, worlds)
    assert asked == [{"budget": 7, "rollouts": rollouts, "worlds": worlds}]


def test_the_leader_is_the_player_of_the_last_play_that_is_not_a_pass():
    start = table([cards("9♦ 10♦ 2♦"), cards("3♦ 3♣"), cards("5♦ 5♣"), cards("6♦ 7♦")])
    turns = (turn_at(shell.GAME, start, None),)
    assert shell.leader(turns) is None
    leaders = []
    for names in ("2♦", "", "", ""):
        [move] = [
            move for move in turns[-1].moves if play_between(turns[-1].state, move) == cards(names)
        ]
        turns = shell.moved(turns, move)
        leaders.append(shell.leader(turns))
    assert leaders == [0, 0, 0, None]


def test_the_end_has_a_heading_for_each_column(monkeypatch):
    turns, _, _ = play(monkeypatch, ["1"] * 60, seed=7)
    [headings] = [line for line in printed(turns).splitlines() if "points" in line]
    cells = [cell.strip() for cell in headings.split("┃")[1:-1]]
    assert cells == ["player", "cards left", "points"]


def test_an_error_names_cards_as_they_are_typed():
    start = table([cards(hand) for hand in HANDS])
    choice = view_turn(shell.GAME, turn_at(shell.GAME, start, None))
    with pytest.raises(ValueError, match=r"A play must be .*; got 3♦ 9♣\.") as error:
        shell.play_called(choice, "3D 9C")
    assert "cards(" not in str(error.value)
