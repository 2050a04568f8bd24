"""Notebooks of pages, run whole by nbval: each output is that of the page.

The examples of every page are run by tests/project, so two pages are enough here.

They need the dependency group `far`: python -m pytest tests/far/far_notebooks.py
"""

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

DOCS = Path(__file__).parents[2] / "docs"
SCRIPT = DOCS / "notebooks.py"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    subprocess.run([sys.executable, SCRIPT, folder], check=True)
    return folder


def nbval(folder, name):
    """What pytest prints, in a kernel that shows a value as the Python prompt does."""
    profile = folder / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text("c.PlainTextFormatter.pprint = False\n")
    options = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with=nbval.cfg"]
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--color=no", *options, name],
        cwd=folder,
        env={
            **os.environ,
            "IPYTHONDIR": str(profile.parent),
            "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path))),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.stdout + finished.stderr


@pytest.mark.parametrize("page", ["mcts", "workshop_simplified"])
def test_a_notebook_is_valid_and_its_cells_give_what_the_page_says(built, page):
    notebook = nbformat.read(built / f"{page}.ipynb", as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    printed = nbval(built, f"{page}.ipynb")
    assert re.search(rf"^{cells} passed in", printed, re.MULTILINE), printed


WRONG = """\
```pycon
>>> 1 + 1
3
>>> 1 + 1
>>> x = 1
1
>>> print("a"), 1
a
(None, 2)
>>> 1 / 0
Traceback (most recent call last):
ZeroDivisionError: another message
>>> 1 / 0
1
>>> "a1b"  # doctest: +ELLIPSIS
'a...c'
>>> [1, 2]  # doctest: +NORMALIZE_WHITESPACE
[1,
 3]

```
"""
"""Doctests that are all wrong."""

RIGHT = """\
```pycon
>>> {"one": "1" * 30, "two": "2" * 30, "three": ""}  # on one line, as at the prompt
{'one': '111111111111111111111111111111', 'two': '222222222222222222222222222222', 'three': ''}
>>> [1, 2]  # doctest: +NORMALIZE_WHITESPACE
[1,
 2]
>>> object()  # doctest: +ELLIPSIS
<object object at 0x...>
>>> raise ValueError("a1b\\n\\nc")  # doctest: +ELLIPSIS
Traceback (most recent call last):
ValueError: a...b
...c

```
"""


@pytest.mark.parametrize(("text", "outcome"), [(WRONG, "8 failed"), (RIGHT, "4 passed")])
def test_nbval_finds_each_wrong_output_and_no_other(tmp_path, text, outcome):
    notebooks, pages = runpy.run_path(str(SCRIPT)), {"page": text}
    (tmp_path / "page.ipynb").write_text(json.dumps(notebooks["notebook"]("page", pages)))
    (tmp_path / "nbval.cfg").write_text(notebooks["sanitizers"](pages))
    printed = nbval(tmp_path, "page.ipynb")
    assert re.search(rf"^{outcome} in", printed, re.MULTILINE), printed
