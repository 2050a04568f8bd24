"""Work that kills its process. It imports little, so that a new process has it at once."""

import os
import signal
import time

FACTOR = [0]


def begin(factor):
    FACTOR[:] = [factor]


def times_factor(folder, task):
    """The task times FACTOR. Task 3 waits for the file `now`, and then it kills its process."""
    while task == 3 and not (folder / "over").exists():
        if (folder / "now").exists():
            (folder / "now").rename(folder / "over")
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
    return task * FACTOR[0]


def deadly(marker, policy, game, state, rng):
    """The result of `policy`. If the file `marker` is there, it kills its process once instead."""
    if marker.exists():
        marker.unlink(missing_ok=True)
        os.kill(os.getpid(), signal.SIGKILL)
    return policy(game, state, rng)
