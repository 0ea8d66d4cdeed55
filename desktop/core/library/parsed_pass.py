"""The passes that read pages with the parser: their text first, then their layout."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np

from desktop.core.errors import DocumentError, ParserLimit
from desktop.core.library.contents import language_of
from desktop.core.library.documents import (
    fallback_label,
    label_from_pdf,
    refresh_counts,
    require_document,
)
from desktop.core.library.values import IngestionEvent, PageFailed, PassName, WantedRead
from desktop.core.library.work import (
    Batches,
    PassMeter,
    WantedPages,
    is_done,
    mark_passes,
    move_on,
    pages_over,
    start_parsing,
    stop_parsing,
)
from desktop.core.page_words import PageWords
from desktop.core.parsing.parser import UNKNOWN_SIZE
from desktop.core.question.languages import SEVERAL, language_in, page_language
from desktop.core.question.tokens import index_terms
from desktop.core.store.postings import forget, index_pages, index_units
from desktop.core.store.unit_vectors import note_vectors_gone
from desktop.core.structure.values import PageLayout, PageText
from desktop.sentences import from_text, message, said, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import apsw

    from desktop.core.library.work import DocumentWork
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings.sections import IngestionSettings
    from desktop.core.store.database import Database
    from desktop.core.structure.values import BoxTuple


def page_ids(connection: apsw.Connection, document_id: int) -> dict[int, int]:
    """Return the row id of every page of a document that has one."""
    rows = connection.execute("SELECT page, id FROM pages WHERE document_id = ?", (document_id,))
    return {page: row_id for page, row_id in rows}


def put_page_texts(
    connection: apsw.Connection, work: DocumentWork, texts: Sequence[PageText]
) -> dict[int, int]:
    """Store pages with their words and index them; return their row ids by page."""
    words = [PageWords.from_bytes(t.words) if t.words else PageWords.empty() for t in texts]
    languages = [page_language(found.text) for found in words]
    language = _language(connection, work, [found.text for found in words], languages)
    ids = _make_pages(connection, work, texts)
    rows = [ids[text.page] for text in texts]
    _put_languages(connection, rows, languages)
    connection.executemany(
        "INSERT OR REPLACE INTO page_words(page_id, words) VALUES(?, ?)",
        [
            (row, text.words or found.to_bytes())
            for row, text, found in zip(rows, texts, words, strict=True)
        ],
    )
    terms = [index_terms(found.text, language) for found in words]
    index_pages(connection, work.id, zip(rows, terms, strict=True))
    return ids


Terms: TypeAlias = "tuple[list[tuple[int, str]], list[tuple[int, str, str]]]"


def terms_of(connection: apsw.Connection, document_id: int) -> Terms:
    """Return what the text index holds of a manual: of each page, and of each unit."""
    language = language_of(connection, document_id) or "en"
    pages: Any = connection.execute(
        "SELECT page_id, words FROM page_words JOIN pages ON pages.id = page_id"
        " WHERE document_id = ? ORDER BY page_id",
        (document_id,),
    )
    units: Any = connection.execute(
        "SELECT id, text, context FROM units WHERE document_id = ? ORDER BY id", (document_id,)
    )
    return (
        [(id_, index_terms(PageWords.from_bytes(words).text, language)) for id_, words in pages],
        [
            (id_, index_terms(text, language), index_terms(context, language))
            for id_, text, context in units
        ],
    )


def put_layout(
    connection: apsw.Connection, work: DocumentWork, page_id: int, layout: PageLayout
) -> None:
    """Replace a page's blocks and units, and its words if others were read."""
    language = language_of(connection, work.id) or "en"
    clear_layout(connection, page_id)
    if layout.words:
        words = PageWords.from_bytes(layout.words)
        connection.execute(
            "INSERT OR REPLACE INTO page_words(page_id, words) VALUES(?, ?)",
            (page_id, layout.words),
        )
        told = page_language(words.text)
        language = _language(connection, work, [words.text], [told])
        _put_languages(connection, [page_id], [told])
        index_pages(connection, work.id, [(page_id, index_terms(words.text, language))])
    connection.execute(
        "UPDATE pages SET ocr = ?, slow_to_draw = ? WHERE id = ?",
        (layout.ocr, layout.slow_to_draw, page_id),
    )
    if layout.margin_label and not label_from_pdf(work.labels, layout.page):
        connection.execute(
            "UPDATE pages SET label = ?, label_known = 1 WHERE id = ?",
            (layout.margin_label, page_id),
        )
    _put_blocks(connection, page_id, layout)
    _put_units(connection, work.id, page_id, layout, language)


