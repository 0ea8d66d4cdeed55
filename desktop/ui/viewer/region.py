"""A framed part of a page: drawn with the mouse, asked about, copied, saved or dragged out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QSizePolicy, QToolButton

from desktop.core.geometry import Box
from desktop.ui.design.controls import ENTER, Keys, fill, flat_button, push_button
from desktop.ui.design.popups import menu_of
from desktop.ui.design.tokens import Size, Space
from desktop.ui.viewer.output import drag_picture
from desktop.ui.viewer.overlays import PageArea
from desktop.ui.viewer.selection import citation, words_inside
from desktop.ui.viewer.toolbar import FloatingBar, action_button

if TYPE_CHECKING:
    from desktop.ui.viewer.document import WordStore
    from desktop.ui.viewer.output import PageOutput
    from desktop.ui.viewer.page_view import PageView


_SMALLEST = 6.0
"""Points of either side below which a frame counts as a slip of the hand."""
_FIELD = (160, 460)
"""Least and greatest width."""


class RegionBar(FloatingBar):
    """asked(question): explain the region; "" asks for a general explanation."""

    asked = Signal(str)
    left = Signal()

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__(wide=480)
        self.setAccessibleName(self.tr("Framed region"))
        self.field = QLineEdit()
        self.field.setAccessibleName(self.tr("Question about the region"))
        self.field.setAcceptDrops(False)  # what is dropped is for the library
        self.field.setMinimumHeight(Size.ROW)
        self.field.setMinimumWidth(_FIELD[0])
        self.field.setMaximumWidth(_FIELD[1])
        self.field.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.button = push_button(self.tr("Explain"), self._ask, kind="primary")
        self.button.setMinimumHeight(Size.ROW)
        self.row.addSpacing(Space.S)
        self.row.addWidget(self.field, 1)
        fill(self.row, Space.XS, self.button, Space.S, self._more_button(actions))
        self.row.addWidget(action_button(actions["drop_region"]))
        Keys(self, {(Qt.Key.Key_Escape,): self.left.emit, ENTER: self._ask})

    def open_bar(self, page: str) -> None:
        """Show the bar of a region and take the keyboard. page: as it is printed."""
        self.field.setPlaceholderText(
            self.tr("Ask about this region (page {page})").format(page=page)
        )
        self.field.clear()
        self.show()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _more_button(self, actions: dict[str, QAction]) -> QToolButton:
        button = flat_button("ellipsis", self.tr("More actions for the region"))
        menu = menu_of(button)
        names: tuple[str, ...] = ("copy_region", "copy_region_words", "save_region")
        menu.addActions([actions[name] for name in names])
        return button

    def _ask(self) -> None:
        self.asked.emit(" ".join(self.field.text().split()))


class RegionController(QObject):
    """asked(area, question): explain this `PageArea`. said(text): a sentence for the status.

    changed(): there is a region now, or none any more.
    """

    asked = Signal(object, str)
    said = Signal(str)
    changed = Signal()

    def __init__(
        self, view: PageView, words: WordStore, bar: RegionBar, output: PageOutput, mode: QAction
    ) -> None:
        """mode: checked while the next drag is a frame; holding Alt does the same for one drag."""
        super().__init__(view)
        self._view, self._words, self._bar, self._output = view, words, bar, output
        self._mode = mode
        self._start: tuple[int, QPointF] | None = None
        self._held: QPointF | None = None
        """Where the mouse was pressed on the frame, to drag it."""
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        mode.toggled.connect(self._begun)
        bar.asked.connect(self._ask)
        bar.left.connect(self.drop)

    @property
    def area(self) -> PageArea | None:
        return self._view.overlays.region

    def begin(self) -> None:
        """Give the keyboard to the pages: Enter takes what is in view, Esc gives up."""
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
        shape = Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor
        self._view.viewport().setCursor(shape)
        says = self.tr("Draw a box on the page. Enter takes what is in view, Esc cancels.")
        self.said.emit(says if on else "")
        if on:
            self._set(None)
            self._bar.hide()

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

    # drawing a frame

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._key(event)
        if not isinstance(event, QMouseEvent):
            return False
        left = event.button() == Qt.MouseButton.LeftButton
        if event.type() == QEvent.Type.MouseButtonPress and left:
            alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            page = self._view.page_under(event.position())
            if not alt and self._on_frame(event.position()):
                self._held = event.position()
                return True
            if page is None or not (alt or self._mode.isChecked()):
                return False
            self._view.setFocus(Qt.FocusReason.MouseFocusReason)
            self._start = (page, event.position())
            return True
        if event.type() == QEvent.Type.MouseMove:
            if self._held is not None:
                self._drag_from(self._held, event.position())
                return True
            if self._start is None and self._on_frame(event.position()):
                self._view.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
                return True
            if self._start is not None:
                self._view.overlays.region = self._between(*self._start, event.position())
                self._view.viewport().update()
            return self._start is not None or self._mode.isChecked()
        if event.type() == QEvent.Type.MouseButtonRelease and left and self._held is not None:
            self._held = None
            return True
        if event.type() == QEvent.Type.MouseButtonRelease and left and self._start is not None:
            self._end(self._between(*self._start, event.position()))
            return True
        return False

    def _on_frame(self, position: QPointF) -> bool:
        area, document = self.area, self._view.document
        if area is None or document is None or document.id != area.document_id:
            return False
        return self._view.page_frame(area.page).rect(area.box).contains(position)

    def _drag_from(self, start: QPointF, position: QPointF) -> None:
        """Drag the frame's picture out once the hand has moved on from where it pressed."""
        area, document = self.area, self._view.document
        moved = (position - start).manhattanLength() >= QApplication.startDragDistance()
        if not moved or area is None or document is None:
            return
        self._held = None
        picture = self._view.drawn(area.page, area.box)
        if picture is not None:
            title = document.record.title or document.record.name
            drag_picture(self._view, picture, title, document.label(area.page))

    def _key(self, event: QKeyEvent) -> bool:
        if not self._mode.isChecked():
            return False
        if event.key() == Qt.Key.Key_Escape:
            self._end(None)
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            seen = QRectF(self._view.viewport().rect())
            self._end(self._between(self._view.page, seen.topLeft(), seen.bottomRight()))
            return True
        return False

    def _end(self, area: PageArea | None) -> None:
        self._start = None
        self._mode.setChecked(False)
        if area is None or area.box.width < _SMALLEST or area.box.height < _SMALLEST:
            self.drop()
        else:
            self.show(area)

    def _between(self, page: int, start: QPointF, end: QPointF) -> PageArea | None:
        """Return the area between two corners of a frame, clipped to its page."""
        document = self._view.document
        if document is None or page >= len(document.pages):
            return None
        frame = self._view.page_frame(page)
        (x0, y0), (x1, y1) = frame.point(start), frame.point(end)
        width, height = (float(side) for side in document.sizes[page])
        box = Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        return PageArea(document.id, page, box.intersection(Box(0.0, 0.0, width, height)))
