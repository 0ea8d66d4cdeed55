"""The parser as a supervised process of its own: calls, time limits, restarts, suspect files."""

from __future__ import annotations

import itertools
import logging
import os
import queue
import threading
import time
from collections import defaultdict, deque
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from desktop.core.errors import DocumentError, ParserLimit, PhotoTooHeavy, UnreadablePdf
from desktop.core.jobs import Cancelled
from desktop.core.parsing import messages
from desktop.core.parsing.parser import UNKNOWN_SIZE
from desktop.core.parsing.worker_process import WorkerLost, WorkerProcess
from desktop.core.structure.values import PageText
from desktop.sentences import message, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop.core.settings.sections import ParserSettings
    from desktop.core.structure.values import (
        BoxTuple,
        DocumentInfo,
        PageHighlight,
        PageImage,
        PageLayout,
        PageLink,
        PhotoText,
    )

# How long the worker may take to import MuPDF, and to load the OCR model: five seconds. On a
# machine that does much else it took a minute once, and a sound file was called unreadable.
START_SECONDS = 180.0
# OCR takes several times as long as anything else on a page.
_OCR_FACTOR = 3.0
# Setting all pages of another document.
_CONVERT_FACTOR = 8.0
# Judging how slowly a page draws, or reading its title: not worth more.
_EXTRA_SECONDS = 3.0

# A person waits for drawing; for everything else only a progress bar does.
URGENT, USUAL = 0, 1

_sequence = itertools.count()


@dataclass(order=True, slots=True)
class Call:
    """A request and the queue its replies arrive in, an exception or None as the last.

    urgency: URGENT goes before USUAL.
    """

    urgency: int
    order: int = field(init=False, default_factory=lambda: next(_sequence))
    request: messages.Request | None = field(compare=False)
    cancelled: bool = field(default=False, compare=False)
    replies: queue.SimpleQueue[messages.Reply | BaseException | None] = field(
        default_factory=queue.SimpleQueue, compare=False
    )

    def results(self) -> Iterator[messages.Reply]:
        """Yield the replies as they come, blocking.

        Raises: what ended the call early.
        """
        while (reply := self.replies.get()) is not None:
            if isinstance(reply, BaseException):
                raise reply
            yield reply


def seconds_after(
    reply: messages.Reply | None, settings: ParserSettings, request: messages.Request | None = None
) -> float:
    """Return how long to wait for what comes after `reply` (None: after the request)."""
    match reply:
        case None if isinstance(request, messages.Convert):
            return settings.document_seconds * _CONVERT_FACTOR
        case None:
            return settings.document_seconds
        case messages.Staged(stage="starting_ocr"):
            return START_SECONDS
        case messages.Staged(stage="ocr"):
            return settings.page_seconds * _OCR_FACTOR
        case messages.Opened() | messages.Looked():
            return min(_EXTRA_SECONDS, settings.page_seconds)
        case _:
            return settings.page_seconds


_JOIN_SECONDS = 10.0

# PyMuPDF's layout keeps 2 to 4 MB of each page. A new worker takes 2 s and has forgotten what
# it learnt of the document, so that is chosen where another one begins, if it can wait so long.
_TIRED, _EXHAUSTED = 0.25, 0.8


