"""The cards of Big Two: hands, the plays of a hand, and which play beats which.

Cards rank 3 4 5 6 7 8 9 10 J Q K A 2. Cards of the same rank go by suit: diamonds, clubs, hearts,
spades. These are the base rules that pagat.com gives, and `Rules` has what varies between
variants. Tables, turns and scores are in `big_two`.

A set of cards is a number. Each card is one of its bits, from the 3 of diamonds (bit 0) to the 2 of
spades (bit 51).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from purembts.checks import brief, true_or_false
from purembts.display import bits_of

_RANKS = "3456789TJQKA2"
_SUITS = "♦♣♥♠"
HAND_SIZE = 13
"""The number of cards that each player is dealt in a whole game."""


# Cards


class Cards(int):
    """A set of cards, as the bits of a number: a hand, a play, or no cards for a pass.

    It prints as a person writes it. `cards` reads that text.
    """

    def __str__(self) -> str:
        """Return the cards in ascending order, 10 as two digits: `3♦ 10♠ 2♠`."""
        names = [_RANKS[n // 4].replace("T", "10") + _SUITS[n % 4] for n in numbers(self)]
        return " ".join(names)

    def __repr__(self) -> str:
        """Return the call that gives these cards."""
        return f"cards({str(self)!r})"


NO_CARDS = Cards(0)
"""The play of a pass."""
DECK = Cards((1 << 52) - 1)
THREE_OF_DIAMONDS = Cards(1)

_CARD = re.compile(r"(10|[2-9TJQKA])([♦♣♥♠DCHS])\ufe0f?", re.IGNORECASE | re.ASCII)


def cards(text: str) -> Cards:
    """The cards that `text` names, as a person writes them or in ASCII; a ValueError otherwise.

    >>> cards("3♦ 10♠ 2♠") == cards("2S TS 3D")
    True
    >>> cards("3D 3D")
    Traceback (most recent call last):
    ValueError: Each card must be named once; got '3D 3D', with 3♦ twice.
    """
    if not isinstance(text, str):
        raise ValueError(f"`text` must name cards, such as '3♦ 10♠ 2♠'; got {brief(text)}.")
    hand = NO_CARDS
    for word in text.replace(",", " ").split():
        card = _card(word)
        if hand & card:
            raise ValueError(f"Each card must be named once; got {brief(text)}, with {card} twice.")
        hand = Cards(hand | card)
    return hand


def _card(word: str) -> Cards:
    """The card that `word` names, or a ValueError."""
    match = _CARD.fullmatch(word)
    if not match:
        raise ValueError(
            f"A card must be a rank ({' '.join(_RANKS)}, or 10) and a suit, such as 10♠ or TS; "
            f"got {brief(word)}."
        )
    rank, suit = (part.upper() for part in match.groups())
    suits = _SUITS if suit in _SUITS else "DCHS"
    return Cards(1 << (4 * _RANKS.index(rank.replace("10", "T")) + suits.index(suit)))


def numbers(hand: int) -> list[int]:
    """The numbers of the bits of `hand`, in ascending order: rank times 4 plus suit."""
    return [n for n in range(hand.bit_length()) if (hand >> n) & 1]


def bits(chosen: Iterable[int]) -> int:
    """The cards of these numbers: the inverse of `numbers`."""
    return sum([1 << n for n in chosen])


def checked_hand(hand: int) -> Cards:
    """`hand`, or a ValueError if it is not a hand."""
    if not _is_set(hand) or hand.bit_count() > HAND_SIZE:
        raise ValueError(
            f"A hand must be at most {HAND_SIZE} cards, such as cards('3♦ 10♠ 2♠'); "
            f"got {brief(hand)}."
        )
    return Cards(hand)


def _is_set(hand: object) -> bool:
    """True if `hand` is a set of cards; True and False are not, though they equal 1 and 0."""
    return isinstance(hand, int) and not isinstance(hand, bool) and 0 <= hand <= DECK


# Rules

_STRAIGHTS = "A2345 23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA"


class Rules(NamedTuple):
    """A variant of Big Two, as a value."""

    straights: tuple[str, ...] = tuple(_STRAIGHTS.split())
    """The ranks of the straights, from the lowest straight to the highest.

    Of two straights with the same ranks, the one whose last card has the higher suit is higher.
    """
    flushes: str = "suit"
    """Flushes are compared by `suit`, or by the `rank` of their highest card.

    The other one breaks ties.
    """
    penalties: tuple[tuple[int, int], ...] = ((1, 1), (10, 2), (13, 3))
    """The points of the losers, as pairs (n, points).

    A loser with at least n cards left pays `points` for each card. The last pair that fits counts.
    """
    after_pass: bool = True
    """A player who has passed may still play before the next lead."""


USUAL = Rules()


def about(rules: Rules) -> str:
    """The rules for a person; the points are those of `rules`."""
    points = ", ".join(
        f"{n} for each card{f' with {least} cards or more' if least > 1 else ''}"
        for least, n in rules.penalties
    )
    later = "may still play later" if rules.after_pass else "waits for the next round"
    return (
        "Four players have 13 cards each, and see their own alone. The lowest card is 3♦ and the "
        "highest 2♠. The player with 3♦ begins, and the first play includes it. Then beat the last "
        "play with a higher one of as many cards (1, 2, 3 or 5), or pass. A player who has passed "
        f"{later}. When all others have passed, the last player leads with any play. The first "
        f"player without cards wins. The others pay points to the winner: {points}."
    )


def checked_rules(rules: Rules) -> Rules:
    """`rules`, or a ValueError that names the field that is wrong."""
    _check_straights(rules.straights)
    if rules.flushes not in ("suit", "rank"):
        raise ValueError(f"`flushes` must be 'suit' or 'rank'; got {brief(rules.flushes)}.")
    _check_penalties(rules.penalties)
    true_or_false(rules.after_pass, "after_pass")
    return rules


def _check_straights(straights: object) -> None:
    """Raise a ValueError if `straights` are not different sets of five ranks."""
    if not isinstance(straights, tuple) or not all(map(_is_straight, straights)):
        raise ValueError(
            f"`straights` must be a tuple of texts, each of five different ranks of {_RANKS}; "
            f"got {brief(straights)}."
        )
    for one, other in combinations(straights, 2):
        if {*one} == {*other}:
            raise ValueError(f"`straights` must have different ranks; got {one} and {other}.")


def _is_straight(straight: object) -> bool:
    return isinstance(straight, str) and len(straight) == len({*straight} & {*_RANKS}) == 5


def _check_penalties(penalties: object) -> None:
    """Raise a ValueError if `penalties` are not pairs of cards and points."""
    pairs = penalties if isinstance(penalties, tuple) else ()
    least = [n for n, _ in pairs] if all(map(_is_penalty, pairs)) else []
    if least != sorted({1, *least}):
        raise ValueError(
            "`penalties` must be a tuple of pairs: a number of cards, ascending from 1 to at most "
            f"{HAND_SIZE}, and the points for each, whole and at least 1; got {brief(penalties)}."
        )


def _is_penalty(pair: object) -> bool:
    """True if `pair` has a number of cards in a hand and the points for each, both at least 1."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        return False
    n, points = pair
    return type(n) is type(points) is int and 1 <= n <= HAND_SIZE and points >= 1


