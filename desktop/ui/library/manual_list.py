"""The list of manuals: rows below their places, buttons, menus, filter, and what a drag carries."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QByteArray,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QPixmap,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QListView,
    QMenu,
    QToolButton,
    QWidget,
)

from desktop.core.events import PageRegion
from desktop.ui import wording
from desktop.ui.design.controls import push_button
from desktop.ui.design.tokens import Space
from desktop.ui.library.lists import (
    COVER,
    LibraryDelegate,
    RowButtons,
    manual_menu,
    place_menu,
    several_menu,
)
from desktop.ui.library.model import READABLE
from desktop.ui.library.rows import LibraryRows
from desktop.ui.viewer.page_pictures import PagePictures, Wish

if TYPE_CHECKING:
    from desktop.ui.library.model import LibraryModel, RowView
    from desktop.ui.library.rows import Group

CHOOSING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
Index = QModelIndex | QPersistentModelIndex
SETTLED_MS = 150
"""After scrolling, before covers are drawn."""


class LibraryList(QListView):
    """Emits what a person wants to do with a manual, by its id, or with a place.

    wanted(action, id): open, cancel, retry, unlock, only, original, reveal, rename,
    remove, anew, properties. several_wanted(action, ids): only, place, source.
    place_wanted(action, place): here, everywhere,
    place. moved(ids, place): dragged to a place. folded(): headings were folded or
    unfolded.
    """

    wanted = Signal(str, int)
    several_wanted = Signal(str, object)
    place_wanted = Signal(str, object)
    moved = Signal(object, object)
    folded = Signal()

    def __init__(self, model: LibraryModel) -> None:
        super().__init__()
        self._kept: tuple[int | None, list[int]] = (None, [])
        self._library = model
        self._pictures: PagePictures | None = None
        self._uncovered: set[int] = set()
        """Manuals whose first page cannot be drawn."""
        self.rows = LibraryRows(model, self)
        self.setModel(self.rows)
        self._delegate = LibraryDelegate(self, self.rows)
        self._delegate.cover_of = self.cover
        self.setItemDelegate(self._delegate)
        self.setProperty("kind", "flat")
        self.setAccessibleName(self.tr("Manuals"))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.clicked.connect(self._clicked)
        self._buttons = RowButtons(self, self.rows.urgent)
        self._buttons.pressed.connect(self._button_pressed)
        self._covers_soon = QTimer(self, singleShot=True, interval=SETTLED_MS)
        self._covers_soon.timeout.connect(self._wish_for_covers)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._covers_soon.start())
        self.rows.rearranged.connect(self._covers_soon.start)
        self.rows.dataChanged.connect(lambda *_: self._covers_soon.start())
        self.rows.rearranging.connect(self._keep_selection)
        self.rows.rearranged.connect(self._restore_selection)

    def shown(self) -> int:
        """Return how many rows there are."""
        return self.rows.rowCount()

    def selected_id(self) -> int | None:
        """Return the manual with the keyboard focus."""
        index = self.currentIndex()
        return index.data(LibraryRows.IdRole) if index.isValid() else None

    def selected_ids(self) -> list[int]:
        """Return every selected manual, in the order of the list."""
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        ids = (self.rows.index(row).data(LibraryRows.IdRole) for row in rows)
        return [each for each in ids if each is not None]

    def select(self, document_id: int) -> None:
        """Move the keyboard focus to a manual and bring it into view."""
        if document_id == self.selected_id():
            return
        self.rows.reveal(document_id)
        row = self.rows.row_of(document_id)
        if row >= 0:
            self.setCurrentIndex(self.rows.index(row))
            self.scrollTo(self.rows.index(row))

    def menu_at(self, index: Index) -> QMenu:
        """Return everything that can be done with a row, or with all that are selected."""
        group: Group | None = index.data(LibraryRows.GroupRole)
        if group is not None:
            return place_menu(self, group, lambda action: self._do_at(action, group))
        selected = self.selected_ids()
        document_id: int = index.data(LibraryRows.IdRole)
        if len(selected) > 1 and document_id in selected:
            return several_menu(
                self, len(selected), lambda action: self._do_with_several(action, selected)
            )
        view: RowView = index.data(LibraryRows.ViewRole)
        return manual_menu(self, view, lambda action: self._do(action, document_id))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        match event.key():
            case Qt.Key.Key_Return if event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._want("properties", index)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space:
                self._open(index)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self._do_with_several("remove", self.selected_ids())
            case Qt.Key.Key_F2 if index.data(LibraryRows.GroupRole) is not None:
                self.place_wanted.emit("place", self.rows.place_at(index.row()))
            case Qt.Key.Key_F2:
                self._want("rename", index)
            case Qt.Key.Key_Left | Qt.Key.Key_Right if index.isValid():
                # fold or unfold; from a row that cannot fold, step to the heading above it
                folding = event.key() == Qt.Key.Key_Left
                group: Group | None = index.data(LibraryRows.GroupRole)
                if group is not None and group.collapsed != folding:
                    self._do_at("fold", group)
                elif folding and (above := self.rows.heading_of(index.row())) >= 0:
                    self.setCurrentIndex(self.rows.index(above))
            case _:
                super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.indexAt(event.pos())
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self.setCurrentIndex(index)
            self.menu_at(index).popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._covers_soon.start()
        # Details wrap: heights depend on the width. Room for the scroll bar is always left, so
        # that rows need not be measured anew whenever a filter makes it come or go.
        room = self.width() - self.verticalScrollBar().sizeHint().width()
        if room != self._delegate.room:
            self._delegate.room = room
            self.scheduleDelayedItemsLayout()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._covers_soon.start()

    # covers, of the rows in view alone

    def use_pictures(self, pictures: PagePictures) -> None:
        """Draw the covers of manuals with these."""
        self._pictures = pictures
        pictures.drawn.connect(self._cover_drawn)
        self._covers_soon.start()

    def cover(self, document_id: int) -> QPixmap | None:
        """Return the first page of a manual, None while it is not drawn."""
        wish = self._cover_wish(document_id)
        return None if self._pictures is None or wish is None else self._pictures.kept(wish)

    def _cover_wish(self, document_id: int) -> Wish | None:
        record, view = self._library.record(document_id), self._library.view(document_id)
        if record is None or view is None or document_id in self._uncovered:
            return None
        if view.icon != READABLE or not record.page_count:
            return None
        first = PageRegion(document_id, record.name, 0, "", ())
        return Wish(first, "page", round(COVER.width() * self.devicePixelRatioF()))

    def _wish_for_covers(self) -> None:
        """Wish for covers in view that are not drawn; the latest wish, the top row, goes first."""
        across, edges = self.viewport().width() // 2, (0, self.viewport().height() - 1)
        first, last = (self.indexAt(QPoint(across, y)).row() for y in edges)
        if self._pictures is None or first < 0 or not self.isVisible():
            return
        for row in range(last if last >= 0 else self.shown() - 1, first - 1, -1):
            document_id = self.rows.index(row).data(LibraryRows.IdRole)
            wish = None if document_id is None else self._cover_wish(document_id)
            if wish is not None and self._pictures.kept(wish) is None:
                self._pictures.wish(wish)

    def _cover_drawn(self, wish: Wish, pixmap: QPixmap | None) -> None:
        document_id = wish.source.document_id
        if wish == self._cover_wish(document_id):
            if pixmap is None:
                self._uncovered.add(document_id)
            self.update(self.rows.index(self.rows.row_of(document_id)))

    # dragging manuals to a place

    def startDrag(self, _actions: Qt.DropAction) -> None:  # noqa: N802 - Qt's name
        ids = self.selected_ids()
        if ids and self.rows.has_places:
            title = self.currentIndex().data(Qt.ItemDataRole.DisplayRole)
            drag_manuals(self, ids, title if len(ids) == 1 else wording.manuals(len(ids)))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dragged_manuals(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()  # files are the window's

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        row = self._target_row(event.position().toPoint())
        self._show_target(row)
        event.setAccepted(row >= 0 and bool(dragged_manuals(event.mimeData())))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_target(-1)

    def dropEvent(self, event: QDropEvent) -> None:
        self._show_target(-1)
        ids = dragged_manuals(event.mimeData())
        row = self._target_row(event.position().toPoint())
        if ids and row >= 0:
            event.acceptProposedAction()
            self.moved.emit(ids, self.rows.place_at(row))
        else:
            event.ignore()

    def _target_row(self, position: QPoint) -> int:
        """Return the heading that a drop there means, -1 for none."""
        index = self.indexAt(position)
        if not index.isValid() or not self.rows.has_places:
            return -1
        is_heading = index.data(LibraryRows.GroupRole) is not None
        return index.row() if is_heading else self.rows.heading_of(index.row())

    def _show_target(self, row: int) -> None:
        if row != self._delegate.drop_row:
            self._delegate.drop_row = row
            self.viewport().update()

    # what a person does with a row

    def _clicked(self, index: QModelIndex) -> None:
        if not QApplication.keyboardModifiers() & CHOOSING:
            self._open(index)

    def _open(self, index: Index) -> None:
        """Open a manual, fold or unfold a heading."""
        group: Group | None = index.data(LibraryRows.GroupRole) if index.isValid() else None
        if group is None:
            self._want("open", index)
        else:
            self._do_at("fold", group)

    def _do_at(self, action: str, group: Group) -> None:
        if action == "fold":
            self.rows.fold(group.place, not group.collapsed)
            self.folded.emit()
        elif action == "fold_all":
            self.rows.fold_all()
            self.folded.emit()
        else:
            self.place_wanted.emit(action, group.place)

    def _do(self, action: str, document_id: int) -> None:
        if action in ("place", "source"):
            self.several_wanted.emit(action, [document_id])
        else:
            self.wanted.emit(action, document_id)

    def _do_with_several(self, action: str, ids: list[int]) -> None:
        if action in ("remove", "anew"):
            for document_id in ids:
                self.wanted.emit(action, document_id)
        else:
            self.several_wanted.emit(action, ids)

    def _want(self, action: str, index: Index) -> None:
        if index.isValid() and index.data(LibraryRows.IdRole) is not None:
            self.wanted.emit(action, index.data(LibraryRows.IdRole))

    def _button_pressed(
        self, action: str, index: QPersistentModelIndex, button: QToolButton
    ) -> None:
        if action != "more":
            self._want(action, index)
        elif index.isValid():
            self.menu_at(index).popup(button.mapToGlobal(QPoint(0, button.height())))

    # rows that move keep what a person has chosen

    def _keep_selection(self) -> None:
        self._kept = (self.selected_id(), self.selected_ids())

    def _restore_selection(self) -> None:
        current, selected = self._kept
        flags = QItemSelectionModel.SelectionFlag
        for document_id in selected:
            row = self.rows.row_of(document_id)
            if row >= 0:
                self.selectionModel().select(self.rows.index(row), flags.Select)
        row = self.rows.row_of(current) if current is not None else -1
        if row >= 0:
            self.selectionModel().setCurrentIndex(self.rows.index(row), flags.NoUpdate)


_MIME = "application/x-groundwork-manuals"
_DRAG_WIDTH = 220


def manuals_data(ids: Sequence[int]) -> QMimeData:
    """Return what a drag of these manuals carries; it means nothing to other programs."""
    data = QMimeData()
    data.setData(_MIME, QByteArray(json.dumps(list(ids)).encode()))
    return data


def dragged_manuals(data: QMimeData) -> list[int]:
    """Return the manuals of a drag, none if it carries something else."""
    if not data.hasFormat(_MIME):
        return []
    try:
        ids = json.loads(bytes(data.data(_MIME).data()))
    except ValueError:
        return []
    return [each for each in ids if isinstance(each, int)] if isinstance(ids, list) else []


def drag_manuals(source: QWidget, ids: Sequence[int], label: str) -> None:
    """Drag manuals from a widget until they are dropped."""
    drag = QDrag(source)
    drag.setMimeData(manuals_data(ids))
    picture = push_button(label, kind="primary")
    picture.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    picture.let_shrink()
    picture.setFixedWidth(_DRAG_WIDTH)
    drag.setPixmap(picture.grab())
    drag.setHotSpot(QPoint(Space.L, Space.L))
    drag.exec(Qt.DropAction.CopyAction)
