"""The functions of purembts that a page calls: JSON comes in, and JSON goes out.

A page keeps a game as a link: its name, its rules, its seed and its moves. Everything else follows
from the link. A function has one answer, or short steps with an answer after each of them. The
arguments and the answers are values of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from facade.bandits import contest
from facade.darts import throws
from facade.documents import forget_document, run_examples, run_lines
from facade.links import plain_errors
from facade.searching import choice_costs, strategy_trees, visitor_trees
from facade.tasks import line_output, mark, mark_lines
from facade.turns import move_in_text, turn

REQUESTS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(turn, move_in_text, strategy_trees, visitor_trees, choice_costs),
        *(contest, throws),
        *(mark, mark_lines, line_output, forget_document, run_examples, run_lines),
    )
}
"""The functions that a page asks by their names."""


def steps(name: str, arguments: str) -> Iterator[str]:
    """The answers of the function `name`, each as JSON; `arguments` are an object of JSON."""
    with plain_errors():
        answers = REQUESTS[name](**json.loads(arguments))
        for answer in answers if isinstance(answers, Iterator) else [answers]:
            yield json.dumps(answer, default=float)  # a score may be a Fraction
