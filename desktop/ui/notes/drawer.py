"""The drawer of the notes at the right of the window: all of them, or one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.notes.note import DELETED, Conflict, Note, NoteFilter, Version, day
from desktop.ui import note_words as words
from desktop.ui import wording
from desktop.ui.design.controls import (
    DELETE,
    ENTER,
    Keys,
    empty,
    fill,
    flat_button,
    in_column,
    label,
    panel_header,
    plain_tooltip,
    push_button,
    search_field,
)
from desktop.ui.design.dialogs import Drawer
from desktop.ui.design.forms import Choice, PageFrame
from desktop.ui.design.notices import BusyNotice
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import spoken_language, told, tr
from desktop.ui.library.lists import KeyedList
from desktop.ui.library.model import RowView
from desktop.ui.notes.new_note import ComposePage, ReviewPage
from desktop.ui.notes.note_page import NotePage

if TYPE_CHECKING:
    from knowledge.loader import LoadProblem
    from knowledge.pieces import KnowledgeType


LONGEST = 400


class ConflictStrip(QFrame):
    """decided(conflict, value): a person keeps one version. Hidden while there are none."""

    decided = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self._conflicts: tuple[Conflict, ...] = ()
        self._column = in_column(self, (Space.M, Space.S, Space.M, Space.S), spacing=Space.XS)
        self.hide()

    def show_conflicts(self, conflicts: Sequence[Conflict]) -> None:
        """Show the first of them; the others follow it."""
        if tuple(conflicts) == self._conflicts:
            return
        self._conflicts = tuple(conflicts)
        empty(self._column)
        if conflicts:
            self._show(conflicts[0], len(conflicts))
        self.setVisible(bool(conflicts))

    def _show(self, conflict: Conflict, count: int) -> None:
        title = self.tr("Two people changed a note separately: {field}").format(
            field=_field(conflict.field)
        )
        self._column.addWidget(label(title, bold=True, wrap=True))
        for version in conflict.versions:
            by = self.tr("{name}, {day}:").format(
                name=version.check_in.name or version.check_in.author,
                day=day(version.check_in.at[:10], language=spoken_language()),
            )
            self._column.addWidget(label(by, factor=Type.SMALL, tone="muted", wrap=True))
            text = label(_text(conflict, version), wrap=True, selectable=True)
            text.setMinimumWidth(1)
            self._column.addWidget(text)
            keep = push_button(self.tr("Keep this"))
            keep.setAccessibleDescription(text.text())
            keep.clicked.connect(
                lambda _=False, value=version.value: self.decided.emit(conflict, value)
            )
            self._column.addWidget(keep, 0, Qt.AlignmentFlag.AlignLeft)
        if count > 1:
            more = self.tr("{n} more after this one").format(n=count - 1)
            self._column.addWidget(label(more, factor=Type.SMALL, tone="muted"))


def _field(name: str) -> str:
    told = {
        "content": tr("text"),
        "tags": tr("tags"),
        "place": tr("what the note is about"),
        "knowledge_type": tr("kind"),
        "tier": tr("trust level"),
        "links": tr("linked pages"),
        DELETED: tr("deleted by one, changed by the other"),
    }
    return told.get(name, name)


def _text(conflict: Conflict, version: Version) -> str:
    value = version.value
    if conflict.field == DELETED:
        return tr("Delete it") if value else str(version.check_in.values.get("content", ""))
    if conflict.field == "links":
        return tr("{n} pages").format(n=len(value or ()))
    if isinstance(value, list):
        value = ", ".join(str(each) for each in value)
    return str(value or tr("nothing"))[:LONGEST]


TYPING_MS = 150
"""A search waits until nobody has typed for this long."""


class Filters(QWidget):
    """changed(): other notes are wanted."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._typing = QTimer(self, singleShot=True, interval=TYPING_MS)
        self._typing.timeout.connect(self.changed)
        self.field = search_field(self.tr("Search notes"))
        self.field.textChanged.connect(lambda _: self._typing.start())
        every_kind: list[tuple[KnowledgeType | None, str]] = [(None, self.tr("All kinds"))]
        self.kind: Choice[KnowledgeType | None] = Choice(
            self.tr("Kind"), [*every_kind, *words.kinds()]
        )
        self.tag: Choice[str] = Choice(self.tr("Tag"))
        self.place: Choice[Place] = Choice(self.tr("About"))
        self.offer((), ())
        grid = QGridLayout(self)
        grid.setContentsMargins(Space.S, Space.S, Space.S, Space.XS)
        grid.setSpacing(Space.XS)
        grid.addWidget(self.field, 0, 0, 1, 3)
        choices: tuple[Choice[Any], ...] = (self.place, self.kind, self.tag)
        for column, choice in enumerate(choices):
            grid.addWidget(choice, 1, column)
            grid.setColumnStretch(column, 3 if choice is self.place else 2)
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
        """Ask for every note."""
        self.field.clear()
        self._typing.stop()
        self.kind.set_value(None)
        self.tag.set_value("")
        self.place.set_value(EVERYWHERE)
        self.changed.emit()


