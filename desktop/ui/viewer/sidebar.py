"""Beside the pages: thumbnails, contents, bookmarks or highlights; one at a time or none."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPoint, QPointF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from desktop.ui.design.controls import (
    DELETE,
    Keys,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    make_tall,
    plain_tooltip,
)
from desktop.ui.design.popups import passing_menu
from desktop.ui.design.tokens import Size, Space
from desktop.ui.language import tr
from desktop.ui.viewer.page_painter import pen_icon, pen_name
from desktop.ui.viewer.toolbar import action_button

if TYPE_CHECKING:
    from desktop.core.library.annotations import Annotation, Bookmark, Bookmarks
    from desktop.core.library.contents import Outline, Outlines
    from desktop.core.structure.values import OutlineEntry
    from desktop.ui.bridge import Errands
    from desktop.ui.viewer.document import OpenDocument
    from desktop.ui.viewer.page_view import PageView
    from desktop.ui.viewer.thumbnails import ThumbnailList


_PAGE = Qt.ItemDataRole.UserRole
_OPEN_AT_ONCE = 60
"""Entries up to which a table of contents is shown unfolded."""


class OutlinePane(QWidget):
    """page_chosen(page): a person wants to go there."""

    page_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._page = 0
        self._entries: Sequence[OutlineEntry] = ()
        self._starts: list[int] = []
        """The pages on which sections begin, ascending, and those sections."""
        self._sections: list[QTreeWidgetItem] = []
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.header().setAccessibleName(self.tr("Outline columns"))
        make_tall(self.tree)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setUniformRowHeights(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.tree.setIndentation(Space.M)
        self.tree.setAccessibleName(self.tr("Contents"))
        self.tree.clicked.connect(self._choose)
        self.tree.activated.connect(self._choose)
        self.note = label(wrap=True, tone="muted")
        self.note.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        fill(in_column(self), self.note, (self.tree, 1))
        self.setFocusProxy(self.tree)
        self.wait()

    def wait(self) -> None:
        """Show nothing: the table of contents is being read."""
        self._fill(())
        self.note.say("")

    def show_outline(self, outline: Outline) -> None:
        """Show the table of contents."""
        if outline.entries == self._entries and outline.entries:
            return
        self._fill(outline.entries)
        if len(outline.entries) <= _OPEN_AT_ONCE:
            self.tree.expandAll()
        if not outline.entries:
            self.note.say(self.tr("The file lists no contents, and no headings were found."))
        elif outline.found:
            self.note.say(
                self.tr("The file lists no contents: these are the headings on its pages.")
            )
        else:
            self.note.say("")
        self.show_page(self._page)

    def section_at(self, page: int) -> str:
        """Return the title of the section that a page belongs to, "" if it is not known."""
        section = self._section(page)
        return "" if section is None else section.text(0)

    def show_page(self, page: int) -> None:
        """Mark the section in view."""
        self._page = page
        if not self.isVisible():
            return
        section = self._section(page)
        if section is None:
            self.tree.setCurrentIndex(QModelIndex())
        else:
            self.tree.setCurrentItem(section)
            self.tree.scrollToItem(section)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_page(self._page)

    def _fill(self, entries: Sequence[OutlineEntry]) -> None:
        """Hang every entry below the last one of a lower level."""
        self._entries = entries
        self.tree.clear()
        top: list[QTreeWidgetItem] = []
        above: list[tuple[int, QTreeWidgetItem]] = []
        found: list[tuple[int, QTreeWidgetItem]] = []
        for entry in entries:
            item = QTreeWidgetItem([entry.title])
            item.setToolTip(0, plain_tooltip(entry.title))
            item.setData(0, _PAGE, entry.page)
            if entry.page >= 0:
                found.append((entry.page, item))
            else:
                item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            while above and above[-1][0] >= entry.level:
                above.pop()
            if above:
                above[-1][1].addChild(item)
            else:
                top.append(item)
            above.append((entry.level, item))
        self.tree.addTopLevelItems(top)
        found.sort(key=lambda start: start[0])
        self._starts = [page for page, _ in found]
        self._sections = [item for _, item in found]

    def _section(self, page: int) -> QTreeWidgetItem | None:
        """Return the section that a page belongs to; of several that begin on it the first."""
        place = bisect_right(self._starts, page)
        if place == 0:
            return None
        if self._starts[place - 1] == page:
            return self._sections[bisect_left(self._starts, page)]
        return self._sections[place - 1]

    def _choose(self, index: QModelIndex) -> None:
        page = int(index.data(_PAGE))
        if page >= 0:
            self.page_chosen.emit(page)


_DOT = 14
_KEY = Qt.ItemDataRole.UserRole
"""Of a row: the id of an annotation, or the page of a bookmark."""


def _key(item: QListWidgetItem) -> int:
    return int(item.data(_KEY))


class MarkPane(QWidget):
    """A person's marks in a manual, a row each; says how to make one while there are none.

    removed(key), chosen(key): by the id of an annotation, or the page of a bookmark.
    """

    chosen = Signal(int)
    removed = Signal(int)

    def __init__(self, name: str, hint: str, button: QToolButton) -> None:
        """button: it stands below the list."""
        super().__init__()
        self.button = button
        self.list = QListWidget()
        self.list.setAccessibleName(name)
        make_tall(self.list)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setViewportMargins(Space.S, 0, Space.S, 0)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._menu)
        self.list.itemClicked.connect(lambda item: self.chosen.emit(_key(item)))
        Keys(self.list, {DELETE: partial(self._on_current, self.removed)})
        self.note = label(hint, wrap=True, tone="muted")
        self.note.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        fill(in_column(self), self.note, (self.list, 1), button)
        self.setFocusProxy(self.list)

    def _show(self, items: Sequence[QListWidgetItem]) -> None:
        """Show these rows; the keyboard stays on the row it was on."""
        row = self.list.currentRow()
        self.list.blockSignals(True)
        self.list.clear()
        for item in items:
            self.list.addItem(item)
        self.list.setCurrentRow(min(row, len(items) - 1))
        self.list.blockSignals(False)
        self.note.setVisible(not items)

    def _on_current(self, signal: SignalInstance) -> None:
        item = self.list.currentItem()
        if item is not None:
            signal.emit(_key(item))

    def _menu(self, position: QPoint) -> None:
        item: QListWidgetItem | None = self.list.itemAt(position) or self.list.currentItem()
        if item is not None:
            self.list.setCurrentItem(item)
            self._show_menu(item, self.list.mapToGlobal(position))

    def _show_menu(self, item: QListWidgetItem, place: QPoint) -> None:
        raise NotImplementedError


class AnnotationPane(MarkPane):
    """Its signals carry the id of an annotation. menu_wanted(id, where on the screen)."""

    edit_wanted = Signal(int)
    menu_wanted = Signal(int, QPointF)
    undo_wanted = Signal()

    def __init__(self, save: QAction) -> None:
        """save: writes them into a copy of the manual."""
        # shorter than the action, whose words are for menus: the pane is narrow
        button = flat_button("file-down", tr("Save a copy"), caption=True)
        super().__init__(
            tr("Highlights and comments"),
            tr("Select words on a page and choose a colour, or press M. C adds a comment."),
            button,
        )
        self.list.setIconSize(QSize(_DOT, _DOT))
        self.list.itemActivated.connect(lambda item: self.edit_wanted.emit(_key(item)))
        Keys(
            self.list,
            {
                (Qt.Key.Key_F2,): partial(self._on_current, self.edit_wanted),
                (QKeySequence.StandardKey.Undo,): self.undo_wanted.emit,
            },
        )
        button.setAccessibleDescription(save.text())
        button.setToolTip(plain_tooltip(save.text()))
        button.setEnabled(save.isEnabled())
        button.clicked.connect(save.trigger)
        save.changed.connect(lambda: button.setEnabled(save.isEnabled()))

    def show_annotations(
        self, document: OpenDocument | None, annotations: Sequence[Annotation]
    ) -> None:
        """Show a manual's annotations."""
        self._show([self._item(document, each) for each in annotations])

    def _item(self, document: OpenDocument | None, annotation: Annotation) -> QListWidgetItem:
        page = str(annotation.page + 1)
        if document is not None and annotation.page < len(document.pages):
            page = document.label(annotation.page)
        where = self.tr("Page {page}").format(page=page)
        first, second = annotation.quote, where
        if annotation.comment:
            first, second = " ".join(annotation.comment.split()), f"{where} · {annotation.quote}"
        item = QListWidgetItem(pen_icon(annotation.pen), f"{first}\n{second}")
        item.setData(_KEY, annotation.id)
        item.setToolTip(plain_tooltip(f"{annotation.comment}\n{annotation.quote}".strip()))
        item.setData(
            Qt.ItemDataRole.AccessibleTextRole, f"{pen_name(annotation.pen)}: {first}, {second}"
        )
        return item

    def _show_menu(self, item: QListWidgetItem, place: QPoint) -> None:
        self.menu_wanted.emit(_key(item), QPointF(place))


