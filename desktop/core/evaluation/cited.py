"""What an answer cites: statements, words, regions, and the warnings it carries.

Of a region it is measured which words its boxes cover: those that answer, and nothing but what is
quoted. Areas pay for boxes that are small or large; words do not. A word is inside if its middle
is.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.answering.procedures import PageQuotes
from desktop.core.claims.cited import answer_sentences
from desktop.core.errors import DocumentNotFound
from desktop.core.events import GRAVE, CitationEvent, TokenEvent, WarningBlockEvent
from desktop.core.geometry import Box
from desktop.core.library.units import stored_boxes
from desktop.core.page_words import PageWords
from desktop.core.whole_words import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from desktop.core.claims.cited import CheckedSentence
    from desktop.core.events import Event, PageRegion
    from desktop.core.library.library import Library
    from desktop.core.structure.values import Block
    from desktop.core.workspace import Workspace

    PageBlocks = Callable[[int, int], Sequence[Block]]

LEAST_RECALL = 0.95
"""Share of the gold words of one place that the citations must cover to hit it."""
_EDGE_POINTS = 1.0


@dataclass(frozen=True, slots=True)
class CitedWords:
    """The words in a citation's boxes. page: manual name and page index from 0."""

    page: tuple[str, int]
    marked: frozenset[int]
    precision: float | None


def words_inside(words: PageWords, boxes: Sequence[Box]) -> frozenset[int]:
    """Return the indices of the words whose middle lies in a box, or up to a point outside it."""
    return frozenset(words.inside(boxes, _EDGE_POINTS))


def region_recall(gold: Collection[int], marked: Collection[int]) -> float:
    """Return the share of the gold words that are marked. gold: at least one."""
    return len(set(gold) & set(marked)) / len(set(gold))


def region_precision(
    words: PageWords, marked: Collection[int], quote: str, headings: Iterable[str] = ()
) -> float | None:
    """Return the share of the marked words that belong to the quote or to its headings.

    Each word of the quote and of each heading stands for one word of the page, so that a mark
    around more of them is not excused by one "the".

    Returns: None if no word is marked: there is nothing that could be too much.
    """
    if not marked:
        return None
    allowed = Counter(_signs(quote))
    for heading in headings:
        allowed.update(_signs(heading))
    belong = 0
    starts = {words.pieces(index).start for index in marked}
    for index in sorted(starts):
        signs = _signs(words.whole[index])
        if all(allowed[sign] >= count for sign, count in Counter(signs).items()):
            allowed.subtract(signs)
            belong += 1
    return belong / len(starts)


def mean_precision(citations: Iterable[CitedWords]) -> float | None:
    """Return the mean precision of an answer's citations; None without a marked word."""
    known = [each.precision for each in citations if each.precision is not None]
    return sum(known) / len(known) if known else None


def marked_words(citations: Iterable[CitedWords]) -> dict[tuple[str, int], set[int]]:
    """Return all words that an answer's citations mark, by page."""
    marked: dict[tuple[str, int], set[int]] = defaultdict(set)
    for citation in citations:
        marked[citation.page] |= citation.marked
    return dict(marked)


def _signs(text: str) -> list[str]:
    """Return the words of a text in lower case, without the signs around and inside them.

    A sign on its own ("|", "•") is not a word: a quote may put others between cells.
    """
    folded = (
        "".join(sign for sign in word if sign.isalnum())
        for word in unicodedata.normalize("NFKC", text).casefold().split()
    )
    return [word for word in folded if word]


_MOSTLY = 0.5
"""Of a unit's words: with so many marked its headings may be marked too."""


def cited_words(workspace: Workspace, citation: CitationEvent, manual: str) -> CitedWords:
    """Return the words in the boxes of a citation. manual: what its document is called here."""
    source = citation.source
    words = page_words(workspace.library, source.document_id, source.page)
    marked = words_inside(words, source.regions)
    headings = _headings(workspace, source, words, marked) if marked else set()
    precision = region_precision(words, marked, citation.quote, headings)
    return CitedWords((manual, source.page), marked, precision)


def page_words(library: Library, document_id: int, page: int) -> PageWords:
    """Return the words of a page; none if the manual is gone."""
    return PageQuotes(library).words(document_id, page) or PageWords.empty()


def _headings(
    workspace: Workspace, source: PageRegion, words: PageWords, marked: frozenset[int]
) -> set[str]:
    """Return the headings of the units that are mostly marked, once for each table or section."""
    query = "SELECT context, boxes FROM units WHERE document_id = ? AND page = ? AND NOT embed"
    found = set()
    for context, boxes in workspace.database.rows(query, (source.document_id, source.page)):
        inside = words_inside(words, stored_boxes(boxes))
        if inside and len(inside & marked) >= _MOSTLY * len(inside):
            found.add(str(context))
    return found


def cited_statements(answer: str) -> tuple[CheckedSentence, ...]:
    """Split an answer. Marks belong to the words before them, back to the start of the line."""
    return tuple(each.checked for each in answer_sentences([TokenEvent(answer)]))


def without_marks(answer: str) -> str:
    """Return the answer's words alone: a mark's number is no number of the equipment."""
    return "\n".join(statement.text for statement in cited_statements(answer))


_INSIDE = 0.5
_SHARED_WORDS = 0.8


def warnings_carried(events: Sequence[Event], page_blocks: PageBlocks) -> bool | None:
    """Say whether every grave warning of the cited sections is in the answer.

    A warning is due if it stands in the section of the cited words, or at the top of one that
    this section is part of, on the cited page or on the page before. Notes are not grave.

    page_blocks: of a document's id and a page index; may block.

    Returns: None if no warning is due.
    """
    citations = [event for event in events if isinstance(event, CitationEvent)]
    shown = [event.text for event in events if isinstance(event, WarningBlockEvent)]
    shown += [citation.quote for citation in citations]
    due = {text for citation in citations for text in _due(citation.source, page_blocks)}
    return all(any(_says(each, text) for each in shown) for text in due) if due else None


def _due(source: PageRegion, page_blocks: PageBlocks) -> Iterator[str]:
    try:
        here = page_blocks(source.document_id, source.page)
        before = page_blocks(source.document_id, source.page - 1) if source.page else ()
    except DocumentNotFound:
        return
    section = _section(source, here)
    if section is None:
        return
    for block in here:
        if block.warning in GRAVE and section[: len(block.section)] == block.section:
            yield block.text
    for block in before:
        if block.warning in GRAVE and section and section == block.section:
            yield block.text


def _section(source: PageRegion, blocks: Sequence[Block]) -> tuple[str, ...] | None:
    for region in source.regions:
        for block in blocks:
            if region.overlap_share(Box(*block.box).inflated(1)) > _INSIDE:
                return block.section
    return None


def _says(shown: str, warning: str) -> bool:
    """Whether what was shown is the warning; the safety word itself may be left out."""
    words = set(warning.casefold().split())
    return len(words & set(shown.casefold().split())) >= _SHARED_WORDS * len(words) - 1


def words_in(library: Library, region: PageRegion) -> str:
    """Return the words whose middle lies in one of the boxes; "" if the manual is gone. Blocks."""
    words = page_words(library, region.document_id, region.page)
    return text_of(words.texts[each] for each in words.inside(region.regions, _EDGE_POINTS))
