"""Pictures as SVG: well-formed, with the numbers of the report, and the same every time."""

import re
import runpy
from fractions import Fraction
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purembts import pictures
from purembts.app.results import facts
from purembts.display import Display, Squares
from purembts.exact import solver
from purembts.fast import engine
from purembts.game import Game, turn_at
from purembts.games import big_two, last_coin, mnk, shut_the_box
from purembts.knowledge.mnk_tactics import tactical
from purembts.pictures.trees import top_of
from purembts.play import move_called
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
    return parsed(pictures.position(ROW, "...", known=KNOWN._replace(**changes)))


def bars_of(**changes):
    """The bars of the report with these changes."""
    return parsed(pictures.moves(KNOWN._replace(**changes)))


def test_heat_maps_and_bars_have_the_numbers_of_the_report():
    heats, bars = moves_in(heat_of()), moves_in(bars_of())
    for drawn in (heats, bars):
        for move, row in zip(drawn, facts(KNOWN)["moves"], strict=True):
            found = [float(move.get(f"data-{name}")) for name in ("visits", "mean", "low", "high")]
            assert found == [row["visits"], row["mean"], *row["interval"]]
            assert move.get("data-move") == row["label"]
            assert move.get("data-exact") == row["exact"]["exactly"]
    for heat, bar, row in zip(heats, bars, KNOWN.rows, strict=True):
        assert texts(heat) == [f"{row.mean:.2f}", f"{row.visits:,}"]
        assert texts(bar) == [row.label, f"{row.mean:.4f}", f"{row.visits:,}"]


def tints(root):
    return [rect.get("fill") for rect in root.iter(f"{SVG}rect") if rect.get("width") == "48"]


def test_a_move_without_visits_has_no_tint_and_no_mean():
    known = report(ROW, turn_at(ROW, "...", None), engine.search(ROW, {}, "...", 2, Random(7)))
    root = parsed(pictures.position(ROW, "...", known=known))
    assert [move.get("data-mean") is None for move in moves_in(root)] == [False, True, True]
    assert tints(root)[1:] == ["#e6eaee"] * 2
    assert [len(texts(move)) for move in moves_in(root)] == [2, 0, 0]


def marked(root):
    return [each.get("data-marked") for each in root.iter() if each.get("data-marked")]


LEVERS = Game(
    moves=lambda box, event: [box - shut for shut in ({1, 2}, {3}) if shut <= box],
    result=lambda box: (0, 1) if box else (1, 0),
    to_move=lambda box: 0,
    start=frozenset({1, 2, 3}),
    name="Levers",
    display=Display(
        label=lambda a, b: f"shut {'+'.join(map(str, sorted(a - b)))}",
        squares=lambda box: Squares((tuple(str(i) if i in box else "" for i in (1, 2, 3)),)),
    ),
)


def test_a_row_of_levers_is_a_board_and_a_move_may_have_several_squares():
    tree = engine.search(LEVERS, {}, LEVERS.start, 50, Random(7))
    known = report(LEVERS, turn_at(LEVERS, LEVERS.start, None), tree)
    root = parsed(pictures.position(LEVERS, LEVERS.start, known=known))
    shut = [move.get("data-move") for move in moves_in(root)]
    assert shut == ["shut 1+2", "shut 1+2", "shut 3"]
    assert any((text or "").startswith("shut 1+2: mean ") for text in texts(root))
    assert not any((text or "").startswith("shut 3: mean ") for text in texts(root))
    after = parsed(pictures.position(LEVERS, frozenset({3}), before=LEVERS.start))
    assert marked(after) == ["0,0", "0,1"]
    assert [text for text in texts(after) if text] == ["3"]


def test_a_square_of_two_moves_shows_the_one_of_the_better_mean():
    rows = KNOWN.rows[0], KNOWN.rows[0]._replace(label="better", mean=0.9), *KNOWN.rows[2:]
    [first, _] = moves_in(heat_of(rows=rows))
    assert first.get("data-move") == "better"


# Looks


def drawn_of(game, *labels, **more):
    """The picture of the position after the moves with these labels."""
    state = game.start
    for label in labels:
        state = move_called(game, turn_at(game, state, None), label)
    return parsed(pictures.position(game, state, **more))


def facts_of(root, name):
    return [each.get(name) for each in root.iter() if each.get(name) is not None]


