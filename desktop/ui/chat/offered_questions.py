"""Questions that are offered as buttons: what may have been meant, and what could be asked next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from desktop.ui.design.controls import PressButton, in_column, label
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import told

if TYPE_CHECKING:
    from desktop.core.conversations.suggested_questions import SuggestedQuestion
    from desktop.core.events import ClarificationEvent


_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_TALL = 10_000


class OptionButton(PressButton):
    """Shows its option literally and in full, on as many lines as needed.

    where: what it would search, in smaller letters below it; "" to say nothing.
    """

    def __init__(self, option: str, where: str = "") -> None:
        super().__init__()
        self.option = option
        self.where = where
        self.setProperty("kind", "plain")
        self.setAccessibleName(option)
        self.setAccessibleDescription(where)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        inside = QRect(0, 0, max(1, width - 2 * Space.M), _TALL)
        height = _height(inside, self.font(), self.option)
        if self.where:
            height += _height(inside, scaled_font(Type.SMALL), self.where)
        return max(Size.TARGET, height + 2 * Space.S)

    def sizeHint(self) -> QSize:
        return QSize(240, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, Size.TARGET)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.draw_frame(painter)
            inside = self.rect().adjusted(Space.M, Space.XS, -Space.M, -Space.XS)
            lower = scaled_font(Type.SMALL)
            below = _height(inside.adjusted(0, 0, 0, _TALL), lower, self.where) if self.where else 0
            painter.setPen(QColor(colours().accent))
            painter.drawText(inside.adjusted(0, 0, 0, -below), int(_WRAPPED), self.option)
            if self.where:
                lower.setWeight(QFont.Weight.Normal)
                painter.setFont(lower)
                painter.setPen(QColor(colours().muted))
                inside.setTop(inside.bottom() - below)
                painter.drawText(inside, int(_WRAPPED), self.where)


class ClarificationBlock(QFrame):
    """chosen(prompt, ids): a person has clicked an option, or pressed Enter or Space on it.

    ids: the manuals to ask; None for those that the question was asked of.
    """

    chosen = Signal(str, object)

    def __init__(self, event: ClarificationEvent) -> None:
        super().__init__()
        self.setAccessibleName(told(event.question))
        column = in_column(self, spacing=Space.S)
        choices = event.choices or (None,) * len(event.options)
        self.buttons = []
        for option, choice in zip(event.options, choices, strict=False):
            where = "" if choice is None else self.tr("searches {manuals}")
            named = "" if choice is None else ", ".join(choice.manuals)
            button = OptionButton(option, where.format(manuals=named) if named else "")
            prompt = option if choice is None else choice.prompt
            ids = None if choice is None else frozenset(choice.document_ids)
            button.clicked.connect(lambda _=False, p=prompt, i=ids: self.chosen.emit(p, i))
            self.buttons.append(button)
            column.addWidget(button)


def _height(inside: QRect, font: QFont, text: str) -> int:
    return QFontMetrics(font).boundingRect(inside, _WRAPPED, text).height()


class SuggestionBlock(QWidget):
    """Questions that the manuals answer, as buttons; hidden while there are none.

    chosen(prompt, ids): ask this, of its manual, whose language it is in, as its answer will be.
    """

    chosen = Signal(str, object)

    def __init__(self, title: str) -> None:
        super().__init__()
        self.buttons: list[OptionButton] = []
        self._column = in_column(self, spacing=Space.XS)
        self._column.addWidget(label(title, factor=Type.SMALL, bold=True, tone="muted"))
        self.hide()

    def add(self, question: SuggestedQuestion, manual: str = "") -> None:
        """Offer one more. manual: that it is about, to be said; "" if there is no other."""
        button = OptionButton(question.text, manual)
        ids = frozenset({question.document_id})
        button.clicked.connect(lambda: self.chosen.emit(question.text, ids))
        self.buttons.append(button)
        self._column.addWidget(button)
        self.show()

    def clear(self) -> None:
        """Offer nothing more."""
        self.hide()
        while self.buttons:
            self.buttons.pop().deleteLater()
