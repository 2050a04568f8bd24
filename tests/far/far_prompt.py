"""`%load_ext purembts` in a real shell of IPython. `test_interactive` has the forms."""

import pytest

pytest.importorskip("IPython")
TREE = "from purembts import *; search({}, start_box, 100)"


def test_a_shell_shows_a_tree_in_one_line_and_leaves_others_alone():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell(warn_venv=False)
    try:
        shell.run_line_magic("load_ext", "purembts")
        formatter = shell.display_formatter
        tree = shell.run_cell(TREE).result
        assert formatter.format(tree)[0].keys() == {"text/plain"}
        assert formatter.format((tree, 1))[0]["text/plain"].startswith("(Tree (positions: ")
        for other in (frozenset({"a"}), frozenset({7}), (1, 2), {}, "x", None):
            assert formatter.format(other)[0] == {"text/plain": repr(other)}
    finally:
        InteractiveShell.clear_instance()
