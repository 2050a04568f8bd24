"""Random games of Big Two the plain way: a hand is a list of ranks and suits, and nothing is kept.

The plays are built from ranks and suits at each turn. A game has the usual rules, and draws as
`plain_playout` does, so that a test can hold it to the same results.
"""

from itertools import combinations, product

STRAIGHTS = [(11, 12, 0, 1, 2), (12, 0, 1, 2, 3), *(tuple(range(i, i + 5)) for i in range(8))]


def of_one_rank(hand, size):
    for rank in range(13):
        yield from combinations([card for card in hand if card[0] == rank], size)


def five_cards(hand, straights, flushes):
    """The five-card hands, each with its class and its order in it; flushes by suit or by rank."""
    by_rank = [[card for card in hand if card[0] == rank] for rank in range(13)]
    for i, ranks in enumerate(straights):
        for chosen in product(*[by_rank[rank] for rank in ranks]):
            flush = len({suit for _, suit in chosen}) == 1
            yield (4 if flush else 0, i, chosen[-1][1]), chosen
    runs = {frozenset(ranks) for ranks in straights}
    for suit in range(4):
        for chosen in combinations([card for card in hand if card[1] == suit], 5):
            if frozenset(rank for rank, _ in chosen) not in runs:
                order = (suit, chosen[-1][0])
                yield (1, *(order if flushes == "suit" else order[::-1])), chosen
    for triple, pair in product(of_one_rank(hand, 3), of_one_rank(hand, 2)):
        if triple[0][0] != pair[0][0]:
            yield (2, triple[0][0], 0), triple + pair
    for four in of_one_rank(hand, 4):
        for card in hand:
            if card not in four:
                yield (3, four[0][0], 0), (*four, card)


def options(hand, lead, straights=STRAIGHTS, flushes="suit"):
    """The plays of `hand` that beat `lead`, or all: their strengths and cards, the lowest first."""
    found = [
        ((size,), max(cards), cards) for size in (1, 2, 3) for cards in of_one_rank(hand, size)
    ]
    found = [(size, (top,), cards) for size, top, cards in found]
    if len(hand) >= 5:
        found += [((5,), order, cards) for order, cards in five_cards(hand, straights, flushes)]
    if lead:
        size, order, _ = lead
        found = [play for play in found if play[0] == size and play[1] > order]
    return sorted(found, key=lambda play: (play[0], play[1], number(play[2])))


def number(cards):
    return sum(1 << 4 * rank + suit for rank, suit in cards)


def playout(hands, player, rng):
    """How a random game from these hands, lists of (rank, suit), ends: the points of each."""
    hands = [sorted(hand) for hand in hands]
    lead, passes = None, 0
    opening = sum(map(len, hands)) == 52
    while all(hands):
        plays = options(hands[player], lead)
        if opening:
            plays = [play for play in plays if (0, 0) in play[2]]
        opening = False
        n = len(plays) + bool(lead)
        i = int(rng.random() * n) if n > 1 else 0
        if i < len(plays):
            lead, passes = plays[i], 0
            hands[player] = [card for card in hands[player] if card not in lead[2]]
        else:
            passes += 1
            if passes == 3:
                lead, passes = None, 0
        player = (player + 1) % 4
    pays = [len(hand) * (1 + (len(hand) >= 10) + (len(hand) >= 13)) for hand in hands]
    return tuple(-pay or sum(pays) for pay in pays)
