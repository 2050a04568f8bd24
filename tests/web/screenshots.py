"""Screenshots of each page of a built site: `python tests/web/screenshots.py SITE FOLDER`.

Two folders of two builds show what a change has done to the pages: `diff -rq` names the pictures.
"""

import shutil
import sys
import threading
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from conftest import BROWSERS, FLAGS, Quiet, Server
from purembts.loading import GAMES
from watching import QUIET

WIDTHS = (1280, 360)
OPEN = "document.querySelectorAll('details').forEach((each) => (each.open = true))"
PAGES = ("index.html", "path.html", "bandits.html#seed=7&pulls=1,2,3,ucb1x100&revealed=1")
MORE = ("tasks.html#task=3", "docs/trees.html")


def shots(page: Page, address: str, target: Path) -> None:
    """Keep each page as it is at first, and the pages of games after moves and with all panels."""
    for place in (*PAGES, *MORE):
        page.goto(address + place)
        page.evaluate(QUIET)
        shoot(page, target / f"{place.partition('.')[0].replace('/', '-')}.png")
    for name in GAMES:
        page.goto(f"{address}play.html#game={name}&seed=7")
        page.evaluate(QUIET)
        for _ in range(2):
            page.keyboard.press("1")
            page.evaluate(QUIET)
        shoot(page, target / f"play-{name}.png")
        open_panels(page)
        shoot(page, target / f"play-{name}-panels.png")


def open_panels(page: Page) -> None:
    """Let the tree grow, with its heat on the board, and open what can be opened."""
    for button in page.get_by_role("button", name="1,000", exact=True).all():
        button.click()
        page.evaluate(QUIET)
    page.evaluate(OPEN)
    page.evaluate(QUIET)


def shoot(page: Page, file: Path) -> None:
    """Keep the whole page as a picture."""
    page.screenshot(path=file, full_page=True, animations="disabled")


def main(site: str, folder: str) -> None:
    """Keep the pictures of a site in a folder for each width."""
    server = Server(("127.0.0.1", 0), partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    path = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        for width in WIDTHS:
            options = {"reduced_motion": "reduce", "service_workers": "block"}
            page = browser.new_page(viewport={"width": width, "height": 900}, **options)
            target = Path(folder) / str(width)
            target.mkdir(parents=True, exist_ok=True)
            shots(page, f"http://127.0.0.1:{server.server_port}/", target)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main(*sys.argv[1:])
