"""Tasks 4, 6 to 8 and 10: all moves, and random games, compared with exact chances."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

from toolz import partition_all

from purembts import workshop
from purembts.course.tasks import calls, forms
from purembts.course.tasks.calls import Mine, Property, ask, each, fits, same, same_sets, shares
from purembts.course.tasks.forms import BOX, Form, NotRead, Value, Wrong, levers, told
from purembts.games.shut_the_box import LOSS, WIN, Box, boxes, full_box, simple_start

SHUT: Box = frozenset()
BY_SIZE: tuple[Box, ...] = tuple(sorted(boxes(), key=calls.by_size))
"""All boxes, the shut one first, and those with few levers before those with many."""
PLAYED: tuple[tuple[Box, int], ...] = tuple(product(BY_SIZE[1:], calls.ROLLS))
"""All boxes but the shut one, where no game rolls, with all rolls."""

# The moves


def _moves(mine: Mine, word: str, *, right: Callable[[Box, int], Collection[Box]]) -> str:
    """The moves of each box and roll are the boxes that they leave, each once."""
    states = [*PLAYED, *product([SHUT], calls.ROLLS)]
    fault = same_sets(
        right, lambda move, box, roll: f", which {about(move, box, roll, right(box, roll))}"
    )
    return f"all {each(mine, word, states, forms.MOVES, fault):,} states"


simple_moves: Property = partial(_moves, right=workshop.simple_moves)
"""The moves of the simplified game are those of the rules."""
possible_moves: Property = partial(_moves, right=workshop.possible_moves)
"""The moves are those of the rules, for every box and roll."""


def about(move: Box, box: Box, roll: int, moves: Collection[Box]) -> str:
    """The levers that a move from `box` shuts, and the reason if it is none of `moves`."""
    shut, up = box - move, move - box
    said = f"shuts {forms.named(shut)}" if shut else "shuts no lever"
    if move in moves:
        return said + ". If that is the shut box, put it into a set" * (move == SHUT)
    if up:
        said = f"puts {forms.named(up)} up again"
    elif not shut and not moves:
        said += "; there is no move, so the answer is an empty set"
    elif shut and sum(shut) != roll:
        said += f"; the sum is {sum(shut)}, and the roll is {roll}"
    elif shut:
        said += "; this game shuts only the lever of the roll"
    return said + ". These are the levers to shut; a move is the box that is left" * (shut in moves)


def is_win(mine: Mine, word: str) -> str:
    """It is true for the shut box, and for no other."""
    fault = same(workshop.is_win, lambda _, box: f"the levers that are up are {levers(box)}")
    return f"all {each(mine, word, [(box,) for box in BY_SIZE], forms.TRUTH, fault)} boxes"


def all_boxes(mine: Mine, word: str) -> str:
    """There are 512 boxes, each once."""
    each(mine, word, [()], forms.MOVES, same_sets(boxes, lambda _: "; there are 512 boxes"))
    return "all 512 boxes"


# The sets of levers


def _sets(value: Value) -> list[Box]:
    """The sets of levers, each a set, or a tuple or a list without repeats."""
    items = list(value)
    for item in items:
        if len({*item}) < len(item):
            raise Wrong(f"{forms.told(item)} has a lever twice; each lever can be shut once.")
    return [BOX.read({*item}) for item in items]


_SETS = Form("the sets of levers as an iterable of sets or tuples", _sets)


def power(mine: Mine, word: str) -> str:
    """The power set of a list has all its subsets, each once."""
    items = [([1],), ([1, 2],), ([1, 2, 3],), ([2, 5, 9],), ([*range(1, 10)],)]
    each(mine, word, items, _SETS, same_sets(workshop.power))
    return "the subsets of 1 to 9 levers"


def levers_for_roll(mine: Mine, word: str) -> str:
    """The sets of levers of each roll are those that add up to it, each once."""
    add_up = "these levers add up to"
    fault = same_sets(workshop.levers_for_roll, lambda found, _: f"; {add_up} {sum(found)}")
    return f"all {each(mine, word, [(roll,) for roll in calls.ROLLS], _SETS, fault)} rolls"


def lever_combinations(mine: Mine, word: str) -> str:
    """The sets of levers for each roll, where the roll is the index."""
    return levers_for_roll(mine.with_table(word, ask(mine, word, forms.ANYTHING)), word)


# Random games


def up(*levers: int) -> Box:
    """The box with these levers up."""
    return frozenset(levers)


TELLING: Box = up(1, 2, 3, 4, 5, 6, 8)
"""The box where most wrong ways to choose a move change the probability of winning most.

