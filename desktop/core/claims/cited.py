"""What an answer cites: its statements, and what really stands in each cited place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.errors import DocumentNotFound
from desktop.core.events import CitationEvent, NoteCitationEvent, RevisionEvent, TokenEvent
from desktop.core.retrieval.evidence import Passage
from desktop.core.retrieval.grounding import STEP, quotes_of
from desktop.core.retrieval.units import units_of_pages
from desktop.core.sentences import said
from desktop.core.structure.sentences import sentence_spans
from desktop.core.structure.units import row_with_headings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from desktop.core.events import Event, PageRegion
    from desktop.core.geometry import Box
    from desktop.core.library.library import Library
    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.units import StoredUnit
    from desktop.core.store.database import Database

_MARKS = re.compile(r"(?:\s*\[\d{1,3}\])+")
_NUMBER = re.compile(r"\d+")
_EDGE_POINTS = 1.0
_WINDOW = "window"
_PAGE = "SELECT id, label FROM pages WHERE document_id = ? AND page = ?"


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """One statement of an answer, without its marks. cited: the numbers of its citations."""

    text: str
    cited: tuple[int, ...] = ()

    @property
    def is_opening(self) -> bool:
        """Whether it only announces what follows, and claims nothing."""
        return not self.cited and self.text.rstrip().endswith(":")


@dataclass(frozen=True, slots=True)
class PageQuote:
    """A sentence, row or step as it stands on a page.

    context: title and headings above it, and a table's header. cited: whether the cited region
    has some of its words. boxes: of its words, PDF points, top-left origin; () if not known.
    page, label: where it stands if not on the cited page itself, -1 and "" if it does.
    """

    text: str
    context: str = ""
    kind: str = "paragraph"
    cited: bool = True
    boxes: tuple[Box, ...] = ()
    page: int = -1
    label: str = ""

    @property
    def told(self) -> str:
        """It as a person reads it: the cells of a row with their headings."""
        return row_with_headings(self.text, self.context) if self.kind == "row" else self.text


@dataclass(frozen=True)
class CitedPassage:
    """A cited place: the words in its region and the page around it.

    number: of the citation. quotes: of the page, in reading order; the ones of the next page
    that go on with a list of steps may follow. region: words that the boxes hold.
    """

    number: int
    quotes: tuple[PageQuote, ...]
    document: str = ""
    label: str = ""
    region: str = ""
    document_id: int = 0
    page: int = 0

    @classmethod
    def of_text(cls, number: int, text: str, document: str = "", label: str = "") -> CitedPassage:
        """Make a passage of text alone: all of it counts as cited."""
        quotes = []
        for line in text.splitlines():
            words = line.split()
            quotes += [
                PageQuote(" ".join(words[first:last]), document)
                for first, last in sentence_spans(words)
                if last > first
            ]
        return cls(number, tuple(quotes), document, label, text)

    @property
    def touched(self) -> tuple[PageQuote, ...]:
        """The quotes that the region has words of."""
        return tuple(quote for quote in self.quotes if quote.cited)

    @property
    def place(self) -> str:
        """How a person is told where it is."""
        if self.label:
            return said("page {label}", label=self.label)
        return self.document or said("passage {n}", n=self.number)


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """start: its place in the streamed text. streamed: it with its marks, as it was streamed.

    marks: the signs behind it, " [1][2]". unsupported: what was marked in it already.
    """

    start: int
    streamed: str
    marks: str
    checked: CheckedSentence
    unsupported: tuple[str, ...] = ()


def answer_sentences(events: Iterable[Event]) -> tuple[AnswerSentence, ...]:
    """Split what was streamed; withdrawn sentences are left out.

    Marks belong to the words before them, back to the line's begin.
    """
    streamed = ""
    revisions: list[RevisionEvent] = []
    for event in events:
        if isinstance(event, TokenEvent):
            streamed += event.content
        elif isinstance(event, RevisionEvent):
            revisions.append(event)
    masked = streamed
    for revision in revisions:
        if not revision.new and streamed.startswith(revision.old, revision.start):
            end = revision.start + len(revision.old)
            masked = masked[: revision.start] + " " * len(revision.old) + masked[end:]
    found: list[AnswerSentence] = []
    start = 0
    for line in masked.split("\n"):
        at = 0
        for marks in _MARKS.finditer(line):
            _add(found, start + at, line[at : marks.start()], marks.group(), revisions)
            at = marks.end()
        _add(found, start + at, line[at:], "", revisions)
        start += len(line) + 1
    return tuple(found)


def _add(
    found: list[AnswerSentence],
    start: int,
    text: str,
    marks: str,
    revisions: Iterable[RevisionEvent],
) -> None:
    said = text.strip()
    if not any(character.isalnum() for character in said):
        return
    start += len(text) - len(text.lstrip())
    cited = tuple(dict.fromkeys(int(number) for number in _NUMBER.findall(marks)))
    streamed = text.lstrip() + marks
    if not marks:
        streamed = said
    unsupported = tuple(
        value
        for each in revisions
        if each.start == start and each.new
        for value in each.unsupported
    )
    found.append(AnswerSentence(start, streamed, marks, CheckedSentence(said, cited), unsupported))


Run = list[PageQuote]


def runs_of_steps(quotes: Sequence[PageQuote]) -> list[Run]:
    """Return the numbered lists of a page, each from its step 1 on, in order."""
    runs: list[Run] = []
    for quote in quotes:
        match = STEP.match(quote.text)
        if match is None or quote.kind == _WINDOW:
            continue
        number = int(match.group(1))
        if number == 1:
            runs.append([quote])
        elif runs and number == len(runs[-1]) + 1:
            runs[-1].append(quote)
    return [run for run in runs if len(run) > 1]


class CitedPages:
    """Reads cited places of one library; blocks, callable from any thread."""

    def __init__(self, database: Database, library: Library) -> None:
        self._database = database
        self._library = library

    def passages(self, events: Iterable[Event]) -> tuple[CitedPassage, ...]:
        """Return the place of each citation among `events`, and the words of each cited note.

        What is gone from the library is left out.
        """
        found: list[CitedPassage | None] = []
        for event in events:
            if isinstance(event, CitationEvent):
                found.append(self.passage(event.number, event.source, event.quote))
            elif isinstance(event, NoteCitationEvent):
                note = event.note
                found.append(CitedPassage.of_text(event.number, event.quote, note.title))
        return tuple(passage for passage in found if passage is not None)

    def passage(self, number: int, source: PageRegion, quote: str = "") -> CitedPassage | None:
        """Return one cited place, None if its manual is gone.

        quote: what is said to stand there; it counts only where the region has its words.
        """
        words = self._words(source.document_id, source.page)
        if words is None:
            return None
        quotes = self._quotes(source.document_id, source.page, words)
        inside = _words_inside(source, words)
        touched = tuple(
            PageQuote(
                each.text,
                each.context,
                each.kind,
                bool(inside.intersection(each.indices)) or _overlaps(each, source),
                each.boxes,
            )
            for each in quotes
        )
        region = " ".join(words.texts[index] for index in sorted(inside))
        further = self._further_steps(source, touched)
        return CitedPassage(
            number,
            (*touched, *further),
            source.document,
            source.label or str(source.page + 1),
            region if words.texts else quote,
            source.document_id,
            source.page,
        )

    def _further_steps(
        self, source: PageRegion, quotes: Sequence[PageQuote]
    ) -> tuple[PageQuote, ...]:
        """Return the steps with which the next page goes on with this page's last list."""
        runs = runs_of_steps(quotes)
        last = next((q for q in reversed(quotes) if STEP.match(q.text)), None)
        if not runs or last is None or runs[-1][-1].text != last.text:
            return ()
        words = self._words(source.document_id, source.page + 1)
        if words is None:
            return ()
        label = self._label(source.document_id, source.page + 1)
        wanted = len(runs[-1]) + 1
        found: list[PageQuote] = []
        for quote in self._quotes(source.document_id, source.page + 1, words):
            match = STEP.match(quote.text)
            if match is None:
                continue
            if int(match.group(1)) != wanted:
                break
            found.append(
                PageQuote(
                    quote.text,
                    quote.context,
                    quote.kind,
                    False,
                    quote.boxes,
                    source.page + 1,
                    label,
                )
            )
            wanted += 1
        return tuple(found)

    def _quotes(self, document_id: int, page: int, words: PageWords) -> list[Quote]:
        def read(connection: apsw.Connection) -> list[StoredUnit]:
            row = connection.execute(_PAGE, (document_id, page)).fetchone()
            return units_of_pages(connection, [row[0]])[row[0]] if row else []

        units = [unit for unit in self._database.read(read) if unit.kind != _WINDOW]
        return [quote for unit in units for quote in quotes_of(_passage(unit), words)]

    def _label(self, document_id: int, page: int) -> str:
        row = self._database.read(lambda c: c.execute(_PAGE, (document_id, page)).fetchone())
        return str(row[1]) if row else str(page + 1)

    def _words(self, document_id: int, page: int) -> PageWords | None:
        try:
            return self._library.page_words(document_id, page)
        except DocumentNotFound:
            return None


def _passage(unit: StoredUnit) -> Passage:
    return Passage(unit.id, unit.kind, unit.text, unit.context, unit.boxes, unit.header_boxes, 0.0)


def _words_inside(source: PageRegion, words: PageWords) -> set[int]:
    inside = set()
    for index, (x0, y0, x1, y1) in enumerate(words.boxes):
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        if any(
            box.x0 - _EDGE_POINTS <= x <= box.x1 + _EDGE_POINTS
            and box.y0 - _EDGE_POINTS <= y <= box.y1 + _EDGE_POINTS
            for box in source.regions
        ):
            inside.add(index)
    return inside


def _overlaps(quote: Quote, source: PageRegion) -> bool:
    """Whether a quote without words of its own (a drawing) lies in the region."""
    return not quote.indices and any(
        box.overlap_share(region) > 0 for box in quote.boxes for region in source.regions
    )
