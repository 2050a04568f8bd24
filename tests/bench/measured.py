"""The seconds of a work, for all programs here that measure."""

import gc
import time


def seconds(work):
    """The seconds that `work()` takes, without the garbage of earlier work."""
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
