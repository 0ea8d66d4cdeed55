"""How far a document is to be trusted: set by rules when it is read, or by a person.

Functions take a connection and are called through `Database.read` and `Database.write`.
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from desktop.core.library.revision_rules import revision_of
from desktop.core.library.source_rules import DocumentWords, tier_of
from desktop.core.page_words import PageWords
from desktop.core.settings.sources import SourceTierSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from desktop.core.library.source_edit import SourceEdit

_FIRST_PAGES = 5
DEFAULTS = SourceTierSettings()


def set_source(connection: apsw.Connection, ids: Iterable[int], edit: SourceEdit) -> None:
    """Store what a person says; rules leave it alone from now on. Missing documents are skipped.

    Raises: BadSource.
    """
    columns = edit.columns()
    if not columns:
        return
    assignments = ", ".join(f"{column} = ?" for column in columns)
    for document_id in ids:
        by_hand = _by_hand(connection, document_id) | set(columns)
        connection.execute(
            f"UPDATE documents SET {assignments}, source_set = ? WHERE id = ?",
            (*columns.values(), " ".join(sorted(by_hand)), document_id),
        )


def forget_source(connection: apsw.Connection, ids: Iterable[int]) -> None:
    """Let the rules decide again about tier, type and revision; tags stay."""
    connection.executemany(
        "UPDATE documents SET source_set = '', source_read = 0 WHERE id = ?",
        [(document_id,) for document_id in ids],
    )


def unread_sources(connection: apsw.Connection) -> list[int]:
    """Return the documents that no rule has looked at: those of an older library."""
    rows = connection.execute("SELECT id FROM documents WHERE source_read = 0 AND text_done > 0")
    return [int(row[0]) for row in rows]


def read_source(
    connection: apsw.Connection, document_id: int, settings: SourceTierSettings
) -> None:
    """Let the rules say what a document is; what a person said of it stays."""
    row = connection.execute(
        "SELECT name, title, metadata FROM documents WHERE id = ?", (document_id,)
    ).fetchone()
    if row is None:
        return
    name, title, metadata = cast("tuple[str, str, str]", row)
    told = cast("dict[str, str]", json.loads(metadata))
    titles = " | ".join(filter(None, (title, told.get("subject"), told.get("keywords"))))
    pages = _first_pages(connection, document_id)
    tier = tier_of(DocumentWords(name, titles, pages), settings.table)
    revision, revision_date = revision_of(PurePath(name).stem, titles, pages)
    found = {
        "tier": tier.tier,
        "source_type": tier.type,
        "revision": revision,
        "revision_date": revision_date,
    }
    by_hand = _by_hand(connection, document_id)
    free = {column: value for column, value in found.items() if column not in by_hand}
    assignments = "".join(f"{column} = ?, " for column in free)
    connection.execute(
        f"UPDATE documents SET {assignments} source_read = 1 WHERE id = ?",
        (*free.values(), document_id),
    )


def _first_pages(connection: apsw.Connection, document_id: int) -> list[str]:
    rows = connection.execute(
        "SELECT words FROM page_words JOIN pages ON pages.id = page_id"
        " WHERE document_id = ? ORDER BY page LIMIT ?",
        (document_id, _FIRST_PAGES),
    )
    texts = [PageWords.from_bytes(bytes(row[0])).text for row in rows]
    return [text for text in texts if text.strip()]


def _by_hand(connection: apsw.Connection, document_id: int) -> set[str]:
    stored = connection.execute("SELECT source_set FROM documents WHERE id = ?", (document_id,)).get
    return set(str(stored or "").split())
