"""Work on all cores, for games that do not pickle as well: each process makes the game again."""

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from io import BytesIO
from threading import Thread
from typing import Any

from purembts.app.kinds import AnyGame
from purembts.executors import Opaque
from purembts.verify.loading import blame, game_called

_own: list[Any] = []
"""The name of the game of this process, its rules, and the words that can name a person's files."""


class Cores:
    """An executor of processes, each of which has the game. A new pool follows a broken one."""

    def __init__(self, game: AnyGame, begin: Callable[[], Executor]) -> None:
        self._game, self._begin = game, begin
        self.pool: Executor = begin()

    def map(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        """Return the result of `work` for each of `tasks`, in their order."""
        # The game may not pickle, so `Opaque` cannot pack the work.
        packed = _packed(self._game, work.function if isinstance(work, Opaque) else work)
        todo = [(packed, _packed(self._game, task)) for task in tasks]
        # `pool.map` cancels what is left when it is closed. A pool whose processes have just ended
        # may then print a traceback.
        try:
            futures = [self.pool.submit(_run, each) for each in todo]
        except BrokenProcessPool:
            self.pool = self._begin()
            futures = [self.pool.submit(_run, each) for each in todo]
        return (future.result() for future in futures)


@contextmanager
def all_cores(
    game: AnyGame, text: str, rules: Iterable[str], players: Iterable[str] = ()
) -> Iterator[Cores]:
    """An executor for work with `game`, which is the game with the name `text` and these rules.

    `players` are the names of those who play, whose files can be the cause of an error.
    At the end, work that is not done is dropped, and its processes end at once.
    """
    own = (text, tuple(rules), [text, *players])
    cores = Cores(game, partial(ProcessPoolExecutor, initializer=_begin, initargs=own))
    try:
        yield cores
    except BrokenProcessPool as error:
        raise ValueError(
            "Processes of --executor processes ended before their work, twice. "
            "Perhaps there is not enough memory."
        ) from error
    finally:
        for process in multiprocessing.active_children():
            process.kill()
        cores.pool.shutdown(cancel_futures=True)


def _begin(*own: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the process that waits for results
    Thread(target=_end_with_parent, daemon=True).start()
    _own[:] = own


def _end_with_parent() -> None:
    """End this process when the process that waits for its results is gone, even if killed."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


_made = cache(game_called)


@lru_cache(maxsize=1)
def _work(packed: bytes) -> Any:  # noqa: ANN401
    """The work of this process: the next task finds the values that its solvers have computed."""
    return _Unpickler(BytesIO(packed)).load()


def _run(packed: tuple[bytes, bytes]) -> Any:  # noqa: ANN401
    try:
        return _work(packed[0])(_Unpickler(BytesIO(packed[1])).load())
    except Exception as error:
        line = blame(error, _own[2])  # the lines of the error are lost on the way
        if line is None:
            raise
        raise ValueError(line) from None


def _packed(game: AnyGame, value: object) -> bytes:
    packed = BytesIO()
    pickler = _Pickler(packed)
    pickler.game = game
    pickler.dump(value)
    return packed.getvalue()


class _Pickler(pickle.Pickler):
    game: AnyGame

    def persistent_id(self, value: object) -> str | None:
        return "game" if value is self.game else None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: object) -> AnyGame:  # noqa: ARG002
        return _made(*_own[:2])
