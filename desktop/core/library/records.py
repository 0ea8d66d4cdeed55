"""Rows of the library file as the records that everybody else sees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from desktop.core.errors import DocumentNotFound
from desktop.core.library.values import DocumentRecord, DocumentState, PageRecord, PassState
from desktop.core.parsing.values import Block

if TYPE_CHECKING:
    import apsw

_DOCUMENT = """SELECT id, sha256, name, title, bytes, page_count, state, reason, added_at,
    text_done, layout_done, vectors_done, failed_pages, site, asset, pictures_done,
    tier, source_type, tags, revision, revision_date, used_at
    FROM documents"""

_PAGES = """SELECT p.page, p.label, p.width, p.height, p.ocr, p.slow_to_draw,
    coalesce(t.state, 'pending'), coalesce(l.state, 'pending'), coalesce(v.state, 'pending'),
    coalesce(nullif(t.reason, ''), nullif(l.reason, ''), v.reason, '')
    FROM pages AS p
    LEFT JOIN page_passes AS t ON t.page_id = p.id AND t.pass = 'text'
    LEFT JOIN page_passes AS l ON l.page_id = p.id AND l.pass = 'layout'
    LEFT JOIN page_passes AS v ON v.page_id = p.id AND v.pass = 'vectors'
    WHERE p.document_id = ? ORDER BY p.page"""


def all_documents(connection: apsw.Connection) -> list[DocumentRecord]:
    """Return every document in the order of adding."""
    return [_document(row) for row in connection.execute(f"{_DOCUMENT} ORDER BY id")]


def one_document(connection: apsw.Connection, document_id: int) -> DocumentRecord:
    """Return one document.

    Raises: DocumentNotFound.
    """
    row = connection.execute(f"{_DOCUMENT} WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        raise DocumentNotFound(document_id)
    return _document(row)


def document_with_hash(connection: apsw.Connection, sha256: str) -> DocumentRecord | None:
    """Return the document whose file has this hash, if there is one."""
    row = connection.execute(f"{_DOCUMENT} WHERE sha256 = ?", (sha256,)).fetchone()
    return None if row is None else _document(row)


def pages_of(connection: apsw.Connection, document_id: int) -> list[PageRecord]:
    """Return the pages whose text pass is over, in page order."""
    return [_page(row) for row in connection.execute(_PAGES, (document_id,))]


def blocks_of(connection: apsw.Connection, document_id: int, page: int) -> list[Block]:
    """Return the blocks of one page in reading order."""
    rows = connection.execute(
        "SELECT b.position, b.kind, b.text, b.x0, b.y0, b.x1, b.y1, b.section, b.level, b.warning"
        " FROM blocks AS b JOIN pages AS p ON p.id = b.page_id"
        " WHERE p.document_id = ? AND p.page = ? ORDER BY b.position",
        (document_id, page),
    )
    return [
        Block(position, kind, text, (x0, y0, x1, y1), tuple(json.loads(section)), level, warning)
        for position, kind, text, x0, y0, x1, y1, section, level, warning in rows
    ]


def _document(row: tuple[object, ...]) -> DocumentRecord:
    values = cast(
        "tuple[int, str, str, str, int, int, str, str, str, int, int, int, int, str, str, int,"
        " int, str, str, str, str, str]",
        row,
    )
    id_, sha256, name, title, size, page_count, state, reason, added_at = values[:9]
    text, layout, vectors, failed_pages, site, asset, pictures = values[9:16]
    tier, source_type, tags, revision, revision_date, used_at = values[16:]
    return DocumentRecord(
        id=id_,
        sha256=sha256,
        name=name,
        title=title,
        bytes=size,
        page_count=page_count,
        state=cast("DocumentState", state),
        reason=reason,
        added_at=added_at,
        done=(text, layout, vectors),
        failed_pages=failed_pages,
        site=site,
        asset=asset,
        pictures_done=pictures,
        tier=tier,
        source_type=source_type,
        tags=tuple(json.loads(tags)),
        revision=revision,
        revision_date=revision_date,
        used_at=used_at,
    )


def _page(row: tuple[object, ...]) -> PageRecord:
    values = cast("tuple[int, str, float, float, int, int, str, str, str, str]", row)
    page, label, width, height, ocr, slow, text, layout, vectors, reason = values
    return PageRecord(
        page=page,
        label=label,
        width=width,
        height=height,
        passes=cast("tuple[PassState, PassState, PassState]", (text, layout, vectors)),
        reason=reason,
        ocr=bool(ocr),
        slow_to_draw=bool(slow),
    )
