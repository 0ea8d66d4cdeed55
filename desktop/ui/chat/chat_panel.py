"""The conversation at the right: questions with their answers above, the field below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QGuiApplication, QPainter, QPixmap, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QStackedWidget, QWidget

from desktop.core.events import CitationEvent, CompleteEvent, Event, PageRegion
from desktop.core.structure.signs import cells_apart
from desktop.ui import wording
from desktop.ui.chat.composer import Composer
from desktop.ui.chat.conversation_drawer import ConversationDrawer
from desktop.ui.chat.offered_questions import SuggestionBlock
from desktop.ui.design.controls import (
    ElidedLabel,
    as_tall_as_its_bar,
    discard,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    painted_as,
    plain_tooltip,
    push_button,
)
from desktop.ui.design.popups import FloatingWindow
from desktop.ui.design.theme import dim_paper, fade_in
from desktop.ui.design.tokens import Size, Space, Type
from desktop.ui.viewer.page_pictures import PagePictures, Wish

if TYPE_CHECKING:
    from desktop.core.conversations.values import StoredTurn
    from desktop.core.structure.values import PhotoText
    from desktop.ui.chat.turn import Turn


MOST_TURNS = 50
"""Older questions leave the window (the library keeps them), so that it stays quick."""
FIRST = 2
"""Place of the first turn in the column: below the welcome and the button for earlier ones."""


class _Inner(QWidget):
    """As wide as the list, whatever is in it: nothing is cut at the list's edge."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class TurnList(QScrollArea):
    """Holds the turns shown, oldest first; when there are none it says what to do.

    earlier_wanted(): show some of the turns before the first one.
    """

    earlier_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []
        self._following = True
        self._brought: Turn | None = None
        self.offered = SuggestionBlock(self.tr("Your manuals answer"))
        inner = _Inner()
        self._column = in_column(inner)
        self._welcome = self._build_welcome()
        self._column.addWidget(self._welcome)
        self.earlier_button = push_button("", self.earlier_wanted, kind="row", name="chevron-up")
        self.tell_earlier(0)
        fill(self._column, self.earlier_button, None)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Conversation"))
        inner.setAutoFillBackground(False)
        inner.installEventFilter(self)
        self.viewport().setAutoFillBackground(False)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._range_changed)
        bar.actionTriggered.connect(lambda *_: self._leave())

    def add(self, turn: Turn) -> None:
        """Append a turn and bring it into view."""
        if self.turns:
            self._column.insertWidget(self._column.count() - 1, _line())
        self.turns.append(turn)
        self._column.insertWidget(self._column.count() - 1, turn)
        while len(self.turns) > MOST_TURNS:
            self.turns.pop(0)
            self._drop(FIRST)
            if self.turns and self._widget_at(FIRST) is not self.turns[0]:
                self._drop(FIRST)  # the line above the next one
        self._welcome.hide()
        self._need_bar()
        self._following, self._brought = True, None

    def add_first(self, turns: Sequence[Turn]) -> None:
        """Put turns before the first one, which stays where it is in view."""
        top = self.turns[0] if self.turns else None
        offset = top.y() - self.verticalScrollBar().value() if top is not None else 0
        self._following = False
        for turn in reversed(turns):
            if self.turns:
                self._column.insertWidget(FIRST, _line())
            self._column.insertWidget(FIRST, turn)
            self.turns.insert(0, turn)
        if top is not None:
            QTimer.singleShot(0, top, lambda: self.verticalScrollBar().setValue(top.y() - offset))

    def bring(self, turn: Turn) -> None:
        """Keep a turn in view, however tall the conversation grows."""
        self._following = turn is self.turns[-1]
        self._brought = None if self._following else turn
        QTimer.singleShot(0, turn, self._follow)

    def tell_earlier(self, count: int) -> None:
        """Say how many turns there are before the first one."""
        text = self.tr("Show earlier questions ({n})").format(n=count)
        self.earlier_button.setText(f" {text}")
        self.earlier_button.setAccessibleName(text)
        self.earlier_button.setVisible(count > 0)

    def clear(self) -> None:
        """Remove every turn."""
        self.turns.clear()
        self._brought = None
        for place in reversed(range(FIRST, self._column.count() - 1)):
            self._drop(place)
        self.earlier_button.hide()
        self._welcome.show()
        self._following = True

    def _drop(self, place: int) -> None:
        widget = self._widget_at(place)
        if widget is not None:
            discard(widget, self._column)

    def _widget_at(self, place: int) -> QWidget | None:
        item = self._column.itemAt(place)
        return item.widget() if item is not None else None

    def _build_welcome(self) -> QWidget:
        page = QWidget()
        column = in_column(page, (Space.INSET, Space.XL, Space.INSET, Space.INSET), spacing=Space.S)
        column.addWidget(label(self.tr("Ask your manuals"), factor=Type.TITLE, bold=True))
        about = self.tr("Every answer shows the page it comes from, with the words marked.")
        column.addWidget(label(about, tone="muted", wrap=True))
        self.quoted = label(
            self.tr("Answers are quoted from the manuals; no language model is installed."),
            factor=Type.SMALL,
            tone="muted",
            wrap=True,
        )
        self.quoted.hide()
        fill(column, self.quoted, Space.S, self.offered)
        return page

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._need_bar()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._need_bar()
        return super().eventFilter(watched, event)

    def _need_bar(self) -> None:
        """Show no scroll bar beside a welcome that fits without one, and always one beside answers.

        Beside a bar a welcome has more and shorter lines, so Qt alone would keep the bar; and a
        picture is lower, so an answer that just fits would get and lose it for ever.
        """
        fits = not self.turns and self._welcome.heightForWidth(self.width()) <= self.height()
        off, on = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        self.setVerticalScrollBarPolicy(off if fits else on)

    def _range_changed(self, _least: int, most: int) -> None:
        self.verticalScrollBar().setEnabled(most > 0)  # it shows no handle then
        self._follow()

    def _follow(self) -> None:
        """Keep the newest answer in view: its end while it fits, its question once it does not."""
        if self._brought is not None:
            self.ensureWidgetVisible(self._brought.reasoning, 0, Space.L)
        elif self._following and self.turns:
            bar = self.verticalScrollBar()
            bar.setValue(min(bar.maximum(), self.turns[-1].y()))

    def _leave(self) -> None:
        # A person scrolls: the conversation stays where they put it until the next question.
        bar = self.verticalScrollBar()
        self._brought = None
        self._following = bar.sliderPosition() >= bar.maximum()


