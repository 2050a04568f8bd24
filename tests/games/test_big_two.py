"""Big Two: cards, plays against counting formulas and brute force, deals, views and worlds."""

from collections import Counter
from functools import partial
from itertools import combinations, pairwise
from math import comb
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from purembts import engine, exact, mcts
from purembts.chance import pick, shuffled
from purembts.game import move_called, plain_playout, turn_at
from purembts.games import big_two as room
from purembts.games.big_two import (
    CLASSES,
    DECK,
    NO_CARDS,
    PASS,
    RANKS,
    USUAL,
    Cards,
    Rules,
    answers,
    beats,
    big_two,
    cards,
    deal,
    kind,
    label,
    play_between,
    playout,
    plays,
    show_view,
    table,
    view,
    worlds,
)
from purembts.records import visits
from stats import assert_probability, assert_uniform
from strategies import rngs, seeds

game = big_two()

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


# What the rules say of a set of cards, written down once more


def numbers_of(play):
    return [n for n in range(52) if play >> n & 1]


def class_of(play, rules=USUAL):
    """The kind of a play and what plays of that kind are compared by; None where it is none."""
    numbers = numbers_of(play)
    ranks = [n // 4 for n in numbers]
    suits = [n % 4 for n in numbers]
    if len(numbers) <= 3:
        names = ("single", "pair", "triple")
        return (names[len(numbers) - 1], max(numbers)) if len(set(ranks)) == 1 else None
    if len(numbers) != 5:
        return None
    times = Counter(ranks)
    straights = [frozenset(map(RANKS.index, straight)) for straight in rules.straights]
    flush = len(set(suits)) == 1
    if frozenset(ranks) in straights and len(times) == 5:
        which = straights.index(frozenset(ranks))
        last = RANKS.index(rules.straights[which][-1])
        strength = (which, suits[ranks.index(last)])
        return ("straight flush" if flush else "straight"), strength
    if flush:
        by_suit = (suits[0], max(ranks))
        return "flush", by_suit if rules.flushes == "suit" else by_suit[::-1]
    most = max(times.values())
    return (
        {
            4: ("four of a kind", times.most_common(1)[0][0]),
            3: ("full house", times.most_common(1)[0][0]),
        }[most]
        if len(times) == 2
        else None
    )


def brute_force(hand, rules=USUAL):
    """The plays of a hand: of all its subsets those that are one."""
    return {
        Cards(sum(1 << n for n in chosen))
        for size in (1, 2, 3, 5)
        for chosen in combinations(numbers_of(hand), size)
        if class_of(sum(1 << n for n in chosen), rules)
    }


def plain_beats(a, b, rules=USUAL):
    if a.bit_count() != b.bit_count():
        return False
    (kind_a, strength_a), (kind_b, strength_b) = class_of(a, rules), class_of(b, rules)
    if kind_a == kind_b:
        return strength_a > strength_b
    return CLASSES.index(kind_a) > CLASSES.index(kind_b)


# Cards


@given(hand=some_hands, rng=rngs)
def test_cards_are_read_as_they_are_printed(hand, rng):
    assert cards(str(hand)) == hand
    assert eval(repr(hand)) == hand
    ascii_text = str(hand).replace("10", "T").translate(str.maketrans("♦♣♥♠", "DCHS"))
    assert cards(" ".join(shuffled(ascii_text.split(), rng))) == hand
    assert cards(ascii_text.lower().replace(" ", ",")) == hand


def test_cards_print_as_a_person_writes_them():
    assert str(cards("2S TS 3D")) == "3♦ 10♠ 2♠"
    assert cards("10♠") == cards("TS") == cards("ts") == cards("10s")
    assert str(DECK).split()[:5] == ["3♦", "3♣", "3♥", "3♠", "4♦"]
    assert str(DECK).split()[-1] == "2♠"
    assert cards("") == NO_CARDS == PASS


@pytest.mark.parametrize(
    "text", ["1D", "11D", "3", "3X", "D3", "3D4D", "JOKER", "0S", "♦", "3D 3d"]
)
def test_what_is_no_card_is_refused(text):
    with pytest.raises(ValueError, match=r"is not a card|is there twice|is not a text"):
        cards(text)


# Plays


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
@given(hand=some_hands | rich_hands())
@settings(max_examples=60)
def test_plays_are_all_the_subsets_that_are_plays(rules, hand):
    found = plays(hand, rules)
    assert len(set(found)) == len(found)
    assert set(found) == brute_force(hand, rules)
    for play in found:
        assert kind(play, rules) == class_of(play, rules)[0]


@given(hand=some_hands | rich_hands())
def test_plays_come_by_size_and_the_lowest_first(hand):
    found = plays(hand)
    assert [play.bit_count() for play in found] == sorted(play.bit_count() for play in found)
    for before, after in pairwise(found):
        assert not beats(before, after)


def test_the_five_card_hands_of_the_whole_deck_are_as_many_as_they_should_be():
    """Ten straights of five ranks in any suits; flushes; full houses; fours with any card."""
    found = Counter(
        room.CLASSES[play >> room._CLASS & 7]
        for play in room._generated(USUAL, DECK)
        if play >> room._SIZE == 5
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
@settings(max_examples=50)
def test_beats_is_a_strict_total_order_of_plays_that_can_meet(rules, rng):
    """Of the same size, and of different cards: each beats the other or is beaten by it."""
    hands = deal(rng).hands
    for size in (1, 2, 3, 5):
        groups = [[p for p in plays(hand, rules) if p.bit_count() == size] for hand in hands]
        a, b, c = (pick(group, rng) if group else None for group in shuffled(groups, rng)[:3])
        for one, other in ((a, b), (b, c), (a, c)):
            if one and other:
                assert beats(one, other, rules) == plain_beats(one, other, rules)
                assert beats(one, other, rules) != beats(other, one, rules)
                assert not beats(one, one, rules)
        if a and b and c and beats(a, b, rules) and beats(b, c, rules):
            assert beats(a, c, rules)


@given(hand=some_hands | rich_hands(), rng=rngs)
def test_plays_of_a_hand_are_ordered_without_contradiction(hand, rng):
    """Within a hand plays may share their highest card; then neither beats the other."""
    found = plays(hand)
    for a, b in ((pick(found, rng), pick(found, rng)) for _ in range(20 if found else 0)):
        assert beats(a, b) == plain_beats(a, b)
        assert not (beats(a, b) and beats(b, a))


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


def test_nothing_beats_a_play_of_another_size():
    assert not beats(cards("2♠"), cards("3♦ 3♣"))
    assert not beats(cards("10♠ J♠ Q♠ K♠ A♠"), cards("3♦ 3♣ 3♥"))


def test_flushes_go_by_rank_first_where_the_rules_say_so():
    low_spades, high_diamonds = cards("3♠ 4♠ 5♠ 6♠ 8♠"), cards("9♦ J♦ K♦ A♦ 2♦")
    assert beats(low_spades, high_diamonds)
    assert beats(high_diamonds, low_spades, Rules(flushes="rank"))


def test_straights_are_those_of_the_rules():
    jack_high = cards("J♦ Q♦ K♦ A♦ 2♣")
    with pytest.raises(ValueError, match="is not a play"):
        kind(jack_high)
    assert kind(jack_high, VARIANTS["JQKA2 lowest, A2345 and 23456 none"]) == "straight"


@given(rng=rngs)
def test_answers_are_the_plays_that_beat_and_the_pass(rng):
    one, other, *_ = deal(rng).hands
    lead = pick(plays(other), rng)
    found = answers(one, lead)
    assert found[-1] == PASS
    assert set(found[:-1]) == {play for play in plays(one) if beats(play, lead)}
    assert list(found[:-1]) == [play for play in plays(one) if beats(play, lead)]


@given(hand=some_hands | rich_hands(), rng=rngs)
def test_answers_do_not_match_but_beat(hand, rng):
    """Also a lead of the same cards, which cannot be at a table but at the prompt."""
    for lead in [pick(plays(hand), rng)] if hand else []:
        assert list(answers(hand, lead)[:-1]) == [p for p in plays(hand) if beats(p, lead)]


@pytest.mark.parametrize("bad", [-1, 1 << 52, DECK, "3♦", None, 0.5])
def test_what_is_no_hand_is_refused(bad):
    with pytest.raises(ValueError, match="is not a hand of at most 13 cards"):
        plays(bad)


@pytest.mark.parametrize("bad", ["", "3♦ 4♦", "3♦ 3♣ 3♥ 3♠", "3♦ 4♦ 5♦ 6♦ 8♣", "3♦ 3♣ 4♦ 4♣ 5♦"])
def test_what_is_no_play_is_refused(bad):
    with pytest.raises(ValueError, match="is not a play; there are singles, pairs"):
        beats(cards(bad), cards("3♦"))
    with pytest.raises(ValueError, match="is not a play; there are singles, pairs"):
        answers(cards("3♦"), cards(bad))


@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        (Rules(straights=("34567", "76543")), "have the same ranks"),
        (Rules(straights=("3456",)), "is not five different"),
        (Rules(straights=("33456",)), "is not five different"),
        (Rules(straights=("3456X",)), "is not five different"),
        (Rules(flushes="colour"), "Flushes go by 'colour'"),
        (Rules(penalties=()), "The penalties are"),
        (Rules(penalties=((2, 1),)), "The penalties are"),
        (Rules(penalties=((1, 1), (13, 3), (10, 2))), "The penalties are"),
        (Rules(penalties=((1, 1), (14, 3))), "The penalties are"),
        (Rules(penalties=((1, 0),)), "The penalties are"),
        (Rules(penalties=((1, float("nan")),)), "The penalties are"),
        (Rules(penalties=((1, 1.5),)), "The penalties are"),
        (Rules(penalties=((1, 1), (10,))), "The penalties are"),
        (Rules(penalties=(1, 2)), "The penalties are"),
        (Rules(penalties=None), "The penalties are"),
        (Rules(penalties=[(1, 1)]), "not lists"),
        (Rules(straights=["34567"]), "not lists"),
        (Rules(straights=(1,)), "is not five different"),
        (Rules(straights=None), "is not five different"),
        (Rules(after_pass="no"), "after_pass is 'no'"),
        ("usual", "are not rules"),
    ],
)
def test_rules_that_contradict_themselves_are_refused(rules, complaint):
    for refuses in (big_two, partial(plays, cards("3♦")), partial(kind, cards("3♦"))):
        with pytest.raises(ValueError, match=complaint):
            refuses(rules)


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
    assert dealt == table(dealt.hands, dealt.player)