def fill_languages(connection: apsw.Connection, document_id: int) -> None:
    """Give pages that have too few words the language of those before and after, where it is one.

    Every page has its layout.
    """
    rows: Any = connection.execute(
        "SELECT id, language FROM pages WHERE document_id = ? ORDER BY page", (document_id,)
    )
    before, between = "", list[int]()
    for page_id, language in rows.fetchall():
        if not language:
            between.append(page_id)
            continue
        if language == before:
            _put_languages(connection, between, [language] * len(between))
        before, between = language, []


def _put_languages(
    connection: apsw.Connection, page_ids: Sequence[int], languages: Sequence[str]
) -> None:
    connection.executemany(
        "UPDATE pages SET language = ? WHERE id = ?", zip(languages, page_ids, strict=True)
    )


def drop_odd_labels(connection: apsw.Connection, work: DocumentWork) -> None:
    """Take back margin labels with which no page nearby goes on: a chapter's number, a value.

    Where most of a manual's labels are such, the others are no page labels either.
    Every page has its layout.
    """
    labels = {
        page: label
        for page, label in connection.execute(
            "SELECT page, label FROM pages WHERE document_id = ? AND label_known", (work.id,)
        )
        if not label_from_pdf(work.labels, page)
    }
    odd = [page for page in labels if not _counts_on(labels, page)]
    dropped = labels if 2 * len(odd) >= len(labels) else odd
    connection.executemany(
        "UPDATE pages SET label = ?, label_known = 0 WHERE document_id = ? AND page = ?",
        [(fallback_label(page), work.id, page) for page in dropped],
    )


def _counts_on(labels: Mapping[int, str], page: int) -> bool:
    """Whether a page's label goes on with a page nearby, or opens a chapter ("4-1")."""
    label = labels[page]
    start = label.rstrip("0123456789")
    if start == label:  # Roman numerals
        return label not in (labels.get(page - 1), labels.get(page + 1))
    number = int(label[len(start) :])
    nearby = any(labels.get(page + step) == f"{start}{number + step}" for step in (-2, -1, 1, 2))
    return nearby or (bool(start) and number == 1)


def clear_layout(connection: apsw.Connection, page_id: int) -> None:
    """Remove a page's blocks, units and vectors."""
    units: Any = connection.execute("SELECT id FROM units WHERE page_id = ?", (page_id,)).fetchall()
    if units:
        note_vectors_gone(connection)
        connection.executemany("DELETE FROM unit_vectors WHERE unit_id = ?", units)
        document_id: Any = connection.execute(
            "SELECT document_id FROM pages WHERE id = ?", (page_id,)
        ).get
        forget(connection, document_id, "unit", [unit_id for (unit_id,) in units])
    connection.execute("DELETE FROM units WHERE page_id = ?", (page_id,))
    connection.execute("DELETE FROM blocks WHERE page_id = ?", (page_id,))
    connection.execute("DELETE FROM page_passes WHERE page_id = ? AND pass = 'vectors'", (page_id,))


def pack_boxes(boxes: Sequence[BoxTuple]) -> bytes:
    """Return boxes as stored: float32, little-endian, shape (n, 4)."""
    return np.asarray(boxes, "<f4").reshape(-1, 4).tobytes()


