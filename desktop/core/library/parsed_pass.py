"""The passes that read pages with the parser: their text first, then their layout."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar

from desktop.core.errors import DocumentError, ParserLimit
from desktop.core.library.documents import refresh_counts, require_document
from desktop.core.library.page_store import (
    clear_layout,
    drop_repeated_labels,
    page_ids,
    put_layout,
    put_page_texts,
)
from desktop.core.library.progress import Batches, PassMeter
from desktop.core.library.values import IngestionEvent, PageFailed, PassName
from desktop.core.library.work import mark_passes, move_on, pages_over, start_parsing, stop_parsing
from desktop.core.structure.values import PageLayout, PageText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import apsw

    from desktop.core.library.work import DocumentWork
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings.sections import IngestionSettings
    from desktop.core.store.database import Database

STRIKES = 3
"""After so many pages in a row that stopped the parser the rest is given up: each cost its
time limit, and a file of a thousand such pages would hold up everything for hours."""

GIVEN_UP = f"Given up after {STRIKES} pages in a row that stopped the parser."


class ParsedPage(Protocol):
    """One page as the parser returned it; error says why it could not be read."""

    @property
    def page(self) -> int:
        """Zero-based."""

    @property
    def error(self) -> str:
        """Why it could not be read; empty if it was."""


PageT = TypeVar("PageT", bound=ParsedPage)


class ParsedPass(ABC, Generic[PageT]):
    """A pass over the pages of a document that reads them with the parser."""

    name: ClassVar[PassName]

    def __init__(self, database: Database, parser: Parser, settings: IngestionSettings) -> None:
        self._database = database
        self._parser = parser
        self._settings = settings

    def run(self, work: DocumentWork, stop: Callable[[], bool]) -> Iterator[IngestionEvent]:
        """Read the pages that are missing until all are there or `stop` says so.

        What is yielded is stored before. A page that fails does not stop the others.

        Raises: DocumentError, when the whole file cannot be read; DocumentNotFound, when
            it was deleted meanwhile; DiskFull.
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
                yield PageFailed(work.id, page.page, self.name, page.error)
        yield from meter.advance(len(committed))

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
                    yield from _failed_texts(range(page, last), "The parser left this page out.")
                    page = last
                except ParserLimit as error:
                    yield from _failed_texts([page], str(error))
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
        yield PageText(page, 0.0, 0.0, b"", reason)


def _ranges(pages: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield runs of neighbouring pages as (first, last + 1), none longer than a stream."""
    start = previous = pages[0]
    for page in pages[1:]:
        if page != previous + 1 or page - start == _STREAM_PAGES:
            yield start, previous + 1
            start = page
        previous = page
    yield start, previous + 1


class LayoutPass(ParsedPass[PageLayout]):
    """Asks the parser for one page after the other and stores blocks and units."""

    name: ClassVar[PassName] = "layout"

    def _read(
        self, work: DocumentWork, missing: Sequence[int], stop: Callable[[], bool]
    ) -> Iterator[PageLayout]:
        strikes = 0
        for page in missing:
            if stop():
                return
            if strikes == STRIKES:
                yield _failed_layout(page, GIVEN_UP)
                continue
            try:
                layout = self._parser.read_layout(work.path, page, work.password)
                strikes = 0
            except ParserLimit as error:
                layout = _failed_layout(page, str(error))
                strikes += 1
            yield layout

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
            drop_repeated_labels(connection, work)
        return ids


def _failed_layout(page: int, reason: str) -> PageLayout:
    return PageLayout(page, (), (), b"", False, "", False, reason)
