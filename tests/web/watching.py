"""Scripts that the tests run in a page, and words for what a page shows."""

PAGES = ("index.html", "path.html", "bandits.html", "tasks.html")

READY = "#status:not(:empty)"
"""The sentence of the turn, which a page of a game has once the game can be played."""
PLAYABLE = f"document.querySelector('{READY}')"
"""True if the page of the games shows a position, and says whose turn it is."""

QUIET = """
async () => {
  const names = performance.getEntriesByType("resource").map((each) => each.name);
  const uses = names.some((name) => name.endsWith("/js/python.js"));
  const python = uses ? await import("/js/python.js") : { isIdle: () => true };
  await python.ready;
  const last = { change: performance.now() };
  const seen = new MutationObserver(() => (last.change = performance.now()));
  seen.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const end = performance.now() + 15_000;
  await new Promise((resolve) => {
    const look = () => {
      const now = performance.now();
      if (!python.isIdle()) last.change = now;
      if (now - last.change > 500 || now > end) resolve();
      else setTimeout(look, 50);
    };
    look();
  });
  seen.disconnect();
}
"""
"""A wait until Python has answered all and the page no longer changes: 15 seconds at most."""

STILL = """
async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const has_end = (each) => each.effect.getTiming().iterations < Infinity;
  const ending = document.getAnimations().filter(has_end);
  await Promise.allSettled(ending.map((each) => each.finished));
}
"""
"""A wait until nothing moves but pictures that move without end."""

MARK_PLAYABLE = f"""
const seen = new MutationObserver(() => {{
  if ({PLAYABLE}) {{
    window.playable = performance.now();
    seen.disconnect();
  }}
}});
seen.observe(document, {{ subtree: true, childList: true, characterData: true }});
"""
"""A script before all others: it keeps the time when one can play, in milliseconds."""

DRAWN = """
() => [...document.querySelectorAll("main svg")]
  .filter((svg) => !svg.closest("[aria-hidden=true]") && svg.checkVisibility())
  .map((svg) => new XMLSerializer().serializeToString(svg))
"""
"""The pictures that a page shows, as texts of XML."""

EDITOR = """
async (text) => {
  const { EditorView } = await import("/js/codemirror.js");
  const view = EditorView.findFromDOM(document.querySelector(".editor:not([hidden] *)"));
  const whole = { from: 0, to: view.state.doc.length };
  if (text !== null) view.dispatch({ changes: { ...whole, insert: text } });
  return `${view.state.doc}`;
}
"""


def edited(page, text=None):
    """The text in the editor, after `text` was written in its place if there is one."""
    page.wait_for_selector(".editor:not([hidden] *) .cm-content", state="attached")
    return page.evaluate(EDITOR, text)


TWO = "players=person,person"
NIM = """
from purembts.game import Game

def moves(pile, event):
    return tuple(pile - n for n in (1, 2) if n <= pile)

nim = Game(moves, lambda pile: (0, 1), lambda pile: pile % 2, start=4, name="Nim")
"""
"""A game of a person's own."""


def answered(page):
    """Wait until Python has answered all that the page has asked so far."""
    page.wait_for_function("import('./js/python.js').then((python) => python.isIdle())")


def labels(page):
    """The names of the moves in the list."""
    return page.eval_on_selector_all("#moves li button", "all => all.map(b => b.dataset.label)")


def steps(page):
    """The names of the moves so far."""
    return page.locator("#history .label").all_text_contents()


def made(page, count):
    """Wait until there are `count` moves."""
    page.wait_for_function("n => document.querySelectorAll('#history li').length === n", arg=count)


def sentence(page, text):
    """Wait until the page says `text` as a trouble."""
    page.wait_for_function(
        "text => document.querySelector('#trouble').textContent === text", arg=text
    )
