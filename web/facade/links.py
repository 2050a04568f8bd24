"""A link: the facts from which a game so far follows, as a page keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from purembts.app.players import COUNTED, LEVELS, OPPONENT, parts, player_called
from purembts.app.positions import begin, bound_at, labels_of, position_called
from purembts.app.sessions import Setting, Turns, after_move, first_turn
from purembts.checks import brief
from purembts.exact import not_solvable, solver
from purembts.game import Game, movers_of
from purembts.loading import GAMES, Maker, fields_of, frames_of, syntax_trouble, variant
from purembts.play import listed
from purembts.report import Value

PERSON = "person"
"""The player who is asked for moves."""
OWN = "own"
"""The name of a game that a person wrote."""
_OWN_FILE = "your game"
"""The name of the file that the code of such a game would have."""
LARGEST_NUMBER = 1_000
"""The largest number in the rules and in the first position of a game: a page draws and lists
what it counts. A board is as large as its rules say, so the numbers of its positions are free."""
_LARGEST_SEED = 2**53 - 1
"""The largest seed: JavaScript does not keep all larger whole numbers."""
_MOST_DIVES = 1_000_000
"""The most dives or games of a player for a move."""


class Link(NamedTuple):
    """A game so far, in texts and numbers. An address has the same parts, but no code."""

    game: str
    """One of `GAMES`, or `OWN`."""
    rules: tuple[str, ...] = ()
    """Rules that differ from the usual ones, for example `size=6`."""
    seed: int = 0
    players: tuple[str, ...] = ()
    """For each player who moves, `PERSON` or the name of a strategy; the usual ones if empty."""
    start: str = ""
    """The position where the game begins, as a person types it; "" for the game's own."""
    moves: tuple[str, ...] = ()
    """The labels of the moves."""
    source: str = ""
    """The Python code that makes the game `OWN`. A browser keeps it."""


def link_of(facts: Mapping[str, Any]) -> Link:
    """The link with these facts, as JSON has them; the others have their usual values."""
    unknown = set(facts) - set(Link._fields)
    if unknown:
        right = f"The parts of a link must be {', '.join(Link._fields)}"
        raise ValueError(f"{right}; got {brief(min(unknown))}.")
    lists = {key: tuple(value) for key, value in facts.items() if isinstance(value, list)}
    return Link(**{**facts, **lists, "seed": seed_of(facts.get("seed", 0))})


def seed_of(seed: object) -> int:
    """A seed of any page as a number, which may be a text, as in an address and in a field."""
    if isinstance(seed, str) and re.fullmatch("[0-9]{1,16}", seed):
        seed = int(seed)
    if type(seed) is not int or not 0 <= seed <= _LARGEST_SEED:
        right = f"The seed must be a whole number from 0 to {_LARGEST_SEED}"
        raise ValueError(f"{right}; got {brief(seed)}.")
    return seed


# The game


def game_in(link: Link) -> Game[Any, Any]:
    """The game of a link; a ValueError says why there is none."""
    return _made_game(link.game, link.rules, link.source)


@lru_cache(maxsize=8)
def _solver(link: Link) -> Value:
    """The exact values of the positions in the game of a link, which are kept once computed."""
    return solver(game_in(link))


@lru_cache(maxsize=8)
def _made_game(name: str, rules: tuple[str, ...], source: str) -> Game[Any, Any]:
    """The game with this name and these rules."""
    make = _maker_in(source) if name == OWN else GAMES.get(name)
    if make is None:
        raise ValueError(f"The game must be one of {', '.join([*GAMES, OWN])}; got {brief(name)}.")
    usual = fields_of(make())
    _check_numbers(rule for rule in rules if not _is_text(usual.get(rule.partition("=")[0])))
    return variant(make, rules)


def _is_text(value: object) -> bool:
    """True for a text, and for texts in a tuple, whose digits may be the ranks of cards."""
    values = value if isinstance(value, tuple) else (value,)
    return any(isinstance(part, str) for part in values)


def _check_numbers(texts: Iterable[str]) -> None:
    """Raise a ValueError if a text that a person typed has a number above `LARGEST_NUMBER`."""
    for text in texts:
        if any(float(n) > LARGEST_NUMBER for n in _NUMBER.findall(text)):
            most = f"in rules and in a first position must be at most {LARGEST_NUMBER:,}"
            raise ValueError(f"The numbers {most}; got {brief(text)}.")


