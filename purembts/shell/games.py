"""The games of the command line: by their names, or from the file or the module of a user."""

from collections.abc import Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from purembts.checks import brief
from purembts.game import Game
from purembts.games.big_two import big_two
from purembts.games.last_coin import last_coin
from purembts.games.mnk import mnk
from purembts.games.reversi import reversi
from purembts.games.shut_the_box import shut_the_box, simple_game
from purembts.shell.worker import Unloadable, frames_of, game_of, thing_called
from purembts.surfaces import parsing
from purembts.surfaces.commands import is_name
from purembts.surfaces.parsing import begin as begin
from purembts.surfaces.parsing import position_called as position_called

WORKSHOP: Mapping[str, parsing.Maker] = {
    "shut-the-box": shut_the_box,
    "simple-shut-the-box": lambda: simple_game,
}
"""The games of the workshop, whose searches have the workshop's bound."""

GAMES: Mapping[str, parsing.Maker] = {
    **WORKSHOP,
    "coins": last_coin,
    "tic-tac-toe": partial(mnk, columns=3, rows=3, in_a_row=3),
    "gomoku": partial(mnk, columns=15, rows=15, in_a_row=5),
    "mnk": partial(mnk, columns=5, rows=5, in_a_row=4),
    "reversi": reversi,
    "big-two": big_two,
}


def game_called(text: str, pairs: Iterable[str] = ()) -> Game[Any, Any]:
    """The game with the name `text`, and with rules such as `size=6`; a ValueError says why not."""
    return parsing.variant(_maker(text), pairs)


@cache
def _maker(text: str) -> parsing.Maker:
    """The function that makes the game with the name `text`. A file is run once."""
    file, _, name = text.rpartition(":")
    if text in GAMES:
        return GAMES[text]
    if not is_name(text, GAMES):
        raise ValueError(
            f"`GAME` must be one of {', '.join(GAMES)}, or module:game or file.py:game for a game "
            f"of your own; got {brief(text)}."
        )
    if file.endswith(".py") and not Path(file).is_file():
        raise ValueError(f"`GAME` must name a file that exists; got {brief(text)}.")
    try:
        thing = thing_called(file, name)
        game_of(thing, file, name)
    except Unloadable as error:
        raise ValueError(str(error)) from error
    return partial(game_of, thing, file, name) if isinstance(thing, Game) else thing


def blame(error: BaseException, words: Iterable[str]) -> str | None:
    """An error in words, if a line of a person's file in `words` raised it; otherwise None."""
    files = [word.rpartition(":")[0] for word in words if is_name(word, GAMES)]
    files = [file for file in files if file.endswith(".py")]
    reason: BaseException | None = error
    while reason is not None:
        for file in files:
            if frames := frames_of(reason, file):
                place = f"{Path(file).name}, line {frames[-1].lineno} (`{frames[-1].name}`)"
                return f"{place}: {type(reason).__name__}: {reason}"
        reason = reason.__cause__
    return None