@given(rng=rngs, each=st.integers(1, 13))
def test_deals_are_complete_and_disjoint(rng, each):
    check_deal(deal(rng, each), each)


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
    dealt = Counter(card for _ in range(n) for card in numbers_of(sum(deal(rng, 4).hands)))
    for card in (0, 20, 51):
        assert_probability(dealt[card], n, 16 / 52, effect=0.07)


def test_deals_that_favour_a_player_are_told():
    """The test above can fail."""
    rng, where = Random(7), Counter()
    for _ in range(20_000):
        hands = deal(rng).hands
        lucky = hands[0] | (1 << 51 if rng.random() < 0.05 else 0)
        where[next(i for i, hand in enumerate((lucky, *hands[1:])) if hand >> 51 & 1)] += 1
    with pytest.raises(AssertionError):
        assert_uniform([where[i] for i in range(4)], effect=0.15)


def after_some_turns(rng, turns, rules=USUAL):
    """A position of a random game, and the views of all players on the way there."""
    position = deal(rng)
    for _ in range(turns):
        moves = big_two(rules).moves(position, None)
        if not moves:
            return position
        position = pick(moves, rng)
    return position


@given(rng=rngs, turns=st.integers(0, 60), player=st.integers(0, 3))
def test_worlds_fit_everything_the_view_knows(rng, turns, player):
    truth = after_some_turns(rng, turns)
    known = view(truth, player)
    stream = worlds(known, rng)
    for _ in range(3):
        world = next(stream)
        assert view(world, player) == known
        assert table(world.hands, world.player, world.lead, world.passed) == world
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
    for wrong in (
        known._replace(counts=(13, 12, 13, 13)),
        known._replace(hand=cards("3♦")),
        known._replace(played=known.hand),
    ):
        with pytest.raises(ValueError, match="does not add up"):
            next(worlds(wrong, Random(7)))
    for wrong in (known._replace(player=9), known._replace(to_move=7)):
        with pytest.raises(ValueError, match="it has to be 0 to 3"):
            next(worlds(wrong, Random(7)))


