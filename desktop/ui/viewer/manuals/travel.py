"""Back and forward through the places that a person jumped away from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.ui.viewer.manuals.history import History, Location

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.ui.viewer.pages.page_view import PageView


class Travel:
    """Remembers where the view is left; `bring(document_id, then)` shows a document again."""

    def __init__(
        self, view: PageView, bring: Callable[[int, Callable[[], None] | None], None]
    ) -> None:
        self._view = view
        self._bring = bring
        self._history = History()

    @property
    def can_go_back(self) -> bool:
        return self._history.can_go_back

    @property
    def can_go_forward(self) -> bool:
        return self._history.can_go_forward

    def leave(self) -> None:
        """Remember the place in view, because another one follows."""
        here = self._here()
        if here is not None:
            self._history.leave(here)

    def back(self) -> None:
        self._go(self._history.back(self._here()))

    def forward(self) -> None:
        self._go(self._history.forward(self._here()))

    def forget_document(self, document_id: int) -> None:
        """Drop the places of a document that is gone."""
        self._history.forget_document(document_id)

    def _here(self) -> Location | None:
        document = self._view.document
        return None if document is None else Location(document.id, self._view.place())

    def _go(self, location: Location | None) -> None:
        if location is not None:
            self._bring(location.document_id, lambda: self._view.go_to(location.point))
