"""The parser process's main loop: one request after the other until its stdin closes."""

from __future__ import annotations

import faulthandler
import logging
import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import msgspec

from desktop.core.errors import DocumentError, UnreadablePdf
from desktop.core.parsing import messages
from desktop.core.parsing.messages import FrameDecoder, Stage, no_report, write_frame
from desktop.core.parsing.mupdf import load_mupdf
from desktop.core.parsing.service import ParsingService
from desktop.core.parsing.worker_process import limit_resources
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.core.parsing.completing import RecognizerFactory

_log = logging.getLogger(__name__)

_READ_BYTES = 65_536
# The supervisor kills far earlier; this ends a worker that hangs in C after its
# supervisor was killed, when no Python code can run any more.
_LAST_RESORT_SECONDS = 300.0


def serve(incoming: int, outgoing: int, load_recognizer: RecognizerFactory | None) -> None:
    """Answer requests; return when there is nothing more to read.

    incoming, outgoing: file descriptors that carry frames and nothing else.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the application to handle
    faulthandler.enable(sys.stderr)
    _Worker(outgoing, load_recognizer).run(_requests(incoming))


def _requests(incoming: int) -> Iterator[messages.Request]:
    """Yield requests as a watching thread reads them; it ends the process when stdin closes."""
    waiting: queue.SimpleQueue[messages.Request] = queue.SimpleQueue()
    watcher = threading.Thread(
        target=_watch_stdin, args=(incoming, waiting.put), name="stdin", daemon=True
    )
    watcher.start()
    while True:
        yield waiting.get()


def _watch_stdin(incoming: int, take: Callable[[messages.Request], None]) -> None:
    decoder = FrameDecoder(msgspec.msgpack.Decoder(messages.Request))
    while data := os.read(incoming, _READ_BYTES):
        for request in decoder.feed(data):
            take(request)
    # The application is gone or wants no more. Nothing here needs tidying up, and the
    # main thread may be busy with a page for long.
    os._exit(0)


class _Worker:
    def __init__(self, outgoing: int, load_recognizer: RecognizerFactory | None) -> None:
        self._outgoing = outgoing
        self._encoder = msgspec.msgpack.Encoder()
        self._load_recognizer = load_recognizer

    def run(self, requests: Iterator[messages.Request]) -> None:
        for request in requests:
            faulthandler.dump_traceback_later(_LAST_RESORT_SECONDS, exit=True)
            try:
                self._answer(request)
            except DocumentError as error:
                self._send(messages.Failed.of(error))
            except BrokenPipeError:
                return
            except Exception as error:
                _log.exception("request failed")
                self._send(
                    messages.Failed.of(UnreadablePdf(said("cannot be read: {error}", error=error)))
                )
            else:
                self._send(messages.Done())
            faulthandler.cancel_dump_traceback_later()

    def _answer(self, request: messages.Request) -> None:
        if isinstance(request, messages.Configure):
            self._configure(request.limits)
            return
        service = self._service
        match request:
            case messages.OpenFile(name, password):
                self._send(messages.Opened(service.open(_path(name), password)))
                self._send(messages.Titled(service.title(_path(name), password)))
            case messages.ReadText(name, password, first, last):
                for page in range(first, last):
                    # After the first, every page of a stream is its own sign of life.
                    report = self._stage if page == first else no_report
                    text = service.read_text(_path(name), page, password, report)
                    self._send(messages.TextRead(text))
            case messages.ReadSize(name, password, page):
                self._send(messages.SizeRead(*service.page_size(_path(name), page, password)))
            case messages.LookAt(name, password, page, avoid):
                path = _path(name)
                service.look_at(path, page, password, self._stage, avoid)
                self._send(messages.Looked())
                slow = service.is_slow_to_draw(path, page, password)
                self._send(messages.DrawnSlowly(slow))
            case messages.ReadLayout(name, password, page, avoid, before):
                path = _path(name)
                layout = service.read_layout(path, page, password, self._stage, avoid, before)
                self._send(messages.LayoutRead(layout))
            case messages.ReadLinks(name, password, page):
                links = service.read_links(_path(name), page, password)
                self._send(messages.LinksRead(links))
            case messages.Draw(name, password, page, scale, clip):
                image = service.draw(_path(name), page, scale, clip, password)
                self._send(messages.Drawn(image))
            case messages.ReadPhoto(data):
                self._send(messages.PhotoRead(service.read_photo(data, self._stage)))
            case messages.WriteHighlights(name, password, copy, highlights):
                service.write_highlights(_path(name), _path(copy), highlights, password)
            case messages.Convert(name, target, suffix, called):
                service.convert(_path(name), _path(target), suffix, called)
            case _:
                assert_never(request)

    def _configure(self, limits: messages.Limits) -> None:
        limit_resources(limits.memory_gib)
        load_mupdf()
        self._service = ParsingService(limits, self._load_recognizer)

    def _stage(self, stage: Stage, page: int) -> None:
        self._send(messages.Staged(stage, page))

    def _send(self, reply: messages.Reply) -> None:
        write_frame(self._outgoing, self._encoder.encode(reply))


def _path(name: bytes) -> Path:
    return Path(os.fsdecode(name))
