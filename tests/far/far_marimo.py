"""The reactive notebook: what its cells show, and the values of its curve.

It needs the dependency group `far`: python -m pytest tests/far/far_marimo.py
"""

import runpy
import subprocess
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from purembts import learnt_probability, win_probability
from purembts.bounds import wald_with
from purembts.exact import solver
from purembts.fast.engine import search
from purembts.games.shut_the_box import Rules, full_box, shut_the_box
from purembts.mcts import learnt

PATH = Path(__file__).parents[2] / "examples" / "learning_marimo.py"


@pytest.fixture(scope="module")
def notebook():
    return SimpleNamespace(**runpy.run_path(str(PATH)))


def test_the_cells_show_the_curve_between_random_moves_and_best_play(notebook):
    outputs, names = notebook.app.run()
    chart = names["chart"]
    assert chart in outputs
    [line], [best, at_random] = chart.lines, chart.levels
    assert (line.x[0], line.x[-1], len(line.x)) == (10, 10_000, 10)
    assert best.value == float(win_probability(full_box()))
    assert at_random.value == float(learnt_probability({}))
    for low, mean, high in zip(line.low, line.y, line.high, strict=True):
        assert low <= mean <= high <= best.value
    assert at_random.value < line.low[-1] < line.high[-1]
    shown = [output.text for output in outputs if hasattr(output, "text")]
    assert any("best play: 0.07143" in text for text in shown)
    assert sum("marimo-slider" in text for text in shown) == 1


def test_the_curve_is_what_searches_learn_exactly(notebook):
    rules = Rules(levers=7, one_die_end=True, most_levers=3)
    game = shut_the_box(rules)
    chart = notebook.learning_curve([50, 200], [3, 4], z=1.5, rules=rules)
    box = game.start
    for i, dives in enumerate([50, 200]):
        trees = [search(game, {}, box, dives, Random(n), bound=wald_with(1.5)) for n in (3, 4)]
        values = [float(solver(game, policy=learnt(tree))(box)[0]) for tree in trees]
        [line] = chart.lines
        assert (line.x[i], line.y[i]) == (dives, sum(values) / 2)
        assert (line.low[i], line.high[i]) == (min(values), max(values))
    assert chart.levels[0].value == float(solver(game)(box)[0])


def test_marimo_finds_nothing_to_mend():
    command = [sys.executable, "-m", "marimo", "check", "--strict", PATH]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout + finished.stderr