# Plays: sets of cards that can be played together

CLASSES = ("straight", "flush", "full house", "four of a kind", "straight flush")
"""The five-card hands, from the lowest to the highest."""


def plays(hand: int, *, rules: Rules = USUAL) -> tuple[Cards, ...]:
    """Every play that `hand` can lead with, by size, and of each size from the lowest.

    >>> plays(cards("3♦ 3♠ 10♥"))
    (cards('3♦'), cards('3♠'), cards('10♥'), cards('3♦ 3♠'))
    """
    return tuple(Cards(code & DECK) for code in codes_of(rules, checked_hand(hand)))


def beats(a: int, b: int, *, rules: Rules = USUAL) -> bool:
    """True if `a` may be played upon `b`; a ValueError if one of them is not a play.

    >>> beats(cards("3♠"), cards("3♥")), beats(cards("4♦ 4♣"), cards("3♠"))
    (True, False)
    """
    above, below = strength(a, rules=rules), strength(b, rules=rules)
    return a.bit_count() == b.bit_count() and above > below


def strength(play: int, *, rules: Rules = USUAL) -> int:
    """The rank of `play` among all plays; a ValueError if it is not a play.

    Of two plays of the same size, the one with the higher strength beats the other. A larger play
    has a higher strength than a smaller one.
    """
    return code_of(rules, play) >> _ORDER


