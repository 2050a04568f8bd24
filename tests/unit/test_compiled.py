"""Compiled loops: the results of plain Python, to the last bit and the next random number.

The tests of `test_engine` run over them as well.
"""

import os
import random as python_random
import shutil
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import islice
from math import inf, sqrt
from operator import truediv
from pathlib import Path
from random import Random, SystemRandom

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from new_process import printed
from planted import balanced
from purembts.bounds import Bound, ucb1, ucb1_with, ucb_wald, wald_with
from purembts.chance import random as shared
from purembts.fast import compiled, links
from purembts.fast.curves import backed_up_ranks, flat_of, ranks_of, value
from purembts.fast.engine import search, search_parallel, simulate, strides
from purembts.game import turn_at
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.shut_the_box import full_box, shut_the_box
from purembts.records import Record
from purembts.verify.random_games import random_game
from purembts.verify.strategies import seeds
from toys import Counting, Pile, chain, pile_game, small_games

pytest.importorskip("numba")

assert compiled._loaded()
KERNEL = compiled._kernel
stb, small_pile = shut_the_box(), pile_game._replace(is_small=True)
GAMES = {
    "Shut the Box": (stb, full_box()),
    "one die at the end": (shut_the_box(one_die_end="sum"), full_box()),
    "three dice": (shut_the_box(levers=7, dice=3), full_box(7)),
    "tic-tac-toe": (tic_tac_toe, tic_tac_toe.start),
    "two in a row": (mnk(3, 2, 2), mnk(3, 2, 2).start),
    "a pile": (small_pile, Pile(12)),
    "three players": (random_game(3, players=3)._replace(is_small=True), 0),
}
all_games = st.sampled_from(list(GAMES.values())) | small_games


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Begin without linked positions, and with compiled loops from the first dive on."""
    monkeypatch.setattr(links, "_memory", [])
    monkeypatch.setattr(compiled, "_patience", 0.0)
    monkeypatch.setattr(compiled, "tell", str)


@pytest.fixture
def count(monkeypatch):
    """The number of strides and simulations that were compiled."""
    done = []

    def counting(name):
        word = getattr(compiled, name)

        def counted(*how):
            answer = word(*how)
            done.extend([name] * (answer is not None))
            return answer

        return counted

    monkeypatch.setattr(compiled, "_tree_after", counting("_tree_after"))
    monkeypatch.setattr("purembts.fast.engine.compiled_results", counting("compiled_results"))
    return lambda: len(done)


def in_python(work):
    """The value of `work()` without compiled loops."""
    before = compiled._patience
    compiled.use_compiled(False)
    try:
        return work()
    finally:
        compiled._patience = before


def check_same(work, seed=7):
    """`work(rng)` has the same value in both forms, and draws as much."""
    one, two = Random(seed), Random(seed)
    one.gauss(0, 1)  # which keeps a second number
    two.gauss(0, 1)
    plain, fast = in_python(lambda: work(one)), work(two)
    assert fast == plain
    assert one.getstate() == two.getstate()
    return fast


@given(all_games, seeds, st.integers(1, 1500))
def test_random_games_are_the_same(game_and_state, seed, n):
    check_same(lambda rng: simulate(*game_and_state, n, rng), seed)


@given(
    st.builds(random_game, seeds, st.just(1)) | st.builds(random_game, seeds).map(balanced),
    seeds,
    st.integers(1, 200),
)
@example(stb, 7, 2000)
def test_values_of_trees_are_the_same(game, seed, dives):
    flat = flat_of(game, game.start)
    means = ranks_of(flat, search(game, {}, game.start, dives, Random(seed)))

    def work():
        ranks = backed_up_ranks(flat, means)
        return value(flat, means), value(flat, ranks), ranks

    assert compiled.loops_in_use()
    assert work() == in_python(work)


# Generators


class Halves(Random):
    """A generator that looks like Python's."""

    def random(self):
        return super().random() / 2


def replaced(seed):
    """A generator of Python with another method."""
    rng = Random(seed)
    rng.random = Halves(seed).random
    return rng


@pytest.mark.parametrize("make", [Halves, Counting, replaced, type("Rng", (Random,), {})])
def test_another_generator_is_not_compiled(make, count):
    one, two = make(7), make(7)
    game = partial(search, stb, {}, full_box(), 500)
    assert game(one) == in_python(lambda: game(two))
    assert one.random() == two.random()
    assert search(stb, {}, full_box(), 9, SystemRandom())[full_box()].visits == 9
    assert count() == 0


