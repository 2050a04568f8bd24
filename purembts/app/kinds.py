"""The types of values of a game that a person names: its positions can be of any type.

The other rooms of the app use these names, so that each use of `Any` has this one reason.
"""

from typing import Any, TypeAlias

from purembts.game import Game, Policy, Strategy, Turn
from purembts.records import Tree, as_tree

Position: TypeAlias = Any
"""A position of any game, or the view of a player."""
AnyGame: TypeAlias = Game[Any, Any]
AnyTurn: TypeAlias = Turn[Any, Any]
AnyTree: TypeAlias = Tree[Any]
AnyStrategy: TypeAlias = Strategy[Any, Any]
AnyPolicy: TypeAlias = Policy[Any, Any]
Words: TypeAlias = dict[str, Any]
"""Values by their names, as at a prompt or in an object of JSON."""
Json: TypeAlias = Any
"""A value of JSON."""
NO_TREE: AnyTree = as_tree({})
