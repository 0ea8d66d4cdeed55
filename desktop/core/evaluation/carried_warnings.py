"""Whether an answer brought the safety warnings of the sections that it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.errors import DocumentNotFound
from desktop.core.events import CitationEvent, WarningBlockEvent
from desktop.core.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.events import Event, PageRegion
    from desktop.core.parsing.values import Block

    PageBlocks = Callable[[int, int], Sequence[Block]]

_GRAVE = ("DANGER", "WARNING", "CAUTION")
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
        if block.warning in _GRAVE and section[: len(block.section)] == block.section:
            yield block.text
    for block in before:
        if block.warning in _GRAVE and section and section == block.section:
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
