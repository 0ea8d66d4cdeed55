"""The page of models: profiles, memory, models, what is running, and what it asks first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFrame,
    QGridLayout,
    QRadioButton,
    QScrollArea,
    QWidget,
)

from desktop.ui.design.controls import (
    button_row,
    discard,
    fill,
    in_column,
    in_row,
    label,
    painted_as,
    push_button,
    scrolled,
    set_property,
    set_tone,
    thin_bar,
)
from desktop.ui.design.dialogs import Dialog, SideWindow
from desktop.ui.design.drop_overlay import DropOverlay
from desktop.ui.design.popups import Menu
from desktop.ui.design.theme import scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.files import importable
from desktop.ui.language import told, tr
from desktop.ui.models import words
from desktop.ui.models.model_list import ModelList
from desktop.ui.models.tasks import Tasks, TaskStrip

if TYPE_CHECKING:
    from desktop.models.overview import MemoryStatus, ModelStatus, ProfileStatus
    from desktop.models.packs.download import Offer
    from desktop.ui.models.model_list import Snapshot

QUESTION_WIDTH = 520


def ask_to_remove(parent: QWidget, model: ModelStatus, on_yes: Callable[[], object]) -> None:
    """Ask whether a model's files should be deleted."""
    CostlyQuestion(
        parent,
        parent.tr("Remove “{title}”?").format(title=model.title),
        parent.tr(
            "The model's files ({size}) will be deleted from this computer. To use the model "
            "again, import it from a USB stick or download it. Manuals and answers stay."
        ).format(size=words.size(model.size_bytes)),
        yes=parent.tr("Remove"),
        no=parent.tr("Keep"),
    ).ask(on_yes)


def ask_to_download(
    parent: QWidget, model: ModelStatus, offer: Offer, on_yes: Callable[[], object]
) -> None:
    """Ask for consent to the one thing that uses a network."""
    CostlyQuestion(
        parent,
        parent.tr("Download “{title}”?").format(title=model.title),
        parent.tr(
            "This is the only thing in Groundwork that uses a network. It tells {host} this "
            "computer's address and which model it wants; no manual or question leaves this "
            "computer."
        ).format(host=offer.host),
        facts=(
            (parent.tr("From"), offer.source),
            (parent.tr("Size"), words.size(offer.size_bytes)),
            (parent.tr("Licence"), offer.licence),
        ),
        yes=parent.tr("Download {size}").format(size=words.size(offer.size_bytes)),
        no=parent.tr("Cancel"),
    ).ask(on_yes)


class CostlyQuestion(Dialog):
    """Accepting does it; the keyboard is on the button that does not."""

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
        super().__init__(parent, title)
        self.setFixedWidth(QUESTION_WIDTH)
        column = self.column
        column.addWidget(label(title, factor=Type.LEAD, bold=True, wrap=True))
        if facts:
            column.addLayout(_table(facts))
        column.addWidget(label(text, wrap=True))
        accept = push_button(yes, self.accept, kind="primary")
        self.refuse = push_button(no, self.reject)
        fill(column, Space.S, button_row(self.refuse, accept))

    def ask(self, on_yes: Callable[[], object]) -> None:
        """Open it; `on_yes` is called when it is accepted."""
        self.accepted.connect(on_yes)
        self.open()
        self.refuse.setFocus()