@pytest.mark.parametrize("player", [-1, 4, "1", None])
def test_players_that_there_are_not_have_no_view(player):
    with pytest.raises(ValueError, match="it has to be 0 to 3"):
        view(deal(Random(7)), player)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        [[1, 2, 3, 4], 0, "", []],
        [["3D", "4D", "5D", "6D"], 0, "7D", [[]]],
        [["3D", "4D", "5D", "6D"], 9, "7D", []],
        [["3D", "4D", "5D", "3D"], 0, "7D", []],
    ],
)
def test_what_is_no_table_in_a_file_is_refused(value):
    with pytest.raises(ValueError, match=r"is"):
        game.json.decode(value)


def test_a_deal_is_drawn_from_a_generator():
    with pytest.raises(ValueError, match=r"`rng` must be .*got 5"):
        deal(5)


HANDS = [cards("3♦ 4♦"), cards("5♦"), cards("6♦ 6♠"), cards("7♦")]


@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ({"hands": HANDS[:3]}, "there have to be 4"),
        ({"hands": [*HANDS[:3], HANDS[0]]}, "3♦ 4♦ is held twice"),
        ({"hands": [*HANDS[:3], DECK]}, "is not a hand of at most 13"),
        ({"hands": [*HANDS[:2], NO_CARDS, NO_CARDS]}, "one may be empty"),
        ({"hands": HANDS, "player": 4}, "The player is 4"),
        ({"hands": HANDS, "player": -1}, "The player is -1"),
        ({"hands": HANDS, "player": True}, "The player is True"),
        ({"hands": HANDS, "player": 1.0}, "The player is 1.0"),
        (
            {"hands": [*HANDS[:3], NO_CARDS], "lead": cards("7♦"), "passed": [3]},
            "cannot have passed",
        ),
        ({"hands": HANDS, "rules": "usual"}, "are not rules"),
        ({"hands": HANDS, "lead": cards("7♦")}, "7♦ is to be beaten, and in a hand"),
        ({"hands": HANDS, "lead": cards("8♦ 9♦")}, "is not a play"),
        ({"hands": HANDS, "lead": "8D"}, "'8D' is not a play"),
        ({"hands": HANDS, "passed": [1]}, "cannot have passed"),
        ({"hands": HANDS, "lead": cards("8♦"), "passed": [1]}, "cannot have passed"),
        ({"hands": HANDS, "lead": cards("8♦"), "passed": [1, 2, 3]}, "cannot have passed"),
        ({"hands": HANDS, "lead": cards("8♦"), "passed": [0]}, "cannot have passed"),
    ],
)
def test_tables_that_cannot_be_are_refused(how, complaint):
    with pytest.raises(ValueError, match=complaint):
        table(**how)


