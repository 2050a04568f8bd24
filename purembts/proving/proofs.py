"""Many dives of `settling.settle`, made fast, on positions that are linked upwards.

`settling.settle` is the specification. Here a position keeps its records and its open moves. When
its worth becomes certain, it is taken upwards through all positions that can move to it. So the
work of a whole search is linear in the moves of the positions that it adds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeAlias, cast

from purembts.bounds import Bound, ucb1
from purembts.chance import Rng, pick
from purembts.checks import an_rng, at_least_one
from purembts.exact import Whole, as_whole, whole_mean
from purembts.fast.engine import reader, with_tallies
from purembts.fast.links import Links, few_links_of, turns_of
from purembts.fast.tallies import Tally, WayToSelect, add_points, begin, claim, way_to_select
from purembts.game import (
    DefaultPolicy,
    E,
    Game,
    S,
    checked_player,
    checked_result,
    endless,
    plain_playout,
    playout,
    result_of,
)
from purembts.mcts import first_record
from purembts.proving.certainty import Rule, certain_worth, is_highest, rule_of
from purembts.records import Record, Scores, Tree, as_tree, checked_record


def settle_search(
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    state: S,
    dives: int,
    rng: Rng = random,
    *,
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> Tree[S]:
    """The tree after `dives` dives of `settling.settle`, or fewer if `state` is settled before.

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
    bound: Bound = ucb1,
    default_policy: DefaultPolicy[S, E] = playout,
    remember: int | None = None,
) -> Iterator[Tree[S]]:
    """The trees after 0, k, 2 k, ... dives of `settling.settle`, until `state` is settled.

    They are trees of `settling.settlings`, and the last one is the one that settles `state`. If `k`
    is an iterable, it has the number of dives of each stride.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> trees = settle_strides(last_coin(), {}, Pile(5), 2, random.Random(7))
    >>> [len(tree) for tree in trees]
    [0, 8, 9]
    """
    lengths = k if isinstance(k, Iterable) else repeat(at_least_one(k, "k"))
    tree, rule = as_tree(tree), rule_of(game)
    first_record(game, tree, state, an_rng(rng))
    if default_policy is playout:
        default_policy = game.playout or plain_playout
    if remember is not None:
        at_least_one(remember, "remember")
    way = way_to_select(bound, game.score_range)
    links = few_links_of(game)
    proof = Proof(game, rule, {}, {}, reader(tree), way, links, [], [], [])
    return _strides(proof, tree, state, lengths, rng, default_policy, remember)


# Places


class Place(Tally[S, E]):
    """A position of the tree: its tally, its moves, and its worth."""

    __slots__ = (
        "has_top",
        "is_top",
        "kinds",
        "left",
        "moves",
        "open",
        "open_events",
        "seen",
        "tried",
        "worth",
    )
    moves: Sequence[Sequence[S]]
    """For each event that differs from those before it, the moves; () until they are used."""
    kinds: Sequence[int]
    """For each event, its index in `moves`."""
    open: list[int]
    """For each of `moves`, the number of moves that are not certain; 0 if the event is certain."""
    left: int
    """The number of `moves` that are not certain."""
    has_top: bool
    """True if a move has the highest score for the player to move."""
    open_events: list[int] | None
    """The `kinds` that are not certain; None if they must be listed again."""
    seen: dict[int, int]
    """For some of `moves`, a number of moves from the first one on that are in the tree."""
    tried: dict[int, list[Place[S, E]]]
    """For each of `moves` that are all in the tree, their places, without some certain ones."""
    is_top: Sequence[bool]
    """For each player, True if the worth is the highest score there is; () until it is certain."""
    worth: Whole | None
    """The worth, once it is certain, in a game where `is_top` does not follow without it."""


Choice: TypeAlias = tuple[Place[S, E], int]
"""A place, and an index of its `moves`."""


class Proof(NamedTuple, Generic[S, E]):
    """A search by `settle`: its game, its places, and the functions that read and select them."""

    game: Game[S, E]
    rule: Rule
    places: dict[S, Place[S, E]]
    above: dict[S, Choice[S, E] | list[Choice[S, E]]]
    """For each position, the choice that contains it, or a list of several.

    Every place has one, except the first.
    """
    read: Callable[[S], Record | None]
    way: WayToSelect
    links: Links[S, E] | None
    """The linked positions of the game, if they are few."""
    shared: list[Tally[S, E]]
    """The first place that several players can choose, if there is one."""
    ends: list[S]
    """The first position of the tree where the game has ended, if there is one."""
    waiting: list[Place[S, E]]
    """The places before it. They are linked after it: nothing can be certain before."""


