"""Players by their names: each name has its strategy, and errors say which names there are."""

import pickle
import sys
from math import log, sqrt
from random import Random

import pytest
from toolz import last

from purembts.app import players
from purembts.app.players import LEVELS, dives_at, hint_dives, player_called, strategy_called
from purembts.app.positions import position_called
from purembts.app.sessions import Session, Setting, first_turn
from purembts.app.steps import Moved
from purembts.app.turns import watched
from purembts.bounds import CONSTANTS, ucb_wald
from purembts.game import turn_at
from purembts.games.big_two import big_two, deal
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import gomoku, mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.play import match, play_game, turns
from purembts.players import flat_player, uct_player

BIG_TWO = big_two()
GAMES = {
    "coins": (last_coin(), Pile(21)),
    "tic-tac-toe": (tic_tac_toe, tic_tac_toe.start),
    "shut the box": (shut_the_box(), shut_the_box().start),
    "big two": (BIG_TWO, deal(Random(7))),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("spec", ["uct:1", "uct:20", "flat:3", "flat:30", "random", "easy"])
def test_the_watched_game_is_the_played_game(name, spec):
    game, start = GAMES[name]
    names = (spec, "random", spec, "random")[: game.players]
    strategies = [strategy_called(game, each) for each in names]
    result = play_game(game, start, strategies, Random("7/0"))
    *_, end = moves_of(game, start, [player_called(game, each) for each in names], Random("7/0"))
    assert game.result(end.turns[-1].state) == result


def moves_of(game, start, players, rng):
    """The moves of a watched game, and its end."""
    setting = Setting(game, persons=frozenset(), players=dict(enumerate(players)), rng=rng)
    steps = watched(setting, Session(first_turn(setting, start)))
    return [step for step in steps if isinstance(step, Moved)]


def test_the_dives_in_a_name_are_read_as_the_player_reads_them():
    game, _ = GAMES["coins"]
    names = ("uct:1e3", "flat:30", "uct:20,c=1", "time:0.5", "random", "easy")
    assert [players.dives_of(game, name) for name in names] == [1000, 30, 20, 0, 0, 50]
    assert [players.player_words(name, game) for name in ("uct:2e3,c=0.5", "flat:30", "easy")] == [
        *("UCT with 2,000 dives, c = 0.5", "flat Monte Carlo with 30 games", "easy opponent"),
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_player_with_a_time_limit(name, monkeypatch):
    game, start = GAMES[name]
    ticks = iter(range(10_000))
    monkeypatch.setattr(players, "lasting", lambda seconds: [1, 20][: next(ticks) + 2])
    timed = strategy_called(game, "time:2")
    turn = turn_at(game, start, game.chances(start)[-1])
    assert timed(turn, Random(7)) == strategy_called(game, "uct:21")(turn, Random(7))


@pytest.mark.parametrize("spec", ["uct:5", "flat:5", "random", "time:0.1"])
def test_strategies_cross_processes(spec):
    pickle.loads(pickle.dumps(strategy_called(BIG_TWO, spec)))


STB, STB_START = GAMES["shut the box"]
NAMED = {
    "flat:50": flat_player(STB, 50),
    "uct:50": uct_player(STB, 50, bound=ucb_wald),
    **{f"uct:50,{c}=0.5": uct_player(STB, 50, bound=of(0.5)) for c, of in CONSTANTS.items()},
}


@pytest.mark.parametrize("spec", NAMED)
def test_a_name_is_that_of_a_player_who_may_have_the_constant_of_its_bound(spec):
    turn, named = turn_at(STB, STB_START, 7), player_called(STB, spec, bound=ucb_wald)
    for seed in range(5):
        trees = [last(each.trees(turn, Random(seed))) for each in (named, NAMED[spec])]
        assert trees[0] == trees[1]
        assert strategy_called(STB, spec, bound=ucb_wald)(turn, Random(seed)) in turn.moves


OWN = """
from purembts.games.last_coin import last_coin
from purembts.players import uct_player

def first(turn, rng):
    return turn.moves[0]

def short(turn):
    return turn.moves[0]

thinker = uct_player(last_coin(), 50)
number = 3
"""


def test_a_strategy_of_ones_own_plays_and_is_watched(tmp_path):
    (tmp_path / "own_strategies.py").write_text(OWN, encoding="utf-8")
    game, start = GAMES["coins"]
    own = [strategy_called(game, f"{tmp_path}/own_strategies.py:{n}") for n in ("first", "thinker")]
    expected = (lambda turn, _: turn.moves[0], uct_player(game, 50))
    assert match(game, own, 10, seed=7) == match(game, expected, 10, seed=7)
    assert match(game, pickle.loads(pickle.dumps(own)), 10, seed=7) == match(game, own, 10, seed=7)
    players = [
        player_called(game, f"{tmp_path}/own_strategies.py:{n}") for n in ("first", "thinker")
    ]
    *moves, _ = moves_of(game, start, players, Random(7))
    turns = [(step.turns[-1], step.belief) for step in moves]
    assert {belief for turn, belief in turns if turn.player == 0} == {None}
    choices = [belief for turn, belief in turns if turn.player == 1 and len(turn.moves) > 1]
    assert all(choices)


@pytest.mark.parametrize("spec", ["uct:30,c=0.3", "time:0.1,c=0.3"])
def test_the_reports_of_a_player_show_its_own_bound(spec):
    game, start = GAMES["coins"]
    players = dict.fromkeys((0, 1), player_called(game, spec))
    known = moves_of(game, start, players.values(), Random(7))[0].belief.report
    total = sum(row.visits for row in known.rows)
    for row in known.rows:
        assert row.bound - row.exploit == pytest.approx(0.3 * sqrt(log(total) / row.visits))


def test_a_strategy_of_ones_own_sees_no_other_hand(tmp_path):
    (tmp_path / "spy.py").write_text(
        "seen = []\ndef spy(turn, rng):\n    seen.append(turn.state)\n    return turn.moves[0]\n"
    )
    game, start = GAMES["big two"]
    spy = strategy_called(game, f"{tmp_path}/spy.py:spy")
    played = list(turns(game, start, [spy] * 4, Random(7)))
    seen = set(sys.modules["spy"].seen)
    assert seen
    assert seen <= {game.hidden.view(turn.state, turn.player) for turn in played}
    assert seen.isdisjoint(turn.state for turn in played)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own.py:number", "`number` of .*own.py must be a strategy"),
        ("own.py:short", "`short` of .*own.py must be a strategy, a function of a turn and a gene"),
        ("own.py:none", "`none` must be defined in"),
        ("other.py:first", "must name a file that exists; got"),
    ],
)
def test_what_is_no_strategy_is_refused(name, message, tmp_path):
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        player_called(GAMES["coins"][0], f"{tmp_path}/{name}")


