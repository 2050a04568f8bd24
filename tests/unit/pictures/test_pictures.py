"""Pictures as SVG: well-formed, with the numbers of the report, and the same every time."""

import re
import runpy
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import pictures
from purembts.app.results import report_facts
from purembts.display import Display, Squares
from purembts.exact import solver
from purembts.fast import engine
from purembts.game import Game, turn_at
from purembts.games import last_coin
from purembts.graphs import top_of
from purembts.report import report

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture):
    return ET.fromstring(picture.svg)


def board_of(state):
    """A row of three squares: `state` has one character for each."""
    return Squares((tuple("" if each == "." else each for each in state),), ("a", "b", "c"), ("1",))


def row_game(show=str, label=None, squares=board_of, **more):
    """Two players put x and o on three squares; the player who is at c wins."""
    return Game(
        moves=lambda state, event: [
            f"{state[:i]}{'xo'[state.count('.') % 2 == 0]}{state[i + 1 :]}"
            for i, each in enumerate(state)
            if each == "."
        ],
        result=lambda state: (1, 0) if state[2] == "x" else (0, 1),
        to_move=lambda state: int(state.count(".") % 2 == 0),
        start="...",
        name="Row",
        display=Display(
            show,
            label or (lambda a, b: "abc"[[x == y for x, y in zip(a, b, strict=True)].index(False)]),
            squares=squares,
            **more,
        ),
    )


ROW = row_game()
TREE = engine.search(ROW, {}, "...", 300, Random(7))
KNOWN = report(ROW, turn_at(ROW, "...", None), TREE, value=solver(ROW))


def moves_in(root):
    """The elements with the numbers of a move."""
    return [each for each in root.iter() if each.get("data-move") is not None]


def texts(element):
    return [text.text for text in element.iter(f"{SVG}text")]


def heat_of(**changes):
    """The heat map of the report with these changes."""
    return parsed(pictures.position(ROW, "...", report=KNOWN._replace(**changes)))


def test_a_heat_map_has_the_numbers_of_the_report():
    heats = moves_in(heat_of())
    for heat, row, facts in zip(heats, KNOWN.rows, report_facts(KNOWN)["moves"], strict=True):
        found = [float(heat.get(f"data-{name}")) for name in ("visits", "mean", "low", "high")]
        assert found == [facts["visits"], facts["mean"], *facts["interval"]]
        assert heat.get("data-move") == facts["label"]
        assert heat.get("data-exact") == facts["exact"]["exactly"]
        assert texts(heat) == [f"{row.mean:.2f}", f"{row.visits:,}"]


# Trees


def moves_of(nodes):
    """The moves of a graph, as a position, the one after it, and a name."""
    return [(node, nodes[i], label) for node in nodes for label, i, _ in node.moves]


def test_a_tree_has_the_positions_once_with_their_records():
    nodes = top_of(ROW, TREE, "...", depth=3, most=3)
    states = [node.state for node in nodes]
    assert sorted(states) == sorted(TREE)
    assert [node.visits for node in nodes] == [TREE[state].visits for state in states]
    for parent, child, label in moves_of(nodes):
        assert child.state in ROW.moves(parent.state, None)
        assert label == ROW.display.label(parent.state, child.state)
        record = TREE[child.state]
        assert child.mean == f"{record.scores[ROW.to_move(parent.state)] / record.visits:.3f}"
        assert parent.layer < child.layer
    assert len(moves_of(nodes)) > len(nodes) - 1  # positions are shared


@pytest.mark.parametrize(
    ("events", "sign"), [((1, 2), "2"), ((1, "heads or tails"), "heads o…"), ((1, 2, 3), "")]
)
def test_a_move_that_one_event_allows_has_its_sign(events, sign):
    game = ROW._replace(
        chances=lambda state: events,
        moves=lambda state, event: ROW.moves(state, None)[:1] if event != 1 else (),
    )
    nodes = top_of(game, TREE, "...", depth=1, most=1)
    assert [event for node in nodes for _, _, event in node.moves] == [sign]
    root = parsed(pictures.tree(game, TREE, "...", depth=1))
    drawn = [each.get("data-event") for each in root.iter() if each.get("data-event")]
    assert drawn == ([sign] if sign else [])


