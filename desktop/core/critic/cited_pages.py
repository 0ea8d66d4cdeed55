"""The pages that an answer cites, read from the library: what really stands in each region."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.critic.steps import runs_of_steps
from desktop.core.critic.values import CitedPassage, PageQuote
from desktop.core.errors import DocumentNotFound
from desktop.core.events import CitationEvent, NoteCitationEvent
from desktop.core.retrieval.evidence import Passage
from desktop.core.retrieval.grounding import STEP, quotes_of
from desktop.core.retrieval.units import units_of_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from desktop.core.events import Event, PageRegion
    from desktop.core.library.library import Library
    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.units import StoredUnit
    from desktop.core.store.database import Database

_EDGE_POINTS = 1.0
_WINDOW = "window"
_PAGE = "SELECT id, label FROM pages WHERE document_id = ? AND page = ?"


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
