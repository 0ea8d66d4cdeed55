"""The window's three columns: their first sizes, the library as a rail in a narrow window, and
a drawer at the right that lies beside them where there is room, else over the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter

if TYPE_CHECKING:
    from PySide6.QtCore import QByteArray
    from PySide6.QtGui import QMoveEvent, QResizeEvent
    from PySide6.QtWidgets import QWidget

    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.viewer.centre import Centre

WIDTHS = (256, 440)
"""Library and answers at first; answers are read best between 400 and 480 pixels."""
LEAST = (220, 320, 400)
NARROW = 1100
"""Below this width of the window the library folds to a rail."""
WIDE = 1700
"""A window of this width shows two manuals, or one and notes, beside the library and answers."""
DRAWER = 480
"""Pixels of a drawer that has room."""
PAGE = 440
"""Pixels of a page that can be read beside a drawer; drawer and answers are narrower for it."""


class Columns(QSplitter):
    """Library, manual and answers beside each other."""

    def __init__(self, library: LibraryPanel, manual: Centre, answers: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._library, self._manual, self._answers = library, manual, answers
        self._drawers: list[QWidget] = []
        self._folded_for_pages = False
        self.is_covered = False
        """Whether the drawer lies over the answers."""
        self._answers_before = 0  # their width before the drawer opened beside them
        self._narrow: bool | None = None
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        for panel, least in zip((library, manual, answers), LEAST, strict=True):
            panel.setMinimumWidth(least)
            self.addWidget(panel)
        self.setStretchFactor(1, 1)
        library.folded.connect(self._fold)
        manual.split.connect(lambda _: self.make_room())
        self.lay_out_anew()

    def lay_out_anew(self) -> None:
        """Give the columns the widths they have at first."""
        self._narrow = None
        self._follow_width()
        library = self._library.rail_width if self._library.is_folded else WIDTHS[0]
        self._share_out(library, LEAST[2] if self._narrow else WIDTHS[1])

    def lay_beside(self, drawer: QWidget) -> None:
        """Lay a panel of the window at the right from now on; `make_room` when it opens or closes.

        Where its least width does not fit beside the columns it lies over the answers.
        """
        self._drawers.append(drawer)
        self._place_drawer()

    def open_drawer(self, drawer: QWidget) -> None:
        """Show one of the panels that lie at the right; another one that is open there closes."""
        for each in self._drawers:
            each.setVisible(each is drawer)
        self.make_room()

    @property
    def drawer(self) -> QWidget | None:
        """The panel that is open at the right, else the last one that was laid there."""
        opened = [each for each in self._drawers if not each.isHidden()]
        return next(iter(opened or self._drawers[-1:]), None)

    def make_room(self) -> None:
        """Two manuals, or a drawer, need the library's room; it stays a click away on its rail."""
        needed = self._is_drawn or self._manual.beside is not None
        if needed and self.width() < WIDE and not self._library.is_folded:
            self._folded_for_pages = True
            self._library.fold(True)
        elif not needed and self._folded_for_pages:
            self._folded_for_pages = False
            self._library.fold(bool(self._narrow))
        self._place_drawer()

    @property
    def _is_drawn(self) -> bool:
        return self.drawer is not None and not self.drawer.isHidden()

    def _place_drawer(self) -> None:
        """Give the drawer its place, and the columns what is left of the window."""
        drawer, taken = self.drawer, 0
        self.is_covered = False
        answers_before = self._answers_before or self._answers.width()
        if drawer is not None:
            least, room = drawer.minimumWidth(), self._room_beside()
            fits = room >= least
            wanted = room - PAGE + LEAST[1] if fits else answers_before
            width = max(least, min(DRAWER, wanted))
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
        """Give the page what library and answers leave; beside a drawer the answers give way."""
        room = self.contentsRect().width() - library - 2 * self.handleWidth()
        page = PAGE if self.contentsMargins().right() else LEAST[1]
        answers = max(LEAST[2], min(answers, room - page))
        self.setSizes([library, max(LEAST[1], room - answers), answers])

    def _room_beside(self) -> int:
        """Return the pixels that the columns can do without."""
        columns = (self._library, self._manual, self._answers)
        needed = [each.minimumWidth() + self.handleWidth() for each in columns if each.isVisible()]
        two_manuals = LEAST[1] if self._manual.beside is not None else 0
        return self.width() - sum(needed) - two_manuals

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:  # noqa: N802
        """Restore the sizes of the last start; the window's width decides if the library folds."""
        self._follow_width()
        return super().restoreState(state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow_width()
        # sizes remembered of a wide window leave a gap beside the rail
        if self._library.is_folded and self.sizes()[0] > self._library.rail_width:
            self._fold(True)
        self._place_drawer()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._place_drawer()

    def _follow_width(self) -> None:
        """Fold or unfold the library when the window becomes narrow or wide, and only then."""
        narrow = self.window().width() < NARROW
        if narrow != self._narrow and self.window() is not self:
            self._narrow = narrow
            self._library.fold(narrow)
            self.make_room()

    def _fold(self, folded: bool) -> None:
        library, manual, answers = self.sizes()
        wanted = self._library.rail_width if folded else WIDTHS[0]
        if folded:
            self._library.setFixedWidth(wanted)
        else:
            self._library.setMinimumWidth(LEAST[0])
            self._library.setMaximumWidth(16_777_215)
        self.setSizes([wanted, max(LEAST[1], manual + library - wanted), answers])
        self._place_drawer()
