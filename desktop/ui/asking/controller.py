"""A question's way through the window: asked in the chat, run, shown and its reasoning recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast
from weakref import ref

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from desktop.ui.bridge import Bridge, WindowPart
from desktop.ui.chat.composer import QuestionDraft
from desktop.ui.design.notices import in_sentences
from desktop.ui.files import choose_place, file_name
from desktop.ui.trace.timeline import Timeline, scores_in, timeline_of_trace
from desktop.ui.viewer.page_pictures import PagePictures

if TYPE_CHECKING:
    from desktop.core.conversations.suggested_questions import QuestionSuggester, SuggestedQuestion
    from desktop.core.engine import RunHandle
    from desktop.core.events import Event, PageRegion, ResearchMode
    from desktop.core.trace.reasoning_trace import ReasoningEntry, ReasoningTrace
    from desktop.core.workspace import Workspace
    from desktop.ui.asking.report_view import ReportView
    from desktop.ui.chat.chat_panel import ChatPanel
    from desktop.ui.chat.conversations import ConversationController
    from desktop.ui.chat.turn import Turn
    from desktop.ui.trace.trace_panel import TracePanel

    OnEvent = Callable[[Event], None]


REDRAW_MS = 60


class TraceController(WindowPart):
    """Records the reasoning of the running question, and shows that of one turn in the panel."""

    _written = Signal(object)

    def __init__(self, panel: TracePanel, parent: QObject) -> None:
        super().__init__(parent, lambda failure: panel.say(in_sentences(failure)))
        self._panel = panel
        self._turn: Turn | None = None
        self._asked: Turn | None = None
        self._running = ""  # the id of its trace
        self._live: ReasoningTrace | None = None
        self._over: set[str] = set()
        self._written.connect(self._record, Qt.ConnectionType.QueuedConnection)
        self._redraw = QTimer(self, singleShot=True, interval=REDRAW_MS)
        self._redraw.timeout.connect(self._draw)
        panel.export_button.clicked.connect(lambda _: self._choose_export())

    @property
    def turn(self) -> Turn | None:
        """Whose reasoning is shown."""
        return self._turn

    def open_workspace(self, workspace: Workspace) -> None:
        """Hear of every entry that is written in this library from now on, and read its traces."""
        self._workspace = workspace
        mine = ref(self)  # the sessions outlive this window

        def hear(trace: ReasoningTrace, _entry: ReasoningEntry) -> None:
            """Hand a copy on; it comes on the engine's thread, with its lock held."""
            controller = mine()
            if controller is not None and controller._workspace is not None:
                controller._written.emit((trace, _copy(trace)))

        workspace.sessions.on_entry(hear)
        self._panel.open_height = self.memory.trace_height

    def close(self) -> None:
        """Finish what is being written and join the thread."""
        self._redraw.stop()
        if self._workspace is not None:
            self.memory.trace_height = self._panel.height_when_open
        super().close()

    def begin(self, turn: Turn) -> None:
        """Follow a question that is asked now: the next new trace is its own."""
        self._end_recording()
        self._asked = self._turn = turn
        self._panel.begin(turn.question)

    def take(self, turn: Turn) -> None:
        """An event of a question has come."""
        if turn is self._turn:
            self._redraw_soon()

    def finish(self) -> None:
        """The running question is over."""
        self._end_recording()
        self._draw()

    def show(self, turn: Turn) -> None:
        """Show how a question was answered, running or not; a stored trace is read once."""
        self._turn = turn
        self._panel.begin(turn.question)
        workspace, turn_id = self._workspace, turn.turn_id
        if workspace is not None and turn_id is not None and turn.trace is None:
            turn.turn_id = None
            traces = workspace.traces

            def take(trace: ReasoningTrace | None) -> None:
                turn.trace = trace
                if turn is self._turn:
                    self._draw()

            self._errands.run(lambda: traces.of_turn(turn_id), take)
        else:
            self._draw()

    def forget(self) -> None:
        """Show no question."""
        self._turn = None
        self._panel.forget()

    def export(self, path: Path) -> None:
        """Write the trace of the turn that is shown."""
        trace = self._turn.trace if self._turn is not None else None
        if trace is None:
            return
        from desktop.core.trace.export import write_json

        said = self.tr("Reasoning saved to {name}.").format(name=path.name)
        self._errands.run(lambda: write_json([trace], path), lambda _: self._panel.say(said))

    def _record(self, written: tuple[ReasoningTrace, ReasoningTrace]) -> None:
        live, copied = written
        if self._asked is None or copied.interaction_id in self._over:
            return
        self._running = self._running or copied.interaction_id
        if copied.interaction_id == self._running:
            self._live = live
            self._asked.trace = copied
            self._redraw_soon()

    def _end_recording(self) -> None:
        """Keep how the trace of the question that is over ended."""
        if self._asked is not None and self._live is not None:
            self._asked.trace = _copy(self._live)
        self._over |= {self._running} - {""}
        self._running, self._live, self._asked = "", None, None

    def _choose_export(self) -> None:
        if self._turn is not None:
            kinds = {"json": self.tr("JSON (*.json)")}
            title, name = self.tr("Export the reasoning"), file_name(self._turn.question)
            choose_place(self._panel, title, name, kinds, self.export)

    def _redraw_soon(self) -> None:
        if not self._redraw.isActive():
            self._redraw.start()

    def _draw(self) -> None:
        self._redraw.stop()
        if self._turn is not None:
            timeline = timeline_of(self._turn)
            self._panel.show_timeline(timeline)
            self._turn.reasoning.show_timeline(timeline)


