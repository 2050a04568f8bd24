"""Big Two at the terminal: a person against three robots, with hints on request.

A game so far is the tuple of its turns. The person is player 1, and what is shown to that player is
made of views alone, so that no card can be told before it is played. The deal depends on the seed,
and what a robot plays on the seed, the position and the number of the turn.
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

Turns: TypeAlias = tuple[Turn[Table, None], ...]
"""A game so far, at least one turn; the last is the one to play."""

Choice: TypeAlias = Turn[View, None]
"""A turn as the person sees it."""

GAME = big_two()
PERSON = 0
"""The person's place among the players."""

HINT_GAMES = 10_000
"""About how many random games there are for the hints of a turn, where the plays are not many."""
HINT_WORLDS = 10
"""How many deals of the unseen cards there are at least for the hints of a turn."""
MOST_HINTS = 10
"""The hints of how many plays are shown."""
MOST_PLAYS = 20
"""The plays shown without being asked for."""

HELP = """\
  a number   make this play
  cards      play them, as 3D 3C or 3♦ 3♣; the suits are D C H S, 10 is also T
  p          pass
  l          list all the plays
  h          the hints for this turn
  ?          this list
  q          leave the game"""


# The game so far, as a value


def first_turn(seed: int) -> Turns:
    """A game that has been dealt."""
    return (turn_at(GAME, deal(Random(f"{seed}/deal")), None),)


def moved(turns: Turns, move: Table) -> Turns:
    """The game after `move`."""
    return (*turns, turn_at(GAME, move, None))


def robot_move(turns: Turns, seed: int, budget: int, rollouts: int) -> Table:
    """What a robot whose turn it is plays, by a search of so many dives and games in each."""
    how = {"method": information_set, "bound": partial(ucb1, c=0.2)}
    robot = lifted(GAME, searching(GAME, budget=budget, rollouts=rollouts, **how))
    return robot(turns[-1], Random(f"{seed}/{len(turns)}"))


def leader(turns: Turns) -> int | None:
    """Whose play is to be beaten; None where nothing is, or it was not played in these turns."""
    played = [before.player for before, after in pairwise(turns) if _play(before, after)]
    return played[-1] if played and turns[-1].state.lead else None


def _play(before: Turn[Table, None], after: Turn[Table, None]) -> Cards:
    return play_between(before.state, after.state)


def play_called(choice: Choice, text: str) -> View:
    """The move that `text` names by its number or its cards, or a ValueError that says why not."""
    numbered = {str(number): move for number, move in enumerate(choice.moves, 1)}
    if text in numbered:
        return numbered[text]
    if text.isdecimal():
        raise ValueError(f"{brief(text)} is not one of the numbers, 1 to {len(numbered)}.")
    if not text:
        raise ValueError("That was no play; ? tells what there is.")
    play = PASS if text in {"p", "pass"} else _cards_of(choice.state, text)
    named = {play_between(choice.state, move): move for move in choice.moves}
    if play not in named:
        raise ValueError(_why_not(choice.state, play))
    return named[play]


def _cards_of(view: View, text: str) -> Cards:
    """The cards that `text` names if they are a play of the hand, or a ValueError."""
    play = cards(text)
    if missing := Cards(play & ~view.hand):
        raise ValueError(f"{missing} {_is(missing)} not in your hand.")
    if play.bit_count() > 5:
        raise ValueError(f"These are {play.bit_count()} cards; a play has at most 5.")
    try:
        kind(play)
    except ValueError as error:
        # Who plays reads cards, not the call that gives them.
        raise ValueError(str(error).replace(repr(play), str(play))) from error
    return play


def _is(play: Cards) -> str:
    return "is" if play.bit_count() == 1 else "are"


def _why_not(view: View, play: Cards) -> str:
    """Why `play`, of the hand or a pass, may not be played."""
    if not play:
        return "You have the lead, so you cannot pass."
    if not view.lead:
        return f"{play} is without the {THREE_OF_DIAMONDS}, which has to be in the first play."
    return f"{play}, a {kind(play)}, does not beat {view.lead}, a {kind(view.lead)}."


# Hints


