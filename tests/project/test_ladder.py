"""The ladder of the documents: its ratings, and its order of games."""

from itertools import islice, permutations

import pytest

import ladder
from ladder import LADDERS, Planned, Played, planned, ratings, read, table


def games_of(results):
    """Games with these points of the first player, for each pair of players."""
    return [
        Played(i, *pair, points, (0.1, 0.2), (0.3, 0.4))
        for pair, many in results.items()
        for i, points in enumerate(many)
    ]


def test_ratings_expect_the_points_that_were_made():
    """With the draw that each pair has besides."""
    games = games_of({("a", "b"): [1, 1, 1, 0], ("c", "a"): [0, 0.5], ("b", "c"): [1, 0, 0, 1]})
    found = ratings("abc", games)
    assert sum(found.values()) == pytest.approx(0)
    for own in "abc":
        made, expected = 1.0, 0.0
        for other in {*"abc"} - {own}:
            record = ladder.share(games, own, other)
            made += record.scores[0]
            expected += (record.visits + 1) / (1 + 10 ** ((found[other] - found[own]) / 400))
        assert made == pytest.approx(expected, abs=1e-6)


def test_each_round_has_all_pairs_from_both_sides():
    first = {each[1:] for each in islice(planned("abc"), 6)}
    assert first == set(permutations("abc", 2))
    assert next(islice(planned("abc"), 6, 7)) == Planned(1, "a", "b")


def test_games_are_read_again_and_the_best_player_comes_first(tmp_path):
    games = games_of({("a", "b"): [1, 1, 0.5], ("b", "a"): [0, 0, 1]})
    path = tmp_path / "games.jsonl"
    assert read(path) == []
    path.write_text("".join(f"{ladder.json.dumps(each)}\n" for each in games))
    again = read(path)
    assert [each[:4] for each in again] == [each[:4] for each in games]
    lines = table("ba", again).splitlines()
    assert lines[2].startswith("| `a` | +")
    assert "4.5 of 6" in lines[2]
    assert "</svg>" in ladder.chart("gomoku", "ba", again).svg


def test_a_game_of_a_ladder_follows_from_its_round_and_its_players():
    once, again = (ladder.played("four-in-a-row", Planned(3, "random", "greedy")) for _ in range(2))
    assert once[:4] == again[:4] == (3, "random", "greedy", 0)
    deal = ladder.played("big-two", Planned(0, "greedy", "random"))
    assert deal.points in (0, 0.5, 1)
    assert {*LADDERS} == {"gomoku", "reversi", "big-two", "four-in-a-row"}
