"""The palette: one line to type in, and what it finds below, over everything else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QAction,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QApplication,
    QListView,
    QMainWindow,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from shiboken6 import isValid

from desktop.core.events import PageRegion
from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import (
    DOT,
    draw_row,
    fill,
    in_column,
    label,
    plain_tooltip,
    search_field,
)
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import ROOM, Floating
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import tr
from desktop.ui.palette.search import Entry, Kind, PaletteSearch, actions_of, entries_of

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.chat.conversations import ConversationController
    from desktop.ui.library.model import LibraryModel
    from desktop.ui.library.panel import LibraryPanel
    from desktop.ui.viewer.centre import Centre

Index = QModelIndex | QPersistentModelIndex
ICONS: dict[Kind, str] = {
    "group": "",
    "manual": "library",
    "page": "file-text",
    "heading": "table-of-contents",
    "text": "text-search",
    "action": "arrow-right",
    "question": "message-square-text",
    "ask": "sparkles",
}
DETAIL_SHARE = 0.45
"""How much of a row the detail may take from a long title."""
KEYS_GAP = "    "


class ResultModel(QStandardItemModel):
    """The entries, the best first."""

    EntryRole = Qt.ItemDataRole.UserRole + 1

    def show(self, entries: list[Entry]) -> None:
        """Show exactly these."""
        self.clear()
        for entry in entries:
            item = QStandardItem(entry.title)
            item.setEditable(False)
            item.setEnabled(entry.kind != "group")
            item.setData(entry, self.EntryRole)
            item.setData(spoken(entry), Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip(plain_tooltip("\n".join(filter(None, (entry.title, entry.detail)))))
            self.appendRow(item)


def spoken(entry: Entry) -> str:
    """Return an entry for a screen reader."""
    kinds = {
        "group": "",
        "manual": tr("manual"),
        "page": tr("page"),
        "heading": tr("heading"),
        "text": tr("words"),
        "action": tr("action"),
        "question": tr("question"),
        "ask": "",
    }
    return ", ".join(filter(None, (entry.title, kinds[entry.kind], entry.detail, entry.keys)))


class ResultDelegate(QStyledItemDelegate):
    """One line: what it is, its title, where it is, and the keys of an action; or a heading."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        entry: Entry = index.data(ResultModel.EntryRole)
        c = colours()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if entry.kind == "group":
            painter.setFont(scaled_font(Type.SMALL, bold=True))
            painter.setPen(QColor(c.muted))
            area = option.rect.adjusted(Space.M, 0, -Space.M, -Space.XS)
            low = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            painter.drawText(area, low, entry.title)
            painter.restore()
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        draw_row(painter, option)
        area = option.rect.adjusted(Space.M, 0, -Space.M, 0)
        mark = QRect(area.left(), 0, Size.ICON, Size.ICON)
        mark.moveCenter(QPoint(mark.center().x(), area.center().y()))
        icon(ICONS[entry.kind], c.accent if chosen else c.muted).paint(painter, mark)
        area.adjust(Size.ICON + Space.M, 0, 0, 0)
        area.setRight(_draw_right(painter, area, entry) - Space.M)
        painter.setFont(scaled_font(Type.BODY, bold=entry.kind not in ("text", "ask")))
        painter.setPen(QColor(c.accent if entry.kind == "ask" else c.text))
        _draw_line(painter, area, entry.title, Qt.AlignmentFlag.AlignLeft)
        painter.restore()

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        entry: Entry = index.data(ResultModel.EntryRole)
        return QSize(160, Size.ROW if entry.kind == "group" else Size.TARGET)


def _draw_right(painter: QPainter, area: QRect, entry: Entry) -> int:
    """Draw keys and detail at the right end; return where they begin."""
    left = QFontMetrics(scaled_font(Type.BODY, bold=True)).horizontalAdvance(entry.title)
    painter.setFont(scaled_font(Type.SMALL))
    painter.setPen(QColor(colours().muted))
    metrics = painter.fontMetrics()
    room = max(int(area.width() * DETAIL_SHARE), area.width() - left - 2 * Space.M)
    text = right_text(entry, metrics, room)
    width = min(metrics.horizontalAdvance(text), room)
    place = QRect(area.right() - width, area.top(), width + 1, area.height())
    _draw_line(painter, place, text, Qt.AlignmentFlag.AlignRight)
    return place.left()


def right_text(entry: Entry, metrics: QFontMetrics, room: int) -> str:
    """Return keys and detail as they fit; only the last part is cut, and in its middle.

    The page stands before the manual's title, whose ends tell it from its neighbours.
    """
    text = KEYS_GAP.join(filter(None, (entry.detail, entry.keys)))
    if metrics.horizontalAdvance(text) <= room:
        return text
    first, dot, last = entry.detail.rpartition(DOT)
    keys = f"{KEYS_GAP}{entry.keys}" if entry.keys else ""
    left = room - metrics.horizontalAdvance(f"{first}{dot}{keys}")
    return f"{first}{dot}{metrics.elidedText(last, Qt.TextElideMode.ElideMiddle, left)}{keys}"


def _draw_line(painter: QPainter, place: QRect, text: str, side: Qt.AlignmentFlag) -> None:
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, shown)


WIDTH = 680
FROM_TOP = 56
MOST_ROWS = 11
STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: MOST_ROWS - 1,
    Qt.Key.Key_PageUp: 1 - MOST_ROWS,
}


