"""The texts of the documentation that tests compare with the code."""

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def page(name):
    """The text of a page."""
    return (DOCS / f"{name}.md").read_text("utf-8")


def workshop():
    """The text of the workshop's pages, in the order of the tasks."""
    names = ("workshop", "workshop_simplified", "workshop_choice", "workshop_search")
    return "\n".join(page(name) for name in names)
