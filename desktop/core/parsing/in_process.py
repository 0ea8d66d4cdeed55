"""A parser without a process of its own: the setting `parser.in_process`, scripts, tests."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.parsing.service import ParsingService

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop.core.parsing.recognition.completing import RecognizerFactory
    from desktop.core.settings.sections import ParserSettings
    from desktop.core.structure.values import (
        BoxTuple,
        DocumentInfo,
        PageHighlight,
        PageImage,
        PageLayout,
        PageLink,
        PageText,
    )


class InProcessParser:
    """A Parser that works in the calling thread.

    Nothing limits its time and memory, a page that crashes MuPDF ends the application,
    and the window stands still while a heavy page is read.
    """

    def __init__(
        self, settings: ParserSettings, load_recognizer: RecognizerFactory | None = None
    ) -> None:
        self._service = ParsingService(settings, load_recognizer)
        self._lock = threading.Lock()

    def open(self, path: Path, password: str | None = None) -> DocumentInfo:
        """See Parser."""
        with self._lock:
            info = self._service.open(path, password)
            return info if info.title else self._titled(info, path, password)

    def read_text(
        self, path: Path, first: int, last: int, password: str | None = None
    ) -> Iterator[PageText]:
        """See Parser."""
        for page in range(first, last):
            with self._lock:
                text = self._service.read_text(path, page, password)
            yield text

    def read_layout(self, path: Path, page: int, password: str | None = None) -> PageLayout:
        """See Parser."""
        with self._lock:
            layout = self._service.read_layout(path, page, password)
            slow = self._service.is_slow_to_draw(path, page, password)
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
        with self._lock:
            return self._service.draw(path, page, scale, clip, password)

    def read_links(
        self, path: Path, page: int, password: str | None = None
    ) -> tuple[PageLink, ...]:
        """See Parser."""
        with self._lock:
            return self._service.read_links(path, page, password)

    def write_highlights(
        self,
        path: Path,
        copy: Path,
        highlights: Sequence[PageHighlight],
        password: str | None = None,
    ) -> None:
        """See Parser."""
        with self._lock:
            self._service.write_highlights(path, copy, highlights, password)

    def close(self) -> None:
        """See Parser."""
        with self._lock:
            self._service.close()

    def _titled(self, info: DocumentInfo, path: Path, password: str | None) -> DocumentInfo:
        return replace(info, title=self._service.printed_title(path, password))