@pytest.mark.parametrize("each", [0, 14, -1, 2.5, None])
def test_deals_of_the_wrong_size_are_refused(each):
    with pytest.raises(ValueError, match="it has to be 1 to 13"):
        deal(Random(7), each)


def test_with_the_whole_deck_nobody_else_can_begin():
    dealt = deal(Random(7))
    with pytest.raises(ValueError, match="who has the 3♦"):
        table(dealt.hands, (dealt.player + 1) % 4)


# The course of a game


def played(start, *texts):
    """The table after these plays, an empty text for a pass."""
    for text in texts:
        start = next(m for m in game.moves(start, None) if play_between(start, m) == cards(text))
    return start


def test_the_first_play_has_the_three_of_diamonds():
    dealt = deal(Random(7))
    moves = game.moves(dealt, None)
    first = [play_between(dealt, move) for move in moves]
    assert first == [play for play in plays(dealt.hands[dealt.player]) if play & cards("3♦")]
    assert first


def test_a_part_of_a_play_is_not_taken_for_it():
    """The last word of a label names a move only where all that is before it is the same."""
    hands = [cards("4♦ 4♣ 9♥"), cards("5♦ 6♦"), cards("7♦ 8♦"), cards("10♦ J♦")]
    turn = turn_at(game, table(hands, lead=cards("3♦ 3♣")), None)
    assert move_called(game, turn, "4♦ 4♣") == turn.moves[0]
    assert move_called(game, turn, "PASS") == turn.moves[1]
    with pytest.raises(ValueError, match=r"The move must be one of these: .*got '4♣'"):
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
    assert show_view(view(start, 2)).splitlines() == [
        "player 1: 2 cards",
        "player 2: 1 card",
        "player 3: 6♦ 6♠",
        "player 4: 1 card",
        "3♠ is to be beaten; player 1 is to move",
    ]