def drawn_edges(root):
    """The edges of a drawn tree by the numbers of their nodes."""
    drawn = [each for each in root.iter(f"{SVG}path") if each.get("data-edge")]
    return {tuple(map(int, each.get("data-edge").split())): each for each in drawn}


def boxes(root):
    """The left, top, width and height of the nodes of a drawn tree."""
    for node in root.iter(f"{SVG}g"):
        if node.get("data-visits"):
            rect = node.find(f"{SVG}rect")
            x, y = map(float, re.findall(r"-?[\d.]+", node.get("transform")))
            yield x, y, float(rect.get("width")), float(rect.get("height"))


COINS = last_coin.last_coin()
COINS_TREE = engine.search(COINS, {}, COINS.start, 800, Random(7))


@pytest.mark.parametrize(
    ("game", "tree"),
    [(ROW, TREE), (row_game(squares=None), TREE), (COINS, COINS_TREE)],
    ids=["boards", "numbers", "ways of different lengths"],
)
def test_the_nodes_of_a_tree_do_not_overlap_and_no_edge_crosses_one(game, tree):
    root = parsed(pictures.tree(game, tree, game.start, depth=5, most=3))
    drawn = list(boxes(root))
    for one, other in ((a, b) for a in drawn for b in drawn if a < b):
        apart = one[0] + one[2] <= other[0] or not (
            one[1] < other[1] + other[3] and other[1] < one[1] + one[3]
        )
        assert apart
    wide, high = map(float, root.get("viewBox").split()[2:])
    assert all(x >= 0 and y >= 0 and x + w <= wide and y + h <= high for x, y, w, h in drawn)
    for (_, child), edge in drawn_edges(root).items():
        level = re.search(r"([\d.]+),([\d.]+)H([\d.]+)$", edge.get("d"))
        begin, y, end = map(float, level.groups())
        assert end == drawn[child][0]
        assert drawn[child][1] < y < drawn[child][1] + drawn[child][3]
        assert not [box for box in drawn if begin <= box[0] < end and box[1] < y < box[1] + box[3]]


# All pictures


def some_pictures(game=ROW):
    """Pictures of the first position of a row."""
    tree = engine.search(game, {}, "...", 60, Random(7))
    turn = turn_at(game, "...", None)
    known = report(game, turn, tree)
    return [
        pictures.position(game, "..."),
        pictures.position(game, turn.moves[0], before="..."),
        pictures.position(game, "...", report=known),
        pictures.tree(game, tree, "...", depth=3),
    ]


@given(st.text(), st.text(), st.text())
def test_any_texts_give_well_formed_pictures(label, shown, short):
    names = Squares((("x", label, shown),), (label, short, shown), (shown,))
    for squares in (None, lambda state: names):
        game = row_game(
            lambda state: f"{shown}{state}", lambda a, b: label, squares, short=lambda state: short
        )._replace(name=shown)
        for picture in some_pictures(game):
            root = parsed(picture)
            assert {each.tag.removeprefix(SVG) for each in root.iter()} <= TAGS
            assert picture.svg.encode("utf-8")


TAGS = {"svg", "title", "desc", "g", "rect", "circle", "path", "text"}


HERE = Path(__file__).parents[3]


@pytest.mark.slow
def test_the_script_writes_all_pictures_of_the_pages(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["pictures.py", str(tmp_path)])
    runpy.run_path(str(HERE / "docs" / "pictures.py"), run_name="__main__")
    written, kept = (
        {path.name: path.read_text("utf-8") for path in folder.iterdir()}
        for folder in (tmp_path, HERE / "docs/pictures")
    )
    assert written == kept
    assert "Reversi after d3" in capsys.readouterr().out
