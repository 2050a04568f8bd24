"""One game in progress: people against strategies, with hints, undo, and the cost of choices.

A `hints.Setting` stays the same during a game. A `Sitting` is the game so far. Each answer of a
person leads to the next sitting and to lines of text. `played` is the whole game as steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from textwrap import wrap
from typing import NamedTuple, TypeAlias

from purembts.app.hints import (
    KINDS,
    Cost,
    Setting,
    Turns,
    after_move,
    before_last,
    choices,
    cost_table,
    costs,
    hinted,
    undone,
)
from purembts.app.kinds import AnyGame, AnyTurn
from purembts.app.sentences import (
    event_line,
    hint_table,
    in_columns,
    is_event_told,
    move_line,
    move_meant,
    name,
    outcome,
    shown_to_mover,
)
from purembts.app.steps import Progress, Question, Said, Work
from purembts.app.thinking import own_turn
from purembts.checks import brief
from purembts.exact import is_solvable, solver
from purembts.game import checked_move
from purembts.play import is_alone, movers_of
from purembts.tables import as_text


class Sitting(NamedTuple):
    """A game so far, and the kind of hints at every turn."""

    turns: Turns
    kind: str = "none"
    shown_to: int | None = None
    """The person who was shown the last view."""


Reply: TypeAlias = tuple[Sitting, tuple[str, ...]]
"""A sitting after an answer, and the lines that tell of it."""

_HIDE = "\n" * 60
"""The text that moves a view off the screen."""

MOST_LISTED, MOST_ON_BOARD = 40, 20
"""The most moves that are listed before a person types l, and of a game whose board names them."""

_SHORT = {
    "help": "?",
    "list": "l",
    "hint": "h",
    "hints": "h",
    "undo": "u",
    "quit": "q",
    "exit": "q",
}
"""The words that people type for the letters of `_HELP`."""

_HELP = """\
  a move   make it, by its number or its name, for example {example}
  l        list all moves
  h        show hints for this turn
  h KIND   show hints at every turn; KIND is {kinds}
  u        take {last} back{chance}
  q        leave the game"""


class Left(Exception):  # noqa: N818 - it is no error
    """The person leaves the game, or ends it, and sees the costs of the choices."""


# Seats


def seats_called(game: AnyGame, words: Sequence[object] | None) -> frozenset[int]:
    """The players, from 0, whose numbers from 1 are `words`, or `all`; by default the first mover.

    >>> from purembts.games.last_coin import last_coin
    >>> seats_called(last_coin(), None), seats_called(last_coin(), ["all"])
    (frozenset({0}), frozenset({0, 1}))
    """
    movers = movers_of(game)
    names = {str(mover + 1): {mover} for mover in movers} | {"all": {*movers}}
    for word in map(str, words or ()):
        if word not in names:
            raise ValueError(f"`SEAT` must be {_either(names)}; got {brief(word)}.")
    return frozenset().union(*(names[str(word)] for word in words or (movers[0] + 1,)))


def specs_of(
    game: AnyGame, persons: Iterable[int], specs: Sequence[str] | None, usual: str
) -> dict[int, str]:
    """The names of the strategies of the players who are no `persons`.

    The last of `specs` stands for all seats that are left.
    """
    seats = [player for player in movers_of(game) if player not in persons]
    given = [*(specs or [usual][: len(seats)])]
    if len(given) > len(seats):
        right = f"at most {len(seats)}" if seats else "0, as all seats are taken"
        raise ValueError(f"The number of strategies must be {right}; got {len(given)}.")
    return dict(zip(seats, given + given[-1:] * len(seats), strict=False))


# Turns


def beginning(setting: Setting, specs: Mapping[int, str], turn: AnyTurn) -> Iterator[str]:
    """The first lines of a game; `specs` are the names of the strategies, `turn` the first turn."""
    others = ", ".join(f"player {seat + 1} is {spec}" for seat, spec in specs.items())
    own = " and ".join(str(person + 1) for person in sorted(setting.persons))
    players = "player" if len(setting.persons) == 1 else "players"
    you = f"You are {players} {own}; {others}." if others else ""
    yield f"{setting.game.name}. {you}".rstrip()
    yield "Type a move or its number, or ? for help."
    if len(setting.persons) == 1 and is_lost(setting.game, turn, min(setting.persons)):
        yield f"{LOST} --from begins elsewhere, and --seats takes another seat."


def position_lines(setting: Setting, turns: Turns) -> Iterator[str]:
    """The position as the player to move may know it, and the event."""
    game, turn = setting.game, turns[-1]
    yield ""
    yield shown_to_mover(game, turn, before_last(turns))
    if is_event_told(game, turn):
        yield event_line(game, turn, setting.persons)


def _turn_lines(setting: Setting, sitting: Sitting) -> Work[None]:
    """Say the position and the moves, or hints if a kind of them is chosen.

    Hints that are not possible at this turn are a ValueError, after the position.
    """
    yield Said(tuple(position_lines(setting, sitting.turns)))
    if len(sitting.turns[-1].moves) == 1:
        game, turn = setting.game, sitting.turns[-1]
        yield Said((f"The only move: {game.display.label(turn.state, turn.moves[0])}.",))
    elif sitting.kind != "none":
        yield Said((yield from _hint_lines(setting, sitting, sitting.kind)))
    else:
        yield Said(tuple(_move_lines(setting, sitting.turns[-1])))


def _move_lines(setting: Setting, turn: AnyTurn, most: int | None = None) -> Iterator[str]:
    """The moves with their numbers; only how many there are if there are more than `most`."""
    label, n = setting.game.display.label, len(turn.moves)
    usual = MOST_LISTED if setting.game.display.squares is None else MOST_ON_BOARD
    if n > (most or usual):
        first = label(turn.state, turn.moves[0])
        yield f"  {n} moves, for example {first}; type l for all of them"
        return
    width = len(str(n))
    entries = (f"{i:>{width}}: {label(turn.state, move)}" for i, move in enumerate(turn.moves, 1))
    yield from in_columns([*entries], setting.width)


def _hint_lines(setting: Setting, sitting: Sitting, kind: str) -> Work[tuple[str, ...]]:
    """The hints of `kind` for the last turn."""
    known = yield from hinted(setting, sitting.turns, kind)
    return (as_text(hint_table(known, f"{kind}: {KINDS[kind]}"), setting.width),)


def replied(setting: Setting, sitting: Sitting, answer: str) -> Work[Reply]:
    """The sitting after `answer`, with lines to read; a ValueError for a wrong one.

    The turns are the same ones if the person has to answer again.
    """
    game, turns = setting.game, sitting.turns
    own = own_turn(game, turns[-1])
    labels = [game.display.label(own.state, move) for move in own.moves]
    word, _, kind = answer.lower().partition(" ")
    word = _SHORT.get(word, word)
    if answer in labels or (word not in {"?", "h", "u", "l"}) or (kind and word != "h"):
        move = turns[-1].moves[own.moves.index(move_meant(game, own, answer))]
        made = (_HIDE, move_line(game, turns[-1], move)) if _is_secret(setting) else ()
        return sitting._replace(turns=after_move(game, turns, move, seed=setting.seed)), made
    if word == "?":
        words = {"example": labels[0], "kinds": _either(kinds_of(game))}
        chance = "" if own.event is None else "; the events of chance stay the same"
        return sitting, (_HELP.format(**words, last=_last_choice(setting), chance=chance),)
    if word == "l":
        return sitting, tuple(_move_lines(setting, own, len(labels)))
    if word == "u":
        if undone(turns, setting.persons) == turns:
            raise ValueError("There is no choice to take back yet.")
        hidden = (_HIDE,) if _is_secret(setting) else ()
        return sitting._replace(turns=undone(turns, setting.persons)), hidden
    return (yield from _hinted(setting, sitting, answer.partition(" ")[2]))


def _hinted(setting: Setting, sitting: Sitting, typed: str) -> Work[Reply]:
    """The sitting with hints of the kind that was `typed`, and the hints; "" is for this turn."""
    kind, kinds = typed.lower(), kinds_of(setting.game)
    if kind and kind not in kinds:
        raise ValueError(f"The kind of hints must be {_either(kinds)}; got {brief(typed)}.")
    chosen = sitting._replace(kind=kind or sitting.kind)
    if kind == "none":
        return chosen, ()
    usual = "exact" if is_solvable(setting.game, sitting.turns[-1].state) else "tree"
    once = kind or (usual if sitting.kind == "none" else sitting.kind)
    return chosen, (yield from _hint_lines(setting, sitting, once))


def _is_secret(setting: Setting) -> bool:
    """True if people play against each other who must not see each other's views."""
    return bool(setting.game.hidden) and len(setting.persons) > 1


