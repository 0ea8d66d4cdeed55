"""Pages on paper: the dialog, and a job that draws one page after the other off the UI thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QImage, QPageLayout, QPainter, QTransform
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog

from desktop.ui.viewer.output.page_picture import draw_picture
from desktop.ui.viewer.pages import page_painter
from desktop.ui.viewer.pages.overlays import PageMarks
from desktop.ui.viewer.pages.page_painter import PageFrame

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.ui.viewer.manuals.open_document import OpenDocument
    from desktop.ui.viewer.manuals.source import PageDrawer
    from desktop.ui.viewer.manuals.task_thread import TaskThread
    from desktop.ui.viewer.pages.page_view import PageView

MOST_DPI = 300.0


def ask_printer(parent: QWidget, pages: int, page: int, then: Callable[[QPrinter], None]) -> None:
    """Ask for a printer and which pages; `then` gets it unless a person changes their mind."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    dialog = QPrintDialog(printer, parent)
    dialog.setOption(QAbstractPrintDialog.PrintDialogOption.PrintCurrentPage, True)
    dialog.setMinMax(1, pages)
    # one page: nobody wants all of a thousand by pressing Enter
    dialog.setFromTo(page + 1, page + 1)
    dialog.setPrintRange(QAbstractPrintDialog.PrintRange.PageRange)
    dialog.accepted.connect(lambda: then(printer))
    dialog.finished.connect(dialog.deleteLater)
    QDialog.open(dialog)  # its own `open` asks for a slot by name


def wanted_pages(printer: QPrinter, count: int, current: int) -> range:
    """Return the pages, from 0, that the dialog was left with."""
    match printer.printRange():
        case QPrinter.PrintRange.CurrentPage:
            return range(current, current + 1)
        case QPrinter.PrintRange.PageRange if printer.fromPage():
            first = min(printer.fromPage(), count) - 1
            return range(first, max(first + 1, min(printer.toPage(), count)))
        case _:
            return range(count)


class PrintJob(QObject):
    """Prints pages as they are shown: turned as they are, with the regions of the answer."""

    said = Signal(str)

    def __init__(
        self,
        printer: QPrinter,
        document: OpenDocument,
        view: PageView,
        drawer: PageDrawer,
        tasks: TaskThread,
    ) -> None:
        super().__init__(view)
        self._printer, self._document, self._view = printer, document, view
        self._drawer, self._tasks, self._turn = drawer, tasks, view.turn
        self._pages = wanted_pages(printer, len(document.pages), view.page)
        self._painter: QPainter | None = None
        self._cancelled = False

    @property
    def running(self) -> bool:
        return self._painter is not None

    def start(self) -> None:
        """Draw the first page; each one that is printed asks for the next."""
        self._set_up_paper(self._pages[0])
        painter = QPainter()
        if not painter.begin(self._printer):
            self.said.emit(self.tr("The printer does not answer: choose another one"))
            return
        self._painter = painter
        self._draw(self._pages[0])

    def cancel(self) -> None:
        """Print nothing more; what the printer has got it may keep."""
        self._cancelled = True
        self._end()

    def _draw(self, page: int) -> None:
        number, count = page - self._pages[0] + 1, len(self._pages)
        self.said.emit(self.tr("Printing page {n} of {count}…").format(n=number, count=count))
        dpi = min(MOST_DPI, float(self._printer.resolution()))
        self._tasks.submit(
            lambda: draw_picture(self._drawer, self._document, page, dpi),
            lambda picture: self._put(page, picture),
            lambda error: self._failed(page, error),
        )

    def _put(self, page: int, picture: QImage) -> None:
        if self._cancelled or self._painter is None:
            return
        self._paint(self._painter, page, picture)
        if page + 1 in self._pages:
            self._set_up_paper(page + 1)
            self._printer.newPage()
            self._draw(page + 1)
        else:
            self._end()
            self.said.emit(self.tr("Sent to the printer"))

    def _paint(self, painter: QPainter, page: int, picture: QImage) -> None:
        sheet = self._with_marks(page, picture)
        paper = QRectF(painter.viewport())
        keep = Qt.AspectRatioMode.KeepAspectRatio
        size = QSizeF(sheet.size()).scaled(paper.size(), keep)
        area = QRectF(0, 0, size.width(), size.height())
        area.moveCenter(paper.center())
        painter.drawImage(area, sheet)

    def _with_marks(self, page: int, picture: QImage) -> QImage:
        """Return the page turned as it is shown, with the answer's regions on it.

        On the picture and not on the paper: printers do not multiply colours, and a marker
        would cover the words.
        """
        sheet = picture.transformed(QTransform().rotate(90.0 * self._turn))
        sheet = sheet.convertToFormat(QImage.Format.Format_RGB32)
        width, height = (float(side) for side in self._document.sizes[page])
        scale = sheet.width() / (height if self._turn % 2 else width)
        area = QRectF(0, 0, sheet.width() / scale, sheet.height() / scale)
        marks = self._view.overlays.on_page(self._document.id, page)
        painter = QPainter(sheet)
        painter.scale(scale, scale)
        frame = PageFrame(area, width, height, self._turn)
        page_painter.paint_marks(painter, frame, PageMarks(regions=marks.regions))
        painter.end()
        return sheet

    def _set_up_paper(self, page: int) -> None:
        """Turn the paper as the page is: drawings are wide, text is tall."""
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
