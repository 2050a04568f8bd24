"""Big Two: four players get rid of their cards, and each play beats the one before it.

A `CardTable` has all that is true of a position. A `View` has what one player may know of it, and
`worlds` deals the cards that this player has not seen. Cards and plays are in `big_two_cards`. The
rules are the base rules that pagat.com gives, and `Rules` has what varies between variants.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations, islice
from random import Random
from typing import Any, NamedTuple

from purembts.chance import Rng, pick, random, repeatedly, shuffled
from purembts.checks import an_rng, brief, checked_parts, whole_number
from purembts.display import Codec, Display, Hidden, counted
from purembts.game import Game, with_playout
from purembts.games.big_two_cards import (
    DECK,
    HAND_SIZE,
    NO_CARDS,
    SIZE,
    THREE_OF_DIAMONDS,
    USUAL,
    Cards,
    Code,
    Rules,
    about,
    beats,
    bits,
    cards,
    checked_hand,
    checked_rules,
    code_of,
    codes_of,
    kind,
    limits,
    memory_of,
    numbers,
    remember,
    typed_play,
)
from purembts.records import Scores

_PLAYERS = 4


# Tables: all that is true of a position


class CardTable(NamedTuple):
    """The hands of all players, the player to move, and the play to beat."""

    hands: tuple[Cards, ...]
    player: int
    lead: Cards = NO_CARDS
    """The play to beat; no cards where the player to move leads."""
    passed: frozenset[int] = frozenset()
    """The players who have passed since `lead` was played. If `after_pass` is False: the players
    who have passed since the first play of the round."""


def card_table(
    hands: Sequence[int],
    *,
    player: int | None = None,
    lead: int = NO_CARDS,
    passed: Iterable[int] = (),
    rules: Rules = USUAL,
) -> CardTable:
    """The table of these hands, or a ValueError; all other cards have been played.

    `player` is the player to move, by default player 0. If the hands have the whole deck, it is
    the player with the 3 of diamonds.
    """
    checked = _checked_hands(hands)
    mover = 0 if player is None else _checked_player(player)
    if sum(checked) == DECK:
        mover = _opener(checked)
    if player not in (None, mover):
        raise ValueError(
            f"`player` must be {mover}, who holds the 3♦ while all cards are in the hands; "
            f"got {player}."
        )
    if lead != NO_CARDS:
        code_of(rules, lead)
    table = CardTable(checked, mover, Cards(lead), _checked_passed(passed))
    return _checked_round(rules, table)


def _checked_player(player: int, name: str = "player") -> int:
    return whole_number(player, name, 0, _PLAYERS - 1)


def _checked_passed(passed: Iterable[int]) -> frozenset[int]:
    if not isinstance(passed, Iterable):
        raise ValueError(f"`passed` must be the players who have passed; got {brief(passed)}.")
    return frozenset(_checked_player(player, "passed") for player in passed)


def _checked_hands(hands: Iterable[int]) -> tuple[Cards, ...]:
    """`hands`, or a ValueError if they cannot be those of the players at one table."""
    checked = tuple(map(checked_hand, hands)) if isinstance(hands, Iterable) else ()
    if len(checked) != _PLAYERS or checked.count(NO_CARDS) > 1:
        raise ValueError(
            f"`hands` must be {_PLAYERS} hands, at most one of them empty; got {brief(hands)}."
        )
    for twice in (Cards(one & other) for one, other in combinations(checked, 2)):
        if twice:
            raise ValueError(f"`hands` must not share cards; got {twice} in two of them.")
    return checked


def _checked_round(rules: Rules, table: CardTable) -> CardTable:
    """`table`, or a ValueError if its lead or its passes are impossible."""
    hands, player, lead, passed = table
    if lead & sum(hands):
        raise ValueError(
            f"`lead` must be cards that no player holds; got {lead}, of which a hand has "
            f"{Cards(lead & sum(hands))}."
        )
    last = {(player - back) % _PLAYERS for back in range(1, len(passed) + 1)}
    possible = last if rules.after_pass else {*range(_PLAYERS)} - {player}
    out = {i for i, hand in enumerate(hands) if not hand}
    if not passed <= possible - out or len(passed) > (_PLAYERS - 2 if lead else 0):
        raise ValueError(
            "`passed` must be players who can have passed since "
            f"{lead or 'nothing'} was played, with player {player} to move; got {sorted(passed)}."
        )
    return table


def _opener(hands: Sequence[int]) -> int:
    """The player with the 3 of diamonds, which one of `hands` has."""
    return next(player for player, hand in enumerate(hands) if hand & THREE_OF_DIAMONDS)


def deal(rng: Rng = random, *, hand_size: int = HAND_SIZE) -> CardTable:
    """A table with `hand_size` cards for each player; every deal is equally likely.

    With fewer than 13, all other cards have been played, and player 0 leads.
    """
    n = whole_number(hand_size, "hand_size", 1, HAND_SIZE)
    deck = shuffled(range(_PLAYERS * HAND_SIZE), an_rng(rng))
    hands = tuple(Cards(bits(deck[i * n : (i + 1) * n])) for i in range(_PLAYERS))
    return CardTable(hands, _opener(hands) if n == HAND_SIZE else 0)


# Views: what one player may know of a table


class View(NamedTuple):
    """The part of a table that `player` may know."""

    player: int
    hand: Cards
    counts: tuple[int, ...]
    """The number of cards that each player holds."""
    played: Cards
    """All cards that have been played, by any player."""
    to_move: int
    lead: Cards = NO_CARDS
    passed: frozenset[int] = frozenset()


def view(table: CardTable, player: int) -> View:
    """The part of `table` that `player` may know."""
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


def worlds(view: View, rng: Rng = random) -> Iterator[CardTable]:
    """Tables that fit `view`, drawn without end, each of them equally likely.

    Before the first play, every player knows that the player to move has the 3 of diamonds.
    """
    if not isinstance(view, View):
        raise ValueError(f"`view` must be a View, such as view(table, 0); got {brief(view)}.")
    _checked_player(view.player)
    _checked_player(view.to_move, "to_move")
    unseen = DECK & ~view.hand & ~view.played
    counts = [0 if i == view.player else n for i, n in enumerate(view.counts)]
    adds_up = unseen.bit_count() == sum(counts) and not view.hand & view.played
    if not adds_up or view.hand.bit_count() != view.counts[view.player]:
        raise ValueError(
            f"`view` must have counts that fit its cards; got counts of {view.counts}, a hand of "
            f"{view.hand.bit_count()} and {unseen.bit_count()} unseen cards in {brief(view)}."
        )
    if opening := unseen & THREE_OF_DIAMONDS if view.played == NO_CARDS else 0:
        counts[view.to_move] -= 1
    return repeatedly(partial(_world, view, counts, opening, numbers(unseen ^ opening), rng))


def _world(
    view: View, counts: Sequence[int], opening: int, unseen: Sequence[int], rng: Rng
) -> CardTable:
    """A table that fits `view`. Hands get `counts` of `unseen`, and the mover also `opening`."""
    rest = iter(shuffled(unseen, rng))
    hands = [bits(islice(rest, n)) for n in counts]
    hands[view.player] = view.hand
    hands[view.to_move] |= opening
    return CardTable(tuple(map(Cards, hands)), view.to_move, view.lead, view.passed)


def play_between(before: View | CardTable, after: View | CardTable) -> Cards:
    """The play that leads from one position or view to the next; no cards for a pass."""
    return Cards(_past_cards(after) ^ _past_cards(before))


def _past_cards(position: View | CardTable) -> int:
    """The cards that have been played."""
    return position.played if isinstance(position, View) else DECK ^ sum(position.hands)


# The game


def big_two(
    *,
    straights: tuple[str, ...] = USUAL.straights,
    flushes: str = USUAL.flushes,
    penalties: tuple[tuple[int, int], ...] = USUAL.penalties,
    after_pass: bool = USUAL.after_pass,
) -> Game[CardTable, None]:
    """The game, which begins with a `deal`, or in the middle with a `card_table`.

    `Rules` says what the arguments mean.

    >>> big_two(after_pass=False).rules.after_pass
    False
    """
    return _game(checked_rules(Rules(straights, flushes, penalties, after_pass)))


@cache
def _game(rules: Rules) -> Game[CardTable, None]:
    """The game with `rules`, the same one at every call."""
    worst = max(penalties(rules))
    game: Game[CardTable, None] = Game(
        moves=partial(_moves, rules),
        result=partial(_result, rules),
        to_move=_to_move,
        name="Big Two",
        players=_PLAYERS,
        score_range=(-worst, (_PLAYERS - 1) * worst),
        score_sum=0,
        deal=deal,
        rules=rules,
        display=Display(
            partial(show, rules=rules),
            label,
            typed_move=partial(typed_move, rules),
            look="cards",
            about=about(rules),
        ),
        json=Codec(_encode, partial(_decode, rules)),
        hidden=Hidden(view, worlds, Codec(_encode_view, partial(_decode_view, rules))),
    )
    return with_playout(game, _playout) if rules.after_pass else game


def _moves(rules: Rules, table: CardTable, event: None = None) -> tuple[CardTable, ...]:  # noqa: ARG001
    """The tables after each play, by size and from the lowest, and then after the pass."""
    if not all(table.hands):
        return ()
    after = [_after_play(rules, table, code & DECK) for code in _options(rules, table)]
    return (*after, _after_pass(table)) if table.lead else tuple(after)


def _options(rules: Rules, table: CardTable) -> list[Code]:
    """The codes of the plays that may be played, without the pass."""
    codes = codes_of(rules, table.hands[table.player])
    if table.lead:
        low, high = limits(code_of(rules, table.lead))
        return codes[bisect_right(codes, low) : bisect_left(codes, high)]
    return codes if _past_cards(table) else [code for code in codes if code & THREE_OF_DIAMONDS]


def _after_play(rules: Rules, table: CardTable, play: int) -> CardTable:
    """The table after the player to move has put `play` on it."""
    hands, player, _, passed = table
    rest = (*hands[:player], Cards(hands[player] ^ play), *hands[player + 1 :])
    passed = frozenset() if rules.after_pass else passed
    return CardTable(rest, _next(player, passed), Cards(play), passed)


def _after_pass(table: CardTable) -> CardTable:
    """The table after a pass; once all others have passed, the last player leads."""
    passed = table.passed | {table.player}
    following = _next(table.player, passed)
    if len(passed) == _PLAYERS - 1:
        return CardTable(table.hands, following)
    return CardTable(table.hands, following, table.lead, passed)


def _next(player: int, passed: frozenset[int]) -> int:
    """The next player after `player` who has not passed; `player` if all others have."""
    following = (player + 1) % _PLAYERS
    return _next(following, passed) if following in passed else following


def _result(rules: Rules, table: CardTable) -> Scores:
    return _points(rules, table.hands)


def _points(rules: Rules, hands: Iterable[int]) -> Scores:
    """The points of each player. Each loser pays for the cards left; the winner gets the sum."""
    points = [penalties(rules)[hand.bit_count()] for hand in hands]
    return tuple([-paid or sum(points) for paid in points])


@cache
def penalties(rules: Rules) -> tuple[int, ...]:
    """The points that a loser pays with 0, 1, 2, ... cards left."""
    factors = dict(rules.penalties)
    starts = [max(n for n in factors if n <= left) for left in range(1, HAND_SIZE + 1)]
    return (0, *[left * factors[start] for left, start in enumerate(starts, 1)])


def _to_move(table: CardTable) -> int:
    return table.player


# A playout of its own


def _playout(game: Game[CardTable, None], table: CardTable, rng: Rng = random) -> Scores:
    """The result of a uniformly random game from `table`, where `after_pass` is True.

    `game.plain_playout` specifies it: this gives the same results from the same random numbers,
    faster because it makes no tables on the way.
    """
    rules = game.rules
    if not _past_cards(table):
        table = _after_play(rules, table, pick(_options(rules, table), rng) & DECK)
    if not all(table.hands):
        return _result(rules, table)
    hands: list[int] = list(table.hands)
    player, passes = table.player, len(table.passed)
    all_codes = [codes_of(rules, hand) for hand in hands]
    lead, above = limits(code_of(rules, table.lead)) if table.lead else (0, 0)
    memory, draw = memory_of(rules), rng.random
    recall = memory.get
    # At the head of the loop no hand is empty, and `all_codes` has the sorted codes of all plays of
    # each hand. `lead` is 0 where the player leads. Otherwise the codes that beat the lead are
    # those above `lead` and below `above`, and the last `passes` players have passed.
    # A number is drawn exactly where there is a choice, as `pick` does.
    while True:
        codes = all_codes[player]
        if lead:
            first = bisect_right(codes, lead)
            n = bisect_left(codes, above, first) - first
            i = int(draw() * (n + 1)) if n else 0
            if i == n:
                passes += 1
                if passes == _PLAYERS - 1:
                    lead = passes = 0
                player = (player + 1) & 3
                continue
            code = codes[first + i]
        else:
            code = codes[int(draw() * len(codes))] if len(codes) > 1 else codes[0]
        play = code & DECK
        hands[player] = hand = hands[player] ^ play
        if not hand:
            return _points(rules, hands)
        rest = recall(hand)
        if rest is None:
            # The plays of the other cards share no card with `play`; their order stays.
            rest = remember(memory, hand, [other for other in codes if not other & play])
        all_codes[player] = rest
        lead, above = code | DECK, ((code >> SIZE) + 1) << SIZE  # `limits(code)`
        passes = 0
        player = (player + 1) & 3


# Text for people, and JSON


def show(position: CardTable | View, *, rules: Rules = USUAL) -> str:
    """The hands, the play to beat and the player to move; for a view, what its player may know."""
    if isinstance(position, View):
        return "\n".join(_view_lines(rules, position))
    hands = [f"player {i + 1}: {hand or 'out'}" for i, hand in enumerate(position.hands)]
    beaten = f"{position.lead} is to be beaten; " if position.lead else ""
    following = f"{beaten}player {position.player + 1} is to move"
    return "\n".join([*hands, following if all(position.hands) else "the game has ended"])


def _view_lines(rules: Rules, view: View) -> Iterator[str]:
    """The lines of a view."""
    counts = enumerate(view.counts)
    holds = {n: f"has {counted(n, 'card')}" if n else "is out" for n in view.counts}
    others = [f"player {i + 1} {holds[n]}" for i, n in counts if i != view.player]
    yield f"The others: {', '.join(others)}"
    yield f"Player {view.player + 1}'s hand: {view.hand or 'no cards'}"
    if view.lead and all(view.counts):
        leader = (view.to_move - 1 - len(view.passed)) % _PLAYERS
        by = f" of player {leader + 1}" if rules.after_pass else ""  # else a view does not show it
        yield f"To beat: {view.lead}, a {kind(view.lead, rules=rules)}{by}"
    if view.to_move != view.player and all(view.counts):
        yield f"To move: player {view.to_move + 1}"


def label(before: CardTable | View, after: CardTable | View) -> str:
    """The name of a move: the cards, or pass."""
    return str(play_between(before, after)) or "pass"


def typed_move(rules: Rules, position: CardTable | View, text: str) -> str:
    """The label of the move that `text` names, by its cards or `p`; a ValueError if there is none.

    >>> start = card_table([cards(hand) for hand in ("4♦ 4♠ 10♣", "5♥", "6♥", "7♥")])
    >>> typed_move(USUAL, start, "4s 4D"), typed_move(USUAL, start, "10c")
    ('4♦ 4♠', '10♣')
    """
    if text.strip().lower() in ("p", "pass"):
        if not position.lead:
            raise ValueError("You have the lead, so you cannot pass.")
        return "pass"
    hand = position.hand if isinstance(position, View) else position.hands[position.player]
    play = typed_play(rules, hand, text)
    if position.lead and not beats(play, position.lead, rules=rules):
        one, other = (f"{p}, a {kind(p, rules=rules)}" for p in (play, position.lead))
        raise ValueError(f"{one}, does not beat {other}.")
    if not _past_cards(position) and not play & THREE_OF_DIAMONDS:
        raise ValueError(f"The first play must have the {THREE_OF_DIAMONDS}; got {play}.")
    return str(play)


def _encode(table: CardTable) -> list[Any]:
    hands = [str(hand) for hand in table.hands]
    return [hands, table.player, str(table.lead), sorted(table.passed)]


def _decode(rules: Rules, value: Any) -> CardTable:  # noqa: ANN401
    """The table with these parts, or a ValueError if there is none."""
    right = "A table must be a list of the hands, the player, the lead and the players who have"
    texts, player, lead, passed = checked_parts(value, (list, int, str, list), f"{right} passed")
    hands = [cards(text) for text in texts]
    return card_table(hands, player=player, lead=cards(lead), passed=passed, rules=rules)


def _encode_view(view: View) -> list[Any]:
    past = [str(view.played), view.to_move, str(view.lead), sorted(view.passed)]
    return [view.player, str(view.hand), list(view.counts), *past]


def _decode_view(rules: Rules, value: Any) -> View:  # noqa: ANN401
    """The view with these parts, or a ValueError if no table looks like this."""
    kinds = (int, str, list, str, int, str, list)
    right = f"A view must be a list of {', '.join(View._fields[:-1])} and passed"
    player, hand, counts, played, to_move, lead, passed = checked_parts(value, kinds, right)
    if len(counts) != _PLAYERS:
        raise ValueError(f"`counts` must be {_PLAYERS} numbers of cards; got {brief(counts)}.")
    counts = tuple([whole_number(n, "counts", 0, HAND_SIZE) for n in counts])
    known = View(player, cards(hand), counts, cards(played), to_move, cards(lead))
    hands = next(worlds(known, Random(0))).hands  # what is checked is the same in every world
    table = card_table(hands, player=to_move, lead=known.lead, passed=passed, rules=rules)
    return known._replace(passed=table.passed)
