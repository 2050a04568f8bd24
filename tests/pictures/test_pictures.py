"""Pictures as SVG: well-formed, with the numbers of the report, and the same every time."""

import re
import runpy
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise
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
from purembts.games import big_two, last_coin, mnk, reversi, shut_the_box
from purembts.pictures.boards import changed, new_characters
from purembts.pictures.svg import clean, spread
from purembts.pictures.trees import top_of
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


def test_the_heat_map_has_the_numbers_of_the_report():
    drawn = moves_in(parsed(pictures.position(ROW, "...", known=KNOWN)))
    assert [
        (move.get("data-move"), int(move.get("data-visits")), float(move.get("data-mean")))
        for move in drawn
    ] == [(row["label"], row["visits"], row["mean"]) for row in facts(KNOWN)["moves"]]
    assert [texts(move) for move in drawn] == [
        [f"{row.mean:.2f}", f"{row.visits:,}"] for row in KNOWN.rows
    ]


def tints(root):
    return [rect.get("fill") for rect in root.iter(f"{SVG}rect") if rect.get("width") == "48"]


def test_the_tints_are_relative_to_the_other_moves():
    low, high = min(row.mean for row in KNOWN.rows), max(row.mean for row in KNOWN.rows)
    filled = tints(parsed(pictures.position(ROW, "...", known=KNOWN)))
    by_mean = {row.mean: tint for row, tint in zip(KNOWN.rows, filled, strict=True)}
    assert (by_mean[low], by_mean[high]) == ("#a9c4e6", "#f5a742")
    shifted = KNOWN._replace(
        rows=tuple(row._replace(mean=row.mean / 10 + 0.3) for row in KNOWN.rows)
    )
    assert tints(parsed(pictures.position(ROW, "...", known=shifted))) == filled


def test_a_move_without_visits_has_no_tint_and_no_mean():
    known = report(ROW, turn_at(ROW, "...", None), engine.search(ROW, {}, "...", 2, Random(7)))
    root = parsed(pictures.position(ROW, "...", known=known))
    assert [move.get("data-mean") is None for move in moves_in(root)] == [False, True, True]
    assert tints(root)[1:] == ["#ffffff"] * 2


def test_the_move_that_the_records_play_has_a_frame():
    drawn = moves_in(parsed(pictures.position(ROW, "...", known=KNOWN)))
    framed = [move.get("data-move") for move in drawn if move.find(f"{SVG}rect") is not None]
    assert framed == [row.label for row in KNOWN.rows if row.learnt] == ["c"]


def marked(root):
    return [each.get("data-marked") for each in root.iter() if each.get("data-marked")]


def test_the_last_move_is_marked_and_discs_are_dark_and_light():
    root = parsed(pictures.position(ROW, "x.o", before="x.."))
    assert marked(root) == ["0,2"]
    assert [disc.get("fill") for disc in root.iter(f"{SVG}circle")] == ["#1f2328", "#ffffff"]
    assert marked(parsed(pictures.position(ROW, "x.o"))) == []
    assert [text for text in texts(root) if text] == ["a", "b", "c", "1"]


def test_each_square_says_its_row_and_column():
    root = parsed(pictures.position(mnk.tic_tac_toe, mnk.tic_tac_toe.start))
    named = [each.get("data-square") for each in root.iter() if each.get("data-square")]
    assert named == [f"{i},{j}" for i in range(3) for j in range(3)]


def test_squares_that_were_filled_count_and_only_then_squares_that_changed():
    before = Squares((("x", "o", ""), ("", "", "")))
    assert changed(before, Squares((("x", "x", ""), ("", "", "x")))) == ((1, 2),)
    assert changed(before, Squares((("x", "", ""), ("", "", "")))) == ((0, 1),)
    assert changed(before, before) == ()


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
    [first, _] = moves_in(parsed(pictures.position(ROW, "...", known=KNOWN._replace(rows=rows))))
    assert first.get("data-move") == "better"


# Text


