"""Strategies, games between them, and matches."""

from argparse import Namespace
from functools import partial
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.determinize import view_turn
from purembts.game import Game, first_position, turn_at
from purembts.games import last_coin, mnk
from purembts.games.big_two import big_two, deal
from purembts.games.shut_the_box import shut_the_box
from purembts.knowledge.narrowing import informed
from purembts.play import match, play_game, turns
from purembts.players import flat_player, perfect_player, random_player, think, uct_player
from purembts.records import Record, interval, mean, tally
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds

coins = last_coin.last_coin()
tic_tac_toe = mnk.tic_tac_toe


def first_legal(turn, rng):
    """The first of the moves."""
    return turn.moves[0]


PLAYERS = {
    "random": lambda game: random_player,
    "first legal": lambda game: first_legal,
    "flat": lambda game: flat_player(game, 5),
    "UCT": lambda game: uct_player(game, 5),
    "UCT, best mean": lambda game: uct_player(game, 5, final=mean, rollouts=2),
    "perfect": perfect_player,
}
SMALL = {
    "coin game": (coins, last_coin.Pile(5)),
    "tic-tac-toe": (tic_tac_toe, mnk.Board(0b0001_0010, 0b0010_0000_0001)),
    "two in a row": (mnk.mnk(3, 2, 2, exactly=True), mnk.Board()),
    "Shut the Box": (shut_the_box(), frozenset({1, 2, 3, 4})),
    "three players": (random_game(2, players=3, size=10), 0),
}


@pytest.mark.parametrize("player", PLAYERS.values(), ids=PLAYERS)
@given(st.sampled_from(list(SMALL.values())), seeds)
def test_a_strategy_answers_with_a_move_and_repeats_it_with_the_same_seed(
    player, game_and_state, seed
):
    game, state = game_and_state
    seats = [player(game)] * game.players
    played = list(turns(game, state, seats, Random(seed)))
    assert played == list(turns(game, state, seats, Random(seed)))
    assert played[0].state == state
    for turn, after in pairwise(played):
        assert turn == turn_at(game, turn.state, turn.event)
        assert after.state in turn.moves
    assert not played[-1].moves
    assert play_game(game, state, seats, Random(seed)) == game.result(played[-1].state)


THREE = random_game(2, players=3, size=10)


@given(st.sampled_from([tic_tac_toe, THREE, THREE._replace(result=lambda at: (2, 1, 1))]), seeds)
def test_a_match_is_its_games(game, seed):
    """Game i is played from its own seed, with everybody i seats up."""
    k = game.players
    players = (flat_player(game, 4), random_player, first_legal)[:k]
    results = [
        play_game(game, game.start, [players[(seat - i) % k] for seat in range(k)], rng)
        for i, rng in enumerate(Random(f"{seed}/{i}") for i in range(7))
    ]
    for player, row in enumerate(match(game, players, 7, seed=seed)):
        seats = [(player + i) % k for i in range(7)]
        scores = [result[seat] for seat, result in zip(seats, results, strict=True)]
        others = [max(r[:seat] + r[seat + 1 :]) for seat, r in zip(seats, results, strict=True)]
        leads = [score - other for score, other in zip(scores, others, strict=True)]
        assert (row.games, row.mean) == (7, pytest.approx(sum(scores) / 7))
        assert row.wins == sum(lead > 0 for lead in leads)
        assert (row.draws, row.losses) == (leads.count(0), 7 - row.wins - row.draws)
        record = tally([(score,) for score in scores])
        assert row.interval == interval(record, score_range=game.score_range)


def test_an_answer_that_is_no_move_is_refused():
    with pytest.raises(ValueError, match=r"^The strategy of player 1 must .* got 2 at Pile\(coin"):
        play_game(coins, coins.start, (lambda turn, rng: 2,) * 2)


# Deals


def some_pile(rng):
    return last_coin.Pile(10 + int(rng.random() * 10))


dealt = coins._replace(deal=some_pile)


def test_every_seating_of_every_deal_is_played():
    """Three strategies for two seats: six games a deal, of which each is in four."""
    players = (perfect_player(coins), random_player, first_legal)
    perfect, chance, first = match(dealt, players, 180, seed=7)
    assert perfect.games == chance.games == first.games == 120
    assert perfect.wins > chance.wins
    assert perfect.mean + chance.mean + first.mean == pytest.approx(1.5)
    assert perfect.interval[0] < perfect.mean < perfect.interval[1]
    assert {each.games for each in match(dealt, players, 1, seed=7)} == {8}, "two deals at least"


def test_the_interval_of_deals_is_over_the_deals():
    """What a deal scores is one observation, however many seatings it has."""
    players = (random_player, first_legal)
    own, _ = match(dealt, players, 24, seed=7)
    means = []
    for i in range(12):
        start = some_pile(Random(f"7/{i}"))
        one = play_game(coins, start, players, Random(f"7/{i}/0"))[0]
        other = play_game(coins, start, players[::-1], Random(f"7/{i}/1"))[1]
        means.append((one + other) / 2)
    assert own.mean == pytest.approx(sum(means) / 12)
    half = 1.96 * stdev(means) / sqrt(12)
    assert own.interval == pytest.approx((own.mean - half, own.mean + half))


