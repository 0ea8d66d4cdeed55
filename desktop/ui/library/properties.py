"""Everything that is known of one manual: where it came from, how far its pages are, what it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QListWidget, QListWidgetItem, QWidget

from desktop.ui import wording
from desktop.ui.design.controls import label, push_button, text_field
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import told, tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop.core.library.values import DocumentRecord, PageRecord

WIDTH = 560
MOST_PROBLEMS = 200
PROBLEMS_HEIGHT = 112


@dataclass(frozen=True, slots=True)
class Facts:
    """What has to be read from the library. original: its copy of the PDF; bytes: its size."""

    record: DocumentRecord
    newer: DocumentRecord | None
    pages: tuple[PageRecord, ...]
    original: Path
    bytes: int
    language: str


class PropertiesDialog(Dialog):
    """page_wanted(page), edit_wanted(), anew_wanted(), folder_wanted(): what a person asks for."""

    page_wanted = Signal(int)
    edit_wanted = Signal()
    anew_wanted = Signal()
    folder_wanted = Signal()

    def __init__(self, parent: QWidget, facts: Facts) -> None:
        super().__init__(parent, self.tr("Properties"))
        record = facts.record
        self.setMinimumWidth(WIDTH)
        self.problems = self._problem_list(facts)
        column = self.column
        title = record.title.strip() or record.name
        column.addWidget(label(title, factor=Type.TITLE, bold=True, wrap=True))
        column.addLayout(self._what_it_is(facts))
        column.addWidget(label(self._page_summary(facts), wrap=True))
        column.addWidget(self.problems)
        self.problems.setVisible(self.problems.count() > 0)
        column.addLayout(self._where_it_is(facts))
        close = self.add_buttons(self.tr("Close"), cancel=False, left=self._buttons(record))
        close.setFocus()

    def _what_it_is(self, facts: Facts) -> QFormLayout:
        record = facts.record
        revision = ", ".join(filter(None, (record.revision, record.revision_date)))
        if facts.newer is not None:
            mark = facts.newer.revision or facts.newer.revision_date
            revision = self.tr("{revision} (older: {newer} is here)").format(
                revision=revision, newer=mark
            )
        form = _form()
        trust = f"{wording.tier_title(record.tier)} ({wording.source_kind(record.source_type)})"
        _say(form, self.tr("Trust"), trust)
        _say(form, self.tr("Revision"), revision or self.tr("not known"))
        _say(form, self.tr("Tags"), ", ".join(record.tags) or self.tr("none"))
        _say(form, self.tr("Belongs to"), str(record.place) or self.tr("no site"))
        if record.pack:
            _say(form, self.tr("Pack"), record.pack)
        if facts.language:
            language = tr(QLocale.languageToString(QLocale(facts.language).language()))
            _say(form, self.tr("Language"), language)
        return form

    def _page_summary(self, facts: Facts) -> str:
        counts = Counter(map(_state, facts.pages))
        counts["waiting"] += max(0, facts.record.page_count - len(facts.pages))
        parts = [wording.pages(facts.record.page_count)]
        for state, text in (
            ("ready", self.tr("{n} ready")),
            ("searchable", self.tr("{n} found by their words")),
            ("waiting", self.tr("{n} waiting")),
            ("failed", self.tr("{n} not fully read")),
        ):
            if counts[state]:
                parts.append(text.format(n=wording.number(counts[state])))
        summary = " · ".join(parts)
        return f"{summary}\n{told(facts.record.reason)}" if facts.record.reason else summary

    def _where_it_is(self, facts: Facts) -> QFormLayout:
        record = facts.record
        form = _form()
        _say(form, self.tr("File"), record.name)
        if record.made_from:
            _say(form, self.tr("Shown"), self.tr("as a PDF made from it, with the file attached"))
        _say(form, self.tr("Size"), wording.file_size(facts.bytes or record.bytes))
        if facts.pages:
            _say(form, self.tr("Page size"), self._page_size(facts.pages))
        _say(form, self.tr("Added"), wording.day_and_time(record.added_at))
        used = wording.day_and_time(record.used_at) if record.used_at else self.tr("not yet")
        _say(form, self.tr("Opened"), used)
        _hand_out(form, self.tr("Original"), str(facts.original))
        _hand_out(form, "SHA-256", record.sha256)
        return form

    def _page_size(self, pages: Sequence[PageRecord]) -> str:
        sizes = Counter((_millimetres(page.width), _millimetres(page.height)) for page in pages)
        ((width, height), count), *others = sizes.most_common()
        size = self.tr("{width} × {height} mm").format(width=width, height=height)
        if not others:
            return size
        rest = len(pages) - count
        if rest == 1:
            return self.tr("{size}, 1 page differs").format(size=size)
        return self.tr("{size}, {n} pages differ").format(size=size, n=wording.number(rest))

    def _problem_list(self, facts: Facts) -> QListWidget:
        found = QListWidget()
        found.setAccessibleName(self.tr("Pages with problems"))
        found.setMaximumHeight(PROBLEMS_HEIGHT)
        found.setProperty("kind", "rows")
        found.setWordWrap(True)
        failed = [page for page in facts.pages if "failed" in page.passes or page.reason]
        for page in failed[:MOST_PROBLEMS]:
            shown = wording.page_label(page.label, page.page)
            reason = told(page.reason) or self.tr("not read in full")
            item = QListWidgetItem(f"{shown[:1].upper()}{shown[1:]}: {reason}", found)
            item.setData(Qt.ItemDataRole.UserRole, page.page)
        if found.count():
            found.setCurrentRow(0)
        found.itemActivated.connect(lambda item: self._open(item.data(Qt.ItemDataRole.UserRole)))
        return found

    def _buttons(self, record: DocumentRecord) -> list[QWidget]:
        buttons: list[QWidget] = []
        wanted = [
            (self.tr("Change…"), self.edit_wanted),
            (wording.reveal(), self.folder_wanted),
        ]
        if record.state in ("ready", "failed", "cancelled") and not record.pack:
            wanted.insert(1, (self.tr("Read again"), self.anew_wanted))
        for text, signal in wanted:
            button = push_button(text)
            button.clicked.connect(self.accept)
            button.clicked.connect(signal)
            buttons.append(button)
        return buttons

    def _open(self, page: int) -> None:
        self.accept()
        self.page_wanted.emit(page)


def _state(page: PageRecord) -> str:
    """Return how far a page has got."""
    if page.passes[0] == "pending":
        return "waiting"
    if "failed" in page.passes:
        return "failed"
    return "searchable" if "pending" in page.passes else "ready"


def _millimetres(points: float) -> int:
    return round(points * 25.4 / 72)


def _form() -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(Space.L)
    form.setVerticalSpacing(Space.XS)
    form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form


def _say(form: QFormLayout, name: str, value: str) -> None:
    caption = label(name, tone="muted")
    caption.setMinimumWidth(3 * Size.TARGET)
    told = label(value, wrap=True, selectable=True)
    told.setMinimumWidth(1)
    told.setAccessibleName(f"{name}: {value}")
    form.addRow(caption, told)


def _hand_out(form: QFormLayout, name: str, value: str) -> None:
    """Show what is too long to be read but worth copying, in a line that scrolls."""
    caption = label(name, tone="muted")
    line = text_field(name, value)
    line.setReadOnly(True)
    line.setCursorPosition(0)
    caption.setMinimumSize(3 * Size.TARGET, Size.TARGET)  # in the middle of the line beside it
    caption.setBuddy(line)
    form.addRow(caption, line)
