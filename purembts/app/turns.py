"""One turn of a game: the same generator for a terminal, a page, a watched game and a test."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from purembts.app import sessions
from purembts.app.clock import paced
from purembts.app.hints import cost_table, costs, hinted, kinds_of, visits_at
from purembts.app.players import dives_of
from purembts.app.positions import AnyTurn, visible
from purembts.app.sentences import HIDE, first_lines, move_meant, moves_said
from purembts.app.sessions import Session, Setting, Turns
from purembts.app.steps import Belief, Interrupted, Moved, Progress, Question, Said, Shown, Work
from purembts.checks import brief
from purembts.exact import is_solvable
from purembts.game import endless
from purembts.play import move_labels, move_of, player_name
from purembts.players import Player
from purembts.records import Tree, as_tree
from purembts.report import Report

_SHORT = {"help": "?", "hints": "h", "exit": "q"}
_SHORT |= {word: word[0] for word in ("list", "hint", "undo", "quit")}
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


Due: TypeAlias = Callable[[int, Tree[Any]], bool] | None
"""True if tree n, from 0, is to have a report; None in the place of a function for no reports."""


def one_turn(setting: Setting, session: Session, *, due: Due = None) -> Work[Session]:
    """The game after the last turn, which is shown; a person is asked, or a strategy thinks.

    At the end of a game it is `session` itself. An answer may also undo moves, or choose hints.
    Trees that are `due` have reports.
    """
    turn = session.turns[-1]
    if turn.moves and turn.player in setting.persons:
        return (yield from _asked(setting, session))
    yield Shown(setting, session)
    if not turn.moves:
        yield Moved(setting, session.turns)
        return session
    belief, move = yield from _thinking(setting, session.turns, due)
    yield Moved(setting, session.turns, move, belief)
    return session._replace(turns=sessions.after_move(setting, session.turns, move))


# A strategy


def _thinking(setting: Setting, turns: Turns, due: Due) -> Work[tuple[Belief | None, Any]]:
    """The belief and the move of the strategy whose turn it is.

    Where people play behind views there is no belief: it would show the cards of the strategy.
    """
    game, turn, n = setting.game, turns[-1], len(turns) - 1
    name, player = setting.names.get(turn.player, ""), setting.players[turn.player]
    view, rng = visible(game, turn), sessions.rng_of(setting, n, "/move")
    tree: Tree[Any] = as_tree({})
    label, of = f"{player_name(turn.player).capitalize()} thinks", dives_of(game, name) or None
    unit = "games" if name.startswith("flat") else "dives"
    yield Progress(label, 0, of, unit)
    is_open = not (game.hidden and setting.persons)
    pace = paced if due else lambda dives: [sum(dives)]
    trees = player.trees(view, rng, pace) if len(view.moves) > 1 else ()
    for k, tree in enumerate(trees):
        is_due = is_open and due is not None and due(k, tree)
        report = _report_of(player, view, tree) if is_due else None
        yield Progress(label, visits_at(tree, view), of, unit, report, tree)
    move = player.choose(view, tree, rng) if len(view.moves) > 1 else view.moves[0]
    report = _report_of(player, view, tree) if is_open else None
    title = f"What {player_name(turn.player)} believes"
    belief = report and Belief(title, report, player.final)
    return belief, turn.moves[view.moves.index(move_of(view, move))]


def _report_of(player: Player, turn: AnyTurn, tree: Tree[Any]) -> Report | None:
    """The report that a player makes of a tree, if it tells something about a move of the turn."""
    report = player.report(turn, tree) if player.report else None
    is_news = report and any(row.visits or row.exact is not None for row in report.rows)
    return report if is_news else None


# A person


def _asked(setting: Setting, session: Session) -> Work[Session]:
    """The game after a person's move, or after an undo. The turn is shown, with hints."""
    turns, who = session.turns, session.turns[-1].player
    is_other = session.viewer not in (None, who)  # who saw the last view
    if is_other and sessions.is_secret(setting):
        yield from _typed_answer(f"{player_name(who).capitalize()}, press Enter for your turn: ")
    session = session._replace(viewer=who)
    yield Shown(setting, session)
    session = yield from _hints_at_turn(setting, session)
    several = len(setting.persons) > 1
    question = f"The move of {player_name(who)}: " if several else "Your move: "
    while session.turns is turns:
        answer = yield from _typed_answer(question, "1" if len(turns[-1].moves) == 1 else "")
        try:
            session = yield from _replied(setting, session, answer)
        except ValueError as error:
            yield Said((f"{error} Type ? for help.",))
    return session


def _hints_at_turn(setting: Setting, session: Session) -> Work[Session]:
    """Show the hints that are chosen for every turn. If they fail, no more are chosen."""
    if session.hints == "none" or (session.hints != "exact" and len(session.turns[-1].moves) == 1):
        return session
    try:
        yield (yield from hinted(setting, session.turns, session.hints))
    except ValueError as error:
        yield Said((f"{error} The hints end here.",))
        yield moves_said(setting.game, session.turns[-1])
        return session._replace(hints="none")
    return session


