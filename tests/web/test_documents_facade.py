"""The examples of the documentation answer as printed through the facade; a wrong one does not."""

import re
import runpy
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from facade.documents import forget_document, run_examples, run_lines
from facade.turns import turn

HERE = Path(__file__).parents[2]


@pytest.fixture
def document():
    yield "page"
    forget_document("page")


def verdicts(document, text):
    return [answer["is_as_printed"] for answer in run_examples(document, text)]


def run(document, source):
    return [answer["got"] for answer in run_lines(document, source)]


def test_the_docstrings_of_a_module_see_its_names(document):
    text = ">>> mean(Record(2, (1, 1)))\n0.5\n"
    [answer] = run_examples(document, text, "purembts.records")
    assert answer["is_as_printed"]


PRINTED = {
    False: [
        ">>> 1 + 1\n3\n",
        ">>> 1 + 1\n",
        ">>> 1 / 0\n0\n",
        ">>> 1 / 0\nTraceback (most recent call last):\nValueError: division by zero\n",
    ],
    True: [
        ">>> 1 + 1\n2\n",
        ">>> x = 1\n",
        ">>> object()  # doctest: +ELLIPSIS\n<object object at ...>\n",
        ">>> {}[0]\nTraceback (most recent call last):\n  ...\nKeyError: 0\n",
        ">>> 1 +\nTraceback (most recent call last):\nSyntaxError: invalid syntax\n",
        ">>> for i in 1, 2:\n...     i\n1\n2\n",
    ],
}


@pytest.mark.parametrize(
    ("text", "is_right"), [(text, is_right) for is_right in PRINTED for text in PRINTED[is_right]]
)
def test_an_answer_is_compared_with_the_one_that_is_printed(text, is_right, document):
    assert verdicts(document, text) == [is_right]


def test_the_examples_of_a_document_share_their_names(document):
    assert run(document, "x = 20\nx + 1") == ["", "21\n"]
    assert verdicts(document, ">>> x + 2\n22\n") == [True]
    forget_document(document)
    assert "NameError: name 'x' is not defined" in run(document, "x")[0]


def test_two_documents_do_not(document):
    run("other", "x = 1")
    assert "NameError" in run(document, "x")[0]
    forget_document("other")


def test_a_tree_is_one_line_among_a_persons_own_lines(document):
    lines = "from purembts import *\ntree, _ = uct({}, easy_box)\ntree"
    line = "Tree (positions: 1, dives: 1); for more: show(tree, game=...)\n"
    assert run(document, lines)[-1] == line
    [*_, printed] = run_examples(document, ">>> tree")
    assert printed["got"].startswith("pmap({frozenset({7}): Record(")


def test_an_error_shows_the_line_where_it_arose_and_the_statements_go_on(document):
    wrong, right = run(document, "def f():\n    return 1 / 0\nf()\n2")[1:]
    assert "    return 1 / 0" in wrong
    assert "documents.py" not in wrong
    assert right == "2\n"


def test_an_error_of_syntax_is_the_only_answer(document):
    [wrong] = run(document, "x = 1\nx +")
    assert "SyntaxError: invalid syntax" in wrong


def test_nobody_types_and_nothing_leaves_the_prompt(document):
    main = sys.modules["__main__"]
    assert "EOFError" in run(document, "input()")[0]
    assert "SystemExit: 3" in run(document, "raise SystemExit(3)")[0]
    assert sys.modules["__main__"] is main


def test_functions_of_a_document_pickle(document):
    lines = "import pickle\ndef f(): return 7\npickle.loads(pickle.dumps(f))()"
    assert run(document, lines)[-1] == "7\n"


@pytest.mark.skipif(find_spec("sphinx") is None, reason="the documentation needs sphinx")
def test_the_links_of_the_pages_to_games_stand_below_headings_and_open():
    tries = runpy.run_path(str(HERE / "web" / "docs" / "pages.py"))["TRIES"]
    for (page, heading), (_, link) in tries.items():
        text = (HERE / "docs" / f"{page}.md").read_text("utf-8")
        assert re.search(rf"^#+ {re.escape(heading)}$", text, re.MULTILINE), heading
        file, _, place = link.partition("#")
        assert (HERE / "web" / "page" / file).is_file()
        facts = dict(parse_qsl(place))
        if file != "play.html" or facts == {"game": "own"}:  # these read their address in the page
            continue
        lists = {name: facts[name].split(",") for name in ("players", "moves") if name in facts}
        seed = {"seed": int(facts["seed"])} if "seed" in facts else {}
        assert turn({**facts, **lists, **seed})["title"]
