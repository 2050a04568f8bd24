"""A link: the facts from which a game so far follows, as a page keeps them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from purembts.app.players import COUNTED, LEVELS, OPPONENT, bound_at, parts, player_called
from purembts.app.positions import begin, position_called
from purembts.app.sessions import (
    Setting,
    Solved,
    Turns,
    after_move,
    first_turn,
    labels_of,
    nothing_solved,
)
from purembts.checks import brief
from purembts.exact import not_solvable
from purembts.game import Game
from purembts.loading import GAMES, Maker, fields_of, frames_of, syntax_trouble, variant
from purembts.play import listed, movers_of

PERSON = "person"
"""The player who is asked for moves."""
OWN = "own"
"""The name of a game that a person wrote."""
_OWN_FILE = "your game"
"""The name of the file that the code of such a game would have."""
_LARGEST = 1_000
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
        known = ", ".join(Link._fields)
        raise ValueError(f"The parts of a link must be {known}; got {brief(min(unknown))}.")
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


def game_of(link: Link) -> Game[Any, Any]:
    """The game of a link; a ValueError says why there is none."""
    return _game(link.game, link.rules, link.source)


@lru_cache(maxsize=8)
def _game(name: str, rules: tuple[str, ...], source: str) -> Game[Any, Any]:
    make = _made_by(source) if name == OWN else GAMES.get(name)
    if make is None:
        raise ValueError(f"The game must be one of {', '.join([*GAMES, OWN])}; got {brief(name)}.")
    usual = fields_of(make())
    _check_numbers(rule for rule in rules if not _is_text(usual.get(rule.partition("=")[0])))
    return variant(make, rules)


def _is_text(value: object) -> bool:
    """True for a text, and for texts in a tuple, whose digits may be the ranks of cards."""
    values = value if isinstance(value, tuple) else (value,)
    return any(isinstance(each, str) for each in values)


def _check_numbers(texts: Iterable[str]) -> None:
    """Raise a ValueError if there is a number above `_LARGEST` in a text that a person typed."""
    for text in texts:
        if any(float(n) > _LARGEST for n in re.findall(r"(?<![.\d_])\d+(?:_\d+)*", text)):
            right = f"The numbers in rules and in a first position must be at most {_LARGEST:,}"
            raise ValueError(f"{right}; got {brief(text)}.")


def _made_by(source: str) -> Maker:
    """The function that makes the game in `source`: the last game, or a function that makes it."""
    names: dict[str, Any] = {"__name__": "own"}
    exec(compile(source, _OWN_FILE, "exec"), names)  # the person asked for it
    games = [each for each in names.values() if isinstance(each, Game)]
    if games:
        return lambda: games[-1]
    raise ValueError("The code must make a Game, for example `mine = Game(...)`; got none.")


@contextmanager
def own_lines() -> Iterator[None]:
    """Name the line of a person's code in an error that comes from it, as a ValueError.

    Each kind of ValueError becomes a plain one, so that a page shows its sentence alone.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, SyntaxError) and error.filename == _OWN_FILE:
            raise ValueError(syntax_trouble(error, Path(_OWN_FILE))) from error
        lines = [each.lineno for each in frames_of(error, _OWN_FILE)]
        if not lines and isinstance(error, ValueError):
            raise ValueError(str(error)) from error
        if not lines:
            raise
        kind = type(error).__name__
        raise ValueError(f"Line {lines[-1]} of your code: {kind}: {error}") from error


def start_of(link: Link) -> Any:  # noqa: ANN401
    """The position where the game of a link begins."""
    game = game_of(link)
    _check_numbers([] if game.display.squares else [link.start])
    first = position_called(game, link.start.split(), link.seed) if link.start else None
    return begin(game, first, link.seed)


def turns_of(link: Link) -> Turns:
    """The turns of the game so far: one more than there are moves."""
    turns, trouble = good_turns(link)
    if trouble:
        raise ValueError(trouble)
    return turns


def good_turns(link: Link) -> tuple[Turns, str]:
    """The turns up to the first move that cannot be made, and the reason; "" if all can be made."""
    turns = _turns(link._replace(moves=(), players=()))
    for n in range(1, len(link.moves) + 1):  # so that no call goes deeper than to its first turn
        try:
            turns = _turns(link._replace(moves=link.moves[:n], players=()))
        except ValueError as error:
            if frames_of(error, _OWN_FILE):
                raise
            return turns, str(error)
    return turns, ""


@lru_cache(maxsize=1024)
def _turns(link: Link) -> Turns:
    game = game_of(link)
    setting = Setting(game, link.seed)
    if not link.moves:
        return first_turn(setting, start_of(link))
    turns = _turns(link._replace(moves=link.moves[:-1]))
    turn, label = turns[-1], link.moves[-1]
    labels = labels_of(game, turn)
    if label not in labels:
        right = "a move of its player" if game.hidden else f"one of {listed(labels)}"
        raise ValueError(f"Move {len(link.moves)} must be {right}; got {brief(label)}.")
    return after_move(setting, turns, turn.moves[labels.index(label)])


# Players


def players_of(link: Link) -> dict[int, str]:
    """The name of each player who moves: `PERSON`, or a strategy.

    By default the first one is a person, and the others are the usual opponent.
    """
    movers = movers_of(game_of(link))
    if link.players:
        if len(link.players) != len(movers):
            right = f"There must be {len(movers)} players"
            raise ValueError(f"{right}; got {len(link.players)}.")
        for player in link.players:
            _check_player(game_of(link), player)
        return dict(zip(movers, link.players, strict=True))
    return {mover: PERSON if i == 0 else OPPONENT for i, mover in enumerate(movers)}


def setting_of(link: Link) -> Setting:
    """The facts of the game of a link that stay the same while it is played, as at a terminal."""
    game, players = game_of(link), players_of(link)
    names = {seat: player for seat, player in players.items() if player != PERSON}
    persons, bound = frozenset(players.keys() - names.keys()), bound_at(link.game, game)
    return Setting(game, link.seed, persons, names, bound=bound, solved=solved_of(link))


def playing(link: Link) -> Setting:
    """The setting of a link, with the strategy whose turn it is."""
    setting, seat = setting_of(link), turns_of(link)[-1].player
    about: Any = {"bound": setting.bound, "value": solved_of(link).value}
    name = setting.names.get(seat)
    players = {seat: player_called(setting.game, name, **about)} if name else {}
    return setting._replace(players=players)


def solved_of(link: Link) -> Solved:
    """The exact values of the game of a link that were worked out."""
    return _solved(link._replace(moves=(), players=(), start="", seed=0))


@lru_cache(maxsize=8)
def _solved(link: Link) -> Solved:
    return nothing_solved(game_of(link))


def _check_player(game: Game[Any, Any], text: str) -> None:
    """Raise a ValueError if nobody with the name `text` can play `game` in a page."""
    kind, amount, _ = parts(text)
    if text == "perfect" and game.hidden:
        raise not_solvable(game)
    is_counted = kind in COUNTED and amount.isdigit() and int(amount) <= _MOST_DIVES
    if is_counted:
        player_called(game, text)
    elif text not in (PERSON, "random", "perfect", *LEVELS):
        raise ValueError(
            f"A player must be person, {', '.join(LEVELS)}, uct:DIVES, flat:GAMES, "
            f"perfect or random, with at most {_MOST_DIVES:,} dives or games; got {brief(text)}."
        )
