"""Task 9: the game in which a person chooses, played by a program that types.

The dice are loaded: a game throws them with `dice_roll`. The person types into standard input and
sees standard output, so a game can ask with `input` or with `sys.stdin.readline`.
"""

from __future__ import annotations

import io
import re
import sys
from itertools import chain, repeat
from typing import NamedTuple

from purembts.course.tasks.calls import Mine, ask, loaded_dice
from purembts.course.tasks.forms import NotRead, Wrong, levers, result
from purembts.course.tasks.games import SHUT, up
from purembts.games.shut_the_box import Box, simple_start
from purembts.loading import streams

CHOICE: Box = up(1, 2, 3, 4, 6)
"""The box where a game has to obey. With `DICE` it is won exactly if the first move shuts 1, 4."""
DICE = (5, 9, 2)
SHUTS_1_4, SHUTS_2_3 = (up(1, 4), up(2, 3, 6)), (up(2, 3), up(1, 4, 6))
"""The levers that each choice shuts, and those that it leaves."""
_BESIDE = CHOICE, up(5)
"""The box and the roll, which may stand on the line of a choice too."""
_LEVERS = re.compile(r"\d(?:(?:[\s,+&]|and)*\d)*")
"""Digits that belong together: a set, a sum, or words with "and"."""
_BEFORE = r"(?i:\W|option|choice|move)*"
"""The beginning of the line of a choice, up to its number."""
_HINT = re.compile(r"\d*\.\d+ *%?|\d+ *%")
"""A hint beside a choice."""
_PAIRS: Box = up(2, 3, 4, 7, 8, 9)
"""The box in which three pairs add up to 11, so that a game with this roll has two choices."""
_FORM = "Write for each choice a line: its number from 1, and the box that it leaves or the levers"


def play_game_user(mine: Mine, word: str) -> str:
    """It shows the box, the roll and the numbered choices, asks where there is one, and obeys."""
    for box, roll, won in ((SHUT, 7, True), (up(7), 7, True), (up(7), 6, False)):
        if (game := play(mine, word, box, roll)).won != won:
            raise Wrong(f"{game.text} must be a {'win' if won else 'loss'}.")
    _shows_the_turn(mine, word)
    first = play(mine, word, CHOICE, *DICE)
    lines = [_HINT.sub("", line) for line in numbered(first.screens[0])[1]]
    choices = [shuts_1_4(line) for line in lines]
    if sorted(map(str, choices)) != ["False", "True"]:
        raise NotRead(f"`{word}` shows {first.screens[0]!r}, which was not read. {_FORM} it shuts.")
    for answer in "1", "2":
        game = play(mine, word, CHOICE, *DICE, answers=(answer, "1"))
        if game.won != choices[int(answer) - 1]:
            raise Wrong(f"{game.text} takes another move than that of line {answer}.")
    if len((twice := play(mine, word, _PAIRS, 11)).screens) < 3:
        raise Wrong(f"{twice.text} must ask twice; there are two turns with a choice.")
    for bad in "?", "99", "0", "-1":
        _asks_again(mine, word, bad, first)
    return "12 games with our dice and answers"


def shuts_1_4(line: str) -> bool | None:
    """True if the line of a choice has the move that shuts 1 and 4, False if the other; else None.

    It has the levers to shut, those that are left, or both, one after the other.

    >>> shuts_1_4(") flip {1, 4} to get {2, 3, 6}"), shuts_1_4("1 4 6"), shuts_1_4("leaves 1 4")
    (True, False, True)
    """
    groups = [frozenset(map(int, re.findall(r"\d", text))) for text in _LEVERS.findall(line)]
    parts = {group for group in groups if group not in _BESIDE}
    digits = "".join(re.findall(r"\d", line))
    for is_first, both in ((True, SHUTS_1_4), (False, SHUTS_2_3)):
        shut, left = ("".join(map(str, sorted(levers))) for levers in both)
        is_line = digits in (shut + left, left + shut) or frozenset(map(int, digits)) in both
        if is_line or (parts and parts <= {*both}):
            return is_first
    return None


def _shows_the_turn(mine: Mine, word: str) -> None:
    """Raise a `Wrong` unless a game shows the box and the roll, and asks which move it takes."""
    game = play(mine, word, simple_start, 11)
    if len(game.screens) == 1:
        raise Wrong(f"{game.text} does not ask the person, who has a choice.")
    head = numbered(game.screens[0])[0]
    if not re.search(".*".join("23456789"), head, re.DOTALL):
        raise Wrong(f"`{word}` must show the box; with {levers(simple_start)} it shows {head!r}.")
    if "11" not in head:
        raise Wrong(f"`{word}` must show the roll; with a roll of 11 it shows {head!r}.")


def _asks_again(mine: Mine, word: str, bad: str, good: _Game) -> None:
    """Raise a `Wrong` if a game goes on with an answer that is no choice; an error is accepted."""
    try:
        game = play(mine, word, CHOICE, *DICE, answers=(bad, "1"))
    except Wrong:
        return
    if len(game.screens) != len(good.screens) + 1 or game.won != good.won:
        again = f"must ask again after {bad!r}, with the same roll; it is no choice"
        raise Wrong(f"{game.text} {again}.")


def numbered(text: str) -> tuple[str, list[str]]:
    """A text up to its last line with the number 1, and the rest of each line 1, 2, 3, ..."""
    lines = text.splitlines()
    ones = [i for i, line in enumerate(lines) if re.match(rf"{_BEFORE}1\b", line)]
    first = ones[-1] if ones else len(lines)
    choices: list[str] = []
    for line in lines[first:]:
        if number := re.match(rf"{_BEFORE}{len(choices) + 1}\b(.*)", line):
            choices.append(number[1])
    return "\n".join(lines[:first]), choices


# The person


class _Game(NamedTuple):
    """A game of `play_game_user`."""

    text: str
    """The call, with the rolls and the answers."""
    screens: list[str]
    """The screen before each question, and after the last one."""
    won: bool


QUESTIONS = 60
"""The most questions of one game that get an answer. A game has at most nine turns."""
_QUESTION = "\0"
"""A mark on the screen where the person is asked."""


class _Keyboard(io.StringIO):
    """A standard input with answers, the last of which comes again and again; then Ctrl-C."""

    def __init__(self, answers: tuple[str, ...]) -> None:
        super().__init__()
        self._answers = chain(answers, repeat(answers[-1], QUESTIONS))

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # noqa: ARG002
        sys.stdout.write(_QUESTION)
        answer = next(self._answers, None)
        if answer is None:
            raise KeyboardInterrupt
        return f"{answer}\n"


def play(mine: Mine, word: str, box: Box, *dice: int, answers: tuple[str, ...] = ("1",)) -> _Game:
    """A game from `box` with these rolls and answers, the last of which come again and again."""
    how = f"the rolls {', '.join(map(str, dice))} and the answers {', '.join(map(repr, answers))}"
    text = f"`{mine.text(word, box)}` with {how}"
    try:
        with streams(_Keyboard(answers)) as screen, loaded_dice(mine, word, dice) as thrown:
            won = ask(mine, word, result(mine.words), box)
    except KeyboardInterrupt:
        again = f"{text} asks again and again"
        raise NotRead(f"{again}. Number the choices from 1, and take these numbers.") from None
    except Wrong as wrong:
        raise Wrong(f"{wrong} This was with {how}.") from None
    if box and not thrown:
        raise NotRead(f"{text} was not played. Throw the dice with your `dice_roll`.")
    return _Game(text, screen.getvalue().split(_QUESTION), won)
