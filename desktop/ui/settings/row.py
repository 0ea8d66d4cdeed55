"""One setting: what it is called, what it does, its control, and the way back to the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.controls import flat_button, label
from desktop.ui.language import told
from desktop.ui.settings import words
from desktop.ui.settings.editors import editor_for
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.settings.describing import SettingField
    from desktop.ui.settings.keeper import SettingsKeeper


class SettingRow(QWidget):
    """Changes its setting as soon as a person does."""

    def __init__(
        self,
        field: SettingField,
        keeper: SettingsKeeper,
        choices: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__()
        self.field = field
        self._keeper = keeper
        self.editor = editor_for(field, choices)
        self.editor.control.setAccessibleDescription(told(field.description))
        name = words.caption(field)
        self.reset = flat_button("rotate-cw", self.tr("Reset “{name}”").format(name=name))
        kept = self.reset.sizePolicy()
        kept.setRetainSizeWhenHidden(True)  # or the controls would jump
        self.reset.setSizePolicy(kept)
        self.fault = label("", factor=Type.SMALL, tone="bad", wrap=True)
        self.fault.hide()
        self._lay_out(name)
        self.editor.edited.connect(self._take)
        self.reset.clicked.connect(self._reset)
        self.show_value()

    def show_value(self) -> None:
        """Show the value in force."""
        value = self._keeper.value(self.field.path)
        self.editor.show_value(value)
        self.reset.setVisible(value != self.field.default)
        self._say_fault("")

    def matches(self, wanted: str) -> bool:
        """Whether all of the words stand in the title, the description or the name in the file."""
        field = self.field
        texts = (field.title, field.description, field.group, ".".join(field.path))
        known = " ".join([*texts, *map(told, texts[:3])]).casefold()
        return all(word in known for word in wanted.casefold().split())

    def _take(self, value: Any) -> None:
        wrong = self._keeper.change(self.field.path, value)
        if wrong:
            self._say_fault(wrong)
        else:
            self._say_fault("")
            now = self._keeper.value(self.field.path)
            self.reset.setVisible(now != self.field.default)

    def _reset(self) -> None:
        self._keeper.reset(self.field)
        self.show_value()
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_fault(self, sentence: str) -> None:
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))

    def _lay_out(self, name: str) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        if self.field.kind != "flag":  # a box to tick says its name itself
            caption = label(name, bold=True, wrap=True)
            caption.setBuddy(self.editor.control)
            column.addWidget(caption)
        line = QHBoxLayout()
        line.setSpacing(Space.S)
        wide = self.field.kind == "text"
        line.addWidget(self.editor, 1 if wide else 0)
        line.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignTop)
        if not wide:
            line.addStretch(1)
        column.addLayout(line)
        column.addWidget(self.fault)
        column.addWidget(label(self._explanation(), factor=Type.SMALL, tone="muted", wrap=True))
        self.setMinimumHeight(Size.TARGET)

    def _explanation(self) -> str:
        field = self.field
        said = [told(field.description)]
        usual = words.usual(field)
        if usual:
            said.append(self.tr("Default: {value}.").format(value=usual))
        if not field.at_once:
            said.append(self.tr("Takes effect at the next start."))
        return " ".join(said)
