"""The cards of Big Two: reading, and plays against counting formulas and brute force."""

from collections import Counter
from functools import partial
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain_big_two
from purembts.chance import shuffled
from purembts.games import big_two_cards as room
from purembts.games.big_two import deal
from purembts.games.big_two_cards import (
    _RANKS,
    CLASSES,
    DECK,
    USUAL,
    Cards,
    Rules,
    beats,
    cards,
    kind,
    plays,
    strength,
)
from purembts.verify.strategies import rngs

STRAIGHTS = ("JQKA2", "34567", "45678", "56789", "6789T", "789TJ", "89TJQ", "9TJQK", "TJQKA")
VARIANTS = {
    "usual": USUAL,
    "JQKA2 lowest, A2345 and 23456 none": Rules(straights=STRAIGHTS),
    "flushes by rank": Rules(flushes="rank"),
    "no play after a pass": Rules(after_pass=False),
    "other penalties": Rules(penalties=((1, 1), (8, 2), (11, 3), (13, 4))),
}

hands_of_numbers = st.lists(st.integers(0, 51), unique=True, max_size=13)
some_hands = hands_of_numbers.map(lambda numbers: Cards(sum(1 << n for n in numbers)))


@st.composite
def rich_hands(draw):
    """Hands of few ranks, or of few suits, which have many plays of five cards."""
    ranks = draw(st.lists(st.integers(0, 12), unique=True, min_size=3, max_size=6))
    suits = draw(st.lists(st.integers(0, 3), unique=True, min_size=2, max_size=4))
    numbers = [4 * rank + suit for rank in ranks for suit in suits]
    most = min(len(numbers), 11)
    chosen = draw(st.lists(st.sampled_from(numbers), unique=True, max_size=most))
    return Cards(sum(1 << n for n in chosen))


def numbers_of(play):
    return [n for n in range(52) if play >> n & 1]


def plain_plays(hand, rules=USUAL):
    """Each play of a hand by plain rules, in order, with its size and its strength."""
    straights = [tuple(map(_RANKS.index, straight)) for straight in rules.straights]
    found = plain_big_two.options(
        [divmod(n, 4) for n in numbers_of(hand)], None, straights, rules.flushes
    )
    return {Cards(plain_big_two.number(held)): (size, order) for size, order, held in found}


# Cards


@given(hand=some_hands, rng=rngs)
def test_cards_are_read_as_they_are_printed(hand, rng):
    assert cards(str(hand)) == hand
    assert eval(repr(hand)) == hand
    ascii_text = str(hand).replace("10", "T").translate(str.maketrans("♦♣♥♠", "DCHS"))
    assert cards(" ".join(shuffled(ascii_text.split(), rng))) == hand
    assert cards(ascii_text.lower().replace(" ", ",")) == hand


NO_CARD = ["1D", "11D", "3", "3X", "D3", "3D4D", "JOKER", "0S", "♦", "\u212aD"]
NO_TEXTS = {
    "A card must be a rank": NO_CARD,
    "Each card must be named once": ["3D 3d"],
    "`text` must name cards, such as '3♦ 10♠ 2♠'; got": [None, 5, True, ["3D"], b"3D"],
}


@pytest.mark.parametrize("message", NO_TEXTS)
def test_a_text_that_names_no_cards_is_refused(message):
    for text in NO_TEXTS[message]:
        with pytest.raises(ValueError, match=message):
            cards(text)


# Plays


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
@given(hand=some_hands | rich_hands())
def test_plays_are_those_of_plain_rules_in_their_order(rules, hand):
    found = plain_plays(hand, rules)
    assert list(plays(hand, rules=rules)) == list(found)
    for play, ((size,), order) in found.items():
        named = CLASSES[order[0]] if size == 5 else ("single", "pair", "triple")[size - 1]
        assert kind(play, rules=rules) == named


