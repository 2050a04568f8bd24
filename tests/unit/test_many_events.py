"""Positions with very many events: what draws them works, and what counts them says so."""

from random import Random

import pytest
from toolz import nth

from purembts.app.sentences import event_line
from purembts.exact import check_solvable, is_solvable, solver
from purembts.fast.engine import search, simulate
from purembts.fast.links import FEW_EVENTS, moves_after
from purembts.game import Game, draw_turn, plain_playout, turn_at
from purembts.mcts import subtree, trees, uct
from purembts.play import match
from purembts.players import backed_up_report, random_player, uct_player
from purembts.proving import backed_up, settled
from purembts.report import reports
from purembts.verify.checking import verdicts

pytestmark = pytest.mark.usefixtures("each_form")


def taken(coins, event):
    """The piles after 1 coin is taken, or after an odd event 1 or 2."""
    return tuple(coins - k for k in (1, 2)[: 1 + event % 2] if k <= coins)


def winner(coins):
    return (1, 0)


def mover(coins):
    return coins % 2


def many(coins):
    return range(2**32)


def some(coins):
    return range(FEW_EVENTS + 1)


GAMES = [
    Game(taken, winner, mover, chances, name="Many", start=9, is_small=is_small)
    for chances in (many, some)
    for is_small in (True, False)
]
each_game = pytest.mark.parametrize("game", GAMES)


def test_more_events_than_a_sequence_can_count_are_refused():
    game = GAMES[0]._replace(chances=lambda coins: range(10**30))
    for use in (uct, search, simulate):
        with pytest.raises(ValueError, match=r"a sequence, .* fewer than 2\*\*63, for"):
            use(game, *([{}] if use is not simulate else []), 9, *([5] if use is not uct else []))


@each_game
def test_a_search_and_a_simulation_draw_them(game):
    one, two = Random(7), Random(7)
    assert search(game, {}, 9, 300, one) == nth(300, trees(game, {}, 9, two))
    assert one.random() == two.random()
    plain = [plain_playout(game, 9, two) for _ in range(50)]
    assert simulate(game, 9, 50, one).scores == tuple(map(sum, zip(*plain, strict=True)))
    assert one.random() == two.random()
    assert moves_after(game, 9, 7) == (8, 7)


@each_game
def test_players_and_their_reports_draw_them(game):
    player, turn = uct_player(game, 20), draw_turn(game, 9, Random(1))
    assert player(turn, Random(7)) in turn.moves
    assert sum(row.wins for row in match(game, (player, random_player), 4, seed=7)) == 4
    tree = search(game, {}, 9, 200, Random(7))
    assert backed_up_report(game, turn, tree).rows
    if game.chances is many:
        assert backed_up(game, tree, 9)[9] == tree[9]
        assert settled(game, tree, 9) == {}
    assert event_line(game, turn_at(game, 0, 5)) == ""


@pytest.mark.parametrize(
    "count",
    [
        lambda game: solver(game)(9),
        lambda game: reports(game, 9, {}),
        lambda game: subtree(game, search(game, {}, 9, 5), 9),
    ],
)
def test_what_counts_them_all_says_their_number(count):
    right = "`chances` of Many must have at most 50,000 events where all are counted"
    with pytest.raises(ValueError, match=f"^{right}; got 4,294,967,296 at 9\\. A search or"):
        count(GAMES[0])
    assert not is_solvable(GAMES[0], 9)
    with pytest.raises(ValueError, match="or one has more than 50,000 events"):
        check_solvable(GAMES[0], 9)
    assert is_solvable(GAMES[2], 9)


def test_laws_look_at_some_of_them():
    assert {verdict.status for verdict in verdicts(GAMES[0], examples=2)} <= {"kept", "not tried"}
