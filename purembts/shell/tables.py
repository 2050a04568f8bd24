"""The table of best moves for the pub, for spreadsheets and for programs, each as one string."""

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
    best_move_table_string,
    boxes,
    full_box,
    possible_moves,
    rolls,
    win_probability,
)


class Row(NamedTuple):
    """The best move from a box with a roll."""

    box: Box
    roll: int
    move: Box | None
    """The box to move to; None where there is none."""
    probability: Fraction
    """The exact probability to win from here."""
    choices: int
    """How many moves there are."""


def rows(rules: Rules = USUAL) -> Iterator[Row]:
    """The best move from every box with every roll, in the order of the workshop's table."""
    for box in boxes(rules):
        for roll in rolls(box, rules=rules):
            move = best_move(box, roll, rules=rules)
            probability = win_probability(box, roll, rules=rules)
            choices = len(possible_moves(box, roll, rules=rules))
            yield Row(box, roll, move, probability, choices)


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


def _facts(row: Row) -> dict[str, object]:
    return {
        "box": sorted(row.box),
        "roll": row.roll,
        "best_move": None if row.move is None else sorted(row.move),
        "probability": float(row.probability),
        "exactly": str(row.probability),
    }


def as_markdown(rules: Rules = USUAL) -> str:
    """A line for each box and a column for each roll, as the workshop's text has them."""
    heads, *lines = _workshop_cells(rules)
    table = (f"| {' | '.join(f'`{cell}`' for cell in line)} |\n" for line in lines)
    ruler = "|".join(["---"] * len(heads))
    return f"| {' | '.join(heads)} |\n|{ruler}|\n" + "".join(table)


def _workshop_cells(rules: Rules) -> Iterator[list[str]]:
    yield ["box", *map(str, sorted({row.roll for row in rows(rules)}))]
    for line in best_move_table_string(rules=rules).splitlines():
        yield line.split("\t")


def as_html(rules: Rules = USUAL) -> str:
    """A page to print as a card: for each box and roll that leave a choice, what to shut."""
    choices = [row for row in rows(rules) if row.choices > 1]
    columns = sorted({row.roll for row in choices})
    by_box: dict[Box, dict[int, Row]] = {}
    for row in choices:
        by_box.setdefault(row.box, {})[row.roll] = row
    start = win_probability(full_box(rules), rules=rules)
    lines = (
        _html_row(box, by_box[box], columns, rules)
        for box in sorted(by_box, key=lambda box: sorted(box))
    )
    return PAGE.format(
        style=STYLE,
        columns=5 if rules.levers < 10 else 3,
        rules=escape(told(rules)),
        probability=f"{100 * float(start):.2f}",
        example=_example(choices),
        heads="".join(f"<th scope=col>{roll}" for roll in columns),
        rows="\n".join(lines),
    )


def _html_row(box: Box, by_roll: Mapping[int, Row], columns: list[int], rules: Rules) -> str:
    chances = f"{100 * float(win_probability(box, rules=rules)):.1f}"
    cells = "".join(f"<td>{_shut(by_roll.get(roll))}" for roll in columns)
    return f"<tr><th scope=row>{_levers(box)}<td>{chances}{cells}"


def _shut(row: Row | None) -> str:
    return "" if row is None or row.move is None else _levers(row.box - row.move)


def _levers(box: Box) -> str:
    """The levers in a row, and set apart where one of them has two digits."""
    return ("" if max(box, default=0) < 10 else "+").join(map(str, sorted(box)))


def _example(choices: list[Row]) -> str:
    if not choices:
        return "In this game there is never anything to choose."
    row = max(choices, key=lambda row: (len(row.box), row.choices, row.roll))
    return f"With {_levers(row.box)} up and {row.roll} rolled, shut {_shut(row)}."


def told(rules: Rules) -> str:
    """`rules` in words.

    >>> told(Rules(levers=12, one_die_end=True))
    'levers 1 to 12, two dice, one die once the open levers sum to at most 6'
    """
    words = [f"levers 1 to {rules.levers}", "one die" if rules.dice == 1 else "two dice"]
    if rules.one_die_end and rules.dice == 2:
        words.append("one die once the open levers sum to at most 6")
    if rules.most_levers is not None:
        words.append(f"at most {rules.most_levers} shut in one move")
    return ", ".join(words)


FORMATS: Mapping[str, Callable[[Rules], str]] = {
    "text": lambda rules: best_move_table_string(rules=rules),
    "csv": as_csv,
    "markdown": as_markdown,
    "json": as_json,
    "html": as_html,
}
"""The table in each form that there is."""

SUFFIXES: Mapping[str, str] = {
    ".csv": "csv",
    ".md": "markdown",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
}
"""The form that the end of a file's name asks for; any other is text."""

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
<p>Find the levers that are up at the left and your roll above, and shut what stands there. Where
nothing stands there is no choice. {example} The column % is the chance to win before the roll;
from the start it is {probability} %. Rules: {rules}.</p>
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
