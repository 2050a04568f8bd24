"""Certain worths of positions, values backed up from them, and dives that prove.

>>> from purembts.proving import settled, certain_range  # what is certain in a tree
>>> from purembts.proving import backed_up, robust  # better estimates, and a policy
>>> from purembts.proving import settle  # a dive that leaves out what is certain
>>> from purembts.proving import settle_search, settle_strides  # many of these dives, faster
"""

from purembts.proving.certain import Range, certain_range, settled
from purembts.proving.dives import settle, settle_search, settle_strides
from purembts.proving.values import backed_up, robust

__all__ = [
    "Range", "backed_up", "certain_range", "robust", "settle", "settle_search", "settle_strides",
    "settled",
]  # fmt: skip
