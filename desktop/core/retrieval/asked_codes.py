"""Codes that a question names, and whether any manual of the library names them.

A person who asks for error E25 is not helped by what is said of E24. So what looks like a
code of the equipment ("E25", "X5:9", "Menu 46", "register 40033", "72-1040") is looked up:
as it stands, as a cell of a table about such things, and inside ranges ("E20 to E29").
Names ("NPSH", "mqtt", "Bluetooth") are looked up as they stand; a manual may say them otherwise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.page_words import PageWords
from desktop.core.retrieval.lexical import match_any
from desktop.core.retrieval.tokens import UNITS, asked_language, query_terms
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import column_headings

if TYPE_CHECKING:
    from collections.abc import Iterator

    import apsw

_CODE = re.compile(
    r"(?<![\w.:/-])(?:[a-z]{1,5}-?\d{1,5}[a-z]?(?::\d{1,3})?"  # E25, S-140, X5:9
    r"|\d{2,}-\d{3,}(?:-\d+)*|\d{1,3}(?:-\d{1,3}){2,}"  # 72-1040, 0-30-0
    r"|[a-z]+\d*(?:_[a-z0-9]+)+)(?![\w:/-]|\.\d)",  # CFG_RATE
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(men[uü]|register|error|fault|fehler|alarm|pin|terminal|klemme|relay|relais|channel|kanal"
    r"|zone|bit|port|table|tabelle|figure|abbildung|section|abschnitt|chapter|kapitel|parameter"
    r"|jumper|led)"
    r"(?:\s+(?:no\.?|nr\.?|number|code))?\s+(\d{1,5})(?![\w.,:/-]*\w)",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"(?<![\w.:/-])[A-ZÄÖÜ]{3,6}(?![\w:/-]|\.\w)")
# What no word of English or German is written without: a vowel.
_ABBREVIATION = re.compile(r"(?<![\w.:/'’-])[bcdfghjklmnpqrstvwxz]{3,6}(?![\w:/'’-]|\.\w)")
_NO_NAMES = UNITS | {"pls", "plz", "thx", "btw", "nth", "hrs"}
# A word inside an English sentence is a name if it is written as one.
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][A-Za-z]*[a-z](?![\w:/'’-]|\.\w)")
_KNOWN_NAMES = frozenset(
    "english german french italian spanish dutch polish european american chinese january february"
    " march april may june july august september october november december monday tuesday wednesday"
    " thursday friday saturday sunday celsius fahrenheit kelvin".split()
)
# "On P-200, how ..." and "for unit A7" say where the person is, not what is asked for.
_WHERE = re.compile(
    r"^\W*(?:on|at|for|in|with|bei|an|für)\s+(?:the\s+)?[\w:-]+,"
    r"|\b(?:site|asset|unit|plant|station|machine|anlage|standort)\s+[\w:-]+",
    re.IGNORECASE,
)
_TO = r"\s*(?:to|-|–|bis|\.{2,3}|…)\s*"
# Pages and units that are read for one code.
_MOST_LOOKED_AT = 300


def asked_codes(question: str) -> tuple[str, ...]:
    """Return the codes that a question names, as it writes them, no repeats."""
    plain = _WHERE.sub(" ", question)
    codes = [match.group() for match in _CODE.finditer(plain)]
    numbered = [f"{match.group(1)} {match.group(2)}" for match in _NUMBERED.finditer(plain)]
    return tuple(dict.fromkeys([*codes, *numbered]))


def asked_names(question: str) -> tuple[str, ...]:
    """Return the abbreviations and names of a question, no repeats.

    Words in capitals, but not of a question in capitals; words without a vowel; in English, words
    written with a capital within the sentence.
    """
    names = [] if question.isupper() else _CAPITALS.findall(question)
    names += [word for word in _ABBREVIATION.findall(question) if word not in _NO_NAMES]
    if asked_language(question) == "en":
        names += [name for name in _NAME.findall(question) if not _is_known(name)]
    return tuple(dict.fromkeys(names))


def _is_known(name: str) -> bool:
    """Whether it is a word that everybody writes so: "French", "Fridays"."""
    word = name.casefold()
    return not _KNOWN_NAMES.isdisjoint((word, word.removesuffix("s")))


def unnamed_codes(connection: apsw.Connection, question: str) -> tuple[str, ...]:
    """Return the codes and names of a question that no manual of the library has.

    Costs a look into the full-text index for each; pages are read only for ranges and cells.
    """
    asked = (*asked_codes(question), *asked_names(question))
    return tuple(code for code in asked if not _named(connection, code))


def _named(connection: apsw.Connection, code: str) -> bool:
    if " " in code:
        word, _, number = code.rpartition(" ")
        return _numbered_named(connection, word, number)
    if ":" in code:
        name, _, number = code.partition(":")
        return _position_named(connection, name, number)
    groups = query_terms(code)
    if not groups:
        return True
    # "x_cfg" of "x_cfg.h" is indexed with its ending
    match = match_any(groups) + ("*" if "_" in code else "")
    known = connection.execute(
        "SELECT 1 FROM pages_fts WHERE pages_fts MATCH ? LIMIT 1", (match,)
    ).fetchone()
    return known is not None or _in_range(connection, code)


def _in_range(connection: apsw.Connection, code: str) -> bool:
    """Whether a page gives a range of the series that the code is in: "E20 to E29"."""
    match = re.fullmatch(r"([A-Za-z]+)-?(\d+)", code)
    if match is None:
        return False
    letters, number = match.groups()
    span = re.compile(rf"\b{letters}-?(\d+){_TO}(?:{letters}-?)?(\d+)\b", re.IGNORECASE)
    near = f'"{letters.lower()}{number[0]}"*' if len(number) > 1 else f'"{letters.lower()}"*'
    return any(_holds(span, text, int(number)) for text in _page_texts(connection, near))


def _position_named(connection: apsw.Connection, name: str, number: str) -> bool:
    """Whether "X5:9" stands somewhere, in a range, or as row 9 of a table about X5."""
    terms = [f"({match_any(query_terms(part))})" for part in (name, number)]
    written = re.compile(rf"(?<![^\W_]){name}\s?[:./-]\s?{number}(?!\d)", re.IGNORECASE)
    span = re.compile(
        rf"\b{name}\s?:(\d+)(?:{_TO}|\s*(?:and|und|,)\s*)(?:{name}:)?(\d+)", re.IGNORECASE
    )
    for text in _page_texts(connection, f"{match_any(query_terms(name))}"):
        if written.search(text) or _holds(span, text, int(number)):
            return True
    about = re.compile(rf"\b{name}\b", re.IGNORECASE)
    cell = re.compile(rf"\W*{number}(?!\d)")
    return any(
        kind == "row" and about.search(context) and cell.match(text)
        for kind, text, context in _units(connection, " AND ".join(terms))
    )


def _numbered_named(connection: apsw.Connection, word: str, number: str) -> bool:
    """Whether "Menu 46" stands somewhere, in a list or range, or as a cell under "Menu"."""
    written = re.compile(
        rf"\b{word}\w{{0,3}}\W*(?:no|nr|number|code)?\W{{0,3}}{number}\b", re.IGNORECASE
    )
    span = re.compile(
        rf"\b{word}\w{{0,3}}\W{{0,3}}(\d+){_TO}(?:{word}\w{{0,3}}\s*)?(\d+)", re.IGNORECASE
    )
    listed = re.compile(
        rf"\b{word}\w{{0,3}}\W{{0,3}}((?:\d+\s*(?:,|and|und|or|oder|&|/)\s*)+\d+)", re.IGNORECASE
    )
    for text in _page_texts(connection, match_any(query_terms(word))):
        if written.search(text) or _holds(span, text, int(number)):
            return True
        if any(number in re.findall(r"\d+", numbers) for numbers in listed.findall(text)):
            return True
    both = f"({match_any(query_terms(word))}) AND ({match_any(query_terms(number))})"
    return any(
        _cell_under(word, number, text, context)
        for kind, text, context in _units(connection, both)
        if kind in ("row", "item", "paragraph")
    )


def _cell_under(word: str, number: str, text: str, context: str) -> bool:
    """Whether a cell, or a line, opens with the number under a heading that has the word."""
    cells = text.split(CELL_SEPARATOR)
    headings = column_headings(context)
    opens = re.compile(rf"\W*{number}(?![\w.,]*\d)")
    heads = re.compile(rf"\b{word}", re.IGNORECASE)
    if len(cells) != len(headings):
        return bool(heads.search(context) and any(opens.match(cell) for cell in cells))
    return any(
        heads.search(heading) and opens.match(cell)
        for heading, cell in zip(headings, cells, strict=True)
    )


def _holds(span: re.Pattern[str], text: str, number: int) -> bool:
    return any(int(first) <= number <= int(last) for first, last in span.findall(text))


def _page_texts(connection: apsw.Connection, match: str) -> Iterator[str]:
    rows = connection.execute(
        "SELECT words FROM page_words WHERE page_id IN"
        " (SELECT rowid FROM pages_fts WHERE pages_fts MATCH ? LIMIT ?)",
        (match, _MOST_LOOKED_AT),
    ).fetchall()
    for (data,) in rows:
        assert isinstance(data, bytes)
        yield " ".join(PageWords.from_bytes(data).texts)


def _units(connection: apsw.Connection, match: str) -> list[tuple[str, str, str]]:
    rows = connection.execute(
        "SELECT kind, text, context FROM units WHERE id IN"
        " (SELECT rowid FROM units_fts WHERE units_fts MATCH ? LIMIT ?)",
        (match, _MOST_LOOKED_AT),
    )
    return [(str(kind), str(text), str(context)) for kind, text, context in rows]
