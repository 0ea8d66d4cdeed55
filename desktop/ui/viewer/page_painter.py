"""What lies on a page and how it is painted: paper, an answer's regions, hits, pens, badges.

Everything arrives in viewport pixels. Paper is white in light and in dark mode, so the colours
here do not change with the theme. Fills are multiplied onto the page like a marker pen: black
text under them stays black.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QIcon,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPixmap,
    QTransform,
)

from desktop.core.marking import ANSWER_PEN, on_white
from desktop.ui.design.tokens import Paper, Size
from desktop.ui.language import tr
from desktop.ui.viewer.page_layout import painting_upright, turning

if TYPE_CHECKING:
    from desktop.core.geometry import Box
    from desktop.core.library.annotations import Annotation, Pen
    from desktop.ui.viewer.overlays import PageMarks


PAPER = QColor(255, 255, 255)
PAPER_NOTE = QColor(64, 68, 76)

HIGHLIGHT_PEN = QColor(ANSWER_PEN)
HIGHLIGHT = QColor(*on_white())
"""The pen as it lies on white: multiplied, it needs no opacity of its own."""
OWN_PENS = {pen: (QColor(fill), QColor(ink)) for pen, (fill, ink) in Paper.OWN_PENS.items()}
"""A person's own pens: what is multiplied into the page, and the ink of what belongs to it."""
HIGHLIGHT_BAR = QColor(Paper.ACCENT)
BADGE = QColor(86, 95, 104)
BADGE_CURRENT = QColor(Paper.ACCENT)
BADGE_TEXT = QColor(255, 255, 255)

FIND_HIT = QColor(190, 232, 255)
FIND_CURRENT = QColor(255, 190, 120)
"""Of another colour than the other hits: darker, words below it would be hard to read."""
FIND_EDGE = QColor(200, 90, 0)

REGION_EDGE = QColor(Paper.ACCENT)
RIBBON = QColor(Paper.ACCENT)

SELECTION = QColor(178, 208, 255)


def surround(palette: QPalette) -> QColor:
    """Return the colour behind the pages: a shade deeper than the canvas, so paper stands out."""
    window = palette.color(QPalette.ColorRole.Window)
    return window if is_dark(palette) else window.darker(105)


def paper_edge(palette: QPalette) -> QColor:
    """Return the hairline around a page."""
    return QColor(0, 0, 0, 160) if is_dark(palette) else QColor(0, 0, 0, 36)


def is_dark(palette: QPalette) -> bool:
    """Tell whether the palette is a dark one."""
    return palette.color(QPalette.ColorRole.Window).lightness() < 128


def pen_name(pen: Pen) -> str:
    """Return what a pen is called."""
    return {
        "green": tr("Green"),
        "orange": tr("Orange"),
        "pink": tr("Pink"),
        "violet": tr("Violet"),
    }[pen]


def pen_icon(pen: Pen) -> QIcon:
    """Return a dot of a pen's colour; the chosen pen's dot has a tick in it."""
    result = QIcon()
    for state in (QIcon.State.Off, QIcon.State.On):
        result.addPixmap(_dot(pen, ticked=state == QIcon.State.On), QIcon.Mode.Normal, state)
    return result


def _dot(pen: Pen, *, ticked: bool) -> QPixmap:
    fill, ink = OWN_PENS[pen]
    picture = QPixmap(3 * Size.ICON, 3 * Size.ICON)
    picture.setDevicePixelRatio(3)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink, 1.5))
        painter.setBrush(fill)
        painter.drawEllipse(QRectF(0, 0, Size.ICON, Size.ICON).adjusted(1, 1, -1, -1))
        if ticked:
            painter.setPen(QPen(QColor(ink), 2))
            painter.drawPolyline([QPointF(5.5, 9.5), QPointF(8, 12), QPointF(12.5, 6.5)])
    return picture


