"""The words that reports and e-mails share: places, warnings, texts made safe to print."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.events import PageRegion, WarningBlockEvent

NOTICE = (
    "Every statement cites a page of the manuals. The manual counts: check it before you work "
    "on the equipment."
)
NOTICE_WITH_NOTES = (
    "Statements cite pages of the manuals, or notes of the site where they say so. The manual "
    "counts: check it before you work on the equipment."
)
NOTES = "Notes of the site"
_SLUG = re.compile(r"[^a-z0-9]+")
_LONGEST_SLUG = 48


def place(source: PageRegion, title: str) -> str:
    """Return "Title (file.pdf), page 4-11 (page 61 of the file)"."""
    position = str(source.page + 1)
    manual = title.strip()
    named = f"{manual} ({source.document})" if manual else source.document
    printed = source.label.strip() or position
    counted = "" if printed == position else f" (page {position} of the file)"
    return printable(f"{named}, page {printed}{counted}", one_line=True)


def warning_text(block: WarningBlockEvent) -> str:
    """Return the words of a safety block without its signal word."""
    text = printable(block.text, one_line=True)
    rest = text.removeprefix(block.level).lstrip(" :.!-\u2013\u2014")
    return rest or text


def printable(text: str, *, one_line: bool = False) -> str:
    """Return a text without control characters, halves of characters and hidden directions.

    Manuals may contain anything; line ends stay unless `one_line`.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    kept = "".join(c for c in text if c in "\n\t" or unicodedata.category(c)[0] != "C")
    return " ".join(kept.split()) if one_line else kept.expandtabs(4)


def slug(text: str) -> str:
    """Return a short name for files made of a text; "answer" if nothing of it can be used."""
    plain = text.replace("ß", "ss").translate(str.maketrans("ÄÖÜäöü", "AOUaou"))
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode().lower()
    words = _SLUG.sub("-", plain).strip("-")
    if len(words) > _LONGEST_SLUG:
        words = words[:_LONGEST_SLUG].rsplit("-", 1)[0].strip("-")
    return words or "answer"
