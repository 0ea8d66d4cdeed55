"""Printing a PDF that we wrote, through the system's own print dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtPrintSupport import QPrinter
    from PySide6.QtWidgets import QWidget


def can_print() -> bool:
    """Whether this system has a printer."""
    from PySide6.QtPrintSupport import QPrinterInfo

    return bool(QPrinterInfo.availablePrinterNames())


def print_pdf(pdf: Path, parent: QWidget) -> None:
    """Ask for the printer and print every page, each as large as the paper allows."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(pdf.stem)
    dialog = QPrintDialog(printer, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.accepted.connect(lambda: print_pages(pdf, printer))
    dialog.setModal(True)
    dialog.show()


def print_pages(pdf: Path, printer: QPrinter) -> int:
    """Print the pages of a PDF; returns how many."""
    from PySide6.QtPdf import QPdfDocument

    document = QPdfDocument()
    document.load(str(pdf))
    painter = QPainter(printer)
    paper = printer.pageRect(printer.Unit.DevicePixel)
    for page in range(document.pageCount()):
        if page:
            printer.newPage()
        points = document.pagePointSize(page)
        scale = min(paper.width() / points.width(), paper.height() / points.height())
        size = QSize(round(points.width() * scale), round(points.height() * scale))
        area = QRectF((paper.width() - size.width()) / 2, 0, size.width(), size.height())
        painter.drawImage(area, document.render(page, size))
    count = document.pageCount()
    painter.end()
    document.close()
    return count
