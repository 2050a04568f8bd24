"""The table of best moves of Shut the Box as text, CSV, JSON, Markdown, and a card in HTML."""

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from html import escape
from io import StringIO
from typing import NamedTuple

from purembts.games.shut_the_box import (
    USUAL,
    Box,
    Rules,
    best_move,
    box_to_str,
    boxes,
    full_box,
    possible_moves,
    rolls,
    shut_the_box,
    win_probability,
)


class BestMove(NamedTuple):
    """The best move from a box with a roll."""

    box: Box
    roll: int
    move: Box | None
    """The box to move to; None if there is no move."""
    probability: Fraction
    """The exact probability to win."""
    choices: int
    """The number of moves."""


def rows(rules: Rules = USUAL) -> Iterator[BestMove]:
    """The best move from every box with every roll, in the order of the workshop's table."""
    for box in boxes(rules=rules):
        for roll in rolls(box, rules=rules):
            move = best_move(box, roll, rules=rules)
            probability = win_probability(box, roll, rules=rules)
            choices = len(possible_moves(box, roll, rules=rules))
            yield BestMove(box, roll, move, probability, choices)


def as_text(rules: Rules = USUAL) -> str:
    """The workshop's table: a line for each box, and for each roll a tab and the box to move to.

    The rolls go from the lowest to the highest, 2 to 12 in the usual game; an x stands for no move.
    """
    _, *lines = _cells(rules)
    return "".join("\t".join(line) + "\n" for line in lines)


def _cells(rules: Rules) -> Iterator[list[str]]:
    """The cells of the workshop's table: a heading, then each box with its move for each roll."""
    all_boxes, moves = boxes(rules=rules), shut_the_box(rules).moves
    totals = sorted({roll for box in all_boxes for roll in rolls(box, rules=rules)})
    yield ["box", *map(str, totals)]
    for box in all_boxes:
        best = (best_move(box, r, rules=rules) if moves(box, r) else None for r in totals)
        yield [box_to_str(each, rules=rules) for each in (box, *best)]


def heads(rules: Rules = USUAL) -> list[str]:
    """The headings of the columns of `as_text`, which has none."""
    return next(_cells(rules))


def as_csv(rules: Rules = USUAL) -> str:
    """A line for each box and roll; boxes as their levers with blanks, and x for no move."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["box", "roll", "best_move", "shut", "probability"])
    for row in rows(rules):
        move = "x" if row.move is None else _spaced(row.move)
        shut = "" if row.move is None else _spaced(row.box - row.move)
        writer.writerow([_spaced(row.box), row.roll, move, shut, float(row.probability)])
    return text.getvalue()


def _spaced(box: Box) -> str:
    return " ".join(map(str, sorted(box)))


def as_json(rules: Rules = USUAL) -> str:
    """An object with the game, its rules and a list of moves; boxes as lists of levers."""
    moves = (json.dumps(_facts(row)) for row in rows(rules))
    head = json.dumps({"game": "Shut the Box", "rules": rules._asdict()})
    return f'{head[:-1]}, "moves": [\n' + ",\n".join(moves) + "\n]}\n"


def _facts(row: BestMove) -> dict[str, object]:
    return {
        "box": sorted(row.box),
        "roll": row.roll,
        "best_move": None if row.move is None else sorted(row.move),
        "probability": float(row.probability),
        "exactly": str(row.probability),
    }


def as_markdown(rules: Rules = USUAL) -> str:
    """A line for each box and a column for each roll, as the workshop's text has them."""
    heads, *lines = _cells(rules)
    table = (f"| {' | '.join(f'`{cell}`' for cell in line)} |\n" for line in lines)
    ruler = "|".join(["---"] * len(heads))
    return f"| {' | '.join(heads)} |\n|{ruler}|\n" + "".join(table)


def as_html(rules: Rules = USUAL) -> str:
    """A page to print as a card: the levers to shut, for each box and roll with a choice."""
    choices = [row for row in rows(rules) if row.choices > 1]
    columns = sorted({row.roll for row in choices})
    by_box: dict[Box, dict[int, BestMove]] = {}
    for row in choices:
        by_box.setdefault(row.box, {})[row.roll] = row
    start = win_probability(full_box(rules=rules), rules=rules)
    lines = (
        _html_row(box, by_box[box], columns, rules)
        for box in sorted(by_box, key=lambda box: sorted(box))
    )
    return PAGE.format(
        style=STYLE,
        columns=5 if rules.levers < 10 else 3,
        rules=escape(describe_rules(rules)),
        probability=f"{100 * float(start):.2f}",
        example=_example(choices),
        heads="".join(f"<th scope=col>{roll}" for roll in columns),
        rows="\n".join(lines),
    )


