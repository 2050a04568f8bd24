"""The commands as generators: driven by hand, without a process, a terminal or a browser."""

from random import Random

import pytest

from purembts import start_box
from purembts.app import commands
from purembts.app.requests import (
    Bandit,
    Check,
    Learn,
    Match,
    Pi,
    Play,
    Search,
    Simulate,
    Solve,
    Target,
    Watch,
    place_called,
)
from purembts.app.sitting import Look
from purembts.app.steps import Note, Progress, Question, Said, kept, returned
from purembts.bounds import ucb_wald
from purembts.exact import solver
from purembts.fast import engine
from purembts.game import result_of
from purembts.games.last_coin import Pile, last_coin
from purembts.games.shut_the_box import shut_the_box
from purembts.play import match, play_game
from purembts.players import uct_player
from purembts.simulation import simulate
from purembts.tables import Table

COINS, STB = place_called("coins"), place_called()


def told(work, answers=()):
    """The steps of `work` whose questions get `answers`, and its value; then the input ends."""
    steps, rest, answer = [], iter(answers), None
    try:
        step = next(work)
        while True:
            steps.append(step)
            answer = next(rest, None) if isinstance(step, Question) else None
            over = isinstance(step, Question) and answer is None
            step = work.throw(EOFError()) if over else work.send(answer)
    except StopIteration as stop:
        return steps, stop.value


def interrupted(work, n):
    """The result of `work` that a person interrupts when `n` parts of it are done."""
    for step in work:
        if isinstance(step, Progress) and step.done >= n:
            break
    try:
        work.throw(KeyboardInterrupt())
    except StopIteration as stop:
        return stop.value
    raise AssertionError("The work must end after an interrupt.")


def lines_of(steps):
    return [line for step in steps if isinstance(step, Said) for line in step.lines]


def test_a_search_says_how_much_is_done_and_has_the_tree_of_the_library():
    request = Search(STB, seed=7, dives=12_000)
    steps, result = told(commands.search(request))
    assert steps == [Progress("12,000 dives", n, 12_000) for n in (0, 5000, 10_000, 12_000)]
    tree = engine.search(shut_the_box(), {}, start_box, 12_000, Random(7), bound=ucb_wald)
    assert result.tree == tree
    assert result.facts["visits"] == 12_000
    assert not result.interrupted


def test_a_search_goes_on_from_its_tree_and_keeps_what_is_done_before_an_interrupt():
    request = Search(STB, seed=7, dives=20_000)
    first = interrupted(commands.search(request), 5000)
    assert first.interrupted
    assert first.facts["visits"] == first.tree[start_box].visits == 5000
    more = returned(commands.search(request._replace(dives=10), first.tree))
    assert more.facts["visits"] == 5010


def test_a_search_for_some_seconds_asks_the_clock_that_it_gets():
    ticks = iter(range(1000))
    request = Search(COINS, seed=7, seconds=20)
    steps, result = told(commands.search(request, clock=lambda: next(ticks)))
    assert steps[0] == Progress("20 seconds", 0, None)
    assert steps[-1].done == result.facts["visits"] > 1


def test_simulation_and_solution_have_the_numbers_of_the_library():
    played = returned(commands.simulate(Simulate(COINS, seed=7, games=6000)))
    record = simulate(last_coin(), Pile(), 6000, Random(7))
    assert (played.facts["visits"], tuple(played.facts["scores"])) == record
    solved = returned(commands.solve(Solve(place_called("coins", start=Pile(4)))))
    values = solver(last_coin())(Pile(4))
    assert [each["exactly"] for each in solved.facts["best_play"]] == list(map(str, values))


def test_an_interrupted_lesson_has_the_rows_that_are_done():
    request = Learn(COINS, seed=7, games=100, dives=(10, 20))
    whole = returned(commands.learn(request))
    plays = [row["play"] for row in whole.facts["rows"]]
    assert plays[-1] == "best play"
    work = commands.learn(request)
    assert next(step for step in work if step.label == "settle")
    with pytest.raises(StopIteration) as stop:
        work.throw(KeyboardInterrupt())
    assert [row["play"] for row in stop.value.value.facts["rows"]] == plays[:3]
    assert stop.value.value.interrupted


