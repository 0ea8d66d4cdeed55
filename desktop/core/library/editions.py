"""Which documents are revisions of one manual, and which of them is the newer one.

Two documents are revisions of one manual when their titles are the same but for what names a
revision or a date, say what they are about, and are of one kind, and nobody said that they
belong to different assets. Of two revisions the later date is the newer one; without dates to
tell them apart, the higher mark is ("Rev C" after "Rev B", "Edition 10" after "Edition 9").
What cannot be compared is left alone: neither is the older one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop.core.library.product_names import names_a_product

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.library.values import DocumentRecord

_MONTH = (
    r"jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli"
    r"|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?"
)
_NAMES_A_REVISION = re.compile(
    r"\b(?:document\s+)?(?:revision|revisionsstand|rev|edition|issue|version|ausgabe)\b[\s_.:#-]*"
    r"(?:no\.?|nr\.?|number)?\s*(?:\d+(?:\.\d+)*[a-z]?|[a-z]\d*)(?![^\W_])"
    r"|\b(?:v|rev)\d+(?:\.\d+)*\b"
    r"|\b(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])(?:[-./]\d{1,2})?\b"
    r"|\b\d{1,2}[./]\d{1,2}[./](?:19|20)\d\d\b"
    rf"|\b(?:\d{{1,2}}\.?\s+)?(?:{_MONTH})\.?\s+(?:\d{{1,2}},\s*)?(?:19|20)\d\d\b"
    r"|\b(?:superseded|obsolete|copy|final|old|new)\b",
    re.IGNORECASE,
)
_PUBLISHED = re.compile(r"\b(?:publication|revision|issue)?\s*date\b\s*:?", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+")
_MARK = re.compile(r"(?:(\d+(?:\.\d+)*)([a-z]?)|([a-z])(\d*))$")
_ASKS_FOR_OLDER = re.compile(
    r"\b(?:older|previous|earlier|former|superseded|all|both|between|different|every|ältere\w*"
    r"|frühere\w*|vorige\w*|vorherige\w*|alle\w*|zwischen)\s+(?:the\s+|the two\s+|den\s+|der\s+)?"
    r"(?:revisions?|editions?|issues?|versions?|ausgaben?|versionen|revisionen)\b",
    re.IGNORECASE,
)


def newer_revisions(documents: Iterable[DocumentRecord]) -> dict[int, int]:
    """Return older document id -> id of the newest one that replaces it.

    Documents that cannot be searched yet replace none.
    """
    families: defaultdict[tuple[str, str], list[DocumentRecord]] = defaultdict(list)
    for document in documents:
        if document.revision or document.revision_date:
            family = _family(document.title or document.name)
            if family:
                families[family, document.source_type].append(document)
    found: dict[int, int] = {}
    for family_members in families.values():
        for document in family_members:
            newest = _newest_after(document, family_members)
            if newest is not None:
                found[document.id] = newest.id
    return found


def asks_for(question: str, document: DocumentRecord) -> bool:
    """Whether a question names this document's revision, or older revisions as such."""
    asked = f" {_plain(question)} "
    revision = _plain(document.revision)
    if revision and f" {revision} " in asked:
        return True
    year = document.revision_date[:4]
    return bool(year and f" {year} " in asked) or bool(_ASKS_FOR_OLDER.search(question))


def _newest_after(
    document: DocumentRecord, family: Sequence[DocumentRecord]
) -> DocumentRecord | None:
    newest: DocumentRecord | None = None
    for other in family:
        replaces = other.searchable and _one_asset(document, other) and _newer(other, document)
        if replaces and (newest is None or _newer(other, newest)):
            newest = other
    return newest


def _one_asset(one: DocumentRecord, other: DocumentRecord) -> bool:
    pairs = zip(one.place.key, other.place.key, strict=True)
    return all(not first or not second or first == second for first, second in pairs)


def _newer(one: DocumentRecord, other: DocumentRecord) -> bool:
    shared = min(len(one.revision_date), len(other.revision_date))
    dates = one.revision_date[:shared], other.revision_date[:shared]
    if dates[0] != dates[1]:
        return dates[0] > dates[1]
    marks = _mark(one.revision), _mark(other.revision)
    if marks[0] is None or marks[1] is None or marks[0][0] != marks[1][0]:
        return False
    return marks[0][1:] > marks[1][1:]


def _mark(revision: str) -> tuple[str, tuple[int, ...], str] | None:
    """Return what orders a revision: its kind (number or letter) first, None without one."""
    words = revision.casefold().split()
    match = _MARK.fullmatch(words[-1]) if words else None
    if match is None:
        return None
    numbers, suffix, letter, after = match.groups()
    if numbers:
        return "number", tuple(int(part) for part in numbers.split(".")), suffix
    return "letter", (ord(letter), int(after or 0)), ""


@lru_cache(maxsize=10_000)
def _family(title: str) -> str:
    left = _NAMES_A_REVISION.sub(" ", title.replace("_", " "))
    if not names_a_product(left):
        return ""  # "User manual" is the title of everybody's manual
    return " ".join(_WORDS.findall(_PUBLISHED.sub(" ", left).casefold()))


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.casefold()))
