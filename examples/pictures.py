"""Write the pictures of docs/pictures: `python examples/pictures.py docs/pictures`."""

import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from purembts import learnt_probability, shut_the_box, start_box, win_probability
from purembts.app.lesson_results import lesson_chart
from purembts.app.lessons import learn
from purembts.bounds import ucb_wald
from purembts.exact import solver
from purembts.fast.engine import search, strides
from purembts.game import turn_at
from purembts.games.mnk import tic_tac_toe
from purembts.games.reversi import reversi
from purembts.pictures import Chart, Level, Line, Picture, chart, moves, position, strip, tree
from purembts.play import move_called
from purembts.report import report


def drawn() -> Iterator[tuple[str, Picture]]:
    """The pictures, each with the name of its file."""
    yield "reversi", board_after_d3()
    box, roll = shut_the_box(), 9
    grown = search(box, {}, start_box, 20_000, Random(7))
    known = report(box, turn_at(box, start_box, roll), grown, value=solver(box))
    yield "box", position(box, start_box, known=known)
    yield "moves", moves(known)
    yield "tree", tree(box, grown, start_box, depth=3, most=2)
    yield "strip", strip(tic_tac_toe, line(["b2", "a1", "a2", "c2", "b3", "b1", "a3", "c3", "c1"]))
    yield "chart", chart(learning_curve([10, 100, 1000, 10_000], seeds=(1, 2, 3)))
    yield "readings", chart(readings([10_000]))


def board_after_d3() -> Picture:
    """A board of Reversi after d3, with the results of 500 dives."""
    game = reversi()
    first = turn_at(game, game.start, None)
    state = move_called(game, first, "d3")
    grown = search(game, {}, state, 500, Random(7))
    return position(
        game, state, before=game.start, known=report(game, turn_at(game, state, None), grown)
    )


def line(labels: list[str]) -> list[object]:
    """The positions of a game of tic-tac-toe."""
    states: list[object] = [tic_tac_toe.start]
    for label in labels:
        states.append(move_called(tic_tac_toe, turn_at(tic_tac_toe, states[-1], None), label))
    return states


def learning_curve(dives: list[int], seeds: tuple[int, ...]) -> Chart:
    """The exact value of the learnt policy over the number of dives."""
    grow = partial(strides, shut_the_box(), {}, start_box, dives, bound=ucb_wald)
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


def readings(dives: list[int]) -> Chart:
    """The exact value of each reading of one tree over the number of dives."""
    marks = [mark * power for power in (10, 100, 1000) for mark in (1, 2, 3, 5)]
    *_, lesson = learn(shut_the_box(), start_box, 1000, dives, seed=7, bound=ucb_wald, marks=marks)
    return lesson_chart("Shut the Box", lesson)


def main() -> None:
    """Write each picture to the folder that is named; print the texts of all."""
    for name, picture in drawn():
        print(f"{picture}\n")
        for folder in sys.argv[1:]:
            Path(folder, f"{name}.svg").write_text(picture.svg, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
