"""A release is refused while a placeholder stands, or while the versions of its files differ."""

import runpy
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[2]
release = SimpleNamespace(**runpy.run_path(str(ROOT / ".ci" / "release.py")))


READY = {
    "pyproject.toml": '[project]\nversion = "0.2.0"\n',
    "CITATION.cff": "version: 0.2.0\n",
    "CHANGELOG.md": "# Changelog\n\n## 0.2.0 (2027-01-31)\n",
    "docs/page.md": "A page.\n",
}
WRONG = {
    "pyproject.toml": '[project]\nversion = "0.3.0"\n',
    "CITATION.cff": "version: 0.1.0\n",
    "CHANGELOG.md": "# Changelog\n\n## Unreleased\n",
    "docs/page.md": "See <https://example.invalid/purembts/issues>.",
}


def test_a_release_is_refused_for_each_file_that_is_not_ready(tmp_path):
    (tmp_path / "docs").mkdir()
    for wrong in (None, *WRONG):
        for name, text in READY.items():
            (tmp_path / name).write_text(WRONG[name] if name == wrong else text, "utf-8")
        assert bool(release.reasons(tmp_path, "v0.2.0")) == bool(wrong)


def test_every_address_that_cannot_exist_is_a_placeholder_of_the_list():
    for name, text in release.texts(ROOT):
        for placeholder in release.PLACEHOLDERS:
            text = text.replace(placeholder, "")
        assert "example.invalid" not in text, name
