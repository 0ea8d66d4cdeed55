"""Cited pages as pictures, with every cited region on them highlighted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from desktop.cli.refusal import Refused
from desktop.core.errors import PdfNeedsPassword
from desktop.core.page_drawing import highlight, write_png

if TYPE_CHECKING:
    from desktop.core.events import CitationEvent
    from desktop.core.workspace import Workspace

PIXELS_PER_POINT = 2.0
_UNSAFE = re.compile(r"[^\w.-]+")


def write_cited_pages(
    workspace: Workspace, citations: Sequence[CitationEvent], folder: Path
) -> Iterator[Path]:
    """Draw each cited page once into `folder`; yields the files in the order of citation.

    Raises: Refused, after the last page, if some belong to a protected manual.
    """
    folder.mkdir(parents=True, exist_ok=True)
    by_page: dict[tuple[int, int], list[CitationEvent]] = {}
    for citation in citations:
        key = (citation.source.document_id, citation.source.page)
        by_page.setdefault(key, []).append(citation)
    protected: set[str] = set()
    for cited in by_page.values():
        target = folder / _file_name(cited[0])
        try:
            _write_page(workspace, cited, target)
        except PdfNeedsPassword:
            protected.add(cited[0].source.document)
        else:
            yield target
    if protected:
        names = ", ".join(sorted(protected))
        raise Refused(f"Pages of a protected manual are drawn with --password only: {names}")


def _write_page(workspace: Workspace, cited: Sequence[CitationEvent], target: Path) -> None:
    library, source = workspace.library, cited[0].source
    image = workspace.parser.draw(
        library.original_path(source.document_id),
        source.page,
        PIXELS_PER_POINT,
        password=library.password(source.document_id),
    )
    pages = library.pages(source.document_id)
    width = next(known.width for known in pages if known.page == source.page)
    boxes = [box for citation in cited for box in citation.source.regions]
    write_png(target, highlight(image, width, boxes))


def _file_name(citation: CitationEvent) -> str:
    stem = PurePath(citation.source.document).stem
    label = citation.source.label or str(citation.source.page + 1)
    return _UNSAFE.sub("_", f"{citation.number:02d}-{stem}-page-{label}") + ".png"
