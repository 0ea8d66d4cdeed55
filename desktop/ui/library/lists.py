"""What the window's lists are made of: how rows are drawn, their keys, their buttons and menus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFontMetrics,
    QPainter,
    QPixmap,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QListView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QWidget,
)

from desktop.ui import wording
from desktop.ui.design.controls import (
    ROW_ROOM,
    RowText,
    draw_row,
    flat_button,
    plain_tooltip,
    row_width,
)
from desktop.ui.design.icons import icon
from desktop.ui.design.popups import passing_menu
from desktop.ui.design.theme import colours, dim_paper, scaled_font
from desktop.ui.design.tokens import Colours, Size, Space, Type
from desktop.ui.library.rows import ROOT, Group, LibraryRows

if TYPE_CHECKING:
    from desktop.ui.library.model import RowView

    Do = Callable[[str], object]


def chips_height() -> int:
    """Return the height of a line of chips in pixels."""
    return _metrics().height() + 2 * Space.HAIR


def draw_chips(painter: QPainter, line: QRect, tags: Sequence[str], c: Colours) -> None:
    """Draw the chips from the left end of `line`."""
    painter.setFont(scaled_font(Type.SMALL))
    left = line.left()
    for number, tag in enumerate(tags):
        others = len(tags) - number - 1
        room = line.right() - left - (_more_width(others) if others else 0)
        least = _metrics().averageCharWidth() * 4 + 2 * Space.S
        if room < least:
            count = others + 1
            painter.setPen(QColor(c.muted))
            place = QRect(left, line.top(), _more_width(count), chips_height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, f"+{count}")
            return
        text = _metrics().elidedText(tag, Qt.TextElideMode.ElideRight, room - 2 * Space.S)
        chip = QRect(left, line.top(), _metrics().horizontalAdvance(text) + 2 * Space.S, 0)
        chip.setHeight(chips_height())
        painter.setPen(QColor(c.border_strong))
        painter.setBrush(QColor(c.raised))
        painter.drawRoundedRect(chip, Size.RADIUS, Size.RADIUS)
        painter.setPen(QColor(c.text))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, text)
        left = chip.right() + Space.XS


def _more_width(count: int) -> int:
    return _metrics().horizontalAdvance(f"+{count}") + Space.XS


def _metrics() -> QFontMetrics:
    return QFontMetrics(scaled_font(Type.SMALL))


STRIP_HEIGHT = 5
TITLE_LINES = 3
COVER = QSize(24, 34)
"""Pixels of a manual's first page, in a row that is hardly higher than without."""
INDENT = Space.S
DETAIL_LINES = 4
"""How many lines a reason may take before it is cut; the tooltip has the rest."""
FONT_EVENTS = (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange, QEvent.Type.StyleChange)


class LibraryDelegate(QStyledItemDelegate):
    """Paints headings and `RowView`s; their buttons are real widgets the list lays over them.

    drop_row: the heading that dragged manuals would be dropped on, -1 for none.
    room: width of the rows, 0 for that of the list. cover_of: returns the first page of a manual,
    once it is drawn.
    """

    def __init__(self, parent: QObject | None = None, rows: LibraryRows | None = None) -> None:
        """rows: what the list shows, where it is a list of manuals."""
        super().__init__(parent)
        self.drop_row = -1
        self.room = 0
        self.cover_of: Callable[[int], QPixmap | None] = lambda _: None
        self._rows = rows
        self._font = ""
        if parent is not None:
            parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in FONT_EVENTS:
            self._font = ""
        if watched is self.parent():
            return False  # the usual filter is for editors, and would keep the list's Tab
        return super().eventFilter(watched, event)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        c = colours()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_row(painter, option, framed=index.row() == self.drop_row)
        rect = QRect(option.rect)
        rect.setWidth(self.room or rect.width())  # as it was measured
        area = rect.marginsRemoved(ROW_ROOM)
        area.setLeft(area.left() + index.data(LibraryRows.DepthRole) * INDENT)
        group = index.data(LibraryRows.GroupRole)
        if group is not None:
            _draw_heading(painter, area, group, c)
        else:
            view = index.data(LibraryRows.ViewRole)
            tone = {"bad": c.bad, "attention": c.attention}.get(view.tone, c.muted)
            inks = (c.accent, c.accent, tone) if view.tone == "open" else (tone, c.text, tone)
            cover = self.cover_of(index.data(LibraryRows.IdRole)) if self._rows else None
            if cover is not None:
                _draw_cover(painter, area, cover, c)
            text = _text(view, self._mark_width, is_covered=cover is not None)
            detail = text.draw(painter, area, inks)
            below = QRect(detail.left(), detail.bottom() + 6, detail.width(), STRIP_HEIGHT)
            if view.read is not None:
                read = view.read
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(c.trough))
                painter.drawRoundedRect(below, 2, 2)
                if read > 0:
                    painter.setBrush(QColor(c.accent))
                    done = max(3, int(below.width() * read))
                    painter.drawRoundedRect(below.left(), below.top(), done, below.height(), 2, 2)
            elif view.tags:
                draw_chips(painter, below, view.tags, c)
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        self._font = self._font or QApplication.font().key()
        # Asked of every row whenever one changes: in a long list each step of this counts.
        if self._rows is not None:
            view, depth = self._rows.view_at(index.row())
        else:
            view, depth = index.data(LibraryRows.ViewRole), index.data(LibraryRows.DepthRole)
        if view is None:
            return QSize(160, _heading_height(self._font))
        width = (self.room or row_width(option)) - depth * INDENT
        return QSize(160, _row_height(view, width, self._font, self._mark_width))

    @property
    def _mark_width(self) -> int:
        return COVER.width() if self._rows is not None else 0


