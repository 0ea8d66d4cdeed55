"""The parser the application uses: everything dangerous happens in another process."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from desktop.core.errors import ParserLimit, UnreadablePdf
from desktop.core.parsing import messages
from desktop.core.parsing.calls import URGENT, USUAL
from desktop.core.parsing.supervisor import Supervisor
from desktop.core.parsing.suspects import Suspects
from desktop.core.parsing.text_stream import TextStream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop.core.parsing.values import (
        BoxTuple,
        DocumentInfo,
        PageImage,
        PageLayout,
        PageLink,
        PageText,
    )
    from desktop.core.settings.sections import ParserSettings

_log = logging.getLogger(__name__)

AnswerT = TypeVar("AnswerT")


class ParserProcess:
    """A Parser in a supervised process with limits on time, memory and pixels.

    Calls from several threads are answered one after the other, drawing first.
    """

    def __init__(self, settings: ParserSettings, command: Sequence[str] | None = None) -> None:
        """Prepare; the process starts with the first call or `warm_up`.

        command: how to start the worker, by default with this very program.
        """
        self._settings = settings
        self._supervisor = Supervisor(settings, command)
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

    def read_layout(self, path: Path, page: int, password: str | None = None) -> PageLayout:
        """See Parser. A page whose words could not be read is refused at once."""
        while True:
            self._suspects.check(path, page)
            layout = self._try_layout(path, page, password)
            if layout is not None:
                return layout

    def draw(
        self,
        path: Path,
        page: int,
        scale: float,
        clip: BoxTuple | None = None,
        password: str | None = None,
    ) -> PageImage:
        """See Parser."""
        image: PageImage | None = None
        for reply in self._ask(
            URGENT, messages.Draw(os.fsencode(path), password, page, scale, clip)
        ):
            if isinstance(reply, messages.Drawn):
                image = reply.image
        return _answered(image)

    def read_links(
        self, path: Path, page: int, password: str | None = None
    ) -> tuple[PageLink, ...]:
        """See Parser."""
        links: tuple[PageLink, ...] | None = None
        for reply in self._ask(URGENT, messages.ReadLinks(os.fsencode(path), password, page)):
            if isinstance(reply, messages.LinksRead):
                links = reply.links
        return _answered(links)

    def close(self) -> None:
        """See Parser."""
        self._supervisor.close()

    def _try_layout(self, path: Path, page: int, password: str | None) -> PageLayout | None:
        """Return the layout, or None if a sample page took the worker down: try again."""
        avoid, sample = self._suspects.to_avoid(path), self._suspects.may_sample(path)
        request = messages.ReadLayout(os.fsencode(path), password, page, avoid, sample)
        layout: PageLayout | None = None
        busy_with: int | None = None
        try:
            for reply in self._ask(USUAL, request):
                if isinstance(reply, messages.Staged):
                    busy_with = reply.page
                elif isinstance(reply, messages.LayoutRead):
                    layout = reply.layout
                elif isinstance(reply, messages.DrawnSlowly) and layout is not None:
                    layout = replace(layout, slow_to_draw=reply.slow)
        except ParserLimit:
            if layout is not None:  # only drawing it was too much
                return replace(layout, slow_to_draw=True)
            if busy_with is not None:
                self._suspects.layout_failed(path, busy_with)
            if busy_with in (page, None):
                raise
            return None
        return _answered(layout)

    def _ask(self, urgency: int, request: messages.Request) -> Iterator[messages.Reply]:
        return self._supervisor.submit(urgency, request).results()


def _answered(answer: AnswerT | None) -> AnswerT:
    if answer is None:
        raise UnreadablePdf("the PDF reader gave no answer")
    return answer
