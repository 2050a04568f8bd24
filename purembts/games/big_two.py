"""Big Two: four players get rid of their cards, each play beating the one before it.

Cards rank 3 4 5 6 7 8 9 10 J Q K A 2, and of the same rank diamonds, clubs, hearts, spades. The
rules are the base rules that pagat.com gives; where they vary, `Rules` says how. A `Table` is the
whole truth, a `View` what one player may know of it, and `worlds` deals what that player does not
know anew.

Cards are bits of a number, from the 3 of diamonds (bit 0) to the 2 of spades (bit 51).
"""

from __future__ import annotations

import random
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations, islice, product
from typing import Any, NamedTuple

from purembts.chance import Rng, pick, repeatedly, shuffled
from purembts.checks import an_rng, brief
from purembts.game import Codec, Display, Game, Hidden
from purembts.records import Scores

RANKS = "3456789TJQKA2"
SUITS = "♦♣♥♠"
PLAYERS = 4
EACH = 13
"""How many cards each player is dealt."""


# Cards


class Cards(int):
    """A set of cards, as the bits of a number: a hand, a play, or none for a pass.

    It prints as a person writes it. `cards` reads that.
    """

    def __str__(self) -> str:
        """Return the cards in ascending order, 10 as two digits: `3♦ 10♠ 2♠`."""
        names = [RANKS[n // 4].replace("T", "10") + SUITS[n % 4] for n in numbers(self)]
        return " ".join(names)

    def __repr__(self) -> str:
        """Return the call that gives these cards."""
        return f"cards({str(self)!r})"


NO_CARDS = Cards(0)
PASS = NO_CARDS
"""The play of no cards."""
DECK = Cards((1 << 52) - 1)
THREE_OF_DIAMONDS = Cards(1)

_CARD = re.compile(r"(10|[2-9TJQKA])([♦♣♥♠DCHS])\ufe0f?", re.IGNORECASE)


def cards(text: str) -> Cards:
    """The cards that `text` names, as a person writes them or in ASCII; a ValueError otherwise.

    >>> cards("3♦ 10♠ 2♠") == cards("2S TS 3D")
    True
    >>> cards("3D 3D")
    Traceback (most recent call last):
    ValueError: 3♦ is there twice in '3D 3D'.
    """
    if not isinstance(text, str):
        raise ValueError(f"{brief(text)} is not a text that names cards, as '3♦ 10♠ 2♠'.")
    found = NO_CARDS
    for word in text.replace(",", " ").split():
        card = _card(word)
        if found & card:
            raise ValueError(f"{card} is there twice in {brief(text)}.")
        found = Cards(found | card)
    return found


def _card(word: str) -> Cards:
    match = _CARD.fullmatch(word)
    if not match:
        raise ValueError(
            f"{brief(word)} is not a card; write a rank ({' '.join(RANKS)}, or 10) and a suit, "
            "as 10♠ or TS."
        )
    rank, suit = (part.upper() for part in match.groups())
    suits = SUITS if suit in SUITS else "DCHS"
    return Cards(1 << RANKS.index(rank.replace("10", "T")) * 4 + suits.index(suit))


def numbers(hand: int) -> list[int]:
    """The numbers of the bits of `hand`, in ascending order: rank times 4 plus suit."""
    return [n for n in range(hand.bit_length()) if hand >> n & 1]


def _bits(chosen: Iterable[int]) -> int:
    return sum([1 << n for n in chosen])


# Rules


class Rules(NamedTuple):
    """A variant of Big Two, as a value."""

    straights: tuple[str, ...] = (
        "A2345",
        "23456",
        "34567",
        "45678",
        "56789",
        "6789T",
        "789TJ",
        "89TJQ",
        "9TJQK",
        "TJQKA",
    )
    """The ranks of the straights, from the lowest to the highest; of the same ranks, the one whose
    last card has the higher suit is higher."""
    flushes: str = "suit"
    """What flushes are compared by first, `suit` or `rank`; their highest card is the other."""
    penalties: tuple[tuple[int, int], ...] = ((1, 1), (10, 2), (13, 3))
    """From how many cards on a loser pays how many points for each."""
    after_pass: bool = True
    """Whether who has passed may still play before the lead is given anew."""


USUAL = Rules()


@lru_cache(maxsize=64)
def checked_rules(rules: Rules) -> Rules:
    """`rules`, or a ValueError where they contradict themselves."""
    if not isinstance(rules, Rules):
        raise ValueError(f"{brief(rules)} are not rules, as Rules(flushes='rank').")
    _check_straights(rules.straights)
    if rules.flushes not in ("suit", "rank"):
        raise ValueError(f"Flushes go by {brief(rules.flushes)}; it has to be 'suit' or 'rank'.")
    _check_penalties(rules.penalties)
    if not isinstance(rules.after_pass, bool):
        raise ValueError(f"after_pass is {brief(rules.after_pass)}; it has to be True or False.")
    return rules


def _check_straights(straights: Any) -> None:  # noqa: ANN401
    known: dict[frozenset[str], str] = {}
    for straight in straights if isinstance(straights, tuple) else (straights,):
        ranks = frozenset(straight if isinstance(straight, str) else "") & frozenset(RANKS)
        if len(ranks) != 5 or len(straight) != 5:
            raise ValueError(f"The straight {brief(straight)} is not five different of {RANKS}.")
        if ranks in known:
            raise ValueError(f"The straights {known[ranks]} and {straight} have the same ranks.")
        known[ranks] = straight


def _check_penalties(penalties: Any) -> None:  # noqa: ANN401
    try:
        least = [n for n, points in penalties if points == int(points) >= 1]
    except (TypeError, ValueError):
        least = []
    if least != sorted({1, *least} & {*range(1, EACH + 1)}) or len(least) != len(penalties):
        raise ValueError(
            f"The penalties are {brief(penalties)}; they have to be pairs of a number of cards, "
            "ascending from 1 to 13, and the points for each, whole and at least 1."
        )


def _checked(rules: Any) -> Rules:  # noqa: ANN401
    """`rules` as checked once."""
    try:
        return checked_rules(rules)
    except TypeError:  # what has no hash
        raise ValueError(f"{brief(rules)} are no rules; they are of tuples, not lists.") from None


@cache
def _penalties(rules: Rules) -> tuple[int, ...]:
    """What a loser pays who is left with 0, 1, 2, ... cards."""
    points_each = [
        [points for least, points in rules.penalties if least <= max(n, 1)][-1]
        for n in range(EACH + 1)
    ]
    return tuple(n * points for n, points in enumerate(points_each))


# Plays: what of a hand can be played, and what beats what
#
# Inside, a play is one number: from the top its size, its order among the plays of that size, and
# its cards. Sorted, the plays that beat a lead are the ones between it and the next size.

_ORDER = 52
_SIZE = _ORDER + 16
_CLASS = _ORDER + 12
"""Where the order of a play begins, its size, and for five cards the class within the order."""

CLASSES = ("straight", "flush", "full house", "four of a kind", "straight flush")
"""The five-card hands, from the lowest to the highest."""
_STRAIGHT, _FLUSH, _FULL_HOUSE, _FOUR, _STRAIGHT_FLUSH = (
    5 << _SIZE | i << _CLASS for i in range(len(CLASSES))
)
_ONE_SUIT = tuple(_bits(range(suit, 52, 4)) for suit in range(4))


def plays(hand: int, rules: Rules = USUAL) -> tuple[Cards, ...]:
    """Every play that `hand` can lead with: by size, and the lowest first.

    >>> plays(cards("3♦ 3♠ 10♥"))
    (cards('3♦'), cards('3♠'), cards('10♥'), cards('3♦ 3♠'))
    """
    return _unpacked(_plays(_checked(rules), checked_hand(hand)))


def answers(hand: int, lead: int, rules: Rules = USUAL) -> tuple[Cards, ...]:
    """Every play of `hand` that beats `lead`, the lowest first, and then the pass.

    >>> answers(cards("3♦ 3♠ 10♥"), cards("3♥"))
    (cards('3♠'), cards('10♥'), cards(''))
    """
    own = _plays(_checked(rules), checked_hand(hand))
    return (*_unpacked(own[_beating(own, _ranked(rules, lead))]), PASS)


def beats(a: int, b: int, rules: Rules = USUAL) -> bool:
    """Whether `a` may be played upon `b`; a ValueError where one of them is no play.

    >>> beats(cards("3♠"), cards("3♥")), beats(cards("4♦ 4♣"), cards("3♠"))
    (True, False)
    """
    above, below = strength(a, rules), strength(b, rules)
    return a.bit_count() == b.bit_count() and above > below


def strength(play: int, rules: Rules = USUAL) -> int:
    """What `play` is compared by: of plays of the same size the one with more beats the other.

    Of more cards it is higher. No play is a ValueError.
    """
    return _ranked(_checked(rules), play) >> _ORDER


def kind(play: int, rules: Rules = USUAL) -> str:
    """What a play is called: `single`, `pair`, `triple`, or one of `CLASSES`."""
    ranked = _ranked(_checked(rules), play)
    size = ranked >> _SIZE
    return CLASSES[ranked >> _CLASS & 7] if size == 5 else ("single", "pair", "triple")[size - 1]


def checked_hand(hand: int) -> Cards:
    """`hand`, or a ValueError where it is none."""
    if not isinstance(hand, int) or not 0 <= hand <= DECK or hand.bit_count() > EACH:
        raise ValueError(
            f"{brief(hand)} is not a hand of at most {EACH} cards, as cards('3♦ 10♠ 2♠') is one."
        )
    return Cards(hand)


def _unpacked(ranked: Iterable[int]) -> tuple[Cards, ...]:
    return tuple([Cards(play & DECK) for play in ranked])


def _beating(own: list[int], lead: int) -> slice:
    """Where in `own`, the plays of a hand, those are that beat `lead`."""
    return slice(bisect_right(own, lead | DECK), bisect_left(own, (lead >> _SIZE) + 1 << _SIZE))


@lru_cache(maxsize=1 << 14)
def _ranked(rules: Rules, play: int) -> int:
    """`play` as one number with its size and order, or a ValueError where it is no play."""
    is_small = isinstance(play, int) and 0 < play <= DECK and play.bit_count() <= 5
    found = [r for r in _generated(rules, play) if r & DECK == play] if is_small else []
    if not found:
        raise ValueError(
            f"{brief(play)} is not a play; there are singles, pairs, triples, and five cards that "
            f"are a {', '.join(CLASSES[:-1])} or {CLASSES[-1]}."
        )
    return found[0]


_MOST_HANDS = 1 << 16
"""How many hands it is remembered for what they can play; all are forgotten when there are more."""


@cache
def _memory(rules: Rules) -> dict[int, list[int]]:  # noqa: ARG001
    """What is remembered: the plays of a hand, sorted."""
    return {}


def _plays(rules: Rules, hand: int) -> list[int]:
    """The plays of `hand`, sorted, made once."""
    memory = _memory(rules)
    known = memory.get(hand)
    return _remembered(memory, hand, sorted(_generated(rules, hand))) if known is None else known


def _remembered(memory: dict[int, list[int]], hand: int, found: list[int]) -> list[int]:
    if len(memory) >= _MOST_HANDS:
        memory.clear()
    memory[hand] = found
    return found


def _generated(rules: Rules, hand: int) -> list[int]:
    """The plays of `hand`, in no order."""
    alike = [play for rank in range(13) for play in _alike(rank, hand >> 4 * rank & 15)]
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
def _alike(rank: int, suits: int) -> tuple[int, ...]:
    """Singles, pairs and triples of a rank, ordered by their highest card."""
    return tuple(
        size << _SIZE | 4 * rank + max(chosen) << _ORDER | _bits(chosen) << 4 * rank
        for size in (1, 2, 3)
        for chosen in combinations(numbers(suits), size)
    )


def _straights(rules: Rules, hand: int) -> Iterator[int]:
    """By their rank, and then by the suit of the last card; not the straight flushes."""
    of_rank = [_singly(rank, hand >> 4 * rank & 15) for rank in range(13)]
    for i, ranks in enumerate(_ranks_of_straights(rules)):
        for chosen in product(*[of_rank[rank] for rank in ranks]):
            play, suit = sum(chosen), chosen[-1].bit_length() - 1 & 3
            if play & ~_ONE_SUIT[suit]:
                yield _STRAIGHT | 4 * i + suit << _ORDER | play


@cache
def _singly(rank: int, suits: int) -> tuple[int, ...]:
    """The cards of a rank, each as its bit."""
    return tuple(1 << 4 * rank + suit for suit in numbers(suits))


def _flushes(rules: Rules, hand: int) -> Iterator[int]:
    """The flushes, and among them the straight flushes."""
    for suit, one_suit in enumerate(_ONE_SUIT):
        if (hand & one_suit).bit_count() >= 5:
            for chosen in combinations(numbers(hand & one_suit), 5):
                yield _flush(rules, suit, chosen[-1], _bits(chosen))


def _flush(rules: Rules, suit: int, highest: int, play: int) -> int:
    """The flush or straight flush of five cards of a suit."""
    i = _straight_of_ranks(rules).get(play >> suit)
    if i is not None:
        return _STRAIGHT_FLUSH | 4 * i + suit << _ORDER | play
    order = suit << 4 | highest >> 2 if rules.flushes == "suit" else highest
    return _FLUSH | order << _ORDER | play


def _full_houses(alike: Iterable[int]) -> Iterator[int]:
    """By the rank of the triple."""
    pairs = [play & DECK for play in alike if play >> _SIZE == 2]
    triples = [play & DECK for play in alike if play >> _SIZE == 3]
    for triple, pair in product(triples, pairs):
        rank = triple.bit_length() - 1 >> 2
        if rank != pair.bit_length() - 1 >> 2:
            yield _FULL_HOUSE | rank << _ORDER | triple | pair


def _fours(hand: int) -> Iterator[int]:
    """By the rank of the four, with any card beside them."""
    for rank in range(13):
        four = 15 << 4 * rank
        if hand & four == four:
            for other in numbers(hand ^ four):
                yield _FOUR | rank << _ORDER | four | 1 << other


@cache
def _ranks_of_straights(rules: Rules) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(RANKS.index, straight)) for straight in rules.straights)


