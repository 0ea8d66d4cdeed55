"""The rows of documents and pages, and the printed labels of pages."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from desktop.core.errors import BelongsToPack, DocumentNotFound
from desktop.core.library.values import DocumentRecord, DocumentState, PageRecord
from desktop.core.parsing.parser import MADE_FROM
from desktop.core.store.postings import forget_manual
from desktop.core.store.unit_vectors import note_vectors_gone
from desktop.core.structure.page import name_as_title
from desktop.core.structure.values import Block
from desktop.sentences import from_text, to_text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw

    from desktop.core.structure.values import DocumentInfo


def own_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels a PDF carries, or () when they only count from 1.

    Many programs write "1, 2, 3, ..." as labels although other numbers are printed on
    the pages; then the margins are more reliable.
    """
    trivial = all(label in ("", str(number)) for number, label in enumerate(labels, 1))
    return () if trivial else tuple(label.strip() for label in labels)


def label_from_pdf(labels: Sequence[str], page: int) -> str:
    """Return the PDF's own label of a zero-based page, "" if it has none."""
    return labels[page] if page < len(labels) else ""


def fallback_label(page: int) -> str:
    """Return the label of a page that has none: its number counted from 1."""
    return str(page + 1)


_COUNTS = """UPDATE documents SET
    text_done = counts.text, layout_done = counts.layout, vectors_done = counts.vectors,
    pictures_done = counts.pictures, failed_pages = counts.failed
    FROM (SELECT
        count(*) FILTER (WHERE s.pass = 'text' AND s.state = 'done') AS text,
        count(*) FILTER (WHERE s.pass = 'layout' AND s.state = 'done') AS layout,
        count(*) FILTER (WHERE s.pass = 'vectors' AND s.state = 'done') AS vectors,
        count(*) FILTER (WHERE s.pass = 'pictures') AS pictures,
        count(DISTINCT s.page_id) FILTER (WHERE s.state = 'failed' AND s.pass <> 'pictures')
            AS failed
        FROM pages AS p JOIN page_passes AS s ON s.page_id = p.id
        WHERE p.document_id = ?1) AS counts
    WHERE id = ?1"""


def insert_document(
    connection: apsw.Connection, sha256: str, name: str, size: int, priority: int
) -> int:
    """Add a document that waits for its first pass and return its id."""
    connection.execute(
        "INSERT INTO documents(sha256, name, title, bytes, state, added_at, priority)"
        " VALUES(?, ?, ?, ?, 'queued', ?, ?)",
        (sha256, name, name_as_title(name), size, datetime.now(UTC).isoformat(), priority),
    )
    return connection.last_insert_rowid()


def require_document(connection: apsw.Connection, document_id: int) -> None:
    """Check that a document is (still) there. Raises: DocumentNotFound."""
    if not connection.execute("SELECT 1 FROM documents WHERE id = ?", (document_id,)).fetchone():
        raise DocumentNotFound(document_id)


def store_info(connection: apsw.Connection, document_id: int, info: DocumentInfo) -> None:
    """Keep what was learnt by opening the file: pages, title, outline, the PDF's own labels.

    Raises: DocumentNotFound.
    """
    require_document(connection, document_id)
    connection.execute(
        "UPDATE documents SET page_count = ?, metadata = ?, labels = ?,"
        " title = CASE WHEN ? <> '' THEN ? ELSE title END WHERE id = ?",
        (
            info.page_count,
            json.dumps(info.metadata, ensure_ascii=False),
            json.dumps(own_labels(info.labels), ensure_ascii=False),
            info.title.strip(),
            info.title.strip(),
            document_id,
        ),
    )
    connection.execute("DELETE FROM outline WHERE document_id = ?", (document_id,))
    connection.executemany(
        "INSERT INTO outline(document_id, position, level, title, page) VALUES(?, ?, ?, ?, ?)",
        [
            (document_id, position, entry.level, entry.title, entry.page)
            for position, entry in enumerate(info.outline)
        ],
    )


def set_state(
    connection: apsw.Connection, document_id: int, state: DocumentState, reason: str = ""
) -> None:
    """Set a document's state. Raises: DocumentNotFound."""
    require_document(connection, document_id)
    connection.execute(
        "UPDATE documents SET state = ?, reason = ? WHERE id = ?",
        (state, to_text(reason), document_id),
    )


def cancel_unfinished(connection: apsw.Connection, document_id: int) -> bool:
    """Mark a document as cancelled if it is not ready yet; what is done stays.

    Returns: whether there was something to cancel.

    Raises: DocumentNotFound.
    """
    require_document(connection, document_id)
    connection.execute(
        "UPDATE documents SET state = 'cancelled', reason = ''"
        " WHERE id = ? AND state IN ('queued', 'indexing', 'needs_password')",
        (document_id,),
    )
    return bool(connection.changes())


def finish(connection: apsw.Connection, document_id: int, reason: str = "") -> None:
    """Mark a document as ready, unless it was cancelled meanwhile. Raises: DocumentNotFound."""
    require_document(connection, document_id)
    connection.execute(
        "UPDATE documents SET state = 'ready', reason = ?, crashes = 0, crashed_at = ''"
        " WHERE id = ? AND state IN ('queued', 'indexing', 'ready')",
        (to_text(reason), document_id),
    )


def refresh_counts(connection: apsw.Connection, document_id: int) -> None:
    """Bring the counts in the document's row up to date with its pages' passes."""
    connection.execute(_COUNTS, (document_id,))


