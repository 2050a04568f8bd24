"""The sizes of certificates, and the seconds to search, to write and to check them.

python tests/bench/certificates.py
"""

from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter
from typing import Any

from purembts.chance import pick
from purembts.game import Game
from purembts.games.last_coin import Pile, last_coin
from purembts.games.mnk import mnk, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import Rules, shut_the_box
from purembts.proving import certificate, settle_strides, settled
from purembts.verify.certificates import check_certificate

DIVES = 50_000
"""The most dives of a search for a proof."""


def endgame(empty: int, seed: int) -> tuple[Game[Any, Any], Any]:
    """Reversi, and a position with some empty squares after random moves."""
    game, rng = reversi(), Random(seed)
    state = game.start
    while 64 - (state.black | state.white).bit_count() > empty:
        state = pick(game.moves(state, None), rng)
    return game, state


def cases() -> Iterator[tuple[str, Game[Any, Any], Any]]:
    """Games with positions, each with a name."""
    for name, game in (
        ("coins, a pile of 21", last_coin()),
        ("Shut the Box", shut_the_box()),
        ("Shut the Box, 12 levers", shut_the_box(Rules(levers=12))),
        ("tic-tac-toe", tic_tac_toe),
        ("three in a row, 4x3", mnk(4, 3, 3)),
        ("four in a row, 4x4", mnk(4, 4, 4)),
        ("Reversi 4x4", reversi(4)),
    ):
        yield name, game, game.start
    yield "coins, a pile of 5,000", last_coin(), Pile(5000)
    for empty in (8, 10, 12):
        game, state = endgame(empty, 7)
        yield f"Reversi 8x8, {empty} empty squares", game, state


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The value of `work`, and the seconds that it took."""
    before = perf_counter()
    return work(), perf_counter() - before


def searched(game: Game[Any, Any], state: Any) -> Any:
    """The tree of a proving search that ends when the worth of `state` is certain, or None."""
    *_, tree = settle_strides(game, {}, state, [DIVES], Random(7))
    return tree if state in settled(game, tree, state) else None


def main() -> None:
    """Print a line for each case."""
    for name, game, state in cases():
        tree, search = timed(lambda game=game, state=state: searched(game, state))
        if tree is None:
            print(f"| {name} | not settled after {DIVES:,} dives, {search:.1f} s |")
            continue
        lines, write = timed(lambda g=game, s=state, t=tree: list(certificate(g, s, t)))
        _, check = timed(lambda g=game, lines=lines: check_certificate(g, lines))
        size = sum(map(len, lines)) + len(lines)
        print(
            f"| {name} | {len(tree):,} | {len(lines) - 1:,} | {size:,} "
            f"| {search:.2f} | {write:.2f} | {check:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
