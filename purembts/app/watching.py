"""A game between strategies, turn by turn: its lines and its JSON."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from purembts.app.hints import Look, worth
from purembts.app.kinds import AnyGame, Position
from purembts.app.results import encoded, facts
from purembts.app.sentences import (
    event_line,
    fitted,
    hint_table,
    is_event_told,
    move_line,
    outcome,
    shown_to_mover,
)
from purembts.app.thinking import Thought, thoughts
from purembts.chance import Rng
from purembts.display import digits_of, number
from purembts.game import E, Game, S, check_game, draw_turn, endless, result_of
from purembts.players import Player
from purembts.records import marks_of
from purembts.report import Facts, Report, Row
from purembts.tables import Table, as_text, rows_table


def watched(
    game: Game[S, E], state: S, players: Mapping[int, Player], rng: Rng
) -> Iterator[Thought]:
    """The last thought of each turn of a game from `state`; the last one is the end of the game.

    The moves are those of `play.play_game` with these `players`.
    """
    check_game(game, state)
    for _ in range(game.max_turns):
        turn = draw_turn(game, state, rng)
        if not turn.moves:
            yield Thought(turn, ())
            return
        [thought] = deque(thoughts(game, turn, players[turn.player], rng), maxlen=1)
        yield thought
        state = thought.move
    raise endless(game, state)


# Text


def beginning(game: AnyGame, names: Mapping[int, str]) -> str:
    """The first line of a game between the strategies with these `names`."""
    players = (f"player {player + 1} is {text}" for player, text in names.items())
    return f"{game.name}: {', '.join(players)}."


def turn_text(game: AnyGame, before: Position, thought: Thought, look: Look) -> str:
    """The position of a turn, the event, what the player believes of the moves, and its move.

    `before` is the position before the last move, which is marked. At the end of the game the
    result stands in the place of the move.
    """
    turn = thought.turn
    lines = ["", shown_to_mover(game, turn, before, look.ends)]
    if is_event_told(game, turn):
        lines.append(event_line(game, turn))
    for known in thought.reports[-1:]:
        table = hint_table(known, f"What player {turn.player + 1} believes")
        lines.append(as_text(table, look.width))
    lines.append(move_line(game, turn, thought.move) if turn.moves else outcome(game, turn.state))
    return fitted("\n".join(lines), look.width)


# How a player changed its mind


def stages(reports: Sequence[Report]) -> list[Report]:
    """Those of `reports` with the `records.marks_of` the visits of the last one."""
    ends = marks_of(reports[-1].record.visits) if reports else ()
    visits = {known.record.visits: known for known in reports}
    return [visits[end] for end in ends if end in visits]


def leading(known: Report) -> Row:
    """The row of the move that the player would make."""
    return max(known.rows, key=lambda row: (row.learnt, worth(row)))


def changes_table(steps: Sequence[Report]) -> Table:
    """The move that leads after each of `steps`, which `stages` gives."""
    digits = digits_of(steps[-1].game.score_range)
    leads = [(f"{step.record.visits:,}", leading(step)) for step in steps]
    rows = [[dives, row.label, number(row.mean, digits)] for dives, row in leads]
    heads = ["dives", "leads", "mean"]
    return rows_table("How it changed its mind", heads, rows, words=["leads"])


# JSON


def turn_facts(game: AnyGame, names: Mapping[int, str], n: int, thought: Thought) -> Facts:
    """Turn `n`, from 1, as an object of JSON; docs/play.md lists its fields."""
    turn, known, position = thought.turn, thought.reports, encoded(game, thought.turn.state)
    if not turn.moves:
        return {"turn": n, "position": position, "result": list(result_of(game, turn.state))}
    return {
        "turn": n,
        "player": turn.player,
        "strategy": names[turn.player],
        "position": position,
        "event": turn.event,
        "move": game.display.label(turn.state, thought.move),
        "report": facts(known[-1]) if known else None,
        "changes": [
            {
                "dives": step.record.visits,
                "move": row.label,
                "mean": row.mean,
                "interval": list(row.interval) if row.interval else None,
            }
            for step in stages(known)
            for row in [leading(step)]
        ],
    }
