"""Each law of games has a game that breaks it, and is found with a short line of moves."""

import random
import re
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

import pytest

from marks import cases
from purembts.display import Codec, Display, Hidden, Squares
from purembts.game import Game, with_playout
from purembts.games.mnk import tic_tac_toe
from purembts.games.shut_the_box import shut_the_box
from purembts.verify.checking import check, report, verdicts
from purembts.verify.game_laws import LAWS
from purembts.verify.strategies import Line
from toys import Guess, guessing_game, seen_guess


def moves(coins, event):
    return tuple(coins - k for k in (1, 2) if k <= coins)


def result(coins):
    return (1, 0)


def to_move(coins):
    return coins % 2


def label(before, after):
    return f"take {before - after}"


def faster(game, coins, rng):
    return (1, 0)


def mirror(coins):
    return coins


pile = with_playout(
    Game(
        moves,
        result,
        to_move,
        name="Pile",
        start=6,
        display=Display(label=label),
        json=Codec(int, int),
        symmetries=(mirror,),
    ),
    faster,
)
"""A game that keeps all laws."""


class Cards(NamedTuple):
    """A pile in a list, which can be changed."""

    coins: list


@dataclass(unsafe_hash=True)
class Heap:
    coins: int


@dataclass(frozen=True)
class FrozenHeap:
    coins: int


def of_heaps(kind):
    return pile._replace(
        moves=lambda heap, event: tuple(kind(coins) for coins in moves(heap.coins, event)),
        to_move=lambda heap: heap.coins % 2,
        start=kind(6),
        display=Display(),
        json=None,
        symmetries=(),
    )


def remembered_moves():
    calls = count()

    def moves_or_one(coins, event):
        return moves(coins, event)[: 1 + next(calls) % 2]

    return moves_or_one


def from_set(levers, event):
    return tuple(levers - {lever} for lever in levers)


def sorted_set(levers, event):
    return tuple(levers - {lever} for lever in sorted(levers))


sets = pile._replace(
    moves=from_set,
    to_move=len,
    players=20,
    result=lambda levers: (1,) + (0,) * 19,
    start=frozenset([1, 9, 17]),
    display=Display(),
    json=None,
    symmetries=(),
    playout=None,
)


def listing(coins, event):
    return [*moves(coins, event)] if coins != 4 else (3, 3)


def draw_of(coins):
    return (1, 0) if coins else (random.random(), 0)


@dataclass(frozen=True)
class Half:
    """A pile that forgets in comparisons who has to move."""

    coins: int
    player: int = field(compare=False)


def half_moves(half, event):
    return tuple(Half(half.coins - k, 1 - half.player) for k in (1, 2) if k <= half.coins)


class MyError(Exception):
    pass


def failing(coins, event):
    if coins == 2:
        raise MyError("two")
    return moves(coins, event)


def fails_at_the_end(game, coins, rng):
    return (1, 0) if coins else (0, 1)


