"""Refuse a release that is not ready: `python .ci/release.py v0.2.0`.

The placeholders of the project are named here, and nowhere else. A person who makes the repository
public replaces each of them in all files, and then the check has nothing to refuse.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACEHOLDERS = {
    "https://example.invalid/purembts": "the address of the repository",
    "security@example.invalid": "the address for reports of faults",
}
FOLDERS = (".github", "docs", "examples", "purembts", "web")
SKIPPED = {"node_modules", "made", "__pycache__"}


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """The names and the texts of the files of a release."""
    files = [path for path in root.iterdir() if path.is_file() and path.name != ".git"]
    files += [path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()]
    for path in sorted(files):
        name = path.relative_to(root)
        if not SKIPPED.intersection(name.parts):
            yield name.as_posix(), path.read_text("utf-8", errors="ignore")


def reasons(root: Path, tag: str) -> list[str]:
    """The reasons against a release of `root` with `tag`, each a sentence; none if it is ready."""
    found = [
        f"{name} must have {meaning} in the place of {placeholder}."
        for name, text in texts(root)
        for placeholder, meaning in PLACEHOLDERS.items()
        if placeholder in text
    ]
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if tag != f"v{version}":
        found.append(f"The tag must be v{version}, the version in pyproject.toml; got {tag}.")
    if not re.search(rf"^version: {re.escape(version)}$", read(root, "CITATION.cff"), re.MULTILINE):
        found.append(f"The version in CITATION.cff must be {version}.")
    dated = rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$"
    if not re.search(dated, read(root, "CHANGELOG.md"), re.MULTILINE):
        found.append(f"CHANGELOG.md must have the heading '## {version} (date)'.")
    return found


def read(root: Path, name: str) -> str:
    """The text of a file."""
    return (root / name).read_text("utf-8")


if __name__ == "__main__":
    against = reasons(ROOT, sys.argv[1] if len(sys.argv) > 1 else "")
    print(*against, sep="\n")
    sys.exit(1 if against else 0)
