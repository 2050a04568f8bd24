"""Each law of games has a game that breaks it, and is found with a short line of moves.

Most of these games are edits of a right one, which are in game_faults.toml.
"""

import random
import re
import tomllib
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

import pytest

import coin_pile
import toys
from planted import edited
from purembts.chance import pick
from purembts.display import Display, Hidden
from purembts.game import Game, with_playout
from purembts.games.big_two import big_two
from purembts.games.shut_the_box import shut_the_box
from purembts.verify.checking import check, report_lines, verdicts
from purembts.verify.game_laws import LAWS
from purembts.verify.strategies import Walk
from toys import guessing_game

FAULTS = tomllib.loads(Path(__file__).with_name("game_faults.toml").read_text("utf-8"))
pile = coin_pile.game
bare = pile._replace(display=Display(), json=None, playout=None)


@dataclass(unsafe_hash=True)
class Heap:
    coins: int


@dataclass(frozen=True)
class FrozenHeap:
    coins: int


def of_heaps(kind):
    return bare._replace(
        moves=lambda heap, event: tuple(
            kind(coins) for coins in coin_pile.moves(heap.coins, event)
        ),
        to_move=lambda heap: heap.coins % 2,
        start=kind(6),
    )


def from_set(levers, event):
    return tuple(levers - {lever} for lever in levers)


def sorted_set(levers, event):
    return tuple(levers - {lever} for lever in sorted(levers))


sets = bare._replace(
    moves=from_set,
    to_move=len,
    players=20,
    result=lambda levers: (1,) + (0,) * 19,
    start=frozenset([1, 9, 17]),
)


def hands_twice(view, rng):
    for world in big_two().hidden.worlds(view, rng):
        others = [i for i in range(4) if i != view.player]
        hands = [*world.hands]
        hands[others[1]] = hands[others[0]]
        yield world._replace(hands=tuple(hands))


@dataclass(frozen=True)
class Half:
    """A pile that forgets in comparisons who has to move."""

    coins: int
    player: int = field(compare=False)


def half_moves(half, event):
    return tuple(Half(half.coins - k, 1 - half.player) for k in (1, 2) if k <= half.coins)


class Forgetful(NamedTuple):
    """Moves that are fewer after a pickle."""

    most: int = 2

    def __call__(self, coins, event):
        return tuple(coins - k for k in range(1, self.most + 1) if k <= coins)

    def __reduce__(self):
        return Forgetful, (1,)


FAULTY = [
    (
        "games pickle",
        "The pickled game has other answers at [1-6]",
        pile._replace(moves=Forgetful()),
    ),
    (
        "transpositions agree",
        "`to_move` has another value for an equal position, reached in another way, at Half",
        bare._replace(moves=half_moves, to_move=lambda half: half.player, start=Half(6, 0)),
    ),
    (
        "positions are values",
        r"A position must be immutable; got a Heap whose `coins` can be assigned in .*Heap\(",
        of_heaps(Heap),
    ),
    (
        "positions are values",
        "`moves with None` has another value for an equal position, built in another way",
        sets,
    ),
    (
        "worlds are dealt",
        "The world .* of the view of player 0 is no deal; '.*' is there too",
        big_two()._replace(hidden=big_two().hidden._replace(worlds=hands_twice)),
    ),
]
"""Laws, messages about them, and games that break them in ways of their own."""


def verdict_of(game, law, seed=0):
    laws = [each for each in LAWS if each.name == law]
    [found] = verdicts(game, laws=laws, examples=30, seed=seed)
    return found


@pytest.mark.parametrize(
    ("law", "fault"), [(law, fault) for law, faults in FAULTS.items() for fault in faults]
)
@pytest.mark.filterwarnings("ignore:Do not use the `random` module")
def test_a_planted_fault_is_found(law, fault):
    rooms = {"coin_pile": (coin_pile, "game"), "toys": (toys, "guessing_game")}
    room, name = rooms[fault["of"]]
    check_found(law, fault["says"], getattr(edited(room, fault["text"], fault["wrong"]), name))


@pytest.mark.parametrize(("law", "message", "game"), FAULTY)
def test_a_broken_law_is_found(law, message, game):
    check_found(law, message, game)


def check_found(law, message, game):
    found = verdict_of(game, law)
    assert found.status == "broken"
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


two_winners = pile._replace(result=lambda coins: (1, 1))


def test_check_raises_an_error_with_each_broken_law():
    found = (
        r"games end with a result: The scores must add up to 1, `score_sum`; got \(1, 1\) from 0"
    )
    message = rf"Pile breaks 3 of its laws\.\n{found}.\n(  .*\n)+  What to do: Return"
    with pytest.raises(AssertionError, match=message):
        check(two_winners, examples=10)
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
    assert {*FAULTS, *(law for law, _, _ in FAULTY)} == {law.name for law in LAWS}


