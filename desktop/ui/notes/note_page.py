"""One note: read, edited, and a picture of what it is related to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QSizePolicy, QWidget

from desktop.core.notes.note import Note, day
from desktop.core.notes.relations import NOTE, Link, Neighbour, Neighbourhood
from desktop.ui import note_words as words
from desktop.ui.design.controls import (
    fill,
    in_column,
    label,
    painted_as,
    plain_tooltip,
    push_button,
)
from desktop.ui.design.forms import PageFrame
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import spoken_language, told
from desktop.ui.note_words import entity, relation
from desktop.ui.notes.note_form import NoteForm, relations_field

if TYPE_CHECKING:
    from knowledge.pieces import PageLink


MOST_IN_COLUMN = 7
"""Entities one below the other; the rest is counted, so that names stay readable."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An entity or a note in the picture. column: hops from the middle. row: may end in .5."""

    node: Neighbour
    column: int
    row: float

    @property
    def is_note(self) -> bool:
        """Whether it is a note and no entity."""
        return self.node.kind == NOTE


@dataclass(frozen=True, slots=True)
class Line:
    """What joins two drawn nodes, read from `source` to `target`; said: "" for a note's line."""

    source: str
    target: str
    said: str


@dataclass(frozen=True, slots=True)
class GraphPlan:
    """What is drawn. rows: of the fullest column. left_out: nodes there was no room for."""

    placed: tuple[Placed, ...] = ()
    lines: tuple[Line, ...] = ()
    rows: int = 0
    left_out: int = 0
    cut: bool = False


def plan_graph(around: Neighbourhood) -> GraphPlan:
    """Return the picture of a neighbourhood; the same one always gives the same picture.

    Nodes stand below each other in the order they were found: those that belong to
    the same node of the previous column are together.
    """
    columns = _columns(around.nodes)
    shown = [column[:MOST_IN_COLUMN] for column in columns]
    rows = max((len(column) for column in shown), default=0)
    placed = tuple(
        Placed(node, number, row + (rows - len(column)) / 2)
        for number, column in enumerate(shown)
        for row, node in enumerate(column)
    )
    drawn = {each.node.node_id for each in placed}
    return GraphPlan(
        placed, _lines(around.links, drawn), rows, len(around.nodes) - len(placed), around.cut
    )


def _columns(nodes: Sequence[Neighbour]) -> list[list[Neighbour]]:
    deepest = max((node.depth for node in nodes), default=-1)
    return [[node for node in nodes if node.depth == depth] for depth in range(deepest + 1)]


def _lines(links: Sequence[Link], drawn: set[str]) -> tuple[Line, ...]:
    """Return one line for each pair of nodes, however many notes mention it."""
    said: dict[tuple[str, str], list[str]] = {}
    for link in links:
        if {link.source_id, link.target_id} <= drawn and link.source_id != link.target_id:
            words = said.setdefault((link.source_id, link.target_id), [])
            name = "" if link.kind == NOTE else relation(link.kind)
            if name and name not in words:
                words.append(name)
    return tuple(Line(*ends, ", ".join(words)) for ends, words in sorted(said.items()))


GAP_ACROSS = 96
GAP_DOWN = Space.M
LEAST_WIDTH, MOST_WIDTH = 128, 260
"""Of a node; two columns of the narrowest stand in the narrowest drawer."""
ARROW = 7.0