def _make_pages(
    connection: apsw.Connection, work: DocumentWork, texts: Sequence[PageText]
) -> dict[int, int]:
    known = page_ids(connection, work.id)
    fresh = [text for text in texts if text.page not in known]
    rows: list[apsw.SQLiteValues] = []
    for row_id, text in enumerate(fresh, _largest_id(connection, "pages") + 1):
        label = label_from_pdf(work.labels, text.page)
        width, height = (text.width, text.height) if text.width > 0 else UNKNOWN_SIZE
        shown = label or fallback_label(text.page)
        rows.append((row_id, work.id, text.page, shown, bool(label), width, height))
        known[text.page] = row_id
    connection.executemany(
        "INSERT INTO pages(id, document_id, page, label, label_known, width, height)"
        " VALUES(?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    fresh_pages = {text.page for text in fresh}
    connection.executemany(
        "UPDATE pages SET width = ?, height = ? WHERE id = ?",
        [
            (text.width, text.height, known[text.page])
            for text in texts
            if text.page not in fresh_pages and text.width > 0
        ],
    )
    return known


def _put_blocks(connection: apsw.Connection, page_id: int, layout: PageLayout) -> None:
    connection.executemany(
        "INSERT INTO blocks(page_id, position, kind, text, x0, y0, x1, y1, section, level,"
        " warning) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                page_id,
                block.position,
                block.kind,
                block.text,
                *block.box,
                json.dumps(block.section, ensure_ascii=False),
                block.level,
                block.warning,
            )
            for block in layout.blocks
        ],
    )


def _put_units(
    connection: apsw.Connection,
    document_id: int,
    page_id: int,
    layout: PageLayout,
    language: str,
) -> None:
    units = list(enumerate(layout.units, _largest_id(connection, "units") + 1))
    connection.executemany(
        "INSERT INTO units(id, document_id, page_id, page, kind, text, context, boxes,"
        " header_boxes, block, embed) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                row_id,
                document_id,
                page_id,
                layout.page,
                unit.kind,
                unit.text,
                unit.context,
                pack_boxes(unit.boxes),
                pack_boxes(unit.header_boxes),
                unit.block,
                unit.embed,
            )
            for row_id, unit in units
        ],
    )
    index_units(
        connection,
        document_id,
        [
            (row_id, index_terms(unit.text, language), index_terms(unit.context, language))
            for row_id, unit in units
        ],
    )


