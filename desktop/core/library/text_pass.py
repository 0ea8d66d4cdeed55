"""Pass 1: the words of every page, so that a manual can be searched within seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from desktop.core.errors import ParserLimit
from desktop.core.library.page_store import put_page_texts
from desktop.core.library.parsed_pass import GIVEN_UP, STRIKES, ParsedPass
from desktop.core.library.work import mark_passes
from desktop.core.parsing.values import PageText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import apsw

    from desktop.core.library.values import PassName
    from desktop.core.library.work import DocumentWork

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
                    yield from _failed(range(page, last), "The parser left this page out.")
                    page = last
                except ParserLimit as error:
                    yield from _failed([page], str(error))
                    page, strikes = page + 1, strikes + 1
                if strikes == STRIKES:
                    yield from _failed([other for other in missing if other >= page], GIVEN_UP)
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


def _failed(pages: Sequence[int], reason: str) -> Iterator[PageText]:
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
