"""A game plan for Big Two: what a person knows of a hand before any search.

A hand is split into plays that share no card, and these are what one means to play. The plan is a
strategy by itself, a filter of the moves that a search looks at, and the first half of a hybrid
that searches when few cards are left.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from purembts.chance import Rng
from purembts.checks import brief
from purembts.determinize import ViewStrategy, searching
from purembts.game import Game, Turn, playout
from purembts.games.big_two import (
    CLASSES,
    EACH,
    PASS,
    PLAYERS,
    USUAL,
    Cards,
    Rules,
    Table,
    View,
    kind,
    numbers,
    play_between,
    plays,
    strength,
)
from purembts.records import Scores

# Plans


@lru_cache(maxsize=1 << 14)
def game_plan(hand: int, rules: Rules = USUAL) -> tuple[Cards, ...]:
    """The plays that `hand` is best split into: by size, and the lowest first.

    Every card is in one of them. Of the ways to take out up to two five-card hands and to put what
    is left together by rank it is the one of the least `effort`.
    """
    fives = [play for play in plays(hand, rules) if play.bit_count() == 5]
    best = min(_splits(fives, hand), key=partial(_effort_of_all, rules))
    return tuple(sorted(best, key=partial(strength, rules=rules)))


@lru_cache(maxsize=1 << 14)
def effort(play: Cards, rules: Rules = USUAL) -> float:
    """How many turns `play` takes to get rid of, between 0 and 1, in the eyes of the plan.

    It is 1 for what anybody can beat, and less the harder a play is to beat, because it brings the
    lead back: by its highest card, and for five cards by their class.
    """
    if strength(play, rules) and play.bit_count() == len(CLASSES):
        return 1 - 0.9 * (CLASSES.index(kind(play, rules)) + 1) / len(CLASSES)
    return 1 - 0.9 * max(numbers(play)) / 51


def _effort_of_all(rules: Rules, split: Sequence[Cards]) -> float:
    total = 0.0
    for play in split:
        total += effort(play, rules)
    return total


def _splits(fives: Sequence[Cards], hand: int) -> Iterator[tuple[Cards, ...]]:
    """The ways to split `hand` into some of `fives` and plays of one rank."""
    yield _by_rank(hand)
    for i, five in enumerate(fives):
        others = [other for other in fives[:i] if not other & five]
        for split in _splits(others, hand ^ five):
            yield (five, *split)


def _by_rank(hand: int) -> tuple[Cards, ...]:
    """What a hand has of each rank, together; four are two pairs."""
    found: list[int] = []
    for rank in range(EACH):
        alike = hand & 15 << 4 * rank
        pair = 3 << 4 * rank
        found += [pair, alike ^ pair] if alike.bit_count() == 4 else [alike] if alike else []
    return tuple(map(Cards, found))


# What to do with one


def plan_strategy(turn: Turn[View, None], rng: Rng = random, *, rules: Rules = USUAL) -> View:  # noqa: ARG001
    """The move of a player who keeps to the plan of the hand, and sees the view alone.

    The lead goes to the play that takes the most effort, an answer is the lowest of the plan.
    Against somebody with one or two cards left, the lead goes to the longest play or the highest
    card, and an answer is as high as can be, of the whole hand if the plan has none.
    """
    view = turn.state
    moves = {play_between(view, move): move for move in turn.moves}
    planned = [play for play in game_plan(view.hand, rules) if play in moves]
    danger = min(n for player, n in enumerate(view.counts) if player != view.player) <= 2
    if view.lead:
        return moves[_answer(planned, sorted(moves, key=int.bit_count), danger)]
    return moves[_lead(planned, danger, rules)]


def _lead(planned: Sequence[Cards], danger: bool, rules: Rules) -> Cards:
    """What to lead with of `planned`, which is sorted."""
    if not danger:
        return max(planned, key=partial(effort, rules=rules))
    longest = planned[-1].bit_count()
    return planned[-1] if longest == 1 else next(p for p in planned if p.bit_count() == longest)


def _answer(planned: Sequence[Cards], options: Sequence[Cards], danger: bool) -> Cards:
    """What to answer with of `planned`, or of `options`, which are sorted after a pass."""
    if danger:
        return planned[-1] if planned else options[-1]
    return planned[0] if planned else PASS


def keeps_plan(game: Game[Table, None], table: Table) -> Sequence[Table]:
    """The moves at `table` that break no play of the mover's plan: plays of it, and the pass."""
    moves = game.moves(table, None)
    own = (*game_plan(table.hands[table.player], game.rules), PASS) if moves else ()
    return tuple([move for move in moves if play_between(table, move) in own])


def planned(
    game: Game[Table, None],
    keeps: Callable[[Game[Table, None], Table], Sequence[Table]] = keeps_plan,
) -> Game[Table, None]:
    """`game` with those moves alone that `keeps` lets through, for a search to look at.

    Random games in it go by all the moves, as in `game`.

    >>> from purembts.games.big_two import big_two, deal
    >>> table, game = deal(random.Random(7), 8), big_two()
    >>> len(game.moves(table, None)), len(planned(game).moves(table, None))
    (9, 7)
    """
    moves, random_game = partial(_kept, game, keeps), partial(_playout_of, game)
    return game._replace(moves=moves, playout=random_game)


def _kept(game: Any, keeps: Any, table: Table, event: None) -> Sequence[Table]:  # noqa: ANN401, ARG001
    kept: Sequence[Table] = keeps(game, table)
    return kept


def _playout_of(game: Any, kept: Any, table: Table, rng: Rng) -> Scores:  # noqa: ANN401, ARG001
    return playout(game, table, rng)


def hybrid(
    game: Game[Table, None], *, max_cards: int = 16, plan: ViewStrategy | None = None, **how: Any
) -> ViewStrategy:
    """The strategy that follows a plan while all hands together have more than `max_cards`.

    After that it searches: `how` is what `determinize.choose` takes by name, `budget` and
    `rollouts` above all. `plan` is `plan_strategy` unless told otherwise.
    """
    if not isinstance(max_cards, int) or not 0 <= max_cards <= PLAYERS * EACH:
        raise ValueError(f"max_cards is {brief(max_cards)}; it has to be 0 to {PLAYERS * EACH}.")
    keep_to = plan or partial(plan_strategy, rules=game.rules)
    return partial(_plan_or_search, max_cards, keep_to, searching(game, **how))


def _plan_or_search(
    max_cards: int, plan: ViewStrategy, search: ViewStrategy, turn: Turn[View, None], rng: Rng
) -> View:
    follow = plan if sum(turn.state.counts) > max_cards else search
    move: View = follow(turn, rng)
    return move