class GraphPicture(QWidget):
    """chosen(node_id, is_note): see what belongs to this entity, or read this note."""

    chosen = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("What belongs together"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._plan = GraphPlan()
        self.nodes: dict[str, QPushButton] = {}
        self._rest = label("", factor=Type.SMALL, tone="muted")
        self._rest.setParent(self)

    def show_plan(self, plan: GraphPlan) -> None:
        """Draw other entities. The one in the middle stands at the left."""
        self._plan = plan
        for button in self.nodes.values():
            button.hide()
            button.deleteLater()
        self.nodes = {each.node.node_id: self._button(each) for each in plan.placed}
        self._rest.setText(self.tr("and {n} more").format(n=plan.left_out))
        self._rest.setVisible(plan.left_out > 0 or plan.cut)
        if plan.cut:
            self._rest.setText(self.tr("and more than can be shown here"))
        self.setAccessibleDescription("; ".join(self._told(line) for line in plan.lines))
        columns = self._columns()
        self.setMinimumWidth(columns * LEAST_WIDTH + (columns - 1) * GAP_ACROSS)
        self.setFixedHeight(self._height())
        self._place()

    def sizeHint(self) -> QSize:
        return QSize(3 * MOST_WIDTH, self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(scaled_font(Type.SMALL))
        for line in self._plan.lines:
            self._draw(painter, line)
        painter.end()  # see `PlaceButton.paintEvent`

    def _button(self, placed: Placed) -> QPushButton:
        node = placed.node
        name = node.label or node.node_id
        button = push_button(name, name="sticky-note" if placed.is_note else "")
        button.setParent(self)
        button.setToolTip(plain_tooltip(f"{name} ({entity(node.kind)})"))
        button.setAccessibleName(f"{name}, {entity(node.kind)}")
        button.setProperty("full", name)
        if placed.column == 0:
            button.setFont(scaled_font(Type.BODY, bold=True))
        button.clicked.connect(lambda: self.chosen.emit(node.node_id, placed.is_note))
        button.show()
        return button

    def _place(self) -> None:
        """Give each column an equal share of the width; a name that is too long is shortened."""
        columns = self._columns()
        room = (self.width() - (columns - 1) * GAP_ACROSS) // columns
        width = max(LEAST_WIDTH, min(MOST_WIDTH, room))
        for each in self._plan.placed:
            button = self.nodes[each.node.node_id]
            full = str(button.property("full"))
            inner = width - 2 * Space.M - Space.S - (Size.ICON if each.is_note else 0)
            # a code ends with what tells it apart, a note begins with it
            side = Qt.TextElideMode.ElideRight if each.is_note else Qt.TextElideMode.ElideMiddle
            shown = button.fontMetrics().elidedText(full.removesuffix(" …"), side, inner)
            room_for_icon = " " if each.is_note else ""
            button.setText(room_for_icon + shown.replace("&", "&&"))
            y = round(each.row * (Size.TARGET + GAP_DOWN))
            button.setGeometry(each.column * (width + GAP_ACROSS), y, width, Size.TARGET)
        self._rest.adjustSize()
        self._rest.move(self.width() - self._rest.width(), self.height() - self._rest.height())
        self.update()

    def _draw(self, painter: QPainter, line: Line) -> None:
        c = colours()
        start, end, leftwards = self._ends(line)
        painter.setPen(QPen(QColor(c.border_strong), 1.5))
        painter.drawLine(start, end)
        tip, way = (start, 1.0) if leftwards else (end, -1.0)
        if abs(start.x() - end.x()) < 1:  # both in one column: the line runs beside them
            tip, way = end, -1.0
        painter.setBrush(QColor(c.border_strong))
        painter.drawPolygon(
            QPolygonF(
                [
                    tip,
                    QPointF(tip.x() + way * ARROW, tip.y() - ARROW / 2),
                    QPointF(tip.x() + way * ARROW, tip.y() + ARROW / 2),
                ]
            )
        )
        if line.said:
            self._write(painter, line.said, QRectF(start, end).normalized().center())

    def _write(self, painter: QPainter, text: str, middle: QPointF) -> None:
        c, metrics = colours(), painter.fontMetrics()
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, GAP_ACROSS - 3 * Space.S)
        area = QRect(0, 0, metrics.horizontalAdvance(shown) + Space.S, metrics.lineSpacing())
        area.moveCenter(middle.toPoint())
        painter.fillRect(area, QColor(c.surface))
        painter.setPen(QColor(c.muted))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), shown)

    def _ends(self, line: Line) -> tuple[QPointF, QPointF, bool]:
        """Return where a line begins and ends, the left end first, and if it points leftwards."""
        source, target = self.nodes[line.source].geometry(), self.nodes[line.target].geometry()
        leftwards = source.left() > target.left()
        first, second = (target, source) if leftwards else (source, target)
        start = QPointF(first.right(), first.center().y())
        if first.left() == second.left():
            return start, QPointF(second.right(), second.center().y()), leftwards
        return start, QPointF(second.left(), second.center().y()), leftwards

    def _told(self, line: Line) -> str:
        source, target = (str(self.nodes[x].property("full")) for x in (line.source, line.target))
        return f"{source} {line.said or '–'} {target}"

    def _columns(self) -> int:
        return 1 + max((each.column for each in self._plan.placed), default=0)

    def _height(self) -> int:
        if not self._plan.rows:
            return 0
        rest = self.fontMetrics().lineSpacing() if self._plan.left_out or self._plan.cut else 0
        return self._plan.rows * (Size.TARGET + GAP_DOWN) - GAP_DOWN + rest


