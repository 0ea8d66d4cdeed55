"""The composer: the question field, which manuals and model to ask and how, Send or Stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolButton, QWidget

from desktop.ui.chat.scope_button import FIELD, ScopeButton
from desktop.ui.design.controls import (
    FlowLayout,
    PressButton,
    fill,
    flat_button,
    in_column,
    in_row,
    make_flat,
    plain_tooltip,
    set_property,
)
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import menu_of
from desktop.ui.design.theme import colours, scaled_font, theme
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.files import picture_in
from desktop.ui.language import tr
from desktop.ui.layout_memory import LayoutMemory
from desktop.ui.research.modes import ModeButton

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent

    from desktop.models.overview import ProfileStatus
    from desktop.ui.design.tokens import Colours

MOST_LINES = 6


def round_size() -> int:
    """Return the width and height of the Ask button."""
    return Size.ROW + Space.XS


class QuestionField(QPlainTextEdit):
    """Grows with its text up to `MOST_LINES`; Up in an empty field recalls the last question.

    pictured(picture): a picture was pasted, given as its path or its bytes.
    """

    submitted = Signal()
    pictured = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.last_question = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(Space.HAIR)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.textChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not shift:
            self.submitted.emit()
            return
        if event.key() == Qt.Key.Key_Up and self.last_question and not self.toPlainText():
            self.setPlainText(self.last_question)
            self.moveCursor(self.textCursor().MoveOperation.End)
            return
        super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 - Qt's name
        # files dropped here are for the library, as everywhere in the window
        if picture_in(source) is not None:
            return True
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 - Qt's name
        picture = picture_in(source)
        if picture is not None:
            self.pictured.emit(picture)
        else:
            super().insertFromMimeData(source)

    def _fit(self) -> None:
        lines = int(min(MOST_LINES, max(1, self.document().size().height())))
        margins = 2 * Space.XS + 2 * int(self.document().documentMargin())
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + margins)


class Composer(QFrame):
    """One rounded field: the text, the manuals and the model to ask, how, and Ask or Stop.

    pictured(picture): a picture pasted or dropped here, given as its path or its bytes.
    """

    asked = Signal(str)
    stop_wanted = Signal()
    pictured = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.setAcceptDrops(True)
        self.field = QuestionField()
        self.field.pictured.connect(self.pictured)
        self.field.setPlaceholderText(self.tr("Ask your manuals…"))
        self.field.setAccessibleName(self.tr("Question"))
        self.field.submitted.connect(self._submit)
        self.field.textChanged.connect(self._update_button)
        self.field.installEventFilter(self)
        self.scope = ScopeButton()
        self.mode = ModeButton()
        self.mode.changed.connect(lambda _: self._update_button())
        for chosen_in in (self.scope.menu(), self.mode.menu()):
            # with or without a choice, what is typed next is the question
            chosen_in.aboutToHide.connect(self.field.setFocus)
        self.model = ModelPicker()
        self.button = PressButton()
        self.button.setObjectName("send")
        self.button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button.setFixedSize(round_size(), round_size())
        self.button.setIconSize(QSize(Size.ICON, Size.ICON))
        self.button.clicked.connect(self._press)
        self.speak = flat_button("mic", self.tr("Speak the question"))
        self.speak.setToolTip(plain_tooltip(self.tr("Hold to speak the question (F4)")))
        self._running = False
        self._ready = False
        self._frame = QFrame()
        self._frame.setObjectName(FIELD)
        self._lay_out()
        theme().changed.connect(self._paint_tokens)
        self._paint_tokens()

    def _lay_out(self) -> None:
        chips = QWidget()
        flow = FlowLayout(chips, Space.XS)
        for chip in (self.scope, self.mode, self.model):
            chip.setProperty("kind", "chip")
            chip.setMinimumSize(0, Size.ROW)
            chip.setIconSize(QSize(Size.ICON - 2, Size.ICON - 2))
            chip.setFont(scaled_font(Type.SMALL))
            flow.addWidget(chip)
        row = in_row(spacing=Space.S)
        row.addWidget(chips, 1, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.speak, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        self._inner = inner = in_column(
            self._frame, (Space.M, Space.S, Space.S, Space.S), spacing=Space.XS
        )
        fill(inner, self.field, row)
        in_column(self, (Space.M, Space.S, Space.M, Space.M)).addWidget(self._frame)

    def set_ready(self, ready: bool) -> None:
        """Allow sending: the library is open."""
        self._ready = ready
        self._update_button()

    def write(self, text: str) -> None:
        """Put a text into the field, to be changed and asked."""
        self.field.setPlainText(text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def append(self, text: str) -> None:
        """Put more words after those in the field, to be checked and asked."""
        before = self.field.toPlainText().rstrip()
        self.write(f"{before} {text}" if before else text)

    def show_listening(self, listening: bool) -> None:
        """Show on the button whether somebody is being listened to."""
        self.speak.setDown(listening)
        self.speak.setIcon(icon("mic", "accent" if listening else "text"))

    def take(self) -> str:
        """Return what was written and empty the field, as asking it does."""
        text = self.field.toPlainText().strip()
        if text:
            self.field.last_question = text
            self.field.clear()
        return text

    def show_above(self, widget: QWidget) -> None:
        """Put a widget above the text, inside the frame."""
        self._inner.insertWidget(0, widget)

    def set_running(self, running: bool) -> None:
        """Turn the button into Stop, or back."""
        self._running = running
        self._update_button()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            set_property(self._frame, "lit", event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if picture_in(event.mimeData()) is not None:
            event.acceptProposedAction()
        else:  # files are for the library
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        picture = picture_in(event.mimeData())
        if picture is not None:
            event.acceptProposedAction()
            self.pictured.emit(picture)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.field.setFocus(Qt.FocusReason.MouseFocusReason)  # all of it is the field

    def _press(self) -> None:
        if self._running:
            self.stop_wanted.emit()
        else:
            self._submit()

    def _submit(self) -> None:
        if self.field.toPlainText().strip() and self._ready:
            self.asked.emit(self.take())

    def _update_button(self) -> None:
        name, text, keys = "arrow-up", self.tr("Ask"), "Return"
        if self.mode.mode:
            text = self.tr("Research")
        if self._running:
            name, text, keys = "square", self.tr("Stop"), "Esc"
        self.button.setAccessibleName(text)
        hint = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
        self.button.setToolTip(plain_tooltip(f"{text} ({hint})"))
        enabled = self._running or (self._ready and bool(self.field.toPlainText().strip()))
        self.button.setEnabled(enabled)
        self.button.setIcon(icon(name, "accent_ink" if enabled else "muted"))

    def _paint_tokens(self) -> None:
        self.button.setFixedSize(round_size(), round_size())
        self._frame.setStyleSheet(_sheet(colours()))
        self._update_button()


def _sheet(c: Colours) -> str:
    """Return the look of the field: one rounded border around all that is in it."""
    return f"""
