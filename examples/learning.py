"""Task 11 of the workshop: the exact value of the policy that a tree has learnt, as it grows."""

from random import Random

from purembts import learnt_probability, mean, search, start_box, win_probability


def main() -> None:
    """Print the share of dives won and the exact value of the learnt policy, for growing trees."""
    rng = Random(7)
    tree = search({}, start_box, 1000, rng)
    while tree[start_box].visits <= 32_000:
        root, learnt = tree[start_box], learnt_probability(tree)
        print(f"{root.visits:>6,} dives, won {mean(root):.4f}, learnt {float(learnt):.4f}")
        tree = search(tree, start_box, root.visits, rng)
    print(f"              best play      {float(win_probability(start_box)):.4f}")


if __name__ == "__main__":
    main()
