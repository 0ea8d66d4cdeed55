"""The sheets of one manual: making them, their printed labels, headers and footers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .canvas import Canvas
from .identity import MAKER, PRODUCT, PRODUCT_LINE, Identity
from .theme import ACCENT, HAIRLINE, LANDSCAPE, MUTED, PORTRAIT, WHITE, Frame

if TYPE_CHECKING:
    import pymupdf

Storage = Literal["plain", "turned", "cropped", "scanned"]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter as it is numbered and titled; the front matter has an empty mark."""

    mark: str
    title: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page: where it is in the file, what label is printed on it, how it is stored."""

    index: int
    chapter: Chapter
    folio: int
    canvas: Canvas
    storage: Storage

    @property
    def label(self) -> str:
        """The printed page label, such as "4-11" or "ii"."""
        if self.chapter.mark:
            return f"{self.chapter.mark}-{self.folio}"
        return "i" * self.folio

    @property
    def frame(self) -> Frame:
        """The sheet as displayed."""
        return self.canvas.frame


def new_sheet(document: pymupdf.Document, chapter: Chapter, folio: int, storage: Storage) -> Sheet:
    """Add an empty sheet at the end of the document."""
    frame = LANDSCAPE if storage == "turned" else PORTRAIT
    document.new_page(width=frame.width, height=frame.height)
    return Sheet(document.page_count - 1, chapter, folio, Canvas(frame), storage)


def print_margins(sheet: Sheet, identity: Identity) -> None:
    """Print header, footer, page label and the chapter's thumb tab."""
    canvas, frame = sheet.canvas, sheet.frame
    head = frame.top - 34
    running_head = f"{PRODUCT} {PRODUCT_LINE}"
    width = canvas.text(frame.left, head, running_head, 8.2, "bold", ACCENT)
    canvas.text(frame.left + width + 6, head, identity.title, 8.2, colour=MUTED)
    chapter = f"{sheet.chapter.mark}  {sheet.chapter.title}".strip()
    canvas.text(frame.right, head, chapter, 8.2, colour=MUTED, align="right")
    canvas.line([(frame.left, head + 7), (frame.right, head + 7)], HAIRLINE, 0.6)
    foot = frame.height - 40
    canvas.line([(frame.left, foot - 12), (frame.right, foot - 12)], HAIRLINE, 0.6)
    canvas.text(frame.left, foot, f"{MAKER}  |  {identity.number}", 7.8, colour=MUTED)
    canvas.text(frame.right, foot + 1, sheet.label, 10.5, "bold", ACCENT, "right")
    if sheet.chapter.mark:
        _thumb_tab(sheet)


def _thumb_tab(sheet: Sheet) -> None:
    canvas, frame, mark = sheet.canvas, sheet.frame, sheet.chapter.mark
    step = 9 + ord(mark) - ord("A") if mark.isalpha() else int(mark) - 1
    top = 112.0 + step * (32.0 if frame is LANDSCAPE else 40.0)
    canvas.rect((frame.width - 20, top, frame.width, top + 28), fill=ACCENT, colour=None)
    canvas.text(frame.width - 10, top + 18, mark, 10.5, "bold", WHITE, "centre")


def page_label_rules(sheets: list[Sheet]) -> list[dict[str, str | int]]:
    """Return the PDF's page label rules: Roman front matter, then one series per chapter."""
    rules: list[dict[str, str | int]] = []
    for sheet in sheets:
        if sheet.folio != 1:
            continue
        mark = sheet.chapter.mark
        rules.append(
            {
                "startpage": sheet.index,
                "prefix": f"{mark}-" if mark else "",
                "style": "D" if mark else "r",
                "firstpagenum": 1,
            }
        )
    return rules
