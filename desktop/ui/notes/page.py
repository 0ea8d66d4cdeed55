"""The window of the notes: what there is at the left, one of them or a new one at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.ui import wording
from desktop.ui.controls import flat_button, label, panel_header, push_button
from desktop.ui.notes import words
from desktop.ui.notes.busy_strip import BusyStrip
from desktop.ui.notes.compose_page import ComposePage
from desktop.ui.notes.filters import Filters
from desktop.ui.notes.note_list import NoteList
from desktop.ui.notes.note_page import NotePage
from desktop.ui.notes.report_page import ReportPage
from desktop.ui.notes.review_page import ReviewPage
from desktop.ui.notes.teach_page import TeachPage
from desktop.ui.notice_strip import NoticeStrip
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QShowEvent

    from desktop.core.notes.note import Note

SIZE = QSize(1120, 760)
LEFT_MOST = 380
LEFT_LETTERS = 48
"""Width of the left column in letters, so that it grows with a person's own font size."""


class NotesPage(QDialog):
    """A window of its own beside the main one, so that a page stays in view while one writes.

    new_wanted(), import_wanted(), export_wanted().
    """

    new_wanted = Signal()
    import_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Notes"))
        self.setSizeGripEnabled(False)
        self.resize(SIZE.boundedTo(self.screen().availableSize()))
        self.setMinimumSize(760, 480)
        self.filters = Filters()
        self.list = NoteList()
        self.notices = NoticeStrip()
        self.busy = BusyStrip()
        self.teach = TeachPage()
        self.compose = ComposePage()
        self.review = ReviewPage()
        self.note = NotePage()
        self.report = ReportPage()
        self._nothing = label("", tone="muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        self._count = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self.new_button = push_button(self.tr("New Note"), name="plus")
        self.import_button = flat_button("file-up", self.tr("Import…"), caption=True)
        self.export_button = flat_button("file-down", self.tr("Export…"), caption=True)
        self._rows = QStackedWidget()
        self._pages = QStackedWidget()
        self._lay_out()
        self._connect()

    # what is shown at the right

    @property
    def shown(self) -> QWidget | None:
        """The page at the right."""
        return self._pages.currentWidget()

    def show_page(self, page: QWidget) -> None:
        """Show one of the pages at the right; the text of a note that was begun stays."""
        self._pages.setCurrentWidget(page)
        if page is not self.note:
            self.list.go_to("")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.focusWidget() in (None, self.import_button):  # Qt's own choice: the first one
            (self.teach.write if self.shown is self.teach else self.list).setFocus()

    def show_rows(
        self, notes: Sequence[Note], matching: int, total: int, edited: Sequence[str]
    ) -> None:
        """Show notes. matching: how many the filters leave, perhaps more than are shown."""
        self.list.show_notes(notes, edited)
        shown = len(notes)
        told = words.notes(total)
        if matching < total:
            told = self.tr("{n} of {notes}").format(n=wording.number(matching), notes=told)
        if shown < matching:
            told = self.tr("{told}; the latest {n} are shown").format(told=told, n=shown)
        self._count.setText(told)
        self._count.setVisible(total > 0)
        self.filters.setVisible(total > 0)
        self.export_button.setEnabled(total > 0)
        self._nothing.setText(
            self.tr("No note is like this.") if total else self.tr("Your notes will stand here.")
        )
        self._rows.setCurrentWidget(self.list if shown else self._nothing)

    def _connect(self) -> None:
        self.new_button.clicked.connect(self.new_wanted)
        self.teach.write_wanted.connect(self.new_wanted)
        self.teach.import_wanted.connect(self.import_wanted)
        self.import_button.clicked.connect(self.import_wanted)
        self.export_button.clicked.connect(self.export_wanted)
        for keys, slot in (
            (QKeySequence.StandardKey.Close, self.close),
            (QKeySequence.StandardKey.New, self.new_wanted.emit),
            (QKeySequence.StandardKey.Find, self._find),
            (QKeySequence.StandardKey.Save, self._save),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(slot)

    def _find(self) -> None:
        self.filters.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.field.selectAll()

    def _save(self) -> None:
        if self.shown is self.note:
            self.note.ask_to_save()
        elif self.shown is self.review:
            self.review.keep.click()

    def _lay_out(self) -> None:
        for page in (self.teach, self.note, self.compose, self.review, self.report):
            self._pages.addWidget(page)
        for rows in (self.list, self._nothing):
            self._rows.addWidget(rows)
        left = QWidget()
        left.setProperty("role", "panel")
        left.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        width = LEFT_LETTERS * self.fontMetrics().averageCharWidth()
        left.setFixedWidth(min(width, LEFT_MOST))
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filters)
        column.addWidget(self._rows, 1)
        self._count.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        column.addWidget(self._count)
        line = QFrame()
        line.setProperty("role", "line")
        line.setFixedWidth(1)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.notices)
        right.addWidget(self.busy)
        right.addWidget(self._pages, 1)
        columns = QHBoxLayout()
        columns.setSpacing(0)
        columns.addWidget(left)
        columns.addWidget(line)
        columns.addLayout(right, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(
            panel_header(self.tr("Notes"), self.import_button, self.export_button, self.new_button)
        )
        whole.addLayout(columns, 1)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
