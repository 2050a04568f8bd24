"""The worker of `verify.processes` in this process: quick, for code that ends and asks nothing."""

import json

from purembts.verify.loading import Unloadable
from purembts.verify.worker import KINDS


def answers(request, *, limit=None, hash_seed=""):
    """The answers of a worker to `request`, as JSON has them."""
    try:
        for answer in KINDS[request["kind"]](request, lambda: None):
            yield json.loads(json.dumps(answer))
    except Unloadable as error:
        yield {"error": str(error)}
