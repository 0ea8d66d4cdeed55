"""The bar above the answers: what the conversation is about, a new one, and all of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from desktop.ui.controls import flat_button, plain_tooltip
from desktop.ui.elided_label import ElidedLabel
from desktop.ui.tokens import Size, Space


class ChatHeader(QFrame):
    """new_wanted(): begin a conversation. list_wanted(shown): show or leave the list."""

    new_wanted = Signal()
    list_wanted = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "header")
        self.setFixedHeight(Size.PANEL_HEADER)
        self._text = self._question = ""
        self.title = ElidedLabel(bold=True)
        self.list_button = flat_button("history", self.tr("Conversations"))
        self.list_button.setCheckable(True)
        self.list_button.clicked.connect(self.list_wanted)
        self.new_button = flat_button("message-square-plus", self.tr("New conversation"))
        self.new_button.clicked.connect(self.new_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.M, 0, Space.S, 0)
        row.setSpacing(Space.XS)
        row.addWidget(self.title, 1)
        row.addWidget(self.new_button)
        row.addWidget(self.list_button)
        self.set_title("")

    def set_title(self, title: str) -> None:
        """Name the conversation; without a title it is a new one."""
        self._text = title
        self._show()

    def set_question(self, question: str) -> None:
        """Tell which question is shown first; a title that only repeats it is not shown."""
        self._question = " ".join(question.split())
        self._show()

    def set_list_shown(self, shown: bool) -> None:
        """Say what is shown below."""
        self.list_button.setChecked(shown)
        self._show()

    def _show(self) -> None:
        listed = self.list_button.isChecked()
        title = self._text
        if self._question.startswith(" ".join(title.split()).rstrip("… ")):
            title = ""  # the question stands right below
        shown = self.tr("Conversations") if listed else title or self.tr("Answers")
        self.title.setText(shown)
        self.title.setToolTip("" if listed else plain_tooltip(self._text) if self._text else "")