BROKEN = {
    "equality that ignores the player": (
        pile._replace(
            moves=half_moves,
            to_move=lambda half: half.player,
            start=Half(6, 0),
            display=Display(),
            json=None,
            symmetries=(),
            playout=None,
        ),
        "transpositions agree",
        "`to_move` has another value for an equal position, reached in another way, at Half",
    ),
    "a rule that raises an error of its own": (
        pile._replace(moves=failing),
        "functions have values|moves are a sequence",
        "MyError: two",
    ),
    "a playout that is wrong at the end": (
        pile._replace(playout=fails_at_the_end),
        "playouts have results",
        r"The playout must have the result of a game that has ended at 0; got \(0, 1\)",
    ),
    "worlds without the truth": (
        guessing_game._replace(
            hidden=Hidden(seen_guess, lambda seen, rng: (Guess(False, seen.stage) for _ in count()))
        ),
        "worlds are uniform",
        "`worlds` never draws the position itself at Guess",
    ),
    "chances is empty": (
        pile._replace(chances=lambda coins: ()),
        "functions have values",
        "`chances` of Pile must return a sequence, with at least one event",
    ),
    "moves is a generator further on": (
        pile._replace(moves=lambda coins, event: moves(coins, event) if coins > 3 else iter(())),
        "moves are a sequence|functions have values",
        "`moves` of Pile must return a sequence, for example a tuple; got <.*iterator .* at 3",
    ),
    "no events further on": (
        pile._replace(chances=lambda coins: (None,) if coins > 3 else ()),
        "functions have values",
        "`chances` of Pile must return a sequence, with at least one event, .* at 3",
    ),
    "a move twice": (
        pile._replace(moves=listing),
        "moves are a sequence",
        "3 is listed 2 times at 4",
    ),
    "a move that changes nothing": (
        pile._replace(moves=lambda coins, event: (*moves(coins, event), coins)),
        "moves are a sequence",
        "A move changes nothing at 6",
    ),
    "a player too many": (
        pile._replace(to_move=lambda coins: 2 if coins == 3 else 0),
        "functions have values",
        "`to_move` of Pile must be from 0 to 1; got 2 at 3",
    ),
    "a circle": (
        pile._replace(moves=lambda coins, event: ((coins + 1) % 7,)),
        "no position comes back",
        "6 comes back after 5",
    ),
    "two points": (
        pile._replace(result=lambda coins: (2, 0)),
        "functions have values",
        r"A result of Pile must be scores from 0 to 1, `score_range`; got \(2, 0\) from 0",
    ),
    "two winners": (
        pile._replace(result=lambda coins: (1, 1)),
        "results are in range",
        r"The scores must add up to 1, `score_sum`; got \(1, 1\) from 0",
    ),
    "a random result": (
        pile._replace(result=draw_of, score_sum=None),
        "same again",
        "`result` has another value when it is called again at 0",
    ),
    "moves that alternate": (
        pile._replace(moves=remembered_moves()),
        "same again",
        r"`moves with None` has another value when it is called again at .*: \[|from call to call",
    ),
    "a list in the position": (
        of_heaps(Cards)._replace(start=Cards([6])),
        "functions have values",
        r"A position must be hashable; got Cards\(coins=\[6\]\): unhashable",
    ),
    "a dataclass that can change": (
        of_heaps(Heap),
        "positions are values",
        r"A position must be immutable; got a Heap whose `coins` can be assigned in .*Heap\(",
    ),
    "the order of a set": (
        sets,
        "positions are values",
        "`moves with None` has another value for an equal position, built in another way",
    ),
    "no end": (
        pile._replace(
            moves=lambda coins, event: (coins + 1,), start=0, max_turns=1000, symmetries=()
        ),
        "games end",
        "Pile must end within 1,000 turns",
    ),
    "two moves of one name": (
        pile._replace(display=Display(label=lambda before, after: "take")),
        "moves have names",
        "2 moves have the name 'take' at 6",
    ),
    "a name that is a number": (
        pile._replace(display=Display(label=lambda before, after: after)),
        "moves have names",
        "`label` must return a text; got 5",
    ),
    "a name that is not taken as it is": (
        pile._replace(display=Display(label=label, typed_move=lambda coins, text: text[:-1])),
        "moves have names",
        "The move must be one of these: take 1.*; got 'take",
    ),
    "names that differ in their case alone": (
        pile._replace(display=Display(label=lambda before, after: "aA"[before - after - 1])),
        "moves have names",
        "The name 'A' must lead to its move at",
    ),
    "a view without a text": (
        guessing_game._replace(display=Display(show=lambda state: f"{state.heads}")),
        "moves have names",
        "no attribute 'heads'",
    ),
    "a short text of two lines": (
        pile._replace(display=Display(label=label, short=lambda coins: "6\n5")),
        "moves have names",
        "`short` must return a text of one line",
    ),
    "rows of different lengths": (
        pile._replace(
            display=Display(label=label, squares=lambda coins: Squares((("x",), ("x", "o"))))
        ),
        "moves have names",
        "`squares` must return rows of equal length",
    ),
    "a picture in the place of text": (
        pile._replace(display=Display(show=lambda coins: coins, label=label)),
        "moves have names",
        "`show` must return a text; got 6",
    ),
    "a lambda": (
        pile._replace(to_move=lambda coins: coins % 2),
        "games pickle",
        "Pickling raises ",
    ),
    "two positions written alike": (
        pile._replace(json=Codec(lambda coins: coins // 2, lambda value: 2 * value)),
        "JSON there and back",
        r"is written . and comes back as|are both written",
    ),
    "a position that comes back otherwise": (
        pile._replace(json=Codec(int, str)),
        "JSON there and back",
        "6 is written 6 and comes back as '6'",
    ),
    "two views written alike": (
        guessing_game._replace(
            hidden=guessing_game.hidden._replace(json=Codec(lambda view: 0, lambda value: value))
        ),
        "JSON there and back",
        r"are both written 0|is written 0 and comes back as 0",
    ),
    "a playout for one player": (
        with_playout(pile._replace(result=lambda coins: (0, 1)), faster),
        "playouts agree",
        "do not fit one distribution",
    ),
    "a symmetry that is none": (
        pile._replace(symmetries=(lambda coins: coins // 2,)),
        "symmetries hold",
        "The moves of the image . are not the images of the moves at",
    ),
    "a symmetry that exchanges the players": (
        tic_tac_toe._replace(symmetries=(lambda board: board._replace(first=board.second),)),
        "symmetries hold",
        "The moves of the image|The image .* has another",
    ),
    "a view that shows the coin": (
        guessing_game._replace(hidden=Hidden(lambda state, player: state, guessing_game.hidden[1])),
        "views hide",
        "The view of player 0 shows what is hidden, or a world does not fit it",
    ),
    "worlds of another stage": (
        guessing_game._replace(
            hidden=Hidden(seen_guess, lambda seen, rng: iter([Guess(True, "safe")] * 9_999))
        ),
        "views hide",
        "shows what is hidden, or a world does not fit it",
    ),
    "worlds with other moves": (
        guessing_game._replace(
            moves=lambda state, event: guessing_game.moves(state, event) if state.heads else (),
            score_sum=None,
        ),
        "views hide",
        "Player 0 has other moves at the world",
    ),
    "a coin that is loaded": (
        guessing_game._replace(
            hidden=Hidden(
                seen_guess,
                lambda seen, rng: (Guess(rng.random() < 0.7, seen.stage) for _ in count()),
            )
        ),
        "worlds are uniform",
        "do not fit equal probabilities",
    ),
    "worlds that end": (
        guessing_game._replace(
            hidden=Hidden(seen_guess, lambda seen, rng: iter([Guess(True, seen.stage)]))
        ),
        "worlds are uniform",
        "`worlds` must have no end; it ended at",
    ),
}


def verdict_of(game, law):
    """The verdict of the first law that is broken among those with the names in `law`."""
    names = law.split("|")
    found = verdicts(game, examples=30)
    return next(each for each in found if each.status == "broken" and each.law in names)


SLOW = ("no end", "a playout for one player", "worlds that end", "a lambda")


@pytest.mark.parametrize(("game", "law", "message"), cases(BROKEN, slow=SLOW))
def test_a_broken_law_is_found(game, law, message):
    found = verdict_of(game, law)
    assert re.search(message, found.message)
    assert found.advice


def first_always_wins(game, coins, rng):
    return (1, 0) if coins else result_of_parity(0)


def result_of_parity(coins):
    return (1, 0) if coins % 2 else (0, 1)


def test_a_policy_that_somebody_chose_need_not_play_at_random():
    """But it must have right results. A fast playout is held to more."""
    game = pile._replace(result=result_of_parity)
    chosen = game._replace(playout=first_always_wins)
    laws = [law for law in LAWS if "playouts" in law.name]
    found = verdicts(chosen, laws=laws, examples=10)
    assert [verdict.status for verdict in found] == ["kept", "not tried"]
    fast = verdicts(with_playout(game, first_always_wins), laws=laws, examples=10)
    assert [verdict.status for verdict in fast] == ["kept", "broken"]


def test_check_raises_an_error_with_each_broken_law():
    game, law, message = BROKEN["two winners"]
    message = rf"Pile breaks 4 of its laws\.\n{law}: {message}.\n(  .*\n)+  What to do: Return"
    with pytest.raises(AssertionError, match=message):
        check(game, examples=10)
    check(pile, examples=10, laws=[game_law for game_law in LAWS if "pickle" not in game_law.name])


@pytest.mark.parametrize(
    "game",
    [pile, of_heaps(FrozenHeap), sets._replace(moves=sorted_set), guessing_game],
    ids=["pile", "dataclass", "sets", "hidden coin"],
)
def test_a_right_game_passes(game):
    """These games are made of lambdas, but for the first."""
    broken = {found.law for found in verdicts(game, examples=30) if found.status == "broken"}
    assert broken == (set() if game is pile else {"games pickle"})


def test_every_law_has_a_game_that_breaks_it():
    tried = {law for _, names, _ in BROKEN.values() for law in names.split("|")}
    assert tried == {law.name for law in LAWS}


def test_the_line_to_a_broken_law_is_the_shortest():
    """Of 6 coins, 0 are left after three moves at the earliest."""
    found = verdict_of(BROKEN["two points"][0], "functions have values")
    assert found.line == Line((6, 4, 2, 0), (None,) * 3)
    assert list(report(pile, found))[1:5] == ["  1. take 2", "  2. take 2", "  3. take 2", "  0"]


def test_the_report_tells_the_moves_in_the_words_of_the_game():
    game = shut_the_box()

    def forgetful(box, roll):
        if len(box) == 7:
            return game.moves(box, roll)[:1] * 2
        return game.moves(box, roll)

    found = verdict_of(game._replace(moves=forgetful, playout=None), "moves are a sequence")
    text = list(report(game, found))
    assert text[0].startswith("moves are a sequence: frozenset({")
    assert text[1].startswith("  1. drawn ")
    assert "shut" in text[1]
    assert len(text[2].split("up")[0])
    assert text[-1] == "  What to do: " + found.advice


def test_what_a_basis_law_breaks_is_not_tried_further():
    found = list(verdicts(pile._replace(moves=lambda coins, event: {1})))
    assert [verdict.status for verdict in found] == ["broken"] + ["not tried"] * (len(LAWS) - 1)
    assert found[1].message == "It needs the law: functions have values."


def test_no_time_is_no_verdict():
    found = list(verdicts(pile, examples=10, go_on=lambda: False))
    assert {verdict.status for verdict in found} == {"not tried"}
    assert "There was no time left." in {verdict.message for verdict in found}


def test_the_same_seed_has_the_same_verdicts():
    game = BROKEN["two winners"][0]
    once, again = (list(verdicts(game, seed=5, examples=10)) for _ in range(2))
    assert once == again


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="`start` must be a position, as Pile has no start"):
        check(pile._replace(start=None))


def test_a_game_that_deals_is_tried_from_a_deal():
    drawn = []

    def deal(rng):
        drawn.append(6 + int(3 * rng.random()))
        return drawn[-1]

    check(pile._replace(start=None, deal=deal, symmetries=()), examples=3, laws=LAWS[:4], seed=2)
    assert drawn == [6 + int(3 * random.Random(2).random())]
    with pytest.raises(ValueError, match="`examples` must be a whole number of at least 1; got 0"):
        check(pile, examples=0)
