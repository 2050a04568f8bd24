"""The pictures that stand in pages: a position of each game on the first page, and first boards."""

import json
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from random import Random

from purembts.app.encoded import board_facts
from purembts.app.positions import AnyGame
from purembts.game import turn_at
from purembts.loading import GAMES
from purembts.pictures import Picture, position, svg
from purembts.play import move_called
from purembts.report import Facts

BOX, DICE = frozenset({1, 3, 4, 8, 9}), (5, 6)
MOVES = {
    "reversi": "c4 e3 f3 g3 f5 c5 c3 c6 b5 a4 d3 e6 f6 c2 d6 g6 f7 f8",
    "tic-tac-toe": "b2 a1 c3 c1 b1 b3 a3 a2",
    "gomoku": "h8 g9 h9 h7 i8 g8 g7 f6 i10 j11 i9 i7 g10 f11 j9 k9 j10 h10 k8 i6 k10 l10",
}
"""The moves that lead to a picture."""
COLOURS = {
    svg.DARK: "ink",
    svg.GREY: "quiet",
    svg.PALE: "line",
    svg.PAPER: "sheet",
    svg.EMPTY: "square",
    svg.CHOICE: "choice",
}
"""The colours of the library's pictures, with their names in common.css."""
SELDOM = ("simple-shut-the-box", "mnk")
"""The games that stand after the others."""


PATH = {
    "path.html#coin": ("Coin", "Why chance can answer"),
    "path.html#bandit": ("Bandit", "Why winners are tried again"),
    "path.html#dive": ("Dive", "Four phases of one game"),
    "path.html#tree": ("Tree", "Ten thousand games"),
    "play.html#game=tic-tac-toe": ("Play", "You against the tree"),
    "tasks.html": ("Tasks", "Write it yourself"),
}
"""The steps of the guided path, each with its name and what it is about."""


def with_path(page: str) -> str:
    """A page with the steps of the guided path in the place of a comment."""
    steps = (
        f'<li><a class="panel" href="{step}"><b>{name}</b> <span>{about}</span></a></li>'
        for step, (name, about) in PATH.items()
    )
    return page.replace("<!-- path -->", f'<ol class="path">{"".join(steps)}</ol>')


def with_pictures(page: str) -> str:
    """A page with a picture in the place of each comment such as `<!-- picture: coins -->`.

    A picture stands in the page itself, so that it has the colours of the page.
    """
    drawn = {name: picture.svg for name, picture in pictures()}
    return re.sub(r"<!-- picture: ([\w-]+) -->", lambda found: coloured(drawn[found[1]]), page)


def coloured(picture: str) -> str:
    """A picture in the colours of the page.

    >>> coloured('<path fill="#1f2328"/>')
    '<path fill="var(--ink)"/>'
    """
    for colour, name in COLOURS.items():
        picture = picture.replace(f'"{colour}"', f'"var(--{name})"')
    return picture.strip()


def with_drawn(page: str, folder: Path) -> str:
    """A page with the SVG of `folder` in the place of its images. So they have the page's colours.

    >>> with_drawn('<img alt="no SVG" src="pictures/board.png">', Path())
    '<img alt="no SVG" src="pictures/board.png">'
    """

    def drawn(image: re.Match[str]) -> str:
        return coloured((folder / image[1]).read_text("utf-8"))

    return re.sub(r'<img\b[^>]*\ssrc="[^"]*?([\w-]+\.svg)"[^>]*>', drawn, page)


def with_games(page: str) -> str:
    """A page with the choice of the games, and with the first position of each game that has one.

    The page draws such a position before Python has come.
    """
    games = {name: make() for name, make in GAMES.items()}
    options = {name: f'<option value="{name}">{game.name}</option>' for name, game in games.items()}
    seldom = "".join(options.pop(name) for name in SELDOM)
    own = '<option value="own">Your own game</option>'
    choice = [*options.values(), own, f'<optgroup label="More games">{seldom}</optgroup>']
    boards = {name: _first_board(game) for name, game in games.items() if game.deal is None}
    drawn = f'<template id="first-boards">{escape(json.dumps(boards), quote=False)}</template>'
    page = page.replace("<!-- first boards -->", drawn)
    return page.replace("<!-- games -->", "\n            ".join(choice))


def _first_board(game: AnyGame) -> Facts:
    """The first position of a game, as the page draws it."""
    facts = {"title": game.name, "look": game.display.look, "players": game.players}
    return {**facts, "position": board_facts(game, game.start)}


def pictures() -> Iterator[tuple[str, Picture]]:
    """A picture of each game that the first page shows, with the name of the game."""
    yield "shut-the-box", position(GAMES["shut-the-box"](), BOX, dice=DICE)
    for name, moves in MOVES.items():
        game = GAMES[name]()
        state = before = game.start
        for label in moves.split():
            before, state = state, move_called(game, turn_at(game, state, None), label)
        yield name, position(game, state, before=before)
    coins, cards = GAMES["coins"](), GAMES["big-two"]()
    yield "coins", position(coins, coins.start._replace(coins=20))
    table = cards.deal(Random(7))
    yield "big-two", position(cards, cards.hidden.view(table, table.player))
