"""Big Two: deals, tables, views and worlds, the course of a game, and its own playout."""

from collections import Counter
from functools import partial
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain_big_two
from games.test_big_two_cards import VARIANTS, numbers_of
from purembts.game import plain_playout, random_play
from purembts.games import big_two_cards as cards_room
from purembts.games.big_two import (
    View,
    _playout,
    big_two,
    card_table,
    deal,
    play_between,
    view,
    worlds,
)
from purembts.games.big_two_cards import DECK, NO_CARDS, USUAL, cards
from purembts.verify.statistics import assert_probability, assert_uniform
from purembts.verify.strategies import rngs, seeds
from toys import after_moves

game = big_two()

# Deals, tables, views, worlds


@given(rng=rngs, each=st.integers(1, 13))
def test_deals_are_complete_and_disjoint(rng, each):
    """Of each hand as many, and led by the player of the lowest card if all cards are dealt."""
    dealt = deal(rng, hand_size=each)
    assert [hand.bit_count() for hand in dealt.hands] == [each] * 4
    assert sum(dealt.hands).bit_count() == 4 * each
    assert each < 13 or dealt.hands[dealt.player] & cards("3♦")
    assert dealt == card_table(dealt.hands, player=dealt.player)


def test_deals_are_uniform():
    """Which player has a card, for each card; and which two players have the two lowest."""
    rng, n = Random(7), 20_000
    where = Counter()
    pairs = Counter()
    for _ in range(n):
        hands = deal(rng).hands
        holders = [next(i for i in range(4) if hands[i] >> card & 1) for card in (0, 1, 25, 50, 51)]
        where.update(enumerate(holders))
        pairs[holders[0], holders[1]] += 1
    for card in range(5):
        assert_uniform([where[card, i] for i in range(4)], effect=0.15)
    likely = {(i, j): (12 if i == j else 13) / (4 * 51) for i in range(4) for j in range(4)}
    for who, p in likely.items():
        assert_probability(pairs[who], n, p, effect=0.02)


def after_some_turns(rng, turns, rules=USUAL):
    return after_moves(big_two(**rules._asdict()), deal(rng), turns, rng)


def test_worlds_are_uniform():
    """Every way to deal the unseen cards of a small endgame comes as often as any other."""
    truth = card_table([cards("3♦"), cards("4♦ 5♦"), cards("6♦ 7♦"), cards("8♦")])
    stream = worlds(view(truth, 0), Random(7))
    found = Counter(next(stream).hands for _ in range(30_000))
    assert len(found) == comb(5, 2) * comb(3, 2)
    assert_uniform(list(found.values()), effect=0.4)


def test_worlds_before_the_first_play_are_uniform():
    """The 3 of diamonds is where it has to be; every other card anywhere by the room there is."""
    truth = deal(Random(7))
    others = [i for i in range(4) if i != truth.player]
    me = others[0]
    stream, n = worlds(view(truth, me), Random(8)), 20_000
    high = max(numbers_of(DECK & ~truth.hands[me]))
    where = Counter(
        next(i for i, hand in enumerate(next(stream).hands) if hand >> high & 1) for _ in range(n)
    )
    assert_probability(where[truth.player], n, 12 / 38, effect=0.035)
    for other in others[1:]:
        assert_probability(where[other], n, 13 / 38, effect=0.035)
    assert where[me] == 0


WRITTEN = [0, "3♥ 4♠", [2, 1, 1, 1], "", 0, "", []]
"""A view in a file, but for the cards that have been played."""


def written_view(**changed):
    value = dict(zip(View._fields, WRITTEN, strict=True))
    value["played"] = str(cards_room.Cards(DECK & ~cards("3♥ 4♠ 5♠ 6♠ 7♠")))
    return list({**value, **changed}.values())


def test_a_view_in_a_file_is_its_parts():
    seen = game.hidden.json.decode(written_view())
    assert (seen.hand, seen.counts, seen.passed) == (cards("3♥ 4♠"), (2, 1, 1, 1), frozenset())
    assert game.hidden.json.encode(seen) == written_view()


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"player": 4}, "`player` must be a whole number from 0 to 3"),
        ({"player": 1}, "`view` must have counts that fit its cards"),
        ({"player": True}, "A view must be a list of player, hand, counts, played, to_move, lead"),
        ({"hand": "3♥ 4X"}, "A card must be a rank"),
        ({"counts": [2, 1, 1]}, "`counts` must be 4 numbers of cards"),
        ({"counts": [2, 1, 1, "1"]}, "`counts` must be a whole number from 0 to 13"),
        ({"counts": [2, 0, 0, 3]}, "at most one of them empty"),
        ({"to_move": -1}, "`to_move` must be a whole number from 0 to 3"),
        ({"lead": "4♠"}, "`lead` must be cards that no player holds"),
        ({"lead": "8♦ 9♦"}, "A play must be a single"),
        ({"passed": [3]}, "`passed` must be players who can have passed"),
    ],
)
def test_a_wrong_view_in_a_file_is_refused(changed, complaint):
    with pytest.raises(ValueError, match=complaint):
        game.hidden.json.decode(written_view(**changed))


HANDS = [cards("3♦ 4♦"), cards("5♦"), cards("6♦ 6♠"), cards("7♦")]
DEALT = deal(Random(7))
HEARD = {"lead": cards("8♦")}
"""A lead for the players of `HANDS`."""


def tabled(**changed):
    """A table of `HANDS`, with arguments that are changed."""
    return partial(card_table, **{"hands": HANDS, **changed})


def looked_at(known):
    return lambda: next(worlds(known, Random(7)))