def _last_choice(setting: Setting) -> str:
    return f"{'your' if len(setting.persons) == 1 else 'the'} last choice"


def kinds_of(game: AnyGame) -> list[str]:
    """The kinds of hints that `game` can have."""
    return [kind for kind in KINDS if kind != "exact" or not game.hidden]


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def strategy_turn(setting: Setting, turns: Turns) -> tuple[Turns, list[str]]:
    """The game after the move of a strategy, and the lines that say which event and move."""
    game, turn = setting.game, turns[-1]
    rng = Random(f"{setting.seed}/{len(turns) - 1}/move")
    strategy = setting.strategies[turn.player]
    move = checked_move(turn, strategy(turn, rng))
    lines = [] if turn.event is None else [event_line(game, turn, setting.persons)]
    lines.append(move_line(game, turn, move, setting.persons))
    return after_move(game, turns, move, seed=setting.seed), lines


# A whole game


def played(setting: Setting, sitting: Sitting, first: Iterable[str]) -> Work[None]:
    """Play a game to its end, or until the person leaves it, and then show the costs of choices.

    `first` are the first lines. The end of the answers is an EOFError at a question. In the middle
    of a game it ends all at once.
    """
    yield Said(tuple(first))
    try:
        while True:
            turn = sitting.turns[-1]
            if not turn.moves:
                sitting = sitting._replace(turns=(yield from _ended(setting, sitting.turns)))
            elif turn.player in setting.persons:
                sitting = yield from _asked(setting, sitting)
            else:
                yield Progress(f"{name(turn.player, ())} thinks")
                turns, lines = strategy_turn(setting, sitting.turns)
                yield Said(tuple(lines))
                sitting = sitting._replace(turns=turns)
    except Left:
        yield Said(("",))
        with suppress(KeyboardInterrupt):
            yield from _costs(setting, sitting.turns)
    except (EOFError, KeyboardInterrupt) as end:
        yield Said(("",))
        if isinstance(end, KeyboardInterrupt):
            raise