def test_crosses_and_rings_are_drawn_and_the_line_that_won():
    root = drawn_of(mnk.tic_tac_toe, "a1", "a2", "b1", "b2", "c1")
    assert facts_of(root, "data-disc") == ["o", "o", "x", "x", "x"]
    assert [line.get("d") for line in root.iter() if line.get("data-line")] == [
        "M45,142L93,142L141,142"
    ]
    assert not facts_of(drawn_of(mnk.tic_tac_toe, "a1", "a2", "b1", "b2"), "data-line")


@pytest.mark.parametrize("exactly", [False, True])
def test_a_line_of_the_right_length_is_marked(exactly):
    game = mnk.mnk(7, 6, 4, exactly=exactly)
    long = ["a1", "a2", "b1", "b2", "d1", "d2", "e1", "e2", "c1"]
    assert len(facts_of(drawn_of(game, *long), "data-line")) == (not exactly)
    state = mnk.Board(sum(1 << 8 * i + i for i in range(1, 5)), 0)
    assert game.display.squares(state).line == ((4, 1), (3, 2), (2, 3), (1, 4))
    five_across_and_four_up = sum(1 << i for i in range(5)) + sum(1 << 8 * i + 6 for i in range(4))
    line = game.display.squares(mnk.Board(five_across_and_four_up, 0)).line
    assert line == (
        ((5, 6), (4, 6), (3, 6), (2, 6)) if exactly else tuple((5, i) for i in range(4))
    )


def test_a_goban_has_lines_to_its_edge_and_nine_star_points():
    root = drawn_of(mnk.gomoku)
    lines = [each.get("d") for each in root.iter(f"{SVG}path")]
    assert (len(lines), lines[0], lines[112]) == (225, "M24,24H48M24,24V48", "M0,24H48M24,0V48")
    assert len(list(root.iter(f"{SVG}circle"))) == 9


def test_a_tray_has_the_faces_of_dice():
    game = shut_the_box.shut_the_box()
    root = parsed(pictures.position(game, frozenset({1, 2, 9}), dice=range(1, 7)))
    dice = [each for each in root.iter(f"{SVG}g") if each.find(f"{SVG}rect[@data-die]") is not None]
    assert [len(each.findall(f"{SVG}circle")) for each in dice] == [1, 2, 3, 4, 5, 6]
    assert facts_of(root, "data-die") == list("123456")
    for die in dice:  # a die looks the same upside down
        pips = {(float(pip.get("cx")), float(pip.get("cy"))) for pip in die.iter(f"{SVG}circle")}
        assert {(40 - x, 40 - y) for x, y in pips} == pips
    assert facts_of(parsed(pictures.position(game, game.start)), "data-die") == []


def test_cards_and_coins_are_drawn_and_the_words_stay():
    game = big_two.big_two()
    table = game.deal(Random(1))
    view = game.hidden.view(table, table.player)
    root = parsed(pictures.position(game, view))
    assert facts_of(root, "data-thing") == str(view.hand).split()
    assert f"Player {table.player + 1}'s hand:" in texts(root)
    root = parsed(pictures.position(last_coin.last_coin(), last_coin.pile(12)))
    assert facts_of(root, "data-thing") == ["o"] * 12
    assert "12 coins; player 1 takes" in texts(root)
    many = parsed(pictures.position(last_coin.last_coin(), last_coin.pile(1_000)))
    assert facts_of(many, "data-thing") == []


# Text


def test_a_game_without_squares_is_its_text():
    game = row_game(squares=None, show=lambda state: f"the row\n {state}")
    lines = list(parsed(pictures.position(game, "x.o", before="x..")).iter(f"{SVG}text"))
    assert [line.text for line in lines] == ["the row", " x.o"]
    assert all("monospace" in line.get("font-family") for line in lines)


def test_the_moves_of_a_game_without_squares_stand_below():
    drawn = parsed(pictures.position(row_game(squares=None), "...", known=KNOWN))
    below = [text for text in texts(drawn) if text and ": mean" in text]
    ranked = sorted(KNOWN.rows, key=lambda row: -row.visits)
    assert [text.partition(":")[0] for text in below] == [row.label for row in ranked]


# Moves


