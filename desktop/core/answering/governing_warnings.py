"""The warnings that govern what an answer quotes."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from desktop.core.events import (
    GRAVE,
    WARNING_LEVELS,
    PageRegion,
    WarningBlockEvent,
    WarningLevel,
)
from desktop.core.geometry import Box
from desktop.core.structure.safety import without_signal_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.answering.answer import Statement
    from desktop.core.structure.values import Block

_MOST_BLOCKS = 3
_FEW_WORDS = 3
_MOST_OF_IT = 0.8
_PAGES_BACK = 3  # a section of more pages than that has its warnings repeated, or is a chapter
_FURNITURE = frozenset({"header", "footer"})


def safety_blocks(
    statements: Sequence[Statement],
    page_blocks: Callable[[int, int], Sequence[Block]],
    page_label: Callable[[int, int], str],
) -> tuple[WarningBlockEvent, ...]:
    """Return the warnings of the sections that the statements stand in, gravest first.

    Where a section began on an earlier page, grave warnings come from there as well. A grave one
    that stands inside a longer quote, as in a step, is shown all the same.

    page_blocks: returns the blocks of a page, given a document's id and a page index.
    page_label: likewise, the number printed on it.
    """
    quoted = [statement.quote for statement in statements]
    found: dict[tuple[int, str], WarningBlockEvent] = {}
    for statement in statements:
        source = statement.source
        blocks = page_blocks(source.document_id, source.page)
        before = _governing_before(source, blocks, page_blocks, page_label)
        for block in (*_governing(source, blocks), *before):
            if not any(_tells(text, block) for text in quoted):
                found.setdefault((source.document_id, block.text), block)
    ordered = sorted(found.values(), key=lambda block: WARNING_LEVELS.index(block.level))
    return tuple(ordered[:_MOST_BLOCKS])


def is_among(quote: str, warnings: Sequence[WarningBlockEvent]) -> bool:
    """Whether a quote only says what one of the warnings says."""
    words = len(quote.split())
    return any(
        _same(quote, each.text) and words <= len(each.text.split()) + _FEW_WORDS
        for each in warnings
    )


def _tells(quote: str, warning: WarningBlockEvent) -> bool:
    """Whether a quote leaves nothing of a warning to be shown; a grave one has to stand alone."""
    if warning.level in GRAVE:
        return is_among(quote, (warning,))
    return _same(quote, warning.text)


def _same(quote: str, message: str) -> bool:
    """Whether the answer already quotes the warning; if it quotes half, the rest is due."""
    if message in quote:
        return len(message.split()) > _FEW_WORDS
    return quote in message and len(quote.split()) >= _MOST_OF_IT * len(message.split())


def _governing(source: PageRegion, blocks: Sequence[Block]) -> Iterator[WarningBlockEvent]:
    """Yield the page's warnings whose section is the quoted one or one around it."""
    section = _section_at(source, blocks)
    for block in blocks:
        if block.kind == "warning" and section[: len(block.section)] == block.section:
            yield _shown(block, source)


def _governing_before(
    source: PageRegion,
    blocks: Sequence[Block],
    page_blocks: Callable[[int, int], Sequence[Block]],
    page_label: Callable[[int, int], str],
) -> Iterator[WarningBlockEvent]:
    """Yield the grave warnings on earlier pages of whatever the quoted section is part of."""
    section = _section_at(source, blocks)
    for page in range(source.page - 1, max(0, source.page - _PAGES_BACK) - 1, -1):
        section = section[: _levels_open(section, blocks)]
        if not section:
            return
        blocks = page_blocks(source.document_id, page)
        label = page_label(source.document_id, page)
        there = PageRegion(source.document_id, source.document, page, label, ())
        for block in blocks:
            around = block.section and section[: len(block.section)] == block.section
            if block.kind == "warning" and block.warning in GRAVE and around:
                yield _shown(block, there)


def _levels_open(section: tuple[str, ...], blocks: Sequence[Block]) -> int:
    """Return how many levels of the section are already open where the page begins."""
    first = next((block for block in blocks if block.kind not in _FURNITURE), None)
    if first is None:
        return 0
    begins_in = first.section[:-1] if first.kind == "heading" else first.section
    same = (here == there for here, there in zip(section, begins_in, strict=False))
    return sum(1 for _ in takewhile(bool, same))


def _shown(block: Block, on: PageRegion) -> WarningBlockEvent:
    region = replace(on, regions=(Box(*block.box),))
    message = without_signal_word(block.text)
    return WarningBlockEvent(cast("WarningLevel", block.warning), message, region)


def _section_at(source: PageRegion, blocks: Sequence[Block]) -> tuple[str, ...]:
    """Return the section path of the block that holds the first region, () if none does."""
    if not source.regions:
        return ()
    region = source.regions[0]
    for block in blocks:
        if region.overlap_share(Box(*block.box).inflated(1)) > 0.5:
            return block.section
    return ()