def _largest_id(connection: apsw.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").get)


def _language(
    connection: apsw.Connection, work: DocumentWork, texts: Sequence[str], told: Sequence[str]
) -> str:
    """Return the document's language, deciding it by the first pages that say anything.

    texts: of the pages. told: their languages, as far as they tell them.
    """
    if language := language_of(connection, work.id):
        return language
    known = Counter(language for language in told if language not in ("", SEVERAL))
    text = " ".join(texts)
    language = known.most_common(1)[0][0] if known else language_in(text) or "en"
    if text:
        connection.execute("UPDATE documents SET language = ? WHERE id = ?", (language, work.id))
    return language


STRIKES = 3
"""After so many pages in a row that stopped the parser the rest is given up: each cost its
time limit, and a file of a thousand such pages would hold up everything for hours."""

GIVEN_UP = said("Gave up: reading stopped at {n} pages in a row.", n=STRIKES)


PageT = TypeVar("PageT", PageText, PageLayout)


class ParsedPass(ABC, Generic[PageT]):
    """A pass over the pages of a document that reads them with the parser."""

    name: ClassVar[PassName]

    def __init__(self, database: Database, parser: Parser, settings: IngestionSettings) -> None:
        self._database = database
        self._parser = parser
        self._settings = settings

    def run(self, work: DocumentWork, stop: Callable[[], bool]) -> Iterator[IngestionEvent]:
        """Read the pages that are missing until all are there or `stop` says so.

        Whatever is yielded has already been stored. A page that fails does not stop the
        others.

        Raises: DocumentError, when the whole file cannot be read; DocumentNotFound,
            when it was deleted meanwhile; DiskFull.
        """
        over = self._database.read(lambda c: pages_over(c, work.id, self.name))
        missing = [page for page in range(work.page_count) if page not in over]
        if not missing or not self._database.write(
            lambda c: start_parsing(c, work.id, self._place(missing[0]))
        ):
            return
        meter = PassMeter(work.id, self.name, len(over), work.page_count)
        batches = Batches[PageT](
            self._database, lambda c, pages: self._store(c, work, pages), self._settings
        )
        try:
            yield from self._run(work, self._read(work, missing, stop), batches, meter)
        finally:
            self._database.write(lambda c: stop_parsing(c, work.id))

    def _run(
        self,
        work: DocumentWork,
        pages: Iterator[PageT],
        batches: Batches[PageT],
        meter: PassMeter,
    ) -> Iterator[IngestionEvent]:
        try:
            for page in pages:
                yield from self._report(work, meter, batches.add(page))
        except DocumentError:
            yield from self._report(work, meter, batches.flush())
            raise
        yield from self._report(work, meter, batches.flush())
        yield from meter.last()

    def _report(
        self, work: DocumentWork, meter: PassMeter, committed: list[PageT]
    ) -> Iterator[IngestionEvent]:
        for page in committed:
            if page.error:
                yield PageFailed(work.id, page.page, self.name, from_text(page.error))
        yield from meter.advance(self._fresh(committed))

    def _fresh(self, committed: Sequence[PageT]) -> int:
        """Return how many pages are over that were not before."""
        return len(committed)

    def _store(self, connection: apsw.Connection, work: DocumentWork, pages: list[PageT]) -> None:
        require_document(connection, work.id)
        ids = self._put(connection, work, pages)
        mark_passes(
            connection,
            [(ids[p.page], self.name, "failed" if p.error else "done", p.error) for p in pages],
        )
        move_on(connection, work.id, self._place(pages[-1].page + 1))
        refresh_counts(connection, work.id)

    def _place(self, page: int) -> str:
        return f"{self.name} of page {page + 1}"

    @abstractmethod
    def _read(
        self, work: DocumentWork, missing: Sequence[int], stop: Callable[[], bool]
    ) -> Iterator[PageT]:
        """Yield the missing pages in order, a failed one with its error, until `stop`."""

    @abstractmethod
    def _put(
        self, connection: apsw.Connection, work: DocumentWork, pages: list[PageT]
    ) -> dict[int, int]:
        """Store what was found on the pages and return the row ids of pages."""


_STREAM_PAGES = 100


class TextPass(ParsedPass[PageText]):
    """Streams page texts from the parser; they are stored while it reads on."""

    name: ClassVar[PassName] = "text"

    def _read(
        self, work: DocumentWork, missing: Sequence[int], stop: Callable[[], bool]
    ) -> Iterator[PageText]:
        strikes = 0
        for first, last in _ranges(missing):
            page = first
            while page < last and not stop():
                try:
                    for text in self._parser.read_text(work.path, page, last, work.password):
                        yield text
                        page, strikes = text.page + 1, 0
                        if stop():
                            return
                    # A stream that ends early must not be asked for the rest for ever.
                    yield from _failed_texts(
                        range(page, last), said("This page was left out while reading.")
                    )
                    page = last
                except ParserLimit as error:
                    yield from _failed_texts([page], message(error))
                    page, strikes = page + 1, strikes + 1
                if strikes == STRIKES:
                    yield from _failed_texts(
                        [other for other in missing if other >= page], GIVEN_UP
                    )
                    return

    def _put(
        self, connection: apsw.Connection, work: DocumentWork, pages: list[PageText]
    ) -> dict[int, int]:
        ids = put_page_texts(connection, work, pages)
        # What cannot be read cannot be laid out either; trying costs its time limit again.
        mark_passes(
            connection,
            [(ids[page.page], "layout", "failed", page.error) for page in pages if page.error],
        )
        return ids


def _failed_texts(pages: Sequence[int], reason: str) -> Iterator[PageText]:
    for page in pages:
        yield PageText(page, 0.0, 0.0, b"", to_text(reason))


def _ranges(pages: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of neighbouring pages as (first, last + 1), none longer than a stream."""
    start = previous = pages[0]
    for page in pages[1:]:
        if page != previous + 1 or page - start == _STREAM_PAGES:
            yield start, previous + 1
            start = page
        previous = page
    yield start, previous + 1


_AHEAD = 4
"""Pages that may be read and wait for one before them, for each that is read at the moment."""


class LayoutPass(ParsedPass[PageLayout]):
    """Asks the parser for several pages at a time and stores blocks and units in their order."""

    name: ClassVar[PassName] = "layout"

    def __init__(
        self,
        database: Database,
        parser: Parser,
        settings: IngestionSettings,
        at_once: Callable[[], int] = lambda: 1,
        wanted: WantedPages | None = None,
    ) -> None:
        """Keep the parts.

        at_once: how many pages may be read at a time now; asked again for each. wanted: pages
            that go first.
        """
        super().__init__(database, parser, settings)
        self._at_once = at_once
        self._wanted = wanted or WantedPages()
        self._over: set[int] = set()
        self._ends: dict[int, tuple[int, bytes]] = {}

    def _read(
        self, work: DocumentWork, missing: Sequence[int], stop: Callable[[], bool]
    ) -> Iterator[PageLayout]:
        waiting, begun = deque(missing), deque[tuple[int, Future[PageLayout]]]()
        early, ends = set[int](), dict[int, Callable[[], bytes]]()
        self._over.clear()
        before = missing[0] - 1
        last, end_of_last = self._ends.get(work.id, (-1, b""))
        if last == before >= 0:
            ends[before] = partial(bytes, end_of_last)
        elif self._database.read(lambda c: is_done(c, work.id, before, self.name)):
            waiting.appendleft(before)  # before the program started: its end is not known
            self._over.add(before)
        strikes = 0
        with ThreadPoolExecutor(thread_name_prefix="groundwork-layout") as threads:
            while waiting or begun:
                while waiting and strikes < STRIKES and self._may_begin(begun):
                    if stop():
                        waiting.clear()  # what is begun is not thrown away
                        break
                    page = self._next(work.id, waiting, early)
                    end = ends.pop(page - 1, bytes)
                    read = partial(self._parser.read_layout, work.path, page, work.password, end)
                    reading = threads.submit(read)
                    begun.append((page, reading))
                    if page - 1 in waiting:  # read again once that is: its section may go on
                        early.add(page)
                    else:
                        waiting.remove(page)
                        ends[page] = partial(_end, reading)
                if begun and not begun[0][1].done():
                    running = [future for _, future in begun if not future.done()]
                    wait(running, return_when=FIRST_COMPLETED)
                    continue
                if begun:
                    layout, failed = _result(*begun.popleft())
                    strikes = strikes + 1 if failed else 0
                    if layout.page not in waiting:
                        self._ends[work.id] = (layout.page, layout.end)
                    yield layout
                elif waiting:  # too many failed one after the other
                    page = waiting.popleft()
                    if page not in early:
                        yield _failed_layout(page, GIVEN_UP)

    def _next(self, document_id: int, waiting: Sequence[int], early: set[int]) -> int:
        """Return the page to begin: a wanted one, else the first, each out of its turn but once."""
        left = [page for page in waiting if page == waiting[0] or page not in early]
        return self._wanted.first(document_id, left)

    def _fresh(self, committed: Sequence[PageLayout]) -> int:
        fresh = {layout.page for layout in committed} - self._over
        self._over |= fresh
        return len(fresh)

    def _report(
        self, work: DocumentWork, meter: PassMeter, committed: list[PageLayout]
    ) -> Iterator[IngestionEvent]:
        yield from super()._report(work, meter, committed)
        if self._wanted.laid_out(work.id, {layout.page for layout in committed}):
            yield WantedRead(work.id)

    def _may_begin(self, begun: Sequence[tuple[int, Future[PageLayout]]]) -> bool:
        most = max(1, self._at_once())
        running = sum(not future.done() for _, future in begun)
        return running < most and len(begun) < (_AHEAD * most if most > 1 else 1)

    def _put(
        self, connection: apsw.Connection, work: DocumentWork, pages: list[PageLayout]
    ) -> dict[int, int]:
        ids = page_ids(connection, work.id)
        for layout in pages:
            if layout.error:
                clear_layout(connection, ids[layout.page])
            else:
                put_layout(connection, work, ids[layout.page], layout)
        over = pages_over(connection, work.id, self.name) | {layout.page for layout in pages}
        if len(over) == work.page_count:
            drop_odd_labels(connection, work)
            fill_languages(connection, work.id)
        return ids


def _end(reading: Future[PageLayout]) -> bytes:
    """Return what the page after one goes on with, b"" if that failed. Blocks."""
    return b"" if reading.exception() is not None else reading.result().end


def _result(page: int, future: Future[PageLayout]) -> tuple[PageLayout, bool]:
    """Return what was read, and whether the page was refused."""
    try:
        return future.result(), False
    except ParserLimit as error:
        return _failed_layout(page, message(error)), True


def _failed_layout(page: int, reason: str) -> PageLayout:
    return PageLayout(page, (), (), b"", False, "", False, to_text(reason))
