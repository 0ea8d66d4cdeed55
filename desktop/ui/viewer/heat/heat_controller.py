"""The heat map over the pages: where they look like the question, on demand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject, QTimer

from desktop.models.errors import ModelError
from desktop.ui.problems import explain
from desktop.ui.viewer.heat.heat_picture import heat_picture
from desktop.ui.viewer.manuals.task_thread import TaskThread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QAction, QImage

    from desktop.core.retrieval.visual_search import HeatMap
    from desktop.ui.viewer.heat.heat_bar import HeatBar
    from desktop.ui.viewer.pages.page_view import PageView

Readiness = Literal["ready", "no_model", "no_pages"]

CONTEXT = "HeatController"
"""Of the sentences, for translations."""
NO_QUESTION = str(
    QT_TRANSLATE_NOOP(
        "HeatController", "Ask a question first: the heat map shows where a page looks like it."
    )
)
NO_MODEL = str(
    QT_TRANSLATE_NOOP(
        "HeatController",
        "There is no heat map without a page model (ColQwen). Add one on the Models page;"
        " then the pages are looked at in the background.",
    )
)
NO_PAGES = str(
    QT_TRANSLATE_NOOP(
        "HeatController",
        "The pages of this library are not looked at yet. Come back when indexing is done.",
    )
)
NOT_YET = str(
    QT_TRANSLATE_NOOP(
        "HeatController", "This page is not looked at yet. Come back when indexing is done."
    )
)
WORKING = str(QT_TRANSLATE_NOOP("HeatController", "Looking where the page matches…"))

_AGAIN_MS = 3000
_Key = tuple[int, int, str]
T = TypeVar("T")


class HeatSource(Protocol):
    """The part of `VisualSearcher` that is needed; called on a worker thread only."""

    def readiness(self) -> Readiness: ...

    def terms(self, question: str, /) -> Sequence[str]: ...

    def heat_map(self, document_id: int, page: int, text: str, /) -> HeatMap | None: ...


class HeatController(QObject):
    """Keeps toggle, bar and overlay the same; asks for the maps of the pages in view."""

    def __init__(
        self, source: HeatSource | None, view: PageView, bar: HeatBar, toggle: QAction
    ) -> None:
        super().__init__(view)
        self._source = source
        self._view, self._bar, self._toggle = view, bar, toggle
        self._thread: TaskThread | None = None  # most never look at a heat map
        self._question = ""
        self._term = ""
        self._shown = False
        self._known: dict[_Key, QImage] = {}
        self._asked: set[_Key] = set()
        self._absent: set[_Key] = set()
        # pages are looked at in the background, and nobody tells when one is
        self._again = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._again.timeout.connect(self._ask_again)
        bar.chosen.connect(self._choose)
        bar.closed.connect(self.close)

    def ask(self, question: str) -> None:
        """Take the question whose answer is in view; maps of another one go."""
        if question == self._question:
            return
        self._question = question
        self._forget()
        if self._toggle.isChecked():
            self.toggle()

    def toggle(self) -> None:
        """Show or hide, as the action is checked now."""
        if not self._toggle.isChecked():
            self._forget()
            self._bar.hide()
            return
        if self._source is None:
            self._refuse(NO_MODEL)
        elif not self._question:
            self._refuse(NO_QUESTION)
        else:
            self._begin(self._source, self._question)

    def close(self) -> None:
        """Take away map and bar."""
        self._toggle.setChecked(False)
        self.toggle()

    def look(self) -> None:
        """See to the pages that are in view now."""
        self._want()

    def shutdown(self) -> None:
        """Join the thread."""
        self._again.stop()
        if self._thread is not None:
            self._thread.shutdown()

    def _begin(self, source: HeatSource, question: str) -> None:
        self._bar.say(_said(WORKING))

        def look() -> tuple[Readiness, Sequence[str]]:
            return source.readiness(), source.terms(question)

        def begun(found: tuple[Readiness, Sequence[str]]) -> None:
            readiness, terms = found
            if question != self._question or not self._toggle.isChecked():
                return
            if readiness != "ready":
                self._refuse(NO_MODEL if readiness == "no_model" else NO_PAGES)
                return
            self._bar.show_terms(terms)
            self._shown = True
            self._want()

        self._submit(look, begun)

    def _choose(self, term: str) -> None:
        self._term = term
        self._show()
        self._want()

    def _want(self) -> None:
        """Ask for the maps of the pages in view that are not known yet."""
        document, source = self._view.document, self._source
        if not self._shown or document is None or source is None:
            return
        text = self._term or self._question
        for page in self._view.visible_pages():
            key = (document.id, page, text)
            if key not in self._known and key not in self._asked | self._absent:
                self._asked.add(key)
                self._submit(partial(source.heat_map, *key), partial(self._take, key))
        self._show()

    def _take(self, key: _Key, heat: HeatMap | None) -> None:
        if key not in self._asked:
            return  # of an earlier question
        self._asked.discard(key)
        if heat is None:
            self._absent.add(key)
            self._again.start()
        else:
            self._known[key] = heat_picture(heat)
        self._show()

    def _ask_again(self) -> None:
        self._absent.clear()
        self._want()

    def _show(self) -> None:
        text = self._term or self._question
        heat = {
            (document, page): picture
            for (document, page, of), picture in self._known.items()
            if of == text
        }
        if heat != self._view.overlays.heat:
            self._view.overlays.heat = heat
            self._view.viewport().update()
        document = self._view.document
        if self._shown and document is not None:
            missing = (document.id, self._view.page, text) in self._absent
            self._bar.remark(_said(NOT_YET) if missing else "")

    def _forget(self) -> None:
        self._known.clear()
        self._asked.clear()
        self._absent.clear()
        self._again.stop()
        self._term = ""
        self._shown = False
        self._view.overlays.heat = {}
        self._view.viewport().update()

    def _refuse(self, why: str) -> None:
        self._forget()
        self._toggle.setChecked(False)
        self._bar.say(_said(why))

    def _submit(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        if self._thread is None:
            self._thread = TaskThread("viewer-heat", self)

        def run() -> T:
            try:
                return work()
            except ModelError as error:
                raise ValueError(explain(error).title) from error

        self._thread.submit(run, then, lambda error: self._refuse(f"{error}"))


def _said(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)