@pytest.mark.parametrize("rng", [shared, python_random])
def test_the_generator_of_the_module_is_compiled(rng, count):
    kept = python_random.getstate()
    try:
        python_random.seed(7)
        fast, after = search(stb, {}, full_box(), 5000, rng), python_random.random()
    finally:
        python_random.setstate(kept)
    same = Random(7)
    assert fast == in_python(lambda: search(stb, {}, full_box(), 5000, same))
    assert after == same.random()
    assert count() == 1


# What is compiled, and what is not

BOX, TURN = full_box(), turn_at(stb, full_box(), 7)
FLOATS = {BOX: Record(3, (1.0, 2)), BOX - {9}: Record(2, (0.0, 2))}
THIRDS = small_pile._replace(result=lambda pile: (Fraction(1, 3), Fraction(2, 3)))
RARE = small_pile._replace(to_move=lambda pile: 1 / 0 if pile == Pile(1, 0) else pile.player)
UNEVEN = small_pile._replace(result=lambda pile: (0.1, 0.7) if pile.player else (0.3, 1 / 3))
"""Floats that do not add up exactly: the first result comes first."""


def searched(bound, game=stb, state=BOX, dives=200, tree=None):
    return lambda rng: search(game, tree or {}, state, dives, rng, bound=bound)


def from_turn(turn):
    return lambda rng: list(islice(strides(stb, {}, BOX, 99, rng, turn=turn), 3))


def after_words(words):
    """A simulation after some words of the generator. An odd number of them is not compiled."""
    return lambda rng: [rng.getrandbits(32) for _ in range(words)] and simulate(stb, BOX, 3, rng)


SAME = {
    **{
        f"a long search, {name}, {b.name}": (searched(b, *GAMES[name], 20_000), 1)
        for name in ("Shut the Box", "two in a row", "three players")
        for b in (ucb1, ucb_wald)
    },
    "many random games": (lambda rng: simulate(*GAMES["three players"], 50_000, rng), 1),
    "uneven random games": (lambda rng: simulate(UNEVEN, Pile(12), 999, rng), 1),
    "uneven dives": (searched(ucb1, UNEVEN, Pile(12), 999), 1),
    "a turn": (from_turn(TURN), 2),
    "a turn with few moves": (from_turn(TURN._replace(moves=TURN.moves[:2])), 0),
    "a turn of no event": (from_turn(TURN._replace(event=13)), 0),
    **{f"{n} words": (after_words(n), n % 2 == 0) for n in (1, 2, 311, 312, 313, 623, 624, 1000)},
    **{
        f"bound {i}, renamed": (searched(b._replace(name="mine"), dives=900), 1)
        for i, b in enumerate((ucb_wald, ucb1, ucb1_with(1), wald_with(1)))
    },
    "a function": (searched(lambda q, n, total: q / n if n else inf), 0),
    "a square root": (searched(Bound("", truediv, sqrt, lambda n: 1 / n)), 0),
    "another own part": (searched(ucb1._replace(own=lambda q, n: -q)), 0),
    "no scale": (searched(ucb1._replace(scale=None)), 0),
    "two bounds": (searched(Bound("", ucb_wald.own, ucb1.scale, ucb1.width)), 0),
    "a tree of floats": (searched(ucb1, dives=300, tree=FLOATS), 1),
    "results of other types": (searched(ucb1, THIRDS, Pile(9), 300), 0),
    "a wrong rule where no dive comes": (searched(ucb1, RARE, Pile(30), 2), 0),
}
"""Works, and how often a stride or a simulation of them is compiled."""


@pytest.mark.parametrize("name", SAME)
def test_what_is_compiled_is_the_same(name, count):
    work, times = SAME[name]
    check_same(work)
    assert count() == times


def test_a_bound_that_fails_does_so_in_python(count):
    bound = ucb_wald._replace(own=lambda score, n: 1 / (9 - n))
    with pytest.raises(ValueError, match=r"^`bound` .*; got ZeroDivisionError: .* visits=9"):
        search(stb, {}, full_box(), 200, Random(7), bound=bound)
    assert count() == 0


UNUSUAL = {
    "huge": Record(10**30, (10**29, 10**30)),
    "above the whole floats": Record(4, (2**53 + 1, 1)),
    "fractions": Record(2, (Fraction(1, 3), 1)),
    "many visits": Record(2**52, (1, 1)),
}


