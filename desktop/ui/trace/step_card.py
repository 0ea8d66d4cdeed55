"""A step of the timeline: one line, and below it, when it is opened, everything about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget

from desktop.core.trace.reasoning_trace import OutcomeStatus, ReasoningStage
from desktop.ui import wording
from desktop.ui.design.controls import (
    ElidedLabel,
    FlowLayout,
    PressButton,
    discard,
    fill,
    in_column,
    in_row,
    label,
    plain_tooltip,
)
from desktop.ui.design.icons import IconPicture
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.language import tr
from desktop.ui.trace.timeline import (
    OUTCOME_ICONS,
    OUTCOME_TINTS,
    STAGE_TINTS,
    Evidence,
    Step,
    outcome_name,
    stage_name,
)
from desktop.ui.viewer.page_pictures import PagePictures, Wish

if TYPE_CHECKING:
    from desktop.core.events import PageRegion


WIDTH, HEIGHT = 84, 112


class ThumbnailButton(PressButton):
    """A small picture of a page, its regions marked; it opens the page.

    The picture is drawn when the button is first seen; without pictures it is a page
    icon.
    share: how well the page fits compared with the best page of the step, 0 to 1, shown
    as a bar; None without a score.
    """

    def __init__(
        self, place: PageRegion, pictures: PagePictures | None, share: float | None = None
    ) -> None:
        super().__init__()
        self.place = place
        self.share = share
        self._pictures = pictures
        self._pixmap: QPixmap | None = None
        self._asked = False
        self.setProperty("kind", "plain")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        page = wording.page_label(place.label, place.page)
        name = f"{place.document}, {page}"
        self.setAccessibleName(name)
        self.setToolTip(plain_tooltip(name))
        if pictures is not None:
            pictures.drawn.connect(self._take)

    def sizeHint(self) -> QSize:
        text = QFontMetrics(scaled_font(Type.SMALL)).lineSpacing()
        return QSize(WIDTH, HEIGHT + text + (Space.M if self.share is not None else Space.XS))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._pictures is not None and not self._asked:
            self._asked = True
            self._pictures.wish(self._wish())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.draw_frame(painter)
            room = QRect(0, 0, self.width(), HEIGHT).adjusted(Space.XS, Space.XS, -Space.XS, 0)
            if self._pixmap is not None:
                fitted = self._pixmap.scaled(
                    room.size() * self.devicePixelRatioF(),
                    Qt.AspectRatioMode.KeepAspectRatio,
                    Qt.TransformationMode.SmoothTransformation,
                )
                fitted.setDevicePixelRatio(self.devicePixelRatioF())
                area = QRect(0, 0, *(round(v) for v in fitted.deviceIndependentSize().toTuple()))
                area.moveCenter(room.center())
                painter.drawPixmap(area, fitted)
            painter.setFont(scaled_font(Type.SMALL))
            metrics = QFontMetrics(painter.font())
            page = self.place.label or str(self.place.page + 1)
            line = QRect(Space.XS, HEIGHT, self.width() - 2 * Space.XS, metrics.lineSpacing())
            painter.setPen(QColor(colours().accent))
            fitting = metrics.elidedText(page, Qt.TextElideMode.ElideRight, line.width())
            painter.drawText(line, Qt.AlignmentFlag.AlignCenter, fitting)
            if self.share is not None:
                bar = QRect(
                    Space.S, line.bottom() + Space.HAIR, self.width() - 2 * Space.S, Space.XS
                )
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(colours().border))
                painter.drawRoundedRect(bar, Space.HAIR, Space.HAIR)
                bar.setWidth(max(Space.XS, round(bar.width() * self.share)))
                painter.setBrush(QColor(colours().accent))
                painter.drawRoundedRect(bar, Space.HAIR, Space.HAIR)

    def _wish(self) -> Wish:
        return Wish(self.place, "page", round((WIDTH - 2 * Space.XS) * self.devicePixelRatioF()))

    def _take(self, wish: Wish, pixmap: QPixmap | None) -> None:
        if pixmap is not None and self._asked and wish == self._wish():
            self._pixmap = pixmap
            self.update()


MOST_THUMBNAILS = 8
STRIPE = 4


class StepCard(QFrame):
    """place_wanted(region): show the page of a thumbnail."""

    place_wanted = Signal(object)

    def __init__(
        self,
        step: Step,
        pictures: PagePictures | None,
        question: str = "",
        *,
        explains_bars: bool = True,
    ) -> None:
        """question: the one the steps answer; it is not said again in them.

        explains_bars: no step above it has told what the bars mean.
        """
        super().__init__()
        self._explains_bars = explains_bars
        self.step = step
        self._question = question
        self._pictures = pictures
        self._stripe = QFrame()
        self._stripe.setFixedWidth(STRIPE)
        self._stripe.setObjectName("stripe")
        self.head = PressButton()
        self.head.setProperty("kind", "row")
        self.head.setProperty("dense", True)
        self.head.setCheckable(True)
        self.head.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.head.toggled.connect(self._show_body)
        self._stage = label("", factor=Type.SMALL, bold=True)
        self._title = ElidedLabel(factor=Type.SMALL)
        self._took = label("", factor=Type.SMALL, tone="muted")
        self._sign = IconPicture(
            OUTCOME_ICONS[step.outcome], Size.ICON - 2, OUTCOME_TINTS[step.outcome]
        )
        self._stage.setObjectName("stage")
        self._title.setObjectName("title")
        self._took.setObjectName("took")
        self._build_head()
        self._body: QWidget | None = None
        self._column = in_column()
        self._column.addWidget(self.head)
        fill(in_row(self, (Space.INSET, 0, Space.S, 0)), self._stripe, (self._column, 1))
        self.show_step(step)

    @property
    def opened(self) -> bool:
        """Whether everything about the step is shown."""
        return self.head.isChecked()

    def open(self, opened: bool = True) -> None:
        """Show everything about the step, or its line alone."""
        self.head.setChecked(opened)

    def show_step(self, step: Step) -> None:
        """Show a step, or how it has gone on; it stays open or closed."""
        self.step = step
        self._stage.setText(stage_name(step.stage))
        self._title.setText(" ".join(step.title.split()))
        took = wording.took(step.milliseconds)
        self._took.setText(took)
        self.head.setAccessibleName(
            f"{stage_name(step.stage)}: {step.title}, {outcome_name(step.outcome)} {took}".strip()
        )
        self.head.setToolTip(plain_tooltip(step.title))
        self._paint_tokens()
        self._sign.show_icon(OUTCOME_ICONS[step.outcome], OUTCOME_TINTS[step.outcome])
        if self._body is not None:
            discard(self._body, self._column)
            self._body = None
        if self.opened:
            self._show_body(True)

    def thumbnails(self) -> list[ThumbnailButton]:
        """The pages that are shown for it."""
        return self.findChildren(ThumbnailButton)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_tokens()

    def _build_head(self) -> None:
        row = in_row(self.head, (Space.S, 0, Space.XS, 0), spacing=Space.S)
        for part, stretch in ((self._stage, 0), (self._title, 1), (self._took, 0), (self._sign, 0)):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            row.addWidget(part, stretch)
        self.head.setMinimumHeight(Size.ROW)
        metrics = self._stage.fontMetrics()
        widest = max(metrics.horizontalAdvance(stage_name(stage)) for stage in ReasoningStage)
        self._stage.setMinimumWidth(widest + Space.XS)

    def _paint_tokens(self) -> None:
        c = colours()
        ink = getattr(c, STAGE_TINTS[self.step.stage])
        sheet = (
            "StepCard { background: transparent; }"
            f"QFrame#stripe {{ background: {ink}; border: 0; }}"
            f"QLabel#stage {{ color: {ink}; }}"
            f"QLabel#title {{ color: {c.text}; font-weight: 400; }}"
            f"QLabel#took {{ color: {c.muted}; font-weight: 400; }}"
        )
        if sheet != self.styleSheet():  # it is what a change of the palette changes
            self.setStyleSheet(sheet)

    def _show_body(self, shown: bool) -> None:
        if shown and self._body is None:
            self._body = self._build_body()
            self._column.addWidget(self._body)
        if self._body is not None:
            self._body.setVisible(shown)

    def _build_body(self) -> QWidget:
        step, body = self.step, QWidget()
        column = in_column(body, (Space.S, 0, Space.XS, Space.S), spacing=Space.XS)
        if step.title != self._title.text() or len(step.title) > _FITS:
            column.addWidget(_line(step.title))
        if step.thought:
            column.addWidget(_line(step.thought))
        for name, value in step.inputs:
            if value == self._question:
                continue  # it stands above the steps
            column.addWidget(_line(f"{name}: {value}", tone="muted"))
        for text in step.details:
            column.addWidget(_line(text))
        if step.error:
            column.addWidget(_line(step.error, tone="bad"))
        for text in step.corrections:
            column.addWidget(_line(tr("corrected: {text}").format(text=text), tone="attention"))
        figures = figures_of(step)
        if figures:
            column.addWidget(_line(figures, tone="muted"))
        if step.evidence:
            if self._explains_bars and has_bars(step):
                column.addWidget(_line(tr("Longer bar: better match")))
            column.addWidget(self._thumbnails(step.evidence))
        return body

    def _thumbnails(self, evidence: tuple[Evidence, ...]) -> QWidget:
        shelf = QWidget()
        flow = FlowLayout(shelf)
        best = max((each.score or 0.0 for each in evidence), default=0.0)
        if not has_bars(self.step):
            best = 0.0
        for each in evidence[:MOST_THUMBNAILS]:
            share = None if each.score is None or best <= 0 else max(0.0, each.score / best)
            button = ThumbnailButton(each.place, self._pictures, share)
            button.clicked.connect(lambda _=False, place=each.place: self.place_wanted.emit(place))
            flow.addWidget(button)
        more = len(evidence) - MOST_THUMBNAILS
        if more > 0:
            flow.addWidget(label(tr("and {n} more").format(n=more), factor=Type.SMALL))
        return shelf


_FITS = 44
"""Letters of a title that surely fit its line."""


def has_bars(step: Step) -> bool:
    """Whether bars tell its pages apart: of a single one there is nothing to compare."""
    return sum(each.score is not None for each in step.evidence) > 1


def figures_of(step: Step) -> str:
    """Return how a step ended unless it went well, and its tokens, "" without any."""
    parts = [outcome_name(step.outcome)] if step.outcome is not OutcomeStatus.SUCCESS else []
    if step.tokens is not None:
        read, written = step.tokens
        parts.append(tr("{n} tokens read, {m} written").format(n=read, m=written))
    return " · ".join(parts)


def _line(text: str, tone: str = "") -> QLabel:
    line = label(text, factor=Type.SMALL, tone=tone, wrap=True, selectable=True)
    line.setMinimumWidth(1)
    return line
