"""The blocks below an answer: safety warnings, sources, nearest pages, errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.core.reports.contents import without_signal_word
from desktop.ui import wording
from desktop.ui.controls import label, plain_tooltip, push_button, set_tone
from desktop.ui.icon_picture import IconPicture
from desktop.ui.language import told
from desktop.ui.place_button import PlaceButton
from desktop.ui.theme import colours
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.events import ConfidenceEvent, PageRegion, WarningBlockEvent, WarningLevel

LEVEL_ICONS = {
    "DANGER": "octagon-alert",
    "WARNING": "triangle-alert",
    "CAUTION": "triangle-alert",
    "NOTE": "info",
}


class SafetyBlock(QFrame):
    """A DANGER, WARNING, CAUTION or NOTE in its safety colour, with the manual's own words."""

    def __init__(self, block: WarningBlockEvent, open_page: Callable[[], object]) -> None:
        super().__init__()
        self._level = block.level
        self.setObjectName("safety")
        self.setAccessibleName(f"{signal_word(block.level)}: {without_signal_word(block)}")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, Space.S)
        column.setSpacing(Space.S)
        self._band = QFrame()
        self._band.setObjectName("band")
        row = QHBoxLayout(self._band)
        row.setContentsMargins(Space.M, Space.XS, Space.XS, Space.XS)
        icon = IconPicture(LEVEL_ICONS[self._level], Size.ICON, f"{self._level.lower()}.ink")
        self._word = label(signal_word(block.level), bold=True)
        row.addWidget(icon)
        row.addWidget(self._word)
        row.addStretch(1)
        self._page = push_button(wording.page_label(block.source.label, block.source.page))
        self._page.setAccessibleName(
            _tr("Open the page of this {level}").format(level=signal_word(block.level).lower())
        )
        self._page.clicked.connect(open_page)
        row.addWidget(self._page)
        text = label(without_signal_word(block), wrap=True, selectable=True)
        text.setContentsMargins(Space.M, 0, Space.M, 0)
        column.addWidget(self._band)
        column.addWidget(text)
        self._paint_tokens()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_tokens()

    def _paint_tokens(self) -> None:
        signal = colours().signal(self._level)
        sheet = (
            f"QFrame#safety {{ background: {signal.wash}; border: 1px solid {signal.band};"
            f" border-radius: {Size.RADIUS}px; }}"
            f"QFrame#band {{ background: {signal.band}; border: 0; }}"
            f"QFrame#band QLabel {{ color: {signal.ink}; }}"
            f"QFrame#band QPushButton {{ background: transparent; color: {signal.ink};"
            f" border: 1px solid {signal.ink}; }}"
            f"QFrame#band QPushButton:focus {{ border: 3px solid {signal.ink}; }}"
        )
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)


class SourceRow(QWidget):
    """One place in a manual: a button that opens it, and the words that stand there."""

    def __init__(
        self, mark: str, title: str, source: PageRegion, quote: str, open_page: Callable[[], object]
    ) -> None:
        super().__init__()
        page = wording.page_label(source.label, source.page)
        self.button = PlaceButton(mark, title, page)
        self.button.clicked.connect(open_page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, Space.XS)
        column.setSpacing(0)
        column.addWidget(self.button)
        if quote.strip():
            indented = QHBoxLayout()
            indented.setContentsMargins(Space.S, 0, Space.S, 0)
            indented.addWidget(_quote(quote))
            column.addLayout(indented)


class SourceList(QWidget):
    """A headed list of `SourceRow`s; hidden while it is empty."""

    def __init__(self, title: str, advice: str = "") -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(label(title, factor=Type.SMALL, bold=True, tone="muted"))
        if advice:
            self._column.addWidget(label(advice, factor=Type.SMALL, tone="muted", wrap=True))
        self.rows: list[SourceRow] = []
        self.setVisible(False)

    def add(self, row: SourceRow) -> None:
        """Append a place."""
        self.rows.append(row)
        self._column.addWidget(row)
        self.setVisible(True)


class ProblemBlock(QFrame):
    """What went wrong and what to do next, with a button when trying again can help."""

    def __init__(
        self,
        title: str,
        advice: str,
        action: str = "",
        on_action: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        self.setProperty("role", "error")
        self.setAccessibleName(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.M, Space.M, Space.M, Space.M)
        column.setSpacing(Space.S)
        column.addWidget(label(title, bold=True, wrap=True, selectable=True))
        if advice:
            column.addWidget(label(advice, wrap=True, selectable=True))
        if action and on_action is not None:
            button = push_button(action, name="rotate-cw")
            button.clicked.connect(on_action)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)


class SurenessLine(QWidget):
    """How far an answer can be relied on, in words; hidden until that is known."""

    _SIGNS = {  # noqa: RUF012 - never changed
        "stated": ("circle-check", "good"),
        "likely": ("info", "muted"),
        "check": ("triangle-alert", "attention"),
    }

    def __init__(self) -> None:
        super().__init__()
        self._sign = IconPicture("info", Size.ICON - 2, "muted")
        self.text = label("", factor=Type.SMALL, tone="muted", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.S)
        row.addWidget(self._sign)
        row.addWidget(self.text, 1)
        self.hide()

    def show_confidence(self, event: ConfidenceEvent) -> None:
        """Say how sure the answer is; the reason is in the tooltip."""
        says = {
            "stated": _tr("Stated in the manual"),
            "likely": _tr("Likely: read it on the page"),
            "check": _tr("Check the page: this may not be the answer"),
        }
        self._sign.show_icon(*self._SIGNS[event.sureness])
        set_tone(self.text, "attention" if event.sureness == "check" else "muted")
        self.text.setText(says[event.sureness])
        self.text.setToolTip(plain_tooltip(told(event.reason)))
        self.text.setAccessibleDescription(told(event.reason))


def signal_word(level: WarningLevel) -> str:
    """Return a level as the standards call it: "GEFAHR" for "DANGER"."""
    return {
        "DANGER": _tr("DANGER"),
        "WARNING": _tr("WARNING"),
        "CAUTION": _tr("CAUTION"),
        "NOTE": _tr("NOTE"),
    }[level]


def _quote(text: str) -> QLabel:
    said = wording.quoted(wording.cells(text))
    words = label(said, factor=Type.SMALL, tone="muted", wrap=True, selectable=True)
    words.setProperty("role", "quote")
    return words


def _tr(text: str) -> str:
    return QCoreApplication.translate("TurnParts", text)
