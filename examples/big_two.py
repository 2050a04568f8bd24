"""A tournament of Big Two: random play, a plan, search, hybrid, and search that sees all hands.

`python examples/big_two.py 40 400` plays 40 deals, each in all 120 seatings, with searches of 400
dives a turn. That takes long. Without arguments it plays few deals with short searches, only to
show the table.

The plan splits a hand into plays that share no card, and these are the plays that its player means
to make. It is a strategy of one's own, so other commands take it too:
`purembts match big-two --players examples/big_two.py:plan_strategy random --games 24`.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from math import perm

from purembts.bounds import ucb1_with
from purembts.chance import Rng, random
from purembts.determinize import lifted
from purembts.game import Strategy, Turn
from purembts.games.big_two import CardTable, View, big_two, play_between
from purembts.games.big_two_cards import (
    CLASSES,
    HAND_SIZE,
    NO_CARDS,
    Cards,
    checked_hand,
    kind,
    numbers,
    plays,
    strength,
)
from purembts.play import match
from purembts.players import Player, random_player, uct_player
from purembts.records import mean

ROLLOUTS = 4
MAX_CARDS = 32


# Plans


def game_plan(hand: int) -> tuple[Cards, ...]:
    """The plays that `hand` is best split into, by size, and of each size from the lowest.

    Every card is in one of them. A split takes out at most two five-card hands and puts the other
    cards together by rank. The plan is the split of the least total effort.
    """
    return _plan(checked_hand(hand))


@lru_cache(maxsize=1 << 14)
def _plan(hand: Cards) -> tuple[Cards, ...]:
    fives = [play for play in plays(hand) if play.bit_count() == 5]
    return tuple(sorted(min(_splits(fives, hand), key=_effort_of_all), key=strength))


@lru_cache(maxsize=1 << 14)
def _effort(play: Cards) -> float:
    """The number of turns that the plan counts for getting rid of `play`, from 0.1 to 1.

    It is 1 for the 3 of diamonds, which any other single card beats. A play that is harder to beat
    takes less, because it wins back the lead. For five cards, the class decides. For other plays,
    the highest card decides.
    """
    if play.bit_count() == len(CLASSES):
        return 1 - 0.9 * (CLASSES.index(kind(play)) + 1) / len(CLASSES)
    return 1 - 0.9 * max(numbers(play)) / 51


def _effort_of_all(split: Iterable[Cards]) -> float:
    total = 0.0
    for play in split:
        total += _effort(play)
    return total


def _splits(fives: Sequence[Cards], hand: int) -> Iterator[tuple[Cards, ...]]:
    """The ways to split `hand` into some of `fives` and plays of one rank."""
    yield _by_rank(hand)
    for i, five in enumerate(fives):
        others = [other for other in fives[:i] if not other & five]
        for split in _splits(others, hand ^ five):
            yield (five, *split)


def _by_rank(hand: int) -> tuple[Cards, ...]:
    """The cards of `hand`, those of each rank as one play; four of a rank are two pairs."""
    found: list[int] = []
    for rank in range(HAND_SIZE):
        alike = hand & (15 << (4 * rank))
        pair = 3 << (4 * rank)
        found += [pair, alike ^ pair] if alike.bit_count() == 4 else [alike] if alike else []
    return tuple(map(Cards, found))


# A strategy


def plan_strategy(turn: Turn[View, None], rng: Rng = random) -> View:  # noqa: ARG001
    """The move of a player who keeps to the plan of the hand and sees only the view.

    The player leads with the play of the plan that takes the most effort, and answers with the
    lowest play of the plan that is allowed. Once another player has one or two cards left, the
    player leads with a play of the largest size in the plan (the highest one if these are single
    cards) and answers with the highest play of the plan, or of the whole hand if none of the plan
    is allowed. Where other rules refuse all plays of the plan, it is made of all plays.
    """
    view = turn.state
    moves = {play_between(view, move): move for move in turn.moves}
    planned = [play for play in game_plan(view.hand) if play in moves]
    danger = min(n for player, n in enumerate(view.counts) if player != view.player) <= 2
    if view.lead:
        return moves[_answer(planned, sorted(moves, key=int.bit_count), danger)]
    return moves[_lead(planned or sorted(moves, key=strength), danger)]


def _lead(planned: Sequence[Cards], danger: bool) -> Cards:
    """The play to lead with, of `planned`, which is sorted."""
    if not danger:
        return max(planned, key=_effort)
    longest = planned[-1].bit_count()
    return planned[-1] if longest == 1 else next(p for p in planned if p.bit_count() == longest)


def _answer(planned: Sequence[Cards], options: Sequence[Cards], danger: bool) -> Cards:
    """The play to answer with, of `planned` or of `options`: the pass, then plays in order."""
    if danger:
        return planned[-1] if planned else options[-1]
    return planned[0] if planned else NO_CARDS


# A tournament


def players(budget: int) -> dict[str, Strategy[CardTable, None]]:
    """The five strategies by name. Those that search have the same budget."""
    game, bound = big_two(), ucb1_with(0.2)
    search = uct_player(game, budget, rollouts=ROLLOUTS, bound=bound, final=mean)
    return {
        "search, sees all hands": uct_player(
            game._replace(hidden=None), budget, rollouts=ROLLOUTS, bound=bound, final=mean
        ),
        "search": lifted(game, search.__call__),
        "hybrid": lifted(game, partial(hybrid, search)),
        "plan": lifted(game, plan_strategy),
        "random": random_player,
    }


def hybrid(search: Player, turn: Turn[View, None], rng: Rng) -> View:
    """The move of the plan while many cards are left, and otherwise that of `search`."""
    if sum(turn.state.counts) > MAX_CARDS:
        return plan_strategy(turn, rng)
    move: View = search(turn, rng)
    return move


def main(deals: int = 2, budget: int = 2) -> None:
    """Print the mean points of each strategy in a game, with 95 % intervals."""
    named = players(budget)
    with ProcessPoolExecutor() as pool:
        games = deals * perm(len(named), 4)
        standings = match(big_two(), tuple(named.values()), games, seed=7, executor=pool)
    print(f"{deals} deals, {standings[0].games} games each, {budget} dives of {ROLLOUTS} games")
    for name, standing in zip(named, standings, strict=True):
        low, high = standing.interval
        print(f"{name:24} {standing.mean:+6.2f}  ({low:+.2f} to {high:+.2f})")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
