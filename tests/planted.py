"""Faults planted by small edits of a module's text, and the laws that have to catch them."""

import ast
import inspect
import random
from types import SimpleNamespace

from purembts.knowledge.narrowing import narrowed

NAMES = {"random": random, "narrowed": narrowed}
"""Names that an edit may use beside those of the module."""


def edited(module, text, wrong):
    """The names of `module`, run with `wrong` in the place of a text that is there once."""
    source = inspect.getsource(module)
    assert source.count(text) == 1, f"{text!r} must be there once"
    names = {**NAMES, "__name__": module.__name__}
    exec(compile(source.replace(text, wrong), module.__file__, "exec"), names)
    return SimpleNamespace(**names)


def laws_of(*rooms):
    """The sentences of all laws that the code of `rooms` may find broken."""
    for room in rooms:
        tree = ast.parse(inspect.getsource(room))
        assigned = [node for node in ast.walk(tree) if isinstance(node, ast.Assign)]
        values = {ast.unparse(node.targets[0]): node.value for node in assigned}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "broken":
                sentence = values.get(ast.unparse(node.args[0]), node.args[0])
                parts = sentence.values if isinstance(sentence, ast.JoinedStr) else [sentence]
                yield parts[0].value.strip()


# Games on which faults are caught


def balanced(game):
    """The same game, where the last player pays what the others win."""
    width = 2 * max(game.players - 1, 1)

    def result(state):
        scores = game.result(state)[: max(game.players - 1, 1)]
        return (*scores, -sum(scores))[: game.players]

    total = None if game.players == 1 else 0
    return game._replace(result=result, score_sum=total, score_range=(-width, width))


def won_by_one(game):
    """The same game, where one player wins."""

    def result(state):
        winner = int(2 * sum(game.result(state))) % game.players
        return tuple([int(player == winner) for player in range(game.players)])

    return game._replace(result=result, score_sum=None, score_range=(0, 1))._replace(
        score_sum=None if game.players == 1 else 1
    )


def coarse(game):
    """The same game, where each player has the highest score or the lowest one."""
    return game._replace(
        result=lambda state: tuple([2 if score > 0 else -2 for score in game.result(state)])
    )


def ranked(game):
    """The same game for several players, where the scores are their places."""
    n = game.players

    def result(state):
        scores = game.result(state)
        order = sorted(range(n), key=lambda player: (scores[player], (player + state) % n))
        return tuple([order.index(player) for player in range(n)])

    if n == 1:
        return game
    return game._replace(result=result, score_range=(0, n - 1), score_sum=n * (n - 1) // 2)
