"""The bars around and over the pages, and what stands in place of the pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QSplitter,
    QStyle,
    QTabBar,
    QToolButton,
    QWidget,
)

from desktop.core.library.editions import product_name
from desktop.ui import wording
from desktop.ui.design.controls import (
    Keys,
    as_tall_as_its_bar,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    painted_as,
    plain_tooltip,
)
from desktop.ui.design.icons import IconPicture, icon
from desktop.ui.design.popups import ROOM, Floating, menu_of, passing_menu
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import told, tr

if TYPE_CHECKING:
    from desktop.ui.viewer.document import OpenDocument
    from desktop.ui.viewer.page_view import PageView


def action_button(action: QAction) -> QToolButton:
    """Return a button for an action, large enough for a gloved finger."""
    button = QToolButton()
    button.setDefaultAction(action)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
    button.setAutoRaise(True)
    button.setProperty("kind", "flat")
    button.setIconSize(QSize(Size.ICON, Size.ICON))
    button.setMinimumSize(Size.ROW, Size.ROW)
    button.setAccessibleName(action.text())
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


class FloatingBar(Floating):
    """A row of controls on a card that lies over the pages.

    wide: its preferred width, in pixels, where its controls alone would be narrower.
    """

    def __init__(self, *, wide: int = 0) -> None:
        super().__init__()
        self.wide = wide
        self.setProperty("role", "bar")
        left, top, right, bottom = ROOM
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(
            left + Space.XS, top + Space.XS, right + Space.XS, bottom + Space.XS
        )
        self.row.setSpacing(Space.HAIR)


SIDE = (196, 230)
"""The panel beside the pages: the least in which contents are read, and its width at first."""
_CLOSER = 14
"""Pixels by which cards below each other are nearer than their shadows."""


class PagesArea(QWidget):
    """Gives the pages all the room; bars that come and go never move what is being read."""

    def __init__(
        self, view: PageView, above: Sequence[FloatingBar], below: FloatingBar, beside: FloatingBar
    ) -> None:
        """below: always shown, at the lower edge. beside: stands beside it while it is shown."""
        super().__init__()
        self._view, self._above, self._below, self._beside = view, above, below, beside
        view.setParent(self)
        for bar in (*above, beside, below):
            bar.setParent(self)
            bar.setHidden(bar is not below)
            bar.installEventFilter(self)
        view.verticalScrollBar().installEventFilter(self)
        self.setMinimumWidth(view.minimumSizeHint().width())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.LayoutRequest):
            self.place()
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._view.setGeometry(self.rect())
        self.place()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel over a card scrolls the pages below it."""
        self._view.wheelEvent(event)

    def place(self) -> None:
        """Put every bar in the middle, the shown ones at the top below each other."""
        y = 0
        for bar in self._above:
            if not bar.isHidden():
                y += self._put(bar, y) - _CLOSER
        self._put_below()

    def _put(self, bar: FloatingBar, y: int) -> int:
        """Place a bar at a height; return how tall it is."""
        across = self._view.viewport().width()
        width = min(across, max(bar.wide, bar.sizeHint().width()))
        height = bar.sizeHint().height()
        if bar.hasHeightForWidth():
            height = bar.heightForWidth(width)
        bar.setGeometry((across - width) // 2, y, width, height)
        bar.raise_()
        return height

    def _put_below(self) -> None:
        """Place the bars at the lower edge side by side, above each other where that is too wide.

        The one that is always there gives up only what has no room in the whole width.
        """
        across, bottom = self._view.viewport().width(), self._view.viewport().height()
        below, beside = self._below, self._beside
        size, other = below.sizeHint(), beside.sizeHint()
        if beside.isHidden():
            other = QSize(_CLOSER, 0)
        elif across - other.width() + _CLOSER < size.width():
            beside.setGeometry(
                (across - other.width()) // 2,
                bottom - size.height() - other.height() + _CLOSER,
                other.width(),
                other.height(),
            )
            other = QSize(_CLOSER, 0)
        width = min(size.width(), across - other.width() + _CLOSER)
        x = (across - width - other.width() + _CLOSER) // 2
        below.setGeometry(x, bottom - size.height(), width, size.height())
        if other.height():
            at = x + width - _CLOSER
            beside.setGeometry(at, bottom - other.height(), other.width(), other.height())
        for bar in (below, beside):
            bar.raise_()
        shown = [bar for bar in (below, beside) if not bar.isHidden()]
        self._view.cover(bottom - round(min(bar.y() + bar.card().top() for bar in shown)))


def pages_beside(side: QWidget, pages: QWidget) -> QSplitter:
    """Return the pages with a side panel at their left, which starts hidden."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    splitter.addWidget(side)
    splitter.addWidget(pages)
    splitter.setStretchFactor(1, 1)
    side.hide()
    return splitter


_ICON = 56


def message_for(document: OpenDocument) -> tuple[str, str, str] | None:
    """Return what is to be said instead of showing pages; None if there are pages to show."""
    record = document.record
    if record.state == "needs_password" and document.password is None:
        return "lock", tr("This manual is locked"), tr("Unlock it in the library to read it.")
    if document.pages:
        return None
    if record.state in ("failed", "cancelled"):
        return "triangle-alert", tr("This manual cannot be shown"), told(record.reason)
    return "hourglass", tr("This manual is being read"), tr("The pages appear in a moment.")


class MessagePage(QWidget):
    """A large quiet icon, a sentence, and what to do."""

    def __init__(self) -> None:
        super().__init__()
        self._picture = IconPicture("book-open", _ICON, opacity=0.45)
        self.title, self.detail = label(factor=Type.LEAD, wrap=True), label(wrap=True)
        for text in (self.title, self.detail):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = in_column(self, (Space.XL, Space.XL, Space.XL, Space.XL), spacing=Space.M)
        column.addStretch(2)
        column.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        # not aligned: an aligned label would not get the height of its wrapped text
        fill(column, self.title, self.detail)
        column.addStretch(3)

    def say(self, icon_name: str, title: str, detail: str) -> None:
        """Show a message."""
        self._picture.show_icon(icon_name)
        self.title.setText(title)
        self.detail.say(detail)
        self.setAccessibleName(f"{title} {detail}".strip())


_BEFORE: tuple[str, ...] = ("thumbnails", "back", "forward")
_AFTER: tuple[str, ...] = ("mark_region", "add_note", "heat_map", "find")
_GIVING_WAY = "heat_map forward add_note mark_region back thumbnails".split()
"""What a narrow viewer leaves to the menu at the end, the first one first."""
_PILL_GIVING_WAY = "fit_width zoom_out zoom_in previous_page next_page".split()
_ALWAYS: tuple[tuple[str, ...], ...] = (
    ("outline", "bookmarks", "annotations", "add_bookmark", "page_links"),
    ("fit_page", "two_up", "rotate_right", "rotate_left"),
    ("highlight", "comment", "select_page", "copy_citation"),
    ("save_page", "save_highlighted", "print"),
)
"""What the menu at the end offers besides, in groups."""
_LAID: tuple[tuple[str, ...], ...] = (
    ("fit_width", "fit_page", "actual_size"),
    ("two_up", "rotate_right", "rotate_left"),
)
"""What the menu of the zoom offers besides percentages."""
_PRESETS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
_TABS_AT_LEAST = 168
_LEAST_PAGE = "100 of 100"


class Toolbar(QWidget):
    """Beside the pages and back at the left, the open manuals, then what is done with a page."""

    def __init__(
        self,
        actions: dict[str, QAction],
        tabs: DocumentTabs,
        also_given_up: Callable[[], Sequence[QToolButton]],
    ) -> None:
        """also_given_up: other buttons that are hidden now, for the menu at the end."""
        super().__init__()
        self.setAccessibleName(self.tr("Viewer controls"))
        painted_as(self, "header")
        self.setFixedHeight(Size.BAR)
        self.tabs = tabs
        self._buttons = {
            name: as_tall_as_its_bar(action_button(actions[name])) for name in (*_BEFORE, *_AFTER)
        }
        self.row = in_row(self, (Space.S, 0, Space.S, 0), spacing=Space.HAIR)
        for name in _BEFORE:
            self.row.addWidget(self._buttons[name])
        self.row.addSpacing(Space.XS)
        tabs.setMinimumWidth(_TABS_AT_LEAST)
        fill(self.row, (tabs, 1), Space.XS)
        for name in _AFTER:
            self.row.addWidget(self._buttons[name])
        self._live = set(self._buttons)
        self._actions, self._also_given_up = actions, also_given_up
        self.more = as_tall_as_its_bar(flat_button("ellipsis", self.tr("More viewer controls")))
        self._menu = menu_of(self.more)
        self._lines = [QAction(self._menu) for _ in _ALWAYS]
        for line in self._lines:
            line.setSeparator(True)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._fill_menu()
        self.row.addWidget(self.more)

    def show_tool(self, name: str, there: bool) -> None:
        """Hide a tool where it could do nothing, or show it."""
        (self._live.add if there else self._live.discard)(name)
        self._give_way()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move what does not fit into the menu."""
        super().resizeEvent(event)
        self._give_way()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._least_width(), Size.BAR)

    def _least_width(self) -> int:
        return _TABS_AT_LEAST + 2 * (Size.ROW + Space.HAIR) + 3 * Space.M

    def _give_way(self) -> None:
        for name in self._buttons.keys() - self._live:
            self._buttons[name].hide()
        live = [self._buttons[name] for name in _GIVING_WAY if name in self._live]
        _show_what_fits(live, self.width() - self._least_width(), self.row)

    def _fill_menu(self) -> None:
        """Offer the actions of hidden buttons, and those that have none."""
        menu = self._menu
        for action in menu.actions():
            # `clear` would tell Python that it owns them, and they would be deleted twice
            menu.removeAction(action)
        own = [b for name, b in self._buttons.items() if b.isHidden() and name in self._live]
        hidden = [each.defaultAction() for each in (*own, *self._also_given_up())]
        menu.addActions(hidden)
        for line, group in zip(self._lines, _ALWAYS, strict=True):
            offered = [self._actions[name] for name in group]
            menu.addAction(line)
            menu.addActions([action for action in offered if action not in hidden])