@cache
def _straight_of_ranks(rules: Rules) -> dict[int, int]:
    """Which straight it is, from the lowest, whose diamonds have these bits."""
    straights = _ranks_of_straights(rules)
    return {_bits(4 * rank for rank in ranks): i for i, ranks in enumerate(straights)}


# Tables: the whole truth


class Table(NamedTuple):
    """What each player holds, who is to move, and what is to be beaten."""

    hands: tuple[Cards, ...]
    player: int
    lead: Cards = NO_CARDS
    """What has to be beaten; no cards where the player has the lead."""
    passed: frozenset[int] = frozenset()
    """Who has passed since `lead` was played, or in all the round where a pass bars."""


def table(
    hands: Sequence[int],
    player: int | None = None,
    lead: int = NO_CARDS,
    passed: Iterable[int] = (),
    rules: Rules = USUAL,
) -> Table:
    """The table of these hands, or a ValueError; all other cards have been played.

    With the whole deck in the hands the player to move is the one with the 3 of diamonds.
    Otherwise it is player 0 unless told.
    """
    held = tuple(checked_hand(hand) for hand in hands)
    if len(held) != PLAYERS or held.count(NO_CARDS) > 1:
        raise ValueError(
            f"The hands are {brief(held)}; there have to be {PLAYERS}, of which one may be empty."
        )
    together = _held_once(held)
    opens = 0 if player is None else _checked_player(player)
    if together == DECK:
        opens = holder(held, THREE_OF_DIAMONDS)
    if player not in (None, opens):
        raise ValueError(
            f"The player to move is {player}; with all the cards in the hands it has to be "
            f"{opens}, who has the 3♦."
        )
    if lead:
        strength(lead, rules)
    return _checked_round(_checked(rules), Table(held, opens, Cards(lead), frozenset(passed)))


