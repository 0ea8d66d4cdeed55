"""What was promised for a question, each with whether it was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.ui.controls import label
from desktop.ui.flow_layout import FlowLayout
from desktop.ui.icon_picture import IconPicture
from desktop.ui.tokens import Size, Space, Type

if TYPE_CHECKING:
    from collections.abc import Sequence


class PromisesLine(QWidget):
    """Hidden while nothing was promised."""

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout(self, Space.M)
        self._flow.setContentsMargins(Space.M, 0, Space.M, Space.XS)
        self._shown: tuple[tuple[tuple[str, bool], ...], bool, bool] = ((), False, False)
        self.hide()

    def show_promises(
        self, promises: Sequence[tuple[str, bool]], *, finished: bool, not_found: bool = False
    ) -> None:
        """Show commitments with their state.

        finished: what is not kept now is missing. not_found: it could not be kept, for the
        manuals do not answer; that is no fault.
        """
        shown = (tuple(promises), finished, not_found)
        if shown == self._shown:
            return
        self._shown = shown
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for name, kept in promises:
            self._flow.addWidget(self._promise(name, *self._state(kept, finished, not_found)))
        self.setVisible(bool(promises))

    def texts(self) -> list[str]:
        """What each says, for a person who does not see the signs."""
        widgets = [self._flow.itemAt(at) for at in range(self._flow.count())]
        return [w.accessibleName() for item in widgets if item and (w := item.widget())]

    def _state(self, kept: bool, finished: bool, not_found: bool) -> tuple[str, str, str]:
        """Return the sign, its tint, and what it stands for."""
        if kept:
            return "circle-check", "good", self.tr("delivered")
        if finished and not_found:
            return "search", "muted", self.tr("nothing found")
        if finished:
            return "circle-x", "bad", self.tr("missing")
        return "clock", "muted", self.tr("promised")

    def _promise(self, name: str, sign: str, tint: str, state: str) -> QWidget:
        part = QWidget()
        part.setAccessibleName(f"{name}: {state}")
        row = QHBoxLayout(part)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.XS)
        row.addWidget(IconPicture(sign, Size.ICON - 4, tint))
        row.addWidget(label(f"{name}: {state}", factor=Type.SMALL, tone="muted"))
        return part