def kind(play: int, *, rules: Rules = USUAL) -> str:
    """The name of the kind of `play`: `single`, `pair`, `triple`, or one of `CLASSES`."""
    code = code_of(rules, play)
    size = code >> SIZE
    return CLASSES[(code >> _CLASS) & 7] if size == 5 else ("single", "pair", "triple")[size - 1]


def typed_play(rules: Rules, hand: Cards, text: str) -> Cards:
    """The cards that `text` names; a ValueError if they are not a play of `hand`."""
    play = cards(text)
    if not play:
        raise ValueError(f"A move must be cards, such as 4D 4S, or p to pass; got {brief(text)}.")
    if missing := Cards(play & ~hand):
        raise ValueError(
            f"{missing} {'is' if missing.bit_count() == 1 else 'are'} not in your hand."
        )
    try:
        kind(play, rules=rules)
    except ValueError as error:  # a person reads 3♦ 4♦, not cards("3♦ 4♦")
        raise ValueError(str(error).replace(repr(play), str(play))) from error
    return play


# Codes of plays
#
# A code is a play as one number: from its highest bits down the size of the play, its order among
# the plays of this size, and its cards. For five cards the order begins with the class. Among
# sorted codes, those that beat a lead stand together: after the codes of the lead's order, and
# before the codes of the next size.

Code: TypeAlias = int
"""A play with its size and order, as one number."""

_ORDER = 52
"""The lowest bit of the order of a code; the cards have the bits below it."""
_CLASS = _ORDER + 12
"""The lowest bit of the class of a five-card hand."""
SIZE = _ORDER + 16
"""The lowest bit of the size of a code."""


def _code(size: int, order: int, play: int) -> Code:
    """The code of `play`."""
    return (size << SIZE) | (order << _ORDER) | play


_PAIR, _TRIPLE = _code(2, 0, 0), _code(3, 0, 0)
"""The codes of pairs and of triples begin here."""
_STRAIGHT, _FLUSH, _FULL_HOUSE, _FOUR, _STRAIGHT_FLUSH = (
    _code(5, i << (_CLASS - _ORDER), 0) for i in range(len(CLASSES))
)
"""The size and the class of each five-card hand, to be joined with an order and cards."""


def limits(lead: Code) -> tuple[Code, Code]:
    """The bounds of the codes that beat `lead`: these are above the first and below the second."""
    return lead | DECK, ((lead >> SIZE) + 1) << SIZE


def code_of(rules: Rules, play: int) -> Code:
    """The code of `play`, or a ValueError if it is not a play."""
    # The cache takes True and 1.0 for 1, so the type is checked before the cache is used.
    code = _cached_code(rules, play) if _is_set(play) else None
    if code is None:
        raise ValueError(
            "A play must be a single, a pair, a triple, or five cards that are a "
            f"{', '.join(CLASSES[:-1])} or {CLASSES[-1]}; got {brief(play)}."
        )
    return code


@lru_cache(maxsize=1 << 14)
def _cached_code(rules: Rules, play: int) -> Code | None:
    codes = _all_codes(rules, play) if play.bit_count() <= 5 else []
    return next((code for code in codes if code & DECK == play), None)


_MOST_HANDS = 1 << 16
"""The number of hands whose codes are remembered. If there is one more, all are forgotten."""


@cache
def memory_of(rules: Rules) -> dict[int, list[Code]]:  # noqa: ARG001
    """The codes that are remembered, by hand: the only value here that changes."""
    return {}


