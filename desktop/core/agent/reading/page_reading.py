"""One page of a manual, found by the number printed on it and read block by block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.agent.deciding.manual_choice import meant_manuals, shown_title
from desktop.core.events import PageRegion
from desktop.core.geometry import Box
from desktop.core.retrieval.evidence import Evidence, Passage
from desktop.core.sentences import said
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord
    from desktop.core.parsing.values import Block

SECTION_SEPARATOR = " > "


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page of a manual; page: zero-based index, label: the number printed on it."""

    manual: DocumentRecord
    page: int
    label: str

    @property
    def title(self) -> str:
        """How a person knows the page."""
        return said("page {label} of {manual}", label=self.label, manual=shown_title(self.manual))

    def region(self, boxes: tuple[Box, ...] = ()) -> PageRegion:
        """Return the page, with boxes on it."""
        return PageRegion(self.manual.id, self.manual.name, self.page, self.label, boxes)


def find_pages(
    library: Library, number: str, name: str, selected: frozenset[int]
) -> tuple[list[FoundPage], list[DocumentRecord]]:
    """Return the pages that are meant, and the manuals in which they were looked for.

    number: as printed, else counted from 1. name: of the manual, "" for any of them.
    selected: only these manuals; empty means all.
    """
    manuals = [
        manual
        for manual in library.documents()
        if manual.searchable and (not selected or manual.id in selected)
    ]
    meant = meant_manuals(name, manuals)
    pages = (_page_of(library, manual, number) for manual in meant)
    return [page for page in pages if page is not None], meant


def read_blocks(library: Library, page: FoundPage) -> list[Block]:
    """Return what stands on the page in reading order; without layout, its words as one block."""
    from desktop.core.parsing.values import Block

    blocks = library.blocks(page.manual.id, page.page)
    if blocks:
        return blocks
    words = library.page_words(page.manual.id, page.page)
    if not words.texts:
        return []
    size = next(p for p in library.pages(page.manual.id) if p.page == page.page)
    return [Block(0, "text", words.text, (0.0, 0.0, size.width, size.height))]


def to_objects(page: FoundPage, blocks: Sequence[Block]) -> tuple[dict[str, Any], ...]:
    """Return the blocks as plain values for a tool's `Result`."""
    return tuple(
        {
            "document_id": page.manual.id,
            "document": page.manual.name,
            "page": page.page,
            "label": page.label,
            "kind": block.kind,
            "section": SECTION_SEPARATOR.join(block.section),
            "content": block.text,
            "regions": [list(block.box)],
        }
        for block in blocks
    )


def to_evidence(page: FoundPage, blocks: Sequence[Block]) -> Evidence:
    """Return the page as something that an answer can quote from."""
    passages = tuple(
        Passage(
            unit_id=0,
            kind="paragraph",
            text=block.text,
            context=CONTEXT_SEPARATOR.join(block.section),
            boxes=(Box(*block.box),),
            header_boxes=(),
            score=1.0,
        )
        for block in blocks
        if block.kind not in ("header", "footer")
    )
    manual = page.manual
    found_by = ("read_page",)
    return Evidence(
        manual.id, manual.name, manual.title, page.page, page.label, 1.0, found_by, passages
    )


def _page_of(library: Library, manual: DocumentRecord, number: str) -> FoundPage | None:
    wanted = number.strip()
    page = library.page_of_label(manual.id, wanted)
    if page is None and wanted.isascii() and wanted.isdigit():
        page = int(wanted) - 1 if 1 <= int(wanted) <= manual.page_count else None
    if page is None:
        return None
    known = next((p for p in library.pages(manual.id) if p.page == page), None)
    return FoundPage(manual, page, known.label) if known else None
