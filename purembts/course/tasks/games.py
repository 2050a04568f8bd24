"""Tasks 4, 6 to 8 and 10: all moves, and random games, compared with exact chances."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeAlias

from toolz import partition_all

from purembts import workshop
from purembts.course.tasks import calls, forms
from purembts.course.tasks.calls import ROLLS, SAMPLE, Mine, Property, ask, exact, same
from purembts.course.tasks.forms import BOX, AnyValue, Form, NotRead, Wrong, in_words, levers
from purembts.games.shut_the_box import LOSS, WIN, Box, boxes, full_box, simple_start

SHUT: Box = frozenset()
BY_SIZE: tuple[Box, ...] = tuple(sorted(boxes(), key=calls.by_size))
"""All boxes, the shut one first, and those with few levers before those with many."""
PLAYED: tuple[tuple[Box, int], ...] = tuple(product(BY_SIZE[1:], ROLLS))
"""All boxes but the shut one, where no game rolls, with all rolls."""

# The moves


def move_in_words(move: Box, box: Box, roll: int, moves: Collection[Box]) -> str:
    """The levers that a move from `box` shuts, and the reason if it is none of `moves`."""
    shut, up = box - move, move - box
    text = f"shuts {forms.levers_in_words(shut)}" if shut else "shuts no lever"
    if move in moves:
        return f"{text}. If that is the shut box, put it into a set" if move == SHUT else text
    if up:
        text = f"puts {forms.levers_in_words(up)} up again"
    elif not shut and not moves:
        text += "; there is no move, so the answer is an empty set"
    elif shut and sum(shut) != roll:
        text += f"; the sum is {sum(shut)}, and the roll is {roll}"
    elif shut:
        text += "; this game shuts only the lever of the roll"
    left = ". These are the levers to shut; a move is the box that is left"
    return text + left if shut in moves else text


def _right_moves(right: Callable[[Box, int], Collection[Box]]) -> Property:
    """The property that the moves of each box and roll are the boxes that they leave, each once."""

    def about(move: Box, box: Box, roll: int) -> str:
        return f", which {move_in_words(move, box, roll, right(box, roll))}"

    states = [*PLAYED, *product([SHUT], ROLLS)]
    return exact(states, forms.MOVES, calls.same_sets(right, about), "all {n} states")


simple_moves: Property = _right_moves(workshop.simple_moves)
possible_moves: Property = _right_moves(workshop.possible_moves)
_IS_WIN = same(workshop.is_win, lambda _, box: f"the levers that are up are {levers(box)}")
is_win: Property = exact([(box,) for box in BY_SIZE], forms.TRUTH, _IS_WIN, "all {n} boxes")
"""It is true for the shut box, and for no other."""
_ALL_BOXES = calls.same_sets(boxes, lambda _: "; there are 512 boxes")
_BOXES_FORM = forms.MOVES._replace(text=f"the boxes as a list or another iterable, each {BOX.text}")
all_boxes: Property = exact([()], _BOXES_FORM, _ALL_BOXES, "all 512 boxes")
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
    return levers_for_roll(mine.with_table(word, calls.call(mine, word)), word)


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
_START_IS_IGNORED = "Perhaps it begins with another box than the one that it gets."
LoadedGame: TypeAlias = tuple[Box, Sequence[int], bool, str]
"""A game without a choice: its box, its rolls, True if it is won, the usual reason of a fault."""
_OBEYED: Sequence[LoadedGame] = (
    (up(7), (6,), False, "A roll that has no move is a loss."),
    (up(7), (2, 3, 4, 5, 6, 7, 8, 9), False, _START_IS_IGNORED),
    (up(7), (2, 3, 4, 5, 6, 7, 8, 10), False, _START_IS_IGNORED),
    (SHUT, (7,), True, "All levers are down, so it is won, before a roll."),
    (up(7), (7,), True, "Lever 7 can be shut, and then all levers are down."),
    (up(3, 4), (3, 4), True, "Each turn has a roll of its own: throw the dice again."),
)
_SWAPPED = "Every game has the wrong result: are `WIN` and `LOSS` in each other's place?"


def play_simple_game(mine: Mine, word: str) -> str:
    """A random game of the simplified game is won with its exact probability."""
    advice = "The game goes on until all levers are down or a roll has no move."
    longer = (simple_start, range(2, 10), True, advice), (simple_start, (2, 2), False, advice)
    _check_dice(mine, word, (*_OBEYED, *longer))
    games = {SHUT: 20, up(7): 5000, up(3, 4): SAMPLE, up(1): 200, up(6, 7, 8): SAMPLE}
    return _check_wins(mine, word, games, calls.random_play(True))


def play_game(mine: Mine, word: str) -> str:
    """A random game is won with its exact probability, and all moves of a turn are as likely."""
    four = up(1, 2, 3, 4), (10,), True, "A move can shut four levers."
    _check_dice(mine, word, (*_OBEYED, four))
    few = {SHUT: 20, up(7): 5000, up(1, 2): 5000, up(1): 200}
    _check_wins(mine, word, few, calls.random_play())
    choice = _check_choice(mine, word)
    many = {up(1, 3, 4): 10_000, TELLING: 40_000, full_box(): SAMPLE}
    return f"{_check_wins(mine, word, many, calls.random_play())}{choice}"


def _with_dice(mine: Mine, word: str, box: Box, rolls: Sequence[int]) -> bool | None:
    """True if a game from `box` with our rolls is won; None if it does not call `dice_roll`."""
    with calls.loaded_dice(mine, word, rolls) as thrown:
        won = ask(mine, word, forms.result(mine.words), box)
    return won if thrown or not box else None


def _check_dice(mine: Mine, word: str, games: Sequence[LoadedGame]) -> None:
    """Raise a `Wrong` with a reason unless games without a choice end as our rolls say."""
    ends = [_with_dice(mine, word, box, rolls) for box, rolls, *_ in games]
    faults = [game for end, game in zip(ends, games, strict=True) if end is (not game[2])]
    for box, rolls, won, advice in faults[:1]:
        text = f"`{mine.text(word, box)}`"
        text += f" with the rolls {', '.join(map(str, rolls))}" if box else ""
        answer, right = ("a loss", "a win") if won else ("a win", "a loss")
        advice = _SWAPPED if len(faults) == len(games) else advice
        raise Wrong(f"{text} is {answer}; it must be {right}. {advice}")


def _check_choice(mine: Mine, word: str) -> str:
    """The phrase that the three moves from {1, 2, 3, 4, 5} with roll 5 are equally likely.

    The game is lost with the rolls 5, 2, 8 exactly if the first move shuts 2 and 3, and with the
    rolls 5, 4, 6 exactly if it shuts 1 and 4. A game that does not call `dice_roll` by name is not
    looked at here.
    """
    box, n, sure = up(1, 2, 3, 4, 5), SAMPLE // 5, ""
    for rolls, shut in ((5, 2, 8), "{2, 3}"), ((5, 4, 6), "{1, 4}"):
        ends = [_with_dice(mine, word, box, rolls) for _ in range(n)]
        if None not in ends:
            cases = f"games of `{mine.text(word, box)}` with the rolls {', '.join(map(str, rolls))}"
            hint = f" They are lost if the first move shuts {shut}. Each of the three moves {{5}}, "
            hint += "{1, 4} and {2, 3} must be equally likely."
            lost = ends.count(False)
            text = calls.check_chance("the share of losses", cases, lost, n, 1 / 3, hint)
            sure = f"; one of three moves: {text.partition('; ')[2]}"
    return sure


def _check_wins(
    mine: Mine, word: str, games: Mapping[Box, int], value: Callable[[Box], Fraction]
) -> str:
    """The phrase of `check_chance` for the last box, after all boxes are checked."""
    sure = ""
    for box, n in games.items():
        wins = sum(ask(mine, word, forms.result(mine.words), box) for _ in range(n))
        hint = _SEEDED if _is_seeded_in(mine, word, box) else ""
        cases = f"games of `{mine.text(word, box)}`"
        sure = calls.check_chance("the probability of winning", cases, wins, n, value(box), hint)
    return sure


def _is_seeded_in(mine: Mine, word: str, box: Box) -> bool:
    """True if a game seeds the module random, so that all games are the same."""
    states = set()
    for _ in range(2):
        random.seed(random.random())
        calls.call(mine, word, box)
        states.add(random.getstate())
    return len(states) == 1


# Tasks 7 and 8: the simulation


def _simulation(mine: Mine, word: str, *, start: Box, game: str) -> str:
    """N random games from `start` have the share of wins of their exact probability.

    Where the word has an argument `box`, games from another box are simulated, too.
    """
    is_simple = game == "play_simple_game"
    value, box = calls.random_play(is_simple), calls.parameters(mine, word).get("box")
    if box and isinstance(box.default, set | frozenset) and box.default != start:
        begins = f"`{word}` without a box begins with {levers(box.default)}"
        raise Wrong(f"{begins}; it must begin with {levers(start)}.")
    case = [start] if box and box.default is box.empty else []
    is_seen = _counts_wins(mine, word, start, game, *case)
    if box:
        calls.check_share(mine, word, value(up(7)), up(7))
    sure = calls.check_share(mine, word, value(start), *case)
    if is_simple and not (is_seen or box):  # a win is so rare that no game would do
        text = mine.text(word, 100, *case)
        raise NotRead(f"`{text}` was not seen to play. Play the games with your `{game}`.")
    return sure


def _counts_wins(mine: Mine, word: str, start: Box, game: str, *case: Box) -> bool:
    """True if the word plays n games from `start` with the word `game`, and counts the wins.

    In the place of `game` is a function that wins half of its games. A result in another form is
    not read. A game that is not called by name is not seen, and the answer is False.
    """
    if game in mine.words:
        ask(mine, game, forms.result(mine.words), up(7))
    n, wins, text = 100, list[bool](), mine.text(word, 100, *case)

    def fair_game(*values: AnyValue, **keywords: AnyValue) -> AnyValue:
        if (box := keywords.get("box", next(iter(values), start))) != start:
            right = f"it must begin with {levers(start)}"
            raise Wrong(f"`{text}` plays from {in_words(box)}; {right}.")
        wins.append(random.random() < 0.5)
        return mine.words.get("WIN", WIN) if wins[-1] else mine.words.get("LOSS", LOSS)

    with calls.replaced(mine, word, game, fair_game):
        number = ask(mine, word, forms.share(mine.words, n), n, *case)
    if wins and (len(wins), sum(wins)) != (n, number):
        games = f"the number of games that it plays is {len(wins)}, and that of wins {sum(wins)}"
        advice = "Play n games, and return after the last one."
        advice = "Count each result that is `WIN`." if len(wins) == n else advice
        raise Wrong(f"`{text}` gives {number} wins of {n}; {games}. {advice}")
    return bool(wins)


simulate_simple_game: Property = partial(_simulation, start=simple_start, game="play_simple_game")
"""The share of n games is right, and the games are those of `play_simple_game`."""
simulate: Property = partial(_simulation, start=full_box(), game="play_game")
"""The share of wins of n random games is right."""

# Task 10: the table


def _cells(mine: Mine, word: str, n: int) -> dict[Box, int]:
    """The wins of n games from each box, as the table has them."""
    text = mine.text(word, n)
    form = forms.mapping(BOX.read, "boxes, each a frozenset, to probabilities")
    entries = mine.with_table(text, ask(mine, word, form, n))
    return {box: ask(entries, text, forms.share(mine.words, n), box) for box in BY_SIZE}


def look_up_table(mine: Mine, word: str) -> str:
    """The table has for each box the share of wins of 40 random games."""
    n, value, text = 40, calls.random_play(), mine.text(word, 40)
    wins = _cells(mine, word, n)
    cell = partial(mine.with_table(text, wins).text, text)
    sure, others = "", sorted((box for box in wins if 0 < value(box) < 1), key=value)
    for box in (box for box in BY_SIZE if value(box) in (0, 1)):
        calls.check_chance("the share of wins", f"games of `{cell(box)}`", wins[box], n, value(box))
    if {*wins.values()} <= {0, n}:
        one = "That looks like one game for each box"
        raise Wrong(f"`{text}` has only the values 0 and 1. {one}; it must be {n} games.")
    for group in partition_all(len(others) // 3 + 1, others):
        low, high = float(value(group[0])), float(value(group[-1]))
        of = f"the mean of `{text}` over the boxes with probabilities from {low:.2g} to {high:.2g}"
        # Games from different boxes vary less than games that all have the mean probability.
        p = sum(map(value, group)) / len(group)
        sure = calls.check_chance(of, "games", sum(wins[box] for box in group), n * len(group), p)
    for box in others:
        calls.check_chance("the share of wins", f"games of `{cell(box)}`", wins[box], n, value(box))
    _cells(mine, word, 3)
    return sure