def _asked(setting: Setting, sitting: Sitting) -> Work[Sitting]:
    """The sitting after a move of a person, or after an undo."""
    turns, who = sitting.turns, sitting.turns[-1].player
    if _is_secret(setting) and sitting.shown_to not in (None, who):  # another saw the last view
        yield from answer_to(f"Player {who + 1}, press Enter for your turn: ")
    sitting = sitting._replace(shown_to=who)
    try:
        yield from _turn_lines(setting, sitting)
    except ValueError as error:
        yield Said((f"{error} The hints end here.", *_move_lines(setting, turns[-1])))
        sitting = sitting._replace(kind="none")
    several = len(setting.persons) > 1
    question = f"The move of player {who + 1}: " if several else "Your move: "
    while sitting.turns is turns:
        # A move that is the only one is made without asking.
        answer = "1" if len(turns[-1].moves) == 1 else (yield from answer_to(question))
        try:
            sitting, lines = yield from replied(setting, sitting, answer)
        except ValueError as error:
            lines = tuple(wrap(f"{error} Type ? for help.", setting.width))
        yield Said(lines)
    return sitting


def answer_to(question: str) -> Work[str]:
    """The answer of the person; Left for q."""
    answer = " ".join(str((yield Question(question))).split())
    if _SHORT.get(answer.lower(), answer.lower()) == "q":
        raise Left
    return answer


def _ended(setting: Setting, turns: Turns) -> Work[Turns]:
    """The game with its last choice taken back; Left if the person does not want that."""
    result = outcome(setting.game, turns[-1].state, setting.persons)
    yield Said((*position_lines(setting, turns), result))
    if undone(turns, setting.persons) == turns:
        yield Said(("There was nothing to choose: each of your turns had one move at most.",))
        raise Left
    question = f"Enter ends the game; u takes {_last_choice(setting)} back: "
    while True:
        try:
            answer = yield from answer_to(question)
        except EOFError:
            raise Left from None
        if answer.lower() == "u":
            return undone(turns, setting.persons)
        if not answer:
            raise Left
        yield Said((f"The answer must be u, q or Enter; got {brief(answer)}.",))


def _costs(setting: Setting, turns: Turns) -> Work[None]:
    """Show the cost of each choice of the people."""
    made, known = len(choices(turns, setting.persons)), list[Cost]()
    label = "The cost of each choice; Ctrl-C skips it"
    if made:
        yield Progress(label, 0, made)
        for step in costs(setting, turns):
            if isinstance(step, Cost):
                known.append(step)
                yield Progress(label, len(known), made)
        yield cost_table(setting.game, known[::-1])


LOST = "This start is lost for you if the others play best."


def is_lost(game: AnyGame, turn: AnyTurn, person: int) -> bool:
    """True if best play of all gives a person the lowest score."""
    if is_alone(game) or not is_solvable(game, turn.state):
        return False
    return solver(game)(turn.state)[person] == game.score_range[0]
