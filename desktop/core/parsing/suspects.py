"""Pages that brought the parser process down, remembered while the application runs."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import TYPE_CHECKING

from desktop.core.errors import ParserLimit

if TYPE_CHECKING:
    from pathlib import Path

# A document with more of them is structured without looking at sample pages.
_MOST_TO_AVOID = 3


class Suspects:
    """Which pages of which files to keep away from. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._unreadable: defaultdict[Path, dict[int, ParserLimit]] = defaultdict(dict)
        self._avoid: defaultdict[Path, set[int]] = defaultdict(set)

    def text_failed(self, path: Path, page: int, limit: ParserLimit) -> None:
        """Remember that even the words of a page could not be read."""
        with self._lock:
            self._unreadable[path][page] = limit
            self._avoid[path].add(page)

    def text_read(self, path: Path, page: int) -> None:
        """Forget a failure, because a later attempt went well."""
        with self._lock:
            if self._unreadable.get(path, {}).pop(page, None):
                self._avoid[path].discard(page)

    def layout_failed(self, path: Path, page: int) -> None:
        """Remember not to take this page as a sample of its document."""
        with self._lock:
            self._avoid[path].add(page)

    def check(self, path: Path, page: int) -> None:
        """Raise the ParserLimit that reading this page's words ended with, if it did."""
        with self._lock:
            limit = self._unreadable.get(path, {}).get(page)
        if limit is not None:
            raise ParserLimit(str(limit), limit.kind)

    def to_avoid(self, path: Path) -> tuple[int, ...]:
        """Return the pages that must not be sampled."""
        with self._lock:
            return tuple(sorted(self._avoid.get(path, ())))

    def may_sample(self, path: Path) -> bool:
        """Whether looking at sample pages of a file is worth the risk."""
        with self._lock:
            return len(self._avoid.get(path, ())) < _MOST_TO_AVOID
