"""Charts as PNG, which needs the extra `plot`. `charts.Chart` draws SVG itself."""

from io import BytesIO
from itertools import cycle

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from purembts.app.kinds import Words
from purembts.pictures.charts import COLOURS, Chart

DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 2)), (0, (3, 3)))
MARKERS = "os^vDXPd"


def figure_of(chart: Chart) -> Figure:
    """The figure of `chart`. Its lines differ in dashes and markers as well as in colour."""
    figure = Figure(figsize=(9, 6), layout="constrained")
    axes = figure.add_subplot()
    axes.set(title=chart.title, xlabel=chart.x, ylabel=chart.y)
    axes.set_xscale("log" if chart.logarithmic else "linear")
    axes.grid(visible=True, alpha=0.3)
    _draw(axes, chart)
    figure.legend(loc="outside lower center", ncols=3, fontsize="small", frameon=False)
    return figure


def _draw(axes: Axes, chart: Chart) -> None:
    looks = zip(cycle(COLOURS), cycle(DASHES), cycle(MARKERS), strict=False)
    for line, (colour, dashes, marker) in zip(chart.lines, looks, strict=False):
        at, every = line.x, max(1, len(line.x) // 8)
        looks_like: Words = {
            "color": colour,
            "linestyle": dashes,
            "marker": marker,
            "markevery": every,
        }
        axes.plot(at, line.y, label=line.name, **looks_like)
        if line.low is not None and line.high is not None:
            axes.fill_between(at, line.low, line.high, color=colour, alpha=0.15, linewidth=0)
    for level, dashes in zip(chart.levels, cycle(DASHES[1:]), strict=False):
        axes.axhline(level.value, label=level.name, color="0.35", linewidth=1, linestyle=dashes)


def png(chart: Chart) -> bytes:
    """The bytes of `chart` as PNG."""
    drawn = BytesIO()
    figure_of(chart).savefig(drawn, format="png", dpi=150)
    return drawn.getvalue()
