"""Captions: which text is one, which figure or table has it, and what a page says of that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.structure.raw import Segment, gap_between, visual_rows
from desktop.core.structure.sentences import sentence_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.structure.blocks import DraftBlock
    from desktop.core.structure.values import BlockKind, BoxTuple

# In the languages of manuals; "Image", "Picture" and "Photo" as well.
_OF_FIGURE = (
    r"figure|fig\.?|figura|figuur|figur|abbildung|abb\.?|bild|illustration|ilustración|ilustracja"
    r"|imagen|image|picture|photo|foto|afbeelding|afb\.?|obrázek|obr\.?|rysunek|rys\.?|kuva"
    r"|рисунок|рис\.?|图|圖"
)
_OF_TABLE = (
    r"table|tabelle|tab\.|tabla|tableau|tabella|tabel|tabela|tabell|tabulka|taulukko"
    r"|таблица|табл\.|表"
)
_NUMBERED_CAPTION = re.compile(
    rf"^(?:(?P<figure>{_OF_FIGURE})|(?P<table>{_OF_TABLE}))\s*"
    r"(?P<number>\d+(?:[.-]\d+)*[a-z]?)(?P<mark>\s*[.:)\u2013\u2014-]|)\s*(?P<next>.?)",
    re.IGNORECASE,
)
# What a text calls a figure: "as Figure 3-2 shows", "(Fig. 6.2)".
_MENTION = rf"\b(?:{_OF_FIGURE})\s*{{number}}(?![\w.-]*\d|[a-z])"
_TEXTS = frozenset({"text", "list", "warning"})
_MOST_TOLD = 150  # characters
_LONGEST = 300
# The next line of a caption stands closer than this many of its heights.
_NEXT_LINE = 0.6
_NEAR = 2  # blocks


def is_caption(text: str) -> bool:
    """Whether a text names a figure or table: "Table 4. Ratings", not "Table 4 shows that"."""
    match = _NUMBERED_CAPTION.match(text)
    return (
        match is not None
        and len(text) < _LONGEST
        and bool(match["mark"] or not match["next"].islower())
    )


def is_about_figure(text: str) -> bool:
    """Whether a sentence begins with a figure or table that it speaks of."""
    return bool(_NUMBERED_CAPTION.match(text)) and not is_caption(text)


def caption_beside(position: int, blocks: Sequence[DraftBlock]) -> str:
    """Return the caption of a figure or table, "" if it has none.

    Of captions nearby, one numbered as the right kind comes before the others. A
    table's caption goes to a figure only beside it, and only if no table is on the
    caption's other side.
    """
    here = blocks[position]
    near = [
        index
        for index in range(max(0, position - _NEAR), min(len(blocks), position + _NEAR + 1))
        if blocks[index].kind == "caption"
    ]
    own = [index for index in near if not _is_of_other(index, position, blocks)]
    if not own:
        return ""
    best = min(
        own, key=lambda index: (_strangeness(index, here, blocks), _apart(blocks[index], here))
    )
    return blocks[best].text


def _is_of_other(index: int, position: int, blocks: Sequence[DraftBlock]) -> bool:
    match = _NUMBERED_CAPTION.match(blocks[index].text)
    wanted: BlockKind = "table" if match and match["table"] else "figure"
    if match is None or blocks[position].kind == wanted:
        return False
    beyond = 2 * index - position
    has_own = 0 <= beyond < len(blocks) and blocks[beyond].kind == wanted
    return abs(index - position) > 1 or has_own


def _strangeness(index: int, here: DraftBlock, blocks: Sequence[DraftBlock]) -> int:
    match = _NUMBERED_CAPTION.match(blocks[index].text)
    if match is None:
        return 1
    return 0 if match["table" if here.kind == "table" else "figure"] else 2


def _apart(one: DraftBlock, other: DraftBlock) -> float:
    return max(one.box[1] - other.box[3], other.box[1] - one.box[3], 0.0)


def text_about(caption: str, blocks: Sequence[DraftBlock]) -> str:
    """Return the first sentence of a page that refers to the figure of a caption, "" if none does.

    A long one is cut.
    """
    match = _NUMBERED_CAPTION.match(caption)
    if match is None or match["figure"] is None:
        return ""
    mention = re.compile(_MENTION.format(number=re.escape(match["number"])), re.IGNORECASE)
    for block in blocks:
        if block.kind not in _TEXTS or not mention.search(block.text):
            continue
        words = block.text.split()
        for first, last in sentence_spans(words):
            sentence = " ".join(words[first:last])
            if mention.search(sentence):
                return sentence[:_MOST_TOLD]
    return ""


def without_caption(
    segments: Sequence[Segment],
) -> tuple[list[Segment], list[Segment]]:
    """Return the segments of a figure without those of a caption inside it, and these.

    A caption is in the first or the last lines.
    """
    rows = visual_rows(segments)
    for start in (0, *range(max(1, len(rows) - 3), len(rows))):
        if rows and is_caption(" ".join(s.text for s in rows[start])):
            end = start + 1
            while end < len(rows) and _goes_on(rows[end - 1], rows[end]):
                end += 1
            caption = [segment for row in rows[start:end] for segment in row]
            rest = [segment for row in (*rows[:start], *rows[end:]) for segment in row]
            return rest, caption
    return list(segments), []


def _goes_on(row: Sequence[Segment], below: Sequence[Segment]) -> bool:
    height = max(s.box[3] - s.box[1] for s in row)
    return (
        gap_between(row, below) < _NEXT_LINE * height
        and abs(max(s.size for s in row) - max(s.size for s in below)) < 1
    )


def beside_caption(figure: BoxTuple, caption: BoxTuple) -> BoxTuple:
    """Return the box of a figure without the caption above or below what is drawn."""
    x0, y0, x1, y1 = figure
    if caption[1] + caption[3] < y0 + y1:
        return (x0, min(max(y0, caption[3]), y1), x1, y1)
    return (x0, y0, x1, max(min(y1, caption[1]), y0))