QFrame#composer {{ background: {c.surface}; border: 1px solid {c.border_strong};
    border-radius: {round_size() // 2}px; }}
QFrame#composer[lit="true"] {{ border: 2px solid {c.accent}; }}
QFrame#composer QPlainTextEdit {{ background: transparent; border: 0; color: {c.text}; }}
QToolButton[kind="chip"] {{ background: transparent; color: {c.muted};
    border: 1px solid {c.border}; border-radius: {Size.ROW // 2}px; padding: 0 {Space.S}px;
    min-height: {Size.ROW - 2}px; }}
QToolButton[kind="chip"]:hover {{ background: {c.hover}; color: {c.text}; }}
QToolButton[kind="chip"]:focus {{ border: 2px solid {c.accent}; color: {c.text}; }}
QToolButton[kind="chip"]::menu-indicator {{ image: none; }}
QPushButton#send {{ background: {c.accent}; border: 2px solid {c.accent};
    border-radius: {round_size() // 2}px; padding: 0; }}
QPushButton#send:hover, QPushButton#send:focus {{ border-color: {c.text}; }}
QPushButton#send:disabled {{ background: {c.hover}; border-color: {c.hover}; }}
"""


PAUSE_MS = 1_000


class QuestionDraft(QObject):
    """Saves the text whenever the person pauses typing."""

    def __init__(self, field: QPlainTextEdit) -> None:
        super().__init__(field)
        self._field = field
        self._memory: LayoutMemory | None = None
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self.save)
        field.textChanged.connect(self._pause.start)

    def remember_in(self, folder: Path) -> None:
        """Restore the draft begun in the library of this folder."""
        self._memory = LayoutMemory(folder)
        draft = self._memory.question_draft
        if draft and not self._field.toPlainText():
            self._field.setPlainText(draft)
            self._field.moveCursor(self._field.textCursor().MoveOperation.End)

    def save(self) -> None:
        """Save the text now."""
        self._pause.stop()
        if self._memory is not None:
            self._memory.question_draft = self._field.toPlainText()
            self._memory.write()


class ModelPicker(QToolButton):
    """Hidden while only one profile can answer: there is nothing to pick.

    chosen(id): answer with this profile from now on. models_wanted(): see what is installed.
    """

    chosen = Signal(str)
    models_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        make_flat(self, "sparkles", self.tr("What writes the answers"), caption=True)
        self._menu = menu_of(self)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self._menu)
        self._shown: tuple[tuple[str, bool], ...] = ()
        self.hide()

    def show_profiles(self, profiles: Sequence[ProfileStatus]) -> None:
        """Offer the profiles whose models are installed."""
        ready = [each for each in profiles if each.chosen or not each.missing]
        shown = tuple((each.id, each.chosen) for each in ready)
        if shown == self._shown:
            return
        self._shown = shown
        self._menu.clear()
        for each in ready:
            title = tr(each.title)
            action = self._menu.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(each.chosen)
            action.setToolTip(plain_tooltip(tr(each.summary)))
            action.triggered.connect(lambda _=False, id_=each.id: self.chosen.emit(id_))
            self._group.addAction(action)
            if each.chosen:
                self.setText(f" {title.replace('&', '&&')}")
                self.setAccessibleName(
                    self.tr("What writes the answers: {title}").format(title=title)
                )
                self.setToolTip(plain_tooltip(tr(each.summary)))
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Models…")).triggered.connect(self.models_wanted)
        self.setVisible(len(ready) > 1)
