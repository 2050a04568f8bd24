"""The budgets of lines in budgets.toml: one number for each building, without an allowance."""

import tomllib
from pathlib import Path

import pytest

from test_layers import LAYERS, ROOMS, ROOT, is_in, lines_of

TOP = Path(__file__).parents[2]
BUDGETS = tomllib.loads((Path(__file__).parent / "budgets.toml").read_text(encoding="utf-8"))
CODE = {".py", ".js", ".mjs", ".css", ".html"}
OUTSIDE = {"node_modules", "made", "__pycache__"}


def files_in(folder):
    """The files of code in a folder of the checkout."""
    paths = (TOP / folder).rglob("*")
    return [path for path in paths if path.suffix in CODE and not OUTSIDE & {*path.parts}]


def lines_in(path):
    return path.read_text(encoding="utf-8").count("\n")


def rooms_of(building):
    """The rooms of a layer; those of `fast` are a building of their own in theirs."""
    if building == "fast":
        return [room for room in ROOMS if is_in(room, "fast/")]
    parts = [part for part in LAYERS[building] if part != "fast/"]
    return [room for room in ROOMS if any(is_in(room, part) for part in parts)]


LINES = {
    "layers": lambda layer: sum(map(lines_of, rooms_of(layer))),
    "folders": lambda folder: sum(map(lines_in, files_in(folder))),
    "files": lambda file: lines_in(TOP / file),
}
BUILDINGS = [(kind, name) for kind in LINES for name in BUDGETS[kind]]


@pytest.mark.parametrize(("kind", "name"), BUILDINGS)
def test_a_building_keeps_to_its_budget(kind, name):
    lines, most = LINES[kind](name), BUDGETS[kind][name]
    assert 0 < lines <= most, f"{name} has {lines} lines of {most}"


def test_the_documentation_keeps_to_its_number_of_pages():
    assert 0 < len([*(TOP / "docs").glob("*.md")]) <= BUDGETS["pages"]["docs"]


def test_each_layer_has_a_budget():
    assert {*LAYERS, "fast"} == {*BUDGETS["layers"]}
    assert {layer for layer in LAYERS if not rooms_of(layer)} == set()
    assert ROOT.name == "purembts"
