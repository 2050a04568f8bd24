"""Players by their names: `medium`, `uct:1000`, `flat:500`, `perfect`, `random`.

The constant of a search can follow, `uct:1000,c=0.5`. `my.py:name` is a strategy of one's own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from inspect import signature
from pathlib import Path
from typing import Any

from purembts import players
from purembts.app.clock import dives_in, lasting
from purembts.app.positions import AnyGame, AnyStrategy, AnyTree, AnyTurn
from purembts.bounds import CONSTANTS, AnyBound, ucb1, ucb1_with
from purembts.chance import Rng
from purembts.checks import a_constant, above_zero, at_least_one, brief
from purembts.determinize import lifted
from purembts.exact import check_solvable, solver
from purembts.game import playout
from purembts.games import mnk, reversi
from purembts.knowledge import mnk_tactics, reversi_tactics
from purembts.knowledge.narrowing import informed
from purembts.loading import thing_called
from purembts.players import Pace, Player
from purembts.report import Value

LEVELS: Mapping[str, int] = {"easy": 50, "medium": 500, "hard": 5000}
"""The levels of opponents, each with its dives in most games."""
OPPONENT = "medium"
"""The usual opponent."""
_TACTICS: Mapping[str, Sequence[tuple[int, Callable[[AnyGame], AnyGame]]]] = {
    "easy": [(30, partial(mnk_tactics.tactical, positions=0))],
    "medium": [(100, partial(mnk_tactics.tactical, positions=1)), (50, reversi_tactics.tactical)],
    "hard": [(1000, mnk_tactics.tactical), (4000, reversi_tactics.tactical)],
}
"""The dives and the tactics of levels. Tactics give back a game that they were not made for."""
_AMOUNTS = {"uct": "DIVES", "flat": "GAMES", "time": "SECONDS"}
"""The kinds of players whose names have a number, with the word for the number."""
COUNTED = {"uct": ("UCT", "dives"), "flat": ("flat Monte Carlo", "games")}
"""The players with a number of dives or games: their names in words, and what they count."""


def strategy_called(
    game: AnyGame, text: str, *, bound: AnyBound = ucb1, start: object = None
) -> AnyStrategy:
    """The strategy of `player_called`, from views if the game has hidden information."""
    player = player_called(game, text, bound=bound, start=start)
    return lifted(game, player.__call__) if game.hidden else player.__call__


def player_called(
    game: AnyGame,
    text: str,
    *,
    bound: AnyBound = ucb1,
    start: object = None,
    value: Value | None = None,
) -> Player:
    """The player with the name `text`; a ValueError says which names there are.

    `bound` is the bound of its searches if the name has no constant, and `start` the position where
    the games begin. Perfect play has the exact values of `value`, or its own, and then the game
    must be small enough.

    >>> from random import Random
    >>> from purembts.game import turn_at
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> player_called(last_coin(), "perfect")(turn_at(last_coin(), Pile(20), None), Random(7))
    Pile(coins=18, player=1)
    """
    kind, amount, constant = parts(text)
    bound = bound if constant is None else _bound_called(text, kind, constant)
    number = _amount(kind, amount) if kind in _AMOUNTS else 0
    if text in LEVELS:
        return searcher(game, text, dives_at(game, text), bound)
    if text == "random":
        return players.random_player
    if text == "perfect":
        first = game.start if start is None else start
        if value is None and (game.hidden or first is not None):
            check_solvable(game, first)
        return players.exact_player(game, value or solver(game))
    if kind == "uct":
        return players.uct_player(game, number, bound=bound)
    if kind == "flat":
        return players.flat_player(game, number, bound=bound)
    if kind == "time":
        player = players.uct_player(game, dives_in(number), bound=bound)
        return player._replace(trees=partial(_timed_trees, player, number))
    if text.rpartition(":")[0].endswith(".py"):
        strategy = _strategy_in_file(text)
        return strategy if isinstance(strategy, Player) else players.strategy_player(strategy)
    raise _wrong_name(text)


def _timed_trees(
    player: Player, seconds: float, turn: AnyTurn, rng: Rng, *_: Pace
) -> Iterator[AnyTree]:
    """The trees of a search for `seconds`, at its own pace: its moves depend on the machine too."""
    return player.trees(turn, rng, lambda _: lasting(seconds))


def searcher(game: AnyGame, level: str, dives: int, bound: AnyBound) -> Player:
    """The player of a search, with the tactics of `level` and their bound if it has some."""
    _, inner = _with_tactics(game, level)
    return players.uct_player(inner, dives, bound=bound if inner is game else ucb1_with(0.3))


def search_game(game: AnyGame) -> AnyGame:
    """The game of a visitor's search: its moves are worth considering, and playouts take any."""
    inner = _with_tactics(game, "easy")[1]
    return game if inner is game else informed(inner, lambda _, at, rng: playout(game, at, rng))


