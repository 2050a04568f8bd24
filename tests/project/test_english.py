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
    for folder in (PACKAGE, HERE / "docs", HERE / "examples")
    for path in sorted(folder.rglob("*.py"))
}
PAGES = {
    path.relative_to(HERE).as_posix(): path
    for path in sorted([*HERE.glob("*.md"), *(HERE / "docs").glob("*.md")])
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


def test_a_phrase_and_a_first_word_are_found_in_a_docstring():
    [(line, text)] = docstrings('x = 1\n"""How it was\ntold.\n\n>>> whatever\n"""\n')
    assert (line, offences(text)) == (2, ["was told"])
    assert FIRST_WORD.match(text)


def test_a_phrase_is_found_in_a_page():
    page = "# One\n\n- Two\n- Whoever\n  [wins](so_many.md).\n\n```text\nwhatever\n```\n"
    found = [(line, offences(text)) for line, text in paragraphs(page)]
    assert found == [(1, []), (3, []), (4, ["Whoever"])]