def test_a_game_without_squares_is_its_text_with_the_new_characters_marked():
    game = row_game(squares=None, show=lambda state: f"the row\n {state}")
    root = parsed(pictures.position(game, "x.o", before="x.."))
    lines = list(root.iter(f"{SVG}text"))
    assert [line.text for line in lines] == ["the row", " x.o"]
    assert all("monospace" in line.get("font-family") for line in lines)
    assert marked(root) == ["1,3,4"]


def test_the_moves_of_a_game_without_squares_stand_below():
    drawn = parsed(pictures.position(row_game(squares=None), "...", known=KNOWN))
    below = [text for text in texts(drawn) if text and ": mean" in text]
    ranked = sorted(KNOWN.rows, key=lambda row: -row.visits)
    assert [text.partition(":")[0] for text in below] == [row.label for row in ranked]


@given(st.text("ab \n", max_size=12), st.text("ab \n", max_size=12))
def test_new_characters_are_in_the_text(before, after):
    lines = after.split("\n")
    runs = list(new_characters(before, after))
    assert all(lines[row][begin:end].strip() for row, begin, end in runs)
    assert all(0 <= begin < end <= len(lines[row]) for row, begin, end in runs)
    assert before != after or not runs


def test_each_added_character_is_new():
    assert list(new_characters("ab", "ab c\nd")) == [(0, 3, 4), (1, 0, 1)]


# Moves


def test_bars_and_whiskers_and_marks_have_the_numbers_of_the_report():
    drawn = moves_in(parsed(pictures.moves(KNOWN)))
    assert [
        {
            "label": move.get("data-move"),
            "visits": int(move.get("data-visits")),
            "mean": float(move.get("data-mean")),
            "interval": [float(move.get("data-low")), float(move.get("data-high"))],
            "exact": Fraction(move.get("data-exact")),
        }
        for move in drawn
    ] == [
        {
            **{key: row[key] for key in ("label", "visits", "mean", "interval")},
            "exact": Fraction(row["exact"]["exactly"]),
        }
        for row in facts(KNOWN)["moves"]
    ]
    for row, move in zip(KNOWN.rows, drawn, strict=True):
        assert texts(move) == [row.label, f"{row.mean:.4f}", f"{row.visits:,}"]


def test_the_lengths_of_bars_and_whiskers_are_in_proportion():
    drawn = moves_in(parsed(pictures.moves(KNOWN)))
    bars = [move.find(f"{SVG}rect") for move in drawn]
    units = [float(bar.get("width")) / row.mean for bar, row in zip(bars, KNOWN.rows, strict=True)]
    assert units == [pytest.approx(units[0], abs=0.2)] * len(units)
    for row, move in zip(KNOWN.rows, drawn, strict=True):
        whisker, diamond = move.findall(f"{SVG}path")[1:]
        low, high = re.match(r"M(-?[\d.]+),.*H(-?[\d.]+)m", whisker.get("d")).groups()
        assert float(low) == pytest.approx(row.interval[0] * units[0], abs=0.2)
        assert float(high) == pytest.approx(row.interval[1] * units[0], abs=0.2)
        at = float(re.search(r"\((-?[\d.]+)", diamond.get("transform"))[1])
        assert at == pytest.approx(float(row.exact) * units[0], abs=0.2)
        assert diamond.get("fill") == ("#d55e00" if row.best else "#ffffff")


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
    said = drawn.text.splitlines()[1]
    assert ", certain 0.25" in said
    assert "95 %" not in said
    assert "line: certain worth, with best play after the move" in texts(parsed(drawn))
    assert "line: certain" not in " ".join(texts(parsed(pictures.moves(KNOWN))))


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
    backed_up = KNOWN._replace(rows=rows, interval=None)
    drawn = pictures.moves(backed_up)
    assert {move.get("data-low") for move in moves_in(parsed(drawn))} == {None}
    assert "bar: mean score, backed up from the moves that follow" in texts(parsed(drawn))
    assert "bar: mean score, whisker: 95 % interval" in texts(parsed(pictures.moves(KNOWN)))
    heat = texts(parsed(pictures.position(ROW, KNOWN.turn.state, known=backed_up)))
    said = "in a square: mean score, backed up from the moves that follow"
    assert said in heat


