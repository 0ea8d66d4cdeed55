"""The settings window: panes at the left, the settings of one with their controls, or a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSpinBox,
    QStyledItemDelegate,
    QWidget,
)

from desktop.core.settings.describing import SettingField, describe
from desktop.core.settings.sections import Settings
from desktop.ui.design.controls import (
    LEFT,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    painted_as,
    push_button,
    remark,
    scrolled,
    search_field,
    text_field,
)
from desktop.ui.design.dialogs import SideWindow
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import tr
from desktop.ui.settings import words

if TYPE_CHECKING:
    from desktop.core.settings.describing import SettingField


WIDEST_NUMBER = 1_000_000_000
TEXT_LINES = 4
DECIMALS = 2
UNITS = {
    "percent": "%",
    "milliseconds": "ms",
    "seconds": "s",
    "timeout": "s",
    "hours": "h",
    "mib": "MiB",
    "gib": "GiB",
    "megapixels": "MP",
}
"""By the last word of a setting's name, which says its unit."""
FIELD_WIDTH = 320


class Editor(QWidget):
    """edited(value): a person changed it."""

    edited = Signal(object)

    def __init__(self, control: QWidget, field: SettingField) -> None:
        super().__init__()
        self.control = control
        control.setAccessibleName(words.caption(field))
        control.setMinimumHeight(Size.TARGET)
        control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        control.installEventFilter(self)
        fill(in_row(self), control)
        self.setFocusProxy(control)

    def show_value(self, value: Any) -> None:
        """Show a value, which is not an edit."""
        with QSignalBlocker(self.control):
            self._put(value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the wheel scroll the page: a setting must not change in passing."""
        if event.type() == QEvent.Type.Wheel:
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def _put(self, value: Any) -> None:
        raise NotImplementedError


class FlagEditor(Editor):
    def __init__(self, field: SettingField) -> None:
        self._box = QCheckBox(words.caption(field).replace("&", "&&"))
        super().__init__(self._box, field)
        self._box.toggled.connect(lambda on: self.edited.emit(on))

    def _put(self, value: Any) -> None:
        self._box.setChecked(bool(value))


class ChoiceEditor(Editor):
    def __init__(self, field: SettingField, choices: Sequence[tuple[str, str]] = ()) -> None:
        """choices: values with their names; the field's own unless given."""
        self._box = QComboBox()
        super().__init__(self._box, field)
        self._box.setFixedWidth(FIELD_WIDTH)
        # The usual one takes neither the height nor the colours of the style sheet.
        self._box.setItemDelegate(QStyledItemDelegate(self))
        for value, name in choices or [(each, words.choice(each)) for each in field.choices]:
            self._box.addItem(name, value)
        self._box.currentIndexChanged.connect(
            lambda index: self.edited.emit(self._box.itemData(index))
        )

    def _put(self, value: Any) -> None:
        place = self._box.findData(value)
        if place < 0:  # something that is not offered any more
            self._box.addItem(str(value), value)
            place = self._box.count() - 1
        self._box.setCurrentIndex(place)


class NumberEditor(Editor):
    def __init__(self, field: SettingField) -> None:
        self._whole = field.kind == "whole"
        self._box: QSpinBox | QDoubleSpinBox = QSpinBox() if self._whole else _Decimals()
        super().__init__(self._box, field)
        box = self._box
        smallest = 1 if self._whole else 10**-DECIMALS
        least = -WIDEST_NUMBER if field.least is None else field.least
        if field.empty:
            least = 0
            box.setSpecialValueText(words.usual(field))
        elif field.above_least:
            least += smallest
        most = WIDEST_NUMBER if field.most is None else field.most
        if isinstance(box, QSpinBox):
            box.setRange(int(least), int(most))
            box.setSingleStep(int(field.step or 1))
        else:
            box.setDecimals(DECIMALS)
            box.setRange(least, most)
            box.setSingleStep(0.05 if field.most == 1 else 1.0)
        self._box.setFixedWidth(FIELD_WIDTH // 2)
        self._box.lineEdit().setTextMargins(Space.S, 0, 0, 0)  # no style sheet's padding gets there
        self._box.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        unit = UNITS.get(field.path[-1].rpartition("_")[2])
        if unit is not None:
            self._box.setSuffix(f"\u00a0{unit}")
        # Not at every digit: 1 on the way to 120 is not a wish.
        self._box.setKeyboardTracking(False)
        empty = field.empty
        self._box.valueChanged.connect(
            lambda value: self.edited.emit(value or None if empty else value)
        )

    def _put(self, value: Any) -> None:
        number = 0 if value is None else value
        if isinstance(self._box, QSpinBox):
            self._box.setValue(int(number))
        else:
            self._box.setValue(float(number))


class LineEditor(Editor):
    def __init__(self, field: SettingField) -> None:
        self._line = text_field("")
        super().__init__(self._line, field)
        self._line.setFixedWidth(FIELD_WIDTH)
        self._line.editingFinished.connect(lambda: self.edited.emit(self._line.text().strip()))

    def _put(self, value: Any) -> None:
        self._line.setText(str(value))


class TextEditor(Editor):
    """Several lines; taken over when the keyboard leaves them."""

    def __init__(self, field: SettingField) -> None:
        self._area = _TextArea()
        super().__init__(self._area, field)
        self._area.setProperty("kind", "field")
        self._area.left.connect(lambda: self.edited.emit(self._area.toPlainText().strip()))

    def _put(self, value: Any) -> None:
        self._area.setPlainText(str(value))


class _TextArea(QPlainTextEdit):
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(TEXT_LINES * self.fontMetrics().lineSpacing() + 2 * Size.RADIUS + 12)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class _Decimals(QDoubleSpinBox):
    """Shows 10, not 10.00."""

    def textFromValue(self, value: float) -> str:  # noqa: N802 - Qt calls it so
        text = super().textFromValue(value)
        point = self.locale().decimalPoint()
        return text.rstrip("0").rstrip(point) if point in text else text


def editor_for(field: SettingField, choices: Sequence[tuple[str, str]] = ()) -> Editor:
    """Return the control for a field. choices: where they are not the field's own."""
    match field.kind:
        case "flag":
            return FlagEditor(field)
        case "choice":
            return ChoiceEditor(field)
        case "whole" | "decimal":
            return NumberEditor(field)
        case "line":
            return ChoiceEditor(field, choices) if choices else LineEditor(field)
        case _:
            return TextEditor(field)


class Kept(Protocol):
    """The settings in force, and what changes them; `change` returns what is wrong with a value."""

    changed: SignalInstance

    def value(self, path: tuple[str, ...]) -> Any: ...

    def change(self, path: tuple[str, ...], value: Any) -> str: ...


@dataclass(frozen=True, slots=True)
class Pane:
    """A pane and what stands in it: fields below headings, "" where none is needed."""

    name: str
    title: str
    about: str
    parts: tuple[tuple[str, tuple[SettingField, ...]], ...]

    @property
    def fields(self) -> tuple[SettingField, ...]:
        """Every field, in its order."""
        return tuple(field for _, fields in self.parts for field in fields)


_FILE_ONLY = (
    "ingestion.commit_milliseconds ingestion.commit_pages ingestion.embedding_batch "
    "agent.passage_tokens reasoning.mode_configs source_tiers.table"
).split()
"""What is tuned with a stopwatch or a set of questions, or has no simple form."""


def _plain() -> list[tuple[str, str, str, str]]:
    """Return the names of the panes, their titles, what they are about, and their settings."""
    return [
        (
            "appearance",
            tr("Appearance"),
            tr("Colours, text size and language of the window."),
            "window.scheme window.high_contrast window.text_percent window.glove_mode "
            "window.reduced_motion window.dim_pages window.language",
        ),
        (
            "manuals",
            tr("Manuals"),
            tr("How manuals are added and read."),
            "parser.ocr parser.layout_model ingestion.battery_percent ingestion.free_space_mib",
        ),
        (
            "answers",
            tr("Answers"),
            tr("What answers use, and how long they may take."),
            "agent.user_profile agent.context retrieval.newest_revision "
            "knowledge.notes_in_answers agent.nearest_pages agent.time_limit_seconds",
        ),
        (
            "models",
            tr("Models"),
            tr("Which models answer, and how much memory they may use."),
            "models.profile models.memory_gib",
        ),
        (
            "research",
            tr("Research"),
            tr("Longer questions, answered with a report."),
            "reasoning.enabled reasoning.time_limit_seconds reasoning.max_sources",
        ),
        (
            "privacy",
            tr("Privacy and backups"),
            tr("What is recorded and kept, all of it on this computer."),
            "reasoning_trace.enabled backups.every_hours backups.kept",
        ),
    ]


def panes() -> list[Pane]:
    """Return the panes in their order; a new setting nobody has placed stands in Advanced."""
    sections = describe(Settings)
    known = {".".join(field.path): field for section in sections for field in section.fields}
    made = [
        Pane(name, title, about, (("", tuple(map(known.pop, paths.split()))),))
        for name, title, about, paths in _plain()
    ]
    parts = []
    for section in sections:
        paths = [".".join(field.path) for field in section.fields]
        left = tuple(known[path] for path in paths if path in known and not in_file_only(path))
        if left:
            parts.append((tr(section.title), left))
    about = tr("Change these only if you know what they do.")
    return [*made, Pane("advanced", tr("Advanced"), about, tuple(parts))]


def in_file_only(path: str) -> bool:
    return any(path == each or path.startswith(f"{each}.") for each in _FILE_ONLY)


SIZE, LEAST = QSize(880, 640), QSize(680, 440)
LIST_LETTERS = 26
WIDEST_TEXT = 640
TICK_BOX = 28
"""From the edge of a box to tick to its words."""


class SettingsPage(SideWindow):
    """Every change counts at once; there is no "OK"."""

    def __init__(
        self,
        settings: Kept,
        parent: QWidget,
        choices: Mapping[str, Sequence[tuple[str, str]]],
    ) -> None:
        """choices: of fields that have them only while the program runs, by dotted path."""
        super().__init__(parent, self.tr("Settings"), SIZE, LEAST)
        self._settings = settings
        self.search = search_field(self.tr("Search the settings"))
        self.areas = QListWidget()
        self.areas.setProperty("kind", "areas")
        self.areas.setAccessibleName(self.tr("Settings sections"))
        self.nothing = label(self.tr("No setting found."), tone="muted", wrap=True)
        self.reset_all = push_button(self.tr("Reset this pane"), self._reset_area, name="rotate-cw")
        self._parts: list[_Area] = []
        for pane in panes():
            rows = {
                field: SettingRow(field, settings, choices.get(".".join(field.path), ()))
                for field in pane.fields
            }
            self._parts.append(_Area(pane, rows))
            item = QListWidgetItem(pane.title)
            item.setSizeHint(QSize(0, Size.TARGET))
            self.areas.addItem(item)
        self._lay_out()
        self.search.textChanged.connect(lambda _: self._show())
        self.areas.currentRowChanged.connect(lambda _: self._go())
        self.areas.itemClicked.connect(lambda _: self._go())
        self._settings.changed.connect(self._changed)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        self.areas.setCurrentRow(0)
        self._show()

    @property
    def rows(self) -> list[SettingRow]:
        """Every row of every area."""
        return [row for part in self._parts for row in part.rows]

    def go_to(self, pane: str) -> None:
        self.search.clear()
        names = [part.pane.name for part in self._parts]
        if pane in names:
            self.areas.setCurrentRow(names.index(pane))

    def row(self, *path: str) -> SettingRow:
        """Return the row of a setting.

        Raises: StopIteration, if there is none.
        """
        return next(row for row in self.rows if row.field.path == path)

    def bring(self, *path: str) -> None:
        """Show a setting in its pane and give it the keyboard.

        Raises: StopIteration, if there is none.
        """
        row = self.row(*path)
        self.go_to(next(part.pane.name for part in self._parts if row in part.rows))
        row.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._area.ensureWidgetVisible(row)

    def stand_over(self, window: QWidget) -> None:
        """Come up in the middle of the window, wherever it was left."""
        place = self.frameGeometry()
        place.moveCenter(window.frameGeometry().center())
        self.move(place.topLeft())

    def refresh(self) -> None:
        """Show the values in force: something other than this window may have changed them."""
        writing = self.focusWidget()
        for row in self.rows:
            if writing is None or not row.isAncestorOf(writing):
                row.show_value()

    def _show(self) -> None:
        wanted = self.search.text().strip()
        chosen = self.areas.currentRow()
        found = 0
        for number, part in enumerate(self._parts):
            fitting = [row for row in part.rows if row.matches(wanted)]
            found += part.show_rows(fitting if wanted or number == chosen else ())
        # Nothing stands out while rows of several areas are shown.
        item = self.areas.currentItem()
        if item is not None:
            item.setSelected(not wanted)
        self.nothing.setVisible(not found)
        self._offer_reset()
        self._area.verticalScrollBar().setValue(0)

    def _offer_reset(self) -> None:
        """Offer to reset the pane in view where something in it was changed."""
        part = self._parts[self.areas.currentRow()]
        changed = any(row.is_changed for row in part.rows)
        self.reset_all.setVisible(changed and not self.search.text().strip())

    def _reset_area(self) -> None:
        part = self._parts[self.areas.currentRow()]
        for row in part.rows:
            self._settings.change(row.field.path, row.field.default)
            row.show_value()
        self.areas.setFocus()

    def _changed(self, path: tuple[str, ...]) -> None:
        self._offer_reset()
        later = any(row.field.path == path and not row.field.at_once for row in self.rows)
        if later and not self.notices.texts():
            self.notices.say(self.tr("Some changes take effect when you restart Groundwork."))

    def _go(self) -> None:
        if self.search.text():
            self.search.clear()  # shows the area
        else:
            self._show()

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setProperty("role", "panel")
        column = in_column(inner, (Space.XL, Space.L, Space.XL, Space.L), spacing=Space.XL)
        column.addWidget(self.nothing)
        for part in self._parts:
            part.setMaximumWidth(WIDEST_TEXT)
            column.addWidget(part)
        fill(column, (self.reset_all, LEFT), None)
        self._area = scrolled(inner)
        held = QWidget()
        held.setFixedWidth(LIST_LETTERS * self.fontMetrics().averageCharWidth() + Space.XL)
        left = in_column(held, spacing=Space.S)
        around = in_column(room=(Space.S, Space.S, Space.S, 0))
        around.addWidget(self.search)
        fill(left, around, (self.areas, 1))
        right = in_column(room=(0, Space.S, 0, 0))
        fill(right, self.notices, (self._area, 1))
        self.put_beside(held, right)
        painted_as(self, "panel")


class _Area(QWidget):
    """The settings of one pane under its title, in Advanced with a heading for each part."""

    def __init__(self, pane: Pane, rows: dict[SettingField, SettingRow]) -> None:
        super().__init__()
        self.pane = pane
        self.rows = list(rows.values())
        column = in_column(self, spacing=Space.INSET)
        head = in_column(spacing=Space.XS)
        head.addWidget(label(pane.title, factor=Type.TITLE, bold=True))
        head.addWidget(label(pane.about, tone="muted", wrap=True))
        column.addLayout(head)
        self._headings: list[tuple[QWidget, list[SettingRow]]] = []
        for heading, fields in pane.parts:
            below = [rows[field] for field in fields]
            if heading:
                title = label(heading, factor=Type.SECTION, bold=True)
                column.addWidget(title)
                self._headings.append((title, below))
            for row in below:
                column.addWidget(row)

    def show_rows(self, shown: Sequence[SettingRow]) -> int:
        """Show these rows and the headings above them; return how many."""
        for row in self.rows:
            row.setVisible(row in shown)
        for title, below in self._headings:
            title.setVisible(any(row in shown for row in below))
        self.setVisible(bool(shown))
        return len(shown)


class SettingRow(QWidget):
    """Changes its setting as soon as a person does."""

    def __init__(
        self, field: SettingField, settings: Kept, choices: Sequence[tuple[str, str]]
    ) -> None:
        super().__init__()
        self.field = field
        self._settings = settings
        self.editor = editor_for(field, choices)
        self.editor.control.setAccessibleDescription(tr(field.description))
        name = words.caption(field)
        self.reset = flat_button("rotate-cw", self.tr("Reset “{name}”").format(name=name))
        kept = self.reset.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # or the controls would jump
        self.reset.setSizePolicy(kept)
        self.fault = remark(factor=Type.SMALL, tone="bad")
        self._explanation = label("", factor=Type.SMALL, tone="muted", wrap=True)
        column = in_column(self, spacing=Space.XS)
        if self.field.kind != "flag":  # a box to tick says its name itself
            caption = label(name, bold=True, wrap=True)
            caption.setBuddy(self.editor.control)
            column.addWidget(caption)
        line = in_row(spacing=Space.S)
        wide = self.field.kind == "text"
        line.addWidget(self.editor, 1 if wide else 0)
        line.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignTop)
        if not wide:
            line.addStretch(1)
        fill(column, line, self.fault)
        if self.field.kind == "flag":  # under the words, not under the box
            self._explanation.setContentsMargins(TICK_BOX, 0, 0, 0)
        column.addWidget(self._explanation)
        self.setMinimumHeight(Size.TARGET)
        self.editor.edited.connect(self._take)
        self.reset.clicked.connect(self._reset)
        self.show_value()

    @property
    def is_changed(self) -> bool:
        """Whether its value differs from the default."""
        return bool(self._settings.value(self.field.path) != self.field.default)

    def show_value(self) -> None:
        """Show the value in force."""
        self.editor.show_value(self._settings.value(self.field.path))
        self._offer_reset()
        self.fault.say("")

    def matches(self, wanted: str) -> bool:
        """Whether all of the words occur in the title, the description or the name in the file."""
        field = self.field
        texts = (field.title, field.description, field.group, ".".join(field.path))
        spoken = (words.caption(field), tr(field.description))
        known = " ".join([*texts, *spoken]).casefold()
        return all(word in known for word in wanted.casefold().split())

    def _take(self, value: Any) -> None:
        wrong = self._settings.change(self.field.path, value)
        self.fault.say(wrong)
        if not wrong:
            self._offer_reset()

    def _offer_reset(self) -> None:
        """Say the default beside a value that differs from it, with the way back."""
        self.reset.setVisible(self.is_changed)
        said = tr(self.field.description)
        if self.is_changed:
            usual = self.tr("Default: {value}.").format(value=words.usual(self.field))
            said = f"{said} {usual}"
        self._explanation.setText(said)

    def _reset(self) -> None:
        self._settings.change(self.field.path, self.field.default)
        self.show_value()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)
