"""Notes in the margin of the pages they are about: real buttons that lie over the paper."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton

from desktop.ui.controls import plain_tooltip
from desktop.ui.icons import icon
from desktop.ui.popups import Menu
from desktop.ui.tokens import Size, Space

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.ui.viewer.pages.page_view import PageView

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


class MarginNotes(QObject):
    """Keeps one button beside every place of the pages in view that has notes.

    opened(key): a person wants to read this note.
    """

    opened = Signal(str)

    def __init__(self, view: PageView) -> None:
        super().__init__(view)
        self._view = view
        self._document_id: int | None = None
        self._notes: tuple[MarginNote, ...] = ()
        self._marks: dict[tuple[MarginNote, ...], _Mark] = {}
        for bar in (view.verticalScrollBar(), view.horizontalScrollBar()):
            bar.valueChanged.connect(self._place)
        view.zoom_changed.connect(self._place)
        view.page_changed.connect(self._place)
        view.viewport().installEventFilter(self)

    @property
    def marks(self) -> list[QToolButton]:
        """The buttons that are shown, from the top."""
        return sorted(self._marks.values(), key=lambda mark: mark.y())

    def show_notes(self, document_id: int, notes: Iterable[MarginNote]) -> None:
        """Show the notes of a manual in place of those that were shown."""
        self._document_id = document_id
        self._notes = tuple(sorted(notes, key=lambda note: (note.page, note.top, note.key)))
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self, *_: object) -> None:
        """Put the buttons where their pages are now; one that has the focus stays the same."""
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
                right = min(frame.area.right(), view.viewport().width())
                x = round(right - Size.TARGET - Space.XS)
                scale = frame.area.height() / max(float(document.sizes[page][1]), 1e-6)
                found |= {group: (x, y) for group, y in _grouped(here, frame.area, scale)}
        return found

    def _mark(self, group: tuple[MarginNote, ...]) -> _Mark:
        mark = self._marks[group] = _Mark(self._view, group)
        if len(group) == 1:
            mark.clicked.connect(lambda: self.opened.emit(group[0].key))
            return mark
        for note in group:
            entry = mark.choices.addAction(_in_a_menu(note.said))
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
            # white in both schemes, as the paper is: see `viewer/colours.py`
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


def _in_a_menu(said: str) -> str:
    short = said if len(said) <= LONGEST_ENTRY else said[:LONGEST_ENTRY].rstrip() + " …"
    return short.replace("&", "&&")


def _grouped(
    notes: list[MarginNote], page: QRectF, scale: float
) -> list[tuple[tuple[MarginNote, ...], int]]:
    """Return notes with the height of their button; what would overlap shares one."""
    groups: list[tuple[list[MarginNote], int]] = []
    lowest = page.bottom() - Size.TARGET - Space.XS
    for note in notes:
        y = round(min(max(page.top() + note.top * scale, page.top() + Space.XS), lowest))
        if groups and y < groups[-1][1] + Size.TARGET + Space.XS:
            groups[-1][0].append(note)
        else:
            groups.append(([note], y))
    return [(tuple(group), y) for group, y in groups]