def test_a_board_of_equal_certain_moves_has_no_scale_and_no_word_of_means():
    rows = tuple(row._replace(certain=Fraction(1, 4)) for row in KNOWN.rows)
    seen = texts(parsed(pictures.position(ROW, KNOWN.turn.state, known=KNOWN._replace(rows=rows))))
    assert not any("mean score" in each for each in seen)
    assert seen.count("0.25") == len(rows), "in the squares, and at no scale"
    assert "certain: the worth with best play after the move" in seen


def test_the_learnt_move_is_emphasised():
    drawn = moves_in(parsed(pictures.moves(KNOWN)))
    assert [move.find(f"{SVG}rect").get("fill") == "#0072b2" for move in drawn] == [
        row.learnt for row in KNOWN.rows
    ]


def test_bars_of_points_begin_at_zero_on_both_sides():
    rows = [
        KNOWN.rows[0]._replace(mean=mean, interval=(mean - 1, mean + 1), exact=None)
        for mean in (-8.0, 4.0)
    ]
    known = KNOWN._replace(rows=tuple(rows), game=ROW._replace(score_range=(-39, 39)))
    left, right = (move.find(f"{SVG}rect") for move in moves_in(parsed(pictures.moves(known))))
    end = float(left.get("x")) + float(left.get("width"))
    assert end == pytest.approx(float(right.get("x")), abs=0.02)
    assert float(left.get("width")) == pytest.approx(2 * float(right.get("width")), abs=0.05)


def test_many_moves_are_cut_to_the_most_visited_and_the_picture_says_so():
    rows = [KNOWN.rows[0]._replace(label=f"m{i}", visits=i) for i in range(1, 101)]
    root = parsed(pictures.moves(KNOWN._replace(rows=tuple(rows))))
    assert [move.get("data-move") for move in moves_in(root)] == [f"m{i}" for i in range(71, 101)]
    assert "70 more moves, with 70 visits at most" in texts(root)


def test_moves_without_visits_and_an_ended_game_have_pictures():
    root = parsed(pictures.moves(report(ROW, turn_at(ROW, "...", None), {})))
    assert [text for text in texts(root) if text == "no visits"] == ["no visits"] * 3
    assert moves_in(parsed(pictures.moves(KNOWN._replace(rows=())))) == []
    pictures.position(ROW, "xox", known=report(ROW, turn_at(ROW, "xox", None), TREE))


# Trees


def test_a_tree_has_the_positions_once_with_their_records():
    top = top_of(ROW, TREE, "...", depth=3, most=3)
    states = [node.state for node in top.nodes]
    assert sorted(states) == sorted(set(states))
    assert set(states) == set(TREE)
    assert [node.visits for node in top.nodes] == [TREE[state].visits for state in states]
    for edge in top.edges:
        parent, child = states[edge.parent], states[edge.child]
        assert child in ROW.moves(parent, None)
        assert edge.label == ROW.display.label(parent, child)
        mean = TREE[child].scores[ROW.to_move(parent)] / TREE[child].visits
        assert top.nodes[edge.child].mean == f"{mean:.3f}"
        assert top.nodes[edge.parent].layer < top.nodes[edge.child].layer
    assert len(top.edges) > len(top.nodes) - 1  # positions are shared


def test_depth_and_most_limit_a_tree_by_visits():
    top = top_of(ROW, TREE, "...", depth=1, most=2)
    by_visits = sorted(ROW.moves("...", None), key=lambda move: -TREE[move].visits)
    assert [node.state for node in top.nodes] == ["...", *by_visits[:2]]
    assert len(top_of(ROW, TREE, "...", depth=0).nodes) == 1
    with pytest.raises(ValueError, match="depth"):
        top_of(ROW, TREE, "...", depth=-1)
    with pytest.raises(ValueError, match="most"):
        top_of(ROW, TREE, "...", most=0)


