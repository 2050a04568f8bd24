"""Task 9: the game in which a person chooses, played by a person of ours who types.

The check cannot read the questions, because each learner writes them in another way. So it tries
answers in several forms, and it compares what different games show: in each style, two different
boxes do not look the same.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from purembts.games.shut_the_box import Box, full_box
from purembts.verify.solution_calls import (
    Solution,
    Wrong,
    call_text,
    guarded,
    replaced,
    reseeded,
    takes,
)
from purembts.verify.solutions import (
    Value,
    box_of,
    boxes_of,
    levers_text,
    result_of,
    roll_of,
    shown,
)
from purembts.verify.task_chances import fits, outcomes
from purembts.verify.task_checks_games import a_box, values
from purembts.verify.task_checks_moves import SHUT
from purembts.workshop import possible_moves

MOST = 60
"""The most questions of one game that get an answer. A game has at most nine turns."""


class NoMoreAnswers(BaseException):
    """The end of a game that asks again and again. A learner's code does not catch it."""


class Turn(NamedTuple):
    """A call of the learner's `possible_moves` in the course of a game."""

    box: Box
    roll: int
    moves: tuple[Box, ...]


class Played(NamedTuple):
    """A game of the learner's `play_game_user`."""

    text: str
    """All that the game showed, with the questions."""
    before: str
    """The text before the first answer."""
    after: str
    """The text after the first answer."""
    answers: list[str]
    questions: int
    asked_at: int
    """The number of calls of `possible_moves` before the first answer."""
    value: Value
    """The value that the function returned."""
    turns: list[Turn]
    """The turns, as far as the game calls `possible_moves`."""


Answer: TypeAlias = Callable[[int, str, list[Turn]], str]
"""The answer to question number n, from 0, given the text and the turns before it."""


def play(solution: Solution, box: Box, answer: Answer, seed: int) -> Played:
    """A game from `box` with these answers; a `Wrong` if it raises or asks without end."""
    said: list[str] = []
    turns: list[Turn] = []
    first: list[tuple[int, int]] = []
    asked: list[str] = []

    def read(*prompt: Any) -> str:
        said.extend(map(str, prompt))
        if len(asked) >= MOST:
            raise NoMoreAnswers
        asked.append(answer(len(asked), "".join(said), turns))
        said.append("\n")
        first.append((len(said), len(turns)))
        return asked[-1]

    value = _call(solution, box, seed, read, said, turns, asked)
    cut, calls = first[0] if first else (len(said), len(turns))
    before, after = "".join(said[:cut]), "".join(said[cut:])
    return Played(before + after, before, after, asked, len(asked), calls, value, turns)


def _call(
    solution: Solution,
    box: Box,
    seed: int,
    read: Callable[..., str],
    said: list[str],
    turns: list[Turn],
    asked: list[str],
) -> Value:
    """The value of the learner's game; an error names the answers before it."""
    given: dict[str, Value] = {"box": solution.make_box(box)}
    text = call_text("play_game_user", given.values())
    function = solution.words["play_game_user"]
    given |= {"read": read} if takes(function, "read") else {}
    given |= {"write": _writer(said)} if takes(function, "write") else {}
    called = guarded(reseeded(solution, seed), "play_game_user", text, given)
    try:
        with (
            replaced(solution, "possible_moves", _spy(turns)),
            _typed(read),
            contextlib.redirect_stdout(_Screen(said)),
        ):
            return called()
    except NoMoreAnswers:
        shown_answers = ", ".join(repr(answer) for answer in dict.fromkeys(asked))
        raise Wrong(f"`{text}` asks again and again; the answers were {shown_answers}.") from None
    except Wrong as wrong:
        last = f" The last answer was {asked[-1]!r}." if asked else ""
        raise Wrong(f"{wrong}{last}") from wrong


def _writer(said: list[str]) -> Callable[..., None]:
    def write(*parts: Any, end: str = "\n", **_: Any) -> None:
        said.append(" ".join(map(str, parts)) + end)

    return write


class _Screen(io.TextIOBase):
    """A text stream that collects the text written to it."""

    def __init__(self, said: list[str]) -> None:
        self.said = said

    def write(self, text: str) -> int:
        self.said.append(text)
        return len(text)


@contextlib.contextmanager
def _typed(read: Callable[..., str]) -> Iterator[None]:
    """Let `input` be `read`, for functions that call `input` themselves."""
    before = vars(builtins)["input"]
    vars(builtins)["input"] = read
    try:
        yield
    finally:
        vars(builtins)["input"] = before