class NoteList(KeyedList):
    """chosen(piece_id): a person opens a note. delete_wanted(piece_id): with the Delete key."""

    delete_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Notes"))
        self.clicked.connect(lambda _: self.chosen.emit(self.key))
        tell = self._tell
        Keys(self, {DELETE: lambda: tell(self.delete_wanted), ENTER: lambda: tell(self.chosen)})

    def show_notes(self, notes: Sequence[Note], edited: Collection[str]) -> None:
        """Show notes in this order. edited: those that were changed and are not kept yet.

        The keyboard stays in its row, even where the note that stood there is gone.
        """
        row = self.currentIndex().row()
        self.show_rows([(each.piece_id, _row(each, edited)) for each in notes])
        if notes and row >= 0 and not self.key:
            self.go_to(notes[min(row, len(notes) - 1)].piece_id)

    def _tell(self, signal: SignalInstance) -> None:
        if self.key:
            signal.emit(self.key)

    def _changed(self) -> None:
        """Moving through the rows opens none of them: a note takes the place of the list."""


def _row(note: Note, edited: Collection[str]) -> RowView:
    icon = "link-2" if note.pages else "sticky-note"
    # the dots of a shortened title do not stand on a line of their own
    title = note.title.replace(" …", "\u00a0…")
    if note.piece_id in edited:
        return RowView(title, tr("Not saved yet"), "attention", icon)
    return RowView(title, words.row(note, day(note.written, language=spoken_language())), "", icon)


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
            "it again; what is already here is not added twice."
        )
        content = QWidget()
        column = in_column(content, spacing=Space.S)
        fill(column, self.problems, label(hint, factor=Type.SMALL, tone="muted", wrap=True))
        done = push_button(self.tr("Done"), self.closed, kind="primary")
        self.setFocusProxy(self.problems)
        self.frame = PageFrame(content, right=(done,))
        in_column(self).addWidget(self.frame)

    def show_report(self, name: str, changed: int, problems: Sequence[LoadProblem]) -> None:
        """Show what was wrong with a file. changed: items that are new or different."""
        self.frame.show_title(
            self.tr("“{name}” was only partly imported").format(name=name),
            self.tr("{n} items are new or changed. {m} were skipped or need checking:").format(
                n=wording.number(changed), m=wording.number(len(problems))
            ),
            "attention",
        )
        lines = (f"{each.position}: {told(each.reason)}" for each in problems)
        self.problems.setPlainText("\n".join(lines))