_BADGE, _BADGE_GAP, _BADGE_DIGIT = 18.0, 2.0, 4.0
_BADGE_LEAST, _HALF, _APART = 14.0, 13.0, 4.0
"""Lines that are closer share a badge, which reaches from the first to the last of them."""
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
    painter.fillRect(area, PAPER)
    # a translucent sheet below the white one would cost more than the white one
    left, top, across, down = area.left() - 1, area.top() - 1, area.width(), area.height()
    for y in (top, area.bottom()):
        painter.fillRect(QRectF(left, y, across + 2, 1), edge)
    for x in (left, area.right()):
        painter.fillRect(QRectF(x, area.top(), 1, down), edge)


def paint_note(painter: QPainter, area: QRectF, text: str) -> None:
    """Write on the paper why it stays empty."""
    painter.setPen(PAPER_NOTE)
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
    _multiply(painter, _outline(frame, marks.selected), SELECTION)
    for boxes in marks.hits:
        _multiply(painter, _outline(frame, boxes), FIND_HIT)
    if marks.current_hit:
        _paint_current_hit(painter, frame, marks.current_hit)
    _paint_regions(painter, frame, marks)
    painter.restore()
    numbers, comments = _badges(frame, marks)
    for area, ends, current in numbers:
        _badge(painter, area, ends, current)
    for area, own in comments:
        _comment_badge(painter, area, OWN_PENS[own.pen][1])
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
) -> tuple[list[tuple[QRectF, list[int], bool]], list[tuple[QRectF, Annotation]]]:
    """Return where region numbers and comment signs stand: beside the page, at their lines.

    A badge comes with its number; with the first and the last one where lines share it.
    """
    piles: list[list[tuple[float, int, bool]]] = []
    lines = [
        (frame.rect(boxes[0]).center().y(), number, current)
        for number, boxes, current in marks.regions
        if boxes
    ]
    for line in sorted(lines):
        if piles and line[0] - piles[-1][-1][0] < _BADGE_LEAST:
            piles[-1].append(line)
        else:
            piles.append([line])
    high = min([_BADGE, *(below[0][0] - above[-1][0] for above, below in pairwise(piles))])
    numbers = []
    for pile in piles:
        known = sorted(number for _, number, _ in pile)
        ends = known[:: max(1, len(known) - 1)]
        tall = max(pile[-1][0] - pile[0][0] + high, _HALF * len(ends) + _APART * (len(ends) - 1))
        area = _beside(frame, (pile[0][0] + pile[-1][0]) / 2, tall, high, len(str(ends[-1])))
        numbers.append((area, ends, any(current for _, _, current in pile)))
    comments = []
    for own in marks.annotations:
        if own.comment and own.boxes:
            area = _beside(frame, frame.rect(own.boxes[0]).center().y(), _BADGE, _BADGE, 1)
            for taken, _, _ in numbers:
                if area.intersects(taken):
                    area.moveTop(taken.bottom() + 1)
            comments.append((area, own))
    return (
        [badge for badge in numbers if badge[0].left() >= 0],
        [sign for sign in comments if sign[0].left() >= 0],
    )


def _beside(frame: PageFrame, middle: float, tall: float, high: float, digits: int) -> QRectF:
    """Return a place outside the page, as wide as its digits need at this height of a badge."""
    width = high + _BADGE_DIGIT * (digits - 1)
    left = frame.area.left() - _BADGE_GAP - width
    return QRectF(left, middle - tall / 2, width, tall)


