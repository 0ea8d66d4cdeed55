"""Says of every cited manual whether a newer revision of it is in the library."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.events import CitationEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from desktop.core.events import Event


class OlderRevisions:
    """Of one question: the library is asked when the first manual is cited, and only then."""

    def __init__(self, newer: Callable[[], Mapping[int, str]]) -> None:
        """newer: blocking; older document id -> what the newer revision is called ("Rev C")."""
        self._newer = newer
        self._known: Mapping[int, str] | None = None

    async def marked(self, event: Event) -> Event:
        """Return a citation with the revision that replaces its manual; else the event itself."""
        if not isinstance(event, CitationEvent):
            return event
        if self._known is None:
            self._known = await asyncio.to_thread(self._newer)
        newer = self._known.get(event.source.document_id, "")
        return replace(event, newer=newer) if newer else event


def nothing_newer() -> Mapping[int, str]:
    """Say of every manual that it is the newest."""
    return {}