class BookmarkPane(MarkPane):
    """renamed(page, name): a person wrote another name."""

    renamed = Signal(int, str)

    def __init__(self, add: QAction) -> None:
        keys = add.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        button = QToolButton()
        super().__init__(
            tr("Bookmarks"),
            tr("Mark a page to find it again: {keys}").format(keys=keys),
            button,
        )
        self.list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed)
        self.list.itemActivated.connect(lambda item: self.chosen.emit(_key(item)))
        self.list.itemChanged.connect(lambda item: self.renamed.emit(_key(item), item.text()))
        button.setDefaultAction(add)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setProperty("kind", "flat")
        button.setMinimumHeight(Size.TARGET)
        button.setAccessibleName(add.text())
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_bookmarks(self, document: OpenDocument | None, marks: Sequence[Bookmark]) -> None:
        """Show a manual's bookmarks."""
        items = []
        for mark in marks:
            item = QListWidgetItem(mark.name)
            item.setData(_KEY, mark.page)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            if document is not None and mark.page < len(document.pages):
                shown = self.tr("Page {page}").format(page=document.shown_page(mark.page))
                item.setToolTip(plain_tooltip(f"{mark.name}\n{shown}"))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{mark.name}, {shown}")
            items.append(item)
        self._show(items)

    def _show_menu(self, item: QListWidgetItem, place: QPoint) -> None:
        menu = passing_menu(self)
        key = _key(item)
        menu.addAction(self.tr("Go to page")).triggered.connect(lambda: self.chosen.emit(key))
        menu.addAction(self.tr("Rename")).triggered.connect(lambda: self.list.editItem(item))
        menu.addAction(self.tr("Remove")).triggered.connect(lambda: self.removed.emit(key))
        menu.popup(place)


