"""One search at a turn of the page: its tree is that of the library, and each state is whole."""

import json
from functools import partial
from itertools import count, pairwise
from random import Random

import pytest
from toolz import nth

import facade
from facade import searching
from facade import states as states_module
from facade.links import game_in, link_of, setting_in, start_position, turns_in
from facade.searching import choice_costs, strategy_trees, visitor_trees
from purembts import exact, win_probability
from purembts.app import clock
from purembts.app.players import search_game
from purembts.app.positions import bound_at
from purembts.app.sessions import rng_of
from purembts.exact import against_best, solver, uniform
from purembts.fast import engine
from purembts.game import turn_at
from purembts.loading import GAMES
from purembts.mcts import final_of, learnt

LINKS = {name: {"game": name, "seed": 7} for name in GAMES}
SHUT_THE_BOX, TIC_TAC_TOE = LINKS["shut-the-box"], LINKS["tic-tac-toe"]
COINS = {**LINKS["coins"], "start": "20"}


@pytest.fixture(autouse=True)
def _new_searches():
    searching._search_at.cache_clear()
    searching._trees_of.cache_clear()


def states(link, **more):
    """The states of a search, after a way through JSON."""
    steps = map(json.loads, facade.steps("visitor_trees", json.dumps({"link": link, **more})))
    return [step for step in steps if step["kind"] == "tree"]


@pytest.fixture
def slow_clock(monkeypatch):
    """A clock on which a second passes between two looks."""
    monkeypatch.setattr(clock, "monotonic", partial(next, count()))


# The tree


@pytest.mark.parametrize("name", [name for name in GAMES if name != "big-two"])
def test_the_tree_is_that_of_the_library_however_it_is_asked_for(name):
    link = LINKS[name]
    states(link, to=17)
    states(link, to=130)
    whole = link_of(link)
    [tree] = searching._trees_of(whole)
    game, [turn] = search_game(game_in(whole)), turns_in(whole)
    turn, rng = turn_at(game, turn.state, turn.event), rng_of(setting_in(whole), 0, "/hints")
    bound = bound_at(name, game)
    trees = engine.strides(game, {}, turn.state, 130, rng, turn=turn, bound=bound)
    assert tree == nth(1, trees)


@pytest.mark.usefixtures("slow_clock")
@pytest.mark.parametrize("name", GAMES)
def test_each_state_is_whole(name):
    several = states(LINKS[name], to=200)
    assert len(several) > 8
    assert [state["dives"] for state in several] == sorted(state["dives"] for state in several)
    for state in several:
        rows, tree = {row["label"]: row for row in state["rows"]}, state["tree"]
        assert all(node["parent"] < n for n, node in enumerate(tree))
        assert tree[0]["visits"] in (state["dives"], 0)
        for node in tree:
            if node["parent"] == 0:
                assert node["visits"] == rows[node["label"]]["visits"]
        assert f"After {state['dives']:,} dive" in state["said"]
    assert several[-1]["dives"] == several[-1]["of"] == 200


def test_a_state_has_at_most_the_nodes_that_are_drawn_the_most_visited_ones():
    tree = states(LINKS["reversi"], to=2_000)[-1]["tree"]
    assert len(tree) == states_module.MOST_NODES
    assert {node["label"] for node in tree if node["depth"] == 1} == {"d3", "c4", "f5", "e6"}
    assert all(0 <= node["slot"] < node["slots"] for node in tree)


def test_the_heat_goes_from_the_worst_move_to_the_best_one():
    state = states(LINKS["reversi"], to=300)[-1]
    shares = {node["label"]: node["share"] for node in state["tree"] if node["depth"] == 1}
    ranks = sorted(state["rows"], key=lambda row: shares[row["label"]])
    assert [row["score"] for row in ranks] == [f"{shares[row['label']]:.2f}" for row in ranks]
    heats = [row["heat"] for row in ranks]
    assert heats == sorted(heats)
    assert (heats[0], heats[-1]) == (pytest.approx(0), pytest.approx(1))


def test_a_view_has_a_tree_of_its_moves_alone_and_no_film():
    link = {**LINKS["big-two"], "players": ["person"] * 4}
    [state] = states(link, film=True)
    assert (state["dives"], state["film"]) == (1, None)
    assert {node["depth"] for node in states(link, to=50)[-1]["tree"]} == {0, 1}


def test_it_is_said_that_only_some_moves_are_searched():
    link = {**LINKS["gomoku"], "moves": ["h8"]}
    limit = "It looks at 12 of 224 moves, the most promising ones."
    assert limit in states(link, to=5)[-1]["said"]


