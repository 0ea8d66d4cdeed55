"""The manuals that are open: records, page labels, how each was left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.ui.viewer.document import OpenDocument, ViewState, read_document

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.library.library import Library
    from desktop.ui.bridge import Errands
    from desktop.ui.viewer.page_store import PageStore
    from desktop.ui.viewer.render_service import RenderService

_REFRESH_MS = 2000


class OpenDocuments(QObject):
    """Documents and view states by id."""

    refreshed = Signal(int)
    """An open document has newer records now."""

    def __init__(
        self,
        source: Library,
        tasks: Errands,
        service: RenderService,
        stores: Sequence[PageStore[Any]],
        parent: QObject,
    ) -> None:
        """stores: hold what was read of pages; they forget it when it has changed."""
        super().__init__(parent)
        self._source = source
        self._tasks = tasks
        self._service = service
        self._stores = stores
        self._documents: dict[int, OpenDocument] = {}
        self._states: dict[int, ViewState] = {}
        self._reading: set[int] = set()
        self._watch = QTimer(self, interval=_REFRESH_MS)
        self._watch.timeout.connect(self._refresh_incomplete)
        self._watch.start()

    def get(self, document_id: int) -> OpenDocument | None:
        return self._documents.get(document_id)

    def state(self, document_id: int) -> ViewState:
        """Return where a person was in the document; a new one takes the zoom last used."""
        if document_id not in self._states:
            last = next(reversed(self._states.values()), None)
            new = self._states[document_id] = ViewState()
            if last is not None:
                new.zoom, new.fit, new.across = last.zoom, last.fit, last.across
        return self._states[document_id]

    def put_state(self, document_id: int, state: ViewState) -> None:
        """Set where a person was in a document at an earlier time."""
        self._states[document_id] = state

    def open(
        self,
        document_id: int,
        then: Callable[[OpenDocument], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Read a document on the thread and keep it open."""

        def keep(document: OpenDocument) -> None:
            self._documents[document_id] = document
            then(document)

        self._tasks.run(lambda: read_document(self._source, document_id), keep, failed)

    def close(self, document_id: int) -> None:
        """Forget a document and everything drawn and read from it."""
        document = self._documents.pop(document_id, None)
        self._states.pop(document_id, None)
        self._service.forget_document(document_id)
        if document is not None:
            self._forget(document, range(len(document.pages)))

    def refresh(self, document_id: int) -> None:
        """Read the records of an open document again."""
        if document_id not in self._documents or document_id in self._reading:
            return
        self._reading.add(document_id)
        self._tasks.run(
            lambda: read_document(self._source, document_id),
            self._update,
            lambda _: self._reading.discard(document_id),
        )

    def stop(self) -> None:
        """Stop looking for newer records."""
        self._watch.stop()

    def _update(self, new: OpenDocument) -> None:
        self._reading.discard(new.id)
        old = self._documents.get(new.id)
        if old is None or new == old:
            return
        self._documents[new.id] = new
        known = {page.page: page for page in old.pages}
        if (old.path, old.password) != (new.path, new.password):
            self._service.forget_document(new.id)
            known.clear()
        self._forget(new, [page.page for page in new.pages if known.get(page.page) != page])
        self.refreshed.emit(new.id)

    def _forget(self, document: OpenDocument, pages: Sequence[int]) -> None:
        for store in self._stores:
            store.forget(document.id, pages)

    def _refresh_incomplete(self) -> None:
        for document_id, document in self._documents.items():
            if not document.complete or not document.pages:
                self.refresh(document_id)