def test_a_certain_move_has_a_line_and_the_word_and_no_whisker():
    first, second, *rest = KNOWN.rows
    certain = second._replace(certain=Fraction(1, 4), exact=None)
    drawn = pictures.moves(KNOWN._replace(rows=(first, certain, *rest)))
    before, move, *_ = moves_in(parsed(drawn))
    assert move.get("data-certain") == "1/4"
    assert (move.get("data-low"), move.get("data-high")) == (None, None)
    assert "certain" in texts(move)
    assert "certain" not in texts(before)
    unit = float(before.find(f"{SVG}rect").get("width")) / first.mean
    line = move.findall(f"{SVG}path")[-1].get("d")
    assert float(re.match(r"M(-?[\d.]+),4V", line)[1]) == pytest.approx(unit / 4, abs=0.2)
    said = f"b: mean {second.mean:.4f}, certain 0.2500, {second.visits} visits."
    assert drawn.text.splitlines()[1] == move.find(f"{SVG}title").text == said
    assert "line: certain worth, with best play after the move" in texts(parsed(drawn))
    assert "line: certain" not in " ".join(texts(bars_of()))


def test_a_heat_map_has_the_certain_worth_of_a_move_and_the_word():
    first, *rest = KNOWN.rows
    rows = (first._replace(certain=Fraction(1, 4)), *rest)
    drawn = pictures.position(ROW, KNOWN.turn.state, known=KNOWN._replace(rows=rows))
    square, *_ = moves_in(parsed(drawn))
    assert texts(square) == ["0.25", "certain"]
    assert square.find(f"{SVG}title").text.startswith(f"{first.label}: certain 0.2500, ")
    assert f"{first.label}: certain 0.2500" in drawn.text
    assert "certain: the worth with best play after the move" in texts(parsed(drawn))


def test_means_that_are_backed_up_have_no_whiskers_and_are_called_so():
    rows = tuple(row._replace(interval=None) for row in KNOWN.rows)
    drawn = bars_of(rows=rows)
    assert {move.get("data-low") for move in moves_in(drawn)} == {None}
    assert "bar: mean score, backed up from the moves that follow" in texts(drawn)
    assert "bar: mean score, whisker: 95 % interval" in texts(bars_of())
    said = "in a square: mean score, backed up from the moves that follow"
    assert said in texts(heat_of(rows=rows))


def test_a_board_of_equal_certain_moves_has_no_scale_and_no_word_of_means():
    rows = tuple(row._replace(certain=Fraction(1, 4)) for row in KNOWN.rows)
    seen = texts(heat_of(rows=rows))
    assert not any("mean score" in each for each in seen)
    assert seen.count("0.25") == len(rows), "in the squares, and at no scale"
    assert "certain: the worth with best play after the move" in seen


def test_bars_of_points_begin_at_zero_on_both_sides():
    rows = [
        KNOWN.rows[0]._replace(mean=mean, interval=(mean - 1, mean + 1), exact=None)
        for mean in (-8.0, 4.0)
    ]
    drawn = bars_of(rows=tuple(rows), game=ROW._replace(score_range=(-39, 39)))
    left, right = (move.find(f"{SVG}rect") for move in moves_in(drawn))
    end = float(left.get("x")) + float(left.get("width"))
    assert end == pytest.approx(float(right.get("x")), abs=0.02)
    assert float(left.get("width")) == pytest.approx(2 * float(right.get("width")), abs=0.05)


def test_many_moves_are_cut_to_the_most_visited_and_the_picture_says_so():
    rows = [KNOWN.rows[0]._replace(label=f"m{i}", visits=i) for i in range(1, 101)]
    root = bars_of(rows=tuple(rows))
    assert [move.get("data-move") for move in moves_in(root)] == [f"m{i}" for i in range(71, 101)]
    assert "70 more moves, with 70 visits at most" in texts(root)


def test_moves_without_visits_and_an_ended_game_have_pictures():
    root = parsed(pictures.moves(report(ROW, turn_at(ROW, "...", None), {})))
    assert [text for text in texts(root) if text == "no visits"] == ["no visits"] * 3
    assert moves_in(bars_of(rows=())) == []
    pictures.position(ROW, "xox", known=report(ROW, turn_at(ROW, "xox", None), TREE))


def test_labels_stand_above_bars_that_would_be_too_short_beside_them():
    known = report(ROW, turn_at(ROW, "...", None), TREE)
    for width, y in ((400, "19"), (240, "15")):
        [label] = [
            t
            for t in parsed(pictures.moves(known, width=width)).iter(f"{SVG}text")
            if t.text == "a"
        ]
        assert label.get("y") == y


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


