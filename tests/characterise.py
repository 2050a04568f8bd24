"""What commands print for every game and three seeds: written to a file, or compared with one.

    python tests/characterise.py before.json               # before a change
    python tests/characterise.py --compare before.json     # after it

A command is a line of words; its JSON, or the lines of a game in play, are kept. It takes four
minutes of processor time. The comparison prints each field that is new, gone or different, with the
first command that has it, and ends with 1 if there is one. A field that went on purpose can be
named: `--gone exact rules`.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from re import sub
from typing import Any
from unittest.mock import patch

from purembts.loading import GAMES

SMALL = [name for name, make in GAMES.items() if make().is_small]
STARTS = {"coins": "--from 12", "tic-tac-toe": "--from b2"}
SEEDS = (1, 7, 2026)
TYPED = {"shut-the-box": "h\n1\n1\nu\n2\n", "big-two": "1\nh\n2\n1\n", "mnk": "a1\nh\nb2\n"}


def lines() -> Iterator[str]:
    """The command lines, without `--seed`."""
    for game in GAMES:
        start = STARTS.get(game, "")
        yield f"simulate {game} {start} --games 200 --json"
        yield f"search {game} {start} --dives 60 --json"
        yield f"search {game} {start} --c 0.4 --dives 30 --json"
        yield f"match {game} --players uct:20 random --games 6 --json"
        yield f"match {game} --players flat:20 easy --games 3 --json"
        yield f"watch {game} --players uct:30 --json"
        yield f"play {game} --against uct:20 --hints tree --dives 40"
        yield f"play {game} --seats 1 --against random --hints random"
        if game in SMALL:
            yield f"solve {game} {start} --json"
            yield f"learn {game} {start} --dives 10 100 300 --json"
            yield f"learn {game} {start} --seeds 4 --dives 10 100 300 --json"
    yield "table --json"
    yield "table"
    yield "bandit --pulls 200 --runs 5 --json"
    yield "pi --darts 2000 --json"
    yield "check tic-tac-toe --examples 5 --json"


def printed(line: str) -> Any:
    """The JSON that a command prints, or what it says on both streams as a list of lines."""
    from purembts.__main__ import run

    out, words = io.StringIO(), line.split()
    typed = TYPED.get(words[1] if words[1:] else "", "1\nh\n1\nu\n2\n")
    try:
        with redirect_stdout(out), redirect_stderr(out), patch("sys.stdin", io.StringIO(typed)):
            code = run(words)
    except SystemExit as end:
        code = int(end.code or 0)
    text = out.getvalue()
    try:
        return {"code": code, "facts": json.loads(text)}
    except ValueError:
        pass
    try:
        return {"code": code, "facts": [json.loads(each) for each in text.splitlines()]}
    except ValueError:
        return {"code": code, "lines": text.splitlines()}


def fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The single values in a value of JSON, each with its path."""
    if isinstance(value, dict | list) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in pairs:
            yield from fields(each, f"{path}/{key}")
    else:
        yield path, value


def compared(before: dict[str, Any], after: dict[str, Any], gone: set[str]) -> Counter[str]:
    """The number of lines in which each field differs, by the field without its numbers."""
    found: Counter[str] = Counter()
    for line, old in before.items():
        if line not in after:
            found[f"{line.split()[0]}: the line is gone"] += 1
            continue
        one, two = (dict(fields(each)) for each in (old, after[line]))
        kinds = set()
        for path in one.keys() | two.keys():
            names = [part for part in path.split("/") if part and not part.isdigit()]
            if gone & set(names):
                continue
            if path not in one or path not in two or one[path] != two[path]:
                what = "new" if path not in one else "gone" if path not in two else "different"
                kinds.add(f"{line.split()[0]}: {'/'.join(names)} {what}")
        for kind in kinds:
            found[kind] += 1
            if found[kind] == 1:
                print(f"  {kind}   in: {line}")
    return found


def main() -> int:
    """Write the file, or compare with it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--gone", nargs="*", default=[])
    options = parser.parse_args()
    drawn = (f"{line} --seed {seed}" for line in lines() for seed in SEEDS)
    asked = list(dict.fromkeys(sub("^(solve|table)(.*) --seed.*", r"\1\2", line) for line in drawn))
    with ProcessPoolExecutor(2) as executor:
        found = dict(zip(asked, executor.map(printed, asked, chunksize=4), strict=True))
    if not options.compare:
        options.file.write_text(json.dumps(found, indent=1), encoding="utf-8")
        return 0
    kinds = compared(json.loads(options.file.read_text("utf-8")), found, set(options.gone))
    print(f"{len(found)} lines; {sum(kinds.values())} differences: {dict(kinds)}")
    return int(bool(kinds))


if __name__ == "__main__":
    sys.exit(main())
