"""Certificates prove what is true, have nothing that can be left out, and no false one passes."""

import json
from fractions import Fraction
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from purembts.exact import solver
from purembts.game import turn_at
from purembts.games.big_two import big_two
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import Board, tic_tac_toe
from purembts.knowledge.narrowing import narrowed
from purembts.proving import certificate, settle_search, settled
from purembts.verify.certificates import check_certificate
from purembts.verify.strategies import seeds
from test_proving import random_games

COINS = last_coin()


def shortened(lines, left_out):
    """The lines without one of them; the header has the number of those that are left."""
    header = json.loads(lines[0])
    positions = header["positions"] - ("worth" in lines[left_out])
    rest = [line for i, line in enumerate(lines) if i not in (0, left_out)]
    return [json.dumps({**header, "positions": positions}), *rest]


def turns_of(game):
    """The turns of the first position of a game that have moves."""
    found = [turn_at(game, game.start, event) for event in game.chances(game.start)]
    return [turn for turn in found if turn.moves]


@given(random_games)
def test_a_certificate_proves_what_the_solver_says(game):
    proved = check_certificate(game, certificate(game, 0))
    assert (proved.state, proved.worth) == (0, solver(game)(0))


@given(random_games)
def test_no_position_of_a_certificate_can_be_left_out(game):
    lines = list(certificate(game, 0))
    for i in range(1, len(lines) - 1):
        with pytest.raises(ValueError, match="must come before it"):
            check_certificate(game, shortened(lines, i))


@given(random_games, seeds)
def test_a_certificate_follows_from_the_settled_part_of_a_tree(game, seed):
    tree = settle_search(game, {}, 0, 40, Random(seed))
    if 0 in settled(game, tree, 0):
        assert check_certificate(game, certificate(game, 0, tree)).worth == solver(game)(0)
    else:
        with pytest.raises(
            ValueError, match="The worth must be certain in `tree`; it is open at 0"
        ):
            list(certificate(game, 0, tree))


@given(random_games, st.integers(0, 2))
def test_a_best_move_is_proved_by_the_positions_that_it_needs(game, number):
    assume(turns_of(game))
    turn = turns_of(game)[number % len(turns_of(game))]
    lines = list(certificate(game, 0, turn=turn))
    proved, value = check_certificate(game, lines), solver(game)
    assert (proved.state, proved.event, proved.worth) == (0, turn.event, value(proved.best))
    assert value(proved.best)[turn.player] == max(value(move)[turn.player] for move in turn.moves)
    for i in range(1, len(lines) - 1):
        with pytest.raises(ValueError, match="line"):
            check_certificate(game, shortened(lines, i))


def halved(line, rng):
    """A line with another worth for one of the players."""
    worth = [Fraction(each) for each in line["worth"]]
    worth[int(rng.random() * len(worth))] += Fraction(1, 2)
    return {**line, "worth": list(map(str, worth))}


def moved(line, rng):
    """A line for another position."""
    return {**line, "state": int(rng.random() * 30)}


@given(random_games, seeds, st.lists(st.sampled_from([halved, moved, "swap", "drop"]), min_size=1))
def test_no_tampered_certificate_of_a_false_worth_passes(game, seed, faults):
    rng, lines = Random(seed), list(map(json.loads, certificate(game, 0)))
    for fault in faults:
        i, j = (1 + int(rng.random() * (len(lines) - 1)) for _ in range(2))
        if fault == "swap":
            lines[i], lines[j] = lines[j], lines[i]
        elif fault == "drop" and len(lines) > 2:
            del lines[i]
        elif fault != "drop":
            lines[i] = fault(lines[i], rng)
    lines[0]["positions"] = len({line["state"] for line in lines[1:]})
    try:
        proved = check_certificate(game, map(json.dumps, lines))
    except ValueError:
        return
    assert proved.worth == solver(game)(proved.state)


RIGHT = list(certificate(COINS, Pile(2)))
CLAIM = '{{"state": [2, 0], "event": {}, "best": {}}}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "The certificate must have a header and a claim; got 0 lines."),
        (RIGHT[:1], "The certificate must have a header and a claim; got 1 lines."),
        (RIGHT[:2], "The certificate must have 2 positions; got 1."),
        (["{"], "line 1 of the certificate: Expecting property name"),
        ([RIGHT[0].replace("Last coin", "Reversi")], "line 1 .*must have .*; got .*Reversi"),
        ([RIGHT[0].replace("false", "true")], "line 1 .*'misere': False.*; got .*'misere': True"),
        ([*RIGHT[:1], RIGHT[2]], r"line 2 .*the worths of the moves of Pile.* must come before it"),
        (
            [*RIGHT[:2], '{"state": [2, 0], "worth": ["0", "1"]}'],
            r"line 3 .*the worth of Pile.* must be \['1', '0'\]; got \['0', '1'\]",
        ),
        ([*RIGHT, CLAIM.format(0, "[1, 1]")], "line 4 .*a best move must have the worth"),
        ([*RIGHT, CLAIM.format(-1, "[0, 1]")], "line 4 .*`event` must be"),
        ([*RIGHT, '{"state": [2, 0]}'], "line 4 .*it must fit the game; got KeyError: 'worth'"),
        ([*RIGHT, "[" * 100_000], "line 4 .*(RecursionError|Expecting)"),
    ],
)
def test_the_first_wrong_line_is_named(lines, message):
    with pytest.raises(ValueError, match=message):
        check_certificate(COINS, lines)


def test_a_certificate_of_a_hidden_or_a_narrowed_game_is_refused():
    narrow = narrowed(COINS, lambda turn: turn.moves[-1:])
    whole = narrow._replace(whole=None)
    assert check_certificate(whole, certificate(whole, Pile(2))).worth == (1, 0)
    for game in (narrow, big_two()):
        with pytest.raises(ValueError, match="`game` must hide nothing and have all its moves"):
            check_certificate(game, RIGHT)


def test_a_turn_without_a_move_has_no_best_move():
    with pytest.raises(ValueError, match="`turn` must have a move; got Turn"):
        certificate(COINS, Pile(0, 1), turn=turn_at(COINS, Pile(0, 1), None))


def test_the_best_move_of_a_position_that_is_not_all_known():
    board = Board(0b0001_0010_0011, 0b0110_0001_0100)
    turn = turn_at(tic_tac_toe, board, None)
    lines = list(certificate(tic_tac_toe, board, turn=turn))
    assert check_certificate(tic_tac_toe, lines).best == turn.moves[0]
