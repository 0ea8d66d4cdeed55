"""What the reader observes about a question and a unit that may answer it: named numbers.

Nothing here knows a word of any language. Similarity comes from the token vectors of
the text model (late interaction: Khattab and Zaharia, SIGIR 2020), separately for the
unit's own words and its headings; the rest is how rare the shared words are, the unit's
shape and its place.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from desktop.core.question.query import codes_of, is_sibling
from desktop.core.question.tokens import index_term_set
from desktop.core.reader.units import LIST, PASSAGE
from desktop.core.structure.signs import CELL_SEPARATOR, CONTEXT_SEPARATOR
from desktop.core.structure.units import column_headings, without_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.question.query import Question
    from desktop.core.reader.quotes import Quote

Floats = NDArray[np.float32]

KINDS: Final = ("paragraph", "row", "item", LIST, PASSAGE, "heading", "caption", "label")
OBSERVATIONS: Final = (
    "late",  # mean over the question's tokens of the nearest token of unit and headings
    "late_hardest",  # the same over the third of the question's tokens that is met worst
    "late_own",  # the same as `late`, by the unit's own words alone
    "late_heading",  # by its headings alone
    "lacks_most",  # of one token of the question, how much nearer another unit comes to it
    "lacks",  # the same, mean over the question's tokens
    "about",  # mean over the unit's own tokens of the nearest token of the question
    "late_below_best",  # `late` less that of the best unit of all pages
    "own_below_best",
    "late_of_page",  # `late` of the best other unit of the page
    "cosine",  # of whole vectors
    "cosine_below_best",
    "window",  # cosine of the window of text that the unit is in
    "window_below_best",
    "words",  # weighted share of the question's words in the unit
    "words_heading",  # more of them in its headings
    "words_beside",  # more of them in the units before and after
    "words_page",  # more of them on the page
    "words_below_best",
    "words_absent",  # weighted share of the question's words that stand on none of the pages
    "codes",  # share of the question's words with digits that unit or headings have
    "has_codes",  # the question has such words
    "new",  # words that the question does not have, up to 12, as a share
    "page",  # score of the page in the first stage, less that of the best page
    "page_place",  # 1 / place of the page
    "number",  # it has a number
    "question_mark",
    "colon",  # it ends with a colon: something follows
    "length",  # logarithm of its words
    "asked_length",  # logarithm of the question's words
    "height",  # its place on the page, 0 at the top
    *KINDS,
)
_AT: Final = {name: place for place, name in enumerate(OBSERVATIONS)}
MOST_CHARACTERS: Final = 600
"""As much of a unit is read by the text model."""

_MINUS = "-–−"
_NEW_WORDS = 12


@dataclass(frozen=True, slots=True)
class UnitOnPage:
    """A unit with its position in the ranking of the first stage.

    page: which of the pages, 0 for the best. page_score: of the first stage.
    window: cosine of its window, not a number while that has no vector. height: 0
    to 1.
    """

    unit: Quote
    page: int
    page_score: float
    window: float
    height: float
    page_words: float


def heading_of(unit: Quote) -> str:
    """Return the headings above a unit: its sections and column headings, without the title."""
    return without_title(unit.context).replace(CONTEXT_SEPARATOR, ": ")


def read_text(unit: Quote) -> tuple[str, int]:
    """Return what the text model reads of a unit, and how many characters of it are headings."""
    heading = heading_of(unit)[-MOST_CHARACTERS // 2 :]
    before = f"{heading}: " if heading else ""
    return (before + unit.text)[:MOST_CHARACTERS], len(before)


def _terms(unit: Quote, above_zero: bool) -> frozenset[str]:
    """Return the terms of a unit.

    above_zero: 20 is not found in a cell with "- 20". Elsewhere a dash may open a list item.
    """
    text = unit.text
    if above_zero and unit.kind == "row":
        text = CELL_SEPARATOR.join(map(_signed, text.split(CELL_SEPARATOR)))
    return index_term_set(text)


def _signed(cell: str) -> str:
    number = cell[1:].lstrip()
    return f"minus{number}" if cell[:1] in _MINUS and number[:1].isdigit() else cell


def observe_words(
    question: Question, weights: Sequence[Sequence[float]], units: Sequence[UnitOnPage]
) -> Floats:
    """Return the observations that need no text model, shape (len(units), len(OBSERVATIONS)).

    weights: of the question's term groups, for each unit: those of its manual.
    """
    found = np.zeros((len(units), len(OBSERVATIONS)), np.float32)
    if not units:
        return found
    groups = question.groups
    above_zero = not any(word[0] in _MINUS for word in question.wording.split())
    own = np.array([_has(groups, _terms(u.unit, above_zero)) for u in units], np.float32)
    above = np.array([_has(groups, index_term_set(u.unit.context)) for u in units], np.float32)
    own, above = own.reshape(len(units), -1), above.reshape(len(units), -1)
    other_sign = of_other_sign(question, units)
    own[other_sign] = above[other_sign] = 0.0
    shares = np.array(weights, np.float32).reshape(len(units), -1)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-6)
    pages = np.array([u.page for u in units])
    beside = np.zeros_like(own)
    beside[1:] = np.maximum(beside[1:], own[:-1] * (pages[1:] == pages[:-1])[:, None])
    beside[:-1] = np.maximum(beside[:-1], own[1:] * (pages[1:] == pages[:-1])[:, None])
    missing = 1 - own

    def put(name: str, values: Floats | float) -> None:
        found[:, _AT[name]] = values

    said = (shares * own).sum(axis=1)
    headed = (shares * above * missing).sum(axis=1)
    put("words", said)
    put("words_heading", headed)
    put("words_beside", (shares * beside * missing * (1 - above)).sum(axis=1))
    put("words_page", np.array([u.page_words for u in units]) - said)
    put("words_below_best", said + 0.5 * headed - (said + 0.5 * headed).max())
    put("words_absent", (shares * (np.maximum(own, above).max(axis=0) == 0)).sum(axis=1))
    codes = np.array([any(c.isdigit() for c in group[0]) for group in groups], bool)
    if codes.any():
        put("codes", np.maximum(own, above)[:, codes].mean(axis=1, dtype=np.float32))
        put("has_codes", 1.0)
    best = max(u.page_score for u in units)
    asked = {term for group in groups for term in group}
    for row, each in zip(found, units, strict=True):
        text = each.unit.text
        row[_AT["new"]] = min(_NEW_WORDS, len(index_term_set(text) - asked)) / _NEW_WORDS
        row[_AT["page"]] = each.page_score - best
        row[_AT["page_place"]] = 1 / (1 + each.page)
        row[_AT["window"]] = each.window
        row[_AT["number"]] = any(map(str.isdecimal, text))
        row[_AT["question_mark"]] = "?" in text
        row[_AT["colon"]] = text.rstrip().endswith(":")
        row[_AT["length"]] = math.log1p(len(text.split())) / 4
        row[_AT["height"]] = each.height
        if each.unit.kind in _AT:
            row[_AT[each.unit.kind]] = 1.0
    put("asked_length", math.log1p(len(question.text.split())) / 4)
    windows = found[:, _AT["window"]]
    unread = np.isnan(windows)
    if unread.any() and not unread.all():  # its text may be as near as it has the question's words
        least, most = np.nanmin(windows), np.nanmax(windows)
        share = (said + headed)[unread] / max((said + headed).max(), 1e-6)
        windows[unread] = least + share * (most - least)
    put("window_below_best", windows - windows.max())
    return found


_LETTER_AND_NUMBER = re.compile(r"(?<!\w)([^\W\d_])([-–−]?)([1-9]\d*)(?!\w)")
"""A quantity with its value, as heat pumps are rated at: "A7", "A-7". "E-05" is a code."""


def of_other_sign(question: Question, units: Sequence[UnitOnPage]) -> NDArray[np.bool_]:
    """Return which units, or their headings, have "A-7" alone where the question has "A7".

    Or the other way round; none where no unit is spelled as the question is.
    Returns: shape (units, term groups of the question).
    """
    found = np.zeros((len(units), len(question.groups)), bool)
    asked = {letter + number: bool(sign) for letter, sign, number in _spelled(question.wording)}
    for place, group in enumerate(question.groups):
        code = next((term for term in group if term in asked), None)
        if code is None:
            continue
        signs = [
            {
                bool(sign)
                for letter, sign, number in _spelled(f"{each.unit.text}\n{each.unit.context}")
                if letter + number == code
            }
            for each in units
        ]
        if any(asked[code] in told for told in signs):
            found[:, place] = [bool(told) and asked[code] not in told for told in signs]
    return found


def of_sibling(question: Question, units: Sequence[UnitOnPage]) -> NDArray[np.bool_]:
    """Return which rows have a sibling of an asked code among their headings, and not the code.

    "BLN-018 TC3" for "BLN-018TC1"; none where no row has the code itself. Shape (units,).
    """
    found = np.zeros(len(units), bool)
    asked = [_squashed(code) for code in codes_of(question.text)]
    headings = [_codes_of_headings(each.unit) for each in units] if asked else []
    for code in asked:
        if any(code in codes for codes in headings):
            found |= [
                code not in codes and any(is_sibling(code, each) for each in codes)
                for codes in headings
            ]
    return found


def _codes_of_headings(unit: Quote) -> frozenset[str]:
    if unit.kind != "row":
        return frozenset()
    return frozenset(map(_squashed, column_headings(unit.context)))


def _squashed(text: str) -> str:
    return "".join(text.casefold().split())


def _spelled(text: str) -> list[tuple[str, str, str]]:
    return _LETTER_AND_NUMBER.findall(text.casefold())


def observe_vectors(
    found: Floats,
    asked: Floats,
    units: Sequence[tuple[Floats, NDArray[np.bool_]]],
    pages: Sequence[int],
) -> Floats:
    """Fill in what the token vectors tell, for the rows that the text model read.

    found: rows of observations, changed in place. asked: tokens of the question, shape
    (n, dimension), rows of unit length. units: for each row the tokens of headings and
    unit, and which are the unit's own. pages: of each row.

    Returns: how near each unit comes to each token of the question, shape (rows, n).
    """
    met_by = np.zeros((len(found), len(asked)), np.float32)
    if not met_by.size:
        return met_by
    hardest = max(1, len(asked) // 3)
    whole = _mean_direction(asked)
    for row, met, (tokens, is_own) in zip(found, met_by, units, strict=True):
        if not len(tokens):
            continue
        near = asked @ tokens.T
        met[:] = near.max(axis=1)
        row[_AT["late"]] = met.mean()
        row[_AT["late_hardest"]] = np.sort(met)[:hardest].mean()
        if is_own.any():
            row[_AT["late_own"]] = near[:, is_own].max(axis=1).mean()
            row[_AT["about"]] = near[:, is_own].max(axis=0).mean()
        if not is_own.all():
            row[_AT["late_heading"]] = near[:, ~is_own].max(axis=1).mean()
        row[_AT["cosine"]] = float(whole @ _mean_direction(tokens))
    lacking = met_by.max(axis=0) - met_by
    found[:, _AT["lacks_most"]] = lacking.max(axis=1)
    found[:, _AT["lacks"]] = lacking.mean(axis=1)
    for name, below in (
        ("late", "late_below_best"),
        ("late_own", "own_below_best"),
        ("cosine", "cosine_below_best"),
    ):
        found[:, _AT[below]] = found[:, _AT[name]] - found[:, _AT[name]].max()
    late = found[:, _AT["late"]]
    of_page = np.array(pages)
    for page in set(pages):
        members = np.flatnonzero(of_page == page)
        best = np.sort(late[members])[::-1]
        other = best[1] if len(best) > 1 else 0.0
        found[members, _AT["late_of_page"]] = np.where(late[members] == best[0], other, best[0])
    return met_by


def _mean_direction(tokens: Floats) -> Floats:
    mean: Floats = tokens.mean(axis=0)
    mean /= max(float(np.linalg.norm(mean)), 1e-9)
    return mean


def _has(groups: Sequence[tuple[str, ...]], terms: frozenset[str]) -> list[bool]:
    return [not terms.isdisjoint(group) for group in groups]
