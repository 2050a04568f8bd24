"""The small faults that `mutants.py` plants in the rooms of the package.

An operator becomes another one, a number becomes the next one, a condition is turned round or loses
a part, a default becomes None, a keyword argument is left out, two arguments are swapped, a
function returns None, a statement is removed. Types, decorators and texts stay.
"""

import ast
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

ROOT = Path(__file__).parents[1]

OTHERS = """
Add-Sub Sub-Add Mult-Div Div-Mult FloorDiv-Div-Mult Mod-FloorDiv Pow-Mult LShift-RShift
RShift-LShift BitAnd-BitOr BitOr-BitAnd BitXor-BitOr And-Or Or-And USub-UAdd Lt-LtE-GtE LtE-Lt-Gt
Gt-GtE-LtE GtE-Gt-Lt Eq-NotEq NotEq-Eq In-NotIn NotIn-In Is-IsNot IsNot-Is
"""
OPERATORS = {old: others for old, *others in (word.split("-") for word in OTHERS.split())}
"""The operators in the place of each, by their names in `ast`."""
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SAME_EITHER_WAY = {"min", "max", "merge", "add_scores", "isinstance"}
"""Functions whose arguments are not swapped: that changes nothing, or always raises."""


class Mutant(NamedTuple):
    """One fault: a line of the room, in the words of `ast.unparse`, before and after."""

    room: str
    line: int
    function: str
    old: str
    new: str

    def diff(self) -> str:
        """The lines as `equivalent_mutants.txt` has them."""
        return f"{self.room} {self.function}\n- {self.old}\n+ {self.new}"


Change: TypeAlias = tuple[ast.AST, str, object]
"""A part of a syntax tree, one of its attributes, and another value for the attribute."""


def changes(node: ast.AST) -> Iterator[Change]:
    """The faults of `node` alone: not those of its parts, and not those of its statements."""
    match node:
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) | ast.UnaryOp(op=op):
            yield from ((node, "op", other) for other in other_operators(op))
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                for other in other_operators(op):
                    yield node, "ops", [*ops[:i], other, *ops[i + 1 :]]
        case ast.Constant(value=value):
            yield from ((node, "value", other) for other in other_constants(value))
        case ast.Return(value=ast.Constant(None | False) | None):
            pass
        case ast.Return():
            yield node, "value", ast.Constant(None)
        case ast.Lambda():
            yield node, "body", ast.Constant(None)
        case ast.arguments(defaults=defaults, kw_defaults=kw_defaults):
            yield from ((node, "defaults", new) for new in with_none(defaults))
            yield from ((node, "kw_defaults", new) for new in with_none(kw_defaults))
        case ast.ExceptHandler(type=ast.Tuple(elts=errors) as caught):
            yield from ((caught, "elts", new) for new in without_one(errors))
        case ast.comprehension(ifs=ifs):
            yield from ((node, "ifs", new) for new in without_one(ifs))
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield node, "test", ast.UnaryOp(ast.Not(), test)
        case ast.Call():
            yield from changes_of_call(node)
    match node:
        case ast.BoolOp(values=values):
            yield from ((node, "values", new) for new in without_one(values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, "operand", ast.UnaryOp(ast.Not(), operand)


def changes_of_call(call: ast.Call) -> Iterator[Change]:
    """Another function, without one of the named arguments, or with two arguments swapped."""
    name, args = getattr(call.func, "id", ""), call.args
    if name in FUNCTIONS:
        yield call.func, "id", FUNCTIONS[name]
    for i, keyword in enumerate(call.keywords):
        if keyword.arg != "strict" and not is_text(keyword.value):
            yield call, "keywords", call.keywords[:i] + call.keywords[i + 1 :]
    for i in range(0 if name in SAME_EITHER_WAY else len(args) - 1):
        if not any(isinstance(arg, ast.Starred) for arg in args[i : i + 2]):
            yield call, "args", [*args[:i], args[i + 1], args[i], *args[i + 2 :]]


def is_text(node: ast.AST) -> bool:
    """True for a text, also for one with values in it."""
    return isinstance(getattr(node, "value", None), str) or isinstance(node, ast.JoinedStr)


def other_operators(operator: ast.AST) -> list[ast.AST]:
    """The operators of `OPERATORS` in the place of `operator`."""
    return [getattr(ast, name)() for name in OPERATORS.get(type(operator).__name__, ())]


def other_constants(value: object) -> list[object]:
    """The numbers beside a small one; twice and half a large one. Text is prose, and stays."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value - 1, value + 1] if value <= 100 else [value // 2, value * 2]
    if isinstance(value, float):
        return [value / 2, value * 2] if value else [-1.0, 1.0]
    return []


def other_statements(statement: ast.stmt) -> list[ast.stmt]:
    """A statement that does nothing, and the other jump out of a loop."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Assign(targets=[ast.Name() | ast.Tuple()]):
            return []
        case ast.Expr() | ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Return(value=None):
            return [ast.Pass()]
        case ast.Break():
            return [ast.Pass(), ast.Continue()]
        case ast.Continue():
            return [ast.Pass(), ast.Break()]
    return []


def with_none(defaults: list) -> Iterator[list]:
    """The defaults, each in turn replaced by None."""
    for i, default in enumerate(defaults):
        if default and ast.unparse(default) != "None":
            yield [*defaults[:i], ast.Constant(None), *defaults[i + 1 :]]


def without_one(items: list) -> Iterator[list]:
    """The items without one of them, for each of them."""
    return (items[:i] + items[i + 1 :] for i in range(len(items)))


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of `node` that may have faults: no types, no decorators, no texts of errors."""
    match node:
        case ast.Raise() | ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return
        case ast.Call(func=ast.Name(id="TypeVar")) | ast.FunctionDef(name="__repr__"):
            return
        case ast.keyword(arg="strict"):  # of zip: it states a fact
            return
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return
    for field, value in ast.iter_fields(node):
        if field not in {"annotation", "returns", "decorator_list", "bases"}:
            items = value if isinstance(value, list) else [value]
            yield from (item for item in items if isinstance(item, ast.AST))


def mutants(room: str) -> Iterator[tuple[Mutant, ast.AST]]:
    """Every mutant of `room`, with its syntax tree, which is right until the next one is taken."""
    tree = ast.parse((ROOT / room).read_text("utf-8"))

    def under(node: ast.AST, inside: ast.AST, before: list[str], function: str) -> Iterator:
        if isinstance(node, ast.stmt):
            inside, before = node, ast.unparse(node).splitlines()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            function = f"{function}.{node.name}".strip(".")
        faults = [(getattr(node, "lineno", inside.lineno), change) for change in changes(node)]
        for block in ("body", "orelse", "finalbody"):
            statements = getattr(node, block, None)
            for i, one in enumerate(statements if isinstance(statements, list) else ()):
                for other in other_statements(one):
                    new = [*statements[:i], other, *statements[i + 1 :]]
                    faults.append((one.lineno, (node, block, new)))
        for line, (part, attribute, value) in faults:
            original = getattr(part, attribute)
            setattr(part, attribute, value)
            pairs = zip(before, ast.unparse(inside).splitlines(), strict=False)
            for old, new in islice((pair for pair in pairs if pair[0] != pair[1]), 1):
                yield Mutant(room, line, function, old.strip(), new.strip()), tree
            setattr(part, attribute, original)
        for part in parts(node):
            yield from under(part, inside, before, function)

    yield from under(tree, tree, ast.unparse(tree).splitlines(), "")