def test_a_full_tree_grows_no_more_but_from_a_later_position(monkeypatch):
    monkeypatch.setattr(searching, "LARGEST_TREE", 20)
    last = states(TIC_TAC_TOE, to=10_000)[-1]
    assert last["dives"] < 100
    assert last["said"].endswith("The tree is full.")
    [before] = states({**TIC_TAC_TOE, "moves": ["a1"]})
    assert "full" not in before["said"]
    assert states({**TIC_TAC_TOE, "moves": ["a1"]}, to=20)[-1]["dives"] > before["dives"]


def test_scores_of_a_tree_that_is_gone_are_forgotten():
    assert len(states(COINS, to=100)[-1]["curve"]["points"]) == 7
    link = {**COINS, "moves": ["take 1"], "players": ["person", "uct:50"]}
    assert list(strategy_trees(link))[-1]["move"]
    assert states(COINS)[0]["said"] == "No dives from here yet.", "only the next position has some"
    curve = states(COINS, to=5, exact=True)[-1]["curve"]
    assert [n for n, _ in curve["points"]] == [1, 2, 5]
    assert [n for n, _ in curve["exact"]["points"]][-1] == 5


def test_the_end_of_a_game_has_no_search():
    link = {**TIC_TAC_TOE, "moves": ["a1", "a2", "b1", "b2", "c1"]}
    assert states(link, to=5) == []


ENDLESS = """
from purembts.game import Game
mine = Game(
    lambda s, e: (s + 1,), lambda s: (0.5, 0.5), lambda s: 0, name="Mine", start=0
)
"""


def test_a_game_without_an_end_is_a_value_error():
    with pytest.raises(ValueError, match="Mine must end within 100,000 turns"):
        states({"game": "own", "source": ENDLESS}, to=1)


# The film of a dive


@pytest.mark.parametrize("name", [name for name in GAMES if name != "big-two"])
@pytest.mark.parametrize("dives", [0, 1, 40])
def test_a_film_has_the_path_of_the_dive_and_its_random_game(name, dives):
    if dives:
        states(LINKS[name], to=dives)
    before = states(LINKS[name])[0]
    [state] = states(LINKS[name], film=True)
    film, tree = state["film"], state["tree"]
    phases = [phase.partition(":")[0] for phase in film["phases"]]
    assert phases == ["Select", "Expand", "Simulate", "Backpropagate"]
    assert state["dives"] == dives + 1
    path = [tree[n] for n in film["path"]]
    assert path[0]["parent"] == -1
    assert [node["parent"] for node in path[1:]] == film["path"][:-1]
    old = {row["label"]: row["visits"] for row in before["rows"]}
    new = {row["label"] for row in state["rows"] if row["visits"] > old[row["label"]]}
    assert new == {node["label"] for node in path[1:2]}
    assert 1 <= len(film["game"]) <= searching.MOST_FRAMES
    assert 0 <= film["share"] <= 1


def test_the_random_game_of_a_film_is_a_game_of_moves_to_its_end():
    frames = []
    game = game_in(link_of(SHUT_THE_BOX))
    searching._random_game(frames, game, game, game.start, Random(7))
    for (before, faces), (after, _) in pairwise(frames):
        assert after in game.moves(before, sum(faces))
    assert not game.moves(frames[-1][0], sum(frames[-1][1]))


# The curve, and exact values


@pytest.mark.parametrize(
    "link", [SHUT_THE_BOX, COINS, pytest.param(TIC_TAC_TOE, marks=pytest.mark.slow)]
)
def test_the_curve_has_the_exact_scores_of_its_trees(link):
    whole = link_of(link)
    game, state, player = game_in(whole), start_position(whole), 0
    curve = states(link, to=200, exact=True)[-1]["curve"]
    tree = learnt(searching._trees_of(whole._replace(moves=()))[0], final=final_of(game))
    [turn] = turns_in(whole)

    def score(value, policy):
        moves = policy(turn)
        return sum(value(move)[player] for move in moves) / len(moves)

    def mine(turn):
        return tree(turn) if turn.player == player else turn.moves

    assert state == turn.state
    assert curve["points"][-1] == [200, pytest.approx(score(solver(game, policy=mine), mine))]
    assert curve["random"] == pytest.approx(score(solver(game, policy=uniform), uniform))
    value = solver(game, against_best(player, tree))
    assert curve["exact"]["points"][-1] == [200, pytest.approx(score(value, tree))]
    best = max(solver(game)(move)[player] for move in turn.moves)
    assert curve["exact"]["best"] == pytest.approx(float(best))
    assert bool(curve["exact"]["title"]) == (link is not SHUT_THE_BOX)


