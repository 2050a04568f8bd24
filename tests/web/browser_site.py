"""The whole site: its speed, its sizes, and rules that hold on each page.

Each test also fails on an error in the console and on a foreign request, see conftest.py.
"""

import gzip
import re
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from facade.documents import run_lines
from purembts.loading import GAMES
from watching import DRAWN, MARK_PLAYABLE, PAGES, PLAYABLE, QUIET, STILL

PACKAGES = Path(__file__).parents[2] / "web" / "node_modules"
AXE = PACKAGES / "axe-core" / "axe.min.js"
FIRST_PAINT, UNTIL_PLAYABLE = 1_000, 5_000
"""The most milliseconds, on a quiet machine of two cores."""
MOST = 14_000_000
"""The most bytes, compressed, that the page of the games loads until one can play."""
SIZES = {(1280, 800): "light", (360, 740): "dark"}
"""The windows in which each page is looked at, with the colours there."""
STEPS = """
async ([name, args]) => {
  const python = await import("/js/python.js");
  await python.ready;
  const all = [];
  await python.stream(name, args, (step) => all.push(step)).done;
  return all;
}
"""
"""A call of the page's Python that answers in steps: all of them."""
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
STOPPED = '["connect-src","img-src","script-src-attr","script-src-elem"]'
"""The rules that this code breaks."""


def test_errors_foreign_requests_and_violations_of_axe_are_seen(open_page, troubles):
    page = open_page("index.html", bypass_csp=True)
    page.evaluate("document.body.append(document.createElement('button'))")
    assert any(each.startswith("button-name") for each in violations(page))
    page.evaluate("console.error('a mistake')")
    page.evaluate("setTimeout(() => nothing(), 0), 0")
    page.evaluate("fetch('http://elsewhere.example/').catch(() => 0)")
    page.context.close()
    for trouble in ("console: a mistake", "nothing is not defined", "request: http://elsewhere"):
        assert any(trouble in each for each in troubles)
    troubles.clear()


def test_a_page_runs_no_script_of_its_text_and_asks_no_other_host(open_page, troubles):
    page = open_page("index.html")
    for address in ("play.html", "tasks.html", "index.html", "docs/index.html"):
        page.goto(address)
        page.evaluate(BAD, "http://elsewhere.example/")
        page.wait_for_function(f"JSON.stringify([...stopped].sort()) === '{STOPPED}'")
        assert page.evaluate("window.bad") is None
    page.context.close()  # no message comes any more
    troubles.clear()


# Speed and sizes


@pytest.mark.alone
def test_one_can_play_soon(new_page, capsys):
    times = []
    for _ in range(3):  # each in a context of its own, so that nothing is in the browser's memory
        page = new_page()
        page.add_init_script(MARK_PLAYABLE)
        page.goto("play.html#game=reversi&seed=7")
        page.wait_for_function("window.playable")
        paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        times.append(page.evaluate(f"[{paint}, window.playable]"))
    paint, playable = (median(each) for each in zip(*times, strict=True))
    with capsys.disabled():
        print(f"\nfirst paint {paint:.0f} ms, playable {playable:.0f} ms, medians of {times}")
    assert paint < FIRST_PAINT
    assert playable < UNTIL_PLAYABLE


def test_the_page_of_the_games_loads_few_bytes(new_page, folder):
    page, asked = new_page(), set()
    page.context.on("request", lambda request: asked.add(urlsplit(request.url)))
    page.goto("play.html#game=shut-the-box&seed=7")
    page.wait_for_function(PLAYABLE)
    page.evaluate(QUIET)
    files = [folder / each.path.lstrip("/") for each in asked if each.scheme == "http"]
    assert folder / "python.snapshot.gz" in files
    assert sum(min(each.stat().st_size, compressed(each)) for each in files) < MOST


def compressed(path):
    """The bytes that a file has on its way, as `gzip -9` makes it."""
    return len(gzip.compress(path.read_bytes(), 9, mtime=0))


# The same trees as in CPython


