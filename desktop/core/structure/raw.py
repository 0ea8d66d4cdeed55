"""What the parser reads off a page before anyone has understood it.

All boxes are (x0, y0, x1, y1) in PDF points, top-left origin, page as displayed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.structure.values import BoxTuple, OutlineEntry


@dataclass(frozen=True, slots=True)
class RawSpan:
    """A run of text in one font; size in points; block and line as MuPDF numbers them.

    font: its name in the PDF, "" if unknown.
    """

    text: str
    box: BoxTuple
    size: float
    bold: bool
    italic: bool
    block: int
    line: int
    font: str = ""


@dataclass(frozen=True, slots=True)
class RawRegion:
    """A region that the layout model recognised.

    kind: its class name, such as "table", "picture", "caption", "section-header",
    "page-header", "page-footer", "list-item", "text".
    """

    kind: str
    box: BoxTuple


@dataclass(frozen=True, slots=True)
class RawPage:
    """One page as read: text with fonts, boxes of vector drawings and of images.

    spans: empty for a page read by OCR; then words alone carries the text.
    regions: what the layout model saw, empty when it was not asked.
    """

    page: int
    width: float
    height: float
    spans: tuple[RawSpan, ...]
    words: PageWords
    drawings: tuple[BoxTuple, ...]
    images: tuple[BoxTuple, ...]
    regions: tuple[RawRegion, ...]
    ocr: bool


@dataclass(frozen=True, slots=True)
class DocumentStyle:
    """What the pages of a document have in common.

    body_size: the font size most characters are set in, 0 if unknown.
    repeated: margin lines seen on many pages, digits replaced by "#".
    outline: the PDF's table of contents. title: shown name of the document.
    """

    body_size: float = 0.0
    repeated: frozenset[str] = frozenset()
    outline: Sequence[OutlineEntry] = field(default_factory=tuple)
    title: str = ""
