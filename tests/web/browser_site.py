"""The whole site: its speed, its sizes, and rules that hold on each page.

Each test also fails on an error in the console and on a foreign request, see conftest.py.
"""

import re
from html import unescape
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

import sizes
from facade.documents import run_lines
from purembts.loading import GAMES
from watching import ADDRESSES, DRAWN, KEEP_PICTURES, MARK_PLAYABLE, PLAYABLE, PLAYED, QUIET, STILL

PACKAGES = Path(__file__).parents[2] / "web" / "node_modules"
AXE = PACKAGES / "axe-core" / "axe.min.js"
FIRST_PAINT, UNTIL_PLAYABLE = 1_000, 5_000
"""The most milliseconds, on a quiet machine of two cores."""
MOST = 14_000_000
"""The most bytes, compressed, that the page of the games loads until one can play."""
LOOKS = [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")]
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


# The tests of all pages have to be able to fail.


@pytest.mark.parametrize(
    ("script", "trouble"),
    [
        ("console.error('a mistake')", "console: a mistake"),
        ("setTimeout(() => nothing(), 0)", "nothing is not defined"),
        ("fetch('http://elsewhere.example/').catch(() => {})", "request: http://elsewhere"),
    ],
)
def test_errors_and_foreign_requests_are_seen(open_page, troubles, script, trouble):
    page = open_page("index.html", bypass_csp=True)
    page.evaluate(f"{script}, 0")
    page.wait_for_timeout(100)
    page.context.close()
    assert any(trouble in each for each in troubles)
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


def test_the_page_of_the_games_loads_few_bytes(new_page, folder, capsys):
    page, asked = new_page(), set()
    page.context.on("request", lambda request: asked.add(urlsplit(request.url)))
    page.goto(PLAYED[0])
    page.wait_for_function(PLAYABLE)
    page.evaluate(QUIET)
    named = {each.path.lstrip("/") for each in asked if each.scheme == "http"}
    counted = sizes.loaded(folder)
    assert named <= counted
    with capsys.disabled():
        print(f"\n{sizes.table(folder)}")
    assert sum(sizes.compressed(folder / name) for name in counted) < MOST


def test_the_editor_carries_the_licences_of_its_parts(folder):
    script = (folder / "js" / "codemirror.js").read_text("utf-8")
    parts = [*PACKAGES.glob("@codemirror/*/LICENSE"), *PACKAGES.glob("@lezer/*/LICENSE")]
    assert len(parts) > 7
    assert [path for path in parts if path.read_text("utf-8") not in script] == []


# The same trees as in CPython


def test_the_tree_of_each_game_is_the_one_of_cpython(open_page):
    page = open_page("index.html")
    for game in GAMES:
        dives = 40 if game == "big-two" else 400
        words = ["search", game, "--seed", "7", "--dives", f"{dives}", "--save", "tree.jsonl"]
        lines = [
            "from pathlib import Path",
            "from tempfile import TemporaryDirectory",
            "from purembts.app.terminal import run",
            "folder = TemporaryDirectory()",
            f"ended = run({words[:-1]!r} + [f'{{folder.name}}/tree.jsonl'])",
            "print(Path(folder.name, 'tree.jsonl').read_text('utf-8'))",
        ]
        args = {"document": game, "source": "\n".join(lines)}
        there, here = page.evaluate(STEPS, ["run_lines", args])[-1], [*run_lines(**args)][-1]
        assert here["got"].count("\n") > 20
        assert there == here, game


# Each page


def looks(page, chosen, wait):
    """The page in each of the looks, with the look, after a wait."""
    for width, scheme in chosen:
        page.set_viewport_size({"width": width, "height": 900 if width > 600 else 740})
        page.emulate_media(color_scheme=scheme)
        page.evaluate(wait)
        yield width, scheme


def violations(page):
    """The violations that axe finds, one on a line, with the first elements that have them."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    return [
        f"{each['id']}: {each['help']}: {[node['html'][:150] for node in each['nodes'][:3]]}"
        for each in found
    ]


def faults(page, chosen=LOOKS, wait=QUIET, *, examined=LOOKS):
    """The violations of axe in the looks that are examined, and scrolling to the side in each."""
    for width, scheme in looks(page, chosen, wait):
        found = violations(page) if (width, scheme) in examined else []
        yield from (f"{width} {scheme}: {each}" for each in found)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            yield f"{width} {scheme}: the page is {wide} pixels wide"


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_accessible_and_fits(open_page, address):
    page = open_page(address)
    page.evaluate(QUIET)
    assert page.locator("h1").count() == 1
    assert page.locator(".error:visible").all_inner_texts() == []
    wrong = list(faults(page))
    assert not wrong, "\n".join(wrong)


def test_an_own_game_is_accessible_while_its_code_is_searched(open_page):
    page = open_page("play.html#game=own")
    page.evaluate(QUIET)
    page.get_by_label("The code of your game").press("Control+F")
    page.wait_for_selector(".cm-search")
    wrong = list(faults(page))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("part", range(8))
def test_each_page_of_the_documentation_is_accessible_and_fits(part, open_page, folder):
    """One template makes all pages. axe looks at an eighth of those that are made from the code."""
    page = open_page("docs/index.html")
    wrong = []
    for n, path in list(enumerate(sorted((folder / "docs").rglob("*.html"))))[part::8]:
        name = path.relative_to(folder).as_posix()
        page.goto(name)
        is_made = "reference" in path.parts or path.stem in ("genindex", "py-modindex")
        chosen = LOOKS[3:] if is_made else LOOKS[::3]
        examined = chosen if not is_made or n // 8 % 8 == 0 else []
        wrong += [f"{name}: {each}" for each in faults(page, chosen, STILL, examined=examined)]
    assert not wrong, "\n".join(wrong)


def test_axe_sees_a_violation(open_page):
    page = open_page("index.html")
    page.evaluate("document.body.append(document.createElement('button'))")
    assert any(each.startswith("button-name") for each in violations(page))


# Pictures


def is_picture(svg):
    """True if a text is an SVG with a title; an error of the parser if it is no XML."""
    tree = ET.fromstring(svg)
    space = re.match(r"\{.*\}", tree.tag)
    title = tree.find(f"{space[0] if space else ''}title")
    return title is not None and bool((title.text or "").strip())


def used(page, address):
    """Use what a page has for pictures: hints, dives, pulls, darts. Wait for the end of it."""
    page.goto(address)
    if address.startswith("play"):
        page.wait_for_function("document.querySelector('#status').textContent")
    page.evaluate(QUIET)
    for name in USES[address.partition(".")[0]]:
        for button in page.get_by_role("button", name=name, exact=True).all():
            if button.is_visible() and button.is_enabled():
                button.click()
                page.evaluate(QUIET)


USES = {
    "bandits": ("Pull 100", "Show the true means"),
    "pi": ("Throw 1", "Throw 1,000"),
    "play": ("Show hints", "1 dive", "1,000 dives"),
    "index": (),
    "tasks": (),
}
"""For each page the buttons that make pictures."""
CHANGED = """
async () => {
  const { drawing } = await import("/js/dom.js");
  const parsed = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const changed = window.pictures.find((text) => !drawing(text).isEqualNode(parsed(text)));
  return changed ? [drawing(changed).outerHTML, parsed(changed).outerHTML] : [];
}
"""
"""The first picture of Python that the filter of the page changes, after that and before."""


@pytest.mark.parametrize("address", [*ADDRESSES[1:3], *PLAYED])
def test_a_page_in_use_is_accessible_and_its_pictures_have_titles(new_page, address):
    page = new_page(reduced_motion="reduce")  # without films, whose pictures are trees, too
    page.add_init_script(KEEP_PICTURES)
    used(page, address)
    pictures = page.evaluate("window.pictures") + page.evaluate(DRAWN)
    assert len(pictures) >= 3
    assert [svg[:200] for svg in pictures if not is_picture(svg)] == []
    assert page.evaluate(CHANGED) == [], "the filter of the page leaves all parts"
    wrong = list(faults(page, LOOKS[::3]))
    assert not wrong, "\n".join(wrong)


def games_of_the_first_page():
    """The links of the first page to games, as they are written."""
    text = (Path(__file__).parents[2] / "web" / "page" / "index.html").read_text("utf-8")
    return sorted({unescape(each) for each in re.findall(r'href="(play.html#game=[^"]*)"', text)})


@pytest.mark.parametrize("address", games_of_the_first_page())
def test_each_game_of_the_first_page_opens_without_an_error(open_page, address):
    page = open_page(address)
    page.evaluate(QUIET)
    assert page.locator(".error:visible").all_inner_texts() == []
    assert re.search(r"game=[\w-]+", address)[0] in page.url


def test_the_first_page_shows_a_position_of_each_game(open_page):
    page = open_page("index.html")
    games = page.locator(".cards li:has(a[href^='play.html#game='])")
    shown = games.filter(has=page.locator(".thumb svg"))
    assert (games.count(), shown.count()) == (7, 6), "all but one's own game"
    assert page.locator(".first .picture svg").is_visible()


def test_each_file_of_a_picture_is_well_formed_and_has_a_title(folder):
    files = sorted(path for path in folder.rglob("*.svg") if "_static" not in path.parts)
    assert files
    assert [path.name for path in files if not is_picture(path.read_text("utf-8"))] == []


def test_the_search_on_the_first_page_moves_until_it_is_paused(open_page):
    page = open_page("index.html")
    frames = "[...document.querySelectorAll('.first .picture svg > g > g[id]')]"
    shown = f"{frames}.filter((g) => getComputedStyle(g).visibility === 'visible').map((g) => g.id)"
    [first] = page.evaluate(shown)
    page.wait_for_function(f"first => {shown}[0] !== first", arg=first)
    page.get_by_label("Pause").check()
    states = page.evaluate("document.getAnimations().map((each) => each.playState)")
    assert set(states) == {"paused"}


def test_a_tap_on_a_word_of_the_glossary_shows_its_meaning(open_page):
    page = open_page("play.html", 360, has_touch=True, is_mobile=True)
    word = page.locator('a[href="docs/glossary.html#tree"]')
    word.tap()
    meaning = page.locator("#meaning")
    assert meaning.inner_text() == f"tree: {word.get_attribute('title')} Glossary"
    page.locator("#status").tap()
    assert not meaning.is_visible()
    word.tap()
    meaning.get_by_role("link", name="Glossary").tap()
    page.wait_for_url("**/docs/glossary.html#tree")
