"""Task 1 of the workshop, the example: flip a coin; heads you win."""

import random
from typing import Literal, TypeAlias

from purembts.chance import Rng, pick
from purembts.checks import an_rng

Flip: TypeAlias = Literal["heads", "tails"]

HEADS: Flip = "heads"
TAILS: Flip = "tails"


def flip_coin(rng: Rng = random) -> Flip:
    """Heads or tails, each with probability 1/2.

    >>> flip_coin(random.Random(7))
    'heads'
    """
    return pick((HEADS, TAILS), an_rng(rng))


def is_heads(flip: Flip) -> bool:
    """Whether `flip` wins."""
    return flip == HEADS
