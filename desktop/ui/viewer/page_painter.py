"""What lies on a page and how it is painted: paper, an answer's regions, hits, pens, badges.

Everything arrives in viewport pixels.
"""

from __future__ import annotations

from functools import reduce
from statistics import fmean
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QTransform

from desktop.ui.viewer import colours
from desktop.ui.viewer.page_layout import painting_upright, turning

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from desktop.core.geometry import Box
    from desktop.core.library.annotations import Annotation
    from desktop.ui.viewer.overlays import PageMarks


_BADGE, _BADGE_GAP, _BADGE_DIGIT = 18.0, 3.0, 4.0
_PADDING, _RADIUS, _BAR = 2.0, 3.0, 2.0
"""Of a marked region: around its words, of its corners, and the bar of the current one."""
_PADDING_PER_LINE = 0.1
"""Boxes of words often end at the tops of capitals: this share of their height is added."""
_PULSE = 0.4
"""How much of its strongest colour a region takes on when it is arrived at."""
_EDGE, _EDGE_PER_LINE = 1.5, 0.1
_RIBBON_WIDTH, _RIBBON_HEIGHT, _RIBBON_INSET = 14.0, 26.0, 48.0


class PageFrame:
    """Maps points of a displayed page to the place where the page is drawn.

    area: logical pixels, of the page as it is turned. The ratio of drawn pixels to the stored
    page size is taken per axis, so that a page whose file gives another unit of length still
    meets its boxes.
    """

    def __init__(self, area: QRectF, page_width: float, page_height: float, turn: int = 0) -> None:
        self.area, self.turn = area, turn
        across, down = (page_height, page_width) if turn % 2 else (page_width, page_height)
        scaled = QTransform.fromScale(
            area.width() / max(across, 1e-6), area.height() / max(down, 1e-6)
        )
        placed = QTransform.fromTranslate(area.x(), area.y())
        self._to_view = turning(page_width, page_height, turn) * scaled * placed
        self._to_page, _ = self._to_view.inverted()

    def rect(self, box: Box) -> QRectF:
        """Return where a box of the page is drawn."""
        return self._to_view.mapRect(QRectF(box.x0, box.y0, box.width, box.height))

    def around(self, boxes: Iterable[Box]) -> QRectF:
        """Return what encloses boxes of the page where they are drawn."""
        return reduce(QRectF.united, map(self.rect, boxes), QRectF())

    def point(self, position: QPointF) -> tuple[float, float]:
        """Return the points of the page under a position."""
        found = self._to_page.map(position)
        return found.x(), found.y()


def paint_paper(painter: QPainter, area: QRectF, edge: QColor) -> None:
    """Paint the empty sheet, so that a page is white before it is drawn."""
    painter.fillRect(area, colours.PAPER)
    # a translucent sheet below the white one would cost more than the white one
    left, top, across, down = area.left() - 1, area.top() - 1, area.width(), area.height()
    for y in (top, area.bottom()):
        painter.fillRect(QRectF(left, y, across + 2, 1), edge)
    for x in (left, area.right()):
        painter.fillRect(QRectF(x, area.top(), 1, down), edge)


def paint_note(painter: QPainter, area: QRectF, text: str) -> None:
    """Write on the paper why it stays empty."""
    painter.setPen(colours.PAPER_NOTE)
    painter.drawText(
        area.adjusted(24, 24, -24, -24),
        int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap),
        text,
    )


def paint_marks(painter: QPainter, frame: PageFrame, marks: PageMarks) -> None:
    """Paint the heat map, selection, hits and numbered regions over a page."""
    painter.save()
    if marks.heat is not None:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        with painting_upright(painter, frame.area, frame.turn) as area:
            painter.drawImage(area, marks.heat)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.save()
    painter.setClipRect(frame.area, Qt.ClipOperation.IntersectClip)
    for own in marks.annotations:
        _paint_annotation(painter, frame, own, current=own.id == marks.annotation)
    _multiply(painter, _outline(frame, marks.selected), colours.SELECTION)
    for boxes in marks.hits:
        _multiply(painter, _outline(frame, boxes), colours.FIND_HIT)
    if marks.current_hit:
        _paint_current_hit(painter, frame, marks.current_hit)
    for _, boxes, current in marks.regions:
        _paint_region(painter, frame, boxes, current=current, pulse=marks.pulse)
    painter.restore()
    numbers, comments = _badges(frame, marks)
    for area, number, current in numbers:
        _badge(painter, area, number, current)
    for area, own in comments:
        _comment_badge(painter, area, colours.OWN_PENS[own.pen][1])
    if marks.framed is not None:
        _frame_region(painter, frame.rect(marks.framed))
    if marks.bookmarked:
        _ribbon(painter, frame.area)
    painter.restore()


