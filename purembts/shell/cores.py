"""Work on all cores, for games that do not pickle as well: each process makes the game again."""

import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from typing import Any, NamedTuple

from purembts.game import Game
from purembts.shell.games import game_called

_game: list[Game[Any, Any]] = []
"""The game of this process."""


class Cores(NamedTuple):
    """An executor of processes, each of which has the game."""

    pool: ProcessPoolExecutor
    game: Game[Any, Any]

    def map(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        """Return the result of `work` for each of `tasks`, in their order."""
        return self.pool.map(_run, [_packed(self.game, (work, task)) for task in tasks])


@contextmanager
def all_cores(game: Game[Any, Any], text: str, rules: list[str]) -> Iterator[Cores]:
    """An executor for work with `game`, which is the game with the name `text` and these rules."""
    pool = ProcessPoolExecutor(initializer=_begin, initargs=(text, rules))
    try:
        yield Cores(pool, game)
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(text: str, rules: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the process that waits for results
    _game[:] = [game_called(text, rules)]


def _run(packed: bytes) -> Any:  # noqa: ANN401
    work, task = _Unpickler(BytesIO(packed)).load()
    return work(task)


def _packed(game: Game[Any, Any], value: Any) -> bytes:  # noqa: ANN401
    packed = BytesIO()
    pickler = _Pickler(packed)
    pickler.game = game
    pickler.dump(value)
    return packed.getvalue()


class _Pickler(pickle.Pickler):
    game: Game[Any, Any]

    def persistent_id(self, value: Any) -> str | None:  # noqa: ANN401
        return "game" if value is self.game else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Game[Any, Any]:  # noqa: ANN401, ARG002
        return _game[0]
