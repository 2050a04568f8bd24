"""The facade as a page calls it: JSON in, JSON out, by the names of its functions."""

import json
import re
import runpy
from pathlib import Path

import pytest

import facade
from new_process import printed

JS = Path(__file__).parents[2] / "web" / "page" / "js"


def test_the_pages_ask_for_the_functions_that_there_are():
    scripts = "".join(path.read_text("utf-8") for path in JS.glob("*.js"))
    asked = re.findall(r'(?:\b(?:call|stream|run)\(|\bname: )"(\w+)"', scripts)
    assert {*asked, "run_lines", "run_examples"} == {*facade.REQUESTS}


def test_answers_are_json_one_after_the_other():
    link = {"game": "coins", "start": "7", "seed": 7, "players": ["uct:100", "person"]}
    arguments = json.dumps({"link": link})
    [first] = map(json.loads, facade.steps("turn", arguments))
    *_, last = map(json.loads, facade.steps("strategy_trees", arguments))
    assert (first["title"], first["strategy"]) == ("Last coin", "UCT with 100 dives")
    assert last["move"] == "take 1"


def test_each_kind_of_value_error_becomes_a_plain_one_whose_sentence_stands_alone():
    arguments = json.dumps({"source": "def broken(:", "tasks": [1], "limit": 20})
    with pytest.raises(ValueError, match="SyntaxError") as found:
        list(facade.steps("mark", arguments))
    assert type(found.value) is ValueError


ARCHIVE = """
import sys
sys.path.insert(0, sys.argv[1])
import facade, json
asked = {"source": "simple_start = {1}", "tasks": [5], "limit": 9}
_, mark = map(json.loads, facade.steps("mark", json.dumps(asked)))
print(facade.__file__.startswith(sys.argv[1]), mark["status"])
"""


def test_the_archive_of_the_page_has_all_that_marks_a_solution(tmp_path):
    build = runpy.run_path(str(JS.parents[1] / "build.py"))
    build["archive"](tmp_path / "python.zip", build["modules"]()[0])
    assert printed("-c", ARCHIVE, str(tmp_path / "python.zip"))[0] == "True wrong\n"
