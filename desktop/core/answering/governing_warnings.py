"""The warnings that govern what an answer quotes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING, cast

from desktop.core.events import GRAVE, WARNING_LEVELS, PageRegion, WarningBlockEvent, WarningLevel
from desktop.core.geometry import Box
from desktop.core.reader.units import COLONS
from desktop.core.structure.safety import is_signal_word, names_hazard, without_signal_word
from desktop.core.structure.signs import with_plain_signs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.core.answering.answer import Statement
    from desktop.core.structure.values import Block

_MOST_BLOCKS = 3
_FEW_WORDS = 3
_MOST_LISTED = 6  # items of what a warning announces
_MOST_OF_IT, _MOST_OF_NOTE = 0.8, 0.6
_PAGES_BACK = 3  # a section of more pages than that has its warnings repeated, or is a chapter
_FURNITURE = frozenset({"header", "footer"})
_APART = frozenset({"heading", "table"})
"""Behind one of these another subject begins; a warning above it may be of the section."""


def safety_blocks(
    statements: Sequence[Statement],
    page_blocks: Callable[[int, int], Sequence[Block]],
    page_label: Callable[[int, int], str],
) -> tuple[WarningBlockEvent, ...]:
    """Return the warnings that govern the statements, gravest first.

    Those that stand with them, no heading or table between, and those that a section around them
    begins with; where it began on an earlier page, only the grave ones. A grave one that stands
    inside a longer quote, as in a step, is shown all the same.

    page_blocks: returns the blocks of a page, given a document's id and a page index.
    page_label: likewise, the number printed on it.
    """
    page_blocks = cache(page_blocks)  # statements mostly stand on the same pages
    quoted = [statement.quote for statement in statements]
    found: dict[tuple[int, str], WarningBlockEvent] = {}
    for statement in statements:
        for warning in _governing(statement.source, page_blocks, page_label):
            if not any(_tells(text, warning) for text in quoted):
                key = statement.source.document_id, warning.text.casefold()
                found.setdefault(key, warning)
    ordered = sorted(found.values(), key=lambda block: WARNING_LEVELS.index(block.level))
    return tuple(ordered[:_MOST_BLOCKS])


def is_among(quote: str, warnings: Sequence[WarningBlockEvent]) -> bool:
    """Whether a quote only says what one of the warnings says."""
    words = len(quote.split())
    return any(
        _same(quote, each.text) and words <= len(each.text.split()) + _FEW_WORDS
        for each in warnings
    )


def is_part(quote: str, warnings: Sequence[WarningBlockEvent]) -> bool:
    """Whether one of the warnings says all that a quote says."""
    said = with_plain_signs(quote)
    return any(said in with_plain_signs(each.text) for each in warnings)


def _tells(quote: str, warning: WarningBlockEvent) -> bool:
    """Whether a quote leaves nothing of a warning to be shown; a grave one has to stand alone."""
    if warning.level in GRAVE:
        return is_among(quote, (warning,))
    return _same(quote, warning.text, _MOST_OF_NOTE)


def _same(quote: str, message: str, most: float = _MOST_OF_IT) -> bool:
    """Whether the answer already quotes the warning; if it quotes half, the rest is due."""
    quote = with_plain_signs(without_signal_word(quote))
    message = with_plain_signs(message)
    if message in quote:
        return len(message.split()) > _FEW_WORDS
    return quote in message and len(quote.split()) >= most * len(message.split())


def _governing(
    source: PageRegion,
    page_blocks: Callable[[int, int], Sequence[Block]],
    page_label: Callable[[int, int], str],
) -> Iterator[WarningBlockEvent]:
    """Yield the warnings of what is quoted; one that is quoted itself is governed by no other."""
    placed = list(_placed(source, page_blocks))
    blocks = [block for _, block in placed]
    holding = [at for at, place in enumerate(placed) if _holds(source, *place)]
    if not holding:
        return
    first = min(holding, key=lambda at: Box(*blocks[at].box).area)  # a drawn frame holds it, too
    for at, (page, block) in enumerate(placed):
        grave = block.warning in GRAVE
        if block.kind != "warning" or not (grave or (page == source.page and not _is_bare(block))):
            continue
        alone = blocks[first].warning in GRAVE
        if at == first or (not alone and _governs(at, first, blocks)):
            label = page_label(source.document_id, page) if page < source.page else source.label
            on = replace(source, page=page, label=label)
            shown = _shown(block, blocks[at + 1 : at + 1 + _MOST_LISTED], on)
            if _says_something(shown):
                yield shown


def _placed(
    source: PageRegion, page_blocks: Callable[[int, int], Sequence[Block]]
) -> Iterator[tuple[int, Block]]:
    """Yield the blocks up to the end of the quoted page: above its headings goes on what is before.

    What stands above the first heading of all, on a page in the manual, is of a section by itself.
    """
    start = max(0, source.page - _PAGES_BACK)
    section: tuple[str, ...] = ("",) if start else ()
    for page in range(start, source.page + 1):
        for block in page_blocks(source.document_id, page):
            if block.kind not in _FURNITURE:
                section = block.section or section
                yield page, replace(block, section=section)


def _governs(at: int, quoted: int, blocks: Sequence[Block]) -> bool:
    """Whether a warning stands with what is quoted, or at the beginning of a section around it.

    Boxes that stand together each say something of their own.
    """
    section = blocks[at].section
    if blocks[quoted].section[: len(section)] != section:
        return False
    between = blocks[min(at, quoted) + 1 : max(at, quoted)]
    with_it = blocks[quoted].section == section and blocks[quoted].kind != "warning"
    if with_it and not any(b.kind in _APART for b in between):
        return True
    ended = any(b.kind == "heading" and len(b.section) <= len(section) for b in between)
    return at < quoted and not ended and _opens(at, blocks)


def _opens(at: int, blocks: Sequence[Block]) -> bool:
    """Whether only text and other warnings, with their lists, stand between it and its heading."""
    in_list = False
    for block in reversed(blocks[:at]):
        if block.kind == "list":
            in_list = True
        elif block.kind == "warning":
            in_list = False
        elif in_list or block.kind == "table":
            return False
        elif block.kind == "heading":
            return block.section == blocks[at].section
    return not in_list


def _holds(source: PageRegion, page: int, block: Block) -> bool:
    """Whether most of the first region that is quoted lies in a block."""
    box = Box(*block.box).inflated(1)
    return page == source.page and any(each.overlap_share(box) > 0.5 for each in source.regions[:1])


def _is_bare(warning: Block) -> bool:
    return is_signal_word(without_signal_word(warning.text))


def _says_something(warning: WarningBlockEvent) -> bool:
    """Whether a warning is more than its safety word, and a note more than a title."""
    few = len(warning.text.split()) <= _FEW_WORDS
    is_title = few and (warning.text.isupper() or warning.text.endswith(COLONS))
    return not is_signal_word(warning.text) and (warning.level in GRAVE or not is_title)


def _shown(block: Block, after: Sequence[Block], on: PageRegion) -> WarningBlockEvent:
    """Return a warning as it is shown; one that lost its message has what stands below it.

    So has one that only announces it: "To reduce the risk of electric shock:".
    """
    message, boxes = without_signal_word(with_plain_signs(block.text)), [Box(*block.box)]
    listed = list(takewhile(lambda below: below.kind == "list", after))
    named = names_hazard(message)  # the kind of hazard, which is said below it
    announces = (message.endswith(COLONS) or named) and bool(listed)
    for below in listed if announces else after[: int(named or _is_bare(block))]:
        box = Box(*below.box)
        if below.text and box.y0 > boxes[0].y0 and box.x0 < boxes[0].x1 and box.x1 > boxes[0].x0:
            message = f"{message} {below.text}" if announces or named else below.text
            boxes.append(box)
    region = replace(on, regions=tuple(boxes))
    level = cast("WarningLevel", block.warning)
    return WarningBlockEvent(level, message, region)
