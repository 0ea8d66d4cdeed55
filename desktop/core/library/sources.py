"""How far a document is to be trusted: set by rules when it is read, or by a person.

Functions take a connection and are called through `Database.read` and `Database.write`.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from desktop.core.library.revision_rules import revision_of
from desktop.core.library.source_rules import DocumentWords, tier_of
from desktop.core.page_words import PageWords
from desktop.core.settings.sources import BEST_TIER, UNVERIFIED_TIER, SourceTierSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

_FIRST_PAGES = 5
_LONGEST = 80
_ISO_DATE = re.compile(r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
DEFAULTS = SourceTierSettings()


class BadSource(ValueError):  # noqa: N818 - named after what was given
    """What was given for a document's source cannot be stored; the message says why."""


@dataclass(frozen=True, slots=True)
class SourceEdit:
    """What a person says of documents; None leaves as it is.

    tier: 1 to 5. source_type: such as "bulletin". tags: replace those it has.
    revision: as it is written on it. revision_date: ISO, a year, month or day; "" unknown.
    """

    tier: int | None = None
    source_type: str | None = None
    tags: tuple[str, ...] | None = None
    revision: str | None = None
    revision_date: str | None = None

    @property
    def changes(self) -> bool:
        """Whether it says anything."""
        return self != SourceEdit()

    def columns(self) -> dict[str, object]:
        """Return the columns to set, tidied.

        Raises: BadSource.
        """
        if self.tier is not None and not BEST_TIER <= self.tier <= UNVERIFIED_TIER:
            raise BadSource(f"A tier is a number from {BEST_TIER} to {UNVERIFIED_TIER}.")
        if self.revision_date and not _ISO_DATE.fullmatch(self.revision_date):
            raise BadSource("A revision's date is written as 2026, 2026-03 or 2026-03-01.")
        kind = None if self.source_type is None else _tidy(self.source_type)
        if kind == "":
            raise BadSource("A type needs a name, such as 'bulletin'.")
        given = {
            "tier": self.tier,
            "source_type": kind,
            "tags": None if self.tags is None else _stored_tags(self.tags),
            "revision": None if self.revision is None else _tidy(self.revision),
            "revision_date": self.revision_date,
        }
        return {column: value for column, value in given.items() if value is not None}


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


def _stored_tags(tags: Iterable[str]) -> str:
    tidy = (_tidy(tag) for tag in tags)
    once = {tag.casefold(): tag for tag in tidy if tag}
    return json.dumps(list(once.values()), ensure_ascii=False)


def _tidy(name: str) -> str:
    visible = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in name)
    return " ".join(visible.split())[:_LONGEST].rstrip()
