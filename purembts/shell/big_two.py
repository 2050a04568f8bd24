"""Big Two at the terminal: a person against three robots, with hints on request.

A game so far is the tuple of its turns. The person is player 1. Everything that the person reads is
made of views of that player, so no card is shown before it is played. The deal depends on the seed.
The play of a robot depends on the seed, the position and the number of the turn.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise
from random import Random
from typing import TypeAlias

from rich.console import Console
from rich.table import Table as Grid
from toolz import partition_all

from purembts.bounds import ucb1
from purembts.checks import brief
from purembts.determinize import (
    information_set,
    lifted,
    perfect_information,
    searching,
    view_turn,
)
from purembts.game import Turn, turn_at
from purembts.games.big_two import Table, View, big_two, deal, label, play_between, view
from purembts.games.big_two_cards import PASS, THREE_OF_DIAMONDS, Cards, cards, kind
from purembts.records import Tree, mean
from purembts.shell.play import answer_to, say
from purembts.shell.progress import counted

Turns: TypeAlias = tuple[Turn[Table, None], ...]
"""A game so far, at least one turn; the last is the one to play."""

Choice: TypeAlias = Turn[View, None]
"""A turn as the person sees it, with a view as its position."""

GAME = big_two()
PERSON = 0
"""The index of the person among the players."""

HINT_GAMES = 10_000
"""The approximate number of random games for the hints of a turn; with many plays it is larger."""
HINT_WORLDS = 10
"""The least number of deals of the unseen cards for the hints of a turn."""
MOST_HINTS = 10
"""The most plays that are shown with a hint."""
MOST_PLAYS = 20
"""The most plays that are listed before the person types l."""

HELP = """\
  a number   make this play
  cards      play these cards, for example 3D 3C or 3♦ 3♣
             (the suits are D C H S; type 10 or T for a ten)
  p          pass
  l          list all plays
  h          show hints for this turn
  ?          show this help
  q          leave the game"""


# The game so far, as a value


def first_turn(*, seed: int) -> Turns:
    """A game after the deal."""
    return (turn_at(GAME, deal(Random(f"{seed}/deal")), None),)


def moved(turns: Turns, move: Table) -> Turns:
    """The game after `move`."""
    return (*turns, turn_at(GAME, move, None))


def robot_move(turns: Turns, *, seed: int, budget: int, rollouts: int) -> Table:
    """The move of a robot, by a search with `budget` dives of `rollouts` random games each."""
    search = searching(
        GAME,
        budget=budget,
        rollouts=rollouts,
        method=information_set,
        bound=partial(ucb1, c=0.2),
    )
    robot = lifted(GAME, search)
    return robot(turns[-1], Random(f"{seed}/{len(turns)}"))


def leader(turns: Turns) -> int | None:
    """The player who made the play to beat; None if there is none, or if it is not in `turns`."""
    played = [before.player for before, after in pairwise(turns) if _play(before, after)]
    return played[-1] if played and turns[-1].state.lead else None


def _play(before: Turn[Table, None], after: Turn[Table, None]) -> Cards:
    return play_between(before.state, after.state)


def play_called(choice: Choice, text: str) -> View:
    """The move that `text` names by its number or its cards; a ValueError if there is none."""
    numbered = {str(number): move for number, move in enumerate(choice.moves, 1)}
    if text in numbered:
        return numbered[text]
    if text.isdecimal():
        raise ValueError(
            f"The number of a play must be from 1 to {len(numbered)}; got {brief(text)}."
        )
    if not text:
        raise ValueError("The answer must be a number, cards or p. Type ? for help.")
    play = PASS if text in {"p", "pass"} else _cards_of(choice.state, text)
    named = {play_between(choice.state, move): move for move in choice.moves}
    if play not in named:
        raise ValueError(_why_not(choice.state, play))
    return named[play]


def _cards_of(view: View, text: str) -> Cards:
    """The cards that `text` names; a ValueError if they are not a play of the hand."""
    play = cards(text)
    if missing := Cards(play & ~view.hand):
        raise ValueError(f"{missing} {_is(missing)} not in your hand.")
    if play.bit_count() > 5:
        raise ValueError(f"A play must have at most 5 cards; got {play.bit_count()}.")
    try:
        kind(play)
    except ValueError as error:
        # The person reads 3♦ 4♦, not cards("3♦ 4♦").
        raise ValueError(str(error).replace(repr(play), str(play))) from error
    return play


def _is(play: Cards) -> str:
    return "is" if play.bit_count() == 1 else "are"


def _why_not(view: View, play: Cards) -> str:
    """The reason why `play`, which is of the hand or a pass, is not one of the moves."""
    if not play:
        return "You have the lead, so you cannot pass."
    if not view.lead:
        return f"The first play must have the {THREE_OF_DIAMONDS}; got {play}."
    return f"{play}, a {kind(play)}, does not beat {view.lead}, a {kind(view.lead)}."


# Hints


def hints(choice: Choice, rollouts: int, rng: Random) -> tuple[Tree[View], int]:
    """The records of the plays, and the number of deals of the unseen cards.

    Each play is tried once in every deal. A search visits the position itself first, so each deal
    has one dive more than there are plays.
    """
    n = len(choice.moves)
    worlds = max(HINT_WORLDS, HINT_GAMES // (n * rollouts))
    records = perfect_information(
        GAME, choice.state, rng, budget=n + 1, rollouts=rollouts, worlds=worlds
    )
    return records, worlds


def hint_lines(choice: Choice, records: Tree[View], worlds: int) -> Iterator[str]:
    """The best plays with their means, the best first, and a line that explains the means."""
    numbered = list(enumerate(choice.moves, 1))
    best = sorted(numbered, key=lambda one: mean(records[one[1]], PERSON), reverse=True)
    for number, move in best[:MOST_HINTS]:
        entry = _entry(number, choice.state, move)
        yield f"  {entry:<22}{mean(records[move], PERSON):+6.1f}"
    if len(best) > MOST_HINTS:
        yield f"  and {counted(len(best) - MOST_HINTS, 'play')} with lower means"
    games = records[choice.moves[0]].visits
    yield (
        f"  (mean points of random games after each play: {counted(games, 'game')} for each\n"
        f"  play, in {counted(worlds, 'deal')} of the unseen cards)"
    )


# At the terminal


def play(
    console: Console, *, seed: int, budget: int = 200, rollouts: int = 4
) -> tuple[Turns, bool]:
    """A game of a person against robots, and True if Ctrl-C ended it before its end.

    The person reads and types at `console`. The search of a robot has `budget` dives of `rollouts`
    random games each.
    """
    turns = first_turn(seed=seed)
    say(console, "You are player 1. Type the number of a play or its cards, or ? for help.")
    say(console, f"\n{_beginning(turns[0])}")
    try:
        while turns[-1].moves:
            if turns[-1].player == PERSON:
                move = _own_move(turns, console, seed, rollouts)
            else:
                move = robot_move(turns, seed=seed, budget=budget, rollouts=rollouts)
            turns = moved(turns, move)
            for line in announcement(turns):
                say(console, line)
    except EOFError:
        return turns, False
    except KeyboardInterrupt:
        return turns, True
    finally:
        say(console, "")
    return turns, False


def _beginning(turn: Turn[Table, None]) -> str:
    begins = "begin" if turn.player == PERSON else "begins"
    return f"{_name(turn.player)} {_has(turn)} the {THREE_OF_DIAMONDS} and {begins}."


def announcement(turns: Turns) -> Iterator[str]:
    """The last move in words, and the player who may lead any play now, if there is one."""
    before, after = turns[-2:]
    made = _play(before, after)
    left = view(after.state, PERSON).counts[before.player]
    is_own, name = before.player == PERSON, _name(before.player)
    if not made:
        yield f"{name} {'pass' if is_own else 'passes'}."
    else:
        out = f"and {'are' if is_own else 'is'} out"
        rest = f"({counted(left, 'card')} left)" if left else out
        yield f"{name} {'play' if is_own else 'plays'} {made} {rest}."
    if after.moves and not after.state.lead:
        yield f"{_name(after.player)} {_has(after)} the lead."


def _own_move(turns: Turns, console: Console, seed: int, rollouts: int) -> Table:
    """The move that the person chooses. A move that is the only one is made without asking."""
    turn = turns[-1]
    choice = view_turn(GAME, turn)
    if len(choice.moves) == 1:
        passes = not play_between(choice.state, choice.moves[0])
        say(console, "You have nothing that beats it." if passes else "You have only one play.")
        return turn.moves[0]
    for line in (*_position(choice.state, leader(turns)), *_listed(choice, console, MOST_PLAYS)):
        say(console, line)
    while True:
        answer = answer_to(f"Your play, 1 to {len(choice.moves)}: ", console)
        if answer in {"?", "h", "l"}:
            rng = Random(f"{seed}/{len(turns)}/hints")
            for line in _reply(answer, choice, console, rollouts, rng):
                say(console, line)
            continue
        try:
            return turn.moves[choice.moves.index(play_called(choice, answer))]
        except ValueError as error:
            console.print(str(error), markup=False, highlight=False)


def _reply(
    answer: str, choice: Choice, console: Console, rollouts: int, rng: Random
) -> Iterable[str]:
    """The reply to `?`, `l` or `h`."""
    if answer == "?":
        return [HELP]
    if answer == "l":
        return _listed(choice, console, len(choice.moves))
    return hint_lines(choice, *hints(choice, rollouts, rng))


def _position(view: View, by: int | None) -> Iterator[str]:
    """The cards that the person may know, and the play to beat, which player `by` made."""
    yield f"\nThe others: {_held(view)}"
    yield f"Your hand:  {view.hand}"
    if by is not None:
        yield f"To beat:    {view.lead}, a {kind(view.lead)} of player {by + 1}"


def _held(view: View) -> str:
    """The number of cards in the hand of each robot."""
    counts = enumerate(view.counts)
    return ", ".join(f"player {i + 1} has {counted(n, 'card')}" for i, n in counts if i != PERSON)


def _listed(choice: Choice, console: Console, most: int) -> Iterator[str]:
    """The first `most` plays with their numbers, in columns that fill the console."""
    entries = [_entry(i, choice.state, move) for i, move in enumerate(choice.moves, 1)]
    # A list with one more play is not longer than a list with a line about that play.
    listed = entries[: most if len(entries) > most + 1 else None]
    width = max(map(len, listed)) + 2
    for row in partition_all(max(1, (console.width - 2) // width), listed):
        yield f"  {''.join(entry.ljust(width) for entry in row)}".rstrip()
    if len(listed) < len(entries):
        yield f"  and {len(entries) - len(listed)} more; type l for all of them"


def _entry(number: int, before: View, after: View) -> str:
    return f"{number:>3}: {label(before, after)}"


def _name(player: int) -> str:
    return "You" if player == PERSON else f"Player {player + 1}"


def _has(turn: Turn[Table, None]) -> str:
    return "have" if turn.player == PERSON else "has"


def summary(turns: Turns) -> Grid | str:
    """The hands and points at the end of a game; or the numbers of cards, if the person left."""
    last = turns[-1]
    if last.moves:
        own = view(last.state, PERSON)
        return f"You leave the game with {counted(own.counts[PERSON], 'card')}; {_held(own)}."
    scores = GAME.result(last.state)
    out = last.state.hands.index(PASS)
    grid = Grid(title=f"{_name(out)} {'are' if out == PERSON else 'is'} out")
    grid.add_column("player")
    grid.add_column("cards left")
    grid.add_column("points", justify="right")
    for player, (hand, points) in enumerate(zip(last.state.hands, scores, strict=True)):
        grid.add_row(_name(player), str(hand) or "none", f"{points:+g}")
    return grid
