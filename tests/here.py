"""The code of a learner in this process: its words, and a process of `course.processes`.

This is quick, for code that ends and asks nothing.
"""

import json
import sys
from pathlib import Path

from purembts import loading
from purembts.course import processes
from purembts.course.processes import KINDS


def words_of(source, **words):
    """The words of a learner's file, which can use `words`."""
    names = {**words, "__name__": "mine", "__file__": "mine.py"}
    exec(compile(source, "mine.py", "exec"), names)
    return names


def replies(request, *, limit=None, hash_seed=""):
    """The replies of a process to `request`, as JSON has them."""
    for reply in KINDS[request["kind"]](request, lambda: None):
        yield json.loads(json.dumps(reply))


def asked_here(monkeypatch, folder):
    """`folder`, while this process replies. None of its modules is left over."""
    monkeypatch.setattr(processes, "replies", replies)
    yield folder
    for name, module in [*sys.modules.items()]:
        if Path(getattr(module, "__file__", None) or "/").resolve().parent == folder:
            del sys.modules[name]
    loading._maker.cache_clear()
    loading._once.cache_clear()