def _placed(proof: Proof[S, E], state: S, record: Record | None) -> Place[S, E]:
    """The new place of `state`, linked to the places above and below it."""
    game = proof.game
    place = proof.places[state] = Place(state, game.players)
    if record is not None:
        place.before = place.visits = checked_record(record).visits
        place.scores = list(record.scores)
    kinds, place.kinds = turns_of(game, proof.links, state)
    place.open = [len(moves) for moves in kinds]
    place.left = len(place.open) - place.open.count(0)
    place.player = checked_player(game, state) if place.left else 0
    place.has_top, place.seen, place.tried = False, {}, {}
    place.open_events = place.worth = None
    place.is_top = place.moves = ()
    if not (place.left or proof.ends):
        proof.ends.append(state)
        for each in proof.waiting:
            _link(proof, each)
    if proof.ends:
        place.moves = kinds
        _link(proof, place)
        _settle_upwards(proof, place)
    else:
        proof.waiting.append(place)
    return place


def _moves(proof: Proof[S, E], place: Place[S, E]) -> Sequence[Sequence[S]]:
    """The `moves` of `place`, which are listed now."""
    place.moves = place.moves or turns_of(proof.game, proof.links, place.state)[0]
    return place.moves


# Certain worths, upwards


def _link(proof: Proof[S, E], place: Place[S, E]) -> None:
    """Link `place` to its moves, and count those that are certain."""
    places, above = proof.places, proof.above
    for i, moves in enumerate(_moves(proof, place)):
        choice = place, i
        for move in moves:
            links = above.get(move)
            if links is None:
                above[move] = choice
                continue
            if isinstance(links, list):
                links.append(choice)
            else:
                above[move] = [links, choice]
            child = places.get(move)
            if child is not None and child.is_top:
                _count(proof, choice, child)


def _count(proof: Proof[S, E], choice: Choice[S, E], child: Place[S, E]) -> None:
    """Count `child`, one of the moves of `choice`, as certain; perhaps the choice is certain now.

    `certainty.certain_worth` specifies when it is.
    """
    place, i = choice
    if not place.open[i]:
        return
    place.open[i] -= 1
    place.has_top |= child.is_top[place.player]
    if place.has_top and place.open[i] and _is_cut(proof, place, i, child):
        place.open[i] = 0
    if not place.open[i]:
        place.left -= 1
        place.open_events = None


def _is_cut(proof: Proof[S, E], place: Place[S, E], i: int, child: Place[S, E]) -> bool:
    """True if a move after the events with index i, perhaps `child`, is certainly the best."""
    if proof.rule.decided:
        return child.is_top[place.player]
    for move in place.moves[i]:
        below = proof.places.get(move)
        if below is None or not below.is_top:
            return False
        if below.is_top[place.player]:
            return True
    return True


def _settle_upwards(proof: Proof[S, E], place: Place[S, E]) -> None:
    """Make `place`, and then all places above it, certain if they are."""
    todo = [place]
    while todo:
        place = todo.pop()
        if place.left or place.is_top:
            continue
        place.is_top = _tops(proof, place)
        links = proof.above.get(place.state, [])
        for choice in links if isinstance(links, list) else [links]:
            _count(proof, choice, place)
            if not choice[0].left:
                todo.append(choice[0])


def _tops(proof: Proof[S, E], place: Place[S, E]) -> Sequence[bool]:
    """For each player, True if the worth of `place`, which is certain, is the highest score.

    For two players and a constant sum, it follows from `is_top` of the moves: the best is the
    highest score for the player to move if it is that after one move, and for the other player if
    it is that after all moves. Otherwise it depends on the worths.
    """
    if not proof.rule.decided or proof.game.players > 2:
        place.worth = _worth(proof, place)
        return _tops_of(proof, place.worth)
    is_top = [True] * proof.game.players
    for moves in place.moves:
        below = [proof.places[move].is_top for move in moves if _is_settled(proof, move)]
        below = below or [_tops_of(proof, as_whole(result_of(proof.game, place.state)))]
        for player in range(proof.game.players):
            some = any if player == place.player else all
            is_top[player] &= some([tops[player] for tops in below])
        if not any(is_top):
            break
    return is_top


def _tops_of(proof: Proof[S, E], worth: Whole) -> Sequence[bool]:
    """For each player, True if `worth` is the highest score."""
    return [is_highest(proof.rule, worth, player) for player in range(proof.game.players)]


def _worth(proof: Proof[S, E], place: Place[S, E]) -> Whole:
    """The worth of `place`, which is certain."""
    weights = Counter(place.kinds).items()
    return whole_mean([(n, cast("Whole", _worth_after(proof, place, i))) for i, n in weights])


def _worth_after(proof: Proof[S, E], place: Place[S, E], i: int) -> Whole | None:
    """The worth of `place` after the events with index i; None if it is not certain."""
    if not place.moves[i]:
        return as_whole(result_of(proof.game, place.state))
    places = [proof.places.get(move) for move in place.moves[i]]
    worths = [below.worth if below else None for below in places]
    return certain_worth(proof.rule, worths, place.player)


def _adopt(proof: Proof[S, E], states: Iterable[S]) -> None:
    """Place the positions of the tree that are reached from `states` through such positions."""
    todo = list(states)
    while todo:
        state = todo.pop()
        place, record = proof.places.get(state), proof.read(state)
        if place is None and record is not None:
            place = _placed(proof, state, record)
            todo += chain.from_iterable(_moves(proof, place))


