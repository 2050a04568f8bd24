"""The measurable part of the rule for the English, for docstrings and for pages.

The first word of a docstring is not What, How, Whether or Who, and a few phrases that made readers
stumble are not used. DESIGN.md has the whole rule. A test cannot check the rest of it.
"""

import ast
import re
from pathlib import Path

import purembts

HERE = Path(__file__).parents[2]
PACKAGE = Path(purembts.__file__).parent
SOURCES = {
    path.relative_to(folder.parent).as_posix(): path
    for folder in (PACKAGE, HERE / "examples")
    for path in sorted(folder.rglob("*.py"))
}
PAGES = {
    path.relative_to(HERE).as_posix(): path
    for path in [
        HERE / "README.md",
        HERE / "CONTRIBUTING.md",
        HERE / "SECURITY.md",
        *sorted((HERE / "docs").glob("*.md")),
    ]
}

CODE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
DOCTEST = re.compile(r"^ *>>>.*?(\n *\n|\Z)", re.DOTALL | re.MULTILINE)
PARAGRAPH = re.compile(r"^.*\S.*\n?(^(?!\s*$| *[-*#|]| *\d+\. ).+\n?)*", re.MULTILINE)
FIRST_WORD = re.compile(r"\W*(what|how|whether|who)(ever)?\b", re.IGNORECASE)

BE = r"(is|are|was|were)"
BEGINNING = r"(^|[.:;(|] ?)"
"""The beginning of a sentence, or of a part of a sentence."""
BANNED = [
    r"\b(who|whom|what|which)ever\b",
    r"\b(nobody|neither|none such|anew)\b",
    r"\bso many\b",
    rf"\b({BE}|be|been) told\b",
    r"\bas it is\b(?! \w+(ed|en)\b)",  # but "as it is written"
    rf"\bwhat ({BE}|has|had|of|cannot|would|(it|they|there) {BE})\b(?![^.]*\?)",  # but a question
    r"\bfor what (it|they|the|a)\b",
    r"\bwhether who\b",
    r"\bha(s|ve) but (a|the|one|this|that|these|those)\b",
    r"\bno \w+ is an? \w*error\b",
    r"\blaws? of (uniform|random|the plain|the same)|\b(same|normal|gamma|binomial) laws?\b",
    # An inverted order: "Of dives the interval is nominal", but not "Of the moves, the first is".
    rf"{BEGINNING}of ((?!that|which|who|course)\w+ ){{1,6}}(it|they|the \w+) {BE}\b",
    # A riddle: "To undo a dive is to go on with the old name."
    rf"{BEGINNING}to (\w+ ){{1,5}}is to\b",
]
"""Patterns of phrases, in any case."""
BANNED_PHRASE = re.compile("|".join(BANNED), re.IGNORECASE)


def offences(text):
    """The banned phrases in `text`."""
    return [found[0].strip() for found in BANNED_PHRASE.finditer(plain(text))]


def plain(text):
    """`text` on one line, with X for inline code, and of a link only the words."""
    text = re.sub(r"`[^`]*`", "X", text)
    return " ".join(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("*", "").split())


def docstrings(source):
    """The texts in `source` that stand alone as an expression, with their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = node.value.value
            if isinstance(text, str):
                yield node.lineno, DOCTEST.sub("", text)


def paragraphs(page):
    """The paragraphs, headings, items and rows of `page` without its code, with their lines."""
    prose = CODE.sub(lambda code: "\n" * code[0].count("\n"), page)
    for found in PARAGRAPH.finditer(prose):
        yield prose.count("\n", 0, found.start()) + 1, found[0]


def test_docstrings_begin_with_the_value_and_have_no_banned_phrase():
    wrong = []
    for name, path in SOURCES.items():
        for line, text in docstrings(path.read_text("utf-8")):
            first = FIRST_WORD.match(text)
            wrong += [f"{name}:{line}: {found}" for found in offences(text)]
            wrong += [f"{name}:{line}: begins with {first[0]}"] if first else []
    assert wrong == []


def test_pages_have_no_banned_phrase():
    assert [
        f"{name}:{line}: {found}"
        for name, path in PAGES.items()
        for line, text in paragraphs(path.read_text("utf-8"))
        for found in offences(text)
    ] == []


STUMBLED = [
    "seen: games or dives won (of dives the interval is nominal)",
    "Of the moves with the highest bound the first is taken.",
    "Of the arms of a bandit it is said how often each was pulled.",
    "No play is a ValueError.",
    "options of big-two, which has but these and --seed",
    "What cannot be is said, and what would be right.",
    "How many hands it is remembered for what they can play.",
    "To undo a dive is to go on with the old name.",
    "'1' is neither u nor nothing.",
    "So whatever has it will do.",
    "Whoever takes the last coin wins.",
    "Whether who has passed may still play before the lead is given anew.",
    "The record of what is known.",
    "See what it is.",
    "Each arm so many times in turn.",
    "The generator is made in the call, and nobody else ever holds it.",
    "A function that draws is told what to draw from.",
    "The tree as it is.",
    "A number of the standard normal law.",
    "The record has the\nsame law.",
    "A [page](whoever.md) about *what\nwas* learnt.",
]
GOOD = [
    "Of the moves with the highest bound, the first is taken.",
    "Of course the move is legal.",
    "Moves (of positions that the search is given) are sequences.",
    "To win, take 2 coins. The way to win is to take 2 coins.",
    "What is the best move?",
    "The line as it is written in the article.",
    "The search learns what the best move is.",
    "It checks whether the player who has passed may still play.",
    "No play has an error of this kind.",
    "A law that holds for every game: equal positions have the same moves.",
    "The argument `whatever`, and a [page](whoever.md).",
    "It has no bound, but this one has.",
]
QUESTIONS = ["How many.", "whether it ended", "\n    What is.", "Whoever wins."]


def test_phrases_that_made_readers_stumble_are_found_and_good_english_is_not():
    assert [text for text in STUMBLED if not offences(text)] == []
    assert [text for text in GOOD if offences(text)] == []
    assert all(map(FIRST_WORD.match, QUESTIONS))
    assert not FIRST_WORD.match("The number of dives.")


def test_docstrings_and_paragraphs_are_found_without_their_code():
    source = 'x = 1\n"""One.\n\n>>> so_many\nwhatever\n\nTwo."""\ndef f():\n    """Three."""\n'
    assert [(line, plain(text)) for line, text in docstrings(source)] == [
        (2, "One. Two."),
        (9, "Three."),
    ]
    page = "# One\nTwo\nthree.\n\n- Four\n  five\n- Six\n\n```text\nwhatever\n```\n| a |\n| b |\n"
    assert [(line, plain(text)) for line, text in paragraphs(page)] == [
        (1, "# One Two three."),
        (5, "- Four five"),
        (7, "- Six"),
        (12, "| a |"),
        (13, "| b |"),
    ]
