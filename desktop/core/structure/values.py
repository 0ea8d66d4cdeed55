"""The plain values of a page: what reading and understanding it gives, what crosses the pipe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BlockKind = Literal[
    "heading", "text", "list", "table", "figure", "caption", "warning", "header", "footer"
]
UnitKind = Literal["row", "paragraph", "item", "heading", "caption", "label", "window"]
BoxTuple = tuple[float, float, float, float]
"""(x0, y0, x1, y1): PDF points, top-left origin, page as displayed."""


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One line of the PDF's table of contents; level from 1, page zero-based (-1: none)."""

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What opening a PDF tells. labels: the PDF's own page labels, "" where it has none."""

    page_count: int
    title: str
    outline: tuple[OutlineEntry, ...]
    labels: tuple[str, ...]
    metadata: dict[str, str]


@dataclass(frozen=True, slots=True)
class PageText:
    """The text layer of one page (pass 1).

    width, height: displayed size in points. words: `PageWords.to_bytes()`.
    error: why the page could not be read, as `to_text` of `desktop.sentences` writes it; then words
        is empty.
    """

    page: int
    width: float
    height: float
    words: bytes
    error: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the page's layout in reading order (position counts from 0).

    section: headings above it on the way down, outermost first.
    level: heading level from 1, else 0.
    warning: DANGER, WARNING, CAUTION or NOTE for kind "warning", else "".
    """

    position: int
    kind: BlockKind
    text: str
    box: BoxTuple
    section: tuple[str, ...] = ()
    level: int = 0
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Unit:
    """A searchable piece of a page: a table row, a sentence group, a caption, a window.

    text: what is quoted. context: headings, table header or list lead-in that give it
    meaning and are searched with it. boxes: one per line it covers.
    header_boxes: the table header or lead-in to highlight with it.
    embed: whether it gets a text vector.
    """

    kind: UnitKind
    text: str
    context: str
    boxes: tuple[BoxTuple, ...]
    header_boxes: tuple[BoxTuple, ...]
    block: int
    embed: bool


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The structured page (pass 2).

    words: replaces pass 1's words where OCR added some or lines cut some in two, else b"".
    margin_label: page number printed in the margin, "" if none was seen.
    slow_to_draw: the viewer should let the parser draw this page. end: what the next page goes on
    with, its headings and the table it ends with, for the parser alone.
    """

    page: int
    blocks: tuple[Block, ...]
    units: tuple[Unit, ...]
    words: bytes
    ocr: bool
    margin_label: str
    slow_to_draw: bool
    error: str = ""
    end: bytes = b""


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link on a page. page: where it leads, zero-based, -1 if outside the document.

    box: where it stands. down: points from the upper edge of the target page.
    address: of a link that leads out of the document; it is shown and never opened.
    """

    box: BoxTuple
    page: int = -1
    down: float = 0.0
    address: str = ""


@dataclass(frozen=True, slots=True)
class PageHighlight:
    """Words of a page to be highlighted in a copy of a PDF. page: from 0.

    boxes: one per line, points of the page as displayed. rgb: of the pen, each from 0
    to 1.
    comment: "" for none.
    """

    page: int
    boxes: tuple[BoxTuple, ...]
    rgb: tuple[float, float, float]
    comment: str = ""


@dataclass(frozen=True, slots=True)
class PageImage:
    """A drawn page or part of it: RGB bytes, row after row, without padding."""

    width: int
    height: int
    rgb: bytes

    def pixels(self) -> NDArray[np.uint8]:
        """Return it as an array, shape (height, width, 3), which cannot be written to."""
        import numpy as np  # most users of this module start without it

        return np.frombuffer(self.rgb, np.uint8).reshape(self.height, self.width, 3)


@dataclass(frozen=True, slots=True)
class PhotoLine:
    """A line that OCR read. box: pixels of the photo's image. confidence: 0 to 1."""

    text: str
    box: BoxTuple
    confidence: float


@dataclass(frozen=True, slots=True)
class PhotoText:
    """What a photo says, from top to bottom. image: the photo, upright and of modest size."""

    lines: tuple[PhotoLine, ...]
    image: PageImage
