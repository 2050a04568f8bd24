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
from purembts.course.tasks.calls import ROLLS, SAMPLE, Mine, Property, ask, exact, fits, same
from purembts.course.tasks.forms import BOX, AnyValue, Form, NotRead, Wrong, in_words, levers
from purembts.games.shut_the_box import LOSS, WIN, Box, boxes, full_box, simple_start

SHUT: Box = frozenset()
BY_SIZE: tuple[Box, ...] = tuple(sorted(boxes(), key=calls.by_size))
"""All boxes, the shut one first, and those with few levers before those with many."""
PLAYED: tuple[tuple[Box, int], ...] = tuple(product(BY_SIZE[1:], ROLLS))
"""All boxes but the shut one, where no game rolls, with all rolls."""
_BOXES = [(box,) for box in BY_SIZE]

# The moves


def move_in_words(move: Box, box: Box, roll: int, moves: Collection[Box]) -> str:
    """The levers that a move from `box` shuts, and the reason if it is none of `moves`."""
    shut, up = box - move, move - box
    text = f"shuts {forms.levers_in_words(shut)}" if shut else "shuts no lever"
    if move in moves:
        return text + ". If that is the shut box, put it into a set" * (move == SHUT)
    if up:
        text = f"puts {forms.levers_in_words(up)} up again"
    elif not shut and not moves:
        text += "; there is no move, so the answer is an empty set"
    elif shut and sum(shut) != roll:
        text += f"; the sum is {sum(shut)}, and the roll is {roll}"
    elif shut:
        text += "; this game shuts only the lever of the roll"
    return text + ". These are the levers to shut; a move is the box that is left" * (shut in moves)


def _right_moves(right: Callable[[Box, int], Collection[Box]]) -> Property:
    """The property that the moves of each box and roll are the boxes that they leave, each once."""

    def about(move: Box, box: Box, roll: int) -> str:
        return f", which {move_in_words(move, box, roll, right(box, roll))}"

    states = [*PLAYED, *product([SHUT], ROLLS)]
    return exact(states, forms.MOVES, calls.same_sets(right, about), "all {n} states")


simple_moves: Property = _right_moves(workshop.simple_moves)
possible_moves: Property = _right_moves(workshop.possible_moves)
_IS_WIN = same(workshop.is_win, lambda _, box: f"the levers that are up are {levers(box)}")
is_win: Property = exact(_BOXES, forms.TRUTH, _IS_WIN, "all {n} boxes")
"""It is true for the shut box, and for no other."""
_ALL_BOXES = calls.same_sets(boxes, lambda _: "; there are 512 boxes")
all_boxes: Property = exact([()], forms.MOVES, _ALL_BOXES, "all 512 boxes")
"""There are 512 boxes, each once."""


# The sets of levers


def _sets(value: AnyValue) -> list[Box]:
    """The sets of levers, each a set, or a tuple or a list without repeats."""
    items = list(value)
    for item in items:
        if len({*item}) < len(item):
            raise Wrong(f"{forms.in_words(item)} has a lever twice; each lever can be shut once.")
    return [BOX.read({*item}) for item in items]


_SETS = Form("the sets of levers as an iterable of sets or tuples", _sets)


_ITEMS = [([1],), ([1, 2],), ([1, 2, 3],), ([2, 5, 9],), ([*range(1, 10)],)]
power: Property = exact(
    _ITEMS, _SETS, calls.same_sets(workshop.power), "the subsets of 1 to 9 levers"
)
"""The power set of a list has all its subsets, each once."""
_ADD_UP = calls.same_sets(
    workshop.levers_for_roll, lambda up, _: f"; these levers add up to {sum(up)}"
)
levers_for_roll: Property = exact([(roll,) for roll in ROLLS], _SETS, _ADD_UP, "all {n} rolls")
"""The sets of levers of each roll are those that add up to it, each once."""


def lever_combinations(mine: Mine, word: str) -> str:
    """The sets of levers for each roll, where the roll is the index."""
    return levers_for_roll(mine.with_table(word, ask(mine, word, forms.ANYTHING)), word)


# Random games


def up(*levers: int) -> Box:
    """The box with these levers up."""
    return frozenset(levers)


TELLING: Box = up(1, 2, 3, 4, 5, 6, 8)
"""The box where most wrong ways to choose a move change the probability of winning most.

A random player wins with probability 0.063. A player who takes the first, the last, the largest,
the smallest or the best move wins with 0.038 or 0.107, and a player who chooses at random between
two of the moves with 0.049.
"""
_SEEDED = " All games are the same: do not seed inside the function."