def _copy(trace: ReasoningTrace) -> ReasoningTrace:
    return replace(trace, entries=list(trace.entries), fulfilled=list(trace.fulfilled))


def timeline_of(turn: Turn) -> Timeline:
    """Return the timeline of a turn as far as it is recorded."""
    if turn.trace is None:
        return Timeline(finished=not turn.running)
    return timeline_of_trace(turn.trace, scores_in(turn.events))


class Suggester(QObject):
    """Offers questions that the manuals answer, as the reader finds them beside other work."""

    def __init__(self, chat: ChatPanel) -> None:
        super().__init__(chat)
        self._chat = chat
        self._suggester: QuestionSuggester | None = None
        self._after: Turn | None = None
        self._bridge = Bridge("groundwork-suggestions", self, self._offer)
        self._ready: frozenset[int] = frozenset()
        chat.composer.scope.changed.connect(self.begin)
        chat.composer.scope.manuals_changed.connect(self.begin)

    def open_workspace(self, workspace: Workspace) -> None:
        """Look into the manuals of this library."""
        self._suggester = workspace.suggester
        self.begin()

    def close(self) -> None:
        """Stop and join."""
        self._suggester = None
        self._bridge.close()

    def stop(self) -> None:
        """A person asks: nothing else is wanted now."""
        self._after = None
        self._bridge.cancel()

    def begin(self) -> None:
        """Offer what could be asked first."""
        suggester, scope = self._suggester, self._chat.composer.scope
        ready = {each.id for each in scope.manuals if each.state == "ready"}
        asked = frozenset(ready & scope.selected if scope.selected else ready)
        if suggester is None or asked == self._ready or self._chat.turns:
            return
        self._ready, self._after = asked, None
        self._chat.list.offered.clear()
        self._bridge.start(
            lambda cancel: suggester.to_begin_with(sorted(asked), lambda: cancel.cancelled)
        )

    def begin_again(self) -> None:
        """A new conversation: what was found beside another one was not offered."""
        self._ready = frozenset()
        self.begin()

    def after(self, turn: Turn) -> None:
        """Offer what could be asked after an answer."""
        suggester = self._suggester
        if suggester is None or turn.outcome != "answered" or not turn.citations:
            return
        self._after, asked = turn, turn.question
        cited = [each.source for each in turn.citations]
        self._bridge.start(
            lambda cancel: suggester.after_answer(cited, asked, lambda: cancel.cancelled)
        )

    def _offer(self, question: SuggestedQuestion) -> None:
        turns, manuals = self._chat.turns, self._chat.composer.scope.manuals
        if self._after is None and not turns:
            titles = {each.id: each.title for each in manuals} if len(manuals) > 1 else {}
            self._chat.list.offered.add(question, titles.get(question.document_id, ""))
        elif turns and turns[-1] is self._after:
            turns[-1].suggestions.add(question)


