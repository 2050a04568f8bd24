"""Compiled boards: the results of plain Python, and the next random number."""

from functools import partial
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts.bounds import ucb1, ucb1_with, ucb_wald
from purembts.chance import pick
from purembts.fast import bitboards, compiled
from purembts.fast.engine import search, simulate, strides
from purembts.game import plain_playout
from purembts.games.mnk import Board, gomoku, mnk
from purembts.games.reversi import reversi
from purembts.records import Record
from purembts.verify.strategies import seeds
from test_compiled import check_interrupted, check_same, fresh  # noqa: F401 - a fixture

pytest.importorskip("numba")

BOARDS = {
    "Reversi": reversi(),
    "Reversi, 6 by 6": reversi(6),
    "Reversi, 4 by 4": reversi(4),
    "gomoku": gomoku,
    "four in a row": mnk(7, 6, 4),
    "three in a row on a high board": mnk(3, 20, 3),
    "the largest board": mnk(26, 26, 26),
}


@pytest.fixture
def count(monkeypatch):
    """The number of strides, and of leaves with random games, that were compiled."""
    done = {"_tree_on_boards": 0, "_sum_on_boards": 0}

    def counting(name):
        word = getattr(bitboards, name)

        def counted(*how):
            answer = word(*how)
            done[name] += answer is not None
            return answer

        return counted

    for name in done:
        monkeypatch.setattr(bitboards, name, counting(name))
    return lambda: tuple(done.values())


def walked(game, start, seed, moves):
    """The position after some random moves, or the one before the end."""
    rng = Random(seed)
    for _ in range(moves):
        after = game.moves(start, None)
        start = pick(after, rng) if after else start
    return start


def trees(game, state, lengths, rng, **how):
    """The trees of a search in strides."""
    return list(islice(strides(game, {}, state, lengths, rng, **how), len(lengths) + 1))


@given(
    st.sampled_from(list(BOARDS.values())),
    seeds,
    st.integers(0, 60),
    st.lists(st.integers(1, 200), min_size=1, max_size=3),
    st.sampled_from([ucb1, ucb_wald, ucb1_with(0.3)]),
    st.integers(1, 3),
)
def test_dives_on_boards_are_the_same(game, seed, moves, lengths, bound, rollouts):
    state, how = walked(game, game.start, seed, moves), {"bound": bound, "rollouts": rollouts}
    check_same(lambda rng: trees(game, state, lengths, rng, **how), seed)


@given(st.sampled_from([*BOARDS.values()]), seeds, st.integers(0, 60))
def test_random_games_are_the_same(game, seed, moves):
    state = walked(game, game.start, seed, moves)
    check_same(lambda rng: simulate(game, state, 40, rng), seed)
    bound = partial(ucb1)  # a function, so that the dives are made in Python
    check_same(lambda rng: search(game, {}, state, 30, rng, bound=bound), seed)


def test_what_is_compiled(count):
    """Dives on boards, and the random games alone where a bound is a function."""
    check_same(lambda rng: trees(reversi(), reversi().start, [9, 9], rng))
    assert count() == (2, 0)
    check_same(lambda rng: search(gomoku, {}, Board(), 9, rng, bound=partial(ucb1)))
    assert count() == (2, 9)


PLAIN = {
    "another function": reversi()._replace(result=lambda board: (0.5, 0.5)),
    "exactly five": mnk(15, 15, 5, exactly=True),
    "a large board": reversi(10),
    "another policy": gomoku._replace(playout=plain_playout),
}


@pytest.mark.parametrize("game", PLAIN.values(), ids=PLAIN)
def test_other_functions_and_boards_are_played_in_python(game, count):
    check_same(lambda rng: search(game, {}, game.start, 30, rng))
    check_same(lambda rng: simulate(game, game.start, 9, rng))
    assert count() == (0, 0)


def test_the_loops_of_a_room_have_to_pay_for_their_own_start(monkeypatch, count):
    """The kernel may be there for another game."""
    monkeypatch.setattr(compiled, "_patience", 1.0)
    assert compiled._loaded()
    monkeypatch.setattr(compiled, "_costs", lambda: (1e9, 0.0))
    assert bitboards._has_loops()
    for loops, strides_compiled in (None, 0), (bitboards._loops, 1):
        monkeypatch.setattr(bitboards, "_loops", loops)
        search(reversi(), {}, reversi().start, 100, Random(7))
        assert count()[0] == strides_compiled


def test_a_search_goes_on_from_a_tree(count):
    tree = search(reversi(), {}, reversi().start, 300, Random(1))
    state = reversi().moves(reversi().start, None)[0]
    check_same(lambda rng: search(reversi(), tree, state, 300, rng))
    check_same(
        lambda rng: search(reversi(), {**tree, state: Record(9, (4.5, 1.25))}, state, 50, rng)
    )
    assert count() == (3, 0)


@pytest.mark.parametrize("record", [Record(2**53, (2**53, 0)), Record(10**30, (1, 1))])
def test_large_records_are_added_in_python(record, count):
    check_same(lambda rng: search(gomoku, {Board(1): record}, Board(), 30, rng))
    assert count()[0] == 0


def test_space_for_positions_and_moves_grows(count):
    check_same(lambda rng: trees(gomoku, Board(), [400, 800], rng))
    check_same(lambda rng: search(reversi(4), {}, reversi(4).start, 5_000, rng))
    assert count() == (3, 0)


def test_a_stone_beside_a_row_of_the_player_to_move_is_played_as_in_python():
    """No game comes to such a position, but a person can type it."""
    first = sum(1 << i for i in range(5))
    check_same(lambda rng: search(gomoku, {}, Board(first, 0b11111 << 32), 40, rng))
    check_same(lambda rng: simulate(gomoku, Board(first, 0b11111 << 32), 40, rng))


def test_the_end_of_a_game_is_searched(count):
    won = Board(0b11111, 0b1111 << 32)
    check_same(lambda rng: search(gomoku, {}, won, 5, rng, rollouts=3))
    assert count() == (1, 0)


def test_draws_in_python_are_those_of_the_generator():
    one, two = Random(7), Random(7)
    two.random()
    compiled._loaded()
    for rng in (one, two):
        state = rng.getstate()
        with compiled.draws_of(rng) as draws:
            numbers = [draws.random() for _ in range(1000)]
        after = rng.getstate()
        rng.setstate(state)
        assert numbers == [rng.random() for _ in range(1000)]
        assert rng.getstate() == after


def test_an_interrupt_is_heard_between_parts(monkeypatch):
    monkeypatch.setattr(compiled, "BATCH", 1000)
    game = reversi()
    check_interrupted(monkeypatch, lambda n, rng: search(game, {}, game.start, n, rng))


def test_other_threads_run_meanwhile():
    """No loop of a room holds Python's lock, however long it is."""
    assert bitboards._has_loops()
    for room in (compiled._kernel, bitboards._loops):
        loops = [loop for loop in vars(room).values() if hasattr(loop, "targetoptions")]
        assert len(loops) > 2
        assert all(loop.targetoptions["nogil"] for loop in loops)


def test_without_numba_nothing_changes(monkeypatch, count):
    monkeypatch.setattr(compiled, "_kernel", False)
    check_same(lambda rng: search(reversi(), {}, reversi().start, 30, rng))
    assert count() == (0, 0)