def _outline(frame: PageFrame, boxes: Collection[Box], *, pen: bool = False) -> QPainterPath:
    """Return the outline of words; that of a pen is a little larger than they are."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)  # overlapping lines must not be multiplied twice
    for words in map(frame.rect, boxes):
        if pen:
            padding = max(_PADDING, words.height() * _PADDING_PER_LINE)
            around = words.adjusted(-_PADDING, -padding, _PADDING, padding)
            path.addRoundedRect(around, _RADIUS, _RADIUS)
        else:
            path.addRect(words)
    return path


def _multiply(painter: QPainter, path: QPainterPath, fill: QColor) -> None:
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    painter.fillPath(path, fill)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)


def _paint_current_hit(painter: QPainter, frame: PageFrame, boxes: Collection[Box]) -> None:
    path = _outline(frame, boxes)
    _multiply(painter, path, FIND_CURRENT)
    # clipped: half of the pen would lie outside the box that was given
    painter.save()
    painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
    thin = min(frame.rect(box).height() for box in boxes) * _EDGE_PER_LINE
    painter.strokePath(path.simplified(), QPen(FIND_EDGE, 2 * min(_EDGE, thin)))
    painter.restore()


def _paint_annotation(
    painter: QPainter, frame: PageFrame, own: Annotation, *, current: bool
) -> None:
    """Mark words with a person's own pen; an open annotation is outlined in the pen's ink."""
    path = _outline(frame, own.boxes, pen=True)
    fill, ink = OWN_PENS[own.pen]
    _multiply(painter, path, fill)
    if current:
        painter.strokePath(path.simplified(), QPen(ink, _EDGE))


def _paint_regions(painter: QPainter, frame: PageFrame, marks: PageMarks) -> None:
    """Mark words like a pen; the current region has a bar beside it and lights up once.

    Once for all regions: the rows of a table share its headings, and no pen dries to mud there.
    """
    every = [box for _, boxes, _ in marks.regions for box in boxes]
    _multiply(painter, _outline(frame, every, pen=True), HIGHLIGHT)
    for path in [_outline(frame, boxes, pen=True) for _, boxes, now in marks.regions if now]:
        if marks.pulse > 0:
            strong = QColor(HIGHLIGHT_PEN)
            strong.setAlphaF(_PULSE * marks.pulse)
            _multiply(painter, path, strong)
        for bar in _bars(path):
            painter.fillRect(bar, HIGHLIGHT_BAR)


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
    painter.setPen(QPen(PAPER, 3.0))
    painter.drawRect(area)
    painter.setPen(QPen(REGION_EDGE, 1.5, Qt.PenStyle.DashLine))
    painter.drawRect(area)


def _ribbon(painter: QPainter, page: QRectF) -> None:
    """Paint a ribbon that hangs into the page from its upper edge."""
    right = page.right() - _RIBBON_INSET
    left, top, bottom = right - _RIBBON_WIDTH, page.top(), page.top() + _RIBBON_HEIGHT
    notch = ((left + right) / 2, bottom - _RIBBON_WIDTH / 2)
    corners = ((left, top), (right, top), (right, bottom), notch, (left, bottom))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(RIBBON)
    painter.drawPolygon([QPointF(x, y) for x, y in corners])


def _badge(painter: QPainter, area: QRectF, ends: Sequence[int], current: bool) -> None:
    """Paint a number on a badge, or the first and last number at its ends."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(BADGE_CURRENT if current else BADGE)
    high = area.height() if len(ends) == 1 else _HALF
    round_off = min(area.width(), area.height()) / 2
    painter.drawRoundedRect(area, round_off, round_off)
    font = QFont(painter.font())
    font.setPixelSize(round(max(high, _BADGE_LEAST + 2) * 0.6))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(BADGE_TEXT)
    if len(ends) > 1:
        middle, third = area.center(), area.width() / 3
        painter.drawLine(middle - QPointF(third / 2, 0), middle + QPointF(third / 2, 0))
    for number, top in zip(ends, (area.top(), area.bottom() - high), strict=False):
        place = QRectF(area.left(), top, area.width(), high)
        painter.drawText(place, int(Qt.AlignmentFlag.AlignCenter), str(number))


def _comment_badge(painter: QPainter, area: QRectF, ink: QColor) -> None:
    """Paint a speech bubble with two lines in it."""
    bubble = area.adjusted(1, 1.5, -1, -4.5)
    shape = QPainterPath()
    shape.addRoundedRect(bubble, _RADIUS, _RADIUS)
    tail = QPainterPath(QPointF(bubble.left() + 3, bubble.bottom() - 1))
    tail.lineTo(bubble.left() + 3, area.bottom())
    tail.lineTo(bubble.left() + 8, bubble.bottom() - 1)
    painter.fillPath(shape.united(tail), ink)
    painter.setPen(QPen(BADGE_TEXT, 1.5))
    for share, short in ((0.35, 0.0), (0.65, 4.0)):
        y = bubble.top() + bubble.height() * share
        painter.drawLine(QPointF(bubble.left() + 3.5, y), QPointF(bubble.right() - 3.5 - short, y))
