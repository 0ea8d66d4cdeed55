"""Pass 2: the structure of every page, and OCR where a page has no text of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from desktop.core.errors import ParserLimit
from desktop.core.library.page_store import clear_layout, page_ids, put_layout
from desktop.core.library.parsed_pass import GIVEN_UP, STRIKES, ParsedPass
from desktop.core.parsing.values import PageLayout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import apsw

    from desktop.core.library.values import PassName
    from desktop.core.library.work import DocumentWork


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
                yield _failed(page, GIVEN_UP)
                continue
            try:
                layout = self._parser.read_layout(work.path, page, work.password)
                strikes = 0
            except ParserLimit as error:
                layout = _failed(page, str(error))
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
        return ids


def _failed(page: int, reason: str) -> PageLayout:
    return PageLayout(page, (), (), b"", False, "", False, reason)