class Sidebar(QWidget):
    """Starts hidden; each of four actions shows its pane, and hides it again."""

    def __init__(self, thumbnails: ThumbnailList, actions: dict[str, QAction]) -> None:
        super().__init__()
        self._actions = actions
        self.setAccessibleName(self.tr("Beside the pages"))
        self.outline = OutlinePane()
        self.bookmarks = BookmarkPane(actions["add_bookmark"])
        self.annotations = AnnotationPane(actions["save_highlighted"])
        self._panes: dict[str, QWidget] = {
            "thumbnails": thumbnails,
            "outline": self.outline,
            "bookmarks": self.bookmarks,
            "annotations": self.annotations,
        }
        bar = QWidget()
        bar.setAccessibleName(self.tr("What is shown beside the pages"))
        bar.setProperty("role", "bar")
        row = in_row(bar, (Space.S, Space.HAIR, Space.S, Space.HAIR), spacing=Space.HAIR)
        self._stack = QStackedWidget()
        for name, pane in self._panes.items():
            row.addWidget(action_button(actions[name]))
            self._stack.addWidget(pane)
        row.addStretch(1)
        fill(in_column(self), bar, (self._stack, 1))
        self.setMinimumWidth(thumbnails.minimumWidth())
        self.hide()

    @property
    def shown(self) -> str | None:
        """Which pane is shown, None if the sidebar is hidden."""
        if self.isHidden():
            return None
        shown = self._stack.currentWidget()
        return next(name for name, pane in self._panes.items() if pane is shown)

    def toggle(self, name: str) -> None:
        """Show a pane, or hide the sidebar if that pane was shown."""
        if self.shown == name:
            self.hide()
        else:
            self._stack.setCurrentWidget(self._panes[name])
            self.show()
        for each in self._panes:
            self._actions[each].setChecked(each == self.shown)