def _typed_answer(question: str, only: str = "") -> Work[str]:
    """The answer of the person; Left for q."""
    answer = " ".join(str((yield Question(question, only))).split())
    if _SHORT.get(answer.lower(), answer.lower()) == "q":
        raise Left
    return answer


def _replied(setting: Setting, session: Session, answer: str) -> Work[Session]:
    """The game after `answer`; a ValueError for a wrong one.

    The turns are the same ones if the person has to answer again.
    """
    game, turns = setting.game, session.turns
    view = visible(game, turns[-1])
    labels = move_labels(game, view)
    word, _, kind = answer.lower().partition(" ")
    word = _SHORT.get(word, word)
    if answer in labels or word not in {"?", "h", "u", "l"} or (kind and word != "h"):
        move = turns[-1].moves[view.moves.index(move_meant(game, view, answer))]
        yield Moved(setting, turns, move)
        return session._replace(turns=sessions.after_move(setting, turns, move))
    if word == "?":
        rules = [game.display.about] if game.display.about else []
        yield Said((*rules, _help(setting, view, labels[0])))
    elif word == "l":
        yield moves_said(game, view, len(labels))
    elif word == "u":
        return (yield from _undo(setting, session))
    else:
        return (yield from _chosen_hints(setting, session, answer.partition(" ")[2]))
    return session


def _help(setting: Setting, view: AnyTurn, example: str) -> str:
    """The words that a person can type at this turn."""
    chance = "" if view.event is None else "; the events of chance stay the same"
    kinds, last = sessions.either(kinds_of(setting.game)), _last_choice(setting)
    return _HELP.format(example=example, kinds=kinds, last=last, chance=chance)


def _last_choice(setting: Setting) -> str:
    return f"{'your' if len(setting.persons) == 1 else 'the'} last choice"


def _undo(setting: Setting, session: Session) -> Work[Session]:
    """The game before the last choice of a person."""
    turns = sessions.undone(session.turns, setting.persons)
    if turns == session.turns:
        raise ValueError("There is no choice to take back yet.")
    if sessions.is_secret(setting):
        yield Said((HIDE,))
    return session._replace(turns=turns)


def _chosen_hints(setting: Setting, session: Session, text: str) -> Work[Session]:
    """The game with hints of the kind in `text` at every turn; "" is for this turn alone."""
    kind, kinds = text.lower(), kinds_of(setting.game)
    if kind and kind not in kinds:
        raise ValueError(f"The kind of hints must be {sessions.either(kinds)}; got {brief(text)}.")
    usual = "exact" if is_solvable(setting.game, session.turns[-1].state) else "tree"
    once = kind or (usual if session.hints == "none" else session.hints)
    if once != "none":
        yield (yield from hinted(setting, session.turns, once))
    return session._replace(hints=kind or session.hints)


# Whole games


def games_played(setting: Setting, session: Session) -> Work[Turns]:
    """The turns of a game to its end, or until the person leaves it.

    Then the costs of the choices are shown. An interrupt ends all at once, and so does the end of
    the answers in the middle of a game, an EOFError at a question.
    """
    yield Said(tuple(first_lines(setting, session.turns[0])))
    try:
        while True:
            is_end = not session.turns[-1].moves
            session = yield from one_turn(setting, session)
            if is_end:
                session = yield from _after_the_end(setting, session)
    except Left:
        yield Said(("",))
        with suppress(KeyboardInterrupt):
            yield from _all_costs(setting, session.turns)
    except EOFError:
        yield Said(("",))
    except KeyboardInterrupt:
        with suppress(KeyboardInterrupt):  # a signal is thrown until `Interrupted` is shown
            yield Said(("",))
        yield Interrupted()
    return session.turns


def _after_the_end(setting: Setting, session: Session) -> Work[Session]:
    """The game with its last choice taken back; Left if the person does not want that."""
    if sessions.undone(session.turns, setting.persons) == session.turns:
        yield Said(("There was nothing to choose: each of your turns had one move at most.",))
        raise Left
    question = f"Enter ends the game; u takes {_last_choice(setting)} back: "
    while True:
        try:
            answer = yield from _typed_answer(question)
        except EOFError:
            raise Left from None
        if answer.lower() == "u":
            return session._replace(turns=sessions.undone(session.turns, setting.persons))
        if not answer:
            raise Left
        yield Said((f"The answer must be u, q or Enter; got {brief(answer)}.",))


def _all_costs(setting: Setting, turns: Turns) -> Work[None]:
    """Show the cost of each choice of the people."""
    so_far: Any = ()
    for step in costs(setting, turns):
        so_far = step.so_far
        yield step
    if so_far:
        yield cost_table(setting.game, so_far)


def watched(setting: Setting, session: Session) -> Work[Turns]:
    """Show a game between strategies to its end, or until an interrupt."""
    yield Said(tuple(first_lines(setting, session.turns[0])))
    for _ in range(setting.game.max_turns):
        is_end = not session.turns[-1].moves
        try:
            session = yield from one_turn(setting, session)
        except KeyboardInterrupt:
            yield Interrupted()
            is_end = True
        if is_end:
            return session.turns
    raise endless(setting.game, session.turns[-1].state)
