"""The limit in C of random games and dives, as Python functions. It needs a C compiler."""

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from pyrsistent import pmap

from limit import FULL, frozensets
from purembts.records import Record

SOURCE = Path(__file__).with_name("limit.c")


@cache
def library():
    """The compiled library, with its boxes linked."""
    folder = tempfile.mkdtemp()
    built = Path(folder) / "limit.so"
    command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(built), str(SOURCE), "-lm"]
    subprocess.run(command, check=True)
    loaded = ctypes.CDLL(str(built))
    loaded.games.restype = ctypes.c_int64
    loaded.link_boxes()
    return loaded


def seeded(rng):
    """The library, which draws the numbers of `rng`; `rng` itself stays where it is."""
    words = rng.getstate()[1]
    library().seed((ctypes.c_uint32 * 625)(*words))
    return library()


def simulate(n, rng):
    """The record of `n` random games from the full box."""
    won = seeded(rng).games(ctypes.c_int64(n))
    return Record(n, (won, n - won))


def search(dives, rng):
    """The tree after `dives` dives from the full box into an empty tree."""
    visits, wins = (ctypes.c_int64 * 512)(), (ctypes.c_int64 * 512)()
    seeded(rng).dives(ctypes.c_int64(dives), visits, wins)
    boxes = frozensets()[: FULL + 1]
    rows = zip(boxes, visits, wins, strict=True)
    return pmap({box: Record(n, (won, n - won)) for box, n, won in rows if n})
