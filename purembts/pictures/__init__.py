"""Pictures: a position, also with the scores of its moves, the top of a search tree, a chart.

Each function returns a `Picture`: SVG text with a title and a text alternative. A notebook shows
it. The numbers are those of the report or of the tree. No picture knows a game: positions are drawn
from the `squares` or the `show` of the game's own `display`.
"""

from purembts.pictures.boards import position
from purembts.pictures.charts import Chart, Level, Line, chart, curves_chart
from purembts.pictures.svg import Picture
from purembts.pictures.trees import tree

__all__ = ["Chart", "Level", "Line", "Picture", "chart", "curves_chart", "position", "tree"]
