"""The examples of a document, run as at a prompt and compared with the answers that it prints.

A document has names of its own, which its examples share. They are kept here from call to call, by
the name of the document.
"""

from __future__ import annotations

import ast
import io
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from purembts.app.prompt import display
from purembts.report import Facts

if TYPE_CHECKING:
    from doctest import Example

Code = ast.Interactive | str
Hook = Callable[[object], None]


class Answer(NamedTuple):
    """The answer to an example, or to a statement."""

    source: str
    got: str
    """The lines that were printed, and the error if there was one."""
    want: str = ""
    """The answer in the document."""
    is_as_printed: bool = False
    """True if `got` is the answer in the document, as a doctest compares them."""


_documents: dict[str, ModuleType] = {}
_numbers = count(1)


def forget_document(document: str) -> None:
    """Forget the names of a document."""
    _documents.pop(document, None)


# Run


def run_examples(document: str, text: str, module: str = "") -> Iterator[Facts]:
    """The answers to the examples in `text`, one after the other.

    If the text is from a docstring of `module`, a new document has the names of that module.
    """
    from doctest import DocTestParser  # which takes some time, and most pages do without

    for example in DocTestParser().get_examples(text):
        printed, error = _run(document, example.source, _remembered(example.source), module)
        answer = _answer(example.source, printed, error)
        is_as_printed = _is_as_printed(example, printed, error)
        yield answer._replace(want=example.want, is_as_printed=is_as_printed)._asdict()


def run_lines(document: str, source: str, module: str = "") -> Iterator[Facts]:
    """The answers to the statements of `source`, one after the other, as at `purembts prompt`."""
    file = _remembered(source)
    try:
        statements = ast.parse(source, file).body
    except SyntaxError as error:
        yield _answer(source, "", error)._asdict()
        return
    for statement in statements:
        code = ast.Interactive(body=[statement])
        lines = ast.get_source_segment(source, statement) or ""
        yield _answer(f"{lines}\n", *_run(document, code, file, module, display))._asdict()


def _run(
    document: str, code: Code, file: str, module: str, hook: Hook = sys.__displayhook__
) -> tuple[str, BaseException | None]:
    """The lines that `code` prints, with its values by `hook`, and its error or None."""
    names = _names(document, module)
    with _prompt(names, hook) as printed:
        try:
            exec(compile(code, file, "single", dont_inherit=True), vars(names))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it belongs to the answer
            return printed.getvalue(), error
    return printed.getvalue(), None


def _names(document: str, module: str) -> ModuleType:
    """The module in which the examples of a document run."""
    if document not in _documents:
        _documents[document] = ModuleType("__main__")
        if module:
            vars(_documents[document]).update(vars(import_module(module)))
    return _documents[document]


@contextmanager
def _prompt(names: ModuleType, hook: Hook) -> Iterator[io.StringIO]:
    """What is printed, while Python runs as at a prompt in `names`, where nobody types."""
    printed = io.StringIO()
    kept = sys.modules["__main__"], sys.displayhook, sys.stdin
    sys.modules["__main__"], sys.displayhook, sys.stdin = names, hook, io.StringIO()
    try:
        with redirect_stdout(printed):
            yield printed
    finally:
        sys.modules["__main__"], sys.displayhook, sys.stdin = kept


def _remembered(source: str) -> str:
    """The name of a file with `source`, whose lines a traceback and `inspect` can show."""
    file = f"<prompt {next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return file


# Compare


def _answer(source: str, printed: str, error: BaseException | None) -> Answer:
    """The answer, with the error as Python shows it."""
    return Answer(source, printed + _traceback(error))


def _traceback(error: BaseException | None) -> str:
    """The lines of an error, without those of this module; "" if there is none."""
    if error is None:
        return ""
    inside = error.__traceback__ and error.__traceback__.tb_next
    return "".join(traceback.format_exception(type(error), error, inside))


def _is_as_printed(example: Example, printed: str, error: BaseException | None) -> bool:
    """True if the answer is the one of the document, as `doctest.DocTestRunner` decides it."""
    from doctest import OutputChecker

    flags = sum(flag for flag, is_on in example.options.items() if is_on)
    want: str | None = example.want
    got = printed
    if error is not None:
        lines = traceback.format_exception_only(error)
        got = lines[-1] if isinstance(error, SyntaxError) else "".join(lines)
        want = example.exc_msg
    return want is not None and OutputChecker().check_output(want, got, flags)
