"""Certificates at the command line: `solve --certificate` writes one, and `check` follows it."""

import json

import pytest

from purembts.app.terminal import run


@pytest.fixture
def proof(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert (
        run(
            [
                "solve",
                "mnk",
                "--rules",
                "columns=2",
                "rows=2",
                "in_a_row=2",
                "--certificate",
                "p.jsonl",
            ]
        )
        == 0
    )
    capsys.readouterr()
    return tmp_path / "p.jsonl"


def test_a_certificate_of_solve_is_checked_with_its_rules(proof, capsys):
    assert run(["check", "p.jsonl", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["rules"]["columns"]) == ("m,n,k-game", 2)
    assert [each["exactly"] for each in found["worth"]] == ["1", "0"]
    assert found["lines"] == len(proof.read_text().splitlines()) - 1


def test_a_person_reads_what_is_proved(proof, capsys):
    assert run(["check", "p.jsonl"]) == 0
    text = capsys.readouterr()
    assert "(columns=2, rows=2, in_a_row=2): proved in" in " ".join(text.out.split())
    assert text.err == ""  # no seed


@pytest.mark.parametrize(
    ("text", "wrong", "message"),
    [
        ('["1", "0"]', '["0", "1"]', "purembts: line 2 of the certificate: the worth of Board"),
        ("m,n,k-game", "Chess", "purembts: The game must be one of Shut the Box, "),
        ('"columns": 2', '"columns": "wide"', "purembts: `columns` must be a value such as 5"),
        ('"rules"', '"rule"', "purembts: The first line must have a game and its rules, as JSON"),
    ],
)
def test_a_wrong_certificate_is_one_line(proof, capsys, text, wrong, message):
    proof.write_text(proof.read_text().replace(text, wrong))
    assert run(["check", "p.jsonl"]) == 1
    assert capsys.readouterr().err.startswith(message)


def test_an_empty_file_is_no_certificate(proof, capsys):
    proof.write_text("")
    assert run(["check", "p.jsonl"]) == 1
    assert "The first line must have a game" in capsys.readouterr().err