class Overview(QWidget):
    """Every note that the filters leave, and how many there are."""

    def __init__(self) -> None:
        super().__init__()
        self.filters = Filters()
        self.list = NoteList()
        self._nothing = label("", tone="muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setContentsMargins(Space.INSET, Space.INSET, Space.INSET, Space.INSET)
        self._count = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self._count.setContentsMargins(Space.INSET, Space.S, Space.INSET, Space.S)
        self._rows = QStackedWidget()
        for rows in (self.list, self._nothing):
            self._rows.addWidget(rows)
        fill(in_column(self), self.filters, (self._rows, 1), self._count)
        self.setFocusProxy(self.list)

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
        self._nothing.setText(self.tr("No matching notes"))
        self._rows.setCurrentWidget(self.list if shown else self._nothing)


LEAST_WIDTH = 400
"""Pixels that the fields of a note need."""


class BusyStrip(BusyNotice):
    """cancel_wanted(). Hidden while nothing runs."""

    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.cancel.clicked.connect(self._stop)
        self.hide()

    def begin(self, text: str) -> None:
        """Say what is going on."""
        self.show_progress(text)
        self.cancel.setEnabled(True)
        self.show()

    def _stop(self) -> None:
        self.cancel.setEnabled(False)
        self.text.setText(self.tr("Stopping"))
        self.cancel_wanted.emit()


class NotesDrawer(Drawer):
    """Lies at the right of the window, so that a page stays in view while one writes.

    new_wanted(), list_wanted().
    """

    new_wanted = Signal()
    list_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, LEAST_WIDTH)
        keys = QKeySequence.StandardKey
        self.keys |= {
            keys.Close: self.close_wanted.emit,
            keys.New: self.new_wanted.emit,
            keys.Find: self._find,
            keys.Save: self._save,
        }
        self.overview = Overview()
        self.filters, self.list = self.overview.filters, self.overview.list
        self.busy = BusyStrip()
        self.conflicts = ConflictStrip()
        self.compose = ComposePage()
        self.review = ReviewPage()
        self.note = NotePage()
        self.report = ReportPage()
        self.back = flat_button("arrow-left", "")
        self.new_button = push_button(self.tr("New note"), self.new_wanted, name="plus")
        self.import_button = flat_button("file-up", self.tr("Import…"))
        self.export_button = flat_button("file-down", self.tr("Export…"))
        self.close_button = flat_button("x", self.tr("Close the notes"), self.close_wanted)
        self._pages = QStackedWidget()
        for page in (self.overview, self.note, self.compose, self.review, self.report):
            self._pages.addWidget(page)
        header = panel_header(
            self.tr("Notes"),
            self.import_button,
            self.export_button,
            self.new_button,
            self.close_button,
            before=self.back,
        )
        fill(self.whole, header, self.notices, self.busy, self.conflicts, (self._pages, 1))
        self._is_first = True
        self.show_page(self.compose)
        for ends in ("Ctrl+Return", "Ctrl+Enter"):
            within = Qt.ShortcutContext.WidgetWithChildrenShortcut
            QShortcut(ends, self, context=within).activated.connect(self._finish)

    @property
    def shown(self) -> QWidget | None:
        """The page that is shown."""
        return self._pages.currentWidget()

    def show_start(self, *, has_notes: bool) -> None:
        """Show all notes; while there are none, the field for the first one."""
        self._is_first = not has_notes
        self.compose.set_first(self._is_first)
        self.show_page(self.overview if has_notes else self.compose)

    def show_page(self, page: QWidget) -> None:
        """Show one of the pages; the text of a note that was begun stays."""
        had_keyboard = self.has_keyboard
        self._pages.setCurrentWidget(page)
        name = self.tr("Back to the text") if page is self.review else self.tr("All notes")
        self.back.setAccessibleName(name)
        self.back.setToolTip(plain_tooltip(name))
        starts = page is self.overview or (page is self.compose and self._is_first)
        self.back.setHidden(starts)
        self.new_button.setVisible(page in (self.overview, self.note))
        self.import_button.setVisible(starts)
        self.export_button.setVisible(page is self.overview)
        if had_keyboard:
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _find(self) -> None:
        self.list_wanted.emit()
        self.filters.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.field.selectAll()

    def _save(self) -> None:
        if self.shown is self.note:
            self.note.ask_to_save()
        elif self.shown is self.compose:
            self.compose.save.click()
        elif self.shown is self.review:
            self.review.keep.click()

    def _finish(self) -> None:
        if self.shown is self.compose:
            self.compose.sort.click()
        else:
            self._save()
