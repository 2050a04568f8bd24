"""Ports of the workshop's uct to JavaScript and to Clojure, which follow traces.

python -m pytest tests/far/far_ports.py. They need `node`, and `clojure`, as Debian has it; without
a program its tests are skipped.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

PORTS = Path(__file__).with_name("ports")
TRACES = Path(__file__).parents[1] / "traces"
JAVASCRIPT, CLOJURE = ("node", "uct.mjs"), ("clojure", "uct.clj")
BOXES = ("shut-the-box-z", "shut-the-box-c", "six-levers-z", "six-levers-c")


def followed(port, trace, tmp_path, edit=("", "")):
    """The line that a port prints about a trace, and its exit code; `edit` plants a mistake."""
    program, file = port
    if not shutil.which(program):
        pytest.skip(f"{program} is not here")
    text, wrong = edit
    source = (PORTS / file).read_text("utf-8")
    assert not text or source.count(text) == 1
    (tmp_path / file).write_text(source.replace(text, wrong) if text else source, "utf-8")
    call = [program, tmp_path / file, TRACES / f"{trace}.jsonl"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    return done.stdout.strip(), done.returncode


@pytest.mark.parametrize("trace", BOXES)
def test_the_port_to_javascript_follows(trace, tmp_path):
    said, code = followed(JAVASCRIPT, trace, tmp_path)
    assert (said.endswith("records: all right"), code) == (True, 0)


def test_the_port_to_clojure_follows(tmp_path):
    said, code = followed(CLOJURE, "shut-the-box-z", tmp_path)
    assert (said, code) == ("1000 dives, 443 records: all right", 0)


BACK = "wins + scores[0], losses + scores[1]"
MOVES = ".filter((lever) => !shut.includes(lever)))"
MISTAKES = {
    "javascript, a tie to the last": (
        *(JAVASCRIPT, "bounds.indexOf(Math", "bounds.lastIndexOf(Math"),
        "dive 2: the path must be ",
    ),
    "javascript, z = 1.9": (
        *(JAVASCRIPT, "(wins + z *", "(wins + 1.9 *"),
        "dive 356: the path must be [[1,2,3,4,5,6,7,8,9],[1,2,3,4,5,6,7,9],",
    ),
    "javascript, the loser credited": (
        *(JAVASCRIPT, BACK, "wins + scores[1], losses + scores[0]"),
        "dive 1: the record of [1,2,3,4,5,6,7,8,9] must be [1,0,1]; got [1,1,0]",
    ),
    "javascript, a visit too many": (
        *(JAVASCRIPT, f"[n + 1, {BACK}", f"[n + 2, {BACK}"),
        "dive 1: the record of [1,2,3,4,5,6,7,8,9] must be [1,0,1]; got [2,0,1]",
    ),
    "javascript, no record of the end": (
        *(JAVASCRIPT, "add(tree, path, ", "add(tree, path.filter((b) => b.length), "),
        "dive 337: the record of [] must be [1,1,0]; got [0,0,0]",
    ),
    "javascript, moves in another order": (
        *(JAVASCRIPT, MOVES, f"{MOVES}.reverse()"),
        "dive 1: it draws from ",
    ),
    "clojure, max-key": (
        *(CLOJURE, "(if (> (ucb (tree b)) (ucb (tree a))) b a)", "(max-key (comp ucb tree) a b)"),
        "dive 2: the path must be ",
    ),
    "clojure, z = 1.9": (
        *(CLOJURE, "(* 2 (Math/sqrt", "(* 1.9 (Math/sqrt"),
        "dive 356: the path must be ",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_a_port_is_found_by_the_trace_alone(name, tmp_path):
    port, text, wrong, says = MISTAKES[name]
    said, code = followed(port, "shut-the-box-z", tmp_path, (text, wrong))
    assert (said[: len(says)], code) == (says, 1)
