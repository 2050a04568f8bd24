"""Dives that leave out certain events and moves. `settle` is one, like the dive of `mcts.uct`.

`settle` is the specification of the others, which are fast. They use places: positions that keep
their open events. When the worth of a place becomes certain, it is taken upwards to all places that
can move to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import chain, repeat
from typing import Any, Generic, NamedTuple

from purembts.bounds import AnyBound, Bound, a_bound, ucb1
from purembts.chance import Rng, pick, random, repeatedly
from purembts.checks import an_rng, at_least_one
from purembts.exact import mean_of
from purembts.fast.links import fast_policy, times_of, turns_of
from purembts.fast.tallies import Choose, Tally, choosing, with_tallies
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    Values,
    checked_player,
    checked_result,
    endless,
    events_of,
    playout,
    result_of,
    turn_at,
)
from purembts.mcts import Path, backpropagate, best_child, first_record
from purembts.proving.certain import Known, Rule, known_of, rule_of, worth_after
from purembts.records import NOTHING, Record, Scores, Tree, as_tree, checked_record

# One dive


def settle(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    rng: Rng = random,
    *,
    bound: AnyBound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> tuple[Tree[S], Scores | Values]:
    """One dive like that of `mcts.uct`, without settled positions: the new tree, and the result.

    Events and moves that are certain are left out. A random move to a position that is not in the
    tree comes first, and else the move with the highest bound. The first `remember` new positions
    are added to the tree: 1 is the new leaf alone, as in `uct`; None is the whole game, which takes
    long on a large board. After the first one the moves are random, and after the last one
    `default_policy` plays. If `state` is settled, nothing is drawn, and the result is the worth.

    The records can be merged. But their means count open events and open moves alone, so they do
    not estimate the worth: use `backed_up` or `robust` to judge the tree.
    """
    tree = _checked_start(game, tree, state, rng, remember)
    known = known_of(game, tree, state)
    if state in known.worths:
        return tree, known.worths[state]
    path = _select_open(known, tree, state, rng, a_bound(bound), remember)
    leaf, _ = path[-1]
    # simulate a game from the leaf
    result = checked_result(game, leaf, default_policy(game, leaf, rng))
    return backpropagate(tree, path, result), result


def _checked_start(
    game: Game[S, E], tree: Tree[S] | dict[S, Record], state: S, rng: Rng, remember: int | None
) -> Tree[S]:
    """`tree` as a persistent map, or a ValueError if no dive can begin at `state`."""
    tree = as_tree(tree)
    rule_of(game)
    first_record(game, tree, state, an_rng(rng))
    at_least_one(1 if remember is None else remember, "remember")
    return tree


def _select_open(
    known: Known[S, E], tree: Tree[S], state: S, rng: Rng, bound: AnyBound, remember: int | None
) -> Path[S]:
    """The path of a dive from `state`, which is not certain, to its last new position."""
    path: Path[S] = []
    (rule, _, worths), new = known, 0
    while len(path) < rule.game.max_turns:
        record = tree.get(state)
        path.append((state, record or NOTHING))
        new += record is None
        turns = [turn_at(rule.game, state, event) for event in events_of(rule.game, state)]
        turns = [t for t in turns if not worth_after(rule, worths, state, t.player, t.moves)]
        if new == remember or not turns:
            return path
        turn = pick(turns, rng)
        left = [move for move in turn.moves if move not in worths]
        if any(tree.get(move) is None for move in left):  # expand
            drawn = repeatedly(partial(pick, turn.moves, rng))
            state = next(move for move in drawn if tree.get(move) is None)
        elif new:
            state = pick(left, rng)
        else:  # select
            state, _ = best_child(rule.game, tree, turn._replace(moves=left), bound)
    raise endless(rule.game, state)


# Many dives


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

    >>> from random import Random
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> tree = settle_search(last_coin(), {}, Pile(21), 1000, Random(7))
    >>> tree[Pile(21)].visits
    5
    """
    how: Any = {"bound": bound, "default_policy": default_policy, "remember": remember}
    *_, grown = settle_strides(game, tree, state, [at_least_one(dives, "dives")], rng, **how)
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

    The last tree is the one that settles `state`. If `k` is an iterable, it has the number of dives
    of each stride.

    >>> from random import Random
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> [len(tree) for tree in settle_strides(last_coin(), {}, Pile(5), 2, Random(7))]
    [0, 8, 9]
    """
    lengths = k if isinstance(k, Iterable) else repeat(at_least_one(k, "k"))
    tree = _checked_start(game, tree, state, rng, remember)
    rule, policy, rest = rule_of(game), fast_policy(game, default_policy), dict(tree.items())
    is_duel = rule.decided and game.players <= 2
    one: Any = 1  # of the signs
    rule = rule._replace(highest=one) if is_duel else rule
    own = (
        rule,
        is_duel,
        isinstance(bound, Bound),
        choosing(game, a_bound(bound)),
        policy,
        remember,
        rng,
    )
    return _strides(_Proof(*own, {}, {}, {}, [], rest, [state]), tree, state, lengths)


def _strides(
    proof: _Proof[S, E], tree: Tree[S], state: S, lengths: Iterable[int]
) -> Iterator[Tree[S]]:
    """The trees of `settle_strides`."""
    game = proof.rule.game
    _adopt(proof)
    yield tree
    for k in lengths:
        changed: dict[S, Tally[S, E]] = {}
        for _ in range(at_least_one(k, "k")):
            if state in proof.worths:
                break
            path = _path(proof, state)
            leaf = path[-1].state
            result = checked_result(game, leaf, proof.policy(game, leaf, proof.rng))
            gains = [gain for gain in enumerate(result) if gain[1]]
            for tally in path:  # backpropagate
                tally.visits += 1
                tally.chooser = None
                for player, points in gains:
                    tally.scores[player] += points
                changed[tally.state] = tally
            _adopt(proof)
        if changed:
            tree = with_tallies(tree, changed.values())
            yield tree
        if state in proof.worths:
            return


def _path(proof: _Proof[S, E], state: S) -> list[Tally[S, E]]:
    """The path of a dive to its last new position."""
    path: list[Tally[S, E]] = []
    new = 0
    while len(path) < proof.rule.game.max_turns:
        new += state not in proof.places and state not in proof.rest
        place = proof.places.get(state) or _placed(proof, state)
        path.append(place.tally)
        kinds = [i for i in place.kinds if place.parts[i] is None]
        if new == proof.remember or not kinds:
            return path
        state = _selected(proof, place, pick(kinds, proof.rng), is_new=new > 0)
    raise endless(proof.rule.game, state)


def _selected(proof: _Proof[S, E], place: _Place[S, E], i: int, *, is_new: bool) -> S:
    """The next position of a dive, after an event with the moves i."""
    places, rest, moves = proof.places, proof.rest, _moves(proof, place)[i]
    options = place.options.setdefault(i, [])
    while len(options) < len(moves) and (option := places.get(moves[len(options)])):
        options.append(option)
    if any(move not in places and move not in rest for move in moves[len(options) :]):
        while (move := pick(moves, proof.rng)) in places or move in rest:
            pass
        return move
    if is_new:
        return pick([move for move in moves if move not in proof.worths], proof.rng)
    left = [option.tally for option in options if option.left]
    untried = proof.one_by_one and [tally for tally in left if not tally.visits]
    return (untried[0] if untried else proof.choose(left, place.player)).state


# Places


@dataclass(slots=True, eq=False)
class _Place(Generic[S, E]):
    """A position of the tree: its tally, and its open events."""

    state: S
    tally: Tally[S, E]
    player: int
    kinds: Sequence[int]  # for each event, the index of its moves
    parts: list[Values | None]  # for each index, the worth after the event, once it is certain
    left: int  # the number of indices without it
    moves: Sequence[Sequence[S]]  # the moves of each index; () where they are not kept
    # for each index, the places of the first moves: up to one that is not in the tree
    options: dict[int, list[_Place[S, E]]] = field(default_factory=dict)


class _Proof(NamedTuple, Generic[S, E]):
    """A search by `settle`: its places, the worths that are certain, and the links upwards."""

    rule: Rule[S, E]
    is_duel: bool  # at most two players, and the highest score of one decides all
    one_by_one: bool  # True if a move without visits is always chosen
    choose: Choose[S, E]
    policy: DefaultPolicy[S, E]
    remember: int | None
    rng: Rng
    worths: dict[S, Values]  # in a duel, as `_end` gives them
    places: dict[S, _Place[S, E]]
    above: dict[S, list[Any]]  # each place that can move to a position, and the index of its moves
    waiting: list[_Place[S, E]]  # places that are linked when something is certain
    rest: dict[S, Record]  # the records of the tree that have no place
    unread: list[S]  # positions that get a place after the dive, if they have one of these records


def _moves(proof: _Proof[S, E], place: _Place[S, E]) -> Sequence[Sequence[S]]:
    """The moves of `place`, which are kept now."""
    place.moves = place.moves or turns_of(proof.rule.game, place.state)[0]
    return place.moves


def _adopt(proof: _Proof[S, E]) -> None:
    """Make a place for each record of the tree that is reached from `unread`."""
    while proof.unread:
        state = proof.unread.pop()
        if state in proof.rest:
            _placed(proof, state)


def _placed(proof: _Proof[S, E], state: S) -> _Place[S, E]:
    """The new place of `state`, which is certain now if it follows from its moves."""
    game = proof.rule.game
    tally: Tally[S, E] = Tally(state, checked_record(proof.rest.pop(state, NOTHING)), game.players)
    moves, kinds = turns_of(game, state)
    end = None if all(moves) else _end(proof, state)
    parts = [None if own else end for own in moves]
    left = parts.count(None)
    player = checked_player(game, state) if left else 0
    place: _Place[S, E] = _Place(state, tally, player, kinds, parts, left, moves)
    proof.places[state] = place
    proof.unread.extend(chain.from_iterable(moves) if proof.rest else ())
    if left and not proof.worths:
        place.moves = ()  # all moves of all leaves would take much memory
        proof.waiting.append(place)
        return place
    _link(proof, place)
    while proof.waiting:
        _link(proof, proof.waiting.pop())
    return place


# Certain worths, upwards


def _link(proof: _Proof[S, E], place: _Place[S, E]) -> None:
    """Link `place` to its moves. It is certain now if it follows from them."""
    for i, moves in enumerate(_moves(proof, place)):
        for move in moves:
            proof.above.setdefault(move, []).extend((place, i))
            if move in proof.worths:
                _leave_out(proof, place, i)
    _settle_upwards(proof, place)


def _settle_upwards(proof: _Proof[S, E], place: _Place[S, E]) -> None:
    """Make `place`, and then all places above it, certain if they are."""
    todo = [place]
    while todo:
        place = todo.pop()
        if place.left or place.state in proof.worths:
            continue
        proof.worths[place.state] = _worth(proof, place)
        links = iter(proof.above.get(place.state, ()))
        for parent, i in zip(links, links, strict=True):
            _leave_out(proof, parent, i)
            if not parent.left:
                todo.append(parent)


def _leave_out(proof: _Proof[S, E], place: _Place[S, E], i: int) -> None:
    """Keep the worth of `place` after the events i, if it is certain now."""
    if place.parts[i] is None:
        moves = place.moves[i]
        place.parts[i] = worth_after(proof.rule, proof.worths, place.state, place.player, moves)
        place.left -= place.parts[i] is not None


def _worth(proof: _Proof[S, E], place: _Place[S, E]) -> Values:
    """The worth of `place`, whose `parts` are certain."""
    parts = [part for part in place.parts if part]
    if parts.count(parts[0]) == len(parts):
        return parts[0]
    zero: Any = (0,) * len(parts[0])
    return zero if proof.is_duel else mean_of(list(zip(times_of(place.kinds), parts, strict=True)))


def _end(proof: _Proof[S, E], state: S) -> Values:
    """The result at `state`. In a duel, it is enough who wins: 1, -1 for the other, or else 0.

    So the mean of different ones is 0, and no Fractions are added up.
    """
    result = result_of(proof.rule.game, state)
    tops = [score == proof.rule.game.score_range[1] for score in result]
    signs: Any = tuple([1 if is_top else -any(tops) for is_top in tops])
    return signs if proof.is_duel else tuple(map(Fraction, result))
