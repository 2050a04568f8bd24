"""Charts of regret over pulls, and of an estimate that approaches its exact value.

They need the extra `plot`. Lines have different dashes and markers as well as different colours, so
that a print in black and white shows them apart.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import cycle
from math import log
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from purembts.bandits import Curve, lai_robbins
from purembts.shell.facts import Estimate
from purembts.shell.files import write_bytes
from purembts.shell.progress import counted
from purembts.shell.tables import arms_in_words

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
"""The colours of Okabe and Ito, which look different to people who are colour-blind."""
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)))
MARKERS = "os^vDXP"


def regret_chart(curves: Mapping[str, Curve], means: Sequence[float], runs: int) -> Figure:
    """The mean regret of each policy with its interval, and lines of reference.

    The lines of reference are the regret of always pulling the best arm, of always pulling the
    worst arm, and of pulling a random arm. If the means allow it, there is also the least regret in
    the limit of a policy that is good for all Bernoulli arms (Lai and Robbins 1985).
    """
    figure, axes = _empty(
        f"{arms_in_words(means)}; mean of {counted(runs, 'run')}, 95 % intervals",
        "pulls",
        "regret: expected pay that was lost",
    )
    _curves(axes, curves, with_intervals=runs > 1)
    pulls = max(curve.at[-1] for curve in curves.values())
    top = 1.15 * max(curve.mean[-1] for curve in curves.values()) or 1.0
    _references(axes, pulls, means)
    axes.set_xlim(0, pulls)
    axes.set_ylim(-0.03 * top, top)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _curves(axes: Axes, curves: Mapping[str, Curve], *, with_intervals: bool) -> None:
    styles = zip(cycle(COLOURS), cycle(DASHES), cycle(MARKERS), strict=False)
    for (name, curve), (colour, dashes, marker) in zip(curves.items(), styles, strict=False):
        at, mean, low, high = ([0, *curve.at], *([0.0, *column] for column in curve[1:]))
        axes.plot(
            *(at, mean),
            label=name,
            color=colour,
            linestyle=dashes,
            marker=marker,
            markevery=max(1, len(at) // 8),
        )
        if with_intervals:
            axes.fill_between(at, low, high, color=colour, alpha=0.15, linewidth=0)


def _references(axes: Axes, pulls: int, means: Sequence[float]) -> None:
    best = max(means)
    grey: dict[str, Any] = {"color": "0.35", "linewidth": 1}
    anything = best - sum(means) / len(means)
    axes.plot([0, pulls], [0, (best - min(means)) * pulls], ":", label="always wrong", **grey)
    axes.plot([0, pulls], [0, anything * pulls], "--", label="uniformly random", **grey)
    axes.plot([0, pulls], [0, 0], "-", label="always right", **grey)
    if all(0 < mean < 1 for mean in means) and min(means) < best:
        at = [max(1, pulls * i / 200) for i in range(201)]
        bound = [lai_robbins(means) * log(t) for t in at]
        axes.plot(at, bound, "-.", label="Lai and Robbins, in the limit", **grey)


def estimate_chart(series: Sequence[Estimate], exact: float, quantity: str, unit: str) -> Figure:
    """The estimates of `quantity` after more and more games, their 95 % intervals, and `exact`.

    `unit` names the games.
    """
    figure, axes = _empty(
        f"{quantity}: {series[-1].mean:.6g} by simulation, exactly {exact:.6g}", unit, quantity
    )
    games, means, lows, highs = zip(*series, strict=True)
    axes.fill_between(games, lows, highs, color=COLOURS[0], alpha=0.2, label="95 % interval")
    axes.plot(games, means, "o-", color=COLOURS[0], markersize=3, label="estimate")
    axes.axhline(exact, color="0", linestyle="--", linewidth=1, label="exact value")
    axes.set_xscale("log")
    axes.set_xlim(games[0], games[-1])
    axes.legend()
    return figure


def _empty(title: str, x: str, y: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(9, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.set(title=title, xlabel=x, ylabel=y)
    axes.grid(visible=True, alpha=0.3)
    return figure, axes


def write_chart(path: Path, figure: Figure) -> None:
    """Write `figure` to `path`, as PNG or SVG: `path` ends in .png or .svg."""
    drawn = BytesIO()
    # Text stays text, and equal figures have equal files.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "purembts"}):
        kind = path.suffix.lower().removeprefix(".")
        figure.savefig(
            drawn, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else {}
        )
    write_bytes(path, drawn.getvalue())
