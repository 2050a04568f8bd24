"""The extension in a real shell of IPython and in a real kernel: `%load_ext purembts`."""

import pytest

from purembts import shut_the_box
from purembts.games.last_coin import Pile, last_coin

pytest.importorskip("IPython")
BOX = "frozenset({1, 9})"
CELLS = {
    BOX: ("image/svg+xml", "<svg"),
    "from purembts import *; search({}, start_box, 100)": ("text/html", "<table "),
    "from purembts.games.last_coin import Pile; Pile(3)": ("image/svg+xml", "<svg"),
    "from purembts.tables import rows_table; rows_table('T', ['a'], [['1']])": (
        "text/html",
        "<table ",
    ),
    "from purembts.pictures import position; position(shut_the_box(), start_box)": (
        "image/svg+xml",
        "<svg",
    ),
}


@pytest.fixture
def shell():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell(warn_venv=False)
    shell.run_line_magic("load_ext", "purembts")
    yield shell
    InteractiveShell.clear_instance()


def test_a_shell_shows_values_and_leaves_others_alone(shell):
    formatter = shell.display_formatter
    box, pile = frozenset({1, 9}), Pile(3)
    assert formatter.format(box)[0].keys() == {"text/plain", "image/svg+xml"}
    assert formatter.format(box)[0]["text/plain"] == shut_the_box().display.show(box)
    assert formatter.format(pile)[0]["text/plain"] == last_coin().display.show(pile)
    for other in (frozenset({"a"}), frozenset(), (1, 2), {}, [box], "x", None):
        assert formatter.format(other)[0] == {"text/plain": repr(other)}
    shell.run_line_magic("unload_ext", "purembts")
    assert formatter.format(box)[0] == {"text/plain": repr(box)}


def test_a_value_that_is_shown_is_the_value_of_underscore(shell, capsys):
    shell.run_cell(f"{BOX}\n", store_history=True)
    assert "| 9 |" in capsys.readouterr().out
    assert shell.user_ns["_"] == frozenset({1, 9})


def test_a_kernel_shows_pictures_and_tables():
    manager = pytest.importorskip("jupyter_client.manager")
    kernel, client = manager.start_new_kernel(kernel_name="python3")
    try:
        assert shown(client, "%load_ext purembts") == {}
        for cell, (kind, begin) in CELLS.items():
            assert begin in shown(client, cell)[kind]
        assert shown(client, "frozenset({10})") == {"text/plain": "frozenset({10})"}
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
