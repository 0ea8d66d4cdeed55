"""What the agent is told about the person who asks and about the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.core.settings.sections import LONGEST_REMARK
from desktop.ui import wording
from desktop.ui.controls import push_button
from desktop.ui.domains.field import Field
from desktop.ui.domains.page_frame import PageFrame
from desktop.ui.tokens import Space

if TYPE_CHECKING:
    from desktop.core.settings.sections import AgentSettings


class AboutPage(QWidget):
    """save_wanted(user_profile, context): both are short enough."""

    save_wanted = Signal(str, str)
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.you = Field(
            self.tr("About you"),
            self.tr("For example your trade, what you know well, how you like to be answered."),
            lines=4,
        )
        self.place = Field(
            self.tr("About this place"),
            self.tr("For example what is special where you work: outdoors, explosive atmosphere."),
            lines=4,
        )
        self.save = push_button(self.tr("Save"), kind="primary")
        self.save.clicked.connect(self._save)
        fields = QWidget()
        column = QVBoxLayout(fields)
        column.setContentsMargins(0, Space.S, 0, 0)
        column.setSpacing(Space.L)
        for field in (self.you, self.place):
            column.addWidget(field)
            field.edited.connect(self._edited)
        frame = PageFrame(fields, right=(self.save,))
        frame.show_title(
            self.tr("About you and this place"),
            self.tr(
                "A language model is told this with every question. It stays on this computer. "
                "The site and the asset you work at are chosen in the library."
            ),
        )
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(frame)
        self._kept = ("", "")
        self._edited()

    @property
    def changed(self) -> bool:
        """Whether something is not saved."""
        return (self.you.text.strip(), self.place.text.strip()) != self._kept

    def show_settings(self, settings: AgentSettings) -> None:
        """Show what is kept; texts that were changed here stay."""
        if not self.changed:
            self.you.set_text(settings.user_profile)
            self.place.set_text(settings.context)
        self._kept = (settings.user_profile.strip(), settings.context.strip())
        self._edited()

    def _edited(self) -> None:
        too_long = self.tr("This is longer than {most} characters.").format(
            most=wording.number(LONGEST_REMARK)
        )
        fits = True
        for field in (self.you, self.place):
            over = len(field.text.strip()) > LONGEST_REMARK
            field.show_fault(too_long if over else "")
            fits = fits and not over
        self.save.setEnabled(self.changed and fits)
        self.edited.emit()

    def _save(self) -> None:
        self.save_wanted.emit(self.you.text.strip(), self.place.text.strip())