def test_a_match_is_that_of_the_library_and_an_interrupt_keeps_its_games():
    request = Match(COINS, seed=7, players=("uct:20", "random"), games=12)
    result = returned(commands.match(request))
    strategies = [uct_player(last_coin(), 20), commands.strategy_called(last_coin(), "random")]
    wins = [each.wins for each in match(last_coin(), strategies, 12, seed=7)]
    assert [row["wins"] for row in result.facts["standings"]] == wins
    assert interrupted(commands.match(request), 5).facts["standings"][0]["games"] == 5
    with pytest.raises(KeyboardInterrupt):
        interrupted(commands.match(request), 1)


def test_runs_and_darts_that_are_done_are_kept():
    assert interrupted(commands.bandit(Bandit(pulls=20, runs=9, seed=7)), 4).facts["runs"] == 4
    assert interrupted(commands.pi(Pi(20_000, seed=7)), 6000).facts["darts"] < 20_000
    with pytest.raises(KeyboardInterrupt):
        interrupted(commands.pi(Pi(20_000, seed=7)), 0)


def test_a_game_is_played_by_answers():
    request = Play(COINS, 7, ["perfect"], hints="exact")
    steps, _ = told(commands.play(request, Look()), ["1", "h", "take 2", "u", "1", "q"])
    asked = [step.text for step in steps if isinstance(step, Question)]
    assert asked == ["Your move: "] * 6
    lines = lines_of(steps)
    assert "Last coin. You are player 1; player 2 is perfect." in lines
    assert any(
        line.startswith("This start is lost for you if the others play best.") for line in lines
    )
    assert lines.count("Player 2: take 2.") == 2
    assert lines.count("Player 2: take 1.") == 1
    [table] = [step for step in steps if isinstance(step, Table)]
    assert table.title == "The cost of each choice"
    assert Progress("Player 2 thinks") in steps


def test_a_start_that_can_be_won_and_a_strong_opponent_need_no_warning():
    request = Play(place_called("coins", start=Pile(20)), 7, ["uct:1000"])
    steps, _ = told(commands.play(request, Look()))
    assert not [line for line in lines_of(steps) if "lost" in line or "weak" in line]


def test_a_weak_opponent_is_named():
    steps, _ = told(commands.play(Play(place_called("gomoku"), 7), Look()))
    text = "uct:9000 is a weak opponent here: it makes about 40 dives for each of the 225 moves."
    assert any(line.startswith(text) for line in lines_of(steps))


def test_an_interrupt_leaves_a_game():
    work = commands.play(Play(COINS, 7, ["random"]), Look())
    while not isinstance(next(work), Question):
        pass
    assert work.throw(KeyboardInterrupt()) == Said(("",))
    with pytest.raises(KeyboardInterrupt):
        next(work)


def test_a_watched_game_is_the_first_of_a_match():
    request = Watch(COINS, 7, ["uct:20", "random"])
    *_, last = commands.watch(request)
    strategies = [uct_player(last_coin(), 20), commands.strategy_called(last_coin(), "random")]
    scores = play_game(last_coin(), Pile(), strategies, Random("7/0"))
    assert result_of(last_coin(), last.turn.state) == scores


def test_kept_steps_are_those_before_an_interrupt():
    def steps():
        yield "a", Progress("work", 1, 3)
        yield "b", Progress("work", 2, 3)
        raise KeyboardInterrupt

    assert told(kept(steps(), "")) == ([Progress("work", n, 3) for n in (1, 2)], ("b", True))
    assert told(kept([], "nothing")) == ([], ("nothing", False))


def test_a_law_of_a_game_is_a_note_and_a_broken_one_is_a_failure():
    law = {
        "law": "games end",
        "status": "kept",
        "cases": 3,
        "message": "",
        "line": [],
        "advice": "",
    }
    request = Check(Target("coins", "coins"), examples=3)
    answers = [{"game": "Pile"}, law, {**law, "law": "results", "status": "broken"}]
    steps, result = told(commands.check_game(request, answers))
    notes = [Note("games end: kept, 3 cases"), Note("results: broken, 3 cases")]
    assert (steps, result.failed, result.facts["kept"]) == (notes, True, False)
    assert not returned(commands.check_game(request, answers[:2])).failed


@pytest.mark.parametrize(
    ("players", "told"), [(("random", "random"), 1), (("perfect", "random"), 0)]
)
def test_standings_that_cannot_tell_who_is_better_say_so(players, told):
    place = place_called("coins", start=Pile(20))
    request = Match(place, seed=7, players=players, games=20)
    [table] = returned(commands.match(request)).tables
    assert sum("overlap" in note for note in table.notes) == told