def test_a_drawn_tree_has_its_graph_and_wider_edges_for_more_visits():
    top = top_of(ROW, TREE, "...", depth=3, most=3)
    root = parsed(pictures.tree(ROW, TREE, "...", depth=3, most=3))
    nodes = [each for each in root.iter(f"{SVG}g") if each.get("data-visits")]
    assert [(int(each.get("data-visits")), each.get("data-mean")) for each in nodes] == [
        (node.visits, node.mean) for node in top.nodes
    ]
    edges = {
        each.get("data-edge"): each for each in root.iter(f"{SVG}path") if each.get("data-edge")
    }
    assert list(edges) == [f"{edge.parent} {edge.child}" for edge in top.edges]
    widths = [float(each.get("stroke-width")) for each in edges.values()]
    visits = [top.nodes[edge.child].visits for edge in top.edges]
    assert [visits[i] for i in sorted(range(len(visits)), key=lambda i: widths[i])] == sorted(
        visits
    )
    assert max(widths) == 8


def boxes(root):
    """The left, top, width and height of the nodes of a drawn tree."""
    for node in root.iter(f"{SVG}g"):
        if node.get("data-visits"):
            rect = node.find(f"{SVG}rect")
            x, y = map(float, re.findall(r"-?[\d.]+", node.get("transform")))
            yield x, y, float(rect.get("width")), float(rect.get("height"))


@pytest.mark.parametrize("squares", [board_of, None])
def test_the_nodes_of_a_tree_do_not_overlap_and_lie_in_the_picture(squares):
    root = parsed(pictures.tree(row_game(squares=squares), TREE, "...", depth=3, most=3))
    drawn = sorted(boxes(root))
    for one, other in ((a, b) for a in drawn for b in drawn if a < b):
        apart = one[0] + one[2] <= other[0] or not (
            one[1] < other[1] + other[3] and other[1] < one[1] + one[3]
        )
        assert apart
    wide, high = map(float, root.get("viewBox").split()[2:])
    assert all(x >= 0 and y >= 0 and x + w <= wide and y + h <= high for x, y, w, h in drawn)


def test_a_node_has_the_short_text_if_there_is_one():
    game = row_game(short=lambda state: f"<{state}>")
    root = parsed(pictures.tree(game, TREE, "..."))
    assert "<...>" in texts(root)
    assert not list(root.iter(f"{SVG}circle"))
    assert list(parsed(pictures.tree(ROW, TREE, "...")).iter(f"{SVG}circle"))


def test_the_tree_of_shut_the_box_has_moves_after_every_roll():
    game = shut_the_box.shut_the_box()
    tree = engine.search(game, {}, game.start, 500, Random(7))
    top = top_of(game, tree, game.start, depth=1, most=100)
    assert len({sum(game.start) - sum(node.state) for node in top.nodes[1:]}) > 5


def test_a_tree_without_the_position_is_one_node():
    assert [(node.visits, node.mean) for node in top_of(ROW, {}, "...").nodes] == [(0, "-")]
    parsed(pictures.tree(ROW, {}, "..."))


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(0.5, 20)), max_size=8))
def test_items_that_are_spread_do_not_overlap_and_stay_in_order(items):
    wanted, sizes = [at for at, _ in items], [size for _, size in items]
    at = spread(wanted, sizes)
    for (one, a), (other, b) in pairwise(zip(at, sizes, strict=True)):
        assert other - one >= (a + b) / 2 - 1e-9
    assert sum(at) == pytest.approx(sum(wanted), abs=1e-6)
    assert spread(at, sizes) == pytest.approx(at, abs=1e-6)


def test_the_title_of_moves_has_the_player_and_the_event():
    assert pictures.moves(KNOWN).title == "Row: the moves of player 1"
    box = shut_the_box.shut_the_box()
    known = report(box, turn_at(box, box.start, 9), {})
    assert pictures.moves(known).title == "Shut the Box: the moves, roll 9"


# A strip


def test_a_strip_has_each_move_with_its_label_and_its_mark():
    root = parsed(pictures.strip(ROW, ["...", "x..", "x.o", "xxo"]))
    labels = [each.get("data-label") for each in root.iter() if each.get("data-label")]
    assert labels == ["start", "1. a", "2. c", "3. b"]
    assert marked(root) == ["0,0", "0,2", "0,1"]
    assert len(list(root.iter(f"{SVG}circle"))) == 0 + 1 + 2 + 3