class PalettePanel(Floating):
    """chosen(entry): go there. left(): nothing was chosen."""

    chosen = Signal(object)
    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._over = window
        self.setAccessibleName(self.tr("Go to anything"))
        self.field = search_field(
            self.tr("Search manuals, pages, words and actions, or ask"),
            self.tr("Go to a manual, page, heading, action or question"),
        )
        self.field.installEventFilter(self)
        self.model = ResultModel()
        self.list = QListView()
        self.list.setProperty("kind", "flat")
        self.list.setAccessibleName(self.tr("Found"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(ResultDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.installEventFilter(self)
        self.list.clicked.connect(self._clicked)
        self._says = label("", tone="muted", factor=Type.SMALL, wrap=True)
        left, top, right, bottom = (side + Space.S for side in ROOM)
        column = in_column(self, (left, top, right, bottom), spacing=Space.S)
        fill(column, self.field, self.list, self._says)
        window.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        """Come up with an empty line."""
        self.field.clear()
        self.model.show([])
        self._fit()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_found(self, entries: list[Entry]) -> None:
        """Show what was found; the first one is chosen."""
        self.model.show(entries)
        if entries:
            self._go_to(0)
            self._says.setText(self.tr("Up and Down to choose, Enter to open, Esc to close."))
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._over:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._fit()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._pressed(event)
        elif event.type() == QEvent.Type.FocusOut and not self._has_focus():
            self._leave()
        return super().eventFilter(watched, event)

    def _pressed(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in STEPS:
            row = self.list.currentIndex().row() + STEPS[key]
            self._go_to(min(max(0, row), self.model.rowCount() - 1), 1 if STEPS[key] > 0 else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif key == Qt.Key.Key_Escape:
            self._leave()
        else:
            return False
        return True

    def _go_to(self, row: int, by: int = 1) -> None:
        """Choose a row. by: where to go on from a heading, which cannot be chosen."""
        if _is_heading(self.model.index(row, 0)):
            row += by
        index = self.model.index(row, 0)
        if not index.isValid():
            return
        if row and _is_heading(self.model.index(row - 1, 0)):
            self.list.scrollTo(self.model.index(row - 1, 0))
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)
        # the keyboard stays in the line: a screen reader is told there what is chosen
        self.field.setAccessibleDescription(spoken(index.data(ResultModel.EntryRole)))
        changed = QAccessibleEvent(self.field, QAccessible.Event.DescriptionChanged)
        QAccessible.updateAccessibility(changed)

    def _clicked(self, index: Index) -> None:
        if not _is_heading(index):
            self._choose()

    def _choose(self) -> None:
        entry: Entry | None = self.list.currentIndex().data(ResultModel.EntryRole)
        self.hide()
        self.chosen.emit(entry)

    def _leave(self) -> None:
        if self.isVisible():
            self.hide()
            self.left.emit()

    def _has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def _fit(self) -> None:
        window = self._over
        rows = min(self.model.rowCount(), MOST_ROWS)
        self.list.setVisible(rows > 0)
        self.list.setFixedHeight(sum(self.list.sizeHintForRow(row) for row in range(rows)))
        self._says.setVisible(bool(self._says.text()))
        left, top, right, _ = ROOM
        width = min(WIDTH, window.width() - 2 * Space.XL) + left + right
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((window.width() - width) // 2, FROM_TOP - top)


def _is_heading(index: Index) -> bool:
    return index.isValid() and not index.flags() & Qt.ItemFlag.ItemIsEnabled


class PaletteController(WindowPart):
    """Goes to manuals, pages, headings, questions, and does what the menus can do."""

    def __init__(
        self,
        window: QMainWindow,
        model: LibraryModel,
        centre: Centre,
        library_panel: LibraryPanel,
        chat: ChatPanel,
        conversations: ConversationController,
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._centre, self._chat, self._conversations = centre, chat, conversations
        self._search: PaletteSearch | None = None
        self._actions: list[QAction] = []
        self._before: QWidget | None = None
        self.panel = PalettePanel(window)
        self.panel.field.textEdited.connect(self._find)
        self.panel.chosen.connect(self._go)
        self.panel.left.connect(self._return)
        library_panel.palette_wanted.connect(self.show)
        self._bridge = self.bridge("palette", self.panel.show_found)

    def show(self) -> None:
        """Bring the palette up, or leave it."""
        workspace = self._workspace
        if workspace is None or self.panel.isVisible():
            self.panel.hide()
            return
        self._before = QApplication.focusWidget()
        viewer = self._centre.actions_of_viewer.values()
        named = actions_of(self._window.menuBar(), viewer)
        self._actions = [action for action, _ in named]
        place = self._centre.place()
        self._search = PaletteSearch(
            self._model.records(),
            entries_of(named),
            workspace.library,
            workspace.conversations.recent_questions,
            None if place is None else place[0],
            self.memory.used_actions,
        )
        self.panel.open()
        self._find("")

    def _find(self, text: str) -> None:
        search = self._search
        if search is None:
            return

        def find(cancel: CancelToken) -> Iterator[list[Entry]]:
            found = search.find(text)
            if not cancel.cancelled:
                yield found

        self._bridge.start(find)

    def _go(self, entry: Entry | None) -> None:
        if entry is None:
            self._return()
            return
        match entry.kind:
            case "ask":
                self._chat.focus_question()
                self._chat.ask(entry.also)
            case "text":
                self._centre.show()
                place = PageRegion(entry.number, entry.detail, entry.page, entry.label, entry.boxes)
                self._centre.show_regions([place], 0)
            case "manual":
                self._centre.open_document(entry.number)
            case "page" | "heading":
                self._centre.open_document(entry.number, entry.page)
            case "question":
                self._chat.show()
                self._conversations.do("open", entry.number)
            case "action":
                self._return()
                memory = self.memory
                memory.used_actions = [entry.title, *memory.used_actions]
                memory.write()
                self._actions[entry.number].trigger()

    def _return(self) -> None:
        """Give the keyboard back to what had it."""
        if self._before is not None and isValid(self._before) and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