def _wide(button: QToolButton) -> int:
    return max(button.minimumWidth(), button.sizeHint().width())  # large text makes it larger


def _show_what_fits(buttons: Sequence[QToolButton], room: int, row: QHBoxLayout) -> None:
    """Hide the buttons without room, the first ones first. room: in pixels, for all of them."""
    for button in reversed(buttons):
        room -= _wide(button) + row.spacing()
        button.setVisible(room >= 0)
    row.activate()


class PagePill(FloatingBar):
    """Which page of how many, and how large, at the lower edge of the pages.

    zoom_chosen(zoom): 1.0 is the printed size.
    """

    zoom_chosen = Signal(float)

    def __init__(self, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Page and zoom"))
        self._zoom_width = 0
        self._widest_page = _LEAST_PAGE
        self.page_field = PageField()
        self.zoom_button = self._make_zoom_button(actions)
        self._buttons = {name: action_button(actions[name]) for name in _PILL_GIVING_WAY}
        fill(self.row, self._buttons["previous_page"], self.page_field, self._buttons["next_page"])
        fill(self.row, Space.S, self._buttons["zoom_out"], self.zoom_button)
        fill(self.row, self._buttons["zoom_in"], self._buttons["fit_width"])
        self._measure()

    def changeEvent(self, event: QEvent) -> None:
        """Give page and percentage the room they need at the text's size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._measure()

    def fit_pages(self, document: OpenDocument) -> None:
        """Give the page field the room that the pages of a manual need."""
        shown = (document.shown_page(page) for page in range(len(document.pages)))
        width = self.page_field.fontMetrics().horizontalAdvance
        self._widest_page = max([_LEAST_PAGE, *shown], key=width)
        self._measure()

    def _measure(self) -> None:
        if hasattr(self, "_buttons"):  # Qt tells of its font before everything is made
            metrics = self.page_field.fontMetrics()
            self.page_field.setFixedWidth(
                metrics.horizontalAdvance(self._widest_page) + 2 * Space.L
            )
            wanted = metrics.horizontalAdvance("800 %") + 2 * Space.S + Space.XS
            if wanted != self._zoom_width:
                self._zoom_width = wanted
                # its own sheet: that of the window would let it shrink below its percentage
                self.zoom_button.setStyleSheet(f"min-width: {wanted}px")
            self.updateGeometry()

    def given_up(self) -> list[QToolButton]:
        """Return the buttons that found no room."""
        return [each for each in self._buttons.values() if each.isHidden()]

    def show_zoom(self, zoom: float) -> None:
        """Show the zoom in percent."""
        percent = zoom * 100
        self.zoom_button.setText(f"{wording.number(percent, 0 if percent >= 1 else 1)} %")

    def sizeHint(self) -> QSize:
        wide = sum(_wide(each) + self.row.spacing() for each in self._buttons.values())
        return QSize(self._least_width() + wide, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the room of the page and the zoom alone."""
        return QSize(self._least_width(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move what does not fit into the menu."""
        super().resizeEvent(event)
        _show_what_fits([*self._buttons.values()], self.width() - self._least_width(), self.row)

    def _least_width(self) -> int:
        margins = self.row.contentsMargins()
        stay = self.page_field.minimumWidth() + self._zoom_width + Space.M
        return stay + margins.left() + margins.right() + Space.S + 2 * self.row.spacing()

    def _make_zoom_button(self, actions: dict[str, QAction]) -> QToolButton:
        button = QToolButton()
        button.setProperty("kind", "flat")
        button.setAutoRaise(True)
        button.setAccessibleName(self.tr("Zoom"))
        button.setToolTip(self.tr("Choose the zoom and page layout"))
        menu = menu_of(button)
        for preset in _PRESETS:
            menu.addAction(f"{preset:.0%}").triggered.connect(
                lambda _=False, zoom=preset: self.zoom_chosen.emit(zoom)
            )
        for group in _LAID:
            menu.addSeparator()
            menu.addActions([actions[name] for name in group])
        return button


_NARROWEST, _WIDEST = 132, 260


class DocumentTabs(QTabBar):
    """Tabs that carry document ids, below 0 those of reports; signals only for a person's doing."""

    chosen = Signal(int)
    close_asked = Signal(int)
    beside_asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._titles: dict[int, str] = {}
        self.setAccessibleName(self.tr("Open manuals and reports"))
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setSelectionBehaviorOnRemove(QTabBar.SelectionBehavior.SelectPreviousTab)
        self.setIconSize(QSize(Size.ICON, Size.ICON))
        self.setFixedHeight(Size.BAR - 1)  # the line below the bar
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.currentChanged.connect(self._changed)

    def tabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        """As wide as its title, within its share: one long title must not hide the others."""
        hint = super().tabSizeHint(index)
        widest = max(_WIDEST, self.width() // max(1, self.count()))
        hint.setWidth(max(self._narrowest(), min(hint.width(), widest)))
        hint.setHeight(self.height())
        return hint

    def minimumTabSizeHint(self, index: int) -> QSize:  # noqa: N802 - Qt's name
        """Wide enough to tell one manual from the next; further tabs are scrolled to."""
        hint = super().minimumTabSizeHint(index)
        hint.setWidth(self._narrowest())
        return hint

    def _narrowest(self) -> int:
        """Return a tab's least width; where tabs are scrolled, whole ones fill the room."""
        if self.count() * _NARROWEST <= self.width():
            return _NARROWEST
        scroller = QStyle.PixelMetric.PM_TabBarScrollButtonWidth
        room = self.width() - 2 * self.style().pixelMetric(scroller, None, self)
        return max(_NARROWEST, room // max(1, room // _NARROWEST))

    def document_ids(self) -> list[int]:
        """Return the open documents from left to right."""
        return [id_ for id_ in self._ids() if id_ > 0]

    def bring(self, id_: int, title: str) -> None:
        """Put a document or report in front, in a new tab if it has none, without a signal."""
        was = self.blockSignals(True)
        self._titles[id_] = title
        index = self._index(id_)
        if index < 0:
            index = self.addTab("")
            self.setTabData(index, id_)
            self.setTabButton(index, QTabBar.ButtonPosition.RightSide, self._closer(id_))
            if id_ < 0:
                self.setTabIcon(index, icon("telescope", "muted"))
        self._name_tabs()
        self.setTabToolTip(index, plain_tooltip(title))
        self.setCurrentIndex(index)
        self.blockSignals(was)

    def title_of(self, document_id: int) -> str:
        """Return what an open document is called."""
        return self._titles[document_id]

    def _name_tabs(self) -> None:
        """Name each manual by its product, where that tells it from the others."""
        products = {id_: product_name(self._titles[id_]) for id_ in self.document_ids()}
        several = Counter(products.values())
        for index, id_ in enumerate(self._ids()):
            product = products.get(id_, "")
            name = product if several[product] == 1 else self._titles[id_]
            self.setTabText(index, name.replace("&", "&&"))  # a single one marks a key

    def drop(self, id_: int) -> None:
        """Remove the tab of a document or report without a signal."""
        was = self.blockSignals(True)
        index = self._index(id_)
        if index >= 0:
            self.removeTab(index)
            self._name_tabs()
        self.blockSignals(was)

    def current_id(self) -> int | None:
        """Return the document or report in front."""
        index = self.currentIndex()
        return None if index < 0 else int(self.tabData(index))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.tabAt(event.pos())
        if index < 0:
            index = self.currentIndex()
        if index < 0:
            return
        id_ = int(self.tabData(index))
        menu = passing_menu(self)
        offered = [(self.tr("Close tab"), self.close_asked)]
        if id_ > 0:
            offered.insert(0, (self.tr("Open beside"), self.beside_asked))
        for text, signal in offered:
            menu.addAction(text).triggered.connect(partial(signal.emit, id_))
        menu.popup(event.globalPos())

    def _ids(self) -> list[int]:
        return [int(self.tabData(index)) for index in range(self.count())]

    def _index(self, id_: int) -> int:
        ids = self._ids()
        return ids.index(id_) if id_ in ids else -1

    def _closer(self, id_: int) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon("x"))
        button.setAutoRaise(True)
        button.setProperty("kind", "flat")
        as_tall_as_its_bar(button).setFixedSize(Size.ROW, self.height())
        button.setAccessibleName(self.tr("Close tab"))
        button.setToolTip(self.tr("Close tab"))
        button.clicked.connect(lambda: self.close_asked.emit(id_))
        return button

    def _changed(self, index: int) -> None:
        if index >= 0 and self.tabData(index) is not None:
            self.chosen.emit(int(self.tabData(index)))


class PageField(QLineEdit):
    """Shows "4-11 (61 of 128)"; takes a printed label or a page number."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.setProperty("kind", "field")
        self.setAccessibleName(self.tr("Page"))
        self.show_origin("")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAcceptDrops(False)  # what is dropped is for the library
        self.setMinimumHeight(Size.ROW)
        self.returnPressed.connect(self._ask)
        Keys(self, {(Qt.Key.Key_Escape,): self._show_again})

    def show_origin(self, text: str) -> None:
        """Say in the tooltip what the page belongs to, if that is not the file itself."""
        hint = self.tr("Page: type a printed label like 4-11, or a page number, and press Enter")
        self.setToolTip(plain_tooltip(f"{text}\n{hint}" if text else hint))

    def show_page(self, text: str) -> None:
        """Show where the viewer is, unless a person is typing."""
        self._shown = text
        if not (self.hasFocus() and self.isModified()):
            self.setText(text)
            self.setCursorPosition(0)  # a longer one is cut at its end

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setText(self._shown)

    def _ask(self) -> None:
        typed = self.text()
        self.setModified(False)
        self.asked.emit(typed)
        self._show_again()

    def _show_again(self) -> None:
        self.setText(self._shown)
        self.selectAll()