def test_the_tree_of_each_game_is_the_one_of_cpython(open_page):
    page = open_page("index.html")
    for game in GAMES:
        dives = 20 if game == "big-two" else 100
        fields = {"game": game, "seed": 7, "dives": dives}
        lines = [
            "from pathlib import Path",
            "from tempfile import TemporaryDirectory",
            "from purembts.app.requests import Search",
            "from purembts.app.terminal import perform",
            "folder = TemporaryDirectory()",
            "path = Path(folder.name, 'tree.jsonl')",
            f"ended = perform(Search(**{fields!r}, save=path))",
            "print(path.read_text('utf-8'))",
        ]
        args = {"document": game, "source": "\n".join(lines)}
        there, here = page.evaluate(STEPS, ["run_lines", args])[-1], [*run_lines(**args)][-1]
        assert here["got"].count("\n") > 20
        assert there == here, game


# Each page


def violations(page):
    """The violations that axe finds, one on a line, with the first elements that have them."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    return [
        f"{each['id']}: {each['help']}: {[node['html'][:150] for node in each['nodes'][:3]]}"
        for each in found
    ]


def faults(page, sizes_=SIZES, wait=QUIET, *, is_examined=True):
    """The violations of axe in each window, if it is examined, and scrolling to the side."""
    for (width, height), scheme in sizes_.items():
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(wait)
        found = violations(page) if is_examined else []
        wide = page.evaluate("document.documentElement.scrollWidth")
        found += [f"the page is {wide} pixels wide"] * (wide > width)
        yield from (f"{width} {scheme}: {each}" for each in found)


def is_picture(svg):
    """True if a text is an SVG with a name; an error of the parser if it is no XML."""
    tree = ET.fromstring(svg)
    space = re.match(r"\{.*\}", tree.tag)
    title = tree.find(f"{space[0] if space else ''}title")
    return bool(tree.get("aria-label") or (title is not None and (title.text or "").strip()))


def press_all(page, *names):
    """Press each button with one of these names, and wait for the end of it."""
    for name in names:
        for button in page.get_by_role("button", name=name, exact=True).all():
            if button.is_visible() and button.is_enabled():
                button.click()
                page.evaluate(QUIET)


USES = {
    "bandits.html": ("Pull the highest tip", "Show the true chances"),
    "tasks.html": ("Throw 1,000",),
}


@pytest.mark.parametrize("address", [*PAGES, "play.html#game=own"])
def test_a_page_is_accessible_and_fits(open_page, address):
    page = open_page(address)
    page.evaluate(QUIET)
    assert page.locator("h1").count() == 1
    assert page.locator(".error:visible").all_inner_texts() == []
    press_all(page, *USES.get(address, ()))
    assert [svg[:200] for svg in page.evaluate(DRAWN) if not is_picture(svg)] == []
    wrong = list(faults(page))
    assert not wrong, "\n".join(wrong)


BOARD = """() => {
  const low = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
  const squares = [...document.querySelectorAll("#board svg, #board .ground")];
  const rects = squares.map((each) => each.getBoundingClientRect());
  const fit = rects.every(({ right, width }) => right <= innerWidth + 1 && width >= 23.99);
  const end = low("#board :first-child");
  return fit && low("#status") < end && end <= innerHeight;
}"""
"""True if the whole board and the turn are seen, with squares that are wide enough for a finger."""


SHIFTS = """() => new Promise((resolve) => {
  const sum = (list) => list.getEntries().reduce((all, each) => all + each.value, 0);
  const all = { type: "layout-shift", buffered: true };
  new PerformanceObserver((list) => resolve(sum(list))).observe(all);
  setTimeout(() => resolve(0), 500);
})"""
"""The layout shifts of a page so far."""


@pytest.mark.parametrize("game", GAMES)
def test_a_game_in_use_is_accessible_and_fits_and_nothing_jumps(new_page, game):
    page = new_page()
    page.goto(f"play.html#game={game}&seed=7")
    page.wait_for_function(PLAYABLE)
    assert page.evaluate(SHIFTS) <= 0.02
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(QUIET)
        assert page.evaluate(BOARD), f"the board at {width}"
    assert page.locator(".error:visible").all_inner_texts() == []
    press_all(page, "1,000")
    wrong = list(faults(page))
    assert not wrong, "\n".join(wrong)


LISTS = ("genindex", "py-modindex")
"""Long pages of one form, on which axe takes minutes."""
MOST_EXAMINED = 100_000
"""The bytes of a page made from the code up to which axe looks at it. Larger ones take a minute."""


@pytest.mark.parametrize("part", range(4))
def test_each_page_of_the_documentation_is_accessible_and_fits(part, open_page, folder):
    """One template makes all pages. axe looks at an eighth of those that are made from the code."""
    page = open_page("docs/index.html")
    wrong = []
    for n, path in list(enumerate(sorted((folder / "docs").rglob("*.html"))))[part::4]:
        name = path.relative_to(folder).as_posix()
        page.goto(name)
        is_made = {"reference", "examples"} & {*path.parts} or path.stem in LISTS
        is_small = path.stat().st_size < MOST_EXAMINED and path.stem not in LISTS
        is_examined = not is_made or (n % 32 < 4 and is_small)
        window = {(360, 740): "dark"} if is_made else SIZES
        found = faults(page, window, STILL if is_examined else "0", is_examined=is_examined)
        wrong += [f"{name}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


# The first page


def test_the_search_on_the_first_page_grows_until_it_is_paused_and_begins_again(open_page):
    page = open_page("index.html")
    games = page.locator(".cards li:has(a[href^='play.html#game='])")
    shown = games.filter(has=page.locator(".thumb svg"))
    assert (games.count(), shown.count()) == (7, 6), "all but one's own game"
    page.wait_for_function("document.querySelectorAll('#board .random').length > 1")
    page.get_by_role("button", name="Pause").click()
    board = page.locator("#board").inner_html()
    page.evaluate(STILL)
    assert page.locator("#board").inner_html() == board
    page.get_by_role("button", name="Go on").click()
    page.wait_for_function("document.querySelector('#count').textContent >= 2")
    assert page.evaluate("document.querySelector('#again').click(), count.textContent") == "0"


def test_a_reader_who_wants_no_motion_sees_the_last_tree_and_the_phases_in_the_first_screen(
    new_page,
):
    page = new_page(360, reduced_motion="reduce")
    page.goto("index.html")
    page.wait_for_function("document.querySelector('#count').textContent === '10,000'")
    assert page.locator("#phases .crosses:visible").count() == 4
    low = "document.querySelector('#phases').getBoundingClientRect().bottom"
    assert page.evaluate(f"{low} <= innerHeight")


def test_the_path_leads_from_a_coin_to_the_game_at_once_and_without_python(new_page):
    page = new_page(360, reduced_motion="reduce")
    page.context.route("**/pyodide/**", lambda route: route.abort())
    page.goto("path.html")
    lessons = page.locator(".lesson:visible")
    scene = page.locator(".scene:visible button:enabled")
    for step in ("coin", "bandit", "dive", "tree"):
        page.wait_for_selector(f".steps [aria-current][href$='#{step}']")
        while scene.count():
            scene.last.click()
        if step != "tree":
            assert lessons.count() == 1
            page.get_by_role("link", name="Next").locator("visible=true").click()
            page.wait_for_selector(f"#{step}", state="hidden")
    assert "10,000 dives, the tree wins 98 of 100" in page.locator("#tree").inner_text()
    page.get_by_role("link", name="Play against it").click()
    page.wait_for_url("**/play.html#game=tic-tac-toe*")


# The files of the site, without a browser


def test_each_page_says_without_scripts_that_it_needs_them(folder):
    for name in (*PAGES, "play.html", "docs/index.html"):
        note = (folder / name).read_text("utf-8").partition("<noscript>")[2]
        assert "JavaScript" in note.partition("</noscript>")[0], name


def test_each_file_of_a_picture_is_well_formed_and_has_a_title(folder):
    files = sorted(path for path in folder.rglob("*.svg") if "_static" not in path.parts)
    assert files
    assert [path.name for path in files if not is_picture(path.read_text("utf-8"))] == []


def test_the_editor_carries_the_licences_of_its_parts(folder):
    script = (folder / "js" / "codemirror.js").read_text("utf-8")
    parts = [*PACKAGES.glob("@codemirror/*/LICENSE"), *PACKAGES.glob("@lezer/*/LICENSE")]
    assert len(parts) > 7
    assert [path for path in parts if path.read_text("utf-8") not in script] == []