def play_simple_game(mine: Mine, word: str) -> str:
    """A random game of the simplified game is won with its exact probability."""
    games = {SHUT: 20, up(7): 5000, up(3, 4): SAMPLE, up(1): 200, up(6, 7, 8): SAMPLE}
    sure = _plays(mine, word, games, calls.random_play(True))
    for rolls, won in ((range(2, 10), True), ((2, 2), False)):
        _obeys(mine, word, simple_start, rolls, won)
    return sure


def play_game(mine: Mine, word: str) -> str:
    """A random game is won with its exact probability, and both moves of a turn are as likely."""
    few = {SHUT: 20, up(7): 5000, up(1, 2): 5000, up(1): 200}
    _plays(mine, word, few, calls.random_play())
    _chooses(mine, word)
    many = {up(1, 3, 4): 10_000, TELLING: 40_000, full_box(): SAMPLE}
    sure = _plays(mine, word, many, calls.random_play())
    _obeys(mine, word, up(1, 2, 3, 4), (10,), True)
    return sure


def _with_dice(mine: Mine, word: str, box: Box, rolls: Sequence[int]) -> bool | None:
    """True if a game from `box` with our rolls is won; None if it does not call `dice_roll`."""
    with calls.loaded_dice(mine, word, rolls) as thrown:
        won = ask(mine, word, forms.result(mine.words), box)
    return won if thrown else None


def _obeys(mine: Mine, word: str, box: Box, rolls: Sequence[int], won: bool) -> None:
    """Raise a `Wrong` unless a game without a choice ends as our rolls say."""
    if _with_dice(mine, word, box, rolls) is (not won):
        text = f"`{mine.text(word, box)}` with the rolls {', '.join(map(str, rolls))}"
        answer, right = ("a loss", "a win") if won else ("a win", "a loss")
        raise Wrong(f"{text} is {answer}; it must be {right}.")


def _chooses(mine: Mine, word: str) -> None:
    """Raise a `Wrong` unless both moves from {2, 3, 5} with roll 5 are as likely, with our dice.

    The rolls 5, 2 and 3 win exactly if the first move shuts lever 5. A game that does not call
    `dice_roll` by name is not looked at here.
    """
    won = [_with_dice(mine, word, up(2, 3, 5), (5, 2, 3)) for _ in range(1000)]
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
        calls.shares(mine, word, value(up(7)), up(7))
    case = [start] if box and box.default is box.empty else []
    return calls.shares(mine, word, value(start), *case)


def simulate_simple_game(mine: Mine, word: str) -> str:
    """The share of n games is right, and the games are those of `play_simple_game`.

    A win is so rare that chance alone hardly tells games from none. So a function that wins half of
    its games takes the place of `play_simple_game`. A word with an argument `box` need not call it:
    its games from a box with more wins were counted before.
    """
    sure = _simulation(mine, word, start=simple_start, simple=True)
    n, wins, box = 100, list[bool](), calls.parameter(mine, word, "box")
    case = (n, simple_start) if box and box.default is box.empty else (n,)
    text = mine.text(word, *case)

    def fair_game(*values: AnyValue, **keywords: AnyValue) -> AnyValue:
        if (start := keywords.get("box", next(iter(values), simple_start))) != simple_start:
            right = f"it must begin with {levers(simple_start)}"
            raise Wrong(f"`{text}` plays from {in_words(start)}; {right}.")
        wins.append(random.random() < 0.5)
        return mine.words.get("WIN", WIN) if wins[-1] else mine.words.get("LOSS", LOSS)

    with calls.replaced(mine, word, "play_simple_game", fair_game):
        number = ask(mine, word, forms.share(mine.words, n), *case)
    if not (wins or box):
        how = "Play the games with your `play_simple_game`."
        raise NotRead(f"`{text}` was not seen to play. {how}")
    if wins and (len(wins), sum(wins)) != (n, number):
        games = f"the number of games that it plays is {len(wins)}, and that of wins {sum(wins)}"
        raise Wrong(f"`{text}` gives {number} wins of {n}; {games}.")
    return sure


simulate: Property = partial(_simulation, start=full_box(), simple=False)
"""The share of wins of n random games is right."""

# Task 10: the table


def _cells(mine: Mine, word: str, n: int) -> dict[Box, int]:
    """The wins of n games from each box, as the table has them."""
    text, form = mine.text(word, n), forms.mapping(BOX.read, "boxes to probabilities")
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
