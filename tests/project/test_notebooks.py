"""The notebooks that docs/notebooks.py makes of the pages. tests/far/far_notebooks.py runs them."""

import re
import runpy
from doctest import DocTestParser
from pathlib import Path
from types import SimpleNamespace

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SCRIPT = DOCS / "notebooks.py"
PAGES = {path.stem: path.read_text("utf-8") for path in DOCS.glob("*.md")}
notebooks = SimpleNamespace(**runpy.run_path(str(SCRIPT)))


def cells(text):
    return notebooks.notebook("page", {"page": text})["cells"][1:]


def without_links(text):
    return re.sub(r"(\.\w+)?\]\([^)]*\)", "", text)


def only_cell(doctest):
    [cell] = cells(f"```pycon\n{doctest}\n```\n")
    return cell


def kinds(name, kind):
    found = notebooks.notebook(name, PAGES)["cells"][1:]
    return [cell["source"] for cell in found if cell["cell_type"] == kind]


@pytest.mark.parametrize("name", PAGES)
def test_each_doctest_of_a_page_is_a_cell_and_all_else_is_text(name):
    doctests = DocTestParser().get_examples(PAGES[name])
    sources = [re.sub(" *# doctest:.*", "", each.source).rstrip() for each in doctests]
    assert kinds(name, "code") == sources
    texts = re.split(r"^ *```pycon\n.*?^ *```\n", PAGES[name], flags=re.DOTALL | re.MULTILINE)
    expected = [without_links(text).strip("\n") for text in texts if text.strip()]
    assert [*map(without_links, kinds(name, "markdown"))] == expected


@pytest.mark.parametrize("name", PAGES)
def test_the_links_lead_to_notebooks_their_headings_and_other_files(name):
    links = re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", "\n".join(kinds(name, "markdown")))
    assert len(links) == len(re.findall(r"\]\((?!https?:)", PAGES[name]))
    for file, heading in links:
        page = file.removesuffix(".ipynb") if file else name
        assert page in PAGES if page != file or not file else (DOCS / file).is_file()
        headings = re.findall("^#+ (.*)", PAGES.get(page, "").replace("`", ""), re.MULTILINE)
        assert not heading or heading in [text.replace(" ", "-") for text in headings]


def test_a_notebook_has_cells_with_their_own_names_and_numbers():
    code = "  ```pycon\n  >>> x = 1  # doctest: +ELLIPSIS\n  >>> x\n  1\n\n  ```\n"
    found = cells(f"# One\n\n- Two\n\n{code}\n- Six\n")
    assert [cell["source"] for cell in found] == ["# One\n\n- Two", "x = 1", "x", "- Six"]
    assert [cell.get("execution_count") for cell in found] == [None, 1, 2, None]
    assert [cell["id"] for cell in found] == ["page-1", "page-2", "page-3", "page-4"]


def test_an_answer_is_closed_until_the_reader_opens_it():
    answer = "<details>\n<summary>2?</summary>\n\n```pycon\n>>> 2\n2\n\n```\n\n</details>\n"
    found = cells(f"{answer}\n{answer}\n```pycon\n>>> 3\n3\n\n```\n")
    closed = [cell["metadata"].get("jupyter") for cell in found if cell["cell_type"] == "code"]
    assert closed == [{"source_hidden": True, "outputs_hidden": True}] * 2 + [None]


def test_an_option_of_a_doctest_that_nbval_lacks_is_an_error():
    with pytest.raises(ValueError, match=r"must be ELLIPSIS or NORM.*; got '1  # doctest: \+SKIP"):
        only_cell(">>> 1  # doctest: +SKIP\n2\n")