def codes_of(rules: Rules, hand: int) -> list[Code]:
    """The codes of all plays of `hand`, sorted; they are generated once and remembered."""
    memory = memory_of(rules)
    codes = memory.get(hand)
    return remember(memory, hand, sorted(_all_codes(rules, hand))) if codes is None else codes


def remember(memory: dict[int, list[Code]], hand: int, codes: list[Code]) -> list[Code]:
    """`codes`, stored in `memory` as the codes of `hand`."""
    if len(memory) >= _MOST_HANDS:
        memory.clear()
    memory[hand] = codes
    return codes


# Generating the plays of a hand


def _all_codes(rules: Rules, hand: int) -> list[Code]:
    """The codes of all plays of `hand`, in no order."""
    alike = [code for rank in range(13) for code in _alike(rank, (hand >> (4 * rank)) & 15)]
    if hand.bit_count() < 5:
        return alike
    return [
        *alike,
        *_straights(rules, hand),
        *_flushes(rules, hand),
        *_full_houses(alike),
        *_fours(hand),
    ]


@cache
def _alike(rank: int, suits: int) -> tuple[Code, ...]:
    """The singles, pairs and triples of `rank`, ordered by their highest card."""
    return tuple(
        _code(size, 4 * rank + max(chosen), bits(chosen) << (4 * rank))
        for size in (1, 2, 3)
        for chosen in combinations(numbers(suits), size)
    )


_ONE_SUIT = tuple(bits(range(suit, 52, 4)) for suit in range(4))
"""All cards of each suit."""


def _straights(rules: Rules, hand: int) -> Iterator[Code]:
    """The straights, without the straight flushes: by their ranks, then the last card's suit."""
    of_rank = [tuple(bits_of(hand & (15 << (4 * rank)))) for rank in range(13)]
    for i, ranks in enumerate(_ranks_of_straights(rules)):
        for chosen in product(*[of_rank[rank] for rank in ranks]):
            play, suit = sum(chosen), (chosen[-1].bit_length() - 1) & 3
            if play & ~_ONE_SUIT[suit]:
                yield _STRAIGHT | ((4 * i + suit) << _ORDER) | play


def _flushes(rules: Rules, hand: int) -> Iterator[Code]:
    """The flushes and the straight flushes."""
    for suit, one_suit in enumerate(_ONE_SUIT):
        if (hand & one_suit).bit_count() >= 5:
            for chosen in combinations(numbers(hand & one_suit), 5):
                yield _flush(rules, suit, chosen[-1], bits(chosen))


def _flush(rules: Rules, suit: int, highest: int, play: int) -> Code:
    """The code of five cards of one suit: a flush or a straight flush."""
    i = _straight_of_ranks(rules).get(play >> suit)
    if i is not None:
        return _STRAIGHT_FLUSH | ((4 * i + suit) << _ORDER) | play
    order = (suit << 4) | (highest >> 2) if rules.flushes == "suit" else highest
    return _FLUSH | (order << _ORDER) | play


def _full_houses(alike: Iterable[Code]) -> Iterator[Code]:
    """The full houses, by the rank of the triple."""
    pairs = [code & DECK for code in alike if _PAIR <= code < _TRIPLE]
    triples = [code & DECK for code in alike if code >= _TRIPLE]
    for triple, pair in product(triples, pairs):
        rank = (triple.bit_length() - 1) >> 2
        if rank != (pair.bit_length() - 1) >> 2:
            yield _FULL_HOUSE | (rank << _ORDER) | triple | pair


def _fours(hand: int) -> Iterator[Code]:
    """Four of a kind with any fifth card, by the rank of the four."""
    for rank in range(13):
        four = 15 << (4 * rank)
        if hand & four == four:
            for other in numbers(hand ^ four):
                yield _FOUR | (rank << _ORDER) | four | (1 << other)


@cache
def _ranks_of_straights(rules: Rules) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(_RANKS.index, straight)) for straight in rules.straights)


@cache
def _straight_of_ranks(rules: Rules) -> dict[int, int]:
    """The place of each straight, from the lowest, by its cards in diamonds."""
    straights = _ranks_of_straights(rules)
    return {bits(4 * rank for rank in ranks): i for i, ranks in enumerate(straights)}
