"""One native control for each kind of setting; all of them say `edited` with the new value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QPlainTextEdit,
    QSpinBox,
    QStyledItemDelegate,
    QWidget,
)

from desktop.ui.design.controls import fill, in_row, text_field
from desktop.ui.design.tokens import Size, Space
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
        for value, name in choices or [(each, words.choice(field, each)) for each in field.choices]:
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
        self._empty = field.empty
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
        self._box.valueChanged.connect(lambda _: self.edited.emit(self._value()))

    def _value(self) -> float | int | None:
        value = self._box.value()
        return None if self._empty and value == 0 else value

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
        self._area = _Area()
        super().__init__(self._area, field)
        self._area.setProperty("kind", "field")
        self._area.left.connect(lambda: self.edited.emit(self._area.toPlainText().strip()))

    def _put(self, value: Any) -> None:
        self._area.setPlainText(str(value))


class _Area(QPlainTextEdit):
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