def test_depth_and_most_limit_a_tree_by_visits():
    nodes = top_of(ROW, TREE, "...", depth=1, most=2)
    by_visits = sorted(ROW.moves("...", None), key=lambda move: -TREE[move].visits)
    assert [node.state for node in nodes] == ["...", *by_visits[:2]]
    assert len(top_of(ROW, TREE, "...", depth=0, most=3)) == 1


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


def test_a_node_has_the_short_text_if_there_is_one():
    game = row_game(short=lambda state: f"<{state}>")
    root = parsed(pictures.tree(game, TREE, "..."))
    assert "<...>" in texts(root)
    assert not list(root.iter(f"{SVG}circle"))
    assert list(parsed(pictures.tree(ROW, TREE, "...")).iter(f"{SVG}circle"))


def test_a_tree_without_the_position_is_one_node():
    [node] = top_of(ROW, {}, "...", depth=2, most=3)
    assert (node.visits, node.mean) == (0, "-")
    parsed(pictures.tree(ROW, {}, "..."))


# All pictures


def some_pictures(game=ROW):
    """Pictures of the first position of a row."""
    tree = engine.search(game, {}, "...", 60, Random(7))
    turn = turn_at(game, "...", None)
    known = report(game, turn, tree)
    return [
        pictures.position(game, "..."),
        pictures.position(game, turn.moves[0], before="..."),
        pictures.position(game, "...", known=known),
        pictures.moves(known),
        pictures.tree(game, tree, "...", depth=3),
    ]


def test_pictures_are_the_same_every_time_and_their_ids_differ():
    first, second = some_pictures(), some_pictures()
    assert first == second
    ids = re.findall(r'\bid="([^"]*)"', "".join(picture.svg for picture in first))
    assert len(ids) == len(set(ids)) == 2 * len(first)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)


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
            tags = Tags()
            tags.feed(picture.svg)
            assert tags.seen <= TAGS
            assert picture.svg.encode("utf-8")


TAGS = {"svg", "title", "desc", "g", "rect", "circle", "path", "text"}


def test_a_picture_shows_itself_in_a_notebook_and_prints_its_text():
    picture = pictures.position(ROW, "x..", before="...", known=None)
    assert picture._repr_svg_() == picture.svg
    assert str(picture) == "Row after a\nx.."


HERE = Path(__file__).parents[3]


def test_the_pictures_of_the_pages_are_drawn_again():
    """Each number, place and colour of a board, a tray, bars, a film, a tree and a chart."""
    example = runpy.run_path(str(HERE / "examples" / "pictures.py"))
    for name, picture in islice(example["drawn"](), 6):
        assert picture.svg == (HERE / f"docs/pictures/{name}.svg").read_text("utf-8")


@pytest.mark.slow
def test_the_example_writes_all_pictures_of_the_pages(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["pictures.py", str(tmp_path)])
    runpy.run_path(str(HERE / "examples" / "pictures.py"), run_name="__main__")
    written, kept = (
        {path.name: path.read_text("utf-8") for path in folder.iterdir()}
        for folder in (tmp_path, HERE / "docs/pictures")
    )
    del kept["ladder.svg"]  # a measurement
    assert written == kept
    assert "Reversi after d3" in capsys.readouterr().out


def test_the_views_of_a_player_have_pictures_without_the_hidden_hands():
    game = big_two.big_two()
    table = big_two.deal(Random(7))
    view = game.hidden.view(table, table.player)
    after = game.hidden.view(game.moves(table, None)[0], table.player)
    drawn = pictures.position(game, after, before=view)
    assert drawn.text == game.display.show(after) != game.display.show(table)
    assert drawn.title == f"Big Two after {game.display.label(view, after)}"


def test_moves_that_a_search_leaves_out_are_no_bars_but_a_number():
    game, state = mnk.gomoku, mnk.Board((1 << 119) | (1 << 104), (1 << 0) | (1 << 2))
    narrow = tactical(game)
    turn = turn_at(game, state, None)
    known = report(narrow, turn, engine.search(narrow, {}, state, 50, Random(7)))
    considered = [row.label for row in known.rows if row.considered]
    drawn = pictures.moves(known)
    assert sorted(line.split(":")[0] for line in drawn.text.split("\n")) == sorted(considered)
    assert f">{len(known.rows) - len(considered)} more moves, which the search leaves" in drawn.svg
