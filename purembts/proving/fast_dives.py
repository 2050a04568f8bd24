"""Many dives of `dives.settle`, made fast, on positions that are linked upwards.

`settle` is the specification. Here each position keeps its open moves. When its worth becomes
certain, it is taken upwards to all positions that can move to it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from math import inf
from operator import add
from typing import Any, Generic, NamedTuple, TypeAlias, final

from purembts.bounds import AnyBound, Bound, ucb1
from purembts.chance import Rng, pick
from purembts.checks import at_least_one
from purembts.exact import Whole, as_whole, whole_mean
from purembts.fast.links import Turns, fast_policy, turns_of
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    checked_player,
    checked_result,
    endless,
    playout,
    result_of,
)
from purembts.mcts import best_record
from purembts.proving.certain import Rule, is_highest, rule_of, worth_after
from purembts.proving.dives import checked_start
from purembts.records import NOTHING, Record, Tree, checked_record, with_records


def settle_search(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    dives: int,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> Tree[S]:
    """The tree after `dives` dives of `settle`, or fewer if `state` is settled before.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = settle_search(last_coin(), {}, Pile(21), 1000, random.Random(7))
    >>> tree[Pile(21)].visits
    5
    """
    how: Any = {"bound": bound, "default_policy": default_policy, "remember": remember}
    k = [at_least_one(dives, "dives")]
    *_, grown = settle_strides(game, tree, state, k, rng, **how)
    return grown


def settle_strides(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    k: int | Iterable[int],
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> Iterator[Tree[S]]:
    """The trees after 0, k, 2 k, ... dives of `settle`, until `state` is settled.

    They are trees of `settlings`, and the last one is the one that settles `state`. If `k` is an
    iterable, it has the number of dives of each stride.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> trees = settle_strides(last_coin(), {}, Pile(5), 2, random.Random(7))
    >>> [len(tree) for tree in trees]
    [0, 8, 9]
    """
    lengths = k if isinstance(k, Iterable) else repeat(at_least_one(k, "k"))
    tree = checked_start(game, tree, state, rng, remember)
    proof = Proof(rule_of(game), bound, {}, {}, {}, dict(tree.items()), [state], [])
    policy = fast_policy(game, default_policy)
    return _strides(proof, tree, state, lengths, rng, policy, remember)


# Places


@final
class Place(Generic[S, E]):
    """A position of the tree: its record, which changes in place, and what is open there."""

    __slots__ = (
        "chooser", "kinds", "left", "moves", "options", "own", "parts", "player", "scores", "state",
        "visits", "width",
    )  # fmt: skip
    state: S
    visits: int
    scores: list[float]
    player: int
    """The player to move."""
    moves: Sequence[Sequence[S]]
    """The moves after each event that differs from those before it; () until they are linked."""
    kinds: list[int]
    """For each event that is not certain, its index in `moves`."""
    parts: list[tuple[int, Whole]]
    """The worths after the other events, each with the number of these events."""
    left: list[list[S]]
    """Those of `moves` that are open; none of them if the event is certain."""
    options: list[list[Place[S, E]]]
    """The places of the first of these moves: up to the first one that is not in the tree."""
    chooser: int | None
    """The player whose bound `own` and `width` are; None if they are not up to date."""
    own: float
    width: float


Choice: TypeAlias = tuple[Place[S, E], int]
"""A place, and an index of its `moves`."""


class Proof(NamedTuple, Generic[S, E]):
    """A search by `settle`: its places, the worths that are certain, and the links upwards."""

    rule: Rule[S, E]
    bound: AnyBound
    places: dict[S, Place[S, E]]
    worths: dict[S, Whole]
    above: dict[S, list[Choice[S, E]]]
    """For each position, the choices that contain it."""
    rest: dict[S, Record]
    """The records of the tree that have no place."""
    unread: list[S]
    """Positions that perhaps have one of these records. They get a place after the dive."""
    waiting: list[Place[S, E]]
    """The places before the first worth. They are linked after it: nothing is certain before."""


def _placed(proof: Proof[S, E], state: S) -> Place[S, E]:
    """The new place of `state`, which is certain now if it follows from its moves."""
    place = proof.places[state] = Place()
    place.state, place.moves, place.chooser = state, (), None
    place.visits, scores = checked_record(proof.rest.pop(state, NOTHING))
    place.scores = list(scores) if place.visits else [0] * proof.rule.game.players
    turns = turns_of(proof.rule.game, state)
    if proof.rest:
        proof.unread.extend(chain.from_iterable(turns[0]))
    proof.waiting.append(place)
    if proof.worths or not any(turns[0]):
        _link(proof, proof.waiting.pop(), turns)
        while proof.waiting:
            _linked(proof, proof.waiting.pop())
    return place


def _adopt(proof: Proof[S, E]) -> None:
    """Make a place for each record of the tree that is reached from `unread`."""
    while proof.unread:
        state = proof.unread.pop()
        if state in proof.rest:
            _placed(proof, state)


# Certain worths, upwards


def _linked(proof: Proof[S, E], place: Place[S, E]) -> Place[S, E]:
    """`place`, whose moves are linked now."""
    if not place.moves:
        _link(proof, place, turns_of(proof.rule.game, place.state))
    return place


def _link(proof: Proof[S, E], place: Place[S, E], turns: Turns[S]) -> None:
    """Link `place` to the moves of its `turns`. It is certain now if it follows from them."""
    game, state, above, worths = proof.rule.game, place.state, proof.above, proof.worths
    place.moves, kinds = turns
    place.kinds = [i for i in kinds if place.moves[i]]
    place.player = checked_player(game, state) if place.kinds else 0
    ended = len(kinds) - len(place.kinds)
    place.parts = [(ended, as_whole(result_of(game, state)))] if ended else []
    place.left = [list(moves) for moves in place.moves]
    place.options = [[] for _ in place.moves]
    for i, moves in enumerate(place.moves):
        choice = place, i
        for move in moves:
            above.setdefault(move, []).append(choice)
            if move in worths:
                _leave_out(proof, choice, move)
    _settle_upwards(proof, place)


def _leave_out(proof: Proof[S, E], choice: Choice[S, E], move: S) -> None:
    """Leave out `move`, which is certain, and all moves of `choice` if its worth is certain now."""
    place, i = choice
    left, rule = place.left[i], proof.rule
    if not left:
        return
    left.remove(move)
    place.options[i] = []
    if left and rule.decided and not is_highest(rule, proof.worths[move], place.player):
        return  # the moves that are left may be better
    worth = worth_after(rule, proof.worths, place.state, place.player, place.moves[i])
    if worth is not None:
        place.left[i] = []
        place.parts.append((place.kinds.count(i), worth))
        place.kinds = [kind for kind in place.kinds if kind != i]


def _settle_upwards(proof: Proof[S, E], place: Place[S, E]) -> None:
    """Make `place`, and then all places above it, certain if they are."""
    todo = [place]
    for each in todo:
        if each.kinds or each.state in proof.worths:
            continue
        proof.worths[each.state] = whole_mean(each.parts)
        for choice in proof.above.get(each.state, ()):
            _leave_out(proof, choice, each.state)
            todo.append(choice[0])


# Dives


def _strides(
    proof: Proof[S, E],
    tree: Tree[S],
    state: S,
    lengths: Iterable[int],
    rng: Rng,
    policy: DefaultPolicy[S, E],
    remember: int | None,
) -> Iterator[Tree[S]]:
    """The trees of `settle_strides`."""
    game = proof.rule.game
    _adopt(proof)
    yield tree
    for k in lengths:
        changed: dict[S, Place[S, E]] = {}
        for _ in range(at_least_one(k, "k")):
            if state in proof.worths:
                break
            path = _path(proof, state, remember, rng)
            leaf = path[-1].state
            result = checked_result(game, leaf, policy(game, leaf, rng))
            for place in path:  # backpropagate
                place.visits += 1
                place.scores = list(map(add, place.scores, result))
                place.chooser = None
                changed[place.state] = place
            _adopt(proof)
        if changed:
            records = {at: Record(p.visits, tuple(p.scores)) for at, p in changed.items()}
            tree = with_records(tree, records)
            yield tree
        if state in proof.worths:
            return


def _path(proof: Proof[S, E], state: S, remember: int | None, rng: Rng) -> list[Place[S, E]]:
    """The path of a dive to its last new position."""
    path: list[Place[S, E]] = []
    new = 0
    while len(path) < proof.rule.game.max_turns:
        new += state not in proof.places and state not in proof.rest
        place = proof.places.get(state) or _placed(proof, state)
        path.append(place)
        if new == remember or not _linked(proof, place).kinds:
            return path
        i = pick(place.kinds, rng)
        state = _selected(proof, place, i, rng, is_new=new > 0)
    raise endless(proof.rule.game, state)


def _selected(proof: Proof[S, E], place: Place[S, E], i: int, rng: Rng, *, is_new: bool) -> S:
    """The next position of a dive: a random new one, or else the one with the highest bound."""
    places, rest = proof.places, proof.rest
    left, options = place.left[i], place.options[i]
    while len(options) < len(left) and (option := places.get(left[len(options)])):
        options.append(option)
    if any(move not in places and move not in rest for move in left[len(options) :]):
        while (move := pick(place.moves[i], rng)) in places or move in rest:
            pass
        return move
    return pick(left, rng) if is_new else _highest(proof, options, place.player).state


def _highest(proof: Proof[S, E], options: Sequence[Place[S, E]], player: int) -> Place[S, E]:
    """`mcts.best_child` on places: the highest bound for `player`, the first among equals."""
    if not isinstance(proof.bound, Bound):
        records = [Record(option.visits, tuple(option.scores)) for option in options]
        return options[best_record(proof.rule.game, records, player, proof.bound)]
    _, own, scale, width = proof.bound
    low, high = proof.rule.game.score_range
    factor = scale(sum([option.visits for option in options])) if scale else 0.0
    chosen, most = options[0], -inf
    for option in options if len(options) > 1 else ():
        if option.chooser != player:
            n, score = option.visits, option.scores[player]
            if not n:
                return option  # its bound is infinite
            option.chooser = player
            unit = score if (low, high) == (0, 1) else (score - n * low) / (high - low)
            option.own, option.width = own(unit, n), width(n) if width else 0.0
        limit = option.own + factor * option.width
        if limit > most:
            chosen, most = option, limit
    return chosen