def _checked_player(player: int) -> int:
    if type(player) is not int or player not in range(PLAYERS):
        raise ValueError(f"The player is {brief(player)}; it has to be 0 to {PLAYERS - 1}.")
    return player


def _held_once(hands: Iterable[Cards]) -> Cards:
    """The cards of all `hands`, or a ValueError where one is held twice."""
    together = NO_CARDS
    for hand in hands:
        if together & hand:
            raise ValueError(f"{Cards(together & hand)} is held twice.")
        together = Cards(together | hand)
    return together


def _checked_round(rules: Rules, table: Table) -> Table:
    """`table`, or a ValueError where its lead cannot have been played, or its passes not be."""
    hands, player, lead, passed = table
    if lead & sum(hands):
        raise ValueError(f"{Cards(lead & sum(hands))} is to be beaten, and in a hand as well.")
    last = {(player - back) % PLAYERS for back in range(1, len(passed) + 1)}
    possible = last if rules.after_pass else {*range(PLAYERS)} - {player}
    out = {i for i, hand in enumerate(hands) if not hand}
    if not passed <= possible - out or len(passed) > (PLAYERS - 2 if lead else 0):
        raise ValueError(
            f"Players {sorted(passed)} cannot have passed since {lead or 'nothing'} was played, "
            f"where player {player} is to move."
        )
    return table


