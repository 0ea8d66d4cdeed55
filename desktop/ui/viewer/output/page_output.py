"""Pages leave the window: as a picture in a file or on the clipboard, or on paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Signal
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QTransform
from PySide6.QtWidgets import QFileDialog

from desktop.ui.viewer.manuals.task_thread import TaskThread
from desktop.ui.viewer.output.page_picture import draw_picture
from desktop.ui.viewer.output.printing import PrintJob, ask_printer

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtPrintSupport import QPrinter

    from desktop.core.geometry import Box
    from desktop.ui.viewer.manuals.source import PageDrawer
    from desktop.ui.viewer.pages.page_view import PageView
    from desktop.ui.viewer.region.page_area import PageArea

PICTURE_DPI = 200.0
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


class PageOutput(QObject):
    """said(text): what became of it, in a sentence."""

    said = Signal(str)

    def __init__(self, view: PageView, drawer: PageDrawer) -> None:
        super().__init__(view)
        self._view, self._drawer = view, drawer
        self._thread: TaskThread | None = None
        self._job: PrintJob | None = None
        self._closed = False
        self.choose_file: Callable[[str, Callable[[str], None]], None] = self._choose_file
        self.choose_printer: Callable[[Callable[[QPrinter], None]], None] = self._choose_printer

    def save_page(self) -> None:
        """Ask where to, and save the page in view as it is turned."""
        document = self._view.document
        if document is not None and document.pages:
            self._save(self._view.page, None)

    def save_area(self, area: PageArea) -> None:
        """Ask where to, and save a part of a page."""
        self._save(area.page, area.box)

    def copy_area(self, area: PageArea) -> None:
        """Put a part of a page on the clipboard."""

        def copy(picture: QImage) -> None:
            QGuiApplication.clipboard().setImage(picture)
            self.said.emit(self.tr("The picture is on the clipboard"))

        self._draw(area.page, area.box, copy)

    def print_pages(self) -> None:
        """Ask for printer and pages, and print them as they are drawn here."""
        if self._view.document is not None and self._view.document.pages:
            self.choose_printer(self._print)

    def shutdown(self) -> None:
        """Give up what is being printed, and join the thread."""
        self._closed = True
        if self._job is not None:
            self._job.cancel()
        if self._thread is not None:
            self._thread.shutdown()

    def _save(self, page: int, box: Box | None) -> None:
        document = self._view.document
        if document is None:
            return
        title = f"{document.record.title or document.record.name} {document.label(page)}"
        name = _NOT_IN_NAMES.sub("-", title).strip("-") + ".png"

        def write(picture: QImage, path: str) -> None:
            if QImageWriter(path, QByteArray(b"png")).write(picture):
                self.said.emit(self.tr("Saved as {name}").format(name=Path(path).name))
            else:
                self.said.emit(
                    self.tr("{name} could not be written: choose another folder").format(
                        name=Path(path).name
                    )
                )

        self.choose_file(
            name, lambda path: self._draw(page, box, lambda picture: write(picture, path))
        )

    def _draw(self, page: int, box: Box | None, then: Callable[[QImage], None]) -> None:
        document, turn = self._view.document, self._view.turn
        if document is None or self._closed:
            return
        self.tasks().submit(
            lambda: draw_picture(self._drawer, document, page, PICTURE_DPI, box),
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
            self.said.emit(self.tr("Something is being printed already: wait until it is done"))
            return
        self._job = PrintJob(printer, document, self._view, self._drawer, self.tasks())
        self._job.said.connect(self.said)
        self._job.start()

    def tasks(self) -> TaskThread:
        """Return the thread that draws; it is made when something is drawn."""
        if self._thread is None:
            self._thread = TaskThread("viewer-output", self)
        return self._thread

    def _choose_file(self, name: str, then: Callable[[str], None]) -> None:
        dialog = QFileDialog(self._view, self.tr("Save as Picture"), str(Path.home() / name))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(self.tr("PNG pictures (*.png)"))
        dialog.setDefaultSuffix("png")
        dialog.fileSelected.connect(then)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _choose_printer(self, then: Callable[[QPrinter], None]) -> None:
        document = self._view.document
        if document is not None:
            ask_printer(self._view, len(document.pages), self._view.page, then)
