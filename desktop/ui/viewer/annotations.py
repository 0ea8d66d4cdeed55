"""A person's own highlights and comments: made from selected words, changed, undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QEvent, QObject, QPointF, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QMenu,
    QPlainTextEdit,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from desktop.core.library.annotations import PENS, Annotation, Annotations, Pen
from desktop.core.structure.values import PageHighlight
from desktop.ui.design.controls import fill, flat_button, in_row, label, plain_tooltip, push_button
from desktop.ui.design.popups import ROOM, Floating, passing_menu
from desktop.ui.design.tokens import Space
from desktop.ui.viewer import page_painter
from desktop.ui.viewer.overlays import Selection, WordPlace
from desktop.ui.viewer.page_painter import annotation_at, pen_icon, pen_name
from desktop.ui.viewer.selection import SelectionTool, words_inside
from desktop.ui.viewer.toolbar import FloatingBar

if TYPE_CHECKING:
    from desktop.core.geometry import Box
    from desktop.core.page_words import PageWords
    from desktop.ui.bridge import Errands
    from desktop.ui.viewer.document import OpenDocument, WordStore
    from desktop.ui.viewer.output import PageOutput
    from desktop.ui.viewer.page_view import PageView
    from desktop.ui.viewer.sidebar import AnnotationPane

T = TypeVar("T")

_SAVE_MS = 600
"""After the last key a comment is kept, also while its card stays open."""
_UNDO_MS = 12_000
_MOST_UNDONE = 50
_CARD_WIDTH = 300
_LINES = 3
_GAP = 2.0


def _rgb(pen: Pen) -> tuple[float, float, float]:
    fill = page_painter.OWN_PENS[pen][0]
    return fill.redF(), fill.greenF(), fill.blueF()


class AnnotationCard(Floating):
    """Lies beside words: pens for selected ones; pens and a comment for highlighted ones.

    pen_chosen(pen); typed(): the comment has changed; left(): a person is done with it.
    """

    pen_chosen = Signal(str)
    remove_wanted = Signal()
    typed = Signal()
    left = Signal()

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.pens: dict[Pen, QToolButton] = {}
        self.comment_button = flat_button("message-square-plus", self.tr("Comment"))
        self.remove_button = flat_button("trash-2", self.tr("Remove highlight"), self.remove_wanted)
        self.field = QPlainTextEdit()
        self.field.setProperty("kind", "field")
        self.field.setAccessibleName(self.tr("Comment"))
        self.field.setPlaceholderText(self.tr("Write a comment"))
        self.field.setTabChangesFocus(True)
        self.field.setAcceptDrops(False)  # what is dropped is for the library
        self.field.setFixedHeight(_LINES * self.field.fontMetrics().lineSpacing() + 2 * Space.S)
        self.field.textChanged.connect(self.typed)
        self.done_button = push_button(self.tr("Done"), self.left, kind="primary")
        row = in_row(spacing=Space.HAIR)
        for pen in PENS:
            button = self.pens[pen] = flat_button("highlighter", pen_name(pen))
            button.setIcon(pen_icon(pen))
            button.clicked.connect(lambda _=False, pen=pen: self.pen_chosen.emit(pen))
            row.addWidget(button)
        fill(row, Space.XS, self.comment_button, None, self.remove_button, self.done_button)
        column = QVBoxLayout(self)
        left, top, right, bottom = (room + Space.XS for room in ROOM)
        column.setContentsMargins(left, top, right, bottom)
        column.setSpacing(Space.XS)
        fill(column, row, self.field)
        self.hide()

    def show_selection(self) -> None:
        """Offer pens for selected words."""
        self.setAccessibleName(self.tr("Highlight the selected words"))
        self._show(None)

    def show_annotation(self, annotation: Annotation) -> None:
        """Show which pen words are highlighted with and what is said about them."""
        self.setAccessibleName(self.tr("Highlight: {words}").format(words=annotation.quote))
        if self.field.toPlainText() != annotation.comment:
            with QSignalBlocker(self.field):
                self.field.setPlainText(annotation.comment)
        self._show(annotation.pen)

    def _show(self, chosen: Pen | None) -> None:
        for pen, button in self.pens.items():
            button.setCheckable(chosen is not None)
            button.setChecked(pen == chosen)
        self.comment_button.setVisible(chosen is None)
        for widget in (self.field, self.remove_button, self.done_button):
            widget.setVisible(chosen is not None)
        left, _, right, _ = ROOM
        self.setMinimumWidth(_CARD_WIDTH + left + right if chosen is not None else 0)
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self.resize(self.minimumSizeHint())
        self.show()
        self.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        ends = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape or (ends and held):
            self.left.emit()
            return
        super().keyPressEvent(event)


class UndoBar(FloatingBar):
    """Says for a while that something is gone, and brings it back."""

    wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Undo"))
        self.caption = label()
        self.button = push_button(self.tr("Undo"), self.wanted)
        fill(self.row, Space.S, self.caption, Space.S, self.button)
        self.row.addWidget(flat_button("x", self.tr("Dismiss"), self.hide))
        self._gone = QTimer(self, singleShot=True, interval=_UNDO_MS)
        self._gone.timeout.connect(self.hide)
        self.hide()

    def offer(self, text: str) -> None:
        """Say what happened."""
        self.caption.setText(text)
        self.show()
        self._gone.start()


class AnnotationController(QObject):
    """said(text): what happened, in a sentence. changed(): other words are highlighted now."""

    said = Signal(str)
    changed = Signal()
    kept = Signal()
    """A person changed something, and it is in the library."""

    def __init__(
        self,
        view: PageView,
        words: WordStore,
        selection: SelectionTool,
        pane: AnnotationPane,
        bar: UndoBar,
        tasks: Errands,
        shelf: Annotations,
        output: PageOutput,
    ) -> None:
        super().__init__(view)
        self._view, self._words, self._selection = view, words, selection
        self._pane, self._bar, self._tasks = pane, bar, tasks
        self._shelf, self._output = shelf, output
        self.card = AnnotationCard(view.viewport())
        self._pen: Pen = PENS[0]
        self._open: Annotation | None = None
        self._at_first = ""
        self._anchor: tuple[int, tuple[Box, ...]] | None = None
        self._pressed: QPointF | None = None
        self._undo: list[Callable[[], object]] = []
        self._save = QTimer(self, singleShot=True, interval=_SAVE_MS)
        self._save.timeout.connect(self._keep_comment)
        self._connect()

    @property
    def annotations(self) -> tuple[Annotation, ...]:
        """Those of the manual in view, from its first page to its last."""
        return self._view.overlays.annotations

    def show_document(self, document: OpenDocument | None) -> None:
        """Show what is highlighted in another manual, or in the same one again."""
        sha256 = "" if document is None else document.record.sha256
        if not self.annotations or self.annotations[0].sha256 != sha256:
            self._take(())
        if document is not None:
            self._tasks.run(
                lambda: self._shelf.of(sha256),
                lambda found: self._take(tuple(found)) if self._is_in_view(document.id) else None,
            )

    def read_again(self) -> None:
        """Read them again: another pane may have changed those of the same manual."""
        self.show_document(self._view.document)

    # what a person does

    def highlight(self, pen: Pen | None = None) -> None:
        """Highlight the selected words, else the hit or the passage that is current."""
        self._pen = pen or self._pen
        self._mark(lambda _: None)

    def comment(self) -> None:
        """Highlight words and write about them; if a highlight is open, go to its comment."""
        if self._open is not None:
            self.card.field.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._mark(lambda kept: self.open(kept, write=True))

    def open(self, annotation: Annotation, *, write: bool = False) -> None:
        """Show the card of highlighted words beside them. write: take the keyboard there."""
        self.close()
        self._open, self._at_first = annotation, annotation.comment
        self._anchor = annotation.page, annotation.boxes
        self._view.overlays.annotation = annotation.id
        self._view.viewport().update()
        self.card.show_annotation(annotation)
        self._place()
        if write:
            self.card.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def close(self) -> None:
        """Take the card away; what was written is kept."""
        if self._open is not None:
            self._keep_comment()
            before = replace(self._open, comment=self._at_first)
            if self._open.comment != before.comment:
                self._remember(lambda: self._keep_again(before))
        self._put_away()

    def remove(self, annotation: Annotation) -> None:
        """Take a highlight with its comment away; it can be undone."""
        if self._open is not None and self._open.id == annotation.id:
            self._keep_comment()
            annotation = self._open  # with what was written a moment ago
            self._put_away()
        self._remember(lambda: self._keep_again(annotation))
        self._change(
            lambda: self._shelf.remove([annotation.id]),
            lambda _: self._bar.offer(self.tr("Highlight removed")),
        )

    def undo(self) -> None:
        """Take back the last thing that was done to a highlight."""
        self._bar.hide()
        if self._undo:
            self._change(self._undo.pop(), lambda _: self.said.emit(self.tr("Undone")))

    def save_copy(self) -> None:
        """Ask where to, and write a PDF with the highlights for other readers."""
        document = self._view.document
        if document is None:
            return
        self.close()
        marks = [
            PageHighlight(
                each.page,
                tuple(box.as_tuple() for box in each.boxes),
                _rgb(each.pen),
                each.comment,
            )
            for each in self.annotations
        ]
        self._output.save_highlighted(document, marks)

    # the words

    def _mark(self, then: Callable[[Annotation], None]) -> None:
        document, selection = self._view.document, self._selection.selection
        if document is None:
            return
        sha256, pen = document.record.sha256, self._pen
        place = self._view.overlays.current_place(document.id)
        if selection is not None:
            pages: Sequence[int] = selection.pages

            def made(words: Mapping[int, PageWords]) -> list[Annotation]:
                return selected_annotations(selection, words, sha256, pen)
        elif place is not None:
            page, boxes = place
            pages = [page]

            def made(words: Mapping[int, PageWords]) -> list[Annotation]:
                quote = " ".join(" ".join(words_inside(words[page], box).split()) for box in boxes)
                return [Annotation(sha256, page, boxes, pen, quote)]
        else:
            self.said.emit(self.tr("Select words first: drag over them, or hold Shift and press →"))
            return
        self._words.with_pages(document.id, pages, lambda words: self._add(made(words), then))

    def _add(self, new: list[Annotation], then: Callable[[Annotation], None]) -> None:
        shelf = self._shelf
        if not new:
            return
        before: list[Annotation] = []
        made: list[int] = []

        def keep() -> Annotation:
            # the same words again: another pen, and not a second layer of colour
            here = {(each.page, each.boxes): each for each in shelf.of(new[0].sha256)}
            known = [here.get((each.page, each.boxes)) for each in new]
            before.extend(filter(None, known))
            stored = shelf.keep(
                [
                    each if old is None else replace(old, pen=each.pen)
                    for each, old in zip(new, known, strict=True)
                ]
            )
            made.extend(each.id for each, old in zip(stored, known, strict=True) if old is None)
            return stored[0]

        def take_back() -> None:
            shelf.keep(before)
            shelf.remove(made)

        self._selection.select(None)
        self._remember(take_back)  # at once: whoever takes it back may be faster than the disk
        self._change(keep, then)

    def _choose_pen(self, pen: Pen) -> None:
        self._pen = pen
        if self._open is None:
            self.highlight(pen)
        else:
            self._recolour(self._open, pen)

    def _recolour(self, annotation: Annotation, pen: Pen) -> None:
        self._keep_comment()
        before = self._now(annotation.id) or annotation
        if self._open is not None and self._open.id == annotation.id:
            before = self._open  # with what was written a moment ago
            self._open = replace(before, pen=pen)
            self.card.show_annotation(self._open)
        self._remember(lambda: self._keep_again(before))
        self._change(lambda: self._keep_again(replace(before, pen=pen)))

    def _keep_comment(self) -> None:
        self._save.stop()
        text = self.card.field.toPlainText().strip()
        if self._open is not None and text != self._open.comment:
            changed = self._open = replace(self._open, comment=text)
            self._change(lambda: self._keep_again(changed))

    def _keep_again(self, annotation: Annotation) -> None:
        self._shelf.keep([annotation])

    def _remember(self, take_back: Callable[[], object]) -> None:
        self._undo = [*self._undo, take_back][-_MOST_UNDONE:]

    def _change(self, work: Callable[[], T], then: Callable[[T], None] = lambda _: None) -> None:
        document = self._view.document
        if document is None:
            return
        id_, sha256 = document.id, document.record.sha256

        def run() -> tuple[T, list[Annotation]]:
            return work(), self._shelf.of(sha256)

        def done(both: tuple[T, list[Annotation]]) -> None:
            if self._is_in_view(id_):
                self._take(tuple(both[1]))
            then(both[0])
            self.kept.emit()

        self._tasks.run(
            run,
            done,
            lambda error: self.said.emit(
                self.tr("The highlight could not be saved: {why}").format(why=error)
            ),
            keeps=True,
        )

    def _take(self, found: tuple[Annotation, ...]) -> None:
        self._view.overlays.annotations = found
        if self._open is not None and self._now(self._open.id) is None:
            self._put_away()
        self._view.viewport().update()
        self._pane.show_annotations(self._view.document, found)
        self.changed.emit()

    def _now(self, id_: int) -> Annotation | None:
        return next((each for each in self.annotations if each.id == id_), None)

    def _is_in_view(self, document_id: int) -> bool:
        return self._view.document is not None and self._view.document.id == document_id

    # the card

    def _offer(self) -> None:
        """Offer pens beside words that were just selected."""
        document, selection = self._view.document, self._selection.selection
        if document is None or selection is None:
            return
        self.close()
        page = selection.focus.page
        words = self._words.get(document.id, page)
        boxes = () if words is None else selection.boxes(page, words)
        if boxes:
            self._anchor = page, boxes
            self.card.show_selection()
            self._place()

    def _selected(self) -> None:
        if self._open is None and self._selection.selection is None:
            self._put_away()

    def _put_away(self) -> None:
        focused = QApplication.focusWidget()
        had_keyboard = focused is not None and self.card.isAncestorOf(focused)
        self._open, self._anchor = None, None
        self._save.stop()
        self.card.hide()
        if had_keyboard:
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        if self._view.overlays.annotation:
            self._view.overlays.annotation = 0
            self._view.viewport().update()

    def _place(self) -> None:
        """Put the card below its words, or above if there is no room; it goes when they do."""
        view = self._view
        if self._anchor is None or view.document is None:
            return
        page, boxes = self._anchor
        if page not in view.visible_pages():
            self.close()
            return
        frame = view.page_frame(page)
        words = frame.around(boxes)
        room, card = view.viewport().size(), self.card.size()
        beside, above, _, below = ROOM
        y = words.bottom() + _GAP - above
        if y + card.height() > room.height():
            y = words.top() - _GAP - card.height() + below
        x = frame.rect(boxes[-1]).left() - beside
        self.card.move(
            max(0, min(round(x), room.width() - card.width())),
            max(0, min(round(y), room.height() - card.height())),
        )

    def at(self, position: QPointF) -> Annotation | None:
        """Return the highlight, or the sign of its comment, at a position of the viewport."""
        document, page = self._view.document, self._view.page_under(position)
        if document is None or page is None or not self.annotations:
            return None
        marks = self._view.overlays.on_page(document.id, page)
        return annotation_at(self._view.page_frame(page), marks, position)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view:
            return isinstance(event, QKeyEvent) and self._key(event)
        if isinstance(event, QContextMenuEvent):
            return self._context_menu(event)
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            found = self.at(QPointF(event.pos()))
            if found is None or not found.comment:
                return False
            QToolTip.showText(event.globalPos(), plain_tooltip(found.comment), self._view)
            return True
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            self._mouse(event)
        return False

    def _mouse(self, event: QMouseEvent) -> None:
        if event.type() == QEvent.Type.MouseButtonPress:
            self.close()
            self._pressed = event.position()
        elif event.type() == QEvent.Type.MouseButtonRelease:
            pressed, self._pressed = self._pressed, None
            if pressed is None or self._selection.selection is not None:
                return
            moved = (event.position() - pressed).manhattanLength()
            found = self.at(pressed) if moved < QApplication.startDragDistance() else None
            if found is not None:
                self.open(found)

    def _key(self, event: QKeyEvent) -> bool:
        if event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Escape and self.card.isVisible():
            self._selection.select(None)
            self.close()
            return True
        if event.matches(QKeySequence.StandardKey.Undo) and self._undo:
            self.undo()
            return True
        return False

    def _context_menu(self, event: QContextMenuEvent) -> bool:
        found = self.at(QPointF(event.pos()))
        if found is None or self._selection.selection is not None:
            return False
        self.menu_of(found, self._view).popup(event.globalPos())
        return True

    def menu_of(self, annotation: Annotation, parent: QWidget) -> QMenu:
        """Return the menu of highlighted words."""
        menu = passing_menu(parent)
        for pen in PENS:
            entry = menu.addAction(pen_icon(pen), pen_name(pen))
            entry.setCheckable(True)
            entry.setChecked(pen == annotation.pen)
            entry.triggered.connect(lambda _=False, pen=pen: self._recolour(annotation, pen))
        menu.addSeparator()
        said = self.tr("Edit comment") if annotation.comment else self.tr("Comment")
        menu.addAction(said).triggered.connect(lambda: self.open(annotation, write=True))
        copy = menu.addAction(self.tr("Copy"))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(annotation.quote))
        menu.addAction(self.tr("Remove highlight")).triggered.connect(
            lambda: self.remove(annotation)
        )
        return menu

    # the pane

    def _go(self, annotation: Annotation, *, write: bool = False) -> None:
        self._view.reveal(annotation.page, annotation.boxes)
        self.open(annotation, write=write)

    def _with(self, id_: int, act: Callable[[Annotation], object]) -> None:
        if (annotation := self._now(id_)) is not None:
            act(annotation)

    def _connect(self) -> None:
        view, pane, card = self._view, self._pane, self.card
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)
        view.moved.connect(self._place)
        self._selection.settled.connect(self._offer)
        self._selection.changed.connect(self._selected)
        card.pen_chosen.connect(self._choose_pen)
        card.comment_button.clicked.connect(self.comment)
        card.typed.connect(self._save.start)
        card.left.connect(self.close)
        card.remove_wanted.connect(lambda: self.remove(self._open) if self._open else None)
        self._bar.wanted.connect(self.undo)
        pane.chosen.connect(lambda id_: self._with(id_, self._go))
        pane.edit_wanted.connect(lambda id_: self._with(id_, partial(self._go, write=True)))
        pane.removed.connect(lambda id_: self._with(id_, self.remove))
        pane.menu_wanted.connect(
            lambda id_, at: self._with(id_, lambda a: self.menu_of(a, pane).popup(at.toPoint()))
        )
        pane.undo_wanted.connect(self.undo)


def selected_annotations(
    selection: Selection, words: Mapping[int, PageWords], sha256: str, pen: Pen
) -> list[Annotation]:
    """Return one annotation for each page on which words are selected."""
    made = []
    for page in selection.pages:
        span = selection.span(page, words[page])
        if span is not None:
            part = Selection(WordPlace(page, span[0]), WordPlace(page, span[1]))
            quote = " ".join(part.text(words).split())
            made.append(Annotation(sha256, page, part.boxes(page, words[page]), pen, quote))
    return made
