"""The `Map` of immutables. It has no wheel for Python 3.14 yet: without it, `Map` is a pmap."""

from importlib.util import find_spec

from pyrsistent import pmap

HAS_IMMUTABLES = find_spec("immutables") is not None

if HAS_IMMUTABLES:
    from immutables import Map
else:
    Map = pmap

__all__ = ["HAS_IMMUTABLES", "Map"]
