"""A game between strategies that is watched: live in a terminal, line by line into a pipe."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from select import select
from shutil import get_terminal_size

from purembts.shell import screen
from purembts.shell.games import begin
from purembts.shell.players import watched_player
from purembts.surfaces.dialogue import specs_of
from purembts.surfaces.minds import Thought, all_thoughts, usual_player
from purembts.surfaces.watching import footer, frame, is_done, turn_facts
from purembts.surfaces.wording import CLEAR, REVERSED

NAMES = {"\x1b[C": "f", "\x1b[D": "b", " ": "f", "\n": "f", "\r": "f", "": "f", "\x04": "q"}
"""The letters that the other keys stand for."""


def work(options: Namespace) -> int:
    """Show the game of `options`; the exit code."""
    game, seed = options.game, options.seed
    start, bound = begin(game, options.start, seed), options.bound
    names = specs_of(game, (), options.players, usual_player(game, start))
    players = {
        seat: watched_player(game, text, bound=bound, start=start) for seat, text in names.items()
    }
    # The first game of a match with this seed has the same moves.
    thoughts = all_thoughts(game, start, players, Random(f"{seed}/0"), bound=bound)
    if options.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        before = None
        for n, thought in enumerate(filter(is_done, thoughts)):
            if options.json:
                screen.say(json.dumps(turn_facts(game, names, n, thought)))
            else:
                screen.say("\n".join([*frame(game, names, n, before, thought), ""]))
            before = thought.turn.state
            sys.stdout.flush()
    else:
        with keys() as pressed:
            lines = live(partial(frame, game, names), thoughts, pressed, options.delay)
        screen.say("\n".join(lines))
    return 0


def live(
    text: Callable[..., list[str]],
    thoughts: Iterator[Thought],
    pressed: Callable[[float | None], str | None],
    delay: float | None,
) -> list[str]:
    """Show `thoughts` as the keys ask for them; the last lines that were shown.

    `pressed` gets a number of seconds, or None to wait for a key; its value is None without a key.
    Keys are looked at after each thought. The next turn waits for the end of the thoughts.
    """
    known: list[Thought] = []
    at, goes, skips = 0, delay is not None, False
    while True:
        if at == len(known) or not is_done(known[at]):
            known[at:] = [next(thoughts)]
        thought, before = known[at], known[at - 1].turn.state if at else None
        thinks, is_end = not is_done(thought), not thought.turn.moves
        width, height = get_terminal_size()
        lines = text(at, before, thought, width=width, height=height - 2, ends=REVERSED)
        keys = footer(width, at=at, is_end=is_end, goes=None if delay is None else goes)
        print(CLEAR + "\n".join([*lines, "", keys]), end="", flush=True)
        key = pressed(0 if thinks or skips else delay if goes and not is_end else None)
        if key == "q":
            return lines
        goes = goes != (key == "p" and delay is not None)
        if key == "b":
            at, skips = max(0, at - 1), False
        elif thinks:
            skips = skips or key == "f"
        elif key in (None, "f") and not is_end:
            at, skips = at + 1, False


@contextmanager
def keys() -> Iterator[Callable[[float | None], str | None]]:
    """A function that waits for a key, or for some seconds; its value is a letter, or None."""
    try:
        import termios
        import tty
    except ImportError:  # keys with Enter
        yield lambda seconds: None if seconds == 0 else NAMES.get(typed := input(), typed)
        return
    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    try:
        tty.setcbreak(file)
        print("\x1b[?1049h", end="")
        yield partial(_key, file)
    finally:
        print("\x1b[?1049l", end="", flush=True)
        termios.tcsetattr(file, termios.TCSADRAIN, before)


def _key(file: int, seconds: float | None) -> str | None:
    if not select([file], [], [], seconds)[0]:
        return None
    typed = os.read(file, 8).decode(errors="ignore")
    return NAMES.get(typed, typed.lower())
