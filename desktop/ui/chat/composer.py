"""The composer: the question field, which manuals and model to ask and how, Send or Stop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QPlainTextEdit, QToolButton, QWidget

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.library.values import DocumentRecord, manuals_at
from desktop.ui import wording
from desktop.ui.chat.research import ModeButton
from desktop.ui.design.controls import (
    FlowLayout,
    PressButton,
    as_tall_as_its_bar,
    fill,
    flat_button,
    in_column,
    in_row,
    make_flat,
    plain_tooltip,
    set_property,
)
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import Menu, menu_of
from desktop.ui.design.theme import colours, scaled_font, theme
from desktop.ui.design.tokens import Colours, Size, Space, Type
from desktop.ui.files import picture_in
from desktop.ui.language import tr
from desktop.ui.layout_memory import LayoutMemory
from desktop.ui.library.rows import Group, arrange

if TYPE_CHECKING:
    from desktop.models.overview import ProfileStatus


FIELD = "composer"
"""The object name of the frame around the question."""
LONGEST_TITLE = 60
MOST_LETTERS = 26
ANYWHERE_ICON, PLACE_ICON = "list-filter", "map-pin"


class _TickMenu(Menu):
    """A menu that stays open while manuals are ticked, above the field that it belongs to."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and isinstance(action.data(), int):
            action.trigger()
            return
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tick with the space bar; what is typed is meant for the field."""
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
            return
        if event.text().strip() and event.text().isprintable():
            self.close()  # which gives the field the keyboard
            field = QApplication.focusWidget()
            if field is not None:
                QApplication.sendEvent(field, event)
            return
        super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        field = self.parentWidget()
        while field is not None and field.objectName() != FIELD:
            field = field.parentWidget()
        if field is None:
            return
        top = field.mapToGlobal(QPoint(0, 0)).y()
        too_low = self.geometry().bottom() - self.contentsMargins().bottom() - top
        if too_low > 0:
            self.move(self.x(), max(self.screen().availableGeometry().top(), self.y() - too_low))


class ScopeButton(QToolButton):
    """`selected` is empty when every manual is asked; `place` is where the person works.

    changed(): the selection or place changed, perhaps because manuals came or went.
    manuals_changed(): a manual came, went, or has been read further.
    """

    changed = Signal()
    manuals_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        make_flat(self, ANYWHERE_ICON, self.tr("Manuals to search"), caption=True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = _TickMenu(self)
        self._menu.setToolTipsVisible(True)
        self._menu.setStyleSheet("QMenu { menu-scrollable: 1; }")  # many manuals stay on the screen
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.changed.connect(self._refresh_ticks)
        self.manuals: list[DocumentRecord] = []
        self.selected: frozenset[int] = frozenset()
        self.place = EVERYWHERE
        self._whole_place = False
        self._say()

    def set_manuals(self, manuals: Iterable[DocumentRecord]) -> None:
        """Set which manuals there are; those that are gone are no longer selected.

        Manuals added to the place where the person works are asked as well.
        """
        before = self.selected, self.place
        self.manuals = list(manuals)
        there = self._ids_at(self.place)
        self.selected = there if self._whole_place else self.selected & there
        if self.place and not self.selected:
            self.place, self._whole_place = EVERYWHERE, False
        self._say()
        if (self.selected, self.place) != before:
            self.changed.emit()
        self.manuals_changed.emit()

    def select(self, ids: Iterable[int]) -> None:
        """Search only these manuals; none means all, and to be at no place."""
        self.selected = frozenset(ids)
        there = self._ids_at(self.place)
        if not self.selected or not self.selected <= there:
            self.place = EVERYWHERE
        self._whole_place = bool(self.place) and self.selected == there
        if not self.place and len(self.selected) == len(self.manuals) > 1:
            self.selected = frozenset()
        self._say()
        self.changed.emit()

    def work_at(self, place: Place) -> None:
        """Search all manuals of a place and tell the agent about it; leave a place without any."""
        there = self._ids_at(place) if place else frozenset()
        self.place = place if there else EVERYWHERE
        self._whole_place = bool(there)
        self.selected = there
        self._say()
        self.changed.emit()

    def restore(self, ids: Iterable[int]) -> None:
        """Search the manuals that were searched before, as far as they are still there."""
        self.select(set(ids) & {each.id for each in self.manuals})

    def _ids_at(self, place: Place) -> frozenset[int]:
        return frozenset(each.id for each in manuals_at(place, self.manuals))

    def _fill(self) -> None:
        self._menu.clear()
        self._tickable(self.tr("All manuals"), None).triggered.connect(lambda: self.select(()))
        places = [
            each.place for each in arrange(self.manuals) if isinstance(each, Group) and each.place
        ]
        if places:
            self._menu.addSection(self.tr("I am working at"))
        for place in places:
            indent = "    " if place.site and place.asset else ""
            entry = self._tickable(indent + (place.asset or place.site), place)
            entry.triggered.connect(partial(self._tick_place, place))
        self._menu.addSection(self.tr("Manuals"))
        for manual in self.manuals:
            title = manual.title.strip() or manual.name
            self._tickable(title, manual.id).triggered.connect(self._tick)
        self._refresh_ticks()

    def _tickable(self, text: str, data: int | Place | None) -> QAction:
        shown = text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1].rstrip()}…"
        entry = self._menu.addAction(shown.replace("&", "&&"))
        entry.setToolTip(plain_tooltip(text) if shown != text else "")
        entry.setCheckable(True)
        entry.setData(data)
        return entry

    def _tick_place(self, place: Place) -> None:
        self.work_at(EVERYWHERE if place == self.place else place)

    def _tick(self) -> None:
        ticked = (entry.data() for entry in self._menu.actions() if entry.isChecked())
        self.select(data for data in ticked if isinstance(data, int))

    def _refresh_ticks(self) -> None:
        for entry in self._menu.actions():
            match entry.data():
                case int() as document_id:
                    entry.setChecked(document_id in self.selected)
                case Place() as place:
                    entry.setChecked(place == self.place)
                case _ if entry.isCheckable():
                    entry.setChecked(not self.selected)

    def _say(self) -> None:
        text = self._text()
        shown = text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1].rstrip() + "…"
        self.setText(" " + shown.replace("&", "&&"))
        self.setIcon(icon(PLACE_ICON if self.place else ANYWHERE_ICON))
        self.setAccessibleName(self.tr("Manuals to search: {text}").format(text=text))
        self.setToolTip(plain_tooltip(text) if shown != text else "")

    def _text(self) -> str:
        if self._whole_place:
            return str(self.place)
        if not self.selected:
            return self.tr("All manuals ({n})").format(n=len(self.manuals))
        if len(self.selected) == 1:
            chosen = next(each for each in self.manuals if each.id in self.selected)
            return chosen.title.strip() or chosen.name
        several = wording.manuals(len(self.selected))
        return f"{several}, {self.place}" if self.place else several


MOST_LINES = 6


def round_size() -> int:
    """Return the width and height of the Ask button as it is seen."""
    return Size.ROW + Space.XS


def _around_button() -> int:
    """Return the pixels around the Ask button that press it too."""
    return max(0, Size.GLOVE - round_size()) // 2


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
        self.button.setIconSize(QSize(Size.ICON, Size.ICON))
        self.button.clicked.connect(self._press)
        self.speak = as_tall_as_its_bar(flat_button("mic", self.tr("Speak the question")))
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
        around = _around_button()
        beside = (round_size() + 2 * around - Size.ROW) // 2
        flow.setContentsMargins(0, 0, 0, beside)  # the last line is level with the button
        row = in_row(spacing=Space.S - around)
        row.addWidget(chips, 1, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.speak, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignBottom)
        self._inner = inner = in_column(
            self._frame,
            (Space.S, Space.S, Space.S - around, Space.S - around),
            spacing=Space.XS - around,
        )
        fill(inner, self.field, row)
        in_column(self, (Space.INSET, Space.S, Space.INSET, Space.INSET)).addWidget(self._frame)

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
        side = round_size() + 2 * _around_button()
        self.button.setFixedSize(side, side)
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
    border: 1px solid {c.border}; border-radius: {Size.ROW // 2}px;
    padding: 0 0 0 {Space.XS + Space.HAIR}px; min-height: {Size.ROW - 2}px; }}
QToolButton[kind="chip"]:hover {{ background: {c.hover}; color: {c.text}; }}
QToolButton[kind="chip"]:focus {{ border: 2px solid {c.accent}; color: {c.text}; }}
QToolButton[kind="chip"]::menu-indicator {{ image: none; }}
QPushButton#send {{ background: {c.accent}; border: 2px solid {c.accent};
    border-radius: {round_size() // 2}px; padding: 0; margin: {_around_button()}px; }}
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
    """Where only one profile can answer, a press leads to the models that could be installed.

    chosen(id): answer with this profile from now on. models_wanted(): see what is installed.
    """

    chosen = Signal(str)
    models_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        make_flat(self, "sparkles", self.tr("Profile"), caption=True)
        self._menu = menu_of(self)
        self._menu.setToolTipsVisible(True)
        self._group = QActionGroup(self._menu)
        self._shown: tuple[tuple[str, bool, str], ...] = ()
        self.clicked.connect(self._press)
        self.hide()  # until it is known what there is

    def show_profiles(
        self, profiles: Sequence[ProfileStatus], speeds: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Offer the profiles whose models are installed. speeds: by id, in words."""
        ready = [each for each in profiles if each.chosen or not each.missing]
        shown = tuple((each.id, each.chosen, speeds.get(each.id, "")) for each in ready)
        if shown == self._shown:
            return
        self._shown = shown
        self._menu.clear()
        for each in ready:
            title = tr(each.title)
            action = self._menu.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(each.chosen)
            about = f"{tr(each.summary)}\n{speeds.get(each.id, '')}".strip()
            action.setToolTip(plain_tooltip(about))
            action.triggered.connect(lambda _=False, id_=each.id: self.chosen.emit(id_))
            self._group.addAction(action)
            if each.chosen:
                self.setText(f" {title.replace('&', '&&')}")
                self.setAccessibleName(self.tr("Profile: {title}").format(title=title))
                self.setToolTip(plain_tooltip(about))
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Models…")).triggered.connect(self.models_wanted)
        self.setMenu(self._menu if len(ready) > 1 else None)  # type: ignore[arg-type]  # none
        self.setVisible(bool(ready))

    def _press(self) -> None:
        if self.menu() is None:
            self.models_wanted.emit()
