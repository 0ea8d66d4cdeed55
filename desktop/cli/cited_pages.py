"""Cited pages as pictures, with every cited region on them highlighted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from desktop.core.page_picture import highlight, write_png

if TYPE_CHECKING:
    from desktop.core.events import CitationEvent
    from desktop.core.workspace import Workspace

PIXELS_PER_POINT = 2.0
_UNSAFE = re.compile(r"[^\w.-]+")


def write_cited_pages(
    workspace: Workspace, citations: Sequence[CitationEvent], folder: Path
) -> list[Path]:
    """Draw each cited page once into `folder`; returns the files in the order of citation."""
    folder.mkdir(parents=True, exist_ok=True)
    by_page: dict[tuple[int, int], list[CitationEvent]] = {}
    for citation in citations:
        key = (citation.source.document_id, citation.source.page)
        by_page.setdefault(key, []).append(citation)
    written: list[Path] = []
    for (document_id, page), cited in by_page.items():
        library = workspace.library
        image = workspace.parser.draw(
            library.original_path(document_id),
            page,
            PIXELS_PER_POINT,
            password=library.password(document_id),
        )
        width = next(known.width for known in library.pages(document_id) if known.page == page)
        boxes = [box for citation in cited for box in citation.source.regions]
        target = folder / _file_name(cited[0])
        write_png(target, highlight(image, width, boxes))
        written.append(target)
    return written


def _file_name(citation: CitationEvent) -> str:
    stem = PurePath(citation.source.document).stem
    label = citation.source.label or str(citation.source.page + 1)
    return _UNSAFE.sub("_", f"{citation.number:02d}-{stem}-page-{label}") + ".png"
