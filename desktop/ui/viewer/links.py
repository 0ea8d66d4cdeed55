"""Links within a manual: read on demand, followed by click or from a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip

from desktop.core.geometry import Box
from desktop.ui.design.controls import plain_tooltip
from desktop.ui.design.popups import passing_menu
from desktop.ui.viewer.document import OpenDocument, PageStore, WordStore
from desktop.ui.viewer.selection import words_inside

if TYPE_CHECKING:
    from desktop.core.page_words import PageWords
    from desktop.core.structure.values import PageLink
    from desktop.ui.viewer.page_view import PageView


Links = tuple["PageLink", ...]
LinkStore = PageStore[Links]


_LONGEST = 80
_SETTLE_MS = 300
"""Links are read when a page stays in view: while one leafs they would only be in the way."""


class LinkTool(QObject):
    """jumped(page, down): a link of the manual was followed; `down` in points of the page."""

    jumped = Signal(int, float)

    def __init__(self, view: PageView, links: LinkStore, words: WordStore) -> None:
        super().__init__(view)
        self._view, self._links, self._words = view, links, words
        self._pressed: tuple[PageLink, QPointF] | None = None
        self._settled = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settled.timeout.connect(self._read)
        view.moved.connect(self._settled.start)
        view.viewport().installEventFilter(self)

    def show_menu(self) -> None:
        """Offer the links of the page in view in a menu."""
        document, page = self._view.document, self._view.page
        if document is None:
            return

        def show(links: Links, words: PageWords) -> None:
            menu = passing_menu(self._view)
            for link in links:
                entry = menu.addAction(_line(self._name(document, link, words)))
                entry.triggered.connect(lambda _=False, link=link: self.follow(link))
            if not links:
                menu.addAction(self.tr("There are no links on this page")).setEnabled(False)
            menu.popup(self._view.viewport().mapToGlobal(self._near(page)))

        self._links.with_pages(
            document.id,
            [page],
            lambda links: self._words.with_pages(
                document.id, [page], lambda words: show(links[page], words[page])
            ),
        )

    def follow(self, link: PageLink) -> None:
        """Go where a link leads within the manual; for any other link only show the address."""
        if link.page >= 0:
            self.jumped.emit(link.page, link.down)
            return
        menu = passing_menu(self._view)
        menu.addAction(_line(link.address)).setEnabled(False)
        why = self.tr("Links outside the manual. Groundwork does not open it.")
        menu.addAction(why).setEnabled(False)
        menu.addSeparator()
        copy = menu.addAction(self.tr("Copy address"))
        copy.triggered.connect(lambda: QGuiApplication.clipboard().setText(link.address))
        menu.setActiveAction(copy)
        menu.popup(self._view.cursor().pos())

    def link_at(self, position: QPointF) -> PageLink | None:
        """Return the link under a position of the viewport."""
        document, page = self._view.document, self._view.page_under(position)
        if document is None or page is None:
            return None
        x, y = self._view.page_frame(page).point(position)
        for link in self._links.get(document.id, page) or ():
            x0, y0, x1, y1 = link.box
            if x0 <= x <= x1 and y0 <= y <= y1:
                return link
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            return self._explain(event)
        if not isinstance(event, QMouseEvent):
            return False
        if event.type() == QEvent.Type.MouseMove and not event.buttons():
            if self.link_at(event.position()) is not None:
                self._view.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
                return True
        elif event.button() == Qt.MouseButton.LeftButton:
            if event.type() == QEvent.Type.MouseButtonPress:
                link = self.link_at(event.position())
                self._pressed = None if link is None else (link, event.position())
            elif event.type() == QEvent.Type.MouseButtonRelease:
                self._released(event.position())
        return False  # words may be selected across a link

    def _released(self, position: QPointF) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None:
            return
        moved = (position - pressed[1]).manhattanLength()
        if moved < QApplication.startDragDistance():
            self.follow(pressed[0])

    def _explain(self, event: QHelpEvent) -> bool:
        link = self.link_at(QPointF(event.pos()))
        document = self._view.document
        if link is None or document is None:
            return False
        QToolTip.showText(event.globalPos(), plain_tooltip(self._target(document, link)))
        return True

    def _target(self, document: OpenDocument, link: PageLink) -> str:
        if link.page < 0:
            return link.address
        if link.page >= len(document.pages):
            return self.tr("This page does not exist")
        return self.tr("Go to page {page}").format(page=document.shown_page(link.page))

    def _name(self, document: OpenDocument, link: PageLink, words: PageWords) -> str:
        said = words_inside(words, Box(*link.box).inflated(1.0))
        if link.page < 0 or link.page >= len(document.pages) or not said:
            target = self._target(document, link)
        else:
            target = self.tr("page {page}").format(page=document.label(link.page))
        return f"{said} → {target}" if said else target

    def _near(self, page: int) -> QPoint:
        area = self._view.page_frame(page).area
        return QPoint(max(24, round(area.left()) + 24), max(24, round(area.top()) + 24))

    def _read(self) -> None:
        document = self._view.document
        if document is not None and document.pages:
            for page in self._view.visible_pages():
                self._links.get(document.id, page)


def _line(text: str) -> str:
    short = " ".join(text.split())
    if len(short) > _LONGEST:
        short = f"{short[: _LONGEST // 2]} … {short[-_LONGEST // 3 :]}"
    return short.replace("&", "&&")