def test_the_five_card_hands_of_the_whole_deck_are_as_many_as_they_should_be():
    """Ten straights of five ranks in any suits; flushes; full houses; fours with any card."""
    found = Counter(
        CLASSES[(code >> room._CLASS) & 7]
        for code in room._all_codes(USUAL, DECK)
        if code >> room.SIZE == 5
    )
    assert found == {
        "straight": 10 * (4**5 - 4),
        "flush": 4 * (comb(13, 5) - 10),
        "full house": 13 * comb(4, 3) * 12 * comb(4, 2),
        "four of a kind": 13 * 48,
        "straight flush": 40,
    }


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
@given(rng=rngs)
def test_a_play_beats_another_as_plain_rules_say(rules, rng):
    """Only one of the same size."""
    hands = [shuffled(list(plain_plays(hand, rules).items()), rng) for hand in deal(rng).hands[:2]]
    for (one, of_one), (other, of_other) in zip(*hands, strict=False):
        same_size = of_one[0] == of_other[0]
        assert beats(one, other, rules=rules) == (same_size and of_one > of_other)
        assert beats(other, one, rules=rules) == (same_size and of_other > of_one)
        assert not beats(one, one, rules=rules)


ORDER = [
    ["3♦", "3♣", "3♥", "3♠", "4♦", "10♠", "J♦", "K♠", "A♦", "2♦", "2♠"],
    ["3♦ 3♣", "3♥ 3♠", "4♦ 4♣", "2♥ 2♠"],
    ["3♦ 3♣ 3♥", "A♦ A♣ A♥", "2♦ 2♣ 2♥"],
    [
        "A♦ 2♦ 3♦ 4♦ 5♣",
        "2♥ 3♠ 4♠ 5♠ 6♠",
        "3♦ 4♦ 5♦ 6♦ 7♣",
        "3♣ 4♦ 5♦ 6♦ 7♥",
        "10♠ J♠ Q♠ K♠ A♦",
        "3♦ 4♦ 5♦ 6♦ 8♦",
        "9♦ J♦ K♦ A♦ 2♦",
        "3♣ 4♣ 5♣ 6♣ 8♣",
        "3♠ 4♠ 5♠ 6♠ 8♠",
        "3♦ 3♣ 3♥ 2♦ 2♣",
        "4♦ 4♣ 4♥ 3♦ 3♣",
        "3♦ 3♣ 3♥ 3♠ 2♠",
        "2♦ 2♣ 2♥ 2♠ 3♦",
        "A♦ 2♦ 3♦ 4♦ 5♦",
        "A♠ 2♠ 3♠ 4♠ 5♠",
        "2♦ 3♦ 4♦ 5♦ 6♦",
        "10♠ J♠ Q♠ K♠ A♠",
    ],
]
"""From the lowest to the highest, as pagat.com has it."""


def test_the_order_of_plays_is_that_of_the_rules():
    for ladder in ORDER:
        for i, lower in enumerate(ladder):
            for higher in ladder[i + 1 :]:
                assert beats(cards(higher), cards(lower)), f"{higher} does not beat {lower}"
                assert not beats(cards(lower), cards(higher))


NO_HANDS = [-1, 1 << 52, DECK, "3♦", None, 0.5, 1.0, True, False, [1]]
NO_PLAYS = [1.0, True, "3♦", [1], None]
NO_PLAYS += map(cards, ("", "3♦ 4♦", "3♦ 3♣ 3♥ 3♠", "3♦ 4♦ 5♦ 6♦ 8♣", "3♦ 3♣ 4♦ 4♣ 5♦"))


def test_a_wrong_hand_or_play_is_refused():
    """Also a value that equals a play, which the cache has."""
    assert kind(cards("3♦")) == "single"
    takes_plays = (kind, strength, partial(beats, b=cards("3♦")))
    for message, values, refusing in (
        ("A hand must be at most 13 cards, such as", NO_HANDS, (plays,)),
        ("A play must be a single, a pair, a triple, or", NO_PLAYS, takes_plays),
    ):
        for refuses in refusing:
            for bad in values:
                with pytest.raises(ValueError, match=message):
                    refuses(bad)
