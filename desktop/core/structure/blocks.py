"""A block of a page before it has a section, and the blocks that belong together as one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from desktop.core.structure.raw import Segment, gap_between, hull
from desktop.core.structure.safety import is_signal_word, names_hazard
from desktop.core.structure.signs import DRAWN_SIGN, left_open
from desktop.core.structure.text_parts import BRACKETED_CODE, ENDS, SAME_LEFT, is_prose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.ruled_rows import Cut
    from desktop.core.structure.table_lines import Fence
    from desktop.core.structure.values import BlockKind, BoxTuple

_LEAST_LIST = 3  # options
_TO_STEP = 2.0  # heights of its number
_TO_HAZARD = 8.0  # heights of a safety word
TO_REST = 0.75
"""Heights of a line between it and the one that goes on with it."""
_TO_BRACKET, _WIDE = 2.0, 1.5  # heights of a line
SAME_SIZE = 0.5
"""Points between the sizes of lines in one print."""
_OPENING = f" «»‹›„“”\"'{DRAWN_SIGN}"
"""What may stand before the first word of a line, a drawn sign in quotation marks too."""
_NUMBER_ALONE = re.compile(r"^(?:[A-Z]\.?)?\d{1,2}(?:\.\d{1,2})*\.?$")


@dataclass(frozen=True, slots=True)
class DraftBlock:
    """A block before it knows its section: segments are in reading order.

    rules, fences: of a table, the heights of the lines drawn through it, and the upright ones.
    cuts: those that part only some of its columns, with the others, see `column_cuts`.
    """

    kind: BlockKind
    segments: tuple[Segment, ...]
    box: BoxTuple
    warning: str = ""
    rules: tuple[float, ...] = ()
    fences: tuple[Fence, ...] = ()
    cuts: tuple[Cut, ...] = ()

    @property
    def text(self) -> str:
        """Its words, one line of the page after the other."""
        return " ".join(segment.text for segment in self.segments)


def with_numbers(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Put the number of a heading or a step that stands apart before its words."""
    joined: list[DraftBlock] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last is not None and _is_number_of(last, block):
            segments, box = last.segments + block.segments, hull((last.box, block.box))
            kind: BlockKind = "heading" if block.kind == "heading" else "list"
            joined[-1] = DraftBlock(kind, segments, box)
        else:
            joined.append(block)
    return joined


def _is_number_of(number: DraftBlock, block: DraftBlock) -> bool:
    if not _NUMBER_ALONE.match(number.text) or block.box[0] < number.box[2]:
        return False
    kinds = {number.kind, block.kind}
    height = number.box[3] - number.box[1]
    of_step = kinds <= {"heading", "text", "list"} and block.kind != "heading"
    if kinds != {"heading"} and not (of_step and block.box[0] - number.box[2] < _TO_STEP * height):
        return False
    return abs(block.segments[0].centre[1] - number.segments[-1].centre[1]) < 0.5 * height


