"""A release is refused while a placeholder stands, or while the versions of its files differ."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
release = SimpleNamespace(**runpy.run_path(str(ROOT / ".ci" / "release.py")))
FILES = {
    "pyproject.toml": '[project]\nversion = "0.2.0"\n',
    "CITATION.cff": "version: 0.2.0\n",
    "CHANGELOG.md": "# Changelog\n\n## 0.2.0 (2027-01-31)\n",
    "docs/page.md": "A page.\n",
}


def reasons(folder, tag="v0.2.0", **changed):
    (folder / "docs").mkdir()
    for name, text in (FILES | changed).items():
        (folder / name).write_text(text, "utf-8")
    return release.reasons(folder, tag)


def test_a_release_that_is_ready_has_no_reason_against_it(tmp_path):
    assert reasons(tmp_path) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("docs/page.md", "See <https://example.invalid/purembts/issues>."),
        ("CITATION.cff", "version: 0.2.0\ncontact: security@example.invalid\n"),
        ("CITATION.cff", "version: 0.1.0\n"),
        ("CHANGELOG.md", "# Changelog\n\n## Unreleased\n"),
        ("pyproject.toml", '[project]\nversion = "0.3.0"\n'),
    ],
)
def test_a_release_that_is_not_ready_has_one(tmp_path, file, text):
    found = reasons(tmp_path, **{file: text})
    assert found
    assert all(reason.endswith(".") for reason in found)


def test_the_tag_is_the_version(tmp_path):
    assert reasons(tmp_path, tag="0.2.0") == [
        "The tag must be v0.2.0, the version in pyproject.toml; got 0.2.0."
    ]


def test_every_address_that_cannot_exist_is_a_placeholder_of_the_list():
    for name, text in release.texts(ROOT):
        for placeholder in release.PLACEHOLDERS:
            text = text.replace(placeholder, "")
        assert "example.invalid" not in text, name
