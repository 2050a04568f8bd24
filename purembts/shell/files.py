"""Files that are whole or not there."""

import os
from pathlib import Path


def checked_path(path: Path) -> Path:
    """`path`, or a ValueError where no file can be written."""
    if not path.parent.is_dir():
        raise ValueError(f"{path} cannot be written: {path.parent} is not a folder.")
    if path.exists() and not path.is_file():
        raise ValueError(f"{path} cannot be written: it is there, and not a file.")
    return path


def write_text(path: Path, text: str) -> None:
    """Write `text` to a new file beside `path` and rename it to `path`.

    An interrupt, a full disk or a crash leaves what was at `path` as it was.
    """
    target = checked_path(path).resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
