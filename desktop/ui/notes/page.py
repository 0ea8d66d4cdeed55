"""The window of the notes: what there is at the left, one of them or a new one at the right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.notes.note import NoteFilter, day
from desktop.ui import wording
from desktop.ui.controls import flat_button, label, panel_header, push_button
from desktop.ui.domains.page_frame import PageFrame
from desktop.ui.icon_picture import IconPicture
from desktop.ui.icons import icon
from desktop.ui.keyed_list import KeyedList
from desktop.ui.language import spoken_language, told
from desktop.ui.library.row import RowView
from desktop.ui.notes import words
from desktop.ui.notes.compose_page import ComposePage
from desktop.ui.notes.kinds import kinds, row
from desktop.ui.notes.note_form import Choice
from desktop.ui.notes.note_jobs import BusyStrip
from desktop.ui.notes.note_page import NotePage
from desktop.ui.notes.review_page import ReviewPage
from desktop.ui.notice_strip import NoticeStrip
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from PySide6.QtGui import QKeyEvent, QShowEvent

    from desktop.core.notes.note import Note
    from knowledge.loader import LoadProblem
    from knowledge.pieces import KnowledgeType


TYPING_MS = 150
"""A search waits until nobody has typed for this long."""


class Filters(QWidget):
    """changed(): other notes are wanted."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self.changed)
        self.field = self._search_field()
        every_kind: list[tuple[KnowledgeType | None, str]] = [(None, self.tr("All kinds"))]
        self.kind: Choice[KnowledgeType | None] = Choice(self.tr("Kind"), [*every_kind, *kinds()])
        self.tag: Choice[str] = Choice(self.tr("Tag"))
        self.place: Choice[Place] = Choice(self.tr("About"))
        self.offer((), ())
        grid = QGridLayout(self)
        grid.setContentsMargins(Space.S, Space.S, Space.S, Space.XS)
        grid.setSpacing(Space.XS)
        grid.addWidget(self.field, 0, 0, 1, 2)
        grid.addWidget(self.place, 1, 0, 1, 2)
        grid.addWidget(self.kind, 2, 0)
        grid.addWidget(self.tag, 2, 1)
        for side in (0, 1):
            grid.setColumnStretch(side, 1)
        for choice in (self.kind, self.tag, self.place):
            choice.chosen.connect(self.changed)

    @property
    def wanted(self) -> NoteFilter:
        """What is wanted now."""
        return NoteFilter(
            self.field.text().strip(), self.tag.value, self.place.value, self.kind.value
        )

    def offer(self, tags: Iterable[str], places: Iterable[Place]) -> None:
        """Offer the tags and places that notes have."""
        self.tag.offer([("", self.tr("All tags")), *((tag, tag) for tag in tags)])
        sites = {Place(each.site) for each in places if each.site}
        found = sorted({*places, *sites} - {EVERYWHERE}, key=lambda place: place.key)
        self.place.offer(
            [(EVERYWHERE, self.tr("About anything")), *((each, str(each)) for each in found)]
        )

    def clear(self) -> None:
        """Want every note."""
        self.field.clear()
        self._typing.stop()
        self.kind.set_value(None)
        self.tag.set_value("")
        self.place.set_value(EVERYWHERE)
        self.changed.emit()

    def _search_field(self) -> QLineEdit:
        field = QLineEdit()
        field.setProperty("kind", "field")
        field.setPlaceholderText(self.tr("Search notes"))
        field.setAccessibleName(self.tr("Search notes"))
        field.setClearButtonEnabled(True)
        field.setMinimumHeight(Size.TARGET)
        field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        field.textChanged.connect(lambda _: self._typing.start())
        for inner in field.findChildren(QToolButton):
            inner.setAccessibleName(field.accessibleName())
        return field


class NoteList(KeyedList):
    """chosen(piece_id): a person went to a note. delete_wanted(piece_id): with the Delete key."""

    delete_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__(QCoreApplication.translate("NoteList", "Notes"))

    def show_notes(self, notes: Sequence[Note], edited: Collection[str]) -> None:
        """Show notes in this order. edited: those that were changed and are not kept yet."""
        self.show_rows([(each.piece_id, _row(each, edited)) for each in notes])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.key:
            self.delete_wanted.emit(self.key)
            return
        super().keyPressEvent(event)


