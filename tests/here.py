"""The worker of `verify.processes` in this process: quick, for code that ends and asks nothing."""

import json
import sys
from pathlib import Path

from purembts.verify import loading, processes
from purembts.verify.worker import KINDS


def answers(request, *, limit=None, hash_seed=""):
    """The answers of a worker to `request`, as JSON has them."""
    for answer in KINDS[request["kind"]](request, lambda: None):
        yield json.loads(json.dumps(answer))


def asked_here(monkeypatch, folder):
    """`folder`, while the worker is asked in this process. None of its modules is left over."""
    monkeypatch.setattr(processes, "answers", answers)
    yield folder
    for name, module in [*sys.modules.items()]:
        if Path(getattr(module, "__file__", None) or "/").resolve().parent == folder:
            del sys.modules[name]
    loading._maker.cache_clear()
    loading._loaded_file.cache_clear()
