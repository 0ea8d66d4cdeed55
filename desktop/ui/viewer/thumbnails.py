"""The strip of small pages at the side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QHideEvent, QPainter, QPalette, QResizeEvent, QShowEvent, QTransform
from PySide6.QtWidgets import (
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.ui.design.controls import plain_tooltip
from desktop.ui.design.theme import dim_paper
from desktop.ui.language import told
from desktop.ui.viewer import page_painter
from desktop.ui.viewer.output import drag_picture
from desktop.ui.viewer.page_layout import painting_upright
from desktop.ui.viewer.render_queue import ImageKey, draw_request

if TYPE_CHECKING:
    from desktop.ui.viewer.document import OpenDocument
    from desktop.ui.viewer.render_service import RenderService

_WIDTH, _HEIGHT = 112, 148
_PAD = 10
_CAPTION = 22
_ASK_MS = 60
_AROUND = 6

Index = QModelIndex | QPersistentModelIndex


class ThumbnailModel(QAbstractListModel):
    """One row per page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document: OpenDocument | None = None

    def show_document(self, document: OpenDocument | None) -> None:
        """Show another document, or newer records of the same one without losing the place."""
        same = (
            document is not None
            and self.document is not None
            and document.id == self.document.id
            and len(document.pages) == len(self.document.pages)
        )
        if same:
            self.document = document
            self.dataChanged.emit(self.index(0), self.index(self.rowCount() - 1))
            return
        self.beginResetModel()
        self.document = document
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        nested = parent is not None and parent.isValid()
        return 0 if nested or self.document is None else len(self.document.pages)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.document is None or not index.isValid():
            return None
        page = self.document.pages[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.document.label(index.row())
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            shown = self.tr("Page {page}").format(page=self.document.shown_page(index.row()))
            says = f"{shown}. {told(page.reason)}" if page.reason else shown
            # a page's label comes from the file
            return plain_tooltip(says) if role == Qt.ItemDataRole.ToolTipRole else says
        return None


class ThumbnailList(QListView):
    """Asks for the pictures of the rows in view, at the lowest priority of all drawing."""

    page_chosen = Signal(int)

    def __init__(self, service: RenderService) -> None:
        super().__init__()
        self._page = 0
        self.turn = 0
        self._service = service
        self._pages = ThumbnailModel(self)
        self.setModel(self._pages)
        self.setItemDelegate(_ThumbnailDelegate(service, self))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(_WIDTH + 4 * _PAD)
        self.setMouseTracking(True)
        self.setDragDropMode(QListView.DragDropMode.DragOnly)
        self.setAccessibleName(self.tr("Page thumbnails"))
        self._ask_soon = QTimer(self, singleShot=True, interval=_ASK_MS)
        self._ask_soon.timeout.connect(self._ask)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._ask_soon.start())
        self.clicked.connect(lambda index: self.page_chosen.emit(index.row()))
        self.activated.connect(lambda index: self.page_chosen.emit(index.row()))
        service.drawn.connect(self._image_arrived)

    def show_document(self, document: OpenDocument | None) -> None:
        """Show the pages of a document."""
        self._pages.show_document(document)
        self._ask_soon.start()

    def show_turned(self, turn: int) -> None:
        """Show pages as they lie in the viewer. turn: clockwise quarters."""
        if turn != self.turn:
            self.turn = turn
            self.viewport().update()
            self._ask_soon.start()

    def show_page(self, page: int) -> None:
        """Mark the page in view and keep it visible."""
        self._page = page
        if not self.isVisible():
            return  # placing a thousand rows takes 30 ms, and nobody sees them
        index = self._pages.index(page)
        if index.isValid() and index != self.currentIndex():
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self._ask_soon.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_page(self._page)
        self._ask_soon.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ask_soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._ask_soon.start()

    def startDrag(self, _actions: Qt.DropAction) -> None:  # noqa: N802 - Qt's name
        document, page = self._pages.document, self.currentIndex().row()
        if document is None or page < 0:
            return
        service = self._service
        image = service.cache.best_whole_page(document.id, page)
        image = image or service.thumbnails.best_whole_page(document.id, page)
        if image is not None:
            turned = image.transformed(QTransform().rotate(90.0 * self.turn))
            title = document.record.title or document.record.name
            drag_picture(self, turned, title, document.label(page))

    def _ask(self) -> None:
        document = self._pages.document
        if document is None or not self.isVisible():
            self._service.want("thumbnails", ())
            return
        row_height = max(1, self.sizeHintForRow(0))
        first = self.verticalScrollBar().value() // row_height
        last = first + self.viewport().height() // row_height + 1
        rows = [
            *range(first, last + 1),
            *range(last + 1, last + _AROUND),
            *range(first - 1, first - _AROUND, -1),
        ]
        ratio = self.devicePixelRatioF()
        self._service.want(
            "thumbnails",
            [
                draw_request(document, thumbnail_key(document, row, ratio, self.turn))
                for row in rows
                if 0 <= row < len(document.pages)
            ],
        )

    def _image_arrived(self, key: ImageKey) -> None:
        document = self._pages.document
        mine = document is not None and key.document_id == document.id
        if mine and self.isVisible() and key in self._service.thumbnails:
            self.update(self._pages.index(key.page))


class _ThumbnailDelegate(QStyledItemDelegate):
    def __init__(self, service: RenderService, parent: ThumbnailList) -> None:
        super().__init__(parent)
        self._list, self._service = parent, service

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(_WIDTH + 2 * _PAD, _HEIGHT + _CAPTION + 2 * _PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, ThumbnailModel) or model.document is None:
            return
        document, row = model.document, index.row()
        area: QRect = option.rect
        palette: QPalette = option.palette
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        # Not the painter's device: PySide would count that as the painter's own, and call it
        # deleted, with all that belongs to it, when the painter is.
        ratio = self._list.devicePixelRatioF()
        turn = self._list.turn
        key = thumbnail_key(document, row, ratio, turn)
        size = QSizeF(key.width / ratio, key.height / ratio)
        paper = QRectF(QPointF(), size.transposed() if turn % 2 else size)
        paper.moveCenter(QRectF(area.x(), area.y() + _PAD, area.width(), _HEIGHT).center())
        if selected:
            painter.fillRect(
                paper.adjusted(-3, -3, 3, 3), palette.color(QPalette.ColorRole.Highlight)
            )
        painter.fillRect(paper.adjusted(-1, -1, 1, 1), page_painter.paper_edge(palette))
        painter.fillRect(paper, page_painter.PAPER)
        image = self._service.thumbnails.get(key)
        if image is not None:
            with painting_upright(painter, paper, turn) as upright:
                painter.drawImage(upright, image)
        dim_paper(painter, paper)
        caption = QRectF(area.x(), area.y() + _PAD + _HEIGHT, area.width(), _CAPTION)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        painter.drawText(caption, int(Qt.AlignmentFlag.AlignCenter), document.label(row))
        painter.restore()


def thumbnail_key(document: OpenDocument, page: int, ratio: float, turn: int = 0) -> ImageKey:
    """Return the image, upright, that shows a page in the strip."""
    width, height = document.sizes[page]
    room = (_HEIGHT, _WIDTH) if turn % 2 else (_WIDTH, _HEIGHT)
    scale = min(room[0] / width, room[1] / height) * ratio
    return ImageKey(document.id, page, max(1, round(width * scale)), max(1, round(height * scale)))
