"""The choice of a profile: each with what it does, and why it is or is not the one to take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from desktop.ui.controls import label, set_property, set_tone
from desktop.ui.language import told
from desktop.ui.models import words
from desktop.ui.theme import scaled_font
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent

    from desktop.models.status import ProfileStatus


class ProfileList(QWidget):
    """wanted(id): a person chose a profile; it is ticked when the manager says so."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, _ProfileRow] = {}
        self._group = QButtonGroup(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def show_profiles(self, profiles: Sequence[ProfileStatus]) -> None:
        ids = [each.id for each in profiles]
        if ids != list(self._rows):
            self._make_rows(ids)
        for each in profiles:
            self._rows[each.id].show_profile(each)

    def _make_rows(self, ids: Sequence[str]) -> None:
        for row in self._rows.values():
            self._group.removeButton(row.button)
            self._column.removeWidget(row)
            row.deleteLater()
        self._rows = {id_: _ProfileRow() for id_ in ids}
        for id_, row in self._rows.items():
            self._group.addButton(row.button)
            row.button.clicked.connect(lambda _=False, id_=id_: self.wanted.emit(id_))
            self._column.addWidget(row)


class _ProfileRow(QFrame):
    """Can be pressed anywhere, not on its small circle alone."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "choice")
        self.button = QRadioButton()
        self.button.setProperty("kind", "choice")
        self.button.setFont(scaled_font(Type.BODY, bold=True))
        self.button.setMinimumHeight(Size.TARGET)
        self._mark = label("", factor=Type.SMALL, bold=True, tone="good", wrap=True)
        self._summary = label("", factor=Type.SMALL, wrap=True)
        self._reason = label("", factor=Type.SMALL, tone="muted", wrap=True)
        head = QHBoxLayout()
        head.setSpacing(Space.M)
        head.addWidget(self.button)
        head.addWidget(self._mark, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.M, 0, Space.M, Space.S)
        column.setSpacing(Space.HAIR)
        column.addLayout(head)
        for widget in (self._summary, self._reason):
            widget.setContentsMargins(Size.ICON + Space.S, 0, 0, 0)
            column.addWidget(widget)

    def show_profile(self, profile: ProfileStatus) -> None:
        reason = told(profile.reason)
        if profile.fits and any(title not in reason for title in profile.missing):
            reason = (
                self.tr("{reason} Still to be installed: {titles}.")
                .format(reason=reason, titles=", ".join(profile.missing))
                .strip()
            )
        self.button.setText(told(profile.title).replace("&", "&&"))
        with QSignalBlocker(self.button):
            self.button.setChecked(profile.chosen)
        # One that is chosen already may not fit any more: it can be left, and is shown.
        self.button.setEnabled(profile.fits or profile.chosen)
        mark = words.profile_mark(profile)
        set_tone(self._mark, "good" if profile.recommended else "muted")
        set_property(self, "chosen", profile.chosen)
        self._mark.setText(mark)
        self._summary.setText(told(profile.summary))
        set_tone(self._summary, "" if profile.fits else "muted")
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        self.button.setAccessibleName(
            self.tr("{title} ({mark})").format(title=told(profile.title), mark=mark)
            if mark
            else told(profile.title)
        )
        self.button.setAccessibleDescription(f"{told(profile.summary)} {reason}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.button.isEnabled():
            self.button.setFocus(Qt.FocusReason.MouseFocusReason)
            self.button.click()
        super().mousePressEvent(event)