def _row(note: Note, edited: Collection[str]) -> RowView:
    icon = "link-2" if note.pages else "sticky-note"
    # the dots of a shortened title do not stand on a line of their own
    title = note.title.replace(" …", "\u00a0…")
    view = RowView(
        title, row(note, day(note.written, language=spoken_language())), "", icon, (), ""
    )
    if note.piece_id in edited:
        return replace(view, detail=words.not_kept_yet(), tone="attention")
    return view


WIDTH = 560


class TeachPage(QWidget):
    """write_wanted(), import_wanted()."""

    write_wanted = Signal()
    import_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inner = QWidget()
        inner.setMaximumWidth(WIDTH)
        column = QVBoxLayout(inner)
        column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(IconPicture("sticky-note", Size.PANEL_HEADER, "site"))
        column.addWidget(
            label(self.tr("Write what your site learned"), factor=Type.TITLE, bold=True, wrap=True)
        )
        column.addWidget(
            label(
                self.tr(
                    "Manuals say what the maker knew. Notes say what you found out: answers use "
                    "them too, and always show that they come from a note."
                ),
                wrap=True,
            )
        )
        column.addLayout(self._ways())
        self.write = push_button(self.tr("Write a Note"), kind="primary")
        self.write.clicked.connect(self.write_wanted)
        self.load = push_button(self.tr("Import Notes…"))
        self.load.clicked.connect(self.import_wanted)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.write)
        row.addWidget(self.load)
        row.addStretch(1)
        column.addSpacing(Space.S)
        column.addLayout(row)
        # no alignment: the height of wrapped words follows from the width they really get
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(inner, 20)
        across.addStretch(1)
        whole = QVBoxLayout(self)
        whole.addStretch(1)
        whole.addLayout(across)
        whole.addStretch(2)

    def _ways(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        grid.setVerticalSpacing(Space.S)
        grid.setColumnStretch(1, 1)
        for place, (name, text) in enumerate(
            (
                (
                    "pen-line",
                    self.tr(
                        "Something the manual has wrong here: “The seal lasts 3 months at this "
                        "site, not 6.”"
                    ),
                ),
                (
                    "link-2",
                    self.tr(
                        "About a page: select words in a manual and choose “Add note”. It then "
                        "stands in the margin."
                    ),
                ),
                (
                    "map-pin",
                    self.tr("About one asset or site: only questions there will see it."),
                ),
            )
        ):
            mark = IconPicture(name, Size.ICON, "muted")
            grid.addWidget(mark, place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(text, wrap=True), place, 1)
        return grid


LINES = 14


class ReportPage(QWidget):
    """closed(): it was read."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.problems = QPlainTextEdit()
        self.problems.setReadOnly(True)
        self.problems.setProperty("kind", "field")
        self.problems.setTabChangesFocus(True)
        self.problems.setAccessibleName(self.tr("Problems and where they are"))
        self.problems.setFixedHeight(LINES * self.problems.fontMetrics().lineSpacing())
        hint = self.tr(
            "Positions count from 0: pieces[3] is the fourth piece. Repair the file and import "
            "it again; what is here already is not taken twice."
        )
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(self.problems)
        column.addWidget(label(hint, factor=Type.SMALL, tone="muted", wrap=True))
        done = push_button(self.tr("Done"), kind="primary")
        done.clicked.connect(self.closed)
        self.frame = PageFrame(content, right=(done,))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.frame)

    def show_report(self, name: str, changed: int, problems: Sequence[LoadProblem]) -> None:
        """Show what was wrong with a file. changed: items that are new or other than before."""
        self.frame.show_title(
            self.tr("“{name}” was only partly imported").format(name=name),
            self.tr("{n} items are new or changed. {m} were skipped or need a look:").format(
                n=wording.number(changed), m=wording.number(len(problems))
            ),
            "attention",
        )
        lines = (f"{each.position}: {told(each.reason)}" for each in problems)
        self.problems.setPlainText("\n".join(lines))


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
        self._nothing.setText(self.tr("No matching notes") if total else self.tr("No notes yet"))
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