def test_a_strip_wraps():
    wide, high = (
        [
            float(parsed(pictures.strip(ROW, ["...", "x.."] * n)).get("viewBox").split()[i])
            for n in (1, 3, 20)
        ]
        for i in (2, 3)
    )
    assert wide[2] <= 760
    assert high[0] <= high[1] < high[2]
    assert parsed(pictures.strip(ROW, [])).get("viewBox")


# All pictures


def some_pictures(game=ROW, state="..."):
    tree = engine.search(game, {}, state, 60, Random(7))
    moves = turn_at(game, state, game.chances(state)[0])
    known = report(game, moves, tree)
    return [
        pictures.position(game, state),
        pictures.position(game, moves.moves[0], before=state),
        pictures.position(game, state, known=known),
        pictures.moves(known),
        pictures.tree(game, tree, state, depth=3),
        pictures.strip(game, [state, moves.moves[0]]),
    ]


GAMES = {
    "last coin": last_coin.last_coin(),
    "tic-tac-toe": mnk.tic_tac_toe,
    "reversi": reversi.reversi(),
    "shut the box": shut_the_box.shut_the_box(),
    "big two": big_two.big_two(),
    "levers": LEVERS,
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_game_has_pictures_with_a_title_and_a_text(game):
    state = game.start or big_two.deal(Random(7))
    for picture in some_pictures(game, state):
        root = parsed(picture)
        title, text = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert root.get("role") == "img"
        assert root.get("aria-labelledby") == f"{title.get('id')} {text.get('id')}"
        assert (title.text, text.text) == (picture.title, picture.text)
        assert title.text
        assert text.text


def test_pictures_are_the_same_every_time_and_their_ids_differ():
    first, second = some_pictures(), some_pictures()
    assert first == second
    ids = re.findall(r'\bid="([^"]*)"', "".join(picture.svg for picture in first))
    assert len(ids) == len(set(ids)) == 2 * len(first)


def test_a_picture_fits_a_narrow_page_and_has_a_background():
    for picture in some_pictures():
        root = parsed(picture)
        assert root.get("style") == "max-width:100%;height:auto"
        _, _, wide, high = map(float, root.get("viewBox").split())
        assert float(root.get("width")) == wide
        [background] = root.findall(f"{SVG}rect")
        assert (float(background.get("width")), float(background.get("height"))) == (
            wide - 1,
            high - 1,
        )
        assert background.get("fill") == "#ffffff"


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


@given(st.text())
def test_a_label_comes_back_from_the_picture(label):
    game = row_game(label=lambda a, b: label)
    root = parsed(pictures.moves(report(game, turn_at(game, "...", None), TREE)))
    assert [move.get("data-move") for move in moves_in(root)] == [clean(label)] * 3


def test_a_picture_shows_itself_in_a_notebook_and_prints_its_text():
    picture = pictures.position(ROW, "x..", before="...", known=None)
    assert picture._repr_svg_() == picture.svg
    assert str(picture) == "Row after a\nx.."


HERE = Path(__file__).parents[2]
EXAMPLE = runpy.run_path(str(HERE / "examples" / "pictures.py"))


def test_the_pictures_of_the_pages_are_those_of_the_code():
    drawn = {f"{name}.svg": picture.svg for name, picture in EXAMPLE["drawn"]()}
    files = {path.name: path.read_text("utf-8") for path in (HERE / "docs/pictures").iterdir()}
    assert files == drawn


def test_the_example_writes_the_pictures(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["pictures.py", str(tmp_path)])
    EXAMPLE["main"]()
    assert {path.name for path in tmp_path.iterdir()} == {
        path.name for path in (HERE / "docs/pictures").iterdir()
    }
    assert "Reversi after d3" in capsys.readouterr().out


def test_the_views_of_a_player_have_pictures_without_the_hidden_hands():
    game = big_two.big_two()
    table = big_two.deal(Random(7))
    view = game.hidden.view(table, table.player)
    after = game.hidden.view(game.moves(table, None)[0], table.player)
    drawn = pictures.position(game, after, before=view)
    assert drawn.text == game.display.show(after) != game.display.show(table)
    assert marked(parsed(drawn))
    label = game.display.label(view, after)
    assert pictures.strip(game, [view, after]).text == f"1. {label}"