def _spy(turns: list[Turn]) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """A replacement of `possible_moves` that adds each of its calls to `turns`."""

    def make(real: Callable[..., Value]) -> Callable[..., Value]:
        def spy(*args: Any, **named: Any) -> Value:
            moves = real(*args, **named)
            moves = list(moves) if isinstance(moves, Iterator) else moves
            with contextlib.suppress(ValueError, IndexError):
                box, roll = [*args, *named.values()][:2]
                turns.append(Turn(box_of(box), roll_of(roll), tuple(boxes_of(moves))))
            return moves

        return spy

    return make


# The answers

Form: TypeAlias = Callable[[Box, Box], str]
"""A move, from a box to a box, as a person types it."""


def number(first: int) -> Callable[[int], Answer]:
    """Answers with the number of a choice, where the numbers begin with `first`."""

    def style(choice: int) -> Answer:
        return lambda n, *_: str(first + (choice if n == 0 else 0))

    return style


def letter(first: str) -> Callable[[int], Answer]:
    """Answers with the letter of a choice, where the letters begin with `first`."""

    def style(choice: int) -> Answer:
        return lambda n, *_: chr(ord(first) + (choice if n == 0 else 0))

    return style


def words_of(start: Box, form: Form) -> Callable[[int], Answer]:
    """Answers with a move in words, for games that begin with the box `start`."""

    def style(choice: int) -> Answer:
        believed = [start]

        def answer(n: int, text: str, turns: list[Turn]) -> str:
            if turns:
                box, moves = turns[-1].box, sorted(turns[-1].moves, key=sorted)
            else:
                box = believed[0]
                rolls = [int(r) for r in re.findall(r"\b(1[0-2]|[2-9])\b", text)]
                rolls = [r for r in rolls if possible_moves(box, r)]
                moves = (
                    sorted(possible_moves(box, rolls[-1 - n % len(rolls)]), key=sorted)
                    if rolls
                    else []
                )
            if not moves:
                return "1"
            move = moves[choice % len(moves) if n == 0 else 0]
            return form(box, move)

        return answer

    return style


def _forms(solution: Solution) -> Iterator[Form]:
    """The forms of a move in words: the levers that are shut, or the levers that stay up."""
    joins = (" ", ",", ", ", "+", "")
    yield from (partial(_shut, mark) for mark in joins)
    yield lambda box, move: str(sorted(box - move))
    yield from (partial(_left, mark) for mark in joins)
    yield lambda _, move: str(sorted(move))
    to_str = solution.words.get("box_to_str")
    if callable(to_str):
        yield lambda _, move: str(to_str(solution.make_box(move)))


def _shut(mark: str, box: Box, move: Box) -> str:
    return mark.join(map(str, sorted(box - move)))


def _left(mark: str, box: Box, move: Box) -> str:  # noqa: ARG001 - a form gets both boxes
    return mark.join(map(str, sorted(move)))


Style: TypeAlias = Callable[[int], Answer]


def _style(solution: Solution) -> tuple[Style, int]:
    """The first style of answers that games accept, and the questions of ten games."""
    styles: list[Style] = [number(1), number(0), letter("a"), letter("A")]
    styles += [words_of(full_box(), form) for form in _forms(solution)]
    first: Wrong | None = None
    for style in styles:
        try:
            games = [play(solution, full_box(), style(0), seed) for seed in range(10)]
        except Wrong as wrong:
            first = first or wrong
            continue
        return style, sum(game.questions for game in games)
    raise Wrong(
        f"{first} The answers that were tried are the numbers of the choices from 1 and from 0, "
        "letters from a, the levers to shut, and the box after the move."
    )


# The checks


def check_play_game_user(solution: Solution) -> str:
    """Check `play_game_user`: it ends, asks, obeys, and shows the box and the roll."""
    for box in (SHUT, a_box(1), a_box(7)):
        _outcome(solution, box, play(solution, box, number(1)(0), 0))
    style, questions = _style(solution)
    if not questions:
        raise Wrong(
            "`play_game_user` from the full box does not ask the person in ten games. It must ask "
            "whenever there is a choice."
        )
    _check_turns(solution, style)
    _check_choice(solution, style)
    _check_display(solution, style)
    _check_questions([play(solution, full_box(), style(0), seed) for seed in range(30)])
    _check_wrong_answer(solution, style)
    return f"{_check_results(solution, style)}. The words that it shows were not read"


