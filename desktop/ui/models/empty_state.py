"""Shown while no model is installed: what that means, and how to get one without a network."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from desktop.ui.controls import label, push_button
from desktop.ui.tokens import Space, Type


class EmptyState(QFrame):
    """import_wanted: its button."""

    import_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        column.setSpacing(Space.M)
        title = self.tr("Answers are quoted from your manuals")
        self.setAccessibleName(title)
        column.addWidget(label(title, factor=Type.TITLE, bold=True, wrap=True))
        column.addWidget(
            label(
                self.tr(
                    "No model is installed, so Groundwork finds the passage and quotes it word "
                    "for word (Lite). That needs nothing else. With models it also writes "
                    "answers and reads pictures of pages."
                ),
                wrap=True,
            )
        )
        column.addWidget(label(self.tr("To get a model without a network here"), bold=True))
        steps = QGridLayout()
        steps.setHorizontalSpacing(Space.M)
        steps.setVerticalSpacing(Space.S)
        steps.setColumnStretch(1, 1)
        for number, text in enumerate(
            (
                self.tr(
                    "On a computer with Groundwork and a network, open this page and download"
                    " the model there."
                ),
                self.tr("Choose “Copy to USB Stick…” from the model's menu (the three dots)."),
                self.tr("Bring the stick here and drop the copied folder anywhere on this page."),
            ),
            start=1,
        ):
            steps.addWidget(label(f"{number}.", bold=True), number, 0)
            steps.addWidget(label(text, wrap=True), number, 1)
        column.addLayout(steps)
        self.button = push_button(self.tr("Import a folder…"), kind="primary")
        self.button.clicked.connect(self.import_wanted)
        column.addWidget(
            label(
                self.tr("Folders of models in the layout of Hugging Face or MLX work as well."),
                factor=Type.SMALL,
                tone="muted",
                wrap=True,
            )
        )
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
