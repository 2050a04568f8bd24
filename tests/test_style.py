"""Shifts beside other operators stand in parentheses, so that no reader has to know what binds."""

import ast
from pathlib import Path

import pytest

import purembts

ROOT = Path(purembts.__file__).parent
SHIFTS = (ast.LShift, ast.RShift)
OTHERS = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)


def bare_shifts(source):
    """The lines with a shift inside another operation, or the other way round, and no parentheses.

    Parentheses are no part of the tree, so they are looked for in the text around the inner one.
    """
    lines = [line.encode() for line in source.splitlines()]
    for outer in ast.walk(ast.parse(source)):
        if not isinstance(outer, ast.BinOp):
            continue
        for inner in (outer.left, outer.right):
            if not isinstance(inner, ast.BinOp) or not mixes(outer.op, inner.op):
                continue
            before = lines[inner.lineno - 1][: inner.col_offset].rstrip()
            after = lines[inner.end_lineno - 1][inner.end_col_offset :].lstrip()
            if not (before.endswith(b"(") and after.startswith(b")")):
                yield inner.lineno


def mixes(one, other):
    """True if one is a shift and the other an operator that is easily taken to bind otherwise."""
    pairs = ((one, other), (other, one))
    return any(isinstance(a, SHIFTS) and isinstance(b, OTHERS) for a, b in pairs)


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: path.stem)
def test_no_shift_stands_bare_beside_another_operator(path):
    assert list(bare_shifts(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    ["a << 1 | b", "b & a >> 1", "1 << 4 * rank", "1 << row + 1", "n >> 1 & (1)", "(a) << 1 ^ (b)"],
)
def test_a_bare_shift_is_found(source):
    assert list(bare_shifts(source)) == [1]


@pytest.mark.parametrize(
    "source", ["(a << 1) | b", "b & (a >> 1)", "1 << (4 * rank)", "a << b << c", "f(1 << n) | m"]
)
def test_a_shift_in_parentheses_is_not_found(source):
    assert list(bare_shifts(source)) == []