def test_whoever_leads_has_to_play_and_who_follows_may_pass():
    start = table(HANDS)
    assert [label(start, move) for move in game.moves(start, None)] == ["3♦", "4♦"]
    after = played(start, "3♦")
    assert [label(after, move) for move in game.moves(after, None)] == ["5♦", "pass"]


def test_three_passes_give_the_lead_to_whoever_played_last():
    after = played(table(HANDS), "3♦", "", "6♦", "", "", "")
    assert after.player == 2
    assert after.lead == NO_CARDS
    assert after.passed == frozenset()
    assert [label(after, move) for move in game.moves(after, None)] == ["6♠"]


def test_a_pass_does_not_bar_one_from_playing_later_in_the_round():
    after = played(table(HANDS), "3♦", "", "6♦", "")
    assert after.player == 0
    after = played(table([cards("3♦ J♦"), *HANDS[1:]]), "3♦", "", "6♦", "", "J♦")
    assert (after.player, after.passed) == (1, frozenset())


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


def test_play_stops_when_one_is_out_and_the_losers_pay():
    after = played(table(HANDS), "3♦", "5♦")
    assert game.moves(after, None) == ()
    assert game.result(after) == (-1, 4, -2, -1)


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
    result = (variant.playout or plain_playout)(variant, position, one)
    assert result == plain_playout(variant, position, other)
    assert one.random() == other.random()
    assert sum(result) == 0


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS)
@given(seed=seeds, turns=st.integers(0, 60))
@settings(max_examples=25)
def test_a_playout_is_the_plain_one_number_for_number(rules, seed, turns):
    check_playout(big_two(rules), after_some_turns(Random(seed), turns, rules), seed)


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(room, "_MOST_HANDS", 100)
    fresh = Rules(penalties=((1, 1), (9, 2)))
    variant = big_two(fresh)
    before = [playout(variant, deal(Random(i)), Random(i)) for i in range(20)]
    assert len(room._memory(fresh)) <= 100
    monkeypatch.undo()
    room._memory(fresh).clear()
    assert before == [playout(variant, deal(Random(i)), Random(i)) for i in range(20)]
    assert len(room._memory(fresh)) > 100


# Endgames with open hands


@pytest.mark.slow
def test_forced_wins_are_found_by_the_solver_and_by_search():
    """Of random endgames those in which one move alone gains, by the solver."""
    rng, value = Random(7), exact.solver(game)
    decided = 0
    for _ in range(300):
        start = deal(rng, 2)
        turn = turn_at(game, start, None)
        gains = [move for move in turn.moves if value(move)[turn.player] > 0]
        if len(turn.moves) > len(gains) == 1:
            decided += 1
            assert exact.best(turn, [value(move) for move in turn.moves]) == tuple(gains)
            tree = engine.search(game, {}, start, 300, rng)
            assert mcts.learnt(tree, visits)(turn) == tuple(gains)
    assert decided >= 15


def test_a_forced_win_is_known_for_what_it_is():
    """With the 2 of spades and a pair nobody can beat: out, whatever the others do."""
    start = table(
        [cards("2♠ 4♦ 4♣"), cards("5♦ 6♦"), cards("7♦ 8♦"), cards("9♦ J♦")], lead=cards("3♠")
    )
    turn = turn_at(game, start, None)
    value = exact.solver(game)
    [best] = exact.best(turn, [value(move) for move in turn.moves])
    assert label(start, best) == "2♠"
    assert value(start) == (6, -2, -2, -2)
    tree = engine.search(game, {}, start, 500, Random(7))
    assert label(start, mcts.learnt(tree, visits)(turn)[0]) == "2♠"