_NUMBER = re.compile(r"(?<![.\d_])(?<!\\u)\d+(?:_\d+)*")
"""A whole number; not the code of a character in JSON, such as \\u2663."""


def _maker_in(source: str) -> Maker:
    """The function that makes the last game in `source`."""
    names: dict[str, Any] = {"__name__": "own"}
    exec(compile(source, _OWN_FILE, "exec"), names)  # the person asked for it
    games = [value for value in names.values() if isinstance(value, Game)]
    if games:
        return lambda: games[-1]
    raise ValueError("The code must make a Game, for example `mine = Game(...)`; got none.")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Let each ValueError become a plain one, whose sentence alone a page shows.

    So does an error of a person's code, with its line.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, SyntaxError) and error.filename == _OWN_FILE:
            raise ValueError(syntax_trouble(error, Path(_OWN_FILE))) from error
        lines = [frame.lineno for frame in frames_of(error, _OWN_FILE)]
        if not lines and not isinstance(error, ValueError):
            raise
        place = f"Line {lines[-1]} of your code: {type(error).__name__}: " if lines else ""
        raise ValueError(f"{place}{error}") from error


# Turns


def start_position(link: Link) -> Any:  # noqa: ANN401
    """The position where the game of a link begins."""
    game = game_in(link)
    _check_numbers([] if game.display.squares else [link.start])
    first = position_called(game, [link.start], link.seed) if link.start else None
    return begin(game, first, link.seed)


def turns_in(link: Link) -> Turns:
    """The turns of the game so far: one more than there are moves."""
    turns, trouble = good_turns(link)
    if trouble:
        raise ValueError(trouble)
    return turns


def good_turns(link: Link) -> tuple[Turns, str]:
    """The turns up to the first move that cannot be made, and the reason; "" if all can be made."""
    return _good_turns(link._replace(players=()))


@lru_cache(maxsize=64)
def _good_turns(link: Link) -> tuple[Turns, str]:
    """The turns of a link without players, and the reason why they end."""
    game = game_in(link)
    setting = Setting(game, link.seed)
    turns = first_turn(setting, start_position(link))
    for n, label in enumerate(link.moves, 1):
        labels = labels_of(game, turns[-1])
        if label not in labels:
            right = "a move of its player" if game.hidden else f"one of {listed(labels)}"
            return turns, f"Move {n} must be {right}; got {brief(label)}."
        turns = after_move(setting, turns, turns[-1].moves[labels.index(label)])
    return turns, ""


# Players


def players_in(link: Link) -> dict[int, str]:
    """The name of each player who moves: `PERSON`, or a strategy.

    By default the first one is a person, and the others are the usual opponent.
    """
    movers = movers_of(game_in(link))
    players = link.players or (PERSON, *[OPPONENT] * (len(movers) - 1))
    if len(players) != len(movers):
        raise ValueError(f"There must be {len(movers)} players; got {len(players)}.")
    for player in players:
        _check_player(game_in(link), player)
    return dict(zip(movers, players, strict=True))


def _check_player(game: Game[Any, Any], text: str) -> None:
    """Raise a ValueError if nobody with the name `text` can play `game` in a page."""
    kind, amount, _ = parts(text)
    if text == "perfect" and game.hidden:
        raise not_solvable(game)
    if kind in COUNTED and amount.isdigit() and int(amount) <= _MOST_DIVES:
        player_called(game, text)
    elif text not in (PERSON, "random", "perfect", *LEVELS):
        raise ValueError(
            f"A player must be person, {', '.join(LEVELS)}, uct:DIVES, flat:GAMES, "
            f"perfect or random, with at most {_MOST_DIVES:,} dives or games; got {brief(text)}."
        )


def setting_in(link: Link) -> Setting:
    """The facts of the game of a link that stay the same while it is played, as at a terminal."""
    game, players = game_in(link), players_in(link)
    names = {seat: player for seat, player in players.items() if player != PERSON}
    value = _solver(Link(link.game, link.rules, source=link.source))
    persons, bound = frozenset(players.keys() - names.keys()), bound_at(link.game, game)
    return Setting(game, link.seed, persons, names, bound=bound, value=value)
