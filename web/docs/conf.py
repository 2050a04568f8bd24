"""The settings of Sphinx for the documentation."""

import ast
import inspect
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE)]

from docutils import nodes  # noqa: E402 - the folder of the next module is known only now
from pages import modules  # noqa: E402
from sphinx.addnodes import desc_annotation, pending_xref  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402
from sphinx.util.inspect import TypeAliasForwardRef  # noqa: E402

project = "purembts"
release = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text("utf-8"))["project"][
    "version"
]
html_title = f"purembts {release} docs"
html_show_copyright = False
html_last_updated_fmt = None

extensions = ["myst_parser", "sphinx.ext.autodoc"]
default_role = "py:obj"  # the names in docstrings
myst_heading_anchors = 6
highlight_language = "text"
trim_doctest_flags = False  # the page runs the blocks, and needs the flags

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_default_options = {"undoc-members": True}
ROOMS = {name: import_module(name) for name in modules()}
autodoc_type_aliases = {
    name: name
    for module in ROOMS.values()
    for name, annotation in sorted(inspect.get_annotations(module).items())
    if annotation == "TypeAlias"
}
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

templates_path = ["templates"]
html_theme = "furo"
COLOURS = {
    "color-foreground-primary": "var(--ink)",
    "color-background-primary": "var(--paper)",
    "color-background-secondary": "var(--raised)",
    "color-brand-primary": "var(--accent)",
    "color-brand-content": "var(--accent)",
    "color-brand-visited": "var(--accent)",
}
"""The colours of the other pages, see common.css."""
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "announcement": "Pages",  # templates/page.html has the links
    "top_of_page_buttons": [],
    "light_css_variables": COLOURS
    | {
        "font-stack": 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif',
        "font-stack--monospace": "var(--mono)",
    },
    "dark_css_variables": COLOURS,
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


LONG = 60
"""The most characters of a value in the reference."""


@cache
def imports(module: str) -> dict[str, str]:
    """For each name that the source of `module` imports, the module that it comes from."""
    if module.partition(".")[0] != "purembts":
        return {}
    tree = ast.parse(inspect.getsource(import_module(module)))
    found = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
    return {name.name: each.module or "" for each in found for name in each.names}


def origin(module: str, name: str) -> str:
    """The full name of what `module` calls `name`."""
    source = imports(module).get(name)
    return origin(source, name) if source else f"{module}.{name}"


def is_in_room(name: str) -> bool:
    """True for a room and a name in it, as docstrings have them: `engine.search`."""
    room, dot, last = name.rpartition(".")
    return bool(dot) and f"purembts.{room}" in ROOMS and hasattr(ROOMS[f"purembts.{room}"], last)


def lead_to_origins(_: Sphinx, doctree: nodes.document) -> None:
    """Let each name in a page of the reference lead to where its module has it from.

    A name that the module does not have leads nowhere, since other modules may have two of it.
    """
    for node in doctree.findall(pending_xref):
        module, name = node.get("py:module"), node.get("reftarget", "")
        if module and name in imports(module):
            node["reftarget"] = origin(module, name)
        elif module and is_in_room(name):
            node["reftarget"] = f"purembts.{name}"
        elif module and "." not in name:
            node.attributes.pop("refspecific", None)


def without_long_values(_: Sphinx, doctree: nodes.document) -> None:
    """Leave out the values that are long: a table of a module takes a megabyte."""
    for node in [*doctree.findall(desc_annotation)]:
        if node.astext().startswith(" = ") and len(node.astext()) > LONG:
            node.parent.remove(node)


def without_numbers(*docstring: Any) -> None:
    """Leave out the text that Python writes for a field without one."""
    lines: list[str] = docstring[-1]
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def name_of(alias: TypeAliasForwardRef) -> str:
    """The name of an alias of types, as it stands in a signature."""
    return alias.name


def setup(app: Sphinx) -> None:
    """Connect the functions above."""
    TypeAliasForwardRef.__repr__ = name_of  # type: ignore[method-assign]
    app.connect("doctree-read", lead_to_origins)
    app.connect("doctree-read", without_long_values)
    app.connect("autodoc-process-docstring", without_numbers)