def hint_dives(game: AnyGame, dives: int) -> int:
    """The dives of a search for hints, in proportion to those of the hard level.

    So a search takes about as long in each game. A dive with tactics, or behind a view, is slow.
    """
    return max(1, dives * dives_at(game, "hard") // LEVELS["hard"])


def dives_at(game: AnyGame, level: str) -> int:
    """The dives of the opponent of `level` for a move; half of them in a game with hidden hands."""
    return _with_tactics(game, level)[0]


def dives_of(game: AnyGame, name: str) -> int:
    """The dives or games for a move in the name of a player; 0 if it has none."""
    kind, amount, _ = parts(name)
    if name in LEVELS:
        return dives_at(game, name)
    return int(_number_called(amount)) if kind in COUNTED else 0


def usual_dives(moves: int) -> int:
    """The dives of a search that takes about a second at most, for a turn with `moves` moves."""
    return max(2_000, 40 * moves)


def _with_tactics(game: AnyGame, level: str) -> tuple[int, AnyGame]:
    """The dives of `level`, and the game in which it thinks: `game` itself if it has no tactics."""
    for dives, tactical in () if game.is_small else _TACTICS[level]:
        if (inner := tactical(game)) is not game:
            return dives, inner
    return LEVELS[level] // 2 if game.hidden else LEVELS[level], game


def tactics_note(game: AnyGame) -> str:
    """A note that levels have no tactics in `game`, as its functions are not those of its rules.

    >>> tactics_note(mnk.gomoku), tactics_note(mnk.gomoku._replace(result=lambda board: (0, 1)))
    ('', ', without tactics')
    """
    has_rules = isinstance(game.rules, mnk.Rules | reversi.Rules) and not game.is_small
    return ", without tactics" if has_rules and _with_tactics(game, "hard")[1] is game else ""


def parts(text: str) -> tuple[str, str, str | None]:
    """The kind, the amount and the constant in the name of a player; None without a constant.

    >>> parts("uct:1000,c=0.5"), parts("perfect")
    (('uct', '1000', 'c=0.5'), ('perfect', '', None))
    """
    head, comma, constant = text.rpartition(",")
    has_constant = comma and ":" not in constant  # a path may have a comma
    kind, _, amount = (head if has_constant else text).partition(":")
    return kind, amount, constant if has_constant else None


@cache
def _strategy_in_file(text: str) -> AnyStrategy:
    """The strategy with the name `text` in a file, which is run once in each process."""
    file, _, name = text.rpartition(":")
    if not Path(file).is_file():
        raise ValueError(f"A player must name a file that exists; got {brief(text)}.")
    strategy = thing_called(file, name)
    try:
        with suppress(ValueError):  # a function of C may have no signature
            signature(strategy).bind(None, None)
    except TypeError:  # no function, or one of other arguments
        raise ValueError(
            f"`{name}` of {file} must be a strategy, a function of a turn and a generator; "
            f"got {brief(strategy)}."
        ) from None
    return strategy  # type: ignore[no-any-return]


def _bound_called(text: str, kind: str, constant: str) -> AnyBound:
    """The bound of `constant`, `c=0.5` or `z=1`, for a search with the name `text`."""
    name, _, number = constant.partition("=")
    if kind not in ("uct", "time"):
        right = "must follow uct or time, for example uct:1000,c=0.5"
        raise ValueError(f"A constant {right}; got {brief(text)}.")
    if name not in CONSTANTS:
        raise _wrong_name(text)
    return CONSTANTS[name](a_constant(_number_called(number), name))


def _wrong_name(text: str) -> ValueError:
    """The error for a name of no player, which says what names there are."""
    return ValueError(
        f"A player must be {', '.join(LEVELS)}, uct:DIVES, flat:GAMES, time:SECONDS "
        "(with a constant: uct:1000,c=0.5), perfect, random or file.py:name, for example uct:1000; "
        f"got {brief(text)}."
    )


def _amount(kind: str, amount: str) -> Any:  # noqa: ANN401
    """The number in `amount`. It must be whole, also as 1e6, unless it counts seconds."""
    check = above_zero if kind == "time" else at_least_one
    return check(_number_called(amount), f"{_AMOUNTS[kind]} of {kind}")


def _number_called(text: str) -> Any:  # noqa: ANN401
    """The number in `text`, as an int if it is whole; `text` itself if it has none."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def player_words(text: str, game: AnyGame) -> str:
    """The words for a player of `game`: `UCT with 2,000 dives, c = 0.5` for `uct:2000,c=0.5`."""
    words = {"random": "random moves", "perfect": "perfect play"}
    words |= {level: f"{level} opponent{tactics_note(game)}" for level in LEVELS}
    kind, amount, constant = parts(text)
    if kind not in COUNTED:
        return words.get(text, text)
    more = f", {constant.replace('=', ' = ')}" if constant else ""
    return f"{COUNTED[kind][0]} with {_number_called(amount):,} {COUNTED[kind][1]}{more}"
