"""What another program can call over the Model Context Protocol, and what it gets."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from desktop.cli.options import Refused
from desktop.core.bulk_questions import row_answer
from desktop.core.events import (
    CitationEvent,
    ClarificationEvent,
    CompleteEvent,
    NearestPageEvent,
    NoteCitationEvent,
    WarningBlockEvent,
)
from desktop.core.geometry import Box
from desktop.core.library.places import Place
from desktop.core.notes.note import Note, NoteFilter, note_place
from desktop.core.page_drawing import LibraryDrawer, highlight, write_png
from desktop.core.question.query import Query
from desktop.core.reports.contents import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.events import Event, PageRegion
    from desktop.core.library.values import DocumentRecord
    from desktop.core.reader.evidence import Evidence
    from desktop.core.workspace import Workspace

BY, UNVERIFIED = "MCP", 5
"""Who wrote an added note, and its tier."""
PIXELS_PER_POINT = 1.5
MOST_PAGES, MOST_PASSAGES, MOST_NOTES = 20, 3, 50

BoxPoints = tuple[float, float, float, float]
"""x0, y0, x1, y1 in PDF points, origin at the top left of the page as displayed."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a manual.

    page_label is the number printed on it, page_number its number in the file, from 1.
    """

    manual_id: int
    manual: str
    file: str
    page_label: str
    page_number: int


@dataclass(frozen=True, slots=True)
class Citation:
    """Where quoted words appear. number: its mark in the answer, "[1]".

    boxes: x0, y0, x1, y1 in PDF points, origin at top left of the page as displayed.
    newer: the revision that replaces this manual, "" if it is the newest.
    """

    number: int
    page: Page
    quote: str
    boxes: tuple[BoxPoints, ...]
    newer: str


@dataclass(frozen=True, slots=True)
class CitedNote:
    """A site note, which is not a page of a manual. place: who wrote it, when, about what."""

    number: int
    place: str
    quote: str


@dataclass(frozen=True, slots=True)
class SafetyWarning:
    """A safety block of a cited section, in its own words."""

    level: str
    text: str
    page: Page


@dataclass(frozen=True, slots=True)
class Nearest:
    """A page close to a question that was not answered; it is not an answer."""

    page: Page
    snippet: str


@dataclass(frozen=True)  # with slots the SDK makes no schema of what a tool returns
class Answer:
    """What the manuals say.

    outcome: "answered", "partial" (check says what is missing), "not_found" (the
    manuals do not have it: say so, do not guess) or "clarification" (ask again with one
    of the options).
    how_sure: in words. check: why a person should look at it, "" if there is no reason.
    """

    outcome: str
    answer: str
    how_sure: str
    check: str
    citations: list[Citation]
    notes: list[CitedNote]
    warnings: list[SafetyWarning]
    nearest: list[Nearest]
    options: list[str]


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a page. context: the headings above it, or its table's header.

    boxes: x0, y0, x1, y1 in PDF points, origin at top left of the page as displayed.
    """

    text: str
    context: str
    boxes: tuple[BoxPoints, ...]


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that a search found, its best passages first."""

    page: Page
    passages: list[Passage]


@dataclass(frozen=True, slots=True)
class Manual:
    """A manual. searchable: questions find it already. tier: 1 (the maker's) to 5 (unverified)."""

    manual_id: int
    title: str
    file: str
    pages: int
    searchable: bool
    revision: str
    tier: int
    site: str
    asset: str


@dataclass(frozen=True, slots=True)
class PageText:
    """What is on a page. width, height: in PDF points. recognized: read from its picture."""

    page: Page
    width: float
    height: float
    recognized: bool
    text: str


@dataclass(frozen=True)  # with slots the SDK makes no schema of what a tool returns
class SiteNote:
    """What somebody at the site wrote down. about: the equipment or site, "" for everything.

    tier: 2 (company procedure) to 5 (unverified).
    """

    note_id: str
    text: str
    kind: str
    about: str
    by: str
    written: str
    tier: int
    tags: list[str]


class LibraryTools:
    """What another program can call; every method's signature and docstring are its contract."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._library = workspace.library

    async def ask(self, question: str, manual_ids: list[int] | None = None) -> Answer:
        """Answer a question from the manuals, with citations and how sure it is.

        One question in plain words, English or German. manual_ids: only these manuals.
        """
        from anyio import to_thread

        if not question.strip():
            raise Refused("The question is empty. Ask one in plain words.")
        manuals = self._chosen(manual_ids)
        queue: SimpleQueue[Event | None] = SimpleQueue()
        asked = frozenset(manual_ids or ())
        run = self._workspace.ask(question, asked, queue.put, lambda: queue.put(None))
        try:
            events: list[Event] = await to_thread.run_sync(
                lambda: list(iter(queue.get, None)), abandon_on_cancel=True
            )
        finally:
            run.cancel()  # whoever asked may have gone
        return _answer(question, events, manuals)

    def search(
        self, text: str, manual_ids: list[int] | None = None, limit: int = 5
    ) -> list[FoundPage]:
        """Find the pages most like a text, best first; nothing if none is.

        A page found is not an answer: `ask` says whether there is one. limit: 1 to 20.
        """
        searcher = self._workspace.searcher
        if searcher is None or not text.strip():
            raise Refused("There is nothing to search for. Give some words.")
        manuals = self._chosen(manual_ids)
        limit = min(max(limit, 1), MOST_PAGES)
        found = searcher.search(Query(text, frozenset(manual_ids or ()), limit))
        return [_found(evidence, manuals) for evidence in found]

    def open_page(
        self,
        manual_id: int,
        page_number: int | None = None,
        page_label: str = "",
        mark: list[BoxPoints] | None = None,
        picture: bool = True,
    ) -> list[Any]:
        """Return the text of a page, and its picture as PNG.

        page_number: its number in the file, from 1. page_label: instead, the number printed on it.
        mark: boxes to highlight, as a citation gives them.
        """
        from mcp.server.mcpserver import Image

        record = self._library.document(manual_id)
        pages = self._library.pages(manual_id)
        if page_number is None:
            wanted = [each for each in pages if each.label == page_label.strip()]
        else:
            wanted = [each for each in pages if each.page + 1 == page_number]
        if len(wanted) != 1:
            raise Refused(_which_page([each.page + 1 for each in wanted], len(pages)))
        known = wanted[0]
        words = self._library.page_words(manual_id, known.page)
        shown = PageText(
            _page(record, known.label, known.page),
            known.width,
            known.height,
            words.from_ocr,
            printable(words.text),
        )
        if not picture:
            return [shown]
        drawer = LibraryDrawer(self._library, self._workspace.parser)
        drawn = drawer.draw(manual_id, known.page, PIXELS_PER_POINT)
        png = BytesIO()
        write_png(png, highlight(drawn.image, drawn.width, [Box(*box) for box in mark or ()]))
        return [shown, Image(data=png.getvalue(), format="png")]

    def list_manuals(self) -> list[Manual]:
        """List the manuals of the library with their ids."""
        return [
            Manual(
                each.id,
                printable(each.title or each.name),
                printable(each.name),
                each.page_count,
                each.searchable,
                each.revision,
                each.tier,
                each.site,
                each.asset,
            )
            for each in self._library.documents()
        ]

    def list_notes(self, text: str = "", site: str = "", asset: str = "") -> list[SiteNote]:
        """List site notes, latest first, at most 50.

        text: only those with all of these words. site, asset: only those about it.
        """
        wanted = NoteFilter(text, place=Place.named(site, asset))
        return [_note(each) for each in self._workspace.notes.list(wanted, MOST_NOTES)]

    def add_note(
        self, text: str, site: str = "", asset: str = "", tags: list[str] | None = None
    ) -> SiteNote:
        """Write down what a person said they know, as an unverified note that answers may cite.

        Only what the person wants kept, in their words. site, asset: what it is about.
        """
        note = Note(
            text.strip(),
            tags=tuple(tags or ()),
            place=Place.named(site, asset),
            role=BY,
            tier=UNVERIFIED,
        )
        return _note(self._workspace.notes.add(note))

    def _chosen(self, manual_ids: list[int] | None) -> dict[int, DocumentRecord]:
        """Return the manuals to ask by id; all of them if none is named."""
        manuals = {each.id: each for each in self._library.documents()}
        unknown = sorted(set(manual_ids or ()) - set(manuals))
        if unknown:
            raise Refused(f"There is no manual {unknown[0]}. See them with list_manuals.")
        if not any(each.searchable for each in manuals.values()):
            raise Refused("There are no manuals to search. Add some with: groundwork ingest PATH")
        return {id_: each for id_, each in manuals.items() if not manual_ids or id_ in manual_ids}


def _answer(question: str, events: list[Event], manuals: dict[int, DocumentRecord]) -> Answer:
    """Return the result of a question. Raises: Refused, if it failed."""
    told = row_answer(question, events, manuals)
    outcome = next((e.outcome for e in events if isinstance(e, CompleteEvent)), "failed")
    if not told.final:
        raise Refused(told.check)
    said, check = printable(told.answer), printable(told.check)
    answer = Answer(outcome, said, told.sure, check, [], [], [], [], [])
    for event in events:
        match event:
            case CitationEvent():
                place = _place(event.source, manuals)
                cited = (event.number, place, printable(event.quote), _boxes(event.source.regions))
                answer.citations.append(Citation(*cited, event.newer))
            case NoteCitationEvent():
                about = note_place(event.note)
                answer.notes.append(CitedNote(event.number, about, printable(event.quote)))
            case WarningBlockEvent():
                place = _place(event.source, manuals)
                answer.warnings.append(SafetyWarning(event.level, printable(event.text), place))
            case NearestPageEvent():
                place = _place(event.source, manuals)
                answer.nearest.append(Nearest(place, printable(event.snippet)))
            case ClarificationEvent():
                answer.options.extend(printable(option) for option in event.options)
            case _:
                pass
    return answer


def _found(evidence: Evidence, manuals: dict[int, DocumentRecord]) -> FoundPage:
    passages = [
        Passage(printable(each.text), printable(each.context), _boxes(each.boxes))
        for each in evidence.passages[:MOST_PASSAGES]
    ]
    page = _page(manuals[evidence.document_id], evidence.label, evidence.page)
    return FoundPage(page, passages)


def _place(source: PageRegion, manuals: dict[int, DocumentRecord]) -> Page:
    return _page(manuals[source.document_id], source.label, source.page)


def _page(record: DocumentRecord, label: str, page: int) -> Page:
    title = printable(record.title or record.name)
    return Page(record.id, title, printable(record.name), label or str(page + 1), page + 1)


def _which_page(numbers: list[int], count: int) -> str:
    if numbers:
        listed = ", ".join(map(str, numbers))
        return f"Several pages have this printed number. Give a page_number: {listed}."
    return f"There is no such page. Give a page_number from 1 to {count}, or a printed page_label."


def _boxes(boxes: Iterable[Box]) -> tuple[BoxPoints, ...]:
    return tuple((round(b.x0, 1), round(b.y0, 1), round(b.x1, 1), round(b.y1, 1)) for b in boxes)


def _note(note: Note) -> SiteNote:
    return SiteNote(
        note.piece_id,
        printable(note.text),
        note.kind.value,
        note.scope,
        note.role,
        note.written,
        note.tier,
        list(note.tags),
    )
