"""The heat map over the pages: where they resemble the question, on demand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QImage
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton

from desktop.models.errors import ModelError
from desktop.ui.bridge import Errands
from desktop.ui.design.controls import empty, fill, flat_button, in_row, label
from desktop.ui.design.notices import explain
from desktop.ui.design.tokens import Size, Space
from desktop.ui.language import tr
from desktop.ui.viewer.toolbar import FloatingBar

if TYPE_CHECKING:
    from desktop.core.retrieval.visual_search import HeatMap, VisualSearcher
    from desktop.ui.viewer.page_view import PageView


_MOST = 0.62
"""Opacity of the hottest patch: the words below it stay readable."""

_COLD = 0.12  # below this nothing is painted, so that a page does not look stained
_MILD = np.array([255, 176, 0], np.float32)
_HOT = np.array([200, 20, 60], np.float32)


def heat_picture(heat: HeatMap) -> QImage:
    """Return one pixel per patch, from clear via amber to crimson; smooth when enlarged."""
    values = np.clip((heat.values - _COLD) / (1 - _COLD), 0, 1)
    alpha = _MOST * values**0.8
    colour = _MILD + values[..., None] * (_HOT - _MILD)
    pixels = np.empty((*values.shape, 4), np.uint8)
    # premultiplied, or scaling would bleed the colour of clear pixels into warm ones
    pixels[..., :3] = np.rint(colour * alpha[..., None])
    pixels[..., 3] = np.rint(255 * alpha)
    rows, columns = values.shape
    picture = QImage(
        pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888_Premultiplied
    )
    return picture.copy()  # the bytes are not kept


_MOST_TERMS = 8
PASSING_MS = 8_000


class HeatBar(FloatingBar):
    """chosen(text): show the map of these words; "" for the whole question. closed(): stop."""

    chosen = Signal(str)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__(wide=560)
        self.setAccessibleName(self.tr("Heat map"))
        self._passing = QTimer(self, singleShot=True, interval=PASSING_MS)
        self._passing.timeout.connect(self.hide)
        self.caption = label(wrap=True)
        self.caption.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._terms = QButtonGroup(self)
        self._terms.buttonClicked.connect(lambda button: self.chosen.emit(button.property("term")))
        fill(self.row, Space.S, (self.caption, 1), Space.S)
        self._words = in_row(spacing=Space.HAIR)
        self.row.addLayout(self._words)
        close = flat_button("x", self.tr("Close the heat map"), lambda _checked: self.closed.emit())
        close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.row.addWidget(close)

    def show_terms(self, terms: Sequence[str]) -> None:
        """Offer the whole question and, where it has several words, each of them."""
        empty(self._words)
        self._passing.stop()
        self.remark("")
        self.caption.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        for term in ["", *terms[:_MOST_TERMS]] if len(terms) > 1 else [""]:
            button, name = QToolButton(), self.tr("Heat map for the whole question")
            if term:
                name = self.tr("Heat map for {words}").format(words=term)
            button.setText(term or self.tr("Whole question"))
            button.setAccessibleName(name)
            button.setProperty("term", term)
            button.setProperty("kind", "flat")
            button.setCheckable(True)
            button.setChecked(not term)
            button.setMinimumHeight(Size.ROW)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self._terms.addButton(button)
            self._words.addWidget(button)
        self.show()

    def remark(self, text: str) -> None:
        """Say something about the page in view beside the words; "" if there is nothing to say."""
        self.caption.setText(text or self.tr("Show matches for:"))

    def say(self, text: str, *, passing: bool = False) -> None:
        """Say that the map is being worked out, or, for a while, why nothing is shown."""
        empty(self._words)
        self._passing.stop()
        if passing:
            self._passing.start()
        self.caption.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.caption.setText(text)
        self.show()


def lacking(what: str) -> str:
    """Say what there must be for a heat map, and is not: question, model or pages."""
    return {
        "no_question": tr("Ask a question first: the heat map shows where a page matches it."),
        "no_model": tr(
            "A heat map needs a page model (ColQwen). Add one on the Models page; the pages are "
            "then looked at in the background."
        ),
        "no_pages": tr(
            "This library's pages have not been looked at yet. Come back when indexing is done."
        ),
    }[what]


_Key = tuple[int, int, str]
T = TypeVar("T")


class HeatController(QObject):
    """Keeps toggle, bar and overlay in step; asks for the maps of the pages in view.

    usable(there): whether there is a model for it, so that a button for it makes sense.
    """

    usable = Signal(bool)

    def __init__(
        self,
        source: VisualSearcher | None,
        view: PageView,
        bar: HeatBar,
        toggle: QAction,
        tasks: Errands,
    ) -> None:
        """tasks: the thread that checks for a model; maps have a thread of their own."""
        super().__init__(view)
        self._source, self._tasks = source, tasks
        self._view, self._bar, self._toggle = view, bar, toggle
        self._thread = Errands(self, name="viewer-heat", resumes=True)
        self._question = ""
        self._term = ""
        self._shown = False
        self._known: dict[_Key, QImage | None] = {}
        """None for a page that has not been looked at yet."""
        self._asked: set[_Key] = set()
        bar.chosen.connect(self._choose)
        bar.closed.connect(self.close)

    def ask(self, question: str) -> None:
        """Take the question whose answer is in view; maps of any other are dropped."""
        if question == self._question:
            return
        self.look_for_model()
        self._question = question
        self._forget()
        if self._toggle.isChecked():
            self.toggle()

    def look_for_model(self) -> None:
        """Report whether there is a model: one may have been added since."""
        if self._source is None:
            self.usable.emit(False)
        else:
            self._tasks.run(
                self._source.readiness,
                lambda found: self.usable.emit(found != "no_model"),
                lambda _: self.usable.emit(False),
            )

    def toggle(self) -> None:
        """Show or hide the map, as the action is now checked."""
        if not self._toggle.isChecked():
            self._forget()
            self._bar.hide()
            return
        if self._source is None:
            self._refuse(lacking("no_model"))
        elif not self._question:
            self._refuse(lacking("no_question"))
        else:
            self._begin(self._source, self._question)

    def close(self) -> None:
        """Remove map and bar."""
        self._toggle.setChecked(False)
        self.toggle()

    def shutdown(self) -> None:
        """Join the thread."""
        self._thread.close()

    def _begin(self, source: VisualSearcher, question: str) -> None:
        self._bar.say(self.tr("Finding where the page matches…"))

        def look() -> tuple[str, Sequence[str]]:
            return source.readiness(), source.terms(question)

        def begun(found: tuple[str, Sequence[str]]) -> None:
            readiness, terms = found
            if question != self._question or not self._toggle.isChecked():
                return
            if readiness != "ready":
                self._refuse(lacking(readiness))
                return
            self._bar.show_terms(terms)
            self._shown = True
            self.look()

        self._submit(look, begun)

    def _choose(self, term: str) -> None:
        self._term = term
        self.look()

    def look(self) -> None:
        """Ask for the maps of the pages in view that are not known yet."""
        document, source = self._view.document, self._source
        if not self._shown or document is None or source is None:
            return
        for page in self._view.visible_pages():
            key = (document.id, page, self._term or self._question)
            if key not in self._asked:
                self._asked.add(key)
                self._submit(partial(source.heat_map, *key), partial(self._take, key))
        self._show()

    def _take(self, key: _Key, heat: HeatMap | None) -> None:
        if key in self._asked:  # not of an earlier question
            self._known[key] = None if heat is None else heat_picture(heat)
            self._show()

    def _show(self) -> None:
        text = self._term or self._question
        heat = {
            (document, page): picture
            for (document, page, of), picture in self._known.items()
            if of == text and picture is not None
        }
        if heat != self._view.overlays.heat:
            self._view.overlays.heat = heat
            self._view.viewport().update()
        document = self._view.document
        if self._shown and document is not None:
            here = (document.id, self._view.page, text)
            says = self.tr("This page has not been looked at yet. Come back when indexing is done.")
            self._bar.remark(says if here in self._known and self._known[here] is None else "")

    def _forget(self) -> None:
        self._known.clear()
        self._asked.clear()
        self._term = ""
        self._shown = False
        self._view.overlays.heat = {}
        self._view.viewport().update()

    def _refuse(self, why: str) -> None:
        self._forget()
        self._toggle.setChecked(False)
        self._bar.say(why, passing=True)

    def _submit(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        def run() -> T:
            try:
                return work()
            except ModelError as error:
                raise ValueError(explain(error).title) from error

        self._thread.run(run, then, lambda error: self._refuse(f"{error}"))
