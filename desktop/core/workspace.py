"""An open library with everything that works on it: what the window and the commands get."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.agent.compiled_programs import CompiledPrograms
from desktop.core.conversations.asking import ask_within
from desktop.core.conversations.store import Conversations
from desktop.core.library.places import ActivePlace
from desktop.core.nameplates.finder import NameplateReader
from desktop.core.notes.desk import NoteDesk
from desktop.core.page_drawing import LibraryDrawer
from desktop.core.paths import trusted_keys
from desktop.core.picture_questions import PictureReader, RegionReader
from desktop.core.research.deep_research import ResearchingAgent
from desktop.core.research.proposal import ProposingAgent
from desktop.core.settings.sections import ReasoningTraceSettings
from desktop.core.trace.session_memory import Sessions
from desktop.core.trace.store import TraceStore

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from desktop.core.agent.orchestrator import AgentOrchestrator
    from desktop.core.conversations.asking import Asks
    from desktop.core.conversations.suggested_questions import QuestionSuggester
    from desktop.core.engine import Engine, RunHandle
    from desktop.core.events import Event, PageRegion, ResearchMode
    from desktop.core.jobs import CancelToken
    from desktop.core.library.ingestion import Ingestion
    from desktop.core.library.library import Library
    from desktop.core.manual_packs.attached import ManualPacks
    from desktop.core.notes.shared_folder import FolderKeeper
    from desktop.core.parsing.parser import Parser
    from desktop.core.research.deep_research import DeepResearch
    from desktop.core.research.sources import TemporalContext
    from desktop.core.retrieval.search import Searcher
    from desktop.core.retrieval.visual_search import VisualSearcher
    from desktop.core.settings.sections import Settings
    from desktop.core.store.database import Database
    from desktop.core.structure.values import PhotoText
    from desktop.models.manager import ModelManager
    from knowledge.domain_shelf import DomainShelf


@dataclass
class Workspace:
    """One library folder, opened. Whoever opened it closes it.

    place: where the person asking is. programs: what an optimiser found for language
    models.
    notes: what engineers of the site wrote down. team: exchanges notes with a shared
    folder, None if none is connected.
    notice: what a person should know after opening, "" if nothing.
    parser: for drawing pages.
    visual_search: finds pages by how they look, and tells where they match.
    searcher: finds the pages that a question is about; None in a workspace made without
    it.
    deep_research: None in a workspace that was made without it. suggester: the same.
    sessions: the memories that reasoning is written into while questions are answered;
    traces: the stored ones.
    resources: closed in reverse order by `close`.
    """

    database: Database
    library: Library
    ingestion: Ingestion
    engine: Engine
    settings: Settings
    parser: Parser
    orchestrator: AgentOrchestrator
    models: ModelManager
    domains: DomainShelf
    place: ActivePlace = field(default_factory=ActivePlace)
    programs: CompiledPrograms = field(default_factory=CompiledPrograms)
    notes: NoteDesk = field(default_factory=NoteDesk)
    team: FolderKeeper | None = None
    sessions: Sessions = field(default_factory=lambda: Sessions(ReasoningTraceSettings()))
    notice: str = ""
    visual_search: VisualSearcher | None = None
    searcher: Searcher | None = None
    deep_research: DeepResearch | None = None
    suggester: QuestionSuggester | None = None
    resources: ExitStack = field(default_factory=ExitStack)
    nameplates: NameplateReader = field(init=False)
    conversations: Conversations = field(init=False)
    traces: TraceStore = field(init=False)

    def __post_init__(self) -> None:
        self.conversations = Conversations(self.database)
        self.traces = TraceStore(self.database)
        self.nameplates = NameplateReader(self.database, self.library, self.parser, self.notes)

    @property
    def packs(self) -> ManualPacks:
        """The library's packs of manuals; made when asked for, as few libraries have any."""
        from desktop.core.manual_packs.attached import ManualPacks
        from desktop.core.signing import TrustedKeys

        return ManualPacks(self.database, self.library, TrustedKeys(trusted_keys("packs")))

    @property
    def profile(self) -> str:
        """The id of the profile in force: "lite" while there is no language model."""
        return self.models.answering_profile()

    def ask(
        self,
        prompt: str,
        document_ids: frozenset[int],
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
        conversation_id: int | None = None,
        *,
        by_itself: bool = False,
    ) -> RunHandle:
        """Ask a question; an empty `document_ids` means every manual.

        conversation_id: the conversation that it continues, and that keeps it.
        by_itself: what was asked before in that conversation is not read with it.
        The callbacks arrive on the engine thread; the last event is a `CompleteEvent`.
        """
        proposes = self.deep_research is not None and self.settings.reasoning.enabled
        agent = ProposingAgent(self.orchestrator) if proposes else self.orchestrator
        return self._start(
            agent, prompt, document_ids, on_event, on_done, conversation_id, by_itself=by_itself
        )

    def research(
        self,
        question: str,
        mode: ResearchMode,
        document_ids: frozenset[int],
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
        temporal_context: TemporalContext | None = None,
        conversation_id: int | None = None,
    ) -> RunHandle:
        """Research a question, as `ask` does; cancelling it keeps what was found.

        temporal_context: what dates sources may have; None takes what the question
        says.

        Raises: RuntimeError, in a workspace without it.
        """
        if self.deep_research is None:
            raise RuntimeError("this workspace has no deep research")
        agent = ResearchingAgent(self.deep_research, mode, temporal_context)
        return self._start(agent, question, document_ids, on_event, on_done, conversation_id)

    def explain_region(
        self,
        question: str,
        place: PageRegion,
        document_ids: frozenset[int],
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
        conversation_id: int | None = None,
    ) -> RunHandle:
        """Explain a part of a page; as `ask`. place: holds the one box that was framed.

        document_ids: the manuals that the conversation asks; the region may lie outside
        them.
        """
        drawer = LibraryDrawer(self.library, self.parser)
        agent = RegionReader(self.library, drawer, self.models.vision, place, self.sessions)
        return self._start(agent, question, document_ids, on_event, on_done, conversation_id)

    def ask_picture(
        self,
        question: str,
        photo: PhotoText,
        document_ids: frozenset[int],
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
        conversation_id: int | None = None,
    ) -> RunHandle:
        """Ask the vision model what a photo shows; as `ask`. The photo is not kept."""
        agent = PictureReader(self.models.vision, photo)
        return self._start(agent, question, document_ids, on_event, on_done, conversation_id)

    def _start(
        self,
        agent: Asks,
        question: str,
        document_ids: frozenset[int],
        on_event: Callable[[Event], None],
        on_done: Callable[[], None],
        conversation_id: int | None,
        *,
        by_itself: bool = False,
    ) -> RunHandle:
        def stream(cancel: CancelToken) -> AsyncGenerator[Event, None]:
            if conversation_id is None:
                return agent.run(question, document_ids=document_ids, cancel=cancel)
            return ask_within(
                self.conversations,
                conversation_id,
                agent,
                question,
                document_ids,
                cancel,
                by_itself=by_itself,
            )

        return self.engine.start(stream, on_event, on_done)

    def close(self) -> None:
        """Stop the questions, then close everything; the caller's jobs must have ended."""
        self.resources.close()