def test_a_timed_player_says_how_many_dives_it_wants(monkeypatch):
    """So compiled loops begin where they pay for a move."""
    totals = []
    monkeypatch.setattr(
        "purembts.players.strides", lambda *_, total, **how: totals.append(total) or iter(())
    )
    turn = turn_at(gomoku, gomoku.start, None)
    assert list(player_called(gomoku, "time:2").trees(turn, Random(7))) == []
    assert totals == [20_000]


LIST = "must be easy, medium, hard, uct:DIVES, flat:GAMES, time:SECONDS (with"
WHOLE = "must be a whole number of at least 1; got"
ABOVE = "must be a number from 0 to 1000000; got"


@pytest.mark.parametrize(
    ("spec", "error"),
    [
        *[(spec, LIST) for spec in ("", "robot:3", "random:3")],
        *[(spec, f"for example uct:1000; got {spec!r}.") for spec in ("robot:3", "random:3")],
        *[(f"uct:{n}", f"`DIVES` of uct {WHOLE} {n}.") for n in ("0", "-5", "1.5", "nan")],
        *[(spec, f"`DIVES` of uct {WHOLE} ''.") for spec in ("uct", "uct:")],
        ("uct:x", f"`DIVES` of uct {WHOLE} 'x'."),
        ("flat:inf", f"`GAMES` of flat {WHOLE} inf."),
        ("time:0", "`SECONDS` of time must be a finite number above 0; got 0."),
        *[(f"{kind},c=1", "must follow uct or time, ") for kind in ("flat:9", "random", "hard")],
        ("uct:9,d=1", LIST),
        ("uct:9,c", f"`c` {ABOVE} ''"),
        ("uct:9,c=-1", f"`c` {ABOVE} -1"),
        ("uct:9,z=nan", f"`z` {ABOVE} nan"),
    ],
)
def test_a_wrong_name_or_constant_is_refused(spec, error):
    with pytest.raises(ValueError, match="got") as raised:
        strategy_called(tic_tac_toe, spec)
    assert error in str(raised.value)


@pytest.mark.parametrize("game", [pytest.param(gomoku, marks=pytest.mark.slow), BIG_TWO])
def test_perfect_play_of_a_large_game_is_refused(game):
    with pytest.raises(
        ValueError,
        match=r"Gomoku is too large for exact values|Big Two hides information",
    ):
        strategy_called(game, "perfect")


def test_levels_differ_by_an_open_three():
    """The easy one does not look for two wins at once; the others stop them."""
    board = position_called(gomoku, ["h8", "a1", "i8", "o1", "j8"])
    turn = turn_at(gomoku, board, None)
    for level in ("medium", "hard"):
        move = player_called(gomoku, level)(turn, Random(7))
        assert gomoku.display.label(board, move) in {"f8", "g8", "k8", "l8"}
    games = [player_called(gomoku, level).report(turn, {}).game for level in LEVELS]
    assert [len(game.moves(board, None)) for game in games] == [12, 2, 2]


def test_the_dives_of_a_level_follow_from_the_game():
    dives = [dives_at(game, "hard") for game in (tic_tac_toe, BIG_TWO, gomoku)]
    assert dives == [5000, 2500, 1000]
    assert dives_at(gomoku._replace(name="Mine", max_turns=999), "hard") == 1000
    games = tic_tac_toe, gomoku, reversi(), BIG_TWO
    assert [hint_dives(game, 10_000) for game in games] == [10_000, 2_000, 8_000, 5_000]
    assert hint_dives(gomoku, 1) == 1
    assert [dives_at(reversi(), level) for level in LEVELS] == [50, 50, 4000]  # with tactics
    turn = turn_at(last_coin(), Pile(21), None)
    assert LEVELS == {"easy": 50, "medium": 500, "hard": 5000}, "docs/play.md has these numbers"
    for level, n in LEVELS.items():
        tree = last(player_called(last_coin(), level).trees(turn, Random(7)))
        assert tree[Pile(21)].visits == n == dives_at(last_coin(), level)


@pytest.mark.parametrize("game", [mnk(6, 6, 4), reversi(6)], ids=["four in a row", "reversi"])
def test_a_level_with_tactics_plays_another_game_with_another_seed(game):
    medium = strategy_called(game, "medium")
    lines = [
        [turn.state for turn in turns(game, game.start, [medium] * 2, Random(seed))]
        for seed in (1, 1, 2)
    ]
    assert lines[0] == lines[1] != lines[2]