def test_the_interval_of_deals_is_within_the_range_of_the_scores():
    """The seatings that an executor left out do not count as deals."""
    players = (perfect_player(coins), random_player, first_legal)
    for n in range(2, 9):
        for standing in match(dealt, players, 6 * n, seed=n):
            assert 0 <= standing.interval[0] <= standing.interval[1] <= 1
    for done in (2, 9, 12):
        first = Namespace(map=lambda work, tasks, n=done: map(work, [*tasks][:n]))
        perfect, *_ = match(dealt, players, 30, seed=7, executor=first)
        assert (perfect.interval == (0, 1)) == (done < 12)
        assert perfect.games == {2: 2, 9: 7, 12: 8}[done]


def test_more_strategies_than_seats_play_all_seatings_of_the_start():
    """The games are independent, so the interval is that of a record."""
    many = (random_player, first_legal, random_player)
    same = coins._replace(deal=partial(lambda start, rng: start, coins.start))
    for asked, rounds in ((30, 5), (25, 5), (7, 2)):
        games = match(coins, many, asked, seed=7)
        over_deals = match(same, many, 6 * rounds, seed=7)
        assert [each[:-1] for each in games] == [each[:-1] for each in over_deals]
        for each in games:
            record = Record(each.games, (each.mean * each.games,))
            assert each.interval == pytest.approx(interval(record)), "independent games"
    assert {each.games for each in match(coins, many, 1, seed=7)} == {4}
    assert match(same, many[:2], 9, seed=7, start=coins.start) == match(coins, many[:2], 9, seed=7)


def test_a_game_of_one_player_is_played_alone_from_the_same_deals():
    alone = Game(
        moves=lambda n, event: (n - 1,) if n else (),
        result=lambda n: (0.5,),
        to_move=lambda n: 0,
        name="Patience",
        players=1,
        start=3,
    )
    assert play_game(alone, 3, (random_player,)) == (0.5,)
    for game in (alone, alone._replace(deal=lambda rng: 1 + int(rng.random() * 3))):
        for standing in match(game, (random_player, first_legal), 9, seed=7):
            assert (standing.games, standing.mean, standing.draws) == (9, 0.5, 9)


def test_in_a_game_where_one_player_moves_each_strategy_plays_alone():
    """Shut the Box has two sides, and the box never moves."""
    box = frozenset({1, 2, 3})
    how = {"seed": 7, "start": box}
    perfect, random = match(
        shut_the_box(), (perfect_player(shut_the_box()), random_player), 50, **how
    )
    assert perfect.games == random.games == 50
    assert perfect == match(shut_the_box(), (perfect_player(shut_the_box()),) * 2, 50, **how)[0]
    [alone] = match(shut_the_box(), (perfect_player(shut_the_box()),), 50, **how)
    assert (alone.games, alone.mean) == (50, perfect.mean)
    assert play_game(shut_the_box(), box, (random_player, None), Random(7)) in {(1, 0), (0, 1)}


@pytest.mark.parametrize(
    "strategy",
    [
        random_player,
        uct_player(coins, 10),
        flat_player(coins, 10),
        perfect_player(coins),
        lambda turn: think(coins, {}, turn, 10),
    ],
)
def test_a_turn_without_moves_is_refused(strategy):
    over = turn_at(coins, last_coin.Pile(0), None)
    with pytest.raises(ValueError, match="`turn` must have moves; got the end of the game, Turn"):
        strategy(over)


def test_the_options_of_a_search_reach_it():
    turn = turn_at(tic_tac_toe, tic_tac_toe.start, None)

    def refused(*how):
        raise ArithmeticError

    cards = big_two()
    seen = view_turn(cards, turn_at(cards, cards.deal(Random(8)), None))
    for game, at in ((tic_tac_toe, turn), (cards, seen)):
        with pytest.raises(ValueError, match=r"^`bound` must .* ArithmeticError"):
            uct_player(game, 30, bound=refused)(at, Random(7))
        with pytest.raises(ValueError, match=r"^`playout` of .* ArithmeticError"):
            uct_player(informed(game, refused), 30)(at, Random(7))
    *_, tree = uct_player(tic_tac_toe, 30, rollouts=3).trees(turn, Random(7))
    assert tree[turn.state].visits == 90
    for player in (uct_player, flat_player):
        with pytest.raises(TypeError, match="rollout"):
            player(tic_tac_toe, 30, rollout=3)


# First positions


def test_a_deal_comes_before_a_start_and_a_position_that_is_given_before_both():
    both = big_two()._replace(start=deal(Random(1)))
    assert first_position(both, Random(2)) == deal(Random(2)) != deal(Random(3))
    assert first_position(both, Random(2), deal(Random(8))) == deal(Random(8))
    assert first_position(coins, None) == coins.start


@pytest.mark.parametrize("game", [coins._replace(start=None), big_two()._replace(deal=None)])
def test_a_game_without_both_needs_a_position(game):
    with pytest.raises(ValueError, match=f"`start` must be a position, as {game.name} has no"):
        first_position(game, Random(7))