class SidebarController(QObject):
    """said(text): what happened, in a sentence. changed(): other pages are marked now."""

    said = Signal(str)
    changed = Signal()

    def __init__(
        self, view: PageView, sidebar: Sidebar, tasks: Errands, outlines: Outlines, shelf: Bookmarks
    ) -> None:
        super().__init__(view)
        self._view, self._sidebar, self._tasks = view, sidebar, tasks
        self._outlines, self._shelf = outlines, shelf
        self.bookmarks: tuple[Bookmark, ...] = ()
        sidebar.bookmarks.renamed.connect(self._rename)
        sidebar.bookmarks.removed.connect(self._remove)

    def is_marked(self, page: int) -> bool:
        return any(mark.page == page for mark in self.bookmarks)

    def show_document(self, document: OpenDocument | None) -> None:
        """Read contents and bookmarks of another manual, or of the same one again."""
        self._sidebar.outline.wait()
        self._take_marks(())
        self.refresh(document)

    def refresh(self, document: OpenDocument | None) -> None:
        """Read again while the manual is being indexed; what is shown stays until then."""
        if document is None:
            return
        id_ = document.id
        self._tasks.run(
            lambda: self._outlines.of(id_), lambda outline: self._take_outline(id_, outline)
        )
        self._tasks.run(
            lambda: self._shelf.of(id_),
            lambda marks: self._take_marks(marks) if self._is_in_view(id_) else None,
        )

    def toggle_bookmark(self) -> None:
        """Mark the page in view, or take its mark away."""
        document, page = self._view.document, self._view.page
        if document is None or not document.pages:
            return
        if self.is_marked(page):
            self._remove(page)
            return
        section = self._sidebar.outline.section_at(page)
        where = self.tr("Page {page}").format(page=document.label(page))
        self._put(page, f"{section} ({where})" if section else where)
        self.said.emit(self.tr("{page} is bookmarked").format(page=where))

    def _rename(self, page: int, name: str) -> None:
        document = self._view.document
        if document is None:
            return
        plain = self.tr("Page {page}").format(page=document.label(page))
        self._put(page, name.strip() or plain)

    def _remove(self, page: int) -> None:
        document = self._view.document
        if document is not None:
            place = self.tr("Page {page}").format(page=document.label(page))
            self._change(lambda id_: self._shelf.remove(id_, page))
            self.said.emit(self.tr("{page} is no longer bookmarked").format(page=place))

    def _put(self, page: int, name: str) -> None:
        self._change(lambda id_: self._shelf.put(id_, page, name))

    def _change(self, work: Callable[[int], None]) -> None:
        """Do something to the bookmarks of the manual in view, and show what they are then."""
        document = self._view.document
        if document is None:
            return
        id_ = document.id

        def run() -> list[Bookmark]:
            work(id_)
            return self._shelf.of(id_)

        self._tasks.run(
            run,
            lambda marks: self._take_marks(marks) if self._is_in_view(id_) else None,
            lambda error: self.said.emit(
                self.tr("The bookmark could not be saved: {why}").format(why=error)
            ),
            keeps=True,
        )

    def _take_outline(self, document_id: int, outline: Outline) -> None:
        if self._is_in_view(document_id):
            self._sidebar.outline.show_outline(outline)

    def _take_marks(self, marks: Sequence[Bookmark]) -> None:
        self.bookmarks = tuple(marks)
        self._view.overlays.bookmarked = frozenset(mark.page for mark in marks)
        self._view.viewport().update()
        self._sidebar.bookmarks.show_bookmarks(self._view.document, self.bookmarks)
        self.changed.emit()

    def _is_in_view(self, document_id: int) -> bool:
        return self._view.document is not None and self._view.document.id == document_id
