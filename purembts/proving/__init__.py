"""Certain worths of positions, proofs of them, values backed up from them, and dives that prove."""

from purembts.proving.certain import Range, certain_range, settled
from purembts.proving.certificates import certificate
from purembts.proving.dives import settle, settle_search, settle_strides
from purembts.proving.values import backed_up, robust

__all__ = [
    "Range",
    "backed_up",
    "certain_range",
    "certificate",
    "robust",
    "settle",
    "settle_search",
]
__all__ += ["settle_strides", "settled"]