def holder(hands: Sequence[int], card: int) -> int:
    """The first player whose hand has `card`."""
    return [bool(hand & card) for hand in hands].index(True)


def deal(rng: Rng = random, each: int = EACH) -> Table:
    """A table with so many cards for each player, every way to deal as likely as any other.

    With fewer than 13 each the others have been played, and player 0 leads.
    """
    if not isinstance(each, int) or not 1 <= each <= EACH:
        raise ValueError(f"Each player is dealt {brief(each)} cards; it has to be 1 to {EACH}.")
    deck = shuffled(range(PLAYERS * EACH), an_rng(rng))
    hands = tuple(Cards(_bits(deck[i * each : (i + 1) * each])) for i in range(PLAYERS))
    return Table(hands, holder(hands, THREE_OF_DIAMONDS) if each == EACH else 0)


# What one player may know of it


class View(NamedTuple):
    """What `player` may know of a table."""

    player: int
    hand: Cards
    counts: tuple[int, ...]
    """How many cards each player holds."""
    played: Cards
    """What has been played, by whomever."""
    to_move: int
    lead: Cards = NO_CARDS
    passed: frozenset[int] = frozenset()


def view(table: Table, player: int) -> View:
    """What `player` may know of `table`."""
    hands, to_move, lead, passed = table
    a, b, c, d = hands
    return View(
        player,
        hands[_checked_player(player)],
        (a.bit_count(), b.bit_count(), c.bit_count(), d.bit_count()),
        Cards(DECK ^ (a | b | c | d)),
        to_move,
        lead,
        passed,
    )