def _check_values(games: list[Played]) -> None:
    """Raise a `Wrong` if some games return a result and others return None."""
    without = [game for game in games if game.value is None]
    returned = [game.value for game in games if game.value is not None]
    if without and returned:
        end = without[0].text.strip().splitlines()[-1:] or [""]
        raise Wrong(
            f"`play_game_user` returns {shown(returned[0])} from some games and None from others, "
            f"for example from one that ends with {end[0]!r}. Does a recursive call need a return?"
        )


LOSS_WORDS = re.compile(r"los[te]|loss|losing|defeat|game over|stuck", re.IGNORECASE)
WIN_WORDS = re.compile(r"\bw[io]n|congrat|victor", re.IGNORECASE)


def _outcome(solution: Solution, box: Box, game: Played) -> bool:
    """True if the game was won, by its value or its last words; a `Wrong` if that cannot be."""
    text = call_text("play_game_user", (solution.make_box(box),))
    won = _result(solution, text, game)
    if won != values(False)(box) and values(False)(box) in (0, 1):
        why = "the shut box is a win" if not box else "from this box there is no way to win"
        end = game.text.strip().splitlines()[-1:] or [""]
        raise Wrong(
            f"`{text}` is a {'win' if won else 'loss'}, and {why}. It returns {shown(game.value)}, "
            f"and its last line is {end[0]!r}."
        )
    return won


def _result(solution: Solution, text: str, game: Played) -> bool:
    if game.value is not None:
        try:
            return bool(result_of(game.value, solution.own))
        except ValueError as error:
            if not isinstance(game.value, str):
                raise Wrong(f"`{text}` gives {shown(game.value)}. {error}") from None
    last = game.value if isinstance(game.value, str) else game.text
    lost = [found.start() for found in LOSS_WORDS.finditer(last)]
    won = [found.start() for found in WIN_WORDS.finditer(last)]
    return not lost or (bool(won) and won[-1] > lost[-1])


def _check_turns(solution: Solution, style: Style) -> None:
    """Raise a `Wrong` if a game goes to a box that is no move, or does not ask at a choice."""
    for seed in range(20):
        game = play(solution, full_box(), style(0), seed)
        states = list(dict.fromkeys(game.turns))
        for turn, after in pairwise(states):
            if after.box not in (*turn.moves, turn.box):
                raise Wrong(
                    f"`play_game_user` goes from {levers_text(turn.box)} with a roll of "
                    f"{turn.roll} to {levers_text(after.box)}, and that is none of the choices."
                )
        choices = [turn for turn in states if len(turn.moves) > 1]
        if len({turn.box for turn in choices}) > game.questions:
            raise Wrong(
                f"`play_game_user` asks {game.questions} times in a game with {len(choices)} "
                f"choices, for example at {levers_text(choices[-1].box)} with a roll of "
                f"{choices[-1].roll}."
            )


def _check_choice(solution: Solution, style: Style) -> None:
    """Raise a `Wrong` if games with different answers to the first question go on alike."""
    for seed in range(10):
        one, two = (play(solution, full_box(), style(choice), seed) for choice in (0, 1))
        if one.after != two.after:
            return
    raise Wrong(
        "`play_game_user` goes on in the same way after the first and after the second choice; it "
        "must use the choice of the person."
    )


def _check_display(solution: Solution, style: Style) -> None:
    """Raise a `Wrong` if games do not show the box, or do not show the roll."""
    looks = []
    for box in (a_box(8), a_box(9)):
        games = [play(solution, box, style(0), seed) for seed in range(30)]
        lost = [game for game in games if not _outcome(solution, box, game)]
        looks.append({game.text for game in lost})
        _check_roll_shown([game for game in lost if len(game.turns) == 1])
    if len(looks[0]) == 1:
        raise Wrong(
            "`play_game_user` must show the roll. All lost games from {8} look the same: "
            f"{min(looks[0])[-200:]!r}."
        )
    if looks[0] & looks[1]:
        raise Wrong(
            "`play_game_user` must show the box. A game from {8} looks like one from {9}: "
            f"{min(looks[0] & looks[1])[-200:]!r}."
        )


