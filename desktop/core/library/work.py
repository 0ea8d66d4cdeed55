"""What is left to do: which document, pass and pages; how far it is; what a crash left behind."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from desktop.core.library.documents import require_document
from desktop.core.library.values import PassName, PassProgress
from desktop.sentences import said, to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    import apsw

    from desktop.core.library.values import PassState
    from desktop.core.paths import LibraryFolder
    from desktop.core.settings.sections import IngestionSettings
    from desktop.core.store.database import Database

_MOST_WANTED = 24
"""Pages of a document; those that were wanted long ago are forgotten."""

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
ORDER BY stage NOT IN ('open', 'text'), id IS NOT :first, priority DESC, id LIMIT 1"""


@dataclass(frozen=True, slots=True)
class DocumentWork:
    """A document as its passes need it. labels: the PDF's own, () if it has none worth using."""

    id: int
    path: Path
    page_count: int
    labels: tuple[str, ...]
    language: str
    password: str | None


def next_stage(
    connection: apsw.Connection, vectors: bool, first: int | None = None
) -> tuple[int, str] | None:
    """Return the id of the document to go on with and its stage, or None.

    Stages: "open", a pass's name, or "finish" when every pass that can run is over.
    vectors: whether text vectors can be made. first: the document that goes before others once
        all have their text.
    """
    row = connection.execute(_NEXT, {"vectors": vectors, "first": first}).fetchone()
    return None if row is None else (int(row[0]), str(row[1]))


def load_work(
    connection: apsw.Connection,
    document_id: int,
    folder: LibraryFolder,
    password: Callable[[int], str | None],
) -> DocumentWork:
    """Return what the passes of one document need. Raises: DocumentNotFound."""
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


class WantedPages:
    """Pages that a question found or a person looks at: laid out first. From any thread.

    document: whose pages were wanted last, until it is not the one to go on with.
    """

    def __init__(self) -> None:
        self.document: int | None = None
        self._pages: dict[int, tuple[int, ...]] = {}
        self._lock = threading.Lock()

    def add(self, pages: Sequence[tuple[int, int]]) -> None:
        """Want pages, (document, page), the first one most."""
        with self._lock:
            for document_id, page in reversed(pages):
                self.document = document_id
                self._pages[document_id] = (page, *self._pages.get(document_id, ()))[:_MOST_WANTED]

    def first(self, document_id: int, missing: Sequence[int]) -> int:
        """Return which of the missing pages of a document to lay out next."""
        wanted = self._pages.get(document_id, ())
        return next((page for page in wanted if page in missing), missing[0])

    def laid_out(self, document_id: int, pages: Collection[int]) -> bool:
        """Strike out pages; return whether they were the last of those that were wanted."""
        with self._lock:
            wanted = self._pages.pop(document_id, ())
            left = tuple(page for page in wanted if page not in pages)
            if left:
                self._pages[document_id] = left
        return bool(wanted) and not left

    def give_up(self, document_id: int | None) -> None:
        """Let this document wait for its turn, unless another was wanted meanwhile."""
        with self._lock:
            if self.document == document_id:
                self.document = None


def pages_over(connection: apsw.Connection, document_id: int, pass_name: PassName) -> set[int]:
    """Return the pages for which a pass is over, done or failed."""
    rows = connection.execute(
        "SELECT page FROM pages JOIN page_passes ON page_id = pages.id"
        " WHERE document_id = ? AND pass = ?",
        (document_id, pass_name),
    )
    return {page for (page,) in rows}


def is_done(connection: apsw.Connection, document_id: int, page: int, pass_name: PassName) -> bool:
    """Whether a page went through a pass without failing."""
    sql = (
        "SELECT count(*) FROM pages JOIN page_passes ON page_id = pages.id"
        " WHERE document_id = ? AND page = ? AND pass = ? AND state = 'done'"
    )
    return bool(connection.execute(sql, (document_id, page, pass_name)).get)


def mark_passes(
    connection: apsw.Connection, rows: Iterable[tuple[int, PassName, PassState, str]]
) -> None:
    """Store the state of a pass for pages: (page's row id, pass, state, reason)."""
    connection.executemany(
        "INSERT OR REPLACE INTO page_passes(page_id, pass, state, reason) VALUES(?, ?, ?, ?)",
        ((page, name, state, to_text(reason)) for page, name, state, reason in rows),
    )


