"""Dives, searches and merges in any order, as a state machine of Hypothesis.

`tree_machine` makes the machine for any type of tree and any uct. Each step begins with any tree
that there ever was, so undo is one of them, and no step may change an earlier tree. A new tree must
keep the laws of a search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar, NamedTuple

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from purembts.checks import brief
from purembts.game import Game
from purembts.records import NOTHING, merge
from purembts.verify.laws import Read, Records, Uct, broken, changes, read_tree
from purembts.verify.search_laws import AnySearch, as_uct, check_dive, check_dives, growth_of
from purembts.verify.strategies import seeds


def tree_machine(
    game: Game[Any, Any],
    starts: Sequence[Any],
    uct: Uct[Any],
    *,
    empty: Callable[[], Any] = dict,
    search: AnySearch[Any] | None = None,
    merge: Callable[[Any, Any], Any] | None = None,
    read: Read | None = None,
) -> type[RuleBasedStateMachine]:
    """A state machine whose dives begin at `starts`. Its `TestCase` is a test for pytest.

    The other arguments are those of `search_laws.check_uct`. `merge(a, b)` returns a tree with the
    records of two trees added up. A machine without `search` or `merge` leaves these steps out.
    The game must be small.

    >>> from functools import partial
    >>> from purembts.games.last_coin import Pile, last_coin
    >>> from purembts.mcts import uct
    >>> coins = last_coin()
    >>> machine = tree_machine(coins, [Pile(7)], partial(uct, coins))
    >>> TestTrees = machine.TestCase
    """
    parts = {"game": game, "starts": tuple(starts), "uct": uct, "empty": empty}
    kit = SimpleNamespace(**parts, search=search, merge=merge, read=read)
    return type("Trees", (_Trees,), {"kit": kit})


class _Snapshot(NamedTuple):
    """A tree, and the records that it must have while the machine runs."""

    tree: Any
    records: Records[Any]
    name: str


_some_start: st.SearchStrategy[Any] = st.runner().flatmap(
    lambda machine: st.sampled_from(machine.kit.starts)
)


class _Trees(RuleBasedStateMachine):
    """A machine that keeps every tree with the records that it must have."""

    kit: ClassVar[Any]
    """The arguments of `tree_machine`."""
    trees: Bundle[_Snapshot] = Bundle("trees")

    def __init__(self) -> None:
        super().__init__()
        self.snapshots: list[_Snapshot] = []

    def keep(self, tree: Any, name: str) -> _Snapshot:  # noqa: ANN401
        """The tree with its records, which later steps may begin with."""
        self.snapshots.append(_Snapshot(tree, read_tree(tree, self.kit.read), name))
        return self.snapshots[-1]

    @rule(target=trees)
    def plant(self) -> _Snapshot:
        """An empty tree."""
        return self.keep(self.kit.empty(), "The empty tree")

    @rule(target=trees, old=trees, state=_some_start, seed=seeds)
    def dive(self, old: _Snapshot, state: Any, seed: int) -> _Snapshot:  # noqa: ANN401
        """One dive into any tree."""
        name, kit = f"A dive from {brief(state)} with seed {seed}", self.kit
        tree, growth = growth_of(kit.uct, old.tree, state, Random(seed), name, read=kit.read)
        check_dive(kit.game, growth)
        return self.keep(tree, f"The tree of a dive with seed {seed}")

    @precondition(lambda self: self.kit.search is not None)
    @rule(target=trees, old=trees, state=_some_start, seed=seeds, dives=st.integers(1, 30))
    def search(self, old: _Snapshot, state: Any, seed: int, dives: int) -> _Snapshot:  # noqa: ANN401
        """A search that goes on with any tree."""
        name, kit = f"A search of {dives} dives from {brief(state)} with seed {seed}", self.kit
        uct, rng = as_uct(kit.search, dives), Random(seed)
        tree, growth = growth_of(uct, old.tree, state, rng, name, dives=dives, read=kit.read)
        check_dives(kit.game, growth)
        return self.keep(tree, f"The tree of a search with seed {seed}")

    @precondition(lambda self: self.kit.merge is not None)
    @rule(target=trees, old=trees, other=trees)
    def merge(self, old: _Snapshot, other: _Snapshot) -> _Snapshot:
        """Two trees, added up."""
        merged = self.keep(self.kit.merge(old.tree, other.tree), "The tree of a merge")
        one, two = old.records, other.records
        right = {at: merge(one.get(at, NOTHING), two.get(at, NOTHING)) for at in one | two}
        for state, (wrong, record) in changes(merged.records, right).items():
            raise broken(
                "A merge must add up the records of both trees.",
                f"The merge gave {brief(state)} the record {wrong}.",
                f"Right is {record}.",
            )
        return merged

    @invariant()
    def every_tree_is_as_it_was(self) -> None:
        """No later step has changed a tree."""
        for tree, records, name in self.snapshots:
            if (now := read_tree(tree, self.kit.read)) != records:
                raise broken(
                    "Every tree must stay as it was.",
                    f"{name} had the records {brief(records)}, and now has {brief(now)}.",
                    "Return a new tree, or change a copy.",
                )
