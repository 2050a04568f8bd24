"""Files that are whole or not there."""

import os
from pathlib import Path

from purembts import jsonl
from purembts.game import E, Game, S
from purembts.records import Record, Tree


def checked_path(path: Path) -> Path:
    """`path`, or a ValueError where no file can be written."""
    try:
        target = path.resolve()
        there, whole = target.exists(), target.is_file()
    except (OSError, RuntimeError) as error:  # a name that is too long, links in a circle
        raise ValueError(f"{path} cannot be written: {error}") from error
    if target.is_symlink():  # from Python 3.13 on a circle is no error
        raise ValueError(f"{path} cannot be written: its links go in a circle.")
    if not target.parent.is_dir():
        raise ValueError(f"{path} cannot be written: {target.parent} is not a folder.")
    if there and not whole:
        raise ValueError(f"{path} cannot be written: it is there, and not a file.")
    if not os.access(target.parent, os.W_OK) or (there and not os.access(target, os.W_OK)):
        raise ValueError(f"{path} cannot be written: you may not.")
    return path


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path`, as `write_bytes` does."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write `data` to a new file beside `path` and rename it to `path`.

    An interrupt, a full disk or a crash leaves what was at `path` as it was.
    """
    target = checked_path(path).resolve()
    beside = target.with_name(f".purembts.{os.getpid()}.new")
    try:
        beside.write_bytes(data)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def save_tree(path: Path | str, game: Game[S, E], tree: Tree[S] | dict[S, Record]) -> None:
    """Keep `tree`, a search of `game`, at `path` as JSON Lines; see `jsonl` for the form.

    >>> from tempfile import TemporaryDirectory
    >>> from purembts import *
    >>> tree = search({}, start_box, 100)
    >>> with TemporaryDirectory() as folder:
    ...     save_tree(f"{folder}/tree.jsonl", shut_the_box(), tree)
    ...     load_tree(f"{folder}/tree.jsonl", shut_the_box()) == tree
    True
    """
    write_text(Path(path), "".join(f"{line}\n" for line in jsonl.lines(game, tree)))


def load_tree(path: Path | str, game: Game[S, E]) -> Tree[S]:
    """The tree that was kept at `path`; a ValueError where it is not one of `game`."""
    with Path(path).open("rb") as lines:
        try:
            return jsonl.tree(game, lines)
        except ValueError as error:
            raise ValueError(f"{path}, {error}") from error
