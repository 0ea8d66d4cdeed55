"""Pages leave the window: as a picture in a file, on the clipboard or dragged, or on paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QByteArray,
    QMimeData,
    QObject,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDrag,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageLayout,
    QPainter,
    QPixmap,
    QTransform,
)
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QWidget

from desktop.ui.bridge import Errands
from desktop.ui.files import choose_place, file_name
from desktop.ui.viewer import page_painter
from desktop.ui.viewer.overlays import PageArea, PageMarks
from desktop.ui.viewer.page_painter import PageFrame
from desktop.ui.viewer.page_pictures import as_image
from desktop.ui.viewer.selection import citation

if TYPE_CHECKING:
    from desktop.core.geometry import Box
    from desktop.core.parsing.parser import Parser
    from desktop.core.structure.values import PageHighlight
    from desktop.ui.viewer.document import OpenDocument
    from desktop.ui.viewer.page_view import PageView


MOST_DPI = 300.0


def wanted_pages(printer: QPrinter, count: int, current: int) -> range:
    """Return the pages, from 0, that were chosen in the dialog."""
    match printer.printRange():
        case QPrinter.PrintRange.CurrentPage:
            return range(current, current + 1)
        case QPrinter.PrintRange.PageRange if printer.fromPage():
            first = min(printer.fromPage(), count) - 1
            return range(first, max(first + 1, min(printer.toPage(), count)))
        case _:
            return range(count)


class PrintJob(QObject):
    """Prints pages as they are shown: turned the same way, with all their highlights."""

    said = Signal(str)

    def __init__(
        self,
        printer: QPrinter,
        document: OpenDocument,
        view: PageView,
        parser: Parser,
        tasks: Errands,
    ) -> None:
        super().__init__(view)
        self._printer, self._document, self._view = printer, document, view
        self._parser, self._tasks, self._turn = parser, tasks, view.turn
        self._pages = wanted_pages(printer, len(document.pages), view.page)
        self._painter: QPainter | None = None
        self._cancelled = False

    @property
    def running(self) -> bool:
        return self._painter is not None

    def start(self) -> None:
        """Draw the first page; each page printed asks for the next."""
        self._set_up_paper(self._pages[0])
        painter = QPainter()
        if not painter.begin(self._printer):
            self.said.emit(self.tr("The printer is not responding: choose another one"))
            return
        self._painter = painter
        self._draw(self._pages[0])

    def cancel(self) -> None:
        """Print nothing more; the printer may keep what it already has."""
        self._cancelled = True
        self._end()

    def _draw(self, page: int) -> None:
        number, count = page - self._pages[0] + 1, len(self._pages)
        self.said.emit(self.tr("Printing page {n} of {count}…").format(n=number, count=count))
        dpi = min(MOST_DPI, float(self._printer.resolution()))
        self._tasks.run(
            lambda: draw_picture(self._parser, self._document, page, dpi),
            lambda picture: self._put(page, picture),
            lambda error: self._failed(page, error),
        )

    def _put(self, page: int, picture: QImage) -> None:
        if self._cancelled or self._painter is None:
            return
        painter = self._painter
        sheet, paper = self._with_marks(page, picture), QRectF(painter.viewport())
        size = QSizeF(sheet.size()).scaled(paper.size(), Qt.AspectRatioMode.KeepAspectRatio)
        area = QRectF(QPointF(), size)
        area.moveCenter(paper.center())
        painter.drawImage(area, sheet)
        if page + 1 in self._pages:
            self._set_up_paper(page + 1)
            self._printer.newPage()
            self._draw(page + 1)
        else:
            self._end()
            self.said.emit(self.tr("Sent to the printer"))

    def _with_marks(self, page: int, picture: QImage) -> QImage:
        """Return the page turned as it is shown, with the answer's regions on it.

        They go onto the picture, not the paper: printers do not multiply colours, and a
        marker would cover the words.
        """
        sheet = picture.transformed(QTransform().rotate(90.0 * self._turn))
        width, height = (float(side) for side in self._document.sizes[page])
        scale = sheet.width() / (height if self._turn % 2 else width)
        area = QRectF(0, 0, sheet.width() / scale, sheet.height() / scale)
        marks = self._view.overlays.on_page(self._document.id, page)
        with QPainter(sheet) as painter:
            painter.scale(scale, scale)
            frame = PageFrame(area, width, height, self._turn)
            page_painter.paint_marks(
                painter, frame, PageMarks(regions=marks.regions, annotations=marks.annotations)
            )
        return sheet

    def _set_up_paper(self, page: int) -> None:
        """Turn the paper to match the page: drawings are wide, text is tall."""
        width, height = self._document.sizes[page]
        wide = (width > height) != bool(self._turn % 2)
        orientation = QPageLayout.Orientation
        self._printer.setPageOrientation(orientation.Landscape if wide else orientation.Portrait)

    def _failed(self, page: int, error: Exception) -> None:
        self._end()
        label = self._document.label(page)
        self.said.emit(
            self.tr("Printing stopped at page {page}: {why}").format(page=label, why=error)
        )

    def _end(self) -> None:
        painter, self._painter = self._painter, None
        if painter is not None and painter.isActive():
            painter.end()


POINTS_PER_INCH = 72.0


def draw_picture(
    parser: Parser, document: OpenDocument, page: int, dpi: float, box: Box | None = None
) -> QImage:
    """Draw a page, or a box of it in points, upright on white; very large ones are reduced.

    Blocks. Raises: LibraryError, OSError; ValueError, if there is nothing to draw.
    """
    clip = None if box is None else box.as_tuple()
    drawn = parser.draw(document.path, page, dpi / POINTS_PER_INCH, clip, document.password)
    if not drawn.width or not drawn.height:
        raise ValueError("there is nothing to draw")
    return as_image(drawn)


_DRAGGED = QSize(240, 240)
"""Pixels that a dragged picture covers at most."""


def drag_picture(widget: QWidget, picture: QImage, title: str, label: str) -> None:
    """Drag a page or a part of it to another program, until it is dropped.

    It takes a picture, or the words that cite the page. label: the page's number.
    """
    paper = QImage(picture.size(), QImage.Format.Format_RGB32)
    paper.fill(Qt.GlobalColor.white)  # what is drawn is clear where its paper is empty
    with QPainter(paper) as painter:
        painter.drawImage(paper.rect(), picture)
    data = QMimeData()
    data.setImageData(paper)
    data.setText(citation("", title, range(1), lambda _: label))
    ratio = widget.devicePixelRatioF()
    seen = QPixmap.fromImage(paper)
    if paper.width() > _DRAGGED.width() * ratio or paper.height() > _DRAGGED.height() * ratio:
        keep, smooth = (
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        seen = seen.scaled(_DRAGGED * ratio, keep, smooth)
    seen.setDevicePixelRatio(ratio)
    drag = QDrag(widget)
    drag.setMimeData(data)
    drag.setPixmap(seen)
    drag.exec(Qt.DropAction.CopyAction)


PICTURE_DPI = 200.0


class PageOutput(QObject):
    """said(text): what the outcome was, in a sentence."""

    said = Signal(str)

    def __init__(self, view: PageView, parser: Parser) -> None:
        super().__init__(view)
        self._view, self._parser = view, parser
        self._tasks = Errands(self, name="viewer-output", resumes=True)
        self._job: PrintJob | None = None
        self._closed = False
        self.choose_file: Callable[[str, Callable[[Path], None]], None] = self._choose_file
        self.choose_printer: Callable[[Callable[[QPrinter], None]], None] = self._choose_printer

    def save_page(self) -> None:
        """Ask for a destination and save the page in view as it is turned."""
        document = self._view.document
        if document is not None and document.pages:
            self._save(self._view.page, None)

    def save_area(self, area: PageArea) -> None:
        """Ask for a destination and save a part of a page."""
        self._save(area.page, area.box)

    def copy_area(self, area: PageArea) -> None:
        """Put a part of a page on the clipboard."""

        def copy(picture: QImage) -> None:
            QGuiApplication.clipboard().setImage(picture)
            self.said.emit(self.tr("The picture is on the clipboard"))

        self._draw(area.page, area.box, copy)

    def save_highlighted(self, document: OpenDocument, marks: Sequence[PageHighlight]) -> None:
        """Ask for a destination and save a highlighted PDF; the library's own file is unchanged."""
        parser, password = self._parser, document.password
        title = file_name(document.record.title or document.record.name)

        def write(path: Path) -> None:
            self._tasks.run(
                lambda: parser.write_highlights(document.path, path, marks, password),
                lambda _: self.said.emit(self.tr("Saved as {name}").format(name=path.name)),
                lambda error: self.said.emit(
                    self.tr("{name} could not be written: {why}").format(name=path.name, why=error)
                ),
            )

        name = self.tr("{title} with highlights").format(title=title)
        self.choose_file(f"{name}.pdf", write)

    def print_pages(self) -> None:
        """Ask for printer and pages, and print the pages as they are drawn here."""
        if self._view.document is not None and self._view.document.pages:
            self.choose_printer(self._print)

    def shutdown(self) -> None:
        """Cancel any printing, and join the thread."""
        self._closed = True
        if self._job is not None:
            self._job.cancel()
        self._tasks.close()

    def _save(self, page: int, box: Box | None) -> None:
        document = self._view.document
        if document is None:
            return
        title = file_name(document.record.title or document.record.name)
        name = f"{title} {file_name(document.label(page))}.png"

        def write(picture: QImage, path: Path) -> None:
            if QImageWriter(str(path), QByteArray(b"png")).write(picture):
                says = self.tr("Saved as {name}")
            else:
                says = self.tr("{name} could not be written: choose another folder")
            self.said.emit(says.format(name=path.name))

        self.choose_file(
            name, lambda path: self._draw(page, box, lambda picture: write(picture, path))
        )

    def _draw(self, page: int, box: Box | None, then: Callable[[QImage], None]) -> None:
        document, turn = self._view.document, self._view.turn
        if document is None or self._closed:
            return
        self._tasks.run(
            lambda: draw_picture(self._parser, document, page, PICTURE_DPI, box),
            lambda picture: then(picture.transformed(QTransform().rotate(90.0 * turn))),
            lambda error: self.said.emit(
                self.tr("This page could not be drawn: {why}").format(why=error)
            ),
        )

    def _print(self, printer: QPrinter) -> None:
        document = self._view.document
        if document is None or self._closed:
            return
        if self._job is not None and self._job.running:
            self.said.emit(self.tr("Something is already printing: wait until it has finished"))
            return
        self._job = PrintJob(printer, document, self._view, self._parser, self._tasks)
        self._job.said.connect(self.said)
        self._job.start()

    def _choose_file(self, name: str, then: Callable[[Path], None]) -> None:
        title, kinds = self.tr("Save as picture"), {"png": self.tr("PNG pictures (*.png)")}
        if name.endswith(".pdf"):
            title = self.tr("Save copy with highlights")
            kinds = {"pdf": self.tr("PDF files (*.pdf)")}
        choose_place(self._view, title, str(Path.home() / name), kinds, then)

    def _choose_printer(self, then: Callable[[QPrinter], None]) -> None:
        document, page = self._view.document, self._view.page
        if document is None:
            return
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        dialog = QPrintDialog(printer, self._view)
        dialog.setOption(QAbstractPrintDialog.PrintDialogOption.PrintCurrentPage, True)
        dialog.setMinMax(1, len(document.pages))
        # one page: nobody wants all of a thousand by pressing Enter
        dialog.setFromTo(page + 1, page + 1)
        dialog.setPrintRange(QAbstractPrintDialog.PrintRange.PageRange)
        dialog.accepted.connect(lambda: then(printer))
        dialog.finished.connect(dialog.deleteLater)
        QDialog.open(dialog)  # its own `open` asks for a slot by name
