"""Names in texts are there, and files of tests say what they hold."""

import re
from pathlib import Path

import purembts

ROOT = Path(purembts.__file__).parent


def test_the_list_of_the_folders_of_tests_is_complete_and_each_file_says_what_it_holds():
    here = Path(__file__).parents[1]
    rows = re.findall(r"^\| (`.*?`) \|", (here / "README.md").read_text("utf-8"), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`(.*?)`", row)}
    files = {path.name for path in here.glob("*.py")}
    assert listed == files | {f"{path.parent.name}/" for path in here.glob("*/*.py")}
    for path in here.rglob("*.py"):
        assert path.read_text("utf-8").startswith('"""'), path


def lost_names(text):
    """The names `room.name` in `text` that stand in no room of this name."""
    rooms = [path for path in ROOT.rglob("*.py") if path.stem != "game"]  # a game has its own names
    for room, name in re.findall(r"`(?:\w+\.)*(\w+)\.(\w+)(?:\(.*?\))?`", text):
        own = " ".join(path.read_text("utf-8") for path in rooms if path.stem == room)
        is_room = name in ("py", "html", *(path.stem for path in rooms))
        if own and not is_room and not re.search(rf"\b{name}\b", own):
            yield f"{room}.{name}"


def test_the_names_of_other_rooms_in_docstrings_and_documents_are_there():
    documents = Path(__file__).parents[2].glob("docs/*.md")
    for path in [*ROOT.rglob("*.py"), *documents]:
        assert list(lost_names(path.read_text("utf-8"))) == [], path


def test_lost_names_are_found():
    text = "`mcts.uct`, `fast.engine.search(...)`, `mcts.move_table` and `pile.coins`"
    assert list(lost_names(text)) == ["mcts.move_table"]