@lru_cache(maxsize=8)
def _heading_height(font: str) -> int:
    """Return the height of a heading; `font` as in `_row_height`."""
    line = QFontMetrics(scaled_font(Type.BODY, bold=True)).lineSpacing()
    return max(line + Space.M, Size.TARGET)


def _draw_heading(painter: QPainter, area: QRect, group: Group, c: Colours) -> None:
    """Draw chevron, name and count; the place that questions are about has a pin."""
    row = QRect(area.left(), area.top() - Space.S, area.width(), area.height() + 2 * Space.S)
    mark = QRect(row.left(), 0, Size.ICON, Size.ICON)
    mark.moveCenter(QPoint(mark.center().x(), row.center().y()))
    icon("chevron-right" if group.collapsed else "chevron-down", c.muted).paint(painter, mark)
    text = row.adjusted(Size.ICON + Space.XS, 0, -Size.TARGET, 0)
    if group.active:
        icon("map-pin", c.accent).paint(painter, mark.translated(text.left() - mark.left(), 0))
        text.adjust(Size.ICON + Space.XS, 0, 0, 0)
    painter.setFont(scaled_font(Type.BODY, bold=bool(group.place) and group.depth == 0))
    count = f"  {group.count}"
    metrics = painter.fontMetrics()
    room = text.width() - metrics.horizontalAdvance(count)
    title = metrics.elidedText(group.title, Qt.TextElideMode.ElideRight, room)
    painter.setPen(QColor(c.accent if group.active else c.text if group.place else c.muted))
    painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, title)
    text.adjust(metrics.horizontalAdvance(title), 0, 0, 0)
    painter.setFont(scaled_font(Type.SMALL))
    painter.setPen(QColor(c.muted))
    painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, count)


@lru_cache(maxsize=20_000)
def _row_height(view: RowView, width: int, font: str, mark_width: int) -> int:
    """Return the height of a row; `font` is there only to forget another font's heights."""
    height = (
        _text(view, mark_width).height(width - ROW_ROOM.left() - ROW_ROOM.right()) + 2 * Space.S
    )
    if view.read is not None:
        height += STRIP_HEIGHT + 6
    elif view.tags:
        height += chips_height() + 6
    least = COVER.height() + 2 * Space.S if mark_width else Size.TARGET + Space.S
    return max(height, least)


def _text(view: RowView, mark_width: int, *, is_covered: bool = False) -> RowText:
    sign = "" if is_covered else view.icon
    return RowText(sign, view.title, view.detail, TITLE_LINES, DETAIL_LINES, mark_width)


def _draw_cover(painter: QPainter, area: QRect, cover: QPixmap, c: Colours) -> None:
    size = cover.size().scaled(COVER, Qt.AspectRatioMode.KeepAspectRatio)
    place = QRect(area.topLeft(), size).translated((COVER.width() - size.width()) // 2, 0)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawPixmap(place, cover)
    dim_paper(painter, QRectF(place))
    painter.setPen(QColor(c.border_strong))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5))


