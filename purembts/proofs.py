"""Many dives of `settling.settle`, made fast."""