def _line() -> QFrame:
    line = QFrame()
    line.setProperty("role", "line")
    line.setFixedHeight(1)
    return line


class ChatHeader(QFrame):
    """list_wanted(shown): show or leave the list of conversations."""

    list_wanted = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "header")
        self.setFixedHeight(Size.PANEL_HEADER)
        self._text = self._question = ""
        self.title = ElidedLabel(bold=True)
        self.list_button = flat_button("history", self.tr("Conversations"), self.list_wanted)
        self.list_button.setCheckable(True)
        self.new_button = flat_button("message-square-plus", self.tr("New conversation"))
        row = in_row(self, (Space.INSET, 0, Space.M, 0), spacing=Space.XS)
        fill(row, (self.title, 1), *map(as_tall_as_its_bar, (self.new_button, self.list_button)))
        self.set_title("")

    def set_title(self, title: str) -> None:
        """Name the conversation; without a title it is a new one."""
        self._text = title
        self._show()

    def set_question(self, question: str) -> None:
        """Tell which question is shown first; a title that only repeats it is not shown."""
        self._question = " ".join(question.split())
        self._show()

    def set_list_shown(self, shown: bool) -> None:
        """Say what is shown below."""
        self.list_button.setChecked(shown)
        self._show()

    def _show(self) -> None:
        listed = self.list_button.isChecked()
        title = self._text
        if self._question.startswith(" ".join(title.split()).rstrip("… ")):
            title = ""  # the question stands right below
        shown = self.tr("Conversations") if listed else title or self.tr("Answers")
        self.title.setText(shown)
        self.title.setToolTip("" if listed else plain_tooltip(self._text) if self._text else "")


TURNS_AT_ONCE = 10
"""Of a stored conversation: more would hold up the window, and few are read at once."""
DELAY_MS = 250
WIDTH = 420


