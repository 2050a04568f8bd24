"""Executors that come with packages of their own: joblib's loky, and a dask cluster.

They need the dependency group `far`: python -m pytest tests/far/far_executors.py
"""

import builtins
import re
from pathlib import Path

import pytest
from dask.distributed import Client, LocalCluster
from joblib.externals.loky import get_reusable_executor

from purembts import shut_the_box, start_box
from purembts.bounds import ucb_wald
from purembts.fast.engine import search_parallel
from test_executors import answers


def test_loky_gives_the_same():
    executor = get_reusable_executor(max_workers=2)
    assert answers(executor) == answers(builtins)
    executor.shutdown(wait=True)


@pytest.fixture
def cluster():
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster


def test_a_dask_cluster_gives_the_same(cluster):
    with Client(cluster) as client:
        assert answers(client.get_executor()) == answers(builtins)


def test_the_ways_that_the_documentation_shows_give_the_same(cluster):
    text = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text(encoding="utf-8")
    [source] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    source = source.replace("scheduler:8786", cluster.scheduler_address)
    names = {"search_parallel": search_parallel, "start_box": start_box}
    names |= {"game": shut_the_box(), "ucb_wald": ucb_wald}
    grown = []
    for lines in source.split("\n\n"):
        exec(lines, names)
        grown += [names.pop("tree")] if "tree" in names else []
    expected = search_parallel(shut_the_box(), {}, start_box, 1_000_000, **names["options"])
    assert grown == [expected] * 4
