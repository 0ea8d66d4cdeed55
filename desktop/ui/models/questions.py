"""What the Models page asks before it does something that costs: removing, downloading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.models import words
from desktop.ui.tokens import Space, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.models.overview import ModelStatus
    from desktop.models.packs.download import Offer

WIDTH = 520


def ask_to_remove(
    parent: QWidget, model: ModelStatus, on_yes: Callable[[], object]
) -> CostlyQuestion:
    """Ask whether a model's files shall be deleted."""
    dialog = CostlyQuestion(
        parent,
        parent.tr("Remove “{title}”?").format(title=model.title),
        parent.tr(
            "Its files ({size}) are deleted from this computer. To use it again, import it from "
            "a USB stick or download it. Manuals and answers stay."
        ).format(size=words.size(model.size_bytes)),
        yes=parent.tr("Remove"),
        no=parent.tr("Keep"),
    )
    return _open(dialog, on_yes)


def ask_to_download(
    parent: QWidget, model: ModelStatus, offer: Offer, on_yes: Callable[[], object]
) -> CostlyQuestion:
    """Ask for consent to the one thing that uses a network."""
    dialog = CostlyQuestion(
        parent,
        parent.tr("Download “{title}”?").format(title=model.title),
        parent.tr(
            "This is the only thing in Groundwork that uses a network. It tells {host} the "
            "address of this computer and which model it wants; no manual and no question "
            "leaves this computer."
        ).format(host=offer.host),
        facts=(
            (parent.tr("From"), offer.source),
            (parent.tr("Size"), words.size(offer.size_bytes)),
            (parent.tr("Licence"), offer.licence),
        ),
        yes=parent.tr("Download {size}").format(size=words.size(offer.size_bytes)),
        no=parent.tr("Cancel"),
    )
    return _open(dialog, on_yes)


class CostlyQuestion(QDialog):
    """Is accepted to do it; the keyboard is on the button that does not."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        text: str,
        *,
        yes: str,
        no: str,
        facts: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__(parent.window())
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(WIDTH)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(title, factor=Type.LEAD, bold=True, wrap=True))
        if facts:
            column.addLayout(_table(facts))
        column.addWidget(label(text, wrap=True))
        accept = push_button(yes, kind="primary")
        self.refuse = push_button(no)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.refuse)
        buttons.addWidget(accept)
        column.addSpacing(Space.S)
        column.addLayout(buttons)
        accept.clicked.connect(self.accept)
        self.refuse.clicked.connect(self.reject)


def _open(dialog: CostlyQuestion, on_yes: Callable[[], object]) -> CostlyQuestion:
    dialog.accepted.connect(on_yes)
    dialog.open()
    dialog.refuse.setFocus()
    return dialog


def _table(facts: Sequence[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(Space.L)
    grid.setVerticalSpacing(Space.XS)
    grid.setColumnStretch(1, 1)
    for row, (name, value) in enumerate(facts):
        grid.addWidget(label(name, tone="muted"), row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(value, wrap=True, selectable=True), row, 1)
    return grid
