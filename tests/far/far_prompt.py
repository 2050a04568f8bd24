"""The extension in a real shell of IPython and in a real kernel: `%load_ext purembts`."""

import pytest

pytest.importorskip("IPython")
TREE = "from purembts import *; search({}, start_box, 100)"
CELLS = {
    "show(search({}, start_box, 100))": ("text/html", "<table "),
    "show(easy_box)": ("image/svg+xml", "<svg"),
    "from purembts.tables import rows_table; rows_table('T', ['a'], [['1']])": (
        "text/html",
        "<table ",
    ),
    "from purembts.pictures import position; position(shut_the_box(), start_box)": (
        "image/svg+xml",
        "<svg",
    ),
}


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


def test_a_kernel_shows_pictures_and_tables():
    manager = pytest.importorskip("jupyter_client.manager")
    kernel, client = manager.start_new_kernel(kernel_name="python3")
    try:
        assert shown(client, "%load_ext purembts") == {}
        assert shown(client, TREE)["text/plain"].startswith("Tree (positions: ")
        for cell, (kind, begin) in CELLS.items():
            assert begin in shown(client, cell)[kind]
        assert shown(client, "(1, 2)") == {"text/plain": "(1, 2)"}
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)


def shown(client, cell):
    """The texts of the value of `cell`, by their types."""
    texts = {}

    def take(message):
        if message["msg_type"] in ("execute_result", "error"):
            texts.update(message["content"].get("data", message["content"]))

    client.execute_interactive(cell, output_hook=take, timeout=60)
    return texts
