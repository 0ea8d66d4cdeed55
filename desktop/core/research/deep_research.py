"""Deep research on an open library: the entry point for the window and the command."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from desktop.core.agent.question_trace import QuestionTrace, milliseconds_since
from desktop.core.answering.ambiguity import ambiguity_of
from desktop.core.answering.governing_warnings import safety_blocks
from desktop.core.claims.comparison import Comparison
from desktop.core.conversations.values import resolved
from desktop.core.events import (
    ClarificationEvent,
    CompleteEvent,
    ErrorEvent,
    ResearchProgressEvent,
    StatusEvent,
)
from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.problems import explain
from desktop.core.research.proposal import WITHOUT_MODEL
from desktop.sentences import full, said

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

    from desktop.core.agent.tool import Models, Search
    from desktop.core.answering.answer import Answerer
    from desktop.core.conversations.asking import Asks
    from desktop.core.events import Event, ResearchMode
    from desktop.core.library.library import Library
    from desktop.core.library.places import Place
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.notes.search import NoteSearch
    from desktop.core.research.handler import ReplyCache, ResearchHandler
    from desktop.core.research.sources import LibraryFinder, TemporalContext
    from desktop.core.settings.sections import ReasoningSettings, SourceTier
    from desktop.core.trace.session_memory import Sessions

_GATHERING = said("Searching manuals and notes.")
SWITCHED_OFF = said("Deep research is switched off in the settings: this is an ordinary search.")


@dataclass
class DeepResearch:
    """What only research needs is imported when it begins: an ordinary question does not wait.

    by_words: a search without the text model, for the many statements of a document.
    ordinary: answers when research is switched off. sessions: the memories that the reasoning
    is written into; None for no trace. comparison: of statements.
    """

    searcher: Search
    by_words: Search
    answerer: Answerer
    library: Library
    notes: NoteDesk
    note_search: NoteSearch
    models: Models
    place: Callable[[], Place]
    settings: ReasoningSettings
    ordinary: Asks
    cache: ReplyCache | None = None
    sessions: Sessions | None = None
    source_tiers: Mapping[str, SourceTier] = field(default_factory=dict)
    comparison: Comparison = field(default_factory=lambda: Comparison(None))

    async def events(
        self,
        question: str,
        mode: ResearchMode = "discovery",
        *,
        document_ids: frozenset[int] = frozenset(),
        temporal_context: TemporalContext | Mapping[str, Any] | None = None,
        cancel: CancelToken | None = None,
        conversation_id: int = 0,
    ) -> AsyncGenerator[Event, None]:
        """Research a question; the last event is a `CompleteEvent`.

        document_ids: only these manuals; empty means all. temporal_context: None takes what
        the question itself says ("since 2024", "in Edition 3"). conversation_id: of the stored
        conversation that the question is asked in; 0: none.
        """
        from desktop.core.research.handler import ReplyCache, ResearchHandler
        from desktop.core.research.orchestrator import DeepResearchOrchestrator
        from desktop.core.research.sources import (
            LibraryFinder,
            TemporalContext,
            temporal_context_of,
        )
        from desktop.core.research.trace import ResearchTrace

        cancel = cancel or CancelToken()
        if not self.settings.enabled:
            yield StatusEvent(SWITCHED_OFF)
            stream = self.ordinary.run(
                question, document_ids=document_ids, cancel=cancel, conversation_id=conversation_id
            )
            async with aclosing(stream) as ordinary:
                async for event in ordinary:
                    yield event
            return
        started = perf_counter()
        if not question.strip():
            yield ErrorEvent(
                said("The question is empty."), False, said("Type what you want to know.")
            )
            yield CompleteEvent("impossible", milliseconds_since(started), 0)
            return
        temporal = (
            temporal_context_of(question)
            if temporal_context is None
            else TemporalContext.model_validate(temporal_context)
        )
        trace = ResearchTrace()
        if (sessions := self.sessions) is not None:
            memory = await asyncio.to_thread(sessions.memory, conversation_id)
            trace = ResearchTrace(QuestionTrace(memory, question))
        trace.planned(mode, temporal.told)
        finder = LibraryFinder(
            self.searcher,
            self.by_words,
            self.library,
            self.notes,
            self.note_search,
            self.place,
            document_ids,
        )
        self.cache = self.cache or ReplyCache()
        handler = ResearchHandler(
            find=finder.find,
            answerer=self.answerer,
            together=finder.together,
            warnings=lambda cited: safety_blocks(cited, self.library.blocks, self.library.label),
            page_words=self.library.page_words,
            log_folder=self.library.folder.research,
            comparison=self.comparison,
            language=self.models.language,
            settings=self.settings,
            source_tiers=self.source_tiers,
            cancel=cancel,
            cache=self.cache,
            trace=trace,
        )
        try:
            async for event in self._before(handler, finder, question, mode, document_ids):
                trace.take(event)
                yield event
                if isinstance(event, CompleteEvent):
                    return
            research = DeepResearchOrchestrator(handler)
            async with aclosing(
                research.events(question, mode, self._first(handler, mode), temporal)
            ) as events:
                async for event in events:
                    yield event
        finally:
            trace.let_go()

    async def _before(
        self,
        handler: ResearchHandler,
        finder: LibraryFinder,
        question: str,
        mode: ResearchMode,
        document_ids: frozenset[int],
    ) -> AsyncGenerator[Event, None]:
        """Find the first sources; ends with a `CompleteEvent` if there is nothing to research."""
        from desktop.core.research.sources import first_sources, sources_to_compare

        started = perf_counter()
        most = self.settings.max_iterations
        if self.models.language() is None:
            yield StatusEvent(WITHOUT_MODEL)
        yield ResearchProgressEvent(0, most, "gather", "started", _GATHERING)
        try:
            handler.cancel.check()
            if mode == "monitor":
                found = await asyncio.to_thread(
                    sources_to_compare,
                    finder,
                    handler.sources,
                    question,
                    self.settings.site_notes,
                    lambda: handler.cancel.cancelled,
                )
            else:
                found = await asyncio.to_thread(first_sources, finder, question, self.settings)
            handler.cancel.check()
            handler.sources.add(found)
        except (Cancelled, asyncio.CancelledError):
            if not handler.cancel.cancelled:
                raise
            yield CompleteEvent("cancelled", milliseconds_since(started), 0)
            return
        except Exception as error:
            problem = explain(error)
            yield ErrorEvent(full(problem.title), False, problem.advice)
            yield CompleteEvent("failed", milliseconds_since(started), 0)
            return
        yield ResearchProgressEvent(
            0,
            most,
            "gather",
            "done",
            said("{n} sources found.", n=len(self._first(handler, mode))),
            milliseconds_since(started),
        )
        back = await self._question_back(handler, question, mode, document_ids)
        if back is not None:
            yield back
            yield CompleteEvent("clarification", milliseconds_since(started), 0)

    async def _question_back(
        self,
        handler: ResearchHandler,
        question: str,
        mode: ResearchMode,
        document_ids: frozenset[int],
    ) -> ClarificationEvent | None:
        """Return what to ask back, if the evidence is split over two products or things."""
        if mode == "monitor" or len(document_ids) == 1:
            return None
        evidence = [each.evidence for each in handler.sources.all() if each.note is None]
        found = await asyncio.to_thread(
            lambda: ambiguity_of(question, evidence, self.library.documents())
        )
        if found is None:
            return None
        from desktop.core.research.base_agent import ClarificationAgent

        labels = list(found.event.options)
        agent = ClarificationAgent(handler)
        worded = await agent.generate_options(question, found.kind, labels)
        return replace(found.event, options=tuple(worded["options"]))

    def _first(self, handler: ResearchHandler, mode: ResearchMode) -> list[dict[str, Any]]:
        """Return what was found as the Items that the research starts with."""
        found = handler.sources.all()
        most = self.settings.max_sources if mode != "monitor" else len(found)
        return [source.item() for source in found[:most]]


@dataclass(eq=False)
class ResearchingAgent:
    """Satisfies `Asks`: every question is researched in one mode."""

    research: DeepResearch
    mode: ResearchMode
    temporal: TemporalContext | None = None

    async def run(
        self,
        prompt: str,
        *,
        document_ids: frozenset[int] = frozenset(),
        cancel: CancelToken | None = None,
        conversation_history: Sequence[Mapping[str, str]] = (),
        conversation_id: int = 0,
    ) -> AsyncGenerator[Event, None]:
        """Yield the events of a research run; see `Asks.run`."""
        stream = self.research.events(
            resolved(prompt, conversation_history),
            self.mode,
            document_ids=document_ids,
            temporal_context=self.temporal,
            cancel=cancel,
            conversation_id=conversation_id,
        )
        async with aclosing(stream) as events:
            async for event in events:
                yield event
