"""What could be asked next: questions about sections of the manuals, near what was just cited.

What stands in a section says what can be asked of it; one without anything to quote is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from desktop.core.retrieval.grounding import STEP
from desktop.core.sentences import said, template

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop.core.events import PageRegion
    from desktop.core.library.library import Library
    from desktop.core.structure.values import Block, OutlineEntry

MOST = 3
STEPS = template("{title}: what are the steps?")
VALUES = template("{title}: which values does the manual give?")
CONTENT = template("{title}: what does the manual say?")
_NUMBER = re.compile(r"^\s*(?:[A-Z]?\d+(?:[.\-]\d+)*\.?|[A-Z]\.)\s+")
_WORD = re.compile(r"\w+")
_THE_SAME = 0.6
"""A heading with this share of its words in the question is what was just asked."""
_EMPTY_WORDS = frozenset(
    "contents index introduction general overview notes preface foreword imprint glossary inhalt"
    " inhaltsverzeichnis einleitung allgemeines vorwort impressum glossar".split()
)


@dataclass(frozen=True, slots=True)
class SuggestedHeading:
    """A heading, as the manual words it and without its number; page is zero-based.

    question: that its section answers.
    """

    document_id: int
    title: str
    page: int
    question: str = ""


def after_answer(
    library: Library, cited: Sequence[PageRegion], asked: str, limit: int = MOST
) -> list[SuggestedHeading]:
    """Return what sections beside and after the cited ones answer, nearest first; blocks.

    asked: the question, whose own heading is not offered again.

    Raises: LibraryError.
    """
    found: list[SuggestedHeading] = []
    for document_id in dict.fromkeys(each.document_id for each in cited):
        pages = {each.page for each in cited if each.document_id == document_id}
        entries = _asked_about(library.outline(document_id))
        near = sorted(entries, key=lambda e: (min(_distance(e.page, p) for p in pages), e.page))
        found += [SuggestedHeading(document_id, _title(e), e.page) for e in near]
        if len(found) >= 4 * limit:
            break
    return list(islice(_asked(library, _new(found, asked)), limit))


def to_begin_with(
    library: Library, document_ids: Iterable[int], limit: int = MOST
) -> list[SuggestedHeading]:
    """Return what the manuals can be asked, one of each in turn; blocks.

    Raises: LibraryError.
    """
    shelves = []
    for document_id in list(document_ids)[:limit]:
        entries = _asked_about(library.outline(document_id))
        middle = entries[len(entries) // 3 :]
        shelves.append([SuggestedHeading(document_id, _title(e), e.page) for e in middle])
    found = [each for row in zip_longest(*shelves) for each in row if each is not None]
    return list(islice(_asked(library, _new(found, "")), limit))


def _asked(library: Library, found: Iterable[SuggestedHeading]) -> Iterator[SuggestedHeading]:
    """Yield those whose section has something to quote, with a question that it answers."""
    for each in found:
        inside = [
            block
            for block in library.blocks(each.document_id, each.page)
            if block.section and _key(each.title) in _key(block.section[-1])
        ]
        if question := _question(each.title, inside):
            yield replace(each, question=question)


def _question(title: str, blocks: Sequence[Block]) -> str:
    """Return what can be asked of a section, "" if nothing stands in it."""
    kinds = {block.kind for block in blocks}
    if any(STEP.match(block.text) for block in blocks if block.kind in ("list", "text")):
        return said(STEPS, title=title)
    if "table" in kinds:
        return said(VALUES, title=title)
    return said(CONTENT, title=title) if kinds & {"text", "list", "warning"} else ""


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


def _asked_about(entries: Sequence[OutlineEntry]) -> list[OutlineEntry]:
    """Leave out what has no page, and headings that say nothing of what stands below them."""
    return [
        entry
        for entry in entries
        if entry.page >= 0
        and (words := _title(entry).casefold().split())
        and not (len(words) < 3 and _EMPTY_WORDS & set(words))
    ]


def _title(entry: OutlineEntry) -> str:
    return " ".join(_NUMBER.sub("", entry.title).split())


def _distance(page: int, cited: int) -> float:
    """What comes after is nearer than what came before."""
    return page - cited if page >= cited else (cited - page) * 1.5


def _new(found: Iterable[SuggestedHeading], asked: str) -> list[SuggestedHeading]:
    known, kept = _stems(asked), []
    seen: set[str] = set()
    for each in found:
        key, stems = each.title.casefold(), _stems(each.title)
        answered = len(stems & known) >= _THE_SAME * len(stems)
        if key not in seen and not answered:
            seen.add(key)
            kept.append(each)
    return kept


def _stems(text: str) -> set[str]:
    return {word[:5] for word in _WORD.findall(text.casefold()) if len(word) > 2}
