"""Questions that a manual answers, made from its own tables and procedures.

A row of a table says what can be asked of it: the heading of a column, and the name of the row. A
procedure is asked for by the heading above its steps. Each question is put to the reader, as a
person's would be, and offered only if the words that it was made from are what the reader answers
it with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, islice, zip_longest
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal, get_args

from desktop.core.answering.ambiguity import ambiguity_of
from desktop.core.events import LIKELY
from desktop.core.quantities import quantities_in
from desktop.core.question.query import Query
from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.reader.steps import opening_number
from desktop.core.structure.signs import CELL_SEPARATOR, CONTEXT_SEPARATOR
from desktop.core.structure.units import without_title

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from desktop.core.events import PageRegion
    from desktop.core.library.library import Library
    from desktop.core.reader.evidence import Evidence
    from desktop.core.store.database import Database

SUGGESTED: Final = 3
PHRASES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "value": "What is the {heading} for {name}?",
        "quantity": "What is the {name}?",
        "steps": "{name}: what are the steps?",
    },
    "de": {
        "value": "Was gibt das Handbuch als {heading} für {name} an?",
        "quantity": "Was gibt das Handbuch für „{name}“ an?",
        "steps": "{name}: Welche Schritte sind nötig?",
    },
    "es": {"steps": "{name}: ¿cuáles son los pasos?"},
    "fr": {"steps": "{name} : quelles sont les étapes ?"},
    "it": {"steps": "{name}: quali sono i passaggi?"},
    "nl": {"steps": "{name}: wat zijn de stappen?"},
    "pl": {"steps": "{name}: jakie są kroki?"},
    "pt": {"steps": "{name}: quais são os passos?"},
}
"""By the language of the manual, which is that of its answers; what it lacks here is not asked."""
_ENGLISH: Final = "en"
_MOST_TRIED: Final = 16
"""Each is a search and a reading: some hundred milliseconds beside the questions of people."""
_PAGES_AROUND: Final = 2
"""What stands further from an answer is rarely of its subject."""
_FROM_A_PAGE: Final = 2
_LONGEST_NAME, _LONGEST_HEADING, _LONGEST_TITLE = 42, 24, 60  # letters
_LONGEST_VALUE: Final = 24
"""Letters: a longer cell with an amount is a sentence, and its row no quantity."""
_THE_SAME: Final = 0.6
"""A question with this share of its words in the one before has just been asked."""
_FEWEST_STEPS: Final = 2
_FEWEST_WORDS, _MOST_WORDS = 2, 8
"""One word alone, such as "Overview" or "Weight", asks for nothing."""
_MOST_OF_QUANTITY: Final = 4
"""Words: a longer name of a row is a sentence."""
_UNITS = (
    "SELECT kind, text, context FROM units WHERE document_id = ? AND page = ?"
    " AND kind IN ('row', 'item', 'paragraph') ORDER BY id"
)

Kind = Literal["named", "steps", "quantity"]
"""named: a cell of a table whose caption names the column. quantity: the only one of its row."""


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    """A question in the language of its manual; page, zero-based, is where the answer stands."""

    document_id: int
    text: str
    page: int


@dataclass(frozen=True, slots=True)
class _Candidate:
    """kind: what it was made from. proof: words that the best unit has, or is part of."""

    kind: Kind
    text: str
    page: int
    proof: str


class QuestionSuggester:
    """Makes questions and has them answered; blocking, on any thread."""

    def __init__(
        self, database: Database, library: Library, search: Callable[[Query], list[Evidence]]
    ) -> None:
        """search: returns pages, best first, giving way to the questions of people; blocks."""
        self._database = database
        self._library = library
        self._search = search
        self._turn = Lock()

    def after_answer(
        self,
        cited: Sequence[PageRegion],
        asked: str,
        cancelled: Callable[[], bool],
        most: int = SUGGESTED,
    ) -> Iterator[SuggestedQuestion]:
        """Yield what else the cited manual answers, near the cited page.

        asked: the question that was answered; what says much the same is not offered.

        Raises: LibraryError, ModelError; Cancelled, if nobody waits for it any more.
        """
        if not cited:
            return
        first = cited[0]
        around = range(max(0, first.page - _PAGES_AROUND), first.page + _PAGES_AROUND + 1)
        pages = sorted(around, key=lambda page: (abs(page - first.page), -page))
        yield from self._answered(first.document_id, pages, asked, cancelled, most)

    def to_begin_with(
        self, document_ids: Iterable[int], cancelled: Callable[[], bool], most: int = SUGGESTED
    ) -> Iterator[SuggestedQuestion]:
        """Yield what manuals that have not been asked yet answer, from each manual in turn.

        Raises: LibraryError, ModelError; Cancelled, if nobody waits for it any more.
        """
        told: set[str] = set()
        ids = list(document_ids)[:most]
        for document_id in ids:
            share = -(-(most - len(told)) // (len(ids) - ids.index(document_id)))
            count = self._library.document(document_id).page_count
            pages = [*range(count // 3, count), *range(count // 3)]
            for each in self._answered(document_id, pages, "", cancelled, share):
                if each.text not in told:
                    told.add(each.text)
                    yield each

    def _answered(
        self,
        document_id: int,
        pages: Iterable[int],
        asked: str,
        cancelled: Callable[[], bool],
        most: int,
    ) -> Iterator[SuggestedQuestion]:
        """Yield the questions that the reader answers."""
        found = tried = 0
        known = index_term_set(asked)
        for each in self._candidates(document_id, pages):
            if found == most or tried == _MOST_TRIED:
                return
            groups = query_terms(each.text)
            same = sum(not known.isdisjoint(group) for group in groups)
            if same >= _THE_SAME * len(groups):
                continue
            tried += 1
            page = self._answered_on(each, document_id, cancelled)
            if page is not None:
                found += 1
                yield SuggestedQuestion(document_id, each.text, page)

    def _answered_on(
        self, candidate: _Candidate, document_id: int, cancelled: Callable[[], bool]
    ) -> int | None:
        """Return the page whose words the question was made from, if the reader answers with them.

        They are known to be right, so likely is enough.
        """
        query = Query(candidate.text, frozenset({document_id}), cancelled=cancelled)
        with self._turn:  # each works the machine; together they would be in people's way
            pages = self._search(query)
        if not pages or not pages[0].units or pages[0].unnamed or pages[0].chance < LIKELY:
            return None
        best = pages[0].units[0].unit
        if candidate.proof not in best.text and best.text not in candidate.proof:
            return None
        which = ambiguity_of(candidate.text, pages, self._library.documents())
        return pages[0].page if which is None else None

    def _candidates(self, document_id: int, pages: Iterable[int]) -> Iterator[_Candidate]:
        """Yield what can be asked on pages, kind by kind, in the order of the pages."""
        language = self._library.language(document_id)
        shelves: dict[Kind, list[_Candidate]] = {kind: [] for kind in get_args(Kind)}
        for page in pages:
            for each in self._of_page(document_id, page, language):
                shelves[each.kind].append(each)
            if sum(map(len, shelves.values())) >= 4 * _MOST_TRIED:
                break
        rows = _few_of_page(shelves["named"]), _few_of_page(shelves["quantity"])
        mixed = zip_longest(rows[0], shelves["steps"], rows[1])
        told: set[str] = set()
        for each in (each for kinds in mixed for each in kinds if each is not None):
            if each.text not in told:
                told.add(each.text)
                yield each

    def _of_page(self, document_id: int, page: int, language: str) -> Iterator[_Candidate]:
        found = self._database.rows(_UNITS, (document_id, page))
        for context, members in groupby(found, key=lambda row: row[2]):
            units = list(members)
            rows = [text for kind, text, _ in units if kind == "row"]
            steps = _steps(units)
            parts = [part for part in without_title(context).split(CONTEXT_SEPARATOR) if part]
            phrases = PHRASES.get(language, {})
            if "value" in phrases:
                yield from _of_rows(rows, parts, page, language)
            title = _title(parts)
            if "steps" in phrases and len(steps) >= _FEWEST_STEPS and _asks(title):
                yield _Candidate("steps", phrases["steps"].format(name=title), page, steps[0])


def _steps(units: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return the numbered texts; in a list, a bare number counts if it is the next one.

    None where a row has the next number: they are rows of a table, such as the pins of a plug.
    """
    steps: list[str] = []
    last = 0
    for kind, text, _ in units:
        found = opening_number(kind, text)
        if found is None:
            continue
        number, mark = found
        if kind == "row":
            if steps and number == last + 1:
                return []
            continue
        if mark.endswith((".", ")")) or (kind == "item" and number == last + 1):
            steps.append(text)
            last = number
    return steps


