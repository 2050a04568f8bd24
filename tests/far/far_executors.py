"""Executors that come with packages of their own: joblib, loky, a dask cluster, ray, and MPI.

They need the dependency group `far`: python -m pytest tests/far/far_executors.py. Those of ray and
MPI need `ray`, and `mpi4py` with an `mpirun`; without these packages they are skipped.
"""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest
from dask.distributed import Client, LocalCluster
from joblib import Parallel, delayed

from purembts import shut_the_box, start_box
from purembts.bounds import ucb_wald
from purembts.fast.engine import search_parallel
from purembts.games.last_coin import Pile, last_coin

TEXT = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text(encoding="utf-8")
RECIPES = [
    source
    for source in re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    if "search_parallel(" in source
]


def joblib_map(work, tasks):
    return Parallel(n_jobs=2)(delayed(work)(task) for task in tasks)


JOBLIB = SimpleNamespace(map=joblib_map)


@pytest.fixture
def cluster():
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    with Client(cluster) as client:
        yield client


def test_a_game_that_no_module_has_crosses_to_dask_and_joblib(client):
    game = last_coin()._replace(result=lambda pile: (1, 0) if pile.player else (0, 1))
    how = {"seed": 7, "chunks": 3}
    expected = search_parallel(game, {}, Pile(9), 100, **how)
    for executor in (client.get_executor(), JOBLIB):
        assert search_parallel(game, {}, Pile(9), 100, **how, executor=executor) == expected


@pytest.fixture(scope="module")
def expected():
    return search_parallel(shut_the_box(), {}, start_box, 1_000_000, **options())


def options():
    return {"seed": 7, "chunks": 8, "bound": ucb_wald}


def package_of(recipe):
    return re.findall(r"^from (\w+)\S* import (?!SimpleNamespace)", recipe, re.MULTILINE)[0]


@pytest.mark.parametrize("recipe", RECIPES, ids=package_of)
def test_the_recipes_of_the_documentation_give_the_same(recipe, cluster, expected, tmp_path):
    package = package_of(recipe)
    if find_spec(package) is None:
        pytest.skip(f"{package} is not here")
    if package == "mpi4py":
        assert_with_mpi(recipe, tmp_path)
        return
    names = {"search_parallel": search_parallel, "start_box": start_box}
    names |= {"game": shut_the_box(), "options": options()}
    exec(recipe.replace("scheduler:8786", cluster.scheduler_address), names)
    assert names["tree"] == expected
    assert Parallel(n_jobs=2)(delayed(abs)(i) for i in (-1, -2)) == [1, 2], "joblib works on"


def assert_with_mpi(recipe, folder):
    """Run the recipe as a program of its own with `mpirun`."""
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is not here")
    program = folder / "program.py"
    program.write_text(
        "from purembts import *\nfrom purembts.bounds import ucb_wald\n"
        "from purembts.fast.engine import search_parallel\n"
        'game, options = shut_the_box(), {"seed": 7, "chunks": 8, "bound": ucb_wald}\n'
        f"{recipe}\n"
        "    assert tree == search_parallel(game, {}, start_box, 1_000_000, **options)\n"
    )
    command = ["mpirun", "-n", "3", sys.executable, "-m", "mpi4py.futures", str(program)]
    subprocess.run(command, check=True, timeout=300)
