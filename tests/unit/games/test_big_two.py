"""Big Two: deals, tables, views and worlds, the course of a game, and its own playout."""

from collections import Counter
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain_big_two
from games.test_big_two_cards import VARIANTS, numbers_of
from purembts.game import plain_playout, random_play, turn_at
from purembts.games import big_two_cards as cards_room
from purembts.games.big_two import (
    Rules,
    View,
    big_two,
    deal,
    holder,
    play_between,
    playout,
    table,
    view,
    worlds,
)
from purembts.games.big_two_cards import DECK, NO_CARDS, USUAL, cards
from purembts.play import move_called
from purembts.verify.statistics import assert_probability, assert_uniform
from purembts.verify.strategies import rngs, seeds
from toys import after_moves

game = big_two()

# Deals, tables, views, worlds


def check_deal(dealt, each):
    """Complete where it should be, disjoint, and led by whoever has to."""
    assert [hand.bit_count() for hand in dealt.hands] == [each] * 4
    together = 0
    for hand in dealt.hands:
        assert not together & hand
        together |= hand
    if each == 13:
        assert together == DECK
        assert dealt.hands[dealt.player] & cards("3♦")
    assert dealt == table(dealt.hands, player=dealt.player)


@given(rng=rngs, each=st.integers(1, 13))
def test_deals_are_complete_and_disjoint(rng, each):
    check_deal(deal(rng, each=each), each)


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


def test_small_deals_are_from_the_whole_deck():
    rng, n = Random(7), 5000
    dealt = Counter(card for _ in range(n) for card in numbers_of(sum(deal(rng, each=4).hands)))
    for card in (0, 20, 51):
        assert_probability(dealt[card], n, 16 / 52, effect=0.07)


def after_some_turns(rng, turns, rules=USUAL):
    return after_moves(big_two(rules), deal(rng), turns, rng)


def rebuilt(position):
    """The same table by way of `table`, which checks it."""
    hands, player, lead, passed = position
    return table(hands, player=player, lead=lead, passed=passed)


@given(rng=rngs, turns=st.integers(0, 60), player=st.integers(0, 3))
def test_worlds_fit_everything_the_view_knows(rng, turns, player):
    truth = after_some_turns(rng, turns)
    known = view(truth, player)
    stream = worlds(known, rng)
    for _ in range(3):
        world = next(stream)
        assert view(world, player) == known
        assert rebuilt(world) == world
        if not known.played:
            assert world.hands[world.player] & cards("3♦")


def check_worlds(worlds):
    """Every way to deal the unseen cards of a small endgame comes as often as any other."""
    truth = table([cards("3♦"), cards("4♦ 5♦"), cards("6♦ 7♦"), cards("8♦")])
    stream = worlds(view(truth, 0), Random(7))
    found = Counter(next(stream).hands for _ in range(30_000))
    assert len(found) == comb(5, 2) * comb(3, 2)
    assert_uniform(list(found.values()), effect=0.4)


def test_worlds_are_uniform():
    check_worlds(worlds)


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


def test_a_view_that_does_not_add_up_is_refused():
    known = view(deal(Random(7)), 0)
    with pytest.raises(ValueError, match="`view` must have counts that fit its cards; got"):
        next(worlds(known._replace(played=known.hand), Random(7)))
    for wrong in (deal(Random(7)), None):
        with pytest.raises(ValueError, match="`view` must be a View, such as view"):
            next(worlds(wrong, Random(7)))


@pytest.mark.parametrize("player", [-1, 4, "1", None, True, 1.0])
def test_players_that_there_are_not_have_no_view(player):
    with pytest.raises(ValueError, match="`player` must be a whole number from 0 to 3; got"):
        view(deal(Random(7)), player)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (None, "A table must be a list of the hands, the player, the lead and the players"),
        ([], "A table must be a list"),
        ([["3D", "4D", "5D", "6D"], True, "7D", []], "A table must be a list"),
        ([[1, 2, 3, 4], 0, "", []], "`text` must name cards"),
        ([["3D", "4D", "5D", "3D"], 0, "7D", []], "`hands` must not share cards; got 3♦ in two"),
    ],
)
def test_a_wrong_table_in_a_file_is_refused(value, complaint):
    with pytest.raises(ValueError, match=complaint):
        game.json.decode(value)


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
        ({"counts": [2, 1, 2, 1]}, "`view` must have counts that fit its cards"),
        ({"counts": [2, 0, 0, 3]}, "at most one of them empty"),
        ({"played": ""}, "`view` must have counts that fit its cards"),
        ({"to_move": -1}, "`to_move` must be a whole number from 0 to 3"),
        ({"lead": "4♠"}, "`lead` must be cards that no player holds"),
        ({"lead": "8♦ 9♦"}, "A play must be a single"),
        ({"passed": [3]}, "`passed` must be players who can have passed"),
        ({"passed": [7]}, "`passed` must be a whole number from 0 to 3"),
    ],
)
def test_a_wrong_view_in_a_file_is_refused(changed, complaint):
    with pytest.raises(ValueError, match=complaint):
        game.hidden.json.decode(written_view(**changed))


def test_the_holder_of_a_card_that_no_player_has_is_refused():
    assert holder(HANDS, cards("5♦")) == 1
    with pytest.raises(ValueError, match=r"`card` must be in one of the hands; got cards\('8♦'\)"):
        holder(HANDS, cards("8♦"))


HANDS = [cards("3♦ 4♦"), cards("5♦"), cards("6♦ 6♠"), cards("7♦")]