class Asking(WindowPart):
    """begun(): a question was asked; what an earlier answer marked is out of date.

    report_wanted(report): show this `ReportView`.
    """

    begun = Signal()
    report_wanted = Signal(object)

    def __init__(
        self,
        chat: ChatPanel,
        trace: TracePanel,
        conversations: ConversationController,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._chat = chat
        self._panel = trace
        self._trace = TraceController(trace, self)
        self.pictures: PagePictures | None = None
        self._conversations = conversations
        self._suggester = Suggester(chat)
        self._draft = QuestionDraft(chat.composer.field)
        self._reports: dict[tuple[str, str], ReportView] = {}
        self._read_meanwhile: set[int] = set()
        self._question = self.bridge("question", self._take, lambda _: self._finish())
        chat.composer.scope.manuals_changed.connect(self._look_again)
        chat.asked.connect(self._ask)
        chat.stop_wanted.connect(self.stop)
        chat.wanted.connect(self._show)
        trace.opened.connect(lambda _: self._mark_open())
        conversations.shown.connect(self._show_last_trace)
        conversations.left.connect(self._suggester.begin_again)

    def open_workspace(self, workspace: Workspace) -> None:
        """Ask the manuals of this library from now on."""
        self._workspace = workspace
        researches = workspace.deep_research is not None and workspace.settings.reasoning.enabled
        self._chat.composer.mode.allow_research(researches)
        self.pictures = PagePictures(workspace, self)
        self._panel.use_pictures(self.pictures)
        self._chat.use_pictures(self.pictures)
        self._suggester.open_workspace(workspace)
        self._draft.remember_in(workspace.library.folder.root)
        self._trace.open_workspace(workspace)

    def explain(self, place: PageRegion, question: str) -> None:
        """Ask about a part of a page that a person framed; "" asks what it shows."""
        title = self._chat.title_of(place)
        where = self.tr("region on page {page} of {title}").format(page=place.label, title=title)
        if question:
            asked = self.tr("{question} ({where})").format(question=question, where=where)
        else:
            asked = self.tr("What does this show? ({where})").format(where=where)
        self._chat.ask(asked, mode="", region=place)

    def stop(self) -> None:
        """Stop the running question."""
        self._question.cancel()

    def close(self) -> None:
        """Stop and join what runs."""
        super().close()
        self._draft.save()
        self._trace.close()
        self._suggester.close()
        self._chat.previews.hide()
        if self.pictures is not None:
            self.pictures.close()

    def _ask(self, turn: Turn) -> None:
        workspace = self._workspace
        if workspace is None:
            return
        question, ids, mode = turn.question, turn.document_ids, turn.mode
        region, photo = turn.region, turn.photo
        conversation = self._conversations.for_question(question, ids)
        self._read_meanwhile.clear()
        self._trace.begin(turn)
        self._mark_open()
        self._suggester.stop()
        self.begun.emit()

        def start(on_event: OnEvent, on_done: Callable[[], None]) -> RunHandle:
            if photo is not None:
                return workspace.ask_picture(question, photo, ids, on_event, on_done, conversation)
            if region is not None:
                return workspace.explain_region(
                    question, region, ids, on_event, on_done, conversation
                )
            if mode:
                wanted = cast("ResearchMode", mode)
                return workspace.research(
                    question, wanted, ids, on_event, on_done, None, conversation
                )
            return workspace.ask(
                question, ids, on_event, on_done, conversation, by_itself=turn.by_itself
            )

        self._question.follow(start)

    def _take(self, event: Event) -> None:
        turn = self._chat.asked_turn
        if self._chat.take(event) and turn is not None:
            self._trace.take(turn)

    def _unread(self) -> frozenset[int]:
        return frozenset(each.id for each in self._chat.composer.scope.manuals if each.being_read)

    def look_again_at(self, document_id: int) -> None:
        """Offer to ask again what is unsure as long as pages of this manual are being read."""
        self._read_meanwhile.add(document_id)
        for turn in self._chat.turns:
            if document_id in turn.unread:
                turn.offer_again()

    def _look_again(self) -> None:
        """Offer to ask again what was asked while manuals were being read that are read now."""
        for turn in self._chat.turns:
            if turn.unread and not turn.unread & self._unread():
                turn.offer_again()

    def _show(self, turn: Turn, what: str) -> None:
        if what == "open_report":
            self._show_report(turn)
        elif what == "reasoning" and self._is_open_of(turn):
            self._panel.hide()
        elif what == "reasoning":
            self._trace.show(turn)
            self._panel.show()
            self._chat.list.bring(turn)
            self._mark_open()

    def _is_open_of(self, turn: Turn) -> bool:
        return not self._panel.isHidden() and self._trace.turn is turn

    def _mark_open(self) -> None:
        """Let each answer show whether its reasoning is the one that is open."""
        for turn in self._chat.turns:
            turn.reasoning.show_opened(self._is_open_of(turn))

    def _show_last_trace(self) -> None:
        if self._chat.turns:
            self._trace.show(self._chat.turns[-1])
        else:
            self._trace.forget()
        self._mark_open()

    def _show_report(self, turn: Turn) -> None:
        chat, says = self._chat, (turn.question, turn.text)
        report = self._reports.get(says)
        if report is None or not isValid(report):  # a person may have closed it
            from desktop.ui.asking.report_view import ReportView

            report = self._reports[says] = ReportView(turn, chat.title_of, self.pictures)
            # its turn is gone once the conversation is left
            report.places_wanted.connect(
                lambda *places: (turn if isValid(turn) else chat).places_wanted.emit(*places)
            )
            report.note_wanted.connect(chat.note_wanted)
            report.hand_on_wanted.connect(lambda way: chat.wanted.emit(turn, way))
        self.report_wanted.emit(report)

    def _finish(self) -> None:
        turn = self._chat.asked_turn
        self._chat.finish()
        self._trace.finish()
        if turn is not None:
            self._suggester.after(turn)
            if turn.outcome in ("not_found", "partial"):
                unread = self._unread()
                turn.unread = unread & (turn.document_ids or unread)
                if turn.unread & self._read_meanwhile:
                    turn.offer_again()
        self._conversations.refresh()  # how much was asked, and when