A random player wins with 0.063; who takes the first, the last, the largest, the smallest or the
best move with 0.038 or 0.107, and who chooses between two moves alone with 0.049.
"""
_SEEDED = " All games are the same: do not seed inside the function."


def play_simple_game(mine: Mine, word: str) -> str:
    """A random game of the simplified game is won with its exact probability."""
    games = {SHUT: 20, up(7): 5000, up(3, 4): calls.GAMES, up(1): 200, up(6, 7, 8): calls.GAMES}
    sure = _plays(mine, word, games, calls.random_play(True))
    for rolls, won in ((range(2, 10), True), ((2, 2), False)):
        _obeys(mine, word, simple_start, rolls, won)
    return sure


def play_game(mine: Mine, word: str) -> str:
    """A random game is won with its exact probability, and both moves of a turn are as likely."""
    few = {SHUT: 20, up(7): 5000, up(1, 2): 5000, up(1): 200}
    _plays(mine, word, few, calls.random_play())
    _chooses(mine, word)
    many = {up(1, 3, 4): 10_000, TELLING: 40_000, full_box(): calls.GAMES}
    sure = _plays(mine, word, many, calls.random_play())
    _obeys(mine, word, up(1, 2, 3, 4), (10,), True)
    return sure


def _with_dice(mine: Mine, word: str, box: Box, rolls: Sequence[int]) -> bool | None:
    """True if a game from `box` with our rolls is won; None if it does not call `dice_roll`."""
    left = [*rolls]
    with calls.replaced(mine, word, "dice_roll", lambda *_, **__: left.pop(0) if left else 2):
        won = ask(mine, word, forms.result(mine.words), box)
    return won if len(left) < len(rolls) else None


def _obeys(mine: Mine, word: str, box: Box, rolls: Sequence[int], won: bool) -> None:
    """Raise a `Wrong` unless a game without a choice ends as our rolls say."""
    if (found := _with_dice(mine, word, box, rolls)) not in (None, won):
        text = f"`{mine.text(word, box)}` with the rolls {', '.join(map(str, rolls))}"
        is_one, must = ("a win", "a loss") if found else ("a loss", "a win")
        raise Wrong(f"{text} is {is_one}; it must be {must}.")


def _chooses(mine: Mine, word: str) -> None:
    """Raise a `Wrong` unless both moves from {2, 3, 5} with roll 5 are as likely, with our dice.

    The rolls 5, 2 and 3 win exactly if the first move shuts lever 5. A game that does not call
    `dice_roll` by name is not looked at here.
    """
    won = [_with_dice(mine, word, up(2, 3, 5), (5, 2, 3, 5, 2, 3)) for _ in range(1000)]
    if None not in won:
        cases = "games of `play_game({2, 3, 5})` with the rolls 5, 2 and 3"
        hint = " The boxes {2, 3} and {5} must be equally likely moves."
        of = "the probability of winning"
        fits(of, cases, won.count(True), len(won), Fraction(1, 2), hint)


def _plays(
    mine: Mine, word: str, games: Mapping[Box, int], value: Callable[[Box], Fraction]
) -> str:
    """The phrase about the last of the boxes, from each of which some games are played."""
    sure = ""
    for box, n in games.items():
        wins = sum(ask(mine, word, forms.result(mine.words), box) for _ in range(n))
        hint = _SEEDED * _seeds(mine, word, box)
        cases = f"games of `{mine.text(word, box)}`"
        sure = fits("the probability of winning", cases, wins, n, value(box), hint)
    return sure


def _seeds(mine: Mine, word: str, box: Box) -> bool:
    """True if a game seeds the module random, so that all games are the same."""
    states = set()
    for _ in range(2):
        random.seed(random.random())
        calls.call(mine, word, box)
        states.add(random.getstate())
    return len(states) == 1


# Tasks 7 and 8: the simulation


def _simulation(mine: Mine, word: str, *, start: Box, simple: bool) -> str:
    """N random games from `start` have the share of wins of their exact probability.

    Where the word has an argument `box`, games from another box are simulated, too.
    """
    value, box = calls.random_play(simple), calls.parameter(mine, word, "box")
    if box and isinstance(box.default, set | frozenset) and box.default != start:
        begins = f"`{word}` without a box begins with {levers(box.default)}"
        raise Wrong(f"{begins}; it must begin with {levers(start)}.")
    if box:
        shares(mine, word, value(up(7)), up(7))
    return shares(mine, word, value(start), *([start] if box and box.default is box.empty else []))


def simulate_simple_game(mine: Mine, word: str) -> str:
    """The share of n games is right, and the games are those of `play_simple_game`.

    A win is so rare that chance alone hardly tells games from none. So the results of games are
    replaced by ours, of which half are wins. A word that takes a box may play in another way: a box
    that is won more often was simulated then.
    """
    sure = _simulation(mine, word, start=simple_start, simple=True)
    n, won, box = 100, list[bool](), calls.parameter(mine, word, "box")
    case = (n, simple_start) if box and box.default is box.empty else (n,)
    text = mine.text(word, *case)

    def played(*given: Value, **named: Value) -> Value:
        if (start := named.get("box", next(iter(given), simple_start))) != simple_start:
            right = f"it must begin with {levers(simple_start)}"
            raise Wrong(f"`{text}` plays from {told(start)}; {right}.")
        won.append(random.random() < 0.5)
        return mine.words.get("WIN", WIN) if won[-1] else mine.words.get("LOSS", LOSS)

    with calls.replaced(mine, word, "play_simple_game", played):
        found = ask(mine, word, forms.share(mine.words, n), *case)
    if not (won or box):
        how = "Play the games with your `play_simple_game`."
        raise NotRead(f"`{text}` was not seen to play. {how}")
    if won and (len(won), sum(won)) != (n, found):
        games = f"the number of games that it plays is {len(won)}, and that of wins {sum(won)}"
        raise Wrong(f"`{text}` gives {found} wins of {n}; {games}.")
    return sure


simulate: Property = partial(_simulation, start=full_box(), simple=False)
"""The results of random games are as likely as they should be."""

# Task 10: the table


def _cells(mine: Mine, word: str, n: int) -> dict[Box, int]:
    """The wins of n games from each box, as the table has them."""
    text, form = mine.text(word, n), forms.table(BOX.read, "boxes to probabilities")
    entries = mine.with_table(text, ask(mine, word, form, n))
    return {box: ask(entries, text, forms.share(mine.words, n), box) for box in BY_SIZE}


def look_up_table(mine: Mine, word: str) -> str:
    """The table has for each box the share of wins of 40 random games."""
    n, value, text = 40, calls.random_play(), mine.text(word, 40)
    wins = _cells(mine, word, n)
    cell = partial(mine.with_table(text, wins).text, text)
    sure, others = "", sorted((box for box in wins if 0 < value(box) < 1), key=value)
    for box in (box for box in BY_SIZE if value(box) in (0, 1)):
        fits("the share of wins", f"games of `{cell(box)}`", wins[box], n, value(box))
    if {*wins.values()} <= {0, n}:
        one = "That looks like one game for each box"
        raise Wrong(f"`{text}` has only the values 0 and 1. {one}; it must be {n} games.")
    for group in partition_all(len(others) // 3 + 1, others):
        low, high = float(value(group[0])), float(value(group[-1]))
        of = f"the mean of `{text}` over the boxes with probabilities from {low:.2g} to {high:.2g}"
        # Games from different boxes vary less than games that all have the mean probability.
        p = sum(map(value, group)) / len(group)
        sure = fits(of, "games", sum(wins[box] for box in group), n * len(group), p)
    for box in others:
        fits("the share of wins", f"games of `{cell(box)}`", wins[box], n, value(box))
    _cells(mine, word, 3)
    return sure
