"""The reference from the docstrings, a page for each room: `python .ci/reference.py FOLDER`."""

import pkgutil
import sys
from importlib import import_module
from pathlib import Path

import pdoc

import purembts

site, package = Path(sys.argv[1]), Path(purembts.__file__).parent

# pdoc leaves out the rooms that `__all__` does not name.
packages = [
    room.name for room in pkgutil.walk_packages(purembts.__path__, "purembts.") if room.ispkg
]
for module in [purembts, *map(import_module, packages)]:
    if hasattr(module, "__all__"):
        module.__all__ += [room.name for room in pkgutil.iter_modules(module.__path__)]
pdoc.pdoc("purembts", output_directory=site)

files = set(package.rglob("*.py")) - {package / "__main__.py"}
rooms = {file.parent if file.stem == "__init__" else file for file in files}
pages = {site / room.relative_to(package.parent).with_suffix(".html") for room in rooms}
if missing := [str(page) for page in sorted(pages) if not page.is_file()]:
    sys.exit(f"The reference lacks {missing}.")
