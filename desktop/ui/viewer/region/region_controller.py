"""A framed region from the first corner to what is done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop.ui.viewer.region.region_tool import RegionTool
from desktop.ui.viewer.text.selection import citation, words_inside

if TYPE_CHECKING:
    from desktop.ui.viewer.output.page_output import PageOutput
    from desktop.ui.viewer.pages.page_view import PageView
    from desktop.ui.viewer.region.page_area import PageArea
    from desktop.ui.viewer.region.region_bar import RegionBar
    from desktop.ui.viewer.text.words import WordStore


class RegionController(QObject):
    """asked(area, question): explain this `PageArea`. said(text): a sentence for the status.

    changed(): there is a region now, or none any more.
    """

    asked = Signal(object, str)
    said = Signal(str)
    changed = Signal()

    def __init__(
        self,
        view: PageView,
        words: WordStore,
        bar: RegionBar,
        output: PageOutput,
        mode: QAction,
    ) -> None:
        super().__init__(view)
        self._view, self._words, self._bar, self._output = view, words, bar, output
        self._tool = RegionTool(view, mode)
        self._tool.framed.connect(self.show)
        self._tool.slipped.connect(self.drop)
        mode.toggled.connect(self._begun)
        bar.asked.connect(self._ask)
        bar.left.connect(self.drop)

    @property
    def area(self) -> PageArea | None:
        return self._view.overlays.region

    def begin(self) -> None:
        """The pages need the keyboard: Enter takes what is in view, Esc gives up."""
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def show(self, area: PageArea) -> None:
        """Take a framed region and offer what can be done with it."""
        document = self._view.document
        if document is None or document.id != area.document_id:
            return
        self._set(area)
        self._bar.open_bar(document.label(area.page))

    def drop(self) -> None:
        """Take the frame away."""
        focused = QApplication.focusWidget()
        had_keyboard = focused is not None and self._bar.isAncestorOf(focused)
        self._bar.hide()
        self._set(None)
        if had_keyboard:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def forget_document(self, document_id: int) -> None:
        """Take the frame of a manual away that is no longer in view."""
        if self.area is not None and self.area.document_id == document_id:
            self.drop()

    def copy_words(self) -> None:
        """Put the region's words on the clipboard as a quotation with title and page."""
        document, area = self._view.document, self.area
        if document is None or area is None:
            return
        title, label = document.record.title, document.label

        def copy(text: str) -> None:
            if not text:
                self.said.emit(self.tr("There are no words in this region"))
                return
            pages = range(area.page, area.page + 1)
            QGuiApplication.clipboard().setText(citation(text, title, pages, label))
            self.said.emit(self.tr("Copied"))

        self._words.with_pages(
            document.id, [area.page], lambda found: copy(words_inside(found[area.page], area.box))
        )

    def copy_picture(self) -> None:
        """Put the region on the clipboard as a picture."""
        if self.area is not None:
            self._output.copy_area(self.area)

    def save_picture(self) -> None:
        """Ask where to, and save the region as a PNG file."""
        if self.area is not None:
            self._output.save_area(self.area)

    def _begun(self, on: bool) -> None:
        if not on:
            self.said.emit("")  # what to do is done
        else:
            self._set(None)
            self._bar.hide()
            self.said.emit(
                self.tr("Draw a frame on the page. Enter takes what is in view, Esc gives up.")
            )

    def _ask(self, question: str) -> None:
        area = self.area
        if area is not None:
            # the answer marks the region by itself, with its number
            self.drop()
            self.asked.emit(area, question)

    def _set(self, area: PageArea | None) -> None:
        self._view.overlays.region = area
        self._view.viewport().update()
        self.changed.emit()
