"""What a person says about manuals, applied: tags, trust, revision, kind; and their properties."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.core.library.values import DocumentRecord, SourceEdit
from desktop.ui import wording
from desktop.ui.bridge import WindowPart
from desktop.ui.library.rows import ORDERS, Order

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.library.properties import Edits, Facts
    from desktop.ui.viewer.centre import Centre


UNDO_MS = 10_000


class CatalogueController(WindowPart):
    """Connects the list's tags, trust, revisions and properties with an open workspace."""

    def __init__(
        self, panel: LibraryPanel, model: LibraryModel, centre: Centre, parent: QObject
    ) -> None:
        super().__init__(parent, panel.notices.say_failure)
        self._panel, self._model, self._centre = panel, model, centre
        self._used = -1
        panel.rows.several_wanted.connect(self._do_with_several)
        panel.rows.wanted.connect(self._do)
        panel.order_chosen.connect(self._remember_order)
        centre.manual_in_view.connect(self._mark_used)

    def open_workspace(self, workspace: Workspace) -> None:
        """Show the manuals in the order that was chosen last."""
        super().open_workspace(workspace)
        kept = self.memory.library_order
        order: Order = next((each for each in ORDERS if each == kept), "name")
        self._panel.choose(replace(self._panel.rows.rows.choice, order=order))

    def _mark_used(self, document_id: int) -> None:
        """Record that a manual is being viewed; not again at each of its pages."""
        if document_id == self._used or self.workspace.conversations.read_only:
            return
        self._used = document_id
        library = self.workspace.library

        def mark() -> DocumentRecord:
            library.mark_used(document_id)
            return library.document(document_id)

        self._errands.run(mark, self._model.put)

    def edit_selected(self) -> None:
        """Ask what the selected manuals are."""
        self.edit(self._panel.rows.selected_ids())

    def edit(self, ids: Sequence[int]) -> None:
        """Ask what some manuals are."""
        # The dialogs are not above: nobody waits for them at the start.
        from desktop.ui.library.properties import SourceDialog

        manuals = self._model.chosen(ids)
        if not manuals:
            return
        dialog = SourceDialog(self._panel, manuals, self._model.tags(), self._model.kinds())
        dialog.answered.connect(self._change)
        dialog.rules_wanted.connect(lambda: self._leave_to_rules([each.id for each in manuals]))
        dialog.open()

    def show_properties(self, document_id: int | None = None) -> None:
        """Show everything that is known of a manual, the chosen one unless one is named."""
        chosen = self._panel.rows.selected_id() if document_id is None else document_id
        record = None if chosen is None else self._model.record(chosen)
        if record is None:
            return
        from desktop.ui.library.properties import Facts

        library, newer, id_ = self.workspace.library, self._model.newer_than(record.id), record.id

        def read() -> Facts:
            path = library.original_path(id_)
            size = path.stat().st_size if path.exists() else 0
            pages = tuple(library.pages(id_))
            fresh = library.document(id_)
            return Facts(fresh, newer, pages, path, size, library.language(id_))

        self._errands.run(read, self._show)

    def _show(self, facts: Facts) -> None:
        from desktop.ui.library.properties import PropertiesDialog

        id_ = facts.record.id
        dialog = PropertiesDialog(self._panel, facts)
        dialog.page_wanted.connect(lambda page: self._centre.open_document(id_, page))
        dialog.edit_wanted.connect(lambda: self.edit([id_]))
        for signal, action in ((dialog.anew_wanted, "anew"), (dialog.folder_wanted, "reveal")):
            signal.connect(lambda action=action: self._panel.rows.wanted.emit(action, id_))
        dialog.open()

    def _do(self, action: str, document_id: int) -> None:
        if action == "properties":
            self.show_properties(document_id)

    def _do_with_several(self, action: str, ids: list[int]) -> None:
        if action == "source":
            self.edit(ids)

    def _change(self, edits: Edits) -> None:
        before = {each.id: _as_it_is(each, edits[each.id]) for each in self._model.chosen(edits)}
        self._write(edits)
        self._panel.notices.say(
            self._changed(before),
            action=self.tr("Undo"),
            on_action=lambda: self._write(before),
            milliseconds=UNDO_MS,
        )

    def _changed(self, ids: Collection[int]) -> str:
        if len(ids) > 1:
            return self.tr("Changed {manuals}.").format(manuals=wording.manuals(len(ids)))
        record = self._model.chosen(ids)[0]
        return self.tr("Changed “{title}”.").format(title=record.title.strip() or record.name)

    def _write(self, edits: Edits) -> None:
        library = self.workspace.library

        def write() -> list[DocumentRecord]:
            for edit in set(edits.values()):
                library.set_source([id_ for id_, each in edits.items() if each == edit], edit)
            return library.documents()

        self._errands.run(write, self._model.replace_all)

    def _leave_to_rules(self, ids: list[int]) -> None:
        library, rules = self.workspace.library, self.workspace.settings.source_tiers

        def read() -> list[DocumentRecord]:
            library.read_sources(rules, again=ids)
            return library.documents()

        self._errands.run(read, self._model.replace_all)

    def _remember_order(self, order: str) -> None:
        if self._workspace is not None:
            self.memory.library_order = order


def _as_it_is(record: DocumentRecord, edit: SourceEdit) -> SourceEdit:
    """Return the edit that undoes another, leaving out what that one does not change."""
    return SourceEdit(
        tier=record.tier if edit.tier is not None else None,
        source_type=record.source_type if edit.source_type is not None else None,
        tags=record.tags if edit.tags is not None else None,
        revision=record.revision if edit.revision is not None else None,
        revision_date=record.revision_date if edit.revision_date is not None else None,
    )
