"""The name of a document: its metadata if that is a name, else its largest first words."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from desktop.core.structure.segments import Segment, page_segments, visual_rows

if TYPE_CHECKING:
    from desktop.core.structure.raw import RawPage

_NOT_A_TITLE = re.compile(
    r"(\.(pdf|docx?|indd|fm|qxd|odt|tex|dvi|ps|pmd|p65|xls|ppt)x?\b|^untitled|^microsoft word"
    r"|^document\d*$|^\W*$|^[\d\W_]+$|^layout \d|^print\b)",
    re.IGNORECASE,
)
_MOST_WORDS = 14
# Two lines that are numbered are a list of contents.
_ENTRY = re.compile(r"\d{1,2}[.)]\s")


def document_title(metadata_title: str, first_page: RawPage | None, file_name: str) -> str:
    """Return a title for people and for the index, never empty."""
    title = " ".join(metadata_title.split())
    if _is_title(title):
        return title
    printed = largest_words(first_page) if first_page else ""
    return printed or PurePath(file_name).stem.replace("_", " ").strip() or file_name


def largest_words(page: RawPage) -> str:
    """Return the largest text in the upper part of a title page, "" if nothing stands out."""
    segments = [s for s in page_segments(page) if sum(c.isalpha() for c in s.text) >= 2]
    if not segments:
        return ""
    sizes = sorted({s.size for s in segments}, reverse=True)
    chosen: list[Segment] = []
    for size in sizes[:3]:
        if size < 0.6 * sizes[0]:
            break
        more = [s for s in segments if s.size == size]
        if chosen and sum(len(s.text.split()) for s in chosen + more) > _MOST_WORDS:
            break
        chosen += more
    rows = [" ".join(s.text for s in row) for row in visual_rows(chosen)]
    if sum(_ENTRY.match(row) is not None for row in rows) > 1:
        return ""
    words = " ".join(rows).split()
    title = " ".join(dict.fromkeys(words))
    return title if 1 <= len(words) <= 2 * _MOST_WORDS and _is_title(title) else ""


def _is_title(title: str) -> bool:
    return sum(c.isalpha() for c in title) >= 4 and not _NOT_A_TITLE.search(title)
