"""A check of certificates that believes nothing: it has the rules of a game, and fractions.

`proving.certificates` writes certificates. The check does not use it, and makes no search.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from json import loads
from typing import Any, NamedTuple

from purembts.checks import brief, whole_number
from purembts.game import E, Game, S, Values
from purembts.jsonl import ERRORS, codec_of, game_facts, plain, sentence


class Proved(NamedTuple):
    """The worth of a position, or of the best move there after an event."""

    state: Any
    worth: Values
    """The exact value for each player if all play best."""
    event: Any = None
    best: Any = None
    """The best move; None if the worth is that of `state`."""


def check_certificate(game: Game[S, E], lines: Iterable[str | bytes]) -> Proved:
    """The worth or the best move that `lines` prove, which are a certificate of `game`.

    Each worth must follow from the rules and from the worths before it. The first line that does
    not is named by a ValueError.

    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from purembts.proving import certificate
    >>> check_certificate(last_coin(), certificate(last_coin(), Pile(2))).worth
    (Fraction(1, 1), Fraction(0, 1))
    """
    if game.hidden is not None or game.whole is not None:
        raise ValueError(f"`game` must hide nothing and have all its moves; got {game.name}.")
    decode, worths, proved, positions = codec_of(game).decode, dict[Any, Values](), None, 0
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            fields = loads(line)
            if number == 1:
                positions = _positions_of(game, fields)
            elif "best" in fields:
                move = decode(fields["best"])
                proved = _best(game, worths, decode(fields["state"]), fields["event"], move)
            else:
                proved = _worth(game, worths, decode(fields["state"]), fields["worth"])
                worths[proved.state] = proved.worth
        except ERRORS as error:
            raise ValueError(f"line {number} of the certificate: {sentence(error)}") from error
    if proved is None:
        raise ValueError(f"The certificate must have a header and a claim; got {number} lines.")
    if len(worths) != positions:
        raise ValueError(f"The certificate must have {positions} positions; got {len(worths)}.")
    return proved


def _positions_of(game: Game[S, E], header: dict[str, Any]) -> int:
    """The number of positions that the header of a certificate of `game` promises."""
    right = {"format": "purembts certificate", "version": 1, **plain(game_facts(game))}
    got = {key: header[key] for key in right}
    if got != right:
        raise ValueError(f"the header must have {right}; got {got}.")
    return whole_number(header["positions"], "positions", 1)


def _worth(game: Game[S, E], worths: Mapping[S, Values], state: S, told: list[str]) -> Proved:
    """The worth of `state`, which must be the one that is `told`."""
    worth = _known(certain_worth(game, worths, state), state)
    if worth != tuple(map(Fraction, told)):
        raise ValueError(f"the worth of {brief(state)} must be {[*map(str, worth)]}; got {told}.")
    return Proved(state, worth)


def _best(game: Game[S, E], worths: Mapping[S, Values], state: S, number: int, move: S) -> Proved:
    """The `move` after the event `number` of `state`, which must be the best one."""
    event = game.chances(state)[whole_number(number, "event", 0)]
    player, own = game.to_move(state), worths.get(move)
    worth = _known(certain_after(game, worths, state, event), state)
    if move not in game.moves(state, event) or own is None or own[player] != worth[player]:
        raise ValueError(
            f"a best move must have the worth {[*map(str, worth)]}; got {brief(move)}."
        )
    return Proved(state, worth, event, move)


def _known(worth: Values | None, state: object) -> Values:
    if worth is None:
        raise ValueError(f"the worths of the moves of {brief(state)} must come before it.")
    return worth


# The plain definition of certain worths


def certain_worth(game: Game[S, E], worths: Mapping[S, Values], state: S) -> Values | None:
    """The worth of `state` that follows from `worths`: the mean over its events; None if open."""
    after = [certain_after(game, worths, state, event) for event in game.chances(state)]
    known = [worth for worth in after if worth]
    if len(known) < len(after):
        return None
    return tuple([sum(scores, Fraction(0)) / len(known) for scores in zip(*known, strict=True)])


def certain_after(
    game: Game[S, E], worths: Mapping[S, Values], state: S, event: E
) -> Values | None:
    """The worth of `state` after `event`: that of the first of the best moves; None if it is open.

    Moves without a worth count as lower only if another one has the highest score, and this decides
    the scores of the others, or comes first.
    """
    moves = game.moves(state, event)
    if not moves:
        return tuple(map(Fraction, game.result(state)))
    player, known = game.to_move(state), [worths.get(move) for move in moves]
    top = max(filter(None, known), key=lambda worth: worth[player], default=None)
    is_highest = top is not None and top[player] == Fraction(game.score_range[1])
    needed = known[: known.index(top)] if is_highest else known
    return None if None in needed and not (is_highest and _decides(game)) else top


def _decides(game: Game[S, E]) -> bool:
    """True if the scores of all others follow where one player has the highest score."""
    low, high = map(Fraction, game.score_range)
    others, total = game.players - 1, game.score_sum
    is_lowest = total is not None and Fraction(total) - high == others * low
    return others == 0 or is_lowest or (others == 1 and total is not None)