def annotation_at(frame: PageFrame, marks: PageMarks, position: QPointF) -> Annotation | None:
    """Return the annotation whose words or comment badge are at a position, the last one drawn."""
    for area, own in _badges(frame, marks)[1]:
        if area.contains(position):
            return own
    for own in reversed(marks.annotations):
        if any(frame.rect(box).contains(position) for box in own.boxes):
            return own
    return None


def _badges(
    frame: PageFrame, marks: PageMarks
) -> tuple[list[tuple[QRectF, int, bool]], list[tuple[QRectF, Annotation]]]:
    """Return where region numbers and comment signs stand, beside the page."""
    regions = [(number, boxes[0], current) for number, boxes, current in marks.regions if boxes]
    commented = [own for own in marks.annotations if own.comment and own.boxes]
    firsts = [(box, number) for number, box, _ in regions]
    areas = _badge_areas(frame, firsts + [(own.boxes[0], 0) for own in commented])
    numbers = [
        (area, number, current)
        for area, (number, _, current) in zip(areas, regions, strict=False)
        if area.left() >= 0
    ]
    comments = zip(areas[len(regions) :], commented, strict=True)
    return numbers, [(area, own) for area, own in comments if area.left() >= 0]


def _outline(frame: PageFrame, boxes: Collection[Box], *, pen: bool = False) -> QPainterPath:
    """Return the outline of words; that of a pen is a little larger than they are."""
    path = QPainterPath()
    for box in boxes:
        words, part = frame.rect(box), QPainterPath()
        if pen:
            padding = max(_PADDING, words.height() * _PADDING_PER_LINE)
            around = words.adjusted(-_PADDING, -padding, _PADDING, padding)
            part.addRoundedRect(around, _RADIUS, _RADIUS)
        else:
            part.addRect(words)
        path = path.united(part)  # overlapping lines must not be multiplied twice
    return path


def _multiply(painter: QPainter, path: QPainterPath, fill: QColor) -> None:
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    painter.fillPath(path, fill)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


def _paint_current_hit(painter: QPainter, frame: PageFrame, boxes: Collection[Box]) -> None:
    path = _outline(frame, boxes)
    _multiply(painter, path, colours.FIND_CURRENT)
    # clipped: half of the pen would lie outside the box that was given
    painter.save()
    painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
    thin = min(frame.rect(box).height() for box in boxes) * _EDGE_PER_LINE
    painter.strokePath(path, QPen(colours.FIND_EDGE, 2 * min(_EDGE, thin)))
    painter.restore()


def _paint_annotation(
    painter: QPainter, frame: PageFrame, own: Annotation, *, current: bool
) -> None:
    """Mark words with a person's own pen; an open annotation is outlined in the pen's ink."""
    path = _outline(frame, own.boxes, pen=True)
    fill, ink = colours.OWN_PENS[own.pen]
    _multiply(painter, path, fill)
    if current:
        painter.strokePath(path, QPen(ink, _EDGE))


def _paint_region(
    painter: QPainter, frame: PageFrame, boxes: Collection[Box], *, current: bool, pulse: float
) -> None:
    """Mark words like a pen; the current region has a bar beside it and lights up once."""
    path = _outline(frame, boxes, pen=True)
    _multiply(painter, path, colours.HIGHLIGHT)
    if not current:
        return
    if pulse > 0:
        strong = QColor(colours.HIGHLIGHT_PEN)
        strong.setAlphaF(_PULSE * pulse)
        _multiply(painter, path, strong)
    for bar in _bars(path):
        painter.fillRect(bar, colours.HIGHLIGHT_BAR)


