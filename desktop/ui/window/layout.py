"""How the window is laid out: its columns and drawers, the order of Tab, what is remembered."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QMainWindow, QSplitter, QWidget

from desktop.core.library.places import Place
from desktop.ui.design.tokens import Size

if TYPE_CHECKING:
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.viewer.centre import Centre


WIDTHS = (256, 440)
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
        for each in self._drawers:
            each.setVisible(each is drawer)
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


Spot = tuple[int, int]
"""From the top and from the left of the window, in pixels."""

SAME_ROW = Size.TARGET // 3


def move_focus(window: QWidget, *, forward: bool) -> bool:
    """Give the keyboard to the next or the previous control; return whether there is one.

    window: the window, or the part of it that Tab stays in.
    """
    stops = reading_order(window)
    if not stops:
        return False
    now = window.focusWidget()
    before_first = -1 if forward else 0
    at = stops.index(now) if now in stops else before_first
    reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
    stops[(at + (1 if forward else -1)) % len(stops)].setFocus(reason)
    return True


def reading_order(window: QWidget) -> list[QWidget]:
    """Return what Tab stops at in a window or part of it; each pane or list stays together."""
    placed = [
        ((*_panes(each, window), _place(each, window)), each)
        for each in window.findChildren(QWidget)
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus
        and each.window() is window.window()
        and each.isVisible()
        and each.isEnabled()
        and each.focusProxy() is None
    ]
    placed.sort(key=lambda pair: pair[0])
    ordered: list[QWidget] = []
    row: list[tuple[tuple[Spot, ...], QWidget]] = []
    for pair in placed:
        if row and not _beside(row[0][0], pair[0]):
            ordered += _from_the_left(row)
            row = []
        row.append(pair)
    return ordered + _from_the_left(row)


def _panes(widget: QWidget, window: QWidget) -> list[Spot]:
    """Return the positions of the panes and lists that hold a control, outermost first."""
    found: list[Spot] = []
    parent = widget.parentWidget()
    while parent is not None and parent is not window:
        if isinstance(parent, QAbstractScrollArea) or isinstance(parent.parent(), QSplitter):
            at = parent.mapTo(window, QPoint(0, 0))
            found.insert(0, (at.y(), at.x()))
        parent = parent.parentWidget()
    return found


def _place(widget: QWidget, window: QWidget) -> Spot:
    # Controls of one row may be of unlike heights: their middles lie on one line.
    at = widget.mapTo(window, QPoint(0, min(widget.height(), Size.TARGET) // 2))
    return at.y(), at.x()


def _beside(first: tuple[Spot, ...], other: tuple[Spot, ...]) -> bool:
    return first[:-1] == other[:-1] and other[-1][0] - first[-1][0] <= SAME_ROW


def _from_the_left(row: list[tuple[tuple[Spot, ...], QWidget]]) -> list[QWidget]:
    return [widget for _, widget in sorted(row, key=lambda pair: pair[0][-1][1])]


FILE_NAME = "window.ini"


class _Text:
    """A stored text, "" until there is one."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, memory: LayoutMemory, _owner: type[LayoutMemory]) -> str:
        return memory.text(self._key)

    def __set__(self, memory: LayoutMemory, text: str) -> None:
        memory.keep(self._key, text)


class LayoutMemory:
    """Geometry, splitters, hidden panels, and what was open and begun."""

    note_role = _Text("notes/role")
    """The role under which the last note was written."""
    note_text = _Text("notes/text")
    """The note that was begun and is not kept."""
    notes_open = _Text("notes/open")
    """"yes" where the drawer of the notes was open."""
    question_draft = _Text("question/draft")
    """The question that was begun and is not asked."""
    conversation = _Text("conversation/open")
    """The conversation that was open: its id, or that a new one was begun."""
    viewer_session = _Text("viewer/session")
    """The open manuals, where each was left and what was marked, as the viewer wrote it."""
    library_order = _Text("library/order")
    """In which order manuals stand, "" if nobody has chosen."""

    def __init__(self, folder: Path) -> None:
        self._settings = QSettings(str(folder / FILE_NAME), QSettings.Format.IniFormat)

    def save_window(
        self, window: QMainWindow, splitters: dict[str, QSplitter], panels: dict[str, QWidget]
    ) -> None:
        """splitters, panels: by the names they are remembered under."""
        self._settings.setValue("window/geometry", window.saveGeometry())
        for name, splitter in splitters.items():
            self._settings.setValue(f"splitters/{name}", splitter.saveState())
        for name, panel in panels.items():
            # isHidden, not isVisible: at closing time the window itself may be gone already.
            self._settings.setValue(f"panels/{name}", not panel.isHidden())

    def restore_window(
        self, window: QMainWindow, splitters: dict[str, QSplitter], panels: dict[str, QWidget]
    ) -> None:
        """Make the window as it was saved; what was not stays as it is."""
        geometry = self._settings.value("window/geometry")
        if isinstance(geometry, QByteArray):
            window.restoreGeometry(geometry)
        for name, splitter in splitters.items():
            state = self._settings.value(f"splitters/{name}")
            if isinstance(state, QByteArray):
                splitter.restoreState(state)
        for name, panel in panels.items():
            panel.setVisible(bool(self._settings.value(f"panels/{name}", True, bool)))

    @property
    def trace_height(self) -> int:
        """How tall the reasoning was when it was last open, 0 if that is not known."""
        height = self._settings.value("trace/height", 0, int)
        return max(0, height) if isinstance(height, int) else 0

    @trace_height.setter
    def trace_height(self, height: int) -> None:
        self._settings.setValue("trace/height", height)

    @property
    def active_place(self) -> Place:
        """Where the person worked last."""
        return Place.named(self.text("site/name"), self.text("site/asset"))

    @active_place.setter
    def active_place(self, place: Place) -> None:
        self._settings.setValue("site/name", place.site)
        self._settings.setValue("site/asset", place.asset)

    @property
    def folded_places(self) -> frozenset[tuple[str, str]]:
        """The headings of the library that are folded, by `Place.key`."""
        try:
            return frozenset((str(site), str(asset)) for site, asset in self._list("site/folded"))
        except (TypeError, ValueError):
            return frozenset()

    @folded_places.setter
    def folded_places(self, keys: Iterable[tuple[str, str]]) -> None:
        self._settings.setValue("site/folded", json.dumps(sorted(keys)))

    @property
    def told_proposals(self) -> frozenset[str]:
        """The proposed domains that a person was told about."""
        return frozenset(map(str, self._list("domains/told")))

    @told_proposals.setter
    def told_proposals(self, names: Iterable[str]) -> None:
        self._settings.setValue("domains/told", json.dumps(sorted(names)))

    def write(self) -> None:
        """Write everything to disk now."""
        self._settings.sync()

    def keep(self, key: str, text: str) -> None:
        self._settings.setValue(key, text)

    def text(self, key: str) -> str:
        """Return a stored value as text, "" if there is none."""
        return str(self._settings.value(key, ""))

    def _list(self, key: str) -> list[Any]:
        """Return a list that was kept as JSON: QSettings makes a text of a list of one."""
        try:
            value = json.loads(self.text(key) or "[]")
        except ValueError:
            return []
        return value if isinstance(value, list) else []
