"""Tasks 12 and 13: exact probabilities and best moves, compared with the exact solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, partial

from purembts.games.shut_the_box import Box, boxes, full_box
from purembts.verify.solution_calls import (
    Solution,
    Wrong,
    call,
    call_text,
    empty_maps,
    reading,
    required,
    takes,
)
from purembts.verify.solutions import (
    Node,
    Value,
    box_of,
    brief,
    items_of,
    levers_text,
    node_of,
    probability_of,
    shown,
)
from purembts.verify.task_checks_games import values
from purembts.verify.task_checks_moves import SHUT, by_size, late, now
from purembts.workshop import ROLLS, THROWS, possible_moves, win_probability

UNREACHED: Box = full_box() - {1}
"""The box that no game from the full box reaches, because two dice never show 1."""
SECONDS = 4.0


# Task 12


def compare(text: str, value: Value, node: Node) -> None:
    """Raise a `Wrong` unless `value` is the exact probability of winning at `node`.

    Fractions are compared exactly, floats up to a rounding error of 1e-9.
    """
    exactly = win_probability(*node)
    is_right = value == exactly if isinstance(value, Fraction) else abs(value - exactly) <= 1e-9
    if not is_right:
        raise Wrong(
            f"{text} is {_number(value)}; exactly it is {_number(exactly)}{_why(node)}."
            f"{_likeness(value, node)}"
        )


def _likeness(value: Value, node: Node) -> str:
    """The wrong model that has this value, as a sentence; empty without one."""
    box, roll = node
    if roll is None and box:
        for reason, model in MODELS.items():
            if _first_fault(reason) == box and abs(value - model()(box)) <= 1e-9:
                return f" {_number(value)} is the value {reason}."
    return ""


@cache
def _first_fault(reason: str) -> Box | None:
    """The first box, in the order of checking, where a wrong model has a wrong value.

    A fault that comes at another box has another reason, because the boxes before it are right.
    """
    model = MODELS[reason]()
    return next((box for box in by_size()[:-1] if model(box) != win_probability(box)), None)


@cache
def _values_of_equal_rolls(box: Box) -> Fraction:
    best = (max(map(_values_of_equal_rolls, possible_moves(box, r)), default=0) for r in ROLLS)
    return Fraction(sum(best)) / len(ROLLS) if box else Fraction(1)


@cache
def _worst_values(box: Box) -> Fraction:
    worst = (min(map(_worst_values, possible_moves(box, r)), default=0) for r in THROWS)
    return Fraction(sum(worst)) / len(THROWS) if box else Fraction(1)


@cache
def _value_without(roll: int, box: Box) -> Fraction:
    best = (
        max((_value_without(roll, move) for move in possible_moves(box, r)), default=0)
        for r in THROWS
        if r != roll
    )
    return Fraction(sum(best)) / len(THROWS) if box else Fraction(1)


MODELS: Mapping[str, Callable[[], Callable[[Box], Fraction]]] = {
    "for a player who moves at random": lambda: values(False),
    "for the simplified game": lambda: values(True),
    "for a player who takes the worst moves": lambda: _worst_values,
    "for eleven rolls that are equally likely": lambda: _values_of_equal_rolls,
    "without roll 12": lambda: partial(_value_without, 12),
    "without roll 2": lambda: partial(_value_without, 2),
}
"""Wrong values that are easy to come by, with their reasons."""


def _number(p: Value) -> str:
    as_fraction = isinstance(p, Fraction) and 1 < p.denominator < 10**6
    return f"{p} = {float(p):.9g}" if as_fraction else f"{float(p):.9g}"


def _why(node: Node) -> str:
    """The reason for the value of a node, if it is short."""
    box, roll = node
    if not box:
        return ", because the shut box is a win"
    if roll is None:
        return ": the values of the 11 rolls, each weighted with its share of the 36 throws"
    moves = possible_moves(box, roll)
    if not moves:
        return ", because no levers add up to the roll"
    best = max(moves, key=win_probability)
    return f", the value of the best move, which leaves {levers_text(best)}"


def check_win_probability(solution: Solution) -> str:
    """Check `win_probability`: all boxes, and all rolls if it takes a roll."""
    begin, checked = now(solution), 0
    for box in (SHUT, *by_size()[:-2], full_box()):
        if late(solution, begin, SECONDS) and box != full_box():
            continue
        _check_probability(solution, box, None)
        checked += 1
    if _takes_roll(solution.words["win_probability"]):
        for box in by_size()[:-1]:
            if late(solution, begin, 2 * SECONDS) and len(box) > 1:
                break
            for roll in ROLLS:
                _check_probability(solution, box, roll)
    return f"{checked} boxes, exactly"


def _takes_roll(function: Value) -> bool:
    return takes(function, "roll") or len(required(function)) > 1


def _check_probability(solution: Solution, box: Box, roll: int | None) -> None:
    given = {"box": solution.make_box(box)}
    if roll is not None or "roll" in required(solution.words["win_probability"]):
        given["roll"] = roll
    text = call_text("win_probability", given.values())
    value = call(solution, "win_probability", **given)
    p = reading(text, lambda v: probability_of(v, solution.own), value)
    compare(f"`{text}`", p, (box, roll))


def check_optimal_table(solution: Solution) -> str:
    """Check `optimal_table`: the exact probability for each box."""
    value = solution.words["optimal_table"]
    text = "optimal_table()" if callable(value) else "optimal_table"
    value = call(solution, "optimal_table") if callable(value) else value
    found = _nodes(solution, text, value)
    for box in (SHUT, *by_size()):
        if (box, None) in found:
            compare(f"`{text}` for the box {levers_text(box)}", found[box, None], (box, None))
        elif box not in (SHUT, UNREACHED):
            raise Wrong(f"`{text}` has no entry for the box {levers_text(box)}.")
    return f"{len(found)} boxes, exactly"


def _nodes(solution: Solution, text: str, value: Value) -> dict[Node, Value]:
    """The probabilities of a tree of boxes, or of boxes and rolls."""
    pairs = reading(text, items_of, value)
    return {
        reading(text, node_of, key): reading(text, lambda v: probability_of(v, solution.own), item)
        for key, item in pairs
    }


def check_build_tree(solution: Solution) -> str:
    """Check `build_tree`: every node of the trees from small boxes to the full one."""
    nodes = [(box, None) for box in (*by_size()[:20], frozenset({1, 2, 3}), full_box())]
    size = 0
    for node in [nodes[0], (frozenset({7}), 7), (frozenset({7}), 6), *nodes[1:]]:
        text, found = _built(solution, node)
        in_order = sorted(found, key=lambda n: (len(n[0]), sorted(n[0]), n[1] or 0))
        for box, roll in in_order:
            if box or roll is None:  # the shut box needs no roll
                where = f"the box {levers_text(box)}" + (f" and the roll {roll}" if roll else "")
                compare(f"`{text}`: the value of {where}", found[box, roll], (box, roll))
        if node not in found:
            raise Wrong(f"`{text}` has no entry for {_node_text(node)}.")
        size = len(found)
    return f"{size:,} nodes of the tree from the full box, exactly"


def _node_text(node: Node) -> str:
    return f"the node (frozenset({levers_text(node[0])}), {node[1]})"


def _built(solution: Solution, node: Node) -> tuple[str, dict[Node, Value]]:
    """The call of `build_tree` as text, and the values by node.

    The tree is in the answer, also if that is a pair, or in the dict that the function fills.
    """
    first: Wrong | None = None
    for make in empty_maps(solution.words):
        tree = make()
        given = _tree_arguments(solution, tree, node)
        text = call_text("build_tree", given.values())
        try:
            answer = call(solution, "build_tree", **given)
        except Wrong as wrong:
            first = first or wrong
            continue
        parts = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer,)
        grown = next((part for part in parts if hasattr(part, "items")), tree)
        if not grown:
            raise Wrong(f"`{text}` gives {shown(answer)}; the answer is the new tree, a map.")
        return text, _nodes(solution, text, grown)
    raise first or Wrong("`build_tree` takes no tree.")


def _tree_arguments(solution: Solution, tree: Value, node: Node) -> dict[str, Value]:
    """The arguments of `build_tree`: a tree, and a node or a box and a roll."""
    function, box = solution.words["build_tree"], solution.make_box(node[0])
    if len(required(function)) > 2 or takes(function, "roll"):
        return {"tree": tree, "box": box, "roll": node[1]}
    return {"tree": tree, "node": (box, node[1])}


# Task 13


def check_best_move(solution: Solution) -> str:
    """Check `best_move`: the best move of each state, any one of equals."""
    begin, checked = now(solution), 0
    for box in (*by_size()[:-2], full_box()):
        if late(solution, begin, 2 * SECONDS) and box != full_box():
            continue
        for roll in ROLLS:
            given = solution.make_box(box)
            answer = call(solution, "best_move", box=given, roll=roll)
            text = f"`{call_text('best_move', (given, roll))}`"
            check_choice(text, answer, box, roll)
            checked += 1
    return f"{checked:,} states; any best move counts"


def check_choice(text: str, answer: Value, box: Box, roll: int) -> None:
    """Raise a `Wrong` unless `answer` is one of the best moves, or no move if there is none."""
    moves = possible_moves(box, roll)
    if not moves:
        if not _is_nothing(answer):
            raise Wrong(f"{text} is {shown(answer)}; there is no move, so it must be None.")
        return
    best = max(moves, key=win_probability)
    if answer is None:
        raise Wrong(f"{text} is None; the best move leaves {levers_text(best)}.")
    move = reading(text.strip("`"), box_of, answer)
    if move not in moves:
        raise Wrong(
            f"{text} is {levers_text(move)}, and that is no possible move; the best move leaves "
            f"{levers_text(best)}."
        )
    if win_probability(move) != win_probability(best):
        raise Wrong(
            f"{text} is {levers_text(move)}, which wins with probability "
            f"{float(win_probability(move)):.4g}; {levers_text(best)} wins with "
            f"{float(win_probability(best)):.4g}."
        )


def _is_nothing(answer: Value) -> bool:
    """True for None, and for a text without a digit, such as x."""
    return answer is None or (isinstance(answer, str) and not any(map(str.isdigit, answer)))


def check_best_move_table(solution: Solution) -> str:
    """Check `best_move_table`: an entry for each box and roll with a move."""
    value = solution.words["best_move_table"]
    text = "best_move_table()" if callable(value) else "best_move_table"
    table = _choices(text, call(solution, "best_move_table") if callable(value) else value)
    for box in by_size()[:-1]:
        for roll in ROLLS:
            where = f"`{text}` for {levers_text(box)} and a roll of {roll}"
            if (box, roll) in table:
                check_choice(where, table[box, roll], box, roll)
            elif possible_moves(box, roll) and box != UNREACHED:
                raise Wrong(f"`{text}` has no entry for {levers_text(box)} and a roll of {roll}.")
    return "all boxes and rolls; any best move counts"


def _choices(text: str, value: Value) -> dict[Node, Value]:
    """The moves of a table by box and roll. Its keys are pairs, or boxes with a map by roll."""
    found: dict[Node, Value] = {}
    for key, item in reading(text, items_of, value):
        box, roll = reading(text, node_of, key)
        if roll is None and hasattr(item, "items"):
            found |= {(box, int(r)): move for r, move in item.items()}
        else:
            found[box, roll] = item
    return found


def check_box_to_str(solution: Solution) -> str:
    """Check `box_to_str`: a text with the digits of the levers that are up."""
    for box in (*by_size()[:-1], SHUT):
        given = solution.make_box(box)
        answer = call(solution, "box_to_str", box=given)
        text = call_text("box_to_str", (given,))
        if not isinstance(answer, str):
            raise Wrong(f"`{text}` gives {shown(answer)}; it must be a text.")
        if _digits(answer) != box:
            raise Wrong(
                f"`{text}` gives {answer!r}; the digits in it must be the levers that are up."
            )
    return "all 512 boxes"


def _digits(text: str) -> Box:
    return frozenset(int(mark) for mark in text if mark.isdigit())


def check_best_move_table_string(solution: Solution) -> str:
    """Check `best_move_table_string`: a line for each box, a column for each roll.

    Lines of another form are not read.
    """
    value = solution.words["best_move_table_string"]
    name = "best_move_table_string()" if callable(value) else "best_move_table_string"
    text = call(solution, "best_move_table_string") if callable(value) else value
    if not isinstance(text, str):
        raise Wrong(f"`{name}` gives {shown(text)}; it must be a text.")
    rows = list(_rows(text))
    if not rows:
        _check_heads(name, text)
        lines = [line for line in text.splitlines() if any(map(str.isdigit, line))]
        if len(lines) < len(boxes()) - 2:
            raise Wrong(f"`{name}` has {len(lines)} lines with digits; there are 512 boxes.")
        return f"a text of {len(lines):,} lines, whose form was not read"
    if left_out := set(boxes()) - {box for box, _ in rows} - {SHUT, UNREACHED}:
        raise Wrong(f"`{name}` has no line for {levers_text(max(left_out, key=sorted))}.")
    for box, cells in rows:
        for roll, cell in zip(ROLLS, cells, strict=True):
            _check_cell(name, box, roll, cell)
    return f"{len(rows)} lines; any best move counts"


def _check_heads(name: str, text: str) -> None:
    """Raise a `Wrong` for lines of eleven cells that begin with a move, and not with a box."""
    for mark in MARKS:
        lines = [line for line in text.splitlines() if line.strip("|").count(mark) == 10]
        moves = [line for line in lines if not _digits(line.strip("|").split(mark)[0])]
        if len(lines) > len(boxes()) / 2 and len(moves) > len(lines) / 10:
            raise Wrong(
                f"`{name}`: each line begins with its box and has 11 moves after it; this line has "
                f"11 cells: {brief(moves[0])}."
            )


def _check_cell(name: str, box: Box, roll: int, cell: str) -> None:
    where = f"`{name}`, line of {levers_text(box)}, roll {roll}:"
    moves = possible_moves(box, roll)
    if moves:
        check_choice(f"{where} the move", _digits(cell), box, roll)
    elif box and _digits(cell):
        raise Wrong(f"{where} the move is {levers_text(_digits(cell))}, and there is no move.")


MARKS = "\t|;,"
"""The marks between the cells of a line, in the order of trying."""


def _rows(text: str) -> Iterable[tuple[Box, list[str]]]:
    """The lines of a box and a cell for each roll, with tabs, bars, semicolons or commas."""
    for mark in MARKS:
        lines = [line.strip("\r\n").strip("|").split(mark) for line in text.splitlines()]
        rows = [
            (_digits(cells[0]), cells[1:])
            for cells in lines
            if len(cells) == 12 and [cell.strip() for cell in cells[1:]] != [*map(str, ROLLS)]
        ]
        if len(rows) > len(boxes()) / 2 and len({box for box, _ in rows}) == len(rows):
            yield from rows
            return
