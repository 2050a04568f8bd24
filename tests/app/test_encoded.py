"""A turn and a table as JSON."""

from random import Random

import pytest

from purembts.app.encoded import table_facts, turn_facts
from purembts.app.positions import labels_of
from purembts.app.sessions import Setting, after_move, first_turn
from purembts.games.big_two import big_two
from purembts.games.mnk import tic_tac_toe
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box
from purembts.players import uct_player
from purembts.tables import Column, Table

GAMES = [tic_tac_toe, reversi(6), shut_the_box(), big_two()]


def setting_of(game, *, persons):
    players = {} if persons else dict.fromkeys(range(4), uct_player(game, 40))
    return Setting(game, 7, frozenset(range(game.players) if persons else ()), players=players)


def test_a_table_has_its_columns_and_its_notes():
    table = Table("A table", (Column("n", ("1", "2"), note="n: a number"),))
    assert table_facts(table)["columns"][0]["cells"] == ["1", "2"]
    assert table_facts(table)["notes"] == ["n: a number"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_turn_has_its_history_and_the_way_back(game):
    setting = setting_of(game, persons=True)
    turns = first_turn(setting, game.deal(Random(7)) if game.deal else game.start)
    labels = []
    while turns[-1].moves and len(turns) < 4:
        labels.append(labels_of(game, turns[-1])[0])
        turns = after_move(setting, turns, turns[-1].moves[0])
    facts = turn_facts(setting, turns)
    assert [move["label"] for move in facts["history"]] == labels
    assert facts["undo_to"] == max(n for n, turn in enumerate(turns[:-1]) if len(turn.moves) > 1)
    assert [move["label"] for move in facts["moves"]] == labels_of(game, turns[-1])
