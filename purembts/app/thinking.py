"""The thoughts of players, in one turn or in a game: the reports of trees as they grow."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from math import inf
from typing import NamedTuple

from purembts.app.kinds import NO_TREE, AnyTree, AnyTurn, Position
from purembts.chance import Rng
from purembts.determinize import view_turn
from purembts.game import (
    E,
    Game,
    S,
    Turn,
    check_game,
    checked_move,
    draw_turn,
    endless,
)
from purembts.players import Pace, Player, turn_moves
from purembts.records import NOTHING
from purembts.report import Report, Row


class Thought(NamedTuple):
    """A turn while its player thinks. The last thought of a turn has the move."""

    turn: AnyTurn
    report: Report | None
    """The newest report; None for a player with a single move or no records."""
    move: Position = None
    tree: AnyTree = NO_TREE
    """The newest tree."""


def usual_dives(moves: int) -> int:
    """The dives of a search that takes about a second at most, for a turn with `moves` moves."""
    return max(2_000, 40 * moves)


# Games that are watched


def own_turn(game: Game[S, E], turn: Turn[S, E]) -> Turn[Position, E]:
    """`turn` as its player sees it: with views, if the game has hidden information."""
    return view_turn(game, turn) if game.hidden else turn


def thoughts(
    game: Game[S, E], turn: Turn[S, E], player: Player, rng: Rng, *, pace: Pace = iter
) -> Iterator[Thought]:
    """The thoughts of the player to move, one for each tree, and the last with the move.

    There is a tree after each of the numbers of dives that `pace` gives.
    """
    own, known, newest = own_turn(game, turn), None, NO_TREE
    for n, tree in enumerate(player.trees(own, rng, pace) if len(turn_moves(own)) > 1 else ()):
        if n == 0 or tree is not newest:
            known = report_of(player, own, tree) or known
        newest = tree
        yield Thought(turn, known, tree=tree)
    move = turn.moves[own.moves.index(checked_move(own, player.choose(own, newest, rng)))]
    yield Thought(turn, known or report_of(player, own, newest), move, newest)


def report_of(player: Player, own: AnyTurn, tree: AnyTree) -> Report | None:
    """The report that a player makes of a tree, if it tells something about a move of the turn."""
    known = player.known(own, tree) if player.known else None
    is_told = known and any(row.visits or row.exact is not None for row in known.rows)
    return known if is_told else None


def done_in(tree: AnyTree, own: AnyTurn) -> int:
    """The number of dives in a tree from the position of a turn, or of games after its moves."""
    if record := tree.get(own.state):
        return record.visits
    return sum((tree.get(move) or NOTHING).visits for move in own.moves)


def worth(row: Row) -> float:
    """The exact value of a move, or else its mean; minus infinity if both are unknown."""
    value = row.mean if row.exact is None else row.exact
    return -inf if value is None else float(value)


def watched(
    game: Game[S, E], state: S, players: Mapping[int, Player], rng: Rng
) -> Iterator[Thought]:
    """The last thought of each turn of a game from `state`; the last one is the end of the game.

    The moves are those of `play.play_game` with these `players`.
    """
    check_game(game, state)
    for _ in range(game.max_turns):
        turn = draw_turn(game, state, rng)
        if not turn.moves:
            yield Thought(turn, None)
            return
        [thought] = deque(thoughts(game, turn, players[turn.player], rng), maxlen=1)
        yield thought
        state = thought.move
    raise endless(game, state)