FILED = partial(partial, game.json.decode)
ANY_VIEW = view(DEALT, 0)
REFUSED = {
    "`hands` must be 4 hands, at most one of them empty; got": [
        *(tabled(hands=hands) for hands in (HANDS[:3], 4, [*HANDS[:2], NO_CARDS, NO_CARDS])),
    ],
    "A hand must be at most 13 cards": [
        tabled(hands=hands) for hands in ("abcd", [*HANDS[:3], True], [*HANDS[:3], DECK])
    ],
    "must not share cards; got 3♦ 4♦ in two of them": [tabled(hands=[*HANDS[:3], HANDS[0]])],
    "`player` must be a whole number from 0 to 3; got": [
        *(tabled(player=player) for player in (4, True)),
        *(partial(view, DEALT, player) for player in (-1, 4, "1", None, True, 1.0)),
    ],
    "must be cards that no player holds; got 7♦": [tabled(lead=cards("7♦"))],
    "A play must be a single": [tabled(lead=each) for each in (cards("8♦ 9♦"), "8D", True, None)],
    "`passed` must be the players who": [tabled(**HEARD, passed=3)],
    "`passed` must be a whole number": [tabled(**HEARD, passed=each) for each in ([True], "3")],
    "must be players who can have passed": [
        tabled(passed=[1]),
        tabled(hands=[*HANDS[:3], NO_CARDS], lead=cards("7♦"), passed=[3]),
        *(tabled(**HEARD, passed=passed) for passed in ([1], [1, 2, 3], [0])),
    ],
    "who holds the 3♦ while all cards are in the hands; got": [
        tabled(hands=DEALT.hands, player=(DEALT.player + 1) % 4)
    ],
    "`view` must have counts that fit its cards; got": [
        looked_at(ANY_VIEW._replace(played=ANY_VIEW.hand))
    ],
    "`view` must be a View, such as view": [looked_at(DEALT), looked_at(None)],
    "A table must be a list of the hands, the player, the lead and the players": [
        FILED(each) for each in (None, [], [["3D", "4D", "5D", "6D"], True, "7D", []])
    ],
    "`text` must name cards": [FILED([[1, 2, 3, 4], 0, "", []])],
    "`hands` must not share cards; got 3♦ in two": [FILED([["3D", "4D", "5D", "3D"], 0, "7D", []])],
}


@pytest.mark.parametrize("message", REFUSED)
def test_tables_and_views_that_cannot_be_are_refused(message):
    for call in REFUSED[message]:
        with pytest.raises(ValueError, match=message):
            call()


# The course of a game


@given(seed=seeds, each=st.integers(1, 13))
def test_a_game_is_that_of_plain_rules(seed, each):
    """Lists of ranks and suits have the same plays in the same order, and the same points."""
    start, one, other = deal(Random(seed), hand_size=each), Random(seed), Random(seed)
    hands = [[divmod(n, 4) for n in numbers_of(hand)] for hand in start.hands]
    result = plain_playout(game, start, one)
    assert result == plain_big_two.playout(hands, start.player, other)
    assert one.random() == other.random()


def test_where_a_pass_bars_the_round_goes_on_among_the_others():
    strict = big_two(after_pass=False)
    hands = [cards("3♦ J♦ 2♦"), cards("5♦ K♦"), cards("6♦ 6♠"), cards("7♦ Q♦")]
    position = card_table(hands)
    for text, player in (("3♦", 1), ("", 2), ("6♦", 3), ("7♦", 0), ("J♦", 2)):
        moves = strict.moves(position, None)
        position = next(m for m in moves if play_between(position, m) == cards(text))
        assert position.player == player
    assert position.passed == {1}
    assert strict.moves(position, None)[-1].player == 3


def test_a_view_of_an_ended_game_has_nothing_to_beat():
    ended = card_table([*HANDS[:3], NO_CARDS], lead=cards("8♦"), player=0)
    assert game.display.show(view(ended, 0)).splitlines() == [
        "The others: player 2 has 1 card, player 3 has 2 cards, player 4 is out",
        "Player 1's hand: 3♦ 4♦",
    ]
    assert "player 4: out\nthe game has ended" in game.display.show(ended)


@pytest.mark.parametrize(("left", "pays"), [(1, 1), (9, 9), (10, 20), (12, 24), (13, 39)])
def test_penalties_are_doubled_from_ten_cards_and_tripled_at_thirteen(left, pays):
    deck = list(range(52))
    hands = [0, *(sum(1 << n for n in deck[13 * i : 13 * i + left]) for i in range(3))]
    assert game.result(card_table(hands)) == (3 * pays, -pays, -pays, -pays)


def check_playout(variant, position, seed):
    """The same result as the plain playout, after as many draws."""
    one, other = Random(seed), Random(seed)
    result = random_play(variant)(variant, position, one)
    assert result == plain_playout(variant, position, other)
    assert one.random() == other.random()
    assert sum(result) == 0


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
@given(seed=seeds, turns=st.integers(0, 60))
def test_a_playout_is_the_plain_one_number_for_number(rules, seed, turns):
    check_playout(big_two(**rules._asdict()), after_some_turns(Random(seed), turns, rules), seed)


def test_the_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(cards_room, "_MOST_HANDS", 100)
    variant = big_two(penalties=((1, 1), (9, 2)))
    before = [_playout(variant, deal(Random(i)), Random(i)) for i in range(20)]
    assert len(cards_room.memory_of(variant.rules)) <= 100
    monkeypatch.undo()
    cards_room.memory_of(variant.rules).clear()
    assert before == [_playout(variant, deal(Random(i)), Random(i)) for i in range(20)]
    assert len(cards_room.memory_of(variant.rules)) > 100