def _of_rows(
    rows: Sequence[str], parts: Sequence[str], page: int, language: str
) -> Iterator[_Candidate]:
    """Yield what can be asked of the rows of one table."""
    headings = parts[-1].split(CELL_SEPARATOR) if parts else []
    if len(headings) < 2:
        headings = ["", ""]  # a list of values: a name, and what it is
    subject = index_term_set(" ".join(parts[:-1]))
    for row in rows:
        cells = row.split(CELL_SEPARATOR)
        cells[0] = cells[0].rstrip(": ")
        if len(cells) != len(headings) or not _is_name(cells[0], _LONGEST_NAME):
            continue
        measured = [
            at
            for at, cell in enumerate(cells)
            if at and len(cell) <= _LONGEST_VALUE and any(q.unit for q in quantities_in(cell))
        ]
        named = [at for at in measured if _names(headings[at], subject)]
        for at in named:
            text = _worded("value", language, heading=headings[at], name=cells[0])
            yield _Candidate("named", text, page, row)
        if len(measured) == 1 and not named and _asks(cells[0], _MOST_OF_QUANTITY):
            yield _Candidate("quantity", _worded("quantity", language, name=cells[0]), page, row)


def _title(parts: Sequence[str]) -> str:
    """Return the heading above, without its number; "" if there is none that names anything."""
    title = next((part for part in reversed(parts) if not part.rstrip().endswith(":")), "")
    title = " ".join(re.sub(r"^(?:[A-Z]?\d+(?:[.\-]\d+)*\.?|[A-Z]\.)\s+", "", title).split())
    return title if _is_name(title, _LONGEST_TITLE) else ""


