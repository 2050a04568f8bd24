"""Large trees: the seconds and the memory of files, merging and subtrees.

One WORK on N positions of the coin game, in a new process:
python tests/bench/bench_trees.py WORK 1000000, where WORK is save, load, merge or subtree. Save
before load: the file is tree.jsonl in the current folder.

python -m pytest tests/bench/bench_trees.py holds that the time grows with the number of positions.
"""

import gc
import resource
import sys
from functools import partial
from pathlib import Path

import pytest
from pyrsistent import pmap

from measured import seconds
from purembts.app.files import load_tree, save_tree
from purembts.games.last_coin import Pile, last_coin
from purembts.mcts import merge_trees, subtree
from purembts.records import Record

COINS, FILE = last_coin(), Path("tree.jsonl")


def piles(n, first=0):
    """A tree of n positions of the coin game, from `first` coins on."""
    return pmap({Pile(first + i // 2, i % 2): Record(9, (1, 8)) for i in range(n)})


WORKS = {
    "save": lambda n: partial(save_tree, FILE, COINS, piles(n)),
    "load": lambda n: partial(load_tree, FILE, COINS),
    "merge": lambda n: partial(merge_trees, piles(n), piles(n, first=n // 4)),
    "subtree": lambda n: partial(subtree, COINS._replace(max_turns=n), piles(n), Pile(n // 2 - 1)),
}
"""Two trees that are merged have half of their positions in common."""


@pytest.mark.parametrize("name", ["save", "merge", "subtree"])
def bench_ten_times_the_positions(ratio, name, tmp_path, monkeypatch):
    """At most 20 times as long: a large tree does not fit into the caches of a processor."""
    monkeypatch.chdir(tmp_path)
    gc.disable()  # its first full collection falls between the two sizes
    ratio(WORKS[name](10_000), WORKS[name](100_000), at_least=1 / 20, rounds=3)
    gc.enable()


def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    name, n = sys.argv[1], int(sys.argv[2])
    work, before = WORKS[name](n), megabytes()
    took = seconds(work)
    print(f"{name} of {n:,}: {took:.1f} s; {before:.0f} MB before, {megabytes():.0f} MB at most")