def hints(choice: Choice, rollouts: int, rng: Random) -> tuple[Tree[View], int]:
    """The records of the plays, each tried once in every deal of the rest, and how many deals.

    A dive more for each deal is for the position itself, which is the first that a search visits.
    """
    n = len(choice.moves)
    worlds = max(HINT_WORLDS, HINT_GAMES // (n * rollouts))
    how = {"budget": n + 1, "rollouts": rollouts, "worlds": worlds}
    return perfect_information(GAME, choice.state, rng, **how), worlds


def hint_lines(choice: Choice, records: Tree[View], worlds: int) -> Iterator[str]:
    """The best plays by their means, the best first, and what these are."""
    numbered = list(enumerate(choice.moves, 1))
    best = sorted(numbered, key=lambda one: mean(records[one[1]], PERSON), reverse=True)
    for number, move in best[:MOST_HINTS]:
        entry = _entry(number, choice.state, move)
        yield f"  {entry:<22}{mean(records[move], PERSON):+6.1f}"
    if len(best) > MOST_HINTS:
        yield f"  and {len(best) - MOST_HINTS} plays that did worse"
    games = records[choice.moves[0]].visits
    yield (
        f"  (mean points of random games after it: {games:,} games for each,\n"
        f"  in {worlds:,} deals of the unseen cards)"
    )


# At the terminal


def play(seed: int, talk: Console, budget: int = 200, rollouts: int = 4) -> tuple[Turns, bool]:
    """A game against robots, as far as it went, and whether Ctrl-C broke it off.

    `budget` and `rollouts` are those of a robot's search; `talk` is where it is talked.
    """
    turns = first_turn(seed)
    say(talk, "You are player 1. Type the number of a play or its cards, or ? for what else.")
    say(talk, f"\n{_name(turns[0].player)} {_has(turns[0])} the {THREE_OF_DIAMONDS} and begins.")
    try:
        while turns[-1].moves:
            own = turns[-1].player == PERSON
            move = (
                _own_move(turns, seed, talk, rollouts)
                if own
                else robot_move(turns, seed, budget, rollouts)
            )
            turns = moved(turns, move)
            for line in told(turns):
                say(talk, line)
    except EOFError:
        return turns, False
    except KeyboardInterrupt:
        return turns, True
    finally:
        say(talk, "")
    return turns, False


def told(turns: Turns) -> Iterator[str]:
    """What everybody hears of the last move, and of the lead where it is given anew."""
    before, after = turns[-2:]
    who, made = _name(before.player), _play(before, after)
    verb = "" if before.player == PERSON else "s"
    left = view(after.state, PERSON).counts[before.player]
    if not made:
        yield f"{who} pass{'es' if verb else ''}."
    else:
        yield (
            f"{who} play{verb} {made} ({_count(left)} left)."
            if left
            else (f"{who} play{verb} {made} and {'is' if verb else 'are'} out.")
        )
    if after.moves and not after.state.lead:
        yield f"{_name(after.player)} {_has(after)} the lead."


def _own_move(turns: Turns, seed: int, talk: Console, rollouts: int) -> Table:
    """The move that the person wants; a single one is made without asking."""
    turn = turns[-1]
    choice = view_turn(GAME, turn)
    if len(choice.moves) == 1:
        passes = not play_between(choice.state, choice.moves[0])
        say(talk, "You have nothing that beats it." if passes else "You have only one play.")
        return turn.moves[0]
    for line in (*_position(choice.state, leader(turns)), *_listed(choice, talk, MOST_PLAYS)):
        say(talk, line)
    while True:
        answer = answer_to(f"Your play, 1 to {len(choice.moves)}: ", talk)
        if answer in {"?", "h", "l"}:
            for line in _asked(answer, choice, talk, rollouts, f"{seed}/{len(turns)}/hints"):
                say(talk, line)
            continue
        try:
            return turn.moves[choice.moves.index(play_called(choice, answer))]
        except ValueError as error:
            say(talk, str(error))


def _asked(answer: str, choice: Choice, talk: Console, rollouts: int, seed: str) -> Iterable[str]:
    """What is said to `?`, `h` and `l`."""
    if answer == "?":
        return [HELP]
    if answer == "l":
        return _listed(choice, talk, len(choice.moves))
    return hint_lines(choice, *hints(choice, rollouts, Random(seed)))


def _position(view: View, by: int | None) -> Iterator[str]:
    """What the person knows, before a play is asked for."""
    yield f"\nThe others: {_held(view)}"
    yield f"Your hand:  {view.hand}"
    if by is not None:
        yield f"To beat:    {view.lead}, a {kind(view.lead)} of player {by + 1}"


def _held(view: View) -> str:
    """How many cards each robot holds."""
    counts = enumerate(view.counts)
    return ", ".join(f"player {i + 1} has {_count(n)}" for i, n in counts if i != PERSON)


def _listed(choice: Choice, talk: Console, most: int) -> Iterator[str]:
    """The first plays with their numbers, in as many columns as the terminal has room for."""
    entries = [_entry(i, choice.state, move) for i, move in enumerate(choice.moves, 1)]
    # One play more is no longer than the line that would say so.
    listed = entries[: most if len(entries) > most + 1 else None]
    width = max(map(len, listed)) + 2
    for row in partition_all(max(1, (talk.width - 2) // width), listed):
        yield f"  {''.join(entry.ljust(width) for entry in row)}".rstrip()
    if len(listed) < len(entries):
        yield f"  and {len(entries) - len(listed)} more; l lists them all"


def _entry(number: int, before: View, after: View) -> str:
    return f"{number:>3}: {label(before, after)}"


def _name(player: int) -> str:
    return "You" if player == PERSON else f"Player {player + 1}"


def _has(turn: Turn[Table, None]) -> str:
    return "have" if turn.player == PERSON else "has"


def _count(n: int) -> str:
    return "1 card" if n == 1 else f"{n} cards"


def summary(turns: Turns) -> Grid | str:
    """How a game ended, with every hand that was left; of one that was left, how it stood."""
    last = turns[-1]
    if last.moves:
        stood = view(last.state, PERSON)
        return f"You leave the game with {_count(stood.counts[PERSON])}; {_held(stood)}."
    scores = GAME.result(last.state)
    out = last.state.hands.index(PASS)
    grid = Grid(title=f"{_name(out)} {'are' if out == PERSON else 'is'} out")
    grid.add_column("player")
    grid.add_column("cards left")
    grid.add_column("points", justify="right")
    for player, (hand, points) in enumerate(zip(last.state.hands, scores, strict=True)):
        grid.add_row(_name(player), str(hand) or "none", f"{points:+g}")
    return grid