class KeyedList(QListView):
    """chosen(key): a person went to a row; what the program shows chooses nothing."""

    chosen = Signal(str)

    def __init__(self, name: str) -> None:
        """name: how the list is spoken."""
        super().__init__()
        self._rows: list[tuple[str, RowView]] = []
        self._model = QStandardItemModel(self)  # goes with it, and its connections with it
        self.setModel(self._model)
        self.setItemDelegate(LibraryDelegate(self))
        self.setProperty("kind", "flat")
        self.setAccessibleName(name)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)  # titles break anew: rows grow
        self.setTabKeyNavigation(False)
        self._showing = False
        self.selectionModel().currentChanged.connect(lambda *_: self._changed())

    @property
    def key(self) -> str:
        """The row with the keyboard focus, "" for none."""
        row = self.currentIndex().row()
        return self._rows[row][0] if 0 <= row < len(self._rows) else ""

    def all_keys(self) -> list[str]:
        """Return every row's key, from the top."""
        return [key for key, _ in self._rows]

    def views(self) -> list[RowView]:
        """Return the rows as they are drawn."""
        return [view for _, view in self._rows]

    def show_rows(self, rows: Sequence[tuple[str, RowView]]) -> None:
        """Show other rows; the keyboard stays on its row where that is still there."""
        stays, self._showing = self.key, True
        self._rows = list(rows)
        self._model.clear()
        for _, view in rows:
            item = QStandardItem(view.title)
            item.setEditable(False)
            item.setData(view, LibraryRows.ViewRole)
            item.setData(0, LibraryRows.DepthRole)
            item.setData(view.spoken, Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip(plain_tooltip(f"{view.title}\n{view.detail}".strip()))
            self._model.appendRow(item)
        self._showing = False
        self.go_to(stays)

    def go_to(self, key: str, *, choose: bool = False) -> None:
        """Put the keyboard on a row, on none if it is not shown. choose: and say so."""
        self._showing = not choose
        keys = self.all_keys()
        index = self._model.index(keys.index(key), 0) if key in keys else ROOT
        self.setCurrentIndex(index)
        if index.isValid():
            self.scrollTo(index)
        self._showing = False

    def _changed(self) -> None:
        if not self._showing and self.key:
            self.chosen.emit(self.key)


def manual_menu(parent: QWidget, view: RowView, do: Do) -> QMenu:
    """Return everything that can be done with a manual; `do` gets the action."""
    menu = _menu(parent)
    primary = {
        "cancel": parent.tr("Stop indexing"),
        "retry": parent.tr("Try again"),
        "unlock": parent.tr("Enter password…"),
    }
    if view.action:
        _entry(menu, primary[view.action], view.action, do)
        menu.addSeparator()
    _entry(menu, parent.tr("Open"), "open", do)
    _entry(menu, parent.tr("Open beside"), "beside", do)
    _entry(menu, parent.tr("Search only this manual"), "only", do)
    if view.other_revision:
        _entry(menu, parent.tr("Compare with the other revision"), "compare", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Site and asset…"), "place", do)
    _entry(menu, parent.tr("Tags, trust and revision…"), "source", do)
    _entry(menu, parent.tr("Rename…"), "rename", do)
    menu.addSeparator()
    if view.action != "cancel":
        _entry(menu, parent.tr("Read again from the start"), "anew", do)
    _entry(menu, parent.tr("Open original"), "original", do)
    _entry(menu, wording.reveal(), "reveal", do)
    _entry(menu, parent.tr("Properties"), "properties", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Remove from library"), "remove", do).setIcon(icon("trash-2"))
    return menu


def several_menu(parent: QWidget, count: int, do: Do) -> QMenu:
    """Return what can be done with several manuals at once."""
    menu = _menu(parent)
    menu.addSection(wording.manuals(count))
    _entry(menu, parent.tr("Search only these manuals"), "only", do)
    if count == 2:
        _entry(menu, parent.tr("Compare these two manuals"), "compare", do)
    _entry(menu, parent.tr("Site and asset…"), "place", do)
    _entry(menu, parent.tr("Tags and trust…"), "source", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Read again from the start"), "anew", do)
    menu.addSeparator()
    _entry(menu, parent.tr("Remove from library"), "remove", do).setIcon(icon("trash-2"))
    return menu


def place_menu(parent: QWidget, group: Group, do: Do) -> QMenu:
    """Return what can be done with a heading: actions here, everywhere, place, fold, fold_all."""
    menu = _menu(parent)
    if group.active:
        _entry(menu, parent.tr("Go back to all manuals"), "everywhere", do)
    elif group.place:
        here = parent.tr("I am here: ask only these manuals")
        _entry(menu, here, "here", do).setIcon(icon("map-pin"))
    rename = parent.tr("Rename or move…") if group.place else parent.tr("Site and asset…")
    _entry(menu, rename, "place", do)
    menu.addSeparator()
    fold = parent.tr("Unfold") if group.collapsed else parent.tr("Fold")
    _entry(menu, fold, "fold", do)
    _entry(menu, parent.tr("Fold all"), "fold_all", do)
    return menu


def _menu(parent: QWidget) -> QMenu:
    menu = passing_menu(parent)
    menu.setToolTipsVisible(True)
    return menu


def _entry(menu: QMenu, text: str, action: str, do: Do) -> QAction:
    entry = menu.addAction(text)
    entry.triggered.connect(lambda: do(action))
    return entry


ROW_ACTION_ICONS = {"cancel": "x", "retry": "rotate-cw", "unlock": "key-round"}


class RowButtons(QObject):
    """pressed(action, index, button): action is one of a `RowView`, or "more"."""

    pressed = Signal(str, object, object)

    def __init__(self, view: QListView, urgent: Callable[[], Iterable[int]] = tuple) -> None:
        """urgent: which rows may offer something by themselves."""
        super().__init__(view)
        self._view, self._urgent = view, urgent
        self._rows = rows = view.model()
        self._buttons: dict[QPersistentModelIndex, tuple[str, QWidget]] = {}
        # Buttons follow the rows after the view itself has handled the change.
        self._placing = QTimer(self, singleShot=True)
        self._placing.timeout.connect(self._place)
        for change in (rows.rowsInserted, rows.rowsRemoved, rows.modelReset):
            change.connect(lambda *_: self._placing.start(0))
        rows.dataChanged.connect(self._rows_changed)
        view.selectionModel().currentChanged.connect(lambda *_: self._placing.start(0))
        self._placing.start(0)

    def _rows_changed(self, first: QModelIndex, last: QModelIndex) -> None:
        """Look only at what changed: progress comes often, and the list may be long."""
        for row in range(first.row(), last.row() + 1):
            index = self._rows.index(row, 0)
            placed = self._buttons.get(QPersistentModelIndex(index), ("", None))[0]
            if placed != self._wanted(index):
                self._placing.start(0)

    def _wanted(self, index: QModelIndex) -> str:
        view: RowView | None = index.data(LibraryRows.ViewRole)
        own = view.action if view is not None else ""
        return own or ("more" if index == self._view.currentIndex() else "")

    def _place(self) -> None:
        """Give rows with something urgent, and the current row, a real button."""
        kept: dict[QPersistentModelIndex, tuple[str, QWidget]] = {}
        rows = {key.row() for key in self._buttons if key.isValid()}
        for row in sorted(rows | set(self._urgent()) | {self._view.currentIndex().row()}):
            index = self._rows.index(row, 0)
            if not index.isValid():
                continue
            action = self._wanted(index)
            key = QPersistentModelIndex(index)
            known = self._buttons.get(key)
            there = self._view.indexWidget(index) is not None
            if known is not None and known[0] == action and there:
                kept[key] = known
            elif action:
                widget = self._holder(key, action)
                self._view.setIndexWidget(index, widget)
                kept[key] = (action, widget)
            elif there:
                self._view.setIndexWidget(index, None)  # type: ignore[arg-type]  # Qt allows null
        self._buttons = kept

    def _holder(self, key: QPersistentModelIndex, action: str) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        is_heading = key.data(LibraryRows.GroupRole) is not None
        row.setContentsMargins(0, 0 if is_heading else Space.XS, Space.S, 0)
        row.addStretch(1)
        button = self._button(action, str(key.data(Qt.ItemDataRole.DisplayRole)))
        button.clicked.connect(lambda: self.pressed.emit(action, key, button))
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        return holder

    def _button(self, action: str, title: str) -> QToolButton:
        if action == "more":
            return flat_button("ellipsis", self.tr("More for {title}").format(title=title))
        says = {
            "cancel": self.tr("Stop indexing {title}"),
            "retry": self.tr("Try {title} again"),
            "unlock": self.tr("Enter the password for {title}"),
        }
        return flat_button(ROW_ACTION_ICONS[action], says[action].format(title=title))
