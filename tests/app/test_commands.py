"""The commands as generators: driven by hand, without a process, a terminal or a browser."""

import json
from functools import partial
from itertools import count, islice
from pathlib import Path
from random import Random

import pytest

from purembts import start_box
from purembts.app import clock, commands
from purembts.app.printed import printed
from purembts.app.requests import Bandit, Check, Learn, Match, Pi, Search, Simulate, Solve, Watch
from purembts.app.steps import Note, Progress, TreeFile, returned
from purembts.bounds import ucb_wald
from purembts.fast import engine
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import shut_the_box
from purembts.play import match, play_game
from purembts.players import growing, uct_player
from work import interrupted, told


def test_a_search_says_how_much_is_done_and_has_the_tree_of_the_library():
    request = Search(seed=7, dives=12_000)
    steps, result = told(commands.search(request))
    ends = [step.done for step in steps]
    assert [step[:3] for step in steps] == [("12,000 dives", n, 12_000) for n in ends]
    assert (ends[0], ends[-1], ends == sorted(ends)) == (0, 12_000, True)
    tree = engine.search(shut_the_box(), {}, start_box, 12_000, Random(7), bound=ucb_wald)
    assert result.checkpoint.tree == tree
    assert steps[-1].so_far == result.checkpoint  # which a terminal may save at any step
    assert result.facts["visits"] == 12_000


def gone_on(request, checkpoint):
    """The steps and the result of a search that goes on from `checkpoint`, a file."""
    work = commands.search(request._replace(load=Path("tree")))
    assert isinstance(next(work), TreeFile)
    kept = json.loads(json.dumps(checkpoint.search))  # as in a header
    notes = [work.send(checkpoint._replace(search=kept))]
    rest, result = told(work)
    return [step for step in (*notes, *rest) if isinstance(step, Note)], result


@pytest.mark.parametrize("game", ["shut-the-box", "coins", "big-two"])
def test_searches_that_go_on_are_one_search_also_after_an_interrupt(game, monkeypatch):
    """Also in compiled loops, which take over in long searches, and with hidden hands.

    The draws of the dives that an interrupt loses are drawn again.
    """

    def cut(game, tree, first, lengths, rng, **how):
        trees = growing(game, tree, first, lengths, rng, **how)
        yield from islice(trees, 2)
        rng.random()
        raise KeyboardInterrupt

    dives = 60_000 if game == "shut-the-box" else 300
    save = Search(game, seed=7, save=Path("tree"), dives=dives)
    whole = returned(commands.search(save)).checkpoint
    with monkeypatch.context() as patch:
        patch.setattr(commands, "growing", cut)
        part = returned(commands.search(save)).checkpoint
    done = max(record.visits for record in part.tree.values())
    notes, more = gone_on(save._replace(dives=dives - done), part)
    assert (notes, more.checkpoint) == ([], whole)


def test_a_search_says_why_it_is_not_the_same_as_one():
    request = Search(seed=7, dives=20)
    first = returned(commands.search(request._replace(save=Path("tree")))).checkpoint
    for other, words in (
        (request._replace(seed=8), "`seed` of the file is 7, and here 8"),
        (request._replace(c=0.5), "bound` of the file is \"the workshop's bound\", and here '--c"),
        (request._replace(start=("257",)), "`from` of the file is '[1, 2, "),
    ):
        [note], _ = gone_on(other, first)
        assert note.text.startswith("this is not the same as one search: ")
        assert words in note.text
    [note], more = gone_on(request, first._replace(search={}))
    assert "the file does not have the state of its random numbers." in note.text
    other = Random("7/20")  # other random numbers than those of the first dives
    tree = engine.search(shut_the_box(), first.tree, start_box, 20, other, bound=ucb_wald)
    assert more.checkpoint.tree == tree
    for state in ("AA==", "no", 7, None):
        with pytest.raises(ValueError, match="`state` in the file must be the state of a gen"):
            gone_on(request, first._replace(search={**first.search, "state": state}))


def test_a_search_for_some_seconds_asks_the_clock(monkeypatch):
    monkeypatch.setattr(clock, "monotonic", partial(next, count()))
    request = Search("coins", seed=7, seconds=20)
    steps, result = told(commands.search(request))
    assert steps[0] == Progress("20 seconds", 0, None)
    assert steps[-1].done == result.facts["visits"] > 1


