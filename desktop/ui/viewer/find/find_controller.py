"""Connects the find bar, the search and the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop.ui.viewer.find.finder import Finder

if TYPE_CHECKING:
    from desktop.ui.viewer.find.find_bar import FindBar
    from desktop.ui.viewer.find.find_hits import FindHits
    from desktop.ui.viewer.manuals.source import ManualSource
    from desktop.ui.viewer.pages.page_view import PageView
    from desktop.ui.viewer.text.words import WordStore


class FindController(QObject):
    """Find in the manual in view."""

    changed = Signal()

    def __init__(
        self, source: ManualSource, view: PageView, words: WordStore, bar: FindBar
    ) -> None:
        super().__init__(view)
        self._view = view
        self._words = words
        self._bar = bar
        self._finder = Finder(source, self)
        bar.searched.connect(self._search)
        bar.stepped.connect(self.step)
        bar.closed.connect(self._closed)
        self._finder.changed.connect(self._hits_changed)
        self._finder.found_current.connect(self._show_hit)

    @property
    def hits(self) -> FindHits:
        return self._finder.hits

    def open(self) -> None:
        """Open the bar, with the selected words in it if they are on one page."""
        document, selection = self._view.document, self._view.overlays.selection
        if document is None:
            return
        if selection is None or len(selection.pages) > 1:
            self._bar.open_bar()
            return
        self._words.with_pages(
            document.id,
            selection.pages,
            lambda found: self._bar.open_bar(" ".join(selection.text(found).split())),
        )

    def step(self, by: int) -> None:
        """Go to the next or previous hit; opens the bar if it is closed."""
        if self._bar.isHidden():
            self.open()
            return
        self.hits.step(by)
        self._show_hit()
        self._hits_changed()

    def shutdown(self) -> None:
        self._finder.shutdown()

    def _search(self, needle: str) -> None:
        document = self._view.document
        if document is not None and needle:
            self._finder.search(document.id, needle, self._view.page)
        else:
            self._finder.clear()

    def _closed(self) -> None:
        self._finder.clear()
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hits_changed(self) -> None:
        self._view.overlays.hits = self.hits
        self._bar.show_count(self._count() if self._bar.field.text().strip() else "")
        self._view.viewport().update()
        self.changed.emit()

    def _count(self) -> str:
        """Say "3 of 17", or "3 of 17+" while there may be more."""
        hits = self.hits
        if not len(hits):
            return self.tr("No hits") if hits.finished else self.tr("Searching…")
        more = "" if hits.finished and not hits.full else "+"
        return self.tr("{n} of {count}").format(n=hits.number, count=f"{len(hits)}{more}")

    def _show_hit(self) -> None:
        hit = self.hits.current
        if hit is not None:
            self._view.reveal(hit.page, hit.boxes)