class CitationPopup(FloatingWindow):
    """A picture with its place above and the quote below; it takes no focus and no clicks."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner, Qt.WindowType.ToolTip)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.place = label("", factor=Type.SMALL, bold=True, wrap=True)
        self.picture = label()
        self.quote = label("", factor=Type.SMALL, tone="muted", wrap=True)
        left, top, right, bottom = (side + Space.M for side in self.room)
        column = in_column(self, (left, top, right, bottom), spacing=Space.S)
        for part in (self.place, self.picture, self.quote):
            part.setFixedWidth(WIDTH)
            column.addWidget(part)

    def show_citation(self, citation: CitationEvent, title: str) -> None:
        """Say what is cited; its picture follows once it is drawn."""
        page = wording.page_label(citation.source.label, citation.source.page)
        self.place.setText(f"{title}, {page}")
        quote = cells_apart(citation.quote)
        self.quote.say(wording.quoted(quote) if quote else "")
        self.picture.hide()

    def show_picture(self, pixmap: QPixmap) -> None:
        """Show the cited part of the page."""
        shown = QPixmap(pixmap)
        with QPainter(shown) as painter:
            dim_paper(painter, QRectF(shown.rect()))
        shown.setDevicePixelRatio(self.devicePixelRatioF())
        self.picture.setPixmap(shown)
        self.picture.show()
        self.adjustSize()


class CitationPreviews(QObject):
    """Waits a moment, so that crossing a mark shows nothing."""

    def __init__(self, owner: QWidget, title_of: Callable[[PageRegion], str]) -> None:
        super().__init__(owner)
        self._owner, self._title_of = owner, title_of
        self._pictures: PagePictures | None = None
        self._popup: CitationPopup | None = None
        self._wish: Wish | None = None
        self._over: tuple[Turn, int] | None = None
        self._wait = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._wait.timeout.connect(self._show)

    @property
    def popup(self) -> CitationPopup:
        """The popup; made when it is first needed."""
        if self._popup is None:
            self._popup = CitationPopup(self._owner)
        return self._popup

    def use_pictures(self, pictures: PagePictures) -> None:
        """Draw the previews with these."""
        self._pictures = pictures
        pictures.drawn.connect(self._take)

    def hover(self, turn: Turn, number: int) -> None:
        """The pointer is over this mark, 0: over none."""
        if number:
            self._over = (turn, number)
            self._wait.start()
        else:
            self.hide()

    def hide(self) -> None:
        """Hide the preview."""
        self._wait.stop()
        self._over = self._wish = None
        if self._popup is not None:
            self._popup.hide()

    def show_at(self, turn: Turn, number: int) -> None:
        """Show the preview of a citation now, beside the pointer."""
        citation = next((each for each in turn.citations if each.number == number), None)
        if citation is None:
            return
        popup = self.popup
        popup.show_citation(citation, self._title_of(citation.source))
        width = round(WIDTH * popup.devicePixelRatioF())
        self._wish = Wish(citation.source, "close", width)
        if self._pictures is not None:
            self._pictures.wish(self._wish)
        popup.adjustSize()
        popup.move(self._beside_pointer(popup))
        popup.show()

    def _show(self) -> None:
        if self._over is not None:
            self.show_at(*self._over)

    def _take(self, wish: Wish, pixmap: QPixmap | None) -> None:
        if wish == self._wish and pixmap is not None and self._popup is not None:
            self._popup.show_picture(pixmap)
            self._popup.move(self._beside_pointer(self._popup))

    def _beside_pointer(self, popup: CitationPopup) -> QPoint:
        """Return a position on the screen where its card does not cover the mark."""
        _, above, beside, below = popup.room
        at = QCursor.pos()
        screen = QGuiApplication.screenAt(at) or self._owner.screen()
        room, size = screen.availableGeometry(), popup.sizeHint()
        x = at.x() - size.width() - Space.L + beside
        x = min(max(room.left(), x), room.right() - size.width())
        y = at.y() + Space.L - above
        if y + size.height() > room.bottom():
            y = max(room.top(), at.y() - size.height() - Space.L + below)
        return QPoint(x, y)


class ChatPanel(QWidget):
    """asked(turn): run its question. places_wanted: see `Turn`.

    wanted(turn, what): what `Turn.wanted` says, unless a question follows from it.
    question_shown(question): places of its answer are wanted now.
    citation_hovered(number): the pointer is over its mark in the answer whose places
    are shown. note_wanted(event): read the cited note. escaped(): Esc was pressed here.
    """

    asked = Signal(object)
    wanted = Signal(object, str)
    stop_wanted = Signal()
    places_wanted = Signal(object, int)
    question_shown = Signal(str)
    citation_hovered = Signal(int)
    note_wanted = Signal(object)
    escaped = Signal()

    def __init__(self, title_of: Callable[[PageRegion], str]) -> None:
        super().__init__()
        painted_as(self, "panel")
        self.title_of = title_of
        self.asked_turn: Turn | None = None
        """The turn that was asked last, None if another conversation is shown by now."""
        self._earlier: list[StoredTurn] = []
        self._shown: Turn | None = None
        self._pictures: PagePictures | None = None
        self.composer = Composer()
        self.composer.asked.connect(lambda question: self.ask(question))
        self.composer.stop_wanted.connect(self.stop_wanted)
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        stop = QShortcut(Qt.Key.Key_Escape, self, context=within)
        stop.activated.connect(self._leave_or_stop)
        self.header = ChatHeader()
        self.header.list_wanted.connect(self.show_drawer)
        self.drawer = ConversationDrawer()
        self.list = TurnList()
        self.list.earlier_wanted.connect(self._show_earlier)
        self.list.offered.chosen.connect(lambda prompt, ids: self.ask(prompt, ids))
        self.previews = CitationPreviews(self, title_of)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self._build_conversation())
        self.split.setHandleWidth(1)
        fill(in_column(self), (self.split, 1), self.composer)

    @property
    def turns(self) -> list[Turn]:
        """The turns that are shown, oldest first."""
        return self.list.turns

    def use_pictures(self, pictures: PagePictures) -> None:
        """Draw previews, crops and covers with these."""
        self._pictures = pictures
        self.previews.use_pictures(pictures)
        for turn in self.turns:
            turn.use_pictures(pictures)

    def insert_below(self, widget: QWidget) -> None:
        """Put a panel between the conversation and the question field."""
        self.split.addWidget(widget)
        self.split.setStretchFactor(0, 3)
        self.split.setStretchFactor(1, 2)

    def focus_question(self) -> None:
        """Show the panel, with the keyboard focus in the question field."""
        self.show()
        self.composer.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def set_profile(self, profile: str) -> None:
        """Say what answers are made of, when no language model writes them."""
        self.list.quoted.setVisible(profile.lower() == "lite")

    def ask(
        self,
        question: str,
        ids: frozenset[int] | None = None,
        mode: str | None = None,
        region: PageRegion | None = None,
        photo: PhotoText | None = None,
        *,
        by_itself: bool = False,
    ) -> None:
        """Show the panel, begin a turn and ask for it to be run.

        ids: of these manuals; None takes what is chosen below. mode: as `ModeButton` has them;
        None takes the chosen one. region: the part of a page that the question is about.
        photo: the picture that it is about. by_itself: not read with the question before.
        """
        self.show()
        self._end_running("cancelled")
        self.show_drawer(False)
        if self.turns:
            self.turns[-1].suggestions.clear()
        chosen = self.composer.scope.selected if ids is None else ids
        how = self.composer.mode.mode if mode is None else mode
        manuals = self.composer.scope.manuals
        searched = [
            each.title.strip() or each.name for each in manuals if not chosen or each.id in chosen
        ]
        self.asked_turn = self._new_turn(question, how, chosen, searched)
        self.list.add(self.asked_turn)
        self._name_conversation()
        self.composer.set_running(True)
        self.asked_turn.region = region
        self.asked_turn.photo = photo
        self.asked_turn.by_itself = by_itself
        self.asked.emit(self.asked_turn)

    def take(self, event: Event) -> bool:
        """Show one event of the running question; returns whether that is shown."""
        turn = self.asked_turn
        if turn is None:  # another conversation is shown by now
            return False
        turn.take(event)
        if isinstance(event, CompleteEvent):
            self.composer.set_running(False)
            # The page is the proof: it is shown without being asked for.
            turn.show_first()
        return True

    def finish(self) -> None:
        """The run is over, whether or not it said so."""
        self.composer.set_running(False)
        self._end_running("failed")

    def clear(self) -> None:
        """Show no conversation; a running question is stopped."""
        if self.asked_turn is not None and self.asked_turn.running:
            self.stop_wanted.emit()
        self.asked_turn = None
        self._earlier = []
        self.previews.hide()
        self.composer.set_running(False)
        self.list.clear()

    def show_stored(self, turns: Sequence[StoredTurn]) -> None:
        """Show a conversation of the library, as it was when it was left."""
        self.clear()
        self._earlier = list(turns)
        newest = [self._earlier.pop() for _ in turns[-TURNS_AT_ONCE:]]
        for stored in reversed(newest):
            self.list.add(self._stored_turn(stored))
        self.list.tell_earlier(len(self._earlier))
        self._name_conversation()

    def show_last_place(self) -> None:
        """Show the page of the last answer; what another one marked is out of date."""
        if not self.turns or not self.turns[-1].show_first():
            self.places_wanted.emit([], 0)

    def show_drawer(self, shown: bool) -> None:
        """Show the list of conversations, or the conversation."""
        if shown != self.drawer_shown:
            self._pages.setCurrentWidget(self.drawer if shown else self.list)
            fade_in(self._pages)
        self.header.set_list_shown(shown)
        if shown:
            self.drawer.begin()

    @property
    def drawer_shown(self) -> bool:
        """Whether the list of conversations is shown."""
        return self._pages.currentWidget() is self.drawer

    def copy_answer(self) -> None:
        """Copy the last finished answer with its sources."""
        done = next((turn for turn in reversed(self.turns) if turn.text), None)
        if done is not None:
            done.copy()

    def do_last(self, action: str) -> None:
        """Do something with the last answer, as its own buttons do: see `Turn.wanted`."""
        turn = self.turns[-1] if self.turns else None
        if turn is None or turn.running:
            return
        if action != "open_report" or turn.research.reported:
            turn.wanted.emit(action)

    def _name_conversation(self) -> None:
        self.header.set_question(self.turns[0].question if self.turns else "")

    def _show_earlier(self) -> None:
        older = [self._earlier.pop() for _ in self._earlier[-TURNS_AT_ONCE:]]
        self.list.add_first([self._stored_turn(stored) for stored in reversed(older)])
        self.list.tell_earlier(len(self._earlier))

    def _stored_turn(self, stored: StoredTurn) -> Turn:
        turn = self._new_turn(stored.prompt)
        turn.turn_id = stored.id
        turn.replay(stored.events, stored.outcome or "cancelled")
        return turn

    def _new_turn(
        self,
        question: str,
        mode: str = "",
        ids: frozenset[int] = frozenset(),
        searched: Sequence[str] = (),
    ) -> Turn:
        from desktop.ui.chat.turn import Turn  # the window is painted before there is a question

        turn = Turn(question, self.title_of, mode, ids, searched)
        turn.use_pictures(self._pictures)
        turn.places_wanted.connect(lambda *_: self._show_question(turn))
        turn.places_wanted.connect(self.places_wanted)
        turn.wanted.connect(lambda what: self._do(turn, what))
        turn.research_wanted.connect(lambda how: self.ask(question, turn.document_ids, how))
        turn.answer.chip_hovered.connect(lambda number: self.previews.hover(turn, number))
        turn.citation_hovered.connect(lambda number: self._hovered(turn, number))
        turn.option_chosen.connect(
            lambda prompt, ids: self.ask(
                prompt, turn.document_ids or None if ids is None else ids, turn.mode
            )
        )
        turn.note_wanted.connect(self.note_wanted)
        return turn

    def _do(self, turn: Turn, what: str) -> None:
        if what == "again":
            ids = turn.document_ids or None
            self.ask(turn.question, ids, turn.mode, turn.region, turn.photo)
        elif what == "by_itself":
            self.ask(turn.question, turn.document_ids or None, turn.mode, by_itself=True)
        elif what == "edit":
            self.composer.write(turn.question)
        else:
            self.wanted.emit(turn, what)

    def _show_question(self, turn: Turn) -> None:
        self.previews.hide()
        if self._shown is not None and self._shown in self.turns:
            self._shown.light(0)
        self._shown = turn
        self.question_shown.emit(turn.question)

    def light(self, number: int) -> None:
        """Light the marks of a citation whose words are pointed at on their page; 0: none."""
        if self._shown is not None and self._shown in self.turns:
            self._shown.light(number)

    def _hovered(self, turn: Turn, number: int) -> None:
        if number and turn is self._shown:
            self.citation_hovered.emit(number)

    def _end_running(self, outcome: str) -> None:
        if self.asked_turn is not None:
            self.asked_turn.end(outcome)

    def _leave_or_stop(self) -> None:
        self.escaped.emit()
        if self.drawer_shown:
            self.show_drawer(False)
            self.composer.field.setFocus()
        elif self.asked_turn is not None and self.asked_turn.running:
            self.stop_wanted.emit()

    def _build_conversation(self) -> QWidget:
        page = QWidget()
        painted_as(page, "panel")
        whole = in_column(page)
        whole.addWidget(self.header)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self.drawer)
        whole.addWidget(self._pages, 1)
        return page
