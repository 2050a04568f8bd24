# Pig, made short: two players throw one die in turn. A throw of 1 ends the turn, and the sum of the
# turn is lost. After any other throw the player goes on, or holds and keeps the sum.
# The player who first has 10 points wins. The game also ends after 6 throws.
from typing import NamedTuple

from purembts.game import Display, Game


class Pig(NamedTuple):
    scores: tuple[int, int]
    player: int  # the player to move
    turn: int  # the sum of the turn
    throws: int  # the number of throws in the game


GOAL, END = 10, 6


def moves(pig, die):
    if max(pig.scores) >= GOAL or pig.throws == END:
        return ()
    if die == 1:
        return (Pig(pig.scores, 1 - pig.player, 0, pig.throws + 1),)
    go_on = pig._replace(turn=pig.turn + die, throws=pig.throws + 1)
    return (go_on, held(go_on))


def held(pig):
    own = pig.scores[pig.player] + pig.turn
    scores = (own, pig.scores[1]) if pig.player == 0 else (pig.scores[0], own)
    return Pig(scores, 1 - pig.player, 0, pig.throws)


def result(pig):
    first, second = pig.scores
    return (1, 0) if first > second else (0, 1) if second > first else (0.5, 0.5)


def to_move(pig):
    return pig.player


def chances(pig):
    return (1, 2, 3, 4, 5, 6)


def show(pig):
    return (
        f"{pig.scores[0]} to {pig.scores[1]}; player {pig.player + 1} has {pig.turn} in this turn"
    )


def label(before, after):
    if after.player == before.player:
        return "go on"
    return "hold" if after.scores != before.scores else "lose the turn"


start = Pig((0, 0), 0, 0, 0)
pig_game = Game(
    moves,
    result,
    to_move,
    chances,
    start=start,
    name="Pig to 10",
    display=Display(show, label, event=lambda die: f"die {die}"),
)