def worlds(view: View, rng: Rng = random) -> Iterator[Table]:
    """Tables that fit what `view` knows, without end, each as likely as any other.

    Whoever opens the game has the 3 of diamonds, which everybody knows.
    """
    _checked_player(view.player)
    _checked_player(view.to_move)
    unseen = DECK & ~view.hand & ~view.played
    counts = [0 if i == view.player else n for i, n in enumerate(view.counts)]
    adds_up = unseen.bit_count() == sum(counts) and not view.hand & view.played
    if not adds_up or view.hand.bit_count() != view.counts[view.player]:
        raise ValueError(
            f"{brief(view)} does not add up: the counts {view.counts} are of a hand of "
            f"{view.hand.bit_count()} and of {unseen.bit_count()} cards that nobody has seen."
        )
    if opening := unseen & THREE_OF_DIAMONDS if view.played == NO_CARDS else 0:
        counts[view.to_move] -= 1
    return repeatedly(partial(_world, view, counts, opening, numbers(unseen ^ opening), rng))


def _world(
    view: View, counts: Sequence[int], opening: int, unseen: Sequence[int], rng: Rng
) -> Table:
    rest = iter(shuffled(unseen, rng))
    hands = [_bits(islice(rest, n)) for n in counts]
    hands[view.player] = view.hand
    hands[view.to_move] |= opening
    return Table(tuple(map(Cards, hands)), view.to_move, view.lead, view.passed)


