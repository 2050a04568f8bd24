"""Task 9: the game in which a person chooses, played by a person of ours who types.

The dice are ours as well: a game throws them with `dice_roll`. The person reads from standard input
and sees standard output, so `input`, `print` and `sys.stdin.readline` all will do.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from typing import NamedTuple

from purembts.games.shut_the_box import Box, simple_start
from purembts.verify.tasks import forms
from purembts.verify.tasks.calls import Mine, ask, replaced
from purembts.verify.tasks.forms import NotRead, Value, Wrong, anything, levers, read, shown
from purembts.verify.tasks.games import a_box, certainly
from purembts.verify.tasks.moves import SHUT

# The properties

CHOICE: Box = a_box(1, 2, 3, 9)
"""The box where a game has to obey. With `ROLLS` it is won exactly if the first move shuts 3."""
ROLLS = (3, 2, 10)
FORMS = {True: ("3", "129", "3129", "1293"), False: ("12", "39", "1239", "3912")}
"""The digits on the line of a choice: the levers that it shuts, those that it leaves, or both."""
PAIRS: Box = a_box(2, 3, 4, 7, 8, 9)
"""The box in which three pairs add up to 11, so that a game with this roll is won."""


def play_game_user(mine: Mine, _word: str) -> str:
    """It shows the box, the roll and the numbered choices, asks where there is one, and obeys."""
    ends = [(SHUT, 7, True), (a_box(7), 7, True), (a_box(7), 6, False)]
    games = [play(mine, box, (roll,), ["1"]) for box, roll, _ in ends]
    if all(game.value is None for game in games):
        raise NotRead(f"{games[0].text} returns None. Return WIN or LOSS.")
    for game, (box, _, won) in zip(games, ends, strict=True):
        _ends_with_its_result(mine, game, box, won)
    _asks(mine)
    _shows_the_turn(mine)
    _obeys(mine, "1")
    _obeys(mine, "2")
    twice = play(mine, PAIRS, (11, 11, 11), ["1"])
    if len(twice.shown) < 3:
        raise Wrong(f"{twice.text} must ask twice; there are two turns with a choice.")
    _asks_again(mine, "?")
    _asks_again(mine, "99")
    return "14 games with our dice and answers"


def _ends_with_its_result(mine: Mine, game: Played, box: Box, won: bool) -> None:
    if _is_won(mine, game) != won:
        result = certainly(box) if won == (not box) else f"the game is a {'win' if won else 'loss'}"
        raise Wrong(f"{game.text} gives {shown(game.value)}, and {result}.")


def _asks(mine: Mine) -> None:
    game = play(mine, CHOICE, ROLLS, ["1"])
    if not game.rolls:
        raise NotRead("`play_game_user` was not played. Throw the dice with your `dice_roll`.")
    if len(game.shown) == 1:
        raise Wrong(f"{game.text} does not ask the person, who can shut 3 or 1 and 2.")


def _shows_the_turn(mine: Mine) -> None:
    """Raise a `Wrong` unless the box, the roll and a line for each choice are shown."""
    text = play(mine, simple_start, (11,), ["1"]).shown[0]
    rest = "".join(numbered(text)[1])
    if not re.search(".*".join("23456789"), rest, re.DOTALL):
        box = f"with {levers(simple_start)} it shows {rest!r}"
        raise Wrong(f"`play_game_user` must show the box; {box}.")
    if "11" not in rest:
        raise Wrong(f"`play_game_user` must show the roll; with a roll of 11 it shows {rest!r}.")
    found = play(mine, CHOICE, ROLLS, ["1"]).shown[0]
    if set(choices(found)) != {True, False}:
        form = "its number from 1, and the box that it leaves or the levers that it shuts"
        raise NotRead(forms.unread("play_game_user", found, f"a line for each choice: {form}"))


def _obeys(mine: Mine, answer: str) -> None:
    game = play(mine, CHOICE, ROLLS, [answer, "1"])
    if _is_won(mine, game) != choices(game.shown[0])[int(answer) - 1]:
        raise Wrong(f"{game.text} takes another move than that of line {answer}.")


def _asks_again(mine: Mine, bad: str) -> None:
    """Raise a `Wrong` if a game goes on with an answer that is no choice; an error is accepted."""
    good = play(mine, CHOICE, ROLLS, ["1"])
    try:
        game = play(mine, CHOICE, ROLLS, [bad, "1"])
    except Wrong:
        return
    if len(game.shown) != len(good.shown) + 1 or game.value != good.value:
        again = f"must ask again after {bad!r}, with the same roll; it is no choice"
        raise Wrong(f"{game.text} {again}.")


# The lines of a game


def numbered(text: str) -> tuple[list[str], list[str]]:
    """The texts after the numbers 1, 2, 3, ... at the ends of a text, and the lines before them."""
    lines = text.splitlines()
    ones = [i for i, line in enumerate(lines) if re.match(r"\W*1\b", line)]
    first = ones[-1] if ones else len(lines)
    found: list[str] = []
    for line in lines[first:]:
        number = re.match(rf"\W*{len(found) + 1}\b(.*)", line)
        found += [number[1]] if number else []
    return found, lines[:first]


def choices(text: str) -> list[bool]:
    """For each choice at `CHOICE` on the lines of a text, True if it shuts 3, False for 1 and 2."""
    digits = ["".join(re.findall(r"\d", line)) for line in numbered(text)[0]]
    return [shuts for each in digits for shuts, forms in FORMS.items() if each in forms]


class Played(NamedTuple):
    """A game of `play_game_user`."""

    text: str
    """The call, with the rolls and the answers."""
    shown: tuple[str, ...]
    """The lines before each question, and those after the last one."""
    value: Value
    rolls: int
    """The number of rolls."""


def _is_won(mine: Mine, game: Played) -> bool:
    return read(game.text.replace("`", ""), forms.result_of(mine.words), game.value)


# The person

MOST = 60
"""The most questions of one game that get an answer. A game has at most nine turns."""


class NoMoreAnswers(BaseException):
    """The end of a game that asks again and again. A solution does not catch it."""


class _Keyboard(io.TextIOBase):
    """A standard input whose lines are answers, the last of which comes again and again."""

    def __init__(self, answers: Sequence[str]) -> None:
        self.screen, self.parts = io.StringIO(), list[str]()
        self._answers = chain(answers, repeat(answers[-1]))

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # noqa: ARG002
        self.parts.append(self.screen.getvalue())
        self.screen.seek(0)
        self.screen.truncate()
        if len(self.parts) > MOST:
            raise NoMoreAnswers
        return f"{next(self._answers)}\n"

    def readable(self) -> bool:
        return True


def play(mine: Mine, box: Box, rolls: Sequence[int], answers: Sequence[str]) -> Played:
    """A game from `box` with these rolls and answers, the last of which come again and again."""
    keyboard, thrown, dice = _Keyboard(answers), list[int](), chain(rolls, repeat(rolls[-1]))

    def rolled(*_: Value, **__: Value) -> int:
        thrown.append(next(dice))
        return thrown[-1]

    how = f"the rolls {', '.join(map(str, rolls))} and the answers {', '.join(map(repr, answers))}"
    text = f"`{mine.text('play_game_user', box)}` with {how}"
    try:
        with replaced(mine, "play_game_user", "dice_roll", rolled), _at_terminal(keyboard):
            value = ask(mine, "play_game_user", anything, box)
    except NoMoreAnswers:
        again = f"{text} asks again and again"
        raise NotRead(f"{again}. Number the choices from 1, and take these numbers.") from None
    except Wrong as wrong:
        raise Wrong(f"{wrong} This was with {how}.") from None
    return Played(text, (*keyboard.parts, keyboard.screen.getvalue()), value, len(thrown))


@contextmanager
def _at_terminal(keyboard: _Keyboard) -> Iterator[None]:
    before = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = keyboard, keyboard.screen
    try:
        yield
    finally:
        sys.stdin, sys.stdout = before