def _check_roll_shown(games: list[Played]) -> None:
    """Raise a `Wrong` if games of one turn look the same with different rolls of the moves."""
    rolls_of: dict[str, int] = {}
    for game in games:
        roll = game.turns[0].roll
        if rolls_of.setdefault(game.text, roll) != roll:
            raise Wrong(
                "`play_game_user` must show the roll that it asks `possible_moves` for. With a "
                f"roll of {rolls_of[game.text]} and with a roll of {roll} it shows the same: "
                f"{game.text[-200:]!r}."
            )


def _check_questions(games: list[Played]) -> None:
    """Raise a `Wrong` if first questions do not show the choices, or an answer takes another one.

    The text without its numbers depends on the number of choices, if the choices are shown.
    """
    first = [game for game in games if game.questions and game.asked_at]
    turns = [(game, game.turns[game.asked_at - 1]) for game in first]
    asked = [(game, turn) for game, turn in turns if turn.box == full_box()]
    shapes = {re.sub(r"\d+", "", game.before) for game, _ in asked}
    numbers = {len(turn.moves) for _, turn in asked if len(turn.moves) > 1}
    if len(numbers) > 1 and len(shapes) == 1:
        raise Wrong(
            f"`play_game_user` must show the choices. With {min(numbers)} choices and with "
            f"{max(numbers)} it shows the same, but for numbers: {asked[0][0].before[-200:]!r}."
        )
    for game, turn in asked:
        _check_number(game, turn)


def _check_number(game: Played, turn: Turn) -> None:
    """Raise a `Wrong` if the game goes on with another move than that of the line answered with."""
    answer = game.answers[0]
    listed = _listed_moves(game.before, turn)
    follow = [later.box for later in game.turns[game.asked_at :] if later.box != turn.box]
    if answer in listed and follow and follow[0] != listed[answer]:
        raise Wrong(
            f"`play_game_user`: the answer {answer} at {levers_text(turn.box)} with a roll of "
            f"{turn.roll} leads to {levers_text(follow[0])}, and line {answer} of the choices is "
            f"{levers_text(listed[answer])}."
        )


def _listed_moves(text: str, turn: Turn) -> dict[str, Box]:
    """The moves by their numbers in a list of choices; empty if the lines cannot be read."""
    for first in (1, 0):
        numbers = [str(first + i) for i in range(len(turn.moves))]
        lines = [re.findall(rf"^\W*{number}\b(.*)$", text, re.MULTILINE) for number in numbers]
        if all(len(found) == 1 for found in lines):
            levers = [frozenset(map(int, re.findall(r"\d", found[0]))) for found in lines]
            for boxes in (levers, [turn.box - shut for shut in levers]):
                if sorted(map(sorted, boxes)) == sorted(map(sorted, turn.moves)):
                    return dict(zip(numbers, boxes, strict=True))
    return {}


def _check_wrong_answer(solution: Solution, style: Style) -> None:
    """Raise a `Wrong` if the dice are thrown again after an answer that is no choice.

    The workshop does not say that a game must live with such answers, so an error is accepted.
    """

    def answer(n: int, text: str, turns: list[Turn]) -> str:
        return "?" if n == 0 else style(0)(n, text, turns)

    for seed in range(20):
        try:
            game = play(solution, full_box(), answer, seed)
        except Wrong:
            return
        asked, later = game.turns[: game.asked_at], game.turns[game.asked_at :]
        if asked and later and later[0].box == asked[-1].box and later[0].roll != asked[-1].roll:
            raise Wrong(
                "`play_game_user` throws the dice again after the answer '?', which is no choice: "
                f"first a roll of {asked[-1].roll}, then {later[0].roll}. Ask again with the same "
                "roll."
            )


def _check_results(solution: Solution, style: Style) -> str:
    """Check that the games from {7} are won with probability 1/6."""
    seeds = iter(range(10**6))

    def won() -> bool:
        return _outcome(solution, a_box(7), play(solution, a_box(7), style(0), next(seeds)))

    games = [
        (box, play(solution, box, style(0), seed))
        for box in (SHUT, a_box(1), a_box(7), full_box())
        for seed in range(20)
    ]
    for box, game in games:
        _outcome(solution, box, game)
    _check_values([game for _, game in games])
    wins = outcomes(solution, won, max(400, solution.games // 10))
    p = values(False)(a_box(7))
    of, calls = "the probability of winning", "games of `play_game_user({7})`"
    return fits(of, "games from {7}", sum(wins), len(wins), p, calls=calls)
