"""The examples of a document, run as at a prompt and compared with the answers that it prints.

A document has names of its own, which its examples share. They are kept here from call to call, by
the name of the document.
"""

from __future__ import annotations

import ast
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from types import ModuleType
from typing import TYPE_CHECKING

from purembts.app.prompt import display
from purembts.loading import streams
from purembts.report import Facts

if TYPE_CHECKING:
    from doctest import Example

_documents: dict[str, ModuleType] = {}
_files = count(1)


def forget_document(document: str) -> None:
    """Forget the names of a document."""
    _documents.pop(document, None)


def run_examples(document: str, text: str, module: str = "") -> Iterator[Facts]:
    """The answers to the examples in `text`, one after the other.

    If the text is from a docstring of `module`, a new document has the names of that module.
    """
    from doctest import DocTestParser  # which takes some time, and most pages do without

    names = _names(document, module)
    for example in DocTestParser().get_examples(text):
        file = _prompt_file(example.source)
        screen, error = _run_at_prompt(names, example.source, file, sys.__displayhook__)
        is_right = _is_as_printed(example, screen, error)
        answer = _answer_facts(example.source, screen, error)
        yield {**answer, "want": example.want, "is_as_printed": is_right}


def run_lines(document: str, source: str, module: str = "") -> Iterator[Facts]:
    """The answers to the statements of `source`, one after the other, as at `purembts prompt`."""
    names, file = _names(document, module), _prompt_file(source)
    try:
        statements = ast.parse(source, file).body
    except SyntaxError as error:
        yield _answer_facts(source, "", error)
        return
    for statement in statements:
        code, lines = ast.Interactive([statement]), ast.get_source_segment(source, statement)
        yield _answer_facts(f"{lines}\n", *_run_at_prompt(names, code, file, display))


# Run


def _run_at_prompt(
    names: ModuleType, code: ast.Interactive | str, file: str, hook: Callable[[object], None]
) -> tuple[str, BaseException | None]:
    """The lines that `code` prints at a prompt in `names`, with its values by `hook`; its error."""
    before, error = (sys.modules["__main__"], sys.displayhook), None
    sys.modules["__main__"], sys.displayhook = names, hook
    with streams() as screen:
        try:
            exec(compile(code, file, "single", dont_inherit=True), vars(names))
        except (Exception, SystemExit) as failure:  # noqa: BLE001 - it belongs to the answer
            error = failure
        finally:
            sys.modules["__main__"], sys.displayhook = before
    return screen.getvalue(), error


def _names(document: str, module: str) -> ModuleType:
    """The module in which the examples of a document run."""
    if document not in _documents:
        _documents[document] = ModuleType("__main__")
        if module:
            vars(_documents[document]).update(vars(import_module(module)))
    return _documents[document]


def _prompt_file(source: str) -> str:
    """The name of a file with `source`, whose lines a traceback and `inspect` can show."""
    file = f"<prompt {next(_files)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return file


# Compare


def _answer_facts(source: str, screen: str, error: BaseException | None) -> Facts:
    """An answer: the lines that were printed, and the error as Python shows it, if there is one."""
    if error:
        inside = error.__traceback__ and error.__traceback__.tb_next  # not in this module
        screen += "".join(traceback.format_exception(type(error), error, inside))
    return {"source": source, "got": screen}


def _is_as_printed(example: Example, screen: str, error: BaseException | None) -> bool:
    """True if the answer is the one of the document, as `doctest.DocTestRunner` decides it."""
    from doctest import OutputChecker

    flags = sum(flag for flag, is_on in example.options.items() if is_on)
    want: str | None = example.want
    if error is not None:
        lines = traceback.format_exception_only(error)
        screen = lines[-1] if isinstance(error, SyntaxError) else "".join(lines)
        want = example.exc_msg
    return want is not None and OutputChecker().check_output(want, screen, flags)
