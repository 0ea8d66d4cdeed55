"""Learning what the pages of a document have in common, from a sample of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.parsing.documents import OpenDocument, read_outline
from desktop.core.structure.page import learn_style
from desktop.core.structure.raw import DocumentStyle, RawPage
from desktop.core.structure.title import document_title

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

# Enough to see a running header, few enough to cost a tenth of a second.
_SAMPLED_PAGES = 32


def learn_document_style(
    opened: OpenDocument,
    read: Callable[[int], RawPage | None],
    avoid: Collection[int] | None,
) -> DocumentStyle:
    """Return the style of a document.

    read: gives a page as read, or None if it cannot be.
    avoid: pages that must not be touched; None to touch none.
    """
    numbers = [] if avoid is None else sample_pages(opened.document.page_count, avoid)
    pages = [raw for raw in map(read, numbers) if raw is not None]
    first = pages[0] if pages and pages[0].page == 0 else None
    title = document_title((opened.document.metadata or {}).get("title") or "", first, "")
    return learn_style(pages, DocumentStyle(outline=read_outline(opened.document), title=title))


def sample_pages(page_count: int, avoid: Collection[int]) -> list[int]:
    """Return page numbers spread over the document, in pairs so that both sides are seen."""
    pairs = max(1, _SAMPLED_PAGES // 2)
    step = max(2, page_count // pairs)
    numbers = (start + side for start in range(0, page_count, step) for side in (0, 1))
    return [n for n in numbers if n < page_count and n not in avoid][: _SAMPLED_PAGES + 2]
