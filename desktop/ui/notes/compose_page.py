"""Writing or pasting a note: Enter saves it; its fields can be looked at first, or afterwards."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.domains.field import Field
from desktop.ui.domains.page_frame import PageFrame
from desktop.ui.language import told
from desktop.ui.notes.note_form import PageCards
from desktop.ui.tokens import Space, Type


class ComposePage(QWidget):
    """save_wanted(): keep the text as it is. page_wanted(link). cancelled().

    sort_wanted(by_rules): look at what the text holds before it is kept.
    """

    save_wanted = Signal()
    sort_wanted = Signal(bool)
    page_wanted = Signal(object)
    cancelled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text = Field(
            self.tr("What did you learn?"),
            self.tr(
                "Enter saves it, Shift+Enter begins a new line. Leave a line empty between two "
                "notes."
            ),
            lines=6,
            example=self.tr(
                "For example: On the P-200 the seal lasts 3 months here, not 6, because of the "
                "sand in the water."
            ),
        )
        self.pages = PageCards()
        self.sort = push_button(self.tr("Check the Fields First"), kind="row")
        self.by_rules = push_button(self.tr("Without the Model"), kind="row")
        self._how = label("", factor=Type.SMALL, tone="muted", wrap=True)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        column.addWidget(self.text)
        column.addWidget(self.pages)
        ways = QHBoxLayout()
        ways.setSpacing(Space.S)
        ways.addWidget(self.sort)
        ways.addWidget(self.by_rules)
        ways.addStretch(1)
        column.addLayout(ways)
        column.addWidget(self._how)
        self.cancel = push_button(self.tr("Discard"))
        self.save = push_button(self.tr("Save"), kind="primary")
        self.frame = PageFrame(content, left=(self.cancel,), right=(self.save,))
        self.frame.show_title(
            self.tr("New note"),
            self.tr(
                "Site, asset, kind and author are filled in for you. Change them only if they are "
                "wrong."
            ),
        )
        self.setFocusProxy(self.text)
        self.text.editor.installEventFilter(self)
        self.save.clicked.connect(self.save_wanted)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.frame)
        self.sort.clicked.connect(lambda: self.sort_wanted.emit(False))
        self.by_rules.clicked.connect(lambda: self.sort_wanted.emit(True))
        self.cancel.clicked.connect(self.cancelled)
        self.text.edited.connect(lambda: self.text.show_fault(""))
        self.pages.page_wanted.connect(self.page_wanted)
        self.set_model(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            keypad = Qt.KeyboardModifier.KeypadModifier
            if enter and event.modifiers() in (Qt.KeyboardModifier.NoModifier, keypad):
                self.save.click()
                return True
        return super().eventFilter(watched, event)

    def set_model(self, there: bool) -> None:
        """Say who sorts the text."""
        self.by_rules.setVisible(there)
        self._how.setVisible(there)
        self._how.setText(
            self.tr(
                "“Check the Fields First” asks the language model what the text holds. That can "
                "take a minute and can be cancelled."
            )
            if there
            else ""
        )

    def clear(self) -> None:
        """Begin anew."""
        self.text.set_text("")
        self.text.show_fault("")
        self.pages.show_links((), {})

    def show_fault(self, reason: str) -> None:
        """Say why the text is refused."""
        self.text.show_fault(told(reason))
        self.text.setFocus()

    def set_busy(self, busy: bool) -> None:
        """Wait while the text is sorted."""
        buttons = (self.save, self.sort, self.by_rules, self.cancel)
        for widget in (self.text, self.pages, *buttons):
            widget.setEnabled(not busy)
