"""The command line: `purembts`, or `python -m purembts`."""

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        from purembts.app.terminal import run

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
