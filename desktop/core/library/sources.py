"""Where a manual comes from: its tier, type and revision, by rules or as a person set them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from desktop.core.library.editions import MONTH, MONTHS
from desktop.core.page_words import PageWords
from desktop.core.settings import UNKNOWN_TYPE, UNVERIFIED_TIER
from desktop.core.settings.sections import SourceTier, SourceTierSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import apsw

    from desktop.core.library.values import SourceEdit

_REVISION = re.compile(
    r"\b(?:document\s+)?(?P<word>revision|revisionsstand|rev\.?|edition|issue|version|ausgabe)"
    r"(?P<gap>\s*(?:no\.?|nr\.?|number)?\s*[:#]?\s*)"
    r"(?P<mark>\d+(?:[./-]\d+)*[a-z]?|[a-z]\d*(?:[./-]\d+)*)(?![\w.]*\w)",
    re.IGNORECASE,
)
_NAME_MARK = re.compile(
    r"(?:^|[\s_\-])(?:rev(?:ision)?[\s_\-.]*([a-z]\d*|\d+(?:\.\d+)*)|v(\d+(?:\.\d+)+))"
    r"(?=$|[\s_\-.])",
    re.IGNORECASE,
)
_YEAR = r"(?P<y>(?:19|20)\d\d)"
_DATES = (
    rf"{_YEAR}-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>[0-3]\d))?",
    rf"(?P<d>[0-3]?\d)\.(?P<m>[01]?\d)\.{_YEAR}",
    rf"(?P<n>{MONTH})\.?\s+(?P<d>[0-3]?\d),\s*{_YEAR}",
    rf"(?P<d>[0-3]?\d)\.?\s+(?P<n>{MONTH})\.?,?\s+{_YEAR}",
    rf"(?P<n>{MONTH})\.?,?\s+{_YEAR}",
)
_STANDARD_WORDS = {"rev": "Rev", "rev.": "Rev"}
_COVER_CHARACTERS = 1_200
"""Of the first page that says anything: further down it names other documents."""


def revision_of(name: str, titles: str, pages: Sequence[str]) -> tuple[str, str]:
    """Return the revision as it is written ("Edition 3") and its date ("2026-03"), or "".

    name: the file's name without its ending. titles: title, subject and keywords of the PDF.
    The date is ISO, as exact as it is written: a year and month, or a day.
    """
    cover = pages[0][:_COVER_CHARACTERS] if pages else ""
    revision = _revision_in(titles) or _revision_in(cover) or _revision_in_name(name)
    return revision, date_in(titles) or date_in(cover)


def date_in(text: str) -> str:
    """Return the first date that stands in a text, as ISO, "" if there is none."""
    found = [match for form in _DATES for match in re.finditer(rf"\b{form}\b", text, re.IGNORECASE)]
    for match in sorted(found, key=lambda m: (m.start(), -m.end())):
        iso = _iso(match.groupdict())
        if iso:
            return iso
    return ""


def _revision_in(text: str) -> str:
    for match in _REVISION.finditer(text):
        word, mark, gap = match["word"], match["mark"], match["gap"]
        glued = not gap and mark[0].isalpha()
        in_prose = mark.isalpha() and (len(mark) > 1 or mark.islower())
        if (
            glued
            or in_prose
            or re.search(
                r"(?:software|firmware|program|android|linux)\s*$",
                text[: match.start()],
                flags=re.I,
            )
        ):
            continue  # "review", "version of", a program's version
        shown = _STANDARD_WORDS.get(word.casefold(), word.capitalize())
        return f"{shown} {mark}"
    return ""


def _revision_in_name(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z]\b)", " ", name)
    match = _NAME_MARK.search(spaced)
    if match is None:
        return ""
    return f"Rev {match[1].upper()}" if match[1] else f"Version {match[2]}"


def _iso(parts: dict[str, str | None]) -> str:
    year = int(parts["y"] or 0)
    name = parts.get("n")
    month = MONTHS[name.casefold()] if name else int(parts.get("m") or 0)
    day = parts.get("d")
    try:
        exact = date(year, month, int(day or 1))
    except ValueError:
        return ""
    return exact.isoformat() if day else f"{year:04d}-{month:02d}"


UNKNOWN = SourceTier(tier=UNVERIFIED_TIER, type=UNKNOWN_TYPE)

_MAKERS_OWN = 1
"""Only what makes a document a manual may stand behind its cover: a manual's second page
names the bulletins and the courses that belong to it."""


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """What a document says about itself.

    name: its file name. title: from the PDF, its subject and keywords after it.
    pages: the text of its first pages, without those that have none.
    """

    name: str
    title: str
    pages: Sequence[str] = ()


def tier_of(words: DocumentWords, table: Mapping[str, SourceTier]) -> SourceTier:
    """Return the tier and type of a document; `UNKNOWN` if nothing tells.

    Its exact name or title in the table takes priority; then its title and file name,
    then its cover, then, for what a maker publishes, the next pages. In each the first
    line of the table that fits counts.
    """
    names = {_plain(words.name), _plain(PurePath(words.name).stem), _plain(words.title)}
    for key, tier in table.items():
        if _plain(key) in names and "*" not in key:
            return tier
    cover = words.pages[0][:_COVER_CHARACTERS] if words.pages else ""
    for text in (f"{words.title} | {PurePath(words.name).stem}", cover):
        found = _first_that_fits(text, table)
        if found is not None:
            return found
    makers = {key: tier for key, tier in table.items() if tier.tier == _MAKERS_OWN}
    return _first_that_fits(" ".join(words.pages), makers) or UNKNOWN


def _first_that_fits(text: str, table: Mapping[str, SourceTier]) -> SourceTier | None:
    plain = _plain(text)
    return next((tier for key, tier in table.items() if _pattern(key).search(plain)), None)


@lru_cache(maxsize=1_000)
def _pattern(key: str) -> re.Pattern[str]:
    words = [re.escape(word).replace(r"\*", r"\w*") for word in _plain(key, keep="*").split()]
    return re.compile(r"(?<!\w)" + " ".join(words) + r"(?!\w)" if words else r"(?!)")


def _plain(text: str, keep: str = "") -> str:
    """Return words in small letters with single spaces between them, apostrophes dropped."""
    joined = re.sub(r"['’`]", "", text.casefold())
    return " ".join(re.sub(rf"[^\w{re.escape(keep)}]+|_", " ", joined).split())


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
    found: dict[str, apsw.SQLiteValue] = {
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
