"""Write the pictures of docs/pictures: `python docs/pictures.py docs/pictures`."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from heapq import heappop, heappush
from itertools import islice, pairwise
from math import cos, pi, sin, sqrt
from pathlib import Path
from random import Random
from typing import NamedTuple

from purembts import learnt_probability, shut_the_box, start_box, win_probability, workshop
from purembts.app.sampled_results import learning_chart
from purembts.bounds import ucb_wald
from purembts.curves import trials_of
from purembts.display import counted, number, span
from purembts.exact import solver
from purembts.fast.engine import search, strides
from purembts.game import turn_at
from purembts.games.mnk import Board, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import Box
from purembts.pictures import Chart, Level, Line, Picture, chart, position, svg, tree
from purembts.pictures.boards import row_facts
from purembts.pictures.charts import ticks, to_scale
from purembts.pictures.svg import CHOICE, DARK, GREY, MARK, PALE, PAPER, Drawing
from purembts.play import move_called
from purembts.records import Record, Tree, mean
from purembts.report import Report, Row, event_text, report


def drawn() -> Iterator[tuple[str, Picture]]:
    """The pictures, each with the name of its file."""
    yield "reversi", board_after_d3()
    box, roll = shut_the_box(), 9
    grown = search(box, {}, start_box, 20_000, Random(7))
    known = report(box, turn_at(box, start_box, roll), grown, value=solver(box))
    yield "box", position(box, start_box, report=known)
    yield "moves", moves(known)
    yield "dives", film()
    yield "tree", tree(box, grown, start_box, depth=3, most=2)
    yield "chart", chart(learning_curve([10, 100, 1000, 10_000], seeds=(1, 2, 3)))
    yield "readings", chart(readings([10_000]))
    yield "dag", small_dag()
    yield from zip(("select", "expand", "simulate", "backpropagate"), dive(), strict=True)
    yield "bounds", bounds_after_a_nine([10, 100, 1000])


def board_after_d3() -> Picture:
    """A board of Reversi after d3, with the results of 500 dives."""
    game = reversi()
    first = turn_at(game, game.start, None)
    state = move_called(game, first, "d3")
    grown = search(game, {}, state, 500, Random(7))
    return position(
        game, state, before=game.start, report=report(game, turn_at(game, state, None), grown)
    )


def learning_curve(dives: list[int], seeds: tuple[int, ...]) -> Chart:
    """The exact value of the learnt policy over the number of dives."""
    grow = partial(strides, shut_the_box(), {}, start_box, between(dives), bound=ucb_wald)
    lines = [
        Line(f"search with seed {seed}", dives, [float(learnt_probability(each)) for each in grown])
        for seed in seeds
        for grown in [islice(grow(Random(seed)), 1, None)]
    ]
    levels = [
        Level("best play", float(win_probability(start_box))),
        Level("random play", float(learnt_probability({}))),
    ]
    title = "Shut the Box: the policy that a tree has learnt"
    return Chart(title, "dives", "probability to win", lines, levels, logarithmic=True)


def between(dives: Sequence[int]) -> list[int]:
    """The numbers of dives of the strides that lead to each of `dives`."""
    return [after - before for before, after in pairwise([0, *dives])]


def readings(dives: list[int]) -> Chart:
    """The exact value of each reading of one tree over the number of dives."""
    marks = [mark * power for power in (10, 100, 1000) for mark in (1, 2, 3, 5)]
    trials = trials_of(shut_the_box(), [*marks, *dives], {"learnt": ucb_wald}, seed=7)
    return learning_chart("Shut the Box", trials, [list(trials.readings(0))])


SMALL = frozenset({1, 2, 3})
"""The box in which the pages show one dive."""


def small_dag() -> Picture:
    """All boxes that `SMALL` can become, with the throws that lead to each."""
    game = shut_the_box()
    rolls = Counter(game.chances(SMALL))

    def label(before: Box, after: Box) -> str:
        roll = sum(before - after)
        return f"{rolls[roll]} of 36" if roll in rolls else ""

    named = game._replace(display=game.display._replace(label=label, short=levers))
    return tree(named, search(game, {}, SMALL, 1000, Random(7)), SMALL, depth=3, most=9)


def levers(box: Box) -> str:
    """The levers of `box` in braces."""
    return f"{{{', '.join(map(str, sorted(box)))}}}"


# The moves of a report as bars

PALE_BAR = "#a9c4e6"
ROW, SCALE, NUMBERS = 28.0, 260.0, 136.0
"""The height of a row, the width of the bars, and the width of the mean and the visits."""


def moves(report: Report) -> Picture:
    """The moves of `report`, each with a bar for its mean, a whisker for its interval, and visits.

    The move that the records play is emphasised. A diamond is the exact value; it is filled if no
    move has a higher one.
    """
    title = f"{report.game.name}: the moves, {event_text(report)}"
    bars = move_bars(report.rows)
    signs = [
        "bar: mean score, whisker: 95 % interval",
        "bold: the move it would play",
        "diamond: exact value, filled if it is the best",
    ]
    drawing = svg.stacked([svg.heading(title, bars.width), bars, svg.text_lines(signs)])
    return svg.picture(title, "\n".join(map(move_line, report.rows)), drawing)


def move_line(row: Row) -> str:
    """A move in words."""
    numbers = f"mean {number(row.mean)}, 95 % interval {span(row.interval)}"
    end = ", the move it would play" if row.learnt else ""
    visits = counted(row.visits, "visit")
    return f"{row.label}: {numbers}, {visits}, exactly {number(row.exact)}{end}."


def move_bars(rows: Sequence[Row]) -> Drawing:
    """The rows with an axis below them."""
    high, labels = ROW * len(rows), max(svg.width_of(row.label) for row in rows) + 14
    marks = ticks(
        0.0, max(float(end) for row in rows for end in (*row.interval, row.exact)), outside=True
    )
    at = to_scale(0.0, marks[-1], 0.0, SCALE)
    axis = [part for mark in marks for part in axis_mark(mark, at(mark), high)]
    bars = [move_bar(row, i * ROW, at) for i, row in enumerate(rows)]
    heads = [
        svg.words(SCALE + right, 14, name, 13, "end", fill=GREY)
        for name, right in (("mean", 70), ("visits", NUMBERS))
    ]
    body = svg.group(labels, 0, *heads, svg.group(0, 22, *axis, *bars))
    return Drawing(labels + SCALE + NUMBERS, 46 + high, body)


def axis_mark(mark: float, x: float, high: float) -> Iterator[str]:
    """A thin line at a mark with its number below. The bars begin at the dark one."""
    yield svg.path(f"M{x},0V{high + 4}", stroke=PALE if mark else GREY)
    yield svg.words(x, high + 19, f"{mark:g}", 13, "middle", fill=GREY)


def move_bar(row: Row, y: float, at: Callable[[float], float]) -> str:
    """A move: its name, its numbers, the bar, the whisker and the diamond."""
    weight = "700" if row.learnt else None
    low, high = map(at, row.interval)
    size = {"x": 0.0, "y": 6.0, "width": at(row.mean), "height": ROW - 12}
    whisker = f"M{low},10v8m0,-4H{high}m0,-4v8"
    diamond = f"M{at(float(row.exact))},7.5l6.5,6.5l-6.5,6.5l-6.5,-6.5Z"
    return svg.group(
        0,
        y,
        svg.tip(move_line(row)),
        svg.words(-14, 19, row.label, 14.0, "end", font_weight=weight),
        svg.words(SCALE + 70, 19, number(row.mean), 14.0, "end", font_weight=weight),
        svg.words(SCALE + NUMBERS, 19, f"{row.visits:,}", 14.0, "end", fill=GREY),
        svg.element("rect", **size, fill=CHOICE if row.learnt else PALE_BAR),
        svg.path(whisker, fill="none", stroke=PAPER, stroke_width=4.0),  # it is seen on a dark bar
        svg.path(whisker, fill="none", stroke=DARK, stroke_width=1.5),
        svg.path(diamond, fill=MARK if row.best else PAPER, stroke=MARK, stroke_width=2.0),
        **row_facts(row),
    )


# A search as a moving picture: its tree grows as a bloom, with the root in the middle

MARKS = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000)
"""The numbers of dives after which the tree is shown."""
MOST = 1_600
"""The most positions that are drawn."""
RADIUS, PERIOD = 240.0, 14
BLUE, MIDDLE, ORANGE = (46, 124, 214), (136, 141, 150), (224, 118, 16)
"""The colours of a mean of 0, of one half and of 1, which are seen on light and on dark ground."""


class Branch(NamedTuple):
    """A position with its record, its ring and its sector, and the edge that leads to it."""

    state: Board
    record: Record
    depth: int = 0
    sector: tuple[float, float] = (pi / 2, 5 * pi / 2)
    edge: str = ""


def film() -> Picture:
    """A search of tic-tac-toe that grows to 10,000 dives, again and again.

    Each of the most visited positions is drawn once. Its edge is wider if it has more visits,
    orange if the first player wins more often from there, and blue if the second does. For a reader
    who wants no motion, the last tree stands still.
    """
    grow = strides(tic_tac_toe, {}, Board(), between(MARKS), Random(319))
    trees = list(islice(grow, 1, None))
    branches = list(islice(bloom(trees[-1]), 1, MOST))
    texts = [film_line(tree) for tree in trees]
    title = f"{tic_tac_toe.name}: a search of {MARKS[-1]:,} dives"
    return svg.picture(title, "\n".join(texts), film_drawing(stages(branches, trees), texts))


def film_line(grown: Tree[Board]) -> str:
    """The dives so far, and the move with the most visits."""
    dives = f"{counted(grown[Board()].visits, 'dive')}."
    moves = [move for move in tic_tac_toe.moves(Board(), None) if move in grown]
    if not moves:
        return dives
    best = max(moves, key=lambda move: grown[move].visits)
    label, share = tic_tac_toe.display.label(Board(), best), number(mean(grown[best]), 2)
    return f"{dives} Most visits: {label}, {grown[best].visits:,}, mean score {share}."


def bloom(grown: Tree[Board]) -> Iterator[Branch]:
    """The positions of a tree, each once, those with the most visits first, from the root on."""
    heap, shown = [(0, 0, Branch(Board(), grown[Board()]))], {Board()}
    while heap:
        branch = heappop(heap)[2]
        yield branch
        for twig in twigs(grown, branch):
            if twig.state not in shown:
                shown.add(twig.state)
                heappush(heap, (-twig.record.visits, len(shown), twig))


def twigs(grown: Tree[Board], branch: Branch) -> Iterator[Branch]:
    """The children with visits, each in its slot of the sector."""
    moves, (begin, end) = tic_tac_toe.moves(branch.state, None), branch.sector
    slot = (end - begin) / max(len(moves), 1)
    for i, move in enumerate(moves):
        if move in grown:
            sector = (begin + i * slot, begin + (i + 1) * slot)
            yield Branch(
                move, grown[move], branch.depth + 1, sector, curve(branch, sum(sector) / 2)
            )


def curve(branch: Branch, angle: float) -> str:
    """The curve from a branch to a twig at this angle."""
    inner, outer = (RADIUS * (1 - 0.7**depth) for depth in (branch.depth, branch.depth + 1))
    middle, begin = (inner + outer) / 2, sum(branch.sector) / 2 if branch.depth else angle
    polar = ((inner, begin), (middle, begin), (middle, angle), (outer, angle))
    points = [f"{round(r * cos(a))} {round(r * sin(a))}" for r, a in polar]
    return f"M{points[0]}C{' '.join(points[1:])}"


def stages(branches: Sequence[Branch], trees: Sequence[Tree[Board]]) -> list[str]:
    """The edges of the positions that are new in each tree; those of one look are one path."""
    looks: list[dict[tuple[str, float], str]] = [{} for _ in trees]
    for branch in branches:
        edges = looks[next(i for i, grown in enumerate(trees) if branch.state in grown)]
        width = max(0.8, round(18 * sqrt(branch.record.visits / MARKS[-1]), 1))
        look = colour_of(round(mean(branch.record), 1)), width
        edges[look] = edges.get(look, "") + branch.edge
    return [
        "".join(
            svg.element("path", d=line, stroke=colour, stroke_width=width)
            for (colour, width), line in edges.items()
        )
        for edges in looks
    ]


def colour_of(share: float) -> str:
    """Blue for 0, grey for one half, orange for 1."""
    end, far = BLUE if share < 0.5 else ORANGE, abs(2 * share - 1) ** 0.5
    parts = (grey + far * (part - grey) for grey, part in zip(MIDDLE, end, strict=True))
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def film_drawing(stages: Sequence[str], texts: Sequence[str]) -> Drawing:
    """The stages one after the other. Each of them stays, and has a text until the next one."""
    name, high = "f" + sha256("".join([*stages, *texts]).encode()).hexdigest()[:8], 2 * RADIUS
    rules = [f"#{name} path{{animation:{name} {PERIOD}s infinite}}"]
    rules += [f"@keyframes {name}{{0%,5%{{stroke-width:1px}}}}"]
    trees, words, last = [], [], len(texts) - 1
    for i, (stage, text) in enumerate(zip(stages, texts, strict=True)):
        trees.append(svg.element("g", stage, id=f"{name}-{i}"))
        here = None if i == last else "hidden"
        words.append(svg.words(0, high + 30, text, 15, id=f"{name}-t{i}", visibility=here))
        rules += stage_rules(f"{name}-", i, is_last=i == last)
    style = f"@media (prefers-reduced-motion:no-preference){{{''.join(rules)}}}"
    edges = svg.group(RADIUS, RADIUS, *trees, fill="none", stroke_linecap="round", id=name)
    return Drawing(high, high + 40, "".join([svg.element("style", style), edges, *words]))


def stage_rules(name: str, i: int, *, is_last: bool) -> Iterator[str]:
    """The styles of stage i: its edges come and stay, and its text is gone with the next one."""
    begin, end = 8 * i, 100 if is_last else 8 * i + 8
    after = "visible" if is_last else "hidden"
    yield f"@keyframes {name}{i}{{0%,{begin}%{{opacity:0}}{begin + 4}%{{opacity:1}}}}"
    yield f"#{name}{i}{{animation:{name}{i} {PERIOD}s infinite}}"
    yield f"@keyframes {name}t{i}{{0%{{visibility:hidden}}{begin}%{{visibility:visible}}"
    yield f"{end}%,100%{{visibility:{after}}}}}"
    yield f"#{name}t{i}{{animation:{name}t{i} {PERIOD}s step-end infinite}}"


# One dive in four frames

PLACES = {SMALL: (0, 1), frozenset({3}): (1, 0), frozenset({1, 2}): (1, 1), frozenset({2}): (1, 2)}
PLACES |= {frozenset({1}): (2, 1), frozenset(): (2, 0)}
"""The column and the row of each box in a frame."""
EDGES = (((1, 2, 3), (3,)), ((1, 2, 3), (1, 2)), ((1, 2, 3), (2,)), ((1, 2), (1,)), ((1, 2), ()))
"""The moves that are drawn in a frame, each as two boxes."""


def dive() -> Iterator[Picture]:
    """The four phases of one dive into a tree of 20 dives from `SMALL`."""
    old = workshop.search({}, SMALL, 20, Random(136))
    new, _ = workshop.uct(old, SMALL, Random(1552))
    first, second, leaf = SMALL, frozenset({1, 2}), frozenset({1})
    rated = {box: f"bound {workshop.ucb(old[box]):g}" for box in (second, frozenset({3}))}
    yield frame(
        old, "1. Select: the roll is 3, and {1, 2} has the higher bound", [first, second], rated
    )
    path = [first, second, leaf]
    yield frame(old, "2. Expand: the roll is 2, and {1} is not in the tree", path, {leaf: "new"})
    notes = {leaf: "roll 6: lost"}
    yield frame(old, "3. Simulate: a random game from {1} is lost", [leaf], notes)
    notes = dict.fromkeys(path, "+ 1 loss")
    yield frame(new, "4. Backpropagate: the loss is added along the path", path, notes)


def frame(grown: Tree[Box], title: str, path: Sequence[Box], notes: Mapping[Box, str]) -> Picture:
    """The records of `grown` in a small tree, with the boxes of `path` emphasised."""
    shown = [box for box in PLACES if box in grown or box in path]
    lines = [box_line(grown, box, notes.get(box, "")) for box in shown]
    ways = [tuple(map(frozenset, edge)) for edge in EDGES]
    edges = [edge(a, b, b in path and a in path) for a, b in ways if a in shown and b in shown]
    nodes = [node(grown, box, box in path, notes.get(box, "")) for box in shown]
    drawing = Drawing(630.0, 226.0, "".join([*edges, *nodes]))
    return svg.picture(title, "\n".join(lines), svg.stacked([svg.heading(title, 630), drawing]))


def box_line(grown: Tree[Box], box: Box, note: str) -> str:
    """A node in words."""
    return f"{levers(box)}: {', '.join(filter(None, [won_of(grown, box), note]))}."


def won_of(grown: Tree[Box], box: Box) -> str:
    """The wins and the visits of `box`; "" without a record."""
    record = grown.get(box)
    return f"won {record.scores[0]} of {record.visits}" if record else ""


def corner(box: Box) -> tuple[float, float]:
    """The upper left corner of the node of `box`."""
    column, row = PLACES[box]
    return 230.0 * column, 78.0 * row + 8


def edge(before: Box, after: Box, is_on_path: bool) -> str:
    """The line of a move."""
    (x, y), (to_x, to_y) = corner(before), corner(after)
    look = {"stroke": CHOICE, "stroke_width": 3} if is_on_path else {"stroke": PALE}
    return svg.path(f"M{x + 170},{y + 28}L{to_x},{to_y + 28}", fill="none", **look)


def node(grown: Tree[Box], box: Box, is_on_path: bool, note: str) -> str:
    """A box with its record and a note."""
    x, y = corner(box)
    look = {"stroke": CHOICE, "stroke_width": 2.5} if is_on_path else {"stroke": GREY}
    return svg.group(
        x,
        y,
        svg.element("rect", width=170, height=56, rx=6, fill=PAPER, **look),
        svg.words(10, 22, levers(box), 15, font_weight="600"),
        svg.words(10, 44, won_of(grown, box), 13, fill=GREY),
        svg.words(160, 44, note, 13, "end", fill=MARK),
    )


# The bars of the bound


def bounds_after_a_nine(dives: list[int]) -> Picture:
    """The bounds of the moves after a first roll of 9, after each number of dives."""
    game = shut_the_box()
    nine = turn_at(game, start_box, 9)
    grow = strides(game, {}, start_box, between(dives), Random(7), turn=nine, bound=ucb_wald)
    panels, lines = [], []
    for n, grown in zip(dives, islice(grow, 1, None), strict=False):
        rated = [(move, grown[move], workshop.ucb(grown[move])) for move in nine.moves]
        panels += [svg.heading(f"After {n:,} dives", 620), bars(rated)]
        lines += [f"After {n:,} dives:"]
        lines += [
            f"{levers(move)}: mean {mean(record):.3f}, bound {bound:.3f}, visits {record.visits}."
            for move, record, bound in rated
        ]
    note = svg.text_lines(
        ["dark: the mean; pale: the rest of the bound. Each part has its own scale."]
    )
    title = "The bounds of eight moves after a first roll of 9"
    return svg.picture(
        title, "\n".join(lines), svg.stacked([svg.heading(title, 620), *panels, note])
    )


def bars(rated: Sequence[tuple[Box, Record, float]]) -> Drawing:
    """A bar for each move: the mean, and beside it the rest of the bound."""
    most = max(bound for _, _, bound in rated)
    rows = []
    for i, (move, record, bound) in enumerate(rated):
        own, whole = 270 * mean(record) / most, 270 * bound / most
        numbers = f"bound {bound:.3f}, {record.visits:,} visit{'' if record.visits == 1 else 's'}"
        rows.append(
            svg.group(
                0.0,
                22.0 * i,
                svg.words(170, 15, levers(move), 13, "end"),
                svg.element("rect", x=180.0, y=3.0, width=whole, height=15, fill=PALE_BAR),
                svg.element("rect", x=180.0, y=3.0, width=own, height=15, fill=CHOICE),
                svg.words(460, 15, numbers, 13, fill=GREY),
            )
        )
    return Drawing(640.0, 22.0 * len(rated), "".join(rows))


def main() -> None:
    """Write each picture to the folder that is named; print the texts of all."""
    for name, picture in drawn():
        print(f"{picture}\n")
        for folder in sys.argv[1:]:
            Path(folder, f"{name}.svg").write_text(picture.svg, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