def _bars(path: QPainterPath) -> list[QRectF]:
    """Return the bar at the left of every part of a region, one where parts share a line."""
    parts = [polygon.boundingRect() for polygon in path.simplified().toSubpathPolygons()]
    return [
        QRectF(part.left() - _BAR, part.top(), _BAR, part.height())
        for part in parts
        if not any(
            other.left() < part.left()
            and other.top() < part.bottom()
            and other.bottom() > part.top()
            for other in parts
        )
    ]


def _frame_region(painter: QPainter, area: QRectF) -> None:
    """Paint a dashed frame that is seen on white paper and on dark photographs."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colours.PAPER, 3.0))
    painter.drawRect(area)
    painter.setPen(QPen(colours.REGION_EDGE, 1.5, Qt.PenStyle.DashLine))
    painter.drawRect(area)


def _ribbon(painter: QPainter, page: QRectF) -> None:
    """Paint a ribbon that hangs into the page from its upper edge."""
    right = page.right() - _RIBBON_INSET
    left, top, bottom = right - _RIBBON_WIDTH, page.top(), page.top() + _RIBBON_HEIGHT
    notch = ((left + right) / 2, bottom - _RIBBON_WIDTH / 2)
    corners = ((left, top), (right, top), (right, bottom), notch, (left, bottom))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.RIBBON)
    painter.drawPolygon([QPointF(x, y) for x, y in corners])


def _badge_areas(frame: PageFrame, firsts: Sequence[tuple[Box, int]]) -> list[QRectF]:
    """Return a place outside the page for each badge, as near to its region as the others allow.

    firsts: the first box of each region, and the number on its badge.
    """
    wanted = [frame.rect(box).center().y() for box, _ in firsts]
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], firsts[at][1]))
    middles = dict(zip(order, _spread([wanted[at] for at in order]), strict=True))
    right = frame.area.left() - _BADGE_GAP
    areas = []
    for at, (_, number) in enumerate(firsts):
        width = _BADGE + _BADGE_DIGIT * (len(str(number)) - 1)
        areas.append(QRectF(right - width, middles[at] - _BADGE / 2, width, _BADGE))
    return areas


def _spread(wanted: Sequence[float]) -> list[float]:
    """Return ascending positions for badges with room for each, as near the wanted as can be.

    Isotonic regression of the wanted positions less the room that the badges take.
    """
    apart = _BADGE + _BADGE_GAP
    groups: list[list[float]] = []
    for index, place in enumerate(wanted):
        groups.append([place - index * apart])
        while len(groups) > 1 and fmean(groups[-2]) > fmean(groups[-1]):
            last = groups.pop()
            groups[-1] += last
    fitted = [middle for group in groups for middle in [fmean(group)] * len(group)]
    return [middle + index * apart for index, middle in enumerate(fitted)]


def _badge(painter: QPainter, area: QRectF, number: int, current: bool) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colours.BADGE_CURRENT if current else colours.BADGE)
    painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)
    font = QFont(painter.font())
    font.setPixelSize(round(area.height() * 0.6))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(colours.BADGE_TEXT)
    painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), str(number))


def _comment_badge(painter: QPainter, area: QRectF, ink: QColor) -> None:
    """Paint a speech bubble with two lines in it."""
    bubble = area.adjusted(1, 1.5, -1, -4.5)
    shape = QPainterPath()
    shape.addRoundedRect(bubble, _RADIUS, _RADIUS)
    tail = QPainterPath(QPointF(bubble.left() + 3, bubble.bottom() - 1))
    tail.lineTo(bubble.left() + 3, area.bottom())
    tail.lineTo(bubble.left() + 8, bubble.bottom() - 1)
    painter.fillPath(shape.united(tail), ink)
    painter.setPen(QPen(colours.BADGE_TEXT, 1.5))
    for share, short in ((0.35, 0.0), (0.65, 4.0)):
        y = bubble.top() + bubble.height() * share
        painter.drawLine(QPointF(bubble.left() + 3.5, y), QPointF(bubble.right() - 3.5 - short, y))