def test_the_line_to_a_broken_law_is_the_shortest():
    """Of 6 coins, 0 are left after three moves at the earliest."""
    game = pile._replace(result=lambda coins: (2, 0))
    found = verdict_of(game, "functions have values")
    assert found.line == Walk((6, 4, 2, 0), (None,) * 3)
    assert list(report_lines(pile, found))[1:5] == [
        "  1. take 2",
        "  2. take 2",
        "  3. take 2",
        "  0",
    ]


def test_the_report_tells_the_moves_in_the_words_of_the_game():
    game = shut_the_box()

    def forgetful(box, roll):
        if len(box) == 7:
            return game.moves(box, roll)[:1] * 2
        return game.moves(box, roll)

    found = verdict_of(game._replace(moves=forgetful, playout=None), "moves are a sequence")
    text = list(report_lines(game, found))
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
    found = list(verdicts(pile, examples=10, go_on=lambda share: False))
    assert {(verdict.status, verdict.cases) for verdict in found} == {
        ("no time", 0),
        ("not tried", 0),
    }
    assert {v.status for v in found if v.message == "There was no time left."} == {"no time"}


def test_the_same_seed_has_the_same_verdicts():
    once, again = (list(verdicts(two_winners, seed=5, examples=10)) for _ in range(2))
    assert once == again


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="`start` must be a position, as Pile has no start"):
        check(pile._replace(start=None))


def test_a_game_that_deals_is_tried_from_a_deal():
    drawn = []

    def deal(rng):
        drawn.append(6 + int(3 * rng.random()))
        return drawn[-1]

    check(pile._replace(start=None, deal=deal), examples=3, laws=LAWS[:4], seed=2)
    assert drawn == [6 + int(3 * random.Random(2).random())]
    with pytest.raises(ValueError, match="`examples` must be a whole number of at least 1; got 0"):
        check(pile, examples=0)


# Hidden moves


class Hand(NamedTuple):
    """A coin is hidden in one of three hands and guessed. Then who hid it opens the hand."""

    place: str = ""
    guess: str = ""
    is_open: bool = False


def hand_moves(hand, event):
    if not hand.place:
        return tuple(Hand(place) for place in "LMR")
    if not hand.guess:
        return tuple(hand._replace(guess=place) for place in "LMR")
    return () if hand.is_open else (hand._replace(is_open=True),)


def opened_at_once(hand, event):
    after = hand_moves(hand, event)
    return tuple(move._replace(is_open=True) for move in after) if hand.place else after


def seen_hand(hand, player):
    is_hidden = player == 1 and hand.place and not hand.is_open
    return player, hand._replace(place="?") if is_hidden else hand


def hands(high, view, rng):
    """The worlds of a view; if the place is hidden, it is R with this probability."""
    while True:
        place = "R" if rng.random() < high else pick("LM", rng)
        yield view[1]._replace(place=place) if view[1].place == "?" else view[1]


HIDDEN = Game(
    hand_moves,
    lambda hand: (0, 1) if hand.guess == hand.place else (1, 0),
    lambda hand: 1 if hand.place and not hand.guess else 0,
    start=Hand(),
    name="Which hand",
    hidden=Hidden(seen_hand, partial(hands, 1 / 3)),
)


@pytest.mark.parametrize("seed", range(8))
def test_worlds_are_looked_at_where_several_fit(seed):
    """At the first position none is hidden, so a line without moves says nothing."""
    assert verdict_of(HIDDEN, "worlds are uniform", seed=seed).status == "kept"
    eighty = HIDDEN._replace(hidden=Hidden(seen_hand, partial(hands, 0.8)))
    found = verdict_of(eighty, "worlds are uniform", seed=seed)
    assert (found.status, "do not fit probability 0.3333 of Hand(" in found.message) == (
        "broken",
        1,
    )


def test_a_reveal_by_a_player_who_does_not_know_is_found():
    found = verdict_of(HIDDEN._replace(moves=opened_at_once), "views hide")
    assert "Player 1 has other moves at the world Hand(" in found.message
    assert "is a move of its own, by a player who knows it" in found.advice


def test_a_game_in_which_no_two_positions_share_a_view_is_told_so():
    shown = Hidden(lambda hand, player: (player, hand), lambda view, rng: repeat(view[1]))
    found = verdict_of(HIDDEN._replace(hidden=shown), "worlds are uniform")
    assert (found.status, found.cases) == ("not tried", 0)
    assert found.message.startswith("In no view of random games did several worlds fit")


def test_each_law_has_its_share_of_the_time():
    shares = []
    list(verdicts(pile, examples=1, go_on=lambda share: shares.append(share) or True))
    assert shares == sorted(shares)
    assert (len({*shares}) > 5, shares[-1]) == (True, 1)
