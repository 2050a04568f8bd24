"""The learning curve as a reactive notebook: `marimo run examples/learning_marimo.py`.

The notebook draws the learning curve of task 11 again when a slider moves: the exact probability to
win with the moves that the search has learnt, between that of random moves and that of best play.
It needs marimo: `python -m pip install marimo`.
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="The learning curve")

with app.setup:
    from collections.abc import Sequence
    from itertools import pairwise
    from random import Random

    import marimo as mo

    from purembts import Rules, shut_the_box
    from purembts.bounds import wald_with
    from purembts.exact import solver
    from purembts.fast.engine import strides
    from purembts.mcts import learnt
    from purembts.pictures.charts import Chart, Level, Line


@app.cell(hide_code=True)
def _():
    mo.md("""
    # The learning curve

    A search of Shut the Box makes dives from the full box. Then a player always takes the move
    with the highest mean in its tree. The curve is the **exact** probability that this player
    wins. It is the mean of several searches; the band reaches from the worst of them to the best.
    Move a slider, and the searches run again. One search can be better or worse than random moves,
    but never better than best play.
    """)
    return


@app.cell(hide_code=True)
def _():
    marks = [times * 10**power for power in range(1, 5) for times in (1, 2, 5)] + [100_000]
    last = mo.ui.slider(steps=marks[3:], value=10_000, debounce=True, show_value=True)
    z = mo.ui.slider(0, 5, 0.25, value=2, debounce=True, show_value=True)
    searches = mo.ui.slider(1, 10, value=5, debounce=True, show_value=True)
    levers = mo.ui.slider(3, 12, value=9, debounce=True, show_value=True)
    dice = mo.ui.slider(1, 3, value=2, debounce=True, show_value=True)
    one_die_end = mo.ui.dropdown({"no": False, "sum": "sum", "shut": "shut"}, value="no")
    most_levers = mo.ui.slider(1, 4, value=4, debounce=True, show_value=True)
    return dice, last, levers, marks, most_levers, one_die_end, searches, z


@app.cell(hide_code=True)
def _(dice, last, levers, most_levers, one_die_end, searches, z):
    rows = {
        "dives": last,
        "z, for exploration": z,
        "searches": searches,
        "levers": levers,
        "dice": dice,
        "one die at the end": one_die_end,
        "most levers in a move": most_levers,
    }
    mo.vstack([mo.hstack([name, widget], wrap=True) for name, widget in rows.items()])
    return


@app.cell(hide_code=True)
def _(dice, last, levers, marks, most_levers, one_die_end, searches, z):
    rules = Rules(levers.value, dice.value, one_die_end.value, most_levers.value)
    dives = [mark for mark in marks if mark <= last.value]
    chart = learning_curve(dives, range(searches.value), z=z.value, rules=rules)
    chart
    return (chart,)


@app.cell(hide_code=True)
def _(chart):
    mo.md("\n".join(f"- {level.name}: {level.value:.5f}" for level in chart.levels))
    return


@app.function
def learning_curve(dives: Sequence[int], seeds: Sequence[int], *, z: float, rules: Rules) -> Chart:
    """The chart of the values learnt after each number of `dives`, over searches with `seeds`."""
    curves = [values_learnt(dives, seed, z=z, rules=rules) for seed in seeds]
    values = list(zip(*curves, strict=True))
    means = [sum(column) / len(column) for column in values]
    game = shut_the_box(rules)
    return Chart(
        "Exact probability to win with what is learnt",
        "dives",
        "probability to win",
        [Line("learnt", dives, means, [*map(min, values)], [*map(max, values)])],
        [
            Level("best play", float(solver(game)(game.start)[0])),
            Level("random moves", float(solver(game, policy=learnt({}))(game.start)[0])),
        ],
        logarithmic=True,
    )


@app.function
def values_learnt(dives: Sequence[int], seed: int, *, z: float, rules: Rules) -> list[float]:
    """The exact value of what one search has learnt after each number of `dives`."""
    game = shut_the_box(rules)
    steps = [after - before for before, after in pairwise([0, *dives])]
    _, *trees = strides(game, {}, game.start, steps, Random(seed), bound=wald_with(z))
    return [float(solver(game, policy=learnt(tree))(game.start)[0]) for tree in trees]


if __name__ == "__main__":
    app.run()