class Supervisor:
    """Accepts calls from any thread and answers them in order of urgency.

    A worker that is lost takes only its current call with it; the next call gets a new
    one.
    """

    def __init__(
        self,
        settings: ParserSettings,
        command: Sequence[str] | None = None,
        idle_seconds: float | None = None,
    ) -> None:
        """idle_seconds: a worker that nobody needs for so long is ended; None: never."""
        self._settings = settings
        self._command = command
        self._idle_seconds = idle_seconds
        self._waiting: queue.PriorityQueue[Call] = queue.PriorityQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._worker: WorkerProcess | None = None
        self._closing = threading.Event()
        self._last_path: bytes | None = None

    @property
    def worker_pid(self) -> int | None:
        """The process id of the worker, None while there is none."""
        worker = self._worker
        return worker.pid if worker is not None else None

    def submit(self, urgency: int, request: messages.Request | None) -> Call:
        """Queue a request (None: only see to it that a worker runs).

        Raises: Cancelled, after `close`.
        """
        call = Call(urgency, request)
        with self._lock:
            if self._closing.is_set():
                raise Cancelled
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="parser-supervisor", daemon=True
                )
                self._thread.start()
            self._waiting.put(call)
        return call

    def close(self) -> None:
        """End the worker, cut the running call off, and wait for the thread."""
        with self._lock:
            if self._closing.is_set():
                return
            self._closing.set()
            thread = self._thread
        if thread is not None:
            self._waiting.put(Call(-1, None))  # wakes the thread
            thread.join(_JOIN_SECONDS)

    def _run(self) -> None:
        while True:
            try:
                idle = self._idle_seconds if self._worker is not None else None
                call = self._waiting.get(timeout=idle)
            except queue.Empty:
                self._drop_worker()
                continue
            if self._closing.is_set():
                call.replies.put(Cancelled())
                break
            if not call.cancelled:
                self._serve(call)
        self._drop_worker()
        self._refuse_the_rest()

    def _serve(self, call: Call) -> None:
        try:
            self._relieve(call.request)
            worker = self._ready_worker()
            if call.request is not None:
                self._exchange(worker, call, call.request)
        except WorkerLost as lost:
            _log.warning("parser worker lost: %s", lost)
            self._drop_worker()
            call.replies.put(ParserLimit(message(lost), lost.kind))
        except Cancelled as cancelled:
            self._drop_worker()
            call.replies.put(cancelled)
        else:
            call.replies.put(None)

    def _exchange(self, worker: WorkerProcess, call: Call, request: messages.Request) -> None:
        worker.send(request)
        reply: messages.Reply | None = None
        while True:
            seconds = seconds_after(reply, self._settings, request)
            reply = worker.receive(seconds, self._closing.is_set)
            match reply:
                case messages.Done():
                    return
                case messages.Failed():
                    call.replies.put(reply.error())
                    return
                case _:
                    call.replies.put(reply)

    def _relieve(self, request: messages.Request | None) -> None:
        """End a worker that has grown, before the limit makes some page look to blame."""
        path = getattr(request, "path", None)
        share = _EXHAUSTED if path == self._last_path else _TIRED
        if self._worker is not None and self._worker.used_share() > share:
            _log.info("parser worker replaced: %.0f %% of its memory", share * 100)
            self._drop_worker()
        self._last_path = path

    def _ready_worker(self) -> WorkerProcess:
        if self._worker is not None and not self._worker.alive:
            self._drop_worker()  # ended between calls, nobody's fault
        if self._worker is None:
            try:
                self._start_worker()
            except WorkerLost as lost:
                raise WorkerLost(
                    "start", said("the PDF reader does not start: {lost}", lost=lost)
                ) from lost
        assert self._worker is not None
        return self._worker

    def _start_worker(self) -> None:
        self._worker = worker = WorkerProcess(self._settings.memory_gib, self._command)
        worker.send(messages.Configure(messages.Limits.of(self._settings)))
        worker.receive(START_SECONDS, self._closing.is_set)

    def _drop_worker(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker = None

    def _refuse_the_rest(self) -> None:
        while True:
            try:
                call = self._waiting.get_nowait()
            except queue.Empty:
                return
            call.replies.put(Cancelled())


# A document with more of them is structured without looking at sample pages.
_MOST_TO_AVOID = 3


class Suspects:
    """Which pages of which files took a worker down: never samples of a document. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pages: defaultdict[Path, set[int]] = defaultdict(set)

    def add(self, path: Path, page: int) -> None:
        """Remember a page."""
        with self._lock:
            self._pages[path].add(page)

    def of(self, path: Path) -> tuple[int, ...]:
        """Return the pages of a file."""
        with self._lock:
            return tuple(sorted(self._pages.get(path, ())))


# Short enough that drawing a page gets its turn, long enough to keep the worker busy.
_PAGES_PER_CALL = 32
_CALLS_AHEAD = 2
_RESTART_SECONDS = 1.0


@dataclass(slots=True)
class _Piece:
    """Pages `next` to `last` - 1, asked for in one call."""

    next: int
    last: int
    call: Call


class TextStream:
    """Pages `first` to `last` - 1 of one file, in order.

    patience: seconds that lost workers may cost in all before the document is given up.
    """

    def __init__(
        self,
        supervisor: Supervisor,
        suspects: Suspects,
        path: Path,
        password: str | None,
        patience: float,
    ) -> None:
        self._supervisor = supervisor
        self._suspects = suspects
        self._path = path
        self._password = password
        self._patience = patience
        self._ahead: deque[_Piece] = deque()

    def pages(self, first: int, last: int) -> Iterator[PageText]:
        """Yield the pages; one that took a worker down comes with its `error` set."""
        try:
            while first < last or self._ahead:
                while first < last and len(self._ahead) < _CALLS_AHEAD:
                    end = min(last, first + _PAGES_PER_CALL)
                    self._ahead.append(self._asked(first, end))
                    first = end
                yield from self._finished(self._ahead[0])
                self._ahead.popleft()
        finally:
            for piece in self._ahead:
                piece.call.cancelled = True

    def _finished(self, piece: _Piece) -> Iterator[PageText]:
        while piece.next < piece.last:
            waiting_since = time.monotonic()
            try:
                for reply in piece.call.results():
                    if isinstance(reply, messages.TextRead):
                        piece.next += 1
                        yield reply.text
                        waiting_since = time.monotonic()
                return
            except ParserLimit as limit:
                self._give_up_if_hopeless(limit, time.monotonic() - waiting_since)
                yield self._lost_page(piece.next, limit)
            piece.next += 1
            piece.call = self._asked(piece.next, piece.last).call

    def _asked(self, first: int, last: int) -> _Piece:
        request = messages.ReadText(os.fsencode(self._path), self._password, first, last)
        return _Piece(first, last, self._supervisor.submit(USUAL, request))

    def _give_up_if_hopeless(self, limit: ParserLimit, seconds: float) -> None:
        self._patience -= seconds + _RESTART_SECONDS
        if limit.kind == "start" or self._patience < 0:
            raise limit

    def _lost_page(self, page: int, limit: ParserLimit) -> PageText:
        self._suspects.add(self._path, page)
        return PageText(page, *self._size(page), b"", str(limit))

    def _size(self, page: int) -> tuple[float, float]:
        request = messages.ReadSize(os.fsencode(self._path), self._password, page)
        size = UNKNOWN_SIZE
        try:
            for reply in self._supervisor.submit(USUAL, request).results():
                if isinstance(reply, messages.SizeRead):
                    size = (reply.width, reply.height)
        except DocumentError:
            return UNKNOWN_SIZE
        return size


_log = logging.getLogger(__name__)

AnswerT = TypeVar("AnswerT")


IDLE_SECONDS = 20.0
"""After so long a process that read layouts beside the first one is ended."""


class ParserProcess:
    """A Parser in supervised processes with limits on time, memory and pixels.

    Calls from several threads are answered one after the other, drawing first; layouts that are
    asked for at the same time are read side by side, each in a process of its own.
    """

    def __init__(self, settings: ParserSettings, command: Sequence[str] | None = None) -> None:
        """Prepare; the process starts with the first call or `warm_up`.

        command: how to start the worker, by default with this very program.
        """
        self._settings = settings
        self._command = command
        self._supervisor = Supervisor(settings, command)
        self._free = [self._supervisor]
        self._others: list[Supervisor] = []
        self._lending = threading.Lock()
        self._closed = False
        self._suspects = Suspects()

    @property
    def worker_pid(self) -> int | None:
        """The worker's process id, None while there is none."""
        return self._supervisor.worker_pid

    def warm_up(self) -> None:
        """Start the worker now, without waiting, so that the first call finds it ready."""
        self._supervisor.submit(USUAL, None)

    def open(self, path: Path, password: str | None = None) -> DocumentInfo:
        """See Parser."""
        info: DocumentInfo | None = None
        try:
            for reply in self._ask(USUAL, messages.OpenFile(os.fsencode(path), password)):
                if isinstance(reply, messages.Opened):
                    info = reply.info
                elif isinstance(reply, messages.Titled) and info is not None:
                    info = replace(info, title=reply.title)
        except ParserLimit as limit:
            if info is None:
                raise
            _log.warning("printed title not read: %s", limit)
        return _answered(info)

    def read_text(
        self, path: Path, first: int, last: int, password: str | None = None
    ) -> Iterator[PageText]:
        """See Parser. Raises ParserLimit once lost pages have cost `document_seconds`."""
        patience = self._settings.document_seconds
        stream = TextStream(self._supervisor, self._suspects, path, password, patience)
        return stream.pages(first, last)

    def read_layout(
        self,
        path: Path,
        page: int,
        password: str | None = None,
        before: Callable[[], bytes] = bytes,
    ) -> PageLayout:
        """See Parser."""
        with self._lent() as supervisor:
            while (slow := self._look(supervisor, path, page, password)) is None:
                pass
            end = before()
            while (layout := self._structured(supervisor, path, page, password, end)) is None:
                pass
            return replace(layout, slow_to_draw=slow)

    def draw(
        self,
        path: Path,
        page: int,
        scale: float,
        clip: BoxTuple | None = None,
        password: str | None = None,
    ) -> PageImage:
        """See Parser."""
        request = messages.Draw(os.fsencode(path), password, page, scale, clip)
        return self._answer(URGENT, request, messages.Drawn).image

    def read_links(
        self, path: Path, page: int, password: str | None = None
    ) -> tuple[PageLink, ...]:
        """See Parser."""
        request = messages.ReadLinks(os.fsencode(path), password, page)
        return self._answer(URGENT, request, messages.LinksRead).links

    def write_highlights(
        self,
        path: Path,
        copy: Path,
        highlights: Sequence[PageHighlight],
        password: str | None = None,
    ) -> None:
        """See Parser."""
        request = messages.WriteHighlights(
            os.fsencode(path), password, os.fsencode(copy), tuple(highlights)
        )
        for _ in self._ask(URGENT, request):
            pass  # it is answered by nothing but its end

    def convert(self, source: Path, target: Path, suffix: str, name: str) -> None:
        """See Parser."""
        request = messages.Convert(os.fsencode(source), os.fsencode(target), suffix, name)
        try:
            for _ in self._ask(USUAL, request):
                pass  # it is answered by nothing but its end
        except BaseException:
            target.unlink(missing_ok=True)  # of a worker that was ended meanwhile
            raise

    def read_photo(self, data: bytes) -> PhotoText:
        """See Parser."""
        try:
            return self._answer(URGENT, messages.ReadPhoto(data), messages.PhotoRead).photo
        except ParserLimit as limit:
            raise PhotoTooHeavy(message(limit)) from limit

    def close(self) -> None:
        """See Parser."""
        with self._lending:
            self._closed = True
            others = list(self._others)
        for supervisor in (self._supervisor, *others):
            supervisor.close()

    @contextmanager
    def _lent(self) -> Iterator[Supervisor]:
        """Give a process in which no other layout is being read; the first one if it is free."""
        with self._lending:
            if self._closed:
                raise Cancelled
            if self._free:
                supervisor = self._free.pop()
            else:
                supervisor = Supervisor(self._settings, self._command, IDLE_SECONDS)
                self._others.append(supervisor)
        try:
            yield supervisor
        finally:
            with self._lending:
                self._free.append(supervisor)
                # the first one last in the list: it is taken first, and the others may end
                self._free.sort(key=lambda each: each is self._supervisor)

    def _avoided(self, path: Path) -> tuple[int, ...] | None:
        """Return the pages of a file that must not be sampled, None for all."""
        avoid = self._suspects.of(path)
        return avoid if len(avoid) < _MOST_TO_AVOID else None

    def _look(
        self, supervisor: Supervisor, path: Path, page: int, password: str | None
    ) -> bool | None:
        """Have a page looked at; return whether it is slow to draw, None as in `_replies`."""
        request = messages.LookAt(os.fsencode(path), password, page, self._avoided(path))
        replies = self._replies(supervisor, request, path)
        slow = (each.slow for each in replies if isinstance(each, messages.DrawnSlowly))
        return next(slow, True) if replies else None

    def _structured(
        self, supervisor: Supervisor, path: Path, page: int, password: str | None, before: bytes
    ) -> PageLayout | None:
        """Return the layout of a page, None as in `_replies`."""
        avoid = self._avoided(path)
        request = messages.ReadLayout(os.fsencode(path), password, page, avoid, before)
        replies = self._replies(supervisor, request, path)
        return next(
            (each.layout for each in replies if isinstance(each, messages.LayoutRead)), None
        )

    def _replies(
        self,
        supervisor: Supervisor,
        request: messages.LookAt | messages.ReadLayout,
        path: Path,
    ) -> list[messages.Reply]:
        """Return the replies, none if a sample page took the worker down: try again.

        Raises: UnreadablePdf, if there is no reply; ParserLimit, if the page itself did.
        """
        replies: list[messages.Reply] = []
        busy_with: int | None = None
        try:
            for reply in supervisor.submit(USUAL, request).results():
                if isinstance(reply, messages.Staged):
                    busy_with = reply.page
                else:
                    replies.append(reply)
        except ParserLimit:
            if replies:  # only drawing it was too much
                return replies
            if busy_with is not None:
                self._suspects.add(path, busy_with)
            if busy_with in (request.page, None):
                raise
            return []
        return _answered(replies or None)

    def _answer(self, urgency: int, request: messages.Request, kind: type[AnswerT]) -> AnswerT:
        """Return the reply of a kind that a request has."""
        replies = [each for each in self._ask(urgency, request) if isinstance(each, kind)]
        return _answered(replies[0] if replies else None)

    def _ask(self, urgency: int, request: messages.Request) -> Iterator[messages.Reply]:
        return self._supervisor.submit(urgency, request).results()


def _answered(answer: AnswerT | None) -> AnswerT:
    if answer is None:
        raise UnreadablePdf(said("the PDF reader gave no answer"))
    return answer
