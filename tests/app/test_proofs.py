"""Certificates at the command line: `solve --certificate` writes one, and `check` follows it."""

import json

import pytest

from purembts.app.terminal import run


@pytest.fixture
def proof(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rules = ["columns=2", "rows=2", "in_a_row=2"]
    assert run(["solve", "mnk", "--rules", *rules, "--certificate", "p.jsonl"]) == 0
    capsys.readouterr()
    return tmp_path / "p.jsonl"


def test_a_certificate_of_solve_is_checked_with_its_rules(proof, capsys):
    assert run(["check", "p.jsonl", "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert printed.err == ""  # no seed
    assert (found["game"], found["rules"]["columns"]) == ("m,n,k-game", 2)
    assert [each["exactly"] for each in found["worth"]] == ["1", "0"]
    assert found["lines"] == len(proof.read_text().splitlines()) - 1


@pytest.mark.parametrize(
    ("text", "wrong", "message"),
    [
        ('["1", "0"]', '["0", "1"]', "purembts: line 2 of the certificate: the worth of Board"),
        ("m,n,k-game", "Chess", "purembts: The game must be one of Shut the Box, "),
        ('"columns": 2', '"columns": "wide"', "purembts: `columns` must be a value such as 5"),
        ('"rules"', '"rule"', "purembts: The first line must have a game and its rules, as JSON"),
        ("", "", "purembts: The first line must have a game"),
    ],
)
def test_a_wrong_certificate_is_one_line(proof, capsys, text, wrong, message):
    proof.write_text(proof.read_text().replace(text, wrong) if text else "")
    assert run(["check", "p.jsonl"]) == 1
    assert capsys.readouterr().err.startswith(message)