@pytest.mark.parametrize("record", UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_records_are_not_compiled(record, count):
    tree = {full_box() - {9}: record, full_box(): Record(1, (0, 1))}
    one, two = Random(7), Random(7)
    fast = search(stb, tree, full_box(), 300, one)
    plain = in_python(lambda: search(stb, tree, full_box(), 300, two))
    assert sorted(map(repr, fast.items())) == sorted(map(repr, plain.items()))
    assert count() == 0


# When it pays


def kept(game):
    """The linked positions of `game`."""
    return links._links(game)


@pytest.fixture
def clock(monkeypatch):
    """Games and dives of a millisecond, a start of 3 seconds, and a millisecond for a position."""
    monkeypatch.setattr(compiled, "_patience", 1.0)
    monkeypatch.setattr(compiled, "_kernel", None)
    monkeypatch.setattr(compiled, "_timed", lambda work: (work.args[-1] / 1000, work()))
    monkeypatch.setattr(compiled, "_costs", lambda: (3.0, 0.001))


def lengths(*parts, total=0):
    """The trees of a search in strides."""
    return list(strides(stb, {}, BOX, parts, Random(7), total=total))[1:]


def test_it_is_used_once_it_pays(clock, count):
    """The first 224 dives are timed, and the 511 positions take half a second."""
    [long] = lengths(3_600)
    assert (count(), kept(stb).numbers, compiled._kernel) == (0, None, None)
    [longer] = lengths(3_800)
    assert (count(), len(kept(stb).numbers.of)) == (1, 511)
    assert [long, longer] == in_python(lambda: lengths(3_600, 200))
    lengths(249)
    assert count() == 1, "a short call"
    simulate(stb, full_box() - {9}, 251, Random(7))
    assert count() == 2, "the numbers of a game are those of later positions too"


def test_what_is_wanted_in_all_may_be_more_than_the_next_stride(clock, count):
    trees = lengths(*[100] * 36, total=3_600)
    assert count() == 34
    assert trees == in_python(lambda: lengths(*[100] * 36))


def test_many_calls_are_taken_for_a_tenth_of_more(clock, count):
    for _ in range(34):
        lengths(1000)
    assert (count(), round(kept(stb).past)) == (0, 34)
    lengths(1000)
    lengths(1000)
    assert count() > 0


def test_the_time_of_a_dive_falls_on():
    speed = compiled.Speed(kept(stb), part=3)
    for seconds, each, later in [(6, 2, 0), (6, 1, 0.5), (13.2, 1.1, 0.5), (0.024, 0.001, 0)]:
        speed = compiled._speed_after(speed, 1, 0)
        speed = compiled._speed_after(speed, speed.part - 1, seconds)
        assert speed[2:4] == (0, 0)
        assert speed[4:] == pytest.approx((each, later))
    assert kept(stb).past == pytest.approx(25.224)


def test_numbers_have_to_pay_for_their_positions(monkeypatch, clock, count):
    """Tic-tac-toe has 5,478 positions, and nearly all are linked after some thousand games."""
    monkeypatch.setattr(compiled, "_kernel", KERNEL)
    play = partial(simulate, tic_tac_toe, tic_tac_toe.start)
    play(100, Random(1))
    assert count() == 0
    assert play(9_000, Random(1)) == in_python(lambda: play(9_000, Random(1)))
    assert count() == 1


def test_a_game_with_too_many_positions_is_not_compiled(monkeypatch, count):
    monkeypatch.setattr(compiled, "MOST_LINKED", 5477)
    for _ in range(2):
        check_same(lambda rng: simulate(tic_tac_toe, tic_tac_toe.start, 300, rng))
    assert (count(), kept(tic_tac_toe).numbers) == (0, False)
    monkeypatch.setattr(compiled, "MOST_LINKED", 5478)
    check_same(lambda rng: simulate(tic_tac_toe, tic_tac_toe.start, 300, rng))
    assert count() == 0, "they are not listed again"
    kept(tic_tac_toe).numbers = None
    check_same(lambda rng: simulate(tic_tac_toe, tic_tac_toe.start, 300, rng))
    assert count() == 1


def test_a_game_may_have_as_many_positions_as_turns(count):
    """So no game is too long."""
    for most, compiles in ((10, False), (11, True)):
        game = chain._replace(max_turns=most, is_small=True, result=lambda pile: (1, 0))
        if compiles:
            check_same(lambda rng, game=game: simulate(game, Pile(10), 9, rng))
        else:
            with pytest.raises(ValueError, match="must end within 10 turns"):
                simulate(game, Pile(10), 9, Random(7))
        assert count() == compiles


def test_a_game_that_comes_back_is_refused_in_python(count):
    game = small_pile._replace(moves=lambda pile, event: (Pile(1 - pile.coins, 0),), max_turns=90)
    with pytest.raises(ValueError, match="must end within 90 turns"):
        simulate(game, Pile(1), 9, Random(7))
    assert count() == 0


def test_another_first_position_is_numbered_again(count):
    for coins in (9, 30, 12, 40):
        check_same(lambda rng, n=coins: simulate(small_pile, Pile(n), 500, rng))
    assert count() == 4
    assert len(kept(small_pile).numbers.of) == 80


@pytest.mark.parametrize("is_installed", [False, True])
def test_without_the_kernel_nothing_changes(monkeypatch, is_installed, count):
    """Without numba, and where it can compile nothing."""
    monkeypatch.setattr(compiled, "_kernel", None if is_installed else False)
    monkeypatch.setattr(compiled, "import_module", lambda name: 1 / 0)
    check_same(lambda rng: search(stb, {}, full_box(), 2000, rng))
    check_same(lambda rng: simulate(stb, full_box(), 2000, rng))
    assert (count(), compiled._kernel) == (0, False)


@pytest.mark.slow
def test_numba_is_imported_only_once_it_pays():
    code = """
import sys
from purembts import *
search({}, start_box, 10_000)
simulate(100_000)
print('numba' in sys.modules, 'numpy' in sys.modules)
simulate(9_000_000)
print('numba' in sys.modules)
"""
    assert printed("-c", code) == ("False False\nTrue\n", "")


COMMANDS = [
    ("kernel", "simulate --games 2500000", 1),
    ("boards", "search reversi --dives 40000", 2),
]
"""A room of loops, a command that compiles them, and how many rooms it needs."""
SAID = "The dives are compiled now, once on this machine. It takes some seconds."
ALONE = "The dives are compiled now, for this process alone, because of "


@pytest.mark.slow
@pytest.mark.parametrize(("room", "command", "rooms"), COMMANDS)
def test_the_command_line_says_that_it_compiles_once(room, command, rooms, tmp_path):
    run = partial(printed, "-m", "purembts", *command.split(), "--seed", "7")
    first, said = run(NUMBA_CACHE_DIR=str(tmp_path))
    assert said.count(SAID) == 1
    loops = [path.name.partition("-")[0] for path in tmp_path.rglob(f"{room}.*.nbc")]
    assert len(loops) == len({*loops}) > 0, "each loop is compiled for one kind of arguments"
    assert run(NUMBA_CACHE_DIR=str(tmp_path)) == (first, said.replace(SAID, "").lstrip())
    for path in tmp_path.rglob("*.nbi"):
        path.write_bytes(b"damaged")
    again, said = run(NUMBA_CACHE_DIR=str(tmp_path))
    assert (again, said.count(ALONE), said.count(SAID)) == (first, rooms, 0)


@pytest.mark.slow
@pytest.mark.parametrize("has_home", [True, False])
def test_a_package_in_a_folder_that_cannot_be_written(tmp_path, has_home):
    """The compiled loops are in the folder of the user, or else in one that is removed."""
    root = tmp_path / "lib" / "purembts"
    shutil.copytree(Path(compiled.__file__).parents[1], root, ignore=lambda *_: ["__pycache__"])
    (root / "fast" / "__pycache__").touch()  # a file: nobody, not even root, can write in it
    home = tmp_path / "home" if has_home else Path(os.devnull)
    code = """
from random import Random
from purembts.fast import compiled
from purembts import *
compiled.use_compiled(True)
compiled.tell = print
print(simulate(1000, rng=Random(7)), bool(compiled._kernel), compiled.__file__)
"""
    folders = {
        "PYTHONPATH": str(root.parent),
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / ".cache"),
    }
    said, shown = printed("-P", "-c", code, **folders)[0].splitlines()
    plain = in_python(lambda: simulate(stb, full_box(), 1000, Random(7)))
    assert shown == f"{plain} True {root / 'fast' / 'compiled.py'}"
    assert said.startswith(SAID if has_home else f"{ALONE}RuntimeError(")
    assert bool(list(tmp_path.glob("home/.cache/**/kernel.play_games-*.nbi"))) == has_home


# Side by side


def test_threads_give_the_same(count):
    how = {"seed": 7, "chunks": 4, "bound": ucb_wald}
    with ThreadPoolExecutor(2) as executor:
        side_by_side = search_parallel(stb, {}, full_box(), 40_000, **how, executor=executor)
    assert count() == 4
    assert side_by_side == in_python(lambda: search_parallel(stb, {}, full_box(), 40_000, **how))


def check_interrupted(monkeypatch, work):
    """Ctrl-C is heard after 300 of 1,000 dives of `work(n, rng)`, and the generator goes on."""
    done, draws_of = [], compiled.draws_of

    def drawn(source):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(source)
        return draws_of(source)

    monkeypatch.setattr(compiled, "draws_of", drawn)
    one, two = Random(7), Random(7)
    with pytest.raises(KeyboardInterrupt):
        work(1000, one)
    in_python(lambda: work(300, two))
    assert one.getstate() == two.getstate()


def test_an_interrupt_leaves_a_generator_that_goes_on(monkeypatch):
    monkeypatch.setattr(compiled, "BATCH", 100)
    check_interrupted(monkeypatch, lambda n, rng: search(stb, {}, full_box(), n, rng))