def start(connection: apsw.Connection, document_id: int) -> bool:
    """Mark a document as being indexed; return False if it was cancelled meanwhile.

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
    """As `start`, and note where parsing begins, so that a crash there is noticed."""
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
    """Remove the note of `start_parsing`: the process survived that step."""
    connection.execute("DELETE FROM parsing_now WHERE document_id = ?", (document_id,))


def account_for_crashes(connection: apsw.Connection) -> None:
    """Read the notes left by a run that did not end; set aside what ended a run twice.

    Only a second crash at the same place counts against the file: a power cut that
    happens to hit a long job does not.
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
                to_text(
                    said(
                        "Groundwork stopped {n} times while reading this file ({place}), so the "
                        "file is skipped.",
                        n=CRASHES_ALLOWED,
                        place=place,
                    )
                ),
                document_id,
                CRASHES_ALLOWED,
            ),
        )
    connection.execute("DELETE FROM parsing_now")


def highest_priority(connection: apsw.Connection) -> int:
    """Return the priority of the last file dropped, 0 in an empty library."""
    return int(connection.execute("SELECT coalesce(max(priority), 0) FROM documents").get)


_REPORT_SECONDS = 0.2
_WINDOW_SECONDS = 15.0
_STEADY = 1.3
"""How much the last seconds may differ from the whole for their rate to foretell anything."""


class PassMeter:
    """Counts the pages of one pass of one document; the rate is that of the last 15 s.

    Nothing is foretold before these are over, nor while pages take longer or shorter than before.

    done: pages that were over when the meter was made; they do not count towards the
    rate.
    """

    def __init__(
        self,
        document_id: int,
        pass_name: PassName,
        done: int,
        total: int,
    ) -> None:
        self._document_id = document_id
        self._pass_name = pass_name
        self._done = done
        self._total = total
        self._began = (time.monotonic(), done)
        self._marks: deque[tuple[float, int]] = deque([self._began])
        self._reported_at = float("-inf")
        self._reported_done = -1

    def advance(self, pages: int) -> list[PassProgress]:
        """Count pages that were committed; return a report if one is due."""
        now = time.monotonic()
        if pages:
            self._done += pages
            self._marks.append((now, self._done))
            while now - self._marks[0][0] > _WINDOW_SECONDS and len(self._marks) > 2:
                self._marks.popleft()
        if now - self._reported_at < _REPORT_SECONDS:
            return []
        return self.last()

    def last(self) -> list[PassProgress]:
        """Return a report of how it stands now, unless that was the last one."""
        if self._done == self._reported_done:
            return []
        self._reported_at = time.monotonic()
        self._reported_done = self._done
        (began, first), (ended, last) = self._marks[0], self._marks[-1]
        rate = (last - first) / (ended - began) if ended > began else 0.0
        lasted = ended - self._began[0]
        whole = (last - self._began[1]) / lasted if lasted >= _WINDOW_SECONDS else 0.0
        steady = whole > 0 and 1 / _STEADY <= rate / whole <= _STEADY
        left = (self._total - self._done) / whole if steady else None
        return [
            PassProgress(self._document_id, self._pass_name, self._done, self._total, rate, left)
        ]


ItemT = TypeVar("ItemT")

_IDLE_SHARE = 4


class Batches(Generic[ItemT]):
    """Collects items and stores a portion after so many milliseconds or items at the latest.

    One portion is written while the next is collected; an idle writer gets smaller
    ones, so that little is left to write at the end. What `add` and `flush` return is
    committed: it survives a power cut and may be reported.

    store: called on the writer's thread with one portion, in a transaction.
    """

    def __init__(
        self,
        database: Database,
        store: Callable[[apsw.Connection, list[ItemT]], None],
        settings: IngestionSettings,
    ) -> None:
        self._database = database
        self._store = store
        self._settings = settings
        self._waiting: list[ItemT] = []
        self._since = 0.0
        self._writing: tuple[Future[None], list[ItemT]] | None = None

    def add(self, item: ItemT) -> list[ItemT]:
        """Take an item and return the items that were committed since the last call.

        Raises: what writing an earlier portion raised.
        """
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append(item)
        committed = self._finished() if self._writing and self._writing[0].done() else []
        if self._due():
            committed += self._finished()
            self._start()
        return committed

    def flush(self) -> list[ItemT]:
        """Write everything, wait, and return the items that were not returned before.

        Raises: what writing raised.
        """
        committed = self._finished()
        if self._waiting:
            self._start()
            committed += self._finished()
        return committed

    def _due(self) -> bool:
        milliseconds = (time.monotonic() - self._since) * 1000
        most = self._settings.commit_pages
        return (
            len(self._waiting) >= (most if self._writing else max(1, most // _IDLE_SHARE))
            or milliseconds >= self._settings.commit_milliseconds
        )

    def _start(self) -> None:
        portion, self._waiting = self._waiting, []
        self._writing = (self._database.submit(lambda c: self._store(c, portion)), portion)

    def _finished(self) -> list[ItemT]:
        if self._writing is None:
            return []
        future, portion = self._writing
        self._writing = None
        future.result()
        return portion