# Dives


def _strides(
    proof: Proof[S, E],
    tree: Tree[S],
    state: S,
    lengths: Iterable[int],
    rng: Rng,
    default_policy: DefaultPolicy[S, E],
    remember: int | None,
) -> Iterator[Tree[S]]:
    """The trees of `settle_strides`."""
    _adopt(proof, [state])
    is_whole = hasattr(tree, "__len__") and len(tree) == len(proof.places)
    if is_whole:
        nothing: dict[S, Record] = {}
        proof = proof._replace(read=nothing.get)  # all of the tree has been read
    changed: set[Tally[S, E]] = set()
    yield tree
    for k in lengths:
        for _ in range(at_least_one(k, "k")):
            if _is_settled(proof, state):
                break
            path, new = _path(proof, state, remember, rng)
            leaf = path[-1].state
            result = checked_result(proof.game, leaf, default_policy(proof.game, leaf, rng))
            _backpropagate(proof, path, result)
            changed.update(path)
            if new and not is_whole:
                moves = chain.from_iterable([_moves(proof, place) for place in new])
                _adopt(proof, chain.from_iterable(moves))
        if changed:
            tree = with_tallies(tree, changed)
            changed.clear()
            yield tree
        if _is_settled(proof, state):
            return


def _is_settled(proof: Proof[S, E], state: S) -> bool:
    place = proof.places.get(state)
    return place is not None and bool(place.is_top)


def _path(
    proof: Proof[S, E], state: S, remember: int | None, rng: Rng
) -> tuple[list[Place[S, E]], list[Place[S, E]]]:
    """The path of a dive to its last new position, and those of its places that are new."""
    path: list[Place[S, E]] = []
    new: list[Place[S, E]] = []
    added = 0
    while len(path) < proof.game.max_turns:
        place = proof.places.get(state)
        if place is None:
            record = proof.read(state)
            place = _placed(proof, state, record)
            new.append(place)
            added += record is None
        path.append(place)
        if added == remember:
            return path, new
        kinds = place.open_events or _open_events(place)
        if not kinds:
            return path, new
        i = pick(kinds, rng)
        state = _selected(proof, place, i, rng, is_new=added > 0)
    raise endless(proof.game, state)


def _open_events(place: Place[S, E]) -> list[int]:
    """The index in `moves` of each event that is not certain."""
    place.open_events = [i for i in place.kinds if place.open[i]]
    return place.open_events


def _open_moves(proof: Proof[S, E], place: Place[S, E], i: int) -> Sequence[S]:
    """The moves after the events with index i that are not certain."""
    moves = _moves(proof, place)[i]
    if place.open[i] == len(moves):
        return moves
    return [move for move in moves if not _is_settled(proof, move)]


def _selected(proof: Proof[S, E], place: Place[S, E], i: int, rng: Rng, *, is_new: bool) -> S:
    """The next position of a dive: a random new one, or else the one with the highest bound."""
    tried = place.tried.get(i)
    if tried is None and _has_unseen(proof, place, i):
        moves = _moves(proof, place)[i]
        while True:
            move = pick(moves, rng)
            if _is_unseen(proof, move):
                return move
    if is_new:
        return pick(_open_moves(proof, place, i), rng)
    if tried is None:
        tried = place.tried[i] = [proof.places[move] for move in _moves(proof, place)[i]]
        for child in tried:
            claim(proof.way, proof.shared, child, place.player)
    if len(tried) > place.open[i]:
        tried = place.tried[i] = [child for child in tried if not child.is_top]
    return _highest(proof, tried, place.player).state


def _is_unseen(proof: Proof[S, E], move: S) -> bool:
    """True if `move` is not in the tree."""
    return move not in proof.places and proof.read(move) is None


def _has_unseen(proof: Proof[S, E], place: Place[S, E], i: int) -> bool:
    """True if one of the moves after the events with index i is not in the tree."""
    moves = _moves(proof, place)[i]
    for k in range(place.seen.get(i, 0), len(moves)):
        if _is_unseen(proof, moves[k]):
            place.seen[i] = k
            return True
    return False


def _highest(proof: Proof[S, E], places: list[Place[S, E]], player: int) -> Tally[S, E]:
    """The place of the highest bound for `player`, the first among equals."""
    if len(places) == 1:
        return places[0]
    if proof.shared:
        return proof.way.careful(places, player)
    if proof.way.has_limit:
        return max(places, key=attrgetter("limit"))
    return proof.way.select(places, player)


def _backpropagate(proof: Proof[S, E], path: list[Place[S, E]], result: Scores) -> None:
    """Add `result` to the places of `path`."""
    old = [place for place in path if place.visits]
    for player, points in enumerate(result[1:], 1):
        add_points(old, player, points)
    proof.way.add(old, 1, 0, result[0])
    for place in path:
        if not place.visits:
            begin(proof.way, place, 1, result)
