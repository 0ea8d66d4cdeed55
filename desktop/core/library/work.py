"""What is left to do: which document, which pass, which pages; and what a crash left behind."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.library.documents import require_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    import apsw

    from desktop.core.library.values import PassName, PassState
    from desktop.core.paths import LibraryFolder

CRASHES_ALLOWED = 2
"""A file on which the process ended so often at the same place is left alone."""

_MISSING_TEXT = """page_count > (SELECT count(*) FROM pages AS p
    JOIN page_passes AS t ON t.page_id = p.id AND t.pass = 'text' WHERE p.document_id = d.id)"""

_MISSING_LAYOUT = """EXISTS (SELECT 1 FROM pages AS p WHERE p.document_id = d.id AND NOT EXISTS
    (SELECT 1 FROM page_passes AS l WHERE l.page_id = p.id AND l.pass = 'layout'))"""

# From the counts alone: this one is asked of every document that is ready.
_MISSING_VECTORS = "layout_done > vectors_done"

# The text of every document comes first, so that all can be found; then the documents
# that were dropped last, each with its layout before its vectors.
_NEXT = f"""
SELECT id, stage FROM (
    SELECT id, priority, CASE
        WHEN state IN ('queued', 'indexing') AND page_count = 0 THEN 'open'
        WHEN state IN ('queued', 'indexing') AND {_MISSING_TEXT} THEN 'text'
        WHEN state IN ('queued', 'indexing') AND {_MISSING_LAYOUT} THEN 'layout'
        WHEN :vectors AND {_MISSING_VECTORS} THEN 'vectors'
        WHEN state IN ('queued', 'indexing') THEN 'finish'
    END AS stage
    FROM documents AS d WHERE state IN ('queued', 'indexing', 'ready')
) WHERE stage IS NOT NULL
ORDER BY stage NOT IN ('open', 'text'), priority DESC, id LIMIT 1"""


@dataclass(frozen=True, slots=True)
class DocumentWork:
    """A document as its passes need it. labels: the PDF's own, () if it has none worth it."""

    id: int
    path: Path
    page_count: int
    labels: tuple[str, ...]
    language: str
    password: str | None


def next_stage(connection: apsw.Connection, vectors: bool) -> tuple[int, str] | None:
    """Return the id of the document to go on with and its stage, or None.

    Stages: "open", a pass's name, or "finish" when every pass that can run is over.
    vectors: whether text vectors can be made.
    """
    row = connection.execute(_NEXT, {"vectors": vectors}).fetchone()
    return None if row is None else (int(row[0]), str(row[1]))


def load_work(
    connection: apsw.Connection,
    document_id: int,
    folder: LibraryFolder,
    password: Callable[[int], str | None],
) -> DocumentWork:
    """Return what the passes of one document need.

    Raises: DocumentNotFound.
    """
    require_document(connection, document_id)
    row = connection.execute(
        "SELECT sha256, page_count, labels, language FROM documents WHERE id = ?", (document_id,)
    ).fetchone()
    assert row is not None  # required above, in the same transaction
    sha256, page_count, labels, language = row
    return DocumentWork(
        document_id,
        folder.original(sha256),
        page_count,
        tuple(json.loads(labels)),
        language,
        password(document_id),
    )


def pages_over(connection: apsw.Connection, document_id: int, pass_name: PassName) -> set[int]:
    """Return the pages for which a pass is over, done or failed."""
    rows = connection.execute(
        "SELECT page FROM pages JOIN page_passes ON page_id = pages.id"
        " WHERE document_id = ? AND pass = ?",
        (document_id, pass_name),
    )
    return {page for (page,) in rows}


def mark_passes(
    connection: apsw.Connection, rows: Iterable[tuple[int, PassName, PassState, str]]
) -> None:
    """Store the state of a pass for pages: (page's row id, pass, state, reason)."""
    connection.executemany(
        "INSERT OR REPLACE INTO page_passes(page_id, pass, state, reason) VALUES(?, ?, ?, ?)",
        rows,
    )


def start(connection: apsw.Connection, document_id: int) -> bool:
    """Call a document being indexed; False if it was cancelled meanwhile.

    Raises: DocumentNotFound.
    """
    require_document(connection, document_id)
    connection.execute(
        "UPDATE documents SET state = 'indexing', reason = ''"
        " WHERE id = ? AND state IN ('queued', 'indexing', 'ready')",
        (document_id,),
    )
    return bool(connection.changes())


def start_parsing(connection: apsw.Connection, document_id: int, place: str) -> bool:
    """As `start`, and note where parsing begins, so that a crash there is known of."""
    started = start(connection, document_id)
    if started:
        move_on(connection, document_id, place)
    return started


def move_on(connection: apsw.Connection, document_id: int, place: str) -> None:
    """Move the note of `start_parsing` to the place where parsing goes on."""
    connection.execute(
        "INSERT OR REPLACE INTO parsing_now(document_id, place) VALUES(?, ?)",
        (document_id, place),
    )


def stop_parsing(connection: apsw.Connection, document_id: int) -> None:
    """Take the note of `start_parsing` away: the process survived this."""
    connection.execute("DELETE FROM parsing_now WHERE document_id = ?", (document_id,))


def account_for_crashes(connection: apsw.Connection) -> None:
    """Read the notes that a run which did not end left; set aside what ended it twice.

    Only a second end at the same place speaks against the file: a power cut that happens
    to hit a long job does not.
    """
    for document_id, place in connection.execute(
        "SELECT document_id, place FROM parsing_now"
    ).fetchall():
        connection.execute(
            "UPDATE documents SET crashed_at = ?1,"
            " crashes = CASE WHEN crashed_at = ?1 THEN crashes + 1 ELSE 1 END WHERE id = ?2",
            (place, document_id),
        )
        connection.execute(
            "UPDATE documents SET state = 'failed', reason = ? WHERE id = ? AND crashes >= ?"
            " AND state IN ('queued', 'indexing')",
            (
                f"Groundwork ended {CRASHES_ALLOWED} times while reading this file"
                f" ({place}), so it is left alone.",
                document_id,
                CRASHES_ALLOWED,
            ),
        )
    connection.execute("DELETE FROM parsing_now")


def highest_priority(connection: apsw.Connection) -> int:
    """Return the priority of what was dropped last, 0 in an empty library."""
    return int(connection.execute("SELECT coalesce(max(priority), 0) FROM documents").get)