def play_between(before: View | Table, after: View | Table) -> Cards:
    """What was played from one position or view to the next; no cards for a pass."""
    return Cards(_played(after) ^ _played(before))


def _played(position: View | Table) -> int:
    return position.played if isinstance(position, View) else ~sum(position.hands)


# The game


def big_two(rules: Rules = USUAL) -> Game[Table, None]:
    """The game by these rules; it begins with a `deal`, or a `table` in the middle."""
    return _game(_checked(rules))


@cache
def _game(rules: Rules) -> Game[Table, None]:
    worst = max(_penalties(rules))
    return Game(
        moves=partial(_moves, rules),
        result=partial(_result, rules),
        to_move=_to_move,
        name="Big Two",
        players=PLAYERS,
        score_range=(-worst, (PLAYERS - 1) * worst),
        score_sum=0,
        rules=rules,
        display=Display(show, label),
        json=Codec(_encode, partial(_decode, rules)),
        hidden=Hidden(view, worlds),
        playout=playout if rules.after_pass else None,
    )


def _moves(rules: Rules, table: Table, event: None = None) -> tuple[Table, ...]:  # noqa: ARG001
    """The tables after each play, by size and the lowest first, and then after the pass."""
    if not all(table.hands):
        return ()
    options = _options(rules, table)
    after = [_after_play(rules, table, play & DECK) for play in options]
    return (*after, _after_pass(table)) if table.lead else tuple(after)


def _options(rules: Rules, table: Table) -> list[int]:
    """The plays there are, without the pass."""
    own = _plays(rules, table.hands[table.player])
    if table.lead:
        return own[_beating(own, _ranked(rules, table.lead))]
    return [play for play in own if play & THREE_OF_DIAMONDS] if _opens(table) else own


def _opens(table: Table) -> bool:
    """Whether nothing has been played yet."""
    return sum(table.hands) == DECK


def _after_play(rules: Rules, table: Table, play: int) -> Table:
    hands, player, _, passed = table
    left = (*hands[:player], Cards(hands[player] ^ play), *hands[player + 1 :])
    passed = frozenset() if rules.after_pass else passed
    return Table(left, _next(player, passed), Cards(play), passed)


def _after_pass(table: Table) -> Table:
    """The table after a pass; when all the others have passed, whoever is left leads."""
    passed = table.passed | {table.player}
    following = _next(table.player, passed)
    if len(passed) == PLAYERS - 1:
        return Table(table.hands, following)
    return Table(table.hands, following, table.lead, passed)


def _next(player: int, passed: frozenset[int]) -> int:
    """Who follows `player`, of those who have not passed."""
    return next(i % PLAYERS for i in range(player + 1, player + 5) if i % PLAYERS not in passed)


