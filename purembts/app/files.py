"""Files that are written whole or not at all, and trees in files."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from shutil import copymode
from typing import Any
from uuid import uuid4

from purembts import jsonl
from purembts.game import E, Game, S
from purembts.records import Record, Tree


def checked_path(path: Path) -> Path:
    """`path`, or a ValueError if no file can be written there."""
    target = path.resolve()
    if not target.parent.is_dir():
        raise ValueError(f"{path} cannot be written: {target.parent} is not a folder.")
    if target.exists() and not target.is_file():
        raise ValueError(f"{path} cannot be written: it exists and is not a file.")
    if not all(os.access(place, os.W_OK) for place in (target.parent, target) if place.exists()):
        raise ValueError(f"{path} cannot be written: there is no permission to write it.")
    return path


def write_parts(path: Path, parts: Iterable[bytes]) -> None:
    """Write `parts`, one after another, to a new file beside `path`, and rename it to `path`.

    An error, an interrupt or a crash leaves the old file at `path`, whole. Threads and processes
    may write to one path at the same time: one of them wins, and its file is whole. The new file
    has the permissions of the old file, before it has any data.
    """
    target = checked_path(path).resolve()
    new = target.with_name(f".purembts.{uuid4().hex}.new")
    try:
        with new.open("xb") as file:
            if target.exists():
                copymode(target, new)
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())  # so that a crash leaves one of the two files whole
        new.replace(target)
    except OSError as error:  # of a full disk it has no name of a file
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        new.unlink(missing_ok=True)


def save_tree(
    path: Path | str,
    game: Game[S, E],
    tree: Tree[S] | dict[S, Record],
    *,
    views: bool = False,
    search: Mapping[str, Any] | None = None,
) -> None:
    """Write `tree`, a search of `game`, to `path` as JSON Lines; `jsonl` has the form.

    With `views` it is a tree of views. A tree that `load_tree` would refuse is a ValueError, and
    the old file stays.

    >>> from tempfile import TemporaryDirectory
    >>> from purembts import *
    >>> tree = search({}, start_box, 100)
    >>> with TemporaryDirectory() as folder:
    ...     save_tree(f"{folder}/tree.jsonl", shut_the_box(), tree)
    ...     load_tree(f"{folder}/tree.jsonl", shut_the_box()) == tree
    True
    """
    lines = jsonl.lines(game, tree, views=views, search=search)
    write_parts(Path(path), (f"{line}\n".encode() for line in lines))


def load_tree(path: Path | str, game: Game[S, E], *, views: bool = False) -> Tree[S]:
    """The tree in the file at `path`, or a ValueError if the file has no tree of `game`."""
    with Path(path).open("rb") as lines:
        try:
            return jsonl.tree_in(game, lines, views=views)
        except ValueError as error:
            raise ValueError(f"{path}, {error}") from error


def load_search(path: Path | str) -> dict[str, Any]:
    """The `search` in the header of the file at `path`; empty if it has none."""
    with Path(path).open("rb") as lines:
        return jsonl.search_in(lines.readline())
