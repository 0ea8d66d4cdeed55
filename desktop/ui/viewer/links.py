"""What a page leads to: links within a manual, and the notes beside the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolButton, QToolTip

from desktop.core.geometry import Box
from desktop.ui.design.controls import plain_tooltip
from desktop.ui.design.forms import in_a_menu
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import Menu, passing_menu
from desktop.ui.design.tokens import Size, Space
from desktop.ui.viewer.document import OpenDocument, PageStore, WordStore
from desktop.ui.viewer.selection import words_inside

if TYPE_CHECKING:
    from desktop.core.page_words import PageWords
    from desktop.core.structure.values import PageLink
    from desktop.ui.viewer.page_view import PageView


Links = tuple["PageLink", ...]
LinkStore = PageStore[Links]


_LONGEST = 80
_SETTLE_MS = 300
"""Links are read when a page stays in view: while one leafs they would only be in the way."""


class LinkTool(QObject):
    """jumped(page, down): a link of the manual was followed; `down` in points of the page."""

    jumped = Signal(int, float)

    def __init__(self, view: PageView, links: LinkStore, words: WordStore) -> None:
        super().__init__(view)
        self._view, self._links, self._words = view, links, words
        self._pressed: tuple[PageLink, QPointF] | None = None
        self._settled = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settled.timeout.connect(self._read)
        view.moved.connect(self._settled.start)
        view.viewport().installEventFilter(self)

    def show_menu(self) -> None:
        """Offer the links of the page in view in a menu."""
        document, page = self._view.document, self._view.page
        if document is None:
            return

        def show(links: Links, words: PageWords) -> None:
            menu = passing_menu(self._view)
            for link in links:
                entry = menu.addAction(_line(self._name(document, link, words)))
                entry.triggered.connect(lambda _=False, link=link: self.follow(link))
            if not links:
                menu.addAction(self.tr("There are no links on this page")).setEnabled(False)
            menu.popup(self._view.viewport().mapToGlobal(self._near(page)))

        self._links.with_pages(
            document.id,
            [page],
            lambda links: self._words.with_pages(
                document.id, [page], lambda words: show(links[page], words[page])
            ),
        )

    def follow(self, link: PageLink) -> None:
        """Go where a link leads within the manual; for any other link only show the address."""
        if link.page >= 0:
            self.jumped.emit(link.page, link.down)
            return
        menu = passing_menu(self._view)
        menu.addAction(_line(link.address)).setEnabled(False)
        why = self.tr("External link, not opened")
        menu.addAction(why).setEnabled(False)
        menu.addSeparator()
        copy = menu.addAction(self.tr("Copy address"))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(link.address))
        menu.setActiveAction(copy)
        menu.popup(self._view.cursor().pos())

    def link_at(self, position: QPointF) -> PageLink | None:
        """Return the link under a position of the viewport."""
        document, page = self._view.document, self._view.page_under(position)
        if document is None or page is None:
            return None
        x, y = self._view.page_frame(page).point(position)
        for link in self._links.get(document.id, page) or ():
            x0, y0, x1, y1 = link.box
            if x0 <= x <= x1 and y0 <= y <= y1:
                return link
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            return self._explain(event)
        if not isinstance(event, QMouseEvent):
            return False
        if event.type() == QEvent.Type.MouseMove and not event.buttons():
            if self.link_at(event.position()) is not None:
                self._view.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
                return True
        elif event.button() == Qt.MouseButton.LeftButton:
            if event.type() == QEvent.Type.MouseButtonPress:
                link = self.link_at(event.position())
                self._pressed = None if link is None else (link, event.position())
            elif event.type() == QEvent.Type.MouseButtonRelease:
                self._released(event.position())
        return False  # words may be selected across a link

    def _released(self, position: QPointF) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return
        moved = (position - pressed[1]).manhattanLength()
        if moved < QApplication.startDragDistance():
            self.follow(pressed[0])

    def _explain(self, event: QHelpEvent) -> bool:
        link = self.link_at(QPointF(event.pos()))
        document = self._view.document
        if link is None or document is None:
            return False
        QToolTip.showText(event.globalPos(), plain_tooltip(self._target(document, link)))
        return True

    def _target(self, document: OpenDocument, link: PageLink) -> str:
        if link.page < 0:
            return link.address
        if link.page >= len(document.pages):
            return self.tr("This page does not exist")
        return self.tr("Go to page {page}").format(page=document.shown_page(link.page))

    def _name(self, document: OpenDocument, link: PageLink, words: PageWords) -> str:
        said = words_inside(words, Box(*link.box).inflated(1.0))
        if link.page < 0 or link.page >= len(document.pages) or not said:
            target = self._target(document, link)
        else:
            target = self.tr("page {page}").format(page=document.label(link.page))
        return f"{said} → {target}" if said else target

    def _near(self, page: int) -> QPoint:
        area = self._view.page_frame(page).area
        return QPoint(max(24, round(area.left()) + 24), max(24, round(area.top()) + 24))

    def _read(self) -> None:
        document = self._view.document
        if document is not None and document.pages:
            for page in self._view.visible_pages():
                self._links.get(document.id, page)


def _line(text: str) -> str:
    short = " ".join(text.split())
    if len(short) > _LONGEST:
        short = f"{short[: _LONGEST // 2]} … {short[-_LONGEST // 3 :]}"
    return short.replace("&", "&&")


@dataclass(frozen=True, slots=True)
class NotePlace:
    """A page and, if words are selected there, their boxes and the words themselves.

    page: from 0. boxes: PDF points, top-left origin, page as displayed.
    """

    document_id: int
    page: int
    boxes: tuple[Box, ...] = ()
    quote: str = ""


LONGEST_ENTRY = 90
MOST_TOLD = 4
"""Notes whose words a tooltip shows; more of one place are counted."""


@dataclass(frozen=True, slots=True)
class MarginNote:
    """A note about a page. top: points from the upper edge of the page as displayed.

    page: from 0. said: who wrote it when, and how it begins.
    """

    key: str
    page: int
    top: float
    said: str


class PageNotes(QObject):
    """Keeps one button beside every place with notes on the pages in view.

    wanted(place): write a note about this `NotePlace`. opened(key): read this note.
    """

    wanted = Signal(object)
    opened = Signal(str)

    def __init__(self, view: PageView, words: WordStore) -> None:
        super().__init__(view)
        self._view, self._words = view, words
        self._document_id: int | None = None
        self._notes: tuple[MarginNote, ...] = ()
        self._marks: dict[tuple[MarginNote, ...], _Mark] = {}
        view.moved.connect(self._place)

    @property
    def marks(self) -> list[QToolButton]:
        """The buttons that are shown, from the top."""
        return sorted(self._marks.values(), key=lambda mark: mark.y())

    def show_notes(self, document_id: int, notes: Iterable[MarginNote]) -> None:
        """Show the notes of a manual in place of those that were shown."""
        self._document_id = document_id
        self._notes = tuple(sorted(notes, key=lambda note: (note.page, note.top, note.key)))
        self._place()

    def add(self) -> None:
        """Ask for a note about the selected words, else about the page in view."""
        self.find_place(lambda place: self.wanted.emit(place) if place is not None else None)

    def find_place(self, then: Callable[[NotePlace | None], None]) -> None:
        """Call `then` with the place a note would be about, None when no page is shown.

        A selection over several pages belongs to the page it begins on; its words may
        have to be read.
        """
        document, selection = self._view.document, self._view.overlays.selection
        if document is None or not document.pages:
            then(None)
            return
        id_ = document.id
        if selection is None:
            then(NotePlace(id_, self._view.page))
            return
        first = selection.pages.start

        def found(words: dict[int, PageWords]) -> None:
            quote = " ".join(selection.text(words).split())
            then(NotePlace(id_, first, selection.boxes(first, words[first]), quote))

        self._words.with_pages(id_, selection.pages, found)

    def _place(self) -> None:
        """Put the buttons where their pages are now; a focused button is kept."""
        wanted = self._wanted()
        for group in [each for each in self._marks if each not in wanted]:
            mark = self._marks.pop(group)
            mark.hide()
            mark.deleteLater()
        for group, (x, y) in wanted.items():
            mark = self._marks.get(group) or self._mark(group)
            mark.move(x, y)
            mark.show()

    def _wanted(self) -> dict[tuple[MarginNote, ...], tuple[int, int]]:
        view, document = self._view, self._view.document
        if document is None or document.id != self._document_id or not self._notes:
            return {}
        found: dict[tuple[MarginNote, ...], tuple[int, int]] = {}
        for page in view.visible_pages():
            here = [note for note in self._notes if note.page == page]
            if here:
                frame = view.page_frame(page)
                # beside the paper where there is room, and hardly over its words
                x = round(min(frame.area.right() - Space.S, view.viewport().width() - Size.TARGET))
                scale = frame.area.height() / max(float(document.sizes[page][1]), 1e-6)
                found |= {group: (x, y) for group, y in _grouped(here, frame.area, scale)}
        return found

    def _mark(self, group: tuple[MarginNote, ...]) -> _Mark:
        mark = self._marks[group] = _Mark(self._view, group)
        if len(group) == 1:
            mark.clicked.connect(lambda: self.opened.emit(group[0].key))
            return mark
        for note in group:
            entry = mark.choices.addAction(in_a_menu(note.said, LONGEST_ENTRY))
            entry.triggered.connect(lambda _=False, key=note.key: self.opened.emit(key))
        return mark


class _Mark(QToolButton):
    def __init__(self, view: PageView, group: tuple[MarginNote, ...]) -> None:
        super().__init__(view.viewport())
        told = [note.said for note in group[:MOST_TOLD]]
        if len(group) > MOST_TOLD:
            told.append(self.tr("and {n} more").format(n=len(group) - MOST_TOLD))
        self.choices = Menu(self)
        self.setProperty("kind", "note")
        self.setFixedSize(Size.TARGET, Size.TARGET)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if len(group) == 1:
            # white in both schemes, as the paper is: see `viewer/page_painter.py`
            self.setIcon(icon("sticky-note", "#ffffff"))
            self.setIconSize(QSize(Size.ICON, Size.ICON))
            self.setAccessibleName(self.tr("Note: {text}").format(text=told[0]))
        else:
            self.setText(str(len(group)))
            self.setMenu(self.choices)
            self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            self.setAccessibleName(self.tr("{n} notes").format(n=len(group)))
        self.setAccessibleDescription("; ".join(told))
        self.setToolTip(plain_tooltip("\n\n".join(told)))


def _grouped(
    notes: list[MarginNote], page: QRectF, scale: float
) -> list[tuple[tuple[MarginNote, ...], int]]:
    """Return notes with the height of their button; notes that would overlap share one."""
    groups: list[tuple[list[MarginNote], int]] = []
    lowest = page.bottom() - Size.TARGET - Space.XS
    for note in notes:
        y = round(min(max(page.top() + note.top * scale, page.top() + Space.XS), lowest))
        if groups and y < groups[-1][1] + Size.TARGET + Space.XS:
            groups[-1][0].append(note)
        else:
            groups.append(([note], y))
    return [(tuple(group), y) for group, y in groups]
