"""Comparing two manuals in the window: begun in the library, listed at the side, shown on pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from desktop.ui.bridge import WindowPart
from desktop.ui.design.dialogs import notices_of
from desktop.ui.files import choose_place, file_name, open_with_system
from desktop.ui.language import spoken_language

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.library.values import DocumentRecord
    from desktop.core.revisions.changes import Change, Comparison
    from desktop.core.workspace import Workspace
    from desktop.ui.library.columns import Columns
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.revisions.changes_panel import ChangesPanel
    from desktop.ui.viewer.centre import Centre

NOTICE_MS = 30_000


class RevisionController(WindowPart):
    """Connects the library's menus with the panel of changes and the two panes of pages."""

    def __init__(
        self, columns: Columns, panel: LibraryPanel, centre: Centre, model: LibraryModel
    ) -> None:
        super().__init__(columns, self._failed)
        self._columns, self._library_panel, self._centre = columns, panel, centre
        self._model = model
        self.panel: ChangesPanel | None = None
        self._comparison: Comparison | None = None
        self._bridge = self.bridge("comparing", self._compared, self._finished)
        panel.rows.wanted.connect(self._do)
        panel.rows.several_wanted.connect(self._do_with_several)
        columns.uncovered.connect(self.hide)

    def open_workspace(self, workspace: Workspace) -> None:
        """Compare the manuals of this library."""
        self._workspace = workspace
        self._comparison = None
        self.hide()

    def compare(self, old: DocumentRecord, new: DocumentRecord) -> None:
        """Find what changed from one manual to the other and show both side by side."""
        workspace = self.workspace
        for record in (old, new):
            if not record.done[1]:
                text = self.tr("“{title}” has not been read yet. Compare it once it has.")
                title = record.title.strip() or record.name
                self._library_panel.notices.say(text.format(title=title), milliseconds=NOTICE_MS)
                return
        panel = self._open()
        panel.show_working(old.title.strip() or old.name, new.title.strip() or new.name)
        self._comparison = None
        self._centre.show()
        self._centre.open_pair(old.id, new.id)

        def job(cancel: CancelToken) -> Iterator[Comparison]:
            from desktop.core.revisions.changes import compare

            yield compare(workspace.database, workspace.library, old.id, new.id, cancel)

        self._bridge.start(job)

    def hide(self) -> None:
        """Close the panel; the pages stay."""
        panel = self.panel
        if panel is None or panel.isHidden():
            return
        self._bridge.cancel()
        had_keyboard = panel.has_keyboard
        panel.hide()
        self._columns.make_room()
        if had_keyboard:
            self._library_panel.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self) -> ChangesPanel:
        if self.panel is None:
            # Not above: it is built when somebody compares.
            from desktop.ui.revisions.changes_panel import ChangesPanel

            self.panel = ChangesPanel(self._columns.window())
            self.panel.close_wanted.connect(self.hide)
            self.panel.stop_wanted.connect(self._bridge.cancel)
            self.panel.change_wanted.connect(self._show)
            self.panel.report_button.clicked.connect(self._choose_report)
            self._columns.lay_beside(self.panel)
        self._columns.open_drawer(self.panel)
        self.panel.setFocus(Qt.FocusReason.OtherFocusReason)
        return self.panel

    def _do(self, action: str, document_id: int) -> None:
        if action != "compare":
            return
        from desktop.core.library.editions import other_revision

        record, records = self._model.record(document_id), self._model.records()
        other = other_revision(records, document_id)
        found = self._model.record(other.id) if other is not None else None
        if record is None or other is None or found is None:
            text = self.tr("There is no other revision of this manual. Select two manuals.")
            self._library_panel.notices.say(text, milliseconds=NOTICE_MS)
        elif other.newer:
            self.compare(record, found)
        else:
            self.compare(found, record)

    def _do_with_several(self, action: str, ids: Sequence[int]) -> None:
        if action != "compare" or len(ids) != 2:
            return
        first, second = (self._model.record(each) for each in ids)
        if first is None or second is None:
            return
        if first.revision_date > second.revision_date or self._model.newer_than(second.id) == first:
            first, second = second, first
        self.compare(first, second)

    def _compared(self, comparison: Comparison) -> None:
        self._comparison = comparison
        if self.panel is not None:
            self.panel.show_changes(comparison)

    def _finished(self, failure: BaseException | None) -> None:
        if failure is not None:
            self._failed(failure)
        if self.panel is not None and self._comparison is None:
            self.panel.show_stopped()

    def _failed(self, failure: BaseException) -> None:
        notices_of(self.panel, self._library_panel.notices).say_failure(failure)

    def _show(self, change: Change) -> None:
        comparison = self._comparison
        if comparison is None:
            return
        regions = [side.region if side is not None else None for side in (change.old, change.new)]
        self._centre.open_pair(comparison.old.id, comparison.new.id, regions)

    def _choose_report(self) -> None:
        comparison, panel = self._comparison, self.panel
        if comparison is None or panel is None:
            return
        title = comparison.new.title.strip() or comparison.new.name
        name = file_name(self.tr("What changed in {title}").format(title=title))
        kinds = {"pdf": self.tr("PDF (*.pdf)"), "md": self.tr("Markdown (*.md)")}
        save = partial(self._save, comparison)
        choose_place(panel, self.tr("Save the changes"), name, kinds, save)

    def _save(self, comparison: Comparison, path: Path) -> None:
        language = spoken_language()

        def write() -> Path:
            from desktop.core.reports.changes import write_changes

            write_changes(comparison, path, datetime.now().astimezone(), language)
            return path

        self._errands.run(write, self._saved)

    def _saved(self, path: Path) -> None:
        if self.panel is not None:
            self.panel.notices.say(
                self.tr("Report saved: {name}").format(name=path.name),
                action=self.tr("Open"),
                on_action=lambda: open_with_system(path),
                milliseconds=NOTICE_MS,
            )
