"""What the passes that need the parser have in common: order, portions, reports, crash notes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar

from desktop.core.errors import DocumentError
from desktop.core.library.batches import Batches
from desktop.core.library.documents import refresh_counts, require_document
from desktop.core.library.progress import PassMeter
from desktop.core.library.values import IngestionEvent, PageFailed, PassName
from desktop.core.library.work import mark_passes, move_on, pages_over, start_parsing, stop_parsing

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
