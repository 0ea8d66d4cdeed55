"""Changes to a document's row and to everything that hangs on it, inside a transaction.

Every function takes the writer's connection and is called through `Database.write`.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.errors import DocumentNotFound
from desktop.core.library.labels import own_labels
from desktop.core.store.vector_changes import note_vector_change

if TYPE_CHECKING:
    import apsw

    from desktop.core.library.values import DocumentState
    from desktop.core.parsing.values import DocumentInfo

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
        (sha256, name, Path(name).stem, size, datetime.now(UTC).isoformat(), priority),
    )
    return connection.last_insert_rowid()


def require_document(connection: apsw.Connection, document_id: int) -> None:
    """Check that a document is (still) there.

    Raises: DocumentNotFound.
    """
    if not connection.execute("SELECT 1 FROM documents WHERE id = ?", (document_id,)).fetchone():
        raise DocumentNotFound(document_id)


def store_info(connection: apsw.Connection, document_id: int, info: DocumentInfo) -> None:
    """Keep what opening the file told: pages, title, outline, the PDF's own labels.

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
    """Set a document's state.

    Raises: DocumentNotFound.
    """
    require_document(connection, document_id)
    connection.execute(
        "UPDATE documents SET state = ?, reason = ? WHERE id = ?", (state, reason, document_id)
    )


def cancel_unfinished(connection: apsw.Connection, document_id: int) -> bool:
    """Call a document cancelled if it is not ready yet; what is done stays.

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
    """Call a document ready, unless it was cancelled meanwhile.

    Raises: DocumentNotFound.
    """
    require_document(connection, document_id)
    connection.execute(
        "UPDATE documents SET state = 'ready', reason = ?, crashes = 0, crashed_at = ''"
        " WHERE id = ? AND state IN ('queued', 'indexing', 'ready')",
        (reason, document_id),
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


def begin_anew(connection: apsw.Connection, document_id: int) -> None:
    """Forget all that was read of a document and queue it; what a person said of it stays.

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
    note_vector_change(connection)
    for table, key, parent in (
        ("unit_vectors", "unit_id", "units"),
        ("units_fts", "rowid", "units"),
        ("pages_fts", "rowid", "pages"),
    ):
        connection.execute(
            f"DELETE FROM {table} WHERE {key} IN (SELECT id FROM {parent} WHERE document_id = ?)",
            (document_id,),
        )