def without_options(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Take options with codes alike, "[1] ...", "[2] ...", for items, in bold or not.

    They follow each other with nothing between, most are no headings, or text stands below and
    further right.
    """
    shapes = [_shape_of_code(block) for block in blocks]
    options = {shape for shape, run in groupby(shapes) if shape and len(list(run)) >= _LEAST_LIST}
    for shape in {*shapes} - {"", *options}:
        own = [n for n, each in enumerate(shapes) if each == shape]
        mixed = 2 * sum(blocks[n].kind != "heading" for n in own) > len(own)
        said = sum(_is_said_of(blocks[n], blocks[n + 1]) for n in own if n + 1 < len(blocks))
        options |= {shape} if len(own) >= _LEAST_LIST and (mixed or 2 * said > len(own)) else set()
    joined: list[DraftBlock] = []
    option: DraftBlock | None = None
    for block, shape in zip(blocks, shapes, strict=True):
        if shape in options:
            option = replace(block, kind="list")
            joined.append(option)
        elif option is not None and _is_said_of(option, block):
            segments, box = option.segments + block.segments, hull((option.box, block.box))
            option = joined[-1] = replace(option, segments=segments, box=box)
        else:
            option = None
            joined.append(block)
    return joined


def _is_said_of(option: DraftBlock, block: DraftBlock) -> bool:
    """Whether a text stands right below an option and further right: "ON: ...", "OFF: ..."."""
    line = option.segments[-1].box
    near = 0 <= block.box[1] - line[3] + SAME_LEFT < 2 * (line[3] - line[1])
    right = block.box[0] > option.box[0] + SAME_LEFT
    return near and right and block.kind in ("text", "list")


def _shape_of_code(block: DraftBlock) -> str:
    """Return the code in brackets that a text or heading begins with, "[##]" for "[12]"; or ""."""
    code = BRACKETED_CODE.match(block.text) if block.kind in ("heading", "text", "list") else None
    return re.sub(r"\d", "#", code[0]) if code else ""


def with_messages(blocks: Sequence[DraftBlock]) -> list[DraftBlock]:
    """Give each safety word that stands alone its message, and each sentence all of its lines."""
    joined: list[DraftBlock] = []
    for block in blocks:
        last = joined[-1] if joined else block
        goes_on = any(
            follows(last, block)
            for follows in (_is_rest, _is_next_line, _is_in_next_column, _closes)
        )
        if (last.warning and _is_message(last, block)) or goes_on:
            segments, box = last.segments + block.segments, hull((last.box, block.box))
            joined[-1] = replace(last, segments=segments, box=box)
        else:
            joined.append(block)
    return joined


def _is_message(signal: DraftBlock, block: DraftBlock) -> bool:
    """Whether a block is what a safety word says: what kind of hazard there is, or its message.

    A sign may stand between the word and the kind of hazard, and the message follows that.
    """
    alone = is_signal_word(signal.text)
    hazard = alone and block.warning and names_hazard(block.text)
    line = signal.segments[-1]
    if not (alone or names_hazard(line.text)) or (block.warning and not hazard):
        return False
    if not hazard and block.kind not in ("text", "list", "table"):
        return False
    height = line.box[3] - line.box[1]
    near = block.box[1] - signal.box[3] < (_TO_HAZARD if hazard else 2) * height
    beside = min(block.box[2], signal.box[2]) - max(block.box[0], signal.box[0]) > -6 * height
    return near and beside


def _closes(above: DraftBlock, block: DraftBlock) -> bool:
    """Whether a line right below a text closes the bracket that is open at its end.

    "... (the default password is", "12345678);", however wide the lines are apart.
    """
    if not {above.kind, block.kind} <= {"text", "list"} or above.text[-1:] in ENDS:
        return False
    line = above.segments[-1].box
    near = -TO_REST < (block.box[1] - line[3]) / (line[3] - line[1]) < _TO_BRACKET
    closes = left_open(above.text) == 1 and left_open(block.text) == -1
    return closes and near and _overlaps(line, block.box)


def _is_rest(item: DraftBlock, block: DraftBlock) -> bool:
    """Whether a block in lower case stands right below an item whose sentence is not over."""
    if item.kind != "list" or block.kind not in ("text", "list") or item.text[-1:] in ENDS:
        return False
    line = item.segments[-1].box
    near = abs(block.box[1] - line[3]) < TO_REST * (line[3] - line[1])
    return near and _overlaps(line, block.box) and _begins_small(block.text)


def _overlaps(one: BoxTuple, other: BoxTuple) -> bool:
    """Whether boxes have points above each other."""
    return min(one[2], other[2]) > max(one[0], other[0])


def _is_next_line(text: DraftBlock, block: DraftBlock) -> bool:
    """Whether a text in lower case stands below one that is not over, in lines set wide apart."""
    if not _sentence_goes_on(text, block):
        return False
    last, first = text.segments[-1], block.segments[0]
    near = -TO_REST < gap_between([last], [first]) / (last.box[3] - last.box[1]) < _WIDE
    level = first.box[0] - text.segments[0].box[0] < SAME_LEFT
    return near and level and "=" not in last.text


def _is_in_next_column(text: DraftBlock, block: DraftBlock) -> bool:
    """Whether a text in lower case stands on top of the column right of one that is not over."""
    beside = block.box[0] > text.box[2] - SAME_LEFT and block.box[1] < text.box[3]
    return beside and _sentence_goes_on(text, block)


def _sentence_goes_on(text: DraftBlock, block: DraftBlock) -> bool:
    """Whether a text in lower case, in the same print, may end the sentence of another one."""
    if text.kind not in ("text", "list") or block.kind != "text" or text.text[-1:] in ENDS:
        return False
    last, first = text.segments[-1], block.segments[0]
    alike = first.bold == last.bold and abs(first.size - last.size) < SAME_SIZE
    return alike and is_prose(last) and _begins_small(first.text)


def _begins_small(text: str) -> bool:
    begun = text.lstrip(_OPENING)[:2]
    return len(begun) == 2 and begun.isalpha() and begun.islower()