def queue_again(connection: apsw.Connection, document_id: int) -> None:
    """Let a document go on: failed pages are tried again, done ones are kept.

    Raises: DocumentNotFound.
    """
    set_state(connection, document_id, "queued")
    connection.execute(
        "DELETE FROM page_passes WHERE state = 'failed'"
        " AND page_id IN (SELECT id FROM pages WHERE document_id = ?)",
        (document_id,),
    )
    connection.execute(
        "UPDATE documents SET crashes = 0, crashed_at = '' WHERE id = ?", (document_id,)
    )
    refresh_counts(connection, document_id)


def delete_document(connection: apsw.Connection, document_id: int) -> str:
    """Remove a document with everything found in it and return its file's hash.

    Raises: DocumentNotFound.
    """
    row = connection.execute("SELECT sha256 FROM documents WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        raise DocumentNotFound(document_id)
    _forget_virtual_rows(connection, document_id)
    connection.execute("DELETE FROM units WHERE document_id = ?", (document_id,))
    connection.execute("DELETE FROM documents WHERE id = ?", (document_id,))
    return str(row[0])


def require_own(connection: apsw.Connection, document_id: int) -> None:
    """Check that a document is a person's own and not a pack's.

    Raises: DocumentNotFound, BelongsToPack.
    """
    record = one_document(connection, document_id)
    if record.pack:
        raise BelongsToPack(record.title, record.pack)


def begin_anew(connection: apsw.Connection, document_id: int) -> None:
    """Forget all that was read from a document and queue it; what a person said of it stays.

    No pass may be working on it.

    Raises: DocumentNotFound.
    """
    queue_again(connection, document_id)
    _forget_virtual_rows(connection, document_id)
    connection.execute("DELETE FROM units WHERE document_id = ?", (document_id,))
    connection.execute("DELETE FROM pages WHERE document_id = ?", (document_id,))
    connection.execute("UPDATE documents SET language = '' WHERE id = ?", (document_id,))
    refresh_counts(connection, document_id)


def _forget_virtual_rows(connection: apsw.Connection, document_id: int) -> None:
    """Remove what foreign keys do not reach."""
    note_vectors_gone(connection)
    connection.execute(
        "DELETE FROM unit_vectors WHERE unit_id IN (SELECT id FROM units WHERE document_id = ?)",
        (document_id,),
    )
    forget_manual(connection, document_id)


_DOCUMENT = """SELECT id, sha256, name, title, bytes, page_count, state, reason, added_at,
    text_done, layout_done, vectors_done, failed_pages, site, asset, pictures_done,
    tier, source_type, tags, revision, revision_date, used_at,
    coalesce((SELECT packs.name FROM packs WHERE packs.id = pack), pack), replaces, language
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
    """Return one document. Raises: DocumentNotFound."""
    row = connection.execute(f"{_DOCUMENT} WHERE id = ?", (document_id,)).fetchone()
    if row is None:
        raise DocumentNotFound(document_id)
    return _document(row)


def some_documents(
    connection: apsw.Connection, document_ids: Collection[int]
) -> dict[int, DocumentRecord]:
    """Return documents by their ids; those that are gone are left out."""
    marks = ",".join("?" * len(document_ids))
    rows = connection.execute(f"{_DOCUMENT} WHERE id IN ({marks})", tuple(document_ids))
    return {record.id: record for record in map(_document, rows)}


def note_replacement(connection: apsw.Connection, newer: str, older: str) -> None:
    """Note that one file took the place of another. newer, older: their hashes.

    What the older one was said to replace stays; no chain of replacements forms a loop,
    even where a file was changed back to what it was.
    """
    connection.execute("UPDATE documents SET replaces = '' WHERE replaces = ?", (newer,))
    connection.execute("UPDATE documents SET replaces = ? WHERE sha256 = ?", (older, newer))


def document_with_hash(connection: apsw.Connection, sha256: str) -> DocumentRecord | None:
    """Return the document whose file has this hash, if there is one."""
    row = connection.execute(f"{_DOCUMENT} WHERE sha256 = ?", (sha256,)).fetchone()
    return None if row is None else _document(row)


def document_made_from(connection: apsw.Connection, sha256: str) -> DocumentRecord | None:
    """Return the document whose PDF was made from the file with this hash, if there is one."""
    row = connection.execute(
        f"{_DOCUMENT} WHERE instr(metadata, ?)", (f"{MADE_FROM}{sha256}",)
    ).fetchone()
    return None if row is None else _document(row)


def note_made_from(connection: apsw.Connection, document_id: int, sha256: str) -> None:
    """Keep which file a document's PDF was made of; its own metadata says so later."""
    metadata = json.dumps({"keywords": f"{MADE_FROM}{sha256}"})
    connection.execute("UPDATE documents SET metadata = ? WHERE id = ?", (metadata, document_id))


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


def _document(row: Any) -> DocumentRecord:
    """Make a record of a row of `_DOCUMENT`, whose columns are in the order of its fields."""
    id_, sha256, name, title, size, page_count, state, reason, added_at = row[:9]
    text, layout, vectors, failed_pages, site, asset, pictures_done, tier, source_type = row[9:18]
    tags, revision, revision_date, used_at, pack, replaces, language = row[18:]
    return DocumentRecord(
        *(id_, sha256, name, title, size, page_count, state, from_text(reason), added_at),
        (text, layout, vectors),
        *(failed_pages, site, asset, pictures_done, tier, source_type),
        tuple(json.loads(tags)),
        *(revision, revision_date, used_at, pack, replaces),
        bool(language),  # it is known by the first words that were read
    )


def _page(row: Any) -> PageRecord:
    page, label, width, height, ocr, slow, text, layout, vectors, reason = row
    passes = (text, layout, vectors)
    return PageRecord(page, label, width, height, passes, from_text(reason), bool(ocr), bool(slow))