def _table(facts: Sequence[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(Space.L)
    grid.setVerticalSpacing(Space.XS)
    grid.setColumnStretch(1, 1)
    for row, (name, value) in enumerate(facts):
        grid.addWidget(label(name, tone="muted"), row, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(value, wrap=True, selectable=True), row, 1)
    return grid


class EmptyState(QFrame):
    """import_wanted: its button."""

    import_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        column = in_column(
            self, (Space.INSET, Space.INSET, Space.INSET, Space.INSET), spacing=Space.M
        )
        title = self.tr("Answers are quoted from your manuals")
        self.setAccessibleName(title)
        about = self.tr(
            "No model is installed, so Groundwork finds the passage and quotes it word for word "
            "(Lite). That needs nothing else. With models it also writes answers and reads "
            "pictures of pages."
        )
        steps = QGridLayout()
        steps.setHorizontalSpacing(Space.M)
        steps.setVerticalSpacing(Space.S)
        steps.setColumnStretch(1, 1)
        for number, text in enumerate(
            (
                self.tr(
                    "On a computer with Groundwork that is online, open this page and download "
                    "the model there."
                ),
                self.tr("Choose “Copy to USB stick…” from the model's menu (the three dots)."),
                self.tr("Bring the stick here and drop the copied folder anywhere on this page."),
            ),
            start=1,
        ):
            steps.addWidget(label(f"{number}.", bold=True), number, 0)
            steps.addWidget(label(text, wrap=True), number, 1)
        other = self.tr("Model folders in Hugging Face or MLX layout work as well.")
        self.button = push_button(self.tr("Import a folder…"), self.import_wanted, kind="primary")
        fill(
            column,
            label(title, factor=Type.TITLE, bold=True, wrap=True),
            label(about, wrap=True),
            label(self.tr("Get a model without a network"), bold=True),
            steps,
            label(other, factor=Type.SMALL, tone="muted", wrap=True),
        )
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)


class ProfileList(QWidget):
    """wanted(id): a person chose a profile; it is ticked when the manager says so."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[str, _ProfileRow] = {}
        self._group = QButtonGroup(self)
        self._column = in_column(self)

    def show_profiles(self, profiles: Sequence[ProfileStatus]) -> None:
        ids = [each.id for each in profiles]
        if ids != list(self._rows):
            for row in self._rows.values():
                self._group.removeButton(row.button)
                discard(row, self._column)
            self._rows = {id_: _ProfileRow() for id_ in ids}
            for id_, row in self._rows.items():
                self._group.addButton(row.button)
                row.button.clicked.connect(lambda _=False, id_=id_: self.wanted.emit(id_))
                self._column.addWidget(row)
        for each in profiles:
            self._rows[each.id].show_profile(each)


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
        head = in_row(spacing=Space.M)
        fill(head, self.button, (self._mark, 1))
        column = in_column(self, (Space.M, 0, Space.M, Space.S), spacing=Space.HAIR)
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
        self.button.setText(tr(profile.title).replace("&", "&&"))
        with QSignalBlocker(self.button):
            self.button.setChecked(profile.chosen)
        # One that is chosen already may not fit any more: it can be left, and is shown.
        self.button.setEnabled(profile.fits or profile.chosen)
        mark = self.tr("The largest that fits this computer") if profile.largest else ""
        if profile.recommended:
            mark = self.tr("Recommended now")
        set_tone(self._mark, "good" if profile.recommended else "muted")
        set_property(self, "chosen", profile.chosen)
        self._mark.setText(mark)
        self._summary.setText(tr(profile.summary))
        set_tone(self._summary, "" if profile.fits else "muted")
        self._reason.say(reason)
        self.button.setAccessibleName(
            self.tr("{title} ({mark})").format(title=tr(profile.title), mark=mark)
            if mark
            else tr(profile.title)
        )
        self.button.setAccessibleDescription(f"{tr(profile.summary)} {reason}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.button.isEnabled():
            self.button.setFocus(Qt.FocusReason.MouseFocusReason)
            self.button.click()
        super().mousePressEvent(event)


class MemoryPart(QWidget):
    """Says and draws a `MemoryStatus`."""

    def __init__(self) -> None:
        super().__init__()
        self._line = label("", bold=True, wrap=True)
        self._bar = thin_bar()
        self._bar.setRange(0, 1000)
        self._machine = label("", factor=Type.SMALL, tone="muted", wrap=True)
        fill(in_column(self, spacing=Space.S), self._line, self._bar, self._machine)

    def show_memory(self, memory: MemoryStatus) -> None:
        full = words.nearly_full(memory)
        budget = words.size(memory.budget_bytes)
        if memory.used_bytes:
            text = self.tr("Models use {used} of {budget}").format(
                used=words.size(memory.used_bytes), budget=budget
            )
        else:
            text = self.tr("Models use none of their {budget}").format(budget=budget)
        if full:
            text = self.tr("{text}: nearly full").format(text=text)
        self._line.setText(text)
        set_tone(self._line, "attention" if full else "")
        self._bar.setValue(round(1000 * words.memory_share(memory)))
        self._bar.setAccessibleName(text)
        set_tone(self._bar, "attention" if full else "")
        machine = words.whole_machine(memory)
        if memory.cache_bytes:
            machine = self.tr("{caches} of it is cached from earlier questions. {rest}").format(
                caches=words.size(memory.cache_bytes), rest=machine
            )
        self._machine.setText(machine)


SIZE, LEAST = QSize(1120, 760), QSize(820, 480)
LEFT_MOST = 480
LEFT_LETTERS = 62
"""Width of the left column in letters, so that it grows with a person's own font size."""


class ModelsPage(SideWindow):
    """Closing it stops nothing. folder_wanted, zip_wanted: import after choosing.

    What else a person wants is said by `models`, `profiles`, `tasks` and `overlay`.
    """

    folder_wanted = Signal()
    zip_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, self.tr("Models"), SIZE, LEAST)
        self.tasks = TaskStrip()
        self.memory = MemoryPart()
        self.profiles = ProfileList()
        self.models = ModelList()
        self.empty = EmptyState()
        self.import_button = push_button(self.tr("Import…"))
        menu = Menu(self.import_button)
        menu.addAction(self.tr("From a folder…"), self.folder_wanted.emit)
        menu.addAction(self.tr("From a zip file…"), self.zip_wanted.emit)
        self.import_button.setMenu(menu)
        memory = label(self.tr("Memory"), factor=Type.LEAD, bold=True)
        answered = label(self.tr("How questions are answered"), factor=Type.LEAD, bold=True)
        answered.setContentsMargins(0, Space.S, 0, 0)
        left = (memory, self.memory, answered, self.profiles)
        right = (self.empty, self.models)
        fixed = in_column(room=(Space.S, Space.S, Space.S, 0), spacing=Space.S)
        self.tasks.setContentsMargins(Space.S, Space.S, Space.S, 0)
        fill(fixed, self.tasks, self.notices)
        self._scroll = _scrolling(right, self.tr("Models"))
        side = _scrolling(left, self.tr("Memory and profiles"))
        side.setMaximumWidth(min(LEFT_LETTERS * self.fontMetrics().averageCharWidth(), LEFT_MOST))
        main = in_column()
        fill(main, fixed, (self._scroll, 1))
        self.put_beside(side, main, self.import_button, shares=(2, 3))
        self.empty.import_wanted.connect(self.folder_wanted)
        self.overlay = DropOverlay(self, self._announcement)
        self.setAcceptDrops(True)

    def show_snapshot(self, seen: Snapshot, tasks: Tasks) -> None:
        self.memory.show_memory(seen.memory)
        self.profiles.show_profiles(seen.profiles)
        self.models.show_models(seen, tasks)
        self.empty.setVisible(all(each.state == "available" for each in seen.models))

    def dismiss(self) -> None:
        """Close with every question that is open over it, as if refused."""
        for question in self.findChildren(QDialog):
            question.reject()
        self.hide()

    def reveal(self, model_id: str) -> None:
        """Bring a model into view, with the keyboard on it."""
        row = self.models.row(model_id)
        if row is not None:
            row.focus()
            # after the layout has placed a row that is new
            QTimer.singleShot(0, row, lambda: self._scroll.ensureWidgetVisible(row))

    def _announcement(self, paths: list[Path]) -> tuple[str, str]:
        wanted = importable(paths)
        if not wanted:
            return (
                self.tr("This is not a model"),
                self.tr("Drop a model's folder, or a zip file with a model in it."),
            )
        title = (
            self.tr("Import “{name}”").format(name=wanted[0].name)
            if len(wanted) == 1
            else self.tr("Import {n} models").format(n=len(wanted))
        )
        return title, self.tr("Everything is copied; you can remove the USB stick afterwards.")


def _scrolling(parts: Sequence[QWidget], name: str) -> QScrollArea:
    content = QWidget()
    painted_as(content, "page")
    column = in_column(
        content, (Space.INSET, Space.INSET, Space.INSET, Space.INSET), spacing=Space.L
    )
    fill(column, *parts, None)
    return scrolled(content, name)
