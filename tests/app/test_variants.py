"""The variants of docs/own_rule.md are played, hinted, solved and checked."""

import doctest
import sys
from fractions import Fraction
from random import Random
from types import ModuleType

import pytest

import texts
from purembts.app.hints import cost_table, costs, hinted
from purembts.app.players import player_called, strategy_called, tactics_note
from purembts.app.positions import position_called
from purembts.app.results import card
from purembts.app.sentences import first_lines
from purembts.app.sessions import Setting, after_move, first_turn
from purembts.app.steps import returned
from purembts.exact import solver
from purembts.game import turn_at
from purembts.play import match, play_game
from purembts.players import perfect_player, random_player
from purembts.tables import lines_of
from purembts.verify.checking import check
from purembts.verify.player_laws import check_moves

LATE = ("b2", "c2", "c4", "d2", "a4", "a2", "a3", "d3")
"""The moves of a game of four by four squares, after which only a1 does not lose at once."""


@pytest.fixture(scope="module")
def variants():
    """The names that the page defines, in a module, so that its functions pickle."""
    text = texts.page("own_rule")
    head, _, rest = text.partition("## Variants that people ask for")
    main, before = ModuleType("__main__"), sys.modules["__main__"]
    sys.modules["__main__"] = main
    for part in (head.partition("For each rule")[0], rest.partition("\n## ")[0]):
        for example in doctest.DocTestParser().get_examples(part):
            if not example.want:  # a definition
                exec(compile(example.source, "own_rule.md", "single"), vars(main))
    yield main
    sys.modules["__main__"] = before


NAMES = ("misere", "anti_reversi", "by_discs", "renju", "lowest_sum", "duel")
RENJU = pytest.param("renju", marks=pytest.mark.slow)
SEARCHED = NAMES[:4]
"""The variants whose rules have tactics, for other functions."""


@pytest.mark.parametrize("name", [*NAMES[:3], *NAMES[4:], RENJU])
def test_a_variant_keeps_the_laws_and_its_players_play_its_moves(variants, name):
    game = getattr(variants, name)
    check(game, examples=5)
    check_moves(lambda one: player_called(one, "uct:20"), game, [game.start])


@pytest.mark.parametrize("name", SEARCHED)
def test_the_levels_and_hints_of_a_variant_say_that_they_have_no_tactics(variants, name):
    game = getattr(variants, name)
    assert tactics_note(game) == ", without tactics"
    setting = Setting(game, persons=frozenset(), names={0: "hard", 1: "uct:9"}, dives=20)
    turns = first_turn(setting, game.start)
    assert [*first_lines(setting, turns[0])] == [
        f"{game.name}: player 1 is hard, without tactics, player 2 is uct:9."
    ]
    belief = returned(hinted(setting, turns, "tree"))
    assert belief.title.endswith(", without tactics")
    moves = set(game.moves(game.start, None))
    assert {row.move for row in belief.report.rows if row.visits} <= moves


def test_in_misere_the_hints_and_the_levels_find_the_one_move_that_wins(variants):
    game, board = variants.misere, position_called(variants.misere, LATE)
    label, turn = game.display.label, turn_at(game, board, None)
    exact = {label(board, move): solver(game)(move)[0] for move in turn.moves}
    assert [name for name, value in exact.items() if value == 1] == ["a1"]
    assert sum(exact.values()) == 1
    setting = Setting(game)
    turns = first_turn(setting, board)
    for kind in ("tree", "exact"):
        report = returned(hinted(setting, turns, kind)).report
        assert len(report.rows) == 8
        assert max(report.rows, key=lambda row: (row.best, row.visits)).label == "a1"
    for level in ("medium", "hard"):
        assert label(board, player_called(game, level)(turn, Random(7))) == "a1"
    wrong = after_move(setting, turns, position_called(game, (*LATE, "c1")))
    *_, last = costs(setting, wrong)
    table = cost_table(game, last.so_far)
    assert lines_of(table)[1] == ("1", "c1", "0.0000", "a1", "1.0000", "1.0000")


def test_a_level_wins_all_games_of_a_variant_against_random_moves(variants):
    """With the tactics of the usual game it lost nearly all of them."""
    game = variants.anti_reversi
    strategies = (strategy_called(game, "easy"), random_player)
    assert match(game, strategies, 6, seed=7)[0].wins == 6


def test_black_makes_no_overline_and_white_may(variants):
    five_and_one = ["a1", "a3", "b1", "b3", "c1", "c3", "e1", "e3", "f1", "f3"]
    for more, missing in (((), ["d1"]), (("o15",), [])):
        game = variants.renju
        board = position_called(game, [*five_and_one, *more])
        labels = {game.display.label(board, move) for move in game.moves(board, None)}
        free = {"d1", "d3", "o14"}
        assert free - labels == {*missing}
        move = player_called(game, "uct:30")(turn_at(game, board, None), Random(7))
        assert move in game.moves(board, None)


def test_scores_of_a_variant_are_exact(variants):
    lowest, discs = variants.lowest_sum, variants.by_discs
    heads, *_, last = lines_of(card(lowest))
    assert (heads[-1], last[-1]) == ("score", "-11.1575")
    assert solver(discs)(discs.start) == (-8, 8)
    last_one = solver(variants.duel)(variants.Duel(frozenset({1}), 0))
    assert last_one == (1, 0), "no roll of two dice is 1"
    tie = solver(variants.duel)(variants.Duel(frozenset({2}), 2))
    assert tie == (Fraction(35, 72), Fraction(37, 72)), "1/36 to shut lever 2, or else a draw"
    players = (perfect_player(discs), random_player)
    assert play_game(discs, discs.start, players[::-1], Random(7))[1] >= 8
