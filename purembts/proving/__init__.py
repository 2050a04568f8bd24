"""Certain worths of positions, values backed up from them, and dives that prove."""

from purembts.proving.certain import Range, certain_range, settled
from purembts.proving.dives import settle, settle_search, settle_strides
from purembts.proving.values import backed_up, robust

__all__ = [
    "Range",
    "backed_up",
    "certain_range",
    "robust",
    "settle",
    "settle_search",
]
__all__ += ["settle_strides", "settled"]
