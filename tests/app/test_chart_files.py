"""Charts in files, which are SVG."""

import pytest

from purembts.__main__ import run


@pytest.mark.parametrize(
    "command",
    [
        ["bandit", "--pulls", "50", "--runs", "2"],
        ["pi", "--darts", "500"],
        ["simulate", "--games", "500"],
        ["simulate", "reversi", "--games", "9"],
        ["learn", "coins", "--dives", "100"],
    ],
)
def test_commands_draw_their_charts(command, tmp_path, capsys):
    path = tmp_path / "chart.SVG"
    assert run([*command, "--seed", "7", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"<svg")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    drawn = capsys.readouterr().out
    assert run([*command, "--seed", "7"]) == 0
    assert capsys.readouterr().out == drawn
