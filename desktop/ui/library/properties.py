"""Dialogs about manuals: everything that is known of one; what they are: tags, trust, revision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from desktop.core.library.values import BadSource, DocumentRecord, PageRecord, SourceEdit
from desktop.sentences import message
from desktop.ui import wording
from desktop.ui.design.controls import (
    fill,
    in_column,
    in_row,
    label,
    push_button,
    remark,
    text_field,
)
from desktop.ui.design.dialogs import Dialog
from desktop.ui.design.forms import NameField
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import told, tr

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
        fill(column, label(title, factor=Type.TITLE, bold=True, wrap=True), self._what_it_is(facts))
        fill(column, label(self._page_summary(facts), wrap=True), self.problems)
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
            _say(form, self.tr("Shown"), self.tr("converted to PDF; original attached"))
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
        wanted = [(self.tr("Change…"), self.edit_wanted), (wording.reveal(), self.folder_wanted)]
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


SOURCE_WIDTH = 480
Edits = dict[int, SourceEdit]
"""What a person says of each document, by its id."""


class SourceDialog(Dialog):
    """For one document everything, for several what they can share.

    answered(edits): `Edits` of all documents. rules_wanted(): let rules decide anew.
    """

    answered = Signal(object)
    rules_wanted = Signal()

    def __init__(
        self,
        parent: QWidget,
        manuals: Sequence[DocumentRecord],
        known_tags: Collection[str],
        known_kinds: Collection[str],
    ) -> None:
        super().__init__(parent, self.tr("Tags, trust and revision"), spacing=Space.S)
        self.setMinimumWidth(SOURCE_WIDTH)
        self._manuals = manuals
        first = manuals[0]
        self._one = len(manuals) == 1
        self.tags = TagField(self.tr("Tags") if self._one else self.tr("Add tags"), "")
        self.tags.offer(known_tags)
        self.fewer_tags = TagField(self.tr("Remove tags"), "")
        self.fewer_tags.offer({tag for each in manuals for tag in each.tags})
        self.tier = self._tier_box({each.tier for each in manuals})
        self.kind = NameField(self.tr("Kind"), self.tr("As they are"))
        self.kind.offer(known_kinds)
        if len({each.source_type for each in manuals}) == 1:
            self.kind.line.setText(first.source_type)
        self.revision = text_field(self.tr("Revision"), placeholder=self.tr("For example Rev C"))
        self.date = text_field(
            self.tr("Date of the revision"), placeholder=self.tr("For example 2026-03")
        )
        if self._one:
            self.tags.line.setText(", ".join(first.tags))
            self.revision.setText(first.revision)
            self.date.setText(first.revision_date)
        self._wrong = remark(tone="bad")
        self._lay_out()
        self.tags.setFocus()

    def accept(self) -> None:
        """Hand the edits over, or say what is wrong with them and stay."""
        edits = {each.id: self._edit(each) for each in self._manuals}
        try:
            for edit in edits.values():
                edit.columns()
        except BadSource as error:
            self._wrong.say(told(message(error)))
            return
        super().accept()
        changed = {each.id: edits[each.id] for each in self._manuals if edits[each.id].changes}
        if changed:
            self.answered.emit(changed)

    def _edit(self, manual: DocumentRecord) -> SourceEdit:
        """Return what differs from what a document is now."""
        away = {tag.casefold() for tag in self.fewer_tags.tags}
        added = self.tags.tags
        if self._one:
            tags = added
        else:
            kept = tuple(tag for tag in manual.tags if tag.casefold() not in away)
            there = {tag.casefold() for tag in kept}
            tags = kept + tuple(tag for tag in added if tag.casefold() not in there)
        tier = self.tier.currentData()
        kind = self.kind.name.strip()
        revision, date = self.revision.text().strip(), self.date.text().strip()
        return SourceEdit(
            tier=tier if tier and tier != manual.tier else None,
            source_type=kind if kind and kind != manual.source_type else None,
            tags=tags if tags != manual.tags else None,
            revision=revision if self._one and revision != manual.revision else None,
            revision_date=date if self._one and date != manual.revision_date else None,
        )

    def _tier_box(self, now: set[int]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(self.tr("Trust"))
        box.setMinimumHeight(Size.TARGET)
        box.setItemDelegate(QStyledItemDelegate(box))  # as tall as the style sheet says
        if len(now) > 1:
            box.addItem(self.tr("As they are"), 0)
        for tier in wording.TIERS:
            box.addItem(wording.tier_title(tier), tier)
        if len(now) == 1:
            box.setCurrentIndex(box.findData(next(iter(now))))
        return box

    def _lay_out(self) -> None:
        column = self.column
        column.addWidget(label(self._about(), factor=Type.LEAD, bold=True, wrap=True))
        fields: list[tuple[QWidget, QWidget]] = [(self.tags, self.tags.line)]
        if not self._one:
            fields.append((self.fewer_tags, self.fewer_tags.line))
        fields += [(self.tier, self.tier), (self.kind, self.kind.line)]
        for field, line in fields:
            _add(column, field, line)
        if self._one:
            pair = in_row(spacing=Space.M)
            for line in (self.revision, self.date):
                side = in_column(spacing=Space.S)
                _add(side, line, line)
                pair.addLayout(side, 1)
            column.addLayout(pair)
        for unused in (self.fewer_tags,) if self._one else (self.revision, self.date):
            unused.setParent(self)  # without one it would outlive the dialog, and its menu with it
            unused.hide()
        column.addWidget(self._wrong)
        hint = self.tr("Separate tags with commas. The newer of two revisions wins.")
        if not self._one:
            hint = self.tr("Separate tags with commas. Empty fields change nothing.")
        fill(column, label(hint, factor=Type.SMALL, tone="muted", wrap=True), Space.M)
        rules = push_button(self.tr("Let the rules decide again"), self._leave_to_rules)
        self.add_buttons(self.tr("OK"), left=(rules,))

    def _leave_to_rules(self) -> None:
        self.reject()
        self.rules_wanted.emit()

    def _about(self) -> str:
        if self._one:
            title = self._manuals[0].title.strip() or self._manuals[0].name
            return self.tr("What is “{title}”?").format(title=title)
        count = wording.manuals(len(self._manuals))
        return self.tr("What are these {manuals}?").format(manuals=count)


class TagField(NameField):
    """A line of tags, with the known ones in a menu beside it: choosing one adds it."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags as they are written, each once."""
        written = (" ".join(part.split()).removeprefix("#") for part in self.name.split(","))
        once: dict[str, str] = {}
        for tag in written:
            if tag:
                once.setdefault(tag.casefold(), tag)
        return tuple(once.values())

    def choose(self, name: str) -> None:
        """Add a tag to those that are written."""
        if name.casefold() not in {tag.casefold() for tag in self.tags}:
            self.line.setText(", ".join((*self.tags, name)))

    def completes(self) -> bool:
        """A completer would replace the whole line."""
        return False


def _add(column: QVBoxLayout, field: QWidget, named: QWidget) -> None:
    caption = label(named.accessibleName())
    caption.setBuddy(named)
    fill(column, Space.XS, caption, field)
