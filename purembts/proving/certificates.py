"""Certificates: positions that prove the worth of one position, or that a move is best, as lines.

    {"format": "purembts certificate", "version": 1, "game": "Last coin", ..., "positions": 2}
    {"state": [0, 1], "worth": ["1", "0"]}
    {"state": [2, 0], "worth": ["1", "0"]}

Children come before parents, and the last line is the claim. Each line follows from the rules
of the game and from the lines before it, and none can be left out. `verify.certificates` checks
that without any search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from json import dumps
from typing import Any

from purembts.checks import brief
from purembts.game import E, Game, S, Turn, Values, a_turn
from purembts.jsonl import codec_of, game_facts
from purembts.positions import positions
from purembts.proving.certain import Known, known_of, worth_after
from purembts.records import NOTHING, Record, Tree, as_tree

_FORMAT = {"format": "purembts certificate", "version": 1}


def certificate(
    game: Game[S, E],
    state: S,
    tree: Tree[S] | dict[S, Record] | None = None,
    *,
    turn: Turn[S, E] | None = None,
) -> Iterator[str]:
    """The lines of a proof of the worth of `state`; with a `turn` there, of its best move.

    The worths are those that are certain in `tree`. Without a tree, all positions that can follow
    are looked at, so the game must be small. A worth that is not certain is a ValueError.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> header, *lines = certificate(last_coin(), Pile(2))
    >>> lines
    ['{"state": [0, 1], "worth": ["1", "0"]}', '{"state": [2, 0], "worth": ["1", "0"]}']
    """
    encode = codec_of(game).encode
    if turn is not None and not a_turn(turn).moves:
        raise ValueError(f"`turn` must have a move; got {brief(turn)}.")
    if tree is None:
        tree = dict.fromkeys(positions(game, state), NOTHING)
    proof = proof_of(known_of(game, as_tree(tree), state), state, turn)
    facts = [{**_FORMAT, **game_facts(game), "positions": len(proof)}]
    facts += [
        {"state": encode(position), "worth": list(map(str, worth))}
        for position, worth in proof.items()
    ]
    if turn is not None:
        best = max(filter(proof.get, turn.moves), key=lambda move: proof[move][turn.player])
        event = list(game.chances(state)).index(turn.event)
        facts.append({"state": encode(state), "event": event, "best": encode(best)})
    return map(dumps, facts)


def proof_of(known: Known[S, E], state: S, turn: Turn[S, E] | None = None) -> Mapping[S, Values]:
    """The positions that prove the worth of `state`, or of its best move at `turn`, with worths.

    Children come first. A walk from parents to children leaves out each position that no parent
    needs, as another move is as good. So each position that is left is needed.
    """
    claim: Any = state if turn is None else ("best at", state)
    turns, kept = dict(known.turns), dict(known.worths)
    if turn is not None:
        turns[claim] = turn.player, [(1, turn.moves)]
        worth = worth_after(known.rule, kept, state, turn.player, turn.moves)
        kept |= {claim: worth} if worth else {}
    if claim not in kept:
        what = "worth" if turn is None else "best move"
        raise ValueError(f"The {what} must be certain in `tree`; it is open at {brief(state)}.")
    parents = _parents(turns, kept)
    for position in reversed(list(kept)):
        own = kept.pop(position)
        if position == claim or any(
            _is_open(known, kept, parent, *turns[parent], position)
            for parent in parents.get(position, ())
            if parent in kept
        ):
            kept[position] = own
    return {each: kept[each] for each in known.worths if each in kept}


def _parents(turns: Mapping[S, tuple[int, Any]], kept: Mapping[S, Values]) -> dict[S, list[S]]:
    """For each position, the certain positions that have it as a move."""
    found: dict[S, list[S]] = {}
    for parent in filter(kept.__contains__, turns):
        for move in {move for _, moves in turns[parent][1] for move in moves}:
            found.setdefault(move, []).append(parent)
    return found


def _is_open(
    known: Known[S, E],
    kept: Mapping[S, Values],
    parent: S,
    player: int,
    turns: Sequence[tuple[int, Sequence[S]]],
    child: S,
) -> bool:
    """True if the worth of `parent` does not follow from `kept`, which `child` is not in."""
    return any(
        worth_after(known.rule, kept, parent, player, moves) is None
        for _, moves in turns
        if child in moves
    )
