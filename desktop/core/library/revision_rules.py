"""Which revision of a document this is, and of when, as its title or first page says."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_REVISION = re.compile(
    r"\b(?:document\s+)?(?P<word>revision|revisionsstand|rev\.?|edition|issue|version|ausgabe)"
    r"(?P<gap>\s*(?:no\.?|nr\.?|number)?\s*[:#]?\s*)"
    r"(?P<mark>\d+(?:\.\d+)*[a-z]?|[a-z]\d*(?:\.\d+)*)(?![\w.]*\w)",
    re.IGNORECASE,
)
_NAME_MARK = re.compile(
    r"(?:^|[\s_\-])(?:rev(?:ision)?[\s_\-.]*([a-z]\d*|\d+(?:\.\d+)*)|v(\d+(?:\.\d+)+))"
    r"(?=$|[\s_\-.])",
    re.IGNORECASE,
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan", "januar"),
            ("february", "feb", "februar"),
            ("march", "mar", "märz"),
            ("april", "apr"),
            ("may", "mai"),
            ("june", "jun", "juni"),
            ("july", "jul", "juli"),
            ("august", "aug"),
            ("september", "sep", "sept"),
            ("october", "oct", "oktober", "okt"),
            ("november", "nov"),
            ("december", "dec", "dezember", "dez"),
        ),
        1,
    )
    for name in names
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES = (
    re.compile(r"\b(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?:-(?P<d>[0-3]\d))?\b"),
    re.compile(r"\b(?P<d>[0-3]?\d)\.(?P<m>[01]?\d)\.(?P<y>(?:19|20)\d\d)\b"),
    re.compile(rf"\b(?P<n>{_MONTH})\.?\s+(?P<d>[0-3]?\d),\s*(?P<y>(?:19|20)\d\d)\b", re.I),
    re.compile(rf"\b(?P<d>[0-3]?\d)\.?\s+(?P<n>{_MONTH})\.?,?\s+(?P<y>(?:19|20)\d\d)\b", re.I),
    re.compile(rf"\b(?P<n>{_MONTH})\.?,?\s+(?P<y>(?:19|20)\d\d)\b", re.I),
)
_STANDARD_WORDS = {"rev": "Rev", "rev.": "Rev"}
_COVER_CHARACTERS = 1_200
_NOT_THE_DOCUMENT = re.compile(r"(?:software|firmware|program|android|linux)\s*$", re.I)


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
    found = [match for each in _DATES for match in each.finditer(text)]
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
        if glued or in_prose or _NOT_THE_DOCUMENT.search(text[: match.start()]):
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
    month = _MONTHS[name.casefold()] if name else int(parts.get("m") or 0)
    day = parts.get("d")
    try:
        exact = date(year, month, int(day or 1))
    except ValueError:
        return ""
    return exact.isoformat() if day else f"{year:04d}-{month:02d}"