def test_a_large_game_has_no_curve_and_a_curve_begins_with_the_first_dives():
    assert states(LINKS["reversi"], to=20)[-1]["curve"] is None
    assert states(COINS)[-1]["curve"] is None
    assert [n for n, _ in states(COINS, to=20)[-1]["curve"]["points"]] == [1, 2, 5, 10, 20]


def test_the_odds_are_win_probability_on_50_turns_of_shut_the_box():
    for seed in range(50):
        link = {**SHUT_THE_BOX, "seed": seed}
        [state], moves = states(link, exact=True), turns_in(link_of(link))[-1].moves
        odds = [float(win_probability(move)) for move in moves]
        assert [float(row["exact"]) for row in state["rows"]] == pytest.approx(odds, abs=5e-3)
        assert [row["best"] for row in state["rows"]] == [one == max(odds) for one in odds]


def test_exact_values_are_the_heat_and_the_best_of_a_tree_that_believes_otherwise():
    rows = states(TIC_TAC_TOE, to=200, exact=True)[-1]["rows"]
    assert len({row["score"] for row in rows}) > 1
    assert {(row["exact"], row["heat"], row["best"]) for row in rows} == {("0.50", 0.5, True)}


def test_exact_values_of_a_large_game_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(searching, "MOST_POSITIONS", 2_000)
    steps = visitor_trees(LINKS["reversi"], exact=True)
    assert next(steps) == {"kind": "busy", "said": "500 positions are solved."}
    with pytest.raises(ValueError, match="too large for exact values"):
        list(steps)
    with pytest.raises(ValueError, match="hides information"):
        list(visitor_trees(LINKS["big-two"], exact=True))


# The tree of a strategy


def test_the_tree_of_a_strategy_is_seen_from_the_next_position_and_grows_on():
    link = {**LINKS["reversi"], "moves": ["d3"], "players": ["person", "uct:500"]}
    last = list(strategy_trees(link))[-1]
    after = {**link, "moves": ["d3", last["move"]]}
    [state] = states(after)
    [visits] = [row["visits"] for row in last["rows"] if row["label"] == last["move"]]
    assert state["dives"] == state["tree"][0]["visits"] == visits > 0
    assert state["said"].startswith(f"{visits} dives came here before: ")
    assert states(after, to=visits + 7)[-1]["dives"] == visits + 7
    later = {**after, "moves": [*after["moves"], state["rows"][0]["label"]]}
    assert states(later)[0]["dives"] > 0


def test_the_thoughts_about_hidden_cards_are_shown_only_where_nobody_plays():
    link = {**LINKS["big-two"], "players": ["uct:60"] * 4}
    steps = list(strategy_trees(link))
    assert steps[-1]["rows"]
    seat = turns_in(link_of(link))[-1].player
    players = ["person" if n == seat - 1 else "uct:60" for n in range(4)]
    secret = list(strategy_trees({**link, "players": players}))
    assert not any(step["rows"] or step["tree"] for step in secret)
    assert secret[-1]["move"] == steps[-1]["move"]


# The cost of choices


def test_costs_grow_from_the_last_choice_on():
    link = {
        **TIC_TAC_TOE,
        "moves": ["b2", "b1", "a1", "c3", "a2", "c2", "b3"],
        "players": ["person"] * 2,
    }
    steps = list(choice_costs({**link, "players": ["person", "random"]}))
    assert [len(step["choices"]) for step in steps] == [0, 1, 2, 3, 4]
    assert [step["said"] for step in steps[:2]] == [f"{n} of 4 choices so far." for n in (0, 1)]
    assert steps[-1]["said"] == ("The costliest choice: move 7, b3. It cost 1.00; a3 was better.")
    heading, *_ = steps[-1]["table"]["columns"]
    assert (heading["heading"], heading["cells"]) == ("turn", ["1", "3", "5", "7"])
    assert steps[-1]["table"]["notes"][0].startswith("worth: the expected score")
    last = {choice["at"]: choice for choice in steps[-1]["choices"]}
    game, turns = game_in(link_of(link)), turns_in(link_of(link))
    value = exact.solver(game)
    for n, choice in last.items():
        assert choice["share"] == value(turns[n + 1].state)[0]
        assert choice["before"] == value(turns[n].state)[0]
        assert choice["is_costly"] == (choice["before"] - choice["share"] >= 0.1)
    assert any(choice["is_costly"] for choice in last.values())
    assert [step["said"] for step in choice_costs(SHUT_THE_BOX)] == [
        "No choice is known to have cost anything."
    ]
