"""Task 1 of the workshop: find pi by throwing darts at a round board."""

from random import Random

from purembts import estimate_pi


def main() -> None:
    """Print estimates from more and more darts."""
    for n in (100, 10_000, 1_000_000):
        print(f"{n:>9,} darts: {estimate_pi(n, Random(7)):.5f}")


if __name__ == "__main__":
    main()
