"""Task 11 of the workshop: learning has occurred; what a tree is worth after so many dives."""

from random import Random

from purembts import learnt_probability, mean, search, start_box, win_probability


def main() -> None:
    """Print what the dives won and what their tree has learnt, as the tree grows."""
    rng = Random(7)
    tree = search({}, start_box, 1000, rng)
    while tree[start_box].visits <= 32_000:
        done, learnt = tree[start_box], learnt_probability(tree)
        print(f"{done.visits:>6,} dives won {mean(done):.4f}; learnt {float(learnt):.4f}")
        tree = search(tree, start_box, done.visits, rng)
    print(f"              best play {float(win_probability(start_box)):.4f}")


if __name__ == "__main__":
    main()
