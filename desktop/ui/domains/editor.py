"""One domain to be looked at, corrected, accepted or taken away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import push_button
from desktop.ui.domains import words
from desktop.ui.domains.draft import Draft, blank_draft, draft_of, read_draft
from desktop.ui.domains.form import DomainForm
from desktop.ui.domains.page_frame import PageFrame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.domain_desk import KnownDomain
    from knowledge.domain import Manual


@dataclass(frozen=True, slots=True)
class Shown:
    """What is edited: a domain, or a new one. original: the draft that it began with."""

    known: KnownDomain | None
    original: Draft


class DomainEditor(QWidget):
    """save_wanted(domain, known): with `known` None for a new one, whose name is to be made.

    delete_wanted(known): None for a new one as well. file_wanted(known), edited().
    """

    save_wanted = Signal(object, object)
    delete_wanted = Signal(object)
    file_wanted = Signal(object)
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._shown = Shown(None, Draft())
        self._manuals: Sequence[Manual] = ()
        self.form = DomainForm()
        self.delete = push_button(self.tr("Delete"), name="trash-2")
        self.open_file = push_button(self.tr("Open File"))
        self.revert = push_button(self.tr("Revert"))
        self.save = push_button(self.tr("Save"), kind="primary")
        self.frame = PageFrame(
            self.form, left=(self.delete, self.open_file), right=(self.revert, self.save)
        )
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.frame)
        self.form.edited.connect(self._edited)
        self.save.clicked.connect(self._save)
        self.revert.clicked.connect(self._revert)
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self._shown.known))
        self.open_file.clicked.connect(lambda: self.file_wanted.emit(self._shown.known))

    @property
    def changed(self) -> bool:
        """Whether the fields differ from what is kept."""
        return self.form.draft != self._shown.original

    def show_known(
        self, known: KnownDomain, manuals: Sequence[Manual], draft: Draft | None = None
    ) -> None:
        """Show a domain, with changes of earlier that are not saved; manuals: all there are."""
        self._manuals = manuals
        self._show(Shown(known, draft_of(known.domain)), draft)
        self.frame.show_title(known.domain.title, *words.state(known))

    def show_new(
        self,
        undescribed: Sequence[Manual],
        manuals: Sequence[Manual],
        draft: Draft | None = None,
    ) -> None:
        """Show a new domain, to begin with for the manuals that nobody has described."""
        self._manuals = manuals
        self._show(Shown(None, blank_draft(undescribed)), draft)
        self.frame.show_title(
            self.tr("New product"), self.tr("Say what it is called and which manuals it has.")
        )
        self.form.fields["title"].setFocus()

    def _show(self, shown: Shown, draft: Draft | None) -> None:
        self._shown = shown
        self.form.show_draft(draft or shown.original, self._manuals)
        self.frame.to_top()
        self._update_buttons()

    def _edited(self) -> None:
        self.form.show_faults({})
        self._update_buttons()
        self.edited.emit()

    def _update_buttons(self) -> None:
        known, changed = self._shown.known, self.changed
        proposed = known is not None and known.origin == "proposed"
        own = known is not None and known.origin == "own"
        accepting = proposed and not changed
        _say(self.save, self.tr("It Is Right") if accepting else self.tr("Save"))
        self.save.setEnabled(changed or proposed or known is None)
        self.revert.setVisible(changed)
        back = own and known is not None and known.replaces_built_in
        _say(self.delete, self.tr("Back to Built-In") if back else self.tr("Delete"))
        self.delete.setVisible(own or known is None)
        self.open_file.setVisible(known is not None and known.path is not None)

    def _save(self) -> None:
        known = self._shown.known
        base = known.domain if known is not None else None
        read = read_draft(self.form.draft, base.name if base is not None else "new", base)
        if isinstance(read, dict):
            first = self.form.show_faults(read)
            if first is not None:
                first.setFocus()
                self.frame.area.ensureWidgetVisible(first)
        else:
            self.save_wanted.emit(read, known)

    def _revert(self) -> None:
        self._show(self._shown, None)
        self.edited.emit()


def _say(button: QPushButton, text: str) -> None:
    button.setText(text if button.icon().isNull() else f" {text}")
    button.setAccessibleName(text)