TABLES = {
    "`hands` must be 4 hands, at most one of them empty; got": [{"hands": HANDS[:3]}, {"hands": 4}],
    "A hand must be at most 13 cards": [
        {"hands": hands} for hands in ("abcd", [*HANDS[:3], True], [*HANDS[:3], DECK])
    ],
    "must not share cards; got 3♦ 4♦ in two of them": [{"hands": [*HANDS[:3], HANDS[0]]}],
    "at most one of them empty": [{"hands": [*HANDS[:2], NO_CARDS, NO_CARDS]}],
    "`player` must be a whole number from 0 to 3; got": [{"player": 4}, {"player": True}],
    "`rules` must be a value of Rules": [{"rules": "usual"}],
    "must be cards that no player holds; got 7♦": [{"lead": cards("7♦")}],
    "A play must be a single": [{"lead": lead} for lead in (cards("8♦ 9♦"), "8D", True, None)],
    "`passed` must be the players who": [{"lead": cards("8♦"), "passed": 3}],
    "`passed` must be a whole number": [
        {"lead": cards("8♦"), "passed": passed} for passed in ([True], "3")
    ],
    "must be players who can have passed": [
        {"passed": [1]},
        {"hands": [*HANDS[:3], NO_CARDS], "lead": cards("7♦"), "passed": [3]},
        *({"lead": cards("8♦"), "passed": passed} for passed in ([1], [1, 2, 3], [0])),
    ],
}


@pytest.mark.parametrize("message", TABLES)
def test_tables_that_cannot_be_are_refused(message):
    for how in TABLES[message]:
        with pytest.raises(ValueError, match=message):
            table(**{"hands": HANDS, **how})


def test_with_the_whole_deck_no_other_player_can_begin():
    dealt = deal(Random(7))
    with pytest.raises(ValueError, match="who holds the 3♦ while all cards are in the hands; got"):
        table(dealt.hands, player=(dealt.player + 1) % 4)


# The course of a game


@given(seed=seeds, each=st.integers(1, 13))
def test_a_game_is_that_of_plain_rules(seed, each):
    """Lists of ranks and suits have the same plays in the same order, and the same points."""
    start, one, other = deal(Random(seed), each=each), Random(seed), Random(seed)
    hands = [[divmod(n, 4) for n in numbers_of(hand)] for hand in start.hands]
    result = plain_playout(game, start, one)
    assert result == plain_big_two.playout(hands, start.player, other)
    assert one.random() == other.random()


def test_a_part_of_a_play_is_not_taken_for_it():
    """The last word of a label names a move only where all that is before it is the same."""
    hands = [cards("4♦ 4♣ 9♥"), cards("5♦ 6♦"), cards("7♦ 8♦"), cards("10♦ J♦")]
    turn = turn_at(game, table(hands, lead=cards("3♦ 3♣")), None)
    assert move_called(game, turn, "4♦ 4♣") == turn.moves[0]
    assert move_called(game, turn, "PASS") == turn.moves[1]
    with pytest.raises(ValueError, match="4♣, a single, does not beat 3♦ 3♣, a pair"):
        move_called(game, turn, "4♣")


def test_what_a_person_reads():
    start = table(HANDS, lead=cards("3♠"))
    assert game.display.show(start).splitlines() == [
        "player 1: 3♦ 4♦",
        "player 2: 5♦",
        "player 3: 6♦ 6♠",
        "player 4: 7♦",
        "3♠ is to be beaten; player 1 is to move",
    ]
    one_card = "The others: player 1 has 2 cards, player 2 has 1 card, player 4 has 1 card"
    assert game.display.show(view(start, 2)).splitlines()[0] == one_card


def test_where_a_pass_bars_the_round_goes_on_among_the_others():
    strict = big_two(Rules(after_pass=False))
    hands = [cards("3♦ J♦ 2♦"), cards("5♦ K♦"), cards("6♦ 6♠"), cards("7♦ Q♦")]
    position = table(hands)
    for text, player in (("3♦", 1), ("", 2), ("6♦", 3), ("7♦", 0), ("J♦", 2)):
        moves = strict.moves(position, None)
        position = next(m for m in moves if play_between(position, m) == cards(text))
        assert position.player == player
    assert position.passed == {1}
    assert strict.moves(position, None)[-1].player == 3


@pytest.mark.parametrize(("left", "pays"), [(1, 1), (9, 9), (10, 20), (12, 24), (13, 39)])
def test_penalties_are_doubled_from_ten_cards_and_tripled_at_thirteen(left, pays):
    deck = list(range(52))
    hands = [0, *(sum(1 << n for n in deck[13 * i : 13 * i + left]) for i in range(3))]
    assert game.result(table(hands)) == (3 * pays, -pays, -pays, -pays)


def test_the_range_of_scores_is_that_of_the_penalties():
    assert game.score_range == (-39, 117)
    assert big_two(VARIANTS["other penalties"]).score_range == (-52, 156)


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
    check_playout(big_two(rules), after_some_turns(Random(seed), turns, rules), seed)


def test_the_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(cards_room, "_MOST_HANDS", 100)
    fresh = Rules(penalties=((1, 1), (9, 2)))
    variant = big_two(fresh)
    before = [playout(variant, deal(Random(i)), Random(i)) for i in range(20)]
    assert len(cards_room.memory_of(fresh)) <= 100
    monkeypatch.undo()
    cards_room.memory_of(fresh).clear()
    assert before == [playout(variant, deal(Random(i)), Random(i)) for i in range(20)]
    assert len(cards_room.memory_of(fresh)) > 100


def test_a_player_without_cards_is_shown_as_out():
    ended = table([cards("3♦"), cards(""), cards("4♦"), cards("5♦")], lead=cards("6♦"), player=2)
    shown = game.display.show(ended).splitlines()
    assert (shown[1], shown[-1]) == ("player 2: out", "the game has ended")
    assert "To beat" not in game.display.show(view(ended, 0))
