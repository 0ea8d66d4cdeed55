"""The warnings that govern what an answer quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from desktop.core.agent.answering.answer import SafetyBlock, Statement
from desktop.core.events import PageRegion, WarningLevel
from desktop.core.geometry import Box
from desktop.core.structure.safety import without_signal_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.parsing.values import Block

_MOST_BLOCKS = 3
_GRAVEST_FIRST = ("DANGER", "WARNING", "CAUTION", "NOTE")


def safety_blocks(
    statements: Sequence[Statement], page_blocks: Callable[[int, int], Sequence[Block]]
) -> tuple[SafetyBlock, ...]:
    """Return the warnings of the sections that the statements stand in, gravest first.

    page_blocks: returns the blocks of a page, given a document's id and a page index.
    """
    quoted = [statement.quote for statement in statements]
    found: dict[tuple[int, int, str], SafetyBlock] = {}
    for statement in statements:
        source = statement.source
        blocks = page_blocks(source.document_id, source.page)
        for block in _governing(source, blocks):
            if not any(_same(text, block.text) for text in quoted):
                found.setdefault((source.document_id, source.page, block.text), block)
    ordered = sorted(found.values(), key=lambda block: _GRAVEST_FIRST.index(block.level))
    return tuple(ordered[:_MOST_BLOCKS])


def _same(quote: str, message: str) -> bool:
    """Whether the answer quotes the warning already, or the warning the quote."""
    return quote in message or (message in quote and len(message.split()) > 3)


def _governing(source: PageRegion, blocks: Sequence[Block]) -> Iterator[SafetyBlock]:
    """Yield the page's warnings whose section is the quoted one or one around it."""
    section = _section_at(source, blocks)
    for block in blocks:
        if block.kind == "warning" and section[: len(block.section)] == block.section:
            region = PageRegion(
                source.document_id, source.document, source.page, source.label, (Box(*block.box),)
            )
            message = without_signal_word(block.text)
            yield SafetyBlock(cast("WarningLevel", block.warning), message, region)


def _section_at(source: PageRegion, blocks: Sequence[Block]) -> tuple[str, ...]:
    """Return the section path of the block that holds the first region, () if none does."""
    if not source.regions:
        return ()
    region = source.regions[0]
    for block in blocks:
        if region.overlap_share(Box(*block.box).inflated(1)) > 0.5:
            return block.section
    return ()
