"""The functions of purembts that a page calls: JSON comes in, JSON and SVG go out.

A page keeps a game as a link: its name, its rules, its seed and its moves. Everything else follows
from the link. A room here has `ANSWERS`, functions with one answer, and `STEPS`, functions whose
answers come one after the other while they think. Their arguments and answers are values of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from facade import bandits, darts, documents, learning, scenes, tasks, thinking
from facade.links import own_lines

ROOMS = (bandits, darts, documents, learning, scenes, tasks, thinking)
ANSWERS: Mapping[str, Callable[..., Any]] = {
    name: function for room in ROOMS for name, function in getattr(room, "ANSWERS", {}).items()
}
STEPS: Mapping[str, Callable[..., Iterator[Any]]] = {
    name: function for room in ROOMS for name, function in getattr(room, "STEPS", {}).items()
}


def answer(name: str, arguments: str) -> str:
    """The answer of the function `name`, as JSON; `arguments` are an object of JSON."""
    with own_lines():
        return json.dumps(ANSWERS[name](**json.loads(arguments)))


def steps(name: str, arguments: str) -> Iterator[str]:
    """The answers of the function `name`, one after the other, each as JSON."""
    with own_lines():
        yield from map(json.dumps, STEPS[name](**json.loads(arguments)))
