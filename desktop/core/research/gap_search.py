"""What the analyst lacks, searched for with the tools of ordinary questions."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from desktop.core.research.errors import NoValidSourcesError
from desktop.core.research.source_filter import SourceTierFilter
from desktop.core.research.temporal import within

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.research.handler import ResearchHandler
    from desktop.core.research.run_state import RunState


class GapSearch:
    """Adds sources to the context of a run; numbers of those that are there stay."""

    def __init__(self, handler: ResearchHandler, state: RunState) -> None:
        self._handler = handler
        self._state = state

    async def run(self, queries: Sequence[str]) -> list[str]:
        """Search for what was not searched yet; returns the names of the sources added."""
        added: list[str] = []
        for query in queries:
            wanted = " ".join(query.split())
            if not wanted or wanted.casefold() in (q.casefold() for q in self._state.searched):
                continue
            self._handler.cancel.check()
            self._state.searched.append(wanted)
            added += await asyncio.to_thread(self._add, wanted)
        return added

    def _add(self, query: str) -> list[str]:
        handler, state = self._handler, self._state
        room = handler.settings.max_sources - len(state.context)
        if room <= 0:
            return []
        found = handler.finder.find(query, handler.settings.pages_per_search)
        items = [source.item() for source in handler.sources.add(found)]
        inside, _ = within(items, state.temporal)
        sieve = SourceTierFilter(handler.sources.tiers, handler.settings.mode_configs)
        try:
            fitting = sieve.filter_and_enrich(inside, state.mode)[:room]
        except NoValidSourcesError:
            return []
        state.context += fitting
        return [str(item["name"]) for item in fitting]
