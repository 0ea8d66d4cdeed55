"""A manual being written: text flows down sheets that are added when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pymupdf

from .canvas import Canvas
from .identity import MAKER, PRODUCT, PRODUCT_LINE, Identity
from .notices import Notice
from .rich_text import Line, set_lines, wrap
from .sheets import Chapter, Sheet, Storage, new_sheet, page_label_rules, print_margins
from .special_sheets import ScannedWord, store_scanned, store_turned, store_with_crop_box
from .theme import ACCENT, BODY_LEADING, BODY_SIZE, CAPTION_SIZE, INK, Frame

if TYPE_CHECKING:
    from .table import Row, Table

KEY_SIZE = 8.8
Rect = tuple[float, float, float, float]
FigurePen = Callable[[Canvas, Rect], None]


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A line of the table of contents; the page is zero-based."""

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class MarkedBox:
    """Where a table row or a figure was drawn, in points on the page as displayed."""

    page: int
    box: Rect


class Manual:
    """Writes one manual from top to bottom and remembers where everything landed."""

    def __init__(self, identity: Identity) -> None:
        self.identity = identity
        self.document = pymupdf.open()
        self.sheets: list[Sheet] = []
        self.outline: list[OutlineEntry] = []
        self.rows: list[MarkedBox] = []
        self.figures: dict[str, MarkedBox] = {}
        self.scanned_words: dict[int, list[ScannedWord]] = {}
        self._chapter = Chapter("", "Contents")
        self._counts = {"Table": 0, "Figure": 0}
        self._y = 0.0
        self._opening_y = 0.0

    @property
    def canvas(self) -> Canvas:
        """The sheet being written."""
        return self.sheets[-1].canvas

    @property
    def frame(self) -> Frame:
        """Geometry of the sheet being written."""
        return self.sheets[-1].frame

    def page(self, storage: Storage = "plain", margins: bool = True) -> Canvas:
        """Start the next sheet of the current chapter."""
        same = [sheet for sheet in self.sheets if sheet.chapter == self._chapter]
        sheet = new_sheet(self.document, self._chapter, len(same) + 1, storage)
        self.sheets.append(sheet)
        if margins:
            print_margins(sheet, self.identity)
        self._y = self._opening_y = sheet.frame.top
        return sheet.canvas

    def need(self, height: float) -> None:
        """Go to a new sheet unless this many points are left on the present one."""
        if self._y + height > self.frame.bottom:
            self.page()

    def space(self, points: float) -> None:
        """Leave white space."""
        self._y += points

    def chapter(self, mark: str, title: str) -> None:
        """Open a chapter on a new sheet."""
        self._chapter = Chapter(mark, title)
        self._counts = {"Table": 0, "Figure": 0}
        self.page()
        name = f"Annex {mark}" if mark.isalpha() else mark
        self.outline.append(OutlineEntry(1, f"{name}  {title}", len(self.sheets) - 1))
        width = self.canvas.text(self.frame.left, self._y + 22, name, 25, "bold", ACCENT)
        self.canvas.text(self.frame.left + width + 14, self._y + 22, title, 25, "bold", INK)
        rule = self._y + 36
        self.canvas.line([(self.frame.left, rule), (self.frame.left + 54, rule)], ACCENT, 2.4)
        self._y += 58
        self._opening_y = self._y

    def section(self, title: str, keep: float = 60.0) -> None:
        """Set a section heading that stays with what follows."""
        self.need(30 + keep)
        if self._y > self._opening_y:
            self._y += 8
        self.outline.append(OutlineEntry(2, title, len(self.sheets) - 1))
        self.canvas.text(self.frame.left, self._y + 13, title, 13.2, "bold", ACCENT)
        self._y += 23

    def subheading(self, title: str, keep: float = 50.0) -> None:
        """Set a small heading that is not in the outline."""
        self.need(18 + keep)
        self.canvas.text(self.frame.left, self._y + 12, title, 10.2, "bold")
        self._y += 18

    def text(self, content: str) -> None:
        """Set a paragraph."""
        lines = wrap(content, self.frame.column, BODY_SIZE)
        self._set(lines, self.frame.left)
        self._y += 6

    def _set(self, lines: list[Line], x: float) -> None:
        self.need(len(lines) * BODY_LEADING)
        self._y = set_lines(self.canvas, x, self._y, lines, BODY_SIZE, BODY_LEADING)

    def steps(self, items: Sequence[str]) -> None:
        """Set a procedure with numbered steps; a line break in an item starts its result."""
        for number, item in enumerate(items, 1):
            lines = wrap(item, self.frame.column - 22, BODY_SIZE)
            self.need(len(lines) * BODY_LEADING)
            baseline = self._y + (BODY_LEADING + BODY_SIZE * 0.66) / 2
            self.canvas.text(
                self.frame.left + 12, baseline, f"{number}.", BODY_SIZE, "bold", ACCENT, "right"
            )
            self._set(lines, self.frame.left + 22)
            self._y += 3
        self._y += 5

    def bullets(self, items: Sequence[str]) -> None:
        """Set a list without order."""
        for item in items:
            lines = wrap(item, self.frame.column - 22, BODY_SIZE)
            self.need(len(lines) * BODY_LEADING)
            middle = self._y + BODY_LEADING / 2
            self.canvas.circle(self.frame.left + 10, middle, 1.5, ACCENT, ACCENT, 0.2)
            self._set(lines, self.frame.left + 22)
            self._y += 2
        self._y += 5

    def notice(self, word: str, content: str) -> None:
        """Set a DANGER, WARNING, CAUTION or NOTE box."""
        notice = Notice(word, content, self.frame.column)
        self.need(notice.height + 8)
        notice.draw(self.canvas, self.frame.left, self._y + 2)
        self._y += notice.height + 12

    def caption(self, kind: str, title: str) -> str:
        """Count a table or figure of this chapter and return its full caption."""
        self._counts[kind] += 1
        return f"{kind} {self._chapter.mark}-{self._counts[kind]}  {title}"

    def _print_caption(self, caption: str) -> None:
        name, title = caption.split("  ", 1)
        baseline = self._y + 9
        width = self.canvas.text(self.frame.left, baseline, name, CAPTION_SIZE, "bold", ACCENT)
        self.canvas.text(self.frame.left + width + 7, baseline, title, CAPTION_SIZE, "bold")
        self._y += 16

    def table(self, title: str, table: Table) -> None:
        """Set a table under its caption; rows that do not fit go on with the head repeated."""
        caption = self.caption("Table", title)
        table.fit(self.frame.column)
        self.need(16 + table.height_of_start())
        self._print_caption(caption)
        self._draw_row(table, table.head)
        for row in table.rows:
            if self._y + row.height > self.frame.bottom:
                table.close(self.canvas, self.frame.left, self._y)
                self.page()
                self._print_caption(f"{caption} (continued)")
                self._draw_row(table, table.head)
            self._draw_row(table, row)
        table.close(self.canvas, self.frame.left, self._y)
        self._y += 14

    def _draw_row(self, table: Table, row: Row) -> None:
        left, top = self.frame.left, self._y
        table.draw_row(self.canvas, left, top, row)
        self._y += row.height
        box = (left, top, left + self.frame.column, self._y)
        self.rows.append(MarkedBox(len(self.sheets) - 1, box))

    def figure(self, title: str, height: float, pen: FigurePen) -> None:
        """Draw a figure with its caption below."""
        self.need(height + 32)
        self._y += 6
        box = (self.frame.left, self._y, self.frame.right, self._y + height)
        pen(self.canvas, box)
        self._y += height + 5
        caption = self.caption("Figure", title)
        self.figures[caption.split("  ")[0]] = MarkedBox(len(self.sheets) - 1, box)
        self._print_caption(caption)
        self._y += 8

    def legend(self, entries: Sequence[tuple[str, str]], columns: int = 2) -> None:
        """Set the key of a figure's numbers in columns."""
        per_column = -(-len(entries) // columns)
        width = self.frame.column / columns
        self.need(per_column * 12.4)
        for number, (key, meaning) in enumerate(entries):
            column, row = divmod(number, per_column)
            x, y = self.frame.left + column * width, self._y + row * 12.4 + 9
            self.canvas.text(x, y, key, KEY_SIZE, "bold", ACCENT)
            self.canvas.text(x + 24, y, meaning, KEY_SIZE)
        self._y += per_column * 12.4 + 8

    def finish(self) -> pymupdf.Document:
        """Write every sheet, store the special ones, add outline, labels and metadata."""
        for sheet in self.sheets:
            sheet.canvas.commit(self.document[sheet.index])
        self.document.subset_fonts()
        for sheet in self.sheets:
            self._store(sheet)
        self.document.set_toc([[e.level, e.title, e.page + 1] for e in self.outline])
        self.document.set_page_labels(page_label_rules(self.sheets))
        self.document.set_metadata(
            {
                "title": f"{PRODUCT} {PRODUCT_LINE}, {self.identity.title}",
                "author": MAKER,
                "subject": f"{self.identity.number}, {self.identity.edition}",
                "creationDate": self.identity.pdf_date,
                "modDate": self.identity.pdf_date,
            }
        )
        return self.document

    def _store(self, sheet: Sheet) -> None:
        page = self.document[sheet.index]
        if sheet.storage == "turned":
            store_turned(page)
        elif sheet.storage == "cropped":
            store_with_crop_box(page)
        elif sheet.storage == "scanned":
            self.scanned_words[sheet.index] = store_scanned(page)