def _html_row(box: Box, by_roll: Mapping[int, BestMove], columns: list[int], rules: Rules) -> str:
    percent = f"{100 * float(win_probability(box, rules=rules)):.1f}"
    cells = "".join(f"<td>{_shut(by_roll.get(roll))}" for roll in columns)
    return f"<tr><th scope=row>{_levers(box)}<td>{percent}{cells}"


def _shut(row: BestMove | None) -> str:
    return "" if row is None or row.move is None else _levers(row.box - row.move)


def _levers(box: Box) -> str:
    """The levers in a row, and set apart where one of them has two digits."""
    return ("" if max(box, default=0) < 10 else "+").join(map(str, sorted(box)))


def _example(choices: list[BestMove]) -> str:
    if not choices:
        return "In this game there is never anything to choose."
    row = max(choices, key=lambda row: (len(row.box), row.choices, row.roll))
    return f"With {_levers(row.box)} up and {row.roll} rolled, shut {_shut(row)}."


def describe_rules(rules: Rules) -> str:
    """`rules` in words.

    >>> describe_rules(Rules(levers=12, one_die_end=True))
    'levers 1 to 12, two dice, one die once the levers that are up add up to at most 6'
    """
    words = [f"levers 1 to {rules.levers}", "one die" if rules.dice == 1 else "two dice"]
    if rules.one_die_end and rules.dice == 2:
        words.append("one die once the levers that are up add up to at most 6")
    if rules.most_levers is not None:
        words.append(f"at most {rules.most_levers} shut in one move")
    return ", ".join(words)


FORMATS: Mapping[str, Callable[[Rules], str]] = {
    "text": as_text,
    "csv": as_csv,
    "markdown": as_markdown,
    "json": as_json,
    "html": as_html,
}
"""The function for each format."""

SUFFIXES: Mapping[str, str] = {
    ".csv": "csv",
    ".md": "markdown",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
}
"""The format for the end of a file's name; text for any other end."""

STYLE = """
:root { color-scheme: light }
body { font: 15px/1.35 "Liberation Sans Narrow", "Arial Narrow", Arial, sans-serif;
       color: #000; background: #fff; margin: 1.5em auto; max-width: 60em; padding: 0 1em }
h1 { font-size: 1.5em; margin: 0 }
p { margin: .3em 0 .8em }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: .1em .35em; text-align: right; border-bottom: 1px solid #bbb }
thead th { position: sticky; top: 0; background: #fff; border-bottom: 2px solid #000 }
tbody th, thead th:first-child { text-align: left }
td:nth-child(2) { color: #444; border-right: 1px solid #000 }
tbody tr:nth-child(even) > * { background: #eee }
@media (max-width: 30em) { body { font-size: 11px } }
@page { size: A4 landscape; margin: 7mm }
@media print {
  body { font-size: 5.5pt; line-height: 1.05; margin: 0; max-width: none; padding: 0 }
  h1 { font-size: 10pt; display: inline }
  p { font-size: 7pt; display: inline; margin-left: 1em }
  main { columns: var(--columns); column-gap: 3mm; margin-top: 1.5mm }
  thead th { position: static }
  th, td { padding: 0 .15em; border-bottom-width: .2pt }
  thead th { border-bottom-width: .6pt }
  tr { break-inside: avoid }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact }
}
"""

PAGE = """<!DOCTYPE html>
<html lang="en" style="--columns: {columns}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shut the Box: the best moves</title>
<style>{style}</style>
</head>
<body>
<h1>Shut the Box: the best moves</h1>
<p>Find your row at the left: the levers that are up. Find your roll above. Shut the levers in this
cell. If the cell is empty, there is no choice. {example} The column % is the probability to win
before the roll; from the start it is {probability} %. Rules: {rules}.</p>
<main>
<table>
<thead><tr><th scope=col>up<th scope=col>%{heads}</thead>
<tbody>
{rows}
</tbody>
</table>
</main>
</body>
</html>
"""
