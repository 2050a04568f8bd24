"""Write the pictures of docs/pictures: `python examples/pictures.py docs/pictures`."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from random import Random

from purembts import learnt_probability, shut_the_box, start_box, win_probability, workshop
from purembts.app.estimates import learning_chart
from purembts.bounds import ucb_wald
from purembts.curves import trials_of
from purembts.exact import solver
from purembts.fast.engine import search, strides
from purembts.game import turn_at
from purembts.games.mnk import Board, tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import Box
from purembts.pictures import Chart, Level, Line, Picture, chart, film, moves, position, svg, tree
from purembts.pictures.svg import Drawing
from purembts.play import move_called
from purembts.records import Record, Tree, mean
from purembts.report import report


def drawn() -> Iterator[tuple[str, Picture]]:
    """The pictures, each with the name of its file."""
    yield "reversi", board_after_d3()
    box, roll = shut_the_box(), 9
    grown = search(box, {}, start_box, 20_000, Random(7))
    known = report(box, turn_at(box, start_box, roll), grown, value=solver(box))
    yield "box", position(box, start_box, report=known)
    yield "moves", moves(known)
    yield "dives", film(tic_tac_toe, Board(), seed=319)
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


def between(dives: list[int]) -> list[int]:
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

    named = game._replace(display=game.display._replace(label=label))
    return tree(named, search(game, {}, SMALL, 1000, Random(7)), SMALL, depth=3, most=9)


def levers(box: Box) -> str:
    """The levers of `box` in braces."""
    return f"{{{', '.join(map(str, sorted(box)))}}}"


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
    look = {"stroke": svg.CHOICE, "stroke_width": 3} if is_on_path else {"stroke": svg.PALE}
    return svg.path(f"M{x + 170},{y + 28}L{to_x},{to_y + 28}", fill="none", **look)


def node(grown: Tree[Box], box: Box, is_on_path: bool, note: str) -> str:
    """A box with its record and a note."""
    x, y = corner(box)
    look = {"stroke": svg.CHOICE, "stroke_width": 2.5} if is_on_path else {"stroke": svg.GREY}
    return svg.group(
        x,
        y,
        svg.element("rect", width=170, height=56, rx=6, fill=svg.PAPER, **look),
        svg.words(10, 22, levers(box), 15, font_weight="600"),
        svg.words(10, 44, won_of(grown, box), 13, fill=svg.GREY),
        svg.words(160, 44, note, 13, "end", fill=svg.MARK),
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
                svg.element("rect", x=180.0, y=3.0, width=whole, height=15, fill="#a9c4e6"),
                svg.element("rect", x=180.0, y=3.0, width=own, height=15, fill=svg.CHOICE),
                svg.words(460, 15, numbers, 13, fill=svg.GREY),
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
