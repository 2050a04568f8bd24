"""A game between strategies that is watched: live in a terminal, line by line into a pipe."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from select import select
from shutil import get_terminal_size

from purembts.app.frames import frame, is_done, turn_facts
from purembts.app.kinds import AnyGame
from purembts.app.progress import unechoed
from purembts.app.sentences import CLEAR, REVERSED
from purembts.app.thinking import Thought

NAMES = {"\x1b[C": "f", "\x1b[D": "b", " ": "f", "\n": "f", "\r": "f", "": "f", "\x04": "q"}
"""The letters that the other keys stand for."""
HELP = "space: next   b: back   q: quit"
"""The line of the keys, to which a game with a delay adds `p`."""


def printed(
    game: AnyGame, names: Mapping[int, str], thoughts: Iterator[Thought], *, as_json: bool
) -> Iterator[str]:
    """The texts of a game that is not watched live: one for each turn, as lines or as JSON."""
    before = None
    for n, thought in enumerate(filter(is_done, thoughts)):
        if as_json:
            yield json.dumps(turn_facts(game, names, n, thought))
        else:
            yield "\n".join([*frame(game, names, n, before, thought), ""])
        before = thought.turn.state


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
        keys = HELP if delay is None else f"{HELP}   p: {'pause' if goes else 'go on'}"
        print(CLEAR + "\n".join([*lines, "", keys[:width]]), end="", flush=True)
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
    with unechoed() as file:
        if file is None:  # keys with Enter
            yield lambda seconds: None if seconds == 0 else NAMES.get(typed := input(), typed)
            return
        print("\x1b[?1049h", end="")
        try:
            yield partial(_key, file)
        finally:
            print("\x1b[?1049l", end="", flush=True)


def _key(file: int, seconds: float | None) -> str | None:
    if not select([file], [], [], seconds)[0]:
        return None
    typed = os.read(file, 8).decode(errors="ignore")
    return NAMES.get(typed, typed.lower())