@dataclass(frozen=True, slots=True)
class Written:
    """A note with the relations that belong to it, one a line."""

    note: Note
    relations: str = ""


_OF_RELATIONS = ("line ", "the relation", "the id of a node", "the node")
"""How the refusals of relations begin, and not of the note."""


class NotePage(QWidget):
    """save_wanted(written), delete_wanted(piece_id), page_wanted(link), edited().

    node_chosen(node_id, is_note): of the picture.
    """

    save_wanted = Signal(object)
    delete_wanted = Signal(str)
    page_wanted = Signal(object)
    node_chosen = Signal(str, bool)
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.original = Written(Note(""))
        self._names: Mapping[PageLink, str] = {}
        self.form = NoteForm()
        self.relations = relations_field()
        self.picture = GraphPicture()
        self._picture_title = label("", factor=Type.LEAD, bold=True, wrap=True)
        content = QWidget()
        column = in_column(content, spacing=Space.M)
        fill(column, self.form, self.relations, Space.S, self._picture_title, self._picture_area())
        self.delete = push_button(self.tr("Delete"), name="trash-2")
        self.revert = push_button(self.tr("Revert"), self._revert)
        self.save = push_button(self.tr("Save"), self.ask_to_save, kind="primary")
        self.frame = PageFrame(content, left=(self.delete,), right=(self.revert, self.save))
        in_column(self).addWidget(self.frame)
        self.setFocusProxy(self.form)
        self.form.edited.connect(self._edited)
        self.relations.edited.connect(self._edited)
        self.form.page_wanted.connect(self.page_wanted)
        self.picture.chosen.connect(self.node_chosen)
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self.piece_id))

    @property
    def piece_id(self) -> str:
        """The note that is shown."""
        return self.original.note.piece_id

    @property
    def written(self) -> Written:
        """The note as it stands in the fields."""
        return Written(self.form.note, self.relations.text.strip())

    @property
    def changed(self) -> bool:
        """Whether the fields differ from what is kept."""
        return self.written != self.original

    def show_note(
        self, kept: Written, page_names: Mapping[PageLink, str], draft: Written | None = None
    ) -> None:
        """Show a note, with any earlier changes that are not kept yet."""
        note = kept.note
        same = note.piece_id == self.piece_id
        self.original, self._names = kept, page_names
        shown = draft or kept
        self.form.show_note(shown.note, page_names)
        self.relations.set_text(shown.relations)
        self.relations.show_fault("")
        written = day(note.written, language=spoken_language())
        by = self.tr("by {role}").format(role=note.role) if note.role else ""
        state = ", ".join(part for part in (words.kind(note.kind), written, by) if part)
        self.frame.show_title(note.title, state)
        if not same:
            self.show_picture(None, "")
            self.frame.to_top()
        self._update()

    def show_picture(self, plan: GraphPlan | None, of: str) -> None:
        """Show what belongs to an entity; None: the note is about nothing in particular."""
        shown = plan is not None and len(plan.placed) > 1
        self._picture_title.setText(self.tr("What belongs to {name}").format(name=of))
        for widget in (self._picture_title, self._area):
            widget.setVisible(shown)
        if plan is not None:
            self.picture.show_plan(plan)
            bar = self._area.horizontalScrollBar().sizeHint().height()
            self._area.setFixedHeight(self.picture.height() + bar)

    def ask_to_save(self) -> None:
        """Ask for what stands in the fields to be kept."""
        if self.changed:
            self.save_wanted.emit(self.written)

    def show_fault(self, reason: str) -> None:
        """Say why the note is refused, where it has to be repaired."""
        field: QWidget | None
        changed = self.relations.text.strip() != self.original.relations
        if changed and reason.casefold().startswith(_OF_RELATIONS):
            self.relations.show_fault(told(reason))
            field = self.relations
        else:
            field = self.form.show_fault(reason)
        if field is not None:
            field.setFocus()
            self.frame.area.ensureWidgetVisible(field)

    def _picture_area(self) -> QScrollArea:
        """Return what lets a narrow window scroll the picture sideways."""
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(self.picture)
        painted_as(self.picture, "panel")
        return self._area

    def _edited(self) -> None:
        self.form.show_fault("")
        self.relations.show_fault("")
        self._update()
        self.edited.emit()

    def _update(self) -> None:
        self.save.setEnabled(self.changed)
        self.revert.setVisible(self.changed)

    def _revert(self) -> None:
        self.show_note(self.original, self._names)
        self.edited.emit()


Value = TypeVar("Value")
