"""The served site and pages of Chromium for the tests in this folder, which are files browser_*.py.

A page fails its test at the end for each error in the console and each request to another host.
The variable PUREMBTS_SITE names a built site; without it, the site is built first.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest

from watching import READY

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
PATIENCE = 60_000
"""Milliseconds until a wait of Playwright fails."""


def without(reason: str) -> None:
    """Skip the test, or fail it where the variable CI is set."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, without a log."""

    extensions_map: ClassVar = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".gz": "application/gzip",
    }

    def log_message(self, *_: object) -> None:
        """Print nothing."""


class Server(ThreadingHTTPServer):
    """Serves to a browser that may close its connections at any time."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a closed connection."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    if "PUREMBTS_SITE" in os.environ:
        return Path(os.environ["PUREMBTS_SITE"])
    if not (shutil.which("node") and shutil.which("npm")):
        without("The site is built with node and npm, which are not here.")
    made = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, str(ROOT / "web" / "build.py"), str(made)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.fail(f"The site could not be built: {built.stderr[-3000:]}")
    return made


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[str]:
    """The address of the served site, with a slash at its end."""
    server = Server(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright.

    Each file has its own. One browser for all files stopped answering after some 170 tests.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        without("The browser is driven by playwright, which is not here.")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        without(f"A browser must be here: one of {', '.join(BROWSERS)}.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


Opener = Callable[..., Any]


@pytest.fixture
def troubles() -> list[str]:
    """The errors and foreign requests of the pages of a test."""
    return []


@pytest.fixture
def new_page(browser: Any, site: str, troubles: list[str]) -> Iterator[Opener]:
    """A function that makes a page, whose errors and foreign requests fail the test."""
    contexts = []

    def make(width: int = 1280, *, dark: bool = False, **options: Any) -> Any:
        options.setdefault("service_workers", "block")  # so that each page comes from the network
        context = browser.new_context(
            viewport={"width": width, "height": 900 if width > 600 else 740},
            color_scheme="dark" if dark else "light",
            base_url=site,
            **options,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        watch(context, urlsplit(site).netloc, troubles)
        page = context.new_page()
        page.wait_for_function = partial(wait_for, page)
        return page

    yield make
    for context in contexts:
        if context.pages:  # and the test has not closed it
            context.cookies()  # the answer comes after all troubles until now
    text = "\n".join(troubles)
    for context in contexts:
        context.close()  # Python, which may be starting, fails then
    assert not text, text


def wait_for(page: Any, script: str, *, arg: Any = None, timeout: float = PATIENCE) -> None:
    """Wait until a script is true. Playwright's own wait runs against the policy of a page."""
    from playwright.sync_api import Error

    end = monotonic() + timeout / 1000
    while monotonic() < end:
        try:
            if page.evaluate(script, arg):
                return
        except Error as error:  # while another page is opened
            if "context was destroyed" not in str(error):
                raise
        page.wait_for_timeout(20)
    pytest.fail(f"This should have become true: {script} for {arg}")


def watch(context: Any, host: str, troubles: list[str]) -> None:
    """Write errors of the console, errors of scripts and foreign requests into `troubles`."""

    def asked(request: Any) -> None:
        to = urlsplit(request.url)
        if to.scheme in ("http", "https", "ws", "wss") and to.netloc != host:
            troubles.append(f"A foreign request: {request.url[:200]}")

    def said(message: Any) -> None:
        if message.type == "error":
            where = message.location.get("url", "")
            troubles.append(f"An error in the console: {message.text[:500]} {where}")

    context.on("request", asked)
    context.on("console", said)
    context.on("weberror", lambda error: troubles.append(f"An error of a script: {error.error}"))


@pytest.fixture
def open_page(new_page: Opener) -> Opener:
    """A function that opens an address of the site, for example `play.html#seed=7`, in a page.

    `own` is the code of a game that the browser has kept.
    """

    def opened(address: str, width: int = 1280, *, own: str = "", **options: Any) -> Any:
        made = new_page(width, **options)
        if own:
            made.add_init_script(f"localStorage.setItem('purembts.own', {json.dumps(own)})")
        made.goto(address)
        return made

    return opened


@pytest.fixture
def play(open_page: Opener) -> Opener:
    """A function that opens a link of a game, as a text, and waits for its board."""

    def opened(link: str, width: int = 1280, **options: Any) -> Any:
        made = open_page(f"play.html#{link}", width, **options)
        made.wait_for_selector(READY)
        return made

    return opened