def _result(rules: Rules, table: Table) -> Scores:
    return _settled(rules, table.hands)


def _settled(rules: Rules, hands: Iterable[int]) -> Scores:
    """The losers pay for what they hold, and whoever is out gets it."""
    pays = [_penalties(rules)[hand.bit_count()] for hand in hands]
    return tuple([-pay or sum(pays) for pay in pays])


def _to_move(table: Table) -> int:
    return table.player


# A playout of its own


def playout(game: Game[Table, None], table: Table, rng: Rng = random) -> Scores:
    """How a game from `table` ends in which every choice is uniformly random.

    It is `plain_playout`, number for number, without the tables in between: whose plays a hand has
    left is found by leaving out of its plays those that share a card with what was played.
    """
    rules = game.rules
    if _opens(table):
        table = _after_play(rules, table, pick(_options(rules, table), rng) & DECK)
    if not all(table.hands):
        return _result(rules, table)
    hands: list[int] = list(table.hands)
    player, passes = table.player, len(table.passed)
    own_plays = [_plays(rules, hand) for hand in hands]
    lead = _ranked(rules, table.lead) | DECK if table.lead else 0
    above = (lead >> _SIZE) + 1 << _SIZE
    memory, draw = _memory(rules), rng.random
    known = memory.get
    while True:
        own = own_plays[player]
        if lead:
            first = bisect_right(own, lead)
            n = bisect_left(own, above, first) - first
            i = int(draw() * (n + 1)) if n else 0
            if i == n:
                passes += 1
                if passes == PLAYERS - 1:
                    lead = passes = 0
                player = player + 1 & 3
                continue
            play = own[first + i]
        else:
            play = own[int(draw() * len(own))] if len(own) > 1 else own[0]
        cards = play & DECK
        hands[player] = hand = hands[player] ^ cards
        if not hand:
            return _settled(rules, hands)
        left = known(hand)
        if left is None:
            left = _remembered(memory, hand, [other for other in own if not other & cards])
        own_plays[player] = left
        lead = play | DECK
        above = (play >> _SIZE) + 1 << _SIZE
        passes = 0
        player = player + 1 & 3


# What a person reads, and what JSON has


def show(table: Table) -> str:
    """The hands, what is to be beaten, and who is to move."""
    hands = [f"player {i + 1}: {hand or 'out'}" for i, hand in enumerate(table.hands)]
    return "\n".join([*hands, _show_lead(table.lead, table.player)])


def show_view(view: View) -> str:
    """What `player` sees: the own hand, what the others have, and what is to be beaten."""
    hands = [
        f"player {i + 1}: {view.hand if i == view.player else _count(n)}"
        for i, n in enumerate(view.counts)
    ]
    return "\n".join([*hands, _show_lead(view.lead, view.to_move)])


def _count(n: int) -> str:
    return "1 card" if n == 1 else f"{n} cards"


def _show_lead(lead: Cards, player: int) -> str:
    return f"{f'{lead} is to be beaten; ' if lead else ''}player {player + 1} is to move"


def label(before: Table | View, after: Table | View) -> str:
    """What a move is called: the cards, or pass."""
    return str(play_between(before, after)) or "pass"


def _encode(table: Table) -> list[Any]:
    hands, player, lead, passed = table
    return [[str(hand) for hand in hands], player, str(lead), sorted(passed)]


def _decode(rules: Rules, value: Any) -> Table:  # noqa: ANN401
    shapes = (list, int, str, list)
    if not isinstance(value, list) or [type(part) for part in value] != list(shapes):
        raise ValueError(f"{brief(value)} is not a table: hands, player, lead, who has passed.")
    hands, player, lead, passed = value
    if any(type(n) is not int for n in passed):
        raise ValueError(f"{brief(passed)} is not a list of players who have passed.")
    return table([cards(hand) for hand in hands], player, cards(lead), passed, rules)
