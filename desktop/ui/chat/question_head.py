"""The question above its answer: small, once, and folded to two lines if it is long."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.ui.controls import flat_button, label
from desktop.ui.icons import icon
from desktop.ui.tokens import Space, Type

SHORT = 140
"""Letters that are shown of a long question until it is unfolded."""


class QuestionHead(QWidget):
    """edit_wanted(): change the question and ask again."""

    edit_wanted = Signal()

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question
        self.text = label("", factor=Type.BODY, tone="muted", wrap=True, selectable=True)
        self.text.setAccessibleName(question)
        self.edit_button = flat_button("pen-line", self.tr("Edit the question and ask again"))
        self.edit_button.clicked.connect(self.edit_wanted)
        self.fold_button = flat_button("chevron-down", self.tr("Show the whole question"))
        self.fold_button.setCheckable(True)
        self.fold_button.toggled.connect(self._show)
        self.fold_button.setVisible(len(question) > SHORT)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.XS)
        row.addWidget(self.text, 1)
        row.addWidget(self.fold_button)
        row.addWidget(self.edit_button)
        self._show(False)

    def _show(self, whole: bool) -> None:
        shown = self._question
        if not whole and len(shown) > SHORT:
            shown = " ".join(shown[:SHORT].split()).rsplit(" ", 1)[0] + " …"
        self.text.setText(shown)
        self.fold_button.setIcon(icon("chevron-up" if whole else "chevron-down"))