def _worded(phrase: str, language: str, **values: str) -> str:
    """Return a question in the language of the manual."""
    if language == _ENGLISH:  # as they stand in the middle of a sentence: "PE stud" stays
        values = {name: t.lower() if t[1:].islower() else t for name, t in values.items()}
    return PHRASES[language][phrase].format(**values)


def _asks(name: str, most: int = _MOST_WORDS) -> bool:
    """Whether a name asks for something: several words, without numbers, signs and letters."""
    words = name.split()
    several = _FEWEST_WORDS <= len(words) <= most and min(map(len, words)) > 1
    return several and name[0].isalpha() and all(c.isalpha() or c in " -,()" for c in name)


def _is_name(text: str, longest: int) -> bool:
    """Whether words can name something in a question."""
    return len(text) <= longest and any(map(str.isalpha, text))


def _names(heading: str, subject: Collection[str]) -> bool:
    """Whether the caption of a table has the words of the heading of a column."""
    terms = index_term_set(heading)
    return bool(terms) and _is_name(heading, _LONGEST_HEADING) and terms <= set(subject)


def _few_of_page(found: Iterable[_Candidate]) -> Iterator[_Candidate]:
    """Yield a few from each page: the rows of one table are asked for in the same words."""
    for _, members in groupby(found, key=lambda each: each.page):
        yield from islice(members, _FROM_A_PAGE)