def test_a_match_is_that_of_the_library_and_an_interrupt_keeps_its_games():
    request = Match("coins", seed=7, players=("uct:20", "random"), games=12)
    result = returned(commands.match(request))
    strategies = [uct_player(last_coin(), 20), commands.strategy_called(last_coin(), "random")]
    standings = match(last_coin(), strategies, 12, seed=7)
    assert result.facts["standings"] == [
        {"player": name, **each._asdict()}
        for name, each in zip(request.players, standings, strict=True)
    ]
    assert interrupted(commands.match(request), 5).facts["standings"][0]["games"] == 5
    with pytest.raises(KeyboardInterrupt):
        interrupted(commands.match(request), 1)


@pytest.mark.parametrize("request_of", [Search, Solve])
def test_the_end_of_a_game_is_said_in_words_and_as_json(request_of):
    """Also where a roll alone ends it, the game goes on."""
    few = {"dives": 9} if request_of is Search else {}
    command = getattr(commands, request_of.__name__.lower())
    ended = returned(command(request_of("tic-tac-toe", start=("a1 b1 a2 b2 a3",), **few)))
    assert ended.lines == ("The game has ended at this position; its result is (1, 0).",)
    assert ended.facts["result"] == [1, 0]
    open_box = returned(command(request_of(start=("2",), **few)))
    assert (open_box.lines, open_box.facts.get("result")) == ((), None)


@pytest.mark.parametrize(
    ("command", "request_of"),
    [
        (commands.simulate, partial(Simulate, games=10_000)),
        (commands.learn, partial(Learn, dives=(100,))),
        (commands.search, partial(Search, dives=100)),
        (commands.match, partial(Match, "coins", players=("random", "random"), games=50)),
    ],
)
def test_without_a_seed_the_seed_is_0(command, request_of):
    without, zero, one = (
        returned(command(request_of(**seed))) for seed in ({}, {"seed": 0}, {"seed": 1})
    )
    assert without.facts == zero.facts != one.facts


def test_runs_and_darts_that_are_done_are_kept():
    assert interrupted(commands.bandit(Bandit(pulls=20, runs=9, seed=7)), 4).facts["runs"] == 4
    assert interrupted(commands.pi(Pi(20_000, seed=7)), 6000).facts["darts"] < 20_000
    with pytest.raises(KeyboardInterrupt):
        interrupted(commands.pi(Pi(20_000, seed=7)), 0)


def test_a_watched_game_is_the_first_of_a_match():
    request = Watch("coins", seed=7, players=("uct:20", "random"))
    *_, end, _ = commands.watch(request)
    strategies = [uct_player(last_coin(), 20), commands.strategy_called(last_coin(), "random")]
    scores = play_game(last_coin(), Pile(), strategies, Random("7/0"))
    assert printed(end, 80) == f"Player {scores.index(1) + 1} wins."


def test_a_law_of_a_game_is_a_step_and_a_broken_one_is_a_failure(monkeypatch):
    def checking(answers):
        monkeypatch.setattr(commands, "laws", lambda *_, **__: answers)
        return commands.check(request)

    law = {"law": "games end", "status": "kept", "cases": 3, "message": "", "line": []}
    law["advice"] = ""
    request = Check("coins", examples=3)
    answers = [{"game": "Pile"}, law, {**law, "law": "results", "status": "broken"}]
    steps, result = told(checking(answers))
    assert [step.done for step in steps] == [0, 1, 2]
    assert (result.failed, result.facts["kept"], result.facts["complete"]) == (True, False, True)
    result = interrupted(checking(answers[:2]), 1)
    assert (result.failed, result.facts["complete"]) == (False, False)
    late = {**law, "status": "no time", "message": "", "cases": 0}
    for few in ([law, late], []):
        assert not returned(checking(few)).facts["complete"]


@pytest.mark.parametrize(
    ("players", "told"),
    [(("uct:1", "random"), 1), (("random", "random"), 0), (("perfect", "random"), 0)],
)
def test_standings_that_cannot_tell_who_is_better_say_so(players, told):
    request = Match("coins", start=("20",), seed=7, players=players, games=20)
    [table] = returned(commands.match(request)).tables
    assert sum("overlap" in note for note in table.notes) == told
