"""The laws that every game keeps, as checks of one game, so that a broken game can be tried too."""

import json
import pickle
from collections.abc import Sequence
from copy import deepcopy

from purembts.chance import pick
from purembts.game import children, playout, positions


def check_position(game, state):
    """Moves and chances are sequences without surprises, and asking changes nothing."""
    before = deepcopy(state)
    hash(state)
    events = game.chances(state)
    assert isinstance(events, Sequence), f"events that are no sequence at {state}: {events}"
    assert len(events) > 0, f"no event at {state}"
    assert game.to_move(state) in range(game.players)
    for event in events:
        moves = game.moves(state, event)
        assert isinstance(moves, Sequence), f"moves that are no sequence at {state}: {moves}"
        assert len(set(moves)) == len(moves), f"a move twice at {state}, {event}: {moves}"
        assert state not in moves, f"a move that changes nothing at {state}, {event}"
        assert list(game.moves(state, event)) == list(moves), f"other moves asked again at {state}"
        if not moves:
            check_result(game, game.result(state))
    assert state == before, f"{state} was changed by looking at it"


def check_result(game, result):
    low, high = game.score_range
    assert isinstance(result, tuple)
    assert len(result) == game.players, f"{result} for {game.players} players"
    assert all(isinstance(score, int | float) for score in result), f"{result} are not numbers"
    assert all(low <= score <= high for score in result), f"{result} is not in {low} to {high}"
    total = sum(result) if game.score_sum is None else game.score_sum
    assert sum(result) == total, f"{result} does not add up to {total}"


def check_equal_positions(game, state, twin):
    """The moves depend on the position's value, in what order they come as well."""
    assert state == twin
    assert hash(state) == hash(twin)
    assert list(game.chances(state)) == list(game.chances(twin))
    for event in game.chances(state):
        ours, theirs = game.moves(state, event), game.moves(twin, event)
        assert list(ours) == list(theirs), f"{state} and its twin: {ours}, {theirs}"


def check_random_game(game, state, rng):
    """A random game ends, and no position comes back in it."""
    seen, start = {state}, state
    while moves := game.moves(state, pick(game.chances(state), rng)):
        state = pick(moves, rng)
        assert state not in seen, f"{state} came back"
        seen.add(state)
    check_result(game, game.result(state))
    check_result(game, playout(game, start, rng))
    check_result(game, playout(game, state, rng))


def check_positions(game, state):
    """Every position is listed once, after its children, and nothing else is."""
    listed = list(positions(game, state))
    place = {position: i for i, position in enumerate(listed)}
    assert len(place) == len(listed)
    assert listed[-1] == state
    for position in listed:
        assert all(place[child] < place[position] for child in children(game, position))
    known_parents = {child for position in listed for child in children(game, position)}
    assert set(listed) == known_parents | {state}


def check_pickles(game, state):
    """A game crosses processes, and comes out as the same game."""
    again = pickle.loads(pickle.dumps(game))
    for position in positions(game, state):
        assert again.to_move(position) == game.to_move(position)
        for event in game.chances(position):
            assert again.moves(position, event) == game.moves(position, event)
            if not game.moves(position, event):
                assert again.result(position) == game.result(position)


def check_encoding(game, state):
    """Every position is written as JSON in a way of its own, and comes back from it."""
    written = {}
    for position in positions(game, state):
        text = json.dumps(game.json.encode(position))
        assert text not in written, f"{position} and {written[text]} are both written {text}"
        written[text] = position
        again = game.json.decode(json.loads(text))
        assert again == position, f"{position} came back as {again}"
        assert hash(again) == hash(position)
