"""The columns of the window: library, manual and answers, and the drawers at their right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtGui import QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from desktop.ui.design.theme import fade_in
from desktop.ui.design.tokens import Size

if TYPE_CHECKING:
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.viewer.centre import Centre


WIDTHS = (Size.LIBRARY, Size.ANSWERS)
"""Library and answers at first; answers are read best between 400 and 480 pixels."""
LEAST = (220, 320, 400)
DRAWER = 480
"""Pixels of a drawer that has room."""


class Columns(QSplitter):
    """Library, manual and answers beside each other.

    uncovered(): somebody went to the answers that a drawer lies over; it is to close.
    """

    uncovered = Signal()

    def __init__(self, library: LibraryPanel, manual: Centre, answers: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._library, self._manual, self._answers = library, manual, answers
        self._drawers: list[QWidget] = []
        self._wanted, self._spare = 0, 0  # of `make_room` the last time
        self._folded_for_pages = False
        self.answers_away = False
        """Whether the answers were put away for two manuals, not by a person."""
        self.is_covered = False
        """Whether the drawer lies over the answers."""
        self._answers_before = 0  # their width before the drawer opened beside them
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for panel, least in zip((library, manual, answers), LEAST, strict=True):
            panel.setMinimumWidth(least)
            self.addWidget(panel)
        self.setStretchFactor(1, 1)
        library.folded.connect(self._fold)
        manual.crowded.connect(self.make_room)
        self.splitterMoved.connect(lambda *_: self._place_drawer())
        self.lay_out_anew()
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._follow_keyboard)

    def lay_out_anew(self) -> None:
        """Give the columns the widths they have at first."""
        self._wanted = 0
        self.make_room()
        self._share_out(WIDTHS[0], WIDTHS[1])

    def lay_beside(self, drawer: QWidget) -> None:
        """Lay a panel of the window at the right from now on; `make_room` when it opens or closes.

        Where its least width does not fit beside the columns it lies over the answers.
        """
        self._drawers.append(drawer)
        self._place_drawer()

    def open_drawer(self, drawer: QWidget) -> None:
        """Show one of the panels that lie at the right; another one that is open there closes."""
        opens = drawer.isHidden()
        for each in self._drawers:
            each.setVisible(each is drawer)
        self.make_room()
        if opens and self.isVisible():
            fade_in(drawer)

    def uncover_answers(self) -> None:
        """Close a panel that lies over the answers."""
        if self.is_covered and self.drawer is not None:
            self.drawer.hide()
            self.make_room()

    @property
    def drawer(self) -> QWidget | None:
        """The panel that is open at the right, else the last one that was laid there."""
        opened = [each for each in self._drawers if not each.isHidden()]
        return next(iter(opened or self._drawers[-1:]), None)

    def make_room(self) -> None:
        """Fold the library, and put the answers away beside two manuals, so that pages are read.

        Both stay a click away and come back once there is room; what a person unfolds stays.
        """
        if self.window() is self:
            return
        width = self.window().width()
        railed = self._needed(self._library.rail_width)
        away = self._manual.beside is not None and width < railed
        if away != self.answers_away:
            self.answers_away = away
            self._answers.setHidden(away)
        drawer = self.drawer.minimumWidth() if self.drawer and self._is_drawn else 0
        wanted = self._needed(LEAST[0])
        if width >= railed + drawer:
            wanted += drawer
        spare = width - wanted
        if spare < 0 and (self._spare >= 0 or wanted > self._wanted):
            self._folded_for_pages |= not self._library.is_folded
            self._library.fold(True)
        elif spare >= 0 and self._folded_for_pages:
            self._folded_for_pages = False
            self._library.fold(False)
        self._wanted, self._spare = wanted, spare
        self._place_drawer()

    def _needed(self, library: int) -> int:
        """Return the least pixels of library, pages that can be read, and answers."""
        return library + self._manual.room_wanted + LEAST[2] + 2 * self.handleWidth()

    @property
    def _is_drawn(self) -> bool:
        return self.drawer is not None and not self.drawer.isHidden()

    def _place_drawer(self) -> None:
        """Give the drawer its place, and the columns what is left of the window."""
        drawer, taken = self.drawer, 0
        self.is_covered = False
        answers_before = self._answers_before or self._answers.width()
        if drawer is not None:
            least = drawer.minimumWidth()
            room = self.width() - self._needed(self._library.minimumWidth())
            fits = room >= least or self._answers.isHidden()
            width = max(least, min(DRAWER, room) if fits else answers_before)
            area = self.geometry()
            drawer.setGeometry(area.right() + 1 - width, area.y(), width, area.height())
            drawer.raise_()
            self.is_covered = self._is_drawn and not fits
            taken = width if self._is_drawn and fits else 0
        if taken != self.contentsMargins().right():
            self._answers_before = answers_before if taken else 0
            self.setContentsMargins(0, 0, taken, 0)
            self._share_out(self.sizes()[0], answers_before)

    def _share_out(self, library: int, answers: int) -> None:
        """Give the page what library and answers leave; for one that can be read they give way."""
        width, handles = self.contentsRect().width(), 2 * self.handleWidth()
        if self._library.is_folded:
            library = self._library.rail_width
        room = width - handles - self._manual.room_wanted
        answers = max(LEAST[2], min(answers, room - library))
        library = max(self._library.minimumWidth(), min(library, room - answers))
        self.setSizes([library, max(LEAST[1], width - handles - library - answers), answers])
        self._place_drawer()

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:  # noqa: N802
        """Restore the sizes of the last start; the window's width decides if the library folds."""
        self.make_room()
        return super().restoreState(state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.make_room()
        library, page, answers = self.sizes()
        # sizes remembered of a wide window leave a gap beside the rail
        gap = self._library.is_folded and library > self._library.rail_width
        if gap or (event.size().width() < event.oldSize().width() and page < Size.PAGE):
            self._share_out(library, answers)

    def _follow_keyboard(self, _before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.is_covered and self._answers.isAncestorOf(now):
            self.uncovered.emit()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._place_drawer()

    def _fold(self, folded: bool) -> None:
        if folded:
            self._library.setFixedWidth(self._library.rail_width)
        else:
            self._library.setMinimumWidth(LEAST[0])
            self._library.setMaximumWidth(16_777_215)
        self._place_drawer()
        self._share_out(WIDTHS[0], self.sizes()[2])
